"""Small flows on the reference interpreter: when each step began and ended, and the paths of a run."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from stratumc.read import decode, read_yaml
from stratumc.spec.syntax import Flow, Gate
from stratumc.text.plain import plain_data
from support.reference import Reference
from support.reference_values import ABSENT

ENDED = ("succeeded", "failed", "skipped")


def json_of(text: str) -> dict[str, Any]:
    """A document as the reference interpreter reads it."""
    document, _ = decode(text.encode(), "small.stratum.yaml")
    assert document is not None
    root = read_yaml(document).root
    assert root is not None
    data: dict[str, Any] = plain_data(root)
    return data


@dataclass
class Simulated:
    """What became of each step in one round, and at which call."""

    began: dict[str, int] = field(default_factory=dict)
    ended: dict[str, int] = field(default_factory=dict)
    outcome: dict[str, str] = field(default_factory=dict)
    """`succeeds`, `fails`, `approve`, `kill`; `skipped`."""


def simulate(
    document: dict[str, Any],
    rounds: list[tuple[dict[str, Any], str | None]],
    order: list[str],
    held_back: frozenset[str] = frozenset(),
) -> list[Simulated]:
    """Plays runs as witnesses tell them, a round after the other, each up to the gate that revises.

    Of what is ready the first in `order` is reported; last what is held back or ends the run.
    """
    first = rounds[0][0]
    reference = Reference(document, first["input"])
    steps = {step["id"]: step for step in document["flows"]["main"]["steps"]}
    seen = [Simulated()]
    now = 0
    for number, (run, revises) in enumerate(rounds):
        while reference.state.status == "in_progress":
            watch(reference, seen[-1], now, steps, run)
            now += 1
            ready = [
                n for n, s in reference.state.root.steps.items() if s.status in ("ready", "waiting_gate")
            ]
            if revises in ready:
                break
            ready.sort(key=lambda name: (ends_run(steps[name], run), name in held_back, order.index(name)))
            if not ready or not report(reference, ready[0], run):
                return seen
        watch(reference, seen[-1], now, steps, run)
        if number + 1 < len(rounds):
            assert revises is not None
            gate = reference.state.root.steps[revises]
            assert gate.status == "waiting_gate", (revises, gate.status)
            reference.resolve(revises, "revise", gate.token)
            seen.append(Simulated())
    return seen


def ends_run(step: dict[str, Any], run: dict[str, Any]) -> bool:
    if "gate" in step:
        return run["decisions"].get(step["id"]) == "kill" and step["gate"]["on_kill"] is None
    return step["id"] in run["failed"] and "on_fail" not in step


def report(reference: Reference, name: str, run: dict[str, Any]) -> bool:
    """Reports what the run says of a step; nothing when it says nothing."""
    step = reference.state.root.steps[name]
    if step.status == "waiting_gate":
        if name not in run["decisions"]:
            return False
        reference.resolve(name, run["decisions"][name], step.token)
    elif name in run["failed"]:
        reference.done(name, token=step.token, reported="no")
    elif name in run["outputs"]:
        reference.done(name, run["outputs"].get(name, ABSENT), token=step.token)
    else:
        return False
    return True


def watch(
    reference: Reference, seen: Simulated, now: int, steps: dict[str, Any], run: dict[str, Any]
) -> None:
    for name, step in reference.state.root.steps.items():
        if step.status not in ("pending", "skipped"):
            seen.began.setdefault(name, now)
        if step.status in ENDED and name not in seen.ended:
            seen.ended[name] = now
            outcome = {"succeeded": "succeeds", "failed": "fails", "skipped": "skipped"}[step.status]
            is_decided = step.status == "succeeded" and "gate" in steps[name]
            seen.outcome[name] = run["decisions"][name] if is_decided else outcome


def hops(flow: Flow, seen: Simulated) -> dict[str | None, set[str]]:
    """Which step led to which in a round; None for where it began."""
    routes = {step.id: dict(routed(flow, step.id)) for step in flow.steps}
    before = {step.id: [text.value for text in step.after] for step in flow.steps}
    for step in flow.steps:
        refs = [one.name for one in getattr(getattr(step.body, "task", None), "references", ())]
        before[step.id] += [name for name in refs if name]
    found: dict[str | None, set[str]] = {name: set() for name in (None, *before)}

    def leads(name: str) -> Iterator[str | None]:
        """What led to a step that was skipped, or runs by its dependencies."""
        sources = [*before[name], *(source for source, _ in routed_to(routes, name))]
        if not sources:
            yield None
        for source in sources:
            if seen.outcome.get(source) == "skipped":
                yield from leads(source)
            elif source in seen.ended:
                yield source

    for name in seen.began:
        routers = list(routed_to(routes, name))
        if routers:
            for source, kind in routers:
                if seen.outcome.get(source) == kind and seen.ended[source] <= seen.began[name]:
                    found[source].add(name)
        elif not before[name]:
            found[None].add(name)
        else:
            for source in before[name]:
                if seen.outcome.get(source) == "skipped":
                    for first in leads(source):
                        found[first].add(name)
                elif seen.outcome.get(source) in ("succeeds", "approve", "kill"):
                    found[source].add(name)
    return found


def routed(flow: Flow, name: str) -> Iterator[tuple[str, str]]:
    step = flow.step(name)
    assert step is not None
    if isinstance(step.body, Gate):
        for kind, target in (("approve", step.body.on_approve), ("kill", step.body.on_kill)):
            if target is not None:
                yield kind, target.value
    elif getattr(step.body, "on_fail", None) is not None:
        yield "fails", step.body.on_fail.value  # type: ignore[union-attr]


def routed_to(routes: dict[str, dict[str, str]], name: str) -> Iterator[tuple[str, str]]:
    for source, kinds in routes.items():
        for kind, target in kinds.items():
            if target == name:
                yield source, kind


def comes_to(
    leading: dict[str | None, set[str]], seen: Simulated, start: str | None, avoid: frozenset[str]
) -> set[str]:
    """The steps that a path comes to in a round before any of those to be avoided has ended."""
    begins = leading[None] if start is None else {start} & seen.began.keys()
    found = {name for name in begins if name not in avoid}
    queue = deque(found)
    while queue:
        for target in leading[queue.popleft()]:
            if target not in found and target not in avoid:
                found.add(target)
                queue.append(target)
    late = min(
        (seen.ended[name] for name in avoid if name in seen.ended and name in seen.began), default=10_000
    )
    return {name for name in found if seen.began[name] < late}


def orders(names: Iterable[str], count: int, seed: int = 0) -> list[list[str]]:
    """Some orders of the steps: as they are, reversed, and at random."""
    names, pick = list(names), random.Random(seed)
    mixed = [pick.sample(names, len(names)) for _ in range(count)]
    return [names, names[::-1], *mixed]
