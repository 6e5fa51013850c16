"""Pictures of differences: every arrow and box that is new, different or gone, and nothing else, is told."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stratumc.driver.changes_picture import changes_picture
from stratumc.driver.diagram import render
from stratumc.driver.review import compare_checked, read
from stratumc.emit.picture import Picture, Tone
from support.diffs import REVIEWED, flow_of, go
from support.documents import document, gate, task
from support.workflows_random import busy_workflow, edited

SIGNS = {Tone.DONE: "+ ", Tone.CURRENT: "~ ", Tone.FAILED: "− "}


def picture(old: Any, new: Any, flow: str | None = None) -> Picture:
    before, after = read(json.dumps(old), "old"), read(json.dumps(new), "new")
    return changes_picture(before.loaded, after.loaded, compare_checked(before, after), flow=flow)


def told(drawn: Picture) -> tuple[dict[str, Tone], dict[tuple[str, str, str], Tone]]:
    """The boxes with names that have a colour, and the arrows."""
    names = {node.key: node.name or node.lines[0] for node in drawn.nodes}
    boxes: dict[str, Tone] = {
        node.name: node.tone for node in drawn.nodes if node.name and node.tone is not Tone.PLAIN
    }
    arrows: dict[tuple[str, str, str], Tone] = {
        (names[edge.source], names[edge.target], " ".join(edge.lines)): edge.tone
        for edge in drawn.edges
        if edge.tone is not Tone.PLAIN
    }
    return boxes, arrows


def test_arrows_of_a_workflow() -> None:
    old = {
        **flow_of(a=go(x="b", keep="b"), b=go(y="gone"), gone=go(z="c"), c={}),
        "global_transitions": [{"event": "halt", "target": "c", "except": ["c"]}],
    }
    new = {
        **flow_of(
            a={
                "transitions": [
                    {"event": "keep", "target": "b", "action": "/do"},
                    {"event": "jump", "target": "c"},
                ]
            },
            b=go(y="added"),
            c={},
            added={},
        ),
        "global_transitions": [{"event": "halt", "target": "c", "except": ["c", "added"]}],
    }
    boxes, arrows = told(picture(old, new))
    assert boxes == {"a": Tone.CURRENT, "b": Tone.CURRENT, "gone": Tone.FAILED, "added": Tone.DONE}
    assert arrows == {
        ("a", "b", "~ keep / /do"): Tone.CURRENT,
        ("a", "c", "+ jump"): Tone.DONE,
        ("b", "added", "+ y"): Tone.DONE,
        ("a", "b", "− x"): Tone.FAILED,
        ("b", "gone", "− y"): Tone.FAILED,
        ("gone", "c", "− z"): Tone.FAILED,
    }
    (everywhere,) = (node for node in picture(old, new).nodes if node.lines[0] == "any state")
    assert everywhere.tone is Tone.CURRENT


def test_triggers_that_are_only_numbered_anew_are_the_same() -> None:
    first, second = ({"condition": f"a.b > {number}", "target": "b"} for number in (1, 2))
    old, new = flow_of(a={"triggers": [second]}, b={}), flow_of(a={"triggers": [first, second]}, b={})
    assert told(picture(old, new))[1] == {("a", "b", "+ 1. [a.b > 1]"): Tone.DONE}


def test_a_flow_without_its_gate() -> None:
    new = document(task("build"), task("last", after=["build"], when="input.topic != ''"), max_rounds=2)
    boxes, arrows = told(picture(REVIEWED, new))
    assert boxes == {"review": Tone.FAILED, "last": Tone.CURRENT}
    assert arrows[("build", "review", "removed")] is Tone.FAILED
    assert arrows[("review", "last", "− approve")] is Tone.FAILED
    assert Tone.DONE in {
        tone for (source, target, _), tone in arrows.items() if (source, target) == ("build", "last")
    }


def called(*steps: Any) -> Any:
    inner = {"input": {}, "output": {"from": "${done.output}", "contract": "Note"}, "steps": list(steps)}
    made = document({"id": "last", "run": "inner", "with": {}})
    made["flows"]["inner"] = inner
    return made


def test_a_flow_that_is_called() -> None:
    drawn = picture(called(gate("check"), task("done", after=["check"])), called(task("done")))
    inner = {node.name: node for node in drawn.nodes if node.cluster is not None and node.name}
    assert {name: node.tone for name, node in inner.items()} == {"done": Tone.PLAIN, "check": Tone.FAILED}
    assert inner["check"].cluster == inner["done"].cluster


def test_a_call_that_is_gone_takes_its_cluster_along() -> None:
    drawn = picture(called(task("done")), document(task("last")))
    keys = [cluster.key for cluster in drawn.clusters]
    assert len(keys) == len(frozenset(keys)) == 1
    assert {node.tone for node in drawn.nodes if node.cluster == keys[0]} == {Tone.FAILED}
    assert told(drawn)[0]["last"] is Tone.CURRENT


def test_an_entry_of_another_name_is_the_same_flow() -> None:
    new = json.loads(json.dumps(REVIEWED))
    new["flows"] = {"entry": "other", "other": new["flows"]["main"]}
    assert told(picture(REVIEWED, new)) == ({}, {})


def test_a_flow_that_only_the_new_version_has_is_all_new() -> None:
    new = json.loads(json.dumps(REVIEWED))
    new["flows"]["more"] = new["flows"]["main"]
    drawn = picture(REVIEWED, new, flow="more")
    assert {node.tone for node in drawn.nodes} == {edge.tone for edge in drawn.edges} == {Tone.DONE}


@given(st.integers(0, 300))
@settings(max_examples=60)
def test_keys_are_unique_and_every_arrow_has_its_ends(seed: int) -> None:
    """What isn't said to be new is the old picture, and what isn't said to be gone is the new one."""
    pick = random.Random(seed)
    old = busy_workflow(pick)
    new = edited(pick, old)
    drawn = picture(old, new)
    keys = [node.key for node in drawn.nodes]
    assert len(frozenset(keys)) == len(keys)
    assert {edge.source for edge in drawn.edges} | {edge.target for edge in drawn.edges} <= frozenset(keys)
    for document_, leaves in ((old, Tone.DONE), (new, Tone.FAILED)):
        states = {node.name for node in drawn.nodes if node.name and node.tone is not leaves}
        assert states == set(document_["states"])
        alone = picture(document_, document_)
        assert len(alone.edges) == sum(edge.tone is not leaves for edge in drawn.edges)
        assert {edge.tone for edge in alone.edges} <= {Tone.PLAIN}
    signed = (
        edge for edge in drawn.edges if edge.tone in SIGNS and edge.lines[0] not in ("added", "removed")
    )
    assert all(edge.lines[0].startswith(SIGNS[edge.tone]) for edge in signed)


@pytest.mark.parametrize("form", ["mermaid", "dot", "svg"])
def test_every_format_tells_what_is_gone(form: str) -> None:
    new = document(task("build"), task("last", after=["build"]), max_rounds=2)
    content = render(picture(REVIEWED, new), form)
    text = content if isinstance(content, str) else content.decode("utf-8")
    assert "removed" in text
    if form == "mermaid":
        assert "linkStyle" in text


def test_findings_have_no_colour() -> None:
    unreached = flow_of(a=go(x="a"), b={})
    drawn = picture(unreached, {**unreached, "name": "v"})
    assert told(drawn) == ({}, {})
