"""What is known of joined strings, substrings and patterns: lengths, and answers for known strings."""

from __future__ import annotations

from stratum_runtime.expression_values import join
from stratum_runtime.pattern import PatternError, compile_pattern
from stratumc.proof.logic import Formula, Term, conjunction, equivalence, implication
from stratumc.proof.pattern_shape import shape_of
from stratumc.proof.string_parts import remember_parts, taken_apart
from stratumc.proof.substrings import Wish, is_text, known_texts, named_texts, substring
from stratumc.proof.values import Words
from stratumc.proof.world import World

_JOIN = "join"


def joined(world: World, owner: int, left: Words, right: Words) -> Words:
    """One string after the other."""
    if left.literal is not None and right.literal is not None:
        return world.text(join(left.literal, right.literal))
    both = world.terms.function(_JOIN, 2)(left.term, right.term)
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
    lefts, rights = known_texts(left), known_texts(right)
    if lefts is None or rights is None or len(lefts) * len(rights) > _MOST_JOINS:
        return None
    whole: dict[str, None] = {}
    for first in lefts:
        for second in rights:
            text = join(first, second)
            whole[text] = None
            here = conjunction(is_text(world, left, first), is_text(world, right, second))
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
    test = world.terms.test(f"matches {pattern}")
    found = test(text.term)
    for member in named_texts(world, text):
        same = text.term == world.text(member).term
        world.add(owner, implication(same, equivalence(found, compile_pattern(pattern).search(member))))
    _shape(world, owner, text, pattern, found)
    world.wishes.append(Wish(text.term, found, pattern, None))
    return conjunction(found)
