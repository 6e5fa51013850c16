"""A project's files below `.forge`, and what the workflow tools answered about it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from stratum_runtime.workflow import WorkflowEngine
from support.workflows import Json


def workflow_file(root: Path) -> Path:
    """The base file of the workflow."""
    return root / ".forge" / "workflow.json"


def state_of(root: Path) -> Json:
    """The state file, as it stands."""
    value: Json = json.loads((root / ".forge" / "dev-state.json").read_bytes())
    return value


def put_state(root: Path, text: str) -> Path:
    """Replaces the state file by hand; its path."""
    path = root / ".forge" / "dev-state.json"
    path.write_text(text)
    return path


def log_of(root: Path) -> list[Json]:
    """The entries of the log, oldest first; none where there is no log yet."""
    path = root / ".forge" / "flow-log.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def code(answer: Json) -> str | None:
    """The code of a refusal, which has a message and is JSON; None for an answer."""
    error = answer.get("error")
    assert error is None or error["message"]
    json.dumps(answer)
    return None if error is None else str(error["code"])


def refusal(answer: Json) -> tuple[str, str]:
    """Code and message of a refusal."""
    json.dumps(answer)
    return answer["error"]["code"], answer["error"]["message"]


def modify(engine: WorkflowEngine, operation: str, **arguments: Any) -> Json:
    """Previews an edit of the workflow, then confirms it."""
    preview = engine.modify(operation, **arguments)
    assert "error" not in preview, preview
    return engine.modify(operation, **arguments, confirm=True, token=preview["token"])


def ask_every_tool(engine: WorkflowEngine) -> list[Json]:
    """What each of the five tools answers to a call that the small workflow allows."""
    return [
        engine.check(),
        engine.transition("go"),
        engine.explain(to="b"),
        engine.history(),
        engine.modify("add_state", state="x"),
    ]
