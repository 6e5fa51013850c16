"""Path queries on a workflow that is no project's: `stratumc.explain_path`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from stratum_runtime.workflow import ANY, PathQuestion
from stratumc.diagnostics import Diagnostic, concretize
from stratumc.driver.load import Loaded, load
from stratumc.engine.paths import Explainer
from stratumc.engine.program import fires_first
from stratumc.lower import lower_workflow


@dataclass(frozen=True, slots=True)
class PathResult:
    """The answer to a path query, as `flow_explain` gives it."""

    start: str
    goal: str | None
    path: tuple[dict[str, Any], ...] | None
    """The hops; None when there is no path, or no goal was given."""
    reachable: tuple[dict[str, Any], ...]
    """`state` and `distance` of what can be reached; filled when there is no path, or no goal."""
    message: str | None
    """Why there is no path."""
    answer: dict[str, Any]
    """All of it as a JSON object."""
    diagnostics: tuple[Diagnostic, ...] = ()
    """What keeps the workflow from being loaded; then there is no other answer."""

    @property
    def ok(self) -> bool:
        """Whether what was asked for exists."""
        return not self.diagnostics and (self.goal is None or self.path is not None)


def explain_path(
    source: str | bytes | os.PathLike[str],
    start: str | None = None,
    goal: str | None = None,
    *,
    avoid: Sequence[str] = (),
    context: dict[str, Any] | None = None,
) -> PathResult:
    """The shortest path between two states of a workflow, or without a goal everything reachable.

    `start` is the initial state unless given. Hops by trigger carry a witness that fits `context`. Raises
    ValueError for a name that is no state.
    """
    return explain_loaded(
        load(source, name="<text>", kind="workflow"), start, goal, avoid=avoid, context=context
    )


def explain_loaded(
    loaded: Loaded,
    start: str | None,
    goal: str | None,
    *,
    avoid: Sequence[str] = (),
    context: dict[str, Any] | None = None,
) -> PathResult:
    """The same of a workflow that is loaded already. Raises ValueError for a name that is no state."""
    diagnostics = tuple(
        found for found in concretize(loaded.findings, loaded.sources) if found.severity == "error"
    )
    if loaded.workflow is None or diagnostics:
        return PathResult(start or "", goal, None, (), None, {}, diagnostics)
    workflow = loaded.workflow
    for state in (start, goal, *avoid):
        if state is not None and state not in workflow.states:
            raise ValueError(f"`{state}` isn't a state of this workflow")
    table = lower_workflow(workflow, loaded.sources)
    begin, previous = (workflow.initial_state, None) if start is None else (start, ANY)
    question = PathQuestion(begin, previous, goal, context or {}, tuple(avoid))
    answer = Explainer(workflow, fires_first(table)).answer(question)
    path = answer.get("path")
    return PathResult(
        start=question.start,
        goal=goal,
        path=None if path is None else tuple(path),
        reachable=tuple(answer.get("reachable", ())),
        message=answer.get("message"),
        answer=answer,
    )
