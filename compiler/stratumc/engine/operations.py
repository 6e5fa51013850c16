"""The operations of `flow_modify`: each edits the base file's JSON values, or refuses."""

from __future__ import annotations

from dataclasses import dataclass

from stratum_runtime.workflow import RefusalError
from stratumc.engine.edits import (
    BaseFile,
    Json,
    Operation,
    absent,
    bad,
    owned,
    set_given,
    taken,
    unfit,
    written,
)

# --- states --------------------------------------------------------------------------------------


def _add_state(base: BaseFile, given: Json) -> None:
    name = given["state"]
    existing = base.workflow.states.get(name)
    if existing is not None:
        raise taken(f"state `{name}`", existing.owner)
    entry = {} if given.get("description") is None else {"description": given["description"]}
    base.member("states", {})[name] = entry


def _change_state(base: BaseFile, given: Json) -> None:
    entry = _defined_state(base, given["state"])
    if given["description"] is None:
        entry.pop("description", None)
    else:
        entry["description"] = given["description"]


def _defined_state(base: BaseFile, name: str) -> Json:
    """The base file's entry of a state that it defines."""
    state = base.state(name)
    if state.owner is not None:
        raise owned(f"state `{name}`", state.owner)
    return base.own_state(name)


def _remove_state(base: BaseFile, given: Json) -> None:
    _defined_state(base, given["state"])
    del base.document["states"][given["state"]]


def _rename_state(base: BaseFile, given: Json) -> None:
    old, new = given["state"], given["new_name"]
    _defined_state(base, old)
    if new in base.workflow.states:
        raise taken(f"state `{new}`", None)
    for fragment, value in base.fragments():
        if _Mentions(old, old).rename(value):
            message = f"the fragment `{fragment}` refers to state `{old}`: rename it there first"
            raise RefusalError("owned_by_fragment", message, fragment=fragment)
    _Mentions(old, new).rename(base.document)


class _Mentions:
    """Every place where a piece names a state."""

    def __init__(self, old: str, new: str) -> None:
        self._old = old
        self._new = new
        self._count = 0

    def rename(self, piece: Json) -> int:
        """Renames the state in a piece and counts the places."""
        self._value(piece, "initial_state")
        for state in self._keys(piece, "states").values():
            for entry in (*state.get("transitions", ()), *state.get("triggers", ())):
                self._value(entry, "target")
        for entry in piece.get("global_transitions", ()):
            self._value(entry, "target")
            excepted = entry.get("except", [])
            self._count += excepted.count(self._old)
            excepted[:] = [self._new if name == self._old else name for name in excepted]
        resumptions = self._keys(piece, "resumption_targets")
        for name in resumptions:
            self._value(resumptions, name)
        return self._count

    def _value(self, entry: Json, key: str) -> None:
        if entry.get(key) == self._old and isinstance(entry.get(key), str):
            entry[key] = self._new
            self._count += 1

    def _keys(self, piece: Json, key: str) -> Json:
        found: Json = piece.get(key, {})
        if self._old in found:
            renamed = {self._new if name == self._old else name: value for name, value in found.items()}
            found.clear()
            found.update(renamed)
            self._count += 1
        return found


# --- transitions and triggers --------------------------------------------------------------------


def _transition(given: Json, more: tuple[str, ...] = ()) -> Json:
    entry: Json = {"event": given["event"], "target": given["target"], "action": given.get("action")}
    return entry | {name: written(name, given[name]) for name in ("judgment", *more) if name in given}


def _own_transition(base: BaseFile, state: str, event: str) -> tuple[list[Json], Json]:
    """The base file's list of a state's transitions and its entry for an event."""
    found = next((one for one in base.state(state).transitions if one.event == event), None)
    if found is None:
        raise unfit(f"state `{state}` has no event `{event}` of its own")
    if found.owner is not None:
        raise owned(f"event `{event}` of state `{state}`", found.owner)
    entries: list[Json] = base.own_state(state)["transitions"]
    return entries, next(entry for entry in entries if entry["event"] == event)


def _add_transition(base: BaseFile, given: Json) -> None:
    state, event = given["state"], given["event"]
    existing = next((one for one in base.state(state).transitions if one.event == event), None)
    if existing is not None:
        raise taken(f"event `{event}` of state `{state}`", existing.owner)
    base.own_state(state).setdefault("transitions", []).append(_transition(given))


def _change_transition(base: BaseFile, given: Json) -> None:
    _, entry = _own_transition(base, given["state"], given["event"])
    set_given(entry, given, ("target", "action", "judgment"))


def _remove_transition(base: BaseFile, given: Json) -> None:
    entries, entry = _own_transition(base, given["state"], given["event"])
    entries.remove(entry)


def _own_trigger(base: BaseFile, given: Json) -> tuple[list[Json], int]:
    """The base file's list of a state's triggers and a valid index of it; the base's triggers come first."""
    state, index = given["state"], given["index"]
    triggers = base.state(state).triggers
    if index >= len(triggers):
        raise unfit(f"state `{state}` has {len(triggers)} triggers, none with index {index}")
    if triggers[index].owner is not None:
        raise owned(f"trigger {index} of state `{state}`", triggers[index].owner)
    return base.own_state(state)["triggers"], index


def _add_trigger(base: BaseFile, given: Json) -> None:
    entries = base.own_state(given["state"]).setdefault("triggers", [])
    index = given.get("index", len(entries))
    if index > len(entries):
        raise unfit(
            f"state `{given['state']}` has {len(entries)} triggers in the base file: no place {index}"
        )
    names = ("condition", "target", "action")
    entries.insert(index, {name: given.get(name) for name in names})


