"""Expected outputs kept as files: exact bytes, and an updater that never passes in the run that writes."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Golden:
    """Compares texts with files; with `update` writes them instead and remembers that it did."""

    update: bool
    written: list[Path] = field(default_factory=list)

    def check(self, path: Path, actual: str | bytes) -> None:
        """Fails unless the file holds exactly `actual` (a string as UTF-8)."""
        data = actual.encode("utf-8") if isinstance(actual, str) else actual
        if self.update:
            if not path.exists() or path.read_bytes() != data:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
                self.written.append(path)
            return
        assert path.exists(), f"no expected output {path}: run pytest --update-golden and read what it writes"
        expected = path.read_bytes()
        if isinstance(actual, str):
            assert actual == expected.decode("utf-8"), f"differs from {path}"
        assert data == expected, f"differs from {path}"

    def finish(self) -> None:
        """Fails when anything was written, so that an updating run is never green."""
        names = ", ".join(str(path) for path in self.written)
        assert not self.written, (
            f"rewrote {names}: read the difference, then run again without --update-golden"
        )
