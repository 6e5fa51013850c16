"""How a tool is made: typed arguments in, one object out, both as data and as text."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import anyio
import anyio.to_thread
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.tools import Tool
from mcp.server.mcpserver.utilities.func_metadata import FuncMetadata
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, CallToolResult, InputRequiredResult, TextContent, ToolAnnotations
from pydantic import BaseModel, ValidationError

from stratum_runtime.flow.processes import CommandsEndedError
from stratum_runtime.store import StoreError
from stratum_server.arguments import Arguments, JsonObject
from stratum_server.malformed import faults_text

Answer = dict[str, Any]
_HEARTBEAT_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Hints:
    """The four hints that a host may act on; their defaults in the protocol are the dangerous ones."""

    read_only: bool = False
    destructive: bool = False
    idempotent: bool = False
    open_world: bool = False

    def annotations(self, title: str) -> ToolAnnotations:
        """The hints as the protocol writes them."""
        return ToolAnnotations(
            title=title,
            read_only_hint=self.read_only,
            destructive_hint=self.destructive,
            idempotent_hint=self.idempotent,
            open_world_hint=self.open_world,
        )


READS = Hints(read_only=True, idempotent=True)


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """One tool as its set declares it."""

    name: str
    title: str
    description: str
    arguments: type[Arguments]
    result: type[BaseModel]
    hints: Hints
    summary: Callable[[Answer], str]


class ToolMetadata(FuncMetadata):
    """Argument handling that never reads a string as JSON unless the argument is an object."""

    def pre_parse_json(self, data: dict[str, Any]) -> dict[str, Any]:
        """Some hosts send objects as JSON text; strings (a state named `null`, a spec) stay as they are."""
        objects = {
            field.alias or name
            for name, field in self.arg_model.model_fields.items()
            if field.annotation in (JsonObject, JsonObject | None)
        }
        return {name: _as_object(value) if name in objects else value for name, value in data.items()}

    def validate_arguments(self, arguments_to_validate: dict[str, Any]) -> dict[str, Any]:
        """The arguments by name.

        Raises:
            MCPError: a malformed call, naming each argument and the mend.
        """
        try:
            return super().validate_arguments(arguments_to_validate)
        except ValidationError as error:
            known = [field.alias or name for name, field in self.arg_model.model_fields.items()]
            raise MCPError(INVALID_PARAMS, f"malformed call: {faults_text(error, known)}") from None

    def convert_result(self, result: Any) -> CallToolResult | InputRequiredResult:
        """The result as it is: the schema is held by tests, and no answer is withheld on its account."""
        if isinstance(result, CallToolResult | InputRequiredResult):
            return result
        return super().convert_result(result)


def _as_object(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        parsed = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return parsed if isinstance(parsed, dict) else value


def make_tool(spec: ToolSpec, call: Callable[..., Answer], turns: anyio.CapacityLimiter) -> Tool:
    """The SDK's tool for a declaration. `call` gets the given arguments by name, on a worker thread;
    `turns` says how many calls of one set may run at a time.
    """

    async def run(ctx: Context[Any, Any], **arguments: Any) -> CallToolResult:
        result = await work(lambda: call(**python_names(arguments)), spec.title, ctx, turns)
        return pack(result, spec.summary)

    return Tool(
        fn=run,
        name=spec.name,
        title=spec.title,
        description=spec.description,
        parameters=spec.arguments.model_json_schema(by_alias=True),
        fn_metadata=ToolMetadata(arg_model=spec.arguments, output_model=spec.result),
        is_async=True,
        context_kwarg="ctx",
        annotations=spec.hints.annotations(spec.title),
    )


async def work(
    call: Callable[[], Answer], title: str, ctx: Context[Any, Any], turns: anyio.CapacityLimiter
) -> Answer:
    """Calls the engine on a worker thread, and tells the caller of progress while that takes long."""
    result: list[Answer] = []
    async with anyio.create_task_group() as group:
        group.start_soon(_heartbeat, title, ctx)
        result.append(await anyio.to_thread.run_sync(_answered, call, limiter=turns))
        group.cancel_scope.cancel()
    return result[0]


def _answered(call: Callable[[], Answer]) -> Answer:
    """The call's answer, also where the store fails or the server is about to end."""
    try:
        return call()
    except StoreError as error:
        after = "mend the store, then call again"
        return {"status": "error", "error_type": "io_error", "message": str(error), "next": after}
    except CommandsEndedError as error:
        after = "the call changed nothing: take the run up again with stratum_resume"
        return {"status": "error", "error_type": "interrupted", "message": str(error), "next": after}


def python_names(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments by the names of the Python API, where a keyword of the language takes an underscore."""
    return {f"{name}_" if name in ("from", "except") else name: value for name, value in arguments.items()}


def pack(result: Answer, summary: Callable[[Answer], str]) -> CallToolResult:
    """An answer as data, and as text that is useful alone: a summary, then the same data."""
    sent = result
    try:
        data = _json(sent)
        data.encode()
    except ValueError:
        sent = _sendable(result)
        data = _json(sent)
    text = TextContent(type="text", text=f"{summary(sent)}\n\n{data}")
    return CallToolResult(content=[text], structured_content=sent)


def _json(result: Answer) -> str:
    return json.dumps(result, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _sendable(result: Answer) -> Answer:
    """Files and their names may hold what no message can: half a character becomes `?`, a NaN null."""
    data = json.dumps(result, ensure_ascii=False).encode("utf-8", "replace")
    sent: Answer = json.loads(data, parse_constant=lambda _: None)
    return sent


async def _heartbeat(title: str, ctx: Context[Any, Any]) -> None:
    beats = 0
    while True:
        await anyio.sleep(_HEARTBEAT_SECONDS)
        beats += 1
        await ctx.report_progress(beats, message=f"{title} is still at work")
