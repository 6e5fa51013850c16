"""The Unicode properties of patterns: a sound table, and the answers of a JavaScript engine."""

from __future__ import annotations

import json
import shutil
import subprocess
from itertools import accumulate, pairwise
from pathlib import Path

import pytest

import stratum_runtime
from stratum_runtime.pattern import PatternError, compile_pattern

TABLE = Path(stratum_runtime.__file__).with_name("unicode_ranges.txt")
LINES = [line.partition(": ") for line in TABLE.read_text("ascii").splitlines()]
EDGES = {
    name: tuple(accumulate(map(int, distances.split())))
    for names, _, distances in LINES
    for name in names.split()
}
_ASK = """
const cases = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(cases.map(([pattern, code]) => {
  try { return new RegExp(pattern, "u").test(String.fromCodePoint(code)); } catch { return null; }
})));
"""


def found(pattern: str, text: str) -> bool | None:
    try:
        return compile_pattern(pattern).search(text)
    except PatternError:
        return None


def ranges(name: str) -> list[range]:
    edges = EDGES[name]
    ends = edges if len(edges) % 2 == 0 else (*edges, 0x110000)
    return [range(*pair) for pair in zip(ends[::2], ends[1::2], strict=True)]


def test_every_spelling_stands_once_and_every_range_has_an_end() -> None:
    assert len(EDGES) == sum(len(names.split()) for names, _, _ in LINES)
    for edges in EDGES.values():
        assert list(edges) == sorted(set(edges))
        assert 0 <= edges[0] <= edges[-1] < 0x110000


def test_every_character_has_one_category_and_at_most_one_script() -> None:
    prefix = "General_Category="
    categories = [name for name in EDGES if name.startswith(prefix) and len(name) == len(prefix) + 2]
    categories.remove(f"{prefix}LC")
    scripts = [names.split()[0] for names, _, _ in LINES if names.startswith("Script=")]
    for names, covered in ((categories, 0x110000), (scripts, None)):
        parts = sorted((part for name in names for part in ranges(name)), key=lambda part: part.start)
        assert all(a.stop <= b.start for a, b in pairwise(parts))
        assert covered in (None, sum(map(len, parts)))


@pytest.mark.parametrize(
    ("pattern", "text", "answer"),
    [
        (r"\p{Script=Greek}", "α", True),
        (r"\p{sc=Grek}", "a", False),
        (r"\P{sc=Grek}", "a", True),
        (r"\p{Script=Latin}", "é", True),
        (r"\p{Script=Han}", "漢", True),
        (r"\p{Script=Hira}", "ー", False),
        (r"\p{scx=Hira}", "ー", True),
        (r"\p{Alphabetic}", "Ⅷ", True),
        (r"\p{Emoji}", "😀", True),
        (r"\p{Emoji}", "7", True),
        (r"\p{Emoji_Presentation}", "7", False),
        (r"^\p{ID_Start}\p{ID_Continue}+$", "été2", True),
        (r"[\p{Lu}\p{Script=Cyrillic}]", "ж", True),
        (r"[^\p{L}\p{N}]", "a1", False),
        (r"\p{General_Category=Uppercase_Letter}", "É", True),
        (r"\p{gc=Lu}", "é", False),
        (r"\p{Any}", "\n", True),
        (r"\p{ASCII}", "é", False),
        (r"\p{Greek}", "α", None),
        (r"\p{Script}", "α", None),
        (r"\p{Script=greek}", "α", None),
        (r"\p{script=Greek}", "α", None),
        (r"\p{Script=Klingon}", "α", None),
        (r"\p{gc=Any}", "α", None),
        (r"\p{Alphabetic=Yes}", "a", None),
        (r"\p{InGreek}", "α", None),
        (r"\p{}", "α", None),
    ],
)
def test_what_has_a_property(pattern: str, text: str, answer: bool | None) -> None:
    assert found(pattern, text) is answer


def _node(program: str, given: str = "") -> str:
    return subprocess.run(
        ["node", "-e", program], input=given, capture_output=True, text=True, check=True
    ).stdout


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no JavaScript engine")
def test_a_javascript_engine_has_the_same_properties() -> None:
    if _node("console.log(process.versions.unicode)").strip() != "17.0":
        pytest.skip("the engine knows another version of Unicode")
    cases = [
        (f"\\p{{{name}}}", code)
        for name, edges in EDGES.items()
        for edge in {edges[0], edges[len(edges) // 2], edges[-1]}
        for code in (edge - 1, edge)
        if code >= 0
    ]
    answers = json.loads(_node(_ASK, json.dumps(cases)))
    wrong = [
        case
        for case, answer in zip(cases, answers, strict=True)
        if found(case[0], chr(case[1])) is not answer
    ]
    assert wrong == []
