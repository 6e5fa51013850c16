"""Draws a difference: the new version, what is different in it, and what is gone from the old one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from stratumc.driver.diagram import UndrawableError, picture_of
from stratumc.driver.load import Loaded
from stratumc.driver.pipeline import CheckResult
from stratumc.review.comparison.changes import ChangeKind

if TYPE_CHECKING:
    from stratumc.emit.picture import Picture
    from stratumc.review.comparison.diff import Diff


def changes_picture(old: Loaded, new: Loaded, diff: Diff, *, flow: str | None = None) -> Picture:
    """The picture of the new version: what was added is green, what changed yellow, what is gone red.

    Of a spec, that of one flow, the entry by default. Findings have no colours here. Raises UndrawableError.
    """
    from stratumc.emit.picture_union import union

    after = picture_of(new, CheckResult((), new.kind), flow=flow)
    before = _old_picture(old, new, flow)
    return union(before or _nothing(after), after, frozenset(_changed(new, diff, flow)))


def _old_picture(old: Loaded, new: Loaded, flow: str | None) -> Picture | None:
    """The picture of the old version; None where it has no such flow."""
    if new.spec is not None and old.spec is not None:
        flow = flow or new.spec.entry
        # An entry flow of another name is the same flow to the difference.
        if flow == new.spec.entry and flow not in old.spec.flows and old.spec.entry not in new.spec.flows:
            flow = old.spec.entry
    try:
        return picture_of(old, CheckResult((), old.kind), flow=flow)
    except UndrawableError:
        return None


def _nothing(picture: Picture) -> Picture:
    return replace(picture, nodes=(), edges=(), clusters=())


def _changed(new: Loaded, diff: Diff, flow: str | None) -> Iterator[str]:
    """The steps or states that are different, or whose ways out are."""
    drawn = None if new.spec is None else flow or new.spec.entry
    for change in diff.changes:
        part = change.part
        if part.kind in ("transition", "trigger"):
            yield part.owner or ""
        elif change.kind is ChangeKind.CHANGED and (
            part.kind == "state" or (part.kind == "step" and part.owner == drawn)
        ):
            yield part.own_name
