"""The ten tools over runs (tools.md); the gate's is made in `stratum_server.gate_tool`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from stratum_runtime.flow import FlowEngine
from stratum_runtime.table import Table
from stratum_server import arguments as given
from stratum_server import flow_results as results
from stratum_server.flow_summaries import audit_summary, flows_summary, run_summary, validate_summary
from stratum_server.tool import READS, Answer, Hints, ToolSpec


class SpecCompiler(Protocol):
    """The compiler, handed in: the runtime imports none."""

    def validate(self, spec: str) -> Answer:
        """`valid`, `errors`, `warnings`, `bounds` of a document."""
        ...

    def plan(self, spec: str) -> tuple[Table | None, list[Answer]]:
        """The table of a document, None when it has errors; and its diagnostics."""
        ...


VALIDATE = ToolSpec(
    name="stratum_validate",
    title="Check a spec",
    description=(
        "Everything that is wrong with a spec, with line, column and how to mend it, and what every run of "
        "it must do. Starts nothing."
    ),
    arguments=given.Validate,
    result=results.ValidateResult,
    hints=READS,
    summary=validate_summary,
)
PLAN = ToolSpec(
    name="stratum_plan",
    title="Start a run",
    description=(
        "Checks and compiles a spec and starts a run of it. Answers with the first step to work on "
        "(`execute_step`: do its `intent`, then call `stratum_step_done` with its `dispatch_token`) or the "
        "gate that waits (`await_gate`). A spec or inputs with errors start nothing."
    ),
    arguments=given.Plan,
    result=results.RunResult,
    hints=Hints(open_world=True),
    summary=run_summary,
)
STEP_DONE = ToolSpec(
    name="stratum_step_done",
    title="Report a step",
    description=(
        "Reports the `result` (or the `failure`) of a step that you worked on. The result is checked against "
        "the contract, the ensures and the loop's condition; the answer says whether it was accepted and "
        "gives the next step, or says what to mend."
    ),
    arguments=given.StepDone,
    result=results.RunResult,
    hints=Hints(open_world=True),
    summary=run_summary,
)
AUDIT = ToolSpec(
    name="stratum_audit",
    title="Read everything that happened",
    description=(
        "The whole history of a run: attempts, failures, decisions, rounds, spending, whatever was reset or "
        "reverted. Changes nothing."
    ),
    arguments=given.RunOnly,
    result=results.AuditResult,
    hints=READS,
    summary=audit_summary,
)
COMMIT = ToolSpec(
    name="stratum_commit",
    title="Keep a checkpoint",
    description="Keeps the run's state (not files) under a label; the same label replaces its snapshot.",
    arguments=given.Checkpoint,
    result=results.CommitResult,
    hints=Hints(idempotent=True),
    summary=run_summary,
)
REVERT = ToolSpec(
    name="stratum_revert",
    title="Go back to a checkpoint",
    description=(
        "Restores a checkpoint and gives the next step with fresh tokens; what was handed out before is "
        "stale. Spending and the audit trail never go back."
    ),
    arguments=given.Checkpoint,
    result=results.RunResult,
    hints=Hints(destructive=True),
    summary=run_summary,
)
RESUME = ToolSpec(
    name="stratum_resume",
    title="Take up a run",
    description=(
        "What may be worked on now in a run, after a crash or in a new session. Nothing is issued twice, "
        "tokens stay valid. Changes nothing."
    ),
    arguments=given.RunOnly,
    result=results.RunResult,
    hints=READS,
    summary=run_summary,
)
FLOWS = ToolSpec(
    name="stratum_flows",
    title="List runs",
    description="The runs there are, the last changed first: id, flow, status, progress, waiting gates.",
    arguments=given.Flows,
    result=results.FlowsResult,
    hints=READS,
    summary=flows_summary,
)
CANCEL = ToolSpec(
    name="stratum_flow_cancel",
    title="Cancel a run",
    description="Ends a run for good; its tokens are burnt. Only `stratum_audit` works on it afterwards.",
    arguments=given.Cancel,
    result=results.RunResult,
    hints=Hints(destructive=True, idempotent=True),
    summary=run_summary,
)
_PATH = "give the document's text as `spec`, not its path"
BEFORE_GATE = 3
"""The place of `stratum_gate_resolve` among the others."""


def flow_tools(
    compiler: SpecCompiler, engine: FlowEngine
) -> tuple[tuple[ToolSpec, Callable[..., Answer]], ...]:
    """The tools in their fixed order, the gate's left out, each with the method that answers it."""

    def plan(spec: str, **arguments: Any) -> Answer:
        return plan_run(compiler, engine, spec, **arguments)

    def validate(spec: str) -> Answer:
        return validate_text(compiler, spec)

    return (
        (VALIDATE, validate),
        (PLAN, plan),
        (STEP_DONE, engine.step_done),
        (AUDIT, engine.audit),
        (COMMIT, engine.commit),
        (REVERT, engine.revert),
        (RESUME, engine.resume),
        (FLOWS, engine.flows),
        (CANCEL, engine.cancel),
    )


def plan_run(compiler: SpecCompiler, engine: FlowEngine, spec: str, **arguments: Any) -> Answer:
    """Compiles and starts a run; a document with errors starts nothing (tools.md, "stratum_plan")."""
    table, diagnostics = compiler.plan(spec)
    if table is not None:
        inputs = arguments.pop("inputs", None)
        return engine.plan(table, inputs={} if inputs is None else inputs, **arguments)
    errors = sum(item["severity"] == "error" for item in diagnostics)
    return {
        "status": "error",
        "error_type": "invalid_spec",
        "message": f"the spec has {errors} {'error' if errors == 1 else 'errors'}, nothing was started",
        "diagnostics": diagnostics,
        "next": _PATH if is_path(spec) else "mend the spec, try it with stratum_validate, then plan again",
    }


def validate_text(compiler: SpecCompiler, spec: str) -> Answer:
    """What is wrong with a document, and what to give when it is none but the path of one."""
    found = compiler.validate(spec)
    return found if found["valid"] or not is_path(spec) else {**found, "next": _PATH}


def is_path(spec: str) -> bool:
    """Whether a text looks like the path of a document where the document is wanted."""
    text = spec.strip()
    return "\n" not in text and text.endswith((".yaml", ".yml", ".json"))
