"""The checks of the family type: expressions against contracts (checks.md, "Flow findings")."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from stratumc.checks.check import Check, check
from stratumc.checks.types_values import (
    evaluate_out_mismatch,
    fanout_over_not_array,
    output_type_mismatch,
    set_type_mismatch,
    task_not_text,
    with_type_mismatch,
)
from stratumc.diagnostics import Finding, Severity
from stratumc.expr import Member, ParseFailure
from stratumc.expr.outcome import Fault, Typing
from stratumc.spec.references import format_reference, references
from stratumc.spec.syntax import ReferenceKind, Text

if TYPE_CHECKING:
    from stratumc.checks.facts import SpecFacts


@check("EXPR_SYNTAX")
def expr_syntax(facts: SpecFacts) -> Iterator[Finding]:
    """Expressions that don't parse: at run time they always fail."""
    for text, _, _ in facts.expressions:
        tree = facts.parsed(text)
        if isinstance(tree, ParseFailure):
            last = max(0, len(text.value.rstrip()) - 1)
            start = min(tree.start, last)
            place = text.at.within(start, max(min(tree.end, last + 1), start))
            suggestion = _without_template(text) or tree.suggestion
            yield Finding("EXPR_SYNTAX", place, tree.message, suggestion=suggestion)


def _without_template(text: Text) -> str | None:
    """How an expression says what a reference in it was meant to say."""
    found = references(text.value)
    if not found:
        return None
    reference = found[0]
    written = format_reference(reference)
    if reference.kind is ReferenceKind.STEP:
        if "-" in (reference.name or ""):
            return "an expression can't name a step whose id has a hyphen; rename it and read `result.<id>`"
        written = written.replace(f"{reference.name}.output", f"result.{reference.name}", 1)
    return f"in an expression this is written `{written}`, without `${{…}}`"


@check(
    "EXPR_UNKNOWN_NAME",
    "EXPR_UNKNOWN_FUNCTION",
    "EXPR_ARITY",
    "EXPR_TYPE",
    "EXPR_NOT_BOOLEAN",
    "EXPR_UNKNOWN_STEP",
    "EXPR_STEP_NOT_ORDERED",
    "ENUM_VALUE_UNKNOWN",
    "PATTERN_REJECTED",
)
def expressions(facts: SpecFacts) -> Iterator[Finding]:
    """Expressions that must or can fail, or that can't mean what they say."""
    for text, scope, use in facts.expressions:
        typing = facts.typing(text, scope, use)
        if typing is not None:
            yield from (
                _finding(text, fault) for fault in typing.faults if not _is_told(facts, text, typing, fault)
            )


def _is_told(facts: SpecFacts, text: Text, typing: Typing, fault: Fault) -> bool:
    """Whether it is told already that a `set` field takes a value that may be missing."""
    tree = typing.expression
    return (
        text.at in facts.unfit
        and not fault.is_certain
        and isinstance(tree, Member)
        and (fault.start, fault.end) == (tree.name_start, tree.end)
        and fault.code == "EXPR_TYPE"
    )


def _finding(text: Text, fault: Fault) -> Finding:
    severity = Severity.ERROR if fault.is_certain else Severity.WARNING
    place = text.at.within(fault.start, fault.end)
    return Finding(fault.code, place, fault.message, severity, suggestion=fault.suggestion)


TYPE_CHECKS: tuple[Check[SpecFacts], ...] = (
    expr_syntax,
    expressions,
    set_type_mismatch,
    with_type_mismatch,
    output_type_mismatch,
    evaluate_out_mismatch,
    fanout_over_not_array,
    task_not_text,
)
