"""What is known when the strings of a step are evaluated: from its `when`, and from what succeeded before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Protocol, assert_never

from stratumc.checks.certainty import Certainty
from stratumc.checks.contract_types import ContractTypes
from stratumc.checks.expressions import Expressions
from stratumc.checks.same_condition import SameCondition
from stratumc.expr import ParseFailure
from stratumc.expr.ast import places_read
from stratumc.expr.knowledge import NOTHING, Knowledge, Path
from stratumc.expr.outcome import Scope, Typing, Use
from stratumc.expr.types import Type, meet
from stratumc.graph.flow_graph import FlowGraph
from stratumc.graph.step_text import expressions_of, templates_of
from stratumc.spec.syntax import (
    Do,
    Ensure,
    EnsureExpression,
    Evaluate,
    Fanout,
    Flow,
    Gate,
    ReferenceKind,
    Run,
    Set,
    Step,
    Text,
)

_MOST_TEACHERS = 32
"""How many steps are asked what they tell of one place, so that long flows stay cheap."""
_INPUT: dict[str, Path] = {"input": ("input",)}
_ITEM: dict[str, Path] = {**_INPUT, "item": ("item",)}


class Types(Protocol):
    """What is asked of a flow's types, which rest on what is known in turn."""

    contracts: ContractTypes
    flow: Flow

    @property
    def graph(self) -> FlowGraph:
        """The flow's graph."""

    def scope_before(self, step: Step) -> Scope:
        """What `when` and `set` of a step can name."""

    def scope_after(self, out: Text | None) -> Scope:
        """What `ensure` and `until` can name."""

    def item_of(self, step: Step, fanout: Fanout) -> Type:
        """The items that a fanout goes over."""

    def prev_of(self, fanout: Fanout, number: int) -> Type | None:
        """What `prev` is in a stage; None before the first."""


