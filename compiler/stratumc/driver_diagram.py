"""Draws an input: loads it, colours what was found in it, and writes one of the formats."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from stratumc.diagnostics import Diagnostic
from stratumc.driver import CheckResult, check_loaded
from stratumc.driver_load import Loaded, load
from stratumc.driver_settings import Settings
from stratumc.emit.picture import Node, Picture, Shape, Tone
from stratumc.review.changes import ChangeKind

if TYPE_CHECKING:
    from stratumc.review.diff import Diff
    from stratumc.spec.syntax import Flow, Spec

FORMATS = ("mermaid", "dot", "svg", "png", "html")

_STEP = re.compile(r"flows\.([^.\[]+)\.steps\[(\d+)\]")
_BY_SEVERITY = {"error": Tone.ERROR, "warning": Tone.WARNING, "info": Tone.INFO}
_DEAD = ("STATE_UNREACHABLE", "STEP_NEVER_RUNS")
_BY_STATUS = {
    "ready": Tone.CURRENT,
    "running": Tone.CURRENT,
    "waiting_gate": Tone.CURRENT,
    "succeeded": Tone.DONE,
    "failed": Tone.FAILED,
    "skipped": Tone.SKIPPED,
}
_RANK = {tone: rank for rank, tone in enumerate(Tone)}


class UndrawableError(ValueError):
    """The input can't be drawn: it has no syntax tree, or no flow of that name."""


def diagram(
    source: str | bytes | os.PathLike[str],
    *,
    name: str = "<text>",
    kind: str | None = None,
    format: str = "mermaid",
    flow: str | None = None,
    state: str | None = None,
    statuses: Mapping[str, str] | None = None,
) -> str | bytes:
    """A picture of a flow (the entry flow by default) or a workflow, findings in colour.

    `format` is `mermaid`, `dot`, `html` (text), `svg` or `png` (bytes). `state` marks a workflow's current
    state, `statuses` colours steps by the status that a run has them in (`step`, `parent/child`).

    Raises:
        UndrawableError: the input has no syntax tree, or no flow or state of that name.
        ValueError: an unknown format.
    """
    if format not in FORMATS:
        raise ValueError(f"unknown format {format!r}: one of {', '.join(FORMATS)}")
    picture, _ = picture_of(load(source, name=name, kind=kind), flow=flow, state=state, statuses=statuses)
    return render(picture, format)


def render(picture: Picture, format: str) -> str | bytes:
    """A picture in one of the formats."""
    if format == "mermaid":
        from stratumc.emit.mermaid import render_mermaid

        return render_mermaid(picture)
    from stratumc.emit.dot import lay_out, render_dot

    if format == "dot":
        return render_dot(picture)
    if format == "html":
        from stratumc.emit.page import picture_page

        return picture_page(picture)
    return lay_out(picture, format)


def picture_of(
    loaded: Loaded,
    *,
    flow: str | None = None,
    state: str | None = None,
    statuses: Mapping[str, str] | None = None,
) -> tuple[Picture, CheckResult]:
    """The picture of a loaded input, and what was found in it."""
    result = check_loaded(loaded, Settings())
    if loaded.spec is not None:
        return _flow(loaded.spec, result, flow, statuses or {}), result
    if loaded.workflow is not None:
        return _workflow(loaded, result, state), result
    first = next((found for found in result.diagnostics if found.severity == "error"), None)
    reason = f": {first.span.file}:{first.span.line}:{first.span.column}: {first.message}" if first else ""
    raise UndrawableError(f"the input is too broken to draw{reason}")


