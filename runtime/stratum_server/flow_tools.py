"""The ten tools over runs (tools.md)."""

from __future__ import annotations

from typing import Any, Protocol

from stratum_server import arguments as given
from stratum_server import results
from stratum_server.summaries import audit_summary, flows_summary, run_summary, validate_summary
from stratum_server.tool import Answer, Hints, ToolSpec


class SpecCompiler(Protocol):
    """The compiler, handed in: the runtime imports none."""

    def validate(self, spec: str) -> Answer:
        """`valid`, `errors`, `warnings`, `bounds` of a document."""
        ...

    def plan(self, spec: str) -> tuple[Any | None, list[Answer]]:
        """The table of a document, None when it has errors; and its diagnostics."""
        ...


class FlowEngine(Protocol):
    """The run engine that the tools call; its answers are JSON objects, refusals included."""

    def plan(self, table: Any, **arguments: Any) -> Answer:
        """Starts a run."""
        ...

    def step_done(self, flow_id: str, step_id: str, **arguments: Any) -> Answer:
        """Takes the report on one dispatch."""
        ...

    def audit(self, flow_id: str) -> Answer:
        """Everything that happened."""
        ...

    def commit(self, flow_id: str, label: str) -> Answer:
        """Keeps a checkpoint."""
        ...

    def revert(self, flow_id: str, label: str) -> Answer:
        """Goes back to a checkpoint."""
        ...

    def resume(self, flow_id: str) -> Answer:
        """What may be worked on now."""
        ...

    def flows(self, **arguments: Any) -> Answer:
        """The runs there are."""
        ...

    def cancel(self, flow_id: str, **arguments: Any) -> Answer:
        """Ends a run."""
        ...


def plan_run(compiler: SpecCompiler, engine: FlowEngine, spec: str, **arguments: Any) -> Answer:
    """Compiles and starts a run; a document with errors starts nothing (tools.md, "stratum_plan")."""
    table, diagnostics = compiler.plan(spec)
    if table is None:
        errors = [item for item in diagnostics if item["severity"] == "error"]
        first = (
            f"{errors[0]['code']} at {errors[0]['path']}: {errors[0]['message']}"
            if errors
            else "it has errors"
        )
        return {
            "status": "error",
            "error_type": "invalid_spec",
            "message": f"the spec has {len(errors)} errors, nothing was started; first: {first}",
            "diagnostics": diagnostics,
            "next": "mend the spec, try it with stratum_validate, then plan again",
        }
    return engine.plan(table, **arguments)


def flow_tools(compiler: SpecCompiler, engine: FlowEngine) -> tuple[ToolSpec, ...]:
    """The tools in their fixed order, but for the gate's (see `stratum_server.gate_tool`)."""
    return (
        ToolSpec(
            "stratum_validate",
            "Check a spec",
            "Everything that is wrong with a spec, with line, column and the mend, and what every run must "
            "do. Starts nothing.",
            given.Validate,
            results.ValidateResult,
            Hints(read_only=True, idempotent=True),
            compiler.validate,
            validate_summary,
        ),
        ToolSpec(
            "stratum_plan",
            "Start a run",
            "Checks and compiles a spec and starts a run of it. Answers with the first step to work on "
            "(`execute_step`: do its "
            "`intent`, then call `stratum_step_done` with its `dispatch_token`) or the gate that waits "
            "(`await_gate`).",
            given.Plan,
            results.DispatchResult,
            Hints(),
            lambda spec, **arguments: plan_run(compiler, engine, spec, **arguments),
            run_summary,
        ),
        ToolSpec(
            "stratum_step_done",
            "Report a step",
            "Reports the `result` (or the `failure`) of a step you worked on. The result is checked against "
            "the contract, the "
            "ensures and the loop's condition; the answer says whether it was accepted and gives the next "
            "step, or what to mend.",
            given.StepDone,
            results.DispatchResult,
            Hints(),
            engine.step_done,
            run_summary,
        ),
        ToolSpec(
            "stratum_audit",
            "Read everything that happened",
            "The whole history of a run: attempts, failures, decisions, rounds, spending, whatever was "
            "reset or reverted.",
            given.RunOnly,
            results.AuditResult,
            Hints(read_only=True, idempotent=True),
            engine.audit,
            audit_summary,
        ),
        ToolSpec(
            "stratum_commit",
            "Keep a checkpoint",
            "Keeps the run's state (not files) under a label; the same label replaces its snapshot.",
            given.Checkpoint,
            results.DispatchResult,
            Hints(idempotent=True),
            engine.commit,
            run_summary,
        ),
        ToolSpec(
            "stratum_revert",
            "Go back to a checkpoint",
            "Restores a checkpoint and gives the next step with fresh tokens. Spending and the audit trail "
            "never go back.",
            given.Checkpoint,
            results.DispatchResult,
            Hints(destructive=True),
            engine.revert,
            run_summary,
        ),
        ToolSpec(
            "stratum_resume",
            "Take up a run",
            "What may be worked on now in a run, after a crash or in a new session. Nothing is issued "
            "twice; tokens stay valid.",
            given.RunOnly,
            results.DispatchResult,
            Hints(read_only=True, idempotent=True),
            engine.resume,
            run_summary,
        ),
        ToolSpec(
            "stratum_flows",
            "List runs",
            "The runs there are: id, flow, status, progress, waiting gates, last change.",
            given.Flows,
            results.FlowsResult,
            Hints(read_only=True, idempotent=True),
            engine.flows,
            flows_summary,
        ),
        ToolSpec(
            "stratum_flow_cancel",
            "Cancel a run",
            "Ends a run for good; its tokens are burnt. Only `stratum_audit` works on it afterwards.",
            given.Cancel,
            results.DispatchResult,
            Hints(destructive=True, idempotent=True),
            engine.cancel,
            run_summary,
        ),
    )
