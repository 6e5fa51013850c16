"""What the flow proofs say of conditions: never true, always true, or silence."""

from __future__ import annotations

import pytest

import stratumc
from support.small_flows import findings

FIELDS = (
    "n: integer, m: integer, x: number, y: number, t: string, u: string, k: a|b|c, ok: boolean, "
    "tags: 'string[]', sizes: 'integer[]', kinds: '(x|y)[]', flags: 'boolean[]', "
    "o: string?, q: integer?, any: object, list: array"
)


def document(ensures: tuple[str, ...], when: str) -> str:
    """A task with ensures, a step with a condition, and a last one."""
    listed = "".join(f'          - expr: "{ensure}"\n' for ensure in ensures)
    return f"""\
version: 1
contracts:
  Out: {{{FIELDS}}}
  Note: {{text: string}}
flows:
  entry: main
  main:
    input: {{p: string, lim: integer, mode: a|b}}
    output: {{from: "${{w.output}}", contract: Note}}
    steps:
      - id: s
        do: "go"
        out: Out
{"        ensure:" if ensures else ""}
{listed}
      - id: c
        after: [s]
        when: "{when}"
        do: "x ${{input.p}} ${{input.lim}} ${{input.mode}}"
      - id: w
        after: [c]
        do: "go"
        out: Note
"""


NEVER, ALWAYS, OPEN = ["STEP_NEVER_RUNS"], ["WHEN_ALWAYS_TRUE"], list[str]()


