"""Decides what an input is, spec or workflow, and reads it into a syntax tree."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from stratumc.diagnostics import Finding, Severity, Source
from stratumc.driver_files import SPEC_ENDINGS, File, is_fragment, read_file, read_files, workflow_base
from stratumc.text import Document, Location
from stratumc.text.record import record
from stratumc.text.tree import Mapping, Node

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stratumc.read import Comment
    from stratumc.spec.syntax import Spec
    from stratumc.workflow import WorkflowFile
    from stratumc.workflow.syntax import Workflow

_SPEC_KEYS = ("contracts", "flows", "functions")
_WORKFLOW_KEYS = ("initial_state", "global_transitions", "resumption_targets", "thresholds")


@record
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


def load(source: str | bytes | os.PathLike[str], *, name: str, kind: str | None) -> Loaded:
    """Reads a text, or a file with the fragments that belong to it (design.md, "Public API")."""
    if isinstance(source, str | bytes):
        return load_text(source, name, kind)
    path = os.fspath(source)
    files = read_files(path, kind)
    return load_unreadable(path, kind) if files is None else load_files(files, kind)


def load_files(files: tuple[File, ...], kind: str | None) -> Loaded:
    """Reads the files of one input: a file and, should it be a workflow, the fragments beside it."""
    name, data = files[0]
    if kind is None and workflow_base(name) is None:
        loaded = load_text(data, name, kind)
        if loaded.kind != "workflow" or len(files) == 1:
            return loaded
    elif kind == "spec":
        return load_text(data, name, kind)
    from stratumc.workflow import WorkflowFile

    return _load_workflow([WorkflowFile(path, is_fragment(path), content) for path, content in files], kind)


def load_unreadable(path: str, kind: str | None) -> Loaded:
    """Reads as much as there is of an input that has a file that can't be read, and reports that file."""
    base = workflow_base(path)
    if kind == "workflow" or (kind is None and base is not None):
        from stratumc.workflow import read_workflow_files

        return _load_workflow(read_workflow_files(base or path), kind)
    try:
        return load_text(read_file(path), path, kind)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        finding = Finding("FILE_UNREADABLE", Location(range=(0, 0)), f"`{path}` can't be read: {reason}")
        return Loaded(kind, (Source(Document(path, ""), None),), (finding,))


def load_text(data: str | bytes, name: str, kind: str | None) -> Loaded:
    """Reads one text by itself."""
    from stratumc.read import decode, read_document

    document, findings = decode(data, name)
    if findings:
        return Loaded(kind or _kind_by_name(name), (Source(document, None),), findings)
    tree = read_document(document, syntax="json" if kind == "workflow" else None)
    sources, comments = (Source(document, tree.root),), (tree.comments,)
    if tree.root is None:
        return Loaded(kind or _kind_by_name(name), sources, tree.findings, comments)
    found = kind or detect_kind(tree.root, name)
    if found == "spec":
        from stratumc.spec import load_spec

        spec = load_spec(tree.root)
        return Loaded(found, sources, tree.findings + spec.findings, comments, spec=spec.spec)
    if found == "workflow":
        from stratumc.workflow import Piece, load_workflow

        merged = load_workflow((Piece(document, tree.root, is_fragment(name), 0),))
        findings = tree.findings + merged.findings
        return Loaded(found, sources, findings, comments, workflow=merged.workflow)
    return Loaded(None, sources, (*tree.findings, _foreign(tree.root, name)), comments)


def _load_workflow(files: Sequence[WorkflowFile], kind: str | None) -> Loaded:
    """Merges a workflow; one whose name alone says so has to look like one."""
    from stratumc.workflow import load_workflow_files

    read = load_workflow_files(files)
    trees = [source for source in read.sources if source.root is not None]
    if kind is None and trees and not any(detect_kind(s.root, s.document.name) for s in trees if s.root):
        first = trees[0]
        assert first.root is not None
        return Loaded(None, (first,), (_foreign(first.root, first.document.name),))
    comments = ((),) * len(read.sources)
    return Loaded("workflow", read.sources, read.findings, comments, workflow=read.loaded.workflow)


def detect_kind(root: Node, name: str) -> str | None:
    """Tells a spec from a workflow by the keys it has, and one without any by its name."""
    if not isinstance(root, Mapping) or not root.entries:
        return _kind_by_name(name)
    is_workflow = _looks_like_workflow(root)
    if os.path.basename(name) == "workflow.json" or is_fragment(name):
        return "workflow" if is_workflow else None
    if any(root.get(key) for key in _SPEC_KEYS) or (root.get("version") and not is_workflow):
        return "spec"
    return "workflow" if is_workflow else _kind_by_name(name)


def _kind_by_name(name: str) -> str | None:
    if os.path.basename(name) == "workflow.json" or is_fragment(name):
        return "workflow"
    return "spec" if name.endswith(SPEC_ENDINGS) else None


def _looks_like_workflow(root: Mapping) -> bool:
    """Whether a mapping has a key that only our workflows have, or states by name."""
    states = root.get("states")
    if states is not None and isinstance(states.value, Mapping):
        return True
    return any(root.get(key) for key in _WORKFLOW_KEYS)


def _foreign(root: Node, name: str) -> Finding:
    """The finding for content that is neither a spec nor a workflow."""
    place = Location(range=(root.start, root.start))
    if os.path.basename(name) == "workflow.json" or is_fragment(name):
        message = "this file belongs to another tool: it has neither `states` nor `initial_state`"
        return Finding("NOT_OURS", place, message)
    return Finding(
        "NOT_OURS",
        place,
        "can't tell a spec or a workflow in this: no `contracts`, `flows`, `states` or `initial_state`",
        severity=Severity.ERROR,
        suggestion="say which it is: `--kind spec` or `--kind workflow`",
    )
