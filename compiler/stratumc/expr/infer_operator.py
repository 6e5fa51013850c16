"""Types of operators, and what conditions teach about the values they compare."""

from __future__ import annotations

import math
from dataclasses import replace

from stratum_runtime.expression_values import BLOCKED_MEMBERS
from stratumc.expr.ast import Binary, BinaryOperator, Expression, Literal, Name, Unary, UnaryOperator
from stratumc.expr.infer_constant import multiple_of
from stratumc.expr.judge import Judge, name_of, near_name
from stratumc.expr.knowledge import Knowledge
from stratumc.expr.outcome import Outcome, Reach
from stratumc.expr.types import (
    BOOLEAN,
    FALSE,
    FRACTION,
    INTEGER,
    NULL,
    NUMBER,
    STRING,
    STRING_OR_NUMBER,
    TRUE,
    UNKNOWN,
    Kind,
    Kinds,
    ObjectKind,
    Presence,
    Type,
    describe,
    meet,
    not_null,
    without_string,
)

_LOGICAL = (BinaryOperator.AND, BinaryOperator.OR)
_EQUALITY = (BinaryOperator.EQUAL, BinaryOperator.NOT_EQUAL)
_COMPARISON = (
    BinaryOperator.LESS,
    BinaryOperator.LESS_EQUAL,
    BinaryOperator.GREATER,
    BinaryOperator.GREATER_EQUAL,
)


_MOST_EXACT = 2**53


def is_logical(operator: BinaryOperator) -> bool:
    """Whether the left operand decides if the right one is evaluated."""
    return operator in _LOGICAL


def infer_unary(node: Unary, operand: Outcome, judge: Judge) -> Outcome:
    """`!` of booleans, `-` of numbers."""
    if node.operator is UnaryOperator.NOT:
        given = judge.demand(node.operand, operand, Kind.BOOLEAN, "`!` takes a boolean")
        negated = Type(true=given.type.false, false=given.type.true) if not given.type.unknown else BOOLEAN
        return Outcome(negated, given.when_false, given.when_true, fails=given.fails)
    given = judge.demand(node.operand, operand, Kind.NUMBER, "`-` takes a number")
    return Outcome(given.type, given.after, given.after, fails=given.fails, multiple=given.multiple)


def infer_condition(node: Binary, left: Outcome, judge: Judge) -> Outcome:
    """The left operand of `&&` or `||`, a boolean that decides whether the right one is evaluated."""
    return _condition(judge.demand(node.left, left, Kind.BOOLEAN, f"`{node.operator.value}` takes booleans"))


def reach_of_right(node: Binary, left: Outcome, reach: Reach) -> Reach:
    """How certainly the right operand of `&&` or `||` is evaluated."""
    is_and = node.operator is BinaryOperator.AND
    goes_on, stops = (left.type.true, left.type.false) if is_and else (left.type.false, left.type.true)
    if reach is Reach.NEVER or not goes_on:
        return Reach.NEVER
    return Reach.POSSIBLE if stops or left.fails else reach


def infer_logical(node: Binary, left: Outcome, right: Outcome, judge: Judge) -> Outcome:
    """`&&` and `||`, the left operand by `infer_condition`, the right one by a judge of its reach."""
    is_and = node.operator is BinaryOperator.AND
    taker = f"`{node.operator.value}` takes booleans"
    right = _condition(judge.demand(node.right, right, Kind.BOOLEAN, taker))
    goes_on = left.type.true if is_and else left.type.false
    stops = left.type.false if is_and else left.type.true
    fails = left.fails or (not stops and right.fails)
    true, false = ((goes_on and one and not right.fails) for one in (right.type.true, right.type.false))
    if is_and:
        inner = Type(true=true, false=stops or false)
        when_false = _either(left.when_false, right.when_false, left.type.false, false)
        return Outcome(inner, right.when_true, when_false, fails=fails)
    inner = Type(true=stops or true, false=false)
    when_true = _either(left.when_true, right.when_true, left.type.true, true)
    return Outcome(inner, when_true, right.when_false, fails=fails)


def _condition(given: Outcome) -> Outcome:
    """A boolean operand: what it teaches about itself when it was read from somewhere."""
    if given.path is not None:
        return replace(
            given,
            when_true=given.when_true.having(given.path, TRUE),
            when_false=given.when_false.having(given.path, FALSE),
        )
    return given if not given.fails else replace(given, type=BOOLEAN)


def _either(left: Knowledge, right: Knowledge, is_left: bool, is_right: bool) -> Knowledge:
    """What holds after one of two ways, of which some may be impossible."""
    if is_left and is_right:
        return left.either(right)
    return right if is_right else left


