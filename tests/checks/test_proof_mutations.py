"""One change to a clean document fires each proof; the changes and the codes are the same sets."""

from __future__ import annotations

import json

import pytest

from stratumc import check
from stratumc.diagnostics.catalog import CATALOG
from stratumc.diagnostics.finding import Family

FLOW = """\
version: 1
contracts:
  Score: {risk: number, kind: low|high, tags: 'string[]'}
  Note: {text: string}
flows:
  entry: main
  main:
    input: {topic: string, deep: boolean}
    output: {from: "${write.output}", contract: Note}
    max_rounds: 2
    budget: {dispatches: 40}
    carry:
      hint: {initial: "${input.topic}"}
    steps:
      - id: score
        do: "Score ${input.topic}, mind ${hint}."
        out: Score
        ensure:
          - expr: result.risk >= 0
          - expr: result.risk <= 1
          - expr: len(result.tags) <= 2
        iterate: {max: 2, until: result.risk < 0.9}
      - id: look
        after: [score]
        when: input.deep && result.score.risk > 0.5
        do: "Look into ${input.topic}."
        out: Note
      - id: each
        fanout:
          over: "${score.output.tags}"
          concurrency: 1
          isolation: none
          require: all
          merge: sequential
          steps: [{do: "Read ${item}.", out: Note}]
      - id: draft
        run: sub
        with: {topic: "${input.topic}"}
        on_fail: plain
      - id: plain
        do: "Go on without a draft."
      - id: accept
        after: [look, each, plain]
        gate: {on_approve: null, on_revise: score, on_kill: null, max_rounds: 2}
      - id: write
        after: [accept]
        do: "Write about ${input.topic}."
        out: Note
  sub:
    input: {topic: string}
    output: {from: "${text.output}", contract: Note}
    steps:
      - {id: text, do: "Draft ${input.topic}.", out: Note}
"""
FLOW_CHANGES = {
    "STEP_NEVER_RUNS": ("result.score.risk > 0.5", "result.score.risk > 1"),
    "WHEN_ALWAYS_TRUE": ("input.deep && result.score.risk > 0.5", "result.score.risk < 2"),
    "ENSURE_CONTRADICTION": ("result.risk <= 1", "result.risk < 0"),
    "ENSURE_REDUNDANT": ("len(result.tags) <= 2", "result.risk <= 2"),
    "UNTIL_NEVER_HOLDS": ("until: result.risk < 0.9", "until: result.risk > 90"),
    "UNTIL_ALREADY_HOLDS": ("until: result.risk < 0.9", "until: result.risk < 9"),
    "REF_MAY_BE_MISSING": ("Write about ${input.topic}.", "Write about ${input.topic}: ${look.output.text}"),
    "OUTPUT_MAY_BE_MISSING": ("${write.output}", "${look.output}"),
    "FLOW_CANNOT_COMPLETE": (
        "after: [accept]\n",
        "after: [accept]\n        ensure: [{expr: input.topic != input.topic}]\n",
    ),
    "GATE_ROUNDS_UNREACHABLE": ("on_kill: null, max_rounds: 2", "on_kill: null, max_rounds: 3"),
    "BUDGET_CANNOT_SUFFICE": ("dispatches: 40", "dispatches: 2"),
    "BUDGET_MAY_RUN_OUT": ("dispatches: 40", "dispatches: 8"),
    "CONTRACT_UNUSED": ("contracts:\n", "contracts:\n  Old: {text: string}\n"),
    "FLOW_UNUSED": ("run: sub\n        with: {topic: ", "run: other\n        with: {topic: "),
    "INPUT_UNUSED": ("input.deep && ", ""),
    "CARRY_UNUSED": (", mind ${hint}", ""),
    "AFTER_REDUNDANT": ("after: [accept]", "after: [accept, plain]"),
}
OTHER = """\
  other:
    input: {topic: string}
    output: {from: "${text.output}", contract: Note}
    steps:
      - {id: text, do: "Draft ${input.topic}.", out: Note}
"""

