"""Where things lie in the repository, for tests that read its own files."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMPILER = ROOT / "compiler" / "stratumc"
RUNTIME = ROOT / "runtime" / "stratum_runtime"
SERVER = ROOT / "runtime" / "stratum_server"
PAGES = COMPILER / "checks" / "pages"
GOLDEN_CHECKS = ROOT / "golden" / "checks"
EXAMPLES = ROOT / "examples"


def sources(folder: Path) -> list[Path]:
    """The Python files below a folder, in a fixed order, without those of installed packages."""
    return sorted(path for path in folder.rglob("*.py") if "node_modules" not in path.parts)
