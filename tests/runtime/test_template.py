"""Rendering: strings as they are, null as nothing, all else as compact JSON."""

from __future__ import annotations

from typing import Any

import pytest

from stratum_runtime.contract import ABSENT
from stratum_runtime.template import Unavailable, build, render, resolve, value_text

VALUES: dict[tuple[str, int | None], Any] = {
    ("input", None): {"topic": "tea", "none": None, "n": 3.0},
    ("step", 0): {"kids": [{"text": "k0"}, {"text": "k1"}], "o": {"z": 1, "a": [True, None, "é\n"]}},
    ("step", 1): ABSENT,
    ("carry", 0): ["a"],
    ("item", None): 1e21,
    ("prev", None): ABSENT,
}


def lookup(kind: str, number: int | None) -> Any:
    return VALUES[kind, number]


def template(*parts: Any, full: bool = False) -> dict[str, Any]:
    return {"text": "the text", "parts": list(parts), "full": full}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("${a.output}", "${a.output}"),
        (None, ""),
        (True, "true"),
        (3.0, "3"),
        (1e-7, "1e-7"),
        (-0.0, "0"),
        ([1, "a", None], '[1,"a",null]'),
        ({"b": 1, "a": {}}, '{"b":1,"a":{}}'),
    ],
)
def test_values_in_text(value: Any, text: str) -> None:
    assert value_text(value) == text


def test_text_with_references() -> None:
    one = template(["input", ["topic"]], " [", ["input", ["none"]], "] ", ["step", 0, ["o"]], ["item"])
    assert render(one, lookup) == 'tea [] {"z":1,"a":[true,null,"é\\n"]}1e+21'


def test_a_full_reference_keeps_its_type() -> None:
    assert render(template(["carry", 0, []], full=True), lookup) == ["a"]
    assert render(template(["input", ["none"]], full=True), lookup) is None
    assert render(template(["step", 0, ["kids", 1, "text"]], full=True), lookup) == "k1"


@pytest.mark.parametrize(
    "part",
    [
        ["step", 1, []],
        ["step", 1, ["text"]],
        ["step", 0, ["kids", 2]],
        ["step", 0, ["kids", "text"]],
        ["step", 0, ["o", 0]],
        ["input", ["topic", "length"]],
        ["input", ["topic", 0]],
        ["input", ["gone"]],
        ["prev"],
    ],
)
def test_a_reference_without_a_value(part: list[Any]) -> None:
    assert resolve(part, lookup) is ABSENT
    for whole in (template(part, full=True), template("a ", part)):
        outcome = render(whole, lookup)
        assert isinstance(outcome, Unavailable)
        assert outcome.reference == "the text"


def test_arguments_are_built_with_their_types() -> None:
    templates = [
        template(["carry", 0, []], full=True),
        template("n=", ["input", ["n"]]),
        template(["prev"], full=True),
    ]
    tree = [
        "object",
        [
            ["list", ["list", [["template", 0], ["value", None]]]],
            ["text", ["template", 1]],
            ["e", ["list", []]],
        ],
    ]
    assert build(tree, templates, lookup) == {"list": [["a"], None], "text": "n=3", "e": []}
    assert isinstance(build(["list", [["object", [["x", ["template", 2]]]]]], templates, lookup), Unavailable)
