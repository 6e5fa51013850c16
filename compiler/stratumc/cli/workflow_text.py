"""Answers of the workflow tools as lines for a person at a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Answer = dict[str, Any]


def situation(answer: Answer) -> str:
    """The state, and what may be done in it."""
    return _refused(answer) or "\n".join(_situation(answer))


def moved(answer: Answer) -> str:
    """What an event did, and what may be done next."""
    return _refused(answer) or "\n".join(_moved(answer))


def history_text(answer: Answer) -> str:
    """Entries a line each, then what they come to."""
    return _refused(answer) or "\n".join(_history(answer))


def changed(answer: Answer) -> str:
    """The difference that an edit makes, and how to confirm it."""
    return _refused(answer) or "\n".join(_changed(answer))


def _refused(answer: Answer) -> str | None:
    error = answer.get("error")
    if error is None:
        return None
    lines = [f"refused ({error['code']}): {error['message']}"]
    for diagnostic in error.get("diagnostics", ()):
        span = diagnostic["span"]
        place = f"{span['file']}:{span['line']}:{span['column']}"
        lines.append(f"  {place}: {diagnostic['severity']}[{diagnostic['code']}]: {diagnostic['message']}")
    if error.get("valid_events"):
        lines.append(f"valid events: {', '.join(error['valid_events'])}")
    if error.get("auto_action"):
        lines.append(_trigger(error["auto_action"]))
    return "\n".join(lines)


def _situation(answer: Answer) -> Iterator[str]:
    before = f" (before: {answer['previous_state']})" if answer["previous_state"] is not None else ""
    yield f"state: {answer['state']}{before}"
    if answer["description"]:
        yield f"  {answer['description']}"
    yield from _next(answer)
    if answer["global_actions"]:
        yield f"always available: {', '.join(answer['global_actions'])}"


def _moved(answer: Answer) -> Iterator[str]:
    yield f"{answer['from']} -> {answer['to']} by {answer['event']}"
    if answer["action"]:
        yield f"run: {answer['action']}"
    yield from _next(answer)


def _next(answer: Answer) -> Iterator[str]:
    if "auto_action" in answer:
        yield _trigger(answer["auto_action"])
    for option in answer.get("options", ()):
        target = option["target"] if option["target"] is not None else "(no resumption target)"
        action = f", run {option['action']}" if option["action"] else ""
        weigh = ", a judgment" if option["judgment"] else ""
        source = "" if option["source"] == "state" else f" [{option['source']}]"
        yield f"  {option['event']} -> {target}{action}{weigh}{source}"
    for item in answer["unresolved"]:
        yield f"not decided: {item['condition']} ({item['reason']})"


def _trigger(action: Answer) -> str:
    return f"a trigger fires: {action['condition']} -> {action['target']}; apply `auto`"


def _history(answer: Answer) -> Iterator[str]:
    for entry in answer["entries"]:
        project = "" if entry["project"] in (None, ".") else f" [{entry['project']}]"
        reason = f"  # {entry['reason']}" if entry["reason"] else ""
        yield f"{entry['time']}  {entry['from']} -> {entry['to']} by {entry['event']}{project}{reason}"
    if not answer["entries"]:
        yield "no transitions"
    for problem in answer["problems"]:
        yield f"note: {problem}"
    summary = answer.get("summary")
    if summary is not None:
        yield f"transitions: {summary['transitions']}"
        for title, key in (("entered", "states"), ("events", "events"), ("judgments", "judgments")):
            counts = ", ".join(f"{name} {count}" for name, count in summary[key].items())
            yield f"{title}: {counts or 'none'}"
        spent = ", ".join(f"{state} {seconds:g} s" for state, seconds in summary["seconds_in_state"].items())
        yield f"time in state: {spent or 'unknown'}"
        for item in summary["always_the_same"]:
            judgment = f"{item['event']} in {item['state']}"
            yield f"always the same: {judgment}, {item['times']} times; could be a trigger"


def _changed(answer: Answer) -> Iterator[str]:
    yield answer["diff"]
    if answer["changes_layout"]:
        yield "the whole file is also reformatted, with an indent of two spaces"
    for key, items in _graph(answer["graph"]).items():
        if items:
            shown = (_way(item) if isinstance(item, dict) else item for item in items)
            yield f"{key.replace('_', ' ')}: {'; '.join(shown)}"
    for warning in answer["warnings"]:
        yield f"{warning['severity']}[{warning['code']}]: {warning['message']}"
    if answer.get("written"):
        yield "written"
    else:
        yield f"nothing is written yet; to confirm: --confirm {answer['token']}"


def _graph(graph: Answer) -> Answer:
    """The difference of the graphs; ways that only changed what goes with them are told as changed."""
    gone = {_key(way): way for way in graph["transitions_removed"]}
    come = {_key(way): way for way in graph["transitions_added"]}
    both = [(gone[key], way) for key, way in come.items() if key in gone]
    return {
        **graph,
        "transitions_added": [way for key, way in come.items() if key not in gone],
        "transitions_removed": [way for key, way in gone.items() if key not in come],
        "transitions_changed": [f"{_way(old)} => {_with(new)}" for old, new in both],
    }


def _key(way: Answer) -> tuple[Any, ...]:
    names = ("state", "event", "condition", "previous_state", "target")
    return tuple(way.get(name) for name in names)


def _way(item: Answer) -> str:
    how = item.get("event", item.get("condition"))
    return f"{item['state']} -> {item['target']} by {how}{_suffix(item)}"


def _with(item: Answer) -> str:
    return _suffix(item).removeprefix(", ") or "run nothing"


def _suffix(item: Answer) -> str:
    """What goes with a way: its action, and whether it is a judgment."""
    action = f", run {item['action']}" if item["action"] else ""
    return f"{action}{', a judgment' if item.get('judgment') else ''}"
