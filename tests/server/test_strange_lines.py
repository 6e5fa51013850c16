"""Lines that are no messages, no calls, or hold strange values: each is answered, and the next one works."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from support.wire import Wire, wired


@pytest.fixture(scope="module")
def flows(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wire]:
    """A server that many strange lines are sent to, one after the other."""
    with wired(tmp_path_factory.mktemp("root"), "--tools", "flows") as wire:
        yield wire
        status, _ = wire.end()
        assert status == 0


STEP = '{"flow_id":"x","step_id":"a","result":{"text":%s}}'


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (STEP % r'"\ud800"', -32700, "this line can't be read: "),
        (STEP % ("[" * 20_000 + "]" * 20_000), -32700, "recursion limit exceeded"),
        (STEP % "nope", -32700, "this line can't be read: "),
        (STEP % '"a\tb"', -32700, "control character"),
        ("5", -32602, ""),
    ],
    ids=["surrogate", "depth", "no-json", "control", "no-object"],
)
def test_a_line_that_is_no_call_is_answered_under_its_id(
    flows: Wire, arguments: str, code: int, told: str
) -> None:
    flows.write(flows.call(7, "stratum_step_done", arguments))
    answer = flows.answer()
    assert (answer["id"], answer["error"]["code"]) == (7, code)
    assert told in answer["error"]["message"]
    flows.write(flows.call(8, "stratum_flows", "{}"))
    assert flows.answer()["id"] == 8


@pytest.mark.parametrize("number", ["1.5", "true", "null", "[]"])
def test_an_id_of_no_allowed_kind_is_refused(flows: Wire, number: str) -> None:
    flows.write(f'{{"jsonrpc":"2.0","id":{number},"method":"ping"}}'.encode())
    answer = flows.answer()
    assert (answer["id"], answer["error"]["code"]) == (None, -32600)
    flows.write(flows.call(8, "stratum_flows", "{}"))
    assert flows.answer()["id"] == 8


@pytest.mark.parametrize(
    ("line", "number", "code"),
    [
        (b"garbage", None, -32700),
        (b"\xff\xfe", None, -32700),
        (b"[]", None, -32600),
        (b'{"jsonrpc":"2.0","id":9}', 9, -32600),
        (b'{"a":{"id":1},"id" : "x","jsonrpc":', "x", -32700),
        (b'{"id":"a\\"b"', None, -32700),
    ],
)
def test_a_line_that_is_no_message_is_answered(line: bytes, number: Any, code: int) -> None:
    from mcp_types import jsonrpc_message_adapter
    from pydantic import ValidationError

    from stratum_server.stdio import rejection

    with pytest.raises(ValidationError) as raised:
        jsonrpc_message_adapter.validate_json(line)
    answer = rejection(line, raised.value)
    assert (answer.id, answer.error.code) == (number, code)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (STEP % "NaN", "a number that JSON doesn't have"),
        (STEP % "1e999", "a number that JSON doesn't have"),
        (STEP % ("1" * 3000), "a number that JSON doesn't have"),
        (STEP % ('"' + "é" * 10_000_000 + '"'), "larger than"),
        (STEP % ("[" * 180 + "]" * 180), "there is no run"),
        (STEP % r'"\u0000"', "there is no run"),
        (r'{"flow_id":"\u0000","step_id":"a"}', "characters that no text may hold"),
    ],
    ids=["nan", "infinity", "digits", "10-megabytes", "180-deep", "nul", "nul-in-id"],
)
def test_strange_values_are_refused_in_words(flows: Wire, arguments: str, told: str) -> None:
    flows.write(flows.call(1, "stratum_step_done", arguments))
    answer = flows.answer()["result"]
    assert answer["structuredContent"]["status"] == "error"
    assert told in answer["structuredContent"]["message"]
    assert answer["isError"] is False


def test_a_document_of_ten_megabytes_is_answered(flows: Wire) -> None:
    flows.write(flows.call(1, "stratum_validate", json.dumps({"spec": "a" * 10_000_000})))
    assert flows.answer()["result"]["structuredContent"]["valid"] is False
