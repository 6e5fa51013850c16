"""One event carried to completion: what fires, what it does, or why it is refused (docs/table-format.md)."""

from __future__ import annotations

from stratum_runtime.condition import holds
from stratum_runtime.configuration import RunConfiguration, WorkflowConfiguration, resting
from stratum_runtime.event import START, Event, Fired, Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from stratum_runtime.configuration import Configuration
    from stratum_runtime.event import Host
    from stratum_runtime.table import Machine, Row, Table


def initial(table: Table, machine: Machine | str | None = None) -> Configuration:
    """The configuration before anything happens; of the entry machine unless one is given.

    A flow then needs `start`. Raises KeyError for a name that no flow has.
    """
    if isinstance(machine, str):
        named = table.machine(machine)
        if named is None:
            raise KeyError(machine)
        machine = named
    machine = machine or table.entry
    if machine.role == "workflow":
        return WorkflowConfiguration(machine, machine.data["initial"])
    return resting(machine)


def step(
    table: Table,
    configuration: Configuration,
    event: str | Event,
    given: Mapping[str, Any] | Host | None = None,
) -> Fired | Refused:
    """Takes an event and runs to completion; a pure function of its arguments and the answers it is given.

    For a workflow the event is a name (`auto` for triggers) and `given` the context; for a run it is
    an `Event` and `given` the host.
    """
    if configuration.__class__ is WorkflowConfiguration:
        machine = configuration.machine
        state = configuration.state
        rows = machine.lookup[0][state].get(event)  # type: ignore[arg-type]
        if rows is not None:
            for row in rows:
                if not row.guards or _workflow_row_holds(table, configuration, row, given or {}):  # type: ignore[arg-type]
                    return Fired(WorkflowConfiguration(machine, row.target, state), row.effects, (row,))
        return _workflow_refusal(configuration, str(event), guarded=rows is not None)
    from stratum_runtime.macrostep import take

    if event.name == START:  # type: ignore[union-attr]
        return Refused("not_accepted", "`start` is not an event for callers")
    return take(table, configuration, event, given)  # type: ignore[arg-type]


def start(table: Table, configuration: RunConfiguration, host: Host | None = None) -> Fired | Refused:
    """The first macrostep of a flow that `initial` gave."""
    from stratum_runtime.macrostep import take

    return take(table, configuration, Event(START, (configuration.machine.control,)), host)


def is_trigger(row: Row) -> bool:
    """Whether a row of a workflow is a trigger: those alone have conditions."""
    return any(guard[0] == "condition" for guard in row.guards)


def accepted_events(configuration: WorkflowConfiguration) -> tuple[str, ...]:
    """The events that have rows in the workflow's state, in table order."""
    return tuple(configuration.machine.lookup[0][configuration.state])


def _workflow_row_holds(
    table: Table, configuration: WorkflowConfiguration, row: Row, context: Mapping[str, Any]
) -> bool:
    first = configuration.machine.lookup[0][configuration.state][row.event][0]
    if is_trigger(row) and not is_trigger(first):
        return False  # the state has an event of its own with the name of the triggers
    for name, argument in row.guards:
        if name == "previous":
            if argument != configuration.previous:
                return False
        elif name == "condition":
            code = table.conditions[argument]["code"]
            if holds(code, context, configuration.machine.data["thresholds"]) is not True:
                return False
        else:
            return False
    return True


def _workflow_refusal(configuration: WorkflowConfiguration, event: str, *, guarded: bool) -> Refused:
    accepted = accepted_events(configuration)
    state = configuration.state_name
    if guarded:
        return Refused("guarded", f"no guard of `{event}` holds in `{state}`", accepted)
    return Refused("not_accepted", f"`{event}` is not accepted in `{state}`", accepted)
