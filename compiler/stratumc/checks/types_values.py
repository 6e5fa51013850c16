"""Type checks of what is handed on: `set`, `with`, `output`, `fanout.over`, `do`, `evaluate`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, assert_never

from stratumc.checks.check import check
from stratumc.checks.contract_types import EVALUATION
from stratumc.diagnostics import Finding, Severity
from stratumc.expr import Index, Member
from stratumc.expr.fit import Fit, Verdict, fit
from stratumc.expr.judge import near_name, presence_of, run_only_when
from stratumc.expr.types import (
    ARRAY,
    FALSE,
    FRACTION,
    INTEGER,
    NULL,
    OBJECT,
    STRING,
    TRUE,
    UNKNOWN,
    Kind,
    MemberType,
    ObjectKind,
    ObjectType,
    Presence,
    Type,
    describe,
    list_names,
    not_null,
    or_null,
    string_literal,
)
from stratumc.spec.syntax import (
    Do,
    Evaluate,
    Fanout,
    ReferenceKind,
    Run,
    Set,
    Step,
    Template,
    Text,
    WithList,
    WithObject,
    WithScalar,
    WithValue,
)
from stratumc.text import Location

if TYPE_CHECKING:
    from stratumc.checks.facts import SpecFacts
    from stratumc.checks.flow_types import FlowTypes


def _steps(facts: SpecFacts) -> Iterator[tuple[FlowTypes, Step]]:
    for types in facts.flows.values():
        for step in types.flow.steps:
            yield types, step


def _mismatch(
    code: str, at: Location, subject: str, found: Fit, suggestion: str | None = None
) -> Iterator[Finding]:
    """The finding of a value that doesn't fit, if it doesn't."""
    if found.verdict is not Verdict.ALL:
        severity = Severity.ERROR if found.verdict is Verdict.NONE else Severity.WARNING
        inside = f": `{'.'.join(found.path)}`" if found.path else ""
        yield Finding(code, at, f"{subject}{inside} {found.fault}", severity, suggestion=suggestion)


def _undeclared(code: str, at: Location, name: str, holder: ObjectType) -> Finding:
    message = f"`{holder.name}` has no field `{name}`"
    return Finding(code, at, message, suggestion=near_name(name, holder.members))


def _missing(code: str, at: Location, holder: ObjectType, given: Collection[str]) -> Iterator[Finding]:
    """The finding of required fields that an object lacks."""
    names = [
        name
        for name, member in holder.members.items()
        if member.presence is Presence.ALWAYS and name not in given
    ]
    if names:
        plural = "" if len(names) == 1 else "s"
        yield Finding(code, at, f"the field{plural} {list_names(names)} of `{holder.name}` must be given")


@check("SET_TYPE_MISMATCH")
def set_type_mismatch(facts: SpecFacts) -> Iterator[Finding]:
    """A `set` whose fields can't satisfy its contract: the step would fail its flow at once."""
    for _, step in _steps(facts):
        if isinstance(step.body, Set):
            yield from _set_mismatches(facts, step.body)


def _set_mismatches(facts: SpecFacts, body: Set) -> Iterator[Finding]:
    contract = facts.contracts.of(body.out)
    if contract.unknown:
        return
    holder = contract.objects[0]
    for name, text in body.fields.items():
        if name not in holder.members:
            yield _undeclared("SET_TYPE_MISMATCH", text.at, name, holder)
        elif text.at in facts.unfit:
            mend = _set_guard(facts, text, holder.members[name].type)
            yield from _mismatch("SET_TYPE_MISMATCH", text.at, f"`{name}`", facts.unfit[text.at], mend)
    yield from _missing("SET_TYPE_MISMATCH", body.at, holder, body.fields)


def _set_guard(facts: SpecFacts, text: Text, target: Type) -> str | None:
    """How to set a field only to what isn't missing or null, when nothing else is wrong with it."""
    typing = facts.typed(text)
    if (
        typing is None
        or not typing.type.null
        or fit(not_null(typing.type), target).verdict is not Verdict.ALL
    ):
        return None
    is_read = isinstance(typing.expression, Member | Index)
    return run_only_when(presence_of(typing.expression)) if is_read else None


@check("WITH_TYPE_MISMATCH")
def with_type_mismatch(facts: SpecFacts) -> Iterator[Finding]:
    """Arguments that can't satisfy the input of the flow that is called."""
    for types, step in _steps(facts):
        if isinstance(step.body, Run):
            callee = facts.flows.get(step.body.flow.value)
            members = {} if callee is None else callee.input.objects[0].members
            for name, value in step.body.arguments.entries.items():
                if name in members:
                    yield from _argument(types, step, value, members[name].type, f"`{name}`")


