"""Sets of steps as bit masks: bit `i` stands for the step of index `i`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence


def mask_of(members: Iterable[int]) -> int:
    """The mask of some indices."""
    mask = 0
    for member in members:
        mask |= 1 << member
    return mask


def members_of(mask: int) -> Iterator[int]:
    """The indices in a mask, ascending; linear in the length of the mask."""
    for first, stop in ranges_of(mask):
        yield from range(first, stop)


def ranges_of(mask: int) -> Iterator[tuple[int, int]]:
    """The mask as maximal half-open runs of indices, ascending."""
    digits = bin(mask)[:1:-1]
    first = digits.find("1")
    while first >= 0:
        stop = digits.find("0", first)
        stop = len(digits) if stop < 0 else stop
        yield first, stop
        first = digits.find("1", stop)


def reach(order: Sequence[int], successors: Sequence[Sequence[int]], *, acyclic: bool) -> tuple[int, ...]:
    """For each node the mask of what is reachable from it by one edge or more.

    `order` is topological when `acyclic`; otherwise passes repeat until nothing changes.
    """
    masks = [0] * len(successors)
    changed = True
    while changed:
        changed = False
        for node in reversed(order):
            mask = masks[node]
            for successor in successors[node]:
                mask |= masks[successor] | 1 << successor
            changed |= mask != masks[node]
            masks[node] = mask
        changed &= not acyclic
    return tuple(masks)
