"""What a command line asks of `stratumc check`."""

from __future__ import annotations

from typing import NamedTuple

FORMATS = ("text", "json", "sarif", "github", "junit")


class CheckRequest(NamedTuple):
    """What the command line asks for; the fields are the options of `stratumc check`."""

    paths: tuple[str, ...] = ()
    kind: str | None = None
    form: str = "text"
    output: str | None = None
    family: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: tuple[tuple[str, str], ...] = ()
    strict: bool = False
    statistics: bool = False
    stats: bool = False
    quiet: bool = False
    jobs: int | None = None
    use_cache: bool = True
    stdin_filename: str | None = None
