"""Draws a flow as a picture: steps, order, routes, revises, recovery, fanouts, subflows, carry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from stratumc.emit.label_text import NAME_WIDTH, name_lines, shorten
from stratumc.emit.picture import Line, Picture, PictureBuilder, PictureKind, Shape, Tone
from stratumc.emit.step_label import body_lines, carry_names, shape_of, when_words
from stratumc.graph.flow_graph import FlowGraph, Route, RouteKind, flow_graph
from stratumc.spec.syntax import CarryVariable, Fanout, Flow, Gate, ReferenceKind, Run, Spec, Step
from stratumc.text import Location

_MOST_LISTED = 6

_BY_STATUS = {
    "ready": Tone.CURRENT,
    "running": Tone.CURRENT,
    "waiting_gate": Tone.CURRENT,
    "succeeded": Tone.DONE,
    "failed": Tone.FAILED,
    "skipped": Tone.SKIPPED,
}


def flow_picture(
    spec: Spec,
    flow: Flow,
    tones: Mapping[Location, Tone],
    statuses: Mapping[str, str],
    notes: tuple[str, ...],
) -> Picture:
    """One flow with the flows that it calls as clusters (v1.md sections 3 to 9).

    `tones` colours steps and stages by their place. `statuses` are those of a run's steps, by the name under
    which tools know them (`step`, `parent/child`, `fan/0`), and win over `tones`. `notes` stand under the
    title.
    """
    builder = PictureBuilder()
    _FlowPainter(_Canvas(builder, spec, tones, statuses), flow).paint()
    return builder.picture(PictureKind.FLOW, flow.name, notes)


@dataclass(frozen=True, slots=True)
class _Canvas:
    """What all flows of one picture are painted into, and with."""

    builder: PictureBuilder
    spec: Spec
    tones: Mapping[Location, Tone]
    statuses: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Frame:
    """Where a called flow is painted: the step that calls it, and its cluster."""

    caller: str
    cluster: str


@dataclass(frozen=True, slots=True)
class _Ends:
    """Where edges enter and leave what is drawn for one step."""

    enter: str
    leave: str


class _FlowPainter:
    """Paints one flow into a builder; a subflow gets a painter of its own."""

    def __init__(self, canvas: _Canvas, flow: Flow, frame: _Frame | None = None) -> None:
        self.canvas = canvas
        self.builder = canvas.builder
        self.flow = flow
        self.parent = None if frame is None else frame.caller
        self.cluster = None if frame is None else frame.cluster
        self.graph: FlowGraph = flow_graph(flow)
        self.ends: list[_Ends] = []
        self.killed: str | None = None
        self.missing: dict[str, str] = {}

    def paint(self) -> _Ends:
        """Draws everything and gives the flow's own ends (its start, and where it is done)."""
        start = self.builder.node(None, ("start",), Shape.START, cluster=self.cluster)
        for step in self.flow.steps:
            self.ends.append(self._step(step))
        done = self.builder.node(None, ("complete",), Shape.END, cluster=self.cluster)
        for step in self.flow.steps:
            self._enter(step, start)
            self._routes(step)
            self._unknown(step)
            if not self.graph.successors[step.index]:
                self.builder.edge(self.ends[step.index].leave, done, _ends_well(step), Line.ORDER)
        self._carry(start)
        return _Ends(start, done)

    # --- nodes ---

    def _step(self, step: Step) -> _Ends:
        path = step.id if self.parent is None else f"{self.parent}/{step.id}"
        status = self.canvas.statuses.get(path)
        tone = _BY_STATUS.get(status or "", self.canvas.tones.get(step.at, Tone.PLAIN))
        extra = (*self._output_line(step), *self._item_lines(step, path))
        lines = (*name_lines(step.id), *body_lines(step.body), *extra)
        node = self.builder.node(step.id, lines, shape_of(step.body), tone, self.cluster, at=step.at)
        match step.body:
            case Fanout():
                return self._stages(node, step, step.body)
            case Run():
                return self._subflow(node, step, step.body)
            case _:
                return _Ends(node, node)

    def _output_line(self, step: Step) -> tuple[str, ...]:
        source = self.flow.output.source.full
        return ("gives the output",) if source is not None and source.name == step.id else ()

    def _item_lines(self, step: Step, path: str) -> tuple[str, ...]:
        """How many items of a fanout have which status in a run."""
        if not isinstance(step.body, Fanout) or path not in self.canvas.statuses:
            return ()
        items = Counter(
            status for name, status in self.canvas.statuses.items() if name.startswith(f"{path}/")
        )
        return (
            (f"items: {', '.join(f'{count} {status}' for status, count in items.items())}",) if items else ()
        )

    def _stages(self, node: str, step: Step, fanout: Fanout) -> _Ends:
        """A cluster with the stages in a row; what follows the fanout leaves from the last."""
        cluster = self.builder.cluster(f"each item of {shorten(fanout.over.text)}", self.cluster, step.at)
        previous = node
        for number, stage in enumerate(fanout.stages, 1):
            lines = (f"stage {number}", shorten(stage.task.text, NAME_WIDTH))
            tone = self.canvas.tones.get(stage.at, Tone.PLAIN)
            key = self.builder.node(None, lines, Shape.STAGE, tone, cluster, at=stage.at)
            self.builder.edge(previous, key, when_words(stage.when), Line.ORDER)
            previous = key
        return _Ends(node, previous)

    def _subflow(self, node: str, step: Step, body: Run) -> _Ends:
        callee = self.canvas.spec.flows.get(body.flow.value)
        if callee is None or self.parent is not None:
            return _Ends(node, node)
        cluster = self.builder.cluster(f"flow {shorten(callee.name)}", self.cluster, step.at)
        inner = _FlowPainter(self.canvas, callee, _Frame(step.id, cluster)).paint()
        self.builder.edge(node, inner.enter, "", Line.ORDER)
        return _Ends(node, inner.leave)

    # --- edges ---

    def _enter(self, step: Step, start: str) -> None:
        """Edges of order into a step; its condition stands on each of them."""
        before, when = self.graph.dependencies[step.index], when_words(step.when)
        enter = self.ends[step.index].enter
        for source in before:
            label = _joined(_ends_well(self.flow.steps[source]), when)
            self.builder.edge(self.ends[source].leave, enter, label, Line.ORDER)
        if not before and not self.graph.routes_to[step.index]:
            self.builder.edge(start, enter, when, Line.ORDER)

    def _routes(self, step: Step) -> None:
        for route in self.graph.routes_from[step.index]:
            self._route(route)
        if isinstance(step.body, Gate):
            self._gate(step, step.body)

    def _route(self, route: Route) -> None:
        line = Line.RECOVERY if route.kind is RouteKind.ON_FAIL else Line.ROUTE
        label = _joined(route.kind.outcome, when_words(self.flow.steps[route.target].when))
        self.builder.edge(self.ends[route.source].enter, self.ends[route.target].enter, label, line)

    def _gate(self, step: Step, gate: Gate) -> None:
        key = self.ends[step.index].enter
        if gate.on_revise is not None and gate.on_revise.value in self.graph.index:
            target = self.graph.index[gate.on_revise.value]
            names = [self.flow.steps[member].id for member in self.graph.closure(target)]
            rest = f" and {len(names) - _MOST_LISTED} more" if len(names) > _MOST_LISTED else ""
            label = f"revise: resets {', '.join(names[:_MOST_LISTED])}{rest}"
            self.builder.edge(key, self.ends[target].enter, label, Line.REVISE)
        if gate.on_kill is None:
            self.builder.edge(key, self._killed(), "kill", Line.ROUTE)

    def _unknown(self, step: Step) -> None:
        """Edges from and to names that no step has."""
        here = self.ends[step.index]
        for name in step.after:
            if name.value not in self.graph.index:
                self.builder.edge(self._missing(name.value), here.enter, "", Line.ORDER)
        routes = [("fails", Line.RECOVERY, getattr(step.body, "on_fail", None))]
        if isinstance(step.body, Gate):
            gate = step.body
            routes.append(("approve", Line.ROUTE, gate.on_approve))
            routes += [("revise", Line.REVISE, gate.on_revise), ("kill", Line.ROUTE, gate.on_kill)]
        for word, line, target in routes:
            if target is not None and target.value not in self.graph.index:
                self.builder.edge(here.enter, self._missing(target.value), word, line)

    def _missing(self, name: str) -> str:
        if name not in self.missing:
            lines = (*name_lines(name), "no such step")
            self.missing[name] = self.builder.node(None, lines, Shape.MISSING, Tone.ERROR, self.cluster)
        return self.missing[name]

    def _killed(self) -> str:
        """The end of killed runs; a kill in a flow that was called makes it fail (runs.md section 5)."""
        if self.killed is None:
            words = ("killed",) if self.parent is None else ("failed", "by a kill")
            self.killed = self.builder.node(None, words, Shape.KILLED, cluster=self.cluster)
        return self.killed

    # --- carry ---

    def _carry(self, start: str) -> None:
        """Carry variables as stores: where they start, who reads them, which gates write them."""
        readers: dict[str, list[Step]] = {name: [] for name in self.flow.carry}
        for step in self.flow.steps if readers else ():
            for name in carry_names(step):
                readers.setdefault(name, []).append(step)
        for name, variable in self.flow.carry.items():
            key = self.builder.node(None, name_lines(f"carry {name}"), Shape.CARRY, cluster=self.cluster)
            self._initial(variable, start, key)
            for step in readers[name]:
                self.builder.edge(key, self.ends[step.index].enter, "reads", Line.CARRY)
            for gate in variable.on_revise:
                if gate in self.graph.index:
                    source = self.ends[self.graph.index[gate]].enter
                    self.builder.edge(source, key, "on revise", Line.CARRY)

    def _initial(self, variable: CarryVariable, start: str, key: str) -> None:
        initial = variable.initial.full
        if initial is None:
            return
        if initial.kind is ReferenceKind.INPUT:
            self.builder.edge(start, key, "initial", Line.CARRY)
        elif initial.name in self.graph.index:
            self.builder.edge(self.ends[self.graph.index[initial.name]].leave, key, "initial", Line.CARRY)


def _ends_well(step: Step) -> str:
    """What an edge of order out of a step says: nothing, or that a gate was approved."""
    return "approve" if isinstance(step.body, Gate) else ""


def _joined(*words: str) -> str:
    return ", ".join(word for word in words if word)
