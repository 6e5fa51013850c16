"""Collects the faults of one expression, each once, and says how sure they are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import assert_never

from stratumc.diagnostics.nearest import did_you_mean
from stratumc.expr.ast import Binary, BinaryOperator, Expression, Literal, Member, parts_of
from stratumc.expr.knowledge import Path
from stratumc.expr.outcome import Fault, Outcome, Reach, Scope, Typing, Use
from stratumc.expr.printer import print_expression
from stratumc.expr.types import Kind, Kinds, ObjectKind, Type, describe

_LONGEST = 60
"""Longest part of an expression that a message repeats, in characters."""


HYPHEN = "can't be written after `result.`"
"""What the hint of a name says that is the end of a step id with a hyphen."""


@dataclass(frozen=True, slots=True)
class Judge:
    """Takes the faults of the parts that are evaluated with one certainty."""

    scope: Scope
    use: Use = Use.VALUE
    reach: Reach = Reach.CERTAIN
    faults: list[Fault] = field(default_factory=list)
    """Shared by the judges of all parts of one expression; so is `told`."""
    told: set[Path] = field(default_factory=set)
    """Places that were read and of which a warning was given."""

    def at(self, reach: Reach) -> Judge:
        """The judge of parts with another certainty."""
        return self if reach is self.reach else replace(self, reach=reach)

    def report(
        self,
        code: str,
        node: Expression,
        message: str,
        suggestion: str | None = None,
        *,
        start: int | None = None,
    ) -> None:
        """A fault that is an error wherever it stands."""
        begin = node.start if start is None else start
        self.faults.append(Fault(code, True, begin, node.end, message, suggestion))

    def must_fail(
        self, node: Expression, message: str, suggestion: str | None = None, *, start: int | None = None
    ) -> None:
        """Evaluating `node` always fails; whether the whole expression does depends on the reach."""
        if self.reach is Reach.NEVER:
            return
        begin = node.start if start is None else start
        is_certain = self.reach is Reach.CERTAIN
        if not any(one.message == message and one.is_certain >= is_certain for one in self.faults):
            fault = Fault("EXPR_TYPE", is_certain, begin, node.end, message, suggestion, is_hopeless=True)
            self.faults.append(fault)

    def may_fail(
        self,
        node: Expression,
        path: Path | None,
        message: str,
        suggestion: str | None = None,
        *,
        start: int | None = None,
        code: str = "EXPR_TYPE",
    ) -> None:
        """Evaluating `node` fails for some values; of one place that is read, only the first is told."""
        if self.reach is Reach.NEVER or path in self.told:
            return
        if path is not None:
            self.told.add(path)
        begin = node.start if start is None else start
        self.faults.append(Fault(code, False, begin, node.end, message, suggestion))

    def hint(self, node: Expression, suggestion: str) -> None:
        """A better suggestion for the fault of a part."""
        self.faults[:] = [
            replace(one, suggestion=suggestion) if (one.start, one.end) == (node.start, node.end) else one
            for one in self.faults
        ]

    def withdraw(self, start: int, end: int) -> None:
        """Forgets that the part at a range may fail: a worse fault is told of it."""
        self.faults[:] = [
            one for one in self.faults if one.is_certain or (one.start, one.end) != (start, end)
        ]

    def merge_hyphens(self) -> None:
        """Of a step id with a hyphen, read as a difference, tells only the name after the hyphen."""
        behind = {
            one.start - 1
            for one in self.faults
            if one.code == "EXPR_UNKNOWN_NAME" and HYPHEN in (one.suggestion or "")
        }
        self.faults[:] = [
            one for one in self.faults if one.code != "EXPR_UNKNOWN_STEP" or one.end not in behind
        ]

    def guard(self, condition: str) -> str:
        """How to keep a part from being evaluated unless a condition holds."""
        match self.use:
            case Use.VALUE:
                return run_only_when(condition)
            case Use.CONDITION | Use.PREDICATE:
                return f"guard it with `{condition} && …`"
            case _:
                assert_never(self.use)

    def demand(
        self, node: Expression, given: Outcome, kinds: Kinds, taker: str, suggestion: str | None = None
    ) -> Outcome:
        """The operand narrowed to the kinds that `taker` takes; a fault when it can be of others."""
        inner = given.type
        if not inner.unknown and not inner.kinds & ~kinds:
            return given
        fitting = inner.only(kinds)
        if given.fails or inner.unknown:
            return _narrowed(given, fitting)
        if fitting.is_never:
            self.must_fail(node, f"{name_of(node)} is {describe(inner)}, but {taker}", suggestion)
            return replace(given, type=fitting, fails=True)
        wrong = describe(inner.only(~kinds))
        guard = None
        if given.path is not None and inner.null and not inner.only(~Kind.NULL).kinds & ~kinds:
            guard = self.guard(presence_of(node))
        self.may_fail(node, given.path, f"{name_of(node)} may be {wrong}, but {taker}", guard)
        return _narrowed(given, fitting)


def run_only_when(condition: str) -> str:
    """The suggestion to guard a whole step."""
    return f"let the step run only `when` `{condition}`"


def near_name(name: str, known: Iterable[str]) -> str | None:
    """The suggestion of a known name that is surely meant: names of one character are near to any other."""
    if len(name) < 2:
        return None
    return did_you_mean(name, [one for one in known if len(one) > 1])


def misspelt_member(typing: Typing) -> str | None:
    """The suggestion of what was surely meant where an expression asks for a member that can't be there."""
    for part in parts_of(typing.expression):
        if not isinstance(part, Binary) or part.operator is not BinaryOperator.IN:
            continue
        asked, objects = part.left, typing.type_of(part.right).objects
        if not isinstance(asked, Literal) or any(one.kind is ObjectKind.OPEN for one in objects):
            continue
        known = [member for one in objects for member in one.members]
        if isinstance(asked.value, str) and asked.value not in known:
            suggestion = near_name(asked.value, known)
            if suggestion is not None:
                return suggestion
    return None


def presence_of(node: Expression) -> str:
    """The condition that a part that is read can be, and isn't null."""
    valued = f"{print_expression(node)} != null"
    return (
        f"'{node.name}' in {print_expression(node.operand)} && {valued}"
        if isinstance(node, Member)
        else valued
    )


def name_of(node: Expression) -> str:
    """A part of an expression as messages name it."""
    text = print_expression(node)
    return f"`{text}`" if len(text) <= _LONGEST else "this"


def _narrowed(given: Outcome, inner: Type) -> Outcome:
    """The outcome of having used a value as one of a narrower type."""
    if given.path is None or inner.unknown or given.type == inner:
        return replace(given, type=inner)
    return replace(
        given,
        type=inner,
        when_true=given.when_true.having(given.path, inner),
        when_false=given.when_false.having(given.path, inner),
    )
