"""Tables of workflows against a reading of workflow.md word by word, on random graphs and events."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from stratum_runtime import Fired, initial, step
from stratum_runtime.configuration import WorkflowConfiguration
from support.documents import table_of

NAMES = ("a", "b", "c")
EVENTS = ("go", "back", "auto")
CONDITIONS: dict[str, Callable[[Any], bool]] = {
    "always": lambda _: True,
    "x.n >= 2": lambda x: x.get("n", 0) >= 2,
    "x.n < thresholds.most": lambda x: x.get("n", 0) < 3,
    "x.m == x.n": lambda x: x.get("m", 0) == x.get("n", 0),
}
TARGETS = st.sampled_from((*NAMES, None))


def transitions(events: tuple[str, ...] = EVENTS) -> st.SearchStrategy[list[dict[str, Any]]]:
    """Transitions for some of the events, each once."""
    one = st.fixed_dictionaries(
        {"target": TARGETS, "action": st.sampled_from((None, "/do")), "judgment": st.booleans()}
    )
    return st.dictionaries(st.sampled_from(events), one, max_size=3).map(
        lambda found: [{"event": event, **rest} for event, rest in found.items()]
    )


TRIGGERS = st.lists(
    st.fixed_dictionaries(
        {"condition": st.sampled_from(sorted(CONDITIONS)), "target": st.sampled_from(NAMES)}
    ),
    max_size=3,
)


@st.composite
def workflows(draw: st.DrawFn) -> dict[str, Any]:
    states = {name: {"transitions": draw(transitions()), "triggers": draw(TRIGGERS)} for name in NAMES}
    shared = [
        {**one, "except": draw(st.lists(st.sampled_from(NAMES), unique=True))}
        for one in draw(transitions(("back", "stop")))
    ]
    return {
        "name": "w",
        "initial_state": "a",
        "states": states,
        "global_transitions": shared,
        "thresholds": {"most": 3},
        "resumption_targets": draw(
            st.dictionaries(st.sampled_from(NAMES), st.sampled_from(NAMES), min_size=1)
        ),
    }


def follow(
    content: dict[str, Any], state: str, previous: str | None, event: str, x: dict[str, int]
) -> tuple[str, str | None, bool] | None:
    """The target, action and judgment of an event, or None when it is refused."""
    own = content["states"][state]
    offered = own["transitions"] + [
        one
        for one in content["global_transitions"]
        if state not in one["except"] and all(one["event"] != mine["event"] for mine in own["transitions"])
    ]
    for one in offered:
        if one["event"] == event:
            target = one["target"] or content["resumption_targets"].get(previous)
            if target is not None:
                return target, one["action"], one["judgment"]
            break
    if event == "auto" and all(one["event"] != "auto" for one in offered):
        for trigger in own["triggers"]:
            if CONDITIONS[trigger["condition"]](x):
                return trigger["target"], None, False
    return None


@settings(max_examples=150)
@given(
    workflows(),
    st.lists(
        st.tuples(
            st.sampled_from((*EVENTS, "stop", "other")),
            st.dictionaries(st.sampled_from(("n", "m")), st.integers(0, 4)),
        ),
        max_size=12,
    ),
)
def test_the_table_does_what_the_page_says(
    content: dict[str, Any], script: list[tuple[str, dict[str, int]]]
) -> None:
    table = table_of(content, "workflow")
    here = initial(table)
    assert isinstance(here, WorkflowConfiguration)
    state, previous = "a", None
    for event, x in script:
        expected = follow(content, state, previous, event, x)
        outcome = step(table, here, event, {"x": x})
        if expected is None:
            assert not isinstance(outcome, Fired)
            continue
        assert isinstance(outcome, Fired)
        effects = [effect[0] for effect in outcome.effects]
        action = next((effect[1] for effect in outcome.effects if effect[0] == "action"), None)
        assert isinstance(outcome.configuration, WorkflowConfiguration)
        here = outcome.configuration
        assert (here.state_name, action, "judgment" in effects) == expected
        state, previous = here.state_name, state
    assume(script)
