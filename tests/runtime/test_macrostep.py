"""Macrosteps of runs, as the core alone decides them."""

from __future__ import annotations

from typing import Any

import pytest

from stratum_runtime import Event, Refused, Table, start, step
from stratum_runtime.configuration import Vector, restore
from support.documents import document, gate, table_of, task
from support.play import Answers, Play


def test_a_chain_runs_to_its_end() -> None:
    play = Play(table_of(document(task("a"), task("last", after=["a"]))))
    assert play.states == {"a": "ready", "last": "pending"}
    play.done("a")
    assert play.states == {"a": "succeeded", "last": "ready"}
    assert play.told == ["record_attempt", "store_output", "issue"]
    play.done("last")
    assert play.run.status == "complete"
    assert play.refuse("result", "last", "accepted").code == "ended"


def test_attempts_are_counted_and_stale_evidence_is_not_retried() -> None:
    table = table_of(document(task("last", attempts=3)))
    play = Play(table)
    play.fail("last")
    assert play.states == {"last": "ready"}
    play.fail("last")
    play.fail("last")
    assert (play.run.cells[0][1], play.run.status) == (3, "failed")
    play = Play(table)
    play.fail("last", fresh=False)
    assert (play.run.cells[0][1], play.run.status) == (1, "failed")


def test_iterations_end_at_their_limit() -> None:
    steps = {"iterate": {"max": 2, "until": "true"}, "attempts": 9}
    play = Play(table_of(document(task("last", **steps))))
    play.send("result", "last", "unfinished")
    assert play.states == {"last": "ready"}
    play.send("result", "last", "unfinished")
    assert (play.run.cells[0][3], play.run.status) == (2, "failed")


def test_unrendered_tasks_use_up_their_attempts_at_once() -> None:
    play = Play(table_of(document(task("last", attempts=3))), Answers(renders=False))
    assert play.run.cells[0][:2] == (5, 3)
    assert play.run.status == "failed"


def test_failing_over_skips_what_hangs_on_the_failed_step() -> None:
    steps = [
        task("f", attempts=1, on_fail="t"),
        task("only", after=["f"]),
        task("t"),
        task("last", after=["only", "t"]),
    ]
    play = Play(table_of(document(*steps)))
    assert play.states == {"f": "ready", "only": "pending", "t": "pending", "last": "pending"}
    play.fail("f")
    assert play.states == {"f": "failed", "only": "skipped", "t": "ready", "last": "pending"}
    play.done("t")
    play.done("last")
    assert play.run.status == "complete"


def test_an_unrouted_step_is_skipped_when_its_routers_have_ended() -> None:
    play = Play(table_of(document(task("f", on_fail="t"), task("t"), task("last", after=["t"]))))
    play.done("f")
    assert play.states == {"f": "succeeded", "t": "skipped", "last": "ready"}


def test_skipped_whens_count_as_dependencies_met() -> None:
    steps = [task("maybe", when="false"), task("last", after=["maybe"])]
    play = Play(table_of(document(*steps)), Answers(unless=True))
    assert play.states == {"maybe": "skipped", "last": "ready"}


def test_steps_come_in_declaration_order_and_pass_after_pass() -> None:
    table = table_of(
        document(task("last", after=["b"]), task("b", after=["a"], when="false"), task("a"), task("c"))
    )
    play = Play(table, Answers(unless=True))
    assert [row.region for row in play.done("a").rows] == [2, 1, 0, 0]


REVISED = document(
    task("a"),
    task("last", after=["a"]),
    gate("check", after=["last"], on_revise="last", max_rounds=1),
    max_rounds=5,
)


def test_a_revise_resets_the_closure() -> None:
    play = Play(table_of(REVISED))
    play.done("a")
    play.done("last")
    assert play.states == {"a": "succeeded", "last": "succeeded", "check": "waiting_gate"}
    outcome = play.send("revise", "check")
    assert ((2,), "reset", ((1, 2),)) in outcome.effects
    assert play.states == {"a": "succeeded", "last": "ready", "check": "pending"}
    assert play.run.rounds == 1
    assert play.run.cells[1] == (1, 0, 0, 0, 1, ())
    assert play.run.cells[2] == (0, 0, 0, 1, 1, ())
    play.done("last")
    play.send("revise", "check")
    assert (play.run.status, play.run.rounds) == ("failed", 1)


def test_gates_without_a_way_back_refuse_revise() -> None:
    play = Play(table_of(document(task("last"), gate("check", after=["last"]))))
    play.done("last")
    refusal = play.refuse("revise", "check")
    assert (refusal.code, refusal.accepted) == ("not_accepted", ("approve", "kill"))
    play.send("kill", "check")
    assert play.run.status == "killed"


def test_unresolved_carry_values_refuse_a_revise() -> None:
    content = document(
        task("plan"),
        {"id": "last", "do": "w ${wave}", "out": "Note", "after": ["plan"]},
        gate("again", after=["last"], on_revise="last"),
        max_rounds=3,
        carry={"wave": {"initial": "${plan.output.text}", "on_revise": {"again": "${last.output.text}"}}},
    )
    play = Play(table_of(content), Answers(carries=lambda address, _: address == (0,)))
    play.done("plan")
    assert "write_carry" in play.told
    play.done("last")
    refusal = play.refuse("revise", "again")
    assert (refusal.code, refusal.guard) == ("guarded", "carries")


def test_a_dispatch_over_the_flows_budget_ends_the_run() -> None:
    table = table_of(document(task("a"), task("last", after=["a"]), budget={"dispatches": 1}))
    spent = Answers(
        affords=lambda address: address == (0,), refused=lambda _address, ledger: ledger == "flow"
    )
    play = Play(table, spent)
    play.done("a")
    assert play.run.status == "budget_exhausted"
    assert play.states == {"a": "succeeded", "last": "pending"}


