"""The five tools of a project's workflow, as methods that return JSON objects (workflow.md section 4)."""

from __future__ import annotations

import datetime
import functools
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ParamSpec

from stratum_runtime.configuration import WorkflowConfiguration
from stratum_runtime.step import Fired, step
from stratum_runtime.table import Row
from stratum_runtime.workflow import arguments as given
from stratum_runtime.workflow.durable import flush_folder, locked, read_bytes, replace
from stratum_runtime.workflow.history import Filter, summarize
from stratum_runtime.workflow.json_values import json_text
from stratum_runtime.workflow.log import Entry, read_log
from stratum_runtime.workflow.offers import AUTO, Offers
from stratum_runtime.workflow.programs import Change, Compiler, PathQuestion, Program, Programs
from stratum_runtime.workflow.project import open_project
from stratum_runtime.workflow.refusals import Answer, RefusalError, io_refusal
from stratum_runtime.workflow.settings import Place, Settings, find_place
from stratum_runtime.workflow.state_file import StateFileError, StateText, read_fields

Arguments = ParamSpec("Arguments")

DEFAULT_LIMIT = 20


def _answered(call: Callable[Arguments, Answer]) -> Callable[Arguments, Answer]:
    """Turns what ends a call into its result: a refusal is an answer, not an exception."""

    @functools.wraps(call)
    def answer(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Answer:
        try:
            return call(*args, **kwargs)
        except RefusalError as refusal:
            return refusal.answer()
        except StateFileError as error:
            message = f"the state file can't be used and is left as it is: {error}"
            return RefusalError("state_file_invalid", message).answer()
        except OSError as error:
            return io_refusal(error, "read or write").answer()

    return answer


@dataclass(frozen=True, slots=True)
class _Wish:
    """What a caller of `transition` wants, its arguments checked."""

    event: str
    context: dict[str, Any]
    updates: dict[str, str]
    """Further fields of the state file, as JSON texts."""
    reason: str | None
    expected: str | None


def _utc_now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC)


