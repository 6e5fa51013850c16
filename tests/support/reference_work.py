"""How the reference interpreter does the work of steps: constructs, issues, results (runs.md, 3, 4, 7)."""

from __future__ import annotations

from typing import Any

from support.reference_state import Item, Report, RunEndedError, Scope, Step, new_scope
from support.reference_values import ABSENT, equal, fields, render, render_all, split, violations
from support.reference_view import RunView, failure


class Work(RunView):
    """One run of one document, with what its steps do; `Reference` has the calls and the rest."""

    fail: Any
    fail_scope: Any

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
