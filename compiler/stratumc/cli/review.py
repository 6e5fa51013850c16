"""`stratumc diagram`, `diff` and `review`: what is looked at in design review."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from stratumc.cli.guard import WRONG_USAGE, answer, complain

if TYPE_CHECKING:
    from stratumc.driver.load import Loaded
    from stratumc.driver.review import Checked
    from stratumc.emit.marks import RunMarks
    from stratumc.emit.picture import Picture
    from stratumc.review.comparison.diff import Diff

_OUTPUT = click.option("-o", "--output", metavar="FILE", help="Write to a file instead of standard output.")
_FLOW = click.option("--flow", metavar="NAME", help="The flow of a spec; its entry by default.")


@click.command(short_help="Draw a flow or a workflow.")
@click.argument("file")
@click.option(
    "--format",
    "form",
    type=click.Choice(["mermaid", "dot", "svg", "png", "html"]),
    default="mermaid",
    show_default=True,
)
@_FLOW
@click.option("--run", "run_id", metavar="ID", help="Colour the steps as a run has them.")
@click.option("--state", metavar="STATE", help="Mark the state that a project is in.")
@_OUTPUT
def diagram(**options: Any) -> int:
    """Draw FILE: findings in colour, unreachable parts greyed, bounds in the title.

    The settings count as they do for `check`.
    """
    from stratum_runtime.store import StoreError
    from stratumc.driver.checks import is_broken
    from stratumc.driver.diagram import UndrawableError, picture_of, render
    from stratumc.driver.page_settings import settings_for
    from stratumc.driver.pipeline import check_loaded
    from stratumc.driver.review import load_argument

    if options["form"] == "png" and options["output"] is None and os.isatty(1):
        raise click.UsageError("a PNG can't be shown on a terminal: give a file with `-o`")
    loaded = load_argument(options["file"])
    result = check_loaded(loaded, settings_for((options["file"],)))
    flow, run = options["flow"], None
    try:
        if options["run_id"] is not None:
            flow, run = _run(options["run_id"], loaded, flow)
        picture = picture_of(loaded, result, flow=flow, state=options["state"], run=run)
    except (UndrawableError, StoreError) as error:
        complain(str(error))
        return WRONG_USAGE
    content = render(picture, options["form"])
    _write(content, options["output"])
    if is_broken(loaded):
        complain("the input breaks rules: what could be read of it is drawn")
    if isinstance(content, str) and options["form"] == "mermaid":
        _tell_limits(picture, content)
    return 0


def _tell_limits(picture: Picture, content: str) -> None:
    from stratumc.emit.mermaid import limits_passed

    passed = limits_passed(picture, content)
    if passed is not None:
        complain(
            f"{passed} unless its host allows more (`maxEdges`, `maxTextSize`); `--format svg` has no limit"
        )


def _run(run_id: str, loaded: Loaded, flow: str | None) -> tuple[str, RunMarks]:
    """The flow of a run in the user's store, and how that run stands."""
    from stratumc.cli.runs import existing_engine, full_id
    from stratumc.emit.marks import RunMarks

    if loaded.spec is None:
        raise click.UsageError("a workflow has no runs: `--run` is for specs")
    engine = existing_engine(looking=True)
    run = full_id(engine, run_id)
    audit = engine.audit(run)
    if audit["status"] == "error":
        raise click.UsageError(f"no run `{run_id}`: `stratumc query flows` lists them")
    name = str(audit["flow_name"])
    if flow not in (None, name):
        raise click.UsageError(f"run `{run_id}` is one of flow `{name}`, not of `{flow}`")
    if _digest(loaded) != audit["table_digest"]:
        complain(f"run `{run_id}` keeps the table of another version; steps are coloured by their names")
    snapshot = engine.snapshot(run)
    return name, RunMarks(dict(_statuses(snapshot["steps"])), snapshot["status"], run)


def _digest(loaded: Loaded) -> str | None:
    """The digest of the table that an input compiles to; None when it breaks rules."""
    from stratumc.driver.checks import is_broken
    from stratumc.driver.pipeline import check_loaded, lower_loaded
    from stratumc.driver.settings import Settings

    if is_broken(loaded):
        return None
    return lower_loaded(loaded, check_loaded(loaded, Settings()).properties).digest


def _statuses(steps: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for name, step in steps.items():
        yield name, step["status"]
        for number, item in enumerate(step.get("items", ())):
            yield f"{name}/{number}", item["status"]


@click.command(short_help="Say what a change means.")
@click.argument("old")
@click.argument("new")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "markdown", "mermaid"]),
    default="text",
    show_default=True,
)
@_OUTPUT
def diff(old: str, new: str, form: str, output: str | None) -> int:
    """Compare OLD and NEW, each a file or `REV:path` of git: what changed, and what it means."""
    from stratumc.driver.review import compare_checked, read_argument

    try:
        before, after = read_argument(old), read_argument(new)
        found = compare_checked(before, after)
    except ValueError as error:
        complain(str(error))
        return WRONG_USAGE
    _write(_rendered(found, before, after, form), output)
    return 0


def _rendered(found: Diff, before: Checked, after: Checked, form: str) -> str | bytes:
    from stratumc.review.comparison.diff_text import diff_json, diff_markdown, diff_text

    match form:
        case "json":
            return diff_json(found)
        case "markdown":
            return diff_markdown(found)
        case "mermaid":
            from stratumc.driver.changes_picture import changes_picture
            from stratumc.driver.diagram import render

            return render(changes_picture(before.loaded, after.loaded, found), "mermaid")
    return diff_text(found)


@click.command(short_help="Write one page with everything a reviewer looks at.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("-o", "--output", required=True, metavar="FILE", help="The page to write.")
@click.option(
    "--against",
    metavar="OLD",
    help="Compare with every file's version at a revision of git, with a folder, a file or `REV:path`.",
)
def review(files: tuple[str, ...], output: str, against: str | None) -> int:
    """Write a self-contained page over FILEs: diagrams, findings, source, table, paths, bounds, changes.

    FILE is a spec, a workflow file or its folder, a folder of such files, or `REV:path` of git. The settings
    count as they do for `check`.
    """
    from stratumc.driver.page import review_of
    from stratumc.driver.page_settings import settings_for
    from stratumc.emit.review import review_page

    settings = settings_for(files)
    try:
        page = review_page(review_of(files, against, settings))
    except ValueError as error:
        complain(str(error))
        return WRONG_USAGE
    _write(page, output)
    return 0


def _write(content: str | bytes, output: str | None) -> None:
    """Writes an answer to standard output, or whole to a file."""
    if output is not None:
        from stratumc.cli.check_run import write_whole

        write_whole(output, content)
    else:
        answer(content)
