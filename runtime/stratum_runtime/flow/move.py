"""One event of a run, taken by the core over the stored rows: what it changed is written, or nothing is."""

from __future__ import annotations

from typing import Any

from stratum_runtime.configuration import PENDING, STATE, RunConfiguration
from stratum_runtime.event import Event, Fired, Host, Refused
from stratum_runtime.flow.effects import EFFECTS
from stratum_runtime.flow.failures import Reason, failure
from stratum_runtime.flow.guards import GUARDS
from stratum_runtime.flow.judgment import flow_output
from stratum_runtime.flow.moment import Moment
from stratum_runtime.flow.rows import OUTPUT, Address
from stratum_runtime.flow.stored import store_changes
from stratum_runtime.step import start, step


class RunHost(Host):
    """Answers the core's questions from the run's rows, and carries out its effects on them."""

    def __init__(self, moment: Moment) -> None:
        self._moment = moment

    def holds(self, scope: Address, region: int, guard: str, arguments: tuple[Any, ...]) -> bool:
        """See Host.holds."""
        return GUARDS[guard](self._moment, self._moment.run.place(scope, region), *arguments)

    def perform(self, scope: Address, region: int, effect: str, arguments: tuple[Any, ...]) -> int | None:
        """See Host.perform."""
        carry_out = EFFECTS.get(effect)
        if carry_out is None:
            return None
        return carry_out(self._moment, self._moment.run.place(scope, region), *arguments)


def begin(moment: Moment) -> None:
    """The first macrostep of a run."""
    run = moment.run
    fired = start(run.table, run.configuration(), RunHost(moment))
    if isinstance(fired, Refused):
        raise RuntimeError(f"the table can't be started: {fired.message}")
    _settle(moment, fired)


def take(moment: Moment, event: Event) -> Refused | None:
    """The macrostep of an event; a refusal has changed nothing that is stored."""
    run = moment.run
    fired = step(run.table, run.configuration(), event, RunHost(moment))
    if isinstance(fired, Refused):
        return fired
    _settle(moment, fired)
    return None


def _settle(moment: Moment, fired: Fired) -> None:
    """Stores the new configuration, and how the run and its subflows ended if they did."""
    run, root = moment.run, fired.configuration
    assert isinstance(root, RunConfiguration)
    store_changes(run.rows, fired, run.header)
    for address in fired.changed:
        if len(address) == 3 and not run.place(address[:-1], address[-1]).is_item:
            _end_child(moment, root, address)
    run.header["changed"] = moment.now
    if root.has_ended:
        _end_run(moment, root, fired)


def _end_child(moment: Moment, root: RunConfiguration, address: Address) -> None:
    """Nothing of a subflow that has ended can be worked on."""
    children = root.children.get(address[0])
    if children is not None and root.child(address[0], address[1]).has_ended:
        moment.run.take_out_below(address[0])


def _end_run(moment: Moment, root: RunConfiguration, fired: Fired) -> None:
    run, status = moment.run, root.status
    run.header["status"] = status
    run.header["ready"], run.header["gates"] = [], []
    control = run.place((), root.machine.control)
    if status == "complete":
        run.rows.replace(OUTPUT, {"value": flow_output(run, control)})
    elif status != "cancelled":
        stuck = any(guard[0] == "stuck" for guard in fired.rows[-1].guards)
        reason = stuck_failure(root) if stuck else moment.ends.get(()) or moment.reason
        run.header["failure"] = reason
    moment.events.append({"event": "ended", "status": status, "failure": run.header["failure"]})


def stuck_failure(root: RunConfiguration) -> Reason:
    """Which steps wait, and for what; it takes a look at every step, as it ends the run."""
    waiting = [number for number in range(root.machine.control) if root.cells[number][STATE] == PENDING]
    names = [region.name for region in root.machine.regions]
    words = []
    for number in waiting:
        region = root.machine.regions[number].step
        assert region is not None
        missing = [names[one] for one in region["deps"] if not (root.met >> one) & 1]
        words.append(
            f"`{names[number]}` waits for " + (", ".join(f"`{one}`" for one in missing) or "a route to it")
        )
    return failure("stuck", "nothing can go on: " + "; ".join(words))
