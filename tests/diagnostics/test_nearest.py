"""The nearest name, and that looking for it stays cheap."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stratumc.diagnostics.nearest import Names, did_you_mean, nearest

KNOWN = ("after", "attempts", "agent", "budget", "draft", "Draft", "review-2", "a", "b")


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("atempts", "attempts"),
        ("aftre", "after"),
        ("AFTER", "after"),
        ("drafts", "draft"),
        ("DRAFT", "Draft"),
        ("review2", "review-2"),
        ("bugdet", "budget"),
        ("x", None),
        ("completely", None),
        ("", None),
        ("c", None),
        ("B", "b"),
    ],
)
def test_nearest(name: str, found: str | None) -> None:
    assert nearest(name, KNOWN) == found


def test_very_long_names_are_near_to_nothing() -> None:
    assert nearest("x" * 100_000, ["x" * 100_001]) is None


def test_the_first_of_equally_near_names_is_chosen() -> None:
    assert nearest("bat", ("cat", "hat")) == "cat"
    assert nearest("bat", ("hat", "cat")) == "hat"


def test_a_name_is_not_its_own_suggestion() -> None:
    assert did_you_mean("after", ("after",)) is None
    assert did_you_mean("aftr", ("after",)) == "did you mean `after`?"


@given(st.text("ab", max_size=5), st.lists(st.text("ab", max_size=5), max_size=6))
def test_what_is_found_is_known_and_another_name(name: str, known: list[str]) -> None:
    found = nearest(name, known)
    assert found is None or (found in known and found != name)


def test_many_questions_end_in_silence_instead_of_slowness() -> None:
    names = Names(f"step-{number}" for number in range(5_000))
    answers = [names.did_you_mean(f"stepp-{number}") for number in range(1_000)]
    assert answers[0] == "did you mean `step-0`?"
    assert answers[-1] is None
    assert names.did_you_mean("stepp-0") == "did you mean `step-0`?"
