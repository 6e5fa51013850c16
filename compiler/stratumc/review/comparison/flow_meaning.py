"""What a change means for flows: whether they can end well, what may be skipped, what can be passed by."""

from __future__ import annotations

from collections.abc import Iterator

from stratumc.checks.flow_facts import FlowFacts
from stratumc.proof.results import Refuted
from stratumc.review.comparison.check_meaning import check_meanings
from stratumc.review.comparison.flow_pair import FlowPair
from stratumc.review.comparison.gate_meaning import gate_meanings
from stratumc.review.comparison.meaning import MOST_TOLD, Meaning, MeaningKind, path_meanings
from stratumc.review.comparison.reset_meaning import reset_meanings
from stratumc.review.comparison.smooth_runs import smooth_meanings
from stratumc.review.paths.flow_ways import flow_ways
from stratumc.review.paths.good_runs import (
    always_runs,
    can_complete,
    is_always_run,
    is_never_run,
    surely_runs,
)
from stratumc.review.paths.run_words import Explained, whole_run


def flow_meanings(old: FlowFacts, new: FlowFacts) -> Iterator[Meaning]:
    """The consequences for one flow that both versions have."""
    pair = FlowPair(old, new)
    yield from _completes(pair)
    yield from path_meanings(flow_ways(old), flow_ways(new))
    skipped = dict(_skippable(pair))
    yield from skipped.values()
    yield from gate_meanings(pair, frozenset(skipped))
    yield from check_meanings(pair, frozenset(skipped))
    yield from reset_meanings(pair)
    yield from pair.left_open()


def _completes(pair: FlowPair) -> Iterator[Meaning]:
    was, now = can_complete(pair.old), can_complete(pair.new)
    if was and not now:
        yield Meaning(MeaningKind.CANNOT_COMPLETE, f"no run of flow `{pair.name}` can end well any more")
    elif now and not was:
        yield Meaning(MeaningKind.CAN_COMPLETE, f"runs of flow `{pair.name}` can end well now")
    elif was:
        yield from smooth_meanings(pair)


def _skippable(pair: FlowPair) -> Iterator[tuple[str, Meaning]]:
    """Steps that every good run ran before, and that one may leave out now."""
    old, new = pair.old, pair.new
    if not can_complete(old) or not can_complete(new):
        return
    told = 0
    for index, name in enumerate(new.graph.ids):
        before = pair.old_index[index]
        if before is None or surely_runs(new, index) or not is_always_run(old, before):
            continue
        question = f"step `{name}` may now be skipped"
        result = pair.note(always_runs(new, index), question, step=name)
        if isinstance(result, Refuted):
            said = Explained(result.witness, new).of(index)
            if is_never_run(new, index):
                question, said = f"step `{name}` is now always skipped", ""
            shows = whole_run(result.witness, new)
            yield name, Meaning(MeaningKind.MAY_BE_SKIPPED, f"{question}{said}", shows)
            told += 1
            if told == MOST_TOLD:
                message = f"more than {MOST_TOLD} steps of `{pair.name}` may now be skipped"
                yield "", Meaning(MeaningKind.NOT_COMPARED, f"{message}: the others aren't compared")
                return
