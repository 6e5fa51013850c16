"""Which gates every run of each step has passed, for a reader who may ask about any two steps."""

from __future__ import annotations

from dataclasses import dataclass

from stratumc.checks.flow_facts import FlowFacts
from stratumc.proof.results import Proved
from stratumc.review.flow_must_pass import flow_must_pass, is_plainly_passed
from stratumc.spec.syntax import Gate

MOST_ASKED = 400
"""So many pairs of a step and a gate are put to the prover; of further ones only the graph is asked."""


@dataclass(frozen=True, slots=True)
class GatesPassed:
    """Per step, by index, the indices of gates in document order."""

    before: tuple[tuple[int, ...], ...]
    """The gates that end before the step begins."""
    passed: tuple[tuple[int, ...], ...]
    """Those of them that were approved in every run of the step."""
    is_complete: bool
    """False when there were too many pairs: then gates of which that needs a proof are left out."""


def gates_passed(facts: FlowFacts, most_asked: int = MOST_ASKED) -> GatesPassed:
    """What `stratumc path` says of each step that a run may come to, asked of all steps at once."""
    graph = facts.graph
    gates = tuple(step.index for step in facts.flow.steps if isinstance(step.body, Gate))
    before = tuple(
        tuple(gate for gate in gates if graph.is_before(gate, step.index)) for step in facts.flow.steps
    )
    passed: list[tuple[int, ...]] = [()] * len(before)
    asked = 0
    is_complete = True
    for step in graph.order:
        found = []
        for gate in before[step]:
            if is_plainly_passed(facts, step, gate):
                found.append(gate)
            elif asked < most_asked:
                asked += 1
                found += [gate] * _is_proved(facts, step, gate)
            else:
                is_complete = False
        passed[step] = tuple(found)
    return GatesPassed(before, tuple(passed), is_complete)


def _is_proved(facts: FlowFacts, step: int, gate: int) -> bool:
    """Whether `flow_must_pass` proves it; a model of the contrary is enough to say no, without a witness."""
    from stratumc.proof.logic import conjunction, negation

    model = facts.prover.model
    owners = tuple(sorted({*model.owners(step), *model.owners(gate)}))
    end = model.steps[gate].ending
    contrary = conjunction(model.steps[step].runs, negation(conjunction(end.succeeds, end.approved)))
    if facts.prover.possible(owners, contrary) is not None:
        return False
    return isinstance(flow_must_pass(facts, None, step, gate), Proved)
