"""Collects the ways through each flow and workflow of the review page, and the gates on them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from stratumc.driver.review import Checked
from stratumc.emit.review_parts import PathEdge

if TYPE_CHECKING:
    from stratumc.review.gates_passed import GatesPassed
    from stratumc.review.ways import Ways


@dataclass(frozen=True, slots=True)
class Asked:
    """What is known of ways; nothing of an input that breaks rules."""

    ways: Ways | None = None
    """With those of projects that are put where none comes to, after those that a project can go."""
    known: int = 0
    """How many of the places, from the first, a run or project may come to."""
    gates: GatesPassed | None = None
    completes: bool = True
    """Whether it isn't proved that no run of the flow can end well."""


def workflow_asked(one: Checked) -> Asked:
    """What is known of a workflow."""
    from stratumc.checks.workflow_facts import Situation, WorkflowFacts
    from stratumc.review.ways import workflow_ways

    workflow = one.loaded.workflow
    if workflow is None or one.is_broken:
        return Asked()
    facts = WorkflowFacts(workflow)
    ways = workflow_ways(facts)
    lost = [Situation(state, None) for state in workflow.states if not ways.places_of(state)]
    further = workflow_ways(facts, lost).leaving if lost else {}
    return Asked(replace(ways, leaving={**ways.leaving, **further}), len(ways.leaving))


def flow_asked(one: Checked) -> dict[str, Asked]:
    """What is known of each flow of a spec, by its name; nothing of a spec that breaks rules."""
    from stratumc.checks.facts import SpecFacts
    from stratumc.checks.flow_facts import ProofFacts
    from stratumc.review.flow_ways import flow_ways
    from stratumc.review.gates_passed import gates_passed
    from stratumc.review.good_runs import can_complete

    if one.loaded.spec is None or one.is_broken:
        return {}
    asked = {}
    for name, facts in ProofFacts(SpecFacts(one.loaded.spec)).flows.items():
        ways = flow_ways(facts)
        asked[name] = Asked(ways, len(ways.leaving), gates_passed(facts), can_complete(facts))
    return asked


def path_edges(ways: Ways, numbers: dict[str, int]) -> Iterator[PathEdge]:
    """The hops between places, by their numbers; `numbers` are those of steps or states."""
    places = {place: number for number, place in enumerate(ways.leaving)}
    for place, leaving in ways.leaving.items():
        for hop, after in leaving:
            previous = None if hop.previous is None else numbers[hop.previous]
            yield PathEdge(places[place], places[after], hop.outcome, previous)
