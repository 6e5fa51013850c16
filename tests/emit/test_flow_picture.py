"""What a picture of a flow says of skipped steps, flows that can't end, runs, and faulty documents."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

import stratumc
from stratumc.driver.diagram import UndrawableError, picture_of
from stratumc.driver.load import load
from stratumc.emit.label_text import listed
from stratumc.emit.marks import RunMarks
from stratumc.emit.picture import Line, Node, Picture, Shape, Tone

HEAD = """\
version: 1
contracts: {T: {n: integer}}
flows:
  entry: main
  main:
    input: {x: integer, y: boolean}
    max_rounds: 3
    output: {from: "${a.output}", contract: T}
    steps:
      - {id: a, do: "Do ${input.x}", out: T}
"""


def drawn(source: str, run: RunMarks | None = None) -> Picture:
    return picture_of(load(source, name="case", kind=None), run=run)


def node(picture: Picture, name: str) -> Node:
    return next(one for one in picture.nodes if name in (one.name, one.lines[0]))


def edges(picture: Picture) -> dict[tuple[str, str], tuple[str, Tone]]:
    names = {one.key: one.name or one.lines[0] for one in picture.nodes}
    return {(names[e.source], names[e.target]): (" ".join(e.lines), e.tone) for e in picture.edges}


def test_the_way_past_a_step_that_never_runs_is_no_dead_one() -> None:
    picture = drawn(HEAD + '      - {id: tell, after: [a], when: "false", do: Tell}\n')
    found = edges(picture)
    assert found["a", "tell"] == ("when false", Tone.UNREACHABLE)
    assert found["tell", "complete"] == ("skipped", Tone.PLAIN)


def test_what_may_be_skipped_says_so_on_its_ways_on() -> None:
    source = HEAD.replace("out: T}", "out: T, on_fail: rescue}") + (
        "      - {id: rescue, do: R, out: T}\n"
        "      - {id: ask, after: [a], when: input.y,"
        " gate: {on_approve: null, on_revise: null, on_kill: clean}}\n"
        "      - {id: clean, do: C}\n"
        "      - {id: last, after: [ask], do: L}\n"
    )
    found = edges(drawn(source))
    assert found["rescue", "complete"][0] == "done or skipped"
    assert found["ask", "last"][0] == "approve or skipped"
    assert found["clean", "complete"][0] == "done or skipped"
    assert found["last", "complete"][0] == ""


def test_a_step_whose_only_ways_on_are_routes_leads_to_the_end_too() -> None:
    source = HEAD.replace("out: T}", "out: T, on_fail: rescue}") + "      - {id: rescue, do: R, out: T}\n"
    assert edges(drawn(source))["a", "complete"] == ("", Tone.PLAIN)


def test_a_gate_whose_approval_is_routed_does_not_lead_to_the_end() -> None:
    gate = "      - {id: ask, after: [a], gate: {on_approve: go, on_revise: null, on_kill: null}}\n"
    found = edges(drawn(HEAD + gate + "      - {id: go, do: G}\n"))
    assert ("ask", "complete") not in found
    assert found["ask", "go"][0] == "approve"


def test_a_gate_with_unknown_routes_has_each_of_them_once() -> None:
    gate = "      - {id: ask, after: [a], gate: {on_approve: q, on_revise: a, on_kill: ask}}\n"
    found = edges(drawn(HEAD + gate))
    assert found["ask", "q"][0] == "approve"
    assert found["ask", "ask"] == ("kill", Tone.ERROR)
    assert [words for (source, _), (words, _) in found.items() if source == "ask"].count("approve") == 1
    assert ("ask", "complete") not in found


def test_names_of_outputs_and_flows_that_are_not_there() -> None:
    source = HEAD.replace("${a.output}", "${zz.output}")
    source += '      - {id: b, do: "B ${yy.output}"}\n      - {id: c, run: gone, with: {}}\n'
    picture = drawn(source)
    found = edges(picture)
    assert found["zz", "complete"][0] == "gives the output"
    assert ("yy", "b") in found
    assert node(picture, "gone").lines == ("gone", "no such flow")


STUCK = HEAD.replace("out: T}", 'out: T, ensure: [{expr: "result.n > 3 && result.n < 2"}]}')


def test_what_no_run_comes_to_in_a_flow_that_cannot_end_is_grey() -> None:
    picture = drawn(STUCK + "      - {id: b, after: [a], do: B}\n      - {id: c, do: C}\n")
    tones = {name: node(picture, name).tone for name in ("a", "b", "c", "complete")}
    assert tones == {
        "a": Tone.ERROR,
        "b": Tone.UNREACHABLE,
        "c": Tone.PLAIN,
        "complete": Tone.UNREACHABLE,
    }
    assert edges(picture)["a", "b"][1] is Tone.UNREACHABLE


def test_a_called_flow_that_cannot_end_stops_its_caller() -> None:
    caller = """
  outer:
    input: {x: integer, y: boolean}
    output: {from: "${call.output}", contract: T}
    steps:
      - {id: call, run: main, with: {x: "${input.x}", y: "${input.y}"}}
      - {id: after, after: [call], do: A}
