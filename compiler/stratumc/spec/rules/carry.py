"""Loop-carried values: names, sources, and who may read and write them when (v1.md section 8)."""

from __future__ import annotations

from collections.abc import Iterator

from stratumc.diagnostics import Finding, RelatedPlace
from stratumc.read.shape import quoted
from stratumc.spec.digraph import Query
from stratumc.spec.edges import StepGraph
from stratumc.spec.rules.references import named_rules
from stratumc.spec.scope import Scope
from stratumc.spec.syntax import (
    INPUT_AND_OUTPUTS,
    CarryVariable,
    Gate,
    Reference,
    ReferenceKind,
    Template,
    Text,
)
from stratumc.text import Location
from stratumc.text.record import record

_TAKEN = ("item", "prev", "input")


def carry_rules(graph: StepGraph) -> Iterator[Finding]:
    """Every rule about the carry variables of a flow."""
    scope = graph.scope
    if scope.flow.has_carry and scope.draft.is_entry(scope.flow) is False:
        at = scope.flow.at.child("carry").key
        message = f"only the entry flow may have carry variables, and `{scope.flow.name}` isn't it"
        yield Finding("CARRY_ROOT_ONLY", at, message)
        return
    variables = tuple((scope.flow.carry or {}).values())
    for variable in variables:
        yield from _name(scope, variable)
        yield from _sources(graph, variable)
    if variables:
        readers = _readers(scope)
        yield from _read_too_early(graph, variables, readers)
        yield from _writes(graph, variables, readers)


def _name(scope: Scope, variable: CarryVariable) -> Iterator[Finding]:
    if variable.name in _TAKEN:
        reason = f"`${{{variable.name}}}` has a meaning of its own"
    elif variable.name in scope.positions or variable.name in scope.flow.unread:
        reason = "a step of this flow has that id"
    else:
        return
    message = f"a carry variable can't be called `{variable.name}`: {reason}"
    yield Finding("CARRY_NAME_CONFLICT", variable.at.key, message)


# --- sources -------------------------------------------------------------------------------------


def source_of(template: Template) -> Reference | None:
    """The input or step output that a carry variable is filled from; None when it is anything else."""
    reference = template.full
    return reference if reference is not None and reference.kind in INPUT_AND_OUTPUTS else None


def _sources(graph: StepGraph, variable: CarryVariable) -> Iterator[Finding]:
    conditional = tuple(_conditional(graph, variable))
    yield from conditional
    for template in (variable.initial, *variable.on_revise.values()):
        reference = source_of(template)
        if reference is None:
            message = (
                f"this must be one full reference to an input or a step's output, not {quoted(template.text)}"
            )
            suggestion = "for example `${input.field}` or `${step.output}`"
            yield Finding("CARRY_REF_INVALID", template.at, message, suggestion=suggestion)
        elif not (conditional and _is_gate(graph.scope, reference) and template is variable.initial):
            yield from named_rules(graph.scope, reference, template.at)


def _is_gate(scope: Scope, reference: Reference) -> bool:
    step = scope.step(reference.name or "") if reference.kind is ReferenceKind.STEP else None
    return step is not None and isinstance(step.body, Gate)


def _conditional(graph: StepGraph, variable: CarryVariable) -> Iterator[Finding]:
    scope, reference = graph.scope, source_of(variable.initial)
    if reference is None or reference.kind is not ReferenceKind.STEP:
        return
    step = scope.step(reference.name or "")
    if step is None or step.id in scope.repeated:
        return
    reasons: list[tuple[str, Location]] = []
    if isinstance(step.body, Gate):
        reasons.append(("it is a gate", step.body.at.key))
    if step.when is not None:
        reasons.append(("it has a `when`", step.when.at))
    if step.id in graph.routed:
        route = graph.routed[step.id]
        router = scope.flow.steps[route.step].id
        reasons.append((f"a route of step `{router}` leads to it", route.at))
    if reasons:
        message = (
            f"carry variable `{variable.name}` must start from a step that always runs; `{step.id}` doesn't: "
        )
        yield Finding(
            "CARRY_INITIAL_SOURCE_CONDITIONAL",
            variable.initial.at,
            message + " and ".join(reason for reason, _ in reasons),
            related=tuple(RelatedPlace(at, f"step `{step.id}`: {reason}") for reason, at in reasons),
        )


# --- readers and writers -------------------------------------------------------------------------


@record
class _Reading:
    """A step (by position) that reads a variable, and the first reference with which it does so."""

    step: int
    at: Location


def _readers(scope: Scope) -> dict[str, list[_Reading]]:
    """By variable, every reading in a rendered string, in document order."""
    found: dict[str, list[_Reading]] = {}
    for position, step_uses in enumerate(scope.uses):
        for use in step_uses:
            places: dict[str, Location] = {}
            for reference in use.template.references:
                if reference.kind is ReferenceKind.CARRY and not use.expression:
                    at = use.template.at.within(reference.start, reference.end)
                    places.setdefault(reference.name or "", at)
            for name, at in places.items():
                found.setdefault(name, []).append(_Reading(position, at))
    return found


