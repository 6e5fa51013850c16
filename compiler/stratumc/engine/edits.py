"""What an operation of `flow_modify` is: its arguments, and the base file that it edits."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from stratum_runtime.workflow import RefusalError
from stratumc.engine.json_document import NumberText
from stratumc.workflow import WorkflowSources
from stratumc.workflow.syntax import State, Workflow

Json = dict[str, Any]


class BaseFile:
    """The base file under edit, with the merged workflow to tell what is whose."""

    def __init__(self, document: Json, workflow: Workflow, files: WorkflowSources) -> None:
        self.document = document
        self.workflow = workflow
        self._files = files.files

    def member(self, key: str, empty: Json | list[Any]) -> Any:
        """The value of a top-level key, put there when it is missing."""
        return self.document.setdefault(key, empty)

    def state(self, name: str) -> State:
        """A state of the merged workflow. Raises RefusalError when there is none."""
        state = self.workflow.states.get(name)
        if state is None:
            raise RefusalError("unknown_state", f"`{name}` isn't a state of this workflow", state=name)
        return state

    def own_state(self, name: str) -> Json:
        """The base file's entry of a state. Raises RefusalError for a state that a fragment defines alone."""
        state = self.state(name)
        entry = self.document.get("states", {}).get(name)
        if entry is None:
            raise owned(f"state `{name}`", state.owner)
        found: Json = entry
        return found

    def fragments(self) -> Iterable[tuple[str, Json]]:
        """Every fragment's name and value."""
        for file in self._files:
            if file.fragment and file.data is not None:
                value = json.loads(file.data.decode("utf-8-sig"))
                yield value.get("name") or file.path.rpartition("/")[2], value


def owned(what: str, fragment: str | None) -> RefusalError:
    """The refusal to touch what a fragment gave."""
    message = f"{what} is owned by the fragment `{fragment}`: change it there"
    return RefusalError("owned_by_fragment", message, fragment=fragment)


def taken(what: str, owner: str | None) -> RefusalError:
    """The refusal to add what is there already, in the base file (no owner) or in a fragment."""
    return owned(what, owner) if owner else unfit(f"{what} is there already")


def absent(what: str, owner: str | None) -> RefusalError:
    """The refusal to touch what the base file lacks; a fragment may have it."""
    return owned(what, owner) if owner else unfit(f"there is no {what}")


def unfit(message: str) -> RefusalError:
    """The refusal of a change that makes no sense of the file as it is."""
    return RefusalError("change_invalid", message)


# --- arguments -----------------------------------------------------------------------------------


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_text_or_null(value: object) -> bool:
    return value is None or isinstance(value, str)


def _is_number(value: object) -> bool:
    if isinstance(value, NumberText):
        return abs(float(value)) <= sys.float_info.max
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) <= sys.float_info.max


def _is_index(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_texts(value: object) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(item, str) for item in value)


_KINDS: dict[str, tuple[Callable[[object], bool], str]] = {
    "state": (_is_text, "text"),
    "new_name": (_is_text, "text"),
    "description": (_is_text_or_null, "text or null"),
    "event": (_is_text, "text"),
    "target": (_is_text_or_null, "text or null"),
    "action": (_is_text_or_null, "text or null"),
    "judgment": (lambda value: isinstance(value, bool), "true or false"),
    "index": (_is_index, "a whole number from 0"),
    "condition": (_is_text, "text"),
    "except": (_is_texts, "a list of text"),
    "name": (_is_text, "text"),
    "value": (_is_number, "a number"),
}


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation: what it must be given, what it may be given, and what it does."""

    needs: tuple[str, ...]
    takes: tuple[str, ...]
    edit: Callable[[BaseFile, Json], None]
    names: tuple[str, ...] = ()
    """Arguments that give something a name, which must not be empty."""

    def apply(self, base: BaseFile, arguments: Json) -> None:
        """Checks the arguments and edits the base file's values. Raises RefusalError."""
        for name, value in arguments.items():
            if name not in self.needs and name not in self.takes:
                known = ", ".join(f"`{known}`" for known in (*self.needs, *self.takes))
                raise bad(name, f"isn't an argument of this operation; it takes {known}")
            is_fit, means = _KINDS[name]
            if not is_fit(value):
                raise bad(name, f"must be {means}")
        for name in self.needs:
            if name not in arguments:
                raise bad(name, "is missing")
        for name in self.names:
            if arguments[name] == "":
                raise bad(name, "must not be empty")
        self.edit(base, arguments)


def bad(name: str, what: str) -> RefusalError:
    """The refusal of an argument."""
    return RefusalError("invalid_argument", f"`{name}` {what}", argument=name)


def written(name: str, value: Any) -> Any:
    """An argument's value as the file holds it."""
    if name == "value":
        return value if isinstance(value, NumberText) else NumberText(json.dumps(value))
    return list(value) if isinstance(value, tuple) else value


def set_given(entry: Json, arguments: Json, names: tuple[str, ...]) -> None:
    """Puts those of the named arguments that were given into an entry; one at least must be."""
    if not any(name in arguments for name in names):
        raise bad(names[0], f"or another of {', '.join(names)} must say what to change")
    for name in names:
        if name in arguments:
            entry[name] = written(name, arguments[name])
