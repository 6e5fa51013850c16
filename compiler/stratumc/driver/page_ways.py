"""Collects the ways through each flow and workflow of the review page, and the gates on them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from stratumc.driver.review import Checked
from stratumc.emit.review_parts import PathEdge

if TYPE_CHECKING:
    from stratumc.checks.flow_facts import FlowFacts
    from stratumc.review.paths.gates_passed import GatesPassed
    from stratumc.review.paths.ways import Hop, Ways

MOST_PATHS = 400
"""Of so many pairs of steps the path is looked for that one run takes; of larger flows hops are joined."""

Paths = tuple[tuple["tuple[Hop, ...] | None", ...], ...]
"""From where runs begin, then from each step, the path to each step; None where there is none."""


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
    paths: Paths | None = None
    """Of a flow in which hops that follow each other may be those of different runs."""
    is_of_runs: bool = True
    """Whether every path is one that some run takes."""


def workflow_asked(one: Checked) -> Asked:
    """What is known of a workflow."""
    from stratumc.checks.workflow_facts import Situation, WorkflowFacts
    from stratumc.review.paths.ways import workflow_ways

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
    from stratumc.review.paths.flow_ways import flow_ways
    from stratumc.review.paths.gates_passed import gates_passed
    from stratumc.review.paths.good_runs import can_complete

    if one.loaded.spec is None or one.is_broken:
        return {}
    asked = {}
    for name, facts in ProofFacts(SpecFacts(one.loaded.spec)).flows.items():
        ways = flow_ways(facts)
        paths = _paths(facts)
        asked[name] = Asked(
            ways,
            len(ways.leaving),
            gates_passed(facts),
            can_complete(facts),
            paths,
            is_of_runs=facts.is_plain or paths is not None,
        )
    return asked


def _paths(facts: FlowFacts) -> Paths | None:
    """The paths that `stratumc path` tells; None where joined hops are the same, or it isn't sure of them.

    None of a large flow, too.
    """
    from stratumc.review.paths.flow_paths import FoundPath, NoPath, PathFinder

    steps = range(len(facts.flow.steps))
    if facts.is_plain or len(steps) * (len(steps) + 1) > MOST_PATHS:
        return None
    finders = (PathFinder(facts, start, frozenset()) for start in (None, *steps))
    found = [[finder.path(goal) for goal in steps] for finder in finders]
    if any(isinstance(one, NoPath) and not one.is_sure for row in found for one in row):
        return None
    return tuple(tuple(one.hops if isinstance(one, FoundPath) else None for one in row) for row in found)


def path_edges(ways: Ways, numbers: dict[str, int]) -> Iterator[PathEdge]:
    """The hops between places, by their numbers; `numbers` are those of steps or states."""
    places = {place: number for number, place in enumerate(ways.leaving)}
    for place, leaving in ways.leaving.items():
        for hop, after in leaving:
            previous = None if hop.previous is None else numbers[hop.previous]
            yield PathEdge(places[place], places[after], hop.outcome, previous)


def path_hops(ways: Ways, numbers: dict[str, int], hops: tuple[Hop, ...]) -> tuple[PathEdge, ...]:
    """The hops of a path through a flow, between the places of its steps."""
    places = {place.name: number for number, place in enumerate(ways.leaving)}
    return tuple(
        PathEdge(
            places[hop.source], places[hop.target], hop.outcome, over=tuple(numbers[one] for one in hop.over)
        )
        for hop in hops
    )
