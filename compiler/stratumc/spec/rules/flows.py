"""The entry, the outputs and the step ids of flows (v1.md sections 3 and 4)."""

from __future__ import annotations

from collections.abc import Iterator

from stratumc.diagnostics import Finding, RelatedPlace
from stratumc.diagnostics.nearest import did_you_mean
from stratumc.read.shape import quoted
from stratumc.spec.draft import Draft
from stratumc.spec.rules.references import named_rules
from stratumc.spec.scope import Scope
from stratumc.spec.syntax import Fanout, ReferenceKind
from stratumc.text import Location


def entry_rules(draft: Draft) -> Iterator[Finding]:
    """`flows.entry` names a flow."""
    entry = draft.entry
    if entry is not None and not draft.declares_flow(entry.value):
        message = f"`entry` names no flow of this document: {quoted(entry.value)}"
        suggestion = did_you_mean(entry.value, draft.flows)
        yield Finding("FLOW_UNKNOWN_ENTRY", entry.at, message, suggestion=suggestion)


def duplicate_id_rules(scope: Scope) -> Iterator[Finding]:
    """Step ids are unique in their flow."""
    first: dict[str, Location] = {}
    for step in scope.flow.steps:
        at = step.at.child("id")
        if step.id in first:
            related = (RelatedPlace(first[step.id], "the first one is here"),)
            message = f"flow `{scope.flow.name}` has a step `{step.id}` already"
            yield Finding("STEP_DUPLICATE_ID", at, message, related=related)
        else:
            first[step.id] = at


def output_rules(scope: Scope) -> Iterator[Finding]:
    """`output.from` is one full reference to a step's output, or to an item of a fanout's."""
    output = scope.flow.output
    if output is None:
        return
    reference, at = output.source.full, output.source.at
    if reference is None or reference.kind is not ReferenceKind.STEP:
        message = f"`from` must be one full reference to a step's output, not {quoted(output.source.text)}"
        yield Finding("REF_INVALID", at, message, suggestion="for example `${step.output}`")
        return
    name = reference.name or ""
    if scope.step(name) is None and scope.is_carry(name):
        message = f"flow `{scope.flow.name}` has no step `{name}`; an output can't come from a carry variable"
        yield Finding("REF_UNKNOWN_STEP", at, message)
        return
    yield from named_rules(scope, reference, at)
    step = scope.step(name)
    is_array = step is not None and isinstance(step.body, Fanout) and not scope.output(step).none
    if is_array and not reference.path:
        message = f"the output of fanout `{name}` is an array, and a flow's output is one object"
        suggestion = f"choose an item: `${{{name}.output[0]}}`"
        yield Finding("REF_UNKNOWN_PATH", at, message, suggestion=suggestion)
