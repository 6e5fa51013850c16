"""Calls of other flows (v1.md section 9)."""

from __future__ import annotations

from collections.abc import Iterator

from stratumc.diagnostics import Finding, RelatedPlace
from stratumc.diagnostics.nearest import Names, did_you_mean
from stratumc.read.shape import quoted
from stratumc.spec.draft import Draft
from stratumc.spec.scope import Scope
from stratumc.spec.syntax import Fanout, Run

_SHOWN_FLOWS = 8
"""Flows of a circle that are shown."""


def call_rules(scope: Scope) -> Iterator[Finding]:
    """What `run` names, what `with` gives, and which flows may call and fan out at all."""
    names = Names(scope.draft.flows)
    restricted = scope.draft.is_entry(scope.flow) is False
    for step in scope.flow.steps:
        if isinstance(step.body, Run):
            yield from _call(scope.draft, step.body, names)
        if restricted and isinstance(step.body, Run | Fanout):
            key = "run" if isinstance(step.body, Run) else "fanout"
            message = f"only the entry flow may have a `{key}` step, and `{scope.flow.name}` isn't it"
            yield Finding("SUBFLOW_BODY_RESTRICTED", step.at.child(key).key, message)


def _call(draft: Draft, run: Run, names: Names) -> Iterator[Finding]:
    name = run.flow.value
    if not draft.declares_flow(name):
        message = f"no flow {quoted(name)} is declared"
        yield Finding("SUBFLOW_UNKNOWN", run.flow.at, message, suggestion=names.did_you_mean(name))
        return
    callee = draft.flows.get(name)
    if callee is None or callee.input is None:
        return
    absent = [field for field in callee.input if field not in run.arguments.entries]
    extra = [field for field in run.arguments.entries if field not in callee.input]
    if not absent and not extra:
        return
    faults = []
    if absent:
        faults.append(f"lacks {_listed(absent)}")
    if extra:
        faults.append(f"has {_listed(extra)}, which flow `{name}` doesn't take")
    message = f"`with` {' and '.join(faults)}"
    suggestion = did_you_mean(extra[0], absent) if len(extra) == 1 else None
    if suggestion is None and absent:
        suggestion = "every input is given, optional ones too: null stands for nothing"
    related = (RelatedPlace(callee.at.child("input"), f"the inputs of flow `{name}`"),)
    yield Finding("SUBFLOW_WITH_MISMATCH", run.arguments.at, message, related=related, suggestion=suggestion)


def _listed(names: list[str]) -> str:
    shown = ", ".join(f"`{name}`" for name in names[:5])
    return shown if len(names) <= 5 else f"{shown} and {len(names) - 5} more"


def recursion_rules(draft: Draft) -> Iterator[Finding]:
    """Calls don't recurse: a depth-first walk in document order meets no flow from which it came."""
    calls = {
        name: [(step, step.body) for step in flow.steps if isinstance(step.body, Run)]
        for name, flow in draft.flows.items()
    }
    done: set[str] = set()
    for root in draft.flows:
        if root in done:
            continue
        way = [root]
        entered = {root: 0}
        stack = [iter(calls[root])]
        while stack:
            call = next(stack[-1], None)
            if call is None:
                stack.pop()
                done.add(way[-1])
                entered.pop(way.pop())
                continue
            callee = call[1].flow.value
            if callee in entered:
                start = entered[callee]
                yield _circle(way[start : start + _SHOWN_FLOWS], len(way) - start, call[1])
            elif callee in calls and callee not in done:
                entered[callee] = len(way)
                way.append(callee)
                stack.append(iter(calls[callee]))


def _circle(way: list[str], length: int, run: Run) -> Finding:
    """The finding for a circle of so many flows, whose first ones are given."""
    names = [f"`{name}`" for name in way]
    if length == 1:
        return Finding("SUBFLOW_RECURSIVE", run.flow.at, f"flow {names[0]} calls itself")
    cut = ("…",) if length > len(names) else ()
    message = f"flows call each other in a circle: {' → '.join((*names, *cut, names[0]))}"
    return Finding("SUBFLOW_RECURSIVE", run.flow.at, message)
