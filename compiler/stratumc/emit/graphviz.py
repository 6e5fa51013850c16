"""Runs Graphviz, which pygraphviz brings along, and keeps its noise off the error stream."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

_NOISE = ("Fontconfig warning:", "Warning: graph has ")
"""How lines begin that say nothing of the picture: of the system's fonts, and that it may take long."""


_SCALED = re.compile(r".*graph is too large for \S+ bitmaps\. Scaling by (\S+) to fit")


def tell_scaled(factor: float) -> None:
    """Says on the error stream that a bitmap is smaller than it was drawn."""
    sys.stderr.write(
        f"stratumc: the picture is too large for a bitmap, which has {factor:.0%} of its size; "
        "`--format svg` has no limit\n"
    )


def draw(dot: str, image_format: str, *, has_positions: bool) -> bytes:
    """The picture as `svg` or `png` bytes; with positions, edges and nodes stay where the text says."""
    import pygraphviz

    with quiet():
        graph = pygraphviz.AGraph(string=dot)
        drawn: bytes = graph.draw(format=image_format, prog="nop2" if has_positions else "dot")
    return drawn


@contextmanager
def quiet() -> Iterator[None]:
    """Holds back what libraries write to the error stream, and lets through afterwards what is no noise."""
    sys.stderr.flush()
    try:
        kept = os.dup(2)
    except OSError:
        yield
        return
    with tempfile.TemporaryFile() as held:
        os.dup2(held.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)
            held.seek(0)
            for line in held.read().decode("utf-8", "replace").splitlines():
                scaled = _SCALED.match(line)
                if scaled is not None:
                    tell_scaled(float(scaled[1]))
                elif line.strip() and not line.startswith(_NOISE):
                    sys.stderr.write(line + "\n")
