"""Which strings of a step are scanned for references (v1.md section 5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from stratumc.spec.references import references
from stratumc.spec.syntax import (
    Do,
    Ensure,
    EnsureExpression,
    Evaluate,
    Fanout,
    Gate,
    Reference,
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


def templates_of(step: Step) -> Iterator[Template]:
    """The rendered strings of a step, in document order."""
    body = step.body
    match body:
        case Do():
            yield body.task
        case Fanout():
            yield body.over
            for stage in body.stages:
                yield stage.task
        case Run():
            yield from _templates_in(body.arguments)
        case Evaluate():
            if body.input is not None:
                yield body.input
        case Set() | Gate():
            return
        case _:
            assert_never(body)


def expressions_of(step: Step) -> Iterator[Text]:
    """The expression strings of a step: `when`, `set`, ensures, `until`, and those of stages."""
    if step.when is not None:
        yield step.when
    body = step.body
    match body:
        case Do():
            yield from _ensure_expressions(body.ensure)
            if body.iterate is not None:
                yield body.iterate.until
        case Set():
            yield from body.fields.values()
            yield from _ensure_expressions(body.ensure)
        case Fanout():
            for stage in body.stages:
                if stage.when is not None:
                    yield stage.when
                yield from _ensure_expressions(stage.ensure)
        case Gate() | Run() | Evaluate():
            return
        case _:
            assert_never(body)


def references_of(step: Step) -> Iterator[Reference]:
    """Every reference that makes an edge into the step, those in expression strings included."""
    for template in templates_of(step):
        yield from template.references
    for text in expressions_of(step):
        if "${" in text.value:
            yield from references(text.value) or ()


def _templates_in(value: WithValue) -> Iterator[Template]:
    stack = [value]
    while stack:
        match stack.pop():
            case Template() as template:
                yield template
            case WithList(items=items):
                stack.extend(reversed(items))
            case WithObject(entries=entries):
                stack.extend(reversed(entries.values()))
            case WithScalar():
                pass


def _ensure_expressions(ensures: tuple[Ensure, ...]) -> Iterator[Text]:
    for ensure in ensures:
        if isinstance(ensure, EnsureExpression):
            yield ensure.expression
