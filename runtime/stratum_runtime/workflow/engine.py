"""The five tools of a project's workflow, as methods that return JSON objects (workflow.md section 4)."""

from __future__ import annotations

import datetime
import functools
import os
from collections.abc import Callable, Iterator
from typing import Any, ParamSpec

from stratum_runtime.workflow import arguments as given
from stratum_runtime.workflow.durable import AppliedError, flush_folder, locked, replace
from stratum_runtime.workflow.history import Filter, summarize
from stratum_runtime.workflow.json_values import json_text
from stratum_runtime.workflow.log import Entry, read_log
from stratum_runtime.workflow.offers import Offers
from stratum_runtime.workflow.programs import ANY, Change, Compiler, PathQuestion, Program, Programs
from stratum_runtime.workflow.project import open_project
from stratum_runtime.workflow.refusals import Answer, RefusalError, io_refusal
from stratum_runtime.workflow.settings import Place, Settings, find_place
from stratum_runtime.workflow.standing import current, current_in, known_state, refusing, stored
from stratum_runtime.workflow.wishes import Wish, fire

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
        except AppliedError as error:
            return io_refusal(error, "write", applied=True).answer()
        except OSError as error:
            return io_refusal(error, "read or write").answer()

    return answer


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
            at, previous = current(offers, place)
        else:
            at, previous = known_state(offers, asked, None), None
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
        wish = Wish(
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
        after = known_state(offers, entry["to"], entry["from"])
        return {**shown, **offers.look(after, wish.context)}

    def _apply(self, offers: Offers, place: Place, wish: Wish) -> Entry:
        with refusing(place), open_project(place) as project:
            at = current_in(offers, project.text, place)
            row = fire(offers, at, wish)
            entry = {
                "time": self._clock().isoformat(timespec="milliseconds").replace("+00:00", "Z"),
                "project": place.project,
                "event": wish.event,
                "reason": wish.reason,
                **offers.taken(at, row),
            }
            owned = {
                place.state_field: json_text(entry["to"]),
                place.previous_field: json_text(entry["from"]),
            }
            return project.commit(entry, owned, wish.updates)

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
            raise given.invalid(next(iter(more)), "isn't an argument of `flow_explain`")
        goal = given.text("to", to)
        values = given.json_object("context", context)
        avoided = given.names("avoid", avoid)
        for state in (start, goal, *avoided):
            if state is not None:
                known_state(offers, state, None)
        if start is not None:
            return program.explain(PathQuestion(start, ANY, goal, values, avoided))
        at, previous = current(offers, place)
        return program.explain(PathQuestion(at.state_name, previous, goal, values, avoided))

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
            lost = self._require_unused(offers, place, change)
            return {"operation": name, "token": change.token, **self._shown(change, lost)}
        if proof is None:
            raise given.invalid("token", "is missing: confirm with the token of a preview")
        with locked(f"{path}.lock"):
            program, offers, place = self._open(None)
            change = program.change(name, arguments)
            if change.token != proof:
                message = "the token is of another change, or a file changed since the preview: preview again"
                raise RefusalError("stale_token", message)
            lost = self._require_unused(offers, place, change)
            replace(path, change.data)
        return {"operation": name, "written": True, **self._shown(change, lost)}

    def _shown(self, change: Change, lost: list[Answer]) -> Answer:
        return {
            "file": self.settings.workflow,
            "diff": change.diff,
            "changes_layout": change.changes_layout,
            "graph": change.graph,
            "warnings": [*change.warnings, *lost],
        }

    def _require_unused(self, offers: Offers, place: Place, change: Change) -> list[Answer]:
        """Refuses to take away a state that a project of this root is in; warns of what else is lost."""
        lost: list[Answer] = []
        if not change.leaves:
            return lost
        projects = {"."} | {entry["project"] for entry in read_log(place.log_path).entries}
        for project in sorted(name for name in projects if isinstance(name, str)):
            there = self._place(offers, None if project == "." else project)
            state, previous = stored(there)
            if state in change.leaves:
                whose = "the project" if project == "." else f"project `{project}`"
                message = f"{whose} is in state `{state}`: leave it first"
                raise RefusalError("state_in_use", message, state=state, project=project)
            lost += _lost_resumptions(offers, there, previous, change)
        return lost

    # --- shared ----------------------------------------------------------------------------------

    def _open(self, project_path: object, *, is_writing: bool = False) -> tuple[Program, Offers, Place]:
        """The workflow in force and the files of a project. Raises RefusalError."""
        if self.settings.fault is not None:
            raise RefusalError("invalid_argument", self.settings.fault)
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


def _require_free(updates: dict[str, str], place: Place) -> None:
    for field in (place.state_field, place.previous_field):
        if field in updates:
            message = f"`{field}` is the engine's own field: apply an event to change it"
            raise RefusalError("owned_field", message, field=field)


def _make_folders(offers: Offers, place: Place, wish: Wish) -> None:
    """Makes the folders of state and log, but only for an event that will be taken."""
    fire(offers, current(offers, place)[0], wish)
    for path in (place.state_path, place.log_path):
        folder = os.path.dirname(path)
        os.makedirs(folder, exist_ok=True)
        flush_folder(os.path.dirname(folder))


def _lost_resumptions(offers: Offers, place: Place, previous: str | None, change: Change) -> Iterator[Answer]:
    """A warning when the recorded previous state no longer exists and something would have resumed by it."""
    if previous is None or previous not in change.leaves or previous not in offers.resumptions:
        return
    whose = "the project" if place.project == "." else f"project `{place.project}`"
    message = (
        f"{whose} was in state `{previous}` before: once that is gone, an event that resumes by the previous "
        "state leads nowhere until another event has been applied"
    )
    yield {
        "code": "RESUMPTION_MISSING",
        "severity": "warning",
        "family": "proof",
        "message": message,
        "path": place.previous_field,
        "span": {"file": place.state_shown, "line": 1, "column": 1, "end_line": 1, "end_column": 1},
        "related": [],
        "witness": {"project": place.project, "previous": previous},
        "suggestion": None,
        "suppressed": None,
    }
