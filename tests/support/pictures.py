"""Names that break drawings, documents made of them, and what of an SVG doesn't depend on fonts."""

from __future__ import annotations

import json
import re

NASTY = (
    "end",
    "default",
    "graph",
    "subgraph",
    "state",
    "fork",
    "note",
    "n1",
    "click",
    "classDef",
    "class",
    "style",
    "linkStyle",
    "direction",
    "a:b",
    "a;b",
    'say "x"',
    "'q'",
    "[x]",
    "{y}",
    "(z)",
    "[*]",
    "a-->b",
    "a|b",
    "#35;",
    "#quot;",
    "%%c",
    "%%{init: {}}%%",
    "`code`",
    "```js",
    "<b>bold</b>",
    "<script>alert(1)</script>",
    "<br/>",
    "&amp;",
    "&lt;b",
    "1. one",
    "- two",
    "* three",
    "+",
    "1.",
    "2)",
    "# head",
    "> quote",
    "---",
    "===",
    "~~~",
    "_under_",
    "__proto__",
    "x __y__ z",
    "snake_case_name",
    "**bold**",
    "a*b*c",
    "$$x$$",
    "[t](u)",
    "![i](u)",
    "https://x.y/z",
    "fa:fa-car x",
    "@{ shape: x }",
    ":::cls",
    "\\n",
    "a\\",
    "👩‍👩‍👧 team",
    "🏴",
    "שלום",
    "مرحبا",
    "日本語",
    "Ünï",
    "\u202eevil",
    "a\nb",
    "tab\there",
    "\x07bell",
    "x" * 200,
    "word " * 39 + "word",
    " ",
    "1e5",
    "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
)

FINDINGS = """\
version: 1
contracts:
  Build: {artifact: string}
  Release: {url: string}
flows:
  entry: release
  release:
    input: {version: string, is_patch: boolean, builds: "string[]"}
    output: {from: "${publish.output}", contract: Release}
    max_rounds: 2
    budget: {dispatches: 40, usd: 2.5}
    carry:
      wording: {initial: "${input.version}", on_revise: {review: "${build.output.artifact}"}}
    steps:
      - id: build
        do: "Build ${input.version} as ${wording}."
        out: Build
        on_fail: rescue
      - id: rescue
        do: Rescue
        out: Build
      - id: tests
        after: [build]
        fanout:
          over: "${input.builds}"
          concurrency: 2
          isolation: none
          require: all
          merge: sequential
          steps:
            - {do: "Test ${item}", out: Build}
            - {do: "Read ${prev}", when: "input.is_patch"}
      - id: review
        after: [build]
        when: "!input.is_patch"
        gate: {on_approve: null, on_revise: build, on_kill: null}
      - id: never
        after: [build]
        when: "input.is_patch && !input.is_patch"
        do: Nothing
      - id: publish
        after: [review, rescue, tests]
        do: "Publish ${build.output.artifact}."
        out: Release
        ensure:
          - judged: {statement: The page is readable, stakes: cheap}
"""
"""A spec with a finding of each kind that is drawn, and every construct that has a line of its own."""

DEAD_ENDS = json.dumps(
    {
        "name": "dead ends",
        "initial_state": "idle",
        "states": {
            "idle": {
                "transitions": [{"event": "go", "target": "work", "action": "/go", "judgment": True}],
                "triggers": [
                    {"condition": "a.b > 3", "target": "work"},
                    {"condition": "a.b > 4", "target": "lost"},
                ],
            },
            "work": {"description": "At work.", "transitions": [{"event": "done", "target": "closed"}]},
            "closed": {},
            "lost": {"transitions": [{"event": "found", "target": "work"}]},
        },
    }
)
"""A workflow with a final state, one that can't be reached, and a trigger that never fires."""


def workflow_of(names: list[str]) -> str:
    """A workflow in which each name is a state, an event, an action and a description."""
    states = {
        name: {
            "description": name,
            "transitions": [{"event": name, "target": names[number - 1], "action": name}],
            "triggers": [{"condition": "a.b > 1", "target": names[number - 2], "action": name}],
        }
        for number, name in enumerate(names)
    }
    paused = {"event": "paused", "target": names[0], "except": names[1:4]}
    document = {"name": names[0], "initial_state": names[0], "states": states, "global_transitions": [paused]}
    return json.dumps(document)


def spec_of(texts: list[str]) -> str:
    """A spec in which each text is a task, a condition, a command and a judged statement."""
    steps = [
        {
            "id": f"s{number}",
            "do": text,
            "out": "Note",
            "when": f"input.topic != {json.dumps(text)}",
            "ensure": [{"judged": {"statement": text, "stakes": "cheap"}}],
        }
        for number, text in enumerate(texts)
    ]
    flow = {
        "input": {"topic": "string"},
        "output": {"from": "${s0.output}", "contract": "Note"},
        "steps": steps,
    }
    return json.dumps(
        {"version": 1, "contracts": {"Note": {"t": "string"}}, "flows": {"entry": "main", "main": flow}}
    )


_MEASURED = re.compile(r' (points|d|viewBox|width|height|cx|cy|rx|ry|x|y|transform)="[^"]*"')


def without_measures(svg: bytes) -> str:
    """An SVG without what depends on fonts (every size and coordinate) and on the version of Graphviz."""
    text = re.sub(r"<!--.*?-->\n?", "", svg.decode("utf-8"), flags=re.S)
    return _MEASURED.sub("", text)
