"""Guards across the strings of small random flows, against all runs of them over a few values."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from typing import Any

from hypothesis import event, given, settings
from hypothesis import strategies as st

import stratumc
from stratum_runtime.expression import Failure, Value

Json = dict[str, Any]

CONTRACTS = {
    "P": {"a": "string?", "b": "string?", "k": "integer"},
    "T": {"t": "string"},
    "O": {"t": "string?"},
}
CHOICES: list[Json] = [{}, {"a": None}, {"a": "x"}]
OUTPUTS = [
    {"k": k, **a, **{key.replace("a", "b"): value for key, value in b.items()}}
    for k in (0, 1)
    for a in CHOICES
    for b in CHOICES
]
INPUTS: list[Json] = [{}, {"h": None}, {"h": "x"}]


def guards(places: list[tuple[str, str]]) -> st.SearchStrategy[str]:
    place = st.sampled_from(places)
    there = place.map(lambda one: f"'{one[1]}' in {one[0]}")
    valued = place.map(lambda one: f"('{one[1]}' in {one[0]} && {one[0]}.{one[1]} != null)")
    tested = there.map("({}) == true".format) | there.map("true == ({})".format)
    long = place.map(lambda one: f"('{one[1]}' in {one[0]} && {one[0]}.{one[1]} == 'x')")
    basic = there | valued | tested | long | st.just("true")
    return st.one_of(basic, st.builds("{} && {}".format, basic, basic))


def reads(places: list[tuple[str, str]]) -> st.SearchStrategy[str]:
    return st.sampled_from(places).map(lambda one: f"{one[0]}.{one[1]}")


OWN = [("result", "a"), ("result", "b")]
BEFORE = [("result.p", "a"), ("result.p", "b"), ("input", "h")]
TESTS = reads(OWN).map("{} == 'x'".format) | reads(OWN).map("len({}) < 3".format)
LATER_TESTS = reads(BEFORE).map("{} != 'y'".format) | reads(BEFORE).map("len({}) < 3".format)


@st.composite
def flows(draw: st.DrawFn) -> tuple[list[str], list[tuple[str | None, str]]]:
    """The ensures of the first step; and of those after it, each after the one before, `when` and value."""
    ensures = draw(st.lists(guards(OWN) | TESTS, max_size=2))
    whens = st.none() | guards(BEFORE) | LATER_TESTS
    values = reads(BEFORE) | reads(BEFORE).map("{} + '!'".format) | st.just("result.s0.t")
    return ensures, [(draw(whens), draw(values)) for _ in range(2)]


def document(ensures: list[str], steps: list[tuple[str | None, str]]) -> str:
    listed: list[Json] = [{"id": "p", "do": "x", "out": "P", "ensure": [{"expr": text} for text in ensures]}]
    for number, (when, value) in enumerate(steps):
        before = "p" if number == 0 else f"s{number - 1}"
        one: Json = {"id": f"s{number}", "after": [before], "set": {"t": value}, "out": "T"}
        listed.append({**one, "when": when} if when is not None else one)
    listed.append({"id": "last", "after": [listed[-1]["id"]], "do": "x", "out": "T"})
    flow = {"input": {"h": "string?"}, "output": {"from": "${last.output}", "contract": "T"}, "steps": listed}
    return json.dumps({"version": 1, "contracts": CONTRACTS, "flows": {"entry": "m", "m": flow}})


def played(ensures: list[str], steps: list[tuple[str | None, str]]) -> Iterator[tuple[str, bool]]:
    """Over all runs: the path of each string that is evaluated, and whether it went wrong."""
    for given_input, output in itertools.product(INPUTS, OUTPUTS):
        for number, text in enumerate(ensures):
            outcome = stratumc.evaluate(text, {"input": given_input, "result": output})
            yield f"steps[0].ensure[{number}].expr", isinstance(outcome, Failure)
            if outcome != Value(True):
                break
        else:
            yield from _played_after(given_input, output, steps)


def _played_after(
    given_input: Json, output: Json, steps: list[tuple[str | None, str]]
) -> Iterator[tuple[str, bool]]:
    results: Json = {"p": output}
    for number, (when, text) in enumerate(steps, 1):
        bindings = {"input": given_input, "result": results}
        if when is not None:
            outcome = stratumc.evaluate(when, bindings)
            yield f"steps[{number}].when", isinstance(outcome, Failure)
            if outcome != Value(True):
                continue
        outcome = stratumc.evaluate(text, bindings)
        is_wrong = isinstance(outcome, Failure) or not isinstance(outcome.value, str)
        yield f"steps[{number}].set.t", is_wrong
        if isinstance(outcome, Failure) or is_wrong:
            return
        results = {**results, f"s{number - 1}": {"t": outcome.value}}


def reported(text: str) -> dict[str, list[stratumc.Diagnostic]]:
    found: dict[str, list[stratumc.Diagnostic]] = {}
    for one in stratumc.check(text, kind="spec", families=("type",)).diagnostics:
        found.setdefault((one.path or "").removeprefix("flows.m."), []).append(one)
    return found


@settings(max_examples=150)
@given(flows())
def test_a_warning_has_a_witness_and_what_goes_wrong_is_reported(
    flow: tuple[list[str], list[tuple[str | None, str]]],
) -> None:
    found = reported(document(*flow))
    outcomes: dict[str, set[bool]] = {}
    for path, is_wrong in played(*flow):
        outcomes.setdefault(path, set()).add(is_wrong)
    for path, wrong in outcomes.items():
        severities = {one.severity for one in found.get(path, ())}
        event(f"{sorted(severities)}")
        reads_skipped = path.startswith("steps[2]") and "result.s0" in str(flow[1][1])
        if True in wrong and not reads_skipped:
            assert severities, (path, flow)
        if "error" in severities:
            assert wrong == {True}, (path, flow)
        # that the condition of one step is true in every run in which another's is, isn't looked into
        if "warning" in severities and (not path.startswith("steps[2]") or flow[1][0][0] is None):
            assert True in wrong, (path, flow)


GUARD = re.compile(r"guard it with `(.*) && …`|let the step run only `when` `(.*)`")


@settings(max_examples=80)
@given(flows())
def test_a_guard_that_is_suggested_removes_the_finding(
    flow: tuple[list[str], list[tuple[str | None, str]]],
) -> None:
    ensures, steps = list(flow[0]), list(flow[1])
    for _ in range(12):
        guarded = [
            (path, one, guard)
            for path, listed in reported(document(ensures, steps)).items()
            for one in listed
            if one.code in ("EXPR_TYPE", "SET_TYPE_MISMATCH")
            and (guard := GUARD.search(one.suggestion or "")) is not None
        ]
        if not guarded:
            return
        path, before, guard = guarded[0]
        event(before.code)
        step, place = int(path[6]), int(path[16]) if "ensure" in path else 0
        condition = guard.group(1) or guard.group(2)
        if "ensure" in path:
            ensures[place] = f"{condition} && ({ensures[place]})"
        else:
            when, value = steps[step - 1]
            steps[step - 1] = (condition if when is None else f"{condition} && ({when})", value)
        after = [one.message for one in reported(document(ensures, steps)).get(path, ())]
        assert before.message not in after, (flow, condition)
    raise AssertionError(f"guards without an end: {ensures}, {steps}")
