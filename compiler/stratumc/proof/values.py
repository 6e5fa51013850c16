"""Symbolic JSON values: what z3 can say of an input or an output of a contract's type.

A string is a real number, its place in the order of all strings: equality and order of strings are
those of numbers, and the strings that the document names have fixed places. Its length is a function of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from stratumc.proof.logic import Formula, Term, conjunction


@dataclass(frozen=True, slots=True)
class Nil:
    """JSON null."""


@dataclass(frozen=True, slots=True)
class Truth:
    """A boolean."""

    term: Formula


@dataclass(frozen=True, slots=True)
class Amount:
    """A number; `integral` when its term is of z3's integers."""

    term: Term
    integral: bool


@dataclass(frozen=True, slots=True)
class Words:
    """A string; `members` are those of an enum, `literal` is its text where that is known."""

    term: Term
    literal: str | None = None
    members: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Slot:
    """A member of an object: when it is there, and what it then is."""

    present: Formula
    value: Outcome


@dataclass(frozen=True, slots=True)
class Record:
    """An object whose possible members are known."""

    slots: Mapping[str, Slot]


class Array:
    """A list: its length, and its items as far as something has asked for them."""

    def __init__(
        self, owner: int, length: Term, make_element: Callable[[int], Outcome], default: Any
    ) -> None:
        self.owner = owner
        self.length = length
        self.elements: dict[int, Outcome] = {}
        self.default = default
        """The type of the items (a Field type, or None for any JSON), for items nothing asks for."""
        self._make_element = make_element
        self._known: list[tuple[Formula, Value]] = []
        self._watchers: list[Callable[[Formula, Value], None]] = []

    def element(self, index: int) -> Outcome:
        """The item at an index, given that the list is that long."""
        if index not in self.elements:
            self.elements[index] = self._make_element(index)
            for guard, item in self.elements[index]:
                self.know(conjunction(self.length > index, guard), item)
        return self.elements[index]

    def know(self, guard: Formula, item: Value) -> None:
        """Takes down that some item is `item` if the guard holds."""
        self._known.append((guard, item))
        for watcher in tuple(self._watchers):
            watcher(guard, item)

    def watch(self, watcher: Callable[[Formula, Value], None]) -> None:
        """Tells of every item that is known now or later."""
        self._watchers.append(watcher)
        for guard, item in tuple(self._known):
            watcher(guard, item)


class Open:
    """An object of which nothing is known: its members as far as something has asked for them."""

    def __init__(self, length: Term, make_member: Callable[[str], Slot]) -> None:
        self.length = length
        self.members: dict[str, Slot] = {}
        self._make_member = make_member

    def member(self, name: str) -> Slot:
        """The member of that name."""
        if name not in self.members:
            self.members[name] = self._make_member(name)
        return self.members[name]


Value: TypeAlias = Nil | Truth | Amount | Words | Record | Array | Open

Outcome: TypeAlias = tuple[tuple[Formula, Value], ...]
"""What an evaluation can come to: values under conditions that exclude each other; else it fails."""


def sure(value: Value) -> Outcome:
    """An outcome that is always this value."""
    return ((True, value),)
