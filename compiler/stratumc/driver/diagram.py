"""Draws an input: loads it, colours what was found in it, and writes one of the formats."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from stratumc.diagnostics import Diagnostic
from stratumc.driver.found_marks import BY_SEVERITY, enclosing, find_marks, never_ended, remark, worst
from stratumc.driver.load import Loaded, load
from stratumc.driver.pipeline import CheckResult, check_loaded
from stratumc.driver.settings import Settings
from stratumc.emit.marks import Marks, RunMarks
from stratumc.emit.picture import Picture, Tone
from stratumc.text import Location

if TYPE_CHECKING:
    from stratumc.spec.syntax import Flow, Spec
    from stratumc.workflow.syntax import Workflow

FORMATS = ("mermaid", "dot", "svg", "png", "html")

_MOST_REMARKS = 5
"""Findings about nothing that is drawn, one by one; further ones are counted."""


_ORDER = tuple(Tone)

_WHOLE = ("", "flows", "states", "version")


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
    run_status: str | None = None,
) -> str | bytes:
    """A picture of a flow (the entry flow by default) or a workflow, findings in colour.

    `format` is `mermaid`, `dot`, `html` (text), `svg` or `png` (bytes). `state` marks a workflow's current
    state, `statuses` colours steps by the status that a run has them in (`step`, `parent/child`, `fan/0`),
    `run_status` is that run's own.

    Raises:
        UndrawableError: the input has no syntax tree, or no flow or state of that name.
        ValueError: an unknown format.
    """
    if format not in FORMATS:
        raise ValueError(f"unknown format {format!r}: one of {', '.join(FORMATS)}")
    loaded = load(source, name=name, kind=kind)
    is_of_run = statuses is not None or run_status is not None
    run = RunMarks(statuses or {}, run_status) if is_of_run else None
    picture = picture_of(loaded, flow=flow, state=state, run=run)
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
    result: CheckResult | None = None,
    *,
    flow: str | None = None,
    state: str | None = None,
    run: RunMarks | None = None,
) -> Picture:
    """The picture of a loaded input, coloured by what was found in it (checked here unless given).

    A `run` colours steps, and its status stands under the title.

    Raises UndrawableError.
    """
    result = check_loaded(loaded, Settings()) if result is None else result
    if loaded.kind == "spec" and state is not None:
        raise UndrawableError("a spec has no states: `--state` is for workflows")
    if loaded.kind == "workflow" and (flow is not None or run is not None):
        raise UndrawableError("a workflow has no flows and runs: `--flow` and `--run` are for specs")
    spec = drawable_spec(loaded)
    if spec is not None:
        return _flow(loaded, spec, result, flow, run or RunMarks())
    if loaded.sketch is not None and loaded.sketch.states:
        return _workflow(loaded, loaded.sketch, result, state)
    first = _why_undrawable(result.diagnostics)
    reason = f": {first.span.file}:{first.span.line}:{first.span.column}: {first.message}" if first else ""
    raise UndrawableError(f"the input is too broken to draw{reason}")


def drawable_spec(loaded: Loaded) -> Spec | None:
    """The syntax tree of a spec, or what can be read of a faulty one; None when no flow can."""
    if loaded.spec is not None:
        return loaded.spec if loaded.spec.flows else None
    if loaded.kind != "spec" or loaded.sources[0].root is None:
        return None
    from stratumc.spec.sketch import sketch_spec

    return sketch_spec(loaded.sources[0].root)


def _why_undrawable(diagnostics: tuple[Diagnostic, ...]) -> Diagnostic | None:
    """The error about the document as a whole, or what should hold flows or states; else the first one."""
    errors = [found for found in diagnostics if found.severity == "error"]
    whole = (found for found in errors if found.path in _WHOLE or found.path.startswith("flows."))
    return next(whole, errors[0] if errors else None)


def _flow(loaded: Loaded, spec: Spec, result: CheckResult, name: str | None, run: RunMarks) -> Picture:
    from stratumc.emit.flow_picture import flow_picture

    if name is not None and name not in spec.flows:
        raise UndrawableError(_unknown("flow", name, tuple(spec.flows)))
    # An entry that isn't there is a finding, and no reason to show nothing of the flows that are.
    flow = spec.flows.get(spec.entry if name is None else name) or next(iter(spec.flows.values()))
    drawn = (flow, *_called(spec, flow))
    found = find_marks(loaded, result.diagnostics, _parts_of_flows(drawn))
    tones = dict(found.tones)
    rest = tuple(one for one in found.rest if _is_about(one, spec, drawn))
    for callee in drawn[1:]:
        for one in rest:
            if callee.name == _flow_of(one, spec):
                tones[callee.at] = worst(tones.get(callee.at, Tone.PLAIN), BY_SEVERITY[one.severity])
    endless: frozenset[str] = frozenset()
    unreached: frozenset[Location] = frozenset()
    if any(one.code == "FLOW_CANNOT_COMPLETE" for one in rest):
        endless, unreached = never_ended(spec, drawn)
    marks = Marks(tones, run, unreached, endless)
    notes = (*run.note, *_notes(result, flow))
    return _with_remarks(flow_picture(spec, flow, marks, notes), rest)


def _with_remarks(picture: Picture, rest: tuple[Diagnostic, ...]) -> Picture:
    remarks = sorted((remark(one) for one in rest), key=lambda one: _ORDER.index(one.tone))
    notes = picture.notes
    if len(remarks) > _MOST_REMARKS:
        notes = (*notes, f"{len(remarks) - _MOST_REMARKS} more findings")
    return replace(picture, notes=notes, remarks=tuple(remarks[:_MOST_REMARKS]))


def _called(spec: Spec, flow: Flow) -> Iterator[Flow]:
    """The flows that a flow calls, each once."""
    from stratumc.spec.syntax import Run

    names = (step.body.flow.value for step in flow.steps if isinstance(step.body, Run))
    return (spec.flows[name] for name in dict.fromkeys(names) if name in spec.flows and name != flow.name)


def _flow_of(found: Diagnostic, spec: Spec) -> str | None:
    """The flow that a finding stands in; the longest of names that fit, as they may hold dots."""
    inside = (name for name in spec.flows if f"flows.{name}" in enclosing(found.path))
    return max(inside, key=len, default=None)


def _is_about(found: Diagnostic, spec: Spec, drawn: tuple[Flow, ...]) -> bool:
    """Whether a finding is about a flow that is drawn, or about none."""
    name = _flow_of(found, spec)
    return name is None or any(flow.name == name for flow in drawn)


def _workflow(loaded: Loaded, workflow: Workflow, result: CheckResult, state: str | None) -> Picture:
    from stratumc.emit.workflow_picture import workflow_picture

    if state is not None and state not in workflow.states:
        raise UndrawableError(_unknown("state", state, tuple(workflow.states)))
    found = find_marks(loaded, result.diagnostics, _parts_of_workflow(workflow))
    return _with_remarks(workflow_picture(workflow, found.tones, state), found.rest)


def _unknown(noun: str, name: str, known: tuple[str, ...]) -> str:
    from stratumc.diagnostics.nearest import names_meant

    return f"no {noun} `{name}`: {names_meant(name, known)}"


def _parts_of_flows(flows: tuple[Flow, ...]) -> Iterator[Location]:
    from stratumc.spec.syntax import Fanout

    for flow in flows:
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


def _notes(result: CheckResult, flow: Flow) -> Iterator[str]:
    """The bounds of a flow's good runs, and its budget, in words."""
    from stratumc.review.comparison.meaning import range_words

    for what, limits in ((result.bounds or {}).get(flow.name) or {}).items():
        yield f"{what}: {range_words(limits)}"
    if flow.budget is not None:
        given = ((what, getattr(flow.budget, what)) for what in ("usd", "tokens", "dispatches", "ms"))
        yield "budget: " + ", ".join(f"{value} {what}" for what, value in given if value is not None)
