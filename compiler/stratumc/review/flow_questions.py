"""What `stratumc path` and assertions ask of a flow: ways between steps, and what every run passes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from stratumc.checks.facts import SpecFacts
from stratumc.checks.flow_facts import FlowFacts, ProofFacts
from stratumc.proof.results import Proved, Result
from stratumc.review.flow_must_pass import flow_must_pass
from stratumc.review.questions import Claim, require
from stratumc.review.ways import Hop, Place, flow_ways, walk_back
from stratumc.spec.syntax import Gate, Spec


@dataclass(frozen=True, slots=True)
class FlowPath:
    """What leads from one step of a flow to another."""

    start: str | None
    """None for where runs begin."""
    goal: str | None
    hops: tuple[Hop, ...] | None
    """The shortest path; None when there is none, or no goal was given."""
    reachable: tuple[tuple[str, int], ...]
    """What can be reached, with its distance, nearest first."""
    passes: tuple[str, ...]
    """The gates that were approved in every run, before the goal begins."""

    def to_dict(self) -> dict[str, Any]:
        """The answer as a JSON object."""
        return {
            "from": self.start,
            "to": self.goal,
            "path": None if self.hops is None else [hop.to_dict() for hop in self.hops],
            "reachable": [{"step": name, "distance": distance} for name, distance in self.reachable],
            "passes": list(self.passes),
        }


def flow_path(
    spec: Spec, flow: str | None, start: str | None, goal: str | None, avoid: Iterable[str] = ()
) -> FlowPath:
    """The shortest path between two steps, or without a goal what is reachable. Raises UnknownPlaceError."""
    facts = _flow_facts(spec, flow)
    kept_out = frozenset(avoid)
    for name in (start, goal, *sorted(kept_out)):
        require("step", name, facts.graph.ids)
    ways = flow_ways(facts)
    found = ways.search(ways.starts if start is None else (Place(start),), kept_out)
    distances: dict[str, int] = {}
    for place, came in found.items():
        distances[place.name] = 0 if came is None else distances[came[0].name] + 1
    comes = {
        name: distance
        for name, distance in distances.items()
        if not kept_out or _runs_without(facts, start, name, kept_out)
    }
    reachable = tuple((name, distance) for name, distance in comes.items() if distance)
    hops = walk_back(found, Place(goal)) if goal is not None and goal in comes else None
    passes = () if goal is None or hops is None else tuple(_passed(facts, start, goal))
    return FlowPath(start, goal, hops, reachable, passes)


def _runs_without(facts: FlowFacts, start: str | None, goal: str, avoid: frozenset[str]) -> bool:
    """Whether a run may reach the goal without the steps to be avoided: a step waits for all it needs."""
    from stratumc.proof.logic import conjunction, negation

    index, prover = facts.graph.index, facts.prover
    steps = prover.model.steps
    wanted = [steps[index[name]].runs for name in (start, goal) if name is not None]
    left_out = [negation(steps[index[name]].runs) for name in sorted(avoid)]
    return not prover.never(prover.model.everyone, conjunction(*wanted, *left_out))


def _passed(facts: FlowFacts, start: str | None, goal: str) -> Iterable[str]:
    for step in facts.flow.steps:
        if isinstance(step.body, Gate) and step.id not in (start, goal):
            result = flow_must_pass(facts, _index(facts, start), facts.graph.index[goal], step.index)
            if isinstance(result, Proved):
                yield step.id


def decide_flow(claim: Claim, spec: Spec) -> Result:
    """Whether a claim holds of a flow. Raises UnknownPlaceError."""
    facts = _flow_facts(spec, claim.flow)
    for name in (claim.start, claim.goal, claim.gate):
        require("step", name, facts.graph.ids)
    index = facts.graph.index
    return flow_must_pass(facts, _index(facts, claim.start), index[claim.goal], index[claim.gate])


def _flow_facts(spec: Spec, flow: str | None) -> FlowFacts:
    name = spec.entry if flow is None else flow
    require("flow", name, tuple(spec.flows))
    return ProofFacts(SpecFacts(spec)).flows[name]


def _index(facts: FlowFacts, step: str | None) -> int | None:
    return None if step is None else facts.graph.index[step]
