"""The page on MCP: its entries start servers, its table has every tool, its sessions are what is answered."""

from __future__ import annotations

import json
import re
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from stratum_runtime.flow import FlowEngine
from stratum_runtime.store import MemoryStore
from stratum_server.server import FlowSet, build_server
from stratumc import __version__, create_engine
from stratumc.cli.serve import serve
from stratumc.driver.serve import TextCompiler
from support.golden import Golden
from support.repository import EXAMPLES, ROOT
from support.serving import Answer, Host, hosted, make_server
from support.workflows import lay_out

PAGE = ROOT / "docs" / "mcp.md"


def blocks(page: Path, opening: str) -> dict[str, str]:
    """The blocks that name a file, by that name."""
    pattern = rf"^```{opening} file=(\S+)\n(.*?)^```$"
    return dict(re.findall(pattern, page.read_text("utf-8"), re.M | re.S))


@pytest.mark.parametrize("name", [".mcp.json", "workflow.mcp.json", "flows.mcp.json"])
def test_an_entry_starts_a_server(name: str) -> None:
    (entry,) = json.loads(blocks(PAGE, "json")[name])["mcpServers"].values()
    assert entry["command"] == "stratumc"
    command, *arguments = entry["args"]
    assert command == "serve"
    assert serve.make_context("serve", arguments).params["tools"] in ("all", "workflow", "flows")
    assert set(entry) <= {"command", "args", "env"}


def test_the_table_has_every_tool_and_tells_what_changes_nothing(tmp_path: Path) -> None:
    rows = re.findall(r"^\| `(\w+)` \| .* \| (.*) \|$", PAGE.read_text("utf-8"), re.M)
    with hosted(make_server(tmp_path)) as host:
        assert [name for name, _ in rows] == [tool.name for tool in host.tools]
        for (name, changes), tool in zip(rows, host.tools, strict=True):
            assert tool.annotations is not None
            assert tool.annotations.read_only_hint == (changes == "nothing"), name


class Session:
    """Calls, and the text of each answer, as the page shows them."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._lines: list[str] = []

    def call(self, tool: str, *, shown: Answer | None = None, **arguments: Any) -> Answer:
        """Makes a call; `shown` replaces arguments that are too long to be shown."""
        answer = self._host.call(tool, **arguments)
        told = json.dumps({**arguments, **(shown or {})}, ensure_ascii=False)
        self._lines += [f"> {tool} {told}", self._host.text.rstrip(), ""]
        return answer

    def text(self) -> str:
        """The session as a block."""
        return "\n".join(["```text", *self._lines[:-1], "```"])


def workflow_session(folder: Path) -> str:
    example = EXAMPLES / "document-review" / ".forge" / "workflow.json"
    lay_out(folder, json.loads(example.read_text("utf-8")))
    with hosted(build_server(__version__, workflow=create_engine(folder))) as host:
        session = Session(host)
        session.call("flow_check")
        session.call("flow_transition", event="submitted", reason="first draft")
        session.call("flow_transition", event="published")
        session.call("flow_check", context={"document": {"open_comments": 0}})
        session.call("flow_transition", event="auto", context={"document": {"open_comments": 0}})
        session.call("flow_explain", to="archived")
        change: dict[str, Any] = {
            "operation": "add_transition",
            "state": "approved",
            "event": "reopened",
            "target": "drafting",
        }
        session.call("flow_modify", **change)
        return session.text()


def flow_session() -> str:
    numbers = count(1)
    engine = FlowEngine(MemoryStore(), new_token=lambda: f"{next(numbers) * 0x9E3779B1 % 2**32:08x}")
    spec = blocks(ROOT / "docs" / "runs.md", "yaml")["poem.stratum.yaml"]
    with hosted(build_server(__version__, flows=FlowSet(TextCompiler(), engine))) as host:
        session = Session(host)
        short: Answer = {"spec": "version: 1 …"}
        session.call("stratum_validate", shown=short, spec=spec)
        at = session.call("stratum_plan", shown=short, spec=spec, inputs={"about": "rain"})
        run = {"flow_id": at["flow_id"]}
        for text in ("rain", "rain, rain, rain"):
            token = at["dispatch_token"]
            at = session.call(
                "stratum_step_done", **run, step_id="poem", result={"text": text}, dispatch_token=token
            )
        decision = {"step_id": "good", "gate_token": at["gate_token"], "resolved_by": "agent"}
        at = session.call("stratum_gate_resolve", **run, **decision, outcome="revise", rationale="say more")
        token = at["dispatch_token"]
        better = {"text": "rain on the roof"}
        at = session.call("stratum_step_done", **run, step_id="poem", result=better, dispatch_token=token)
        session.call("stratum_gate_resolve", **run, step_id="good", outcome="approve")
        session.call("stratum_step_done", **run, step_id="poem", result=better, dispatch_token=token)
        session.call("stratum_audit", **run)
        return session.text()


def test_the_sessions_are_what_is_answered(golden: Golden, tmp_path: Path) -> None:
    page = PAGE.read_text("utf-8")
    for name, text in (("workflow", workflow_session(tmp_path)), ("flows", flow_session())):
        start, end = f"<!-- session: {name} -->\n", "<!-- end of session -->"
        before, _, rest = page.partition(start)
        _, _, after = rest.partition(end)
        assert after, f"the page has no session {name}"
        page = f"{before}{start}{text}\n{end}{after}"
    golden.check(PAGE, page)
