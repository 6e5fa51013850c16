"""Which steps of a flow that can't end well no run comes to."""

from __future__ import annotations

from stratumc.checks.flow_facts import FlowFacts
from stratumc.spec.syntax import Run


def unreached(facts: FlowFacts) -> frozenset[int]:
    """The steps that wait for one that no run gets past, by `after` and what they read, however far."""
    model = facts.prover.model
    flows = facts.proofs.flows
    hopeless = {
        step.index
        for step in facts.flow.steps
        if isinstance(step.body, Run) and not flows[step.body.flow.value].can_complete
    }
    stuck: set[int] = set()
    dead: set[int] = set()
    for index in facts.graph.order:
        if any(before in stuck or before in dead for before in facts.graph.dependencies[index]):
            dead.add(index)
        elif index in hopeless or facts.prover.never(model.owners(index), model.steps[index].done):
            stuck.add(index)
    return frozenset(dead)
