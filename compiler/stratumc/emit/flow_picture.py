"""Draws a flow as a picture: steps, order, routes, revises, recovery, fanouts, subflows, carry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import assert_never

from stratumc.emit.picture import Line, Picture, PictureBuilder, PictureKind, Shape, Tone, shorten
from stratumc.graph.flow_graph import FlowGraph, flow_graph
from stratumc.graph.step_text import templates_of
from stratumc.spec.syntax import Body, Do, Evaluate, Fanout, Flow, Gate, ReferenceKind, Run, Set, Spec, Step

_MAX_LISTED = 6


def flow_picture(spec: Spec, flow: Flow, tones: Mapping[str, Tone], notes: tuple[str, ...]) -> Picture:
    """One flow with the flows that it calls as clusters (v1.md sections 3 to 9).

    `tones` colours steps by the name under which tools know them (`step`, `parent/child`);
    `notes` stand under the title.
    """
    builder = PictureBuilder()
    _FlowPainter(builder, spec, flow, tones=tones, prefix="", cluster=None).paint()
    return builder.picture(PictureKind.FLOW, flow.name, notes)


@dataclass(frozen=True, slots=True)
class _Ends:
    """Where edges enter and leave what is drawn for one step."""

    enter: str
    leave: tuple[str, ...]


class _FlowPainter:
    """Paints one flow into a builder; a subflow gets a painter of its own."""

    def __init__(
        self,
        builder: PictureBuilder,
        spec: Spec,
        flow: Flow,
        *,
        tones: Mapping[str, Tone],
        prefix: str,
        cluster: str | None,
    ) -> None:
        self.builder = builder
        self.spec = spec
        self.flow = flow
        self.tones = tones
        self.prefix = prefix
        self.cluster = cluster
        self.graph: FlowGraph = flow_graph(flow)
        self.ends: list[_Ends] = []
        self.killed: str | None = None

    def paint(self) -> _Ends:
        """Draws everything and gives the flow's own ends (start node, done node)."""
        start = self.builder.node("", (), Shape.START, cluster=self.cluster)
        for step in self.flow.steps:
            self.ends.append(self._step(step))
        done = self.builder.node("", (), Shape.END, cluster=self.cluster)
        for step in self.flow.steps:
            self._enter(step, start)
            self._routes(step)
        for step in self.flow.steps:
            if not self.graph.successors[step.index]:
                self._connect(self.ends[step.index].leave, done, "", Line.ORDER)
        self._carry()
        return _Ends(start, (done,))

    # --- nodes ---

    def _step(self, step: Step) -> _Ends:
        tone = self.tones.get(self.prefix + step.id, Tone.PLAIN)
        lines = (step.id, *_body_lines(step.body), *self._output_line(step))
        node = self.builder.node(step.id, lines, _shape(step.body), tone, self.cluster)
        match step.body:
            case Fanout():
                return self._stages(node, step.body)
            case Run():
                return self._subflow(node, step)
            case _:
                return _Ends(node, (node,))

    def _output_line(self, step: Step) -> tuple[str, ...]:
        source = self.flow.output.source.full
        return ("gives the output",) if source is not None and source.name == step.id else ()

    def _stages(self, node: str, fanout: Fanout) -> _Ends:
        """A cluster with the stages in a row; what follows the fanout leaves from the last."""
        cluster = self.builder.cluster(f"each item of {shorten(fanout.over.text)}", self.cluster)
        previous = node
        for number, stage in enumerate(fanout.stages, 1):
            task = shorten(stage.task.text)
            key = self.builder.node("", (f"stage {number}", task), Shape.STAGE, cluster=cluster)
            label = f"when {shorten(stage.when.value)}" if stage.when else ""
            self.builder.edge(previous, key, label, Line.ORDER)
            previous = key
        return _Ends(node, (previous,))

    def _subflow(self, node: str, step: Step) -> _Ends:
        assert isinstance(step.body, Run)
        callee = self.spec.flows.get(step.body.flow.value)
        if callee is None:
            return _Ends(node, (node,))
        cluster = self.builder.cluster(f"flow {callee.name}", self.cluster)
        painter = _FlowPainter(
            self.builder,
            self.spec,
            callee,
            tones=self.tones,
            prefix=f"{self.prefix}{step.id}/",
            cluster=cluster,
        )
        inner = painter.paint()
        self.builder.edge(node, inner.enter, "", Line.ORDER)
        return _Ends(node, inner.leave)

    # --- edges ---

    def _connect(self, sources: tuple[str, ...], target: str, label: str, line: Line) -> None:
        for source in sources:
            self.builder.edge(source, target, label, line)

    def _enter(self, step: Step, start: str) -> None:
        """Edges of order into a step; its condition stands on each of them."""
        label = f"when {shorten(step.when.value)}" if step.when else ""
        before = self.graph.dependencies[step.index]
        for source in before:
            self._connect(self.ends[source].leave, self.ends[step.index].enter, label, Line.ORDER)
        if not before and not self.graph.routes_to[step.index]:
            self.builder.edge(start, self.ends[step.index].enter, label, Line.ORDER)

    def _routes(self, step: Step) -> None:
        ends = self.ends[step.index]
        for route in self.graph.routes_from[step.index]:
            line = Line.RECOVERY if route.kind == "on_fail" else Line.ROUTE
            words = {"on_fail": "fails", "on_approve": "approve", "on_kill": "kill"}[route.kind]
            source = ends.enter if route.kind == "on_fail" else ends.leave[0]
            self.builder.edge(source, self.ends[route.target].enter, words, line)
        if isinstance(step.body, Gate):
            self._gate(step, step.body)

    def _gate(self, step: Step, gate: Gate) -> None:
        key = self.ends[step.index].enter
        if gate.on_revise is not None and gate.on_revise.value in self.graph.index:
            target = self.graph.index[gate.on_revise.value]
            names = [self.flow.steps[member].id for member in self.graph.closure(target)]
            rest = f" and {len(names) - _MAX_LISTED} more" if len(names) > _MAX_LISTED else ""
            label = f"revise: resets {', '.join(names[:_MAX_LISTED])}{rest}"
            self.builder.edge(key, self.ends[target].enter, label, Line.REVISE)
        if gate.on_kill is None:
            if self.killed is None:
                self.killed = self.builder.node("", (), Shape.KILLED, cluster=self.cluster)
            self.builder.edge(key, self.killed, "kill", Line.ROUTE)

    # --- carry ---

    def _carry(self) -> None:
        """Carry variables as stores: where they start, who reads them, which gates write them."""
        for name, variable in self.flow.carry.items():
            key = self.builder.node("", (f"carry {name}",), Shape.CARRY, cluster=self.cluster)
            initial = variable.initial.full
            if initial is not None and initial.name in self.graph.index:
                source = self.ends[self.graph.index[initial.name]].leave
                self._connect(source, key, "initial", Line.CARRY)
            for step in self.flow.steps:
                if name in _carry_names(step):
                    self.builder.edge(key, self.ends[step.index].enter, "reads", Line.CARRY)
            for gate in variable.on_revise:
                if gate in self.graph.index:
                    self.builder.edge(self.ends[self.graph.index[gate]].enter, key, "on revise", Line.CARRY)


