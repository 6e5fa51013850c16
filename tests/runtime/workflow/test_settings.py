"""Where an engine's settings come from, and how far out of the root they may lead."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

import stratumc
from support.projects import code
from support.workflows import SMALL, lay_out


def test_settings_have_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = {
        "state_file": "config.json",
        "log_file": "config.jsonl",
        "state_field": "s",
        "previous_state_field": "p",
    }
    lay_out(tmp_path, SMALL | {"config": config})
    stratumc.create_engine(tmp_path).transition("go")
    assert json.loads((tmp_path / "config.json").read_text()) == {"s": "b", "p": "a"}
    assert (tmp_path / "config.jsonl").exists()
    monkeypatch.setenv("FLOW_STATE_FILE", "env.json")
    monkeypatch.setenv("FLOW_LOG_FILE", "env.jsonl")
    monkeypatch.setenv("FLOW_STATE_FIELD", "e")
    monkeypatch.setenv("FLOW_ROOT", str(tmp_path))
    monkeypatch.setenv("FLOW_PROJECT_PATH", "/nowhere")
    stratumc.create_engine().transition("go")
    assert json.loads((tmp_path / "env.json").read_text()) == {"e": "b", "p": "a"}
    assert (tmp_path / "env.jsonl").exists()
    stratumc.create_engine(
        tmp_path, state_file="flag.json", state_field="f", log_file="flag.jsonl"
    ).transition("go")
    assert json.loads((tmp_path / "flag.json").read_text()) == {"f": "b", "p": "a"}
    assert (tmp_path / "flag.jsonl").exists()
    monkeypatch.delenv("FLOW_ROOT")
    monkeypatch.setenv("FLOW_PROJECT_PATH", str(tmp_path))
    monkeypatch.setenv("FLOW_STATE_FILE", "")
    assert stratumc.create_engine().settings.root.real == str(tmp_path)
    assert stratumc.create_engine().settings.state_file is None


def test_one_field_cannot_hold_both_states(tmp_path: Path) -> None:
    lay_out(tmp_path, SMALL)
    engine = stratumc.create_engine(tmp_path, state_field="previous_workflow_state")
    assert code(engine.check()) == "invalid_argument"


def test_a_config_may_not_lead_out_of_the_root_but_a_flag_may(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (tmp_path / "outside").mkdir()
    for name in ("state_file", "log_file"):
        lay_out(root, SMALL | {"config": {name: "../outside/x"}})
        assert code(stratumc.create_engine(root).transition("go")) == "outside_root"
        flag: dict[str, Any] = {name: "../outside/y"}
        assert code(stratumc.create_engine(root, **flag).transition("stay")) is None
    assert sorted(os.listdir(tmp_path / "outside")) == ["y", "y.lock"]


def test_a_state_file_that_is_a_link_out_of_the_root_is_refused(tmp_path: Path) -> None:
    root = tmp_path / "root"
    lay_out(root, SMALL)
    (root / ".forge" / "dev-state.json").symlink_to(tmp_path / "outside.json")
    assert code(stratumc.create_engine(root).transition("go")) == "outside_root"
    assert not (tmp_path / "outside.json").exists()
