"""Evaluates compiled expressions: total, bounded, exact (expressions.md).

A compiled expression is a JSON object, `{"ops": [...], "at": [...]}`: instructions for a stack machine in
postfix order and, for each, the offset in the expression's text that a failure of it names. An expression
that doesn't parse is `{"fails": {"code": ..., "message": ...}}`. Instructions:

    ["const", value]  ["name", name]  ["member", name]  ["index", n]  ["not"]  ["neg"]  ["call", name, count]
    ["=="] and every other binary operator but `&&` and `||`
    ["and", n]  ["or", n]   keep a left operand that decides and skip n instructions, else drop it
    ["bool"]                the right operand of `&&` and `||` must be a boolean
"""

from __future__ import annotations

from stratum_runtime.expression_code import check_code
from stratum_runtime.expression_functions import FUNCTIONS, call_function
from stratum_runtime.expression_values import (
    EvaluationError,
    as_double,
    compare,
    contains,
    equal,
    exceeds_nesting,
    finite,
    index_of,
    join,
    join_all,
    kind_of,
    member_of,
    to_json,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Protocol

    class Files(Protocol):
        """The workspace as the file functions see it; a path that leaves it is a Failure."""

        def exists(self, path: str) -> bool | Failure: ...
        def contains(self, path: str, text: str) -> bool | Failure: ...


__all__ = ["FUNCTIONS", "NAMES", "Failure", "Program", "Value", "evaluate", "prepare"]

NAMES = ("input", "result", "item", "prev")
"""Every name that can be bound."""


class Value:
    """The outcome of an evaluation that succeeded: a JSON value."""

    __slots__ = ("value",)
    __match_args__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Value)
            and self.value.__class__ is other.value.__class__
            and self.value == other.value
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Value({self.value!r})"


class Failure:
    """The outcome of an evaluation that failed: one of the codes of expressions.md, and a sentence."""

    __slots__ = ("code", "message")
    __match_args__ = ("code", "message")

    def __init__(self, code: str, message: str) -> None:
        self.code = code
        self.message = message

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Failure) and (self.code, self.message) == (other.code, other.message)

    def __hash__(self) -> int:
        return hash((self.code, self.message))

    def __repr__(self) -> str:
        return f"Failure({self.code!r}, {self.message!r})"

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


_CONST, _NAME, _MEMBER, _INDEX, _BINARY, _AND, _OR, _BOOL, _NOT, _NEG, _CALL, _ADD = range(12)


def evaluate(
    compiled: Program | dict[str, Any], bindings: Mapping[str, Any], *, files: Files | None = None
) -> Value | Failure:
    """The value of a compiled expression under bindings of NAMES, or why it has none; never raises.

    `files` answers the file functions; without it they fail. Whoever evaluates one expression often
    calls `prepare` once and passes the Program.
    """
    program = compiled if isinstance(compiled, Program) else prepare(compiled)
    return program.run(bindings, files)


def prepare(compiled: dict[str, Any]) -> Program:
    """The runnable form of a compiled expression; build it once and run it often.

    Raises ValueError for what `stratumc` never compiles, so that a damaged table is noticed at loading.
    """
    fails = compiled.get("fails")
    if fails is not None:
        return Program((), (), Failure(str(fails["code"]), str(fails["message"])))
    check_code(compiled.get("ops"), compiled.get("at"))
    return Program(_with_sums(tuple(map(_instruction, compiled["ops"]))), tuple(compiled["at"]), None)


def _with_sums(ops: tuple[tuple[int, Any], ...]) -> tuple[tuple[int, Any], ...]:
    """The instructions with each `+` told whether its value goes on as the left operand of another.

    So a chain of joins is put together once, at its end, in time linear in the text.
    """
    found, stack = list(ops), list[int]()
    for place, (kind, argument) in enumerate(ops):
        if kind == _BINARY:
            stack.pop()
            if argument is _add:
                if ops[stack[-1]] == (_BINARY, _add):
                    found[stack[-1]] = _ADD, True
                found[place] = _ADD, False
        elif kind == _CALL:
            del stack[len(stack) - argument[1] :]
        if kind in (_CONST, _NAME, _CALL):
            stack.append(place)
        elif kind in (_AND, _OR):
            stack.pop()
        else:
            stack[-1] = place
    return tuple(found)


def _instruction(op: list[Any]) -> tuple[int, Any]:
    kind = op[0]
    if kind == "call":
        return _CALL, (op[1], op[2])
    simple = _KINDS.get(kind)
    if simple is not None:
        return simple, op[1] if len(op) > 1 else None
    return _BINARY, _OPERATORS[kind]


class Program:
    """An expression ready to run; immutable, safe to share."""

    __slots__ = ("_at", "_failure", "_ops")

    def __init__(
        self, ops: tuple[tuple[int, Any], ...], at: tuple[int, ...], failure: Failure | None
    ) -> None:
        self._ops = ops
        self._at = at
        self._failure = failure

    def run(self, bindings: Mapping[str, Any], files: Files | None = None) -> Value | Failure:
        """Evaluates once; see `evaluate`."""
        if self._failure is not None:
            return self._failure
        place = [0]
        try:
            return Value(to_json(_execute(self._ops, bindings, files, place)))
        except EvaluationError as error:
            return Failure(error.code, f"{error.message} (character {self._at[place[0]] + 1})")


