"""Whether the pools of a table are sound, each entry by itself (docs/table-format.md, "Pools")."""

from __future__ import annotations

from stratum_runtime.errors import TableError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_PRIMITIVES = {"string", "integer", "number", "boolean", "object", "array"}
_OPERATORS = {">=", "<=", ">", "<", "==", "!="}
POOLS = {"states", "expressions", "templates", "contracts", "values", "conditions"}


def check_pools(data: dict[str, Any]) -> None:
    """Every entry of every pool; regions are checked where templates are used. Raises TableError."""
    pools = data["pools"]
    if not isinstance(pools, dict) or set(pools) != POOLS:
        raise TableError(f"the table's pools must be {sorted(POOLS)}")
    thresholds = {name for machine in data["machines"] for name in machine["data"].get("thresholds", ())}
    checks: dict[str, Callable[[Any], bool]] = {
        "states": _is_states,
        "expressions": _is_expression,
        "templates": _is_template,
        "contracts": lambda entry: _is_contract(entry, len(pools["contracts"])),
        "values": lambda entry: _is_value(entry, len(pools["templates"])),
        "conditions": lambda entry: _is_condition(entry, thresholds),
    }
    for name, check in checks.items():
        for number, entry in enumerate(pools[name]):
            if not check(entry):
                raise TableError(f"entry {number} of the pool `{name}` is malformed")


def is_number(value: Any, below: int) -> bool:
    """Whether a value is an integer from 0 to below a bound."""
    return value.__class__ is int and 0 <= value < below


def is_text(value: Any) -> bool:
    """Whether a value is a string."""
    return isinstance(value, str)


def _is_states(entry: Any) -> bool:
    names, final = entry["names"], entry["final"]
    return bool(
        set(entry) == {"names", "final"}
        and names
        and all(map(is_text, names))
        and len(set(names)) == len(names)
        and all(is_number(state, len(names)) for state in final)
        and sorted(set(final)) == final
    )


def _is_expression(entry: Any) -> bool:
    return set(entry) == {"text", "code"} and is_text(entry["text"]) and isinstance(entry["code"], dict)


def _is_template(entry: Any) -> bool:
    parts = entry["parts"]
    return bool(
        set(entry) == {"text", "parts", "full"}
        and is_text(entry["text"])
        and all(is_text(part) or _is_reference(part) for part in parts)
        and isinstance(entry["full"], bool)
        and (not entry["full"] or (len(parts) == 1 and isinstance(parts[0], list)))
    )


def _is_reference(part: Any) -> bool:
    match part:
        case ["item"] | ["prev"]:
            return True
        case ["input", path]:
            return _is_path(path)
        case ["step" | "carry", number, path]:
            return is_number(number, 1 << 60) and _is_path(path)
    return False


def _is_path(path: Any) -> bool:
    return isinstance(path, list) and all(is_text(part) or is_number(part, 1 << 4096) for part in path)


def _is_contract(entry: Any, contracts: int) -> bool:
    names = [name for name, _, _ in entry["fields"]]
    return bool(
        set(entry) == {"name", "fields"}
        and (entry["name"] is None or is_text(entry["name"]))
        and len(set(names)) == len(names)
        and all(
            is_text(name) and _is_type(kind, contracts) and isinstance(optional, bool)
            for name, kind, optional in entry["fields"]
        )
    )


def _is_type(kind: Any, contracts: int) -> bool:
    while isinstance(kind, list) and len(kind) == 2 and kind[0] == "array":
        kind = kind[1]
    match kind:
        case str():
            return kind in _PRIMITIVES
        case ["enum", [*members]]:
            return bool(members) and all(map(is_text, members))
        case ["contract", index]:
            return is_number(index, contracts)
    return False


def _is_value(entry: Any, templates: int) -> bool:
    match entry:
        case ["template", index]:
            return is_number(index, templates)
        case ["list", [*items]]:
            return all(_is_value(item, templates) for item in items)
        case ["object", [*pairs]]:
            return all(is_text(key) and _is_value(value, templates) for key, value in pairs)
        case ["value", value]:
            return value is None or isinstance(value, bool | int | float)
    return False


def _is_condition(entry: Any, thresholds: set[str]) -> bool:
    if set(entry) != {"text", "code"} or not is_text(entry["text"]):
        return False
    match entry["code"]:
        case "always":
            return True
        case [left, operator, right]:
            sides = _is_operand(left, thresholds) and _is_operand(right, thresholds)
            return sides and operator in _OPERATORS
    return False


def _is_operand(operand: Any, thresholds: set[str]) -> bool:
    match operand:
        case ["path", [*names]]:
            return bool(names) and all(map(is_text, names))
        case ["threshold", name]:
            return name in thresholds
        case ["number", value]:
            return isinstance(value, int | float) and not isinstance(value, bool)
    return False
