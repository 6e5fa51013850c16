"""Which steps come after which, in the reference interpreter: edges of v1.md section 6, by plain search."""

from __future__ import annotations

import re
from typing import Any

from support.reference_values import REFERENCE

OUTPUT = re.compile(r"([a-z][a-z0-9_-]*)\.output(?=$|[.\[])")


def dependencies(step: dict[str, Any]) -> list[str]:
    """The ids a step depends on: `after`, then every `${x.output…}` in it, without doubles."""
    found = list(step.get("after", []))
    for text in scanned(step):
        for reference in REFERENCE.findall(text):
            match = OUTPUT.match(reference)
            if match:
                found.append(match[1])
    return list(dict.fromkeys(found))


def scanned(step: dict[str, Any]) -> list[str]:
    """The strings of a step in which a reference makes an edge."""
    fanout, evaluate = step.get("fanout", {}), step.get("evaluate", {})
    texts = strings([step.get("do"), step.get("with"), step.get("when"), step.get("set"), evaluate.get("in")])
    texts += strings([step.get("iterate", {}).get("until"), fanout.get("over")])
    for part in [step, *fanout.get("steps", [])]:
        texts += strings([part.get("do"), part.get("when"), [e.get("expr") for e in part.get("ensure", [])]])
    return texts


def strings(value: Any) -> list[str]:
    """Every string inside a JSON value, keys left out."""
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [text for item in inner for text in strings(item)]


def routes(step: dict[str, Any]) -> list[str]:
    """The ids a step can route to."""
    gate = step.get("gate", {})
    targets = [step.get("on_fail"), gate.get("on_approve"), gate.get("on_kill")]
    return [target for target in targets if target is not None]


def reach(steps: list[dict[str, Any]], start: str, *, routing: bool) -> set[str]:
    """The ids reachable from `start` (included) by dependency edges, and by routing edges too if asked."""
    found, growing = {start}, True
    while growing:
        growing = False
        for step in steps:
            into = [s["id"] for s in steps if routing and step["id"] in routes(s)]
            if step["id"] not in found and found & {*dependencies(step), *into}:
                found.add(step["id"])
                growing = True
    return found
