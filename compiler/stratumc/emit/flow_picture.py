"""Draws a flow as a picture: steps, order, routes, revises, recovery, fanouts, subflows, carry."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from stratumc.emit.label_text import NAME_WIDTH, listed, name_lines, shorten
from stratumc.emit.marks import Marks
from stratumc.emit.picture import Line, Picture, PictureBuilder, PictureKind, Shape, Tone
from stratumc.emit.step_label import body_lines, carry_names, shape_of, when_words
from stratumc.graph.flow_graph import FlowGraph, Route, RouteKind, flow_graph
from stratumc.graph.step_text import references_of
from stratumc.spec.syntax import CarryVariable, Fanout, Flow, Gate, ReferenceKind, Run, Spec, Step
from stratumc.text import Location

_MOST_NAMES = 260
"""Characters of the names that a revise resets; its tip has more."""

_MOST_IN_TIP = 3_000

_LEFT = {"ready": "ready", "running": "running", "waiting_gate": "waiting"}
"""What a step was doing when its run ended without it."""

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
    marks: Marks,
    notes: tuple[str, ...],
) -> Picture:
    """One flow with the flows that it calls as clusters (v1.md sections 3 to 9).

    `notes` stand under the title.
    """
    builder = PictureBuilder()
    _FlowPainter(_Canvas(builder, spec, marks), flow).paint()
    return builder.picture(PictureKind.FLOW, flow.name, notes)


@dataclass(frozen=True, slots=True)
class _Canvas:
    """What all flows of one picture are painted into, and with."""

    builder: PictureBuilder
    spec: Spec
    marks: Marks


@dataclass(frozen=True, slots=True)
class _Frame:
    """Where a called flow is painted: the step that calls it, its cluster, and whether it is ever called."""

    caller: str
    cluster: str
    is_dead: bool


@dataclass(frozen=True, slots=True)
class _On:
    """What an edge of order says of what it leads on from, and whether it does even if that never runs."""

    label: str
    passes: bool


@dataclass(frozen=True, slots=True)
class _Ends:
    """Where edges enter and leave what is drawn for one step."""

    enter: str
    leave: str
    on: _On | None = None
    """Of the last stage of a fanout."""


class _FlowPainter:
    """Paints one flow into a builder; a subflow gets a painter of its own."""

    def __init__(self, canvas: _Canvas, flow: Flow, frame: _Frame | None = None) -> None:
        self.canvas = canvas
        self.builder = canvas.builder
        self.flow = flow
        self.parent = None if frame is None else frame.caller
        self.cluster = None if frame is None else frame.cluster
        self.is_dead = frame is not None and frame.is_dead
        self.graph: FlowGraph = flow_graph(flow)
        self.ends: list[_Ends] = []
        self.killed: str | None = None
        self.missing: dict[tuple[str, str], str] = {}

    def paint(self) -> _Ends:
        """Draws everything and gives the flow's own ends (its start, and where it is done)."""
        start = self.builder.node(None, ("start",), Shape.START, cluster=self.cluster)
        for step in self.flow.steps:
            self.ends.append(self._step(step))
        done = self.builder.node(None, ("complete",), Shape.END, self._tone_of_end(), self.cluster)
        for step in self.flow.steps:
            self._enter(step, start)
            self._routes(step)
            self._unknown(step)
            if not self.graph.dependents[step.index] and not _only_routes(step):
                self._on(step, done)
        source = self.flow.output.source.full
        if source is not None and source.kind is ReferenceKind.STEP and source.name not in self.graph.index:
            self._lack(source.name or "", done, "gives the output")
        self._carry(start)
        return _Ends(start, done)

    def _tone_of_end(self) -> Tone:
        marks = self.canvas.marks
        if self.is_dead or self.flow.name in marks.endless:
            return Tone.UNREACHABLE
        return Tone.DONE if self.parent is None and marks.run.status == "complete" else Tone.PLAIN

    # --- nodes ---

    def _step(self, step: Step) -> _Ends:
        path = step.id if self.parent is None else f"{self.parent}/{step.id}"
        status = self.canvas.marks.run.statuses.get(path)
        tone = _BY_STATUS.get(status or "", self._tone(step.at))
        is_left = self.canvas.marks.run.is_left(status)
        left = (f"was {_LEFT[status]}",) if is_left and status in _LEFT else ()
        tone = Tone.SKIPPED if is_left else tone
        extra = (*self._output_line(step), *self._item_lines(step, path), *left)
        lines = (*name_lines(step.id), *body_lines(step.body), *extra)
        node = self.builder.node(step.id, lines, shape_of(step.body), tone, self.cluster, at=step.at)
        match step.body:
            case Fanout():
                return self._stages(node, step, step.body)
            case Run():
                return self._subflow(node, step, step.body)
            case _:
                return _Ends(node, node)

    def _tone(self, at: Location) -> Tone:
        dead = self.is_dead or at in self.canvas.marks.unreached
        return Tone.UNREACHABLE if dead else self.canvas.marks.tones.get(at, Tone.PLAIN)

    def _output_line(self, step: Step) -> tuple[str, ...]:
        source = self.flow.output.source.full
        return ("gives the output",) if source is not None and source.name == step.id else ()

    def _item_lines(self, step: Step, path: str) -> tuple[str, ...]:
        """How many items of a fanout have which status in a run."""
        statuses = self.canvas.marks.run.statuses
        if not isinstance(step.body, Fanout) or path not in statuses:
            return ()
        items = Counter(status for name, status in statuses.items() if name.startswith(f"{path}/"))
        return (
            (f"items: {', '.join(f'{count} {status}' for status, count in items.items())}",) if items else ()
        )

    def _stages(self, node: str, step: Step, fanout: Fanout) -> _Ends:
        """A cluster with the stages in a row; what follows the fanout leaves from the last."""
        title = f"each item of {shorten(fanout.over.text)}"
        cluster = self.builder.cluster(title, self.cluster, step.at)
        is_dead = self._tone(step.at) is Tone.UNREACHABLE
        previous, on = node, _On(title, passes=False)
        for number, stage in enumerate(fanout.stages, 1):
            lines = (f"stage {number}", shorten(stage.task.text, NAME_WIDTH))
            tone = Tone.UNREACHABLE if is_dead else self._tone(stage.at)
            key = self.builder.node(None, lines, Shape.STAGE, tone, cluster, at=stage.at)
            label = _joined(on.label, when_words(stage.when))
            self.builder.edge(previous, key, label, Line.ORDER, passes=on.passes)
            previous = key
            on = _on("", tone, may_skip=stage.when is not None and not is_dead)
        return _Ends(node, previous, on)

    def _subflow(self, node: str, step: Step, body: Run) -> _Ends:
        callee = self.canvas.spec.flows.get(body.flow.value)
        if callee is None or self.parent is not None:
            if callee is None:
                self._lack(body.flow.value, node, "", "no such flow")
            return _Ends(node, node)
        tone = self.canvas.marks.tones.get(callee.at, Tone.PLAIN)
        title = f"flow {shorten(callee.name)}"
        cluster = self.builder.cluster(title, self.cluster, step.at, tone)
        frame = _Frame(step.id, cluster, self._tone(step.at) is Tone.UNREACHABLE)
        inner = _FlowPainter(self.canvas, callee, frame).paint()
        self.builder.edge(node, inner.enter, title, Line.ORDER)
        return _Ends(node, inner.leave)

    # --- edges ---

    def _enter(self, step: Step, start: str) -> None:
        """Edges of order into a step; its condition stands on each of them."""
        before, when = self.graph.dependencies[step.index], when_words(step.when)
        enter = self.ends[step.index].enter
        for source in before:
            self._on(self.flow.steps[source], enter, when)
        if not before and not self.graph.routes_to[step.index]:
            self.builder.edge(start, enter, when, Line.ORDER)

    def _on(self, step: Step, enter: str, when: str = "") -> None:
        """The edge of order from a step that has ended well, or that was skipped."""
        ends = self.ends[step.index]
        if step.at in self.canvas.marks.unreached:
            on = _On(_ends_well(step), passes=False)
        else:
            may_skip = step.when is not None or bool(self.graph.routes_to[step.index])
            on = _on(_ends_well(step), self.canvas.marks.tones.get(step.at), may_skip=may_skip)
            on = on if on.label or ends.on is None else ends.on
        self.builder.edge(ends.leave, enter, _joined(on.label, when), Line.ORDER, passes=on.passes)

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
            label, tip = (f"revise: resets {listed(names, most)}" for most in (_MOST_NAMES, _MOST_IN_TIP))
            tip = "" if tip == label else tip
            self.builder.edge(key, self.ends[target].enter, label, Line.REVISE, tip=tip)
        if gate.on_kill is None:
            self.builder.edge(key, self._killed(), "kill", Line.ROUTE)

    def _unknown(self, step: Step) -> None:
        """Edges from and to names that no step has, and from a step to itself, which nothing can take."""
        here = self.ends[step.index].enter
        read = [reference for reference in references_of(step) if reference.kind is ReferenceKind.STEP]
        for name in (*(one.value for one in step.after), *(one.name or "" for one in read)):
            if name not in self.graph.index:
                self._lack(name, here, "")
            elif name == step.id:
                self.builder.edge(here, here, "", Line.ORDER, Tone.ERROR)
        routes = [("fails", Line.RECOVERY, getattr(step.body, "on_fail", None))]
        if isinstance(step.body, Gate):
            gate = step.body
            routes.append(("approve", Line.ROUTE, gate.on_approve))
            routes += [("revise", Line.REVISE, gate.on_revise), ("kill", Line.ROUTE, gate.on_kill)]
        for word, line, target in routes:
            if target is not None and target.value not in self.graph.index:
                self.builder.edge(here, self._missing(target.value), word, line)
            elif target is not None and target.value == step.id and line is not Line.REVISE:
                self.builder.edge(here, here, word, line, Tone.ERROR)

    def _lack(self, name: str, target: str, label: str, words: str = "no such step") -> None:
        """An edge of order from a name that nothing has."""
        self.builder.edge(self._missing(name, words), target, label, Line.ORDER)

    def _missing(self, name: str, words: str = "no such step") -> str:
        if (name, words) not in self.missing:
            lines = (*name_lines(name), words)
            key = self.builder.node(None, lines, Shape.MISSING, Tone.ERROR, self.cluster)
            self.missing[name, words] = key
        return self.missing[name, words]

    def _killed(self) -> str:
        """The end of killed runs; a kill in a flow that was called makes it fail (runs.md section 5)."""
        if self.killed is None:
            words = ("killed",) if self.parent is None else ("failed", "by a kill")
            is_run = self.parent is None and self.canvas.marks.run.status == "killed"
            tone = Tone.UNREACHABLE if self.is_dead else Tone.FAILED if is_run else Tone.PLAIN
            self.killed = self.builder.node(None, words, Shape.KILLED, tone, self.cluster)
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
        elif initial.kind is ReferenceKind.STEP:
            self.builder.edge(self._missing(initial.name or ""), key, "initial", Line.CARRY)


def _ends_well(step: Step) -> str:
    """What an edge of order out of a step says: nothing, or that a gate was approved."""
    return "approve" if isinstance(step.body, Gate) else ""


def _only_routes(step: Step) -> bool:
    """Whether a step that ends well never leads to the end by itself: a gate whose approval is routed."""
    return isinstance(step.body, Gate) and step.body.on_approve is not None


def _on(label: str, tone: Tone | None, *, may_skip: bool) -> _On:
    """How what follows a step or stage comes after it; one that never runs is skipped."""
    if tone is Tone.UNREACHABLE:
        return _On("skipped", passes=True)
    return _On(f"{label or 'done'} or skipped" if may_skip else label, passes=False)


def _joined(*words: str) -> str:
    return ", ".join(word for word in words if word)
