"""Counterexamples that can be played again: those of the runs inside a step's, too."""

from __future__ import annotations

from typing import Any

from stratumc.checks.flow_facts import FlowFacts
from stratumc.review.paths.run_words import whole_run
from stratumc.spec.syntax import Reference, ReferenceKind, Run, Template, WithScalar, WithValue

_NOTHING = object()


def whole_with_inside(facts: FlowFacts, witness: dict[str, Any]) -> dict[str, Any]:
    """A flow's witness with all required fields of its input and outputs, and of the runs inside its steps.

    Fields that no condition reads get the plainest values of their types. What a run inside returns is what
    its step returns.
    """
    whole = whole_run(witness, facts)
    for name, inside in witness.get("inside", {}).items():
        body = facts.flow.steps[facts.graph.index[name]].body
        assert isinstance(body, Run)
        inner = facts.proofs.flows[body.flow.value]
        given = {key: _argument(one, whole) for key, one in body.arguments.entries.items()}
        known = {key: value for key, value in given.items() if value is not _NOTHING}
        run = whole_run({**inside, "input": {**inside["input"], **known}}, inner)
        output = inner.flow.output.source.full
        returned = _NOTHING if output is None else _looked_up(output, run)
        outputs = {} if returned is _NOTHING else {name: returned}
        whole = {**whole, "outputs": {**whole["outputs"], **outputs}, "inside": {name: run}}
    return whole


def _argument(argument: WithValue, run: dict[str, Any]) -> Any:
    """What an argument comes to in a run; nothing for text that is put together."""
    match argument:
        case WithScalar(value=value):
            return value
        case Template() if argument.full is not None:
            return _looked_up(argument.full, run)
        case Template() if not argument.references:
            return argument.text
        case _:
            return _NOTHING


def _looked_up(reference: Reference, run: dict[str, Any]) -> Any:
    match reference.kind:
        case ReferenceKind.INPUT:
            value = run["input"]
        case ReferenceKind.STEP:
            value = run["outputs"].get(reference.name, _NOTHING)
        case _:
            return _NOTHING
    for part in reference.path:
        try:
            value = value[part]
        except (LookupError, TypeError):
            return _NOTHING
    return value
