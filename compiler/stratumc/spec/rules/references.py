"""References: can each be read, and does what it names exist (v1.md section 5)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from stratumc.diagnostics import Finding, RelatedPlace
from stratumc.diagnostics.nearest import did_you_mean, nearest
from stratumc.read.shape import quoted
from stratumc.spec.references import format_reference, scan
from stratumc.spec.scope import Scope
from stratumc.spec.syntax import (
    ArrayType,
    ContractType,
    EnumType,
    Fanout,
    Gate,
    Primitive,
    Reference,
    ReferenceKind,
    Template,
    Type,
)
from stratumc.spec.types import follow, format_type
from stratumc.spec.walk import Use
from stratumc.text import Location

_FORMS = "a reference is `${input.field}`, `${step.output}`, `${item}`, `${prev}` or `${variable}`"


def reference_rules(scope: Scope) -> Iterator[Finding]:
    """Every reference in the steps of a flow, and `fanout.over`."""
    for step in scope.flow.steps:
        if isinstance(step.body, Fanout) and step.body.over.full is None:
            message = f"`over` must be one full reference to an array, not {quoted(step.body.over.text)}"
            yield Finding("FANOUT_OVER_SINGLE_REF", step.body.over.at, message)
    for step, uses in zip(scope.flow.steps, scope.uses, strict=True):
        over = step.body.over.at if isinstance(step.body, Fanout) else None
        for use in uses:
            if use.template.at != over:
                yield from unreadable(use.template)
            for reference in _distinct(use.template.references):
                yield from _in_step(scope, use, reference)
    yield from _fanouts_without_contract(scope)


def _distinct(references: tuple[Reference, ...]) -> Iterable[Reference]:
    """The first reference to each thing that a text refers to."""
    if len(references) < 2:
        return references
    first: dict[tuple[object, ...], Reference] = {}
    for one in references:
        first.setdefault((one.kind, one.name, one.path), one)
    return first.values()


def unreadable(template: Template) -> Iterator[Finding]:
    """`REF_INVALID` for each `${` of the text that can't be read."""
    for fault in template.faults:
        text = template.text[slice(*fault)].rstrip()
        at = template.at.within(fault[0], fault[0] + len(text))
        if text.endswith("}"):
            message = f"{quoted(text)} can't be read as a reference"
            yield Finding("REF_INVALID", at, message, suggestion=_spelling(text))
            continue
        before = " before the next one begins" if fault[1] < len(template.text) else ""
        yield Finding("REF_INVALID", at, f"{quoted(text)} is a reference without its `}}`{before}")


def _spelling(text: str) -> str:
    inside = re.compile(r"\s*([.\[\]])\s*").sub(r"\1", text[2:-1].strip())
    for spelling in (inside, inside.lower()):
        fixed = "${" + spelling + "}"
        if fixed != text and spelling and not scan(fixed)[1]:
            return f"did you mean `{fixed}`?"
    return _FORMS


def _in_step(scope: Scope, use: Use, reference: Reference) -> Iterator[Finding]:
    at, shown = use.template.at.within(reference.start, reference.end), _shown(reference)
    match reference.kind:
        case ReferenceKind.ITEM | ReferenceKind.PREV:
            if use.stage is None:
                message = f"{shown} means something in the stages of a fanout only"
                yield Finding("REF_INVALID_SCOPE", at, message)
        case ReferenceKind.INPUT | ReferenceKind.STEP:
            yield from named_rules(scope, reference, at)
        case ReferenceKind.CARRY if use.expression:
            message = f"{shown} can't be used in an expression: carry variables are for rendered texts"
            yield Finding("CARRY_REF_IN_EXPRESSION", at, message, suggestion=_not_carry(scope, reference))
        case ReferenceKind.CARRY:
            yield from _carry(scope, reference, at)


def _carry(scope: Scope, reference: Reference, at: Location) -> Iterator[Finding]:
    name = reference.name or ""
    if scope.flow.carry is not None and not scope.is_carry(name):
        message = f"flow `{scope.flow.name}` has no carry variable `{name}`"
        yield Finding("REF_UNKNOWN_CARRY", at, message, suggestion=_not_carry(scope, reference))


def _not_carry(scope: Scope, reference: Reference) -> str | None:
    """What somebody probably meant who wrote a reference that only a carry variable could answer."""
    name = reference.name or ""
    if name == "input" or (name not in scope.positions and nearest(name, ("input",)) is not None):
        return "an input is read by its name: `${input.field}`"
    if name in ("item", "prev"):
        return f"`{name}` is read whole: `${{{name}}}`"
    if scope.step(name) is not None:
        return f"the output of step `{name}` is `${{{name}.output}}`"
    return scope.carry_names.did_you_mean(name)


