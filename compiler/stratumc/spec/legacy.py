"""v0.x documents."""

from __future__ import annotations

from collections.abc import Iterator

from stratumc.diagnostics import Finding
from stratumc.read.tree import Node


def legacy_rules(root: Node) -> Iterator[Finding]:
    return iter(())
