"""The import directions, one library one folder, and the sizes that CONTRIBUTING.md sets."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.repository import COMPILER, ROOT, RUNTIME, SERVER, sources

LAYERS = (
    "text",
    "diagnostics",
    "read",
    "expr",
    "spec",
    "workflow",
    "graph",
    "proof",
    "checks",
    "review",
    "lower",
    "emit",
    "driver",
    "engine",
    "cli",
)
"""The pipeline from top to bottom: a folder may import itself and what stands before it."""

TOP = {"__init__", "__main__"}
"""Modules above all layers: the public API and the entry point."""

SHARED_UPWARDS = {("diagnostics", "read")}
"""Diagnostics become concrete on the trees that the readers made, so they may name the tree's types."""

ONLY_IN = {
    "yaml": {"read"},
    "networkx": {"graph"},
    "z3": {"proof"},
    "click": {"cli"},
    "rich": {"cli"},
    "pygraphviz": {"emit"},
    "pydantic": set[str](),
    "mcp": set[str](),
    "stratum_server": {"cli"},
}

BANNED_NAMES = {"utils", "util", "helpers", "helper", "common", "misc"}

ALL_CODE = [*sources(COMPILER), *sources(RUNTIME), *sources(SERVER)]
ALL_FILES = [*ALL_CODE, *sources(ROOT / "tests"), *sources(ROOT / "benchmarks")]


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def imported(path: Path) -> Iterator[str]:
    """Every module that a file imports, at the top or inside a function."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=module, level=level):
                assert level == 0, f"{path}: relative import"
                assert module is not None
                yield module


def layer(path: Path) -> str:
    return path.relative_to(COMPILER).parts[0].removesuffix(".py")


def layer_of_module(name: str) -> str | None:
    package, *rest = name.split(".")
    if package != "stratumc" or not rest:
        return None
    return rest[0]


@pytest.mark.parametrize("path", sources(COMPILER), ids=name_of)
def test_imports_point_down(path: Path) -> None:
    here = layer(path)
    if here in TOP:
        return
    assert here in LAYERS, f"{here} isn't a folder of docs/architecture.md"
    for name in imported(path):
        there = layer_of_module(name)
        if there is not None and (here, there) not in SHARED_UPWARDS:
            assert LAYERS.index(there) <= LAYERS.index(here), f"{here} imports {name}"


@pytest.mark.parametrize("path", sources(COMPILER), ids=name_of)
def test_one_library_has_one_folder(path: Path) -> None:
    here = layer(path)
    for name in imported(path):
        package = name.split(".")[0]
        assert here in ONLY_IN.get(package, {here}), (
            f"{package} belongs in {ONLY_IN[package] or 'stratum_server'}"
        )


@pytest.mark.parametrize("path", sources(RUNTIME), ids=name_of)
def test_the_runtime_is_standard_library_only(path: Path) -> None:
    for name in imported(path):
        package = name.split(".")[0]
        assert package in sys.stdlib_module_names or package == "stratum_runtime", name


@pytest.mark.parametrize("path", sources(SERVER), ids=name_of)
def test_the_server_gets_the_compiler_handed_in(path: Path) -> None:
    ours = {"stratum_runtime", "stratum_server"}
    allowed = sys.stdlib_module_names | ours | {"mcp", "mcp_types", "pydantic", "anyio"}
    for name in imported(path):
        assert name.split(".")[0] in allowed, name


def test_the_runtime_imports_alone() -> None:
    """No third-party package, no site: only `runtime/` is on the path."""
    program = (
        f"import sys; sys.path.insert(0, {str(RUNTIME.parent)!r}); "
        "import stratum_runtime, stratum_runtime.flow, stratum_runtime.store, stratum_runtime.workflow; "
        "assert 'stratumc' not in sys.modules"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("path", ALL_FILES, ids=name_of)
def test_files_and_functions_stay_small(path: Path) -> None:
    text = path.read_text("utf-8")
    assert len(text.splitlines()) <= 400, "more than 400 lines"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            assert length <= 60, f"{node.name} has {length} lines"


@pytest.mark.parametrize("path", ALL_FILES, ids=name_of)
def test_every_module_says_what_it_decides(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text("utf-8"))), "no module docstring"


def test_no_file_is_a_drawer_for_everything() -> None:
    found = [path for path in ALL_FILES if path.stem in BANNED_NAMES or path.parent.name in BANNED_NAMES]
    assert found == []


HEAVY = ("networkx", "z3", "pydantic", "mcp", "pygraphviz", "jsonschema", "rich")


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["check", "--help"]], ids=" ".join)
def test_nothing_heavy_is_loaded_for_nothing(arguments: list[str]) -> None:
    program = (
        "import sys\nfrom stratumc.__main__ import main\n"
        f"sys.argv = ['stratumc', *{arguments!r}]\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        f"loaded = [name for name in {HEAVY!r} if name in sys.modules]\n"
        "print(loaded, file=sys.stderr)\nassert not loaded"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
