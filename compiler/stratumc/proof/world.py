"""What all formulas of one flow share: variables, the order of strings, and the facts that each owner brings.

An owner is the index of the step that a fact belongs to, or `INPUT`; a query takes the facts of those owners
that matter to it.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar, assert_never

import z3

from stratum_runtime.expression_values import length_of
from stratumc.proof.logic import Formula, Term, conjunction, implication, negation
from stratumc.proof.terms import Terms
from stratumc.proof.text_order import TextOrder
from stratumc.proof.values import Amount, Array, Nil, Open, Outcome, Record, Slot, Truth, Words, sure
from stratumc.spec.syntax import ArrayType, Contract, ContractType, EnumType, Field, Primitive, Type

INPUT = -1
"""The owner of what is known of a flow's input."""

EXACT_LIMIT = 2**53
"""Integers up to here are doubles, so operations on them that stay within it are exact."""

_PLAINEST: dict[Primitive, Any] = {
    Primitive.STRING: "",
    Primitive.INTEGER: 0,
    Primitive.NUMBER: 0,
    Primitive.BOOLEAN: False,
    Primitive.OBJECT: {},
    Primitive.ARRAY: [],
}

Shared = TypeVar("Shared")


@dataclass(frozen=True, slots=True)
class Rounding:
    """`result` is the double nearest to `exact`; `integral` when both operands are integers.

    `whole` are dividend and divisor of a quotient of integers.
    """

    result: Term
    exact: Term
    integral: bool
    whole: tuple[Term, Term] | None = None


