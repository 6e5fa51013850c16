"""Whether a project in a state could go on under a new version of its workflow."""

from __future__ import annotations

from collections.abc import Iterator

from stratum_runtime.workflow.settings import DEFAULT_STATE_FIELD, DEFAULT_STATE_FILE
from stratumc.checks.workflow_facts import Situation, WorkflowFacts
from stratumc.review.going_on import Fate, GoingOn
from stratumc.workflow.syntax import Config


def projects_under_way(old: WorkflowFacts, new: WorkflowFacts) -> Iterator[GoingOn]:
    """A verdict on each state in which a project can be."""
    moved = _moved_setting(old.workflow.config, new.workflow.config)
    for state, situations in old.situations.items():
        fate, reason = Fate.GOES_ON, None
        if moved is not None:
            fate, reason = Fate.CANNOT, f"its state isn't found any more, as `config.{moved}` has changed"
        elif state not in new.workflow.states:
            fate, reason = Fate.GONE, "the state is gone"
        else:
            stuck = next((one for one in situations if _leaves(old, one) and not _leaves(new, one)), None)
            if stuck is not None:
                came = (
                    f" when it came from `{stuck.previous}`" if len(situations) > 1 and stuck.previous else ""
                )
                fate, reason = Fate.STUCK, f"no way leads out any more{came}"
        yield GoingOn("state", state, None, fate, reason)


def _moved_setting(old: Config, new: Config) -> str | None:
    """The setting by which a project's state is found, when the new version looks elsewhere."""
    if (old.state_file or DEFAULT_STATE_FILE) != (new.state_file or DEFAULT_STATE_FILE):
        return "state_file"
    fields = (old.state_field or DEFAULT_STATE_FIELD, new.state_field or DEFAULT_STATE_FIELD)
    return "state_field" if fields[0] != fields[1] else None


def _leaves(facts: WorkflowFacts, situation: Situation) -> bool:
    return any(move.target != situation.state for move in facts.moves(situation))
