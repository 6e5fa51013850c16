"""Places in TOML: what stands at each is what `tomllib` says of it."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stratumc.driver.toml_places import Way, toml_places

HARD = """\
# a comment with "quotes" and [brackets]
title = "a \\"quoted\\" # text" # [not.a.header]
'single key' = 'C:\\path'
"double \\u00e9" . inner = 1
date = 1979-05-27 07:32:00
day = 1979-05-27
multi = \"\"\"
[no.header]
key = "value" \"" end\"\"\"\"\"
empty = \"\"\"\"\"\"
literal = '''it''s ''''
list = [ # first
  1, [2, 3],
  {a = 1, "b c" = [4]}, # last
]
none = []
nothing = {}
[a.b]
x.y = -inf
x.z = 0x_ff
[[fruit]]
name = "apple"
[fruit.skin]
colour = "red"
[[fruit.kind]]
name = "first"
[[fruit.kind]]
name = "second"
[[fruit]]
name = "pear"
[[fruit.kind]]
name = "third"
[  "a" . c  ]
d = true
""".replace("0x_ff", "0xff")


def leaves(value: Any, way: Way = ()) -> Iterator[tuple[Way, Any]]:
    """Everything below a table that isn't a table or list itself, and the empty ones."""
    match value:
        case dict() if value:
            for key, inner in value.items():
                yield from leaves(inner, (*way, key))
        case list() if value:
            for number, inner in enumerate(value):
                yield from leaves(inner, (*way, number))
        case _:
            yield way, value


def assert_places(text: str) -> None:
    table, places = tomllib.loads(text), toml_places(text)
    assert {way for way, value in leaves(table) if value != {}} <= set(places.values)
    for way, (start, end) in places.values.items():
        value: Any = table
        for part in way:
            value = value[part]
        assert tomllib.loads(f"it = {text[start:end]}")["it"] == value, way
    for way, (start, end) in places.keys.items():
        assert list(tomllib.loads(f"{text[start:end]} = 1")) == [way[-1]]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_text_with_all_that_is_hard(newline: str) -> None:
    assert_places(HARD.replace("\n", newline))


def test_tables_of_arrays_are_numbered() -> None:
    keys = toml_places(HARD).keys
    assert ("fruit", 0, "kind", 1, "name") in keys
    assert ("fruit", 1, "kind", 0, "name") in keys
    assert HARD[slice(*keys["fruit", 0, "skin"])] == "skin"


KEYS = st.text(max_size=4).map(json.dumps) | st.from_regex(r"[a-z0-9_-]{1,3}", fullmatch=True)
ATOMS = st.sampled_from(['"a # b"', "'x'", "1", "true", '"\\\\"', "1979-05-27 07:32:00", '"""q\n""x"""'])
VALUES = st.recursive(
    ATOMS,
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda items: "[ " + ",\n # c ]\n".join(items) + " ]")
        | st.lists(st.tuples(KEYS, inner), max_size=3).map(
            lambda pairs: "{" + ", ".join(f"{key} = {value}" for key, value in pairs) + "}"
        )
    ),
    max_leaves=8,
)
LINES = st.tuples(st.lists(KEYS, min_size=1, max_size=3).map(" . ".join), VALUES).map(" = ".join) | st.lists(
    KEYS, min_size=1, max_size=2
).flatmap(lambda names: st.sampled_from([f"[{'.'.join(names)}]", f"[[ {'.'.join(names)} ]] # c"]))


@given(st.lists(LINES, max_size=8).map("\n".join))
def test_every_text_that_is_toml(text: str) -> None:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    assert_places(text)
