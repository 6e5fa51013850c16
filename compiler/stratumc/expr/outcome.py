"""What the inference of types gives: a type for every part of an expression, and the faults found."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from stratumc.expr.ast import Expression
from stratumc.expr.knowledge import NOTHING, Knowledge, Path
from stratumc.expr.types import TRUE, Type


class Reach(enum.Enum):
    """Whether a part of an expression is evaluated whenever the whole is."""

    CERTAIN = "certain"
    POSSIBLE = "possible"
    NEVER = "never"


class Use(enum.Enum):
    """What an expression's value is for, in the words of messages."""

    VALUE = "a value"
    CONDITION = "a condition"
    """`when`: anything but `true` skips."""
    PREDICATE = "a predicate"
    """`ensure` and `until`: anything but a boolean is a failure."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong at a half-open range of the expression's text."""

    code: str
    is_certain: bool
    """Whether every evaluation of the whole expression fails; else some can."""
    start: int
    end: int
    message: str
    suggestion: str | None = None
    is_hopeless: bool = False
    """Whether the part at the range fails whenever it is evaluated at all."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The names bound where an expression stands, and a hint for those bound elsewhere."""

    names: Mapping[str, Type]
    hint: Callable[[str], str | None] = field(default=lambda _: None, compare=False)
    """What to say of a name that isn't bound here."""
    known: Knowledge = field(default=NOTHING, compare=False)
    """What is established before the expression is evaluated."""
    implied: Callable[[str], Knowledge] = field(default=lambda _: NOTHING, compare=False)
    """What is known once the output of the step of that id was found to be there."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What evaluating a part gives."""

    type: Type
    when_true: Knowledge = NOTHING
    """What is known once it has given `true` (or any value, when it isn't a condition)."""
    when_false: Knowledge = NOTHING
    path: Path | None = None
    """Where the value was read from; None when it was computed."""
    fails: bool = False
    """Whether evaluating it always fails."""
    number: float | None = None
    """The value, when it is a number that is known."""
    multiple: int = 1
    """A whole number that divides the value, when that is whole."""

    @property
    def after(self) -> Knowledge:
        """What is known once it has given any value."""
        return self.when_true.either(self.when_false)

    @property
    def holding(self) -> Knowledge:
        """What is known once it has given `true` to a reader that goes on only then."""
        if self.fails or not (self.type.true or self.type.unknown):
            return NOTHING
        return self.when_true.having(self.path, TRUE)


@dataclass(frozen=True, slots=True)
class Typing:
    """The types of one expression in one scope."""

    expression: Expression
    outcome: Outcome
    faults: tuple[Fault, ...]
    """In the order in which they were met."""
    _types: dict[int, Type] = field(repr=False)

    @property
    def type(self) -> Type:
        """The type of the whole."""
        return self.outcome.type

    def type_of(self, part: Expression) -> Type:
        """The type of a part of this expression, narrowed by the guards around it; KeyError for others."""
        return self._types[id(part)]
