"""Whether the records of steps and machines in a table are sound (docs/table-format.md, "Step records")."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from stratum_runtime.argument_check import Arguments

    Check = Callable[[Arguments, Any], Any]

_COMMON = {
    "construct": "text",
    "deps": "regions",
    "when": "expression?",
    "carries": "writes",
    "is_output": "flag",
}
_ENSURED = {"out": "contract?", "ensure": "ensure"}
_RECORDS: dict[str, dict[str, str]] = {
    "do": {
        **_ENSURED,
        "task": "template",
        "agent": "text",
        "attempts": "positive",
        "iterate": "iterate?",
        "budget": "budget?",
        "on_fail": "region?",
    },
    "set": {**_ENSURED, "fields": "fields"},
    "gate": {
        "on_approve": "region?",
        "on_revise": "region?",
        "on_kill": "region?",
        "max_rounds": "positive?",
        "writes": "writes",
    },
    "fanout": {
        "over": "template",
        "machine": "item machine",
        "stages": "stages",
        "concurrency": "positive",
        "isolation": "text",
        "require": "requirement",
        "merge": "text",
        "pre_merge": "any",
        "dispatch": "text",
        "attempts": "positive",
        "budget": "budget?",
        "on_fail": "region?",
    },
    "run": {"machine": "flow machine", "arguments": "value", "budget": "budget?", "on_fail": "region?"},
    "evaluate": {"command": "text", "input": "template?", "timeout_ms": "positive", "out": "contract?"},
}
_STAGE = {**_ENSURED, "task": "template", "agent": "text", "attempts": "positive", "when": "expression?"}
_DATA = {
    "flow": {
        "input": "contract",
        "output": "output",
        "budget": "budget?",
        "max_rounds": "positive?",
        "carry": "carry",
    },
    "item": {"fanout": "fanout"},
    "workflow": {
        "initial": "state",
        "descriptions": "descriptions",
        "global_actions": "texts",
        "thresholds": "numbers",
        "resumption": "resumption",
        "config": "config",
    },
}


def check_data(check: Arguments, machine: Mapping[str, Any]) -> None:
    """The data of a machine, then the records of its steps. Raises TableError."""
    check.where = f"machine `{machine['name']}`"
    check.names = check.pools["states"][machine["regions"][-1]["states"]]["names"]
    _record(check, machine["data"], _DATA[machine["role"]])
    for region in machine["regions"]:
        step = region["step"]
        if step is not None:
            check.where = f"the step `{region['name']}` of machine `{machine['name']}`"
            check.need(
                step.get("construct") in _RECORDS, f"the construct {step.get('construct')!r} is unknown"
            )
            _record(check, step, {**_COMMON, **_RECORDS[step["construct"]]})


def _record(check: Arguments, record: Any, kinds: Mapping[str, str]) -> None:
    check.need(isinstance(record, dict) and set(record) == set(kinds), f"its keys must be {sorted(kinds)}")
    for key, kind in kinds.items():
        if not (kind.endswith("?") and record[key] is None):
            _KINDS[kind.removesuffix("?")](check, record[key])


def _is_amount(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _flag(check: Arguments, value: Any) -> None:
    check.need(isinstance(value, bool), f"{value!r} isn't a truth value")


def _ensure(check: Arguments, value: Any) -> None:
    for item in value:
        match item:
            case ["expr", expression]:
                check.index("expressions", expression)
            case ["file_exists", str()] | ["file_contains", str(), str()] | ["judged", str(), str()]:
                pass
            case _:
                check.need(False, f"the ensure {item!r} is malformed")


def _iterate(check: Arguments, value: Any) -> None:
    _record(check, value, {"max": "positive", "until": "expression"})


def _budget(check: Arguments, value: Any) -> None:
    check.need(
        set(value) == {"usd", "tokens", "dispatches", "ms"}
        and all(limit is None or (_is_amount(limit) and limit > 0) for limit in value.values()),
        f"the budget {value!r} is malformed",
    )


def _fields(check: Arguments, value: Any) -> None:
    for name, expression in value:
        check.text(name)
        check.index("expressions", expression)


def _stages(check: Arguments, value: Any) -> None:
    check.need(value, "a fanout has no stages")
    for stage in value:
        _record(check, stage, _STAGE)


def _machine(role: str) -> Check:
    def check_machine(check: Arguments, value: Any) -> None:
        machines = check.data["machines"]
        check.choice(value, range(len(machines)), "machine")
        check.need(machines[value]["role"] == role, f"machine {value} is not one of role `{role}`")

    return check_machine


def _output(check: Arguments, value: Any) -> None:
    _record(check, value, {"from": "template", "contract": "contract"})


def _carry(check: Arguments, value: Any) -> None:
    for variable in value:
        _record(check, variable, {"name": "text", "initial": "template", "source": "region?"})


def _fanout(check: Arguments, value: Any) -> None:
    machine, region = value
    machines = check.data["machines"]
    check.choice(machine, range(len(machines)), "machine")
    check.choice(region, range(len(machines[machine]["regions"]) - 1), "region")
    step = machines[machine]["regions"][region]["step"]
    check.need(machines[step["machine"]] is check.machine, "it is not the machine of its fanout")


def _descriptions(check: Arguments, value: Any) -> None:
    check.need(
        len(value) == len(check.names) and all(text is None or isinstance(text, str) for text in value),
        "the descriptions are not one for each state",
    )


def _texts(check: Arguments, value: Any) -> None:
    for text in value:
        check.text(text)


def _numbers(check: Arguments, value: Any) -> None:
    check.need(all(map(_is_amount, value.values())), "a threshold isn't a number")


def _resumption(check: Arguments, value: Any) -> None:
    for pair in value:
        check.need(len(pair) == 2, f"the resumption {pair!r} is malformed")
        for state in pair:
            check.choice(state, range(len(check.names)), "state")


def _config(check: Arguments, value: Any) -> None:
    keys = {"state_file", "log_file", "state_field", "previous_state_field"}
    check.need(
        set(value) == keys and all(text is None or isinstance(text, str) for text in value.values()),
        "the configuration is malformed",
    )


def _anything(check: Arguments, value: Any) -> None:
    """Whatever JSON holds."""


_KINDS: dict[str, Check] = {
    "any": _anything,
    "budget": _budget,
    "carry": _carry,
    "config": _config,
    "contract": lambda check, value: check.index("contracts", value),
    "descriptions": _descriptions,
    "ensure": _ensure,
    "expression": lambda check, value: check.index("expressions", value),
    "fanout": _fanout,
    "fields": _fields,
    "flag": _flag,
    "flow machine": _machine("flow"),
    "item machine": _machine("item"),
    "iterate": _iterate,
    "numbers": _numbers,
    "output": _output,
    "positive": lambda check, value: check.positive(value),
    "region": lambda check, value: check.region_argument(value),
    "regions": lambda check, value: check.regions_argument(value),
    "requirement": lambda check, value: value if value in ("all", "any") else check.positive(value),
    "resumption": _resumption,
    "stages": _stages,
    "state": lambda check, value: check.choice(value, range(len(check.names)), "state"),
    "template": lambda check, value: check.template(value),
    "text": lambda check, value: check.text(value),
    "texts": _texts,
    "value": lambda check, value: check.value(value),
    "writes": lambda check, value: check.writes(value),
}
