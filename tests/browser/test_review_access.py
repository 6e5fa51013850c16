"""The review page in a browser without a mouse, in the dark, in narrow windows, on paper."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.browser import run_script
from support.command import stratumc
from support.pictures import FINDINGS
from support.review_browser import FOCUS, IS_CHOSEN_SEEN, OVERFLOW, TRANSFORM, Steps, use, write

pytestmark = pytest.mark.slow


def test_it_is_read_without_a_mouse(tmp_path: Path) -> None:
    write(tmp_path, "a.stratum.yaml", FINDINGS)
    steps: Steps = [["open"]]
    for number in range(7):
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
        ["open"],
        ["press", "Tab", "Enter", "Tab"],
        ["value", "skipped", FOCUS],
    ]
    seen = use(tmp_path, steps, "a.stratum.yaml")
    order = [seen[f"focus {number}"] for number in range(7)]
    assert order == ["Skip the diagram", "Zoom out", "Zoom in", "whole", "own", "Diagram", "build"]
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


def test_everything_has_a_role_and_a_name(tmp_path: Path) -> None:
    write(tmp_path, "a.stratum.yaml", FINDINGS)
    steps: Steps = [["open", "#step=rescue"], ["tree", "tree", "body"]]
    seen = use(tmp_path, steps, "a.stratum.yaml")
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
