"""What the workflow tools say in words, for hosts that show only the text of an answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from stratum_server.words import counted, cut, diagnostic_lines, listed

Answer = dict[str, Any]
_ENTRIES = 10
_MENDS = {
    "state_file_invalid": "mend the state file, or remove it to begin at the workflow's initial state",
}


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
    if error["code"] in _MENDS:
        lines.append(f"You can: {_MENDS[error['code']]}.")
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
    else:
        possible = [option for option in options or () if option["target"] is not None]
        yield "Events:" if possible else "No event is available here."
        yield from (_option(option) for option in possible)
        yield from _not_now(options or ())
    yield from _unresolved(result.get("unresolved"))


def _option(option: Answer) -> str:
    action = f", then run {option['action']}" if option["action"] else ""
    judgment = " (your judgment)" if option["judgment"] else ""
    return f"- `{option['event']}` leads to `{option['target']}`{action}{judgment}"


def _not_now(options: Iterable[Answer]) -> Iterator[str]:
    """The events that resume where there is nothing to resume: they would be refused."""
    names = [option["event"] for option in options if option["target"] is None]
    if names:
        yield f"Can't be applied now, as there is nothing to resume: {listed(names)}."


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
    note = f"\nNote: {cut(result['note'])}." if result.get("note") else ""
    if "message" in result:
        near = f" Nearest to it: {listed(result['nearest'])}." if result["nearest"] else ""
        return f"{cut(result['message'])}.{near}{note}"
    if "path" not in result:
        far = ", ".join(f"`{one['state']}` ({one['distance']}{_when(one)})" for one in result["reachable"])
        return f"From `{result['from']}` can be reached: {cut(far) or 'nothing'}.{note}"
    hops = [_hop(hop) for hop in result["path"]]
    count = f"{counted(len(hops), 'hop')}{_when(result)}"
    return "\n".join([f"From `{result['from']}` to `{result['to']}` in {count}.", *hops]) + note


def _when(answer: Answer) -> str:
    """On what an answer depends that the state before the start was."""
    before = answer.get("when_previous_state")
    return f", when the state before was `{before}`" if before is not None else ""


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
        f"{one['time']} `{one['from']}` to `{one['to']}` by `{one['event']}`{_reason(one)}"
        for one in entries[:_ENTRIES]
    ]
    if len(entries) > _ENTRIES:
        lines.append(f"and {len(entries) - _ENTRIES} more")
    lines += [f"Problem: {problem}" for problem in result["problems"]]
    if "summary" in result:
        lines += _counts(result["summary"])
    for one in result.get("summary", {}).get("always_the_same", ()):
        always = f"`{one['event']}` ({one['times']} times)"
        lines.append(f"In `{one['state']}` the judgment was always {always}: it could be a trigger.")
    return "\n".join(lines)


def _counts(found: Answer) -> Iterator[str]:
    for what, counts in (("Entered", found["states"]), ("Applied", found["events"])):
        times = ", ".join(f"`{name}` {counted(number, 'time')}" for name, number in counts.items())
        if times:
            yield f"{what}: {cut(times)}."
    spent = ", ".join(f"`{state}` {seconds} s" for state, seconds in found["seconds_in_state"].items())
    if spent:
        yield f"Time spent: {cut(spent)}."


def _reason(entry: Answer) -> str:
    return f": {cut(entry['reason'])}" if entry.get("reason") else ""


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
    anew = ", which is laid out anew besides" if result["changes_layout"] else ""
    lines = [head, *graph, f"The file{anew}:", cut(result["diff"])]
    return "\n".join([*lines, *diagnostic_lines(result["warnings"])])
