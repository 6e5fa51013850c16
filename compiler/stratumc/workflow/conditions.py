"""What a trigger's condition says, and where in it one goes wrong (workflow.md, "Conditions")."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from stratumc.workflow.naming import shown
from stratumc.workflow.syntax import (
    Always,
    Compare,
    Comparison,
    Condition,
    ContextPath,
    Number,
    Operand,
    ThresholdName,
)

_TOKEN = re.compile(r"[<>=!]+|[^\s<>=!]+")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_NAME = r"[^\W\d](?:[\w-]*\w)?"
_PATH = re.compile(rf"{_NAME}(?:\.\w(?:[\w-]*\w)?)*")
_OPERATORS = {comparison.value: comparison for comparison in Comparison}
_CONSTANTS = ("true", "false", "null")
_THRESHOLDS = "thresholds"
_SHOWN_DIGITS = 20


@dataclass(frozen=True, slots=True)
class PlacedOperand:
    """An operand with its half-open range of code points in the condition's text."""

    operand: Operand
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ParsedCondition:
    """A condition and its operands from left to right; `always` has none."""

    condition: Condition
    operands: tuple[PlacedOperand, ...]


@dataclass(frozen=True, slots=True)
class ConditionFailure:
    """Why a text isn't a condition, and the half-open range that is at fault."""

    message: str
    start: int
    end: int
    suggestion: str | None = None


class _ConditionError(Exception):
    """Carries a failure out of the parser."""

    def __init__(self, message: str, start: int, end: int, suggestion: str | None = None) -> None:
        super().__init__(message)
        self.failure = ConditionFailure(message, start, end, suggestion)


def parse_condition(text: str) -> ParsedCondition | ConditionFailure:
    """Reads `always` or `<path> <op> <path|number>`; white space between the parts is free."""
    try:
        return _parse(text, list(_TOKEN.finditer(text)))
    except _ConditionError as error:
        return error.failure


def _parse(text: str, tokens: list[re.Match[str]]) -> ParsedCondition:
    if not tokens:
        raise _ConditionError(
            "the condition is empty", 0, len(text), "write `always` or `<path> <op> <number>`"
        )
    if len(tokens) == 1 and tokens[0].group() == "always":
        return ParsedCondition(Always(), ())
    left = _operand(tokens[0], "left")
    if len(tokens) == 1:
        meant = "did you mean `always`?" if tokens[0].group().lower() == "always" else None
        raise _ConditionError("the condition has no comparison", tokens[0].start(), tokens[0].end(), meant)
    operator = _operator(tokens[1])
    if len(tokens) == 2:
        message = f"nothing to compare with after {shown(tokens[1].group())}"
        raise _ConditionError(message, tokens[1].start(), tokens[1].end())
    right = _operand(tokens[2], "right")
    if len(tokens) > 3:
        message = f"unexpected {shown(text[tokens[3].start() :].strip())} after the comparison"
        raise _ConditionError(message, tokens[3].start(), tokens[-1].end())
    assert not isinstance(left.operand, Number)
    return ParsedCondition(Compare(left.operand, operator, right.operand), (left, right))


def _operator(token: re.Match[str]) -> Comparison:
    found = _OPERATORS.get(token.group())
    if found is None:
        names = " ".join(f"`{name}`" for name in _OPERATORS)
        message = f"{shown(token.group())} isn't a comparison; there are {names}"
        raise _ConditionError(message, token.start(), token.end())
    return found


def _operand(token: re.Match[str], side: str) -> PlacedOperand:
    word, start, end = token.group(), token.start(), token.end()
    if _NUMBER.fullmatch(word):
        if side == "left":
            raise _ConditionError(f"the left side must be a path, not the number {word}", start, end)
        return PlacedOperand(Number(_number(word, start, end)), start, end)
    if word in _CONSTANTS:
        message = f"{shown(word)} can't be compared with: only paths and numbers can"
        meant = "`always` is the condition that always holds" if (word, side) == ("true", "left") else None
        raise _ConditionError(message, start, end, meant)
    if not _PATH.fullmatch(word):
        kinds = "a path" if side == "left" else "a path or a number"
        raise _ConditionError(f"{shown(word)} is not {kinds}", start, end)
    first, _, rest = word.partition(".")
    if first != _THRESHOLDS:
        return PlacedOperand(ContextPath(tuple(word.split("."))), start, end)
    if not rest:
        raise _ConditionError("`thresholds` needs the name of a threshold after it", start, end)
    return PlacedOperand(ThresholdName(rest), start, end)


def _number(word: str, start: int, end: int) -> int | float:
    if not math.isfinite(float(word)):
        shortened = word if len(word) <= _SHOWN_DIGITS else f"{word[:_SHOWN_DIGITS]}…"
        raise _ConditionError(f"the number {shortened} is too large", start, end)
    return float(word) if set(word) & set(".eE") else int(word)
