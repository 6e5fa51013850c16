"""`stratumc serve` as a process: only protocol on its output, an answer to every request, a clean end."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp_types import ElicitRequestParams, ElicitResult

from support.serving import ERAS, command, environment, piped
from support.translation import TranslationRun, checker, spec_text
from support.workflows import SMALL, lay_out

PATIENCE = 30.0
HELLO = {
    "jsonrpc": "2.0",
    "id": "hello",
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    },
}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


class Wire:
    """A server on pipes, and the lines that go over them."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process

    def write(self, *lines: bytes | dict[str, Any]) -> None:
        assert self.process.stdin is not None
        for line in lines:
            self.process.stdin.write(line if isinstance(line, bytes) else json.dumps(line).encode())
            self.process.stdin.write(b"\n")
        self.process.stdin.flush()

    def read(self) -> Any:
        """The next line; whatever is no JSON fails here."""
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def answer(self) -> Any:
        """The next answer; a loaded machine may tell of progress before."""
        while "method" in (line := self.read()):
            assert line["method"] == "notifications/progress"
        return line

    def call(self, number: int, tool: str, arguments: str) -> bytes:
        return (
            f'{{"jsonrpc":"2.0","id":{number},"method":"tools/call",'
            f'"params":{{"name":"{tool}","arguments":{arguments},"_meta":{{"progressToken":"p"}}}}}}'
        ).encode()

    def end(self) -> tuple[int, bytes]:
        """Closes the input; the exit status, and whatever came on the output until then."""
        out, err = self.process.communicate(timeout=PATIENCE)
        assert b"Traceback" not in err, err.decode()
        return self.process.returncode, out


@contextmanager
def wired(folder: Path, *arguments: str, program: list[str] | None = None) -> Iterator[Wire]:
    with subprocess.Popen(
        program or command(*arguments),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
        env=environment(folder),
    ) as process:
        try:
            wire = Wire(process)
            wire.write(HELLO, READY)
            assert wire.answer()["id"] == "hello"
            yield wire
        finally:
            process.kill()


def is_alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_until(what: Any) -> None:
    deadline = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.02)


SLEEPER = """
import os, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
with open("pids.tmp", "w") as file:
    file.write(f"{os.getpid()} {child.pid}")
os.rename("pids.tmp", "pids")
time.sleep(600)
"""


@contextmanager
def at_work(folder: Path) -> Iterator[tuple[Wire, list[int]]]:
    """A server in the middle of the command of an `evaluate` step, and the processes of that command."""
    checker(folder, SLEEPER)
    spec = {
        "version": 1,
        "contracts": {
            "W": {"text": "string"},
            "V": {
                "status": "closed|open|failed",
                "children": "array",
                "reason": "string",
                "score": "number?",
                "route": "claude|codex?",
            },
        },
        "flows": {
            "entry": "f",
            "f": {
                "input": {},
                "output": {"from": "${check.output}", "contract": "V"},
                "steps": [
                    {"id": "work", "do": "work", "out": "W"},
                    {
                        "id": "check",
                        "after": ["work"],
                        "evaluate": {
                            "command": "./tools/check-spelling",
                            "in": "${work.output}",
                            "timeout_ms": 500000,
                        },
                        "out": "V",
                    },
                ],
            },
        },
    }
    with wired(folder, "--tools", "flows") as wire:
        told = {"spec": json.dumps(spec), "inputs": {}, "workspace_root": str(folder)}
        wire.write(wire.call(1, "stratum_plan", json.dumps(told)))
        planned = wire.answer()["result"]["structuredContent"]
        report = {"flow_id": planned["flow_id"], "step_id": "work", "result": {"text": ""}}
        wire.write(wire.call(2, "stratum_step_done", json.dumps(report)))
        wait_until((folder / "pids").exists)
        yield wire, [int(pid) for pid in (folder / "pids").read_text().split()]


def states(folder: Path) -> list[tuple[str, int]]:
    """The runs in the store of a folder: status and steps completed."""
    from stratum_runtime.flow import FlowEngine
    from stratum_runtime.store import SqliteStore

    runs = FlowEngine(SqliteStore(folder / "state" / "runs.sqlite")).flows()["flows"]
    return [(run["status"], run["steps_completed"]) for run in runs]


def test_the_end_of_input_ends_a_command_with_the_server(tmp_path: Path) -> None:
    with at_work(tmp_path) as (wire, pids):
        assert all(is_alive(pid) for pid in pids)
        status, _ = wire.end()
    assert status == 0
    wait_until(lambda: not any(is_alive(pid) for pid in pids))
    assert states(tmp_path) == [("in_progress", 0)]


@pytest.mark.parametrize(
    ("number", "status"),
    [
        (signal.SIGTERM, 0),
        pytest.param(signal.SIGHUP, 0, marks=pytest.mark.slow),
        pytest.param(signal.SIGINT, 130, marks=pytest.mark.slow),
    ],
)
def test_a_signal_ends_a_command_with_the_server(tmp_path: Path, number: int, status: int) -> None:
    with at_work(tmp_path) as (wire, pids):
        wire.process.send_signal(number)
        assert wire.process.wait(PATIENCE) == status
        assert wire.process.stderr is not None
        assert b"Traceback" not in wire.process.stderr.read()
    wait_until(lambda: not any(is_alive(pid) for pid in pids))
    assert states(tmp_path) == [("in_progress", 0)]