class WorkflowEngine:
    """Workflows of the projects below one root; safe to use from several processes at once.

    `compiler` compiles the workflow's files; the engine calls it when they change.
    """

    def __init__(
        self, settings: Settings, compiler: Compiler, *, clock: Callable[[], datetime.datetime] = _utc_now
    ) -> None:
        self.settings = settings
        self._clock = clock
        self._programs = Programs(settings, compiler)
        self._known: tuple[Program, Offers, Place] | None = None

    # --- flow_check ------------------------------------------------------------------------------

    @_answered
    def check(
        self,
        workflow_state: str | None = None,
        context: dict[str, Any] | None = None,
        project_path: str | None = None,
    ) -> Answer:
        """What can happen next in the project's state, or in the one given."""
        _, offers, place = self._open(project_path)
        values = given.json_object("context", context)
        asked = given.text("workflow_state", workflow_state)
        if asked is None:
            at, previous = self._read_state(offers, place)
        else:
            at, previous = _known_state(offers, asked, None), None
        return {
            "state": at.state_name,
            "previous_state": previous,
            "description": offers.description(at),
            **offers.look(at, values),
            "global_actions": offers.global_actions,
        }

    # --- flow_transition -------------------------------------------------------------------------

    @_answered
    def transition(
        self,
        event: str,
        *,
        context: dict[str, Any] | None = None,
        state_updates: dict[str, Any] | None = None,
        reason: str | None = None,
        project_path: str | None = None,
        expected_state: str | None = None,
    ) -> Answer:
        """Applies an event and logs it: the only way in which the state changes."""
        _, offers, place = self._open(project_path, is_writing=True)
        wish = _Wish(
            event=given.required_text("event", event),
            context=given.json_object("context", context),
            updates=given.json_members("state_updates", state_updates),
            reason=given.text("reason", reason),
            expected=given.text("expected_state", expected_state),
        )
        _require_free(wish.updates, place)
        try:
            entry = self._apply(offers, place, wish)
        except FileNotFoundError:
            _make_folders(offers, place, wish)
            entry = self._apply(offers, place, wish)
        shown = {key: entry[key] for key in ("from", "to", "event", "action", "judgment", "condition", "seq")}
        after = _known_state(offers, entry["to"], entry["from"])
        return {**shown, **offers.look(after, wish.context)}

    def _apply(self, offers: Offers, place: Place, wish: _Wish) -> Entry:
        with open_project(place) as project:
            at = _current(offers, project.text, place)
            row = _fire(offers, at, wish)
            entry = {
                "time": self._clock().isoformat(timespec="milliseconds").replace("+00:00", "Z"),
                "project": place.project,
                "event": wish.event,
                "reason": wish.reason,
                **offers.taken(at, row),
            }
            states = {
                place.state_field: json_text(entry["to"]),
                place.previous_field: json_text(entry["from"]),
            }
            return project.commit(entry, states | wish.updates)

    # --- flow_explain ----------------------------------------------------------------------------

    @_answered
    def explain(
        self,
        from_: str | None = None,
        to: str | None = None,
        context: dict[str, Any] | None = None,
        avoid: list[str] | None = None,
        **more: Any,
    ) -> Answer:
        """The shortest path between two states, or everything reachable; `from` may be given by that name."""
        program, offers, place = self._open(None)
        start = given.text("from", more.pop("from", from_))
        if more:
            raise given.invalid(next(iter(more)), "is no argument of `flow_explain`")
        goal = given.text("to", to)
        values = given.json_object("context", context)
        avoided = given.names("avoid", avoid)
        for state in (start, goal, *avoided):
            if state is not None:
                _known_state(offers, state, None)
        previous = None
        if start is None or (offers.resumes and _is_current(place, start)):
            at, previous = self._read_state(offers, place)
            start = at.state_name
        return program.explain(PathQuestion(start, previous, goal, values, avoided))

    # --- flow_history ----------------------------------------------------------------------------

    @_answered
    def history(
        self,
        *,
        limit: int | None = None,
        event: str | None = None,
        from_state: str | None = None,
        to_state: str | None = None,
        project_path: str | None = None,
        since: str | None = None,
        until: str | None = None,
        summary: bool | None = None,
    ) -> Answer:
        """Entries of the log, newest first, of all projects or of one; with `summary` what they come to."""
        _, _, place = self._open(project_path)
        wanted = Filter(
            event=given.text("event", event),
            from_state=given.text("from_state", from_state),
            to_state=given.text("to_state", to_state),
            project=None if project_path is None else place.project,
            since=given.moment("since", since, is_end=False),
            until=given.moment("until", until, is_end=True),
        )
        most = given.count("limit", limit, DEFAULT_LIMIT)
        reading = read_log(place.log_path)
        found = [entry for entry in reversed(reading.entries) if wanted.admits(entry)]
        answer: Answer = {"entries": found[:most], "total": len(found), "problems": list(reading.problems)}
        if given.flag("summary", summary):
            answer["summary"] = summarize(reading.entries, wanted)
        return answer

    # --- flow_modify -----------------------------------------------------------------------------

    @_answered
    def modify(
        self, operation: str, *, confirm: bool | None = None, token: str | None = None, **arguments: Any
    ) -> Answer:
        """Previews an edit of the base workflow file, or with `confirm` and the preview's token makes it."""
        program, offers, place = self._open(None)
        name = given.required_text("operation", operation)
        is_confirmed = given.flag("confirm", confirm)
        path = self.settings.workflow_target()
        proof = given.text("token", token)
        if not is_confirmed:
            change = program.change(name, arguments)
            self._require_unused(offers, place, change)
            return {"operation": name, "token": change.token, **self._shown(change)}
        if proof is None:
            raise given.invalid("token", "is missing: confirm with the token of a preview")
        with locked(f"{path}.lock"):
            program, offers, place = self._open(None)
            change = program.change(name, arguments)
            if change.token != proof:
                message = "the token is of another change, or a file changed since the preview: preview again"
                raise RefusalError("stale_token", message)
            self._require_unused(offers, place, change)
            replace(path, change.data)
        return {"operation": name, "written": True, **self._shown(change)}

    def _shown(self, change: Change) -> Answer:
        return {
            "file": self.settings.workflow,
            "diff": change.diff,
            "graph": change.graph,
            "warnings": list(change.warnings),
        }

    def _require_unused(self, offers: Offers, place: Place, change: Change) -> None:
        """Refuses to take away a state that a project of this root is in."""
        if not change.leaves:
            return
        projects = {"."} | {entry["project"] for entry in read_log(place.log_path).entries}
        for project in sorted(name for name in projects if isinstance(name, str)):
            there = self._place(offers, None if project == "." else project)
            data = read_bytes(there.state_path)
            found = None if data is None else read_fields(data, there.state_field, there.previous_field)[0]
            state = offers.initial if found is None else found
            if state in change.leaves:
                whose = "the project" if project == "." else f"project `{project}`"
                message = f"{whose} is in state `{state}`: leave it first"
                raise RefusalError("state_in_use", message, state=state, project=project)

    # --- shared ----------------------------------------------------------------------------------

    def _open(self, project_path: object, *, is_writing: bool = False) -> tuple[Program, Offers, Place]:
        """The workflow in force and the files of a project. Raises RefusalError."""
        program = self._programs.current()
        known = self._known
        if known is None or known[0] is not program:
            offers = Offers(program.table)
            known = (program, offers, self._place(offers, None))
            self._known = known
        if project_path is None and not is_writing:
            return known
        project = given.text("project_path", project_path)
        return program, known[1], self._place(known[1], project)

    def _place(self, offers: Offers, project_path: str | None) -> Place:
        return find_place(self.settings, offers.config, project_path)

    def _read_state(self, offers: Offers, place: Place) -> tuple[WorkflowConfiguration, str | None]:
        data = read_bytes(place.state_path)
        if data is None:
            return _known_state(offers, offers.initial, None), None
        state, previous = read_fields(data, place.state_field, place.previous_field)
        return _known_state(offers, state, previous), previous


