"""The review page in a browser: what is inside steps, and what belongs to none of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.review_browser import FOCUS, HASH, Steps, use, write

pytestmark = pytest.mark.slow

INSIDE = """\
version: 1
contracts:
  Note: {text: string}
flows:
  entry: main
  main:
    input: {topic: string, files: "string[]"}
    output: {from: "${publish.output}", contract: Note}
    max_rounds: 2
    steps:
      - {id: sub, run: section, with: {topic: "${input.topic}"}}
      - id: each
        after: [sub]
        fanout:
          over: "${input.files}"
          concurrency: 2
          isolation: none
          require: all
          merge: sequential
          steps:
            - {do: "Test ${item}", out: Note}
            - {do: "Read ${prev}"}
      - id: gate
        after: [each]
        gate: {on_approve: null, on_revise: sub, on_kill: null}
      - {id: publish, after: [gate], do: Publish, out: Note}
  section:
    input: {topic: string}
    output: {from: "${write.output}", contract: Note}
    steps:
      - {id: draft, do: "Draft ${input.topic}", out: Note}
      - id: check
        after: [draft]
        gate: {on_approve: null, on_revise: null, on_kill: null}
      - {id: write, after: [check], do: Write, out: Note}
"""

HOPELESS = """\
version: 1
contracts:
  Note: {text: string}
flows:
  entry: main
  main:
    input: {topic: string}
    output: {from: "${c.output}", contract: Note}
    steps:
      - {id: a, do: A}
      - {id: b, after: [a], do: B, ensure: [{expr: "1 > 2"}]}
      - {id: c, after: [b], do: C, out: Note}
"""

TITLE = "picture.title"
TOLD = "[...document.querySelectorAll('#canvas .named title')].map((one) => one.textContent)"
BACK = """new Promise((done) => {
  addEventListener("hashchange", () => done([picture.title, selected]));
  history.back();
})"""
ON_PATH = "[...document.querySelectorAll('#canvas .edge.onpath')].length"


def test_a_step_of_a_called_flow_leads_to_that_flow(tmp_path: Path) -> None:
    write(tmp_path, "a.stratum.yaml", INSIDE)
    steps: Steps = [
        ["value", "nodes", "drawing.nodes.map(described)"],
        ["value", "told", TOLD],
        ["node", "draft"],
        ["value", "title", TITLE],
        ["texts", "chosen", "#chosen strong"],
        ["value", "hash", HASH],
        [
            "value",
            "back",
            BACK,
        ],
        ["focus", "#canvas .named"],
        ["press", "ArrowDown", "ArrowDown"],
        ["value", "focused", FOCUS],
        ["press", "Enter"],
        ["value", "title by key", TITLE],
        ["value", "focused there", FOCUS],
        ["value", "pressed", "document.activeElement.getAttribute('aria-pressed')"],
        ["open", "#step=sub"],
        ["click", "#called"],
        ["value", "title by button", TITLE],
    ]
    seen = use(tmp_path, steps, "a.stratum.yaml")
    inside = ["draft, in flow section", "check, in flow section", "write, in flow section"]
    assert seen["nodes"] == ["sub", *inside, "each", "each, stage 1", "each, stage 2", "gate", "publish"]
    assert seen["told"] == [
        f"Step {name} of flow section: shows that flow" for name in ("draft", "check", "write")
    ]
    assert seen["title"] == "section"
    assert seen["chosen"] == ["draft"]
    assert seen["hash"] == "#picture=1&step=draft&from=draft"
    assert seen["back"] == ["main", None]
    assert seen["focused"] == "check, in flow section"
    assert seen["title by key"] == "section"
    assert seen["focused there"] == "check"
    assert seen["pressed"] == "true"
    assert seen["title by button"] == "section"


def test_a_stage_chooses_its_step(tmp_path: Path) -> None:
    write(tmp_path, "a.stratum.yaml", INSIDE)
    steps: Steps = [
        ["node", "each, stage 2"],
        ["labels", "chosen", "#canvas .chosen"],
        ["texts", "selection", "#chosen strong"],
        ["tab", "Source"],
        ["texts", "line", "#panel-source .marked"],
        ["open", "#from=sub&to=publish&tab=paths"],
        ["texts", "hops", "#path-answer li"],
        ["value", "edges", ON_PATH],
        ["texts", "passed", "#path-answer .passed"],
    ]
    seen = use(tmp_path, steps, "a.stratum.yaml")
    assert seen["chosen"] == ["each", "each, stage 1", "each, stage 2"]
    assert seen["selection"] == ["each"]
    assert seen["line"] == ['- {do: "Read ${prev}"}']
    assert seen["hops"] == ["sub → each succeeds", "each → gate succeeds", "gate → publish approve"]
    # Into and out of the flow inside `sub`, through both stages of `each`, and on.
    assert seen["edges"] == 6
    assert seen["passed"] == ["Every run of sub and publish passes sub.check, gate, approved."]


def test_what_is_about_no_step_is_told(tmp_path: Path) -> None:
    write(tmp_path, "a.stratum.yaml", HOPELESS)
    steps: Steps = [
        ["texts", "hopeless", "#hopeless"],
        ["texts", "own", "#own"],
        ["texts", "legend", "#legend li"],
        ["click", "#own"],
        ["texts", "shown", "#shown"],
        ["texts", "codes", "#findings .finding > button b"],
        ["value", "pressed", "document.getElementById('own').getAttribute('aria-pressed')"],
        ["node", "b"],
        ["texts", "shown of b", "#shown"],
        ["click", "#own"],
        ["count", "chosen", "#canvas .chosen"],
        ["click", "#clear-filter"],
        ["texts", "shown after", "#shown"],
        ["tab", "Bounds"],
        ["texts", "bounds", "#panel-bounds tbody td"],
        ["tab", "Paths"],
        ["texts", "paths", "#path-answer > *"],
    ]
    seen = use(tmp_path, steps, "a.stratum.yaml")
    assert seen["hopeless"] == ["No run of this flow can end well"]
    assert seen["own"] == ["2 findings on no step"]
    assert {"error", "info"} <= set(seen["legend"])
    assert seen["shown"] == ["2 of 3 findings, on no step of main"]
    assert seen["codes"] == ["FLOW_CANNOT_COMPLETE", "INPUT_UNUSED"]
    assert seen["pressed"] == "true"
    assert seen["shown of b"] == ["1 of 3 findings, about b"]
    assert seen["chosen"] == 0
    assert seen["shown after"] == ["3 of 3 findings"]
    assert seen["bounds"] == ["main", "No run of it can end well."]
    assert seen["paths"][0] == "No run of this flow can end well, whatever it comes to on the way."


def test_without_scripts_the_findings_are_there(tmp_path: Path) -> None:
    states = {"a": {"transitions": []}, "b\u202e<b>": {"transitions": [{"event": "go", "target": "a"}]}}
    write(tmp_path, "workflow.json", {"name": "w", "initial_state": "a", "states": states})
    steps: Steps = [["value", "unscripted", "document.querySelector('noscript').textContent"]]
    (text,) = use(tmp_path, steps, "workflow.json").values()
    assert "This page needs JavaScript" in text
    assert "<b>STATE_UNREACHABLE</b>" in text
    assert "`b\\u202e&lt;b&gt;`" in text
    assert "workflow.json</bdi>:" in text
