"""What `stratumc path` and assertions ask of a document: ways between steps, and what every way passes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from stratumc.checks.facts import SpecFacts
from stratumc.checks.flow_facts import FlowFacts, ProofFacts
from stratumc.checks.workflow_facts import WorkflowFacts
from stratumc.proof.results import Proved, Result
from stratumc.review.must_pass import flow_must_pass, workflow_must_pass
from stratumc.review.ways import Hop, Place, flow_ways, walk_back
from stratumc.spec.syntax import Gate, Spec
from stratumc.workflow.syntax import Workflow


class UnknownPlaceError(ValueError):
    """A name that is no step, state or flow; the message says which there are."""


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
        _require("step", name, facts.graph.ids)
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


@dataclass(frozen=True, slots=True)
class Claim:
    """That every way to a goal passes a gate; of a workflow, gate and goal are states."""

    goal: str
    gate: str
    start: str | None = None
    flow: str | None = None

    def __str__(self) -> str:
        begin = f"from `{self.start}` " if self.start else ""
        return f"every way {begin}to `{self.goal}` passes `{self.gate}`"


def decide(claim: Claim, spec: Spec | None, workflow: Workflow | None) -> Result:
    """Whether a claim holds of a document that keeps the rules. Raises UnknownPlaceError."""
    if workflow is not None:
        require_states(workflow, (claim.start, claim.goal, claim.gate))
        return workflow_must_pass(WorkflowFacts(workflow), claim.start, claim.goal, claim.gate)
    assert spec is not None
    facts = _flow_facts(spec, claim.flow)
    for name in (claim.start, claim.goal, claim.gate):
        _require("step", name, facts.graph.ids)
    index = facts.graph.index
    return flow_must_pass(facts, _index(facts, claim.start), index[claim.goal], index[claim.gate])


def workflow_passes(workflow: Workflow, start: str | None, path: Sequence[str]) -> tuple[str, ...]:
    """The states on a path that every path between its ends passes; all that every one passes are on it."""
    facts, goal = WorkflowFacts(workflow), path[-1]
    inner = (state for state in path[1:-1] if state not in (path[0], goal))
    return tuple(s for s in inner if isinstance(workflow_must_pass(facts, start, goal, s), Proved))


def require_states(workflow: Workflow, names: Iterable[str | None]) -> None:
    """Raises UnknownPlaceError for the first name that is no state."""
    for name in names:
        _require("state", name, tuple(workflow.states))


def _flow_facts(spec: Spec, flow: str | None) -> FlowFacts:
    name = spec.entry if flow is None else flow
    _require("flow", name, tuple(spec.flows))
    return ProofFacts(SpecFacts(spec)).flows[name]


def _index(facts: FlowFacts, step: str | None) -> int | None:
    return None if step is None else facts.graph.index[step]


def _require(noun: str, name: str | None, known: tuple[str, ...]) -> None:
    if name is not None and name not in known:
        from stratumc.diagnostics.nearest import did_you_mean

        near = did_you_mean(name, known) or f"there are {', '.join(known)}"
        raise UnknownPlaceError(f"no {noun} `{name}`: {near}")
