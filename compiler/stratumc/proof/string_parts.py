"""What strings that contain each other, and strings that are joined, say of each other."""

from __future__ import annotations

from dataclasses import dataclass

from stratum_runtime.expression_values import contains
from stratumc.proof.logic import Formula, conjunction, implication
from stratumc.proof.values import Words
from stratumc.proof.world import World

_MOST_RELATED = 50
"""With more tests of one string, further ones aren't compared with them."""


def contains_test(world: World, haystack: Words, needle: Words) -> Formula:
    """That a string contains another, as a term about which nothing is said yet."""
    test = world.terms.test("contains", 2)
    return test(haystack.term, needle.term)


def relate(world: World, owner: int, needle: Words, haystack: Words, found: Formula) -> None:
    """A string that contains another contains all that the other does."""
    parts = _tested(world, "parts", haystack)
    for other in parts:
        if needle.literal is not None and other.literal is not None:
            if contains(other.literal, needle.literal):
                world.add(owner, implication(found, contains_test(world, haystack, other)))
            if contains(needle.literal, other.literal):
                world.add(owner, implication(contains_test(world, haystack, other), found))
        elif other.literal is None:
            _through(world, owner, needle, other, haystack)
        else:
            _through(world, owner, other, needle, haystack)
    for whole in _tested(world, "wholes", haystack):
        _through(world, owner, needle, haystack, whole)
    if len(parts) < _MOST_RELATED and all(needle.term is not part.term for part in parts):
        parts.append(needle)
    if needle.literal is None:
        above = _tested(world, "wholes", needle)
        if len(above) < _MOST_RELATED:
            above.append(haystack)


def _through(world: World, owner: int, small: Words, middle: Words, large: Words) -> None:
    inside = contains_test(world, middle, small)
    for part in _tested(world, "parts", middle):
        if part.literal is not None and small.literal is not None and contains(small.literal, part.literal):
            world.add(owner, implication(contains_test(world, middle, part), inside))
    both = conjunction(inside, contains_test(world, large, middle))
    world.add(owner, implication(both, contains_test(world, large, small)))


def _tested(world: World, kind: str, words: Words) -> list[Words]:
    """The strings that a string was asked to contain (`parts`), or to be contained in (`wholes`)."""
    tested: list[Words] = world.shared((kind, words.term.get_id()), list, words.term)
    return tested


@dataclass(frozen=True, slots=True)
class Parts:
    """What a string was joined of; `depth` counts the joins inside."""

    left: Words
    right: Words
    depth: int


def parts_of_join(world: World, words: Words) -> Parts | None:
    """What a string was joined of; None when it wasn't joined."""
    found: list[Parts] = world.shared(("joined", words.term.get_id()), list, words.term)
    return found[0] if found else None


def remember_parts(world: World, owner: int, words: Words, left: Words, right: Words) -> None:
    """Takes down what a string is joined of, all of which it contains."""
    for part in (left, right):
        world.add(owner, contains_test(world, words, part))
    found: list[Parts] = world.shared(("joined", words.term.get_id()), list, words.term)
    if not found:
        inner = [parts.depth for one in (left, right) if (parts := parts_of_join(world, one)) is not None]
        found.append(Parts(left, right, 1 + max(inner, default=0)))
        joins_of(world).append(words)


def joins_of(world: World) -> list[Words]:
    """The joined strings so far."""
    joins: list[Words] = world.shared("joins", list)
    return joins


def is_basic(text: str) -> bool:
    """Whether each character is one UTF-16 code unit and no half of a pair."""
    return all(letter < "\ud800" or "\udfff" < letter <= "\uffff" for letter in text)


def taken_apart(
    world: World, owner: int, parts: tuple[Words, Words], both: Words, named: tuple[str, ...]
) -> None:
    """Of a join with a known beginning or end: the rest follows from the whole."""
    left, right = parts
    for known, rest, at_end in ((right.literal, left, True), (left.literal, right, False)):
        if known is None or not known or not is_basic(known):
            continue
        name = f"before {known}" if at_end else f"after {known}"
        world.add(owner, world.terms.function(name)(both.term) == rest.term)
        for text in named:
            fits = text.endswith(known) if at_end else text.startswith(known)
            short = text[: -len(known)] if at_end else text[len(known) :]
            same = both.term == world.text(text).term
            follows = rest.term == world.text(short, derived=True).term if fits else False
            world.add(owner, implication(same, follows))
