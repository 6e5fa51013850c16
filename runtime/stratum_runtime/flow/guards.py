"""The guards that need outputs, ledgers, files or commands (docs/table-format.md, *given*)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from stratum_runtime.contract import ABSENT, violations
from stratum_runtime.expression import Value
from stratum_runtime.flow.command import Command, CommandFailure
from stratum_runtime.flow.failures import (
    Reason,
    budget_failure,
    contract_failure,
    failure,
    outcome_text,
)
from stratum_runtime.flow.judgment import judge_output, output_failure
from stratum_runtime.flow.moment import CommandWantedError, Moment
from stratum_runtime.flow.places import Place
from stratum_runtime.jsontext import json_text
from stratum_runtime.template import Unavailable, build, render


def _when(moment: Moment, place: Place, expression: int) -> bool:
    outcome = moment.run.value(expression, place)
    return isinstance(outcome, Value) and outcome.value is True


def _renders(moment: Moment, place: Place, template: int) -> bool:
    found = render(moment.run.table.templates[template], moment.run.lookup(place))
    if isinstance(found, str):
        moment.found[place.key] = found
        return True
    moment.reason = (
        _unavailable("the task", found)
        if isinstance(found, Unavailable)
        else failure("render", "the task is one reference whose value isn't text")
    )
    return False


def _unavailable(what: str, found: Unavailable) -> Reason:
    return failure("render", f"{what} can't be rendered: a reference in `{found.reference}` has no value")


def _refusals(moment: Moment, place: Place, more: int, only: str | None) -> Reason | None:
    """The first ledger that is above its budget, counting so many more dispatches."""
    for scope, ledger, budget in moment.run.ledgers(place):
        if only in (None, scope) and budget is not None:
            for key, limit in budget.items():
                spent = ledger.get(key, 0) + (more if key == "dispatches" else 0)
                if limit is not None and spent > limit:
                    return budget_failure(scope, ledger, dict(budget))
    return None


def _affords(moment: Moment, place: Place) -> bool:
    found = _refusals(moment, place, 1, None)
    moment.reason = found or moment.reason
    return found is None


def _refused(moment: Moment, place: Place, scope: str) -> bool:
    found = _refusals(moment, place, 1, scope)
    moment.reason = found or moment.reason
    return found is not None


def _over(moment: Moment, place: Place, scope: str) -> bool:
    found = _refusals(moment, place, 0, scope) if moment.booked else None
    if found is not None:
        moment.fault = found
    return found is not None


def _computes(moment: Moment, place: Place) -> bool:
    evaluated = place.step["construct"] == "evaluate"
    output, reason = _evaluated(moment, place) if evaluated else _set(moment, place)
    reason = reason or judge_output(moment.run, place, place.step, output)
    if reason is not None:
        moment.reason = {**reason, "kind": "evaluate"} if evaluated else reason
        return False
    moment.found[place.key] = output
    return True


def _set(moment: Moment, place: Place) -> tuple[Any, Reason | None]:
    output = {}
    for name, expression in place.step["fields"]:
        outcome = moment.run.value(expression, place)
        if not isinstance(outcome, Value):
            text = moment.run.expressions.text(expression)
            reason = f"`{name}: {text}` gives no value: {outcome_text(outcome)}"
            return ABSENT, failure("contract", reason, issues=[f"wrong:{name}"])
        output[name] = outcome.value
    return output, None


def _evaluated(moment: Moment, place: Place) -> tuple[Any, Reason | None]:
    folder = moment.run.header["workspace"]
    if folder is None:
        return ABSENT, failure("evaluate", "the run has no workspace to run the command in")
    told: Any = None
    if place.step["input"] is not None:
        told = render(moment.run.table.templates[place.step["input"]], moment.run.lookup(place))
        if isinstance(told, Unavailable):
            return ABSENT, _unavailable("the command's input", told)
    stdin = json_text(told).encode("utf-8", "surrogatepass")
    command = Command(place.step["command"], folder, stdin, place.step["timeout_ms"])
    if command not in moment.commands:
        raise CommandWantedError(command)
    ran = moment.commands[command]
    moment.began[place.key] = ran.began
    moment.now = max(moment.now, ran.ended)
    found = ran.outcome
    return (ABSENT, failure("evaluate", found.reason)) if isinstance(found, CommandFailure) else (found, None)


def _enters(moment: Moment, place: Place, arguments: int) -> bool:
    run = moment.run
    value = build(run.table.values[arguments], run.table.templates, run.lookup(place))
    if isinstance(value, Unavailable):
        moment.reason = _unavailable("an argument", value)
        return False
    callee = run.table.machines[place.step["machine"]]
    found = violations(run.table.contracts, callee.data["input"], value)
    if found:
        moment.reason = contract_failure(f"the input of flow `{callee.name}`", found)
        return False
    moment.found[place.key] = value
    return True


def _spreads(moment: Moment, place: Place, template: int) -> bool:
    found = render(moment.run.table.templates[template], moment.run.lookup(place))
    if isinstance(found, list):
        moment.found[place.key] = found
        return True
    text = moment.run.table.templates[template]["text"]
    why = "has no value" if isinstance(found, Unavailable) else "isn't a list"
    moment.reason = failure("over", f"`{text}` {why}, so there are no items")
    return False


def _carries(moment: Moment, place: Place, writes: list[list[int]]) -> bool:
    lookup = moment.run.lookup(place, moment.new_output(place))
    for carry, template in writes:
        if isinstance(render(moment.run.table.templates[template], lookup), Unavailable):
            name = place.machine.data["carry"][carry]["name"]
            text = moment.run.table.templates[template]["text"]
            moment.reason = failure("carry", f"`{text}`, to be carried as `{name}`, has no value", carry=name)
            return False
    return True


def _outputs(moment: Moment, place: Place) -> bool:
    found = output_failure(moment.run, place)
    if found is not None:
        moment.reason = moment.ends[place.scope] = found
    return found is None


GUARDS: dict[str, Callable[..., bool]] = {
    "when": _when,
    "unless": lambda moment, place, expression: not _when(moment, place, expression),
    "renders": _renders,
    "affords": _affords,
    "refused": _refused,
    "over": _over,
    "computes": _computes,
    "enters": _enters,
    "spreads": _spreads,
    "carries": _carries,
    "outputs": _outputs,
}
