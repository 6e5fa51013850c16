"""What `stratumc path` and assertions ask of a flow: ways between steps, and what every run passes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from stratumc.checks.facts import SpecFacts
from stratumc.checks.flow_facts import FlowFacts, ProofFacts
from stratumc.proof.results import Proved, Refuted, Result
from stratumc.review.paths.deciding import deciding_words
from stratumc.review.paths.flow_must_pass import flow_must_pass, never_comes
from stratumc.review.paths.flow_paths import FoundPath, PathFinder
from stratumc.review.paths.good_runs import can_complete
from stratumc.review.paths.nested_must_pass import nested_gates, nested_must_pass
from stratumc.review.paths.questions import Claim, UnknownPlaceError, require
from stratumc.review.paths.ways import Hop
from stratumc.review.paths.whole_runs import whole_with_inside
from stratumc.spec.syntax import Gate, Run, Spec, Step


@dataclass(frozen=True, slots=True)
class FlowPath:
    """What leads from one step of a flow to another."""

    start: str | None
    """None for where runs begin."""
    goal: str | None
    hops: tuple[Hop, ...] | None
    """The path, which some run takes; None when there is none, or no goal was given."""
    is_sure: bool
    """False where it isn't proved that nothing else can be reached."""
    runs: tuple[dict[str, Any], ...]
    """A run that takes the path, round by round; none where nothing but the outcomes on the path decides."""
    words: str
    """What decides in that run, as the end of a sentence; empty when it is only the outcomes on the path."""
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
            "rounds": list(self.runs),
            "reachable": [{"step": name, "distance": distance} for name, distance in self.reachable],
            "decided": self.is_sure,
            "passes": list(self.passes),
            "completes": self.completes,
        }


def flow_path(
    spec: Spec, flow: str | None, start: str | None, goal: str | None, avoid: Iterable[str] = ()
) -> FlowPath:
    """A path between two steps that some run takes, or where there is none, or no goal, what is reachable.

    No step to be avoided runs before the goal. Raises UnknownPlaceError.
    """
    facts = _flow_facts(spec, flow)
    kept_out = tuple(avoid)
    for name in (start, goal, *kept_out):
        require("step", name, facts.graph.ids)
    index = facts.graph.index
    finder = PathFinder(facts, _index(facts, start), frozenset(index[name] for name in kept_out))
    if goal is not None:
        found = finder.path(index[goal], plainly=True)
        if isinstance(found, FoundPath):
            runs = tuple(one.to_dict(facts) for one in found.rounds)
            words = deciding_words(facts, runs[-1], index[goal]) if len(runs) == 1 else ""
            passes = tuple(_passed(facts, start, goal))
            return FlowPath(start, goal, found.hops, True, runs, words, (), passes, can_complete(facts))
    reachable, is_sure = _reachable(facts, finder)
    return FlowPath(start, goal, None, is_sure, (), "", reachable, (), can_complete(facts))


def _reachable(facts: FlowFacts, finder: PathFinder) -> tuple[tuple[tuple[str, int], ...], bool]:
    """The steps that some path comes to, nearest first, and whether those are surely all."""
    found = [(facts.graph.ids[index], finder.path(index)) for index in range(len(facts.graph.ids))]
    distances = [(name, len(path.hops)) for name, path in found if isinstance(path, FoundPath) and path.hops]
    is_sure = all(isinstance(path, FoundPath) or path.is_sure for _, path in found)
    return tuple(sorted(distances, key=lambda one: one[1])), is_sure


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
    if start is not None and _is_out_of_reach(facts, start, goal):
        return Proved(vacuous=True)
    if inside:
        result = nested_must_pass(facts, start, goal, step, _inner_gate(facts, step, inside))
    else:
        result = flow_must_pass(facts, start, goal, step.index)
    if isinstance(result, Proved) and never_comes(facts, start, goal):
        return Proved(vacuous=True)
    return _told(facts, result, goal, step) if isinstance(result, Refuted) else result


def _is_out_of_reach(facts: FlowFacts, start: int, goal: int) -> bool:
    """Whether it is proved that no path leads from one step to another, within a round or over revises."""
    found = PathFinder(facts, start, frozenset()).path(goal)
    return not isinstance(found, FoundPath) and found.is_sure


def _told(facts: FlowFacts, refuted: Refuted, goal: int, step: Step) -> Refuted:
    """A refutation with a run that can be played again, and what decides in it."""
    witness = refuted.witness
    decides = deciding_words(facts, witness, goal, (step.index,))
    words = [f"when {decides}" if decides else f"`{facts.graph.ids[goal]}` can run without it"]
    for name, inside in witness.get("inside", {}).items():
        assert isinstance(step.body, Run)
        inner = facts.proofs.flows[step.body.flow.value]
        gates = [one.index for one in inner.flow.steps if isinstance(one.body, Gate)]
        decides = deciding_words(inner, inside, None, gates)
        words.append(f"and in `{name}`, when {decides}" if decides else f"and `{name}` can run without it")
    return Refuted(whole_with_inside(facts, witness), tuple(words))


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
