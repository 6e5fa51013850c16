"""Folders with workflows in them, for tests of loading and of the engine."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from stratumc.diagnostics import Diagnostic, concretize
from stratumc.workflow import WorkflowSources, load_workflow_files, read_workflow_files

Json = dict[str, Any]

SMALL: Json = {
    "name": "small",
    "initial_state": "a",
    "states": {
        "a": {
            "description": "A.",
            "transitions": [
                {"event": "go", "target": "b", "action": "/do-b"},
                {"event": "stay", "target": "a", "action": None},
            ],
        },
        "b": {
            "triggers": [
                {"condition": "session_counters.rounds >= thresholds.most", "target": "c", "action": "/stop"}
            ],
            "transitions": [
                {"event": "back", "target": "a", "action": None},
                {"event": "on", "target": "c", "action": "/c", "judgment": True},
                {"event": "off", "target": "a", "action": None, "judgment": True},
            ],
        },
        "c": {"transitions": [{"event": "resume", "target": None, "action": "/resume"}]},
    },
    "thresholds": {"most": 3},
    "global_transitions": [{"event": "panic", "target": "c", "action": None, "except": ["c"]}],
    "global_actions": ["/help"],
    "resumption_targets": {"a": "a", "b": "b"},
}
"""States a, b, c; a trigger in b; a resumption in c; a global event."""

KIT: Json = {
    "name": "kit",
    "states": {
        "a": {"transitions": [{"event": "nap", "target": "bed"}]},
        "b": {"triggers": [{"condition": "n > 1", "target": "bed"}]},
        "bed": {"description": "Zzz.", "transitions": [{"event": "wake", "target": "a"}]},
    },
    "thresholds": {"naps": 2},
    "global_transitions": [{"event": "alarm", "target": "bed"}],
    "global_actions": ["/nap"],
    "resumption_targets": {"bed": "a"},
}
"""A fragment for the small workflow, which gives it one of everything."""


def lay_out(folder: Path, base: Json | str | None = None, **fragments: Json | str) -> Path:
    """Writes `.forge/workflow.json` and `workflow.d/NAME.json` below a folder; the path of the base."""
    forge = folder / ".forge"
    forge.mkdir(parents=True, exist_ok=True)
    if base is not None:
        write(forge / "workflow.json", base)
    for name, value in fragments.items():
        (forge / "workflow.d").mkdir(exist_ok=True)
        write(forge / "workflow.d" / f"{name}.json", value)
    return forge / "workflow.json"


def write(path: Path, value: Json | str) -> None:
    """Writes a text, or a value as JSON with an indent of two."""
    path.write_text(value if isinstance(value, str) else json.dumps(value, indent=2) + "\n", "utf-8")


def load(path: str | os.PathLike[str]) -> WorkflowSources:
    """Reads and loads the workflow at a path."""
    return load_workflow_files(read_workflow_files(path))


def diagnose(path: str | os.PathLike[str]) -> tuple[Diagnostic, ...]:
    """Everything that loading the workflow at a path finds."""
    loaded = load(path)
    return concretize(loaded.findings, loaded.sources)


def codes(path: str | os.PathLike[str]) -> list[tuple[str, str, int]]:
    """Code, file name and line of everything that loading finds."""
    return [(one.code, Path(one.span.file).name, one.span.line) for one in diagnose(path)]
