"""The review page in a browser: choose, filter, read, link, compare."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.pictures import FINDINGS
from support.review_browser import (
    DRAWN,
    FOCUS,
    GATED,
    HASH,
    IS_MARK_SEEN,
    IS_WHOLE,
    MACHINES,
    TRANSFORM,
    Steps,
    use,
    write,
)

pytestmark = pytest.mark.slow


def test_what_is_chosen_is_followed_everywhere(tmp_path: Path) -> None:
    write(tmp_path, "a.stratum.yaml", FINDINGS)
    steps: Steps = [
        ["texts", "counts", "#counts li"],
        ["value", "whole", IS_WHOLE],
        ["texts", "all", "#shown"],
        ["texts", "rows of all", "#tab-table .count"],
        ["node", "never"],
        ["labels", "chosen", "#canvas .chosen"],
        ["texts", "selection", "#chosen"],
        ["texts", "shown", "#shown"],
        ["texts", "codes", "#findings .finding > button b"],
        ["value", "hash", HASH],
        ["tab", "Source"],
        ["texts", "line", "#panel-source .marked"],
        ["tab", "Transitions"],
        ["value", "machines", MACHINES],
        ["tab", "Bounds"],
        ["texts", "bounds", "#panel-bounds tbody td:first-child"],
        ["press", "Escape"],
        ["count", "chosen after", "#canvas .chosen"],
        ["texts", "shown after", "#shown"],
        ["texts", "rows after", "#tab-table .count"],
        ["drag", -70, -40],
        ["value", "dragged", TRANSFORM],
        ["wheel", -120],
        ["click", "#whole"],
        ["value", "whole again", IS_WHOLE],
        ["value", "placed", TRANSFORM],
    ]
    seen = use(tmp_path, steps, "a.stratum.yaml")
    assert seen["counts"] == ["0 errors", "2 warnings", "1 info"]
    assert seen["whole"]
    assert seen["all"] == ["3 of 3 findings"] == seen["shown after"]
    assert seen["chosen"] == ["never, 1 finding, never comes up"]
    assert seen["selection"] == ["Chosen step: never a.stratum.yaml:37 · 1 finding"]
    assert seen["shown"] == ["1 of 3 findings, about never"]
    assert seen["codes"] == ["STEP_NEVER_RUNS"]
    assert seen["hash"] == "#step=never&from=never"
    assert seen["line"] == ["- id: never"]
    assert seen["machines"] == ["release.never"]
    assert set(seen["bounds"]) == {"release"}
    assert seen["chosen after"] == 0
    assert seen["rows of all"] == seen["rows after"]
    assert seen["dragged"] != seen["placed"]
    assert seen["whole again"]


def test_findings_are_filtered_and_lead_to_their_places(tmp_path: Path) -> None:
    write(tmp_path, "a.stratum.yaml", FINDINGS)
    steps: Steps = [
        ["select", "#filter-severity", "warning"],
        ["texts", "warnings", "#findings .finding > button b"],
        ["texts", "shown", "#shown"],
        ["select", "#filter-code", "STEP_NEVER_RUNS"],
        ["fill", "#filter-text", "CONDITION"],
        ["texts", "one", "#shown"],
        ["fill", "#filter-text", "no such words"],
        ["texts", "none", "#shown"],
        ["value", "focus kept", FOCUS],
        ["click", "#clear-filter"],
        ["texts", "all", "#shown"],
        ["value", "focus after", FOCUS],
        ["select", "#filter-code", "STEP_NEVER_RUNS"],
        ["click", "#findings .finding > button"],
        ["texts", "line", "#panel-source .marked"],
        ["texts", "note", "#panel-source .marked + .note"],
        ["labels", "marked", "#canvas .pointed"],
        ["value", "focused", FOCUS],
        ["value", "in view", IS_MARK_SEEN],
        ["tab", "Findings"],
        ["select", "#filter-code", "Any code"],
        ["click", "#findings .related button"],
        ["texts", "related", "#panel-source .marked"],
    ]
    seen = use(tmp_path, steps, "a.stratum.yaml")
    assert seen["warnings"] == ["STEP_NEVER_RUNS", "REF_MAY_BE_MISSING"]
    assert seen["shown"] == ["2 of 3 findings"]
    assert seen["one"] == ["1 of 3 findings"]
    assert seen["none"] == ["0 of 3 findings"]
    assert seen["focus kept"] == "Only findings with this text" == seen["focus after"]
    assert seen["all"] == ["3 of 3 findings"]
    assert seen["line"] == ['when: "input.is_patch && !input.is_patch"']
    assert seen["note"] == ["warning: STEP_NEVER_RUNS step never never runs: its condition can't be true"]
    assert seen["marked"] == ["never, 1 finding, never comes up"]
    assert seen["focused"] == "Source of a.stratum.yaml"
    assert seen["in view"]
    assert seen["related"] == ["- id: build"]


def test_links_lead_to_what_they_name(tmp_path: Path) -> None:
    write(tmp_path, "a.stratum.yaml", GATED)
    write(tmp_path, "b.stratum.yaml", FINDINGS)
    write(tmp_path, "c.stratum.yaml", FINDINGS)
    steps: Steps = [
        ["open", "#picture=1&step=publish&tab=source"],
        ["texts", "source", "#panel-source .marked"],
        ["value", "source in view", IS_MARK_SEEN],
        ["open", "#step=maybe&tab=table"],
        ["texts", "maybe", "#chosen strong"],
        ["texts", "tab", "[role=tab][aria-selected=true]"],
        ["open", "#step=rescue"],
        ["texts", "rescue", "#chosen strong"],
        ["value", "picture", "document.getElementById('picture').selectedOptions[0].text"],
        ["open", "#picture=2&from=build&to=publish&tab=paths"],
        ["texts", "path", "#path-answer li"],
        ["open", "#step=nothing&tab=none&picture=9"],
        ["texts", "unknown", "[role=tab][aria-selected=true]"],
        ["texts", "options", "#picture option"],
        ["labels", "groups", "#picture optgroup"],
        ["value", "names", "[...document.querySelectorAll('#picture optgroup')].map((one) => one.label)"],
        ["texts", "files", "#panel-bounds tbody tr:last-child td:first-child"],
    ]
    seen = use(tmp_path, steps, "a.stratum.yaml", "b.stratum.yaml", "c.stratum.yaml")
    assert seen["source"] == ["- id: publish"]
    assert seen["source in view"]
    assert seen["maybe"] == ["maybe"]
    assert seen["tab"][0].startswith("Transitions")
    assert seen["rescue"] == ["rescue"]
    assert seen["picture"] == "release (b.stratum.yaml)"
    assert seen["path"] == ["build → publish succeeds"]
    assert seen["unknown"][0].startswith("Findings")
    assert seen["options"] == ["main", "release (b.stratum.yaml)", "release (c.stratum.yaml)"]
    assert seen["names"] == ["a.stratum.yaml", "b.stratum.yaml", "c.stratum.yaml"]


def test_changes_are_told_and_drawn(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    write(tmp_path / "old", "a.stratum.yaml", GATED)
    write(tmp_path / "old", "b.stratum.yaml", FINDINGS)
    changed = GATED.replace("after: [plain], do: Publish", "after: [draft], do: Publish it")
    changed = changed.replace(
        "- {id: tell, after: [publish, announce]", "- {id: shout, after: [publish, announce]"
    )
    write(tmp_path, "a.stratum.yaml", changed)
    write(tmp_path, "b.stratum.yaml", FINDINGS)
    write(tmp_path, "c.stratum.yaml", FINDINGS)
    steps: Steps = [
        ["tab", "Changes"],
        ["texts", "headings", "#panel-changes h2"],
        ["texts", "parts", "#panel-changes h3"],
        ["texts", "meanings", "#panel-changes .finding.error"],
        ["texts", "table", "#panel-changes tbody tr"],
        ["texts", "stuck", "#panel-changes .finding.warning"],
        ["texts", "plain", "#panel-changes > p"],
        ["click", "#panel-changes button"],
        ["labels", "nodes", "#canvas .named"],
        ["texts", "legend", "#legend li"],
        ["value", "drawn", DRAWN],
        ["value", "pressed", "document.getElementById('changed').getAttribute('aria-pressed')"],
        ["node", "publish"],
        ["click", "#changed"],
        ["labels", "chosen", "#canvas .chosen"],
        ["count", "legend hidden", "#legend"],
    ]
    seen = use(tmp_path, steps, "a.stratum.yaml", "b.stratum.yaml", "c.stratum.yaml", "--against", "old")
    assert seen["headings"] == ["a.stratum.yaml", "b.stratum.yaml", "c.stratum.yaml"]
    assert seen["parts"][:2] == ["What it means", "What changed"]
    assert seen["parts"][-1] == "Who can go on"
    assert any(
        "gate plain" in meaning and meaning.startswith("serious: gate passed by")
        for meaning in seen["meanings"]
    )
    assert any(row.startswith("+ added step main.shout") for row in seen["table"])
    (removed,) = (row for row in seen["table"] if row.startswith("− removed step main.tell"))
    assert removed.endswith("do: Tell")
    assert "added" not in removed
    assert any(
        row.startswith("~ changed step main.publish") and "Publish → Publish it" in row
        for row in seen["table"]
    )
    assert "gone a run of main at step tell: the step is gone" in seen["stuck"]
    assert "Both mean the same." in seen["plain"]
    assert "It isn't compared with old." in seen["plain"]
    assert "publish, changed" in seen["nodes"]
    assert {"added", "changed", "removed"} <= set(seen["drawn"])
    assert "shout, added" in seen["nodes"]
    assert seen["legend"] == ["added", "changed", "removed"]
    assert seen["pressed"] == "true"
    assert seen["chosen"] == ["publish"]
    assert seen["legend hidden"] == 0
