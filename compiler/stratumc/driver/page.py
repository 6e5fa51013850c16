"""Collects what the review page shows of some inputs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING

from stratumc.driver.against import OldVersion, old_versions
from stratumc.driver.page_picture import Change, pictures_of
from stratumc.driver.page_settings import (
    missing_files,
    settings_of_old,
    shown_settings,
    without_settings_findings,
)
from stratumc.driver.review import BrokenInputError, Checked, check_argument, compare_checked
from stratumc.driver.settings import Settings
from stratumc.emit.review_parts import Comparison, Input, Review, Row

if TYPE_CHECKING:
    from stratumc.review.comparison.diff import Diff

MOST_IN_TITLE = 5
"""So many inputs are named in the title of a page; the others are counted."""


def review_of(arguments: tuple[str, ...], against: str | None, settings: Settings | None = None) -> Review:
    """The review of some inputs, of a folder those in it; with `against`, compared with another version.

    What is found is what `check` finds with these settings, by default with none. An input that breaks rules
    is shown with its findings, and as far as it can be drawn.

    Raises:
        FileNotFoundError: an input, or what is named by `against`, isn't there.
        ValueError: the file that `against` names is of the other kind.
    """
    settings = settings or Settings()
    names = _inputs(arguments, settings)
    checked = [check_argument(name, settings) for name in names]
    olds = (None,) * len(names) if against is None else old_versions(against, names)
    compared = [_compared(old, one, settings) for old, one in zip(olds, checked, strict=True)]
    firsts = (0, *accumulate(len(one.result.diagnostics) for one in checked))
    diagnostics = (*(found for one in checked for found in one.result.diagnostics), *missing_files(settings))
    return Review(
        title=_title(names),
        inputs=tuple(_input(one, comparison) for one, (comparison, _) in zip(checked, compared, strict=True)),
        diagnostics=diagnostics,
        pictures=tuple(
            picture
            for number, (one, (_, change)) in enumerate(zip(checked, compared, strict=True))
            for picture in pictures_of(one, number, change, firsts[number])
        ),
        against=against,
        settings=shown_settings(settings, diagnostics),
    )


def _title(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - MOST_IN_TITLE} more" if len(names) > MOST_IN_TITLE else ""
    return ", ".join(names[:MOST_IN_TITLE]) + more


def _inputs(arguments: tuple[str, ...], settings: Settings) -> tuple[str, ...]:
    """The inputs that are named, each once; of a folder that is no workflow's, those that are found in it."""
    from stratumc.driver.discovery import discover
    from stratumc.driver.files import workflow_base

    found: dict[str, None] = {}
    for argument in arguments:
        if not os.path.isdir(argument) or workflow_base(argument) is not None:
            found[argument] = None
            continue
        inputs = discover((argument,), settings).inputs
        if not inputs:
            raise FileNotFoundError(2, "it is a folder that holds neither a spec nor a workflow", argument)
        found.update(dict.fromkeys(inputs))
    return tuple(found)


def _compared(
    old: OldVersion | None, one: Checked, settings: Settings
) -> tuple[Comparison | None, Change | None]:
    """The comparison of an input with its old version, and what changed if that can be shown."""
    from stratumc.driver.git import NotThereError

    if old is None:
        return None, None
    name = old.argument.replace(":./", ":", 1)
    try:
        before = replace(check_argument(old.argument, settings_of_old(settings, one)), name=name)
    except NotThereError:
        if not old.may_be_missing:
            raise
        return Comparison(name, "There is no earlier version of it: all of it is new."), None
    except FileNotFoundError:
        if old.folder is None:
            raise
        reason = "the folder holds no other version of what is reviewed, and git knows no such revision"
        raise FileNotFoundError(2, reason, old.folder) from None
    try:
        diff = compare_checked(before, without_settings_findings(one))
    except BrokenInputError as error:
        return Comparison(name, f"The two can't be compared: {error}"), None
    except ValueError as error:
        if not old.may_be_missing:
            raise
        return Comparison(name, str(error)), None
    return _comparison(diff), Change(before.loaded, diff)


def _comparison(diff: Diff) -> Comparison:
    from stratumc.review.comparison.diff_text import SERIOUS, others_words

    return Comparison(
        old=diff.old,
        diff=diff.to_dict(),
        serious=tuple(number for number, one in enumerate(diff.meanings) if one.kind in SERIOUS),
        others=others_words(diff),
    )


def _input(one: Checked, comparison: Comparison | None) -> Input:
    return Input(
        name=one.name,
        files=tuple((source.document.name, source.document.text) for source in one.loaded.sources),
        is_broken=one.is_broken,
        rows=() if one.is_broken else tuple(_rows(one)),
        bounds=tuple(_bounds(one)),
        comparison=comparison,
    )


def _rows(one: Checked) -> Iterator[Row]:
    from stratumc.driver.pipeline import lower_loaded
    from stratumc.emit.row_words import row_words

    for words in row_words(lower_loaded(one.loaded)):
        yield Row(
            words.machine,
            words.region,
            words.state,
            words.event,
            ", ".join(words.guards),
            words.target,
            ", ".join(words.effects),
        )


def _bounds(one: Checked) -> Iterator[tuple[str, str, str, str]]:
    for flow, bounds in (one.result.bounds or {}).items():
        if bounds is None:
            yield flow, "", "", ""
            continue
        for what, limits in bounds.items():
            most = "no limit" if limits["most"] is None else str(limits["most"])
            yield flow, what, str(limits["least"]), most
