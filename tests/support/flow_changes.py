"""Changes of small random flows, and what is true of all runs before and after: by trying every round."""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import yaml

from stratumc.graph.flow_graph import flow_graph
from stratumc.graph.step_order import StepOrder
from stratumc.graph.step_text import expressions_of
from stratumc.proof.simulate import Player, is_true
from stratumc.spec.syntax import Do, Flow, Gate
from support.small_flows import Played, Writer, load, rounds

CONDITIONS = ("input.p", "!input.p", "input.q == 'x'", "input.q != 'z'", "input.p || input.q == 'y'")
ENSURES = ("result.b", "!result.b", "result.e == 'x'", "result.b == input.p")

Document = dict[str, Any]


class GateWriter(Writer):
    """Writes flows of many gates, with steps after them and conditions on most."""

    def _kind(self, number: int) -> str:
        return self.random.choice(("gate", "gate", "do", "set") if number else ("do", "do", "set"))

    def _condition(self, before: list[int]) -> str:
        return self.random.choice(CONDITIONS) if self.random.random() < 0.5 else super()._condition(before)


def changed(seed: int) -> tuple[Document, Document]:
    """A document of one small flow, and the same with one to three things changed."""
    pick = random.Random(seed)
    writer = GateWriter if seed % 2 else Writer
    old: Document = yaml.safe_load(writer(pick.randrange(10_000)).text())
    new = copy.deepcopy(old)
    for _ in range(pick.randint(1, 3)):
        _change(new["flows"]["main"], pick)
    return (new, old) if pick.random() < 0.5 else (old, new)


def _change(flow: Document, pick: random.Random) -> None:
    steps = flow["steps"]
    if pick.random() < 0.15:
        _take_out(flow, pick.randrange(len(steps)))
        return
    index = pick.randrange(len(steps))
    step, later = steps[index], [one["id"] for one in steps[index + 1 :]]
    earlier = [one["id"] for one in steps[:index]]
    kinds = ["when", "when", "unless", "gate" if "gate" in step else "do"]
    kinds += ["after", "fewer"] if earlier else []
    match pick.choice(kinds):
        case "when":
            step["when"] = pick.choice(CONDITIONS)
        case "unless":
            step.pop("when", None)
        case "after":
            step["after"] = sorted({*step.get("after", ()), pick.choice(earlier)})
        case "fewer" if step.get("after"):
            step["after"].remove(pick.choice(step["after"]))
        case "gate":
            step["gate"][pick.choice(("on_approve", "on_kill"))] = pick.choice([None, *later])
        case "do" if "do" in step:
            if later and pick.random() < 0.5:
                step["on_fail"] = pick.choice(later)
            elif pick.random() < 0.5:
                step.pop("on_fail", None)
            else:
                step["ensure"] = [{"expr": pick.choice(ENSURES)} for _ in range(pick.randint(1, 2))]
        case _:
            pass


def _take_out(flow: Document, index: int) -> None:
    """A step is taken out, if nothing but `after` names it."""
    steps = flow["steps"]
    gone = steps[index]["id"]
    others = (*steps[:index], *steps[index + 1 :], flow["output"])
    if any(gone in str({**other, "after": None}) for other in others):
        return
    del steps[index]
    for step in steps:
        step["after"] = [name for name in step.get("after", ()) if name != gone]


@dataclass(frozen=True)
class EveryRun:
    """A flow, and every round that it can have."""

    flow: Flow
    rounds: tuple[Played, ...]

    @cached_property
    def graph(self) -> Any:
        """The flow's graph."""
        return flow_graph(self.flow)

    @cached_property
    def order(self) -> StepOrder:
        """Which steps have ended when another begins."""
        return StepOrder(self.graph)

    @cached_property
    def is_ordered(self) -> bool:
        """Whether expressions read only steps that have ended: no round depends on which of two is faster."""
        return all(
            self.order.before(step.index) >> other.index & 1
            for step in self.flow.steps
            for text in expressions_of(step)
            for other in self.flow.steps
            if re.search(rf"\b{other.id}\b", text.value)
        )

    @cached_property
    def good(self) -> tuple[Played, ...]:
        """Those that end well."""
        reference = self.flow.output.source.full
        assert reference is not None
        source = self.graph.index[reference.name]
        everything = len(self.flow.steps)
        return tuple(
            one for one in self.rounds if len(one.round.done) == everything and source in one.round.outputs
        )

    def is_smooth(self, one: Played) -> bool:
        """Whether all gates are approved, and no task fails whose strings can be written."""
        tasks = (self.flow.steps[index].body for index in one.scenario.failed)
        reads = (
            [self.index(read.name or "") for read in task.task.references]
            for task in tasks
            if isinstance(task, Do)
        )
        lacking = all(any(source not in one.round.outputs for source in sources) for sources in reads)
        return not one.scenario.killed and lacking

    def index(self, name: str) -> int | None:
        """The index of a step."""
        found: int | None = self.graph.index.get(name)
        return found

    def is_gate(self, name: str) -> bool:
        """Whether there is a gate of this name."""
        index = self.index(name)
        return index is not None and isinstance(self.flow.steps[index].body, Gate)

    def ran(self, name: str) -> Iterator[Played]:
        """The rounds in which a step ran."""
        index = self.index(name)
        return (one for one in self.rounds if index in one.round.ran)

    def passed(self, one: Played, name: str, goal: str | None = None) -> bool:
        """Whether a step has succeeded in a round, a gate was approved; and comes before a goal."""
        index = self.index(name)
        well = index in one.round.succeeded and index not in one.scenario.killed
        return well and (goal is None or bool(self.graph.is_before(index, self.index(goal))))

    def holds(self, one: Played, name: str, condition: str | None) -> bool:
        """Whether a condition is true as the turn of a step comes."""
        index = self.index(name)
        if condition is None or index is None:
            return condition is None
        return is_true(condition, self._player.bindings(index, one.scenario, one.round))

    @cached_property
    def _player(self) -> Player:
        return Player(self.flow, self.graph)

    def closure(self, name: str) -> frozenset[str]:
        """A step and those after it."""
        index = self.graph.index[name]
        return frozenset(self.graph.ids[other] for other in self.graph.closure(index))


def every_run(document: Document, limit: int = 3_000) -> EveryRun | None:
    """Every round of the document's flow; None when they are too many."""
    flow = load(yaml.safe_dump(document, sort_keys=False)).flows["main"]
    played = rounds(flow, limit)
    return None if played is None else EveryRun(flow, tuple(played))
