"""What is wrong with a reported result: the first failure in the order of runs.md section 3, or none."""

from __future__ import annotations

import json
import sys
from typing import Any

from stratum_runtime.contract import ABSENT, violations
from stratum_runtime.expression import Failure, Value
from stratum_runtime.flow.failures import Reason, contract_failure, failure, predicate_failure
from stratum_runtime.flow.places import Place
from stratum_runtime.flow.run import Run
from stratum_runtime.template import Unavailable, render

_COUNTED = ("usd", "tokens", "ms")
_NO_WORKSPACE = Failure("validation_error", "the run has no workspace to look for files in")


def usage_failure(usage: Any) -> Reason | None:
    """What is wrong with the shape of a usage: nothing of it is booked then."""
    if not isinstance(usage, dict):
        return failure("usage", "the usage isn't an object")
    for name, amount in usage.items():
        if name not in (*_COUNTED, "dispatches"):
            return failure("usage", f"the usage has the unknown key `{name}`")
        if not _is_amount(amount):
            return failure("usage", f"the usage's `{name}` is not a number of zero or more")
    return None


def _is_amount(value: Any) -> bool:
    """A number of zero or more that a double holds."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and 0 <= value <= sys.float_info.max


def claim_failure(usage: Any) -> Reason | None:
    """A usage that claims what only the engine counts; the rest of it is booked."""
    if usage is not None and "dispatches" in usage:
        return failure("usage", "dispatches are counted by the engine; leave them out of the usage")
    return None


def judge_result(run: Run, place: Place, stage: int, output: Any) -> Reason | None:
    """The contract, each ensure, `until` (kind `iterate`), then the flow's output contract."""
    work = place.step["stages"][stage] if place.is_item else place.step
    found = judge_output(run, place, work, output)
    if found is None and work.get("iterate") is not None:
        until = work["iterate"]["until"]
        outcome = run.judgment(until, place, output)
        if not _holds(outcome):
            seen = run.judged_names(until, place, output)
            found = predicate_failure("iterate", run.expressions.text(until), outcome, seen)
    if found is None and place.step.get("is_output") and not place.is_item:
        found = output_failure(run, place, output)
    return found


def judge_output(run: Run, place: Place, work: dict[str, Any], output: Any) -> Reason | None:
    """The contract `out` of a step or stage, then each ensure in order."""
    out = work["out"]
    if out is not None:
        found = violations(run.table.contracts, out, output)
        if found:
            return contract_failure("the result", found)
    for ensure in work.get("ensure") or ():
        outcome = _ensured(run, place, ensure, output)
        if not _holds(outcome):
            seen = run.judged_names(ensure[1], place, output) if ensure[0] == "expr" else {}
            return predicate_failure("ensure", ensure_text(run, ensure), outcome, seen)
    return None


def output_failure(run: Run, place: Place, output: Any = ABSENT) -> Reason | None:
    """What is wrong with the output of the place's flow, the place's own output being `output`."""
    declared = place.machine.data["output"]
    value = flow_output(run, place, output)
    found = violations(run.table.contracts, declared["contract"], value)
    return contract_failure(f"the output of flow `{place.machine.name}`", found) if found else None


def flow_output(run: Run, place: Place, output: Any = ABSENT) -> Any:
    """The output of the place's flow, or ABSENT."""
    template = run.table.templates[place.machine.data["output"]["from"]]
    value = render(template, run.lookup(place, output))
    return ABSENT if isinstance(value, Unavailable) else value


def _ensured(run: Run, place: Place, ensure: list[Any], output: Any) -> Value | Failure:
    kind, *details = ensure
    if kind == "expr":
        return run.judgment(details[0], place, output)
    if kind == "judged":
        return Failure("no_judge", "no judge is there to decide it, so it does not hold")
    if run.workspace is None:
        return _NO_WORKSPACE
    found = run.workspace.exists(*details) if kind == "file_exists" else run.workspace.contains(*details)
    return found if isinstance(found, Failure) else Value(found)


def ensure_text(run: Run, ensure: list[Any]) -> str:
    """An ensure as people read it."""
    kind, *details = ensure
    if kind == "expr":
        return run.expressions.text(details[0])
    if kind == "judged":
        return f"judged ({details[1]}): {details[0]}"
    return f"{kind}({', '.join(json.dumps(one, ensure_ascii=False) for one in details)})"


def _holds(outcome: Value | Failure) -> bool:
    return isinstance(outcome, Value) and outcome.value is True


def shown(output: Any) -> Any:
    """An output inside an answer; none at all is shown as null."""
    return None if output is ABSENT else output