def _argument(
    types: FlowTypes, step: Step, value: WithValue, target: Type, subject: str
) -> Iterator[Finding]:
    """Goes into literal lists and objects as far as the target does, and judges the leaves."""
    if target.unknown:
        return
    match value:
        case WithObject(entries, at) if len(target.objects) == 1:
            holder = target.objects[0]
            if holder.kind is ObjectKind.OPEN:
                return
            for name, inner in entries.items():
                if name in holder.members:
                    yield from _argument(types, step, inner, holder.members[name].type, f"`{name}`")
                else:
                    yield _undeclared("WITH_TYPE_MISMATCH", inner.at, name, holder)
            yield from _missing("WITH_TYPE_MISMATCH", at, holder, entries)
        case WithList(items) if target.element is not None:
            for number, inner in enumerate(items):
                yield from _argument(types, step, inner, target.element, f"item {number} of {subject}")
        case _:
            found = fit(_value_type(types, step, value), target)
            if isinstance(value, Template) and found.verdict is Verdict.SOME and _is_hopeless(value, target):
                found = replace(found, verdict=Verdict.NONE, fault=found.fault.replace("may be", "is", 1))
            yield from _mismatch("WITH_TYPE_MISMATCH", value.at, subject, found)


def _is_hopeless(template: Template, target: Type) -> bool:
    """Whether a text can be none of the strings that the target admits, whatever is put into it."""
    if template.full is not None or target.strings is None or target.strings.members is None:
        return False
    parts, end = [], 0
    for reference in template.references:
        parts.append(re.escape(template.text[end : reference.start]))
        end = reference.end
    parts.append(re.escape(template.text[end:]))
    pattern = re.compile(".*".join(parts), re.DOTALL)
    return not any(map(pattern.fullmatch, target.strings.members))


def _value_type(types: FlowTypes, step: Step, value: WithValue) -> Type:
    match value:
        case Template():
            return _template_type(types, step, value)
        case WithScalar(scalar):
            if scalar is None:
                return NULL
            if isinstance(scalar, bool):
                return TRUE if scalar else FALSE
            return INTEGER if isinstance(scalar, int) or scalar.is_integer() else FRACTION
        case WithList():
            return ARRAY
        case WithObject():
            return OBJECT
        case _:
            assert_never(value)


def _template_type(types: FlowTypes, step: Step, template: Template) -> Type:
    """A full reference keeps its type; other references are put into text."""
    if template.full is not None:
        return _referenced(types.reference(template.full, step))
    if template.faults:
        return UNKNOWN
    return STRING if template.references else string_literal(template.text)


def _referenced(member: MemberType) -> Type:
    return member.type if member.presence is Presence.ALWAYS else or_null(member.type)


@check("OUTPUT_TYPE_MISMATCH")
def output_type_mismatch(facts: SpecFacts) -> Iterator[Finding]:
    """A flow's output taken from where its contract can't be met."""
    for types in facts.flows.values():
        output = types.flow.output
        reference = output.source.full
        if reference is not None and reference.kind is ReferenceKind.STEP:
            found = fit(_referenced(types.reference(reference)), facts.contracts.of(output.contract))
            subject = f"`{output.source.text}`"
            yield from _mismatch("OUTPUT_TYPE_MISMATCH", output.source.at, subject, found)


@check("EVALUATE_OUT_MISMATCH")
def evaluate_out_mismatch(facts: SpecFacts) -> Iterator[Finding]:
    """A contract that no verdict of a checker command can satisfy."""
    for _, step in _steps(facts):
        if isinstance(step.body, Evaluate) and step.body.out is not None:
            found = fit(EVALUATION, facts.contracts.of(step.body.out))
            if found.verdict is Verdict.NONE:
                yield from _mismatch(
                    "EVALUATE_OUT_MISMATCH", step.body.out.at, "what a checker prints", found
                )


@check("FANOUT_OVER_NOT_ARRAY")
def fanout_over_not_array(facts: SpecFacts) -> Iterator[Finding]:
    """A fanout over something that isn't, or may not be, an array."""
    for types, step in _steps(facts):
        if isinstance(step.body, Fanout) and step.body.over.full is not None:
            over = step.body.over
            found = fit(_referenced(types.reference(step.body.over.full, step)), ARRAY)
            yield from _mismatch("FANOUT_OVER_NOT_ARRAY", over.at, f"`{over.text}`", found)


@check("TASK_NOT_TEXT")
def task_not_text(facts: SpecFacts) -> Iterator[Finding]:
    """A task that is one reference to something other than a string: it could never be issued."""
    for types, step in _steps(facts):
        body = step.body
        if isinstance(body, Do) and body.task.full is not None:
            yield from _task(body.task, types.reference(body.task.full, step))
        elif isinstance(body, Fanout):
            for number, stage in enumerate(body.stages):
                if stage.task.full is not None:
                    yield from _task(stage.task, types.reference(stage.task.full, step, number))


def _task(task: Template, found: MemberType) -> Iterator[Finding]:
    if not found.type.unknown and not found.type.is_never and not found.type.kinds & Kind.STRING:
        message = f"`{task.text}` is {describe(found.type)}, but a task must be a string"
        suggestion = "put it into a sentence, where any value becomes text"
        yield Finding("TASK_NOT_TEXT", task.at, message, suggestion=suggestion)
