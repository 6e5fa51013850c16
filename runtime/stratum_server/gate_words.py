"""What is said of a gate that waits: what is to be judged, and what each outcome does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from stratum_server.words import cut

Answer = dict[str, Any]


def rounds_text(gate: Answer) -> str:
    """The rounds used, and how many there may be where that is limited."""
    allowed = gate["rounds_allowed"]
    return str(gate["rounds_used"]) if allowed is None else f"{gate['rounds_used']} of {allowed}"


def outcome_lines(gate: Answer) -> Iterator[str]:
    """The outputs to be judged, then each outcome that the gate has, a line each."""
    for step, output in (gate.get("inputs") or {}).items():
        yield f"To be judged: `{step}` gave {cut(output)}"
    parent = gate["step_id"].rpartition("/")[0]
    routes = gate["routes"]
    yield f"- approve {_leads(routes['approve'], 'lets the run go on')}"
    if routes["revise"] is not None:
        yield f"- revise {_revise(gate, parent)}"
    yield f"- kill {_leads(routes['kill'], f'fails `{parent}`' if parent else 'ends the run')}"


def _leads(target: str | None, otherwise: str) -> str:
    return otherwise if target is None else f"leads to `{target}`"


def _revise(gate: Answer, parent: str) -> str:
    if _is_used_up(gate, "rounds") or _is_used_up(gate, "gate_rounds"):
        return f"would fail {f'`{parent}`' if parent else 'the run'}: the rounds are used up"
    return f"leads to `{gate['routes']['revise']}`, to be done again with what follows from it"


def _is_used_up(gate: Answer, what: str) -> bool:
    allowed = gate[f"{what}_allowed"]
    return allowed is not None and gate[f"{what}_used"] >= allowed
