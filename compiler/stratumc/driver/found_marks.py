"""What was found in an input, as a picture shows it: tones of its parts, remarks, what no run comes to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from stratumc.diagnostics import Diagnostic
from stratumc.driver.load import Loaded
from stratumc.emit.picture import Remark, Tone
from stratumc.text import Location, format_path
from stratumc.text.record import record

if TYPE_CHECKING:
    from stratumc.spec.syntax import Flow, Spec

BY_SEVERITY = {"error": Tone.ERROR, "warning": Tone.WARNING, "info": Tone.INFO}

_DEAD = ("STEP_NEVER_RUNS", "STATE_UNREACHABLE", "TRIGGER_NEVER_FIRES", "TRIGGER_SHADOWED", "GLOBAL_SHADOWED")
"""Findings of parts that no run ever comes to."""

_RANK = {tone: rank for rank, tone in enumerate(Tone)}


@record
class Found:
    """The findings by what is drawn."""

    tones: dict[Location, Tone]
    """The worst finding about each part, or about what is inside it."""
    rest: tuple[Diagnostic, ...]
    """The findings about nothing that is drawn."""


def find_marks(loaded: Loaded, diagnostics: tuple[Diagnostic, ...], parts: Iterator[Location]) -> Found:
    """Sorts the findings by the parts that are drawn.

    A finding that a part is never come to greys the innermost part only.
    """
    drawn = {(loaded.sources[at.source].document.name, format_path(at.path)): at for at in parts}
    tones: dict[Location, Tone] = {}
    rest = []
    for found in diagnostics:
        tone = Tone.UNREACHABLE if found.code in _DEAD else BY_SEVERITY[found.severity]
        owners = [at for path in enclosing(found.path) if (at := drawn.get((found.span.file, path)))]
        for at in owners:
            tones[at] = worst(tones.get(at, Tone.PLAIN), tone)
            tone = BY_SEVERITY[found.severity]
        if not owners:
            rest.append(found)
    return Found(tones, tuple(rest))


def worst(one: Tone, other: Tone) -> Tone:
    """The tone of the two that wins."""
    return min(one, other, key=_RANK.__getitem__)


def remark(found: Diagnostic) -> Remark:
    """A finding as it stands under the title."""
    return Remark(BY_SEVERITY[found.severity], found.code, found.message)


def enclosing(path: str) -> Iterator[str]:
    """A path as diagnostics write it, and the paths around it from the inside out; names may hold dots."""
    yield path
    for end in range(len(path) - 1, 0, -1):
        if path[end] in ".[":
            yield path[:end]


def never_ended(spec: Spec, flows: tuple[Flow, ...]) -> tuple[frozenset[str], frozenset[Location]]:
    """The flows of a sound spec that no run ends well, and the steps in them that none comes to."""
    from stratumc.checks.facts import SpecFacts
    from stratumc.checks.flow_facts import ProofFacts
    from stratumc.review.paths.good_runs import can_complete
    from stratumc.review.paths.unreached import unreached

    facts = ProofFacts(SpecFacts(spec)).flows
    endless = [flow for flow in flows if not can_complete(facts[flow.name])]
    steps = (flow.steps[index].at for flow in endless for index in unreached(facts[flow.name]))
    return frozenset(flow.name for flow in endless), frozenset(steps)
