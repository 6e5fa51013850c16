"""What the reference interpreter can find out about a run without changing it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from stratum_runtime.expression import Failure, evaluate
from stratumc.expr import ParseFailure, compile_expression, parse
from support.reference_graph import reach
from support.reference_state import Item, RefusedError, Scope, State, Step
from support.reference_values import ABSENT, is_number, split, violations, walk


def failure(kind: str, detail: Any = None) -> dict[str, Any]:
    return {"kind": kind, "detail": detail}


class Files:
    """The workspace as file predicates see it; a path that leaves it is a failure."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()

    def inside(self, path: str) -> Path | None:
        target = (self.root / path).resolve()
        return target if target.is_relative_to(self.root) and not Path(path).is_absolute() else None

    def exists(self, path: str) -> bool | Failure:
        target = self.inside(path)
        return Failure("validation_error", "outside") if target is None else target.exists()

    def contains(self, path: str, text: str) -> bool | Failure:
        target = self.inside(path)
        if target is None:
            return Failure("validation_error", "outside")
        return target.is_file() and text in target.read_text(encoding="utf-8", errors="replace")


class RunView:
    """One run of one document, looked at."""

    spec: dict[str, Any]
    workspace: Path | None
    state: State
    issued: int

    def refuse_ended(self) -> None:
        if self.state.status != "in_progress":
            raise RefusedError("cancelled" if self.state.status == "cancelled" else "not_awaiting")

    def refuse_checkpoint(self) -> None:
        if self.state.status == "cancelled":
            raise RefusedError("cancelled")
        going = self.state.status == "in_progress"
        if going and any(
            s.items is not None and s.status == "running" for _, s in self.everything(self.state.root)
        ):
            raise RefusedError("fanout_in_flight")

    def everything(self, scope: Scope, prefix: str = "") -> list[tuple[str, Step]]:
        found = []
        for step in scope.steps.values():
            found.append((prefix + step.id, step))
            if step.child:
                found += self.everything(step.child, f"{prefix}{step.id}/")
        return found

    def find(self, at: str) -> tuple[Scope, Any, Any]:
        head, _, tail = at.partition("/")
        root = self.state.root
        step = root.steps.get(head)
        if step is None or not tail:
            return root, step, None
        if step.child:
            return step.child, step.child.steps.get(tail), None
        known = (
            step.items is not None
            and tail.isdigit()
            and str(int(tail)) == tail
            and int(tail) < len(step.items)
        )
        return root, step if known else None, step.items[int(tail)] if known and step.items else None

    def fresh(self) -> str:
        self.issued += 1
        return f"t{self.issued}"

    def lost(self, scope: Scope, step: Step) -> bool:
        """Whether the step was to work on what a failed-over step didn't make (section 6)."""
        steps = scope.flow["steps"]
        for failed in scope.steps.values():
            if failed.status == "failed" and step.id in reach(steps, failed.id, routing=False):
                rescued = reach(steps, failed.spec["on_fail"], routing=False)
                if step.id not in rescued:
                    return True
        return False

    def flow_output(self, scope: Scope) -> tuple[Any, list[str]]:
        declared = scope.flow["output"]
        output = self.look(scope, declared["from"][2:-1])
        return output, violations(self.spec["contracts"], declared["contract"], output)

    def over(self, budget: Any, spent: dict[str, float], more: dict[str, int] | None = None) -> bool:
        return any(spent.get(k, 0) + (more or {}).get(k, 0) > limit for k, limit in (budget or {}).items())

    def over_child(self, scope: Scope, more: dict[str, int] | None = None) -> bool:
        call = scope.parent
        assert call is not None
        return any(
            self.over(b, call.spent, more) for b in (call.spec.get("budget"), scope.flow.get("budget"))
        )

    def usage_fits(self, usage: Any) -> bool:
        known = isinstance(usage, dict) and set(usage) <= {"tokens", "usd", "ms", "dispatches"}
        return known and all(is_number(v) and v >= 0 for v in usage.values())

    def judge(self, scope: Scope, step: Step, item: Item | None, output: Any) -> Any:
        """The first thing wrong with a reported output, or None."""
        spec = step.spec["fanout"]["steps"][item.stage] if item else step.spec
        wrong = "out" in spec and violations(self.spec["contracts"], spec["out"], output)
        if wrong:
            return failure("contract", wrong)
        broken = self.ensures(scope, spec, output, item)
        if broken:
            return broken
        if (
            "iterate" in spec
            and self.value(spec["iterate"]["until"], self.judged_names(scope, item, output)) is not True
        ):
            return failure("iterate")
        if item is None and split(scope.flow["output"]["from"][2:-1])[0] == step.id:
            kept, step.output = step.output, output
            _, wrong = self.flow_output(scope)
            step.output = kept
            return failure("contract", wrong) if wrong else None
        return None

    def ensures(self, scope: Scope, spec: dict[str, Any], output: Any, item: Item | None = None) -> Any:
        for ensure in spec.get("ensure", []):
            if not self.ensured(scope, ensure, output, item):
                return failure("ensure", ensure)
        return None

    def ensured(self, scope: Scope, ensure: dict[str, Any], output: Any, item: Item | None) -> bool:
        names = self.judged_names(scope, item, output)
        if "expr" in ensure:
            return self.value(ensure["expr"], names) is True
        if "file_exists" in ensure:
            return self.call("file_exists", ensure["file_exists"]) is True
        if "file_contains" in ensure:
            return (
                self.call("file_contains", ensure["file_contains"]["path"], ensure["file_contains"]["text"])
                is True
            )
        return False

    def revision(self, scope: Scope, gate: Step) -> dict[str, Any]:
        """The carry values a revise would write; refused when it can't be done at all."""
        if gate.spec["gate"]["on_revise"] is None:
            raise RefusedError("no_revise_route")
        carried = {}
        for name, declared in scope.flow.get("carry", {}).items():
            if gate.id in declared.get("on_revise", {}):
                carried[name] = self.look(scope, declared["on_revise"][gate.id][2:-1])
        if any(value is ABSENT for value in carried.values()):
            raise RefusedError("carry_unresolved")
        return carried

    # Expressions and references

    def names(self, scope: Scope, item: Item | None = None) -> dict[str, Any]:
        """What an expression that runs before a result can name."""
        outputs = {s.id: s.output for s in scope.steps.values() if s.output is not ABSENT}
        return {"input": scope.input, "result": outputs} | self.item_names(item)

    def judged_names(self, scope: Scope, item: Item | None, output: Any) -> dict[str, Any]:
        """What an expression that judges `output` can name."""
        result = {} if output is ABSENT else {"result": output}
        return {"input": scope.input} | result | self.item_names(item)

    def item_names(self, item: Item | None) -> dict[str, Any]:
        if item is None:
            return {}
        return {"item": item.value} | ({} if item.output is ABSENT else {"prev": item.output})

    def value(self, text: str, names: dict[str, Any]) -> Any:
        """What an expression gives, or ABSENT when it fails."""
        parsed = parse(text)
        if isinstance(parsed, ParseFailure):
            return ABSENT
        files = Files(self.workspace) if self.workspace else None
        outcome = evaluate(compile_expression(parsed), names, files=files)
        return ABSENT if isinstance(outcome, Failure) else outcome.value

    def call(self, function: str, *texts: str) -> Any:
        quoted = ", ".join('"' + "".join(f"\\u{ord(c):04x}" for c in text) + '"' for text in texts)
        return self.value(f"{function}({quoted})", {})

    def look(self, scope: Scope, reference: str, item: Item | None = None) -> Any:
        """The value a reference stands for, or ABSENT."""
        name, path = split(reference)
        if item and reference == "item":
            return item.value
        if item and reference == "prev":
            return item.output
        if name == "input":
            return walk(scope.input, path)
        if name in scope.steps and path.startswith(".output"):
            return walk(scope.steps[name].output, path.removeprefix(".output"))
        return walk(self.state.carry.get(name, ABSENT), path)