def infer_operator(node: Binary, left: Outcome, right: Outcome, judge: Judge) -> Outcome:
    """All operators that evaluate both operands."""
    if node.operator in _EQUALITY:
        return _equality(node, left, right, judge)
    if node.operator is BinaryOperator.IN:
        return _membership(node, left, right, judge)
    if node.operator in _COMPARISON:
        known, _, fails = _same_kind(node, left, right, judge)
        return Outcome(BOOLEAN, known, known, fails=fails)
    if node.operator is BinaryOperator.ADD:
        known, kind, fails = _same_kind(node, left, right, judge)
        sums: dict[Kinds, Type] = {Kind.STRING: STRING, Kind.NUMBER: _sum_type(left.type, right.type)}
        inner = sums.get(kind, STRING_OR_NUMBER)
        divisor = math.gcd(multiple_of(left), multiple_of(right)) or 1
        return Outcome(inner, known, known, fails=fails, multiple=divisor)
    return _arithmetic(node, left, right, judge)


def _arithmetic(node: Binary, left: Outcome, right: Outcome, judge: Judge) -> Outcome:
    taker = f"`{node.operator.value}` takes numbers"
    if left.fails or right.fails:
        return Outcome(NUMBER, right.after, right.after, fails=True)
    first = judge.demand(node.left, left, Kind.NUMBER, taker)
    second = judge.demand(node.right, right, Kind.NUMBER, taker)
    known = _after(right.after, first, second)
    fails = first.fails or second.fails
    if node.operator is BinaryOperator.DIVIDE and second.number == 0 and not fails:
        judge.must_fail(node.right, "division by zero")
        fails = True
    inner, divisor = _number_type(node.operator, first, second)
    return Outcome(inner, known, known, fails=fails, multiple=divisor)


