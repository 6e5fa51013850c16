"""The server's tools called by the SDK's own client, in this process and over pipes."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import anyio
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, TextContent, Tool

from stratum_runtime.flow import FlowEngine
from stratum_runtime.store import MemoryStore, RunStore
from stratum_server.server import FlowSet, StratumServer, build_server
from stratumc import __version__, create_engine
from stratumc.driver.serve import TextCompiler

Answer = dict[str, Any]

HANDSHAKE, STATELESS = "legacy", "2026-07-28"
ERAS = (HANDSHAKE, STATELESS)
"""How the SDK's client calls the two eras of the protocol: 2025-11-25 with its handshake, and without."""


def make_server(root: Path, *, gates: str = "any", store: RunStore | None = None) -> StratumServer:
    """Both sets of tools: the workflow below `root`, and runs in memory with tokens of a known form."""
    tokens = count(1)
    engine = FlowEngine(store or MemoryStore(), new_token=lambda: f"{next(tokens):08}-token", gates=gates)
    flows = FlowSet(TextCompiler(), engine, person_only=gates == "human")
    return build_server(__version__, workflow=create_engine(root), flows=flows)


class Host:
    """Calls tools the way an agent's host does; the client holds each answer against its output schema."""

    def __init__(self, portal: BlockingPortal, client: Client) -> None:
        self._portal = portal
        self._client = client
        self.tools: list[Tool] = list(self.do(client.list_tools).tools)
        self.text = ""
        """The words of the last answer."""

    def do(self, work: Callable[..., Awaitable[Any]], *arguments: Any) -> Any:
        """Does something in the client's event loop."""
        return self._portal.call(work, *arguments)

    def call(self, tool: str, **arguments: Any) -> Answer:
        """A tool's answer, which may have no field that its schema doesn't declare."""
        result: CallToolResult = self.do(self._client.call_tool, tool, arguments)
        self.text = checked(result)
        answer: Answer | None = result.structured_content
        assert answer is not None
        (schema,) = (one.output_schema for one in self.tools if one.name == tool)
        assert schema is not None
        assert [name for name in answer if name not in schema["properties"]] == [], tool
        return answer

    def at_once(self, *calls: tuple[str, Answer]) -> list[Answer]:
        """The answers to calls that are sent without waiting for each other, as they came."""
        answers: list[Answer] = []

        async def call(tool: str, arguments: Answer) -> None:
            result = await self._client.call_tool(tool, arguments)
            checked(result)
            answers.append(result.structured_content)

        async def send() -> None:
            async with anyio.create_task_group() as group:
                for tool, arguments in calls:
                    group.start_soon(call, tool, arguments)

        self.do(send)
        return answers

    def malformed(self, tool: str, arguments: Any) -> str:
        """The message of the protocol error that a malformed call gets."""
        try:
            result = self.do(self._client.call_tool, tool, arguments)
        except MCPError as error:
            return str(error)
        raise AssertionError(f"answered: {result}")


@contextmanager
def hosted(server: Any, era: str = STATELESS, **client: Any) -> Iterator[Host]:
    """A client that is connected to a server object, or to the pipes of a process."""
    with start_blocking_portal() as portal:
        connection = portal.wrap_async_context_manager(Client(server, mode=era, **client))
        with connection as connected:
            yield Host(portal, connected)


def checked(result: CallToolResult) -> str:
    """The words of an answer's text, whose data must be the same as the structured ones."""
    assert not result.is_error, result
    (content,) = result.content
    assert isinstance(content, TextContent)
    words, _, data = content.text.rpartition("\n\n")
    assert words.strip()
    assert json.loads(data) == result.structured_content
    return words


def command(*arguments: str) -> list[str]:
    """The command line of a server in a process of its own."""
    return [sys.executable, "-m", "stratumc", "serve", *arguments]


def process(folder: Path, *arguments: str) -> StdioServerParameters:
    """The server in a process of its own, with `folder` as root and its own store."""
    first, *rest = command(*arguments)
    return StdioServerParameters(command=first, args=rest, env=environment(folder), cwd=str(folder))


def environment(folder: Path) -> dict[str, str]:
    """The environment of such a process."""
    return {**os.environ, "STRATUM_STATE_ROOT": str(folder / "state"), "PYTHONWARNINGS": "always"}


def piped(folder: Path, *arguments: str, era: str = STATELESS, **client: Any) -> AbstractContextManager[Host]:
    """A client that is connected to a server in a process of its own."""
    return hosted(stdio_client(process(folder, *arguments)), era, **client)