def test_cancel_is_for_the_run_itself() -> None:
    play = Play(table_of(document(task("last"))))
    play.send("cancel", "run")
    assert play.run.status == "cancelled"
    assert play.refuse("cancel", "run").code == "ended"


@pytest.mark.parametrize("event", ["enable", "dispatch", "settled", "fail", "start"])
def test_internal_events_are_not_for_callers(event: str) -> None:
    play = Play(table_of(document(task("last"))))
    assert play.refuse(event, "last").code == "not_accepted"


def test_a_run_is_started_once() -> None:
    play = Play(table_of(document(task("last"))))
    assert play.refuse("start", "run").code == "not_accepted"


def test_a_step_leaves_the_configuration_before_alone() -> None:
    play = Play(table_of(REVISED))
    seen = []
    for event, name in (("result", "a"), ("result", "last"), ("revise", "check"), ("cancel", "run")):
        before, told = play.run, play.run.to_json()
        seen.append((before, told))
        play.send(event, name, "accepted")
        assert all(one.to_json() == then for one, then in seen)


@pytest.mark.parametrize("address", [(9,), (0, 0, 0), (-1,), (0, 5, 0), (0, 0), ()])
def test_addresses_of_nothing_are_refused(address: tuple[int, ...]) -> None:
    play = Play(table_of(document(task("last"))))
    outcome = step(play.table, play.run, Event("result", address, "accepted"))
    assert isinstance(outcome, Refused)
    assert outcome.code == "unknown_region"


def fanout(**more: Any) -> dict[str, Any]:
    body = {
        "over": "${input.xs}",
        "steps": [{"do": "a ${item}", "out": "Note"}, {"do": "b ${prev}", "out": "Note"}],
        "concurrency": 2,
        "isolation": "none",
        "require": "all",
        "merge": "sequential",
        **more,
    }
    return {"id": "fan", "fanout": body}


def fan_table(**more: Any) -> Table:
    return table_of(document(fanout(**more), task("last", after=["fan"]), input={"xs": "string[]"}))


def items(play: Play) -> list[str]:
    return [member.status for member in play.run.children[0].members]


def test_items_go_through_the_stages_as_many_at_a_time_as_allowed() -> None:
    play = Play(fan_table(), Answers(items=3))
    assert items(play) == ["ready_0", "ready_0", "pending"]
    play.done("fan/1")
    assert items(play) == ["ready_0", "ready_1", "pending"]
    play.done("fan/1")
    assert items(play) == ["ready_0", "succeeded", "ready_0"]
    for _ in range(2):
        play.done("fan/0")
        play.done("fan/2")
    assert play.states == {"fan": "succeeded", "last": "ready"}


@pytest.mark.parametrize(
    ("require", "count", "failing", "status"),
    [
        ("all", 0, 0, "in_progress"),
        ("any", 0, 0, "failed"),
        (1, 0, 0, "failed"),
        ("all", 2, 1, "failed"),
        ("any", 2, 1, "in_progress"),
        (2, 2, 1, "failed"),
    ],
)
def test_requirements(require: str | int, count: int, failing: int, status: str) -> None:
    stages = [{"do": "a ${item}", "out": "Note", "attempts": 1}]
    play = Play(fan_table(require=require, steps=stages), Answers(items=count))
    for number in range(count):
        if number < failing:
            play.fail(f"fan/{number}")
        else:
            play.done(f"fan/{number}")
    assert play.run.status == status


def test_a_child_flow_moves_after_its_parents_steps() -> None:
    content = document(
        {"id": "call", "run": "kid", "with": {"w": "x"}}, task("side"), task("last", after=["call"])
    )
    kid = {
        "input": {"w": "string"},
        "output": {"from": "${inner.output}", "contract": "Note"},
        "steps": [task("inner", attempts=1)],
    }
    content["flows"]["kid"] = kid
    table = table_of(content)
    host = Answers()
    play = Play(table, host)
    assert [place for place, effect in host.performed if effect == "issue"] == [(1,), (0, 0, 0)]
    assert play.run.child(0).status == "in_progress"
    play.done("call/inner")
    assert play.states == {"call": "succeeded", "side": "ready", "last": "ready"}
    play = Play(table)
    play.fail("call/inner")
    assert (play.run.status, play.states["call"]) == ("failed", "failed")


def test_a_run_survives_being_stored() -> None:
    play = Play(fan_table(), Answers(items=3))
    play.done("fan/0")
    copy = restore(play.table, play.run.to_json())
    assert copy.to_json() == play.run.to_json()
    for name in ("met", "failed", "open", "busy"):
        assert getattr(copy, name) == getattr(play.run, name)
    play.run = copy
    play.done("fan/0")
    assert items(play) == ["succeeded", "ready_0", "ready_0"]


def test_a_table_that_lies_is_stopped() -> None:
    table = table_of(document(task("last")))
    dispatch = next(row for row in table.entry.rows if row.event == "dispatch")
    dispatch.target, dispatch.effects = 0, (("raise", "dispatch"),)
    outcome = start(
        table,
        restore(
            table, Play(table_of(document(task("last")))).run.to_json() | {"cells": [[0, 0, 0, 0, 0, []]] * 2}
        ),
    )
    assert isinstance(outcome, Refused)
    assert outcome.code == "endless"
    assert "`dispatch`" in outcome.message


def test_vectors_share_what_does_not_change() -> None:
    vector = Vector(range(200))
    changed = vector.changed({3: "x", 130: "y"})
    assert (vector[3], changed[3], changed[130], len(changed)) == (3, "x", "y", 200)
    assert changed.chunks[1] is vector.chunks[1]
    assert list(vector) == list(range(200))
    assert vector.changed({}) is vector
