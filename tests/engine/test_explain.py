"""Path queries: the fewest hops, witnesses that the runtime replays, and why there is no path."""

from __future__ import annotations

import itertools
import json
import random
from collections import deque
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stratumc
from stratum_runtime.condition import holds
from stratumc.engine.witness import Verdict, find_witness, with_given
from stratumc.graph.explain import PathFinder, Query
from stratumc.graph.workflow_graph import workflow_graph
from stratumc.text import Location
from stratumc.workflow import ParsedCondition, parse_condition
from stratumc.workflow.syntax import Trigger
from support.workflows import SMALL, Json, lay_out


def workflow(**states: list[tuple[str, str | None]]) -> Json:
    """A workflow whose states have these events and targets; the first state is the initial one."""
    return {
        "initial_state": next(iter(states)),
        "states": {
            name: {"transitions": [{"event": event, "target": target} for event, target in ways]}
            for name, ways in states.items()
        },
    }


def with_triggers(value: Json, **triggers: list[tuple[str, str]]) -> Json:
    for state, ways in triggers.items():
        value["states"][state]["triggers"] = [
            {"condition": condition, "target": target} for condition, target in ways
        ]
    return value


def explain(value: Json, start: str | None = None, goal: str | None = None, **more: Any) -> Json:
    return stratumc.explain_path(json.dumps(value), start, goal, **more).answer


def hops(answer: Json) -> list[str]:
    return [hop.get("event") or hop["condition"] for hop in answer["path"]]


DIAMOND = workflow(
    s=[("sa", "a"), ("sb", "b")],
    a=[("at", "t")],
    b=[("bc", "c")],
    c=[("ct", "t")],
    t=[("tt", "t")],
    i=[("is", "s")],
)


def test_the_fewest_hops() -> None:
    assert hops(explain(DIAMOND, "s", "t")) == ["sa", "at"]
    assert hops(explain(DIAMOND, "s", "t", avoid=["a"])) == ["sb", "bc", "ct"]
    assert explain(DIAMOND, "s", "s")["path"] == []
    assert explain(DIAMOND)["reachable"] == [
        {"state": "a", "distance": 1},
        {"state": "b", "distance": 1},
        {"state": "t", "distance": 2},
        {"state": "c", "distance": 2},
    ]
    assert explain(DIAMOND)["unreachable"] == ["i"]


def test_why_there_is_no_path() -> None:
    answer = explain(DIAMOND, "s", "i")
    assert answer["path"] is None
    assert answer["reasons"] == ["nothing leads to it from the 5 states that can be reached"]
    assert answer["nearest"] == ["s"]
    answer = explain(DIAMOND, "s", "t", avoid=["a", "c"])
    assert answer["reasons"] == ["paths there are lead through states to avoid (`a`)"]
    assert [item["state"] for item in answer["reachable"]] == ["b"]
    assert explain(DIAMOND, "s", "t", avoid=["t"])["reasons"] == ["`t` itself is to be avoided"]
    assert explain(DIAMOND, "s", "t", avoid=["s"])["reasons"] == ["`s` itself is to be avoided"]
    value = with_triggers(workflow(a=[("x", "a")], b=[]), a=[("x_counters.n < 0", "b")])
    assert "can't be the first to fire" in explain(value, "a", "b")["message"]


def test_names_that_are_no_states_are_refused() -> None:
    for arguments in (("mars", "t"), ("s", "mars"), ("mars", None)):
        with pytest.raises(ValueError, match="mars"):
            explain(DIAMOND, *arguments)
    result = stratumc.explain_path("{", "a", "b")
    assert not result.ok
    assert [one.code for one in result.diagnostics] == ["JSON_INVALID"]


def test_a_trigger_that_an_earlier_one_always_beats_is_no_way() -> None:
    value = with_triggers(
        workflow(a=[], b=[], c=[("cd", "d")], d=[]), a=[("n >= 3", "b"), ("n >= 5", "d"), ("n >= 2", "c")]
    )
    answer = explain(value, "a", "d")
    assert hops(answer) == ["n >= 2", "cd"]
    assert answer["path"][0]["witness"] == {"n": 2}
    assert (
        explain(with_triggers(workflow(a=[], b=[]), a=[("always", "a"), ("n > 1", "b")]), "a", "b")["path"]
        is None
    )


