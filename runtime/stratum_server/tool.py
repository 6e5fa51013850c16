"""How a tool is made: typed arguments in, one dict out, both on the wire and as text."""

from __future__ import annotations

import difflib
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
from mcp_types import INVALID_PARAMS, CallToolResult, TextContent, ToolAnnotations
from pydantic import BaseModel, ValidationError

from stratum_server.arguments import Arguments, JsonObject

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


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """One tool as its set declares it."""

    name: str
    title: str
    description: str
    arguments: type[Arguments]
    result: type[BaseModel]
    hints: Hints
    call: Callable[..., Answer]
    """Gets the given arguments by name, on a worker thread."""
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
            faults = "; ".join(
                _fault(fault["type"], fault["loc"], fault["msg"], known) for fault in error.errors()
            )
            raise MCPError(INVALID_PARAMS, f"malformed arguments: {faults}") from None


def _fault(kind: str, place: tuple[int | str, ...], message: str, known: list[str]) -> str:
    """One fault of the arguments in the caller's words."""
    name = ".".join(map(str, place))
    if kind == "missing":
        return f"argument `{name}` is missing"
    if kind != "extra_forbidden":
        return f"argument `{name}`: {message[:1].lower()}{message[1:]}"
    near = difflib.get_close_matches(name, known, 1)
    mend = f"did you mean `{near[0]}`?" if near else f"the tool takes {', '.join(known) or 'none'}"
    return f"unknown argument `{name}` ({mend})"


def _as_object(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        parsed = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return parsed if isinstance(parsed, dict) else value


def make_tool(spec: ToolSpec, turns: anyio.CapacityLimiter) -> Tool:
    """The SDK's tool for a declaration. `turns` lets calls of one set run one after the other."""

    async def run(ctx: Context[Any, Any], **arguments: Any) -> CallToolResult:
        return await answer(spec, arguments, ctx, turns)

    metadata = ToolMetadata(arg_model=spec.arguments, output_model=spec.result)
    return Tool(
        fn=run,
        name=spec.name,
        title=spec.title,
        description=spec.description,
        parameters=spec.arguments.model_json_schema(by_alias=True),
        fn_metadata=metadata,
        is_async=True,
        context_kwarg="ctx",
        annotations=spec.hints.annotations(spec.title),
    )


async def answer(
    spec: ToolSpec, arguments: Mapping[str, Any], ctx: Context[Any, Any], turns: anyio.CapacityLimiter
) -> CallToolResult:
    """Calls the engine on a worker thread, with progress while it takes long, and packs its answer."""
    result: list[Answer] = []
    async with anyio.create_task_group() as group:
        group.start_soon(_heartbeat, spec.title, ctx)
        result.append(
            await anyio.to_thread.run_sync(lambda: spec.call(**python_names(arguments)), limiter=turns)
        )
        group.cancel_scope.cancel()
    return pack(result[0], spec.summary(result[0]))


def python_names(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments by the names of the Python API, where a keyword of the language takes an underscore."""
    return {f"{name}_" if name in ("from", "except") else name: value for name, value in arguments.items()}


def pack(result: Answer, summary: str) -> CallToolResult:
    """An answer as structured content, and as text that is useful alone: a summary, then the same data."""
    text = f"{summary}\n\n{json.dumps(result, ensure_ascii=False, separators=(',', ':'))}"
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=result)


async def _heartbeat(title: str, ctx: Context[Any, Any]) -> None:
    beats = 0
    while True:
        await anyio.sleep(_HEARTBEAT_SECONDS)
        beats += 1
        await ctx.report_progress(beats, message=f"{title} is still at work")