WORKFLOW = json.dumps(
    {
        "name": "clean",
        "initial_state": "home",
        "states": {
            "home": {"transitions": [{"event": "go", "target": "work"}, {"event": "rest", "target": "home"}]},
            "work": {
                "triggers": [
                    {"condition": "counters.errors >= 5", "target": "lost"},
                    {"condition": "counters.errors >= thresholds.most", "target": "stuck"},
                ],
                "transitions": [
                    {"event": "away", "target": "away"},
                    {"event": "done", "target": "home", "judgment": True},
                ],
            },
            "away": {
                "transitions": [{"event": "resume", "target": None}, {"event": "end", "target": "home"}]
            },
            "stuck": {"transitions": [{"event": "reset", "target": "home"}]},
            "lost": {"transitions": [{"event": "reset", "target": "home"}]},
        },
        "thresholds": {"most": 3},
        "global_transitions": [{"event": "halt", "target": "home", "except": ["home"]}],
        "resumption_targets": {"home": "home", "work": "work"},
    }
)
NO_GLOBAL = ('"global_transitions": [{"event": "halt", "target": "home", "except": ["home"]}], ', "")
RESET = '"lost": {"transitions": [{"event": "reset", "target": "home"}]}'
WORKFLOW_CHANGES = {
    "STATE_UNREACHABLE": (('>= 5", "target": "lost"', '>= 5", "target": "stuck"'),),
    "STATE_NO_EXIT": (NO_GLOBAL, (RESET, '"lost": {}')),
    "TRIGGER_NEVER_FIRES": (("counters.errors >= 5", "counters.errors <= -1"),),
    "TRIGGER_SHADOWED": (("counters.errors >= 5", "counters.errors >= 2"),),
    "TRIGGER_OVERLAP": (("counters.errors >= 5", "counters.rounds >= 5"),),
    "TRIGGER_BLOCKS_EVENTS": (("counters.errors >= thresholds.most", "always"),),
    "TRIGGER_LOOP": (('>= 5", "target": "lost"', '>= 5", "target": "work"'),),
    "THRESHOLD_UNUSED": (("thresholds.most", "counters.most"),),
    "GLOBAL_SHADOWED": (('"except": ["home"]', '"except": ["home", "work", "away", "stuck", "lost"]'),),
    "RESUMPTION_MISSING": ((', "work": "work"}', "}"),),
    "JUDGMENT_ALONE": (NO_GLOBAL, (RESET, RESET.replace('"home"}', '"home", "judgment": true}'))),
}


def codes(text: str, kind: str) -> list[str]:
    return [one.code for one in check(text, kind=kind).diagnostics]


def test_the_documents_are_clean() -> None:
    assert codes(FLOW, "spec") == []
    assert codes(WORKFLOW, "workflow") == []


@pytest.mark.parametrize("code", FLOW_CHANGES)
def test_a_changed_flow_fires(code: str) -> None:
    old, new = FLOW_CHANGES[code]
    assert FLOW.count(old) == 1
    text = FLOW.replace(old, new) + (OTHER if code == "FLOW_UNUSED" else "")
    assert code in codes(text, "spec")


@pytest.mark.parametrize("code", WORKFLOW_CHANGES)
def test_a_changed_workflow_fires(code: str) -> None:
    text = WORKFLOW
    for old, new in WORKFLOW_CHANGES[code]:
        assert text.count(old) == 1
        text = text.replace(old, new)
    assert code in codes(text, "workflow")


def test_every_proof_has_a_change() -> None:
    """Assertions belong to the settings, not to a document."""
    proofs = {code for code, rule in CATALOG.items() if rule.family is Family.PROOF}
    assert {*FLOW_CHANGES, *WORKFLOW_CHANGES} == proofs - {"ASSERTION_FAILED", "ASSERTION_VACUOUS"}