def test_long_work_tells_of_its_progress_and_lets_others_work(tmp_path: Path) -> None:
    with at_work(tmp_path) as (wire, _):
        wire.write(wire.call(3, "stratum_flows", "{}"))
        told: list[str] = []
        answered = None
        while answered is None or "Report a step is still at work" not in told:
            line = wire.read()
            if "method" in line:
                assert line["params"]["progressToken"] == "p"
                told.append(line["params"]["message"])
            else:
                answered = line
        assert answered["id"] == 3
        assert answered["result"]["structuredContent"]["flows"][0]["status"] == "in_progress"


def test_a_reader_that_goes_away_ends_it(tmp_path: Path) -> None:
    with wired(tmp_path) as wire:
        assert wire.process.stdout is not None
        wire.process.stdout.close()
        wire.write(wire.call(1, "stratum_flows", "{}"))
        assert wire.process.wait(PATIENCE) == 0


def test_what_was_asked_before_the_end_of_input_is_answered(tmp_path: Path) -> None:
    with wired(tmp_path) as wire:
        wire.write(wire.call(1, "stratum_flows", "{}"), wire.call(2, "flow_check", "{}"))
        status, out = wire.end()
    assert status == 0
    assert sorted(json.loads(line)["id"] for line in out.splitlines()) == [1, 2]


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
    flows.write(f'{{"jsonrpc":"2.0","id":{number},"method":"ping"}}')
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
        (STEP % "NaN", "a number that JSON has not"),
        (STEP % "1e999", "a number that JSON has not"),
        (STEP % ("1" * 3000), "a number that JSON has not"),
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


NOISY = """
import os, subprocess, sys, warnings
from stratum_server.server import FlowSet, build_server
from stratum_server.stdio import serve_stdio
from stratumc.driver.serve import TextCompiler
from stratumc.cli.runs import open_engine

class Noisy(TextCompiler):
    def validate(self, spec):
        print("during", flush=True)
        os.write(1, b"during, below\\n")
        child = "print('a child'); import sys; assert sys.stdin.read() == ''"
        subprocess.run([sys.executable, "-c", child], check=True)
        warnings.warn("a warning")
        return super().validate(spec)

serve_stdio(build_server("0", flows=FlowSet(Noisy(), open_engine())))
"""


def test_only_protocol_is_on_the_output_whatever_prints(tmp_path: Path) -> None:
    with wired(tmp_path, program=[sys.executable, "-c", NOISY]) as wire:
        wire.write(wire.call(1, "stratum_validate", json.dumps({"spec": spec_text()})))
        assert wire.answer()["result"]["structuredContent"]["valid"] is True
        assert wire.process.stdin is not None
        out, err = wire.process.communicate(timeout=PATIENCE)
    assert out == b""
    for word in (b"during\n", b"during, below\n", b"a child\n", b"a warning"):
        assert word in err


def test_the_tools_of_a_workflow_need_no_store(tmp_path: Path) -> None:
    with wired(tmp_path, "--tools", "workflow") as wire:
        wire.write({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
        names = [tool["name"] for tool in wire.answer()["result"]["tools"]]
        assert len(names) == 5
        assert wire.end() == (0, b"")
    assert not (tmp_path / "state").exists()


def test_a_store_that_is_none_is_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "runs.sqlite").write_bytes(b"no database, long enough to be seen as none" * 30)
    done = subprocess.run(
        command(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        cwd=tmp_path,
        env=environment(tmp_path),
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"runs.sqlite can't be used" in done.stderr


@pytest.mark.parametrize("era", ERAS)
def test_the_example_with_every_construct_runs_to_completion(tmp_path: Path, era: str) -> None:
    lay_out(tmp_path, SMALL)
    with piped(tmp_path, era=era) as host:
        assert host.call("flow_check")["state"] == "a"
        done = TranslationRun(host.call, tmp_path).play()
        assert done["status"] == "complete"
        assert done["output"] == {"title": "The manual", "languages": ["fr", "de", "pl"]}
        audit = host.call("stratum_audit", flow_id=done["flow_id"])
    assert {step["type"] for step in audit["trace"]} == {"run", "fanout", "evaluate", "set", "gate", "do"}
    assert audit["round"] == 1


def test_a_run_is_taken_up_by_the_next_server(tmp_path: Path) -> None:
    checker(tmp_path)
    with piped(tmp_path) as host:
        run = TranslationRun(host.call, tmp_path)
        first = run.plan()
    with piped(tmp_path) as host:
        (line,) = host.call("stratum_flows")["flows"]
        again = host.call("stratum_resume", flow_id=line["flow_id"])
        assert again["dispatch_token"] == first["dispatch_token"]
        done = TranslationRun(host.call, tmp_path).go_on(again)
    assert done["status"] == "complete"


@pytest.mark.slow
@pytest.mark.parametrize("era", ERAS)
def test_the_person_at_the_host_is_asked_over_the_pipes(tmp_path: Path, era: str) -> None:
    asked: list[str] = []

    async def answer(_context: Any, params: ElicitRequestParams) -> ElicitResult:
        asked.append(params.message)
        return ElicitResult(action="accept", content={"outcome": "approve"})

    with piped(tmp_path, "--gates", "human", era=era, elicitation_callback=answer) as host:
        done = TranslationRun(host.call, tmp_path).play()
        audit = host.call("stratum_audit", flow_id=done["flow_id"])
    assert (done["status"], len(asked), audit["round"]) == ("complete", 1, 0)