def _read_too_early(
    graph: StepGraph, variables: tuple[CarryVariable, ...], readers: dict[str, list[_Reading]]
) -> Iterator[Finding]:
    scope = graph.scope
    readings: list[tuple[CarryVariable, int, _Reading]] = []
    for variable in variables:
        reference = source_of(variable.initial)
        is_step = reference is not None and reference.kind is ReferenceKind.STEP
        source = scope.positions.get(reference.name or "") if reference is not None and is_step else None
        if source is not None:
            readings += ((variable, source, reading) for reading in readers.get(variable.name, ()))
    queries = [Query(reading.step, (source,)) for _, source, reading in readings]
    for (variable, source, reading), missed in zip(
        readings, graph.unreached(queries, routes=False), strict=True
    ):
        if missed is None and reading.step != source:
            continue
        reader, name = scope.flow.steps[reading.step].id, scope.flow.steps[source].id
        if reading.step == source:
            message = (
                f"step `{reader}` reads `{variable.name}`, which gets its first value from that very step"
            )
            suggestion = None
        else:
            message = (
                f"step `{reader}` may run before `{variable.name}` has its first value, from step `{name}`"
            )
            suggestion = f"list `{name}` in the `after` of step `{reader}`"
        related = (RelatedPlace(variable.initial.at, f"`{variable.name}` starts here"),)
        yield Finding("CARRY_REF_BEFORE_INITIAL", reading.at, message, related=related, suggestion=suggestion)


@record
class _Write:
    """A gate (by position) that writes a variable when it revises to `target`."""

    variable: CarryVariable
    gate: int
    target: int
    at: Location


def _writes(
    graph: StepGraph, variables: tuple[CarryVariable, ...], readers: dict[str, list[_Reading]]
) -> Iterator[Finding]:
    writes: list[_Write] = []
    for variable in variables:
        for name, template in variable.on_revise.items():
            finding, write = _write(graph.scope, variable, name, template.at.key)
            if finding is not None:
                yield finding
            if write is not None:
                writes.append(write)
    steps = graph.scope.flow.steps
    reading = {name: tuple(dict.fromkeys(one.step for one in found)) for name, found in readers.items()}
    groups = [reading.get(write.variable.name, ()) for write in writes]
    resets = [Query(write.target, group) for write, group in zip(writes, groups, strict=True)]
    missed_by_reset = graph.unreached(resets, routes=True, backwards=True)
    orders = [Query(write.gate, group) for write, group in zip(writes, groups, strict=True)]
    missed_by_gate = graph.unreached(orders, routes=False)
    for write, reset, order in zip(writes, missed_by_reset, missed_by_gate, strict=True):
        gate, name = steps[write.gate].id, write.variable.name
        if reset is not None:
            message = (
                f"gate `{gate}` revises to `{steps[write.target].id}`, which doesn't reset step "
                f"`{steps[reset].id}`, a reader of `{name}`"
            )
            related = (RelatedPlace(steps[reset].at, f"`{steps[reset].id}` reads `{name}`"),)
            yield Finding("CARRY_REVISE_MISSES_CONSUMER", write.at, message, related=related)
        if order is not None:
            reader = steps[order].id
            message = f"gate `{gate}` writes `{name}` and doesn't come after step `{reader}`, which reads it"
            related = (RelatedPlace(steps[order].at, f"`{steps[order].id}` reads `{name}`"),)
            suggestion = f"list `{steps[order].id}` in the `after` of gate `{gate}`"
            yield Finding(
                "CARRY_REVISE_GATE_NOT_AFTER_CONSUMER",
                write.at,
                message,
                related=related,
                suggestion=suggestion,
            )


def _write(
    scope: Scope, variable: CarryVariable, name: str, at: Location
) -> tuple[Finding | None, _Write | None]:
    """What one entry of `on_revise` does, or why it can't."""
    position = scope.positions.get(name)
    if (position is None and scope.may_be_step(name)) or name in scope.repeated:
        return None, None
    step = None if position is None else scope.flow.steps[position]
    if position is None or step is None or not isinstance(step.body, Gate):
        reason = (
            f"step `{name}` isn't a gate"
            if step is not None
            else f"flow `{scope.flow.name}` has no gate {quoted(name)}"
        )
        suggestion = None if step is not None else scope.step_names.did_you_mean(name)
        return Finding("CARRY_UNKNOWN_GATE", at, reason, suggestion=suggestion), None
    if step.body.on_revise is None:
        if step.index in scope.flow.loose:
            return None, None
        message = f"gate `{name}` never revises, so it can't write `{variable.name}`"
        related = (RelatedPlace(step.body.at.child("on_revise"), "its `on_revise` is null"),)
        return Finding("CARRY_REVISE_TARGET_NULL", at, message, related=related), None
    target = _target(scope, step.body.on_revise, position)
    return None, None if target is None else _Write(variable, position, target, at)


def _target(scope: Scope, route: Text, gate: int) -> int | None:
    """The step that a gate revises to, unless that was reported or isn't known."""
    target = scope.positions.get(route.value)
    return None if target == gate or route.value in scope.repeated else target