class World:
    """Makes values and keeps what is known of them."""

    def __init__(self, contracts: Mapping[str, Contract], literals: Iterable[str]) -> None:
        self.terms = Terms()
        self._contracts = contracts
        self._count = 0
        self._maker = INPUT
        self.makers: dict[str, int] = {}
        """By variable, the owner for which it was made."""
        self._shared: dict[Any, Any] = {}
        self._facts: dict[int, list[Any]] = {}
        self.history: list[tuple[int, Any]] = []
        """Every fact with its owner, in the order in which they were added; rounding done exactly, too."""
        self._known: dict[int, set[int]] = {}
        self._conjunctions: dict[int, tuple[int, Any]] = {}
        self.roundings: dict[int, list[Rounding]] = {}
        self.texts = TextOrder(literals)
        self.measured: dict[int, Term] = {}
        self.wishes: list[Any] = []

    def add(self, owner: int, fact: Formula) -> None:
        """Adds to what is known of an owner; a fact added twice counts once."""
        if fact is not True:
            term = self.terms.term(fact)
            if term.get_id() not in self._known.setdefault(owner, set()):
                self._known[owner].add(term.get_id())
                self.history.append((owner, term))
                self._facts.setdefault(owner, []).append(term)

    def facts(self, owners: Iterable[int]) -> list[Any]:
        """Everything known of some owners, in one formula for each."""
        return [self._joined(owner) for owner in owners if owner in self._facts]

    def facts_of(self, owner: int) -> tuple[Any, ...]:
        """Everything known of an owner, fact by fact."""
        return tuple(self._facts.get(owner, ()))

    def count(self, owner: int) -> int:
        """How many facts are known of an owner."""
        return len(self._facts.get(owner, ()))

    def _joined(self, owner: int) -> Any:
        count = len(self._facts[owner])
        if self._conjunctions.get(owner, (0, None))[0] != count:
            self._conjunctions[owner] = (count, conjunction(*self._facts[owner]))
        return self._conjunctions[owner][1]

    @contextmanager
    def making(self, owner: int) -> Iterator[None]:
        """New variables are of this owner: of what becomes of a step, or of the input."""
        before, self._maker = self._maker, owner
        try:
            yield
        finally:
            self._maker = before

    def boolean(self, name: str) -> Term:
        """A new boolean variable."""
        return self.terms.boolean_variable(self._name(name))

    def integer(self, name: str) -> Term:
        """A new integer variable."""
        return self.terms.integer_variable(self._name(name))

    def real(self, name: str) -> Term:
        """A new real variable."""
        return self.terms.real_variable(self._name(name))

    def _name(self, name: str) -> str:
        self._count += 1
        unique = f"{name}!{self._count}"
        self.makers[unique] = self._maker
        return unique

    def shared(self, key: Any, make: Callable[[], Shared], *kept: Any) -> Shared:
        """What `make` gave the first time it was asked for under this key.

        `kept` is what the key names by identity: it has to live on, or its identity could be given anew.
        """
        if key not in self._shared:
            self._shared[key] = (make(), kept)
        found: Shared = self._shared[key][0]
        return found

    # --- strings ---------------------------------------------------------------------------------

    def text(self, literal: str, *, derived: bool = False) -> Words:
        """A string that is known; a `derived` one isn't what a string of the document is likely to be."""
        rank = self.texts.rank(literal, derived=derived)
        return Words(self.terms.real(rank), literal=literal)

    def words(self, name: str, owner: int, members: tuple[str, ...] | None = None) -> Words:
        """A string variable, of an enum when `members` are given."""
        term = self.real(name)
        if members is None:
            self.add(owner, term >= 0)
        else:
            self.add(owner, z3.Or(*(term == self.text(member).term for member in members)))
        return Words(term, members=members)

    def length(self, words: Words, owner: int) -> Term:
        """The length of a string, in UTF-16 code units."""
        if words.literal is not None:
            return self.terms.integer(length_of(words.literal))
        length = self.terms.length_of_text(words.term)
        self.measured[words.term.get_id()] = words.term
        self.add(owner, length >= 0)
        self.add(owner, (length == 0) == (words.term == 0))
        for literal in words.members or ():
            known = self.text(literal)
            self.add(owner, implication(words.term == known.term, length == length_of(literal)))
        if words.members is None:
            self._measure_texts()
        return length

    def _measure_texts(self) -> None:
        """Tells the length of each text once: of strings that equal one it follows."""
        for literal in self.texts.take_new():
            known = self.terms.length_of_text(self.text(literal).term)
            self.add(INPUT, known == length_of(literal))

    # --- values of a type --------------------------------------------------------------------------

    def value(self, type_: Type | None, name: str, owner: int) -> Outcome:
        """Any value of a type; of no known type when it is None."""
        with self.making(owner):
            return self._value(type_, name, owner)

    def _value(self, type_: Type | None, name: str, owner: int) -> Outcome:
        match type_:
            case None:
                return self.anything(name, owner)
            case EnumType(members):
                return sure(self.words(name, owner, members))
            case ArrayType(element):
                return sure(self.array(element, name, owner))
            case ContractType(contract):
                return sure(self.record(contract, name, owner))
            case Primitive():
                return self._primitive(type_, name, owner)
            case _:
                assert_never(type_)

    def _primitive(self, type_: Primitive, name: str, owner: int) -> Outcome:
        match type_:
            case Primitive.STRING:
                return sure(self.words(name, owner))
            case Primitive.INTEGER:
                return sure(Amount(self.integer(name), integral=True))
            case Primitive.NUMBER:
                return sure(Amount(self.real(name), integral=False))
            case Primitive.BOOLEAN:
                return sure(Truth(self.boolean(name)))
            case Primitive.OBJECT:
                return sure(self.open(name, owner))
            case Primitive.ARRAY:
                return sure(self.array(None, name, owner))
            case _:
                assert_never(type_)

    def contract(self, name: str) -> Contract:
        """A contract by its name."""
        return self._contracts[name]

    def plainest(self, type_: Type | None) -> Any:
        """The plainest JSON value of a type: empty, zero, the first member of an enum."""
        match type_:
            case None:
                return None
            case EnumType(members):
                return members[0]
            case ArrayType():
                return []
            case ContractType(name):
                return self.completed({}, self.contract(name).fields)
            case Primitive():
                return copy.copy(_PLAINEST[type_])
            case _:
                assert_never(type_)

    def completed(self, value: dict[str, Any], fields: Mapping[str, Field]) -> dict[str, Any]:
        """An object with every required field: those it lacks get their plainest values, inside it too."""
        whole = dict(value)
        for name, field in fields.items():
            if name not in whole and not field.optional:
                whole[name] = self.plainest(field.type)
            elif name in whole:
                whole[name] = self.whole(whole[name], field.type)
        return whole

    def whole(self, value: Any, type_: Type | None) -> Any:
        """A value with every required field inside it filled in."""
        if isinstance(value, dict) and isinstance(type_, ContractType):
            return self.completed(value, self.contract(type_.name).fields)
        if isinstance(value, list) and isinstance(type_, ArrayType):
            return [self.whole(item, type_.element) for item in value]
        return value

    def record(self, contract: str, name: str, owner: int) -> Record:
        """Any object of a contract."""
        return self.fields(self._contracts[contract].fields, name, owner)

    def fields(self, fields: Mapping[str, Field], name: str, owner: int) -> Record:
        """Any object of these fields, made lazily: most are never asked for."""
        return Record(LazySlots(self, fields, name, owner))

    def slot(self, field: Field, name: str, owner: int) -> Slot:
        """A field of an object; an optional one may be missing or null."""
        value = self.value(field.type, name, owner)
        if not field.optional:
            return Slot(True, value)
        with self.making(owner):
            present, null = self.boolean(f"{name} present"), self.boolean(f"{name} null")
        some = tuple((conjunction(negation(null), guard), inner) for guard, inner in value)
        return Slot(present, ((null, Nil()), *some))

    def array(self, element: Type | None, name: str, owner: int) -> Array:
        """Any list of a type."""
        length = self.integer(f"{name} length")
        self.add(owner, length >= 0)
        return Array(owner, length, lambda index: self.value(element, f"{name}[{index}]", owner), element)

    def open(self, name: str, owner: int) -> Open:
        """Any object."""
        length = self.integer(f"{name} length")
        self.add(owner, length >= 0)
        counted: list[Any] = []

        def member(key: str) -> Slot:
            with self.making(owner):
                present = self.boolean(f"{name}.{key} present")
            counted.append(z3.If(present, self.terms.integer(1), self.terms.integer(0)))
            self.add(owner, length >= z3.Sum(counted))
            return Slot(present, self.value(None, f"{name}.{key}", owner))

        return Open(length, member)

    def anything(self, name: str, owner: int) -> Outcome:
        """Any JSON value."""
        kind = self.integer(f"{name} kind")
        self.add(owner, z3.And(kind >= 0, kind <= 5))
        return (
            (kind == 0, Nil()),
            (kind == 1, Truth(self.boolean(name))),
            (kind == 2, Amount(self.real(name), integral=False)),
            (kind == 3, self.words(name, owner)),
            (kind == 4, self.array(None, name, owner)),
            (kind == 5, self.open(name, owner)),
        )


class LazySlots(Mapping[str, Slot]):
    """The fields of an object, each made when first asked for."""

    def __init__(self, world: World, fields: Mapping[str, Field], name: str, owner: int) -> None:
        self._world, self._fields, self._name, self._owner = world, fields, name, owner
        self.made: dict[str, Slot] = {}
        """Those that something has asked for."""

    def __getitem__(self, key: str) -> Slot:
        if key not in self.made:
            self.made[key] = self._world.slot(self._fields[key], f"{self._name}.{key}", self._owner)
        return self.made[key]

    def __iter__(self) -> Any:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)
