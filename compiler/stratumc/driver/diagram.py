"""Draws an input: loads it, colours what was found in it, and writes one of the formats."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from stratumc.diagnostics import Diagnostic
from stratumc.driver.load import Loaded, load
from stratumc.driver.pipeline import CheckResult, check_loaded
from stratumc.driver.settings import Settings
from stratumc.emit.picture import Node, Picture, Shape, Tone
from stratumc.review.changes import Change, ChangeKind
from stratumc.text import Location, format_path

if TYPE_CHECKING:
    from stratumc.review.diff import Diff
    from stratumc.spec.syntax import Flow, Spec
    from stratumc.workflow.syntax import Workflow

FORMATS = ("mermaid", "dot", "svg", "png", "html")

_BY_SEVERITY = {"error": Tone.ERROR, "warning": Tone.WARNING, "info": Tone.INFO}

_DEAD = ("STATE_UNREACHABLE", "STEP_NEVER_RUNS", "TRIGGER_NEVER_FIRES", "TRIGGER_SHADOWED", "GLOBAL_SHADOWED")
"""Findings of parts that no run ever comes to."""

_RANK = {tone: rank for rank, tone in enumerate(Tone)}


class UndrawableError(ValueError):
    """The input can't be drawn: it has no syntax tree, or no flow or state of that name."""


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
    state, `statuses` colours steps by the status that a run has them in (`step`, `parent/child`, `fan/0`).

    Raises:
        UndrawableError: the input has no syntax tree, or no flow or state of that name.
        ValueError: an unknown format.
    """
    if format not in FORMATS:
        raise ValueError(f"unknown format {format!r}: one of {', '.join(FORMATS)}")
    loaded = load(source, name=name, kind=kind)
    return render(picture_of(loaded, flow=flow, state=state, statuses=statuses), format)


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
    result: CheckResult | None = None,
    *,
    flow: str | None = None,
    state: str | None = None,
    statuses: Mapping[str, str] | None = None,
) -> Picture:
    """The picture of a loaded input, coloured by what was found in it (checked here unless given).

    Raises UndrawableError.
    """
    result = check_loaded(loaded, Settings()) if result is None else result
    if loaded.kind == "spec" and state is not None:
        raise UndrawableError("a spec has no states: `--state` is for workflows")
    if loaded.kind == "workflow" and (flow is not None or statuses is not None):
        raise UndrawableError("a workflow has no flows and runs: `--flow` and `--run` are for specs")
    if loaded.spec is not None and loaded.spec.flows:
        return _flow(loaded, loaded.spec, result, flow, statuses or {})
    if loaded.sketch is not None and loaded.sketch.states:
        return _workflow(loaded, loaded.sketch, result, state)
    first = next((found for found in result.diagnostics if found.severity == "error"), None)
    reason = f": {first.span.file}:{first.span.line}:{first.span.column}: {first.message}" if first else ""
    raise UndrawableError(f"the input is too broken to draw{reason}")


def changes_picture(loaded: Loaded, diff: Diff, *, flow: str | None = None) -> Picture:
    """The picture of the new version: what was added is green, what changed yellow, what is gone red.

    Of a spec, that of one flow, the entry by default.
    """
    changed: dict[str, Tone] = {}
    gone: list[str] = []
    for change in diff.changes:
        owner = _drawn_owner(loaded, change, flow)
        if owner is None:
            continue
        name, itself = owner
        if not itself:
            changed.setdefault(name, Tone.CURRENT)
        elif change.kind is ChangeKind.REMOVED:
            gone.append(name)
        else:
            changed[name] = Tone.DONE if change.kind is ChangeKind.ADDED else Tone.CURRENT
    picture = picture_of(loaded, flow=flow)
    nodes = tuple(replace(node, tone=_tone_of_change(node, changed)) for node in picture.nodes)
    edges = tuple(replace(edge, tone=Tone.PLAIN) for edge in picture.edges)
    return replace(picture, nodes=(*nodes, *_gone(gone, len(nodes))), edges=edges)


def _tone_of_change(node: Node, changed: Mapping[str, Tone]) -> Tone:
    """The tone of a step or state; what is drawn of the flows that it calls has none."""
    return Tone.PLAIN if node.cluster is not None else changed.get(node.name or "", Tone.PLAIN)


def _drawn_owner(loaded: Loaded, change: Change, flow: str | None) -> tuple[str, bool] | None:
    """The step or state that a change is about, and whether it is that itself; None where none is drawn."""
    part = change.part
    if loaded.spec is not None and part.owner not in (None, flow or loaded.spec.entry):
        return None
    match part.kind:
        case "step" | "state":
            return part.own_name, True
        case "transition" | "trigger":
            return part.owner or "", False
    return None


def _gone(names: list[str], first: int) -> Iterator[Node]:
    from stratumc.emit.label_text import name_lines

    for number, name in enumerate(names, first):
        yield Node(f"n{number}", name, (*name_lines(name), "removed"), Shape.STATE, Tone.FAILED)


def _flow(
    loaded: Loaded, spec: Spec, result: CheckResult, name: str | None, statuses: Mapping[str, str]
) -> Picture:
    from stratumc.emit.flow_picture import flow_picture

    if name is not None and name not in spec.flows:
        raise UndrawableError(_unknown("flow", name, tuple(spec.flows)))
    # An entry that isn't there is a finding, and no reason to show nothing of the flows that are.
    flow = spec.flows.get(spec.entry if name is None else name) or next(iter(spec.flows.values()))
    tones = _tones(loaded, result.diagnostics, _parts_of_spec(spec))
    return flow_picture(spec, flow, tones, statuses, tuple(_notes(result, flow)))


def _workflow(loaded: Loaded, workflow: Workflow, result: CheckResult, state: str | None) -> Picture:
    from stratumc.emit.workflow_picture import workflow_picture

    if state is not None and state not in workflow.states:
        raise UndrawableError(_unknown("state", state, tuple(workflow.states)))
    tones = _tones(loaded, result.diagnostics, _parts_of_workflow(workflow))
    return workflow_picture(workflow, tones, state)


def _unknown(noun: str, name: str, known: tuple[str, ...]) -> str:
    from stratumc.diagnostics.nearest import did_you_mean

    return f"no {noun} `{name}`: {did_you_mean(name, known) or 'there are ' + ', '.join(known)}"


def _parts_of_spec(spec: Spec) -> Iterator[Location]:
    from stratumc.spec.syntax import Fanout

    for flow in spec.flows.values():
        for step in flow.steps:
            yield step.at
            if isinstance(step.body, Fanout):
                yield from (stage.at for stage in step.body.stages)


def _parts_of_workflow(workflow: Workflow) -> Iterator[Location]:
    for state in workflow.states.values():
        yield state.at
        yield from (trigger.at for trigger in state.triggers)
        yield from (transition.at for transition in state.transitions)
    yield from (item.transition.at for item in workflow.global_transitions)


def _tones(
    loaded: Loaded, diagnostics: tuple[Diagnostic, ...], parts: Iterator[Location]
) -> dict[Location, Tone]:
    """The worst finding about each part that is drawn, or about what is inside it.

    A finding that a part is never come to greys the innermost part only.
    """
    drawn = {(loaded.sources[at.source].document.name, format_path(at.path)): at for at in parts}
    tones: dict[Location, Tone] = {}
    for found in diagnostics:
        tone = Tone.UNREACHABLE if found.code in _DEAD else _BY_SEVERITY[found.severity]
        for path in enclosing(found.path):
            at = drawn.get((found.span.file, path))
            if at is not None:
                tones[at] = min(tones.get(at, Tone.PLAIN), tone, key=_RANK.__getitem__)
                tone = _BY_SEVERITY[found.severity]
    return tones


def enclosing(path: str) -> Iterator[str]:
    """A path as diagnostics write it, and the paths around it from the inside out; names may hold dots."""
    yield path
    for end in range(len(path) - 1, 0, -1):
        if path[end] in ".[":
            yield path[:end]


def _notes(result: CheckResult, flow: Flow) -> Iterator[str]:
    """The bounds of a flow's good runs, and its budget, in words."""
    from stratumc.review.meaning import range_words

    for what, limits in ((result.bounds or {}).get(flow.name) or {}).items():
        yield f"{what}: {range_words(limits)}"
    if flow.budget is not None:
        given = ((what, getattr(flow.budget, what)) for what in ("usd", "tokens", "dispatches", "ms"))
        yield "budget: " + ", ".join(f"{value} {what}" for what, value in given if value is not None)
