"""Claims on gates of flows that a step runs: refuted only by runs that the caller can really have."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from stratumc.driver.load import load
from stratumc.proof.results import Proved, Refuted
from stratumc.review.paths.flow_questions import decide_flow, flow_path
from stratumc.review.paths.questions import Claim, UnknownPlaceError
from support.command import stratumc
from support.documents import gate

RISK = "input.risk > 5"


def calling(
    when: str | None,
    risk: Any = "${input.risk}",
    call: dict[str, Any] | None = None,
    goal: dict[str, Any] | None = None,
    end: dict[str, Any] | None = None,
) -> dict[str, Any]:
    condition = {} if when is None else {"when": when}
    inner = {
        "input": {"risk": "integer"},
        "output": {"from": "${end.output}", "contract": "Done"},
        "steps": [
            gate("g", **condition),
            {"id": "end", "after": ["g"], "out": "Done", **(end or {"do": "end"})},
        ],
    }
    outer = {
        "input": {"risk": "integer"},
        "output": {"from": "${publish.output}", "contract": "Done"},
        "steps": [
            {"id": "one", "run": "sub", "with": {"risk": risk}, **(call or {})},
            {"id": "publish", "after": ["one"], "do": "publish", "out": "Done", **(goal or {})},
        ],
    }
    contracts = {"Done": {"ok": "boolean"}}
    return {"version": 1, "contracts": contracts, "flows": {"entry": "main", "main": outer, "sub": inner}}


def decided(content: dict[str, Any], gate_name: str = "one.g") -> Any:
    spec = load(json.dumps(content), name="n.json", kind="spec").spec
    assert spec is not None
    return decide_flow(Claim("publish", gate_name), spec)


@pytest.mark.parametrize(
    "content",
    [
        calling(None),
        calling(RISK, risk=8),
        calling(RISK, goal={"when": "input.risk > 6"}),
        calling("input.risk > 5 || input.risk < 3", goal={"when": "input.risk == 9 || input.risk == 2"}),
        calling(RISK, goal={"when": "result.one.ok"}, end={"set": {"ok": "false"}}),
    ],
)
def test_proved(content: dict[str, Any]) -> None:
    assert not isinstance(decided(content), Refuted)


def test_which_are_proved() -> None:
    assert decided(calling(None)) == Proved()
    assert decided(calling(RISK, risk=8)) == Proved()
    nowhere = calling(None, goal={"when": "input.risk > 3 && input.risk < 2"})
    assert decided(nowhere) == Proved(vacuous=True)


@pytest.mark.parametrize(
    ("content", "inside"),
    [
        (calling(RISK, risk=3), True),
        (calling(RISK), True),
        (calling(RISK, goal={"when": "result.one.ok"}), True),
        (calling(None, call={"when": "input.risk > 5"}), False),
    ],
)
def test_refuted_by_a_run_of_both(content: dict[str, Any], inside: bool) -> None:
    result = decided(content)
    assert isinstance(result, Refuted)
    assert ("inside" in result.witness) is inside
    if inside:
        within = result.witness["inside"]["one"]
        assert within["skipped"] == ["g"]
        assert within["input"]["risk"] <= 5


def test_names() -> None:
    for name, message in (("one.h", "no step `h`"), ("publish.g", "`publish` runs no flow")):
        with pytest.raises(UnknownPlaceError, match=message):
            decided(calling(None), name)


def test_the_command_and_the_path(tmp_path: Path) -> None:
    (tmp_path / "a.stratum.json").write_text(json.dumps(calling(RISK, risk=3)), "utf-8")
    outcome = stratumc("path", "a.stratum.json", "publish", "--must-pass", "one.g", cwd=tmp_path)
    assert (outcome.status, outcome.out.splitlines()[-1]) == (
        1,
        "  and in `one`, when `input.risk` is 3 and `g` is skipped",
    )
    spec = load(json.dumps(calling(None)), name="n.json", kind="spec").spec
    assert spec is not None
    assert flow_path(spec, None, None, "publish").passes == ("one.g",)


def test_a_path_says_that_no_run_can_end_well(tmp_path: Path) -> None:
    content = calling(None, goal={"ensure": [{"expr": "result.ok"}, {"expr": "!result.ok"}]})
    (tmp_path / "a.stratum.json").write_text(json.dumps(content), "utf-8")
    outcome = stratumc("path", "a.stratum.json", "one", "publish", cwd=tmp_path)
    assert outcome.out.splitlines()[0] == "no run of this flow can end well, whatever it comes to on the way"
    stats = stratumc("check", "a.stratum.json", "--stats", cwd=tmp_path)
    assert "a.stratum.json: main: no run can end well\n" in stats.out + stats.err
