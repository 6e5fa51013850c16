"""Pictures of flows and workflows: every part that is listed, any name, and golden files for the examples.

Of SVGs everything is compared but sizes and coordinates, which depend on the fonts of the machine.
"""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stratumc
from stratumc.driver.diagram import UndrawableError, picture_of
from stratumc.driver.load import load
from stratumc.emit.colours import COLOURS
from stratumc.emit.label_text import name_lines, shown, wrap
from stratumc.emit.marks import RunMarks
from stratumc.emit.mermaid import escape, escape_title
from stratumc.emit.picture import Line, Picture, Shape, Tone
from support.examples import EXAMPLES, example_id
from support.golden import Golden
from support.pictures import DEAD_ENDS, FINDINGS, NASTY, spec_of, without_measures, workflow_of
from support.repository import ROOT

SVG = "{http://www.w3.org/2000/svg}"
DRAWN: dict[str, str | Path] = {
    **{example_id(path): path for path in EXAMPLES},
    "findings": FINDINGS,
    "dead-ends": DEAD_ENDS,
    "nasty-states": workflow_of(list(NASTY)),
    "nasty-steps": spec_of(list(NASTY)),
}


def draw(source: str | Path, form: str) -> bytes:
    drawn = stratumc.diagram(source, format=form)
    return drawn.encode("utf-8") if isinstance(drawn, str) else drawn


