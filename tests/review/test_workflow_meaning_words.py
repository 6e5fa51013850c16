"""The words in which a diff tells what a change of a workflow means, kind by kind."""

from __future__ import annotations

import json
from typing import Any

from stratumc.review.going_on import Fate
from stratumc.review.meaning import MeaningKind
from support.diffs import diff, flow_of, go, said
from support.workflow_player import Json


def pausing(**more: Any) -> Json:
    states = flow_of(
        idle={"transitions": [{"event": "go", "target": "work"}, {"event": "resume", "target": None}]},
        work=go(pause="idle", done="review"),
        review={
            **go(ok="closed", pause="idle"),
            "triggers": [
                {"condition": "s_counters.n >= thresholds.most", "target": "closed"},
                {"condition": "s_counters.n >= 2", "target": "work"},
            ],
        },
        closed={},
    )
    made = {
        **states,
        "thresholds": {"most": 3},
        "resumption_targets": {"work": "work", "review": "review"},
        "global_transitions": [{"event": "halt", "target": "closed", "except": ["closed"]}],
    }
    return {**made, **more}


def halted(old: Json, new: Json) -> list[str]:
    return [str(one) for one in diff(old, new).going_on if one.fate is not Fate.GOES_ON]


def test_resuming_that_leads_elsewhere_or_nowhere() -> None:
    removed = pausing(resumption_targets={"work": "work"})
    way = "(go to `work` then done to `review` then pause to `idle`"
    assert said(diff(pausing(), removed), MeaningKind.RESUMES) == [
        "`resume` in `idle` now leads nowhere when the state before was `review`; before, it led to `review` "
        + way
        + ")"
    ]
    assert halted(pausing(), removed) == [
        "a project in state `idle`: `resume` leads nowhere any more when it came from `review`"
    ]
    redirected = pausing(resumption_targets={"work": "work", "review": "work"})
    assert said(diff(pausing(), redirected), MeaningKind.RESUMES) == [
        "`resume` in `idle` now leads to `work` when the state before was `review`; before, it led to `review` "
        + way
        + " then resume to `work`)"
    ]
    assert halted(pausing(), redirected) == []
    removed["states"]["review"]["transitions"].pop()
    assert said(diff(pausing(), removed), MeaningKind.RESUMES) == []


def test_a_threshold_that_lets_another_trigger_fire() -> None:
    found = diff(pausing(), pausing(thresholds={"most": 5}))
    assert said(found, MeaningKind.TRIGGER) == [
        "in `review`, when `s_counters.n` is 3, `s_counters.n >= 2` now leads to `work`; before, "
        "`s_counters.n >= thresholds.most` led to `closed` "
        "(go to `work` then done to `review` then [s_counters.n >= 2] to `work`)"
    ]


def test_a_trigger_that_always_fires_takes_no_path_away() -> None:
    new = pausing()
    new["states"]["review"]["triggers"].insert(0, {"condition": "always", "target": "idle"})
    found = diff(pausing(), new)
    assert said(found, MeaningKind.OFFERED) == [
        "a trigger of `review` fires in every context now: its events are no longer offered, though they may "
        "still be applied: `ok`, `pause` and `halt` (go to `work` then done to `review`)"
    ]
    assert said(found, MeaningKind.PATH_IMPOSSIBLE) == []
    assert said(diff(new, pausing()), MeaningKind.OFFERED) == [
        "in some contexts no trigger of `review` fires now: its events are offered again: `ok`, `pause` and "
        "`halt` (go to `work` then done to `review`)"
    ]


def test_exceptions_judgments_and_the_start() -> None:
    new = pausing(initial_state="work")
    new["global_transitions"] = [{"event": "halt", "target": "closed", "except": ["closed", "idle", "work"]}]
    new["states"]["review"]["transitions"][0]["judgment"] = True
    found = diff(pausing(), new)
    assert said(found, MeaningKind.EVENT) == [
        "event `halt` can no longer be applied in `idle` and `work` (halt to `closed`)"
    ]
    assert said(found, MeaningKind.JUDGMENT) == [
        "`ok` in `review` is now a judgment (done to `review` then ok to `closed`)"
    ]
    assert said(found, MeaningKind.START) == [
        "new projects begin in `work`, no longer in `idle`, which they come to by pause to `idle`"
    ]


def test_projects_that_come_to_no_end_or_have_nothing_to_resume() -> None:
    new = pausing(global_transitions=[])
    new["states"]["review"]["transitions"][0]["target"] = "work"
    new["states"]["review"]["triggers"] = []
    assert halted(pausing(), new) == [
        f"a project in state `{state}`: it can't come to `closed` any more, so that it could never end"
        for state in ("idle", "work", "review")
    ]
    new["states"]["archived"] = {}
    new["states"]["review"]["transitions"][0]["target"] = "archived"
    assert "it could only end in `archived`" in halted(pausing(), new)[0]
    gone = pausing(resumption_targets={"work": "work"})
    del gone["states"]["review"]
    gone["states"]["work"] = go(pause="idle", done="closed")
    assert halted(pausing(), gone) == [
        "a project in state `idle`: `resume` leads nowhere any more when it came from `review`, now gone",
        "a project in state `review`: the state is gone",
    ]


def test_a_state_before_that_is_kept_elsewhere_is_forgotten() -> None:
    new = pausing(config={"previous_state_field": "earlier"})
    assert halted(pausing(), new) == [
        "a project in state `idle`: `resume` leads nowhere, as `config.previous_state_field` has changed"
    ]


def test_much_of_one_kind_is_counted() -> None:
    names = [f"s{number}" for number in range(60)]
    states = {name: go(**{f"to-{name}": name}) for name in names}
    old = {**flow_of(start=go(**{f"to-{name}": name for name in names}), **states)}
    new: Json = json.loads(json.dumps(old))
    for state in new["states"].values():
        for transition in state["transitions"]:
            transition["judgment"] = True
    messages = said(diff(old, new), MeaningKind.JUDGMENT)
    assert len(messages) == 41
    assert messages[0] == "`to-s0` in `start` and `s0` is now a judgment (to-s0 to `s0`)"
    assert messages[-1] == "20 further changes of the same kind (judgment)"
