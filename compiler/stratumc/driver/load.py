"""Reads an input, a spec or a workflow, into a syntax tree, with all that the rules say of it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from stratumc.diagnostics import Finding, Source
from stratumc.driver.files import File, is_fragment, read_file, read_files, workflow_base
from stratumc.driver.kind import detect_kind, foreign, foreign_spec, is_surely_workflow, kind_by_name
from stratumc.text import Document, Location
from stratumc.text.record import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stratumc.read import Comment
    from stratumc.spec.syntax import Spec
    from stratumc.workflow import WorkflowFile
    from stratumc.workflow.syntax import Workflow

_DAMAGING = ("YAML_INVALID", "SCHEMA_INVALID")
"""Codes of reading whose faults leave something else in the tree than what was written."""


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
    sketch: Workflow | None = None
    """What could be read of a workflow, whatever errors there are; for pictures alone."""


def load(source: str | bytes | os.PathLike[str], *, name: str, kind: str | None) -> Loaded:
    """Reads a text, or a file with the fragments that belong to it."""
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
        return Loaded(kind or kind_by_name(name), (Source(document, None),), findings)
    tree = read_document(document, syntax="json" if kind == "workflow" else None)
    sources, comments = (Source(document, tree.root),), (tree.comments,)
    if tree.root is None:
        return Loaded(kind or kind_by_name(name), sources, tree.findings, comments)
    found = kind or detect_kind(tree.root, name)
    strange = foreign_spec(tree.root) if kind is None and found == "spec" else None
    if strange is not None:
        return Loaded(found, sources, (*tree.findings, strange), comments)
    if found == "spec":
        from stratumc.spec import load_spec

        spec = load_spec(tree.root, [finding.at for finding in tree.findings if finding.code in _DAMAGING])
        return Loaded(found, sources, tree.findings + spec.findings, comments, spec=spec.spec)
    if found == "workflow":
        from stratumc.workflow import Piece, load_workflow

        merged = load_workflow((Piece(document, tree.root, is_fragment(name), 0),))
        findings = tree.findings + merged.findings
        return Loaded(found, sources, findings, comments, workflow=merged.workflow, sketch=merged.sketch)
    return Loaded(None, sources, (*tree.findings, foreign(tree.root, name)), comments)


def _load_workflow(files: Sequence[WorkflowFile], kind: str | None) -> Loaded:
    """Merges a workflow; one whose name alone says so, not its place, has to look like one."""
    from stratumc.workflow import load_workflow_files

    read = load_workflow_files(files)
    trees = [source for source in read.sources if source.root is not None]
    if kind is None and trees and not any(is_surely_workflow(file.path) for file in files):
        first = trees[0]
        assert first.root is not None
        found = detect_kind(first.root, first.document.name)
        if found == "spec":
            return load_text(first.document.text, first.document.name, found)
        if found is None:
            return Loaded(None, (first,), (foreign(first.root, first.document.name),))
    comments = ((),) * len(read.sources)
    whole, sketch = read.loaded.workflow, read.loaded.sketch
    return Loaded("workflow", read.sources, read.findings, comments, workflow=whole, sketch=sketch)
