"""Syntax trees to frozen tables (table.md)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from stratum_runtime.table import Table
from stratum_runtime.table_text import FORMAT, freeze
from stratumc.diagnostics import Source
from stratumc.graph.flow_graph import FlowGraph, flow_graph
from stratumc.lower.flow_machine import flow_machine, item_machine
from stratumc.lower.pools import Names, Pools
from stratumc.lower.proofs import Proof, flow_proofs, workflow_proofs
from stratumc.lower.sources import lower_sources
from stratumc.lower.step_records import FlowScope
from stratumc.lower.workflow_machine import workflow_machine
from stratumc.spec.syntax import Fanout, Flow, ReferenceKind, Run, Spec
from stratumc.workflow.syntax import Workflow


def lower_spec(spec: Spec, sources: Sequence[Source], proofs: Iterable[Proof] = ()) -> Table:
    """The table of a document that keeps all rules: a machine per flow, then one per fanout.

    `proofs` are what other stages decided; what the graph decides is added here.
    """
    pools = Pools(spec.contracts)
    calls = _calls(spec)
    scopes = [_scope(spec, flow, pools, calls.get(flow.name, ())) for flow in spec.flows.values()]
    fanouts = [
        (number, scope, step)
        for number, scope in enumerate(scopes)
        for step in scope.flow.steps
        if isinstance(step.body, Fanout)
    ]
    for index, (_, scope, step) in enumerate(fanouts):
        scope.items[step.index] = len(scopes) + index
    machines = [flow_machine(scope) for scope in scopes]
    machines += [item_machine(scope, number, step) for number, scope, step in fanouts]
    graphs = {scope.flow.name: scope.graph for scope in scopes}
    head = {"kind": "spec", "name": spec.entry, "entry": list(spec.flows).index(spec.entry)}
    return _frozen(head, machines, pools, sources, [*flow_proofs(graphs), *proofs])


def lower_workflow(workflow: Workflow, sources: Sequence[Source], proofs: Iterable[Proof] = ()) -> Table:
    """The table of a merged workflow that keeps all rules."""
    pools = Pools()
    machine = workflow_machine(workflow, pools)
    made = [*workflow_proofs(workflow), *proofs]
    head = {"kind": "workflow", "name": workflow.name, "entry": 0}
    return _frozen(head, [machine], pools, sources, made)


def _calls(spec: Spec) -> dict[str, list[tuple[Flow, Run]]]:
    """Who calls each flow, and how."""
    calls: dict[str, list[tuple[Flow, Run]]] = {}
    for caller in spec.flows.values():
        for step in caller.steps:
            if isinstance(step.body, Run):
                calls.setdefault(step.body.flow.value, []).append((caller, step.body))
    return calls


def _scope(spec: Spec, flow: Flow, pools: Pools, calls: Sequence[tuple[Flow, Run]]) -> FlowScope:
    graph: FlowGraph = flow_graph(flow)
    names = Names(pools, graph.index, {name: number for number, name in enumerate(flow.carry)})
    initial: dict[str, list[list[int]]] = {}
    revised: dict[str, list[list[int]]] = {}
    for number, variable in enumerate(flow.carry.values()):
        source = variable.initial.references[0]
        if source.kind is ReferenceKind.STEP and source.name is not None:
            initial.setdefault(source.name, []).append([number, names.template(variable.initial)])
        for gate, template in variable.on_revise.items():
            revised.setdefault(gate, []).append([number, names.template(template)])
    return FlowScope(
        flow=flow,
        graph=graph,
        names=names,
        pools=pools,
        flows={name: number for number, name in enumerate(spec.flows)},
        items={},
        flow_budgets=any(one.budget is not None for one in (flow, *(caller for caller, _ in calls))),
        call_budgets=any(body.budget is not None or flow.budget is not None for _, body in calls),
        initial_writes=initial,
        revise_writes=revised,
    )


def _frozen(
    head: dict[str, Any],
    machines: list[dict[str, Any]],
    pools: Pools,
    sources: Sequence[Source],
    proofs: Sequence[Proof],
) -> Table:
    return freeze(
        {
            **head,
            "format": FORMAT,
            "source": lower_sources(sources),
            "machines": machines,
            "pools": pools.to_json(),
            "proofs": [list(proof) for proof in proofs],
        }
    )
