"""Collects what the review page shows of some inputs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stratumc.driver_diagram import picture_of
from stratumc.driver_review import Checked, compare_checked, read_argument
from stratumc.emit.dot import lay_out
from stratumc.emit.picture import Picture
from stratumc.emit.review import PathEdge, Review, ReviewPicture

if TYPE_CHECKING:
    from stratumc.diagnostics import Diagnostic
    from stratumc.review.ways import Ways
    from stratumc.text import Location

HEADINGS = ("Machine", "State", "Event", "Guards", "Target", "Effects")


def review_of(arguments: tuple[str, ...], against: str | None) -> Review:
    """The review of some inputs; with `against`, the first is compared with that version.

    Raises:
        BrokenInputError: one of them has errors.
        FileNotFoundError: one of them isn't there.
        ValueError: `against` is of the other kind.
    """
    inputs = [read_argument(argument) for argument in arguments]
    diagnostics = tuple(found for one in inputs for found in one.result.diagnostics)
    return Review(
        title=", ".join(one.name for one in inputs),
        files=tuple((s.document.name, s.document.text) for one in inputs for s in one.loaded.sources),
        diagnostics=diagnostics,
        pictures=tuple(picture for one in inputs for picture in _pictures(one, diagnostics)),
        headings=HEADINGS,
        rows=tuple(row for one in inputs for row in _rows(one)),
        bounds=tuple(row for one in inputs for row in _bounds(one)),
        diff=None if against is None else _diff(against, inputs[0]),
    )


def _diff(against: str, one: Checked) -> tuple[str, str]:
    from stratumc.review.diff_text import diff_text

    return f"Against {against}", diff_text(compare_checked(read_argument(against), one))


def _rows(one: Checked) -> list[tuple[str, ...]]:
    from stratumc.driver import lower_loaded
    from stratumc.emit.row_words import row_words

    return [
        (
            f"{words.machine}.{words.region}",
            words.state,
            words.event,
            ", ".join(words.guards),
            words.target,
            ", ".join(words.effects),
        )
        for words in row_words(lower_loaded(one.loaded))
    ]


def _bounds(one: Checked) -> list[tuple[str, str, str, str]]:
    return [
        (flow, what, str(limits["least"]), "no limit" if limits["most"] is None else str(limits["most"]))
        for flow, bounds in (one.result.bounds or {}).items()
        for what, limits in bounds.items()
    ]


def _pictures(one: Checked, diagnostics: tuple[Diagnostic, ...]) -> list[ReviewPicture]:
    """A picture per flow, or of the workflow."""
    if one.loaded.workflow is not None:
        from stratumc.checks.workflow_facts import WorkflowFacts
        from stratumc.review.workflow_meaning import ways_of

        workflow = one.loaded.workflow
        places = {state.name: state.at for state in workflow.states.values()}
        ways = ways_of(WorkflowFacts(workflow))
        return [_picture(one, picture_of(one.loaded)[0], ways, places, diagnostics)]
    assert one.loaded.spec is not None
    return [_flow_picture(one, name, diagnostics) for name in one.loaded.spec.flows]


def _flow_picture(one: Checked, name: str, diagnostics: tuple[Diagnostic, ...]) -> ReviewPicture:
    from stratumc.graph.flow_graph import flow_graph
    from stratumc.review.ways import flow_ways

    assert one.loaded.spec is not None
    flow = one.loaded.spec.flows[name]
    places = {step.id: step.at for step in flow.steps}
    picture = picture_of(one.loaded, flow=name)[0]
    return _picture(one, picture, flow_ways(flow, flow_graph(flow)), places, diagnostics)


def _picture(
    one: Checked,
    picture: Picture,
    ways: Ways,
    places: dict[str, Location],
    diagnostics: tuple[Diagnostic, ...],
) -> ReviewPicture:
    from stratumc.diagnostics.concretize import locate
    from stratumc.text import format_path

    svg = lay_out(picture, "svg").decode("utf-8")
    spans = {name: locate(at, one.loaded.sources)[0] for name, at in places.items()}
    paths = {name: format_path(at.path) for name, at in places.items()}
    return ReviewPicture(
        title=picture.title,
        svg=svg[svg.index("<svg") :],
        nodes=tuple((node.key, node.name) for node in picture.nodes),
        names=ways.names,
        edges=tuple(PathEdge(hop.source, hop.target, hop.outcome) for hop in ways.hops),
        places={name: (span.file, span.line) for name, span in spans.items()},
        findings={
            name: tuple(
                number
                for number, found in enumerate(diagnostics)
                if is_inside(found.path, path) and found.span.file == spans[name].file
            )
            for name, path in paths.items()
        },
    )


def is_inside(path: str, outer: str) -> bool:
    """Whether a diagnostic's path is that of a part, or leads into it."""
    return path.startswith(outer) and path[len(outer) : len(outer) + 1] in ("", ".", "[")