class Guards:
    """The knowledge of one flow's steps, found in the order in which they run.

    What a step tells are facts about the flow's input and the outputs of steps, by the paths of `when`:
    a step that has an output had a `when` that was true, ensures and an `until` that held, and a `set` whose
    fields were computed. Facts about a step that isn't ordered before it are left out, as that one may be
    done again.
    """

    def __init__(self, strings: Expressions, types: Types) -> None:
        self._strings, self._types = strings, types
        self._certainty = Certainty(types.flow, types.graph)
        self._same = SameCondition(types.flow, types.graph, strings)
        self._taught: dict[int, Knowledge] = {}
        self._teachers: dict[Path, int] = {}
        """Masks of the steps that tell something of a place, an input or an output."""
        self._running: dict[int, Knowledge] = {}
        self._stages: dict[tuple[int, int], Knowledge] = {}
        self._uses: dict[int, list[tuple[Text, Scope, Use]]] = {}
        self._begun = False
        self.finished = False
        """Whether all steps were gone through; what is asked for before is what is known so far."""

    def uses_of(self, step: Step) -> Iterator[tuple[Text, Scope, Use]]:
        """The expressions of a step with their scopes and uses, in document order."""
        self._walk()
        yield from self._uses.get(step.index, ())

    def running(self, step: Step) -> Knowledge:
        """What is known when a step runs, its `when` having been true."""
        self._walk()
        return self._running.get(step.index, NOTHING)

    def in_stage(self, step: Step, number: int) -> Knowledge:
        """What is known when a stage of a fanout is issued, its `when` having been true."""
        self._walk()
        return self._stages.get((step.index, number), NOTHING)

    def taught_by(self, step_id: str) -> Knowledge:
        """What is known once the output of a step is there."""
        self._walk()
        index = self._types.graph.index.get(step_id)
        return NOTHING if index is None else self._taught.get(index, NOTHING)

    def _walk(self) -> None:
        if not self._begun:
            self._begun = True
            for index in self._types.graph.order:
                self._step(self._types.flow.steps[index])
            self.finished = True

    # --- one step ------------------------------------------------------------------------------------

    def _step(self, step: Step) -> None:
        self._uses[step.index] = []
        places = self._places(step)
        known = self._before(places, self._certainty.runs[step.index])
        if step.when is not None:
            known = known.both(self._told(step, step.when, self._scope_before(step, known), Use.CONDITION))
            known = known.both(self._before(places, self._same.ran[step.index]))
        self._running[step.index] = known
        taught = self._lasting(step, places, known.both(self._body(step, known)))
        self._taught[step.index] = taught
        for key in {path[:2]: None for path in taught.facts}:
            self._teachers[key] = self._teachers.get(key, 0) | 1 << step.index

    def _before(self, places: dict[Path, None], certain: int) -> Knowledge:
        """What the steps that surely succeeded before tell of the places that a step reads."""
        known = NOTHING
        for key in places:
            teachers = self._teachers.get(key, 0) & certain
            for _ in range(_MOST_TEACHERS):
                if not teachers:
                    break
                latest = teachers.bit_length() - 1
                teachers ^= 1 << latest
                facts = self._taught[latest].facts.items()
                known = known.both(Knowledge({path: fact for path, fact in facts if path[:2] == key}))
        return known

    def _places(self, step: Step) -> dict[Path, None]:
        """The inputs and outputs that the strings of a step read, each once."""
        found: dict[Path, None] = {}
        for text in expressions_of(step):
            tree = self._strings.parsed(text)
            if not isinstance(tree, ParseFailure):
                found.update(dict.fromkeys(place[:2] for place in places_read(tree)))
        for template in templates_of(step):
            for reference in template.references:
                if reference.kind is ReferenceKind.STEP and reference.name is not None:
                    found["result", reference.name] = None
                elif reference.kind is ReferenceKind.INPUT:
                    found["input", reference.path[0]] = None
        return found

    def _lasting(self, step: Step, places: dict[Path, None], known: Knowledge) -> Knowledge:
        """Of what is known the facts about places that the step itself reads or makes: few."""
        graph, own = self._types.graph, ("result", step.id)

        def lasts(key: Path) -> bool:
            if key == own or (key in places and key[0] == "input"):
                return True
            source = graph.index.get(str(key[-1]))
            return key in places and source is not None and graph.is_before(source, step.index)

        return Knowledge({path: fact for path, fact in known.facts.items() if lasts(path[:2])})

    def _body(self, step: Step, known: Knowledge) -> Knowledge:
        """What the success of a step that runs tells."""
        body, own = step.body, {**_INPUT, "result": ("result", step.id)}
        match body:
            case Do():
                scope = self._scope_after(body.out, known.renamed(_INPUT))
                told = self._ensures(step, body.ensure, scope)
                if body.iterate is not None:
                    scope = replace(scope, known=told)
                    told = told.both(self._told(step, body.iterate.until, scope, Use.PREDICATE))
                return told.renamed(own)
            case Set():
                read, built = self._built(step, body, known)
                scope = self._scope_after(body.out, built.both(known.renamed(_INPUT)))
                return read.both(self._ensures(step, body.ensure, scope).renamed(own))
            case Fanout():
                self._fanout(step, body, known)
                return NOTHING
            case Gate() | Run() | Evaluate():
                return NOTHING
            case _:
                assert_never(body)

    def _built(self, step: Step, body: Set, known: Knowledge) -> tuple[Knowledge, Knowledge]:
        """What it tells that the fields of a `set` have values; and those values, as its `result`."""
        read, built = NOTHING, NOTHING
        contract = self._types.contracts.of(body.out)
        declared = contract.objects[0].members if contract.objects else {}
        for name, text in body.fields.items():
            typing = self._typing(step, text, self._scope_before(step, known), Use.VALUE)
            if typing is None or typing.outcome.fails:
                continue
            read = read.both(typing.outcome.after)
            if name in declared:
                common = meet(declared[name].type, typing.type)
                common = declared[name].type if common.is_never else common
                built = built.having(("result", name), common)
                read = read.having(typing.outcome.path, common)
        return read, built

    def _ensures(self, step: Step, ensures: tuple[Ensure, ...], scope: Scope) -> Knowledge:
        """What holds when all ensures do; each is evaluated only when those before it held."""
        known = scope.known
        for one in ensures:
            if isinstance(one, EnsureExpression):
                here = replace(scope, known=known)
                known = known.both(self._told(step, one.expression, here, Use.PREDICATE))
        return known

    def _told(self, step: Step, text: Text, scope: Scope, use: Use) -> Knowledge:
        """What an expression tells when it is true."""
        typing = self._typing(step, text, scope, use)
        return NOTHING if typing is None else typing.outcome.holding

    def _typing(self, step: Step, text: Text, scope: Scope, use: Use) -> Typing | None:
        self._uses[step.index].append((text, scope, use))
        return self._strings.typing(text, scope, use)

    def _scope_before(self, step: Step, known: Knowledge) -> Scope:
        return replace(self._types.scope_before(step), known=known, implied=self.taught_by)

    def _scope_after(self, out: Text | None, known: Knowledge) -> Scope:
        return replace(self._types.scope_after(out), known=known)

    # --- the stages of a fanout ----------------------------------------------------------------------

    def _fanout(self, step: Step, fanout: Fanout, known: Knowledge) -> None:
        """What one stage tells of the item, and its output, holds in the next, where that is `prev`."""
        carried = NOTHING
        for number, stage in enumerate(fanout.stages):
            names = {"item": self._types.item_of(step, fanout)}
            prev = self._types.prev_of(fanout, number)
            if prev is not None:
                names["prev"] = prev
            here = known.both(carried)
            if stage.when is not None:
                before = self._scope_before(step, here)
                scope = replace(before, names={**before.names, **names})
                here = here.both(self._told(step, stage.when, scope, Use.CONDITION))
            self._stages[step.index, number] = here
            after = self._scope_after(stage.out, here.renamed({**_ITEM, "prev": ("prev",)}))
            told = self._ensures(step, stage.ensure, replace(after, names={**after.names, **names}))
            told = told.renamed({**_ITEM, "result": ("prev",)})
            carried = told if stage.when is None else told.either(carried)
