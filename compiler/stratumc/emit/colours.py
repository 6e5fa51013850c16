"""The colours of tones in all drawn pictures."""

from __future__ import annotations

from typing import NamedTuple

from stratumc.emit.picture import Line, Tone


class Colours(NamedTuple):
    """What a tone looks like; texts are readable on the fill and, beside a line, on white (4.5 to 1)."""

    fill: str
    stroke: str
    text: str = "#1c1917"
    beside: str | None = None
    """Of texts beside a line; the stroke's colour when None."""


_DIM = "#57534e"

COLOURS = {
    Tone.ERROR: Colours("#fdd8d8", "#b42318"),
    Tone.WARNING: Colours("#fdecc8", "#b45309"),
    Tone.INFO: Colours("#dbeafe", "#1d4ed8"),
    Tone.CURRENT: Colours("#fef9c3", "#854d0e"),
    Tone.DONE: Colours("#dcfce7", "#15803d"),
    Tone.FAILED: Colours("#fecaca", "#991b1b"),
    Tone.SKIPPED: Colours("#f5f5f4", "#a8a29e", _DIM, _DIM),
    Tone.UNREACHABLE: Colours("#e7e5e4", "#a8a29e", _DIM, _DIM),
    Tone.PLAIN: Colours("#fafaf9", "#44403c"),
}

LINE_COLOURS = {Line.REVISE: "#7c3aed", Line.RECOVERY: "#b42318", Line.CARRY: "#57534e"}
"""Of the kinds of lines that have a colour of their own."""
