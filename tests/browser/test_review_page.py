"""The review page in a browser: choose, filter, read, without a mouse, in the dark, and without a network."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support.browser import run_script
from support.command import stratumc
from support.pictures import FINDINGS, NASTY, workflow_of

pytestmark = pytest.mark.slow


def review(folder: Path, asked: dict[str, str], *files: str) -> dict[str, Any]:
    outcome = stratumc("review", *files, "-o", "page.html", cwd=folder)
    assert outcome.status == 0, outcome.err
    seen = run_script("drive_review.js", asked, folder / "page.html", "")
    assert seen["faults"] == []
    return dict(seen)


def test_a_spec(tmp_path: Path) -> None:
    (tmp_path / "a.stratum.yaml").write_text(FINDINGS, "utf-8")
    asked = {"state": "never", "from": "build", "to": "publish", "code": "STEP_NEVER_RUNS"}
    seen = review(tmp_path, asked, "a.stratum.yaml")
    assert seen["tabs"] == ["Findings", "Source", "Transitions", "Paths", "Bounds"]
    assert seen["nodes"][0] == "build"
    assert "never, 1 finding" in seen["nodes"]
    assert seen["fits"]
    assert seen["chosen"] == ["never, 1 finding"]
    assert seen["found"] == ["STEP_NEVER_RUNS"]
    assert [line.strip() for line in seen["line"]] == ["- id: never"]
    assert seen["path"] == ["build → publishsucceeds"] == seen["clicked"]
    assert [label.partition(",")[0] for label in seen["onpath"]] == ["build", "publish"]
    assert seen["all"] == "{0} of {0} findings".format(seen["all"].split()[0])
    assert seen["filtered"] == ["STEP_NEVER_RUNS"]
    assert seen["focus"] == "filter-code"
    assert "input.is_patch && !input.is_patch" in seen["jumped"][0]
    assert seen["dragged"]
    assert seen["whole"]
    assert seen["keyboard"]["first"] == "build"
    assert seen["keyboard"]["chosen"] == ["rescue"]
    assert seen["keyboard"]["tab"] == "tab-paths"
    assert "build → rescue" in seen["keyboard"]["answer"]
    assert seen["dark"] == "rgb(28, 25, 23)"
    assert seen["rows"] > 0
    assert seen["overflow"] == 0


def test_two_hundred_states(tmp_path: Path) -> None:
    count = 200
    states: dict[str, Any] = {
        f"s{number}": {
            "transitions": [
                {"event": "next", "target": f"s{(number + 1) % count}"},
                {"event": "back", "target": f"s{max(0, number - 3)}"},
            ]
        }
        for number in range(count)
    }
    states["s0"]["triggers"] = [
        {"condition": "a.b < 0", "target": "s9"},
        {"condition": "a.b < -1", "target": "s9"},
    ]
    document = {"name": "large", "initial_state": "s0", "states": states}
    (tmp_path / "workflow.json").write_text(json.dumps(document), "utf-8")
    asked = {"state": "s0", "from": "s10", "to": "s13", "code": "TRIGGER_SHADOWED"}
    seen = review(tmp_path, asked, "workflow.json")
    assert len(seen["nodes"]) == count
    assert seen["path"] == ["s10 → s11next", "s11 → s12next", "s12 → s13next"]
    assert seen["fits"]


def test_nasty_names_stay_text(tmp_path: Path) -> None:
    names = [name for name in NASTY if name.isprintable() and name.strip() == name and '"' not in name]
    names = [name for name in names if "\\" not in name]
    (tmp_path / "workflow.json").write_text(workflow_of(names), "utf-8")
    asked = {
        "state": "<b>bold</b>",
        "from": names[0],
        "to": "<script>alert(1)</script>",
        "code": "TRIGGER_BLOCKS_EVENTS",
    }
    asked["code"] = "TRIGGER_LOOP"
    seen = review(tmp_path, asked, "workflow.json")
    assert seen["about"].startswith("About <b>bold</b>")
    assert "<script>alert(1)</script>" in seen["path"][-1]
