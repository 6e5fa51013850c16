"""Types of function calls."""

from __future__ import annotations

from stratum_runtime.expression_functions import FUNCTIONS, MAX_PATTERN
from stratum_runtime.expression_values import length_of
from stratum_runtime.pattern import PatternError, compile_pattern
from stratumc.diagnostics.nearest import nearest
from stratumc.expr.ast import Binary, BinaryOperator, Call, Unary, UnaryOperator
from stratumc.expr.judge import Judge, name_of
from stratumc.expr.knowledge import Knowledge
from stratumc.expr.outcome import Outcome
from stratumc.expr.printer import print_expression
from stratumc.expr.types import (
    ALL_KINDS,
    BOOLEAN,
    INTEGER,
    STRING,
    STRING_OR_NUMBER,
    UNKNOWN,
    Kind,
    Kinds,
    Type,
    describe,
    not_null,
)

_ANY = ALL_KINDS
_MEASURABLE = Kind.STRING | Kind.ARRAY | Kind.OBJECT
_CONVERTIBLE = Kind.BOOLEAN | Kind.NUMBER | Kind.STRING
_ORDERED = Kind.NUMBER | Kind.STRING

_PARAMETERS: dict[str, tuple[tuple[Kinds, str], ...]] = {
    "len": ((_MEASURABLE, "`len` takes a string, an array or an object"),),
    "any": ((Kind.ARRAY, "`any` takes an array"),),
    "all": ((Kind.ARRAY, "`all` takes an array"),),
    "min": ((Kind.ARRAY, "`min` takes an array"),),
    "max": ((Kind.ARRAY, "`max` takes an array"),),
    "str": ((_ANY, ""),),
    "int": ((_CONVERTIBLE, "`int` takes a boolean, a number or a string"),),
    "bool": ((_ANY, ""),),
    "matches": ((Kind.STRING, "`matches` takes two strings"), (Kind.STRING, "`matches` takes two strings")),
    "file_exists": ((Kind.STRING, "`file_exists` takes a string"),),
    "file_contains": ((Kind.STRING, "`file_contains` takes strings"),) * 2,
}
_RESULTS = {
    "len": INTEGER,
    "int": INTEGER,
    **dict.fromkeys(("any", "all", "bool", "matches", "file_exists", "file_contains"), BOOLEAN),
}
_ALIASES = {
    "length": "len", "size": "len", "count": "len", "number": "int", "string": "str", "boolean": "bool",
    "match": "matches", "regex": "matches", "exists": "file_exists",
}  # fmt: skip
_IN = ("contains", "includes", "has")


def infer_call(node: Call, arguments: list[Outcome], known: Knowledge, judge: Judge) -> Outcome:
    """A call: the function must exist and take these arguments."""
    if node.function not in FUNCTIONS:
        message = f"unknown function `{node.function}`"
        judge.report("EXPR_UNKNOWN_FUNCTION", node, message, suggestion=_meant(node))
        return Outcome(UNKNOWN, known, known, fails=True)
    arity = FUNCTIONS[node.function][0]
    if len(arguments) != arity:
        counted = f"{arity} argument{'' if arity == 1 else 's'}"
        message = f"`{node.function}` takes {counted}, not {len(arguments)}"
        judge.report("EXPR_ARITY", node, message, suggestion=_arity_hint(node.function))
        return Outcome(UNKNOWN, known, known, fails=True)
    taken = [
        judge.demand(argument, given, kinds, taker)
        for argument, given, (kinds, taker) in zip(
            node.arguments, arguments, _PARAMETERS[node.function], strict=True
        )
    ]
    for one in taken:
        if not one.type.unknown and not one.fails:
            known = known.having(one.path, one.type)
    if any(one.fails for one in taken):
        return Outcome(_RESULTS.get(node.function, UNKNOWN), known, known, fails=True)
    return _result(node, taken, known, judge)


def _meant(node: Call) -> str | None:
    """What calls the function that was meant, if that is certain."""
    if node.function in _IN and len(node.arguments) == 2:
        text, part = node.arguments
        return f"write `{print_expression(Binary(BinaryOperator.IN, part, text, 0, 0))}`"
    if node.function.lower() == "not" and len(node.arguments) == 1:
        return f"write `{print_expression(Unary(UnaryOperator.NOT, node.arguments[0], 0, 0))}`"
    near = _ALIASES.get(node.function) or nearest(node.function, [*FUNCTIONS, *_ALIASES])
    return None if near is None else f"did you mean `{_ALIASES.get(near, near)}`?"


def _arity_hint(function: str) -> str | None:
    return f"`{function}` takes one array" if function in ("min", "max", "any", "all") else None


def _result(node: Call, taken: list[Outcome], known: Knowledge, judge: Judge) -> Outcome:
    first = taken[0]
    match node.function:
        case "str":
            inner = first.type if first.type.kinds == Kind.STRING else STRING
            return Outcome(inner, known, known)
        case "bool":
            return Outcome(BOOLEAN, known.having(first.path, not_null(first.type)), known)
        case "min" | "max":
            return _extreme(node, first, known, judge)
        case "matches":
            fails = _is_pattern_refused(node, taken[1].type, judge)
            return Outcome(BOOLEAN, known, known, fails=fails)
        case _:
            return Outcome(_RESULTS[node.function], known, known)


def _extreme(node: Call, given: Outcome, known: Knowledge, judge: Judge) -> Outcome:
    """`min` and `max` of an array of all numbers or all strings."""
    element = given.type.element
    if element is None or element.unknown:
        return Outcome(STRING_OR_NUMBER, known, known)
    wrong = f"`{node.function}` takes an array of numbers or of strings"
    fitting = element.only(_ORDERED)
    if fitting.is_never:
        judge.must_fail(
            node.arguments[0],
            f"{name_of(node.arguments[0])} is {describe(given.type)}, but {wrong}",
        )
        return Outcome(UNKNOWN, known, known, fails=True)
    if fitting != element:
        message = (
            f"an item of {name_of(node.arguments[0])} may be {describe(element.only(~_ORDERED))}, but {wrong}"
        )
        judge.may_fail(node.arguments[0], None, message)
    return Outcome(fitting, known, known)


def _is_pattern_refused(node: Call, pattern: Type, judge: Judge) -> bool:
    """Whether the pattern is known and the evaluator would refuse it."""
    text = pattern.literal
    if text is None:
        return False
    if length_of(text) > MAX_PATTERN:
        message = f"the pattern is longer than {MAX_PATTERN} characters"
    else:
        try:
            compile_pattern(text)
        except PatternError as error:
            message = f"the pattern is refused: {error.message} (its character {error.offset + 1})"
        else:
            return False
    judge.report("PATTERN_REJECTED", node.arguments[1], message)
    return True
