"""Collects what the review page shows of each flow and workflow: drawings, ways, gates, findings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from stratumc.driver.changes_picture import changes_picture
from stratumc.driver.diagram import drawable_spec, picture_of
from stratumc.driver.found_marks import enclosing
from stratumc.driver.page_ways import Asked, Paths, flow_asked, path_edges, path_hops, workflow_asked
from stratumc.driver.review import Checked
from stratumc.emit.dot import lay_out
from stratumc.emit.picture import Picture, Shape, Tone
from stratumc.emit.review_parts import Drawing, DrawnNode, PassedGate, PathEdge, ReviewPicture
from stratumc.spec.syntax import Run

if TYPE_CHECKING:
    from stratumc.driver.load import Loaded
    from stratumc.review.comparison.diff import Diff
    from stratumc.review.paths.gates_passed import GatesPassed
    from stratumc.review.paths.ways import Ways
    from stratumc.text import Location

_MEANS = {
    Tone.ERROR: "error",
    Tone.WARNING: "warning",
    Tone.INFO: "info",
    Tone.UNREACHABLE: "never comes up",
}

_MEANS_OF_CHANGES = {Tone.DONE: "added", Tone.CURRENT: "changed", Tone.FAILED: "removed"}

_STAGES = ("fanout", "steps")
"""Where the stages of a step are, below it."""


@dataclass(frozen=True, slots=True)
class Change:
    """What an input was before, and what is different."""

    old: Loaded
    diff: Diff


@dataclass(frozen=True, slots=True)
class _Input:
    """An input and what the page knows of it."""

    one: Checked
    number: int
    change: Change | None
    first: int
    """The number of the first of its diagnostics among those of the whole page."""
    parts: dict[Location, tuple[str | None, int]]
    """By place of each step or state, the flow that it is in, and its number there."""


def pictures_of(one: Checked, number: int, change: Change | None, first: int) -> Iterator[ReviewPicture]:
    """A picture per flow, or of the workflow as far as there is one; none of an input without a syntax tree.

    `number` is that of the input, `first` that of the first of its diagnostics, among those of the page.
    """
    pictures = _places(one)
    parts = {
        at: (flow, place) for flow, places in pictures.items() for place, at in enumerate(places.values())
    }
    given = _Input(one, number, change, first, parts)
    flows = flow_asked(one)
    for flow, places in pictures.items():
        asked = workflow_asked(one) if flow is None else flows.get(flow, Asked())
        yield _picture(given, flow, places, asked)


def _places(one: Checked) -> dict[str | None, dict[str, Location]]:
    """By flow the places of its steps, by id; those of a workflow's states under None."""
    sketch, spec = one.loaded.sketch, drawable_spec(one.loaded)
    if sketch is not None and sketch.states:
        return {None: {state.name: state.at for state in sketch.states.values()}}
    flows = {} if spec is None else spec.flows
    return {name: {step.id: step.at for step in flow.steps} for name, flow in flows.items()}


def _picture(given: _Input, flow: str | None, places: dict[str, Location], asked: Asked) -> ReviewPicture:
    from stratumc.diagnostics.concretize import locate

    one, change = given.one, given.change
    picture = picture_of(one.loaded, one.result, flow=flow)
    findings, own = _owned(given, flow, places)
    drawings = [_drawing(given, flow, picture, _MEANS, frozenset(map(_tone_of(given), own)))]
    if change is not None and not change.diff.is_empty:
        changes = _in_words(changes_picture(change.old, one.loaded, change.diff, flow=flow))
        drawings.append(_drawing(given, flow, changes, _MEANS_OF_CHANGES))
    spans = [locate(at, one.loaded.sources)[0] for at in places.values()]
    numbers = {name: place for place, name in enumerate(places)}
    ways, gates = asked.ways, asked.gates
    by_place = {} if ways is None else {place: index for index, place in enumerate(ways.leaving)}
    return ReviewPicture(
        input=given.number,
        noun="state" if flow is None else "step",
        title=picture.title,
        drawings=tuple(drawings),
        names=tuple(places),
        lines=tuple((span.file, span.line) for span in spans),
        findings=findings,
        own=own,
        calls=_calls(one, flow, places),
        places=tuple(
            (numbers[at.name], None if at.previous is None else numbers[at.previous]) for at in by_place
        ),
        known=asked.known,
        starts=() if ways is None else tuple(by_place[start] for start in ways.starts),
        edges=() if ways is None else tuple(path_edges(ways, numbers)),
        paths=None if ways is None else _paths(ways, numbers, asked.paths),
        is_of_runs=asked.is_of_runs,
        completes=asked.completes,
        gates=() if gates is None else tuple(_gates(gates)),
        before=() if gates is None else gates.before,
        passed=() if gates is None else gates.passed,
        together=() if gates is None else gates.together,
        is_complete=gates is None or gates.is_complete,
    )