def _number_type(operator: BinaryOperator, left: Outcome, right: Outcome) -> tuple[Type, int]:
    """Whether a difference, product or quotient is whole, and then a whole number that divides it."""
    ours, theirs = multiple_of(left), multiple_of(right)
    if operator is BinaryOperator.SUBTRACT:
        return _sum_type(left.type, right.type), math.gcd(ours, theirs) or 1
    if operator is BinaryOperator.MULTIPLY:
        product = ours * theirs
        return (INTEGER, min(product, _MOST_EXACT)) if product else (NUMBER, 1)
    is_whole = right.number is not None and theirs > 0 and ours % theirs == 0 and ours > 0
    return (INTEGER, ours // theirs) if is_whole else (NUMBER, 1)


def _sum_type(left: Type, right: Type) -> Type:
    """Sums and differences of integers are integers; of an integer and a fraction they have a fraction."""
    if left.unknown or right.unknown or (left.fraction and right.fraction):
        return NUMBER
    if not left.fraction and not right.fraction:
        return INTEGER
    return NUMBER if (left.fraction and left.integer) or (right.fraction and right.integer) else FRACTION


def _after(known: Knowledge, *operands: Outcome) -> Knowledge:
    """What is known once these operands were used as their narrowed types."""
    for operand in operands:
        if not operand.type.unknown and not operand.fails:
            known = known.having(operand.path, operand.type)
    return known


def _same_kind(node: Binary, left: Outcome, right: Outcome, judge: Judge) -> tuple[Knowledge, Kinds, bool]:
    """Operands of `+` and `<`: two numbers, or two strings; the kind, when it is certain."""
    if left.fails or right.fails:
        return right.after, 0, True
    both = Kind.NUMBER | Kind.STRING
    symbol = node.operator.value
    taker = f"`{symbol}` takes two numbers or two strings"
    first = judge.demand(node.left, left, both, taker)
    second = judge.demand(node.right, right, both, taker)
    if first.fails or second.fails:
        return right.after, 0, True
    common = first.type.kinds & second.type.kinds & both
    if not common:
        judge.must_fail(node, f"{taker}, not {describe(first.type)} and {describe(second.type)}")
        return right.after, 0, True
    if common in (Kind.NUMBER, Kind.STRING):
        if not (first.type.unknown or second.type.unknown):
            first = judge.demand(node.left, first, common, taker)
            second = judge.demand(node.right, second, common, taker)
        return _after(right.after, first, second), common, False
    return _after(right.after, first, second), 0, False


def _equality(node: Binary, left: Outcome, right: Outcome, judge: Judge) -> Outcome:
    """`==` and `!=` never fail by themselves; they tell the operands apart."""
    known = right.after
    fails = left.fails or right.fails
    if fails:
        _hint_quotes(node.left, right.type, judge)
        _hint_quotes(node.right, left.type, judge)
        return Outcome(BOOLEAN, known, known, fails=True)
    _check_enum(node.left, left.type, node.right, right.type, judge)
    _check_enum(node.right, right.type, node.left, left.type, judge)
    can_equal = not meet(left.type, right.type).is_never
    can_differ = not (can_equal and _is_single(left.type) and _is_single(right.type))
    equal = known.having(left.path, _met(left, right)).having(right.path, _met(right, left))
    different = known.having(left.path, _except(left.type, right.type))
    different = different.having(right.path, _except(right.type, left.type))
    for test, value in ((left, node.right), (right, node.left)):
        if isinstance(value, Literal) and isinstance(value.value, bool) and test.type.kinds == Kind.BOOLEAN:
            told = (test.when_true, test.when_false) if value.value else (test.when_false, test.when_true)
            equal, different = equal.both(told[0]), different.both(told[1])
    if node.operator is BinaryOperator.EQUAL:
        return Outcome(Type(true=can_equal, false=can_differ), equal, different)
    return Outcome(Type(true=can_differ, false=can_equal), different, equal)


def _met(given: Outcome, other: Outcome) -> Type:
    common = meet(given.type, other.type)
    return given.type if common.is_never else common


def _is_single(inner: Type) -> bool:
    """Whether only one value belongs to the type."""
    return inner in (NULL, TRUE, FALSE) or inner.literal is not None


def _except(inner: Type, other: Type) -> Type:
    """What `inner` is when it differs from the one value of `other`."""
    if other == NULL:
        rest = not_null(inner)
    elif other in (TRUE, FALSE) and not inner.unknown:
        rest = replace(inner, true=inner.true and not other.true, false=inner.false and not other.false)
    elif other.literal is not None:
        rest = without_string(inner, other.literal)
    else:
        return inner
    return inner if rest.is_never else rest


def _hint_quotes(node: Expression, inner: Type, judge: Judge) -> None:
    """A name that isn't bound, compared with an enum that has it."""
    declared = None if inner.strings is None else inner.strings.declared
    if isinstance(node, Name) and node.name not in judge.scope.names and node.name in (declared or ()):
        judge.hint(node, f"quote it: `'{node.name}'`")


def _check_enum(
    node: Expression, literal: Type, other: Expression, inner: Type, judge: Judge, *, is_item: bool = False
) -> None:
    """A literal compared with an enum must be one of its members."""
    text = literal.literal
    if (
        text is None
        or not isinstance(node, Literal)
        or inner.unknown
        or inner.kinds & ~(Kind.STRING | Kind.NULL)
    ):
        return
    declared = None if inner.strings is None else inner.strings.declared
    if declared is not None and text not in declared:
        shown = f"`{text}`" if text else "the empty string"
        judge.report(
            "ENUM_VALUE_UNKNOWN",
            node,
            f"{'an item of ' if is_item else ''}{name_of(other)} is never {shown}",
            near_name(text, declared) or f"its values are {', '.join(f'`{one}`' for one in declared)}",
        )


def _membership(node: Binary, left: Outcome, right: Outcome, judge: Judge) -> Outcome:
    containers = Kind.ARRAY | Kind.STRING | Kind.OBJECT
    given = judge.demand(node.right, right, containers, "`in` needs an array, a string or an object")
    if given.fails or left.fails:
        return Outcome(BOOLEAN, right.after, right.after, fails=True)
    known = _after(right.after, given)
    if given.type.unknown:
        return Outcome(BOOLEAN, known, known)
    if given.type.element is None:
        where = "an object" if given.type.strings is None else "a string"
        item = judge.demand(node.left, left, Kind.STRING, f"only a string can be in {where}")
        if item.fails:
            return Outcome(BOOLEAN, known, known, fails=True)
        known = _after(known, item)
    if given.type.kinds == Kind.ARRAY and given.type.element is not None:
        _check_enum(node.left, left.type, node.right, given.type.element, judge, is_item=True)
    if given.type.kinds == Kind.OBJECT and left.type.literal is not None:
        return _has_member(node, left.type.literal, given, known, judge)
    return Outcome(BOOLEAN, known, known)


def _has_member(node: Binary, name: str, holder: Outcome, known: Knowledge, judge: Judge) -> Outcome:
    """`'name' in object`: whether it can hold, and that the member is there when it does."""
    if name in BLOCKED_MEMBERS:
        judge.must_fail(node.left, f"the member `{name}` may not be named")
        return Outcome(BOOLEAN, known, known, fails=True)
    path = None if holder.path is None else (*holder.path, name)
    objects = holder.type.objects
    if any(one.kind is ObjectKind.OPEN for one in objects):
        return Outcome(BOOLEAN, known.having(path, UNKNOWN), known.having(path, None))
    if path is not None and path in known.facts:
        return Outcome(FALSE if known.facts[path] is None else TRUE, known, known)
    is_step = any(one.kind is ObjectKind.STEPS for one in objects)
    there = known.both(judge.scope.implied(name)) if is_step else known
    declared = [one.members[name] for one in objects if name in one.members]
    if not declared:
        return Outcome(FALSE, known, known)
    if len(declared) == len(objects) and all(one.presence is Presence.ALWAYS for one in declared):
        return Outcome(BOOLEAN if is_step else TRUE, there, known)
    inner = declared[0].type
    for one in declared[1:]:
        inner = UNKNOWN if one.type != inner else inner
    return Outcome(BOOLEAN, there.having(path, inner), known.having(path, None))
