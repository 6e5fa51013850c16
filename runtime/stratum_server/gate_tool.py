"""The tool that resolves a gate; where a person must decide, the host's own prompt asks them."""

# Annotations stay objects here (no `from __future__ import annotations`): the SDK reads those of a
# function that closes over its engine, and could not look its local names up by text.

from typing import Annotated, Any, Literal, Protocol

import anyio
import anyio.to_thread
from mcp.server.elicitation import AcceptedElicitation, ElicitationResult
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.resolve import Elicit, Resolve
from mcp.server.mcpserver.tools import Tool
from mcp.server.mcpserver.utilities.func_metadata import ArgModelBase
from mcp_types import CallToolResult
from pydantic import BaseModel, ConfigDict, Field, create_model

from stratum_server.arguments import FlowId, StepId
from stratum_server.results import DispatchResult
from stratum_server.summaries import run_summary
from stratum_server.tool import Answer, Hints, ToolMetadata, pack

Outcome = Literal["approve", "revise", "kill"]
TITLE = "Resolve a gate"
DESCRIPTION = (
    "Decides a waiting gate: `approve` goes on, `revise` sends the work back (its steps are reset), `kill` "
    "ends the run or takes "
    "the gate's kill route. Say who decided in `resolved_by`. Where the server lets only people resolve "
    "gates, the host asks the "
    "person, and their answer counts."
)


class Resolver(Protocol):
    """The engine's part in a gate."""

    def resolve_gate(self, flow_id: str, step_id: str, outcome: str, **arguments: Any) -> Answer:
        """Decides a waiting gate."""
        ...


class PersonDecision(BaseModel):
    """What the host's prompt asks the person."""

    outcome: Outcome = Field(description="approve, revise or kill")
    note: str = Field("", description="why (optional)")


class _Strict(ArgModelBase):
    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)


class NotAsked(BaseModel):
    """The agent's own decision stands, or nobody could be asked."""


def make_gate_tool(engine: Resolver, *, person_only: bool, turns: anyio.CapacityLimiter) -> Tool:
    """The SDK's tool; with `person_only` the decision of an agent is put to the person first."""

    async def ask(
        flow_id: str, step_id: str, outcome: str, rationale: str, ctx: Context[Any, Any]
    ) -> Elicit[PersonDecision] | NotAsked:
        if not person_only or not _can_ask(ctx):
            return NotAsked()
        reason = f" Its reason: {rationale}" if rationale else ""
        return Elicit(
            f"Gate `{step_id}` of run {flow_id} waits for you. The agent proposes to {outcome} it.{reason}",
            PersonDecision,
        )

    async def stratum_gate_resolve(
        flow_id: FlowId,
        step_id: StepId,
        outcome: Outcome,
        *,
        person: Annotated[ElicitationResult[PersonDecision], Resolve(ask)],
        rationale: Annotated[str, Field(description="Why, for the audit trail.")] = "",
        resolved_by: Annotated[
            Literal["human", "agent", "system"], Field(description="Who decided.")
        ] = "agent",
        gate_token: Annotated[str | None, Field(description="The token of the gate that you decide.")] = None,
    ) -> Annotated[CallToolResult, DispatchResult]:
        decision = {"outcome": outcome, "rationale": rationale, "resolved_by": resolved_by, "channel": "mcp"}
        match person:
            case AcceptedElicitation(data=PersonDecision() as said):
                decision = {
                    "outcome": said.outcome,
                    "rationale": said.note or rationale,
                    "resolved_by": "human",
                    "channel": "elicitation",
                }
            case AcceptedElicitation():
                pass
            case _:
                return pack(*_declined(flow_id, step_id))

        def call() -> Answer:
            return engine.resolve_gate(flow_id, step_id, gate_token=gate_token, **decision)

        result = await anyio.to_thread.run_sync(call, limiter=turns)
        return pack(result, run_summary(result))

    tool = Tool.from_function(
        stratum_gate_resolve,
        title=TITLE,
        description=DESCRIPTION,
        annotations=Hints(destructive=True).annotations(TITLE),
    )
    return _strict(tool)


def _strict(tool: Tool) -> Tool:
    """The tool with unknown arguments refused."""
    given = tool.fn_metadata.arg_model
    strict = create_model(given.__name__, __base__=(_Strict, given))
    tool.fn_metadata = ToolMetadata(arg_model=strict, output_model=tool.fn_metadata.output_model)
    tool.parameters = strict.model_json_schema(by_alias=True)
    return tool


def _can_ask(ctx: Context[Any, Any]) -> bool:
    capabilities = ctx.client_capabilities
    return capabilities is not None and capabilities.elicitation is not None


def _declined(flow_id: str, step_id: str) -> tuple[Answer, str]:
    message = f"the person did not decide gate `{step_id}`; it still waits"
    answer = {
        "status": "error",
        "error_type": "not_resolved",
        "message": message,
        "flow_id": flow_id,
        "step_id": step_id,
    }
    return answer, message