def test_a_given_context_fixes_values() -> None:
    value = with_triggers(workflow(a=[], b=[], c=[]), a=[("x.n > 3", "b"), ("x.n > x.m", "c")])
    assert explain(value, "a", "b", context={"x": {"n": 2}})["path"] is None
    answer = explain(value, "a", "c", context={"x": {"n": 2}})
    assert answer["path"][0]["witness"]["x"]["m"] < 2
    assert explain(value, "a", "b", context={"x": 5})["path"] is None
    assert explain(value, "a", "b", context={"x": {"n": 4}})["path"][0]["witness"] == {"x": {"n": 4}}
    equal = with_triggers(workflow(a=[], b=[]), a=[("t.kind == t.goal", "b")])
    assert explain(equal, "a", "b", context={"t": {"kind": "bug"}})["path"][0]["witness"] == {
        "t": {"goal": "bug", "kind": "bug"}
    }


def test_a_counter_is_never_given_a_text() -> None:
    value = with_triggers(workflow(a=[], b=[]), a=[("t.goal == x_counters.n", "b")])
    assert explain(value, "a", "b", context={"t": {"goal": "bug"}})["path"] is None
    answer = explain(value, "a", "b", context={"t": {"goal": 3}, "other": 1})
    assert answer["path"][0]["witness"] == {"t": {"goal": 3}, "x_counters": {"n": 3}}


def test_where_nothing_was_before_nothing_is_resumed(tmp_path: Path) -> None:
    value = workflow(away=[("resume", None)], work=[("pause", "away")]) | {
        "resumption_targets": {"work": "work"}
    }
    lay_out(tmp_path, value)
    engine = stratumc.create_engine(tmp_path)
    state = tmp_path / ".forge" / "dev-state.json"
    for text in (
        None,
        '{"workflow_state": "away"}',
        '{"workflow_state": "away", "previous_workflow_state": null}',
    ):
        if text is not None:
            state.write_text(text)
        assert engine.explain(to="work")["path"] is None
        assert engine.transition("resume")["error"]["code"] == "not_resumable"
    assert explain(value, None, "work")["path"] is None
    answer = engine.explain("away", "work")
    assert answer["reasons"] == ["event `resume` leads to it only when the state before was `work`"]
    state.write_text('{"workflow_state": "away", "previous_workflow_state": "work"}')
    assert engine.explain(to="work")["length"] == 1


def test_an_isolated_start_is_what_is_nearest() -> None:
    answer = explain(workflow(a=[], b=[("go", "b")]), "a", "b")
    assert answer["nearest"] == ["a"]
    assert answer["reasons"] == ["nothing leads to it from the only state that can be reached"]


def test_answers_are_the_callers_own(tmp_path: Path) -> None:
    lay_out(tmp_path, with_triggers(workflow(a=[], b=[]), a=[("x_counters.n > 1", "b")]))
    engine = stratumc.create_engine(tmp_path)
    first = engine.explain("a", "b")
    first["path"][0]["witness"].clear()
    assert engine.explain("a", "b")["path"][0]["witness"] == {"x_counters": {"n": 2}}


def test_paths_know_the_state_before(tmp_path: Path) -> None:
    lay_out(tmp_path, SMALL)
    engine = stratumc.create_engine(tmp_path)
    assert [hop["event"] for hop in engine.explain("a", "b")["path"]] == ["go"]
    # From c on the way depends on where one came from: by way of b the path leads back to b.
    from_c = engine.explain("c", "b")["path"]
    assert [(hop["event"], hop["previous_state"]) for hop in from_c] == [("resume", "b")]
    assert engine.explain("c", "b")["when_previous_state"] == "b"
    engine.transition("panic")
    answer = engine.explain(to="b")
    assert [(hop["from"], hop["to"]) for hop in answer["path"]] == [("c", "a"), ("a", "b")]
    assert engine.explain()["reachable"] == [{"state": "a", "distance": 1}, {"state": "b", "distance": 2}]


# --- against plain searches ----------------------------------------------------------------------


