"""Decides what an input is, spec or workflow, and reads it into a syntax tree."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from stratumc.diagnostics import Finding, Severity, Source
from stratumc.text import Document, Location

if TYPE_CHECKING:
    from stratumc.read import Comment
    from stratumc.read.tree import Node
    from stratumc.spec.syntax import Spec
    from stratumc.workflow.syntax import Workflow

KINDS = ("spec", "workflow")

MAX_BYTES = 16 * 1024 * 1024
"""Size limit of an input; one byte more is read, so that the reader can tell."""

_SPEC_KEYS = ("version", "contracts", "flows", "functions")
_WORKFLOW_KEYS = ("initial_state", "states", "global_transitions", "resumption_targets", "thresholds")
_SPEC_NAMES = (".stratum.yaml", ".stratum.yml", ".stratum.json")


@dataclass(frozen=True, slots=True)
class Loaded:
    """An input after the rule family: its syntax tree, as far as there is one, and what was found."""

    kind: str | None
    """`spec`, `workflow`, or None when the input is neither, or could not be read."""
    sources: tuple[Source, ...]
    findings: tuple[Finding, ...]
    comments: tuple[tuple[Comment, ...], ...] = ()
    """The comments of each source, for suppressions."""
    spec: Spec | None = None
    workflow: Workflow | None = None
    data: tuple[bytes, ...] = field(default=(), repr=False)
    """The bytes of each source, for the digests in a table."""


def load(source: str | bytes | os.PathLike[str], *, name: str, kind: str | None) -> Loaded:
    """Reads a text, or a file with the fragments that belong to it (design.md, "Public API")."""
    if isinstance(source, str | bytes):
        return load_text(source, name, kind)
    return load_path(os.fspath(source), kind)


def load_path(path: str, kind: str | None) -> Loaded:
    """Reads the file at `path`; a workflow's file, folder or fragment stands for the whole workflow."""
    base = workflow_base(path)
    if base is not None and kind != "spec":
        return _load_workflow_files(base, kind)
    try:
        data = read_bytes(path)
    except OSError as error:
        return unreadable(path, error)
    loaded = load_text(data, path, kind)
    return _load_workflow_files(path, kind) if loaded.kind == "workflow" else loaded


def read_bytes(path: str) -> bytes:
    """The bytes of a file, at most one more than the limit. Raises OSError."""
    with open(path, "rb") as file:
        return file.read(MAX_BYTES + 1)


def unreadable(path: str, error: OSError) -> Loaded:
    """What a file that can't be read gives: one finding at its first character."""
    reason = (error.strerror or str(error)).lower()
    finding = Finding("FILE_UNREADABLE", Location(range=(0, 0)), f"`{path}` can't be read: {reason}")
    return Loaded(None, (Source(Document(path, ""), None),), (finding,))


def workflow_base(path: str) -> str | None:
    """The workflow file that a path stands for by its name alone; None when the name doesn't tell."""
    folder, file = os.path.split(path)
    if os.path.isdir(path):
        holders = (path, os.path.join(path, ".forge"))
        marks = ("workflow.json", "workflow.d")
        found = (h for h in holders if any(os.path.exists(os.path.join(h, mark)) for mark in marks))
        return os.path.join(next(found, path), "workflow.json")
    if os.path.basename(os.path.abspath(folder)) == "workflow.d" and file.endswith(".json"):
        return os.path.join(os.path.dirname(folder), "workflow.json")
    return path if file == "workflow.json" else None


def load_text(data: str | bytes, name: str, kind: str | None) -> Loaded:
    """Reads one text by itself."""
    from stratumc.read import decode, read_document

    document, findings = decode(data, name)
    if findings:
        return Loaded(kind, (Source(document, None),), findings)
    tree = read_document(document, syntax="json" if kind == "workflow" else None)
    loaded = Loaded(kind, (Source(document, tree.root),), tree.findings, (tree.comments,), data=(_as_bytes(data),))
    if tree.root is None:
        return loaded
    kind = kind or detect_kind(tree.root, name)
    if kind == "spec":
        from stratumc.spec import load_spec

        spec = load_spec(tree.root)
        return replace(loaded, kind=kind, findings=tree.findings + spec.findings, spec=spec.spec)
    if kind == "workflow":
        from stratumc.workflow import Piece, load_workflow

        workflow = load_workflow((Piece(document, tree.root, False, 0),))
        return replace(loaded, kind=kind, findings=tree.findings + workflow.findings, workflow=workflow.workflow)
    return replace(loaded, findings=(*tree.findings, _foreign(tree.root, name)))


def _as_bytes(data: str | bytes) -> bytes:
    return data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data


def detect_kind(root: Node, name: str) -> str | None:
    """Tells a spec from a workflow by the keys it has, and an empty one by its name."""
    from stratumc.read.tree import Mapping

    by_name = "spec" if name.endswith(_SPEC_NAMES) else None
    if not isinstance(root, Mapping):
        return by_name
    is_workflow = _looks_like_workflow(root)
    is_spec = any(root.get(key) for key in _SPEC_KEYS[1:]) or (root.get("version") and not is_workflow)
    if os.path.basename(name) == "workflow.json":
        return "workflow" if is_workflow or not root.entries else None
    if is_spec:
        return "spec"
    return "workflow" if is_workflow else by_name


def _looks_like_workflow(root: Node) -> bool:
    """Whether a mapping has a key that only our workflows have, or states by name."""
    from stratumc.read.tree import Mapping

    assert isinstance(root, Mapping)
    states = root.get("states")
    if states is not None and isinstance(states.value, Mapping):
        return True
    return any(root.get(key) for key in _WORKFLOW_KEYS if key != "states")


def _foreign(root: Node, name: str) -> Finding:
    """The finding for content that is neither a spec nor a workflow."""
    place = Location(range=(root.start, root.start))
    if os.path.basename(name) == "workflow.json":
        message = "this `workflow.json` belongs to another tool: it has neither `states` nor `initial_state`"
        return Finding("NOT_OURS", place, message)
    return Finding(
        "NOT_OURS",
        place,
        "can't tell whether this is a spec or a workflow: no `version`, `contracts`, `flows`, `states` or `initial_state`",
        severity=Severity.ERROR,
        suggestion="say which with `--kind spec` or `--kind workflow`",
    )
