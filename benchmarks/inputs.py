"""Inputs of any size, the same at every run."""

from __future__ import annotations

from pathlib import Path

HEAD = """\
version: 1
contracts:
  Text: {text: string}
flows:
  entry: main
  main:
    input: {topic: string}
"""
CARRY = """\
    max_rounds: 3
    carry:
      kept: {initial: "${s0.output.text}", on_revise: {look: "${LAST.output.text}"}}
"""
GATE = """\
      - id: look
        after: [LAST]
        gate: {on_approve: null, on_revise: s1, on_kill: null}
"""


def chain(steps: int, *, backwards: bool = False, carry: bool = False) -> str:
    """A spec in which each step reads the one before it; declared from the first step on or from the last.

    With `carry` every step but the first reads a loop-carried value, which a gate after the last one writes.
    """
    last = f"s{steps - 1}"
    blocks = [_step(number, carry=carry) for number in range(steps)]
    output = f'    output: {{from: "${{{last}.output}}", contract: Text}}\n'
    if carry:
        blocks.append(GATE.replace("LAST", last))
    if backwards:
        blocks.reverse()
    carried = CARRY.replace("LAST", last) if carry else ""
    return HEAD + output + carried + "    steps:\n" + "".join(blocks)


def _step(number: int, *, carry: bool) -> str:
    task = f"Go on from ${{s{number - 1}.output.text}}" if number else "Write about ${input.topic}"
    if carry and number:
        task += ", mind ${kept}"
    return f"      - id: s{number}\n        do: {task}\n        out: Text\n"


def write_many(folder: Path, files: int, steps: int) -> None:
    """A folder of specs, no two alike."""
    folder.mkdir(parents=True)
    for number in range(files):
        text = chain(steps).replace("Write about", f"Write text {number} about")
        (folder / f"n{number:04}.stratum.yaml").write_text(text, "utf-8")
