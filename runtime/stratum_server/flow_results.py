"""What the tools over runs answer, as schemas: the fields a caller can rely on (tools.md)."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from stratum_server.workflow_results import Result

RunStatus = Literal["complete", "in_progress", "failed", "killed", "budget_exhausted", "cancelled"]
AnswerStatus = Literal[
    "execute_step",
    "await_gate",
    "in_progress",
    "schema_failed",
    "ensure_failed",
    "attempt_failed",
    "iterate",
    "complete",
    "failed",
    "killed",
    "budget_exhausted",
    "cancelled",
    "committed",
    "error",
]
Json = dict[str, Any]


class Spending(Result):
    """What was spent, and what may be spent."""

    spent: dict[str, float]
    budget: dict[str, float] | None


class Ledger(Spending):
    """What a run has spent, and may spend."""

    step: Spending | None = Field(None, description="The same of the step, when it has its own budget.")


class StepFields(Result):
    """What is told of a step to be worked on."""

    step_number: int | None = None
    total_steps: int | None = None
    function: str | None = Field(None, description="`flow.step`")
    intent: str | None = Field(None, description="What to do.")
    inputs: Json | None = Field(None, description="The values that the task uses, or that the gate judges.")
    output_contract: str | None = None
    output_fields: dict[str, str] | None = Field(None, description="The result's fields with their types.")
    ensure: list[str] | None = Field(None, description="What must hold of the result.")
    retries_remaining: int | None = None
    attempt: int | None = None
    agent: str | None = None
    step_mode: str | None = Field(None, description="The step's construct.")
    previous_failure: Json | None = None
    ledger: Ledger | None = None
    item: Any = None
    item_index: int | None = None
    stage: int | None = None
    is_final_stage: bool | None = None
    isolation: str | None = None
    merge: str | None = None
    pre_merge: list[str] | None = None


class Dispatch(StepFields):
    """A step to be worked on; a refusal names only what identifies it."""

    step_id: str
    dispatch_token: str


class GateFields(Result):
    """What is told of a gate that waits."""

    routes: dict[str, str | None] | None = Field(
        None,
        description="Where each outcome leads. Null: approve goes on, kill ends the run (or fails the "
        "subflow), revise is not possible.",
    )
    inputs: Json | None = Field(
        None, description="What is to be judged: the outputs that the gate waits for."
    )
    rounds_used: int | None = None
    rounds_allowed: int | None = None
    gate_rounds_used: int | None = None
    gate_rounds_allowed: int | None = None
    epoch: int | None = Field(None, description="How often the gate was reset.")
    previous_failure: Json | None = None


class Gate(GateFields):
    """A gate that waits; a refusal names only what identifies it."""

    step_id: str
    gate_token: str


class Violation(Result):
    """What a result breaks: a field of its contract (`path`), or a predicate with the `values` it saw."""

    path: str | None = None
    expected: str | None = None
    found: str | None = None
    predicate: str | None = None
    reason: str | None = None
    values: Json | None = None


class FlowResult(Result):
    """What all answers about runs share: `status` says what this is."""

    status: AnswerStatus
    flow_id: str | None = None
    error_type: str | None = Field(None, description="Why the call was refused, or how the run ended.")
    message: str | None = None
    next: str | None = Field(None, description="What the caller can do now.")
    argument: str | None = None
    run_status: RunStatus | None = None
    diagnostics: list[Json] | None = Field(None, description="What is wrong with the spec.")
    checkpoints: list[str] | None = None


class RunResult(FlowResult, StepFields, GateFields):
    """A dispatch, a gate, a verdict on a result, or the end of a run."""

    step_id: str | None = None
    dispatch_token: str | None = Field(None, description="Report with it.")
    gate_token: str | None = Field(None, description="Decide with it.")
    ready: list[Dispatch] | None = Field(None, description="Every step that can be worked on now.")
    gates: list[Gate] | None = Field(None, description="Every gate that waits.")
    kind: str | None = Field(None, description="Of the failure of an attempt.")
    reason: str | None = None
    violations: list[Violation] | None = None
    iteration: int | None = None
    max: int | None = None
    routed_from: str | None = Field(None, description="The step that failed for good; recovery goes on.")
    failure: Json | None = None
    failed: Json | None = Field(None, description="A step that failed without ending the run.")
    resolved: Json | None = Field(None, description="The gate's decision as it is recorded.")
    already: Literal["accepted"] | None = Field(
        None, description="The report or decision with this very token was taken before."
    )
    steps_reset: list[str] | None = None
    carry_written: list[str] | None = None
    reverted_to: str | None = None
    output: Any = None
    trace: list[Json] | None = None
    total_duration_ms: float | None = None
    scope: str | None = Field(None, description="Which ledger is over its budget.")
    spent: dict[str, float] | None = None
    budget: dict[str, float] | None = None


class CommitResult(FlowResult):
    """Answer of `stratum_commit`."""

    label: str | None = None
    step_number: int | None = None
    current_step: str | None = Field(None, description="The first step under way; null when all have ended.")
    ready: list[Dispatch] | None = None
    gates: list[Gate] | None = None


class ValidateResult(Result):
    """Answer of `stratum_validate`."""

    valid: bool
    errors: list[Json]
    warnings: list[Json]
    bounds: Json = Field(description="By flow: least and most dispatches, decisions and rounds of a run.")
    next: str | None = Field(None, description="What the caller can do now.")


class AuditResult(Result):
    """Answer of `stratum_audit`: everything that happened in a run."""

    status: RunStatus | Literal["error"]
    flow_id: str | None = None
    error_type: str | None = None
    message: str | None = None
    next: str | None = None
    flow_name: str | None = None
    steps_completed: int | None = None
    total_steps: int | None = None
    trace: list[Json] | None = Field(None, description="Per step: attempts with result or failure, usage.")
    round: int | None = None
    rounds: list[Json] | None = Field(None, description="Each revise: gate, why, by whom, steps reset.")
    iterations: dict[str, int] | None = None
    archived_iterations: list[Json] | None = Field(None, description="Attempts that were reset or reverted.")
    child_audits: list[Json] | None = None
    carry: dict[str, Json] | None = Field(None, description="Values, and where each came from.")
    ledger: Ledger | None = None
    checkpoints: list[str] | None = None
    total_duration_ms: float | None = None
    table_digest: str | None = None
    calls: list[Json] | None = Field(None, description="Every accepted call, in order.")
    output: Any = None
    failure: Json | None = None


class RunLine(Result):
    """One run of the list."""

    flow_id: str
    flow: str
    status: RunStatus
    steps_completed: int
    total_steps: int
    waiting_gates: list[str]
    created: float = Field(description="Seconds since 1970.")
    last_change: float = Field(description="Seconds since 1970.")


class FlowsResult(Result):
    """Answer of `stratum_flows`, the last changed first."""

    status: Literal["ok", "error"]
    flows: list[RunLine] | None = None
    error_type: str | None = None
    message: str | None = None
    next: str | None = None
    argument: str | None = None
