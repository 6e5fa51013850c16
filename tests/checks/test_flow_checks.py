"""What the flow proofs say of whole flows: routes, failures, gates."""

from __future__ import annotations

import pytest

from stratumc import check
from support.flow_verdicts import HEAD, Case, verdicts

CASES: dict[str, Case] = {
    "two routes to one target": (
        """\
  main:
    input: {p: boolean}
    output: {from: "${w.output}", contract: Out}
    steps:
      - id: g
        gate: {on_approve: x, on_revise: null, on_kill: x}
      - id: x
        do: go
      - id: w
        after: [x]
        do: go
        out: Out
""",
        [],
    ),
    "approve and kill exclusive": (
        """\
  main:
    input: {p: boolean}
    output: {from: "${w.output}", contract: Out}
    steps:
      - id: g
        gate: {on_approve: x, on_revise: null, on_kill: y}
      - id: x
        do: go
        out: Out
      - id: y
        do: go
        out: Out
      - id: both
        after: [x, y]
        when: "'x' in result && 'y' in result"
        do: go
      - id: w
        after: [both]
        do: go
        out: Out
""",
        [("STEP_NEVER_RUNS", "flows.main.steps[3].when")],
    ),
    "output from one of exclusive": (
        """\
  main:
    input: {p: boolean}
    output: {from: "${x.output}", contract: Out}
    steps:
      - id: g
        gate: {on_approve: x, on_revise: null, on_kill: y}
      - id: x
        do: go
        out: Out
      - id: y
        do: go
        out: Out
""",
        [("OUTPUT_MAY_BE_MISSING", "flows.main.output.from")],
    ),
    "kill null ends": (
        """\
  main:
    input: {p: boolean}
    output: {from: "${x.output}", contract: Out}
    steps:
      - id: g
        gate: {on_approve: x, on_revise: null, on_kill: null}
      - id: x
        do: go
        out: Out
""",
        [],
    ),
    "on_fail to output": (
        """\
  main:
    input: {p: boolean}
    output: {from: "${x.output}", contract: Out}
    steps:
      - id: x
        do: go
        out: Out
        on_fail: y
      - id: y
        do: go
        out: Out
""",
        [("OUTPUT_MAY_BE_MISSING", "flows.main.output.from")],
    ),
    "set joins": (
        """\
  main:
    input: {p: boolean, tags: 'string[]'}
    output: {from: "${j.output}", contract: Out}
    steps:
      - id: x
        do: go
        out: Out
        on_fail: y
      - id: y
        do: go
        out: Out
      - id: j
        after: [x, y]
        set: {n: "1", ok: "'x' in result || result.y.ok", tags: "input.tags", k: "'a'", text: "'t'"}
        out: Out
""",
        [],
    ),
    "step after skipped source error": (
        """\
  main:
    input: {p: boolean}
    output: {from: "${w.output}", contract: Out}
    steps:
      - id: x
        when: "false"
        do: go
        out: Out
      - id: y
        do: "go ${x.output.text} ${input.p}"
        out: Out
      - id: w
        do: go
        out: Out
""",
        [
            ("STEP_NEVER_RUNS", "flows.main.steps[0].when"),
            ("REF_MAY_BE_MISSING", "flows.main.steps[1].do"),
            ("FLOW_CANNOT_COMPLETE", "flows.main"),
        ],
    ),
    "unordered read": (
        """\
  main:
    input: {p: boolean}
    output: {from: "${w.output}", contract: Out}
    steps:
      - id: a
        do: go
        out: Out
      - id: b
        when: "'a' in result"
        do: "go ${input.p}"
      - id: w
        after: [b, a]
        do: go
        out: Out
""",
        [],
    ),
    "gate in result": (
        """\
  main:
    input: {p: boolean}
    output: {from: "${w.output}", contract: Out}
    steps:
      - id: g
        gate: {on_approve: null, on_revise: null, on_kill: null}
      - id: b
        after: [g]
        when: "'g' in result"
        do: "go ${input.p}"
      - id: w
        after: [b]
        do: go
        out: Out
""",
        [("STEP_NEVER_RUNS", "flows.main.steps[1].when")],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_flows(name: str) -> None:
    text, expected = CASES[name]
    assert verdicts(text) == sorted(expected)


def test_a_type_error_is_not_explained_again() -> None:
    text = """\
  main:
    input: {p: string}
    output: {from: "${w.output}", contract: Out}
    steps:
      - id: w
        set: {n: "'three'", ok: "true", text: "input.p", tags: "1"}
        out: Out
"""
    found = check(HEAD + text, kind="spec").diagnostics
    assert {one.family for one in found if one.severity == "error"} == {"type"}


def test_a_condition_with_a_type_error_gets_no_proof() -> None:
    text = """\
  main:
    input: {p: string}
    output: {from: "${w.output}", contract: Note}
    steps:
      - {id: a, when: input.p > 3, do: go}
      - {id: w, after: [a], do: go, out: Note}
"""
    found = check(HEAD.replace("  Item", "  Note: {text: string}\n  Item") + text, kind="spec").diagnostics
    assert [one.code for one in found if one.severity != "info"] == ["EXPR_TYPE"]


def test_findings_are_the_same_each_time() -> None:
    text = HEAD + CASES["approve and kill exclusive"][0]
    first, second = (check(text, kind="spec").diagnostics for _ in range(2))
    assert [one.to_dict() for one in first] == [one.to_dict() for one in second]
