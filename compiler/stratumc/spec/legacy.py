"""v0.x documents: recognised, with what became of each construct that version 1 does not have."""

from __future__ import annotations

import re
from dataclasses import replace

from stratumc.diagnostics import Finding
from stratumc.read.tree import Mapping, Node, Scalar, Sequence, descend

_OLD_VERSION = re.compile(r"0(\.[0-9]+)*")
_OLD_ROOTS = ("functions", "workflow", "pipelines", "pipeline")
_OLD_CONSTRUCTS = ("function", "pipeline", "intent", "parallel", "decompose", "judge", "score")

_BECAME = {
    "functions": "functions are gone: write each task inline, as the `do` of the step that called it",
    "function": "a step has its task inline: `do: …`",
    "intent": "the task is the text of `do`",
    "workflow": "the block that registered a workflow is gone: the host names the file it runs",
    "pipelines": "pipelines are gone: flatten them into steps ordered by `after`",
    "pipeline": "pipelines are gone: flatten them into steps ordered by `after`",
    "exit_when": "loops end by `iterate: {max, until}` of a step, or by a gate's revise",
    "depends_on": "`after` lists the steps that come before",
    "inputs": "inputs are written into the text of `do` as `${input.field}` and `${step.output.field}`",
    "retries": "`attempts` counts all tries, the first one too",
    "skip_if": "`when` says when a step runs: the opposite condition",
    "mode": "the construct says what a step does: `do`, `set`, `gate`, `fanout`, `run` or `evaluate`",
    "step_mode": "the construct says what a step does: `do`, `set`, `gate`, `fanout`, `run` or `evaluate`",
    "model": "`agent` is `claude` or `codex`; a model can't be chosen",
    "parallel": "parallel work is a `fanout` over an array",
    "decompose": "parallel work is a `fanout` over an array; its items can't depend on each other",
    "next": "the order is given by `after` and by references; `on_fail` and gates route",
    "on_success": "the order is given by `after` and by references; `on_fail` and gates route",
    "judge": "a claim is judged by `ensure: [{judged: {statement, stakes}}]`, neither verified nor applied",
    "score": "scores have no counterpart: let an output field hold the number",
    "accumulator": "accumulators have no counterpart: a `carry` variable holds what a loop hands on",
    "certificate": "certificates have no counterpart",
    "timeout": "there are no timeouts but `evaluate.timeout_ms` and `budget.ms`",
    "policy": "policies of gates have no counterpart: a gate waits for a decision",
    "gate_policy": "policies of gates have no counterpart: a gate waits for a decision",
}
"""By old key, what version 1 has in its place."""


def legacy_version(root: Node) -> str | None:
    """What to call the version of a v0.x document; None for every other document."""
    if not isinstance(root, Mapping):
        return None
    entry = root.get("version")
    if entry is None:
        return "0.x" if any(root.get(name) is not None for name in _OLD_ROOTS) else None
    value = entry.value.value if isinstance(entry.value, Scalar) else None
    if isinstance(value, str):
        return value if _OLD_VERSION.fullmatch(value) else None
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return str(value) if is_number and 0 <= float(value or 0) < 1 else None


def explain_old_keys(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """The findings, those about an unknown key that v0.x had with what became of it."""
    return tuple(_explained(finding) for finding in findings)


def _explained(finding: Finding) -> Finding:
    key = finding.at.path[-1] if finding.at.path else ""
    if finding.code != "E2_UNKNOWN_FIELD" or key not in _BECAME:
        return finding
    return replace(finding, suggestion=_BECAME[str(key)])


def explain_version(findings: tuple[Finding, ...], root: Node, version: str) -> tuple[Finding, ...]:
    """The findings about the shape of a v0.x document, told as such.

    The one at `version` says what the document is; the others say what to write in place of what they
    found. That a step with an old construct has none of today's follows.
    """
    told = [_told(finding, root) for finding in findings if not _is_old_step(finding, root)]
    has_old = any(finding.suggestion is not None for finding in told if finding.at.path != ("version",))
    message = f"this is a v{version} spec, and only `version: 1` is read"
    suggestion = "write `version: 1`" + (" and its constructs in place of the old ones" if has_old else "")
    return tuple(
        replace(finding, message=message, suggestion=suggestion)
        if finding.at.path == ("version",)
        else finding
        for finding in told
    )


def _is_old_step(finding: Finding, root: Node) -> bool:
    if finding.code != "E2_CONSTRUCT_MIX":
        return False
    node = descend(root, finding.at.path)[0][-1]
    return isinstance(node, Mapping) and any(entry.name in _OLD_CONSTRUCTS for entry in node)


def _told(finding: Finding, root: Node) -> Finding:
    """A finding with the mend for a v0.x form that has the right key and the wrong shape."""
    path = finding.at.path
    if finding.code != "SCHEMA_INVALID" or finding.suggestion is not None or not path:
        return finding
    nodes = descend(root, path)[0]
    node = nodes[-1] if len(nodes) == len(path) + 1 else None
    if path == ("flows", "entry") and node is None:
        return replace(finding, suggestion="`flows.entry` names the flow that a run starts")
    if isinstance(node, Mapping) and node.get("type") is not None:
        return replace(finding, suggestion="a field has a type string alone, like `name: string?`")
    is_text = isinstance(node, Scalar) and isinstance(node.value, str)
    if is_text and len(path) > 1 and path[-2] == "ensure":
        return replace(finding, suggestion="a postcondition is a mapping: `{expr: …}`")
    if path[-1] == "output" and (is_text or isinstance(node, Mapping | Sequence)):
        return replace(finding, suggestion="a flow's output is `{from: ${step.output}, contract: Name}`")
    return finding
