"""What the strings of a flow's steps read: expressions, references, and outputs that may be there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from stratumc.expr import Expression, ParseFailure
from stratumc.graph.flow_graph import FlowGraph
from stratumc.graph.step_order import StepOrder
from stratumc.proof.encode import Encoder, follow
from stratumc.proof.logic import Formula, conjunction, implication
from stratumc.proof.step_formulas import StepFormulas
from stratumc.proof.values import Outcome, Record, Slot, sure
from stratumc.proof.world import INPUT, World
from stratumc.spec.syntax import Flow, Reference, ReferenceKind, Spec, Step, Text
from stratumc.text import Location


@dataclass(frozen=True, slots=True)
class EncodedFlow:
    """A flow to be encoded, with what other stages know of its parts."""

    spec: Spec
    flow: Flow
    graph: FlowGraph
    parse: Callable[[Text], Expression | ParseFailure]
    """The syntax tree of an expression; a failure too where a type error makes it meaningless."""
    can_fail: Callable[[Step], bool]
    """Whether a run step may fail though what it reads is there."""
    explained: Callable[[Location], bool]
    """Whether a type error is at a place."""


class Readings:
    """What each step sees of the input and of the steps encoded so far."""

    def __init__(self, encoded: EncodedFlow, world: World) -> None:
        self.spec, self.flow, self.graph = encoded.spec, encoded.flow, encoded.graph
        self.expression, self.can_fail, self.explained = encoded.parse, encoded.can_fail, encoded.explained
        self.world = world
        self.order = StepOrder(self.graph)
        self.input: Outcome = sure(world.fields(self.flow.input, "input", INPUT))
        self.steps: dict[int, StepFormulas] = {}
        """By index; filled in topological order."""
        self.early: dict[tuple[int, int], Formula] = {}
        """By (source, reader) without order between them: the source ends before the reader begins."""

    def encoder(self, owner: int, **bindings: Outcome) -> Encoder:
        """Encodes expressions of a step; `input` is always bound."""
        return Encoder(self.world, owner, {"input": self.input, **bindings})

    def predicate(self, text: Text, owner: int, **bindings: Outcome) -> Formula:
        """That an expression comes to `true`; unknown where a type error makes it meaningless."""
        tree = self.expression(text)
        if isinstance(tree, ParseFailure):
            return self.world.shared(("unknown", text.at), lambda: self.world.boolean("unknown"))
        return self.encoder(owner, **bindings).predicate(tree)

    def results(self, reader: int) -> Outcome:
        """`result` of `when` and `set`: step id to output, of the steps that have one."""
        return self.world.shared(("results", reader), lambda: sure(Record(_Results(self, reader))))

    def available(self, source: int, reader: int) -> Formula:
        """That a step's output is there when another step begins."""
        if source not in self.steps or source == reader or self.graph.is_before(reader, source):
            return False
        gives = self.steps[source].ending.gives
        if self.order.before(reader) >> source & 1:
            return gives
        early = self.early.setdefault((source, reader), self.world.boolean("early"))
        self.world.add(reader, implication(early, gives))
        return conjunction(early, gives)

    def resolve(self, reference: Reference, reader: int) -> Outcome:
        """What a reference to an input or a step comes to when a step begins."""
        if reference.kind is ReferenceKind.INPUT:
            outcome = self.input
        elif reference.kind is not ReferenceKind.STEP:
            outcome = self.world.anything("carried", reader)
        else:
            source = self.graph.index[reference.name or ""]
            there = self.available(source, reader)
            outcome = tuple(
                (conjunction(there, guard), value) for guard, value in self.steps[source].ending.output
            )
        for part in reference.path:
            outcome = follow(outcome, part)
        return outcome


class _Results(Mapping[str, Slot]):
    """The outputs that a step can see, each made when first asked for."""

    def __init__(self, readings: Readings, reader: int) -> None:
        self._readings, self._reader = readings, reader

    def __getitem__(self, name: str) -> Slot:
        source = self._readings.graph.index[name]
        there = self._readings.available(source, self._reader)
        return Slot(there, self._readings.steps[source].ending.output if there is not False else ())

    def __iter__(self) -> Iterator[str]:
        return iter(self._readings.graph.index)

    def __len__(self) -> int:
        return len(self._readings.graph.index)
