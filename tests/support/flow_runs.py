"""Small runs for tests: a flow from a list of steps, planned on a store in memory."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from typing import Any

import stratumc
from stratum_runtime.flow import FlowEngine
from stratum_runtime.store import MemoryStore, RunStore
from stratum_runtime.table import Table

Answer = dict[str, Any]
CONTRACTS = {"Note": {"text": "string"}, "Num": {"n": "integer"}, "List": {"xs": "string[]"}}


def note(step: str, **more: Any) -> dict[str, Any]:
    """A do step whose output is a Note."""
    return {"id": step, "do": f"work on {step}", "out": "Note", **more}


def gate(
    step: str, *, approve: Any = None, revise: Any = None, kill: Any = None, **more: Any
) -> dict[str, Any]:
    """A gate step."""
    return {"id": step, "gate": {"on_approve": approve, "on_revise": revise, "on_kill": kill}, **more}


def fanout(step: str, *stages: dict[str, Any], over: str = "${input.xs}", **more: Any) -> dict[str, Any]:
    """A fanout step, three items at a time, that needs all."""
    settings = {"concurrency": 3, "isolation": "none", "require": "all", "merge": "sequential"}
    named = {name: more.pop(name) for name in (*settings, "dispatch") if name in more}
    return {"id": step, "fanout": {"over": over, "steps": list(stages), **settings, **named}, **more}


def spec_of(*steps: dict[str, Any], output: str = "last", flows: Any = None, **flow: Any) -> dict[str, Any]:
    """A document whose entry flow has these steps."""
    declared = {"input": {"xs": "string[]?"}, "output": {"from": f"${{{output}.output}}", "contract": "Note"}}
    main = {**declared, "steps": list(steps), **flow}
    return {"version": 1, "contracts": CONTRACTS, "flows": {"entry": "main", "main": main, **(flows or {})}}


def table_of(spec: dict[str, Any]) -> Table:
    """The compiled document."""
    compiled = stratumc.compile(json.dumps(spec), name="run.stratum.json", kind="spec", families=("rule",))
    assert compiled.table is not None, compiled.diagnostics
    return compiled.table


class Played:
    """A run, and the last answer about it."""

    def __init__(
        self,
        *steps: dict[str, Any],
        inputs: Any = None,
        workspace: Path | None = None,
        store: RunStore | None = None,
        gates: str = "any",
        **flow: Any,
    ) -> None:
        seconds, tokens = count(1), count(1)
        self.engine = FlowEngine(
            store or MemoryStore(),
            clock=lambda: float(next(seconds)),
            new_token=lambda: f"token-{next(tokens)}",
            gates=gates,
        )
        table = table_of(spec_of(*steps, **flow))
        self.answer = self.engine.plan(table, inputs=inputs or {}, workspace_root=workspace)
        self.flow_id = str(self.answer.get("flow_id"))

    def done(self, step: str, text: str = "x", **more: Any) -> Answer:
        """Reports a Note."""
        return self.report(step, result={"text": text}, **more)

    def report(self, step: str, **more: Any) -> Answer:
        """Reports whatever is given."""
        self.answer = self.engine.step_done(self.flow_id, step, **more)
        return self.answer

    def decide(self, step: str, outcome: str, **more: Any) -> Answer:
        """Resolves a gate."""
        self.answer = self.engine.resolve_gate(self.flow_id, step, outcome, **more)
        return self.answer

    @property
    def state(self) -> Answer:
        """The snapshot."""
        return self.engine.snapshot(self.flow_id)

    def statuses(self) -> dict[str, str]:
        """Each step's status."""
        return {name: step["status"] for name, step in self.state["steps"].items()}
