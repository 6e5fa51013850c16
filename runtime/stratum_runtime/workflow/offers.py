"""What the table offers in a state: the trigger that fires, or the events that may be applied."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from stratum_runtime.condition import Unresolved, holds, operand
from stratum_runtime.configuration import WorkflowConfiguration
from stratum_runtime.table import Row, Table

Option = dict[str, Any]
Answer = dict[str, Any]

AUTO = "auto"


class Offers:
    """Look-ups in the table of one workflow."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._machine = table.entry
        self._names = self._machine.regions[0].names
        self._data = self._machine.data
        self._fixed: dict[int, list[Option]] = {}
        """By state, the options where none depends on the state before."""

    @property
    def states(self) -> tuple[str, ...]:
        """The workflow's states in their order."""
        return self._names

    @property
    def initial(self) -> str:
        """The state of a project that has none yet."""
        number: int = self._data["initial"]
        return self._names[number]

    @property
    def resumes(self) -> bool:
        """Whether the way on can depend on the state before."""
        return bool(self._data["resumption"])

    @property
    def resumptions(self) -> frozenset[str]:
        """Previous states by which something can be resumed."""
        return frozenset(self._names[previous] for previous, _ in self._data["resumption"])

    @property
    def config(self) -> Mapping[str, str | None]:
        """The workflow's own settings."""
        config: Mapping[str, str | None] = self._data["config"]
        return config

    @property
    def global_actions(self) -> list[str]:
        """Commands that may be run in every state."""
        return list(self._data["global_actions"])

    def configuration(self, state: str, previous: str | None) -> WorkflowConfiguration | None:
        """The state by name, with the one before it; None when there is no such state."""
        number = self._machine.states.get(state)
        if number is None:
            return None
        before = -1 if previous is None else self._machine.states.get(previous, -1)
        return WorkflowConfiguration(self._machine, number, before)

    def description(self, at: WorkflowConfiguration) -> str | None:
        """What being in the state means."""
        found: str | None = self._data["descriptions"][at.state]
        return found

    def option(self, at: WorkflowConfiguration, event: str) -> Option | None:
        """One event as `options` lists it; None when it may not be applied."""
        rows = [row for row in self._machine.lookup[0][at.state].get(event, ()) if not _is_trigger(row)]
        return self._option(event, rows, at.previous) if rows else None

    def options(self, at: WorkflowConfiguration) -> list[Option]:
        """Every event that may be applied, with a null target looked up; null where that leads nowhere."""
        fixed = self._fixed.get(at.state)
        if fixed is None:
            fixed = self._options(at)
            if not self.resumes:
                self._fixed[at.state] = fixed
        return [option.copy() for option in fixed]

    def _options(self, at: WorkflowConfiguration) -> list[Option]:
        options = []
        for event, rows in self._machine.lookup[0][at.state].items():
            own = [row for row in rows if not _is_trigger(row)] if event == AUTO else rows
            if own:
                options.append(self._option(event, own, at.previous))
        return options

    def _option(self, event: str, rows: Any, previous: int) -> Option:
        row = next((row for row in rows if _leads_from(row, previous)), None)
        return {
            "event": event,
            "target": None if row is None else self._names[row.target],
            **effects_of(row or rows[0]),
            "source": rows[0].origin[2],
        }

    def events(self, at: WorkflowConfiguration) -> list[str]:
        """The names of the events that may be applied and lead somewhere."""
        return [option["event"] for option in self.options(at) if option["target"] is not None]

    def triggers(self, at: WorkflowConfiguration) -> list[Row]:
        """The state's triggers in the order in which they are tried."""
        return [row for row in self._machine.lookup[0][at.state].get(AUTO, ()) if _is_trigger(row)]

    def look(self, at: WorkflowConfiguration, context: Mapping[str, Any]) -> dict[str, Any]:
        """`auto_action`, or else `options`; and `unresolved`, conditions met that couldn't be decided."""
        unresolved: list[Answer] = []
        thresholds = self._data["thresholds"]
        for row in self.triggers(at):
            condition = self._condition(row)
            verdict = holds(condition["code"], context, thresholds)
            if verdict is True:
                return {"auto_action": self.auto_action(row, context), "unresolved": unresolved}
            if isinstance(verdict, Unresolved):
                unresolved.append({"condition": condition["text"], "reason": verdict.reason})
        return {"options": self.options(at), "unresolved": unresolved}

    def first_trigger(self, at: WorkflowConfiguration, context: Mapping[str, Any]) -> int | None:
        """Which of the state's triggers fires, by its place among them."""
        for index, row in enumerate(self.triggers(at)):
            if holds(self._condition(row)["code"], context, self._data["thresholds"]) is True:
                return index
        return None

    def taken(self, at: WorkflowConfiguration, row: Row) -> Answer:
        """What the log keeps of a row that was taken."""
        return {
            "from": at.state_name,
            "to": self._names[row.target],
            **effects_of(row),
            "condition": self._condition(row)["text"] if _is_trigger(row) else None,
            "digest": self.table.digest,
        }

    def _condition(self, row: Row) -> Answer:
        index = next(argument for name, argument in row.guards if name == "condition")
        found: Answer = self.table.conditions[index]
        return found

    def auto_action(self, row: Row, context: Mapping[str, Any]) -> dict[str, Any]:
        """A trigger that fires, with the values that made it true."""
        condition = self._condition(row)
        return {
            "condition": condition["text"],
            "target": self._names[row.target],
            "action": effects_of(row)["action"],
            "values": dict(self._values(condition["code"], context)),
        }

    def _values(self, code: Any, context: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        for side in () if code == "always" else (code[0], code[2]):
            kind, name = side
            if kind != "number":
                path = ".".join(name) if kind == "path" else f"thresholds.{name}"
                yield path, operand(side, context, self._data["thresholds"])


def _is_trigger(row: Row) -> bool:
    """Whether a row of `auto` is a trigger, and no event that the user called so."""
    return any(name == "condition" for name, _ in row.guards)


def _leads_from(row: Row, previous: int) -> bool:
    return all(name != "previous" or argument == previous for name, argument in row.guards)


def effects_of(row: Row) -> dict[str, Any]:
    """The action of a row and whether it is a judgment."""
    action, judgment = None, False
    for effect in row.effects:
        if effect[0] == "action":
            action = effect[1]
        elif effect[0] == "judgment":
            judgment = True
    return {"action": action, "judgment": judgment}
