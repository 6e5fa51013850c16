"""The shape of a v1 document (v1.md sections 1 to 4 and 8), from which its JSON Schema is made too."""

from __future__ import annotations

import re

from stratumc.read.shape import (
    Anything,
    Choice,
    Exactly,
    Field,
    ListOf,
    MapOf,
    Null,
    Number,
    Object,
    Text,
    Union,
    Variant,
    Variants,
)
from stratumc.spec.syntax import Dispatcher, Isolation, Merge, Quorum

RESERVED_NAMES = ("__proto__", "constructor", "prototype")

STEP_ID_PATTERN = re.compile(r"[a-z][a-z0-9_-]*")

_TEXT = Text()
_FIELD_NAME = Text(re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*"), "a name (letters, digits and `_`; no digit first)")
_STEP_ID = Text(STEP_ID_PATTERN, "a step id (small letters, digits, `_` and `-`; a letter first)")
_CARRY_NAME = Text(STEP_ID_PATTERN, "a name (small letters, digits, `_` and `-`; a letter first)")
_COUNT = Number(integer=True, positive=True)
_ROUTE = Field(Union((_STEP_ID, Null()), "a step id or null"), required=True)
_OUT = Field(_TEXT, about="The contract of the step's output.")
_AGENT = Field(Choice(("claude", "codex")), about="Who does the task; claude when left out.")
_ATTEMPTS = Field(_COUNT, about="How often the task is tried before it fails; 2 when left out.")

_FIELDS = MapOf(Text(means="a type string"), _FIELD_NAME, RESERVED_NAMES)

_BUDGET = Object(
    {
        "usd": Field(Number(positive=True)),
        "tokens": Field(_COUNT),
        "dispatches": Field(_COUNT),
        "ms": Field(_COUNT, about="Milliseconds of reported work."),
    },
    "budget",
    at_least_one=True,
)

_FILE_CONTAINS = Object({"path": Field(_TEXT, required=True), "text": Field(_TEXT, required=True)})
_JUDGED = Object(
    {
        "statement": Field(_TEXT, required=True),
        "stakes": Field(Choice(("cheap", "default", "paranoid")), required=True),
    }
)
_ENSURE = Field(
    ListOf(
        Union(
            (
                Object({"expr": Field(_TEXT, required=True)}, "postcondition"),
                Object({"file_exists": Field(_TEXT, required=True)}, "postcondition"),
                Object({"file_contains": Field(_FILE_CONTAINS, required=True)}, "postcondition"),
                Object({"judged": Field(_JUDGED, required=True)}, "postcondition"),
            ),
            "a mapping with one of the keys `expr`, `file_exists`, `file_contains`, `judged`",
        )
    ),
    about="What must hold of the output.",
)

_GATE = Object(
    {
        "on_approve": _ROUTE,
        "on_revise": _ROUTE,
        "on_kill": _ROUTE,
        "max_rounds": Field(_COUNT),
    },
    "gate",
)
_STAGE = Object(
    {
        "do": Field(_TEXT, required=True),
        "agent": _AGENT,
        "out": _OUT,
        "ensure": _ENSURE,
        "attempts": _ATTEMPTS,
        "when": Field(_TEXT),
    },
    "stage",
)
_FANOUT = Object(
    {
        "over": Field(_TEXT, required=True, about="One full reference to an array."),
        "steps": Field(ListOf(_STAGE, minimum=1), required=True),
        "concurrency": Field(_COUNT, required=True),
        "isolation": Field(Choice(tuple(one.value for one in Isolation)), required=True),
        "require": Field(
            Union((Choice(tuple(one.value for one in Quorum)), _COUNT), "`all`, `any` or a positive integer"),
            required=True,
        ),
        "merge": Field(Choice(tuple(one.value for one in Merge)), required=True),
        "pre_merge": Field(ListOf(_TEXT)),
        "dispatch": Field(Choice(tuple(one.value for one in Dispatcher))),
    },
    "fanout",
)
_EVALUATE = Object(
    {
        "command": Field(_TEXT, required=True),
        "in": Field(_TEXT),
        "timeout_ms": Field(_COUNT, required=True),
    },
    "`evaluate` construct",
)
_ITERATE = Object({"max": Field(_COUNT, required=True), "until": Field(_TEXT, required=True)})

STEP = Variants(
    {
        "id": Field(_STEP_ID, required=True),
        "after": Field(ListOf(_STEP_ID), about="Steps that come before this one."),
        "when": Field(_TEXT, about="An expression; the step is skipped where it is false."),
        "do": Field(_TEXT, about="A task for an agent."),
        "set": Field(MapOf(_TEXT), about="An output built from expressions."),
        "gate": Field(_GATE, about="A wait for a decision."),
        "fanout": Field(_FANOUT, about="Stages over each item of an array."),
        "run": Field(_TEXT, about="Another flow to run."),
        "evaluate": Field(_EVALUATE, about="A checker command."),
        "agent": _AGENT,
        "out": _OUT,
        "ensure": _ENSURE,
        "attempts": _ATTEMPTS,
        "iterate": Field(_ITERATE),
        "budget": Field(_BUDGET),
        "on_fail": Field(_STEP_ID, about="The step to go on with when this one fails."),
        "with": Field(MapOf(Anything()), about="The inputs of the flow to run."),
    },
    (
        Variant("do", ("agent", "out", "ensure", "attempts", "iterate", "budget", "on_fail")),
        Variant("set", ("out", "ensure"), needs=("out",)),
        Variant("gate"),
        Variant("fanout", ("attempts", "budget", "on_fail")),
        Variant("run", ("with", "budget", "on_fail"), needs=("with",)),
        Variant("evaluate", ("out",)),
    ),
    "step",
)

CONSTRUCTS = tuple(variant.tag for variant in STEP.variants)

_CARRY = MapOf(
    Object(
        {
            "initial": Field(
                _TEXT, required=True, about="One full reference to an input or a step's output."
            ),
            "on_revise": Field(MapOf(_TEXT), about="By gate: the value after its revise."),
        },
        "carry variable",
    ),
    _CARRY_NAME,
    RESERVED_NAMES,
)

FLOW = Object(
    {
        "input": Field(_FIELDS, required=True),
        "output": Field(
            Object(
                {"from": Field(_TEXT, required=True), "contract": Field(_TEXT, required=True)},
                "mapping with `from` and `contract`",
            ),
            required=True,
        ),
        "steps": Field(ListOf(STEP), required=True),
        "budget": Field(_BUDGET),
        "max_rounds": Field(_COUNT, about="How many rounds revises may make."),
        "carry": Field(_CARRY, about="Loop-carried values; the entry flow only."),
    },
    "flow",
)

SPEC = Object(
    {
        "version": Field(Exactly(1), required=True),
        "contracts": Field(MapOf(_FIELDS, _FIELD_NAME), required=True),
        "flows": Field(
            MapOf(FLOW, pinned={"entry": Field(_TEXT, required=True, about="The flow that a run starts.")}),
            required=True,
        ),
    },
    "document",
)
"""A whole document."""
