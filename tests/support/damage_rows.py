"""Damage to rows as wholes."""

from __future__ import annotations

import copy

from support.table_places import Data, busiest


def drop_first_row(data: Data) -> bool:
    del busiest(data)["rows"][0]
    return True


def drop_last_row(data: Data) -> bool:
    busiest(data)["rows"].pop()
    return True


def drop_middle_row(data: Data) -> bool:
    table = busiest(data)["rows"]
    del table[len(table) // 2]
    return True


def repeat_row(data: Data) -> bool:
    table = busiest(data)["rows"]
    table.insert(1, copy.deepcopy(table[0]))
    return True


def swap_rows_of_one_event(data: Data) -> bool:
    for machine in data["machines"]:
        table = machine["rows"]
        for number in range(len(table) - 1):
            if table[number][:3] == table[number + 1][:3]:
                table[number], table[number + 1] = table[number + 1], table[number]
                return True
    return False


def swap_events_of_one_state(data: Data) -> bool:
    for machine in data["machines"]:
        table = machine["rows"]
        for number in range(len(table) - 1):
            if table[number][:2] == table[number + 1][:2] and table[number][2] != table[number + 1][2]:
                table[number], table[number + 1] = table[number + 1], table[number]
                return True
    return False


def reverse_rows(data: Data) -> bool:
    busiest(data)["rows"].reverse()
    return True


def retarget_row(data: Data) -> bool:
    machine = busiest(data)
    row = machine["rows"][0]
    states = data["pools"]["states"][machine["regions"][row[0]]["states"]]["names"]
    row[4] = (row[4] + 1) % len(states)
    return len(states) > 1


def retarget_last_row(data: Data) -> bool:
    row = busiest(data)["rows"][-1]
    row[4] = 0 if row[4] else 1
    return True


def target_out_of_range(data: Data) -> bool:
    busiest(data)["rows"][0][4] = 10_000
    return True


def target_as_fraction(data: Data) -> bool:
    busiest(data)["rows"][0][4] += 0.5
    return True


def target_as_truth(data: Data) -> bool:
    busiest(data)["rows"][0][4] = True
    return True


def region_out_of_range(data: Data) -> bool:
    busiest(data)["rows"][-1][0] = 10_000
    return True


def state_out_of_range(data: Data) -> bool:
    busiest(data)["rows"][-1][1] = 10_000
    return True


def state_negative(data: Data) -> bool:
    busiest(data)["rows"][0][1] = -1
    return True


def move_row_to_other_state(data: Data) -> bool:
    row = busiest(data)["rows"][0]
    row[1] = 1 if row[1] == 0 else 0
    return True


def rename_event(data: Data) -> bool:
    busiest(data)["rows"][0][2] += "x"
    return True


def event_without_name(data: Data) -> bool:
    busiest(data)["rows"][0][2] = ""
    return True


def row_too_short(data: Data) -> bool:
    busiest(data)["rows"][0].pop()
    return True


def row_too_long(data: Data) -> bool:
    busiest(data)["rows"][0].append(0)
    return True


def origin_out_of_range(data: Data) -> bool:
    busiest(data)["rows"][0][6][0] = 99
    return True


def origin_elsewhere(data: Data) -> bool:
    busiest(data)["rows"][0][6][1] += ".x"
    return True
