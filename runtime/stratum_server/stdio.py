"""Serving on standard input and output: only protocol there, every request answered, and a clean end."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import traceback
from typing import Any, BinaryIO, NoReturn

import anyio
import anyio.to_thread
from mcp.server.mcpserver import MCPServer
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError

from stratum_runtime.flow.processes import AT_WORK

_GRACE_SECONDS = 0.5
"""How long calls that are at work when the input ends may still answer."""
_SIGNALS = {"SIGTERM": 0, "SIGHUP": 0, "SIGINT": 130}
"""Signals that end the server, with the exit status; 130 is what shells count for an interrupt."""
_BROKEN = 2
_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[\]{}]')
_ID = re.compile(rb'\s*:\s*(-?\d{1,18}|"[^"\\]{0,200}")\s*[,}]')


def serve_stdio(server: MCPServer[Any]) -> NoReturn:
    """Serves until end of input, or until a signal asks the process to end; then it ends at once.

    Commands of `evaluate` steps are ended with it. A call that has not answered by then changed nothing, or
    all that it changes is durable.
    """
    for name, status in _SIGNALS.items():
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), lambda *_, status=status: _leave(status))
    source, sink = _take_streams()
    try:
        anyio.run(_Connection(source, sink).serve, server)
    except BaseException:
        traceback.print_exc()
        _leave(_BROKEN)
    _leave(0)


def _take_streams() -> tuple[BinaryIO, BinaryIO]:
    """The wire, on descriptors of its own: whatever else prints goes to standard error, and reads nothing."""
    source, sink = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    return os.fdopen(source, "rb"), os.fdopen(sink, "wb", buffering=0)


def _leave(status: int) -> NoReturn:
    """Ends the process without waiting for any thread of it; the stores are safe against that."""
    AT_WORK.end_all()
    sys.stderr.flush()
    os._exit(status)


class _Connection:
    """One client on two streams, a message on each line."""

    def __init__(self, source: BinaryIO, sink: BinaryIO) -> None:
        self._source = source
        self._sink = sink
        self._to_server, self._incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        self._outgoing, self._from_server = anyio.create_memory_object_stream[SessionMessage](0)
        self._unanswered: dict[str | int, None] = {}

    async def serve(self, server: MCPServer[Any]) -> None:
        """Passes messages until end of input."""
        core = server._lowlevel_server  # the SDK offers no other way to serve on streams of one's own
        async with anyio.create_task_group() as group:
            group.start_soon(self._read)
            group.start_soon(self._write)
            await core.run(self._incoming, self._outgoing.clone(), core.create_initialization_options())

    async def _read(self) -> None:
        lines = anyio.CapacityLimiter(1)
        while line := await anyio.to_thread.run_sync(self._source.readline, limiter=lines):
            if line.strip():
                await self._take(line)
        AT_WORK.end_all()
        with anyio.move_on_after(_GRACE_SECONDS):
            while self._unanswered:
                await anyio.sleep(0.01)
        _leave(0)

    async def _take(self, line: bytes) -> None:
        """Hands a message on; what is none is answered here, or its sender would wait for ever."""
        try:
            message = jsonrpc_message_adapter.validate_json(line, by_name=False)
        except ValidationError as error:
            await self._outgoing.send(SessionMessage(rejection(line, error)))
            return
        if isinstance(message, JSONRPCNotification) and _has_id(line):
            fault = ErrorData(code=INVALID_REQUEST, message="the id of a request is a text or an integer")
            await self._outgoing.send(SessionMessage(JSONRPCError(jsonrpc="2.0", id=None, error=fault)))
            return
        if isinstance(message, JSONRPCRequest):
            self._unanswered[message.id] = None
        await self._to_server.send(SessionMessage(message))

    async def _write(self) -> None:
        lines = anyio.CapacityLimiter(1)
        async for packet in self._from_server:
            text = packet.message.model_dump_json(by_alias=True, exclude_unset=True)
            try:
                await anyio.to_thread.run_sync(self._put, text.encode() + b"\n", limiter=lines)
            except OSError:
                _leave(0)
            if isinstance(packet.message, JSONRPCResponse | JSONRPCError) and packet.message.id is not None:
                self._unanswered.pop(packet.message.id, None)

    def _put(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            rest = rest[self._sink.write(rest) :]


def _has_id(line: bytes) -> bool:
    """Whether what was taken for a notification is a request whose id is of no allowed kind."""
    return b'"id"' in line and "id" in json.loads(line)


def rejection(line: bytes, error: ValidationError) -> JSONRPCError:
    """The answer to a line that isn't a message: with the id of the request, where that can be told."""
    first = error.errors(include_url=False, include_input=False)[0]
    if first["type"] == "json_invalid":
        code, message = PARSE_ERROR, f"this line can't be read: {first['ctx']['error']}"
    else:
        code, message = INVALID_REQUEST, "this line isn't a JSON-RPC message"
    return JSONRPCError(jsonrpc="2.0", id=_id_of(line), error=ErrorData(code=code, message=message))


def _id_of(line: bytes) -> str | int | None:
    """The member `id` of the outermost object of a text that need not be JSON as a whole."""
    depth = 0
    for token in _TOKEN.finditer(line):
        found = token[0]
        if found in (b"{", b"["):
            depth += 1
        elif found in (b"}", b"]"):
            depth -= 1
        elif depth == 1 and found == b'"id"' and (value := _ID.match(line, token.end())):
            text = value[1].decode("utf-8", "replace")
            return text[1:-1] if text.startswith('"') else int(text)
    return None
