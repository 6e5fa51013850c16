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
from support.reference_values import ABSENT, equal, fields, render, render_all, split, violations
from support.reference_view import RunView, failure


class Reference(RunView):
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

    # Constructs

    def run_set(self, scope: Scope, step: Step) -> None:
        output = {}
        for name, text in step.spec["set"].items():
            output[name] = self.value(text, self.names(scope))
        wrong = [f"wrong:{name}" for name, value in output.items() if value is ABSENT]
        wrong = wrong or violations(self.spec["contracts"], step.spec["out"], output)
        broken = failure("contract", wrong) if wrong else self.ensures(scope, step.spec, output)
        if broken:
            self.fail_scope(scope, broken)
            return
        step.attempts.append(output)
        self.succeed(scope, step, output)

    def run_evaluate(self, scope: Scope, step: Step) -> None:
        step.attempts.append(ABSENT)
        step.status, step.failure = "failed", {**failure("evaluate"), "attempt": 1}
        self.fail_scope(scope, step.failure)

    def start_child(self, scope: Scope, step: Step) -> None:
        flow = self.spec["flows"][step.spec["run"]]
        value = render_all(step.spec["with"], lambda r: self.look(scope, r))
        wrong = value is not ABSENT and fields(self.spec["contracts"], flow["input"], value)
        if value is ABSENT or wrong:
            step.attempts.append(ABSENT)
            self.fail(scope, step, failure("contract", wrong) if wrong else failure("render"))
            return
        step.status, step.child = "running", new_scope(flow, value, step)

    def start_fanout(self, scope: Scope, step: Step) -> None:
        over = render(step.spec["fanout"]["over"], lambda r: self.look(scope, r))
        if not isinstance(over, list):
            step.attempts += [ABSENT] * int(step.spec.get("attempts", 2))
            self.fail(scope, step, failure("over"))
            return
        step.status, step.items = "running", [Item(value) for value in over]
        self.fill(scope, step)

    def fill(self, scope: Scope, step: Step) -> None:
        """Starts items while fewer than `concurrency` are out; ends the fanout when all have ended."""
        items = step.items or []
        for item in items:
            if (
                sum(i.status == "ready" for i in items) < step.spec["fanout"]["concurrency"]
                and item.status == "pending"
            ):
                self.enter_stage(scope, step, item)
        if any(i.status in ("ready", "pending") for i in items):
            return
        good, need = sum(i.status == "succeeded" for i in items), step.spec["fanout"]["require"]
        step.attempts.append(ABSENT)
        if (good < len(items)) if need == "all" else good < (1 if need == "any" else need):
            self.fail(scope, step, failure("require"))
            return
        done = [i.output if i.status == "succeeded" and i.output is not ABSENT else None for i in items]
        step.attempts[-1] = done
        self.succeed(scope, step, done)

    def enter_stage(self, scope: Scope, step: Step, item: Item) -> None:
        """Issues the item's stage, or the next one whose `when` holds; without one the item is skipped."""
        stages = step.spec["fanout"]["steps"]
        while "when" in stages[item.stage]:
            if self.value(stages[item.stage]["when"], self.names(scope, item)) is True:
                break
            if item.stage + 1 == len(stages):
                item.status = "skipped"
                return
            item.stage += 1
        item.stage_attempts = 0
        self.issue(scope, step, item)

    # Issuing, results (sections 3 and 4)

    def issue(self, scope: Scope, step: Step, item: Item | None = None) -> None:
        """Renders, reserves a dispatch, makes it ready; failures on the way are attempts."""
        holder = item or step
        spec = step.spec["fanout"]["steps"][item.stage] if item else step.spec
        text = render(spec["do"], lambda r: self.look(scope, r, item))
        if not isinstance(text, str):
            self.fail_attempt(scope, step, item, ABSENT, failure("render"))
            return
        wanted = {"dispatches": 1}
        if self.over(self.state.root.flow.get("budget"), self.state.spent, wanted):
            self.exhaust()
        if scope.parent and self.over_child(scope, wanted):
            self.fail_scope(scope, failure("budget"))
            return
        if self.over(step.spec.get("budget"), step.spent, wanted):
            self.fail_attempt(scope, step, item, ABSENT, failure("budget"))
            return
        self.book(scope, step, wanted)
        holder.text, holder.status, holder.token = text, "ready", self.fresh()

    def book(self, scope: Scope, step: Step, usage: dict[str, Any]) -> None:
        for ledger in [self.state.spent, step.spent, *([scope.parent.spent] if scope.parent else [])]:
            for key, amount in usage.items():
                if amount:
                    ledger[key] = ledger.get(key, 0) + amount

    def exhaust(self) -> None:
        self.state.status, self.state.failure = "budget_exhausted", failure("budget")
        raise RunEndedError

    def report(self, scope: Scope, step: Step, item: Item | None, told: Report) -> None:
        holder = item or step
        holder.token = ""
        broken, output = self.spend(scope, step, item, told), told.output
        if broken is ABSENT:
            return
        broken = broken or (failure("reported") if told.reported is not None else None)
        broken = broken or self.judge(scope, step, item, output)
        if broken:
            self.fail_attempt(scope, step, item, output if told.reported is None else ABSENT, broken)
        else:
            self.accept(scope, step, item, output)
        if item:
            self.fill(scope, step)

    def spend(self, scope: Scope, step: Step, item: Item | None, told: Report) -> Any:
        """Books the usage: None, the failure of the attempt, or ABSENT when it ended the scope."""
        if told.usage is not None and not self.usage_fits(told.usage):
            return failure("usage")
        claimed = dict(told.usage or {})
        dispatches = claimed.pop("dispatches", None)
        self.book(scope, step, claimed)
        if self.over(self.state.root.flow.get("budget"), self.state.spent):
            self.burn(step, item, told.output)
            self.exhaust()
        if scope.parent and self.over_child(scope):
            self.burn(step, item, told.output)
            self.fail_scope(scope, failure("budget"))
            return ABSENT
        if self.over(step.spec.get("budget"), step.spent):
            return failure("budget")
        return failure("usage") if dispatches is not None else None

    def burn(self, step: Step, item: Item | None, output: Any) -> None:
        """The attempt whose usage went over a budget that isn't the step's own."""
        holder = item or step
        holder.attempts.append(output)
        holder.failure = {**failure("budget"), "attempt": len(holder.attempts)}
        if item is None:
            step.status = "failed"

    def fail_attempt(self, scope: Scope, step: Step, item: Item | None, output: Any, broken: Any) -> None:
        holder = item or step
        spec = step.spec["fanout"]["steps"][item.stage] if item else step.spec
        limit = spec.get("attempts", step.spec.get("attempts", 2))
        counted = (item.stage_attempts if item else len(step.attempts)) + 1
        before = holder.attempts[-1] if counted > 1 else ABSENT
        same = output is not ABSENT and equal(output, before)
        holder.attempts.append(output)
        holder.failure = {**broken, "attempt": len(holder.attempts), "identical": same}
        if item:
            item.stage_attempts = counted
        again = counted < limit
        if broken["kind"] == "iterate":
            step.iterations += 1
            again = step.iterations < spec["iterate"]["max"]
        if again and not same:
            holder.status = "pending"
            self.issue(scope, step, item)
        elif item:
            item.status = "failed"
        else:
            self.fail(scope, step, broken)

    def accept(self, scope: Scope, step: Step, item: Item | None, output: Any) -> None:
        if item is None:
            step.attempts.append(output)
            self.succeed(scope, step, output)
            return
        item.attempts.append(output)
        item.output, item.failure, item.status = output, None, "pending"
        if item.stage + 1 == len(step.spec["fanout"]["steps"]):
            item.status = "succeeded"
        else:
            item.stage += 1
            self.enter_stage(scope, step, item)

    def succeed(self, scope: Scope, step: Step, output: Any) -> None:
        step.status, step.output, step.token = "succeeded", output, ""
        for name, declared in scope.flow.get("carry", {}).items():
            if split(declared["initial"][2:-1])[0] == step.id:
                self.write_carry(name, declared["initial"])

    def write_carry(self, name: str, reference: str) -> None:
        value = self.look(self.state.root, reference[2:-1])
        if value is ABSENT:
            self.fail_scope(self.state.root, failure("carry"))
        self.state.carry[name] = value

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

    def fail_scope(self, scope: Scope, broken: Any, status: str = "failed") -> None:
        scope.ended = True
        if scope.parent is None:
            self.state.status, self.state.failure = status, broken
            raise RunEndedError
        scope.parent.attempts.append(ABSENT)
        self.fail(self.state.root, scope.parent, broken)
