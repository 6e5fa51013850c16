"""The recorded verdicts, as JSON and as YAML, and that every finding points at the very key or value."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from stratumc.diagnostics import Diagnostic, Source, concretize
from stratumc.emit.schema import spec_schema
from stratumc.read import read_document
from stratumc.read.shape import validate
from stratumc.spec import load_spec, references
from stratumc.spec.shape import SPEC
from stratumc.text import Document

RECORDED = Path(os.environ.get("STRATUM_CONFORMANCE", Path(__file__).parents[3] / "shared" / "conformance"))
VERDICTS = RECORDED / "spec_verdicts.jsonl"
REFERENCES = RECORDED / "references.jsonl"

pytestmark = pytest.mark.skipif(not VERDICTS.exists(), reason="the recorded verdicts are not here")


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def check(name: str, text: str) -> tuple[Diagnostic, ...]:
    document = Document(name, text)
    read = read_document(document)
    assert read.root is not None, (read.findings, text)
    assert not read.findings, (read.findings, text)
    return concretize(load_spec(read.root).findings, (Source(document, read.root),))


def as_yaml(spec: Any) -> str:
    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    text: str = yaml.dump(spec, Dumper=dumper, sort_keys=False, allow_unicode=True)
    return text


SPELLINGS: dict[str, Callable[[Any], str]] = {
    "compact.stratum.json": json.dumps,
    "case.stratum.yaml": as_yaml,
}


@pytest.mark.parametrize("name", SPELLINGS)
def test_every_verdict_in_every_spelling(name: str) -> None:
    cases = lines(VERDICTS)
    wrong = []
    for case in cases:
        found = check(name, SPELLINGS[name](case["spec"]))
        reported = {(one.code, one.path) for one in found}
        wanted = {(error["code"], error["path"]) for error in case["errors"]}
        if case["ok"] is bool(found) or not wanted <= reported:
            wrong.append((case["id"], case["tag"], wanted - reported, reported))
    assert len(cases) > 1000
    assert not wrong, wrong[:3]


def test_every_finding_begins_at_its_key_or_value() -> None:
    judged = 0
    for case in lines(VERDICTS):
        text = json.dumps(case["spec"], indent=1)
        for found in check("case.stratum.json", text):
            assert _points_at(text, case["spec"], found), (case["id"], found)
            judged += 1
    assert judged > 700


def _points_at(text: str, spec: Any, found: Diagnostic) -> bool:
    """Whether the span begins at the key that ends the path, at its value, or is inside of that.

    Told from the text alone. Of a path that leads to nothing, the nearest that is there counts.
    """
    offset = sum(len(line) + 1 for line in text.split("\n")[: found.span.line - 1]) + found.span.column - 1
    value_there, key = _resolve(spec, found.path)
    if found.code.startswith(("REF_", "CARRY_", "CONTRACT_")) and text[offset] != '"':
        inside = text[offset : offset + found.span.end_column - found.span.column]
        return isinstance(value_there, str) and inside in json.dumps(value_there)
    value, _ = json.JSONDecoder().raw_decode(text, offset)
    return value == value_there or (key is not None and value == key)


def _resolve(spec: Any, path: str) -> tuple[Any, str | None]:
    """The value at a path, as far as it leads, and the last key taken."""
    value, key, rest = spec, None, path
    while rest:
        index = re.match(r"\[(\d+)\]\.?", rest)
        if index and isinstance(value, list):
            value, key, rest = value[int(index[1])], None, rest[index.end() :]
            continue
        rest = rest.removeprefix(".") if key is not None or value is not spec else rest
        names = [name for name in value if rest.startswith(name)] if isinstance(value, dict) else []
        names = [name for name in names if rest[len(name) :][:1] in ("", ".", "[")]
        if not names:
            return value, key
        key = max(names, key=len)
        value, rest = value[key], rest[len(key) :]
        if rest.startswith(".") and rest != ".":
            rest = rest[1:]
    return value, key


def test_the_json_schema_accepts_what_the_rules_of_shape_accept() -> None:
    validator = Draft202012Validator(spec_schema())
    for case in lines(VERDICTS):
        root = read_document(Document("case.stratum.json", json.dumps(case["spec"]))).root
        assert root is not None
        assert validator.is_valid(case["spec"]) is not bool(validate(SPEC, root)), case["id"]


def test_every_recorded_reference() -> None:
    cases = lines(REFERENCES)
    for case in cases:
        found = references(case["text"])
        wanted = case["references"]
        if wanted is None or found is None:
            assert found is wanted, case
            continue
        read = [(one.kind, one.name, list(one.path), one.full) for one in found]
        assert read == [
            (one["kind"], one.get("stepId", one.get("name")), one.get("path", []), one["fullValue"])
            for one in wanted
        ]
    assert len(cases) > 60
