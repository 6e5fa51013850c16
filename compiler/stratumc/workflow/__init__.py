"""JSON workflows: shape, fragments and merging, conditions, and the load rules of workflow.md."""

from stratumc.workflow.conditions import ConditionFailure, ParsedCondition, parse_condition
from stratumc.workflow.files import (
    WorkflowFile,
    WorkflowSources,
    load_workflow_files,
    read_workflow_files,
)
from stratumc.workflow.load import LoadedWorkflow, load_workflow
from stratumc.workflow.pieces import Piece
from stratumc.workflow.shape import FRAGMENT_SHAPE, WORKFLOW_SHAPE

__all__ = [
    "FRAGMENT_SHAPE",
    "WORKFLOW_SHAPE",
    "ConditionFailure",
    "LoadedWorkflow",
    "ParsedCondition",
    "Piece",
    "WorkflowFile",
    "WorkflowSources",
    "load_workflow",
    "load_workflow_files",
    "parse_condition",
    "read_workflow_files",
]