def _shape(body: Body) -> Shape:
    match body:
        case Do():
            return Shape.TASK
        case Set():
            return Shape.SET
        case Gate():
            return Shape.GATE
        case Fanout():
            return Shape.FANOUT
        case Run():
            return Shape.RUN
        case Evaluate():
            return Shape.EVALUATE
        case _:
            assert_never(body)


def _body_lines(body: Body) -> tuple[str, ...]:
    """What a step does, in one or two short lines."""
    match body:
        case Do():
            loop = (
                (f"until {shorten(body.iterate.until.value)}, at most {body.iterate.max}",)
                if body.iterate
                else ()
            )
            return (shorten(body.task.text), *loop)
        case Set():
            return (f"set {shorten(', '.join(body.fields))}",)
        case Gate():
            return (f"gate, at most {body.max_rounds} rounds",) if body.max_rounds else ("gate",)
        case Fanout():
            return (f"fanout, require {body.require}, {body.concurrency} at a time",)
        case Run():
            return (f"run {body.flow.value}",)
        case Evaluate():
            return (f"evaluate {shorten(body.command.value)}",)
        case _:
            assert_never(body)


def _carry_names(step: Step) -> frozenset[str | None]:
    """The carry variables that a step reads."""
    return frozenset(
        reference.name
        for template in templates_of(step)
        for reference in template.references
        if reference.kind == ReferenceKind.CARRY.value
    )
