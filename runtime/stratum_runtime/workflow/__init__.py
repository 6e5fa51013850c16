"""Projects that follow a workflow: state file, log, locks, history, and the five tools over them."""

from stratum_runtime.workflow.engine import WorkflowEngine
from stratum_runtime.workflow.programs import ANY, AnyPrevious, Change, Compiler, PathQuestion, Program
from stratum_runtime.workflow.refusals import Answer, RefusalError
from stratum_runtime.workflow.settings import Settings, read_settings

__all__ = [
    "ANY",
    "Answer",
    "AnyPrevious",
    "Change",
    "Compiler",
    "PathQuestion",
    "Program",
    "RefusalError",
    "Settings",
    "WorkflowEngine",
    "read_settings",
]