def _paths(
    ways: Ways, numbers: dict[str, int], paths: Paths | None
) -> tuple[tuple[tuple[PathEdge, ...] | None, ...], ...] | None:
    if paths is None:
        return None
    return tuple(
        tuple(None if hops is None else path_hops(ways, numbers, hops) for hops in row) for row in paths
    )


def _gates(gates: GatesPassed) -> Iterator[PassedGate]:
    for gate in gates.gates:
        yield PassedGate(gate.name, gate.step, is_inside=gate.inside is not None)


def _in_words(changes: Picture) -> Picture:
    """The picture with what became of each node in its label too, for whoever can't tell the colours."""
    told = {Tone.DONE: ("added",), Tone.CURRENT: ("changed",)}
    nodes = (replace(node, lines=(*node.lines, *told.get(node.tone, ()))) for node in changes.nodes)
    return replace(changes, nodes=tuple(nodes))


def _tone_of(given: _Input) -> Callable[[int], Tone]:
    """The tone of a diagnostic by its number on the page."""
    diagnostics = given.one.result.diagnostics
    return lambda number: Tone(diagnostics[number - given.first].severity)


def _drawing(
    given: _Input,
    flow: str | None,
    picture: Picture,
    means: dict[Tone, str],
    more: frozenset[Tone] = frozenset(),
) -> Drawing:
    """A drawing; `more` are tones of what has no node."""
    svg = lay_out(picture, "svg").decode("utf-8")
    used = more | {node.tone for node in picture.nodes} | {edge.tone for edge in picture.edges}
    return Drawing(
        svg=svg[svg.index("<svg") :],
        nodes=tuple(_nodes(given, flow, picture, means)),
        passages=tuple(_passages(given, flow, picture)),
        legend=tuple((tone.value, words) for tone, words in means.items() if tone in used),
    )


def _nodes(given: _Input, flow: str | None, picture: Picture, means: dict[Tone, str]) -> Iterator[DrawnNode]:
    """The nodes that stand for steps, stages and states, those of called flows among them."""
    from stratumc.diagnostics.concretize import locate

    for node in picture.nodes:
        if node.at is None:
            continue
        owner, stage = _owner(given, node.at)
        if owner is None:
            continue
        holder, number = owner
        line = None if stage is None else locate(node.at, given.one.loaded.sources)[0].line
        inside = None if holder == flow else holder
        yield DrawnNode(node.key, number, means.get(node.tone, ""), inside, stage, line)


def _owner(given: _Input, at: Location) -> tuple[tuple[str | None, int] | None, int | None]:
    """Whose step or state is declared at a place; with its number if that is one of a step's stages."""
    if at in given.parts:
        return given.parts[at], None
    *around, stage = at.path
    if tuple(around[-2:]) != _STAGES or not isinstance(stage, int):
        return None, None
    return given.parts.get(replace(at, path=tuple(around[:-2]))), stage + 1


def _passages(given: _Input, flow: str | None, picture: Picture) -> Iterator[tuple[str, int]]:
    """Where ways enter and leave what is drawn inside the flow's own steps."""
    inside = {
        cluster.key: given.parts.get(cluster.at) for cluster in picture.clusters if cluster.at is not None
    }
    for node in picture.nodes:
        owner = inside.get(node.cluster or "")
        if owner is not None and owner[0] == flow and node.shape in (Shape.START, Shape.END):
            yield node.key, owner[1]


def _owned(
    given: _Input, flow: str | None, places: dict[str, Location]
) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """Per step or state the numbers of the diagnostics at it, or at what is inside it; and those at none.

    What is at no step of any flow is the flow's own where it is inside it, and every flow's elsewhere.
    """
    from stratumc.diagnostics.concretize import locate
    from stratumc.text import format_path

    one = given.one
    by_path: dict[tuple[str, str], tuple[str | None, int | None]] = {}
    spec = drawable_spec(one.loaded)
    for name, declared in () if spec is None else spec.flows.items():
        file = one.loaded.sources[declared.at.source].document.name
        by_path[file, format_path(declared.at.path)] = (name, None)
    for at, owner in given.parts.items():
        by_path[locate(at, one.loaded.sources)[0].file, format_path(at.path)] = owner
    findings: list[list[int]] = [[] for _ in places]
    own = []
    for number, found in enumerate(one.result.diagnostics, given.first):
        owners = (by_path.get((found.span.file, path)) for path in enclosing(found.path))
        holder, place = next((owner for owner in owners if owner is not None), (flow, None))
        if holder == flow and place is not None:
            findings[place].append(number)
        elif holder == flow:
            own.append(number)
    return tuple(map(tuple, findings)), tuple(own)


def _calls(one: Checked, flow: str | None, places: dict[str, Location]) -> tuple[str | None, ...]:
    spec = drawable_spec(one.loaded)
    if flow is None or spec is None:
        return (None,) * len(places)
    bodies = (step.body for step in spec.flows[flow].steps)
    return tuple(body.flow.value if isinstance(body, Run) else None for body in bodies)
