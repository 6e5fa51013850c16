"""Tables as Markdown and as rows: whatever names hold, a row stays a row."""

from __future__ import annotations

from typing import Any

from stratumc.emit.markdown_table import render_markdown
from stratumc.emit.rows import render_rows
from support.documents import document, gate, table_of, task

ODD = {
    "name": "a|b",
    "initial_state": "x|y\nz",
    "states": {
        "x|y\nz": {"transitions": [{"event": "go `now`", "target": "*end*", "action": "run | `it`\nnow"}]},
        "*end*": {"triggers": [{"condition": "a.b > 1", "target": "*end*", "action": None}]},
    },
}


def test_odd_names_keep_cells_and_lines_apart() -> None:
    text = render_markdown(table_of(ODD, "workflow"))
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert len(rows) == 4
    assert all(line.replace("\\|", "").count("|") == 7 for line in rows)
    assert "| x\\|y z | go \\`now\\` |  | \\*end\\* |" in text
    assert "`` action(run \\| `it` now) ``" in text
    assert render_rows(table_of(ODD, "workflow")).count("\n") == 2


def test_guards_and_effects_are_told_by_names() -> None:
    content: dict[str, Any] = document(
        task("plan", on_fail="rescue"),
        task("rescue"),
        {
            "id": "last",
            "do": "${wave}",
            "out": "Note",
            "after": ["plan", "rescue"],
            "when": "input.topic != ''",
        },
        gate("check", after=["last"], on_revise="last", on_kill="bury", max_rounds=1),
        task("bury"),
        max_rounds=2,
        carry={"wave": {"initial": "${plan.output.text}", "on_revise": {"check": "${last.output.text}"}}},
    )
    text = render_rows(table_of(content))
    for part in (
        "[unrouted(plan)]",
        "[deps(plan?, rescue); unless(input.topic != '')]",
        "[verdict(accepted); carries(wave = ${plan.output.text})]",
        "[carries(wave = ${last.output.text}); rounds_left(2, 1)]",
        "{route(bury)}",
        "write_carry(wave = ${last.output.text}); reset(last to bury)}",
        "@ flows.main.steps[3].gate.on_kill",
    ):
        assert part in text, part
