"""The MCP server: which tools it has, and how it runs on standard input and output."""

from __future__ import annotations

from dataclasses import dataclass

import anyio
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.tools import Tool

from stratum_server.flow_tools import FlowEngine, SpecCompiler, flow_tools
from stratum_server.gate_tool import Resolver, make_gate_tool
from stratum_server.tool import make_tool
from stratum_server.workflow_tools import WorkflowEngine, workflow_tools

INSTRUCTIONS = (
    "Two sets of tools. flow_*: the project's workflow; call flow_check for what may happen next, and "
    "change state only by "
    "flow_transition. stratum_*: runs of typed flows; stratum_plan starts one, stratum_step_done reports "
    "each step, "
    "stratum_gate_resolve decides gates. A refusal is a normal answer that says what you can do instead."
)


class GateEngine(FlowEngine, Resolver):
    """The run engine with its gates."""


@dataclass(frozen=True, slots=True)
class FlowSet:
    """What the tools over runs need."""

    compiler: SpecCompiler
    engine: GateEngine
    person_only: bool = False
    """Whether only the command line or the host's own prompt may resolve gates."""


def build_server(
    version: str, *, workflow: WorkflowEngine | None = None, flows: FlowSet | None = None
) -> MCPServer[None]:
    """A server with the given sets of tools, in a fixed order."""
    tools: list[Tool] = []
    if workflow is not None:
        turns = anyio.CapacityLimiter(1)
        tools += [make_tool(spec, turns) for spec in workflow_tools(workflow)]
    if flows is not None:
        turns = anyio.CapacityLimiter(1)
        tools += [make_tool(spec, turns) for spec in flow_tools(flows.compiler, flows.engine)]
        tools.insert(len(tools) - 6, make_gate_tool(flows.engine, person_only=flows.person_only, turns=turns))
    return MCPServer(
        "stratumc",
        title="stratumc",
        version=version,
        instructions=INSTRUCTIONS,
        tools=tools,
        log_level="WARNING",
    )


def serve_stdio(server: MCPServer[None]) -> None:
    """Serves until end of input; nothing but protocol goes to standard output."""
    server.run("stdio")
