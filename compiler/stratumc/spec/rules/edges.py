"""The edges between steps: targets that exist, and no circle (v1.md section 6)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from stratumc.diagnostics import Finding, RelatedPlace
from stratumc.read.shape import quoted
from stratumc.spec.digraph import circle_through, closing_edges
from stratumc.spec.edges import Link, Relation, StepGraph
from stratumc.spec.syntax import Gate, Text

_CIRCLES_SHOWN = 10
"""Circles of which the whole way is shown; each costs a walk through the flow."""

_SHOWN_STEPS = 8


def target_rules(graph: StepGraph) -> Iterator[Finding]:
    """What `after`, `on_fail` and the routes of gates name are other steps of the flow.

    An unknown step in a reference is a matter of section 5; a reference to its own step is one of
    this section, unless the step has no output that could be read.
    """
    scope = graph.scope
    for link in graph.links:
        step = scope.flow.steps[link.step]
        if link.relation is Relation.REFERENCE:
            readable = link.name == step.id and not scope.output(step).none
            if readable and step.id not in scope.repeated:
                yield _self_target(f"step `{step.id}` reads its own output", link)
        elif link.name == step.id:
            if step.id not in scope.repeated:
                yield _self_target(f"step `{step.id}` names itself in `{_key(link)}`", link)
        elif not scope.may_be_step(link.name):
            yield unknown_target(graph, Text(link.name, link.at))
    for step in scope.flow.steps:
        route = step.body.on_revise if isinstance(step.body, Gate) else None
        if route is None:
            continue
        if route.value == step.id:
            yield Finding("ROUTING_SELF_TARGET", route.at, f"gate `{step.id}` can't revise to itself")
        elif not scope.may_be_step(route.value):
            yield unknown_target(graph, route)


def unknown_target(graph: StepGraph, named: Text) -> Finding:
    """The finding about a name that should be a step's and isn't."""
    message = f"flow `{graph.scope.flow.name}` has no step {quoted(named.value)}"
    suggestion = graph.scope.step_names.did_you_mean(named.value)
    return Finding("ROUTING_UNKNOWN_TARGET", named.at, message, suggestion=suggestion)


def _self_target(message: str, link: Link) -> Finding:
    return Finding("ROUTING_SELF_TARGET", link.at, message)


def _key(link: Link) -> str:
    return next(str(part) for part in reversed(link.at.path) if isinstance(part, str))


def circle_rules(graph: StepGraph) -> Iterator[Finding]:
    """Dependency and routing edges together have no circle."""
    steps = graph.scope.flow.steps
    edges = [edge for edge, _ in graph.edges]
    for number, index in enumerate(closing_edges(len(steps), edges)):
        link = graph.edges[index][1]
        source, target = edges[index]
        if number >= _CIRCLES_SHOWN:
            message = (
                f"this closes a circle: step `{steps[target].id}` already comes before `{steps[source].id}`"
            )
            yield Finding("ROUTING_CYCLE", link.at, message)
            continue
        circle = circle_through(edges, index)
        names = [f"`{steps[node].id}`" for node in circle]
        if len(names) > _SHOWN_STEPS:
            names[_SHOWN_STEPS - 2 : -1] = ["…"]
        first = dict(
            zip(reversed(edges[:index]), (link for _, link in reversed(graph.edges[:index])), strict=True)
        )
        related = tuple(
            RelatedPlace(
                first[edge].at, f"`{steps[edge[1]].id}` comes after `{steps[edge[0]].id}` because of this"
            )
            for edge in list(pairwise(circle))[:_SHOWN_STEPS]
        )
        message = f"this closes a circle of steps: {' → '.join((*names, names[0]))}"
        yield Finding("ROUTING_CYCLE", link.at, message, related=related)
