"""What is known of joined strings, substrings and patterns: lengths, and answers for known strings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import z3

from stratum_runtime.expression_values import contains, join, length_of
from stratum_runtime.pattern import PatternError, compile_pattern
from stratumc.proof.logic import Formula, Term, conjunction, disjunction, equivalence, implication
from stratumc.proof.pattern_shape import shape_of
from stratumc.proof.string_parts import parted, relate, remember_parts, taken_apart
from stratumc.proof.values import Words
from stratumc.proof.world import World

_JOIN = "join"


@dataclass(frozen=True, slots=True)
class Wish:
    """A test of one string that a witness must come out right on."""

    text: Term
    formula: Any
    pattern: str | None
    part: Words | None


def substring(world: World, owner: int, needle: Words, haystack: Words) -> Formula:
    """That a string contains another."""
    if needle.literal == "":
        return True
    parts, wholes = _known_texts(needle), _known_texts(haystack)
    if parts is not None and wholes is not None:
        return disjunction(
            *(
                conjunction(_is(world, needle, part), _is(world, haystack, whole))
                for part in parts
                for whole in wholes
                if contains(part, whole)
            )
        )
    test = z3.Function("contains", z3.RealSort(), z3.RealSort(), z3.BoolSort())
    found = test(haystack.term, needle.term)
    world.add(owner, implication(found, world.length(needle, owner) <= world.length(haystack, owner)))
    world.add(owner, implication(haystack.term == needle.term, found))
    world.add(owner, implication(needle.term == 0, found))
    world.wishes.append(Wish(haystack.term, found, None, needle))
    if needle.literal is not None:
        for text in named_texts(world, haystack):
            same = haystack.term == world.text(text).term
            world.add(owner, implication(same, equivalence(found, contains(needle.literal, text))))
        whole = world.length(haystack, owner) == length_of(needle.literal)
        world.add(owner, implication(conjunction(found, whole), haystack.term == needle.term))
    elif haystack.literal is not None:
        for text in named_texts(world, needle):
            same = needle.term == world.text(text).term
            world.add(owner, implication(same, equivalence(found, contains(text, haystack.literal))))
    relate(world, owner, needle, haystack, found)
    parted(world, owner, needle, haystack, found)
    return found


def _known_texts(words: Words) -> tuple[str, ...] | None:
    """All texts that a string can have, when they are few."""
    return (words.literal,) if words.literal is not None else words.members


def _is(world: World, words: Words, text: str) -> Formula:
    return True if words.literal is not None else words.term == world.text(text).term


_MOST_NAMED = 40


def named_texts(world: World, words: Words) -> tuple[str, ...]:
    """Texts that a string may well be: the members of its enum, or what the document names."""
    if words.members is not None:
        return words.members
    named = tuple(text for text in world.texts.values() if text not in world.derived)
    return named if len(named) <= _MOST_NAMED else ("",)


def joined(world: World, owner: int, left: Words, right: Words) -> Words:
    """One string after the other."""
    if left.literal is not None and right.literal is not None:
        return world.text(join(left.literal, right.literal))
    both = z3.Function(_JOIN, z3.RealSort(), z3.RealSort(), z3.RealSort())(left.term, right.term)
    words = _few(world, owner, left, right, both) or Words(both)
    world.add(owner, both >= 0)
    world.add(
        owner,
        world.length(words, owner) == world.length(left, owner) + world.length(right, owner),
    )
    world.add(owner, implication(left.term == 0, both == right.term))
    world.add(owner, implication(right.term == 0, both == left.term))
    if words.members is None:
        taken_apart(world, owner, (left, right), words, named_texts(world, words))
    remember_parts(world, owner, words, left, right)
    return words


_MOST_JOINS = 32


def _few(world: World, owner: int, left: Words, right: Words, both: Term) -> Words | None:
    """The join of strings that have few texts each: it has few texts, too."""
    lefts, rights = _known_texts(left), _known_texts(right)
    if lefts is None or rights is None or len(lefts) * len(rights) > _MOST_JOINS:
        return None
    whole: dict[str, None] = {}
    for first in lefts:
        for second in rights:
            text = join(first, second)
            whole[text] = None
            here = conjunction(_is(world, left, first), _is(world, right, second))
            world.add(owner, implication(here, both == world.text(text, derived=True).term))
    return Words(both, members=tuple(whole))


def _shape(world: World, owner: int, text: Words, pattern: str, found: Formula) -> None:
    """What the shape of a pattern says of each string that it is found in."""
    shape = shape_of(pattern)
    length = world.length(text, owner)
    world.add(owner, implication(found, length >= shape.shortest))
    if shape.longest is not None:
        world.add(owner, implication(found, length <= shape.longest))
    for literal in shape.literals:
        holds = substring(world, owner, world.text(literal, derived=True), text)
        world.add(owner, equivalence(found, holds) if shape.is_literal else implication(found, holds))


def is_admitted(pattern: str) -> bool:
    """Whether the evaluator takes a `matches` pattern."""
    try:
        compile_pattern(pattern)
    except PatternError:
        return False
    return True


def found_in(world: World, owner: int, text: Words, pattern: str) -> Formula:
    """That an admitted pattern is found in a string."""
    if text.literal is not None:
        return compile_pattern(pattern).search(text.literal)
    test = z3.Function(f"matches {pattern}", z3.RealSort(), z3.BoolSort())
    found = test(text.term)
    for member in named_texts(world, text):
        same = text.term == world.text(member).term
        world.add(owner, implication(same, equivalence(found, compile_pattern(pattern).search(member))))
    _shape(world, owner, text, pattern, found)
    world.wishes.append(Wish(text.term, found, pattern, None))
    return conjunction(found)
