"""What tools answer, as schemas: the fields a caller can rely on; further ones may come along."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

RunStatus = Literal["complete", "in_progress", "failed", "killed", "budget_exhausted", "cancelled"]


class Result(BaseModel):
    """An answer; every documented field is declared, none is dropped."""

    model_config = ConfigDict(extra="allow")


class WorkflowError(Result):
    """Why a workflow tool refused."""

    code: str
    message: str


class WorkflowResult(Result):
    """What all workflow tools share: a refusal has `error` and nothing was changed."""

    error: WorkflowError | None = None


class CheckResult(WorkflowResult):
    """Answer of `flow_check`."""

    state: str | None = None
    previous_state: str | None = None
    description: str | None = None
    auto_action: dict[str, Any] | None = Field(None, description="The first trigger that fires.")
    options: list[dict[str, Any]] | None = Field(None, description="The events that may be applied.")
    global_actions: list[str] | None = None
    unresolved: list[dict[str, Any]] | None = Field(
        None, description="Conditions that couldn't be decided, and why."
    )


class TransitionResult(WorkflowResult):
    """Answer of `flow_transition`."""

    event: str | None = None
    to: str | None = None
    action: str | None = None
    options: list[dict[str, Any]] | None = None
    auto_action: dict[str, Any] | None = None


class ExplainResult(WorkflowResult):
    """Answer of `flow_explain`."""


class HistoryResult(WorkflowResult):
    """Answer of `flow_history`."""

    entries: list[dict[str, Any]] | None = None


class ModifyResult(WorkflowResult):
    """Answer of `flow_modify`."""

    token: str | None = None


class FlowResult(Result):
    """What all flow tools share: `status` says what it is; `error` comes with `error_type` and `message`."""

    status: str
    error_type: str | None = None
    message: str | None = None
    flow_id: str | None = None


class ValidateResult(Result):
    """Answer of `stratum_validate`."""

    valid: bool
    errors: list[dict[str, Any]]
    warnings: list[dict[str, Any]]
    bounds: dict[str, Any]


class DispatchResult(FlowResult):
    """A dispatch, a gate, a verdict on a result, or the end of a run (tools.md)."""

    step_id: str | None = None
    step_number: int | None = None
    total_steps: int | None = None
    function: str | None = None
    intent: str | None = None
    inputs: dict[str, Any] | None = None
    output_contract: str | None = None
    output_fields: dict[str, Any] | None = None
    ensure: list[Any] | None = None
    retries_remaining: int | None = None
    attempt: int | None = None
    agent: str | None = None
    step_mode: str | None = None
    dispatch_token: str | None = None
    gate_token: str | None = None
    previous_failure: dict[str, Any] | None = None
    ready: list[dict[str, Any]] | None = None
    gates: list[dict[str, Any]] | None = None
    violations: list[Any] | None = None
    output: Any = None
    trace: list[dict[str, Any]] | None = None
    total_duration_ms: float | None = None


class AuditResult(FlowResult):
    """Answer of `stratum_audit`: everything that happened in a run."""

    flow_name: str | None = None
    steps_completed: int | None = None
    total_steps: int | None = None
    trace: list[dict[str, Any]] | None = None
    table_digest: str | None = None


class FlowsResult(Result):
    """Answer of `stratum_flows`."""

    flows: list[dict[str, Any]] | None = None
    status: str | None = None
    error_type: str | None = None
    message: str | None = None
