"""The verifier: silent on what the compiler makes, and exact about what was changed."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings

import stratumc
from stratum_runtime import Table, TableError, loads
from stratum_runtime.canonical import digest_of
from stratumc.driver.load import load
from stratumc.driver.pipeline import check_loaded, lower_loaded
from stratumc.driver.settings import Settings
from stratumc.driver.verify import verify
from stratumc.lower.verify import Verification
from support.documents import document, gate, table_of, task
from support.specs import specs

CONTENT = document(
    task("draft", on_fail="rescue"),
    task("rescue"),
    task("use", after=["draft"]),
    task("last", after=["use", "rescue"]),
    gate("check", after=["last"], on_revise="draft"),
    max_rounds=2,
)


def signed(data: dict[str, Any]) -> dict[str, Any]:
    data["digest"] = digest_of({key: data[key] for key in data if key != "digest"})
    return data


def details(verification: Verification) -> dict[str, str]:
    return {one.name: one.detail for one in verification.properties if one.verdict == "refuted"}


def proved(content: dict[str, Any]) -> Table:
    """The table of a document with what all checks decide of it, whatever they find besides."""
    loaded = load(json.dumps(content), name="case.spec.json", kind="spec")
    return lower_loaded(loaded, check_loaded(loaded, Settings()).properties)


@settings(max_examples=40)
@given(specs())
def test_tables_of_valid_documents_are_verified(content: dict[str, Any]) -> None:
    verification = verify(proved(content), json.dumps(content), name="case.spec.json", kind="spec")
    assert details(verification) == {}
    assert verification.ok


def test_a_wrong_reset_is_named() -> None:
    data = copy.deepcopy(table_of(CONTENT).data)
    reset = next(effect for row in data["machines"][0]["rows"] for effect in row[5] if effect[0] == "reset")
    reset[1] = [2, 5]
    found = details(verify(signed(data)))
    name = "reset masks are the closures of the row graph"
    assert found[name] == "the reset of `main.check` is not the closure of its target"


def test_a_circle_of_raised_events_is_named() -> None:
    data = copy.deepcopy(table_of(CONTENT).data)
    row = next(row for row in data["machines"][0]["rows"] if row[2] == "dispatch")
    row[4], row[5] = 0, [["raise", "dispatch"]]
    assert details(verify(signed(data)))["macrosteps end"] == "`dispatch` of `main` raises itself again"


def test_a_dead_row_is_named() -> None:
    data = copy.deepcopy(table_of(CONTENT).data)
    rows = data["machines"][0]["rows"]
    place = next(number for number, row in enumerate(rows) if row[2] == "result" and not row[3])
    rows.insert(place + 1, copy.deepcopy(rows[place]))
    found = details(verify(signed(data)))["rows are deterministic"]
    assert found == "`result` of `main.draft` in state 1: the row to 5 can never be the first to hold"


def test_a_table_is_no_other_documents() -> None:
    other = json.loads(json.dumps(CONTENT))
    other["flows"]["main"]["steps"][0]["do"] = "something else"
    verification = verify(proved(CONTENT), json.dumps(other), name="case.spec.json", kind="spec")
    found = details(verification)
    assert found["steps are those of the source"] == "`task` of `main.draft` is not that of the source"
    assert set(found) == {"steps are those of the source", "the source compiles to this table"}


FORGERIES: dict[str, Callable[[list[list[str]]], object]] = {
    "added": lambda proofs: proofs.append(["the run never fails", "z3", "proved"]),
    "emptied": lambda proofs: proofs.clear(),
    "last removed": lambda proofs: proofs.pop(),
    "twice": lambda proofs: proofs.append(proofs[-1]),
    "in another order": lambda proofs: proofs.reverse(),
    "of another name": lambda proofs: proofs[-1].__setitem__(0, "flows.main: ends"),
    "by another method": lambda proofs: proofs[-1].__setitem__(1, "both"),
    "of another verdict": lambda proofs: proofs[-1].__setitem__(2, "undecided"),
}


@pytest.mark.parametrize("forge", FORGERIES.values(), ids=FORGERIES)
def test_a_forged_list_of_proofs_is_refused(forge: Callable[[list[list[str]]], object]) -> None:
    table = proved(CONTENT)
    assert any(method == "z3" for _, method, _ in table.proofs)
    data = copy.deepcopy(table.data)
    forge(data["proofs"])
    found = details(verify(signed(data), json.dumps(CONTENT), name="case.spec.json", kind="spec"))
    assert found["the source compiles to this table"] == "`proofs` is not what the source compiles to"
    assert verify(table, json.dumps(CONTENT), name="case.spec.json", kind="spec").ok


def test_a_table_that_names_no_source_is_refused() -> None:
    data = copy.deepcopy(table_of(CONTENT).data)
    data["source"] = []
    assert details(verify(signed(data))) == {"the table is whole": "it names no source that it was made from"}


@pytest.mark.parametrize("path", ["", "/etc/passwd", "..", "a/../../b", "../a"])
def test_a_source_lies_below_the_first_ones_folder(path: str) -> None:
    data = copy.deepcopy(table_of(CONTENT).data)
    data["source"][0]["path"] = path
    with pytest.raises(TableError, match="of a source is not a relative one"):
        loads(signed(data))


@pytest.mark.parametrize("name", ["..", "a/..", "/", ".", "a/../b"])
def test_any_name_of_a_text_makes_a_table(name: str) -> None:
    compiled = stratumc.compile(json.dumps(CONTENT), name=name, kind="spec")
    assert compiled.table is not None
    assert ".." not in compiled.table.data["source"][0]["path"]


def test_a_source_with_errors_verifies_nothing() -> None:
    verification = verify(table_of(CONTENT), "{}", name="case.spec.json", kind="spec")
    assert details(verification) == {
        "the table comes from the source": "the source has errors, or is of the other kind"
    }


def test_the_public_name_is_this_one() -> None:
    assert stratumc.verify is verify
    assert stratumc.verify(b"nothing").properties[0].verdict == "refuted"
