"""The paths of the review page in a browser: as the command `path` tells them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from support.command import stratumc
from support.nested_gates import NESTED
from support.review_browser import GATED, HASH, Steps, use, write

pytestmark = pytest.mark.slow


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


ALL_PAIRS = """picture.names.map((_, from) => picture.names.map((_, to) => {
  [byId("path-from").value, byId("path-to").value] = [from, to];
  findPath();
  return byId("path-answer").innerText;
}))"""

ASK_ALL: Steps = [["tab", "Paths"], ["value", "all", ALL_PAIRS], ["value", "names", "picture.names"]]

RESUMING_EVERYWHERE = {
    "name": "back",
    "initial_state": "idle",
    "resumption_targets": {"b": "a"},
    "states": {
        "idle": {"transitions": [{"event": "go", "target": "b"}]},
        "a": {"transitions": [{"event": "on", "target": "idle"}]},
        "b": {"transitions": [{"event": "go", "target": "c"}]},
        "c": {"transitions": [{"event": "on", "target": "d"}]},
        "d": {},
        "dead": {"transitions": [{"event": "on", "target": "c"}]},
    },
    "global_transitions": [{"event": "back", "target": None}],
}


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
    assert seen["hint"] == ["From the start can be reached: draft, plain, maybe, announce, publish, tell"]
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
    assert seen["never c"] == [
        "No way is known from the start to never: this is for a project that is put there, "
        "with no state before.",
        "No path leads from never to c.",
        "From never can be reached: paused",
    ]
    assert seen["the start a"] == ["Projects begin in a."]
    assert seen["again"][0] == "0 hops: it begins in paused. The shortest way back to it has 2 hops:"
    assert "paused → a resume when the state before was b" in seen["again"][1]
    assert seen["from paused"] == ["From paused can be reached: c, a, done, b"]
    assert int(seen["hop rows"][0]) == 6
    said = stratumc("path", "workflow.json", "a", "done", cwd=tmp_path).out
    assert "every path passes c on the way" in said


PARTED = """\
version: 1
contracts:
  Note: {text: string}
flows:
  entry: main
  main:
    input: {is_big: boolean}
    output: {from: "${end.output}", contract: Note}
    steps:
      - {id: start, do: Start}
      - {id: big, after: [start], when: "input.is_big", do: Big}
      - {id: middle, after: [big], do: Middle}
      - {id: small, after: [middle], when: "!input.is_big", do: Small}
      - {id: end, after: [small], do: End, out: Note}
"""
"""Hops from `big` to `middle`, and from there to `small`: no run takes both."""


@pytest.mark.parametrize("text", [GATED, NESTED, PARTED])
def test_of_any_two_steps_it_says_what_the_command_says(tmp_path: Path, text: str) -> None:
    write(tmp_path, "a.stratum.yaml", text)
    seen = use(tmp_path, ASK_ALL, "a.stratum.yaml")
    for start, row in zip(seen["names"], seen["all"], strict=True):
        for goal, said in zip(seen["names"], row, strict=True):
            found = json.loads(stratumc("path", "a.stratum.yaml", start, goal, "--json", cwd=tmp_path).out)
            if found["path"] is None:
                assert said.startswith(f"No path leads from {start} to {goal}."), (start, goal)
                continue
            hops = len(found["path"])
            assert said.startswith(f"{hops} hop{'s' * (hops != 1)}"), (start, goal)
            for hop in found["path"]:
                past = f", past {', '.join(hop['skipped'])}, skipped" if "skipped" in hop else ""
                assert f"{hop['from']} → {hop['to']}\n{hop['by']}{past}\n" in f"{said}\n", (start, goal)
            gates = ", ".join(found["passes"])
            told = f"Every run of {start} and {goal} passes {gates}, approved."
            assert start == goal or (told in said) == bool(gates), (start, goal)


@pytest.mark.parametrize("document", [RESUMING, RESUMING_EVERYWHERE])
def test_of_any_two_states_it_says_what_the_command_says(tmp_path: Path, document: dict[str, Any]) -> None:
    write(tmp_path, "workflow.json", document)
    seen = use(tmp_path, ASK_ALL, "workflow.json")
    for start, row in zip(seen["names"], seen["all"], strict=True):
        for goal, said in zip(seen["names"], row, strict=True):
            found = json.loads(stratumc("path", "workflow.json", start, goal, "--json", cwd=tmp_path).out)
            assert said.startswith("No way is known from the start") == ("note" in found), (start, goal)
            if found["path"] is None:
                assert f"No path leads from {start} to {goal}." in said
                continue
            assert re.findall(r"\b\d+ hop", said)[0] == f"{len(found['path'])} hop", (start, goal)
            for hop in found["path"]:
                before = hop.get("previous_state")
                depends = "" if before is None else f" when the state before was {before}"
                assert f"{hop['from']} → {hop['to']}\n{hop['event']}{depends}\n" in f"{said}\n", (start, goal)
