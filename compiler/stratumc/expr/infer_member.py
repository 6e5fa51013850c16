"""Types of names, members and indexes."""

from __future__ import annotations

from itertools import islice
from typing import assert_never

from stratum_runtime.expression import NAMES
from stratumc.expr.ast import Index, Member, Name
from stratumc.expr.judge import Judge, name_of, near_name, presence_of
from stratumc.expr.knowledge import Knowledge, Path
from stratumc.expr.outcome import Outcome
from stratumc.expr.printer import print_expression
from stratumc.expr.types import (
    UNKNOWN,
    Kind,
    MemberType,
    ObjectKind,
    ObjectType,
    Presence,
    join_all,
)

_CONSTANTS = {
    "true": "true", "false": "false", "null": "null", "none": "null", "nil": "null", "undefined": "null",
}  # fmt: skip
"""What other languages call the constants."""
_LENGTHS = ("length", "size", "count")
_MOST_COMPARED = 500
"""How many names a misspelt one is compared with, so that many mistakes in a long flow stay cheap."""


def infer_name(node: Name, known: Knowledge, judge: Judge) -> Outcome:
    """A bound name, or a fault."""
    found = judge.scope.names.get(node.name)
    if found is not None:
        return Outcome(known.facts.get((node.name,)) or found, known, known, (node.name,))
    names = list(judge.scope.names)
    written = _CONSTANTS.get(node.name.lower())
    hint = judge.scope.hint(node.name) or (f"write `{written}`" if written else near_name(node.name, names))
    if hint is None:
        hint = "the names bound here are " + ", ".join(f"`{name}`" for name in names)
    message = f"`{node.name}` isn't bound here" if node.name in NAMES else f"unknown name `{node.name}`"
    judge.report("EXPR_UNKNOWN_NAME", node, message, suggestion=hint)
    return Outcome(UNKNOWN, known, known, fails=True)


def infer_index(node: Index, operand: Outcome, judge: Judge) -> Outcome:
    """An item of an array; that the array may be too short isn't a matter of types."""
    array = judge.demand(node.operand, operand, Kind.ARRAY, f"`[{node.index}]` needs an array")
    known = array.after
    if array.fails:
        return Outcome(UNKNOWN, known, known, fails=True)
    path = None if operand.path is None else (*operand.path, node.index)
    fact = None if path is None else known.facts.get(path)
    element = array.type.element
    return Outcome(fact or (UNKNOWN if element is None else element), known, known, path)


def infer_member(node: Member, operand: Outcome, judge: Judge) -> Outcome:
    """A member of an object: declared, present, and of what type."""
    if operand.fails or operand.type.unknown:
        return Outcome(UNKNOWN, operand.after, operand.after, _path(node, operand), operand.fails)
    is_length = node.name in _LENGTHS and not operand.type.objects
    hint = f"write `len({print_expression(node.operand)})`" if is_length else None
    holder = judge.demand(node.operand, operand, Kind.OBJECT, f"`.{node.name}` needs an object", hint)
    known = holder.after
    if holder.fails:
        return Outcome(UNKNOWN, known, known, fails=True)
    path = _path(node, operand)
    if path is not None and path in known.facts:
        fact = known.facts[path]
        if fact is not None:
            known = _told(node, holder, known, judge)
            return Outcome(fact, known, known, path)
        judge.must_fail(node, f"{name_of(node)} is missing here", start=node.name_start)
        return Outcome(UNKNOWN, known, known, fails=True)
    if any(one.kind is ObjectKind.OPEN for one in holder.type.objects):
        return Outcome(UNKNOWN, known, known, path)
    member = _declared(node.name, holder.type.objects)
    if member is None:
        _report_unknown(node, holder.type.objects, judge)
        return Outcome(UNKNOWN, known, known, fails=True)
    if member.presence is not Presence.ALWAYS and _is_missing(node, member, path, judge):
        return Outcome(UNKNOWN, known, known, fails=True)
    known = _told(node, holder, known.having(path, member.type), judge)
    return Outcome(known.facts.get(path or ()) or member.type, known, known, path)


def _told(node: Member, holder: Outcome, known: Knowledge, judge: Judge) -> Knowledge:
    """What a member that is there tells: the output of a step, that the step has succeeded."""
    is_output = any(one.kind is ObjectKind.STEPS for one in holder.type.objects)
    return known.both(judge.scope.implied(node.name)) if is_output else known


def _path(node: Member, operand: Outcome) -> tuple[str | int, ...] | None:
    return None if operand.path is None else (*operand.path, node.name)


def _declared(name: str, objects: tuple[ObjectType, ...]) -> MemberType | None:
    """The member over all objects that the holder may be; None when none of them has it."""
    found = [one.members.get(name) for one in objects]
    declared = [one for one in found if one is not None]
    if not declared:
        return None
    inner = join_all(one.type for one in declared)
    presences = {one.presence for one in declared}
    if len(declared) < len(found):
        return MemberType(inner, Presence.OPTIONAL)
    return MemberType(inner, presences.pop() if len(presences) == 1 else Presence.OPTIONAL)


def _is_missing(node: Member, member: MemberType, path: Path | None, judge: Judge) -> bool:
    """Tells of a member that may be missing; whether it always is."""
    start = node.name_start
    match member.presence:
        case Presence.NEVER:
            judge.must_fail(node, f"step `{node.name}` has no output", start=start)
        case Presence.LATER:
            message = f"step `{node.name}` never comes before this, so its output isn't there"
            judge.report("EXPR_STEP_NOT_ORDERED", node, message, start=start)
        case Presence.UNORDERED:
            message = f"step `{node.name}` isn't ordered before this, so its output may be missing"
            code, mend = "EXPR_STEP_NOT_ORDERED", f"list `{node.name}` in `after`"
            judge.may_fail(node, path, message, mend, start=start, code=code)
        case Presence.OPTIONAL:
            also = " or null" if member.type.null else ""
            message = f"{name_of(node)} may be missing{also}, and reading a missing member fails"
            there = f"'{node.name}' in {print_expression(node.operand)}"
            guard = judge.guard(presence_of(node) if member.type.null else there)
            judge.may_fail(node, path, message, guard, start=start)
        case Presence.ALWAYS:
            pass
        case _:
            assert_never(member.presence)
    return member.presence in (Presence.NEVER, Presence.LATER)


def _report_unknown(node: Member, objects: tuple[ObjectType, ...], judge: Judge) -> None:
    names = [name for one in objects for name in islice(one.members, _MOST_COMPARED)]
    suggestion = near_name(node.name, names)
    if node.name == "output" and isinstance(node.operand, Member):
        suggestion = f"leave `.output` out: `{print_expression(node.operand)}` is the output"
    holder = objects[0]
    match holder.kind:
        case ObjectKind.STEPS:
            message = f"`result.{node.name}`: no step is `{node.name}`"
            judge.report("EXPR_UNKNOWN_STEP", node, message, start=node.name_start, suggestion=suggestion)
        case ObjectKind.INPUT:
            message = f"the flow has no input `{node.name}`"
            judge.must_fail(node, message, start=node.name_start, suggestion=suggestion)
        case ObjectKind.CONTRACT | ObjectKind.OPEN:
            message = f"`{holder.name}` has no field `{node.name}`"
            judge.must_fail(node, message, start=node.name_start, suggestion=suggestion)
