"""What `stratumc path` and assertions ask of a flow: ways between steps, and what every run passes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from stratumc.checks.facts import SpecFacts
from stratumc.checks.flow_facts import FlowFacts, ProofFacts
from stratumc.proof.results import Proved, Result
from stratumc.review.flow_must_pass import flow_must_pass, never_comes
from stratumc.review.good_runs import can_complete
from stratumc.review.nested_must_pass import nested_gates, nested_must_pass
from stratumc.review.questions import Claim, UnknownPlaceError, require
from stratumc.review.ways import Hop, Place, flow_ways, walk_back
from stratumc.spec.syntax import Gate, Run, Spec, Step


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
    """The gates that were approved in every run, before the goal begins; `step.gate` for one of a flow that a
    step runs.
    """
    completes: bool
    """Whether it isn't proved that no run of the flow can end well, whatever it comes to before."""

    def to_dict(self) -> dict[str, Any]:
        """The answer as a JSON object."""
        return {
            "from": self.start,
            "to": self.goal,
            "path": None if self.hops is None else [hop.to_dict() for hop in self.hops],
            "reachable": [{"step": name, "distance": distance} for name, distance in self.reachable],
            "passes": list(self.passes),
            "completes": self.completes,
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
    return FlowPath(start, goal, hops, reachable, passes, can_complete(facts))


def _runs_without(facts: FlowFacts, start: str | None, goal: str, avoid: frozenset[str]) -> bool:
    """Whether a run may reach the goal without the steps to be avoided: a step waits for all it needs."""
    from stratumc.proof.logic import conjunction, negation

    index, prover = facts.graph.index, facts.prover
    steps = prover.model.steps
    wanted = [steps[index[name]].runs for name in (start, goal) if name is not None]
    left_out = [negation(steps[index[name]].runs) for name in sorted(avoid)]
    return not prover.never(prover.model.everyone, conjunction(*wanted, *left_out))


def _passed(facts: FlowFacts, start: str | None, goal: str) -> Iterable[str]:
    begin, end = _index(facts, start), facts.graph.index[goal]
    for step in facts.flow.steps:
        is_asked = isinstance(step.body, Gate) and step.id not in (start, goal)
        if is_asked and isinstance(flow_must_pass(facts, begin, end, step.index), Proved):
            yield step.id
        for name, gate in nested_gates(facts, step) if step.id != goal else ():
            if isinstance(nested_must_pass(facts, begin, end, step, gate), Proved):
                yield name


def decide_flow(claim: Claim, spec: Spec) -> Result:
    """Whether a claim holds of a flow. Raises UnknownPlaceError.

    A gate `step.gate` is one of the flow that the step runs.
    """
    facts = _flow_facts(spec, claim.flow)
    caller, _, inside = claim.gate.partition(".")
    for name in (claim.start, claim.goal, caller):
        require("step", name, facts.graph.ids)
    index = facts.graph.index
    start, goal, step = _index(facts, claim.start), index[claim.goal], facts.flow.steps[index[caller]]
    if inside:
        result = nested_must_pass(facts, start, goal, step, _inner_gate(facts, step, inside))
    else:
        result = flow_must_pass(facts, start, goal, step.index)
    if isinstance(result, Proved) and never_comes(facts, start, goal):
        return Proved(vacuous=True)
    return result


def _inner_gate(facts: FlowFacts, step: Step, name: str) -> int:
    if not isinstance(step.body, Run):
        raise UnknownPlaceError(f"`{step.id}` runs no flow that could have a step `{name}`")
    inner = facts.proofs.flows[step.body.flow.value].graph
    require("step", name, inner.ids)
    return inner.index[name]


def _flow_facts(spec: Spec, flow: str | None) -> FlowFacts:
    name = spec.entry if flow is None else flow
    require("flow", name, tuple(spec.flows))
    return ProofFacts(SpecFacts(spec)).flows[name]


def _index(facts: FlowFacts, step: str | None) -> int | None:
    return None if step is None else facts.graph.index[step]
