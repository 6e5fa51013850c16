"""The examples of the repository, by the path that a user would compile."""

from __future__ import annotations

from pathlib import Path

from support.repository import ROOT


def _examples() -> tuple[Path, ...]:
    documents = sorted((ROOT / "examples").glob("*.stratum.*"))
    folders = sorted(path for path in (ROOT / "examples").iterdir() if path.is_dir())
    bases = [next(iter(sorted(folder.rglob("workflow.json"))), folder) for folder in folders]
    return tuple(path for path in (*documents, *bases) if not path.name.endswith(".table.json"))


EXAMPLES = _examples()


def example_id(path: Path) -> str:
    """The name of an example in test reports and of its golden files."""
    if path.name != "workflow.json":
        return path.name.partition(".stratum")[0]
    return path.parent.parent.name if path.parent.name == ".forge" else path.parent.name
