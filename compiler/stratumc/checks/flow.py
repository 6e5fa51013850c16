"""The proof checks of flows, in the order of the table in checks.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stratumc.checks.flow_budgets import budgets, gate_rounds_unreachable
from stratumc.checks.flow_ends import flow_cannot_complete, output_may_be_missing, ref_may_be_missing
from stratumc.checks.flow_outputs import ensures, untils
from stratumc.checks.flow_steps import conditions
from stratumc.checks.flow_unused import (
    after_redundant,
    carry_unused,
    contract_unused,
    flow_unused,
    input_unused,
)

if TYPE_CHECKING:
    from stratumc.checks.check import Check
    from stratumc.checks.flow_facts import ProofFacts

FLOW_CHECKS: tuple[Check[ProofFacts], ...] = (
    conditions,
    ensures,
    untils,
    ref_may_be_missing,
    output_may_be_missing,
    flow_cannot_complete,
    gate_rounds_unreachable,
    budgets,
    contract_unused,
    flow_unused,
    input_unused,
    carry_unused,
    after_redundant,
)
