"""The project that most tests of the workflow engine begin with."""

from __future__ import annotations

from pathlib import Path

import pytest

import stratumc
from stratum_runtime.workflow import WorkflowEngine
from support.workflows import SMALL, lay_out


@pytest.fixture
def engine(tmp_path: Path) -> WorkflowEngine:
    """The small workflow in a fresh project."""
    lay_out(tmp_path, SMALL)
    return stratumc.create_engine(tmp_path)
