"""What the flow proofs say of whole flows: routes, failures, fanouts, subflows, evaluate steps."""

from __future__ import annotations

import pytest

from stratumc import check

HEAD = """\
version: 1
contracts:
  Out: {n: integer, ok: boolean, tags: 'string[]', k: a|b|c, text: string}
  Item: {v: integer}
flows:
  entry: main
"""
STEPS = "flows.main.steps"
CASES: dict[str, tuple[str, list[tuple[str, str]]]] = {
    "stage when never": (
        """\
  main:
    input: {xs: 'integer[]'}
    output: {from: "${w.output}", contract: Out}
    steps:
      - id: f
        fanout:
          over: "${input.xs}"
          concurrency: 1
          isolation: none
          require: all
          merge: sequential
          steps:
            - do: "a ${item}"
              out: Item
              ensure: [{expr: result.v >= 0}]
            - do: "b ${prev}"
              out: Item
              when: prev.v < 0
      - id: w
        after: [f]
        do: go
        out: Out
""",
        [("STEP_NEVER_RUNS", "flows.main.steps[0].fanout.steps[1].when")],
    ),
    "stage reads conditional": (
        """\
  main:
    input: {xs: 'integer[]', p: boolean}
    output: {from: "${w.output}", contract: Out}
    steps:
      - id: c
        when: input.p
        do: go
        out: Out
      - id: f
        fanout:
          over: "${input.xs}"
          concurrency: 1
          isolation: none
          require: all
          merge: sequential
          steps:
            - do: "a ${item} ${c.output.text}"
              out: Item
      - id: w
        after: [f]
        do: go
        out: Out
""",
        [("REF_MAY_BE_MISSING", "flows.main.steps[1].fanout.steps[0].do")],
    ),
    "fanout over conditional": (
        """\
  main:
    input: {p: boolean}
    output: {from: "${w.output}", contract: Out}
    steps:
      - id: c
        when: input.p
        do: go
        out: Out
      - id: f
        fanout:
          over: "${c.output.tags}"
          concurrency: 1
          isolation: none
          require: all
          merge: sequential
          steps:
            - do: "a ${item}"
              out: Item
      - id: w
        after: [f]
        do: go
        out: Out
""",
        [("REF_MAY_BE_MISSING", "flows.main.steps[1].fanout.over")],
    ),
    "with leaf": (
        """\
  main:
    input: {p: boolean}
    output: {from: "${w.output}", contract: Out}
    steps:
      - id: c
        when: input.p
        do: go
        out: Out
      - id: r
        run: kid
        with: {n: "${c.output.n}"}
      - id: w
        after: [r]
        do: go
        out: Out
  kid:
    input: {n: integer}
    output: {from: "${k.output}", contract: Out}
    steps: [{id: k, do: "go ${input.n}", out: Out}]
""",
        [("REF_MAY_BE_MISSING", "flows.main.steps[1].with.n")],
    ),
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
    "callee cannot complete": (
        """\
  main:
    input: {p: boolean}
    output: {from: "${r.output}", contract: Out}
    steps:
      - id: r
        run: kid
        with: {n: 1}
  kid:
    input: {n: integer}
    output: {from: "${k.output}", contract: Out}
    steps:
      - {id: k, do: "go ${input.n}", out: Out, ensure: [{expr: "input.n > 3"}]}
      - {id: l, do: "go", out: Out, ensure: [{expr: "input.n < 3"}]}
""",
        [("FLOW_CANNOT_COMPLETE", "flows.kid")],
    ),
    "recovery of empty fanout all": (
        """\
  main:
    input: {xs: 'integer[]'}
    output: {from: "${w.output}", contract: Out}
    steps:
      - id: p
        do: go
        out: Out
        ensure: [{expr: len(result.tags) == 0}]
      - id: f
        fanout:
          over: "${p.output.tags}"
          concurrency: 1
          isolation: none
          require: all
          merge: sequential
          steps: [{do: "a ${item} ${input.xs}", out: Item}]
        on_fail: rec
      - id: rec
        do: go
      - id: w
        after: [rec]
        do: go
        out: Out
""",
        [("STEP_NEVER_RUNS", "flows.main.steps[2]")],
    ),
    "fanout any of empty": (
        """\
  main:
    input: {xs: 'integer[]'}
    output: {from: "${w.output}", contract: Out}
    steps:
      - id: p
        do: go
        out: Out
        ensure: [{expr: len(result.tags) < 2}]
      - id: f
        fanout:
          over: "${p.output.tags}"
          concurrency: 1
          isolation: none
          require: 2
          merge: sequential
          steps: [{do: "a ${item} ${input.xs}", out: Item}]
      - id: w
        after: [f]
        do: go
        out: Out
""",
        [("FLOW_CANNOT_COMPLETE", "flows.main")],
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
    "evaluate facts": (
        """\
  main:
    input: {p: boolean}
    output: {from: "${w.output}", contract: Out}
    steps:
      - id: e
        evaluate: {command: make, timeout_ms: 5}
      - id: x
        after: [e]
        when: result.e.status == 'closed' && len(result.e.children) > 0
        do: "go ${input.p}"
      - id: w
        after: [x]
        do: go
        out: Out
""",
        [("STEP_NEVER_RUNS", "flows.main.steps[1].when")],
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
JUDGED = (
    "STEP_NEVER_RUNS",
    "WHEN_ALWAYS_TRUE",
    "REF_MAY_BE_MISSING",
    "OUTPUT_MAY_BE_MISSING",
    "FLOW_CANNOT_COMPLETE",
)


@pytest.mark.parametrize("name", CASES)
def test_flows(name: str) -> None:
    text, expected = CASES[name]
    found = check(HEAD + text, kind="spec").diagnostics
    assert sorted((one.code, one.path) for one in found if one.code in JUDGED) == sorted(expected)


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


def test_a_witness_is_told_in_the_message() -> None:
    text, _ = CASES["stage reads conditional"]
    diagnostics = check(HEAD + text, kind="spec").diagnostics
    (found,) = [one for one in diagnostics if one.code == "REF_MAY_BE_MISSING"]
    assert found.witness["skipped"] == ["c"]
    assert found.witness["input"]["p"] is False
    assert "`input.p` is false, `input.xs` is [0] and `c` is skipped" in found.message
    assert found.witness["failed"] == ["f"]
    assert len(found.witness["input"]["xs"]) == 1


FAN = """\
  main:
    input: {xs: 'string[]'}
    output: {from: "${w.output}", contract: Out}
    steps:
      - {id: l, do: "list ${input.xs}", out: Out, ensure: [{expr: "GIVEN"}]}
      - id: f
        fanout:
          over: "${l.output.tags}"
          concurrency: 1
          isolation: none
          require: REQUIRE
          merge: sequential
          steps:
            - {do: "a ${item}", out: Item, ensure: [{expr: "FIRST"}]}
            - {do: "b ${prev}", out: Item, ensure: [{expr: "SECOND"}]WHEN}
      - {id: w, after: [f], do: go, out: Out}
"""


SOME, EMPTY = "len(result.tags) > 0", "len(result.tags) < 9"
BAD = "result.v > 3 && result.v < 2"


@pytest.mark.parametrize(
    ("given", "require", "stages", "expected"),
    [
        (SOME, "all", ("result.v > 3", BAD, ""), True),
        (SOME, "all", ("result.v > 3", "result.v < 2 && prev.v < 2", ""), True),
        (EMPTY, "all", ("result.v > 3", BAD, ""), False),
        (EMPTY, "any", (BAD, "result.v > 3", ""), True),
        (SOME, "1", ("result.v > 3", BAD, ""), True),
        (SOME, "all", ("result.v > 3", "result.v > prev.v", ""), False),
        (SOME, "all", ("result.v > 3", BAD, "item == 'x'"), False),
        (f"all(result.tags) && {SOME}", "all", ("result.v > 3", BAD, "item != ''"), True),
    ],
)
def test_a_fanout_whose_items_all_fail_stops_the_flow(
    given: str, require: str, stages: tuple[str, str, str], expected: bool
) -> None:
    first, second, when = stages
    text = HEAD + FAN.replace("GIVEN", given).replace("REQUIRE", require).replace("FIRST", first)
    text = text.replace("SECOND", second).replace("WHEN", f', when: "{when}"' if when else "")
    found = [one.code for one in check(text, kind="spec").diagnostics]
    assert ("FLOW_CANNOT_COMPLETE" in found) is expected


def test_what_is_known_of_all_items_is_known_in_the_stages() -> None:
    text = FAN.replace("GIVEN", "all(result.tags)").replace("REQUIRE", "all").replace("FIRST", "result.v > 3")
    text = text.replace("SECOND", "result.v > 3").replace("WHEN", ", when: \"item == ''\"")
    found = [one.path for one in check(HEAD + text, kind="spec").diagnostics if one.code == "STEP_NEVER_RUNS"]
    assert found == ["flows.main.steps[1].fanout.steps[1].when"]
