"""Any series of calls, restarts and torn logs does what a dictionary would do."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

import stratumc
from support.workflows import SMALL, lay_out

EVENTS = {
    "a": {"go": "b", "stay": "a", "panic": "c"},
    "b": {"back": "a", "on": "c", "off": "a", "panic": "c"},
    "c": {"resume": None},
}
"""The small workflow, read by hand."""

RESUMES = {"a": "a", "b": "b"}
PROJECTS = st.sampled_from([None, "one", "one/two"])


class Projects(RuleBasedStateMachine):
    """Three projects under one root; the model is a dictionary of their states and a list of entries."""

    def __init__(self) -> None:
        super().__init__()
        self.root = Path(tempfile.mkdtemp())
        lay_out(self.root, SMALL)
        self.engine = stratumc.create_engine(self.root)
        self.states: dict[str, dict[str, Any]] = {}
        self.entries: list[tuple[str, str, str, str]] = []

    def teardown(self) -> None:
        shutil.rmtree(self.root)

    @rule(
        project=PROJECTS,
        event=st.sampled_from(["go", "stay", "panic", "back", "on", "off", "resume", "auto", "no"]),
        rounds=st.none() | st.integers(0, 5),
        expected=st.none() | st.sampled_from(["a", "b", "c"]),
        updates=st.dictionaries(st.sampled_from(["x", "y"]), st.integers(), max_size=2),
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
        target = EVENTS[state].get(event, "")
        if event == "auto" and state == "b" and rounds is not None and rounds >= 3:
            target = "c"
        if target is None:
            target = RESUMES.get(previous, "")
        if not target or (expected is not None and expected != state):
            assert "error" in answer
            return
        assert (answer["from"], answer["event"], answer["to"]) == (state, event, target)
        self.states[name] = before | {"workflow_state": target, "previous_workflow_state": state} | updates
        self.entries.append((name, state, event, target))

    @rule()
    def restart(self) -> None:
        self.engine = stratumc.create_engine(self.root)

    @rule(torn=st.sampled_from([b"", b"{", b'{"from": "a', b"\xc3", b"  "]))
    def crash_in_the_log(self, torn: bytes) -> None:
        path = self.root / ".forge" / "flow-log.jsonl"
        if path.exists():
            with open(path, "ab") as file:
                file.write(torn)

    @rule(project=PROJECTS)
    def crash_before_the_log(self, project: str | None) -> None:
        """A new state that no line of the log speaks of: as a process leaves it that is killed in between."""
        folder = self.root / (project or "") / ".forge"
        if (folder / "dev-state.json").exists():
            (folder / f".dev-state.json.{len(self.entries) + 1}.next").write_text('{"workflow_state": "c"')

    @invariant()
    def states_are_as_in_the_model(self) -> None:
        for name, state in self.states.items():
            path = self.root / name / ".forge" / "dev-state.json"
            assert json.loads(path.read_bytes()) == state
            answer = self.engine.check(project_path=None if name == "." else name)
            assert (answer["state"], answer["previous_state"]) == (
                state["workflow_state"],
                state["previous_workflow_state"],
            )

    @invariant()
    def the_log_is_as_in_the_model(self) -> None:
        answer = self.engine.history(limit=10_000)
        found = [(one["project"], one["from"], one["event"], one["to"]) for one in answer["entries"]]
        assert found[::-1] == self.entries
        assert answer["problems"] == []
        assert [one["seq"] for one in answer["entries"]] == list(range(len(self.entries), 0, -1))


TestProjects = Projects.TestCase
TestProjects.settings = settings(max_examples=25, stateful_step_count=25)
