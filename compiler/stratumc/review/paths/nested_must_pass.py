"""Whether every run passes a gate of a flow that one of its steps runs: proved, or refuted by a real run.

A run of the inner flow that goes round the gate counts only if the outer flow can give it its input, and goes
on to the goal with its output.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from stratumc.checks.flow_facts import FlowFacts
from stratumc.proof.results import Proved, Refuted, Result
from stratumc.review.paths.flow_must_pass import NO_REPLAY, end_must_pass, flow_must_pass
from stratumc.review.paths.good_runs import ends_well, is_good
from stratumc.spec.syntax import Gate, Run, Step, Template, WithScalar, WithValue

if TYPE_CHECKING:
    from stratumc.proof.logic import Formula

_MOST_TRIED = 8
"""So many inner runs are tried for one that the outer flow can have."""


def nested_must_pass(facts: FlowFacts, start: int | None, goal: int, step: Step, gate: int) -> Result:
    """Whether in every run of `goal` (and `start`), a step has run its flow before and passed its gate.

    The witness of a refutation is a run of the outer flow, with the member `inside` if a run of the inner one
    goes round the gate: by the id of the step, that run.
    """
    assert isinstance(step.body, Run)
    inner = facts.proofs.flows[step.body.flow.value]
    outside = flow_must_pass(facts, start, goal, step.index)
    if isinstance(outside, Refuted):
        return outside
    within = end_must_pass(inner, gate)
    if isinstance(within, Proved):
        return outside
    return _Nested(facts, step, inner).decide(start, goal, gate, outside)


class _Nested:
    """A step that runs a flow, with models of both flows."""

    def __init__(self, facts: FlowFacts, step: Step, inner: FlowFacts) -> None:
        self.facts, self.step, self.inner = facts, step, inner

    def decide(self, start: int | None, goal: int, gate: int, outside: Result) -> Result:
        """Looks for an inner run round the gate that is part of an outer one; each tried only once."""
        from stratumc.proof.flow_witness import find_witness
        from stratumc.proof.logic import conjunction, negation

        model = self.inner.prover.model
        passed = model.steps[gate].ending.passed
        bad = conjunction(ends_well(self.inner), negation(passed), *self._constants())
        for _ in range(_MOST_TRIED):
            if self.inner.prover.never(model.everyone, bad):
                return outside
            within = find_witness(
                self.inner.prover, model.everyone, bad, lambda played: is_good(self.inner, played)
            )
            if within is None:
                return NO_REPLAY
            wanted = self._wanted(within)
            if wanted is None:
                return NO_REPLAY
            around = self._around(start, goal, wanted)
            if around is not None:
                return Refuted({**around, "inside": {self.step.id: within}})
            if not self._is_impossible(start, goal, wanted):
                return NO_REPLAY
            seen = self._seen_inside(within)
            if seen is None:
                return NO_REPLAY
            bad = conjunction(bad, negation(seen))
        return NO_REPLAY

    def _constants(self) -> Iterator[Formula]:
        """That the inner flow's input has the values that are the same in every run."""
        from stratumc.proof.encode import follow
        from stratumc.proof.json_value import comes_to

        assert isinstance(self.step.body, Run)
        model = self.inner.prover.model
        for name, argument in self.step.body.arguments.entries.items():
            match argument:
                case WithScalar(value=value):
                    yield comes_to(model.world, follow(model.input, name), value)
                case Template(text=text) if not argument.references:
                    yield comes_to(model.world, follow(model.input, name), text)
                case _:
                    pass

    def _around(self, start: int | None, goal: int, wanted: Formula) -> dict[str, Any] | None:
        """An outer run that comes to the goal with an inner one of this input and output."""
        from stratumc.proof.flow_witness import find_witness

        prover, index = self.facts.prover, self.step.index
        return find_witness(
            prover,
            self._owners(start, goal),
            self._comes(start, goal, wanted),
            lambda played: goal in played.ran and index in played.succeeded,
        )

    def _is_impossible(self, start: int | None, goal: int, wanted: Formula) -> bool:
        return self.facts.prover.never(self._owners(start, goal), self._comes(start, goal, wanted))

    def _owners(self, start: int | None, goal: int) -> tuple[int, ...]:
        model = self.facts.prover.model
        steps = (goal, self.step.index, *(() if start is None else (start,)))
        return tuple(sorted({owner for step in steps for owner in model.owners(step)}))

    def _comes(self, start: int | None, goal: int, wanted: Formula) -> Formula:
        from stratumc.proof.logic import conjunction

        steps = self.facts.prover.model.steps
        begun = True if start is None else steps[start].runs
        return conjunction(steps[goal].runs, begun, steps[self.step.index].ending.succeeds, wanted)

    def _wanted(self, within: dict[str, Any]) -> Formula | None:
        """That the outer flow gives an inner run its input and reads its output; None if unsayable."""
        from stratumc.proof.encode import follow
        from stratumc.proof.json_value import comes_to
        from stratumc.proof.logic import conjunction

        assert isinstance(self.step.body, Run)
        model = self.facts.prover.model
        arguments = self.step.body.arguments.entries
        parts = [
            self._argument(arguments[name], value)
            for name, value in within["input"].items()
            if name in arguments
        ]
        parts += [
            comes_to(model.world, follow(model.steps[self.step.index].ending.output, name), value)
            for name, value in self._output(within).items()
        ]
        return None if any(part is None for part in parts) else conjunction(*parts)

    def _argument(self, argument: WithValue, value: Any) -> Formula | None:
        """That an argument comes to a value."""
        from stratumc.proof.json_value import comes_to

        model = self.facts.prover.model
        match argument:
            case WithScalar(value=given):
                return _same(given, value)
            case Template() if argument.full is not None:
                return comes_to(model.world, model.resolve(argument.full, self.step.index), value)
            case Template() if not argument.references:
                return _same(argument.text, value)
            case _:
                return None

    def _output(self, within: dict[str, Any]) -> Mapping[str, Any]:
        """The members of what an inner run returns, as far as anything inside it reads them."""
        value: Any = within["outputs"].get(self.inner.source.id)
        reference = self.inner.flow.output.source.full
        for part in reference.path if reference is not None else ():
            try:
                value = value[part]
            except (LookupError, TypeError):
                return {}
        return value if isinstance(value, dict) else {}

    def _seen_inside(self, within: dict[str, Any]) -> Formula | None:
        """That an inner run has the input and the output of one that was tried."""
        from stratumc.proof.encode import follow
        from stratumc.proof.json_value import comes_to
        from stratumc.proof.logic import conjunction

        model = self.inner.prover.model
        parts = [comes_to(model.world, model.input, within["input"])]
        output = model.steps[self.inner.source.index].ending.output
        reference = self.inner.flow.output.source.full
        for part in reference.path if reference is not None else ():
            output = follow(output, part)
        parts.append(comes_to(model.world, output, dict(self._output(within))))
        return None if any(part is None for part in parts) else conjunction(*parts)


def _same(given: Any, value: Any) -> bool:
    """Whether two scalars are equal as JSON."""
    return isinstance(given, bool) == isinstance(value, bool) and bool(given == value)


def nested_gates(facts: FlowFacts, step: Step) -> Iterator[tuple[str, int]]:
    """The gates of the flow that a step runs, as they are named in claims, and their indices."""
    if isinstance(step.body, Run):
        for inner in facts.proofs.spec.flows[step.body.flow.value].steps:
            if isinstance(inner.body, Gate):
                yield f"{step.id}.{inner.id}", inner.index
