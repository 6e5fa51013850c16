"""What the workflow tools answer, as schemas: the fields a caller can rely on (workflow.md section 4)."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class Result(BaseModel):
    """An object of an answer; every documented field is declared, further ones may come along."""

    model_config = ConfigDict(extra="allow")


class Option(Result):
    """An event that may be applied."""

    event: str
    target: str | None = Field(description="Null when the event resumes and there is nothing to resume.")
    action: str | None = Field(description="The command to run next.")
    judgment: bool = Field(description="Whether this is a choice to be weighed.")
    source: str = Field(description="`state`, `global`, or the fragment that gave it.")


class AutoAction(Result):
    """The trigger that fires."""

    condition: str
    target: str
    action: str | None
    values: dict[str, Any] = Field(description="The values that made the condition true.")


class Unresolved(Result):
    """A condition that couldn't be decided."""

    condition: str
    reason: str


class Refusal(Result):
    """Why a tool refused, and what can be done instead."""

    code: str
    message: str
    diagnostics: list[dict[str, Any]] | None = Field(None, description="What is wrong with the workflow.")
    state: str | None = Field(None, description="The state as it is now, or the one in question.")
    states: list[str] | None = None
    valid_events: list[str] | None = None
    auto_action: AutoAction | None = None
    unresolved: list[Unresolved] | None = None
    argument: str | None = None
    field: str | None = None
    fragment: str | None = None
    project: str | None = None


class WorkflowResult(Result):
    """What all workflow tools share."""

    error: Refusal | None = Field(None, description="Set when the tool refused; then nothing was changed.")


class Moves(WorkflowResult):
    """What can happen next: `auto_action`, or else `options`."""

    auto_action: AutoAction | None = Field(None, description="Apply the event `auto` next.")
    options: list[Option] | None = Field(None, description="The events that may be applied.")
    unresolved: list[Unresolved] | None = None


class CheckResult(Moves):
    """Answer of `flow_check`."""

    state: str | None = None
    previous_state: str | None = None
    description: str | None = None
    global_actions: list[str] | None = Field(None, description="Commands that may be run in every state.")


class TransitionResult(Moves):
    """Answer of `flow_transition`: the entry of the log, and what can happen next."""

    from_: str | None = Field(None, alias="from")
    to: str | None = None
    event: str | None = None
    action: str | None = Field(None, description="The command to run now.")
    judgment: bool | None = None
    condition: str | None = Field(None, description="Of the trigger that was applied.")
    seq: int | None = Field(None, description="Number of the entry in the log.")


class Hop(Result):
    """One transition of a path: by `event`, or by trigger with `condition` and `witness`."""

    from_: str = Field(alias="from")
    to: str
    event: str | None = None
    condition: str | None = None
    action: str | None
    judgment: bool
    witness: dict[str, Any] | None = Field(None, description="A context in which the trigger fires there.")
    previous_state: str | None = Field(None, description="The state before, where the target depends on it.")


_WHEN = "The state that must have been before `from`, where it depends on that."


class Reachable(Result):
    """A state that can be reached."""

    state: str
    distance: int
    when_previous_state: str | None = Field(None, description=_WHEN)


class ExplainResult(WorkflowResult):
    """Answer of `flow_explain`: a path, or what is reachable, or why there is no path."""

    from_: str | None = Field(None, alias="from")
    to: str | None = None
    length: int | None = None
    when_previous_state: str | None = Field(None, description=_WHEN)
    path: list[Hop] | None = Field(None, description="Null when there is none.")
    reachable: list[Reachable] | None = None
    unreachable: list[str] | None = None
    message: str | None = None
    reasons: list[str] | None = None
    nearest: list[str] | None = Field(None, description="Reachable states that are nearest to the goal.")
    note: str | None = Field(None, description="Says so when no project is known to come to `from`.")


class HistoryResult(WorkflowResult):
    """Answer of `flow_history`."""

    entries: list[dict[str, Any]] | None = Field(None, description="Entries of the log, newest first.")
    total: int | None = Field(None, description="How many entries the filter admits.")
    problems: list[str] | None = Field(None, description="Lines of the log that can't be read.")
    summary: dict[str, Any] | None = None


class ModifyResult(WorkflowResult):
    """Answer of `flow_modify`: a preview with its `token`, or `written`."""

    operation: str | None = None
    token: str | None = Field(None, description="Confirm with it to write.")
    written: bool | None = None
    file: str | None = None
    diff: str | None = Field(None, description="Unified difference of the file, its layout left out.")
    changes_layout: bool | None = Field(None, description="Whether the whole file is reformatted too.")
    graph: dict[str, Any] | None = Field(None, description="What changes in the graph.")
    warnings: list[dict[str, Any]] | None = None
