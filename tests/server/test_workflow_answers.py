"""Each documented answer of workflow.md section 4, over MCP: how it comes about, and what it has."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from support.serving import Answer, Host, hosted, make_server
from support.workflows import SMALL, lay_out

ROUNDS = {"session_counters": {"rounds": 3}}


class Project:
    """A folder with a workflow in it, and a host that calls the tools on it."""

    def __init__(self, host: Host, root: Path) -> None:
        self.host = host
        self.root = root

    def check(self, **arguments: Any) -> Answer:
        return self.host.call("flow_check", **arguments)

    def go(self, event: str, **arguments: Any) -> Answer:
        return self.host.call("flow_transition", event=event, **arguments)

    def explain(self, **arguments: Any) -> Answer:
        return self.host.call("flow_explain", **arguments)

    def history(self, **arguments: Any) -> Answer:
        return self.host.call("flow_history", **arguments)

    def modify(self, operation: str, **arguments: Any) -> Answer:
        return self.host.call("flow_modify", operation=operation, **arguments)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    lay_out(tmp_path, SMALL, plugin={"name": "plugin", "states": {"extra": {"description": "Extra."}}})
    with hosted(make_server(tmp_path)) as host:
        yield Project(host, tmp_path)


def break_file(project: Project) -> None:
    text = (project.root / ".forge" / "workflow.json").read_text("utf-8")
    (project.root / ".forge" / "workflow.json").write_text(text.replace('"target": "b"', '"target": "ghost"'))


def options(project: Project) -> Answer:
    return project.check()


def auto_action(project: Project) -> Answer:
    return project.check(workflow_state="b", context=ROUNDS)


def unresolved(project: Project) -> Answer:
    return project.check(workflow_state="b")


def moved(project: Project) -> Answer:
    return project.go("go", reason="why not", state_updates={"task": "é"}, expected_state="a")


def moved_by_trigger(project: Project) -> Answer:
    project.go("go")
    return project.go("auto", context=ROUNDS)


def explained(project: Project) -> Answer:
    return project.explain(**{"from": "a", "to": "b", "avoid": ["c"]})


def by_trigger(project: Project) -> Answer:
    project.modify("remove_transition", state="b", event="on")
    return project.explain(**{"from": "b", "to": "c", "context": ROUNDS})


def by_state_before(project: Project) -> Answer:
    return project.explain(**{"from": "c", "to": "b"})


def reachable_by_state_before(project: Project) -> Answer:
    return project.explain(**{"from": "c"})


def from_nowhere(project: Project) -> Answer:
    return project.explain(**{"from": "extra", "to": "c"})


def reachable(project: Project) -> Answer:
    return project.explain()


def no_path(project: Project) -> Answer:
    return project.explain(to="extra")


def history(project: Project) -> Answer:
    for _ in range(5):
        project.go("go")
        project.go("off")
    return project.history(limit=3, summary=True)


def filtered(project: Project) -> Answer:
    project.go("go")
    return project.history(event="go", from_state="a", to_state="b", since="2020-01-01", until="2120-01-01")


def preview(project: Project) -> Answer:
    return project.modify("add_transition", state="a", event="skip", target="c", action=None)


def written(project: Project) -> Answer:
    arguments = {"state": "a", "event": "skip", "target": "c"}
    token = project.modify("add_transition", **arguments)["token"]
    answer = project.modify("add_transition", **arguments, confirm=True, token=token)
    text = project.host.text
    assert "skip" in [option["event"] for option in project.check()["options"]]
    project.host.text = text
    return answer


def workflow_invalid(project: Project) -> Answer:
    break_file(project)
    return project.check()


def not_allowed(project: Project) -> Answer:
    return project.go("back")


def no_trigger(project: Project) -> Answer:
    return project.go("auto")


def conflict(project: Project) -> Answer:
    return project.go("go", expected_state="b")


def unknown_state(project: Project) -> Answer:
    return project.check(workflow_state="ghost")


def bad_state_file(project: Project) -> Answer:
    (project.root / ".forge" / "dev-state.json").write_text("{", "utf-8")
    return project.check()


def owned_field(project: Project) -> Answer:
    return project.go("go", state_updates={"workflow_state": "c"})


def outside(project: Project) -> Answer:
    return project.check(project_path="../elsewhere")


def bad_argument(project: Project) -> Answer:
    return project.history(since="yesterday")


def not_resumable(project: Project) -> Answer:
    project.go("panic")
    project.modify("remove_resumption_target", state="a")
    arguments = {"state": "a"}
    token = project.modify("remove_resumption_target", **arguments)["token"]
    project.modify("remove_resumption_target", **arguments, confirm=True, token=token)
    return project.go("resume")


def stale_token(project: Project) -> Answer:
    return project.modify("add_state", state="d", confirm=True, token="old")


def bad_change(project: Project) -> Answer:
    return project.modify("change_transition", state="a", event="go", target="ghost")


def of_fragment(project: Project) -> Answer:
    return project.modify("remove_state", state="extra")


def in_use(project: Project) -> Answer:
    token = project.modify("add_state", state="d")["token"]
    project.modify("add_state", state="d", confirm=True, token=token)
    (project.root / ".forge" / "dev-state.json").write_text('{"workflow_state": "d"}', "utf-8")
    return project.modify("remove_state", state="d")


def io_error(project: Project) -> Answer:
    (project.root / ".forge" / "dev-state.json").mkdir()
    return project.check()


def told_why(project: Project) -> Answer:
    project.go("go", reason="time to go")
    return project.history()


def counted(project: Project) -> Answer:
    project.go("go")
    project.go("back")
    project.go("go")
    return project.history(summary=True)


def nothing_to_resume(project: Project) -> Answer:
    return project.check(workflow_state="c")


STATE = ["state", "previous_state", "description", "global_actions", "unresolved"]
MOVED = ["from", "to", "event", "action", "judgment", "condition", "seq"]
ANSWERS: list[tuple[Callable[[Project], Answer], str, list[str], str]] = [
    (options, "", [*STATE, "options"], "- `go` leads to `b`, then run /do-b"),
    (auto_action, "", [*STATE, "auto_action"], "apply the event `auto` to enter `c`"),
    (unresolved, "", [*STATE, "options"], "Not decided: `session_counters.rounds"),
    (moved, "", [*MOVED, "options"], "Now run /do-b"),
    (moved_by_trigger, "", [*MOVED, "options"], "Moved from `b` to `c` by `auto`."),
    (explained, "", ["from", "to", "length", "path"], "by event `go`, run /do-b"),
    (by_trigger, "", ["from", "to", "length", "path"], "From `b` to `c` in 1 hop."),
    (by_state_before, "", ["when_previous_state"], "in 1 hop, when the state before was `b`."),
    (reachable_by_state_before, "", ["reachable"], "`b` (1, when the state before was `b`)"),
    (from_nowhere, "", ["note"], "Note: no way is known from the initial state `a` to `extra`"),
    (reachable, "", ["from", "reachable", "unreachable"], "`b` (1)"),
    (no_path, "", ["from", "to", "path", "message", "reasons", "reachable", "nearest"], "there is no path"),
    (history, "", ["entries", "total", "problems", "summary"], "always `off` (5 times)"),
    (filtered, "", ["entries", "total", "problems"], "1 transition"),
    (told_why, "", ["entries"], "by `go`: time to go"),
    (counted, "", ["summary"], "Applied: `go` 2 times, `back` 1 time."),
    (nothing_to_resume, "", ["options"], "Can't be applied now, as there is nothing to resume: `resume`."),
    (preview, "", ["operation", "token", "file", "diff", "graph", "warnings"], "nothing is written yet"),
    (written, "", ["operation", "written", "file", "diff", "graph"], "the new graph is loaded"),
    (workflow_invalid, "workflow_invalid", ["diagnostics"], "STATE_UNKNOWN"),
    (not_allowed, "event_not_allowed", ["state", "valid_events"], "valid events: `go`, `stay`, `panic`"),
    (no_trigger, "no_trigger", ["state", "valid_events"], "Valid events: `go`, `stay`, `panic`."),
    (conflict, "state_conflict", ["state", "valid_events"], "in state `a`, not in `b`"),
    (unknown_state, "unknown_state", ["state", "states"], "States: `a`, `b`, `c`, `extra`."),
    (bad_state_file, "state_file_invalid", [], "You can: mend the state file, or remove it"),
    (owned_field, "owned_field", ["field"], "`workflow_state`"),
    (outside, "outside_root", [], "../elsewhere"),
    (bad_argument, "invalid_argument", ["argument"], "`since`"),
    (not_resumable, "not_resumable", ["state", "valid_events"], "no resumption target"),
    (stale_token, "stale_token", [], "preview again"),
    (bad_change, "change_invalid", ["diagnostics"], "error STATE_UNKNOWN"),
    (of_fragment, "owned_by_fragment", ["fragment"], "`plugin`"),
    (in_use, "state_in_use", ["state", "project"], "leave it first"),
    (io_error, "io_error", [], "can't read"),
]


@pytest.mark.parametrize(
    ("produce", "code", "fields", "words"), ANSWERS, ids=[produce.__name__ for produce, *_ in ANSWERS]
)
def test_an_answer(
    project: Project, produce: Callable[[Project], Answer], code: str, fields: list[str], words: str
) -> None:
    answer = produce(project)
    if code:
        assert list(answer) == ["error"]
        answer = answer["error"]
        assert answer["code"] == code
        assert answer["message"]
        assert project.host.text.startswith(f"Refused ({code}): ")
    else:
        assert "error" not in answer
    assert [name for name in fields if name not in answer] == []
    assert words in project.host.text


def test_a_preview_says_when_the_layout_changes_too(project: Project) -> None:
    file = project.root / ".forge" / "workflow.json"
    for indent, words in ((2, "\nThe file:\n---"), (4, "\nThe file, which is laid out anew besides:\n---")):
        file.write_text(json.dumps(SMALL, indent=indent), "utf-8")
        assert preview(project)["changes_layout"] is (indent == 4)
        assert words in project.host.text


def test_every_documented_code_is_in_the_table() -> None:
    from stratum_runtime.workflow.refusals import CODES

    assert {code for _, code, _, _ in ANSWERS} == {"", *CODES}


def test_every_tool_serves_the_diagnostics_until_the_file_is_mended(project: Project) -> None:
    whole = (project.root / ".forge" / "workflow.json").read_text("utf-8")
    break_file(project)
    calls: list[tuple[str, Answer]] = [
        ("flow_check", {}),
        ("flow_transition", {"event": "go"}),
        ("flow_explain", {}),
        ("flow_history", {}),
        ("flow_modify", {"operation": "add_state", "state": "d"}),
    ]
    answers = [project.host.call(tool, **arguments) for tool, arguments in calls]
    assert all(answer == answers[0] for answer in answers)
    (found,) = answers[0]["error"]["diagnostics"]
    assert (found["code"], found["span"]["file"]) == ("STATE_UNKNOWN", ".forge/workflow.json")
    (project.root / ".forge" / "workflow.json").write_text(whole, "utf-8")
    assert project.check()["state"] == "a"


def test_what_no_message_can_hold_is_told_all_the_same(project: Project) -> None:
    entry = {"seq": 1, "time": "2026-01-01T00:00:00Z", "project": ".", "from": "a", "event": "go", "to": "b"}
    entry |= {"action": None, "judgment": False, "condition": None, "reason": "half \ud800", "digest": ""}
    lines = [json.dumps(entry), json.dumps({**entry, "seq": 2, "reason": float("nan")})]
    (project.root / ".forge" / "flow-log.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    assert [found["reason"] for found in project.history()["entries"]] == [None, "half ?"]