def _execute(
    ops: tuple[tuple[int, Any], ...], bindings: Mapping[str, Any], files: Files | None, place: list[int]
) -> Any:
    """Runs the instructions; `place` keeps the index of the one at work, for the message of a failure."""
    stack: list[Any] = []
    push, pop = stack.append, stack.pop
    counter, end = 0, len(ops)
    try:
        while counter < end:
            kind, argument = ops[counter]
            counter += 1
            if kind == _MEMBER:
                stack[-1] = member_of(stack[-1], argument)
            elif kind == _NAME:
                push(_bound(bindings, argument))
            elif kind == _CONST:
                push(argument)
            elif kind == _BINARY:
                right = pop()
                stack[-1] = argument(stack[-1], right)
            elif kind == _ADD:
                right = pop()
                stack[-1] = _sum(stack[-1], right, is_more=argument)
            elif kind in (_AND, _OR):
                if _boolean(stack[-1]) is (kind == _OR):
                    counter += argument
                else:
                    pop()
            elif kind == _BOOL:
                _boolean(stack[-1])
            elif kind == _INDEX:
                stack[-1] = index_of(stack[-1], argument)
            elif kind == _NOT:
                stack[-1] = not _boolean(stack[-1], "!")
            elif kind == _NEG:
                stack[-1] = -_number(stack[-1], "-")
            else:
                name, count = argument
                first = len(stack) - count
                arguments = stack[first:]
                del stack[first:]
                push(call_function(name, arguments, files))
    except EvaluationError:
        place[0] = counter - 1
        raise
    return stack[0]


def _bound(bindings: Mapping[str, Any], name: str) -> Any:
    if name not in bindings or name not in NAMES:
        raise EvaluationError("unknown_identifier", f"`{name}` isn't bound here")
    value = bindings[name]
    if isinstance(value, (dict, list)) and exceeds_nesting(value):
        raise EvaluationError("resource_limit", f"`{name}` is nested too deeply")
    return value


def _boolean(value: Any, operator: str | None = None) -> bool:
    if value is True or value is False:
        return value
    taker = "`&&` and `||` take" if operator is None else f"`{operator}` takes"
    raise EvaluationError("type_error", f"{taker} booleans, not {kind_of(value)}")


def _number(value: Any, operator: str) -> float:
    if value.__class__ is float or value.__class__ is int:
        return as_double(value)
    raise EvaluationError("type_error", f"`{operator}` takes numbers, not {kind_of(value)}")


def _add(left: Any, right: Any) -> Any:
    if isinstance(left, str) and isinstance(right, str):
        return join(left, right)
    if left.__class__ in (float, int) and right.__class__ in (float, int):
        return finite(as_double(left) + as_double(right), "+")
    raise EvaluationError(
        "type_error", f"`+` takes two numbers or two strings, not {kind_of(left)} and {kind_of(right)}"
    )


class _Chain:
    """The strings of a chain of `+` that isn't at its end yet; empty ones but the first are left out."""

    __slots__ = ("parts",)

    def __init__(self, parts: list[str]) -> None:
        self.parts = parts


def _sum(left: Any, right: Any, *, is_more: bool) -> Any:
    """`left + right`, as a chain of strings when more is joined to it."""
    if left.__class__ is not _Chain:
        if not is_more or not isinstance(left, str) or not isinstance(right, str):
            return _add(left, right)
        left = _Chain([left])
    if not isinstance(right, str):
        return _add("", right)
    if right:
        left.parts.append(right)
    return left if is_more else join_all(left.parts)


def _subtract(left: Any, right: Any) -> float:
    return finite(_number(left, "-") - _number(right, "-"), "-")


def _multiply(left: Any, right: Any) -> float:
    return finite(_number(left, "*") * _number(right, "*"), "*")


def _divide(left: Any, right: Any) -> float:
    dividend, divisor = _number(left, "/"), _number(right, "/")
    if divisor == 0:
        raise EvaluationError("type_error", "division by zero")
    return finite(dividend / divisor, "/")


_KINDS = {
    "const": _CONST,
    "name": _NAME,
    "member": _MEMBER,
    "index": _INDEX,
    "and": _AND,
    "or": _OR,
    "bool": _BOOL,
    "not": _NOT,
    "neg": _NEG,
}

_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "==": equal,
    "!=": lambda left, right: not equal(left, right),
    "<": lambda left, right: compare(left, right, "<") < 0,
    "<=": lambda left, right: compare(left, right, "<=") <= 0,
    ">": lambda left, right: compare(left, right, ">") > 0,
    ">=": lambda left, right: compare(left, right, ">=") >= 0,
    "in": contains,
    "+": _add,
    "-": _subtract,
    "*": _multiply,
    "/": _divide,
}
