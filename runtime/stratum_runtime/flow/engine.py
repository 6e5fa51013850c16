"""The calls of a run engine (tools.md): each is one transaction, each answer a plain JSON object."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from typing import Any

from stratum_runtime.contract import ABSENT, violations
from stratum_runtime.event import Event
from stratum_runtime.flow import arguments as given
from stratum_runtime.flow.answers import (
    Answer,
    RefusedCallError,
    flow_ended,
    next_answer,
    refusal,
    run_state,
    standing_answer,
)
from stratum_runtime.flow.arguments import ArgumentError
from stratum_runtime.flow.audit import audit_answer
from stratum_runtime.flow.checkpoints import commit_run, revert_run
from stratum_runtime.flow.command import Command, Ran, run_command
from stratum_runtime.flow.gates import Decision, resolve
from stratum_runtime.flow.moment import CommandWantedError, Moment
from stratum_runtime.flow.move import begin, take
from stratum_runtime.flow.reports import Report, report
from stratum_runtime.flow.rows import INPUT
from stratum_runtime.flow.run import HEADER, Run, new_header
from stratum_runtime.flow.snapshot import snapshot_of
from stratum_runtime.flow.tables import Tables
from stratum_runtime.store import RunReader, RunStore, RunSummary, RunWriter, StoreError, UnknownRunError
from stratum_runtime.table import Table

_ABSENT: Any = ABSENT


class FlowEngine:
    """Plans and carries on the runs of a store.

    Answers are those of tools.md: a refusal is an answer with `status` "error" that changed nothing, and no
    argument raises. StoreError is raised when the store itself can't be used. `clock` gives seconds since
    1970, `new_token` a text that nobody can guess. With `gates="human"` a gate is resolved only by the
    command line, or by a person whom the host's own prompt asked.
    """

    def __init__(
        self,
        store: RunStore,
        *,
        clock: Callable[[], float] = time.time,
        new_token: Callable[[], str] = lambda: secrets.token_hex(16),
        gates: str = "any",
    ) -> None:
        self._store = store
        self._clock = clock
        self._new_token = new_token
        self._gates = given.check_choice("gates", gates, ("any", "human"))
        self._tables = Tables(store)

    def plan(self, table: Table, *, flow: Any = None, inputs: Any, workspace_root: Any = None) -> Answer:
        """Starts a run of a table's entry flow, or of another flow of it; answers with what is next."""
        try:
            if not isinstance(table, Table) or table.kind != "spec":
                raise ArgumentError("table", "must be the table of a spec")
            name = given.check_optional_text("flow", flow)
            machine = table.entry if name is None else table.machine(name)
            if machine is None:
                raise ArgumentError("flow", f"names no flow of this spec: `{name}`")
            given.check_json("inputs", inputs)
            workspace = given.check_folder("workspace_root", workspace_root)
        except ArgumentError as fault:
            return refusal("invalid_argument", str(fault), argument=fault.name)
        found = violations(table.contracts, machine.data["input"], inputs)
        if found:
            return refusal(
                "invalid_input",
                f"the inputs break the contract of flow `{machine.name}` at {len(found)} "
                f"{'place' if len(found) == 1 else 'places'}",
                violations=[one.to_dict() for one in found],
            )
        prepared = self._tables.keep(table)
        flow_id = self._new_token()
        header = new_header(table, machine, flow_id, workspace, self._clock())

        def start(writer: RunWriter, now: float, commands: dict[Command, Ran]) -> Answer:
            if writer.header():
                raise RefusedCallError(refusal("invalid_argument", f"there is a run `{flow_id}` already"))
            run = Run(prepared, dict(header, spent={}, ready=[], gates=[], working=[]), writer)
            run.rows.replace(INPUT, {"input": inputs})
            moment = Moment(run, writer, now, self._new_token, commands)
            begin(moment)
            moment.call = {"call": "plan", "flow": machine.name, "inputs": inputs}
            self._save(writer, moment)
            return next_answer(run)

        return self._repeat(flow_id, start, create=True)

    def step_done(
        self,
        flow_id: Any,
        step_id: Any,
        *,
        result: Any = _ABSENT,
        failure: Any = None,
        dispatch_token: Any = None,
        usage: Any = None,
    ) -> Answer:
        """Takes the report on a dispatch. Leaving `result` out differs from a `result` of null."""

        def check() -> Report:
            given.check_text("step_id", step_id)
            if failure is not None:
                given.check_text("failure", failure, empty=False)
                if result is not ABSENT:
                    raise ArgumentError("failure", "can't come along with a result")
            elif result is not ABSENT:
                given.check_json("result", result)
            given.check_json("usage", usage, any_integer=True)
            token = given.check_optional_text("dispatch_token", dispatch_token)
            return Report(step_id, result, failure, token, usage)

        return self._change(flow_id, check, report)

    def resolve_gate(
        self,
        flow_id: Any,
        step_id: Any,
        outcome: Any,
        *,
        rationale: Any = "",
        resolved_by: Any = "human",
        gate_token: Any = None,
        channel: Any = "api",
        proposed: Any = None,
    ) -> Answer:
        """Approves, revises or kills at a gate that waits; `channel` says which way the decision came.

        `proposed` is what an agent proposed to the person who decided: an object that is recorded beside it.
        """

        def check() -> Decision:
            return Decision(
                given.check_text("step_id", step_id),
                given.check_choice("outcome", outcome, given.OUTCOMES),
                given.check_text("rationale", rationale),
                given.check_choice("resolved_by", resolved_by, given.RESOLVERS),
                given.check_text("channel", channel, limit=100),
                given.check_optional_text("gate_token", gate_token),
                self._gates == "human",
                given.check_optional_object("proposed", proposed),
            )

        return self._change(flow_id, check, resolve)

    def commit(self, flow_id: Any, label: Any) -> Answer:
        """Keeps a checkpoint of the run's state, without its spending and its audit trail."""
        return self._change(
            flow_id, lambda: given.check_text("label", label, limit=1000), commit_run, ended=True
        )

    def revert(self, flow_id: Any, label: Any) -> Answer:
        """Puts a checkpoint's state back, with fresh tokens."""
        return self._change(
            flow_id, lambda: given.check_text("label", label, limit=1000), revert_run, ended=True
        )

    def cancel(self, flow_id: Any, reason: Any = None) -> Answer:
        """Ends a run that is in progress; its tokens are no longer accepted."""
        return self._change(flow_id, lambda: given.check_optional_text("reason", reason), _cancel, ended=True)

    def resume(self, flow_id: Any) -> Answer:
        """What is next in a run; no new tokens are issued."""
        return self._look(flow_id, _resumed)

    def audit(self, flow_id: Any) -> Answer:
        """Everything that happened in a run."""
        return self._look(flow_id, audit_answer)

    def snapshot(self, flow_id: Any) -> Answer:
        """The run's state: all its steps, and the tokens of what is ready or waits."""
        return self._look(flow_id, snapshot_of)

    def flows(self, status: Any = None, limit: Any = None) -> Answer:
        """The runs there are, the last changed first."""
        try:
            wanted = None if status is None else given.check_choice("status", status, given.STATUSES)
            most = given.check_limit("limit", limit)
        except ArgumentError as fault:
            return refusal("invalid_argument", str(fault), argument=fault.name)
        return {
            "status": "ok",
            "flows": [_flow_line(one) for one in self._store.runs(status=wanted, limit=most)],
        }

    # --- transactions ---

    def _change(
        self,
        flow_id: Any,
        check: Callable[[], Any],
        work: Callable[[Moment, Any], Callable[[], Answer]],
        *,
        ended: bool = False,
    ) -> Answer:
        """A call that changes a run; `work` gives what makes the answer once everything is written."""
        try:
            given.check_text("flow_id", flow_id)
            checked = check()
        except ArgumentError as fault:
            standing = self._look(flow_id, run_state) if fault.name != "flow_id" else {}
            return refusal("invalid_argument", str(fault), argument=fault.name, **_known(standing))

        def attempt(writer: RunWriter, now: float, commands: dict[Command, Ran]) -> Answer:
            run = self._stored(writer)
            if run.status == "cancelled" or (run.status != "in_progress" and not ended):
                raise RefusedCallError(flow_ended(run))
            moment = Moment(run, writer, now, self._new_token, commands)
            answer = work(moment, checked)
            self._save(writer, moment)
            return answer()

        return self._repeat(flow_id, attempt)

    def _repeat(
        self,
        flow_id: str,
        attempt: Callable[[RunWriter, float, dict[Command, Ran]], Answer],
        *,
        create: bool = False,
    ) -> Answer:
        """Runs a transaction; when it wants a command run, undoes it, runs the command, and does it again.

        The call is of the time at which it came, however long its commands took.
        """
        now: float | None = None
        commands: dict[Command, Ran] = {}
        while True:
            try:
                with self._store.write(flow_id, create=create) as writer:
                    now = self._clock() if now is None else now
                    return attempt(writer, now, commands)
            except CommandWantedError as wanted:
                began = self._clock()
                outcome = run_command(wanted.command)
                commands[wanted.command] = Ran(outcome, began, self._clock())
            except RefusedCallError as refused:
                return refused.answer
            except UnknownRunError:
                return _unknown(flow_id)

    def _look(self, flow_id: Any, look: Callable[[Run], Answer]) -> Answer:
        try:
            given.check_text("flow_id", flow_id)
        except ArgumentError as fault:
            return refusal("invalid_argument", str(fault), argument=fault.name)
        try:
            with self._store.read(flow_id) as reader:
                return look(self._stored(reader))
        except UnknownRunError:
            return _unknown(flow_id)

    def _stored(self, reader: RunReader) -> Run:
        """The run as it stands. Raises StoreError when it lacks what every run has."""
        header = reader.header()
        missing = [name for name in HEADER if name not in header]
        if missing:
            raise StoreError(f"the run store is damaged: a run has no `{missing[0]}`")
        return Run(self._tables.of(header["digest"]), header, reader)

    def _save(self, writer: RunWriter, moment: Moment) -> None:
        """Writes rows, trail, header and the line in the list of runs."""
        run, header = moment.run, moment.run.header
        header["changed"] = moment.now
        run.rows.save(writer)
        writer.append({"at": moment.now, **moment.call, "events": moment.events})
        gates = tuple(place.id for place in run.gates())
        writer.put_header(
            header,
            RunSummary(
                run.flow_id,
                run.machine.name,
                run.status,
                run.completed(),
                run.machine.control,
                gates,
                header["created"],
                header["changed"],
            ),
        )


def _cancel(moment: Moment, reason: str | None) -> Callable[[], Answer]:
    run = moment.run
    if run.status != "in_progress":
        raise RefusedCallError(flow_ended(run))
    moment.call = {"call": "cancel", "reason": reason}
    take(moment, Event("cancel", (run.machine.control,)))
    return lambda: next_answer(run)


def _resumed(run: Run) -> Answer:
    if run.status == "cancelled":
        return flow_ended(run)
    return standing_answer(run)


def _unknown(flow_id: str) -> Answer:
    return refusal("unknown_flow", f"there is no run `{flow_id}`", flow_id=flow_id)


def _known(standing: Answer) -> Answer:
    """The state of a run, when there is such a run."""
    return standing if "run_status" in standing else {}


def _flow_line(run: RunSummary) -> Answer:
    return {
        "flow_id": run.flow_id,
        "flow": run.flow,
        "status": run.status,
        "steps_completed": run.ended_steps,
        "total_steps": run.total_steps,
        "waiting_gates": list(run.waiting_gates),
        "created": run.created,
        "last_change": run.changed,
    }
