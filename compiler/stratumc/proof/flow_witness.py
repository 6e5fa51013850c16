"""From a model to a witness of a flow: concrete, as plain as may be, and replayed before it is reported."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from stratumc.proof.concrete import MISSING, Concrete
from stratumc.proof.flow_model import FlowModel
from stratumc.proof.logic import Formula
from stratumc.proof.simulate import Player, Round, Scenario, is_true
from stratumc.proof.solver import Query
from stratumc.spec.syntax import ContractType, Do, Evaluate, Gate, Run, Set

if TYPE_CHECKING:
    from stratumc.proof.prover import Prover


def find_witness(
    prover: Prover,
    owners: Sequence[int],
    formula: Formula,
    shows: Callable[[Round], bool],
    condition: tuple[int, str] | None = None,
) -> dict[str, Any] | None:
    """A replayed witness of a formula that can hold, or None.

    `condition` is an expression that is true as the turn of a step comes.

    JSON: `input` and `outputs` by step id (of both, the fields that expressions read), `decisions` of gates
    that waited, and the steps `skipped` and `failed`.
    """
    query = prover.plainest(owners, formula)
    if query is None:
        return None
    model = prover.model
    steps = [owner for owner in owners if owner >= 0]
    scenario = read_scenario(model, query, steps)
    whole = complete(model, scenario)
    player = Player(model.flow, model.graph)
    played = player.play(whole, steps)
    if played.broken or not shows(played):
        return None
    if condition is not None and not is_true(condition[1], player.bindings(condition[0], whole, played)):
        return None
    return described(model, scenario, played)


def read_scenario(model: FlowModel, query: Query, steps: Sequence[int]) -> Scenario:
    """What a model says of the free part of a round; of objects, the fields that something asks for."""
    concrete = Concrete(model.world, query)
    given: Any = concrete.outcome(model.input)
    outputs: dict[int, Any] = {}
    failed, killed, undecided = set(), set(), set()
    for index in steps:
        body, end = model.flow.steps[index].body, model.steps[index].ending
        if isinstance(body, Gate):
            if not query.holds(end.approved):
                killed.add(index)
            if body.on_kill is not None and not query.holds(end.succeeds):
                undecided.add(index)
        elif not isinstance(body, Set):
            if not query.holds(end.succeeds):
                failed.add(index)
            elif query.holds(end.gives):
                output = concrete.outcome(end.output)
                if output is not MISSING:
                    outputs[index] = output
    early = frozenset(
        (source, reader)
        for (source, reader), formula in model.early.items()
        if reader in steps and query.holds(formula)
    )
    return Scenario(given, outputs, frozenset(failed), frozenset(killed), early, frozenset(undecided))


def complete(model: FlowModel, scenario: Scenario) -> Scenario:
    """The scenario with every required field filled in, as a run would need it."""
    world = model.world
    outputs = {}
    for index, output in scenario.outputs.items():
        type_ = output_type(model, index)
        outputs[index] = world.whole(output, type_)
    return replace(scenario, input=world.completed(scenario.input, model.flow.input), outputs=outputs)


def output_type(model: FlowModel, index: int) -> ContractType | None:
    """The contract of what a step returns; None when it has none, or returns a list."""
    match model.flow.steps[index].body:
        case Do(out=out) | Evaluate(out=out) if out is not None:
            return ContractType(out.value)
        case Run(flow=flow):
            return ContractType(model.spec.flows[flow.value].output.contract.value)
        case _:
            return None


def described(model: FlowModel, scenario: Scenario, played: Round) -> dict[str, Any]:
    """A round that was played, as `find_witness` tells it."""
    ids = model.graph.ids
    gates = {index for index in played.ran if isinstance(model.flow.steps[index].body, Gate)}
    gates -= scenario.undecided
    return {
        "input": scenario.input,
        "outputs": {
            ids[index]: scenario.outputs.get(index, played.outputs[index]) for index in sorted(played.outputs)
        },
        "decisions": {
            ids[index]: "kill" if index in scenario.killed else "approve" for index in sorted(gates)
        },
        "skipped": [ids[index] for index in sorted(played.skipped)],
        "failed": [ids[index] for index in sorted(played.failed)],
    }
