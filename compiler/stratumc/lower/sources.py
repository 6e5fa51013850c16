"""Which inputs a table was made from: paths and hashes that depend on content alone (ADR 5)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath, PurePosixPath

from stratum_runtime.canonical import digest_of
from stratumc.diagnostics import Source
from stratumc.text.plain import plain_data
from stratumc.text.tree import Node

_FRAGMENTS = "workflow.d"


def lower_sources(sources: Sequence[Source]) -> list[dict[str, str]]:
    """Each input's path, relative to the folder of the first, and the digest of the data it holds."""
    if not sources:
        return []
    home = PurePath(sources[0].document.name).parent
    if home.name == _FRAGMENTS:
        home = home.parent
    return [
        {"path": _relative(PurePath(source.document.name), home), "sha256": _digest(source.root)}
        for source in sources
    ]


def _relative(path: PurePath, home: PurePath) -> str:
    inside = path.relative_to(home) if path.is_relative_to(home) else PurePath(path.name)
    named = [part for part in inside.parts if part not in ("..", inside.anchor)]
    return str(PurePosixPath(*named))


def _digest(root: Node | None) -> str:
    return digest_of(None if root is None else plain_data(root))
