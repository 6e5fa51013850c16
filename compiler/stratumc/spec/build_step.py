"""Reads the steps of a flow into the syntax tree (v1.md section 4)."""

from __future__ import annotations

from collections.abc import Callable

from stratumc.read.tree import Mapping, Node, Scalar
from stratumc.spec.parts import Parts, read_value
from stratumc.spec.shape import CONSTRUCTS, STEP, STEP_ID_PATTERN
from stratumc.spec.syntax import (
    Body,
    Dispatcher,
    Do,
    Ensure,
    EnsureExpression,
    EnsureFileContains,
    EnsureFileExists,
    EnsureJudged,
    Evaluate,
    Fanout,
    Gate,
    Isolation,
    Iterate,
    Merge,
    Quorum,
    Run,
    Set,
    Stage,
    Step,
    Text,
    WithObject,
)
from stratumc.text import Location

_AGENT, _ATTEMPTS = "claude", 2


def build_step(parts: Parts, node: Node, index: int, at: Location) -> Step | None:
    """A step with whatever of it could be read; None without an id and exactly one construct."""
    if not isinstance(node, Mapping):
        parts.unreadable += 1
        return None
    step_id = parts.text(node, "id", at, required=True)
    after = tuple(
        named for item, place in parts.items(node, "after", at) if (named := parts.step_id(item, place))
    )
    when = parts.text(node, "when", at)
    body = _build_body(parts, node, at)
    if _has_out_misspelt(node):
        parts.unreadable += 1
    if step_id is None or body is None:
        parts.unreadable += 1
        return None
    return Step(step_id.value, index, after, when, body, at)


def _has_out_misspelt(node: Mapping) -> bool:
    """Whether a step without `out` has an unknown key that is nearly it, so that its contract isn't known."""
    unknown = [entry.name for entry in node if entry.name not in STEP.fields]
    if not unknown or node.get("out") is not None:
        return False
    from stratumc.diagnostics.nearest import nearest

    return any(nearest(name, STEP.fields) == "out" for name in unknown)


def step_id_of(node: Node) -> str | None:
    """The id of a step of which nothing else need be readable; None when it has no valid one."""
    entry = node.get("id") if isinstance(node, Mapping) else None
    value = entry.value.value if entry is not None and isinstance(entry.value, Scalar) else None
    return value if isinstance(value, str) and STEP_ID_PATTERN.fullmatch(value) else None


def _build_body(parts: Parts, node: Mapping, at: Location) -> Body | None:
    """The body of the one construct; None when there isn't one, or it lacks a needed part."""
    constructs = [name for name in CONSTRUCTS if node.get(name) is not None]
    return _BUILDERS[constructs[0]](parts, node, at) if len(constructs) == 1 else None


def _build_do(parts: Parts, node: Mapping, at: Location) -> Do | None:
    task = parts.template(node, "do", at)
    if task is None:
        return None
    return Do(
        task,
        parts.text_or(node, "agent", _AGENT),
        parts.text(node, "out", at),
        _build_ensure(parts, node, at),
        parts.count(node, "attempts") or _ATTEMPTS,
        _build_iterate(parts, node, at),
        parts.budget(node, at),
        parts.route(node, "on_fail", at),
    )


def _build_iterate(parts: Parts, node: Mapping, at: Location) -> Iterate | None:
    below = parts.mapping(node, "iterate")
    if below is None:
        return None
    place = at.child("iterate")
    until = parts.text(below, "until", place, required=True)
    rounds = parts.count(below, "max", required=True)
    return None if until is None else Iterate(rounds or 1, until, place)


def _build_set(parts: Parts, node: Mapping, at: Location) -> Set | None:
    below, out = parts.mapping(node, "set"), parts.text(node, "out", at, required=True)
    if below is None or out is None:
        return None
    place = at.child("set")
    fields: dict[str, Text] = {}
    for entry in below:
        value = parts.string(entry.value)
        if value is not None:
            fields[entry.name] = Text(value, place.child(entry.name))
    return Set(fields, out, _build_ensure(parts, node, at), place)


def _build_gate(parts: Parts, node: Mapping, at: Location) -> Gate | None:
    below, place = parts.mapping(node, "gate"), at.child("gate")
    if below is None:
        return None
    return Gate(
        parts.route(below, "on_approve", place, gate=True),
        parts.route(below, "on_revise", place, gate=True),
        parts.route(below, "on_kill", place, gate=True),
        parts.count(below, "max_rounds"),
        place,
    )


