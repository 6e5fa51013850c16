"""What the flow proofs say of fanouts, subflows and evaluate steps inside a flow."""

from __future__ import annotations

import pytest

from stratumc import check
from support.flow_verdicts import HEAD, Case, verdicts

CASES: dict[str, Case] = {
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
}


@pytest.mark.parametrize("name", CASES)
def test_steps_with_parts(name: str) -> None:
    text, expected = CASES[name]
    assert verdicts(text) == sorted(expected)


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
