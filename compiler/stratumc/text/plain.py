"""Trees to the JSON values they hold, places left behind."""

from __future__ import annotations

from typing import Any, assert_never

from stratumc.text.tree import Mapping, Node, Scalar, Sequence


def plain_data(node: Node) -> Any:
    """The JSON value of a tree; recursion is as deep as the readers allow."""
    match node:
        case Scalar():
            return node.value
        case Sequence():
            return [plain_data(item) for item in node.items]
        case Mapping():
            return {entry.name: plain_data(entry.value) for entry in node.entries}
        case _:
            assert_never(node)
