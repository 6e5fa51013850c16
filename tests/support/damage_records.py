"""Damage to regions and to the records of steps."""

from __future__ import annotations

from support.table_places import Data, busiest, first, records


def forget_to_wake(data: Data) -> bool:
    regions = (region for machine in data["machines"] for region in machine["regions"] if region["wakes"])
    return first(regions, lambda region: region["wakes"].pop())


def wake_out_of_range(data: Data) -> bool:
    busiest(data)["regions"][0]["wakes"].append(10_000)
    return True


def wake_another(data: Data) -> bool:
    for machine in data["machines"]:
        steps = len(machine["regions"]) - 1
        for region in machine["regions"][:-1]:
            if region["wakes"] != list(range(steps)):
                region["wakes"] = list(range(steps))
                return True
    return False


def states_out_of_range(data: Data) -> bool:
    busiest(data)["regions"][0]["states"] = 99
    return True


def final_state_lost(data: Data) -> bool:
    return first((one for one in data["pools"]["states"] if one["final"]), lambda one: one["final"].pop())


def every_state_final(data: Data) -> bool:
    states = data["pools"]["states"][0]
    states["final"] = list(range(len(states["names"])))
    return True


def rename_state(data: Data) -> bool:
    data["pools"]["states"][0]["names"][0] += "x"
    return True


def two_states_of_one_name(data: Data) -> bool:
    names = data["pools"]["states"][0]["names"]
    names[0] = names[1]
    return True


def region_without_origin(data: Data) -> bool:
    del busiest(data)["regions"][0]["origin"]
    return True


def rename_region(data: Data) -> bool:
    busiest(data)["regions"][0]["name"] += "x"
    return bool(data["kind"] == "spec")


def record_lost(data: Data) -> bool:
    region = busiest(data)["regions"][0]
    region["step"] = None if region["step"] else {"construct": "do"}
    return True


def unknown_construct(data: Data) -> bool:
    return first(records(data), lambda step: step.__setitem__("construct", "loop"))


def unknown_record_key(data: Data) -> bool:
    return first(records(data), lambda step: step.__setitem__("retries", 2))


def record_attempts(data: Data) -> bool:
    return first(records(data, "do"), lambda step: step.__setitem__("attempts", step["attempts"] + 1))


def record_no_attempts(data: Data) -> bool:
    return first(records(data, "do"), lambda step: step.__setitem__("attempts", 0))


def record_agent(data: Data) -> bool:
    return first(records(data, "do"), lambda step: step.__setitem__("agent", "someone"))


def record_output_source(data: Data) -> bool:
    return first(records(data), lambda step: step.__setitem__("is_output", not step["is_output"]))


def record_dependencies(data: Data) -> bool:
    return first((step for step in records(data) if step["deps"]), lambda step: step["deps"].pop())


def record_ensures(data: Data) -> bool:
    return first((step for step in records(data) if step.get("ensure")), lambda step: step["ensure"].pop())


def record_contract(data: Data) -> bool:
    return first(
        (step for step in records(data) if step.get("out") is not None), lambda s: s.update(out=None)
    )


def record_contract_out_of_range(data: Data) -> bool:
    return first(records(data, "do", "set"), lambda step: step.__setitem__("out", 99))


def gate_forgets_way_back(data: Data) -> bool:
    gates = (step for step in records(data, "gate") if step["on_revise"] is not None)
    return first(gates, lambda step: step.__setitem__("on_revise", None))


def negative_budget(data: Data) -> bool:
    budget = {"usd": None, "tokens": -1, "dispatches": None, "ms": None}
    return first(records(data, "do", "fanout", "run"), lambda step: step.__setitem__("budget", budget))


def further_budget(data: Data) -> bool:
    budget = {"usd": None, "tokens": 7, "dispatches": None, "ms": None}
    return first(records(data, "do", "fanout", "run"), lambda step: step.__setitem__("budget", budget))