def random_workflow(seed: int, states: int, ways: int) -> Json:
    choose = random.Random(seed)
    names = [f"s{number}" for number in range(states)]
    value = workflow(**{name: [] for name in names})
    for number in range(ways):
        source = value["states"][choose.choice(names)]
        if choose.random() < 0.2:
            trigger = {
                "condition": choose.choice(["n >= 1", "m_counters.k < 0", "n == 0"]),
                "target": choose.choice(names),
            }
            source.setdefault("triggers", []).append(trigger)
        else:
            source["transitions"].append({"event": f"e{number}", "target": choose.choice(names)})
    value["global_transitions"] = [{"event": "g", "target": "s0", "except": names[: states // 2]}]
    return value


def plain_distances(value: Json, start: str, avoid: set[str]) -> dict[str, int]:
    """A breadth-first search that knows by heart which of the random triggers can fire."""
    found = {start: 0}
    queue = deque([start])
    while queue:
        name = queue.popleft()
        state = value["states"][name]
        seen: list[str] = []
        targets = [one["target"] for one in state["transitions"]]
        for trigger in state.get("triggers", ()):
            if trigger["condition"] != "m_counters.k < 0" and trigger["condition"] not in seen:
                targets.append(trigger["target"])
            seen.append(trigger["condition"])
        for item in value["global_transitions"]:
            targets += [item["target"]] if name not in item["except"] else []
        for target in targets:
            if target not in found and target not in avoid:
                found[target] = found[name] + 1
                queue.append(target)
    return found


@given(st.integers(0, 10_000), st.integers(2, 8), st.integers(1, 16), st.booleans())
@settings(max_examples=60)
def test_paths_are_as_short_as_a_plain_search_finds(seed: int, states: int, ways: int, one_way: bool) -> None:
    value = random_workflow(seed, states, ways)
    start, avoid = "s0", {"s1"} if one_way and states > 2 else set()
    expected = plain_distances(value, start, avoid)
    listed = explain(value, start, avoid=sorted(avoid))
    assert {item["state"]: item["distance"] for item in listed["reachable"]} | {start: 0} == expected
    for goal in value["states"]:
        answer = explain(value, start, goal, avoid=sorted(avoid))
        assert (answer["path"] is not None) is (goal in expected)
        if answer["path"] is not None:
            assert len(answer["path"]) == expected[goal]
            ends = [start, *(hop["to"] for hop in answer["path"])]
            assert [hop["from"] for hop in answer["path"]] == ends[:-1]
            assert ends[-1] == goal


def test_both_searches_agree() -> None:
    """With a state that resumes the search goes forwards only; without one from both ends."""
    for seed in range(40):
        value = random_workflow(seed, 9, 18)
        path = Path("workflow.json")
        plain = load_value(value, path)
        value["states"]["s8"]["transitions"].append({"event": "resume", "target": None})
        value["resumption_targets"] = {"s8": "s8"}
        resuming = load_value(value, path)
        for goal in value["states"]:
            lengths = []
            for finder in (plain, resuming):
                found = finder.shortest(Query("s0", None, frozenset(), lambda _: True), goal)
                lengths.append(None if found is None else len(found))
            assert lengths[0] == lengths[1]


def load_value(value: Json, path: Path) -> PathFinder:
    from stratumc.workflow import WorkflowFile, load_workflow_files

    loaded = load_workflow_files([WorkflowFile(str(path), False, json.dumps(value).encode())]).loaded.workflow
    assert loaded is not None
    return PathFinder(workflow_graph(loaded), lambda _: True)


# --- witnesses against brute force ---------------------------------------------------------------

_PATHS = ["c_counters.x", "c_counters.y", "o.p", "o.q", "n", "o.p.deep", "other.r"]
_CONDITION = st.one_of(
    st.builds(
        lambda left, operator, right: f"{left} {operator} {right}",
        st.sampled_from(_PATHS),
        st.sampled_from([">=", "<=", ">", "<", "==", "!="]),
        st.sampled_from([*_PATHS, "0", "1", "2", "-1", "1.5", "thresholds.t"]),
    ),
    st.just("thresholds.t > 2"),
)
_GRID = [-2, -1, 0, 0.5, 1, 1.25, 1.5, 1.75, 2, 3, "x", "y"]


def triggers_of(conditions: list[str]) -> list[Trigger]:
    made = []
    for text in conditions:
        parsed = parse_condition(text)
        assert isinstance(parsed, ParsedCondition)
        made.append(Trigger(text, parsed.condition, "t", None, None, Location()))
    return made


def code_of(text: str) -> Any:
    def side(word: str) -> list[Any]:
        if word.startswith("thresholds."):
            return ["threshold", word.partition(".")[2]]
        try:
            return ["number", float(word)]
        except ValueError:
            return ["path", word.split(".")]

    left, operator, right = text.split()
    return [side(left), operator, side(right)]


def fires_first(conditions: list[str], context: Json) -> bool:
    verdicts = [holds(code_of(text), context, {"t": 2}) is True for text in conditions]
    return verdicts[-1] and not any(verdicts[:-1])


def contexts(paths: list[str]) -> Any:
    """Every context over a grid of values for up to three paths."""
    for values in itertools.product(_GRID, repeat=len(paths)):
        context: Json = {}
        for path, value in zip(paths, values, strict=True):
            if "counters" in path and not (isinstance(value, int) and value >= 0):
                break
            here = context
            *parents, leaf = path.split(".")
            for name in parents:
                here = here.setdefault(name, {})
                if not isinstance(here, dict):
                    break
            else:
                here[leaf] = value
                continue
            break
        else:
            yield context


@given(
    st.lists(_CONDITION, min_size=1, max_size=4),
    st.lists(st.sampled_from(_PATHS), min_size=1, max_size=3, unique=True),
    st.integers(0, 10**6),
)
@settings(max_examples=100)
def test_a_shown_witness_fires_by_itself_too(conditions: list[str], paths: list[str], choice: int) -> None:
    given_ones = list(itertools.islice(contexts(paths), 200)) or [{}]
    context = given_ones[choice % len(given_ones)]
    triggers = triggers_of(conditions)
    found = find_witness(triggers, len(conditions) - 1, {"t": 2}, context)
    if not isinstance(found, Verdict):
        shown = with_given(triggers, len(conditions) - 1, context, found)
        assert fires_first(conditions, shown), shown
        assert fires_first(conditions, {**context, **shown})


@given(st.lists(_CONDITION, min_size=1, max_size=4))
@settings(max_examples=150)
def test_a_witness_fires_it_first_and_none_is_missed(conditions: list[str]) -> None:
    found = find_witness(triggers_of(conditions), len(conditions) - 1, {"t": 2}, {})
    assert found is not Verdict.UNDECIDED
    if not isinstance(found, Verdict):
        assert fires_first(conditions, found)
        return
    paths = sorted({word for text in conditions for word in text.split() if word in _PATHS})
    for chosen in itertools.combinations(paths, min(3, len(paths))):
        assert not any(fires_first(conditions, context) for context in contexts(list(chosen)))


def test_many_independent_triggers_are_decided_at_once() -> None:
    conditions = [f"c_counters.n{number} > {number}" for number in range(60)]
    found = find_witness(triggers_of([*conditions, "c_counters.last > 7"]), 60, {}, {})
    assert not isinstance(found, Verdict)
    assert found["c_counters"]["last"] == 8


def entangled(last: str) -> Json:
    """Ten counters in one chain, each larger than the next, and then a condition on the first."""
    chain = [(f"c_counters.n{number} <= c_counters.n{number + 1}", "a") for number in range(9)]
    return with_triggers(workflow(a=[], b=[]), a=[*chain, (last, "b")])


def test_what_trying_gives_up_goes_to_the_solver() -> None:
    value = entangled("c_counters.n0 <= 9")
    triggers = triggers_of([one["condition"] for one in value["states"]["a"]["triggers"]])
    assert find_witness(triggers, 9, {}, {}) is Verdict.UNDECIDED
    (hop,) = explain(value, "a", "b")["path"]
    numbers = [hop["witness"]["c_counters"][f"n{number}"] for number in range(10)]
    assert numbers == list(range(9, -1, -1))
    assert explain(entangled("c_counters.n0 < 9"), "a", "b")["path"] is None
