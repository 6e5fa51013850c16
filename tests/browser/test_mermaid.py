"""Every Mermaid text is drawn by the real library, and shows the names as they are."""

from __future__ import annotations

from typing import Any

import pytest

import stratumc
from stratumc.emit.label_text import name_lines
from support.browser import run_script
from support.examples import EXAMPLES, example_id
from support.pictures import DEAD_ENDS, FINDINGS, NASTY, spec_of, workflow_of

pytestmark = pytest.mark.slow


def mermaid(source: Any) -> str:
    drawn = stratumc.diagram(source)
    assert isinstance(drawn, str)
    return drawn


def flat(text: str) -> str:
    """Words as they are seen: the joiners that take formulas apart aren't, nor is white space at ends."""
    return " ".join(text.replace("\u2060", "").split())


def draw(texts: dict[str, str]) -> dict[str, Any]:
    drawn = run_script("draw_mermaid.js", texts)
    assert {name: found["error"] for name, found in drawn.items() if "error" in found} == {}
    return dict(drawn)


def test_every_example_is_drawn() -> None:
    drawn = draw({example_id(path): mermaid(path) for path in EXAMPLES})
    assert len(drawn) == len(EXAMPLES)
    assert all(len(found["nodes"]) > 2 for found in drawn.values())
    assert "quality gate, at most 3 rounds" in map(flat, drawn["release"]["nodes"].values())


def test_findings_are_drawn() -> None:
    drawn = draw({"spec": mermaid(FINDINGS), "workflow": mermaid(DEAD_ENDS)})
    assert "never: 2. [a.b > 4]" in map(flat, drawn["workflow"]["edges"])
    assert "revise: resets build, rescue, tests, review, never, publish" in map(flat, drawn["spec"]["edges"])


def test_any_name_of_a_state_is_shown_as_it_is() -> None:
    names = list(NASTY)
    texts = {str(number): mermaid(workflow_of([name, "a", "b"])) for number, name in enumerate(names)}
    drawn = draw({**texts, "all": mermaid(workflow_of(names))})
    everything = list(map(flat, drawn["all"]["nodes"].values()))
    for number, name in enumerate(names):
        lines = flat(" ".join(name_lines(name)))
        mine = [flat(label) for key, label in drawn[str(number)]["nodes"].items() if "-n1-" in key]
        assert any(label.startswith(lines) for label in mine), (name, mine)
        assert any(label.startswith(lines) for label in everything), name
        assert flat(drawn[str(number)]["title"].replace("＜", "<")) == flat(
            "\\n".join(name.split("\n"))
        ) or not (name.isprintable() and name.strip())


def test_any_text_of_a_step_is_shown_as_it_is() -> None:
    texts = [text for text in NASTY if "${" not in text and text.strip()]
    drawn = draw({"all": mermaid(spec_of(texts))})["all"]
    nodes = list(map(flat, drawn["nodes"].values()))
    for number, text in enumerate(texts):
        wanted = f"s{number} "
        (mine,) = (label for label in nodes if label.startswith(wanted))
        if text.isprintable() and len(text) < 40:
            assert mine.startswith(flat(f"{wanted}{text} judged: {text}")), text
