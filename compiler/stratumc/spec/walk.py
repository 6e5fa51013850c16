"""The strings of a step that are scanned for references, in order (v1.md section 5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from stratumc.spec.parts import read_template
from stratumc.spec.syntax import (
    Do,
    Ensure,
    EnsureExpression,
    Evaluate,
    Fanout,
    Gate,
    Run,
    Set,
    Stage,
    Step,
    Template,
    Text,
    WithList,
    WithObject,
    WithScalar,
    WithValue,
)
from stratumc.text.record import record


@record
class Use:
    """A string that may hold references, and what it is."""

    template: Template
    expression: bool = False
    """Whether it is the text of an expression, in which a reference makes an edge and means nothing."""
    stage: int | None = None
    """Index of the fanout's stage that it belongs to."""


def uses(step: Step) -> Iterator[Use]:
    """Every scanned string of a step."""
    if step.when is not None:
        yield _expression(step.when)
    match step.body:
        case Do() as body:
            yield Use(body.task)
            if body.iterate is not None:
                yield _expression(body.iterate.until)
            yield from _ensured(body.ensure)
        case Set() as body:
            for text in body.fields.values():
                yield _expression(text)
            yield from _ensured(body.ensure)
        case Gate():
            pass
        case Fanout() as body:
            yield Use(body.over)
            for index, stage in enumerate(body.stages):
                yield from _stage(stage, index)
        case Run() as body:
            for template in templates(body.arguments):
                yield Use(template)
        case Evaluate() as body:
            if body.input is not None:
                yield Use(body.input)
        case _:
            assert_never(step.body)


def _expression(text: Text, stage: int | None = None) -> Use:
    return Use(read_template(text.value, text.at), True, stage)


def _ensured(predicates: tuple[Ensure, ...], stage: int | None = None) -> Iterator[Use]:
    for predicate in predicates:
        if isinstance(predicate, EnsureExpression):
            yield _expression(predicate.expression, stage)


def _stage(stage: Stage, index: int) -> Iterator[Use]:
    if stage.when is not None:
        yield _expression(stage.when, index)
    yield Use(stage.task, False, index)
    yield from _ensured(stage.ensure, index)


def templates(value: WithValue) -> Iterator[Template]:
    """The rendered strings inside a value of `with`, in document order."""
    pending = [value]
    while pending:
        match pending.pop():
            case Template() as found:
                yield found
            case WithList(items=items):
                pending.extend(reversed(items))
            case WithObject(entries=entries):
                pending.extend(reversed(entries.values()))
            case WithScalar():
                pass
