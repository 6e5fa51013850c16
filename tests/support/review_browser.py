"""A review page in a browser: what tests do on it, and expressions that say what is seen."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from support.browser import run_script
from support.command import stratumc

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


def use(folder: Path, steps: Steps, *arguments: str) -> dict[str, Any]:
    """Writes the review of some files, and gives what the steps saw on it."""
    outcome = stratumc("review", *arguments, "-o", "page.html", cwd=folder)
    assert outcome.status == 0, outcome.err
    seen = run_script("drive_page.js", steps, folder / "page.html")
    assert seen.pop("faults") == []
    return dict(seen)


def write(folder: Path, name: str, text: str | dict[str, Any]) -> str:
    """Writes a file of a test, a workflow as JSON; gives its name."""
    content = text if isinstance(text, str) else json.dumps(text)
    (folder / name).write_text(content, "utf-8")
    return name
