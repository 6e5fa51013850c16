"""The server driven by clients of others: the TypeScript SDK, the inspector, the conformance suite.

They are installed by `npm ci --prefix tests/server/node`, which .ci/run does.
"""

from __future__ import annotations

import json
import re
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from support.repository import ROOT
from support.serving import command, environment, make_server
from support.translation import INPUTS, checker, spec_text
from support.workflows import SMALL, lay_out

pytestmark = pytest.mark.slow

NODE = ROOT / "tests" / "server" / "node"
PATIENCE = 120.0
RESULTS = {
    "translate.pages": {"text": "…"},
    "translate.publish": {"title": "The manual", "languages": INPUTS["languages"]},
    "terms.collect": {"terms": ["table", "row"]},
}
CLIENTS = [("1", None), ("2", "2026-07-28")]
"""Versions of the TypeScript SDK, and the protocol revision that each says it speaks."""
SCENARIOS = [
    *("server-initialize", "ping", "tools-list", "resources-list", "prompts-list"),
    *("server-sse-multiple-streams", "dns-rebinding-protection"),
]
"""Those of the conformance suite that need no tools, resources or prompts made for it."""


def node(program: str, *arguments: str, folder: Path) -> str:
    """What a program of the installed packages prints."""
    assert shutil.which("node"), "Node.js is missing"
    assert (NODE / "node_modules").is_dir(), "first run: npm ci --prefix tests/server/node"
    done = subprocess.run(
        ["node", program, *arguments],
        cwd=folder,
        env=environment(folder),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def played(folder: Path, version: str, *arguments: str) -> Any:
    """How the example with every construct ended."""
    checker(folder)
    first, *rest = command("--tools", "flows", *arguments)
    told = {
        "server": {"command": first, "args": rest, "cwd": str(folder), "env": environment(folder)},
        "spec": spec_text(),
        "inputs": INPUTS,
        "workspace": str(folder),
        "results": RESULTS,
    }
    return json.loads(node(str(NODE / "play.mjs"), version, json.dumps(told), folder=folder))


@pytest.mark.parametrize(("version", "revision"), CLIENTS)
def test_the_typescript_client_runs_the_example_to_completion(
    tmp_path: Path, version: str, revision: str | None
) -> None:
    ended = played(tmp_path, version)
    assert ended["revision"] == revision
    assert len(ended["tools"]) == 10
    assert ended["asked"] == []
    assert ended["answer"]["status"] == "complete"
    assert ended["answer"]["output"] == RESULTS["translate.publish"]
    assert ended["statuses"] == ["execute_step"] * 4 + ["await_gate", "execute_step", "complete"]
    assert ended["refused"]["code"] == -32602
    assert "did you mean `limit`?" in ended["refused"]["message"]


@pytest.mark.parametrize(("version", "revision"), CLIENTS)
def test_the_typescript_client_asks_the_person(tmp_path: Path, version: str, revision: str | None) -> None:
    ended = played(tmp_path, version, "--gates", "human")
    assert ended["revision"] == revision
    assert ended["answer"]["status"] == "complete"
    assert [re.findall("rounds used: [^;]*", asked) for asked in ended["asked"]] == [
        ["rounds used: 0 of 2"],
        ["rounds used: 1 of 2"],
    ]


def inspected(folder: Path, *arguments: str) -> Any:
    """What the inspector's command line prints of the server."""
    inspector = NODE / "node_modules" / "@modelcontextprotocol" / "inspector" / "cli" / "build" / "cli.js"
    return json.loads(node(str(inspector), "--cli", *command(), *arguments, folder=folder))


def test_the_inspector_lists_and_calls_tools(tmp_path: Path) -> None:
    lay_out(tmp_path, SMALL)
    listed = inspected(tmp_path, "--method", "tools/list")
    assert len(listed["tools"]) == 15
    answer = inspected(
        tmp_path, "--method", "tools/call", "--tool-name", "flow_transition", "--tool-arg", "event=go"
    )
    assert answer["structuredContent"]["to"] == "b"
    assert answer["content"][0]["text"].startswith("Moved from `a` to `b` by `go`.")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The server over HTTP, which only this test does."""
    app = make_server(tmp_path_factory.mktemp("root")).streamable_http_app()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        served = uvicorn.Server(uvicorn.Config(app, log_level="error"))
        thread = threading.Thread(target=served.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            while not served.started:
                assert thread.is_alive()
                time.sleep(0.05)
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
        finally:
            served.should_exit = True
            thread.join(PATIENCE)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_public_conformance_suite(address: str, scenario: str, tmp_path: Path) -> None:
    suite = NODE / "node_modules" / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
    told = node(str(suite), "server", "--url", address, "--scenario", scenario, folder=tmp_path)
    passed = re.search(r"Passed: (\d+)/(\d+), 0 failed", told)
    assert passed is not None, told
    assert passed[1] == passed[2] != "0"
