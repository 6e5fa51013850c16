"""Which strings contain which: tests of one string for another, and what they say of each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from stratum_runtime.expression_values import contains, length_of
from stratumc.proof.logic import Formula, Term, conjunction, disjunction, equivalence, implication
from stratumc.proof.string_parts import contains_test, is_basic, joins_of, parts_of_join, relate
from stratumc.proof.values import Words
from stratumc.proof.world import World

_MOST_JOINS = 10
"""Of so many joins each test of a known text is made."""

_DEEPEST = 6
"""Of joins of joins so many levels are looked into."""


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
    parts, wholes = known_texts(needle), known_texts(haystack)
    if parts is not None and wholes is not None:
        return disjunction(
            *(
                conjunction(is_text(world, needle, part), is_text(world, haystack, whole))
                for part in parts
                for whole in wholes
                if contains(part, whole)
            )
        )
    found = contains_test(world, haystack, needle)
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


def known_texts(words: Words) -> tuple[str, ...] | None:
    """All texts that a string can have, when they are few."""
    return (words.literal,) if words.literal is not None else words.members


def is_text(world: World, words: Words, text: str) -> Formula:
    """That a string that has few texts has this one of them."""
    return True if words.literal is not None else words.term == world.text(text).term


_MOST_NAMED = 40


def named_texts(world: World, words: Words) -> tuple[str, ...]:
    """Texts that a string may well be: the members of its enum, or what the document names."""
    if words.members is not None:
        return words.members
    named = world.texts.named
    return named if len(named) <= _MOST_NAMED else ("",)


def parted(world: World, owner: int, needle: Words, haystack: Words, found: Formula) -> None:
    """A join contains what its parts contain, and nothing else but what stands where they meet."""
    parts = parts_of_join(world, haystack)
    if parts is None or parts.depth > _DEEPEST:
        return
    inside = []
    for part in (parts.left, parts.right):
        same = part.term is needle.term or part.term.get_id() == needle.term.get_id()
        inside.append(True if same else substring(world, owner, needle, part))
    world.add(owner, implication(disjunction(*inside), found))
    if needle.literal is not None and not _can_straddle(needle.literal, parts.left, parts.right):
        world.add(owner, implication(found, disjunction(*inside)))


def spread(world: World, owner: int, needle: Words) -> None:
    """Says of the joins at hand whether they contain a known text: other strings may be equal to one."""
    if needle.literal:
        for join in joins_of(world)[:_MOST_JOINS]:
            parted(world, owner, needle, join, contains_test(world, join, needle))


def _can_straddle(text: str, left: Words, right: Words) -> bool:
    """Whether a text can stand where two strings meet, partly in each."""
    if not is_basic(text):
        return True
    return any(
        (left.literal is None or left.literal.endswith(text[:place]))
        and (right.literal is None or right.literal.startswith(text[place:]))
        for place in range(1, len(text))
    )
