"""State files: two fields change, every other byte keeps its meaning; what is corrupt is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stratum_runtime.workflow.state_file import StateFileError, StateText, read_fields

FIELDS = ("workflow_state", "previous_workflow_state")


def edited(data: bytes, **values: str) -> str:
    return StateText(data).with_values(values).decode("utf-8")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"{}", '{\n  "s": "b"\n}'),
        (b" { } \n", ' {\n  "s": "b"\n} \n'),
        (b'{"s":"a"}', '{"s":"b"}'),
        (b'{"s" : "a" , "x":1.0}', '{"s" : "b" , "x":1.0}'),
        (b'{"x":1}', '{"x":1,"s": "b"}'),
        (b'{"x": 1}', '{"x": 1, "s": "b"}'),
        (b'{"x": 1, "y": [1,\n2]}', '{"x": 1, "y": [1,\n2], "s": "b"}'),
        (b'{\n\t"x": 1\n}\n', '{\n\t"x": 1,\n\t"s": "b"\n}\n'),
        (b'{\r\n  "x": 1\r\n}\r\n', '{\r\n  "x": 1,\r\n  "s": "b"\r\n}\r\n'),
        (b'\xef\xbb\xbf{"s": null}', '\ufeff{"s": "b"}'),
        (
            b'{"big": 1e400, "n": 123456789012345678901234567890, "f": 1.0, "d": {"a": 1, "a": 2}}',
            '{"big": 1e400, "n": 123456789012345678901234567890, "f": 1.0, "d": {"a": 1, "a": 2}, "s": "b"}',
        ),
        (b'{"\\u0073": "a"}', '{"\\u0073": "b"}'),
        (b'{"lone": "\\ud800", "e": "\xc3\xa9"}', '{"lone": "\\ud800", "e": "é", "s": "b"}'),
    ],
)
def test_only_the_field_changes(before: bytes, after: str) -> None:
    assert edited(before, s='"b"') == after


def test_a_new_file_is_laid_out() -> None:
    text = StateText(None).with_values({"s": '"b"', "p": '"a"', "é": "1"}).decode()
    assert text == '{\n  "s": "b",\n  "p": "a",\n  "é": 1\n}\n'


def test_a_long_number_is_passed_over() -> None:
    data = b'{"n": ' + b"9" * 6000 + b', "workflow_state": "a"}'
    assert read_fields(data, *FIELDS) == ("a", None)
    assert StateText(data).field("workflow_state") == "a"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b" ",
        b"[]",
        b'"workflow_state"',
        b"null",
        b"{",
        b'{"workflow_state"',
        b'{"workflow_state": "a"',
        b'{"workflow_state": "a",}',
        b"{,}",
        b'{"workflow_state": "a"} x',
        b'{"workflow_state": "a"}{}',
        b'{"workflow_state" "a"}',
        b"{'workflow_state': 'a'}",
        b'{"workflow_state": "a" "b": 1}',
        b'{"x": NaN}',
        b'{"x": -Infinity}',
        b'{"x": "\x01"}',
        b'{"x": "\xff"}',
        b"\xff\xfe{\x00}\x00",
        b'{"workflow_state": 5}',
        b'{"workflow_state": ["a"]}',
        b'{"workflow_state": ' + b"9" * 6000 + b"}",
        b'{"previous_workflow_state": false}',
        b'{"workflow_state": "a", "workflow_state": "a"}',
        b'{"x": ' + b"[" * 501 + b"]" * 501 + b"}",
        b'{"x": ' + b"[" * 200_000,
        b'{"x": 1} // note',
    ],
)
def test_what_is_corrupt_is_refused_by_both_ways_of_looking(data: bytes) -> None:
    with pytest.raises(StateFileError):
        read_fields(data, *FIELDS)
    with pytest.raises(StateFileError):
        [StateText(data).field(field) for field in FIELDS]


def test_depth_up_to_the_limit_is_fine() -> None:
    data = b'{"brackets": "' + b"[" * 600 + b'", "x": ' + b"[" * 499 + b"]" * 499 + b"}"
    assert read_fields(data, *FIELDS) == (None, None)
    assert edited(data, s="1").endswith(', "s": 1}')


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
_OBJECTS = st.dictionaries(st.text(max_size=5) | st.sampled_from(FIELDS), _VALUES, max_size=5)


@given(
    _OBJECTS,
    st.dictionaries(st.text(max_size=5), _VALUES, max_size=3),
    st.sampled_from([None, 0, 2, "\t"]),
    st.booleans(),
)
def test_an_edit_is_a_dictionary_update(
    before: dict[str, Any], values: dict[str, Any], indent: Any, plain: bool
) -> None:
    data = json.dumps(before, indent=indent, ensure_ascii=plain).encode("utf-8", "surrogatepass")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return
    texts = {key: json.dumps(value) for key, value in values.items()}
    after = json.loads(StateText(data).with_values(texts))
    assert after == before | values
    assert list(after) == list(before | values)


@given(_OBJECTS, st.sampled_from([None, 2]))
def test_both_ways_of_looking_agree(value: dict[str, Any], indent: Any) -> None:
    data = json.dumps(value, indent=indent).encode()
    answers: list[Any] = []
    looks: tuple[Callable[[], Any], ...] = (
        lambda: read_fields(data, *FIELDS),
        lambda: tuple(map(StateText(data).field, FIELDS)),
    )
    for look in looks:
        try:
            answers.append(look())
        except StateFileError as error:
            answers.append(str(error))
    assert answers[0] == answers[1]
