"""Where a project's workflow, state and log are: settings and their precedence (workflow.md section 3)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from stratum_runtime.containment import ContainmentError, Root
from stratum_runtime.workflow.refusals import RefusalError

DEFAULT_WORKFLOW = os.path.join(".forge", "workflow.json")
DEFAULT_STATE_FILE = os.path.join(".forge", "dev-state.json")
DEFAULT_LOG_FILE = os.path.join(".forge", "flow-log.jsonl")
DEFAULT_STATE_FIELD = "workflow_state"
DEFAULT_PREVIOUS_FIELD = "previous_workflow_state"


@dataclass(frozen=True, slots=True)
class Settings:
    """What flags and environment say; None where they are silent and the workflow's `config` decides."""

    root: Root
    workflow: str
    """The workflow file, relative to the root or absolute."""
    state_file: str | None = None
    log_file: str | None = None
    state_field: str | None = None
    fault: str | None = None
    """What is wrong with one of them; every call is refused for it."""

    @property
    def workflow_path(self) -> str:
        """The workflow file's absolute path."""
        return os.path.join(self.root.real, self.workflow)

    def workflow_target(self) -> str:
        """The file that an edit of the workflow writes: links are followed, but out of the root only when a
        flag or the environment chose the path. Raises RefusalError.
        """
        is_free = self.workflow != DEFAULT_WORKFLOW
        return _find(self.root, self.workflow, "the workflow file", is_free=is_free)


@dataclass(frozen=True, slots=True)
class Place:
    """One project's files, all absolute, and the fields that the engine owns."""

    project: str
    """The project's folder relative to the root, with `/`; `.` for the root itself."""
    state_path: str
    log_path: str
    state_field: str
    previous_field: str
    state_shown: str
    """The state file as messages name it: below the root relative to it."""


def read_settings(
    *,
    root: str | os.PathLike[str] | None = None,
    workflow: str | os.PathLike[str] | None = None,
    state_file: str | os.PathLike[str] | None = None,
    log_file: str | os.PathLike[str] | None = None,
    state_field: str | None = None,
    environment: Mapping[str, str] | None = None,
) -> Settings:
    """Arguments first, then `FLOW_*` of the environment, the process's by default; an empty one is unset."""
    given = os.environ if environment is None else environment
    faults: list[str] = []

    def setting(name: str, value: object, *variables: str) -> str | None:
        if value is None:
            value = next((given[variable] for variable in variables if given.get(variable)), None)
        if isinstance(value, os.PathLike):
            value = os.fspath(value)
        fault = None if value is None else _fault(value)
        if fault is not None:
            faults.append(f"the setting `{name}` {fault}")
        return value if fault is None and isinstance(value, str) else None

    return Settings(
        root=Root(setting("root", root, "FLOW_ROOT", "FLOW_PROJECT_PATH") or "."),
        workflow=setting("workflow", workflow, "FLOW_WORKFLOW") or DEFAULT_WORKFLOW,
        state_file=setting("state_file", state_file, "FLOW_STATE_FILE"),
        log_file=setting("log_file", log_file, "FLOW_LOG_FILE"),
        state_field=setting("state_field", state_field, "FLOW_STATE_FIELD"),
        fault=faults[0] if faults else None,
    )


def _fault(value: object) -> str | None:
    """What keeps a value from being a setting."""
    if not isinstance(value, str):
        return "must be text"
    try:
        return "holds a character that no setting can have" if b"\0" in os.fsencode(value) else None
    except UnicodeEncodeError:
        return "holds a character that no setting can have"


def find_place(settings: Settings, config: Mapping[str, str | None], project_path: str | None) -> Place:
    """The files of the root's own project, or of the one at `project_path`.

    What an argument or the workflow's `config` names must stay below the root; flags and environment may
    point anywhere. Raises RefusalError.
    """
    state_field = settings.state_field or config.get("state_field") or DEFAULT_STATE_FIELD
    previous_field = config.get("previous_state_field") or DEFAULT_PREVIOUS_FIELD
    if state_field == previous_field:
        message = f"`{state_field}` can't hold both the state and the previous state"
        raise RefusalError("invalid_argument", message)
    folder, project = settings.root, "."
    if project_path is not None:
        real = _below(settings.root, project_path, "project_path")
        if os.path.lexists(real) and not os.path.isdir(real):
            raise RefusalError("invalid_argument", f"`project_path` `{project_path}` isn't a folder")
        folder = Root(real)
        project = os.path.relpath(real, settings.root.real).replace(os.sep, "/")
    state_file = settings.state_file or config.get("state_file") or DEFAULT_STATE_FILE
    log_file = settings.log_file or config.get("log_file") or DEFAULT_LOG_FILE
    is_state_free = settings.state_file is not None and project_path is None
    state_path = _find(folder, state_file, "the state file", is_free=is_state_free)
    place = Place(
        project=project,
        state_path=state_path,
        log_path=_find(settings.root, log_file, "the log file", is_free=settings.log_file is not None),
        state_field=state_field,
        previous_field=previous_field,
        state_shown=state_path.removeprefix(os.path.join(settings.root.real, "")).replace(os.sep, "/"),
    )
    _require_apart(settings, place, state_file, log_file)
    return place


def _require_apart(settings: Settings, place: Place, state_file: str, log_file: str) -> None:
    """Refuses settings by which one file would be two: what writes the one would destroy the other."""
    workflow = os.path.realpath(settings.workflow_path)
    fragments = os.path.join(os.path.dirname(workflow), "workflow.d", "")
    for what, shown, path in (
        ("state file", state_file, place.state_path),
        ("log file", log_file, place.log_path),
    ):
        if path in (workflow, f"{workflow}.lock"):
            raise RefusalError("invalid_argument", f"the {what} `{shown}` is the workflow file or its lock")
        if path.startswith(fragments):
            message = f"the {what} `{shown}` is in the folder of the workflow's fragments"
            raise RefusalError("invalid_argument", message)
    if place.log_path in (place.state_path, f"{place.state_path}.lock"):
        raise RefusalError("invalid_argument", f"the log file `{log_file}` is the state file or its lock")


def _find(folder: Root, path: str, what: str, *, is_free: bool) -> str:
    """The real place of a file; below the folder, unless a flag or the environment chose it."""
    if is_free:
        return os.path.realpath(os.path.join(folder.real, path))
    return _below(folder, path, what)


def _below(root: Root, path: str, what: str) -> str:
    try:
        return root.contained(path)
    except ContainmentError as error:
        raise RefusalError("outside_root", f"{what} `{path}` is refused: {error}") from None
