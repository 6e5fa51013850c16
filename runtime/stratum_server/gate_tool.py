"""The tool that resolves a gate; where a person must decide, the host's own prompt asks them."""

# Annotations stay objects here (no `from __future__ import annotations`): the SDK reads those of a
# function that closes over its engine, and could not look its local names up by text.

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import anyio
from mcp.server.elicitation import AcceptedElicitation, ElicitationResult
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp.server.mcpserver.resolve import Elicit, Resolve
from mcp.server.mcpserver.tools import Tool
from mcp.server.mcpserver.utilities.func_metadata import ArgModelBase
from mcp_types import CallToolResult
from pydantic import BaseModel, ConfigDict, Field, create_model

from stratum_runtime.flow import FlowEngine
from stratum_server.arguments import FlowId, StepId
from stratum_server.flow_results import RunResult
from stratum_server.flow_summaries import run_summary
from stratum_server.gate_words import outcome_lines, rounds_text
from stratum_server.tool import Answer, Hints, ToolMetadata, pack, work
from stratum_server.words import cut

Outcome = Literal["approve", "revise", "kill"]
TITLE = "Resolve a gate"
_SPENT = "the issue that the person was asked about"
"""In the place of the token of an issue that is over, which the call no longer knows."""
DESCRIPTION = (
    "Decides a waiting gate: `approve` goes on, `revise` sends the work back (its steps are reset), `kill` "
    "ends the run or takes the gate's kill route. Say who decided in `resolved_by`; it is recorded as your "
    "word, and proves nothing. Where the server lets only people resolve gates, the host asks the person, "
    "and their answer counts instead of yours."
)


class PersonDecision(BaseModel):
    """What the host's prompt asks the person."""

    outcome: Outcome = Field(description="approve, revise or kill")
    note: str = Field("", description="why (optional)")


class FinalDecision(PersonDecision):
    """The same at a gate that can't send the work back."""

    outcome: Literal["approve", "kill"] = Field(description="approve or kill")


class NotAsked(BaseModel):
    """The agent's own decision stands, or nobody could be asked."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The gate that the person is asked about, as it waited then; no token when nobody is asked."""

    token: str | None
    gate: Answer | None = None
    was_answered: bool = False
    """Whether the person has answered already, so that the gate was decided while they thought."""


class _Strict(ArgModelBase):
    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)


def make_gate_tool(engine: FlowEngine, *, person_only: bool, turns: anyio.CapacityLimiter) -> Tool:
    """The SDK's tool; with `person_only` the decision of an agent is put to the person first."""

    def look(flow_id: str, step_id: str, gate_token: str | None, ctx: Context[Any, Any]) -> Asked:
        if not person_only or not _can_ask(ctx):
            return Asked(None)
        return _waiting(engine.resume(flow_id), step_id, gate_token, was_answered=bool(ctx.input_responses))

    def ask(
        asked: Annotated[Asked, Resolve(look)], flow_id: str, outcome: str, rationale: str | None
    ) -> Elicit[PersonDecision] | NotAsked:
        if asked.gate is None:
            return NotAsked()
        form = PersonDecision if asked.gate["routes"]["revise"] is not None else FinalDecision
        return Elicit(_question(asked.gate, flow_id, outcome, rationale or ""), form)

    # The SDK makes the request's key on the wire of these two.
    ask.__module__, ask.__qualname__ = "stratum_gate_resolve", "decision"

    async def stratum_gate_resolve(
        flow_id: FlowId,
        step_id: StepId,
        outcome: Annotated[Outcome, Field(description="approve, revise or kill")],
        *,
        ctx: Context[Any, Any],
        asked: Annotated[Asked, Resolve(look)],
        person: Annotated[ElicitationResult[PersonDecision], Resolve(ask)],
        rationale: Annotated[str | None, Field(description="Why, for the audit trail.")] = None,
        resolved_by: Annotated[
            Literal["human", "agent", "system"] | None, Field(description="Who decided; `agent` by default.")
        ] = None,
        gate_token: Annotated[str | None, Field(description="The token of the gate that you decide.")] = None,
    ) -> Annotated[CallToolResult, RunResult]:
        proposed = {"outcome": outcome, "rationale": rationale or ""}
        decision = _decision(person, proposed, resolved_by or "agent")
        if decision is None:
            return pack(_not_resolved(flow_id, step_id, "did not decide"), run_summary)

        def call() -> Answer:
            # The person's word holds for the gate as it waited when they were asked, not for a later issue.
            token = asked.token or gate_token or (_SPENT if asked.was_answered else None)
            return engine.resolve_gate(flow_id, step_id, gate_token=token, **decision)

        return pack(await work(call, TITLE, ctx, turns), run_summary)

    tool = GateTool.from_function(
        stratum_gate_resolve,
        title=TITLE,
        description=DESCRIPTION,
        annotations=Hints(destructive=True, open_world=True).annotations(TITLE),
    )
    return _strict(tool)


