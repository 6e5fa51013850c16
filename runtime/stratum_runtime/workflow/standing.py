"""Where a project stands: its state and the one before, or what is wrong with the file that should say so."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from stratum_runtime.configuration import WorkflowConfiguration
from stratum_runtime.workflow.offers import Offers
from stratum_runtime.workflow.pending import read_state
from stratum_runtime.workflow.refusals import RefusalError
from stratum_runtime.workflow.settings import Place
from stratum_runtime.workflow.state_file import StateFileError, StateText, read_fields


def known_state(offers: Offers, state: str, previous: str | None) -> WorkflowConfiguration:
    """The state of that name. Raises RefusalError when there is none."""
    at = offers.configuration(state, previous)
    if at is None:
        message = f"`{state}` isn't a state of this workflow"
        raise RefusalError("unknown_state", message, state=state, states=list(offers.states))
    return at


def stored(place: Place) -> tuple[str | None, str | None]:
    """State and previous state as the project's state file has them. Raises RefusalError, OSError."""
    with refusing(place):
        data = read_state(place)
        return (None, None) if data is None else read_fields(data, place.state_field, place.previous_field)


def current(offers: Offers, place: Place) -> tuple[WorkflowConfiguration, str | None]:
    """The state that the project is in, and the one before. Raises RefusalError, OSError."""
    state, previous = stored(place)
    return _stored_state(offers, place, state, previous), previous


def current_in(offers: Offers, text: StateText, place: Place) -> WorkflowConfiguration:
    """The state by the text of the project's state file. Raises RefusalError, StateFileError."""
    return _stored_state(offers, place, text.field(place.state_field), text.field(place.previous_field))


def _stored_state(
    offers: Offers, place: Place, state: str | None, previous: str | None
) -> WorkflowConfiguration:
    at = offers.configuration(offers.initial if state is None else state, previous)
    if at is None:
        message = (
            f"`{state}`, which `{place.state_field}` of the state file {_shown(place)} says, isn't a state "
            "of this workflow; write the name of one there, or remove the field to begin in "
            f"`{offers.initial}`"
        )
        more = {"file": place.state_shown, "project": place.project}
        raise RefusalError("unknown_state", message, state=state, states=list(offers.states), **more)
    return at


@contextlib.contextmanager
def refusing(place: Place) -> Iterator[None]:
    """Turns a state file that can't be used into the refusal that names it."""
    try:
        yield
    except StateFileError as error:
        message = f"the state file {_shown(place)} can't be used and is left as it is: {error}"
        raise RefusalError(
            "state_file_invalid", message, file=place.state_shown, project=place.project
        ) from None


def _shown(place: Place) -> str:
    whose = "" if place.project == "." else f" of project `{place.project}`"
    return f"`{place.state_shown}`{whose}"
