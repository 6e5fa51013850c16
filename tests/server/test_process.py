"""`stratumc serve` as a process: only protocol on its output, an answer to every request, a clean end."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp_types import ElicitRequestParams, ElicitResult

from support.serving import ERAS, command, environment, piped
from support.translation import TranslationRun, checker, spec_text
from support.wire import PATIENCE, wired
from support.workflows import SMALL, lay_out


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
