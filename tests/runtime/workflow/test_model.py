"""Any series of calls, crashes, edits by hand and torn logs does what a dictionary would do."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any
from unittest import mock

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

import stratumc
from stratum_runtime.workflow.log import LogFile
from support.workflows import SMALL, lay_out

EVENTS: dict[str, dict[str, str | None]] = {
    "a": {"go": "b", "stay": "a", "panic": "c"},
    "b": {"back": "a", "on": "c", "off": "a", "panic": "c"},
    "c": {"resume": None},
}
"""The small workflow, read by hand."""

RESUMES = {"a": "a", "b": "b"}
UPDATES = st.dictionaries(st.sampled_from(["x", "y"]), st.integers(), max_size=2)
PROJECTS = st.sampled_from([None, "one", "one/two"])


class KilledError(BaseException):
    """Ends a call as the end of its process would: nothing is caught, nothing is put right."""


class Projects(RuleBasedStateMachine):
    """Three projects under one root; the model is a dictionary of their states and a list of entries."""

    def __init__(self) -> None:
        super().__init__()
        self.root = Path(tempfile.mkdtemp())
        lay_out(self.root, SMALL)
        self.engine = stratumc.create_engine(self.root)
        self.states: dict[str, dict[str, Any]] = {}
        self.entries: list[tuple[str, str, str, str]] = []
        self.shown: dict[str, dict[str, Any]] = {}
        """What the state files show while a change is pending."""

    def teardown(self) -> None:
        shutil.rmtree(self.root)

    @rule(
        project=PROJECTS,
        event=st.sampled_from(["go", "stay", "panic", "back", "on", "off", "resume", "auto", "no"]),
        rounds=st.none() | st.integers(0, 5),
        expected=st.none() | st.sampled_from(["a", "b", "c"]),
        updates=UPDATES,
    )
    def transition(
        self,
        project: str | None,
        event: str,
        rounds: int | None,
        expected: str | None,
        updates: dict[str, int],
    ) -> None:
        name = project or "."
        before = self.states.get(name, {})
        state, previous = before.get("workflow_state", "a"), before.get("previous_workflow_state")
        context = None if rounds is None else {"session_counters": {"rounds": rounds}}
        answer = self.engine.transition(
            event, context=context, expected_state=expected, state_updates=updates, project_path=project
        )
        self.shown.pop(name, None)
        target = EVENTS[state].get(event, "")
        if event == "auto" and state == "b" and rounds is not None and rounds >= 3:
            target = "c"
        if target is None:
            target = RESUMES.get(str(previous), "")
        if not target or (expected is not None and expected != state):
            assert "error" in answer
            return
        assert (answer["from"], answer["event"], answer["to"]) == (state, event, target), answer
        self._moved(name, event, target, updates)

    def _moved(self, name: str, event: str, target: str, updates: dict[str, int]) -> None:
        before = self.states.get(name, {})
        state = before.get("workflow_state", "a")
        self.states[name] = before | {"workflow_state": target, "previous_workflow_state": state} | updates
        self.entries.append((name, state, event, target))

    @rule()
    def restart(self) -> None:
        self.engine = stratumc.create_engine(self.root)

    @rule(torn=st.sampled_from([b"", b"{", b'{"from": "a', b'{"seq": 1', b"  ", b"\n\n"]))
    def crash_in_the_log(self, torn: bytes) -> None:
        """What an append leaves that stops half-way; each one mends the end of the log first."""
        path = self.root / ".forge" / "flow-log.jsonl"
        if path.exists() and path.read_bytes().endswith(b"\n"):
            with open(path, "ab") as file:
                file.write(torn)

    @rule(project=PROJECTS, updates=UPDATES)
    def crash_before_the_log(self, project: str | None, updates: dict[str, int]) -> None:
        """A new state that no line of the log speaks of."""
        if (project or ".") in self.states:
            with mock.patch.object(LogFile, "append", side_effect=KilledError):
                self._killed(project, "panic", updates)
            self.shown.pop(project or ".", None)

    @rule(project=PROJECTS, updates=UPDATES)
    def crash_after_the_log(self, project: str | None, updates: dict[str, int]) -> None:
        """A line whose new state is not in its place yet."""
        name = project or "."
        before = self.states.get(name, {"workflow_state": "c"})
        if name in self.shown or before["workflow_state"] == "c":
            return
        with mock.patch.object(os, "rename", side_effect=KilledError):
            self._killed(project, "panic", updates)
        self.shown[name] = before
        self._moved(name, "panic", "c", updates)

    def _killed(self, project: str | None, event: str, updates: dict[str, int]) -> None:
        try:
            self.engine.transition(event, state_updates=updates, project_path=project)
        except KilledError:
            self.restart()

    @precondition(lambda self: self.states)
    @rule(project=PROJECTS, number=st.integers(), layout=st.sampled_from([None, 2]))
    def edit_by_hand(self, project: str | None, number: int, layout: int | None) -> None:
        """Another program writes the whole file with a field of its own, a pending change or not."""
        name = project or "."
        if name in self.states:
            self.states[name] = self.states[name] | {"mine": number}
            if name in self.shown:
                self.shown[name] = self.shown[name] | {"mine": number}
            text = json.dumps(self.shown.get(name, self.states[name]), indent=layout)
            (self.root / name / ".forge" / "dev-state.json").write_text(text)

    @invariant()
    def states_are_as_in_the_model(self) -> None:
        for name, state in self.states.items():
            path = self.root / name / ".forge" / "dev-state.json"
            assert json.loads(path.read_bytes()) == self.shown.get(name, state)
            answer = self.engine.check(project_path=None if name == "." else name)
            assert (answer["state"], answer["previous_state"]) == (
                state["workflow_state"],
                state["previous_workflow_state"],
            )
            if name not in self.shown:
                assert [file for file in os.listdir(path.parent) if file.endswith(".aside")] == []

    @invariant()
    def the_log_is_as_in_the_model(self) -> None:
        answer = self.engine.history(limit=10_000)
        found = [(one["project"], one["from"], one["event"], one["to"]) for one in answer["entries"]]
        assert found[::-1] == self.entries
        assert answer["problems"] == []
        assert [one["seq"] for one in answer["entries"]] == list(range(len(self.entries), 0, -1))


TestProjects = Projects.TestCase
TestProjects.settings = settings(max_examples=25, stateful_step_count=25)