def _change_trigger(base: BaseFile, given: Json) -> None:
    entries, index = _own_trigger(base, given)
    set_given(entries[index], given, ("condition", "target", "action"))


def _remove_trigger(base: BaseFile, given: Json) -> None:
    entries, index = _own_trigger(base, given)
    del entries[index]


# --- what belongs to the whole workflow ----------------------------------------------------------


def _own_global(base: BaseFile, event: str) -> tuple[list[Json], Json]:
    every = (item.transition for item in base.workflow.global_transitions)
    found = next((one for one in every if one.event == event), None)
    if found is None:
        raise unfit(f"there is no global event `{event}`")
    if found.owner is not None:
        raise owned(f"global event `{event}`", found.owner)
    entries: list[Json] = base.document["global_transitions"]
    return entries, next(entry for entry in entries if entry["event"] == event)


def _add_global(base: BaseFile, given: Json) -> None:
    event = given["event"]
    every = (item.transition for item in base.workflow.global_transitions)
    existing = next((one for one in every if one.event == event), None)
    if existing is not None:
        raise taken(f"global event `{event}`", existing.owner)
    base.member("global_transitions", []).append(_transition(given, ("except",)))


def _change_global(base: BaseFile, given: Json) -> None:
    _, entry = _own_global(base, given["event"])
    set_given(entry, given, ("target", "action", "judgment", "except"))


def _remove_global(base: BaseFile, given: Json) -> None:
    entries, entry = _own_global(base, given["event"])
    entries.remove(entry)


@dataclass(frozen=True, slots=True)
class _Keyed:
    """A top-level mapping from names to single values: thresholds, resumption targets."""

    key: str
    what: str
    name: str
    value: str

    def _owner(self, base: BaseFile, name: str) -> str | None:
        found = base.workflow.thresholds if self.key == "thresholds" else base.workflow.resumption_targets
        return found[name].owner if name in found else None

    def _require_own(self, base: BaseFile, name: str) -> Json:
        entries: Json = base.document.get(self.key, {})
        if name not in entries:
            raise absent(f"{self.what} `{name}`", self._owner(base, name))
        return entries

    def add(self, base: BaseFile, given: Json) -> None:
        """Adds one that is not there."""
        name = given[self.name]
        owner = self._owner(base, name)
        if owner is not None or name in base.document.get(self.key, {}):
            raise taken(f"{self.what} `{name}`", owner)
        base.member(self.key, {})[name] = written(self.value, given[self.value])

    def change(self, base: BaseFile, given: Json) -> None:
        """Changes the value of one."""
        self._require_own(base, given[self.name])[given[self.name]] = written(self.value, given[self.value])

    def remove(self, base: BaseFile, given: Json) -> None:
        """Removes one."""
        del self._require_own(base, given[self.name])[given[self.name]]


def _add_action(base: BaseFile, given: Json) -> None:
    action = _required_action(given)
    if action in base.workflow.global_actions:
        fragment = None if action in base.document.get("global_actions", ()) else _giver(base, action)
        raise taken(f"global action `{action}`", fragment)
    base.member("global_actions", []).append(action)


def _remove_action(base: BaseFile, given: Json) -> None:
    action = _required_action(given)
    entries = base.document.get("global_actions", [])
    if action in entries:
        entries[:] = [entry for entry in entries if entry != action]
        return
    raise absent(f"global action `{action}`", _giver(base, action))


def _giver(base: BaseFile, action: str) -> str | None:
    """The fragment that gives a global action."""
    given = (fragment for fragment, value in base.fragments() if action in value.get("global_actions", ()))
    return next(given, None)


def _required_action(given: Json) -> str:
    action = given["action"]
    if not isinstance(action, str):
        raise bad("action", "must be text")
    return action


_THRESHOLD = _Keyed("thresholds", "threshold", "name", "value")
_RESUMPTION = _Keyed("resumption_targets", "resumption target", "state", "target")

OPERATIONS: dict[str, Operation] = {
    "add_state": Operation(("state",), ("description",), _add_state, names=("state",)),
    "change_state": Operation(("state", "description"), (), _change_state),
    "remove_state": Operation(("state",), (), _remove_state),
    "rename_state": Operation(("state", "new_name"), (), _rename_state, names=("new_name",)),
    "add_transition": Operation(("state", "event", "target"), ("action", "judgment"), _add_transition),
    "change_transition": Operation(("state", "event"), ("target", "action", "judgment"), _change_transition),
    "remove_transition": Operation(("state", "event"), (), _remove_transition),
    "add_trigger": Operation(("state", "condition", "target"), ("action", "index"), _add_trigger),
    "change_trigger": Operation(("state", "index"), ("condition", "target", "action"), _change_trigger),
    "remove_trigger": Operation(("state", "index"), (), _remove_trigger),
    "add_global_transition": Operation(("event", "target"), ("action", "judgment", "except"), _add_global),
    "change_global_transition": Operation(
        ("event",), ("target", "action", "judgment", "except"), _change_global
    ),
    "remove_global_transition": Operation(("event",), (), _remove_global),
    "add_threshold": Operation(("name", "value"), (), _THRESHOLD.add, names=("name",)),
    "change_threshold": Operation(("name", "value"), (), _THRESHOLD.change),
    "remove_threshold": Operation(("name",), (), _THRESHOLD.remove),
    "add_resumption_target": Operation(("state", "target"), (), _RESUMPTION.add),
    "change_resumption_target": Operation(("state", "target"), (), _RESUMPTION.change),
    "remove_resumption_target": Operation(("state",), (), _RESUMPTION.remove),
    "add_global_action": Operation(("action",), (), _add_action),
    "remove_global_action": Operation(("action",), (), _remove_action),
}
"""Every operation by its name, in the order in which refusals list them."""