@pytest.mark.parametrize(
    ("ensures", "when", "expected"),
    [
        (("len(result.sizes) == 1", "result.sizes[0] == 1"), "3 in result.s.sizes", NEVER),
        (("len(result.sizes) == 3", "result.sizes[0] == 1"), "3 in result.s.sizes", OPEN),
        (("len(result.sizes) == 1", "result.sizes[0] == 1"), "max(result.s.sizes) > 1", NEVER),
        (
            ("len(result.sizes) == 2", "result.sizes[0] == 1", "result.sizes[1] == 2"),
            "min(result.s.sizes) == 1",
            ALWAYS,
        ),
        (("len(result.sizes) <= 1", "1 in result.sizes"), "2 in result.s.sizes", NEVER),
        (("len(result.sizes) <= 2", "1 in result.sizes"), "2 in result.s.sizes", OPEN),
        (("len(result.tags) == 1", "result.tags[0] == 'a'"), "'b' in result.s.tags", NEVER),
        (("!('x' in result.kinds) && !('y' in result.kinds)",), "len(result.s.kinds) > 0", NEVER),
        (("!('x' in result.kinds)",), "len(result.s.kinds) > 0", OPEN),
        (("!('x' in result.kinds) && !('y' in result.kinds)",), "any(result.s.kinds)", NEVER),
        (("len(result.kinds) > 0",), "'x' in result.s.kinds || 'y' in result.s.kinds", ALWAYS),
        (("any(result.flags)",), "true in result.s.flags", ALWAYS),
        (("any(result.flags)",), "false in result.s.flags", OPEN),
        (("!all(result.flags)",), "false in result.s.flags", ALWAYS),
        (("!all(result.sizes)",), "0 in result.s.sizes", ALWAYS),
        (("any(result.sizes)",), "1 in result.s.sizes", OPEN),
        ((), "str(result.s.n) == 'abc'", NEVER),
        ((), "str(result.s.n) == '1.5'", NEVER),
        ((), "str(result.s.x) == '1.5'", OPEN),
        ((), "str(result.s.x) == '1.50'", NEVER),
        ((), "str(result.s.n) == '-0'", NEVER),
        ((), "str(result.s.n) == '3' && result.s.n != 3", NEVER),
        (("result.n >= 0 && result.n <= 9",), "len(str(result.s.n)) == 2", NEVER),
        (("result.n >= 0 && result.n <= 10",), "len(str(result.s.n)) == 2", OPEN),
        (("str(result.n) == '5'",), "result.s.n == 5", ALWAYS),
        (("str(result.n) == str(result.m)",), "result.s.n == result.s.m", ALWAYS),
        (("result.n >= 0 && result.n <= 3",), "int(result.s.n / 2) < 2", ALWAYS),
        (("result.n >= 0 && result.n < 10",), "int(result.s.n / 10) > 0", NEVER),
        (("result.n >= 0 && result.n <= 10",), "int(result.s.n / 10) > 0", OPEN),
        (("result.n >= 0",), "int(result.s.n / 3) * 3 > result.s.n", OPEN),
        (("int(result.x / 10) == 3",), "result.s.x > 40", NEVER),
        (("int(result.x / 10) == 3",), "result.s.x > 39", OPEN),
        ((), "int(result.s.t) == 3 && result.s.t == '4'", NEVER),
        ((), "int(result.s.t) == 4 && result.s.t == '4'", OPEN),
        ((), "int('12') == 12", ALWAYS),
        (("result.n >= 0 && result.n <= 3",), "result.s.n + result.s.n / 4 > 4", NEVER),
        (("result.t == 'main' || result.t == 'dev'",), "result.s.t in 'main,dev'", ALWAYS),
        (("result.t == 'main' || result.t == 'prod'",), "result.s.t in 'main,dev'", OPEN),
        (("'ab' in result.t && len(result.t) == 2",), "result.s.t != 'ab'", NEVER),
        (("'ab' in result.t && len(result.t) == 3",), "result.s.t != 'ab'", ALWAYS),
        (("len(result.t) == 2",), "result.s.t == 'USA'", NEVER),
        (("len(result.t) == 3",), "result.s.t == 'USA'", OPEN),
        (("len(result.tags) == 0",), "'x' in result.s.tags", NEVER),
        ((), "matches(result.s.t,'^x') && !matches(result.s.t,'^x')", NEVER),
        ((), "min(result.s.sizes) > max(result.s.sizes)", NEVER),
        (("len(result.tags) == 0",), "any(result.s.tags)", NEVER),
        (("len(result.tags) == 0",), "!all(result.s.tags)", NEVER),
        (("result.x >= 0",), "int(result.s.x) > result.s.x", NEVER),
        (("result.x > 0",), "result.s.x / 2 > result.s.x", NEVER),
        (("result.n > 0 && result.m > 0",), "result.s.n * result.s.m < 0", NEVER),
        (("result.n > 0 && result.m > 0",), "result.s.n * result.s.m < 2", OPEN),
        (("result.x > 0",), "result.s.x + 1 < 1", NEVER),
        (("result.x > 0",), "result.s.x + 1 <= 1", OPEN),
        ((), "result.s.o == null", OPEN),
        ((), "result.s.o == null || result.s.o != null", OPEN),
        (("result.k != 'a'", "result.k != 'b'"), "result.s.k == 'c'", ALWAYS),
        ((), "'s' in result", ALWAYS),
        ((), "!('s' in result)", NEVER),
        ((), "len(result.s.t) >= 0", ALWAYS),
        ((), "result.s.n == 1 && result.s.n == 2", NEVER),
        ((), "result.s.n < 1 && result.s.n > 0", NEVER),
        ((), "result.s.x < 1 && result.s.x > 0", OPEN),
        ((), "result.s.n * 2 == 7", NEVER),
        (("result.t in 'abc'",), "len(result.s.t) > 3", NEVER),
        (("result.t == 'low' || result.t == 'high'",), "result.s.t == 'mid'", NEVER),
        (("result.t < 'b'",), "result.s.t > 'c'", NEVER),
        (("result.t + result.u == ''",), "len(result.s.t) > 0", NEVER),
        ((), "result.s.t + 'x' == ''", NEVER),
        ((), "str(result.s.ok) == 'maybe'", NEVER),
        ((), "result.s.any.foo > 3 && result.s.any.foo < 2", NEVER),
        ((), "result.s.any.foo > 3", OPEN),
        ((), "len(result.s.list) < 0", NEVER),
        ((), "result.s.list[0] == 1", OPEN),
        (("len(result.list) == 1",), "result.s.list[1] == 1", NEVER),
        ((), "file_exists('a')", OPEN),
        ((), "result.s.q > 1", OPEN),
        (("result.q == null || result.q > 3",), "result.s.q < 2", NEVER),
        (("input.mode == 'a'",), "input.mode == 'b'", NEVER),
        (("result.n >= input.lim", "input.lim > 5"), "result.s.n < 5", NEVER),
        (("result.sizes[0] > 5",), "min(result.s.sizes) > max(result.s.sizes)", NEVER),
        (("min(result.sizes) > 5",), "result.s.sizes[0] < 5", NEVER),
        (("max(result.sizes) <= 5",), "6 in result.s.sizes", NEVER),
        (("all(result.tags)",), "'' in result.s.tags", NEVER),
        (("result.tags[0] == 'x'",), "!('x' in result.s.tags)", NEVER),
        (("result.x == result.y * 2", "result.y > 0"), "result.s.x < 0", NEVER),
        (("result.n - result.m > 0",), "result.s.n < result.s.m", NEVER),
        (("result.n / 2 > 3",), "result.s.n < 6", NEVER),
        (("result.n + result.m == 10", "result.n >= 0", "result.m >= 0"), "result.s.n > 10", NEVER),
        (("result.ok == (result.n > 3)",), "result.s.ok && result.s.n < 3", NEVER),
        (("!result.ok || result.n > 3", "result.n < 3"), "result.s.ok", NEVER),
        ((), "-result.s.n > 0 && result.s.n > 0", NEVER),
        ((), "bool(result.s.n) && result.s.n == 0", NEVER),
        ((), "bool(result.s.t) && result.s.t == ''", NEVER),
        ((), "(result.s.n == 1) == (result.s.n != 1)", NEVER),
        ((), "int(result.s.ok) > 1", NEVER),
        (("matches(result.t, '^[0-9]+$')",), "result.s.t == 'abc'", NEVER),
        (("matches(result.t, '^[0-9]+$')",), "result.s.t == '12'", OPEN),
        ((), "result.s.t == 'abc' && !('b' in result.s.t)", NEVER),
        ((), "len(result.s.tags) > 2 && len(result.s.tags) < 2", NEVER),
        ((), "result.s.n + 1 > result.s.n", OPEN),
        (("result.n < 1000", "result.n > -1000"), "result.s.n + 1 > result.s.n", ALWAYS),
        ((), "result.s.x + result.s.y == result.s.y + result.s.x", ALWAYS),
        ((), "result.s.x - result.s.y == result.s.y - result.s.x", OPEN),
        (("'https://' in result.t",), "'http' in result.s.t", ALWAYS),
        (("'http' in result.t",), "'https://' in result.s.t", OPEN),
        (("!('http' in result.t)",), "'https://' in result.s.t", NEVER),
        (("result.u in result.t", "'abc' in result.u"), "'b' in result.s.t", ALWAYS),
        (("result.t == result.k + '-x'",), "result.s.t == 'd-x'", NEVER),
        (("result.t == result.k + '-x'",), "result.s.t == 'c-x'", OPEN),
        (("result.t == result.k + '-x'",), "result.s.t == 'a-x' && result.s.k == 'b'", NEVER),
        (("result.t == result.k + input.mode",), "result.s.t == 'aa' || len(result.s.t) == 2", ALWAYS),
        (("result.t == result.k + input.mode",), "result.s.t == 'ac'", NEVER),
        (("result.t == result.u + 'x'",), "'x' in result.s.t && result.s.u in result.s.t", ALWAYS),
        (("result.t == result.u + 'x'",), "result.s.t == 'fax' && result.s.u != 'fa'", NEVER),
        (("result.t == result.u + 'x'",), "result.s.t == 'fay'", NEVER),
        (("result.t == 'x' + result.u",), "result.s.t == 'yx'", NEVER),
        (("result.t == 'x' + result.u",), "result.s.t == 'xy'", OPEN),
        (("result.t + 'x' == result.u + 'x'",), "result.s.t != result.s.u", NEVER),
        (("!('q' in result.u)",), "'q' in result.s.u + 'x'", NEVER),
        (("!('qx' in result.u)",), "'qx' in result.s.u + 'x'", OPEN),
        (("matches(result.t, '^v[0-9]+$')",), "len(result.s.t) < 2", NEVER),
        (("matches(result.t, '^v[0-9]+$')",), "len(result.s.t) < 3", OPEN),
        (("matches(result.t, '^[0-9]{4}$')",), "len(result.s.t) == 4", ALWAYS),
        (("matches(result.t, '[0-9]{4}')",), "len(result.s.t) > 4", OPEN),
        (("matches(result.t, '^(ab|cde)$')",), "len(result.s.t) > 3", NEVER),
        (("matches(result.t, '^.{2}$')",), "len(result.s.t) == 4", OPEN),
        (("matches(result.t, '^https://[a-z]+')",), "'http' in result.s.t", ALWAYS),
        (("matches(result.t, 'abc')",), "'abc' in result.s.t", ALWAYS),
        (("'abc' in result.t",), "matches(result.s.t, 'bc')", ALWAYS),
        (("1 in result.sizes", "2 in result.sizes", "3 in result.sizes"), "len(result.s.sizes) < 3", NEVER),
        (("1 in result.sizes", "2 in result.sizes", "3 in result.sizes"), "len(result.s.sizes) == 3", OPEN),
        (
            (
                "len(result.tags) == 3",
                "result.tags[0] == 'a'",
                "result.tags[1] == 'a'",
                "result.tags[2] == 'b'",
            ),
            "'c' in result.s.tags",
            NEVER,
        ),
        (
            (
                "len(result.sizes) == 3 && result.sizes[0] == 1",
                "result.sizes[1] == 2 && result.sizes[2] == 3",
            ),
            "max(result.s.sizes) == 3",
            ALWAYS,
        ),
        (("result.any.a == 1", "result.any.b == 1"), "len(result.s.any) == 1", NEVER),
        (("result.x >= 0 && result.y >= 0",), "result.s.x + result.s.y < result.s.x", NEVER),
        ((), "input.mode == 'a' || input.mode == 'b'", ALWAYS),
        ((), "result.s.n > 0 || matches(result.s.t, 'x')", OPEN),
    ],
)
def test_conditions(ensures: tuple[str, ...], when: str, expected: list[str]) -> None:
    assert [finding.code for finding in findings(document(ensures, when))] == expected


