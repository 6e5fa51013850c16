"""`python -m benchmarks [WORD…]`: measures the groups whose title holds a word (all of them without)."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from benchmarks import checking, pictures, proofs
from benchmarks.measure import measure, report


def main(words: list[str]) -> int:
    """Prints a table for each group; the exit status is 1 when a bound isn't met."""
    all_met = True
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
        os.environ["PYTHONPYCACHEPREFIX"] = str(folder / "bytecode")
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        checking.prepare(folder)
        proofs.prepare(folder)
        pictures.prepare(folder)
        for group in (*checking.groups(folder), *proofs.groups(), *pictures.groups()):
            if words and not any(word.lower() in group.title.lower() for word in words):
                continue
            text, met = report(group, measure(group, folder))
            print(text, flush=True)
            all_met &= met
    return 0 if all_met else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