"""
    picture = drawn(STUCK.replace("entry: main", "entry: outer") + caller)
    assert node(picture, "after").tone is Tone.UNREACHABLE
    assert [one.tone for one in picture.nodes if one.shape is Shape.END] == [Tone.UNREACHABLE] * 2
    assert [one.tone for one in picture.clusters] == [Tone.ERROR]


def test_findings_about_the_flow_itself_stand_under_the_title_in_colour() -> None:
    picture = drawn(STUCK.replace("n: integer}}", "n: integer}, U: {m: strin}}"))
    assert any("strin" in one.message for one in picture.remarks)
    assert picture.tone is Tone.ERROR
    dot = stratumc.diagram(STUCK, format="dot")
    assert isinstance(dot, str)
    assert "error[FLOW_CANNOT_COMPLETE]: no run of flow `main` can end well" in dot
    assert 'fontcolor="#b42318"' in dot.splitlines()[1]
    mermaid = stratumc.diagram(STUCK)
    assert isinstance(mermaid, str)
    assert "⛔ FLOW_CANNOT_COMPLETE" in mermaid


@pytest.mark.parametrize(
    ("status", "tones", "left"),
    [
        ("complete", (Tone.DONE, Tone.PLAIN), ()),
        ("killed", (Tone.PLAIN, Tone.FAILED), ("was waiting",)),
        ("cancelled", (Tone.PLAIN, Tone.PLAIN), ("was waiting",)),
        ("in_progress", (Tone.PLAIN, Tone.PLAIN), ()),
    ],
)
def test_how_a_run_stands_is_told(status: str, tones: tuple[Tone, Tone], left: tuple[str, ...]) -> None:
    gate = "      - {id: ask, after: [a], gate: {on_approve: null, on_revise: null, on_kill: null}}\n"
    steps = {"a": "succeeded", "ask": "succeeded" if status == "complete" else "waiting_gate"}
    picture = drawn(HEAD + gate, RunMarks(steps, status, "r1"))
    assert picture.notes[0] == f"run r1: {status.replace('_', ' ')}"
    assert tuple(node(picture, end).tone for end in ("complete", "killed")) == tones
    assert node(picture, "ask").lines[2:] == left
    if left:
        assert node(picture, "ask").tone is Tone.SKIPPED


def test_conditions_are_whole_up_to_300_characters_and_tips_beyond() -> None:
    for count, is_cut in ((20, False), (60, True)):
        when = " || ".join(f"input.x == {number}" for number in range(100, 100 + count))
        when = when[:300] if not is_cut else when
        picture = drawn(HEAD + f'      - {{id: b, after: [a], when: "{when}", do: B}}\n')
        (edge,) = (one for one in picture.edges if " ".join(one.lines).startswith("when"))
        assert edge.tip == (f"when {when}" if is_cut else "")
        assert (" ".join(edge.lines) == f"when {when}") is not is_cut


def test_a_cut_condition_is_in_the_svg_as_a_tooltip() -> None:
    when = " || ".join(f"input.x == {number}" for number in range(60))
    svg = stratumc.diagram(HEAD + f'      - {{id: b, after: [a], when: "{when}", do: B}}\n', format="svg")
    assert isinstance(svg, bytes)
    titles = [
        value
        for one in ET.fromstring(svg).iter()
        for key, value in one.attrib.items()
        if key.endswith("title")
    ]
    assert f"when {when}" in titles


def test_a_reset_closure_names_every_step() -> None:
    names = [f"step-{number}" for number in range(20)]
    steps = "".join(
        f"      - {{id: {name}, after: [{before}], do: S}}\n"
        for before, name in zip(["a", *names], names, strict=False)
    )
    gate = "      - {id: ask, after: [step-19], gate: {on_approve: null, on_revise: a, on_kill: null}}\n"
    (edge,) = (one for one in drawn(HEAD + steps + gate).edges if one.line is Line.REVISE)
    assert " ".join(edge.lines) == f"revise: resets {', '.join(['a', *names, 'ask'])}"


def test_names_that_do_not_fit_are_counted() -> None:
    assert listed(["one", "two", "three"], 8) == "one, two and 1 more"
    assert listed(["a-long-name"], 3) == "a-long-name"


def test_a_single_round_is_one_round() -> None:
    gate = "      - {id: ask, gate: {max_rounds: 1, on_approve: null, on_revise: null, on_kill: null}}\n"
    assert "gate, at most 1 round" in node(drawn(HEAD + gate), "ask").lines


@pytest.mark.parametrize(
    ("fault", "mend"),
    [
        ("contracts: {T: {n: integer}}\n", ""),
        ("    input: {x: integer, y: boolean}\n", ""),
        ('    output: {from: "${a.output}", contract: T}\n', ""),
        ("  entry: main\n", ""),
        ("after: [a]", "after: a"),
        ("gate: {on_approve: null", "do: B, gate: {on_approve: null"),
        ("id: b, ", ""),
        ("gate: {on_approve: null, on_revise: null, on_kill: null}", "gate: yes"),
        ("gate: {on_approve: null, on_revise: null, on_kill: null}", "poll: {}"),
        ("gate: {on_approve: null, on_revise: null, on_kill: null}", "fanout: {over: '${a.output}'}"),
        ("gate: {on_approve: null, on_revise: null, on_kill: null}", "set: [1]"),
        ("gate: {on_approve: null, on_revise: null, on_kill: null}", "run: main"),
        ("when: input.y", "when: {}"),
        ("version: 1", "version: one"),
    ],
)
def test_a_document_with_a_faulty_shape_is_drawn_as_far_as_it_can_be_read(fault: str, mend: str) -> None:
    gate = "gate: {on_approve: null, on_revise: null, on_kill: null}"
    source = HEAD + f"      - {{id: b, after: [a], when: input.y, {gate}}}\n      - {{id: c, do: C}}\n"
    assert fault in source
    picture = drawn(source.replace(fault, mend))
    assert {one.name for one in picture.nodes} >= {"a", "c"}
    assert ("a", "?" if fault == "id: b, " else "b") in edges(picture)
    assert picture.tone is Tone.ERROR or any(one.tone is Tone.ERROR for one in picture.nodes)


def test_a_name_that_cannot_be_a_steps_has_its_arrows_all_the_same() -> None:
    steps = "      - {id: My Step, do: M}\n      - {id: b, after: [My Step], do: B}\n"
    assert ("My Step", "b") in edges(drawn(HEAD + steps))


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("version: 1\ncontracts: {A: {b: 3}}\nflows: {entry: x}\n", "`entry` names no flow"),
        ("version: 1\ncontracts: {A: {b: 3}}\nflows: []\n", "`flows` must be a mapping"),
    ],
)
def test_what_stops_the_drawing_is_said_and_not_the_first_fault(source: str, said: str) -> None:
    with pytest.raises(UndrawableError, match=said):
        stratumc.diagram(source)