class GateTool(Tool):
    """The SDK's tool, which takes a form that was filled in wrong for no decision."""

    async def run(
        self, arguments: dict[str, Any], context: Context[Any, Any], convert_result: bool = False
    ) -> Any:
        """See Tool.run."""
        try:
            return await super().run(arguments, context, convert_result)
        except UnexpectedToolError:
            raise
        except ToolError:
            what = "gave an answer that the form does not allow, so they did not decide"
            return pack(_not_resolved(arguments["flow_id"], arguments["step_id"], what), run_summary)


def _decision(person: ElicitationResult[PersonDecision], proposed: Answer, resolved_by: str) -> Answer | None:
    """What is to be recorded: the person's word, else (nobody was asked) the agent's; None without either."""
    match person:
        case AcceptedElicitation(data=PersonDecision() as said):
            own: Answer = {"outcome": said.outcome, "rationale": said.note}
            return own | {"resolved_by": "human", "channel": "elicitation", "proposed": proposed}
        case AcceptedElicitation():
            return proposed | {"resolved_by": resolved_by, "channel": "mcp"}
        case _:
            return None


def _strict(tool: Tool) -> Tool:
    """The tool with unknown arguments refused."""
    given = tool.fn_metadata.arg_model
    strict = create_model(given.__name__, __base__=(_Strict, given))
    tool.fn_metadata = ToolMetadata(arg_model=strict, output_model=RunResult)
    tool.parameters = strict.model_json_schema(by_alias=True)
    return tool


def _can_ask(ctx: Context[Any, Any]) -> bool:
    """Whether the client can show a form; one that names no mode at all shows forms."""
    capabilities = ctx.client_capabilities
    found = None if capabilities is None else capabilities.elicitation
    return found is not None and (found.form is not None or found.url is None)


def _waiting(state: Answer, step_id: str, gate_token: str | None, *, was_answered: bool) -> Asked:
    """The gate among those that wait; nobody is asked about one that the engine will refuse anyway."""
    for gate in state.get("gates", ()):
        if gate["step_id"] == step_id and gate_token in (None, gate["gate_token"]) and "routes" in gate:
            return Asked(gate["gate_token"], gate)
    return Asked(None, was_answered=was_answered)


def _question(gate: Answer, flow_id: str, outcome: str, rationale: str) -> str:
    """What the person reads; it names the gate's issue, so an answer to another issue is none to this."""
    why = f" It gives this reason: {cut(' '.join(rationale.split()))}" if rationale.strip() else ""
    first = (
        f"Gate `{gate['step_id']}` of run {flow_id} waits for your decision (rounds used: "
        f"{rounds_text(gate)}; issue {gate['gate_token'][:8]}). The agent proposes: {outcome}.{why}"
    )
    return "\n".join(map(_plain, [first, *outcome_lines(gate)]))


def _plain(line: str) -> str:
    """A line without controls and marks that turn text round, by which a person would read something else."""
    return "".join(one if one.isprintable() else "\ufffd" for one in line)


def _not_resolved(flow_id: str, step_id: str, what: str) -> Answer:
    return {
        "status": "error",
        "error_type": "not_resolved",
        "message": f"the person {what} gate `{step_id}`; it still waits",
        "flow_id": flow_id,
        "step_id": step_id,
        "next": "ask the person to run `stratumc gate`, or call again when they are ready to decide",
    }
