"""What strings that contain each other, and strings that are joined, say of each other."""

from __future__ import annotations

from dataclasses import dataclass

import z3

from stratum_runtime.expression_values import contains
from stratumc.proof.logic import Formula, conjunction, disjunction, implication
from stratumc.proof.values import Words
from stratumc.proof.world import World

_MOST_RELATED = 50
"""With more tests of one string, further ones aren't compared with them."""

_MOST_JOINS = 10
"""Of so many joins each test of a known text is made."""

_DEEPEST = 6
"""Of joins of joins so many levels are looked into."""


def contains_test(haystack: Words, needle: Words) -> Formula:
    """That a string contains another, as a term about which nothing is said yet."""
    test = z3.Function("contains", z3.RealSort(), z3.RealSort(), z3.BoolSort())
    return test(haystack.term, needle.term)


def relate(world: World, owner: int, needle: Words, haystack: Words, found: Formula) -> None:
    """A string that contains another contains all that the other does."""
    parts = _tested(world, "parts", haystack)
    for other in parts:
        if needle.literal is not None and other.literal is not None:
            if contains(other.literal, needle.literal):
                world.add(owner, implication(found, contains_test(haystack, other)))
            if contains(needle.literal, other.literal):
                world.add(owner, implication(contains_test(haystack, other), found))
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
    inside = contains_test(middle, small)
    for part in _tested(world, "parts", middle):
        if part.literal is not None and small.literal is not None and contains(small.literal, part.literal):
            world.add(owner, implication(contains_test(middle, part), inside))
    both = conjunction(inside, contains_test(large, middle))
    world.add(owner, implication(both, contains_test(large, small)))


def _tested(world: World, kind: str, words: Words) -> list[Words]:
    """The strings that a string was asked to contain (`parts`), or to be contained in (`wholes`)."""
    tested: list[Words] = world.shared((kind, words.term.get_id()), list, words.term)
    return tested


@dataclass(frozen=True, slots=True)
class _Parts:
    """What a string was joined of; `depth` counts the joins inside."""

    left: Words
    right: Words
    depth: int


def _parts(world: World, words: Words) -> _Parts | None:
    found: list[_Parts] = world.shared(("joined", words.term.get_id()), list, words.term)
    return found[0] if found else None


def remember_parts(world: World, owner: int, words: Words, left: Words, right: Words) -> None:
    """Takes down what a string is joined of, all of which it contains."""
    for part in (left, right):
        world.add(owner, contains_test(words, part))
    found: list[_Parts] = world.shared(("joined", words.term.get_id()), list, words.term)
    if not found:
        inner = [parts.depth for one in (left, right) if (parts := _parts(world, one)) is not None]
        found.append(_Parts(left, right, 1 + max(inner, default=0)))
        _joins(world).append(words)


def _joins(world: World) -> list[Words]:
    joins: list[Words] = world.shared("joins", list)
    return joins


def parted(world: World, owner: int, needle: Words, haystack: Words, found: Formula) -> None:
    """A join contains what its parts contain, and nothing else but what stands where they meet."""
    from stratumc.proof.strings import substring

    parts = _parts(world, haystack)
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
        for join in _joins(world)[:_MOST_JOINS]:
            parted(world, owner, needle, join, contains_test(join, needle))


def _can_straddle(text: str, left: Words, right: Words) -> bool:
    """Whether a text can stand where two strings meet, partly in each."""
    if not _is_basic(text):
        return True
    return any(
        (left.literal is None or left.literal.endswith(text[:place]))
        and (right.literal is None or right.literal.startswith(text[place:]))
        for place in range(1, len(text))
    )


def _is_basic(text: str) -> bool:
    """Whether each character is one UTF-16 code unit and no half of a pair."""
    return all(letter < "\ud800" or "\udfff" < letter <= "\uffff" for letter in text)


def taken_apart(
    world: World, owner: int, parts: tuple[Words, Words], both: Words, named: tuple[str, ...]
) -> None:
    """Of a join with a known beginning or end: the rest follows from the whole."""
    left, right = parts
    for known, rest, at_end in ((right.literal, left, True), (left.literal, right, False)):
        if known is None or not known or not _is_basic(known):
            continue
        name = f"before {known}" if at_end else f"behind {known}"
        world.add(owner, z3.Function(name, z3.RealSort(), z3.RealSort())(both.term) == rest.term)
        for text in named:
            fits = text.endswith(known) if at_end else text.startswith(known)
            short = text[: -len(known)] if at_end else text[len(known) :]
            same = both.term == world.text(text).term
            follows = rest.term == world.text(short, derived=True).term if fits else False
            world.add(owner, implication(same, follows))
