"""The review page in a browser: choose, filter, read, link, without a mouse, in the dark, on paper."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support.browser import run_script
from support.command import stratumc
from support.pictures import FINDINGS, NASTY

pytestmark = pytest.mark.slow

Steps = list[list[Any]]

GATED = """\
version: 1
contracts:
  Page: {url: string}
flows:
  entry: main
  main:
    input: {is_patch: boolean}
    output: {from: "${publish.output}", contract: Page}
    max_rounds: 2
    steps:
      - {id: draft, do: Draft}
      - {id: plain, after: [draft], gate: {on_approve: null, on_revise: draft, on_kill: null}}
      - id: maybe
        after: [draft]
        when: "!input.is_patch"
        gate: {on_approve: null, on_revise: null, on_kill: null}
      - {id: announce, after: [maybe], when: "!input.is_patch", do: Announce}
      - {id: publish, after: [plain], do: Publish, out: Page}
      - {id: tell, after: [publish, announce], when: "!input.is_patch", do: Tell}
"""


def use(folder: Path, steps: Steps, *arguments: str) -> dict[str, Any]:
    """Writes the review of some files, and gives what the steps saw on it."""
    outcome = stratumc("review", *arguments, "-o", "page.html", cwd=folder)
    assert outcome.status == 0, outcome.err
    seen = run_script("drive_page.js", steps, folder / "page.html")
    assert seen.pop("faults") == []
    return dict(seen)


def write(folder: Path, name: str, text: str | dict[str, Any]) -> str:
    content = text if isinstance(text, str) else json.dumps(text)
    (folder / name).write_text(content, "utf-8")
    return name


IS_WHOLE = """(() => {
  const around = document.getElementById("canvas").getBoundingClientRect();
  const box = document.querySelector("#canvas svg").getBoundingClientRect();
  return box.left >= around.left && box.right <= around.right
    && box.top >= around.top && box.bottom <= around.bottom;
})()"""
IS_CHOSEN_SEEN = """(() => {
  const around = document.getElementById("canvas").getBoundingClientRect();
  const box = document.querySelector("#canvas .chosen").getBoundingClientRect();
  return box.left >= around.left && box.right <= around.right && box.width > 15;
})()"""
IS_MARK_SEEN = """(() => {
  const box = document.querySelector(".marked").getBoundingClientRect();
  return box.top > 0 && box.bottom < innerHeight;
})()"""
RAW = r"/[\u200b\u202a-\u202e\u2066-\u2069\x07]/.test(document.body.innerText.replace(/\n|\t/g, ''))"
MACHINES = "[...new Set([...document.querySelectorAll('#rows td:first-child')].map((one) => one.innerText))]"
DRAWN = "[...document.querySelectorAll('#canvas .node text')].map((one) => one.textContent)"
TRANSFORM = "document.querySelector('#canvas svg').style.transform"
FOCUS = """(() => {
  const focused = document.activeElement;
  return focused.getAttribute("aria-label") ?? (focused.id || focused.textContent);
})()"""
HASH = "decodeURIComponent(location.hash)"
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


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
        [
            "value",
            "machines",
            MACHINES,
        ],
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
        [
            "value",
            "in view",
            IS_MARK_SEEN,
        ],
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


def test_paths_of_a_flow_tell_the_gates(tmp_path: Path) -> None:
    write(tmp_path, "a.stratum.yaml", GATED)
    answer: list[Any] = ["#path-answer > *"]
    steps: Steps = [
        ["tab", "Paths"],
        ["texts", "hint", *answer],
        ["select", "#path-from", "draft"],
        ["select", "#path-to", "publish"],
        ["texts", "path", *answer],
        ["labels", "marked", "#canvas .node.onpath"],
        ["count", "edges", "#canvas .edge.onpath"],
        ["value", "hash", HASH],
        ["select", "#path-from", "announce"],
        ["select", "#path-to", "tell"],
        ["texts", "union", *answer],
        ["select", "#path-from", "tell"],
        ["select", "#path-to", "draft"],
        ["texts", "none", *answer],
        ["select", "#path-from", "the start"],
        ["texts", "start", *answer],
        ["select", "#path-from", "announce"],
        ["select", "#path-to", "anything"],
        ["texts", "anything", *answer],
        ["click", "#path-answer button.link"],
        ["texts", "followed", "#path-answer li"],
        ["value", "live", "document.getElementById('path-answer').getAttribute('aria-live')"],
        ["node", "draft"],
        ["node", "plain"],
        ["texts", "clicked", "#path-answer li"],
    ]
    seen = use(tmp_path, steps, "a.stratum.yaml")
    assert seen["hint"] == ["From the start can be reached: draft, plain, maybe, publish, announce, tell"]
    assert seen["path"] == [
        "2 hops",
        "draft → plain succeeds plain → publish approve",
        "Every run of draft and publish passes plain, approved.",
    ]
    assert seen["marked"] == ["draft", "plain", "publish"]
    assert seen["edges"] == 2
    assert seen["hash"] == "#tab=paths&from=draft&to=publish"
    assert seen["union"][-1] == "Every run of announce and tell passes plain, maybe, approved."
    assert seen["none"][0] == "No path leads from tell to draft."
    assert seen["start"] == ["Runs begin with draft."]
    assert seen["anything"] == [
        "From announce can be reached: tell",
        "Every run of announce passes maybe, approved.",
    ]
    assert seen["followed"] == ["announce → tell succeeds"]
    assert seen["live"] == "polite"
    assert seen["clicked"] == ["draft → plain succeeds"]
    for start, goal, passed in (("draft", "publish", "plain"), ("announce", "tell", "plain, maybe")):
        said = stratumc("path", "a.stratum.yaml", start, goal, cwd=tmp_path).out
        assert f"every run passes {passed} on the way" in said


RESUMING = {
    "name": "pausing",
    "initial_state": "a",
    "resumption_targets": {"a": "c", "b": "a", "c": "a"},
    "states": {
        "a": {"transitions": [{"event": "on", "target": "b"}, {"event": "hold", "target": "paused"}]},
        "b": {"transitions": [{"event": "on", "target": "c"}, {"event": "hold", "target": "paused"}]},
        "c": {"transitions": [{"event": "end", "target": "done"}]},
        "paused": {"transitions": [{"event": "resume", "target": None}]},
        "done": {},
        "never": {"transitions": [{"event": "hold", "target": "paused"}]},
    },
}


def test_paths_of_a_workflow_tell_the_state_before(tmp_path: Path) -> None:
    write(tmp_path, "workflow.json", RESUMING)
    answer: list[Any] = ["#path-answer > *"]
    steps: Steps = [["tab", "Paths"]]
    for start, goal in (("paused", "c"), ("a", "done"), ("a", "paused"), ("never", "c"), ("the start", "a")):
        steps += [
            ["select", "#path-from", start],
            ["select", "#path-to", goal],
            ["texts", f"{start} {goal}", *answer],
        ]
    steps += [
        ["select", "#path-from", "paused"],
        ["select", "#path-to", "paused"],
        ["texts", "again", *answer],
        ["select", "#path-to", "anything"],
        ["texts", "from paused", *answer],
        ["open", "#state=paused"],
        ["texts", "hop rows", "#tab-table .count"],
    ]
    seen = use(tmp_path, steps, "workflow.json")
    assert seen["paused c"][:2] == ["1 hop", "paused → c resume when the state before was a"]
    assert seen["a done"] == [
        "3 hops",
        "a → b on b → c on c → done end",
        "Every path between the two passes c.",
    ]
    assert seen["a paused"][-1] == "No state is on every path between the two."
    assert seen["never c"] == ["Nothing ever comes to never."]
    assert seen["the start a"] == ["Projects begin in a."]
    assert seen["again"][0] == "2 hops"
    assert "paused → a resume when the state before was b" in seen["again"][1]
    assert seen["from paused"] == ["From paused can be reached: c, a, done, b"]
    assert int(seen["hop rows"][0]) == 6
    said = stratumc("path", "workflow.json", "a", "done", cwd=tmp_path).out
    assert "every path passes c on the way" in said


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
    assert "+ added step main.shout" in seen["table"]
    assert "− removed step main.tell" in seen["table"]
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


def test_it_is_read_without_a_mouse(tmp_path: Path) -> None:
    write(tmp_path, "a.stratum.yaml", FINDINGS)
    steps: Steps = [["open"]]
    for number in range(6):
        steps += [["press", "Tab"], ["value", f"focus {number}", FOCUS]]
    steps += [
        ["press", "ArrowDown", "ArrowDown"],
        ["value", "third", FOCUS],
        ["press", "End"],
        ["value", "last", FOCUS],
        ["press", "Home", "Enter"],
        ["value", "pressed", "document.activeElement.getAttribute('aria-pressed')"],
        ["value", "visible", "getComputedStyle(document.activeElement).outlineStyle"],
        ["press", "ArrowRight", "Space"],
        ["labels", "chosen", "#canvas .chosen"],
        ["press", "Tab"],
        ["value", "leaves", FOCUS],
        ["press", "Tab"],
        ["value", "tabs", FOCUS],
        ["press", "ArrowRight", "ArrowRight", "ArrowRight"],
        ["value", "paths", FOCUS],
        ["texts", "answer", "#path-answer li"],
        ["press", "End"],
        ["value", "end", FOCUS],
        ["press", "Home", "Tab"],
        ["value", "filter", FOCUS],
        ["focus", "#canvas"],
        ["value", "before", TRANSFORM],
        ["press", "ArrowLeft", "+"],
        ["value", "moved", TRANSFORM],
        ["press", "0"],
        ["value", "after", TRANSFORM],
        ["tree", "tree", "body"],
        ["open"],
        ["press", "Tab", "Enter", "Tab"],
        ["value", "skipped", FOCUS],
    ]
    seen = use(tmp_path, steps, "a.stratum.yaml")
    order = [seen[f"focus {number}"] for number in range(6)]
    assert order == ["Skip the diagram", "Zoom out", "Zoom in", "whole", "Diagram", "build"]
    assert seen["third"] == "tests"
    assert seen["last"] == "publish, 1 finding"
    assert seen["pressed"] == "true"
    assert seen["visible"] == "solid"
    assert seen["chosen"] == ["rescue"]
    assert seen["leaves"] == "Choose nothing"
    assert seen["tabs"] == "tab-findings"
    assert seen["paths"] == "tab-paths"
    assert seen["answer"] == ["build → rescue fails"]
    assert seen["end"] == "tab-bounds"
    assert seen["filter"] == "Severity"
    assert seen["before"] != seen["moved"]
    assert seen["after"] != seen["moved"]
    assert seen["skipped"] == "tab-findings"
    for role in (
        'application "Diagram"',
        'button "never, 1 finding, never comes up"',
        'tablist "Parts of the review"',
        'tab "Findings 0" [selected]',
        "status: 0 of 3 findings",
        'searchbox "Only findings with this text"',
        'combobox "Severity"',
        'complementary "Review"',
        'list "Colours"',
    ):
        assert role in seen["tree"], role


def test_contrast_in_both_schemes(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    write(
        tmp_path / "old",
        "a.stratum.yaml",
        FINDINGS.replace("id: never", "id: gone").replace("do: Rescue", "do: Save"),
    )
    write(tmp_path, "a.stratum.yaml", FINDINGS)
    write(
        tmp_path,
        "b.stratum.yaml",
        FINDINGS.replace("do: Rescue", "do: Rescue ${nothing.output}").replace("\u0020never", " a\u202eb", 1),
    )
    steps: Steps = []
    for scheme in ("light", "dark"):
        steps.append(["media", {"colorScheme": scheme}])
        for part in ("findings", "source", "table", "paths", "bounds", "changes"):
            steps += [
                ["open", f"#step=publish&from=build&to=publish&tab={part}"],
                ["contrast", f"{scheme} {part}"],
            ]
        steps += [["click", "#changed"], ["contrast", f"{scheme} drawn changes"]]
        steps += [["open", "#picture=1"], ["contrast", f"{scheme} broken"]]
    seen = use(tmp_path, steps, "a.stratum.yaml", "b.stratum.yaml", "--against", "old")
    for name, found in seen.items():
        assert found["measured"] > 30, name
        assert found["texts"][0][0] >= 4.5, (name, found["texts"])
        assert found["controls"][0][0] >= 3, (name, found["controls"])


def test_narrow_windows_paper_and_less_motion(tmp_path: Path) -> None:
    write(tmp_path, "a.stratum.yaml", FINDINGS)
    glides = "(glide(() => {}), getComputedStyle(document.querySelector('#canvas svg')).transitionDuration)"
    steps: Steps = [["media", {"colorScheme": "dark", "reducedMotion": "no-preference"}], ["open"]]
    steps += [["value", "motion", glides]]
    for width in (700, 320):
        steps.append(["window", width, 600])
        for part in ("findings", "source", "table", "paths", "bounds"):
            steps += [
                ["open", f"#step=publish&from=build&to=publish&tab={part}"],
                ["value", f"{width} {part}", OVERFLOW],
            ]
        steps.append(["value", f"chosen at {width}", IS_CHOSEN_SEEN])
    steps += [
        ["media", {"reducedMotion": "reduce"}],
        ["value", "less motion", glides],
        ["window", 900, 1200],
        ["media", {"media": "print"}],
        ["count", "controls", "button:not(.finding > button), select, input"],
        ["count", "findings", ".finding"],
        ["count", "lines", ".source .line"],
        ["count", "tables", "table"],
        ["value", "ground", "getComputedStyle(document.body).color"],
        [
            "value",
            "paper",
            "document.querySelector('#canvas svg').getBoundingClientRect().width <= innerWidth",
        ],
    ]
    seen = use(tmp_path, steps, "a.stratum.yaml")
    assert seen["motion"] != "0s"
    assert seen["chosen at 700"]
    assert seen["chosen at 320"]
    assert seen["less motion"] == "0s"
    assert {name: over for name, over in seen.items() if name[:3] in ("700", "320") and over != 0} == {}
    assert seen["controls"] == 0
    assert seen["findings"] > 0
    assert seen["lines"] == len(FINDINGS.splitlines())
    assert seen["tables"] == 2
    assert seen["ground"] == "rgb(28, 25, 23)"
    assert seen["paper"]


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
    write(tmp_path, "workflow.json", {"name": "large", "initial_state": "s0", "states": states})
    steps: Steps = [
        ["labels", "nodes", "#canvas .named"],
        ["value", "scale", "view.scale"],
        ["click", "#whole"],
        ["value", "whole", IS_WHOLE],
        ["open", "#from=s10&to=s199&tab=paths"],
        ["count", "hops", "#path-answer li"],
        ["texts", "passed", "#path-answer .passed"],
        ["open", "#state=s100"],
        ["texts", "rows", "#tab-table .count"],
        ["value", "chosen in view", IS_CHOSEN_SEEN],
        ["tab", "Transitions"],
        ["texts", "headings", "#rows th"],
    ]
    seen = use(tmp_path, steps, "workflow.json")
    assert len(seen["nodes"]) == count
    assert seen["scale"] >= 0.4
    assert seen["whole"]
    assert seen["hops"] == 189
    assert seen["passed"][0].startswith("Every path between the two passes s11, s12, s13")
    assert seen["rows"] == ["4"]
    assert seen["chosen in view"]
    assert seen["headings"] == ["State", "Event", "Guards", "Target", "Effects"]
    assert (tmp_path / "page.html").stat().st_size < 1_500_000


def test_any_name_stays_text(tmp_path: Path) -> None:
    names = [
        "start here",
        *NASTY,
        "</script><script>alert(1)</script>",
        "\u2066turned\u2069",
        "zero\u200bwidth",
    ]
    states = {
        name: {"description": name, "transitions": [{"event": name, "target": after, "action": name}]}
        for name, after in zip(names, (*names[1:], names[0]), strict=True)
    }
    write(tmp_path, "workflow.json", {"name": names[1], "initial_state": names[0], "states": states})
    steps: Steps = [
        ["labels", "nodes", "#canvas .named"],
        [
            "value",
            "raw",
            RAW,
        ],
        ["value", "scripts", "document.scripts.length"],
        ["value", "images", "document.images.length + document.querySelectorAll('a:not(.skip)').length"],
        ["window", 420, 800],
    ]
    for part in ("findings", "source", "table", "paths"):
        steps += [
            [
                "tab",
                {"findings": "Findings", "source": "Source", "table": "Transitions", "paths": "Paths"}[part],
            ],
            ["value", f"over {part}", OVERFLOW],
        ]
    for number, name in enumerate(names):
        if name in (
            "</script><script>alert(1)</script>",
            "\u202eevil",
            "x" * 200,
            " ",
            'say "x"',
            "a\nb",
            "שלום",
        ):
            steps += [
                [
                    "value",
                    f"choose {number}",
                    f"(choose({number}), document.getElementById('chosen').innerText)",
                ]
            ]
            steps += [
                ["value", f"hash {number}", HASH],
                ["value", f"back {number}", f"(follow(), selected === {number})"],
            ]
    seen = use(tmp_path, steps, "workflow.json")
    assert len(seen["nodes"]) == len(names)
    assert {"\\u202eevil", '" "', "</script><script>alert(1)</script>"} <= set(seen["nodes"])
    assert not seen["raw"]
    assert seen["scripts"] == 2
    assert seen["images"] == 0
    assert {name: over for name, over in seen.items() if name.startswith("over ") and over != 0} == {}
    assert all(found for name, found in seen.items() if name.startswith("back "))


def test_broken_files(tmp_path: Path) -> None:
    write(tmp_path, "broken.stratum.yaml", "version: 2\nflows: \u202e[</script>\n")
    write(tmp_path, "half.stratum.yaml", GATED.replace("after: [plain]", "after: [plan]"))
    steps: Steps = [
        ["texts", "tabs", "[role=tab]"],
        ["texts", "options", "#picture option"],
        ["texts", "escapes", ".source .escape"],
        ["node", "publish"],
        ["texts", "shown", "#shown"],
        ["texts", "codes", "#findings .finding > button b"],
    ]
    seen = use(tmp_path, steps, "broken.stratum.yaml", "half.stratum.yaml")
    assert [tab.split()[0] for tab in seen["tabs"]] == ["Findings", "Source"]
    assert seen["escapes"] == ["\\u202e"]
    assert len(seen["codes"]) == 1
    alone = use(
        tmp_path,
        [["texts", "canvas", "#canvas"], ["texts", "codes", "#findings .finding > button b"]],
        "broken.stratum.yaml",
    )
    assert alone["canvas"] == ["There is nothing to draw: the input is too broken. The findings say why."]
    assert alone["codes"]


def test_a_picture_alone(tmp_path: Path) -> None:
    write(tmp_path, "a.stratum.yaml", FINDINGS)
    outcome = stratumc("diagram", "a.stratum.yaml", "--format", "html", "-o", "page.html", cwd=tmp_path)
    assert outcome.status == 0
    steps: Steps = [["tree", "tree", "main"], ["value", "overflow", OVERFLOW], ["contrast", "light"]]
    steps += [
        ["media", {"colorScheme": "dark"}],
        ["contrast", "dark"],
        ["window", 400, 700],
        ["value", "narrow", OVERFLOW],
    ]
    seen = run_script("drive_page.js", steps, tmp_path / "page.html")
    assert seen["faults"] == []
    assert 'img "release"' in seen["tree"]
    assert seen["overflow"] == 0 == seen["narrow"]
    for scheme in ("light", "dark"):
        assert seen[scheme]["texts"][0][0] >= 4.5, seen[scheme]