def _build_fanout(parts: Parts, node: Mapping, at: Location) -> Fanout | None:
    below, place = parts.mapping(node, "fanout"), at.child("fanout")
    if below is None:
        return None
    over = parts.template(below, "over", place, required=True)
    isolation = parts.required_choice(below, "isolation", Isolation.NONE)
    merge = parts.required_choice(below, "merge", Merge.SEQUENTIAL)
    require = _build_require(parts, below)
    concurrency = parts.count(below, "concurrency", required=True)
    attempts = parts.count(node, "attempts")
    stages = [
        _build_stage(parts, item, spot, attempts or _ATTEMPTS)
        for item, spot in parts.items(below, "steps", place, required=True)
    ]
    pre_merge = [parts.string(item) for item, _ in parts.items(below, "pre_merge", place)]
    if over is None or isolation is None or merge is None or not stages:
        return None
    return Fanout(
        over,
        tuple(stage for stage in stages if stage is not None),
        concurrency or 1,
        isolation,
        require,
        merge,
        pre_merge if below.get("pre_merge") is not None else None,
        parts.choice(below, "dispatch", Dispatcher.ENGINE),
        attempts,
        parts.budget(node, at),
        parts.route(node, "on_fail", at),
        place,
    )


def _build_require(parts: Parts, node: Mapping) -> Quorum | int:
    entry = node.get("require")
    if entry is not None and isinstance(entry.value, Scalar) and isinstance(entry.value.value, str):
        return parts.choice(node, "require", Quorum.ALL)
    return parts.count(node, "require", required=True) or Quorum.ALL


def _build_stage(parts: Parts, node: Node, at: Location, attempts: int) -> Stage | None:
    """A stage; without `attempts` of its own it has those of the fanout."""
    if not isinstance(node, Mapping):
        parts.unreadable += 1
        return None
    task = parts.template(node, "do", at, required=True)
    if task is None:
        return None
    return Stage(
        task,
        parts.text_or(node, "agent", _AGENT),
        parts.text(node, "out", at),
        _build_ensure(parts, node, at),
        parts.count(node, "attempts") or attempts,
        parts.text(node, "when", at),
        at,
    )


def _build_run(parts: Parts, node: Mapping, at: Location) -> Run | None:
    flow, arguments = parts.text(node, "run", at), parts.mapping(node, "with", required=True)
    if flow is None or arguments is None:
        return None
    value = read_value(arguments, at.child("with"))
    assert isinstance(value, WithObject)
    return Run(flow, value, parts.budget(node, at), parts.route(node, "on_fail", at))


def _build_evaluate(parts: Parts, node: Mapping, at: Location) -> Evaluate | None:
    below, place = parts.mapping(node, "evaluate"), at.child("evaluate")
    if below is None:
        return None
    command = parts.text(below, "command", place, required=True)
    timeout = parts.count(below, "timeout_ms", required=True)
    given = parts.template(below, "in", place)
    out = parts.text(node, "out", at)
    return None if command is None else Evaluate(command, given, timeout or 1, out, place)


_BUILDERS: dict[str, Callable[[Parts, Mapping, Location], Body | None]] = {
    "do": _build_do,
    "set": _build_set,
    "gate": _build_gate,
    "fanout": _build_fanout,
    "run": _build_run,
    "evaluate": _build_evaluate,
}


def _build_ensure(parts: Parts, node: Mapping, at: Location) -> tuple[Ensure, ...]:
    built = (_build_predicate(parts, item, place) for item, place in parts.items(node, "ensure", at))
    return tuple(predicate for predicate in built if predicate is not None)


def _build_predicate(parts: Parts, node: Node, at: Location) -> Ensure | None:
    """The first form that fits, as the shape has it (v1.md section 4)."""
    if not isinstance(node, Mapping):
        parts.unreadable += 1
        return None
    before = parts.unreadable
    for build in (_ensure_expression, _ensure_file_exists, _ensure_file_contains, _ensure_judged):
        predicate = build(parts, node, at)
        if predicate is not None:
            parts.unreadable = before
            return predicate
    parts.unreadable = before + 1
    return None


def _ensure_expression(parts: Parts, node: Mapping, at: Location) -> Ensure | None:
    text = parts.text(node, "expr", at)
    return None if text is None else EnsureExpression(text, at)


def _ensure_file_exists(parts: Parts, node: Mapping, at: Location) -> Ensure | None:
    path = parts.text(node, "file_exists", at)
    return None if path is None else EnsureFileExists(path.value, at)


def _ensure_file_contains(parts: Parts, node: Mapping, at: Location) -> Ensure | None:
    below = parts.mapping(node, "file_contains")
    if below is None:
        return None
    path, text = parts.text(below, "path", at), parts.text(below, "text", at)
    return None if path is None or text is None else EnsureFileContains(path.value, text.value, at)


def _ensure_judged(parts: Parts, node: Mapping, at: Location) -> Ensure | None:
    below = parts.mapping(node, "judged")
    if below is None:
        return None
    statement, stakes = parts.text(below, "statement", at), parts.text(below, "stakes", at)
    return None if statement is None or stakes is None else EnsureJudged(statement.value, stakes.value, at)
