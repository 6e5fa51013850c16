"""Pieces to one workflow: shape, merging and names, all faults at once (workflow.md sections 1 and 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from stratumc.diagnostics import Finding, Severity
from stratumc.diagnostics.catalog import CATALOG
from stratumc.read.shape import validate
from stratumc.text import Location
from stratumc.workflow.merge import Merged, merge
from stratumc.workflow.pieces import Piece, PieceSyntax, read_piece
from stratumc.workflow.rules import check_names
from stratumc.workflow.shape import FRAGMENT_SHAPE, WORKFLOW_SHAPE
from stratumc.workflow.syntax import Workflow


@dataclass(frozen=True, slots=True)
class LoadedWorkflow:
    """A merged workflow, or None when an error keeps it from having a meaning, and what was found."""

    workflow: Workflow | None
    findings: tuple[Finding, ...]
    sketch: Workflow | None = None
    """What could be read of it, whatever errors there are; for pictures alone."""


def load_workflow(pieces: Sequence[Piece]) -> LoadedWorkflow:
    """Merges the base, if there is one, and the fragments in the order given.

    A piece whose `root` is None has been reported by its reader; what it may have declared is not missed.
    """
    findings: list[Finding] = []
    for piece in pieces:
        if piece.root is not None:
            shape = FRAGMENT_SHAPE if piece.fragment else WORKFLOW_SHAPE
            found = validate(shape, piece.root, source=piece.source)
            findings += map(_in_fragment, found) if piece.fragment else found
    parts = tuple(read_piece(piece) for piece in pieces)
    merged = merge(parts)
    for part in parts:
        findings += part.findings
    findings += merged.findings
    if parts:
        findings += check_names(merged, parts)
    is_whole = all(piece.root is not None for piece in pieces) and not any(map(is_error, findings))
    sketch = _workflow(merged, parts) if parts else None
    return LoadedWorkflow(sketch if is_whole else None, tuple(findings), sketch)


def _in_fragment(finding: Finding) -> Finding:
    """A finding about the shape of a fragment; where the state is kept only the base may say."""
    if finding.code != "UNKNOWN_KEY" or finding.at.path != ("config",):
        return finding
    message = "a fragment can't have `config`, which means something in `workflow.json` only"
    return replace(finding, message=message, suggestion="move it there")


def is_error(finding: Finding) -> bool:
    """Whether a finding keeps a workflow from being used."""
    return (finding.severity or CATALOG[finding.code].severity) is Severity.ERROR


def _workflow(merged: Merged, parts: tuple[PieceSyntax, ...]) -> Workflow:
    base = next((part for part in parts if part.owner is None), None)
    return Workflow(
        name=(base.name if base is not None else None) or "workflow",
        initial_state="" if merged.initial is None else merged.initial[0],
        states=merged.states,
        thresholds=merged.thresholds,
        global_transitions=tuple(merged.global_transitions),
        global_actions=tuple(merged.global_actions),
        resumption_targets=merged.resumption_targets,
        config=merged.config,
        at=Location(source=parts[0].source if base is None else base.source),
    )
