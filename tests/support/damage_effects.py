"""Damage to effects."""

from __future__ import annotations

from typing import Any

from support.table_places import Data, busiest, calls, first, rows


def drop_effect(data: Data) -> bool:
    return first((row for row in rows(data) if row[5]), lambda row: row[5].pop())


def drop_all_effects(data: Data) -> bool:
    return first((row for row in rows(data) if len(row[5]) > 1), lambda row: row[5].clear())


def unknown_effect(data: Data) -> bool:
    busiest(data)["rows"][0][5].append(["explode"])
    return True


def repeat_effect(data: Data) -> bool:
    return first((row for row in rows(data) if row[5]), lambda row: row[5].append(row[5][0]))


def reverse_effects(data: Data) -> bool:
    return first((row for row in rows(data) if len(row[5]) > 1), lambda row: row[5].reverse())


def effect_with_further_argument(data: Data) -> bool:
    return first(calls(data, 5), lambda one: one.append(0))


def shrink_reset(data: Data) -> bool:
    def shrink(one: list[Any]) -> None:
        one[1][-1] -= 1
        if one[1][-1] == one[1][-2]:
            del one[1][-2:]

    return first(calls(data, 5, "reset"), shrink)


def widen_reset(data: Data) -> bool:
    return first((one for one in calls(data, 5, "reset") if one[1][0]), lambda one: one[1].__setitem__(0, 0))


def reset_backwards(data: Data) -> bool:
    return first(calls(data, 5, "reset"), lambda one: one[1].reverse())


def reset_out_of_range(data: Data) -> bool:
    return first(calls(data, 5, "reset"), lambda one: one[1].__setitem__(-1, 10_000))


def shrink_skipped_region(data: Data) -> bool:
    return first(calls(data, 5, "skip_region"), lambda one: one.__setitem__(1, one[1][:-2]))


def route_elsewhere(data: Data) -> bool:
    return first(calls(data, 5, "route"), lambda one: one.__setitem__(1, 0 if one[1] else 1))


def route_out_of_range(data: Data) -> bool:
    return first(calls(data, 5, "route"), lambda one: one.__setitem__(1, 10_000))


def enter_entry(data: Data) -> bool:
    return first(calls(data, 5, "enter"), lambda one: one.__setitem__(1, data["entry"]))


def enter_out_of_range(data: Data) -> bool:
    return first(calls(data, 5, "enter"), lambda one: one.__setitem__(1, 99))


def signal_other_event(data: Data) -> bool:
    return first(calls(data, 5, "signal"), lambda one: one.__setitem__(1, "exhaust"))


def raise_in_circles(data: Data) -> bool:
    return first(
        (row for row in rows(data) if row[2] == "dispatch"), lambda row: row[5].append(["raise", "dispatch"])
    )


def other_action(data: Data) -> bool:
    return first(calls(data, 5, "action"), lambda one: one.__setitem__(1, "/other"))


def forget_judgment(data: Data) -> bool:
    return first(
        (row for row in rows(data) if ["judgment"] in row[5]), lambda row: row[5].remove(["judgment"])
    )
