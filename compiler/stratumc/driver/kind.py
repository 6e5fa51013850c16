"""Decides what an input is, spec, workflow or neither, and says what a foreign one seems to be."""

from __future__ import annotations

import os

from stratumc.diagnostics import Finding, Severity
from stratumc.driver.files import SPEC_ENDINGS, is_fragment
from stratumc.text import Location
from stratumc.text.tree import Mapping, Node, Sequence

_SPEC_KEYS = ("contracts", "flows", "functions")
_WORKFLOW_KEYS = ("initial_state", "global_transitions", "resumption_targets", "thresholds")
_STATE_KEYS = ("description", "transitions", "triggers")

_FOREIGN_KEYS = {
    "jobs": "a workflow of GitHub Actions",
    "services": "a Compose file",
    "apiVersion": "a Kubernetes manifest",
    "openapi": "an OpenAPI document",
    "swagger": "an OpenAPI document",
    "repos": "a configuration of pre-commit",
}
"""By a key that tells, what a file of other tools is."""


def detect_kind(root: Node, name: str) -> str | None:
    """Tells a spec from a workflow by the keys it has, and one without any by its name."""
    if not isinstance(root, Mapping):
        return None if _is_named_workflow(name) and not is_surely_workflow(name) else kind_by_name(name)
    if not root.entries:
        return kind_by_name(name)
    is_workflow = _looks_like_workflow(root)
    if _is_named_workflow(name):
        if is_workflow or is_surely_workflow(name):
            return "workflow"
        if root.get("contracts") and root.get("flows"):
            return "spec"
        return "workflow" if _nearly_looks_like_workflow(root) else None
    if any(root.get(key) for key in _SPEC_KEYS) or (root.get("version") and not is_workflow):
        return "spec"
    return "workflow" if is_workflow else kind_by_name(name)


def kind_by_name(name: str) -> str | None:
    """What a file of this name has to be, whatever is in it; None when the name doesn't tell."""
    if _is_named_workflow(name):
        return "workflow"
    return "spec" if name.endswith(SPEC_ENDINGS) else None


def is_surely_workflow(name: str) -> bool:
    """Whether a file is ours by its place alone: a fragment, or `workflow.json` in `.forge`."""
    folder, file = os.path.split(os.path.abspath(name))
    return is_fragment(name) or (file == "workflow.json" and os.path.basename(folder) == ".forge")


def _is_named_workflow(name: str) -> bool:
    return os.path.basename(name) == "workflow.json" or is_fragment(name)


def _looks_like_workflow(root: Mapping) -> bool:
    """Whether a mapping has a key that only our workflows have, or states by name."""
    states = root.get("states")
    if states is not None and isinstance(states.value, Mapping):
        return True
    return any(root.get(key) for key in _WORKFLOW_KEYS)


def _nearly_looks_like_workflow(root: Mapping) -> bool:
    """Whether a key is one of ours misspelt: the initial state, or states that look like states."""
    from stratumc.diagnostics.nearest import nearest

    for entry in root:
        meant = nearest(entry.name, ("states", *_WORKFLOW_KEYS))
        if meant is not None and meant != "states":
            return True
        if meant == "states" and isinstance(entry.value, Mapping):
            below = [state.value for state in entry.value]
            if any(isinstance(one, Mapping) and any(map(one.get, _STATE_KEYS)) for one in below):
                return True
    return False


def foreign(root: Node, name: str) -> Finding:
    """The finding for content that is neither a spec nor a workflow."""
    place = Location(range=(root.start, root.start))
    if _is_named_workflow(name):
        holds = "it has neither `states` nor `initial_state`"
        if not isinstance(root, Mapping):
            holds = f"it holds {'a list' if isinstance(root, Sequence) else 'a single value'}"
        return Finding("NOT_OURS", place, f"this file belongs to another tool: {holds}")
    return Finding(
        "NOT_OURS",
        place,
        "this is neither a spec nor a workflow: it has no `contracts`, `flows`, `states` or `initial_state`",
        severity=Severity.ERROR,
        suggestion="say which it is: `--kind spec` or `--kind workflow`",
    )


def foreign_spec(root: Node) -> Finding | None:
    """The one finding for a file that has the name of a spec and none of its keys, nor one nearly so."""
    keys = ("version", "contracts", "flows")
    if not isinstance(root, Mapping) or not root.entries:
        return None
    if any(root.get(key) for key in keys):
        return None
    from stratumc.diagnostics.nearest import nearest
    from stratumc.spec.legacy import legacy_version

    if legacy_version(root) is not None or any(nearest(entry.name, keys) for entry in root):
        return None
    seems = next((_FOREIGN_KEYS[entry.name] for entry in root if entry.name in _FOREIGN_KEYS), None)
    message = "this isn't a spec, though its name says so: it has none of `version`, `contracts` and `flows`"
    suggestion = None if seems is None else f"it seems to be {seems}, which needs another name"
    return Finding("SCHEMA_INVALID", Location(), message, suggestion=suggestion)
