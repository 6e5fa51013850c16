"""The MCP server: which tools it has, in which order, and what it says of itself."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import anyio
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.tools import Tool
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, CallToolResult, InputRequiredResult

from stratum_runtime.flow import FlowEngine
from stratum_runtime.table import Table
from stratum_runtime.workflow import WorkflowEngine
from stratum_server.flow_tools import BEFORE_GATE, SpecCompiler, flow_tools
from stratum_server.gate_tool import make_gate_tool
from stratum_server.malformed import nearest
from stratum_server.tool import Answer, make_tool
from stratum_server.workflow_tools import workflow_tools

_AT_A_TIME = 8
"""Calls that run at the same time; others wait for their turn."""
_WORKFLOW = (
    "flow_*: the project's workflow. Call flow_check for what may happen next, and change the state only by "
    "flow_transition."
)
_FLOWS = (
    "stratum_*: runs of typed flows. stratum_plan starts one, stratum_step_done reports each step, "
    "stratum_gate_resolve decides gates; stratum_flows and stratum_resume find work again in a new session."
)
_PEOPLE = (
    "Gates are for people here: stratum_gate_resolve puts your proposal to the person, or is refused; then "
    "ask the person to run `stratumc gate`, and go on with stratum_resume."
)
_REFUSALS = "A refusal is a normal answer that says what you can do instead."


@dataclass(frozen=True, slots=True)
class FlowSet:
    """What the tools over runs need."""

    compiler: SpecCompiler
    engine: FlowEngine
    person_only: bool = False
    """Whether only the command line or the host's own prompt may resolve gates."""


class StratumServer(MCPServer[None]):
    """The SDK's server, which takes a call of an unknown tool for a malformed one."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[None, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """See MCPServer.call_tool.

        Raises:
            MCPError: also for an unknown tool.
        """
        known = [tool.name for tool in await self.list_tools()]
        if name not in known:
            mend = nearest(name, known, "there are")
            raise MCPError(INVALID_PARAMS, f"malformed call: unknown tool `{name}` ({mend})")
        return await super().call_tool(name, arguments, context)


def build_server(
    version: str, *, workflow: WorkflowEngine | None = None, flows: FlowSet | None = None
) -> StratumServer:
    """A server with the given sets of tools, in a fixed order."""
    turns, compiling = anyio.CapacityLimiter(_AT_A_TIME), threading.Lock()
    tools: list[Tool] = []
    told: list[str] = []
    if workflow is not None:
        declared = workflow_tools(workflow)
        tools += [make_tool(spec, _alone(call, compiling), turns) for spec, call in declared]
        told.append(_WORKFLOW)
    if flows is not None:
        compiler = _OneAtATime(flows.compiler, compiling)
        made = [make_tool(spec, call, turns) for spec, call in flow_tools(compiler, flows.engine)]
        gate = make_gate_tool(flows.engine, person_only=flows.person_only, turns=turns)
        tools += [*made[:BEFORE_GATE], gate, *made[BEFORE_GATE:]]
        told += [_FLOWS, _PEOPLE] if flows.person_only else [_FLOWS]
    return StratumServer(
        "stratumc",
        title="stratumc",
        version=version,
        instructions=" ".join([*told, _REFUSALS]),
        tools=tools,
        log_level="WARNING",
        subscriptions=False,  # the list of tools never changes
    )


def _alone(call: Callable[..., Answer], lock: threading.Lock) -> Callable[..., Answer]:
    """The call, one at a time: the solver behind it is not made for several threads."""

    def run(**arguments: Any) -> Answer:
        with lock:
            return call(**arguments)

    return run


class _OneAtATime:
    """A compiler that is used by one thread at a time, for the same reason."""

    def __init__(self, compiler: SpecCompiler, lock: threading.Lock) -> None:
        self._compiler = compiler
        self._lock = lock

    def validate(self, spec: str) -> Answer:
        """See SpecCompiler.validate."""
        with self._lock:
            return self._compiler.validate(spec)

    def plan(self, spec: str) -> tuple[Table | None, list[Answer]]:
        """See SpecCompiler.plan."""
        with self._lock:
            return self._compiler.plan(spec)
