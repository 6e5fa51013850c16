"""How long proofs take: a realistic spec, many conditions in one flow, many small specs, a large workflow."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from benchmarks.measure import Bound, Command, Group

STRATUMC = (str(Path(sys.executable).parent / "stratumc"), "check", "--no-cache", "--quiet")
CONTRACT = "{score: number, count: integer, kind: low|medium|high, ok: boolean, files: 'string[]'}"
HEAD = f"""\
version: 1
contracts:
  Out: {CONTRACT}
flows:
  entry: main
  main:
    input: {{topic: string, limit: integer}}
    output: {{from: "${{s1.output}}", contract: Out}}
    max_rounds: 2
    steps:
"""
ENSURES = """\
        out: Out
        ensure:
          - expr: result.score >= 0 && result.score <= 1
          - expr: result.count >= 0
"""


def realistic(steps: int) -> str:
    """A flow with a condition on every other step, a gate, and references to the steps that always run."""
    return HEAD + "".join(_realistic_step(number, steps) for number in range(1, steps + 1))


def _realistic_step(number: int, steps: int) -> str:
    lines = [f"      - id: s{number}"]
    if number > 1:
        lines.append(f"        after: [s{number - 1}]")
    if number == steps // 2:
        lines.append("        gate: {on_approve: null, on_revise: s1, on_kill: null}")
        return "\n".join(lines) + "\n"
    if number % 2 == 0:
        condition = "result.s1.score > 0.5 && (result.s1.kind != 'low' || result.s1.count > input.limit)"
        lines.append(f'        when: "{condition}"')
    lines.append(f'        do: "Go on with ${{input.topic}}, part {number}."')
    return "\n".join(lines) + "\n" + ENSURES


def conditional(steps: int) -> str:
    """A chain in which every step has a condition on the one before, and an ensure."""
    return HEAD + "".join(_conditional_step(number) for number in range(1, steps + 1))


def _conditional_step(number: int) -> str:
    text = f"      - id: s{number}\n"
    if number > 1:
        before = f"s{number - 1}"
        condition = (
            f"result.s1.score > 0.{number % 9 + 1}"
            f" || '{before}' in result && result.{before}.count > {number % 7}"
        )
        text += f'        after: [{before}]\n        when: "{condition}"\n'
    return text + f"        do: Go on with ${{input.topic}}, part {number}.\n{ENSURES}"


def workflow(states: int) -> str:
    """A workflow with three triggers in every state."""
    return json.dumps(
        {
            "name": "large",
            "initial_state": "s0",
            "states": {f"s{number}": _state(number, states) for number in range(states)},
            "thresholds": {f"t{number}": number + 2 for number in range(5)},
        }
    )


def _state(number: int, states: int) -> object:
    after, later = f"s{(number + 1) % states}", f"s{(number + 2) % states}"
    return {
        "triggers": [
            {"condition": f"session_counters.n{number % 7} >= thresholds.t{number % 5}", "target": later},
            {"condition": f"session_counters.m{number % 3} > {number % 11}", "target": later},
            {"condition": f"task.x{number % 4} == task.y{number % 4}", "target": later},
        ],
        "transitions": [{"event": "go", "target": after}],
    }


def prepare(folder: Path) -> None:
    """Writes the inputs."""
    (folder / "realistic.stratum.yaml").write_text(realistic(25), "utf-8")
    (folder / "conditional.stratum.yaml").write_text(conditional(300), "utf-8")
    (folder / "large").mkdir()
    (folder / "large" / "workflow.json").write_text(workflow(500), "utf-8")
    (folder / "small").mkdir()
    for number in range(200):
        text = conditional(10).replace("Go on", f"Go on with {number}")
        (folder / "small" / f"n{number:03}.stratum.yaml").write_text(text, "utf-8")


def groups() -> list[Group]:
    """What is measured; the bounds are those that the project promises, as multiples of an empty process."""
    empty = Command("empty Python process", (sys.executable, "-c", ""))
    found = (0, 1)
    return [
        Group(
            "Proofs",
            (
                empty,
                Command("realistic spec of 25 steps", (*STRATUMC, "realistic.stratum.yaml"), found),
                Command("300 conditions and ensures", (*STRATUMC, "conditional.stratum.yaml"), found),
                Command("workflow of 500 states", (*STRATUMC, "large/workflow.json"), found),
                Command("200 specs of 10 steps", (*STRATUMC, "--jobs", "1", "small"), found),
            ),
            (
                Bound("realistic spec of 25 steps", empty.name, 40),
                Bound("300 conditions and ensures", empty.name, 1300),
                Bound("workflow of 500 states", empty.name, 330),
                Bound("200 specs of 10 steps", empty.name, 660),
            ),
            rounds=3,
        )
    ]
