"""Loading tables: what is refused, with one clear line, and what comes back as it was."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stratumc
from stratum_runtime import TableError, dumps, loads
from stratum_runtime.canonical import canonical_bytes, digest_of
from stratum_runtime.table_check import EFFECTS, GUARDS
from stratum_runtime.table_text import freeze
from support.documents import document, gate, table_of, task
from support.repository import ROOT
from support.specs import specs

TABLE = table_of(
    document(
        task("draft", on_fail="rescue", ensure=[{"expr": "len(result.text) > 1"}]),
        task("rescue"),
        task("last", after=["draft", "rescue"]),
        gate("check", after=["last"], on_revise="draft"),
        max_rounds=2,
    )
)


def signed(change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    """A damaged copy whose digest is right."""
    data = copy.deepcopy(TABLE.data)
    change(data)
    data["digest"] = digest_of({key: data[key] for key in data if key != "digest"})
    return data


def test_bytes_text_and_objects_load_alike() -> None:
    data = dumps(TABLE)
    assert loads(data) == loads(data.decode()) == loads(json.loads(data)) == TABLE
    assert dumps(loads(data)) == data


def test_canonical_bytes_sort_keys_and_shorten_numbers() -> None:
    assert (
        canonical_bytes({"b": 1.0, "a": [2.5, True, None, "é\n"]})
        == '{"a":[2.5,true,null,"é\\n"],"b":1}'.encode()
    )


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {"a": [-float("inf")]}])
def test_what_json_cannot_hold_has_no_canonical_bytes(value: Any) -> None:
    with pytest.raises(ValueError, match="JSON"):
        canonical_bytes(value)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (b"", "not a JSON table: Expecting value: line 1 column 1 (char 0)"),
        (b"\xff\xfe\x00", "not a JSON table"),
        (b"[1]", "not a JSON table: the document isn't an object"),
        (b'{"format": 1, "format": 1}', "not a JSON table: the key 'format' is there twice"),
        (b'{"format": NaN}', "not a JSON table: NaN isn't a JSON number"),
        (b"{}", "the table's format is None, this runtime reads format 1"),
        (b'{"format": 2}', "the table's format is 2, this runtime reads format 1"),
        (b'{"format": true}', "the table's format is True, this runtime reads format 1"),
        (b'{"format": 1, "digest": "0"}', "the digest is '0', the content's is"),
        (b"[" * 100_000, "not a JSON table"),
    ],
)
def test_what_is_no_table_is_refused(source: bytes, message: str) -> None:
    with pytest.raises(TableError) as caught:
        loads(source)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def row(data: dict[str, Any]) -> list[Any]:
    """The second row of the flow, the first of `dispatch`."""
    found: list[Any] = data["machines"][0]["rows"][1]
    return found


def first(data: dict[str, Any]) -> dict[str, Any]:
    """The region of the first step."""
    found: dict[str, Any] = data["machines"][0]["regions"][0]
    return found


ROW, STEP = "row 1 of machine `main`: ", "the step `draft` of machine `main`: "


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.update(extra=1), "the table's keys are"),
        (lambda d: d.update(entry=5), "the table: the entry isn't a machine"),
        (lambda d: d["pools"].pop("values"), "the table's pools must be"),
        (lambda d: d["pools"]["templates"][0].update(full=1), "entry 0 of the pool `templates` is malformed"),
        (lambda d: d["pools"]["expressions"][0].update(code={"ops": [["?"]]}), "the code of expression 0 is"),
        (lambda d: d["machines"][0].update(role="robot"), "machine `main`: the role 'robot' is unknown"),
        (lambda d: first(d).update(wakes=[9]), "region 0 of machine `main`: [9] isn't an ascending list"),
        (lambda d: row(d).__setitem__(4, 7), ROW + "there is no target 7"),
        (lambda d: row(d).__setitem__(3, [["luck"]]), ROW + "the guard ['luck'] is unknown"),
        (lambda d: row(d).__setitem__(5, [["luck"]]), ROW + "the effect ['luck'] is unknown"),
        (lambda d: row(d)[3].append(["fresh", 1]), ROW + "the guard `fresh` takes 0 arguments"),
        (lambda d: row(d)[3].append(["renders", 99]), ROW + "99 isn't an entry of the pool `templates`"),
        (lambda d: d["machines"][0]["rows"].reverse(), "row 10 of machine `main`: it is out of order"),
        (lambda d: first(d)["step"].update(attempts=0), STEP + "0 isn't a positive number"),
        (lambda d: first(d)["step"].pop("agent"), STEP + "its keys must be"),
        (lambda d: d["machines"][0].update(data=None), "the table is malformed"),
        (lambda d: d["proofs"].append(["x", "guess", "proved"]), "the table: the proof ['x', 'guess',"),
    ],
)
def test_damage_is_named_with_its_place(change: Callable[[dict[str, Any]], object], message: str) -> None:
    with pytest.raises(TableError) as caught:
        loads(signed(change))
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_freezing_checks_too() -> None:
    content = {key: value for key, value in TABLE.data.items() if key != "digest"}
    assert freeze(content) == TABLE
    with pytest.raises(TableError, match="the entry isn't a machine"):
        freeze({**content, "entry": 3})


def test_the_documented_example_is_a_table() -> None:
    page = (ROOT / "docs" / "table-format.md").read_text("utf-8")
    example = page.partition("```json\n")[2].partition("```")[0]
    table = loads(example)
    content = {
        "name": "door",
        "initial_state": "shut",
        "states": {
            "shut": {"transitions": [{"event": "open", "target": "ajar"}]},
            "ajar": {"triggers": [{"condition": "room.people < 1", "target": "shut", "action": "/lock"}]},
        },
    }
    compiled = stratumc.compile(json.dumps(content), name="workflow.json", kind="workflow").table
    assert compiled == table


def test_the_documented_names_are_those_there_are() -> None:
    page = (ROOT / "docs" / "table-format.md").read_text("utf-8")
    for title, known in (("Guards", GUARDS), ("Effects", EFFECTS)):
        section = page.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
        rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
        assert set(re.findall(r"`(\w+)`", " ".join(rows))) == set(known)


def test_machines_are_found_by_name() -> None:
    machine = TABLE.machine("main")
    assert machine is TABLE.entry
    assert TABLE.machine("other") is None
    assert [region.name for region in TABLE.entry.regions] == ["draft", "rescue", "last", "check", "run"]
    assert TABLE.entry.starts == (0,)


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of everything inside a JSON value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for key, item in items for found in [(*path, key), *leaves(item, (*path, key))]]


PLACES = leaves({key: value for key, value in TABLE.data.items() if key != "digest"})


@settings(max_examples=150)
@given(st.sampled_from(PLACES), st.sampled_from([None, True, -1, 99, 0.5, "x", [], {}, [[]], [["deps"]]]))
def test_no_damage_does_worse_than_a_refusal(path: tuple[Any, ...], value: Any) -> None:
    def replace(data: Any) -> None:
        for key in path[:-1]:
            data = data[key]
        data[path[-1]] = value

    try:
        message = repr(loads(signed(replace)))
    except TableError as error:
        message = str(error)
    assert "\n" not in message


@settings(max_examples=25)
@given(specs())
def test_every_table_round_trips(content: dict[str, Any]) -> None:
    table = table_of(content)
    assert loads(dumps(table)).data == table.data