@pytest.mark.parametrize(
    ("when", "suggestion"),
    [
        ("'plam' in result", "did you mean `plan`?"),
        ("!('plam' in result)", "did you mean `plan`?"),
        ("input.ok && 'notw' in result.plan", "did you mean `note`?"),
        ("'modee' in input && 'mode' in input", "did you mean `mode`?"),
        ("'elsewhere' in result", None),
        ("'plan' in result && 1 > 2", None),
        ("'anny' in result.plan.open && 1 > 2", None),
    ],
)
def test_a_member_that_cannot_be_there_is_told_with_the_nearest(when: str, suggestion: str | None) -> None:
    result = stratumc.check(
        f"""\
version: 1
contracts:
  Note: {{note: string, open: object}}
flows:
  entry: main
  main:
    input: {{mode: string, ok: boolean}}
    output: {{from: "${{plan.output}}", contract: Note}}
    steps:
      - {{id: plan, do: "${{input.mode}} ${{input.ok}}", out: Note}}
      - {{id: go, after: [plan], do: go, when: "{when}"}}
"""
    )
    (found,) = result.diagnostics
    assert found.code in ("STEP_NEVER_RUNS", "WHEN_ALWAYS_TRUE")
    assert found.suggestion == suggestion


@pytest.mark.parametrize(
    ("when", "told"),
    [
        ("result.input.ok", "when `input` returns ok false and `maybe` is skipped"),
        ("input.ok", "when `input.ok` is false and `maybe` is skipped"),
    ],
)
def test_a_step_called_input_is_not_the_input(when: str, told: str) -> None:
    """A witness tells only what the condition reads."""
    text = f"""\
version: 1
contracts:
  Out: {{ok: boolean}}
flows:
  entry: main
  main:
    input: {{ok: boolean}}
    output: {{from: "${{last.output}}", contract: Out}}
    steps:
      - {{id: input, do: go, out: Out}}
      - {{id: maybe, after: [input], when: {when}, do: go, out: Out}}
      - {{id: last, do: "go ${{maybe.output.ok}}", out: Out}}
"""
    (found,) = (
        one for one in stratumc.check(text, kind="spec").diagnostics if one.code == "REF_MAY_BE_MISSING"
    )
    assert found.message.endswith(told)
