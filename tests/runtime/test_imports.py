"""What importing the runtime costs: no module that takes long to load."""

from __future__ import annotations

import subprocess
import sys

import pytest

from support.repository import RUNTIME

HEAVY = (
    "dataclasses",
    "typing",
    "re",
    "json",
    "hashlib",
    "sqlite3",
    "inspect",
    "collections",
    "enum",
    "asyncio",
)


@pytest.mark.parametrize(
    "statement", ["import stratum_runtime", "from stratum_runtime import loads, initial, step"]
)
def test_nothing_heavy_is_imported(statement: str) -> None:
    program = (
        f"import sys; sys.path.insert(0, {str(RUNTIME.parent)!r}); before = set(sys.modules); {statement}; "
        "print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=True
    )
    loaded = done.stdout.split()
    assert "stratum_runtime.table" in loaded
    assert set(HEAVY) & set(loaded) == set()
