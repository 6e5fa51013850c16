"""Damage to guards."""

from __future__ import annotations

from typing import Any

from support.table_places import Data, busiest, calls, first, rows


def drop_guard(data: Data) -> bool:
    return first((row for row in rows(data) if row[3]), lambda row: row[3].pop())


def drop_all_guards(data: Data) -> bool:
    return first((row for row in rows(data) if row[3]), lambda row: row[3].clear())


def unknown_guard(data: Data) -> bool:
    busiest(data)["rows"][0][3].append(["maybe"])
    return True


def further_guard(data: Data) -> bool:
    extra = ["previous", 0] if data["kind"] == "workflow" else ["fresh"]
    busiest(data)["rows"][0][3].append(extra)
    return True


def repeat_guard(data: Data) -> bool:
    return first((row for row in rows(data) if row[3]), lambda row: row[3].append(row[3][0]))


def guard_without_argument(data: Data) -> bool:
    return first((one for one in calls(data, 3) if len(one) > 1), lambda one: one.pop())


def guard_with_further_argument(data: Data) -> bool:
    return first(calls(data, 3), lambda one: one.append(0))


def guard_argument_out_of_range(data: Data) -> bool:
    named = calls(data, 3, "when", "unless", "renders", "condition", "previous", "enters", "spreads")
    return first(named, lambda one: one.__setitem__(1, 10_000))


def guard_argument_of_other_type(data: Data) -> bool:
    named = calls(data, 3, "when", "unless", "renders", "condition", "previous", "attempts_left")
    return first(named, lambda one: one.__setitem__(1, "0"))


def guard_as_text(data: Data) -> bool:
    return first((row for row in rows(data) if row[3]), lambda row: row[3].__setitem__(0, "fresh"))


def forget_dependency(data: Data) -> bool:
    return first((one for one in calls(data, 3, "deps") if one[1]), lambda one: one[1].pop())


def further_dependency(data: Data) -> bool:
    def add(one: list[Any]) -> None:
        one[1] = list(range(max(one[1]) + 1))

    return first((one for one in calls(data, 3, "deps") if one[1] != list(range(max(one[1]) + 1))), add)


def forgive_every_dependency(data: Data) -> bool:
    def forgive(one: list[Any]) -> None:
        one[2] = list(one[1])

    return first((one for one in calls(data, 3, "deps") if one[1] != one[2]), forgive)


def dependencies_out_of_order(data: Data) -> bool:
    return first((one for one in calls(data, 3, "deps") if len(one[1]) > 1), lambda one: one[1].reverse())


def more_attempts(data: Data) -> bool:
    return first(calls(data, 3, "attempts_left"), lambda one: one.__setitem__(1, one[1] + 1))


def more_rounds(data: Data) -> bool:
    return first(calls(data, 3, "rounds_left"), lambda one: one.__setitem__(1, one[1] + 1))


def other_verdict(data: Data) -> bool:
    return first(calls(data, 3, "verdict"), lambda one: one.__setitem__(1, "rejected"))


def unknown_verdict(data: Data) -> bool:
    return first(calls(data, 3, "verdict"), lambda one: one.__setitem__(1, "good"))


def other_previous_state(data: Data) -> bool:
    return first(calls(data, 3, "previous"), lambda one: one.__setitem__(1, 1 if one[1] == 0 else 0))