def _is_current(place: Place, state: str) -> bool:
    """Whether the project is in that state, as far as its state file can be read."""
    try:
        data = read_bytes(place.state_path)
        return data is not None and read_fields(data, place.state_field, place.previous_field)[0] == state
    except (OSError, StateFileError):
        return False


def _known_state(offers: Offers, state: str | None, previous: str | None) -> WorkflowConfiguration:
    at = offers.configuration(offers.initial if state is None else state, previous)
    if at is None:
        message = f"`{state}` is no state of this workflow"
        raise RefusalError("unknown_state", message, state=state, states=list(offers.states))
    return at


def _current(offers: Offers, text: StateText, place: Place) -> WorkflowConfiguration:
    return _known_state(offers, text.field(place.state_field), text.field(place.previous_field))


def _require_free(updates: dict[str, str], place: Place) -> None:
    for field in (place.state_field, place.previous_field):
        if field in updates:
            message = f"`{field}` is the engine's own field: apply an event to change it"
            raise RefusalError("owned_field", message, field=field)


def _make_folders(offers: Offers, place: Place, wish: _Wish) -> None:
    """Makes the folders of state and log, but only for an event that will be taken."""
    _fire(offers, _current(offers, StateText(read_bytes(place.state_path)), place), wish)
    for path in (place.state_path, place.log_path):
        folder = os.path.dirname(path)
        os.makedirs(folder, exist_ok=True)
        flush_folder(os.path.dirname(folder))


def _fire(offers: Offers, at: WorkflowConfiguration, wish: _Wish) -> Row:
    """The row that the event takes. Raises RefusalError with what may be done instead."""
    state, event, context, expected = at.state_name, wish.event, wish.context, wish.expected
    if expected is not None and expected != state:
        message = f"the project is in state `{state}`, not in `{expected}`"
        raise RefusalError("state_conflict", message, state=state, **_moves(offers, at, context))
    own = offers.option(at, event)
    if own is not None and own["target"] is None:
        previous = "nothing" if at.previous < 0 else f"`{offers.states[at.previous]}`"
        message = f"event `{event}` resumes by the previous state, and {previous} has no resumption target"
        raise RefusalError("not_resumable", message, state=state, **_moves(offers, at, context))
    result = step(offers.table, at, event, context)
    if isinstance(result, Fired):
        return result.rows[0]
    if event == AUTO:
        message = f"no trigger of state `{state}` fires in this context"
        raise RefusalError("no_trigger", message, state=state, **_moves(offers, at, context))
    names = ", ".join(f"`{name}`" for name in offers.events(at)) or "none"
    message = f"event `{event}` is not allowed in state `{state}`; valid events: {names}"
    raise RefusalError("event_not_allowed", message, state=state, **_moves(offers, at, context))


def _moves(offers: Offers, at: WorkflowConfiguration, context: dict[str, Any]) -> Answer:
    """The legal next moves, as a refusal tells them."""
    found = offers.look(at, context)
    moves: Answer = {"valid_events": offers.events(at)}
    if "auto_action" in found:
        moves["auto_action"] = found["auto_action"]
    if found["unresolved"]:
        moves["unresolved"] = found["unresolved"]
    return moves
