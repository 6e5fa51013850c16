"""Runs Graphviz, which pygraphviz brings along, and keeps its noise off the error stream."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

_NOISE = ("Fontconfig warning:", "Warning: graph has ")
"""How lines begin that say nothing of the picture: of the system's fonts, and that it may take long."""


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
                if line.strip() and not line.startswith(_NOISE):
                    sys.stderr.write(line + "\n")
