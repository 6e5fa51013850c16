"""The words in which a diff tells what a change of a workflow means, kind by kind."""

from __future__ import annotations

import json
from typing import Any

from stratumc.review.comparison.diff_text import diff_text
from stratumc.review.comparison.going_on import Fate
from stratumc.review.comparison.meaning import MeaningKind
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
        "`resume` in `idle` now leads nowhere when the state before was `review`; "
        "before, it led to `review` " + way + ")"
    ]
    assert halted(pausing(), removed) == [
        "a project in state `idle`: `resume` leads nowhere any more when it came from `review`"
    ]
    redirected = pausing(resumption_targets={"work": "work", "review": "work"})
    assert said(diff(pausing(), redirected), MeaningKind.RESUMES) == [
        "`resume` in `idle` now leads to `work` when the state before was `review`; "
        "before, it led to `review` " + way + " then resume to `work`)"
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


def paused(**review: str) -> Json:
    """Projects that can be paused anywhere, and resumed."""
    idle = {"transitions": [{"event": "go", "target": "review"}, {"event": "resume", "target": None}]}
    return {
        **flow_of(idle=idle, review=go(ok="closed", **review), closed={}),
        "resumption_targets": {"review": "review"},
        "global_transitions": [{"event": "pause", "target": "idle", "except": ["idle", "closed"]}],
    }


def test_an_own_event_that_stands_before_a_global_one() -> None:
    own = paused(pause="closed")
    assert said(diff(paused(), own), MeaningKind.LEADS) == [
        "`pause` in `review` now leads to `closed`; before, it led to `idle` "
        "(go to `review` then pause to `closed`)"
    ]
    assert said(diff(own, paused()), MeaningKind.LEADS) == [
        "`pause` in `review` now leads to `idle`; before, it led to `closed` "
        "(go to `review` then pause to `idle`)"
    ]
    assert said(diff(own, paused(pause="review")), MeaningKind.LEADS) == []


def test_an_event_without_a_target_that_is_gone_or_has_one_now() -> None:
    fixed, gone = paused(), paused()
    fixed["states"]["idle"]["transitions"][1]["target"] = "closed"
    gone["states"]["idle"]["transitions"].pop()
    way = "(go to `review` then pause to `idle` then resume to "
    assert said(diff(paused(), fixed), MeaningKind.RESUMES) == [
        "`resume` in `idle` now leads to `closed` where it began; before, it led nowhere "
        "(resume to `closed`)",
        "`resume` in `idle` now leads to `closed` when the state before was `review`; "
        "before, it led to `review` " + way + "`closed`)",
    ]
    assert said(diff(paused(), gone), MeaningKind.EVENT) == [
        f"event `resume` can no longer be applied in `idle` {way}`review`)"
    ]


def test_events_are_paired_with_the_states_that_have_them() -> None:
    def resuming(target: str) -> Json:
        back = [{"event": "resume", "target": None}]
        both = {"transitions": [*back, {"event": "unstuck", "target": None}]}
        made = flow_of(work=go(pause="idle", block="stuck"), idle={"transitions": back}, stuck=both)
        return {**made, "resumption_targets": {"work": target}}

    assert said(diff(resuming("work"), resuming("idle")), MeaningKind.RESUMES) == [
        "`resume` in `idle` now leads to `idle` when the state before was `work`; before, it led to `work` "
        "(pause to `idle` then resume to `idle`)",
        "`resume` and `unstuck` in `stuck` now lead to `idle` when the state before was `work`; "
        "before, they led to `work` (block to `stuck` then resume to `idle`)",
    ]


def test_a_state_that_everything_passed_and_that_is_gone() -> None:
    old, new = flow_of(a=go(x="check"), check=go(y="rel"), rel={}), flow_of(a=go(x="rel"), rel={})
    assert said(diff(old, new), MeaningKind.GATE_PASSED_BY) == [
        "`rel` can now be reached without `check`, which is gone: x to `rel`"
    ]


def test_an_event_that_has_no_target_any_more_may_have_nothing_to_resume() -> None:
    old = {
        **flow_of(
            idle={"transitions": [{"event": "start", "target": "work"}, {"event": "resume", "target": None}]},
            work=go(ask="waiting", done="end"),
            waiting=go(answered="work"),
            end={},
        ),
        "global_transitions": [{"event": "pause", "target": "idle", "except": ["idle", "end"]}],
        "resumption_targets": {"work": "work", "waiting": "waiting"},
    }
    new: Json = json.loads(json.dumps(old))
    new["states"]["waiting"]["transitions"][0]["target"] = None
    assert halted(old, new) == [
        "a project in state `waiting`: `answered` leads nowhere any more when it came from `idle`"
    ]


def test_an_error_of_the_new_version_is_told_under_way() -> None:
    def there_and_back(**b: Any) -> Json:
        return flow_of(a={"triggers": [{"condition": "always", "target": "b"}]}, b=b)

    old, new = there_and_back(), there_and_back(triggers=[{"condition": "always", "target": "a"}])
    lines = diff_text(diff(old, new)).splitlines()
    assert lines[lines.index("Under way:") + 1].startswith(
        "! `compile` makes no table of the new version: error[TRIGGER_LOOP] triggers go round forever"
    )
    assert diff(new, old).refused is None


def test_one_line_tells_what_becomes_of_many() -> None:
    old = flow_of(**{name: go(x="a", y="b", z="c") for name in "abc"}, end={})
    moved = {**old, "config": {"state_field": "phase"}}
    assert under_way(old, moved) == [
        "! a project in any state: its state isn't found any more, as `config.state_field` has changed",
        "· no project can simply go on",
    ]
    shut = flow_of(a=go(x="a", y="b", z="c"), b={}, c={}, end={})
    assert under_way(old, shut)[0] == "! a project in state `b` or `c`: no way leads out any more"


def under_way(old: Json, new: Json) -> list[str]:
    lines = diff_text(diff(old, new)).splitlines()
    return lines[lines.index("Under way:") + 1 :]
