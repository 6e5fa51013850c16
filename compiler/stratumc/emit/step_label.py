"""What a picture says of one step: its shape, and what it does in a few short lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from stratumc.emit.label_text import NAME_WIDTH, flat, shorten, wrap
from stratumc.emit.picture import Shape
from stratumc.graph.step_text import templates_of
from stratumc.spec.syntax import (
    Body,
    Do,
    EnsureJudged,
    Evaluate,
    Fanout,
    Gate,
    ReferenceKind,
    Run,
    Set,
    Step,
    Text,
)


def shape_of(body: Body) -> Shape:
    """The shape of a construct."""
    match body:
        case Do():
            return Shape.TASK
        case Set():
            return Shape.SET
        case Gate():
            return Shape.GATE
        case Fanout():
            return Shape.FANOUT
        case Run():
            return Shape.RUN
        case Evaluate():
            return Shape.EVALUATE
        case _:
            assert_never(body)


def body_lines(body: Body) -> tuple[str, ...]:
    """What a step does; of a task, what is left to a judge too."""
    match body:
        case Do():
            return (shorten(body.task.text, NAME_WIDTH), *_conditions(body))
        case Set():
            return (f"set {shorten(', '.join(body.fields), NAME_WIDTH)}",)
        case Gate():
            return (f"gate, at most {_rounds(body.max_rounds)}",) if body.max_rounds else ("gate",)
        case Fanout():
            return (f"fanout, require {body.require}, {body.concurrency} at a time",)
        case Run():
            return (f"run {shorten(body.flow.value)}",)
        case Evaluate():
            return (f"evaluate {shorten(body.command.value, NAME_WIDTH)}",)
        case _:
            assert_never(body)


def _rounds(count: int) -> str:
    return f"{count} round" if count == 1 else f"{count} rounds"


def _conditions(body: Do) -> Iterator[str]:
    if body.iterate is not None:
        until = f"until {flat(body.iterate.until.value)}, at most {body.iterate.max}"
        yield from wrap(until, NAME_WIDTH)
    for ensure in body.ensure:
        if isinstance(ensure, EnsureJudged):
            yield f"judged: {shorten(ensure.statement, NAME_WIDTH)}"


def when_words(when: Text | None) -> str:
    """A condition as an edge tells it; nothing without one."""
    return f"when {flat(when.value)}" if when is not None else ""


def carry_names(step: Step) -> tuple[str, ...]:
    """The carry variables that a step reads, each once."""
    return tuple(
        dict.fromkeys(
            reference.name
            for template in templates_of(step)
            for reference in template.references
            if reference.kind is ReferenceKind.CARRY and reference.name is not None
        )
    )
