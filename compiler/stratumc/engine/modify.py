"""What an edit does to the workflow, and whether that may be (workflow.md section 4, `flow_modify`)."""

from __future__ import annotations

import difflib
import hashlib
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from stratum_runtime.workflow import Change, RefusalError
from stratum_runtime.workflow.refusals import first_error
from stratumc.checks import workflow_checks
from stratumc.checks.workflow_facts import WorkflowFacts
from stratumc.diagnostics import Finding, concretize
from stratumc.engine.edits import BaseFile
from stratumc.engine.graph_diff import graph_diff
from stratumc.engine.json_document import dump, parse
from stratumc.engine.operations import OPERATIONS
from stratumc.workflow import WorkflowFile, WorkflowSources, load_workflow_files
from stratumc.workflow.syntax import Workflow

_CONTEXT = 3
"""Lines shown around a difference."""

_HUNK = re.compile(r"\A@@ -(\d+)((?:,\d+)?) \+(\d+)((?:,\d+)?) @@\Z")


@dataclass(frozen=True, slots=True)
class _Edited:
    """The base file before and after, as text."""

    old: str
    """As it would be laid out, so that the two differ in what was changed alone; empty for no file."""
    new: str
    is_same: bool
    is_laid_out: bool
    """Whether the file was laid out so before."""


def change_workflow(
    path: str, files: WorkflowSources, workflow: Workflow, operation: str, arguments: dict[str, Any]
) -> Change:
    """The change that an operation makes of the workflow whose base file is at `path`.

    Raises RefusalError: `invalid_argument`, `unknown_state`, `owned_by_fragment`, or `change_invalid` with
    the diagnostics of what would come of it.
    """
    named = {name.removesuffix("_"): value for name, value in arguments.items()}
    edited = _edit(files, workflow, operation, named)
    if edited.is_same:
        raise RefusalError("change_invalid", "nothing would change")
    data = edited.new.encode("utf-8")
    base = files.files[0] if not files.files[0].fragment else None
    shown = base.path if base is not None else os.path.basename(path)
    fragments = files.files if base is None else files.files[1:]
    after = load_workflow_files((WorkflowFile(shown, False, data), *fragments))
    if after.has_errors or after.loaded.workflow is None:
        diagnostics = [diagnostic.to_dict() for diagnostic in concretize(after.findings, after.sources)]
        message = f"the workflow would not be valid: {first_error(diagnostics)}"
        raise RefusalError("change_invalid", message, diagnostics=diagnostics)
    changed = after.loaded.workflow
    old, new = WorkflowFacts(workflow), WorkflowFacts(changed)
    findings = (*after.findings, *_new_findings(old, new))
    return Change(
        data=data,
        token=_token(files, operation, named),
        diff=unified_diff(edited.old, edited.new, shown),
        changes_layout=not edited.is_laid_out,
        graph=graph_diff(old, new),
        leaves=tuple(state for state in workflow.states if state not in changed.states),
        warnings=tuple(diagnostic.to_dict() for diagnostic in concretize(findings, after.sources)),
    )


def _new_findings(old: WorkflowFacts, new: WorkflowFacts) -> Iterator[Finding]:
    """What the proofs find in a changed workflow and didn't find before."""
    checks = workflow_checks()
    known = {(found.code, found.message) for one in checks for found in one.run(old)}
    for one in checks:
        yield from (found for found in one.run(new) if (found.code, found.message) not in known)


def _edit(files: WorkflowSources, workflow: Workflow, operation: str, arguments: dict[str, Any]) -> _Edited:
    found = OPERATIONS.get(operation)
    if found is None:
        message = f"`{operation}` isn't an operation; there are {', '.join(OPERATIONS)}"
        raise RefusalError("invalid_argument", message, argument="operation")
    old = files.sources[0].document.text if not files.files[0].fragment else ""
    document = parse(old) if old else {}
    laid_out = dump(document) if old else ""
    found.apply(BaseFile(document, workflow, files), arguments)
    is_same = bool(old) and parse(old) == document
    return _Edited(laid_out, dump(document), is_same, is_laid_out=laid_out.strip() == old.strip())


def _token(files: WorkflowSources, operation: str, arguments: dict[str, Any]) -> str:
    """A name for this very operation on these very files."""
    digest = hashlib.sha256(json.dumps([operation, arguments], sort_keys=True).encode())
    for file in files.files:
        digest.update(hashlib.sha256(file.data or b"").digest())
        digest.update(file.path.encode("utf-8", "surrogateescape"))
    return digest.hexdigest()[:32]


def unified_diff(before: str, after: str, shown: str) -> str:
    """The unified difference. What is equal at both ends is cut off first, as comparing it takes long."""
    old, new = _lines(before), _lines(after)
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    start, stop = max(0, head - _CONTEXT), max(0, tail - _CONTEXT)
    old, new = old[start : len(old) - stop], new[start : len(new) - stop]
    lines = difflib.unified_diff(old, new, f"a/{shown}", f"b/{shown}", n=_CONTEXT, lineterm="")
    return "\n".join(_HUNK.sub(lambda found: _moved(found, start), line) for line in lines)


def _lines(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n") if text else []


def _common(old: list[str], new: list[str]) -> int:
    """How many lines two texts have in common from their beginning."""
    count = 0
    for one, other in zip(old, new, strict=False):
        if one != other:
            break
        count += 1
    return count


def _moved(hunk: re.Match[str], lines: int) -> str:
    """The head of a hunk, so many lines further down."""
    return f"@@ -{int(hunk[1]) + lines}{hunk[2]} +{int(hunk[3]) + lines}{hunk[4]} @@"
