"""What a diff says of small flows is true of every run, and nothing of the kinds that it tells is missing."""

from __future__ import annotations

import json
import re

import pytest

import stratumc
from stratumc.review.comparison.diff import Diff
from stratumc.review.comparison.going_on import Fate
from stratumc.review.comparison.meaning import MeaningKind
from support.diffs import said
from support.flow_changes import EveryRun, changed, every_run

Pairs = set[tuple[str, str]]


@pytest.mark.parametrize("seed", range(0, 160))
def test_meanings_agree_with_every_round(seed: int) -> None:
    documents = changed(seed)
    checked = [stratumc.check(json.dumps(one)) for one in documents]
    broken = any(found.family == "rule" for one in checked for found in one.diagnostics)
    if broken or documents[0] == documents[1]:
        return
    old, new = (every_run(one) for one in documents)
    if old is None or new is None or not (old.is_ordered and new.is_ordered):
        return
    found = stratumc.diff(*(json.dumps(one) for one in documents))
    if said(found, MeaningKind.NOT_COMPARED):
        return
    _ends(found, old, new)
    skipped = _skips(found, old, new)
    _gates(found, old, new, skipped)
    _always(found, old, new)
    _checks(found, old, new, skipped)
    _under_way(found, old, new)


def _ends(found: Diff, old: EveryRun, new: EveryRun) -> None:
    assert bool(said(found, MeaningKind.CANNOT_COMPLETE)) == bool(old.good and not new.good)
    assert bool(said(found, MeaningKind.CAN_COMPLETE)) == bool(new.good and not old.good)
    if not old.good or not new.good:
        assert not said(found, MeaningKind.BOUNDS)
    smooth = [one for one in old.rounds if old.is_smooth(one)]
    ended_well = bool(smooth) and all(one in old.good for one in smooth)
    may_not = [one for one in new.rounds if new.is_smooth(one) and one not in new.good]
    told = said(found, MeaningKind.MAY_NOT_COMPLETE)
    if ended_well and may_not and new.good:
        assert told
    assert may_not or not told
    assert ended_well or all(" though " in message for message in told)


def _skips(found: Diff, old: EveryRun, new: EveryRun) -> set[str]:
    told = {_names(message)[0] for message in said(found, MeaningKind.MAY_BE_SKIPPED)}
    common = [step.id for step in new.flow.steps if old.index(step.id) is not None]
    expected = {
        name
        for name in common
        if old.good
        and all(old.index(name) in one.round.ran for one in old.good)
        and any(new.index(name) not in one.round.ran for one in new.good)
    }
    assert told == expected
    return told


def _gates(found: Diff, old: EveryRun, new: EveryRun, skipped: set[str]) -> None:
    told: Pairs = set()
    loose: Pairs = set()
    ends: set[str] = set()
    for message in said(found, MeaningKind.GATE_PASSED_BY):
        first, second = _names(message)[:2]
        if message.startswith("flow"):
            ends.add(second)
        elif "decision at gate" in message or "is decided" in message:
            loose.add((second, first))
        else:
            told.add((second, first))
    for gate in (step.id for step in old.flow.steps if old.is_gate(step.id)):
        common = [step.id for step in old.flow.steps if new.index(step.id) is not None]
        true = {goal for goal in common if goal != gate and _is_passed_by(old, new, gate, goal)}
        goals = {goal for name, goal in told if name == gate}
        assert goals <= true, (gate, goals, true)
        for goal in true:
            assert any(goal in new.closure(one) for one in goals), (gate, goal)
        ends_without = new.good and _is_passed_by(old, new, gate, None)
        assert (gate in ends) == bool(ends_without and not goals and gate not in skipped)
        waiting = {goal for goal in common if _waits_no_more(old, new, gate, goal)}
        early = {goal for name, goal in loose if name == gate}
        assert early <= waiting, (gate, early, waiting)
        for goal in waiting:
            assert any(goal in new.closure(one) for one in early | goals), (gate, goal)


