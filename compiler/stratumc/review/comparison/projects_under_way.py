"""Whether a project in a state could go on under a new version of its workflow, and come to an end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from stratum_runtime.workflow.settings import (
    DEFAULT_PREVIOUS_FIELD,
    DEFAULT_STATE_FIELD,
    DEFAULT_STATE_FILE,
)
from stratumc.checks.workflow_facts import Situation, WorkflowFacts
from stratumc.checks.workflow_states import leads_elsewhere
from stratumc.review.comparison.going_on import Fate, GoingOn
from stratumc.review.comparison.workflow_side import listed
from stratumc.review.paths.ways import workflow_ways
from stratumc.workflow.syntax import Config

Situations = tuple[Situation, ...]


def projects_under_way(old: WorkflowFacts, new: WorkflowFacts) -> Iterator[GoingOn]:
    """A verdict on each state in which a project can be."""
    moved = _moved_setting(old.workflow.config, new.workflow.config)
    if moved is not None:
        lost = f"its state isn't found any more, as `config.{moved}` has changed"
        yield from (GoingOn("state", state, None, Fate.CANNOT, lost) for state in old.situations)
        return
    comparison = _Comparison(old, new)
    for state, situations in old.situations.items():
        if state in new.workflow.states:
            fate, reason = comparison.verdict(state, situations)
            yield GoingOn("state", state, None, fate, reason)
        else:
            yield GoingOn("state", state, None, Fate.GONE, "the state is gone")


def _moved_setting(old: Config, new: Config) -> str | None:
    """The setting by which a project's state is found, when the new version looks elsewhere."""
    if (old.state_file or DEFAULT_STATE_FILE) != (new.state_file or DEFAULT_STATE_FILE):
        return "state_file"
    fields = (old.state_field or DEFAULT_STATE_FIELD, new.state_field or DEFAULT_STATE_FIELD)
    return "state_field" if fields[0] != fields[1] else None


class _Comparison:
    """Situations of projects under the old version, and what the new one makes of each."""

    def __init__(self, old: WorkflowFacts, new: WorkflowFacts) -> None:
        self.old, self.new = old, new
        fields = (old.workflow.config.previous_state_field, new.workflow.config.previous_state_field)
        self.forgets = (fields[0] or DEFAULT_PREVIOUS_FIELD) != (fields[1] or DEFAULT_PREVIOUS_FIELD)
        under_way = tuple(one for those in old.situations.values() for one in those)
        kept = (self._read(one) for one in under_way if one.state in new.workflow.states)
        self.ways_before, self.ways_after = workflow_ways(old), workflow_ways(new, kept)
        self.finals_before, self.finals_after = _finals(old), _finals(new)
        self.ends_before = self.ways_before.comes_to(self.finals_before)
        self.ends_after = self.ways_after.comes_to((*self.finals_before, *self.finals_after))

    def _read(self, situation: Situation) -> Situation:
        """A situation as the new version reads it from the project's state file."""
        is_known = situation.previous in self.new.workflow.states and not self.forgets
        return situation if is_known else Situation(situation.state, None)

    def verdict(self, state: str, situations: Situations) -> tuple[Fate, str | None]:
        """The worst that becomes of a project there, and all that there is to say."""
        stuck = tuple(
            one for one in situations if _leaves(self.old, one) and not _leaves(self.new, self._read(one))
        )
        told: list[tuple[Fate, str]] = []
        if stuck:
            told.append((Fate.STUCK, f"no way leads out any more{_came(stuck, situations)}"))
        going = tuple(one for one in situations if one not in stuck)
        told.extend((Fate.ENDLESS, reason) for reason in self._without_end(going, situations))
        told.extend((Fate.FORGETS, reason) for reason in self._not_resumed(state, going, situations))
        if not told:
            return Fate.GOES_ON, None
        return told[0][0], "; ".join(reason for _, reason in told)

    def _without_end(self, going: Situations, situations: Situations) -> Iterator[str]:
        """Of situations that have lost every final state they led to: those, and the ones that are left."""
        lost: dict[tuple[tuple[str, ...], tuple[str, ...]], list[Situation]] = {}
        for one in going:
            now = self._read(one)
            before = self.ends_before[self.ways_before.place(one.state, one.previous)]
            after = self.ends_after[self.ways_after.place(now.state, now.previous)]
            if before and not before & after:
                ends = (
                    tuple(name for name in self.finals_before if name in before),
                    tuple(name for name in self.finals_after if name in after),
                )
                lost.setdefault(ends, []).append(one)
        for (had, has), those in lost.items():
            other = f"it could only end in {listed(has)}" if has else "it could never end"
            came = _came(tuple(those), situations)
            yield f"it can't come to {listed(had)} any more, so that {other}{came}"

    def _not_resumed(self, state: str, going: Situations, situations: Situations) -> Iterator[str]:
        """Events that led somewhere and, by what the state file keeps of the state before, don't now."""
        lost: dict[tuple[str, ...], list[Situation]] = {}
        for one in going:
            led = frozenset(move.by.get("event") for move in self.old.moves(one))
            if self.new.resume(self._read(one).previous) is None:
                events = tuple(event for event in _resuming(self.new, state) if event in led)
                if events:
                    lost.setdefault(events, []).append(one)
        for names, those in lost.items():
            lead = f"{listed(names)} {'lead' if len(names) > 1 else 'leads'} nowhere"
            kept = tuple(one for one in those if one.previous in (None, *self.new.workflow.states))
            gone = tuple(one for one in those if one not in kept)
            if kept and self.forgets:
                yield f"{lead}, as `config.previous_state_field` has changed"
            elif kept:
                yield f"{lead} any more{_came(kept, situations)}"
            if gone:
                yield f"{lead} any more when it came from {_befores(gone)}, now gone"


def _finals(facts: WorkflowFacts) -> tuple[str, ...]:
    """Where projects end: the states that nothing leads out of, as STATE_NO_EXIT has it."""
    states = facts.workflow.states.values()
    return tuple(state.name for state in states if not leads_elsewhere(facts, state))


def _leaves(facts: WorkflowFacts, situation: Situation) -> bool:
    return any(move.target != situation.state for move in facts.moves(situation))


def _resuming(facts: WorkflowFacts, state: str) -> tuple[str, ...]:
    """The events of a state that look their target up by the state before."""
    own = facts.workflow.states[state]
    transitions = (*own.transitions, *facts.global_transitions_of(own))
    return tuple(one.event for one in transitions if one.target is None)


def _came(those: Situations, situations: Situations) -> str:
    """Where a project must have come from, when not all situations of its state are meant."""
    if len(those) == len(situations):
        return ""
    came = [one for one in those if one.previous is not None]
    begun = "where it began there" if len(came) < len(those) else ""
    return " " + " or ".join(filter(None, (begun, f"when it came from {_befores(came)}" if came else "")))


def _befores(situations: Iterable[Situation]) -> str:
    return listed(one.previous for one in situations if one.previous is not None)
