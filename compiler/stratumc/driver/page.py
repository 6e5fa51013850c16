"""Collects what the review page shows of some inputs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stratumc.diagnostics import Diagnostic
from stratumc.driver.diagram import enclosing, picture_of
from stratumc.driver.review import Checked, check_argument, compare_checked, read_argument
from stratumc.emit.dot import lay_out
from stratumc.emit.picture import Picture
from stratumc.emit.review import PathEdge, Review, ReviewPicture

if TYPE_CHECKING:
    from stratumc.review.ways import Ways
    from stratumc.text import Location

HEADINGS = ("Machine", "State", "Event", "Guards", "Target", "Effects")


def review_of(arguments: tuple[str, ...], against: str | None) -> Review:
    """The review of some inputs; with `against`, the first is compared with that version.

    An input that breaks rules is shown with its findings, and as far as it can be drawn.

    Raises:
        BrokenInputError: one of the two that are compared breaks rules.
        FileNotFoundError: one of them isn't there.
        ValueError: `against` is of the other kind.
    """
    inputs = [check_argument(argument) for argument in arguments]
    diagnostics = tuple(found for one in inputs for found in one.result.diagnostics)
    return Review(
        title=", ".join(one.name for one in inputs),
        files=tuple((s.document.name, s.document.text) for one in inputs for s in one.loaded.sources),
        diagnostics=diagnostics,
        pictures=tuple(picture for one in inputs for picture in _pictures(one, diagnostics)),
        headings=HEADINGS,
        rows=tuple(row for one in inputs if not one.is_broken for row in _rows(one)),
        bounds=tuple(row for one in inputs for row in _bounds(one)),
        diff=None if against is None else _diff(against, inputs[0]),
    )


def _diff(against: str, one: Checked) -> tuple[str, str]:
    from stratumc.review.diff_text import diff_text

    return f"Against {against}", diff_text(compare_checked(read_argument(against), one))


def _rows(one: Checked) -> list[tuple[str, ...]]:
    from stratumc.driver.pipeline import lower_loaded
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
    """A picture per flow, or of the workflow; none of an input without a syntax tree."""
    if one.loaded.workflow is not None:
        places = {state.name: state.at for state in one.loaded.workflow.states.values()}
        picture = picture_of(one.loaded, one.result)
        return [_picture(one, picture, _workflow_ways(one), places, diagnostics)]
    if one.loaded.spec is None:
        return []
    return [_flow_picture(one, name, diagnostics) for name in one.loaded.spec.flows]


def _flow_picture(one: Checked, name: str, diagnostics: tuple[Diagnostic, ...]) -> ReviewPicture:
    assert one.loaded.spec is not None
    places = {step.id: step.at for step in one.loaded.spec.flows[name].steps}
    picture = picture_of(one.loaded, one.result, flow=name)
    return _picture(one, picture, _flow_ways(one, name), places, diagnostics)


def _workflow_ways(one: Checked) -> Ways | None:
    from stratumc.checks.workflow_facts import WorkflowFacts
    from stratumc.review.ways import workflow_ways

    assert one.loaded.workflow is not None
    return None if one.is_broken else workflow_ways(WorkflowFacts(one.loaded.workflow))


def _flow_ways(one: Checked, flow: str) -> Ways | None:
    from stratumc.checks.facts import SpecFacts
    from stratumc.review.ways import flow_ways

    assert one.loaded.spec is not None
    return None if one.is_broken else flow_ways(SpecFacts(one.loaded.spec).proofs.flows[flow])


def _picture(
    one: Checked,
    picture: Picture,
    ways: Ways | None,
    places: dict[str, Location],
    diagnostics: tuple[Diagnostic, ...],
) -> ReviewPicture:
    from stratumc.diagnostics.concretize import locate
    from stratumc.text import format_path

    svg = lay_out(picture, "svg").decode("utf-8")
    numbers = {name: number for number, name in enumerate(places)}
    spans = [locate(at, one.loaded.sources)[0] for at in places.values()]
    by_path = {
        (span.file, format_path(at.path)): number
        for number, (span, at) in enumerate(zip(spans, places.values(), strict=True))
    }
    findings: list[list[int]] = [[] for _ in places]
    for number, found in enumerate(diagnostics):
        owners = (by_path.get((found.span.file, path)) for path in enclosing(found.path))
        owner = next((one for one in owners if one is not None), None)
        if owner is not None:
            findings[owner].append(number)
    return ReviewPicture(
        title=picture.title,
        svg=svg[svg.index("<svg") :],
        nodes=tuple((node.key, numbers[node.name]) for node in picture.nodes if node.name in numbers),
        names=tuple(places),
        places=() if ways is None else tuple(numbers[place.name] for place in ways.leaving),
        edges=() if ways is None else _edges(ways),
        lines=tuple((span.file, span.line) for span in spans),
        findings=tuple(map(tuple, findings)),
    )


def _edges(ways: Ways) -> tuple[PathEdge, ...]:
    numbers = {place: number for number, place in enumerate(ways.leaving)}
    return tuple(
        PathEdge(numbers[place], numbers[after], hop.outcome)
        for place, leaving in ways.leaving.items()
        for hop, after in leaving
    )
