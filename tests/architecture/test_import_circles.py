"""No module imports itself by way of others, whether at its top, inside a function or for its types only."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

from support.repository import COMPILER, RUNTIME, SERVER, sources

MODULES = {
    ".".join(path.relative_to(root.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for root in (COMPILER, RUNTIME, SERVER)
    for path in sources(root)
}


def imports_of(path: Path) -> Iterator[str]:
    """The modules of ours that a file imports; of a package's names those that are modules themselves."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names if alias.name in MODULES)
            case ast.ImportFrom(module=str(module), names=names) if module in MODULES:
                inner = (f"{module}.{alias.name}" for alias in names)
                yield from (name if name in MODULES else module for name in inner)


def test_no_imports_go_round_in_a_circle() -> None:
    graph = {name: sorted({*imports_of(path)} - {name}) for name, path in MODULES.items()}
    assert sum(map(len, graph.values())) > 1000, "hardly any import was found"
    TopologicalSorter(graph).prepare()