def picture(source: str, **more: object) -> Picture:
    return picture_of(load(source, name="case", kind=None), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", DRAWN)
def test_pictures_are_as_expected(name: str, golden: Golden) -> None:
    folder = ROOT / "golden" / "diagrams"
    golden.check(folder / f"{name}.mmd", draw(DRAWN[name], "mermaid"))
    golden.check(folder / f"{name}.dot", draw(DRAWN[name], "dot"))
    svg = draw(DRAWN[name], "svg")
    ET.fromstring(svg)
    golden.check(folder / f"{name}.svg", without_measures(svg))


def test_every_name_is_in_the_drawing() -> None:
    svg = ET.fromstring(draw(workflow_of(list(NASTY)), "svg"))
    nodes = {one.get("id"): one for one in svg.iter(f"{SVG}g") if one.get("class") == "node"}
    for number, name in enumerate(NASTY, 1):
        texts = tuple(text.text or "" for text in nodes[f"n{number}"].iter(f"{SVG}text"))
        lines = name_lines(name)
        assert tuple(map(_spaced, texts[: len(lines)])) == tuple(map(_spaced, lines))


def _spaced(text: str) -> str:
    """Graphviz writes spaces as no-break spaces in places."""
    return " ".join(text.replace("\xa0", " ").split())


def test_all_parts_of_a_flow() -> None:
    drawn = picture(FINDINGS)
    shapes = {node.shape for node in drawn.nodes}
    assert shapes >= {
        Shape.START,
        Shape.END,
        Shape.KILLED,
        Shape.GATE,
        Shape.FANOUT,
        Shape.STAGE,
        Shape.CARRY,
    }
    labels = {" ".join(edge.lines) for edge in drawn.edges}
    assert labels >= {
        "fails",
        "when !input.is_patch",
        "approve or skipped",
        "done or skipped",
        "skipped",
        "each item of ${input.builds}",
        "kill",
        "revise: resets build, rescue, tests, review, never, publish",
        "initial",
        "reads",
        "on revise",
        "when input.is_patch",
    }
    assert {edge.line for edge in drawn.edges} == {
        Line.ORDER,
        Line.ROUTE,
        Line.REVISE,
        Line.RECOVERY,
        Line.CARRY,
    }
    assert [cluster.label for cluster in drawn.clusters] == ["each item of ${input.builds}"]
    assert drawn.notes[0].startswith("dispatches: ")
    assert drawn.notes[-1] == "budget: 2.5 usd, 40 dispatches"
    tones = {node.name: node.tone for node in drawn.nodes if node.name}
    assert tones["never"] is Tone.UNREACHABLE
    assert tones["publish"] is Tone.WARNING
    assert (
        "judged: The page is readable" in next(node for node in drawn.nodes if node.name == "publish").lines
    )


def test_all_parts_of_a_workflow() -> None:
    drawn = picture(DEAD_ENDS)
    tones = {node.name: node.tone for node in drawn.nodes if node.name}
    shapes = {node.name: node.shape for node in drawn.nodes}
    assert (tones["lost"], shapes["closed"], shapes[None]) == (Tone.UNREACHABLE, Shape.FINAL, Shape.START)
    found = {" ".join(edge.lines): edge.tone for edge in drawn.edges}
    assert found["go / /go (judgment)"] is Tone.PLAIN
    assert found["1. [a.b > 3]"] is Tone.PLAIN
    assert found["2. [a.b > 4]"] is Tone.UNREACHABLE
    assert found["found"] is Tone.UNREACHABLE
    mermaid = stratumc.diagram(DEAD_ENDS)
    assert isinstance(mermaid, str)
    assert "never#58; 2#46; #91;a.b #62; 4#93;" in mermaid
    assert "--> [*]" in mermaid


def test_any_state_leaves_out_states_with_an_event_of_that_name() -> None:
    """A state's own event wins over the global one (workflow.md section 1)."""

    def labels(count: int, owners: int, excepted: list[str]) -> list[tuple[str, ...]]:
        own = [{"event": "stop", "target": "s0"}]
        states = {f"s{number}": {"transitions": own if number < owners else []} for number in range(count)}
        stop = {"event": "stop", "target": "s0", "except": excepted}
        document = {"initial_state": "s0", "states": states, "global_transitions": [stop]}
        drawn = picture(json.dumps(document))
        return [node.lines for node in drawn.nodes if node.shape is Shape.ANY]

    assert labels(4, 0, []) == [("any state",)]
    assert labels(4, 1, []) == [("any state", "except s0")]
    assert labels(4, 1, ["s2", "s0"]) == [("any state", "except s2, s0")]
    assert labels(9, 8, []) == [("only s8",)]
    assert labels(3, 3, []) == [("no state",)]


def test_findings_of_a_fragment_colour_its_own_parts(tmp_path: Path) -> None:
    base = {
        "name": "b",
        "initial_state": "a",
        "states": {"a": {"transitions": [{"event": "x", "target": "a"}]}},
    }
    more = {
        "name": "more",
        "states": {"a": {"triggers": [{"condition": "c.d < 0", "target": "b"}]}, "b": {"description": "new"}},
    }
    (tmp_path / "workflow.d").mkdir()
    (tmp_path / "workflow.json").write_text(json.dumps(base), "utf-8")
    (tmp_path / "workflow.d" / "more.json").write_text(json.dumps(more), "utf-8")
    drawn = picture_of(load(tmp_path / "workflow.json", name="", kind=None))
    tones = {" ".join(edge.lines): edge.tone for edge in drawn.edges}
    assert tones["x"] is Tone.PLAIN


def test_a_run_colours_steps_and_counts_items() -> None:
    statuses = {"build": "succeeded", "review": "waiting_gate", "tests": "running", "never": "skipped"}
    items = {"tests/0": "succeeded", "tests/1": "ready"}
    drawn = picture(FINDINGS, run=RunMarks({**statuses, **items, "publish": "pending"}))
    nodes = {node.name: node for node in drawn.nodes if node.name}
    assert nodes["build"].tone is Tone.DONE
    assert nodes["review"].tone is Tone.CURRENT
    assert nodes["never"].tone is Tone.SKIPPED
    assert nodes["publish"].tone is Tone.WARNING
    assert "items: 1 succeeded, 1 ready" in nodes["tests"].lines


def test_the_current_state_is_marked() -> None:
    nodes = {node.name: node for node in picture(DEAD_ENDS, state="closed").nodes}
    assert nodes["closed"].tone is Tone.CURRENT


@pytest.mark.parametrize(
    ("source", "options", "said"),
    [
        (DEAD_ENDS, {"state": "wrok"}, "no state `wrok`: did you mean `work`?"),
        (DEAD_ENDS, {"flow": "main"}, "a workflow has no flows"),
        (FINDINGS, {"flow": "releas"}, "no flow `releas`: did you mean `release`?"),
        (FINDINGS, {"state": "x"}, "a spec has no states"),
        ("version: [", {}, "the input is too broken to draw: <text>:1:"),
    ],
)
def test_what_cannot_be_drawn_is_said(source: str, options: dict[str, str], said: str) -> None:
    with pytest.raises(UndrawableError, match=said.replace("[", r"\[").replace("?", r"\?")):
        stratumc.diagram(source, **options)  # type: ignore[arg-type]


BROKEN_SPEC = """\
version: 1
contracts: {Text: {text: string}}
flows:
  entry: absent
  main:
    input: {topic: string}
    output: {from: "${write.output}", contract: Text}
    steps:
      - {id: draft, do: Draft, out: Text, on_fail: nowhere}
      - {id: review, after: [draft, gone], gate: {on_approve: publsh, on_revise: drft, on_kill: void}}
      - {id: write, after: [review], do: Write, out: Text}
"""
BROKEN_WORKFLOW = json.dumps(
    {
        "initial_state": "first",
        "states": {
            "a": {
                "transitions": [{"event": "go", "target": "b"}, {"event": "x", "target": "nowhere"}],
                "triggers": [{"condition": "n >", "target": "b"}, {"condition": "n > 1", "target": "zz"}],
            },
            "b": {"transitions": [{"event": "back", "target": None}]},
        },
        "global_transitions": [{"event": "stop", "target": "end"}],
        "resumption_targets": {"a": "q"},
    }
)


@pytest.mark.parametrize(
    ("source", "missing"),
    [
        (BROKEN_SPEC, ["nowhere", "gone", "publsh", "drft", "void"]),
        (BROKEN_WORKFLOW, ["first", "zz", "nowhere", "q", "end"]),
    ],
)
def test_names_that_are_not_there_are_drawn_as_such(source: str, missing: list[str]) -> None:
    drawn = picture(source)
    nodes = {node.lines[0]: node for node in drawn.nodes if node.shape is Shape.MISSING}
    assert sorted(nodes) == sorted(missing)
    ends = {key for edge in drawn.edges for key in (edge.source, edge.target)}
    for node in nodes.values():
        assert node.tone is Tone.ERROR
        assert node.lines[1].startswith("no such ")
        assert node.key in ends
    for form in ("mermaid", "dot", "svg", "png", "html"):
        assert draw(source, form)


def test_a_document_without_a_flow_is_told_by_its_fault() -> None:
    with pytest.raises(UndrawableError, match="too broken to draw: <text>:3:16: `entry` names no flow"):
        stratumc.diagram("version: 1\ncontracts: {A: {b: string}}\nflows: {entry: x}\n")


def test_ends_are_called_what_runs_are_called() -> None:
    source = """\
version: 1
contracts: {Text: {text: string}}
flows:
  entry: main
  main:
    input: {topic: string}
    output: {from: "${call.output}", contract: Text}
    steps:
      - {id: call, run: inner, with: {topic: "${input.topic}"}}
      - {id: agree, after: [call], gate: {on_approve: null, on_revise: null, on_kill: null}}
  inner:
    input: {topic: string}
    output: {from: "${write.output}", contract: Text}
    steps:
      - {id: write, do: "Write of ${input.topic}", out: Text}
      - {id: review, after: [write], gate: {on_approve: null, on_revise: null, on_kill: null}}
"""
    ends = [
        (node.cluster, node.lines)
        for node in picture(source).nodes
        if node.shape in {Shape.END, Shape.KILLED}
    ]
    assert ends == [
        ("c0", ("complete",)),
        ("c0", ("failed", "by a kill")),
        (None, ("complete",)),
        (None, ("killed",)),
    ]


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown format"):
        stratumc.diagram(DEAD_ENDS, format="gif")


def test_png_and_html() -> None:
    assert draw(DEAD_ENDS, "png").startswith(b"\x89PNG")
    page = draw(DEAD_ENDS, "html").decode("utf-8")
    assert page.startswith("<!doctype html>")
    assert "http://" not in page.replace("http://www.w3.org/", "")


def test_a_page_shows_wide_pictures_at_their_own_size_and_tells_its_colours() -> None:
    states = {f"s{n}": {"transitions": [{"event": "on", "target": f"s{n + 1}"}]} for n in range(40)}
    wide = json.dumps({"initial_state": "s0", "states": {**states, "s40": {}}})
    assert '<input type="checkbox" id="whole">' in draw(wide, "html").decode("utf-8")
    page = draw(DEAD_ENDS, "html").decode("utf-8")
    assert '<input type="checkbox" id="whole" checked>' in page
    assert '<span class="swatch unreachable"></span>never comes up' in page


@given(st.text(max_size=60))
@settings(max_examples=200)
def test_labels_hold_no_syntax(text: str) -> None:
    assert not set(escape(shown(text))) & set('"[](){}<>|`*\\:=&%\n')
    assert not set(escape_title(text)) & set('"<>%\n`')


@given(st.text(alphabet="ab \n\u202e👩", max_size=300), st.integers(2, 50))
def test_wrapped_lines_keep_the_text(text: str, width: int) -> None:
    lines = wrap(text, width)
    assert all(len(line) <= width for line in lines)
    whole = shown(text).replace(" ", "")
    got = "".join(lines).replace(" ", "")
    assert got == whole or (got.endswith("…") and whole.startswith(got[:-1]))


def test_a_huge_workflow_is_still_drawn() -> None:
    """Layers would take minutes here; every state and a line for every event is there all the same."""
    names = [f"s{number}" for number in range(300)]
    states = {
        name: {
            "transitions": [
                {"event": f"e{step}", "target": names[(place * step + 7 * step) % 300]} for step in (1, 2, 3)
            ]
        }
        for place, name in enumerate(names)
    }
    text = json.dumps({"name": "huge", "initial_state": "s0", "states": states})
    drawn = stratumc.diagram(text, name="workflow.json", format="svg")
    assert isinstance(drawn, bytes)
    root = ET.fromstring(drawn)
    titles = [node.text for node in root.iter(f"{SVG}title")]
    assert len([title for title in titles if title and "->" not in title]) >= 300


def luminance(colour: str) -> float:
    """The relative luminance of a colour (WCAG 2.2)."""
    shares = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("tone", Tone)
def test_texts_are_readable_on_their_fills_and_beside_lines(tone: Tone) -> None:
    colours = COLOURS[tone]
    beside = colours.beside or colours.stroke
    for text, ground in ((colours.text, colours.fill), (beside, "#ffffff")):
        dark, light = sorted((luminance(text), luminance(ground)))
        assert (light + 0.05) / (dark + 0.05) >= 4.5
