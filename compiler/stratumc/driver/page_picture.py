"""Collects what the review page shows of each flow and workflow: drawings, ways, gates, findings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from stratumc.diagnostics import Diagnostic
from stratumc.driver.diagram import changes_picture, enclosing, picture_of
from stratumc.driver.review import Checked
from stratumc.emit.dot import lay_out
from stratumc.emit.picture import Picture, Tone
from stratumc.emit.review_parts import Drawing, PathEdge, ReviewPicture
from stratumc.spec.syntax import Run

if TYPE_CHECKING:
    from stratumc.review.diff import Diff
    from stratumc.review.gates_passed import GatesPassed
    from stratumc.review.ways import Ways
    from stratumc.text import Location

_MEANS = {
    Tone.ERROR: "error",
    Tone.WARNING: "warning",
    Tone.INFO: "info",
    Tone.UNREACHABLE: "never comes up",
}

_MEANS_OF_CHANGES = {Tone.DONE: "added", Tone.CURRENT: "changed", Tone.FAILED: "removed"}


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is known of ways; nothing of an input that breaks rules."""

    ways: Ways | None = None
    gates: GatesPassed | None = None


@dataclass(frozen=True, slots=True)
class _Input:
    """An input and what the page knows of it."""

    one: Checked
    number: int
    diff: Diff | None
    diagnostics: tuple[Diagnostic, ...]


def pictures_of(
    one: Checked, number: int, diff: Diff | None, diagnostics: tuple[Diagnostic, ...]
) -> Iterator[ReviewPicture]:
    """A picture per flow, or of the workflow as far as there is one; none of an input without a syntax tree.

    `number` is that of the input, `diagnostics` are those of the whole page.
    """
    given = _Input(one, number, diff, diagnostics)
    sketch = one.loaded.sketch
    if sketch is not None and sketch.states:
        places = {state.name: state.at for state in sketch.states.values()}
        yield _picture(given, None, places, _workflow_asked(one))
    elif one.loaded.spec is not None:
        for name, flow in one.loaded.spec.flows.items():
            places = {step.id: step.at for step in flow.steps}
            yield _picture(given, name, places, _flow_asked(one, name))


def _workflow_asked(one: Checked) -> _Asked:
    from stratumc.checks.workflow_facts import WorkflowFacts
    from stratumc.review.ways import workflow_ways

    workflow = one.loaded.workflow
    return _Asked() if workflow is None or one.is_broken else _Asked(workflow_ways(WorkflowFacts(workflow)))


def _flow_asked(one: Checked, flow: str) -> _Asked:
    from stratumc.checks.facts import SpecFacts
    from stratumc.checks.flow_facts import ProofFacts
    from stratumc.review.gates_passed import gates_passed
    from stratumc.review.ways import flow_ways

    assert one.loaded.spec is not None
    if one.is_broken:
        return _Asked()
    facts = ProofFacts(SpecFacts(one.loaded.spec)).flows[flow]
    return _Asked(flow_ways(facts), gates_passed(facts))


def _picture(given: _Input, flow: str | None, places: dict[str, Location], asked: _Asked) -> ReviewPicture:
    from stratumc.diagnostics.concretize import locate

    one, diff = given.one, given.diff
    picture = picture_of(one.loaded, one.result, flow=flow)
    numbers = {name: place for place, name in enumerate(places)}
    drawings = [_drawing(picture, numbers, _MEANS)]
    if diff is not None and not diff.is_empty:
        changes = _in_words(changes_picture(one.loaded, diff, flow=flow))
        drawings.append(_drawing(changes, numbers, _MEANS_OF_CHANGES))
    spans = [locate(at, one.loaded.sources)[0] for at in places.values()]
    ways, gates = asked.ways, asked.gates
    by_place = {} if ways is None else {place: index for index, place in enumerate(ways.leaving)}
    return ReviewPicture(
        input=given.number,
        noun="state" if flow is None else "step",
        title=picture.title,
        drawings=tuple(drawings),
        names=tuple(places),
        lines=tuple((span.file, span.line) for span in spans),
        findings=_owned(one, places, given.diagnostics),
        calls=_calls(one, flow, places),
        places=tuple(
            (numbers[at.name], None if at.previous is None else numbers[at.previous]) for at in by_place
        ),
        starts=() if ways is None else tuple(by_place[start] for start in ways.starts),
        edges=() if ways is None else tuple(_edges(ways)),
        gates=() if gates is None else tuple(sorted({gate for one in gates.before for gate in one})),
        before=() if gates is None else gates.before,
        passed=() if gates is None else gates.passed,
        is_complete=gates is None or gates.is_complete,
    )


def _in_words(changes: Picture) -> Picture:
    """The picture with what became of each node in its label too, for whoever can't tell the colours."""
    told = {Tone.DONE: ("added",), Tone.CURRENT: ("changed",)}
    nodes = (replace(node, lines=(*node.lines, *told.get(node.tone, ()))) for node in changes.nodes)
    return replace(changes, nodes=tuple(nodes))


def _drawing(picture: Picture, numbers: dict[str, int], means: dict[Tone, str]) -> Drawing:
    """A drawing; its nodes are those of the flow itself, not those of flows that it calls."""
    svg = lay_out(picture, "svg").decode("utf-8")
    nodes = (node for node in picture.nodes if node.cluster is None and node.name in numbers)
    used = {node.tone for node in picture.nodes} | {edge.tone for edge in picture.edges}
    return Drawing(
        svg=svg[svg.index("<svg") :],
        nodes=tuple((node.key, numbers[node.name or ""], means.get(node.tone, "")) for node in nodes),
        legend=tuple((tone.value, words) for tone, words in means.items() if tone in used),
    )


def _owned(
    one: Checked, places: dict[str, Location], diagnostics: tuple[Diagnostic, ...]
) -> tuple[tuple[int, ...], ...]:
    """Per step or state the numbers of the diagnostics at it, or at what is inside it."""
    from stratumc.diagnostics.concretize import locate
    from stratumc.text import format_path

    spans = (locate(at, one.loaded.sources)[0] for at in places.values())
    by_path = {
        (span.file, format_path(at.path)): number
        for number, (span, at) in enumerate(zip(spans, places.values(), strict=True))
    }
    findings: list[list[int]] = [[] for _ in places]
    for number, found in enumerate(diagnostics):
        owners = (by_path.get((found.span.file, path)) for path in enclosing(found.path))
        owner = next((place for place in owners if place is not None), None)
        if owner is not None:
            findings[owner].append(number)
    return tuple(map(tuple, findings))


def _calls(one: Checked, flow: str | None, places: dict[str, Location]) -> tuple[str | None, ...]:
    if flow is None or one.loaded.spec is None:
        return (None,) * len(places)
    bodies = (step.body for step in one.loaded.spec.flows[flow].steps)
    return tuple(body.flow.value if isinstance(body, Run) else None for body in bodies)


def _edges(ways: Ways) -> Iterator[PathEdge]:
    numbers = {place: number for number, place in enumerate(ways.leaving)}
    for place, leaving in ways.leaving.items():
        for hop, after in leaving:
            yield PathEdge(numbers[place], numbers[after], hop.outcome)
