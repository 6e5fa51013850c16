"""The compiler as the workflow engine sees it: files in, a program or diagnostics out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from stratum_runtime import Table
from stratum_runtime.workflow import Answer, Change, PathQuestion
from stratum_runtime.workflow.offers import Offers
from stratumc.diagnostics import concretize
from stratumc.engine.modify import change_workflow
from stratumc.engine.paths import Explainer, Replay
from stratumc.graph.workflow_graph import Edge
from stratumc.lower import lower_workflow
from stratumc.workflow import WorkflowFile, WorkflowSources, load_workflow_files, read_workflow_files
from stratumc.workflow.syntax import Workflow


class WorkflowProgram:
    """One workflow, compiled; answers what needs more than its table."""

    def __init__(self, path: str, files: WorkflowSources, workflow: Workflow) -> None:
        self._path = path
        self._files = files
        self._workflow = workflow
        self.table: Table = lower_workflow(workflow, files.sources)

    @cached_property
    def _explainer(self) -> Explainer:
        return Explainer(self._workflow, fires_first(self.table))

    def explain(self, question: PathQuestion) -> Answer:
        """The answer of `flow_explain`."""
        return self._explainer.answer(question)

    def change(self, operation: str, arguments: dict[str, Any]) -> Change:
        """The change that an operation of `flow_modify` makes. Raises RefusalError."""
        return change_workflow(self._path, self._files, self._workflow, operation, arguments)


def fires_first(table: Table) -> Replay:
    """Whether the runtime takes a trigger's edge first in a context: the last word on a witness."""
    offers = Offers(table)

    def replay(edge: Edge, context: dict[str, Any]) -> bool:
        at = offers.configuration(edge.source, None)
        assert at is not None
        return offers.first_trigger(at, context) == edge.index

    return replay


@dataclass(frozen=True, slots=True)
class Reading:
    """The files of a workflow as they are; two readings are equal when nothing changed."""

    path: str
    files: tuple[WorkflowFile, ...]


class WorkflowCompiler:
    """Reads and compiles workflow files for `stratum_runtime.workflow`."""

    def read(self, path: str, shown: str) -> Reading:
        """The files of the workflow at `path`, called `shown` in diagnostics."""
        return Reading(path, read_workflow_files(path, shown=shown))

    def load(self, reading: Reading) -> WorkflowProgram | list[Answer]:
        """The program, or the diagnostics that keep it from being one."""
        found = load_workflow_files(reading.files)
        if found.loaded.workflow is not None and not found.has_errors:
            return WorkflowProgram(reading.path, found, found.loaded.workflow)
        return [diagnostic.to_dict() for diagnostic in concretize(found.findings, found.sources)]
