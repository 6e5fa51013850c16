"""The reference interpreter: runs a v1 document as spec/runs.md says, slowly and plainly."""

from __future__ import annotations

import contextlib
import copy
from pathlib import Path
from typing import Any

from support.reference_graph import dependencies, reach, routes
from support.reference_state import (
    ENDED,
    Item,
    RefusedError,
    Report,
    RunEndedError,
    Scope,
    State,
    Step,
    new_scope,
)
from support.reference_values import ABSENT, fields
from support.reference_view import failure
from support.reference_work import Work


class Reference(Work):
    """One run of one document, played call by call; a refused call raises RefusedError."""

    def __init__(self, spec: dict[str, Any], value: Any, workspace: Path | None = None) -> None:
        flow = spec["flows"][spec["flows"]["entry"]]
        if fields(spec["contracts"], flow["input"], value):
            raise RefusedError("input")
        self.spec, self.workspace, self.issued = spec, workspace, 0
        self.checkpoints: dict[str, State] = {}
        self.state = State(new_scope(flow, value))
        self.guarded(self.begin, self.state.root)

    def guarded(self, work: Any, scope: Scope, *arguments: Any) -> None:
        with contextlib.suppress(RunEndedError):
            work(scope, *arguments)
            self.move(self.state.root)

    def begin(self, _root: Scope) -> None:
        for name, declared in self.state.root.flow.get("carry", {}).items():
            if declared["initial"].startswith("${input."):
                self.write_carry(name, declared["initial"])

    # Calls

    def done(
        self, at: str, output: Any = ABSENT, *, token: str, reported: Any = None, usage: Any = None
    ) -> None:
        self.refuse_ended()
        scope, step, item = self.find(at)
        holder = item if item else step
        if not isinstance(holder, Item | Step) or holder.status != "ready" or scope.ended:
            raise RefusedError("not_awaiting")
        if holder.token != token:
            raise RefusedError("stale")
        self.guarded(self.report, scope, step, item, Report(output, reported, usage))

    def resolve(self, at: str, decision: str, token: str) -> None:
        self.refuse_ended()
        scope, gate, item = self.find(at)
        if gate is None or item is not None or gate.status != "waiting_gate" or scope.ended:
            raise RefusedError("not_awaiting")
        if gate.token != token:
            raise RefusedError("stale")
        carried = self.revision(scope, gate) if decision == "revise" else {}
        self.guarded(self.decide, scope, gate, decision, carried)

    def commit(self, label: str) -> None:
        self.refuse_checkpoint()
        if not label:
            raise RefusedError("invalid_label")
        self.checkpoints[label] = copy.deepcopy(self.state)

    def revert(self, label: str) -> None:
        self.refuse_checkpoint()
        if label not in self.checkpoints:
            raise RefusedError("unknown_checkpoint")
        spent = self.state.spent
        self.state = copy.deepcopy(self.checkpoints[label])
        self.state.spent = spent
        for _, step in self.everything(self.state.root):
            step.token = self.fresh() if step.token else ""

    def cancel(self) -> None:
        if self.state.status == "in_progress":
            self.state.status = "cancelled"

    # Moving on (section 2)

    def move(self, scope: Scope) -> None:
        moved = True
        while moved and not scope.ended:
            moved = False
            for step in scope.steps.values():
                if step.status == "pending" and not scope.ended and self.advance(scope, step):
                    moved = True
            if not moved:
                moved = self.move_children(scope)
        if scope.ended:
            return
        states = [s.status for s in scope.steps.values()]
        if all(s in ENDED for s in states):
            self.finish(scope)
        elif not any(s in ("ready", "running", "waiting_gate") for s in states):
            self.fail_scope(scope, failure("stuck"))

    def move_children(self, scope: Scope) -> bool:
        """Subflows move on when their parents can't; True as soon as one has ended."""
        for step in scope.steps.values():
            if step.child and not step.child.ended:
                self.move(step.child)
                if step.child.ended:
                    return True
        return False

    def advance(self, scope: Scope, step: Step) -> bool:
        """One pending step: skipped or started (True), or left waiting (False)."""
        if self.lost(scope, step):
            step.status = "skipped"
            return True
        routers = [s for s in scope.steps.values() if step.id in routes(s.spec)]
        if routers and not step.routed:
            if all(s.status in ENDED for s in routers):
                step.status = "skipped"
            return step.status == "skipped"
        if any(scope.steps[d].status not in ENDED for d in dependencies(step.spec)):
            return False
        condition = step.spec.get("when")
        if condition is not None and self.value(condition, self.names(scope)) is not True:
            step.status = "skipped"
            return True
        self.start(scope, step)
        return True

    def start(self, scope: Scope, step: Step) -> None:
        spec = step.spec
        if "set" in spec:
            self.run_set(scope, step)
        elif "evaluate" in spec:
            self.run_evaluate(scope, step)
        elif "gate" in spec:
            step.status, step.token = "waiting_gate", self.fresh()
        elif "run" in spec:
            self.start_child(scope, step)
        elif "fanout" in spec:
            self.start_fanout(scope, step)
        else:
            self.issue(scope, step)

    def finish(self, scope: Scope) -> None:
        output, wrong = self.flow_output(scope)
        if wrong:
            self.fail_scope(scope, failure("contract", wrong))
            return
        scope.ended = True
        if scope.parent is None:
            self.state.status, self.state.output = "complete", output
            raise RunEndedError
        scope.parent.attempts.append(output)
        self.succeed(self.state.root, scope.parent, output)

    # Gates (section 5)

    def decide(self, scope: Scope, gate: Step, decision: str, carried: dict[str, Any]) -> None:
        spec = gate.spec["gate"]
        if decision == "revise":
            past = scope.rounds + 1 > scope.flow["max_rounds"]
            if past or gate.iterations + 1 > spec.get("max_rounds", gate.iterations + 1):
                self.fail_scope(scope, failure("rounds"))
                return
            scope.rounds += 1
            gate.iterations += 1
            self.state.carry.update(carried)
            self.reset(scope, spec["on_revise"])
        else:
            gate.status, gate.token = "succeeded", ""
            target = spec[f"on_{decision}"]
            if target is not None:
                scope.steps[target].routed.append((gate.id, failure("gate", decision)))
            elif decision == "kill":
                self.fail_scope(scope, failure("killed"), status="killed")

    def reset(self, scope: Scope, target: str) -> None:
        closure = reach(scope.flow["steps"], target, routing=True)
        for name in closure:
            old = scope.steps[name]
            new = Step(old.spec, epoch=old.epoch + 1)
            new.iterations = old.iterations if "gate" in old.spec else 0
            new.routed = [route for route in old.routed if route[0] not in closure]
            scope.steps[name] = new
        scope.steps = {s["id"]: scope.steps[s["id"]] for s in scope.flow["steps"]}

    # Failure (section 6)

    def fail(self, scope: Scope, step: Step, broken: Any) -> None:
        step.status, step.token = "failed", ""
        step.failure = {**broken, "attempt": len(step.attempts)}
        target = step.spec.get("on_fail")
        if target is None:
            self.fail_scope(scope, broken)
        else:
            scope.steps[target].routed.append((step.id, step.failure))
            for other in scope.steps.values():
                if other.status == "pending" and self.lost(scope, other):
                    other.status = "skipped"

    def fail_scope(self, scope: Scope, broken: Any, status: str = "failed") -> None:
        scope.ended = True
        if scope.parent is None:
            self.state.status, self.state.failure = status, broken
            raise RunEndedError
        scope.parent.attempts.append(ABSENT)
        self.fail(self.state.root, scope.parent, broken)
