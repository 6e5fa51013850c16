"""What good runs spend, in words: a line for each flow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from stratumc.driver.batch import Checked

_WORDS = {"dispatches": "dispatches", "decisions": "gate decisions", "rounds": "rounds"}


def render_bounds(results: Sequence[Checked]) -> str:
    """The bounds of every flow of the inputs that have them."""
    return "".join(
        line for result in results if result.bounds for line in _lines(result.input.name, result.bounds)
    )


def _lines(name: str, bounds: dict[str, Any]) -> Iterator[str]:
    for flow, ranges in bounds.items():
        if ranges is None:
            yield f"{name}: {flow}: no run can end well\n"
            continue
        parts = (f"{_WORDS[what]} {_range(ranges[what])}" for what in _WORDS)
        yield f"{name}: {flow}: {', '.join(parts)}\n"


def _range(limits: dict[str, int | None]) -> str:
    least, most = limits["least"], limits["most"]
    if most is None:
        return f"{least} or more"
    return str(least) if least == most else f"{least} to {most}"
