"""What could be read of a document, faulty or not: the input of every rule.

A draft knows what it lacks, so that rules keep silent about what depends on something that was
already reported.
"""

from __future__ import annotations

from stratumc.spec.syntax import (
    Budget,
    CarryVariable,
    Contract,
    Field,
    Flow,
    Output,
    Spec,
    Step,
    Text,
)
from stratumc.text import Location
from stratumc.text.record import record


@record
class FlowDraft:
    """What could be read of one flow; a part is None when it is missing or unreadable."""

    name: str
    input: dict[str, Field] | None
    output: Output | None
    steps: tuple[Step, ...]
    unread: tuple[str | None, ...]
    """Ids of the steps that can't be read at all; None for each step that may have any id."""
    loose: frozenset[int]
    """Indexes of steps of which some part can't be read, so that edges may be missing."""
    budget: Budget | None
    max_rounds: int | None
    has_max_rounds: bool
    """Whether the key is there, whatever its value."""
    carry: dict[str, CarryVariable] | None
    """Empty for a flow without carry variables; None when the mapping can't be read."""
    has_carry: bool
    complete: bool
    at: Location

    @property
    def has_all_steps(self) -> bool:
        """Whether every step's id is known, so that a name that none of them has isn't a step's name."""
        return None not in self.unread


@record
class Draft:
    """What could be read of a document."""

    contracts: dict[str, Contract]
    unread_contracts: frozenset[str] | None
    """Names of contracts whose fields can't be read; None when no contract can."""
    entry: Text | None
    flows: dict[str, FlowDraft]
    unread_flows: frozenset[str] | None
    """Names of flows that are no mappings; None when no flow can be read."""
    at: Location

    def declares_contract(self, name: str) -> bool:
        """Whether a contract of that name is declared, or may be."""
        return self.unread_contracts is None or name in self.contracts or name in self.unread_contracts

    def declares_flow(self, name: str) -> bool:
        """Whether a flow of that name is declared, or may be."""
        return self.unread_flows is None or name in self.flows or name in self.unread_flows

    def is_entry(self, flow: FlowDraft) -> bool | None:
        """Whether a run starts with this flow; None when the entry isn't known."""
        if self.entry is None or not self.declares_flow(self.entry.value):
            return None
        return flow.name == self.entry.value

    def spec(self) -> Spec | None:
        """The syntax tree, when nothing of it is missing."""
        if self.entry is None or self.unread_contracts or self.unread_flows:
            return None
        if self.unread_contracts is None or self.unread_flows is None:
            return None
        flows: dict[str, Flow] = {}
        for name, draft in self.flows.items():
            if not draft.complete or draft.input is None or draft.output is None or draft.carry is None:
                return None
            flows[name] = Flow(
                name,
                draft.input,
                draft.output,
                draft.steps,
                draft.budget,
                draft.max_rounds,
                draft.carry,
                draft.at,
            )
        return Spec(self.contracts, self.entry.value, flows, self.at)
