"""What becomes of those under way that can't simply go on, in one line for each reason."""

from __future__ import annotations

from collections.abc import Sequence

from stratumc.review.comparison.going_on import Fate, GoingOn

_MOST_NAMED = 6
_MOST_LEFT_OUT = 2
"""Of many that share a fate so many are named; where all but so few share it, those few."""


def halted_words(
    going_on: Sequence[GoingOn], refused: str | None, *, is_workflow: bool
) -> tuple[tuple[str, str], ...]:
    """The verdicts that aren't `goes on`, each in a word and a line; `refused` as `Diff.refused`."""
    lines = []
    if refused is not None:
        # A run needs a table; a project only the workflow's file, which its engine reads.
        what = "`compile` makes no table of" if is_workflow else "nothing can be started with"
        lines.append(("refused", f"{what} the new version: {refused}"))
        if not is_workflow:
            return tuple(lines)
    by_reason: dict[tuple[str, str | None], list[GoingOn]] = {}
    for one in going_on:
        if one.fate is not Fate.GOES_ON:
            by_reason.setdefault((one.fate.value, one.reason), []).append(one)
    for (fate, reason), those in by_reason.items():
        lines.append((fate, f"{_who(those, going_on, is_workflow=is_workflow)}: {reason}"))
    return tuple(lines)


def _who(those: Sequence[GoingOn], all_of_them: Sequence[GoingOn], *, is_workflow: bool) -> str:
    """The projects or runs that share a verdict: those at a step or state, at some, at all but a few."""
    noun, thing = ("project in", "state") if is_workflow else ("run at", "step")
    if len(those) == len(all_of_them) > 1:
        return f"a {noun} any {thing}"
    parts = []
    for flow in dict.fromkeys(one.flow for one in those):
        names = tuple(one.name for one in those if one.flow == flow)
        here = frozenset(names)
        others = tuple(one.name for one in all_of_them if one.flow == flow and one.name not in here)
        places = _places(thing, names, others)
        parts.append(f"a project in {places}" if flow is None else f"a run of `{flow}` at {places}")
    return " or ".join(parts)


def _places(thing: str, names: Sequence[str], others: Sequence[str]) -> str:
    if len(names) > 1 and not others:
        return f"any {thing}"
    if len(names) > _MOST_NAMED and len(others) <= _MOST_LEFT_OUT:
        return f"any {thing} but {' and '.join(f'`{name}`' for name in others)}"
    shown = [f"`{name}`" for name in names[:_MOST_NAMED]]
    if len(names) > _MOST_NAMED:
        shown.append(f"{len(names) - _MOST_NAMED} more")
    return f"{thing} {' or '.join(filter(None, (', '.join(shown[:-1]), shown[-1])))}"