def changes_picture(loaded: Loaded, diff: Diff) -> Picture:
    """The picture of the new version: what was added is green, what changed yellow, what is gone red."""
    changed: dict[str, Tone] = {}
    gone: list[str] = []
    for change in diff.changes:
        if change.kind is ChangeKind.REMOVED and change.part.kind in ("step", "state"):
            gone.append(change.part.name)
        tone = Tone.DONE if change.kind is ChangeKind.ADDED else Tone.CURRENT
        name = change.part.name.partition(":")[0] if loaded.workflow else change.part.name.rpartition(".")[2]
        if change.part.kind in ("step", "state"):
            changed[name] = tone
        elif change.part.kind in ("transition", "trigger"):
            changed.setdefault(name, Tone.CURRENT)
    picture, _ = picture_of(loaded)
    nodes = tuple(replace(node, tone=changed.get(node.name, Tone.PLAIN)) for node in picture.nodes)
    removed = tuple(
        Node(f"gone{number}", name, (name, "removed"), Shape.STATE, Tone.FAILED)
        for number, name in enumerate(gone)
    )
    return replace(picture, nodes=nodes + removed)


def _flow(spec: Spec, result: CheckResult, name: str | None, statuses: Mapping[str, str]) -> Picture:
    from stratumc.emit.flow_picture import flow_picture

    name = spec.entry if name is None else name
    flow = spec.flows.get(name)
    if flow is None:
        raise UndrawableError(f"there is no flow `{name}`; the flows are {', '.join(spec.flows)}")
    tones = _step_tones(result.diagnostics, spec, flow)
    _worst(tones, ((step, _BY_STATUS.get(status, Tone.PLAIN)) for step, status in statuses.items()))
    return flow_picture(spec, flow, tones, _notes(result, name))


def _step_tones(diagnostics: Iterable[Diagnostic], spec: Spec, flow: Flow) -> dict[str, Tone]:
    """Tones of a flow's steps, and of the steps of the flows that it calls as `parent/child`."""
    from stratumc.spec.syntax import Run

    by_flow: dict[str, dict[str, Tone]] = {}
    for found in diagnostics:
        match = _STEP.match(found.path)
        if match and match[1] in spec.flows:
            step = spec.flows[match[1]].steps[int(match[2])]
            _worst(by_flow.setdefault(match[1], {}), ((step.id, _tone(found)),))
    tones = dict(by_flow.get(flow.name, {}))
    for step in flow.steps:
        if isinstance(step.body, Run):
            inner = by_flow.get(step.body.flow.value, {})
            tones.update((f"{step.id}/{child}", tone) for child, tone in inner.items())
    return tones


def _workflow(loaded: Loaded, result: CheckResult, state: str | None) -> Picture:
    from stratumc.emit.workflow_picture import workflow_picture

    workflow = loaded.workflow
    assert workflow is not None
    if state is not None and state not in workflow.states:
        raise UndrawableError(f"there is no state `{state}`; the states are {', '.join(workflow.states)}")
    tones: dict[str, Tone] = {}
    for found in result.diagnostics:
        _worst(tones, ((name, _tone(found)) for name in workflow.states if _is_about(found.path, name)))
    if state is not None:
        tones[state] = Tone.CURRENT
    return workflow_picture(workflow, tones, frozenset())


def _is_about(path: str, state: str) -> bool:
    """Whether a diagnostic's path leads into a state; names may hold any character."""
    prefix = f"states.{state}"
    return path.startswith(prefix) and path[len(prefix) : len(prefix) + 1] in ("", ".", "[")


def _tone(found: Diagnostic) -> Tone:
    return Tone.UNREACHABLE if found.code in _DEAD else _BY_SEVERITY[found.severity]


def _worst(tones: dict[str, Tone], more: Iterable[tuple[str, Tone]]) -> None:
    """Adds tones; where a name has one already, the worse stays."""
    for name, tone in more:
        tones[name] = min(tones.get(name, Tone.PLAIN), tone, key=_RANK.__getitem__)


def _notes(result: CheckResult, flow: str) -> tuple[str, ...]:
    """The bounds of a flow in words."""
    bounds: Mapping[str, Any] = (result.bounds or {}).get(flow) or {}
    return tuple(f"{what}: {_range(limits)}" for what, limits in bounds.items())


def _range(limits: Any) -> str:
    if isinstance(limits, Mapping):
        least, most = limits.get("least"), limits.get("most")
        return f"{least} to {'any number' if most is None else most}"
    return str(limits)
