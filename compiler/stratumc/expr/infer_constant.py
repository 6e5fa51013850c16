"""Computes what is made of known values, as the runtime will: literals, enums, and what is made of those."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from stratum_runtime.expression import Failure, Value, evaluate
from stratumc.expr.ast import Binary, Call, Unary, UnaryOperator
from stratumc.expr.judge import Judge
from stratumc.expr.outcome import Outcome
from stratumc.expr.types import (
    FALSE,
    FRACTION,
    INTEGER,
    NULL,
    TRUE,
    Type,
    join_all,
    string_literal,
)

_MOST_CASES = 32
_LONGEST = 20_000
"""Longest text that is computed with, in characters."""

Scalar = str | float | bool | None


def type_of(value: Scalar) -> Type:
    """The type of one scalar value."""
    if value is None:
        return NULL
    if isinstance(value, bool):
        return TRUE if value else FALSE
    if isinstance(value, str):
        return string_literal(value)
    return INTEGER if float(value).is_integer() else FRACTION


def number_of(value: Scalar) -> float | None:
    """The value, if it is a number."""
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def folded(node: Unary | Binary | Call, operands: Sequence[Outcome], given: Outcome, judge: Judge) -> Outcome:
    """The outcome of an operation, narrowed to what it gives for the few values that its operands can be."""
    if given.fails or (isinstance(node, Call) and node.function.startswith("file_")):
        return given
    choices = [_values(operand) for operand in operands]
    if not choices or math.prod(map(len, choices)) not in range(1, _MOST_CASES + 1):
        return given
    outcomes = [_computed(node, values) for values in itertools.product(*choices)]
    known = [one.value for one in outcomes if isinstance(one, Value)]
    if not known:
        reason = next(one.message for one in outcomes if isinstance(one, Failure))
        judge.must_fail(node, f"{reason.partition(' (character')[0]}, so this always fails")
        return replace(given, fails=True)
    if not all(value is None or isinstance(value, str | int | float) for value in known):
        return given
    number = number_of(known[0]) if len(known) == 1 else None
    return replace(given, type=join_all(map(type_of, known)), number=number)


def _values(given: Outcome) -> tuple[Scalar, ...]:
    """The values that an operand can be; none when they aren't known one by one."""
    inner = given.type
    if given.number is not None:
        return (given.number,)
    if inner.unknown or inner.integer or inner.fraction or inner.element is not None or inner.objects:
        return ()
    values: list[Scalar] = [True] * inner.true + [False] * inner.false + [None] * inner.null
    if inner.strings is not None:
        members = inner.strings.members
        if members is None or sum(map(len, members)) > _LONGEST:
            return ()
        values.extend(members)
    return tuple(values)


def _computed(node: Unary | Binary | Call, values: tuple[Scalar, ...]) -> Value | Failure:
    last: list[Any]
    match node:
        case Unary(operator):
            last = ["not" if operator is UnaryOperator.NOT else "neg"]
        case Binary(operator):
            last = [operator.value]
        case Call(function):
            last = ["call", function, len(values)]
    ops = [*(["const", value] for value in values), last]
    return evaluate({"ops": ops, "at": [0] * len(ops)}, {})


def multiple_of(given: Outcome) -> int:
    """A whole number that surely divides the value, from 1; 0 when the value may have a fraction."""
    if given.number is not None:
        whole = given.number.is_integer() and 0 < abs(given.number) < 2**53
        return int(abs(given.number)) if whole else int(given.number == 0)
    return 0 if given.type.unknown or given.type.fraction else given.multiple