def named_rules(scope: Scope, reference: Reference, at: Location) -> Iterator[Finding]:
    """Whether the input or the step's output that a reference names exists, with its path."""
    if reference.kind is ReferenceKind.STEP:
        name = reference.name or ""
        step = scope.step(name)
        if step is None:
            yield from _unknown_step(scope, name, at)
            return
        if scope.output(step).none:
            if not isinstance(step.body, Fanout):
                yield _without_contract(name, isinstance(step.body, Gate), at, step.at)
            return
    elif scope.flow.input is None:
        return
    elif reference.path[0] not in scope.flow.input:
        name = str(reference.path[0])
        message = f"flow `{scope.flow.name}` has no input `{name}`"
        suggestion = scope.input_names.did_you_mean(name)
        yield Finding("REF_UNKNOWN_PATH", at, message, suggestion=suggestion)
        return
    yield from _path(scope, reference, at)


def _unknown_step(scope: Scope, name: str, at: Location) -> Iterator[Finding]:
    if scope.is_carry(name):
        message = f"`{name}` is a carry variable: `output` can't come right after its name"
        yield Finding("CARRY_PATH_RESERVED", at, message, suggestion=f"the whole variable is `${{{name}}}`")
    elif not scope.may_be_step(name):
        message = f"flow `{scope.flow.name}` has no step `{name}`"
        yield Finding("REF_UNKNOWN_STEP", at, message, suggestion=scope.step_names.did_you_mean(name))


def _without_contract(name: str, is_gate: bool, at: Location, step_at: Location) -> Finding:
    reason = "is a gate and has no output" if is_gate else "has no contract, so its output can't be read"
    return Finding(
        "REF_OUTPUT_CONTRACT_REQUIRED",
        at,
        f"step `{name}` {reason}",
        related=(RelatedPlace(step_at, f"step `{name}` is here"),),
        suggestion=None if is_gate else f"name a contract in the `out` of step `{name}`",
    )


def _shown(reference: Reference) -> str:
    return quoted("${" + format_reference(reference) + "}", longest=100)


def _path(scope: Scope, reference: Reference, at: Location) -> Iterator[Finding]:
    start, path = scope.typed(reference)
    followed = follow(start, path, scope.draft.contracts)
    if followed.failed is None or followed.type is None:
        return
    part = path[followed.failed]
    reason = _reason(followed.type, part)
    message = f"{_shown(reference)} doesn't exist: {reason}"
    suggestion = None
    if isinstance(followed.type, ContractType) and isinstance(part, str):
        suggestion = did_you_mean(part, scope.draft.contracts[followed.type.name].fields)
    yield Finding("REF_UNKNOWN_PATH", at, message, suggestion=suggestion)


def _reason(lacking: Type, part: str | int) -> str:
    match lacking:
        case ContractType(name=name) if isinstance(part, str):
            return f"contract `{name}` has no field `{part}`"
        case ContractType() | Primitive.OBJECT:
            return f"an object is read by field, not by `[{part}]`"
        case ArrayType() | Primitive.ARRAY:
            return f"an array is read by index, like `[0]`, not by `.{part}`"
        case EnumType() | Primitive():
            return f"a value of type `{format_type(lacking)}` has no parts"


def _fanouts_without_contract(scope: Scope) -> Iterator[Finding]:
    """A fanout whose last stage has no contract, and whose output is read all the same."""
    found: dict[str, list[Location]] = {}
    for reference, at in scope.readings():
        step = scope.step(reference.name or "") if reference.kind is ReferenceKind.STEP else None
        if step is not None and isinstance(step.body, Fanout) and scope.output(step).none:
            found.setdefault(step.id, []).append(at.within(reference.start, reference.end))
    for name, places in found.items():
        step = scope.step(name)
        assert step is not None
        assert isinstance(step.body, Fanout)
        yield Finding(
            "FANOUT_OUTPUT_REQUIRES_FINAL_OUT",
            step.body.stages[-1].at.child("out"),
            f"the last stage of fanout `{name}` has no `out`, so its output can't be read",
            related=tuple(RelatedPlace(place, "it is read here") for place in places[:5]),
            suggestion="name a contract in the `out` of the last stage",
        )
