"""The syntax tree of a v1 document: what every later stage reads (v1.md).

Strings that are templates or expressions keep their text and place; templates come with their
references found, expressions are parsed on demand by `stratumc.expr`.
"""

from __future__ import annotations

import enum
from typing import Any

from stratumc.text import Location
from stratumc.text.record import record


@record
class Text:
    """A string of the document with its place."""

    value: str
    at: Location


# --- types (v1.md section 2) ---------------------------------------------------------------------


class Primitive(enum.Enum):
    """The types without parts."""

    STRING = "string"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    OBJECT = "object"
    ARRAY = "array"


@record
class EnumType:
    """One of these strings."""

    members: tuple[str, ...]


@record
class ArrayType:
    """A list whose items all have one type."""

    element: Type


@record
class ContractType:
    """An object of a named contract."""

    name: str


Type = Primitive | EnumType | ArrayType | ContractType


@record
class Field:
    """A declared field. `type` is None when its type string was invalid (and was reported)."""

    name: str
    type: Type | None
    optional: bool
    at: Location


@record
class Contract:
    """A named strict object type."""

    name: str
    fields: dict[str, Field]
    at: Location


# --- references and templates (v1.md section 5) --------------------------------------------------


class ReferenceKind(enum.StrEnum):
    """What the text between `${` and `}` names; a string too, as the public API has it."""

    INPUT = "input"
    STEP = "step"
    CARRY = "carry"
    ITEM = "item"
    PREV = "prev"


INPUT_AND_OUTPUTS = (ReferenceKind.INPUT, ReferenceKind.STEP)
"""What the strings of all steps can name, and carry variables be filled from."""


@record
class Reference:
    """One `${…}` (v1.md section 5)."""

    kind: ReferenceKind
    name: str | None
    """Step id or carry name; None for input, item and prev."""
    path: tuple[str | int, ...]
    """What follows `input.`, `step.output` or the carry name."""
    full: bool
    """Whether the whole string is this reference."""
    start: int = 0
    end: int = 0
    """Half-open range of code points in the string, `${` and `}` included."""


@record
class Template:
    """A rendered string, with its references that can be read."""

    text: str
    references: tuple[Reference, ...]
    at: Location
    faults: tuple[tuple[int, int], ...] = ()
    """Ranges of what begins like a reference and is none; each is reported."""

    @property
    def full(self) -> Reference | None:
        """The reference that is the whole string, if it is one."""
        return self.references[0] if len(self.references) == 1 and self.references[0].full else None


@record
class WithList:
    """A list inside `with`."""

    items: tuple[WithValue, ...]
    at: Location


@record
class WithObject:
    """An object inside `with`."""

    entries: dict[str, WithValue]
    at: Location


@record
class WithScalar:
    """A number, boolean or null inside `with`."""

    value: int | float | bool | None
    at: Location


WithValue = Template | WithList | WithObject | WithScalar


# --- predicates ----------------------------------------------------------------------------------


@record
class EnsureExpression:
    """`{expr: text}`; `expression.at` is the `expr` value."""

    expression: Text
    at: Location


@record
class EnsureFileExists:
    """`{file_exists: path}`."""

    path: str
    at: Location


@record
class EnsureFileContains:
    """`{file_contains: {path, text}}`."""

    path: str
    text: str
    at: Location


@record
class EnsureJudged:
    """`{judged: {statement, stakes}}`."""

    statement: str
    stakes: str
    at: Location


Ensure = EnsureExpression | EnsureFileExists | EnsureFileContains | EnsureJudged


# --- steps (v1.md section 4) ---------------------------------------------------------------------


@record
class Budget:
    """Limits, each None when not given; `ms` is milliseconds of reported work."""

    usd: float | None
    tokens: int | None
    dispatches: int | None
    ms: int | None
    at: Location


@record
class Iterate:
    """`iterate {max, until}`."""

    max: int
    until: Text
    at: Location


@record
class Do:
    """A task for an agent."""

    task: Template
    agent: str
    out: Text | None
    ensure: tuple[Ensure, ...]
    attempts: int
    iterate: Iterate | None
    budget: Budget | None
    on_fail: Text | None


@record
class Set:
    """An output built from expressions."""

    fields: dict[str, Text]
    out: Text
    ensure: tuple[Ensure, ...]
    at: Location
    """The `set` mapping."""


@record
class Gate:
    """A wait for a decision; a route is None when null."""

    on_approve: Text | None
    on_revise: Text | None
    on_kill: Text | None
    max_rounds: int | None
    at: Location


@record
class Stage:
    """One stage of a fanout."""

    task: Template
    agent: str
    out: Text | None
    ensure: tuple[Ensure, ...]
    attempts: int
    when: Text | None
    at: Location


class Isolation(enum.StrEnum):
    """Where the agents of a fanout work."""

    WORKTREE = "worktree"
    NONE = "none"


class Merge(enum.StrEnum):
    """How the worktrees of a fanout come together."""

    SEQUENTIAL = "sequential"


class Dispatcher(enum.StrEnum):
    """Who runs the agents of a fanout."""

    ENGINE = "engine"
    CONSUMER = "consumer"


class Quorum(enum.StrEnum):
    """How many items of a fanout have to succeed, when it isn't a number."""

    ALL = "all"
    ANY = "any"


@record
class Fanout:
    """Stages over each item of an array. `require` is a quorum or a positive number."""

    over: Template
    stages: tuple[Stage, ...]
    concurrency: int
    isolation: Isolation
    require: Quorum | int
    merge: Merge
    pre_merge: Any
    dispatch: Dispatcher
    attempts: int | None
    budget: Budget | None
    on_fail: Text | None
    at: Location


@record
class Run:
    """A call of another flow."""

    flow: Text
    arguments: WithObject
    budget: Budget | None
    on_fail: Text | None


@record
class Evaluate:
    """A checker command."""

    command: Text
    input: Template | None
    timeout_ms: int
    out: Text | None
    at: Location


Body = Do | Set | Gate | Fanout | Run | Evaluate


@record
class Step:
    """A step with its one construct."""

    id: str
    index: int
    """Position in the flow, from 0."""
    after: tuple[Text, ...]
    when: Text | None
    body: Body
    at: Location


@record
class CarryVariable:
    """A loop-carried value (v1.md section 8)."""

    name: str
    initial: Template
    on_revise: dict[str, Template]
    """By gate id, in document order."""
    at: Location


@record
class Output:
    """`output: {from, contract}`."""

    source: Template
    contract: Text
    at: Location


@record
class Flow:
    """One flow; steps in declaration order."""

    name: str
    input: dict[str, Field]
    output: Output
    steps: tuple[Step, ...]
    budget: Budget | None
    max_rounds: int | None
    carry: dict[str, CarryVariable]
    at: Location

    def step(self, step_id: str) -> Step | None:
        """The first step of that id."""
        return next((step for step in self.steps if step.id == step_id), None)


@record
class Spec:
    """A whole document, contracts and flows in document order."""

    contracts: dict[str, Contract]
    entry: str
    flows: dict[str, Flow]
    at: Location
