"""The arguments of every tool, strict: unknown names and wrong types are refused."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from mcp.server.mcpserver.utilities.func_metadata import ArgModelBase
from pydantic import ConfigDict, Field

JsonObject = dict[str, Any]


class Arguments(ArgModelBase):
    """Arguments of one tool; only those that the caller gave reach the engine."""

    model_config = ConfigDict(extra="forbid", strict=True, arbitrary_types_allowed=True)

    def model_dump_one_level(self) -> dict[str, Any]:
        """The given arguments by their names on the wire; one left out stays out."""
        fields = type(self).model_fields
        return {
            fields[name].alias or name: getattr(self, name)
            for name in fields
            if name in self.model_fields_set
        }


ProjectPath = Annotated[
    str | None,
    Field(
        description="Folder of one project under the root; its state file is used. Omit for the root itself."
    ),
]
Context = Annotated[
    JsonObject | None,
    Field(description='Values that conditions read, for example {"session_counters": {"review_rounds": 2}}.'),
]
FlowId = Annotated[str, Field(description="The run, as `stratum_plan` named it.")]
StepId = Annotated[
    str, Field(description="`step`, `parent/child` for a step of a subflow, `fan/0` for an item of a fanout.")
]


class FlowCheck(Arguments):
    """Arguments of `flow_check`."""

    workflow_state: str | None = Field(None, description="A state to look at instead of the project's own.")
    context: Context = None
    project_path: ProjectPath = None


class FlowTransition(Arguments):
    """Arguments of `flow_transition`."""

    event: str = Field(description="An event of the current state, or `auto` for the trigger that fires.")
    context: Context = None
    state_updates: JsonObject | None = Field(None, description="Further fields to write into the state file.")
    reason: str | None = Field(None, description="Why, for the log.")
    project_path: ProjectPath = None
    expected_state: str | None = Field(None, description="Refuse unless the project is in this state.")


class FlowExplain(Arguments):
    """Arguments of `flow_explain`."""

    from_: str | None = Field(None, alias="from", description="Where to start; the current state by default.")
    to: str | None = Field(None, description="The goal; omit to list everything reachable.")
    context: Context = None
    avoid: list[str] | None = Field(None, description="States that a path must not enter.")


class FlowHistory(Arguments):
    """Arguments of `flow_history`."""

    limit: int | None = Field(None, ge=0, description="At most this many entries, newest first.")
    event: str | None = None
    from_state: str | None = None
    to_state: str | None = None
    project_path: ProjectPath = None
    since: str | None = Field(None, description="ISO 8601 time; entries from then on.")
    until: str | None = Field(None, description="ISO 8601 time; entries up to then.")
    summary: bool | None = Field(
        None, description="Counts, time per state, and judgments that always go one way."
    )


class FlowModify(Arguments):
    """Arguments of `flow_modify`."""

    operation: str = Field(
        description="`add_`, `change_` or `remove_` with `state`, `transition`, `trigger`, "
        "`global_transition`, `threshold` or "
        "`resumption_target`; `add_global_action`, `remove_global_action`; `rename_state`."
    )
    state: str | None = None
    new_name: str | None = None
    description: str | None = None
    event: str | None = None
    target: str | None = None
    action: str | None = None
    judgment: bool | None = None
    index: int | None = Field(None, ge=0, description="Which trigger of the state, from 0.")
    condition: str | None = None
    except_: list[str] | None = Field(None, alias="except")
    name: str | None = None
    value: int | float | None = None
    confirm: bool | None = Field(None, description="Write the change that the token's preview showed.")
    token: str | None = Field(None, description="The token of the preview.")


class Validate(Arguments):
    """Arguments of `stratum_validate`."""

    spec: str = Field(description="The document, YAML or JSON text.")


class Plan(Arguments):
    """Arguments of `stratum_plan`."""

    spec: str = Field(description="The document, YAML or JSON text.")
    flow: str | None = Field(None, description="The flow to run; `flows.entry` by default.")
    inputs: JsonObject | None = Field(None, description="The flow's input, by field name.")
    workspace_root: str | None = Field(None, description="Folder in which file predicates and checkers look.")


class StepDone(Arguments):
    """Arguments of `stratum_step_done`."""

    flow_id: FlowId
    step_id: StepId
    result: JsonObject | None = Field(None, description="The step's output, as its contract says.")
    failure: str | None = Field(
        None, description="Your own report that the attempt failed, instead of a result."
    )
    dispatch_token: str | None = Field(None, description="The token of the dispatch that you worked on.")
    usage: JsonObject | None = Field(None, description="`usd`, `tokens`, `ms` that the attempt cost.")


class RunOnly(Arguments):
    """Arguments of tools that name a run and nothing else."""

    flow_id: FlowId


class Checkpoint(Arguments):
    """Arguments of `stratum_commit` and `stratum_revert`."""

    flow_id: FlowId
    label: str = Field(description="The checkpoint's name, not empty.")


class Flows(Arguments):
    """Arguments of `stratum_flows`."""

    status: Literal["in_progress", "complete", "failed", "killed", "budget_exhausted", "cancelled"] | None = (
        None
    )
    limit: int | None = Field(None, ge=1, le=2**31 - 1, description="At most this many runs.")


class Cancel(Arguments):
    """Arguments of `stratum_flow_cancel`."""

    flow_id: FlowId
    reason: str | None = None
