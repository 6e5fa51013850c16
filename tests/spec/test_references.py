"""The grammar of references: what each spelling is, and laws that hold of every text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stratumc.spec.references import format_reference, references, scan


@pytest.mark.parametrize(
    ("text", "kind", "name", "path"),
    [
        ("input.a", "input", None, ("a",)),
        ("input.output", "input", None, ("output",)),
        ("input.a[007].b", "input", None, ("a", 7, "b")),
        ("a-b_1.output", "step", "a-b_1", ()),
        ("a.output[0].x", "step", "a", (0, "x")),
        ("item.output", "step", "item", ()),
        ("item", "item", None, ()),
        ("prev", "prev", None, ()),
        ("item.x", "carry", "item", ("x",)),
        ("prev[0]", "carry", "prev", (0,)),
        ("input", "carry", "input", ()),
        ("input[0]", "carry", "input", (0,)),
        ("a.outputs", "carry", "a", ("outputs",)),
        ("a[0].output", "carry", "a", (0, "output")),
        ("output", "carry", "output", ()),
    ],
)
def test_what_stands_between_the_braces(
    text: str, kind: str, name: str | None, path: tuple[str | int, ...]
) -> None:
    (found,) = references("${" + text + "}") or ()
    assert (found.kind, found.name, found.path, found.full) == (kind, name, path, True)
    (inside,) = references("say ${" + text + "}!") or ()
    assert (inside.full, inside.start, inside.end) == (False, 4, 7 + len(text))


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "a b",
        "A",
        "1",
        "-",
        "a.",
        "a..b",
        ".a",
        "a[",
        "a[]",
        "a[x]",
        "a[-1]",
        "a[1.0]",
        "a[１]",
        "a.1",
        "a.é",
        "a.output-v",
        "a.output.",
        "input.",
        "input.a-b",
        "Input.a",
        "a\n",
        "a.output\n",
        "{a}",
        "$",
        "a,b",
        "item ",
    ],
)
def test_what_is_no_reference(text: str) -> None:
    assert references("before ${" + text + "} after") is None


def test_open_and_nested_references() -> None:
    assert references("${a") is None
    assert references("${") is None
    assert references("${a}${") is None
    assert references("${${a}") is None


@pytest.mark.parametrize(
    ("text", "read", "faults"),
    [
        ("x ${a} ${b c} ${", ["a"], ["${b c}", "${"]),
        ("${b c} and ${a}", ["a"], ["${b c}"]),
        ("${b c ${a}", ["a"], ["${b c "]),
        ("${${a}} ${A}${", ["a"], ["${", "${A}", "${"]),
        ("${a}${b} $ {c}", ["a", "b"], []),
    ],
)
def test_what_cannot_be_read_hides_nothing_beside_it(text: str, read: list[str], faults: list[str]) -> None:
    found, wrong = scan(text)
    assert [one.name for one in found] == read
    assert [text[slice(*fault)] for fault in wrong] == faults


def test_dollars_and_braces_alone_mean_nothing() -> None:
    assert references("$ {a} } { $$ {{x}} $") == ()
    assert [one.start for one in references("$${a}") or ()] == [1]


def test_an_index_may_have_any_number_of_digits() -> None:
    (found,) = references("${a[" + "9" * 20_000 + "]}") or ()
    assert isinstance(found.path[0], int)
    (zero,) = references("${a[" + "0" * 20_000 + "3]}") or ()
    assert zero.path == (3,)


_TOKENS = [
    "${",
    "}",
    "a",
    "input",
    "item",
    "prev",
    ".output",
    ".x",
    "[0]",
    "[",
    "]",
    ".",
    " ",
    "\n",
    "$",
    "é",
    "-",
]
_TEXTS = st.lists(st.sampled_from(_TOKENS), max_size=12).map("".join) | st.text(max_size=12)


@given(_TEXTS)
@settings(max_examples=400)
def test_references_lie_where_they_say_and_read_the_same_when_written_again(text: str) -> None:
    found, faults = scan(text)
    assert text.count("${") == len(found) + len(faults)
    assert references(text) == (None if faults else found)
    for one in found:
        assert text[one.start : one.start + 2] == "${"
        assert text[one.end - 1] == "}"
        assert one.full is (one.start == 0 and one.end == len(text))
        (again,) = references("${" + format_reference(one) + "}") or ()
        assert (again.kind, again.name, again.path) == (one.kind, one.name, one.path)


@given(_TEXTS, _TEXTS)
@settings(max_examples=200)
def test_texts_that_can_be_read_can_be_read_side_by_side(left: str, right: str) -> None:
    first, second = references(left), references(right)
    if first is None or second is None or left.endswith("$"):
        return
    both = references(left + right)
    assert both is not None
    assert [one.name for one in both] == [one.name for one in (*first, *second)]
