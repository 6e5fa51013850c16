"""Laws of loading: valid documents are clean, damaged ones get findings with places, long ones load."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stratumc.diagnostics import Family, Source, concretize
from stratumc.diagnostics.catalog import CATALOG
from stratumc.read import read_json
from stratumc.spec import load_spec
from stratumc.text import Document, Location
from stratumc.text.tree import Node, descend
from support.damage import damaged_specs
from support.specs import specs


def read(spec: Any) -> tuple[Document, Node]:
    document = Document("case.stratum.json", json.dumps(spec))
    found = read_json(document)
    assert found.root is not None
    return document, found.root


@given(specs())
@settings(max_examples=80)
def test_valid_documents_have_a_tree_and_no_findings(spec: Any) -> None:
    loaded = load_spec(read(spec)[1])
    assert loaded.findings == ()
    assert loaded.spec is not None
    assert list(loaded.spec.flows) == [name for name in spec["flows"] if name != "entry"]
    for name, flow in loaded.spec.flows.items():
        assert [step.id for step in flow.steps] == [step["id"] for step in spec["flows"][name]["steps"]]


@given(damaged_specs())
@settings(max_examples=150)
def test_damaged_documents_get_findings_with_places(spec: Any) -> None:
    document, root = read(spec)
    loaded = load_spec(root)
    for finding in loaded.findings:
        assert CATALOG[finding.code].family is Family.RULE
        assert finding.message
        assert not finding.message.endswith(".")
        places = [finding.at, *(place.at for place in finding.related)]
        assert all(_is_near(root, place) for place in places), finding
    diagnostics = concretize(loaded.findings, (Source(document, root),))
    assert all(one.span.line >= 1 and "\n" not in one.message for one in diagnostics)
    assert load_spec(root) == loaded
    if not loaded.findings:
        assert loaded.spec is not None


def _is_near(root: Node, at: Location) -> bool:
    """Whether a place is there, or is one key short of being there."""
    return len(descend(root, at.path)[0]) >= len(at.path)


@given(specs(largest=4), st.data())
@settings(max_examples=60)
def test_the_order_of_steps_decides_nothing(spec: Any, data: st.DataObject) -> None:
    for name, flow in spec["flows"].items():
        if name != "entry":
            flow["steps"] = data.draw(st.permutations(flow["steps"]))
    assert load_spec(read(spec)[1]).findings == ()


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=3),
        _nested := lambda below: (
            st.lists(below, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    [
                        "version",
                        "contracts",
                        "flows",
                        "entry",
                        "main",
                        "steps",
                        "id",
                        "do",
                        "gate",
                        "carry",
                        "input",
                        "output",
                    ]
                ),
                below,
                max_size=4,
            )
        ),
        max_leaves=12,
    )
)
@settings(max_examples=150)
def test_any_json_value_is_judged(value: Any) -> None:
    assert load_spec(read(value)[1]).findings


def chain(count: int, *, backwards: bool = False, carry: bool = False, gates: bool = False) -> dict[str, Any]:
    """A flow of `count` steps, each reading the one before; with `gates`, the second half revise."""
    steps: list[dict[str, Any]] = []
    for number in range(count):
        before = f"${{s{number - 1}.output.text}}" if number else "${input.topic}"
        reads = f"{before} ${{wave}}" if carry and number else before
        step: dict[str, Any] = {"id": f"s{number}", "do": f"Go on with {reads}", "out": "Note"}
        if gates and number >= count // 2:
            gate = {"on_approve": None, "on_revise": f"s{number - count // 2}", "on_kill": None}
            step = {"id": f"s{number}", "after": [f"s{number - 1}"], "gate": gate}
        steps.append(step)
    flow: dict[str, Any] = {
        "input": {"topic": "string"},
        "output": {"from": "${s0.output}", "contract": "Note"},
        "steps": steps[::-1] if backwards else steps,
        "max_rounds": 3,
    }
    if carry:
        flow["carry"] = {"wave": {"initial": "${s0.output.text}"}}
    return {"version": 1, "contracts": {"Note": {"text": "string"}}, "flows": {"entry": "main", "main": flow}}


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("more", [False, True])
def test_chains_of_ten_thousand_steps(backwards: bool, more: bool) -> None:
    spec = chain(10_000, backwards=backwards, carry=more, gates=more)
    assert load_spec(read(spec)[1]).findings == ()


def test_a_circle_of_ten_thousand_steps_is_one_finding() -> None:
    spec = chain(10_000)
    spec["flows"]["main"]["steps"][0]["after"] = ["s9999"]
    (finding,) = load_spec(read(spec)[1]).findings
    assert finding.code == "ROUTING_CYCLE"
    assert finding.at.path == ("flows", "main", "steps", 9999, "do")


def test_ten_thousand_circles_and_misspellings_are_all_found() -> None:
    spec = chain(10_000)
    for number, step in enumerate(spec["flows"]["main"]["steps"]):
        step["atempts"] = 1
        step["after"] = [f"x{number}"]
        if number:
            step["on_fail"] = f"s{number - 1}"
    found = [finding.code for finding in load_spec(read(spec)[1]).findings]
    assert found.count("ROUTING_CYCLE") == 9_999
    assert found.count("E2_UNKNOWN_FIELD") == found.count("ROUTING_UNKNOWN_TARGET") == 10_000


def test_values_of_with_may_be_as_deep_as_the_readers_allow() -> None:
    spec = chain(1)
    value: Any = "${item}"
    for _ in range(480):
        value = [value]
    spec["flows"]["main"]["steps"].append({"id": "call", "run": "main", "with": {"topic": value}})
    found = {finding.code for finding in load_spec(read(spec)[1]).findings}
    assert found == {"SUBFLOW_RECURSIVE", "REF_INVALID_SCOPE"}
