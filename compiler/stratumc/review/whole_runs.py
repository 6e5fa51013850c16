"""Counterexamples with every field that a run needs, so that they can be played again."""

from __future__ import annotations

from typing import Any

from stratumc.checks.flow_facts import FlowFacts
from stratumc.spec.syntax import Reference, ReferenceKind, Run, Template, WithScalar, WithValue

_NOTHING = object()


def whole_run(facts: FlowFacts, witness: dict[str, Any]) -> dict[str, Any]:
    """A flow's witness with all required fields of its input and outputs, and of the runs inside its steps.

    Fields that no condition reads get the plainest values of their types. What a run inside returns is what
    its step returns.
    """
    whole = _filled(facts, witness)
    for name, inside in witness.get("inside", {}).items():
        body = facts.flow.steps[facts.graph.index[name]].body
        assert isinstance(body, Run)
        inner = facts.proofs.flows[body.flow.value]
        given = {key: _argument(one, whole) for key, one in body.arguments.entries.items()}
        known = {key: value for key, value in given.items() if value is not _NOTHING}
        run = _filled(inner, {**inside, "input": {**inside["input"], **known}})
        output = inner.flow.output.source.full
        returned = _NOTHING if output is None else _looked_up(output, run)
        outputs = {} if returned is _NOTHING else {name: returned}
        whole = {**whole, "outputs": {**whole["outputs"], **outputs}, "inside": {name: run}}
    return whole


def _filled(facts: FlowFacts, witness: dict[str, Any]) -> dict[str, Any]:
    from stratumc.proof.flow_witness import output_type

    model = facts.prover.model
    outputs = {
        name: model.world.whole(output, output_type(model, facts.graph.index[name]))
        for name, output in witness["outputs"].items()
    }
    return {**witness, "input": model.world.completed(witness["input"], model.flow.input), "outputs": outputs}


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
