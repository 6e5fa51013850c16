"""The JSON Schemas accept and reject as the rules of shape do, and are schemas."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from jsonschema import Draft202012Validator

from stratumc.emit.schema import KINDS, diagnostics_schema, schema, spec_schema, workflow_schema
from stratumc.read import read_json
from stratumc.read.shape import validate
from stratumc.spec.shape import SPEC
from stratumc.text import Document
from stratumc.workflow.shape import WORKFLOW_SHAPE
from support.damage import damaged_specs
from support.specs import specs

SPEC_SCHEMA = Draft202012Validator(spec_schema())
WORKFLOW_SCHEMA = Draft202012Validator(workflow_schema())


def has_shape(shape: Any, document: Any) -> bool:
    read = read_json(Document("case.json", json.dumps(document)))
    assert read.root is not None
    return all(finding.code == "UNKNOWN_KEY" for finding in validate(shape, read.root))


@pytest.mark.parametrize("kind", KINDS)
def test_every_schema_is_a_schema(kind: str) -> None:
    document = schema(kind)
    Draft202012Validator.check_schema(document)
    assert document["$schema"].endswith("2020-12/schema")
    json.dumps(document)


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown schema 'flow'"):
        schema("flow")


@given(specs())
@settings(max_examples=40)
def test_valid_specs_are_accepted(spec: Any) -> None:
    assert SPEC_SCHEMA.is_valid(spec)


@given(damaged_specs())
@settings(max_examples=150)
def test_the_spec_schema_accepts_what_the_shape_accepts(spec: Any) -> None:
    assert SPEC_SCHEMA.is_valid(spec) is has_shape(SPEC, spec)


def _step(**fields: Any) -> dict[str, Any]:
    return {
        "version": 1,
        "contracts": {"A": {"x": "string"}},
        "flows": {
            "entry": "main",
            "main": {
                "input": {},
                "output": {"from": "${a.output}", "contract": "A"},
                "steps": [{"id": "a", **fields}],
            },
        },
    }


@pytest.mark.parametrize(
    ("document", "accepted"),
    [
        (_step(do="", out="A"), True),
        (_step(set={}, out="A"), True),
        (_step(set={}), False),
        (_step(run="main"), False),
        (_step(run="main", **{"with": {}}), True),
        (_step(do="x", set={}, out="A"), False),
        (_step(), False),
        (_step(do="x", **{"with": {}}), False),
        (_step(do="x", attempts=2.0), True),
        (_step(do="x", attempts=True), False),
        (_step(do="x", after=["a\n"]), False),
        (_step(do="x", budget={}), False),
        (_step(do="x", ensure=[{"expr": "x", "why": "y"}]), False),
        (_step(do="x", ensure=[{"judged": {"statement": "s", "stakes": "cheap"}}]), True),
        ({**_step(do="x"), "version": 1.0}, True),
        ({**_step(do="x"), "version": True}, False),
        ({**_step(do="x"), "contracts": {"A": {"__proto__": "string"}}}, False),
        ({**_step(do="x"), "contracts": {"A.B": {}}}, False),
        ([], False),
    ],
)
def test_fine_points_of_the_spec_schema(document: Any, accepted: bool) -> None:
    assert SPEC_SCHEMA.is_valid(document) is accepted
    assert has_shape(SPEC, document) is accepted


@pytest.mark.parametrize(
    ("document", "accepted"),
    [
        ({}, True),
        ({"states": {"a": {"transitions": [{"event": "go", "target": None}]}}}, True),
        ({"states": {"a": {"transitions": [{"target": "a"}]}}}, False),
        ({"states": {"a": {"triggers": [{"condition": "always", "target": None}]}}}, False),
        ({"states": []}, False),
        ({"thresholds": {"n": "3"}}, False),
        ({"thresholds": {"n": 3}, "nonsense": 1}, True),
        ({"global_transitions": [{"event": "x", "target": "a", "except": "a"}]}, False),
    ],
)
def test_the_workflow_schema_accepts_what_the_shape_accepts(document: Any, accepted: bool) -> None:
    assert WORKFLOW_SCHEMA.is_valid(document) is accepted
    assert has_shape(WORKFLOW_SHAPE, document) is accepted


def test_the_schema_of_diagnostics_describes_the_json_format(tmp_path: Path) -> None:
    import stratumc
    from stratumc.diagnostics.json import render_json

    result = stratumc.check("version: 2\n", name="a.stratum.yaml", families=("rule",))
    assert result.diagnostics
    document = json.loads(render_json(result.diagnostics))
    Draft202012Validator(diagnostics_schema()).validate(document)
    document["diagnostics"][0]["severity"] = "fatal"
    assert not Draft202012Validator(diagnostics_schema()).is_valid(document)


def test_editors_get_a_word_on_each_construct() -> None:
    properties = json.dumps(spec_schema())
    for about in ("A task for an agent.", "A wait for a decision.", "Another flow to run."):
        assert about in properties