def _is_passed_by(old: EveryRun, new: EveryRun, gate: str, goal: str | None) -> bool:
    """Whether old runs that came to a goal, or ended well, surely had passed a gate, and new ones don't.

    Where not all had, those in which the gate's condition held.
    """
    when = old.flow.steps[old.graph.index[gate]].when
    runs = old.good if goal is None else tuple(old.ran(goal))
    condition = None
    if not all(old.passed(one, gate, goal) for one in runs):
        if when is None:
            return False
        condition = when.value
        runs = tuple(one for one in runs if old.holds(one, gate, condition))
    if not runs or not all(old.passed(one, gate, goal) for one in runs):
        return False
    after = new.good if goal is None else tuple(new.ran(goal))
    return not new.is_gate(gate) or any(
        new.holds(one, gate, condition) and not new.passed(one, gate, goal) for one in after
    )


def _waits_no_more(old: EveryRun, new: EveryRun, gate: str, goal: str) -> bool:
    """Whether an old step waited for a gate's decision, whatever it was, and does no more."""

    def both(runs: EveryRun) -> bool:
        return any(runs.index(gate) in one.round.ran for one in runs.ran(goal))

    if goal == gate or not old.order.before(old.graph.index[goal]) >> old.graph.index[gate] & 1:
        return False
    if not both(old):
        return False
    if not new.is_gate(gate):
        return True
    return not new.graph.is_before(new.index(gate), new.index(goal)) and both(new)


def _always(found: Diff, old: EveryRun, new: EveryRun) -> None:
    told = {tuple(_names(message)[:2]) for message in said(found, MeaningKind.GATE_ALWAYS_PASSED)}
    for gate in (step for step in new.flow.steps if new.is_gate(step.id)):
        true = {
            goal.id
            for goal in new.flow.steps
            if old.index(goal.id) is not None
            and new.graph.is_before(gate.index, goal.index)
            and any(True for _ in new.ran(goal.id))
            and all(new.passed(one, gate.id, goal.id) for one in new.ran(goal.id))
            and any(
                not (old.is_gate(gate.id) and old.passed(one, gate.id, goal.id)) for one in old.ran(goal.id)
            )
        }
        goals = {goal for goal, name in told if name == gate.id}
        assert goals <= true, (gate.id, goals, true)
        for goal in true:
            assert any(goal in new.closure(one) for one in goals), (gate.id, goal)


def _checks(found: Diff, old: EveryRun, new: EveryRun, skipped: set[str]) -> None:
    told = [
        (check, goal) for goal, check in (_names(one)[:2] for one in said(found, MeaningKind.CHECK_PASSED_BY))
    ]
    for check in old.flow.steps:
        kept = new.index(check.id) is not None and not new.is_gate(check.id)
        if old.is_gate(check.id) or not kept:
            continue
        for goal in old.flow.steps:
            if new.index(goal.id) is None or goal.id == check.id:
                continue
            true = (
                old.graph.is_before(check.index, goal.index)
                and any(True for _ in old.ran(goal.id))
                and all(old.passed(one, check.id, goal.id) for one in old.ran(goal.id))
                and any(not new.passed(one, check.id, goal.id) for one in new.ran(goal.id))
            )
            assert true or (check.id, goal.id) not in told, (check.id, goal.id)
            covered = any(
                other in old.closure(check.id) and goal.id in new.closure(first) for other, first in told
            )
            assert covered or not true or check.id in skipped, (check.id, goal.id)


def _under_way(found: Diff, old: EveryRun, new: EveryRun) -> None:
    for verdict in found.going_on:
        index = new.index(verdict.name)
        runs = any(index in one.round.ran for one in new.good)
        ran = any(old.index(verdict.name) in one.round.ran for one in old.good)
        if verdict.fate in (Fate.GOES_ON, Fate.BACK):
            assert runs or not ran, verdict
        elif verdict.reason is not None and "end well" in verdict.reason:
            assert not runs, verdict


def _names(message: str) -> list[str]:
    return re.findall("`([^`]*)`", message)
