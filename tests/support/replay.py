"""Plays a flow's witness on the flow engine: what is reported must happen in a real run."""

from __future__ import annotations

from typing import Any

from stratum_runtime.flow import FlowEngine
from stratum_runtime.store import SqliteStore
from stratumc.diagnostics import Source
from stratumc.lower import lower_spec
from stratumc.proof.world import World
from stratumc.read import decode, read_yaml
from stratumc.spec import load_spec
from stratumc.spec.syntax import ContractType, Do, Spec

Json = dict[str, Any]
MOST_REPORTS = 200


def replay(text: str, flow: str, witness: Json) -> Json:
    """The snapshot in which the run ends that the witness describes.

    A step not mentioned gets the plainest output of its contract; steps that fail come last.
    """
    document, _ = decode(text.encode(), "replayed.stratum.yaml")
    assert document is not None
    root = read_yaml(document).root
    assert root is not None
    spec = load_spec(root).spec
    assert spec is not None
    engine = FlowEngine(SqliteStore(":memory:"))
    world = World(spec.contracts, ())
    inputs = world.completed(witness["input"], spec.flows[flow].input)
    answer = engine.plan(lower_spec(spec, [Source(document, root)]), flow=flow, inputs=inputs)
    assert "flow_id" in answer, answer
    for _ in range(MOST_REPORTS):
        state = engine.snapshot(answer["flow_id"])
        if state["status"] != "in_progress" or not (state["ready"] or state["gates"]):
            break
        _report(engine, spec, flow, witness, state)
    return engine.snapshot(answer["flow_id"])


def _report(engine: FlowEngine, spec: Spec, flow: str, witness: Json, state: Json) -> None:
    """One report or decision: gates first, then successes, then failures."""
    run, tokens = state["flow_id"], state["tokens"]
    for gate in state["gates"]:
        decision = witness["decisions"].get(gate, "approve")
        engine.resolve_gate(run, gate, decision, gate_token=tokens[gate])
        return
    ready = [one["id"] for one in state["ready"]]
    step = next((one for one in ready if one not in witness["failed"]), ready[0])
    if step in witness["failed"]:
        engine.step_done(run, step, failure="it failed", dispatch_token=tokens[step])
        return
    output = _output(spec, flow, step, witness["outputs"])
    engine.step_done(run, step, result=output, dispatch_token=tokens[step])


def _output(spec: Spec, flow: str, step: str, outputs: Json) -> Any:
    world = World(spec.contracts, ())
    if "/" in step:
        parent, item = step.split("/")
        given = outputs.get(parent)
        if isinstance(given, list):
            return given[int(item)]
        raise AssertionError(f"{step}: a subflow isn't replayed")
    found = spec.flows[flow].step(step)
    assert found is not None
    assert isinstance(found.body, Do), "only tasks are replayed"
    out = found.body.out
    return world.whole(outputs.get(step, {}), ContractType(out.value) if out is not None else None)
