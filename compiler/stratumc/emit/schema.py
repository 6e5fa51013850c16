"""The JSON Schemas (draft 2020-12) that `stratumc schema` prints, made from what validates."""

from __future__ import annotations

from typing import Any

from stratumc.read.shape import (
    Anything,
    Choice,
    Exactly,
    Field,
    ListOf,
    Null,
    Number,
    Object,
    Shape,
    Text,
    Union,
)
from stratumc.read.shape.schema import json_schema

KINDS = ("spec", "workflow", "table", "diagnostics")

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_INDEX = Field(Number(integer=True), required=True)
_TEXT = Field(Text(), required=True)
_PLACE = Field(ListOf(Anything(), 2), required=True, about="Index of the source, and the path in it.")
_LIST = Field(ListOf(Anything()), required=True)


def schema(kind: str) -> dict[str, Any]:
    """The schema of one of KINDS. Raises ValueError for any other kind."""
    match kind:
        case "spec":
            return spec_schema()
        case "workflow":
            return workflow_schema()
        case "table":
            return table_schema()
        case "diagnostics":
            return diagnostics_schema()
        case _:
            raise ValueError(f"unknown schema {kind!r}: one of {', '.join(KINDS)}")


def spec_schema() -> dict[str, Any]:
    """Accepts the documents in which no shape rule of v1.md finds a fault.

    The shape rules are those of `SCHEMA_INVALID` and of the codes that begin with `E2_`.
    """
    from stratumc.spec.shape import SPEC

    return _titled("A stratum spec, version 1", SPEC)


def workflow_schema() -> dict[str, Any]:
    """Accepts the workflow files of the right shape; unknown keys, which are warned about, too."""
    from stratumc.workflow.shape import WORKFLOW_SHAPE

    return _titled("A JSON workflow", WORKFLOW_SHAPE)


def table_schema() -> dict[str, Any]:
    """Accepts what is built like a frozen table; whether it is sound is for `stratumc verify` to say."""
    return _titled("A frozen transition table", _TABLE)


def diagnostics_schema() -> dict[str, Any]:
    """Accepts what `stratumc check --format json` prints."""
    from stratumc.diagnostics.json import diagnostics_schema as schema_of_output

    return schema_of_output()


def _titled(title: str, shape: Shape) -> dict[str, Any]:
    return {"$schema": _DIALECT, "title": title, **json_schema(shape)}


_REGION = Object(
    {
        "name": _TEXT,
        "states": _INDEX,
        "wakes": Field(ListOf(Number(integer=True)), required=True),
        "step": Field(Anything(), required=True),
        "origin": _PLACE,
    }
)
_MACHINE = Object(
    {
        "name": _TEXT,
        "role": Field(Choice(("workflow", "flow", "item")), required=True),
        "regions": Field(ListOf(_REGION, 1), required=True),
        "rows": Field(
            ListOf(ListOf(Anything(), 7)),
            required=True,
            about="Each: region, state, event, guards, target, effects, origin.",
        ),
        "data": Field(Anything(), required=True),
    }
)
_STATES = Object(
    {
        "names": Field(ListOf(Text(), 1), required=True),
        "final": Field(ListOf(Number(integer=True)), required=True),
    }
)
_POOLS = Object(
    {
        "states": Field(ListOf(_STATES), required=True),
        "expressions": _LIST,
        "templates": _LIST,
        "contracts": _LIST,
        "values": _LIST,
        "conditions": _LIST,
    }
)
_SOURCE = Object({"path": _TEXT, "sha256": _TEXT})
_TABLE = Object(
    {
        "format": Field(Exactly(1), required=True),
        "kind": Field(Choice(("spec", "workflow")), required=True),
        "name": Field(Union((Text(), Null())), required=True),
        "entry": _INDEX,
        "source": Field(ListOf(_SOURCE), required=True),
        "machines": Field(ListOf(_MACHINE, 1), required=True),
        "pools": Field(_POOLS, required=True),
        "proofs": Field(ListOf(ListOf(Text(), 3)), required=True),
        "digest": _TEXT,
    }
)
"""The keys of docs/table-format.md."""
