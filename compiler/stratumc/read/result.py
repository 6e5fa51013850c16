"""What a reader hands on: a tree, faults, and the comments that may hold suppressions."""

from __future__ import annotations

from dataclasses import dataclass

from stratumc.diagnostics.finding import Finding
from stratumc.text.comment import Comment
from stratumc.text.tree import Node


@dataclass(frozen=True, slots=True)
class ReadResult:
    """A tree with the faults met on the way.

    `root` is None when the text has no tree; faults beside a tree (a duplicate key) leave the rest usable.
    """

    root: Node | None
    findings: tuple[Finding, ...] = ()
    comments: tuple[Comment, ...] = ()
    """Those that may be directives, in document order."""
