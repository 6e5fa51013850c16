"""Hands the compiler to the engine of projects (`stratumc.create_engine`), and asks it for paths."""

from __future__ import annotations

import os

from stratum_runtime.workflow import WorkflowEngine, read_settings


def create_engine(
    root: str | os.PathLike[str] | None = None,
    *,
    workflow: str | os.PathLike[str] | None = None,
    state_file: str | os.PathLike[str] | None = None,
    log_file: str | os.PathLike[str] | None = None,
    state_field: str | None = None,
) -> WorkflowEngine:
    """The engine of the projects below `root`.

    What is left out comes from `FLOW_ROOT`, `FLOW_WORKFLOW`, `FLOW_STATE_FILE`, `FLOW_LOG_FILE` and
    `FLOW_STATE_FIELD`, then from the workflow's `config`, then from the defaults (workflow.md section 3).
    Nothing is read before the first call, so a missing or broken workflow raises nothing here.
    """
    from stratumc.engine.program import WorkflowCompiler

    settings = read_settings(
        root=root, workflow=workflow, state_file=state_file, log_file=log_file, state_field=state_field
    )
    return WorkflowEngine(settings, WorkflowCompiler())
