"""Each type code fires when a clean flow is damaged in one place, there, and alone."""

from __future__ import annotations

import pytest

import stratumc
from stratumc.diagnostics import Family
from stratumc.diagnostics.catalog import CATALOG

CLEAN = """\
version: 1
contracts:
  Draft: {text: string, score: number, mood: calm|busy|wild, tags: "string[]", note: "string?"}
  Part: {text: string, good: boolean}
  Sum: {count: integer, label: string, note: "string?"}
  Probe: {status: closed|open|failed, children: array, reason: string, score: "number?"}
flows:
  entry: main
  main:
    input: {topic: string, limit: integer}
    output: {from: "${sum.output}", contract: Sum}
    steps:
      - id: draft
        do: Draft ${input.topic}.
        out: Draft
        ensure:
          - expr: result.score <= input.limit && result.mood != 'busy'
          - expr: matches(result.text, '^[A-Z]')
      - id: parts
        fanout:
          over: "${draft.output.tags}"
          concurrency: 2
          isolation: none
          require: all
          merge: sequential
          steps:
            - do: Work on ${item}.
              out: Part
            - do: Check ${prev}.
              out: Part
              ensure:
                - expr: result.good || prev.text != item
      - id: probe
        after: [parts]
        evaluate: {command: make check, timeout_ms: 1000}
        out: Probe
      - id: call
        after: [probe]
        run: polish
        with: {title: "${draft.output.text}", pages: 3, kind: "${draft.output.mood}"}
      - id: tell
        after: [call]
        when: result.call.good && len(result.draft.tags) > 1
        do: "Tell them: ${call.output.text}"
      - id: sum
        after: [tell]
        set:
          count: len(result.draft.tags)
          label: "result.draft.mood + ': ' + result.draft.text"
        out: Sum
  polish:
    input: {title: string, pages: integer, kind: calm|busy|wild}
    output: {from: "${inner.output}", contract: Part}
    steps:
      - id: inner
        do: Polish ${input.title} on ${input.pages} pages, ${input.kind}.
        out: Part
"""

MUTATIONS = [
    ("EXPR_SYNTAX", "error", "&& result.mood != 'busy'", "and result.mood != 'busy'"),
    ("EXPR_UNKNOWN_NAME", "error", "result.score <= input.limit", "score <= input.limit"),
    ("EXPR_UNKNOWN_NAME", "error", "result.call.good &&", "item.good &&"),
    ("EXPR_UNKNOWN_FUNCTION", "error", "len(result.draft.tags) > 1", "size(result.draft.tags) > 1"),
    ("EXPR_ARITY", "error", "matches(result.text, '^[A-Z]')", "matches(result.text)"),
    ("EXPR_TYPE", "error", "result.score <= input.limit", "result.score <= input.topic"),
    ("EXPR_TYPE", "error", "matches(result.text, '^[A-Z]')", "matches(result.txt, '^[A-Z]')"),
    ("EXPR_TYPE", "warning", "matches(result.text, '^[A-Z]')", "matches(result.note, '^[A-Z]')"),
    ("EXPR_TYPE", "warning", "prev.text != item", "prev.txt != item"),
    ("EXPR_NOT_BOOLEAN", "error", "matches(result.text, '^[A-Z]')", "result.text"),
    ("EXPR_UNKNOWN_STEP", "error", "result.call.good &&", "result.inner.good &&"),
    ("EXPR_STEP_NOT_ORDERED", "warning", "after: [probe]", "when: result.probe.status == 'closed'"),
    ("EXPR_STEP_NOT_ORDERED", "error", "result.call.good &&", "result.sum.count > 1 &&"),
    ("ENUM_VALUE_UNKNOWN", "error", "result.mood != 'busy'", "result.mood != 'bussy'"),
    ("PATTERN_REJECTED", "error", "'^[A-Z]'", "'^[A-Z'"),
    ("SET_TYPE_MISMATCH", "error", "count: len(result.draft.tags)", "count: result.draft.tags"),
    ("SET_TYPE_MISMATCH", "error", "          count: len(result.draft.tags)\n", ""),
    ("SET_TYPE_MISMATCH", "warning", "count: len(result.draft.tags)", "count: result.draft.score"),
    ("WITH_TYPE_MISMATCH", "error", "pages: 3", "pages: three"),
    ("WITH_TYPE_MISMATCH", "warning", "pages: 3", 'pages: "${draft.output.score}"'),
    ("WITH_TYPE_MISMATCH", "warning", "kind: calm|busy|wild}", "kind: calm|busy|loud}"),
    ("OUTPUT_TYPE_MISMATCH", "error", "contract: Sum}", "contract: Part}"),
    ("EVALUATE_OUT_MISMATCH", "error", "        out: Probe", "        out: Draft"),
    ("FANOUT_OVER_NOT_ARRAY", "error", 'over: "${draft.output.tags}"', 'over: "${draft.output.text}"'),
    ("FANOUT_OVER_NOT_ARRAY", "warning", 'tags: "string[]"', 'tags: "string[]?"'),
    ("TASK_NOT_TEXT", "error", "do: Check ${prev}.", 'do: "${prev}"'),
]  # fmt: skip


def found(text: str) -> list[tuple[str, str]]:
    result = stratumc.check(text, kind="spec", families=("rule", "type"))
    assert all(diagnostic.family == "type" for diagnostic in result.diagnostics), result.diagnostics
    return [(diagnostic.code, diagnostic.severity) for diagnostic in result.diagnostics]


def test_the_clean_flow_is_clean() -> None:
    assert found(CLEAN) == []


@pytest.mark.parametrize(("code", "severity", "old", "new"), MUTATIONS)
def test_the_damage_is_found(code: str, severity: str, old: str, new: str) -> None:
    assert CLEAN.count(old) >= 1
    codes = found(CLEAN.replace(old, new, 1))
    assert (code, severity) in codes
    if (code, severity) != ("FANOUT_OVER_NOT_ARRAY", "warning"):
        assert {one for one, _ in codes} == {code}


def test_every_type_code_has_a_mutation() -> None:
    codes = {rule.code for rule in CATALOG.values() if rule.family is Family.TYPE}
    assert {code for code, *_ in MUTATIONS} == codes
