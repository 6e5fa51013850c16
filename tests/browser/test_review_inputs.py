"""The review page in a browser of large, strangely named and broken files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from support.pictures import NASTY
from support.review_browser import GATED, HASH, IS_CHOSEN_SEEN, IS_WHOLE, OVERFLOW, RAW, Steps, use, write

pytestmark = pytest.mark.slow


CHOSEN = (
    "</script><script>alert(1)</script>",
    "\u202eevil",
    "x" * 200,
    " ",
    'say "x"',
    "a\nb",
    "שלום",
)
"""Names that are chosen, linked to and found again."""


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
        ["value", "raw", RAW],
        ["value", "scripts", "document.scripts.length"],
        [
            "value",
            "images",
            "document.images.length + document.querySelectorAll('a[*|href]:not(.skip)').length",
        ],
        ["window", 420, 800],
    ]
    for part in ("Findings", "Source", "Transitions", "Paths"):
        steps += [["tab", part], ["value", f"over {part}", OVERFLOW]]
    for number, name in enumerate(names):
        if name in CHOSEN:
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
