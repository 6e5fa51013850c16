"""The workflow that tests of edits begin with."""

from __future__ import annotations

from pathlib import Path

import pytest

import stratumc
from stratum_runtime.workflow import WorkflowEngine
from support.workflows import KIT, SMALL, lay_out


@pytest.fixture
def engine(tmp_path: Path) -> WorkflowEngine:
    """The small workflow with a fragment beside it."""
    lay_out(tmp_path, SMALL, kit=KIT)
    return stratumc.create_engine(tmp_path)
