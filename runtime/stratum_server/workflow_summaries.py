"""What the workflow tools say in words, for hosts that show only the text of an answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from stratum_server.words import counted, cut, diagnostic_lines, listed

Answer = dict[str, Any]
_ENTRIES = 10


def _refusal(error: Answer) -> str:
    lines = [f"Refused ({error['code']}): {cut(error['message'])}"]
    if error.get("diagnostics"):
        lines += diagnostic_lines(error["diagnostics"])
    if error.get("auto_action"):
        lines.append(_auto(error["auto_action"]))
    if "valid_events" in error and "valid events" not in error["message"]:
        lines.append(f"Valid events: {listed(error['valid_events'])}.")
    if "states" in error:
        lines.append(f"States: {listed(error['states'])}.")
    lines += _unresolved(error.get("unresolved"))
    return "\n".join(lines)


def _auto(trigger: Answer) -> str:
    values = ", ".join(f"{name} = {value}" for name, value in trigger["values"].items())
    seen = f" ({cut(values)})" if values else ""
    then = f"apply the event `auto` to enter `{trigger['target']}`"
    return f"Trigger `{trigger['condition']}` fires{seen}: {then}."


def _unresolved(conditions: Iterable[Answer] | None) -> Iterator[str]:
    for one in conditions or ():
        yield f"Not decided: `{one['condition']}`: {one['reason']}."


def _moves(result: Answer) -> Iterator[str]:
    """What the caller may do now."""
    options = result.get("options")
    if result.get("auto_action"):
        yield _auto(result["auto_action"])
    elif options:
        yield "Events:"
        yield from (_option(option) for option in options)
    else:
        yield "No event is available here."
    yield from _unresolved(result.get("unresolved"))


def _option(option: Answer) -> str:
    target = "nowhere, as there is nothing to resume" if option["target"] is None else f"`{option['target']}`"
    action = f", then run {option['action']}" if option["action"] else ""
    judgment = " (your judgment)" if option["judgment"] else ""
    return f"- `{option['event']}` leads to {target}{action}{judgment}"


def check_summary(result: Answer) -> str:
    """The state and what can happen next."""
    if "error" in result:
        return _refusal(result["error"])
    about = f": {cut(result['description'])}" if result["description"] else ""
    return "\n".join([f"State `{result['state']}`{about}", *_moves(result)])


def transition_summary(result: Answer) -> str:
    """What changed, what to run, and what can happen next."""
    if "error" in result:
        return _refusal(result["error"])
    lines = [f"Moved from `{result['from']}` to `{result['to']}` by `{result['event']}`."]
    if result["action"]:
        lines.append(f"Now run {result['action']}")
    return "\n".join([*lines, *_moves(result)])


def explain_summary(result: Answer) -> str:
    """The path, or what is reachable, or why there is no path."""
    if "error" in result:
        return _refusal(result["error"])
    if "message" in result:
        near = f" Nearest to it: {listed(result['nearest'])}." if result["nearest"] else ""
        return f"{cut(result['message'])}.{near}"
    if "path" not in result:
        far = ", ".join(f"`{one['state']}` ({one['distance']})" for one in result["reachable"])
        return f"From `{result['from']}` can be reached: {cut(far) or 'nothing'}."
    hops = [_hop(hop) for hop in result["path"]]
    return "\n".join([f"From `{result['from']}` to `{result['to']}` in {counted(len(hops), 'hop')}.", *hops])


def _hop(hop: Answer) -> str:
    if "event" in hop:
        how = f"by event `{hop['event']}`" + (" (a judgment)" if hop["judgment"] else "")
    else:
        how = f"by trigger `{hop['condition']}`, for example with context {cut(hop['witness'])}"
    return f"- `{hop['from']}` to `{hop['to']}` {how}" + (f", run {hop['action']}" if hop["action"] else "")


def history_summary(result: Answer) -> str:
    """How many entries there are and the newest of them; what a summary found."""
    if "error" in result:
        return _refusal(result["error"])
    entries = result["entries"]
    lines = [f"{counted(result['total'], 'transition')}, {len(entries)} shown, the newest first."]
    lines += [
        f"{one['time']} `{one['from']}` to `{one['to']}` by `{one['event']}`" for one in entries[:_ENTRIES]
    ]
    if len(entries) > _ENTRIES:
        lines.append(f"and {len(entries) - _ENTRIES} more")
    lines += [f"Problem: {problem}" for problem in result["problems"]]
    for one in result.get("summary", {}).get("always_the_same", ()):
        always = f"`{one['event']}` ({one['times']} times)"
        lines.append(f"In `{one['state']}` the judgment was always {always}: it could be a trigger.")
    return "\n".join(lines)


def modify_summary(result: Answer) -> str:
    """The preview's differences and token, or that it was written."""
    if "error" in result:
        return _refusal(result["error"])
    graph = [f"{name.replace('_', ' ')}: {cut(found)}" for name, found in result["graph"].items() if found]
    if result.get("written"):
        return "\n".join([f"Written to {result['file']}; the new graph is loaded.", *graph])
    head = (
        "Preview, nothing is written yet. To write it call again with the same arguments, confirm true and "
        f"token {result['token']}"
    )
    return "\n".join([head, cut(result["diff"]), *graph, *diagnostic_lines(result["warnings"])])
