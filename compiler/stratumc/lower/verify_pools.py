"""Whether the pools of a table say what the texts in them say (no code of the lowering)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from stratumc.expr import compile_text

_REFERENCE = re.compile(r"\$\{([^}]*)\}")
_PART = re.compile(r"\.([A-Za-z_]\w*)|\[(\d+)\]")


def pool_faults(data: dict[str, Any]) -> Iterator[str]:
    """What is wrong with expressions, templates and conditions against their own texts."""
    for number, entry in enumerate(data["pools"]["expressions"]):
        if _plain(compile_text(entry["text"])) != _plain(entry["code"]):
            yield f"the code of expression {number} is not that of its text"
    for machine in data["machines"]:
        if machine["role"] == "flow":
            names = _Names(machine)
            for index in dict.fromkeys(_templates_used(data, machine)):
                fault = _template_fault(data["pools"]["templates"][index], names)
                if fault:
                    yield f"template {index}: {fault}"
    for number, entry in enumerate(data["pools"]["conditions"]):
        if _condition_text(entry["code"]) != _condition_text(_read_condition(entry["text"])):
            yield f"the code of condition {number} is not that of its text"


def _plain(value: Any) -> str:
    """JSON text in which 1 and 1.0 are one."""
    return json.dumps(json.loads(json.dumps(value), parse_int=float), sort_keys=True)


class _Names:
    """The numbers of a flow's steps and carry variables by name."""

    def __init__(self, machine: dict[str, Any]) -> None:
        self.steps = {region["name"]: number for number, region in enumerate(machine["regions"][:-1])}
        self.carry = {variable["name"]: number for number, variable in enumerate(machine["data"]["carry"])}


def _templates_used(data: dict[str, Any], machine: dict[str, Any]) -> Iterator[int]:
    """Every use of a template in a flow."""
    values = data["pools"]["values"]
    yield machine["data"]["output"]["from"]
    for variable in machine["data"]["carry"]:
        yield variable["initial"]
    for region in machine["regions"][:-1]:
        record = region["step"]
        for key in ("task", "over", "input"):
            if record.get(key) is not None:
                yield record[key]
        for stage in record.get("stages", ()):
            yield stage["task"]
        for _, template in record.get("writes", ()):
            yield template
        waiting = [values[record["arguments"]]] if "arguments" in record else []
        while waiting:
            kind, content = waiting.pop()
            if kind == "template":
                yield content
            elif kind != "value":
                waiting.extend(content if kind == "list" else (item for _, item in content))


def _template_fault(template: dict[str, Any], names: _Names) -> str:
    pieces = _REFERENCE.split(template["text"])
    expected: list[Any] = []
    for place, piece in enumerate(pieces):
        if place % 2 == 0:
            expected += [piece] if piece or len(pieces) == 1 else []
        else:
            expected.append(_reference(piece, names))
    if expected != template["parts"]:
        return "its parts are not those of its text"
    is_full = len(pieces) == 3 and not pieces[0] and not pieces[2]
    return "" if template["full"] is is_full else "it is marked wrongly as full"


def _reference(text: str, names: _Names) -> Any:
    """What the text between braces refers to; a name followed by `.output` is a step."""
    if text in ("item", "prev"):
        return [text]
    head = re.match(r"[a-z][a-z0-9_-]*", text)
    name = head[0] if head else ""
    rest = text[len(name) :]
    step = re.match(r"\.output(?=[.\[]|$)", rest)
    if name == "input" and not step:
        return ["input", _path(rest)]
    if step:
        return ["step", names.steps.get(name), _path(rest[step.end() :])]
    return ["carry", names.carry.get(name), _path(rest)]


def _path(text: str) -> list[str | int]:
    return [name or int(index) for name, index in _PART.findall(text)]


def _read_condition(text: str) -> Any:
    stripped = text.strip()
    if stripped == "always":
        return "always"
    match = re.fullmatch(r"([^<>=!\s]+)\s*([<>=!]=?)\s*([^<>=!\s]+)", stripped)
    if match is None:
        return None
    left, operator, right = match.groups()
    return [_read_operand(left), operator, _read_operand(right)]


def _read_operand(text: str) -> list[Any]:
    try:
        return ["number", float(text)]
    except ValueError:
        first, _, rest = text.partition(".")
        return ["threshold", rest] if first == "thresholds" else ["path", text.split(".")]


def _condition_text(code: Any) -> str:
    return _plain(code)
