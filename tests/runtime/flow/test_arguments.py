"""Bad arguments are answered, never raised, and change nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stratum_runtime.flow import FlowEngine
from stratum_runtime.store import MemoryStore
from support.flow_runs import Played, gate, note, spec_of, table_of

CIRCLE: list[Any] = []
CIRCLE.append(CIRCLE)
DEEP: Any = "x"
for _ in range(5000):
    DEEP = [DEEP]

NOT_JSON = (
    float("nan"),
    float("inf"),
    10**400,
    {1: 2},
    {"a": {None: 1}},
    {1, 2},
    (1, 2),
    b"x",
    object(),
    CIRCLE,
    DEEP,
    {"a": "x" * 9_000_000},
)


@pytest.mark.parametrize("value", NOT_JSON, ids=range(len(NOT_JSON)))
def test_what_is_no_json_value(value: Any) -> None:
    run = Played(note("last"))
    before = run.state
    answers = [run.report("last", result=value)]
    if not isinstance(value, int):
        answers.append(run.report("last", result={}, usage=value))
    for answer in answers:
        assert (answer["status"], answer["error_type"]) == ("error", "invalid_argument")
    assert run.engine.plan(table_of(spec_of(note("last"))), inputs=value)["error_type"] == "invalid_argument"
    assert run.state == before


def calls(run: Played, bad: Any) -> Iterator[dict[str, Any]]:
    engine, flow_id = run.engine, run.flow_id
    yield engine.step_done(bad, "first")
    yield engine.step_done(flow_id, bad)
    yield engine.step_done(flow_id, "first", failure=bad)
    yield engine.step_done(flow_id, "first", dispatch_token=bad)
    yield engine.resolve_gate(bad, "check", "approve")
    yield engine.resolve_gate(flow_id, bad, "approve")
    yield engine.resolve_gate(flow_id, "check", bad)
    yield engine.resolve_gate(flow_id, "check", "approve", rationale=bad)
    yield engine.resolve_gate(flow_id, "check", "approve", resolved_by=bad)
    yield engine.resolve_gate(flow_id, "check", "approve", gate_token=bad)
    yield engine.resolve_gate(flow_id, "check", "approve", channel=bad)
    yield engine.commit(flow_id, bad)
    yield engine.revert(flow_id, bad)
    yield engine.cancel(flow_id, bad)
    yield engine.cancel(bad)
    yield engine.resume(bad)
    yield engine.audit(bad)
    yield engine.snapshot(bad)
    yield engine.flows(status=bad)
    yield engine.flows(limit=bad)
    yield engine.plan(bad, inputs={})
    yield engine.plan(table_of(spec_of(note("last"))), flow=bad, inputs={})
    yield engine.plan(table_of(spec_of(note("last"))), inputs={}, workspace_root=bad)


@pytest.mark.parametrize(
    "bad", [3, 1.5, True, [], {}, b"x", object(), "\ud800", "a\0b", "x" * 200_000], ids=range(10)
)
def test_every_argument_of_every_call(bad: Any) -> None:
    run = Played(note("first"), gate("check"), note("last", after=["first", "check"]))
    before = run.state
    for number, answer in enumerate(calls(run, bad)):
        if bad == 3 and "flows" in answer:
            continue
        assert answer["status"] == "error", (number, answer)
        assert answer["error_type"] == "invalid_argument", (number, answer)
        assert answer["message"]
    assert run.state == before


def test_a_result_and_a_failure_can_not_come_together() -> None:
    run = Played(note("last"))
    assert run.report("last", result={}, failure="no")["error_type"] == "invalid_argument"


def test_a_workspace_that_is_not_there(tmp_path: Path) -> None:
    engine = FlowEngine(MemoryStore())
    answer = engine.plan(table_of(spec_of(note("last"))), inputs={}, workspace_root=tmp_path / "none")
    assert answer["error_type"] == "invalid_argument"


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=60)
@given(ANYTHING, ANYTHING, ANYTHING)
def test_nothing_raises(one: Any, two: Any, three: Any) -> None:
    run = Played(note("last"))
    answers = (
        run.report("last", result=one, usage=two, dispatch_token=three),
        run.report(one, failure=two),
        run.decide("last", one, rationale=two, gate_token=three),
        run.engine.commit(run.flow_id, one),
        run.engine.plan(table_of(spec_of(note("last"))), inputs=one),
    )
    assert all(isinstance(answer["status"], str) for answer in answers)


def test_an_id_that_is_taken_is_not_given_again() -> None:
    store = MemoryStore()
    first, second = (FlowEngine(store, new_token=lambda: "same") for _ in range(2))
    table = table_of(spec_of(note("last")))
    assert first.plan(table, inputs={})["status"] == "execute_step"
    before = first.snapshot("same")
    assert second.plan(table, inputs={})["error_type"] == "invalid_argument"
    assert first.snapshot("same") == before
