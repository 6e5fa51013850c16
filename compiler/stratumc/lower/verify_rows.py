"""The rows that a machine must have, spelled out from its records (no code of the lowering)."""

from __future__ import annotations

from typing import Any

from stratumc.lower.verify_graph import RecordGraph, as_set

Expected = list[Any]
"""`[state, event, guards, target, effects]`, in order."""

_RUN_ENDS = {"fail": 2, "kill": 3, "rounds": 2, "overrun": 2, "exhaust": 4, "cancel": 5}


def expected_rows(data: dict[str, Any], number: int) -> list[list[Any]]:
    """The rows of a flow or an item, without their origins."""
    machine = data["machines"][number]
    if machine["role"] == "item":
        owner, region = machine["data"]["fanout"]
        graph = RecordGraph(data, owner)
        return [[0, *row] for row in _item(graph, graph.records[region])]
    graph = RecordGraph(data, number)
    rows = [[region, *row] for region in range(len(graph.records)) for row in _step(graph, region)]
    return rows + [[len(graph.records), *row] for row in _control(machine, data)]


def _step(graph: RecordGraph, region: int) -> list[Expected]:
    record = graph.records[region]
    rows: list[Expected] = []
    ready: list[Any] = []
    if graph.routers(region):
        rows.append([0, "enable", [["unrouted", graph.routers(region)]], 6, [["log", "skipped"]]])
        ready += [["routed"]]
    if record["deps"]:
        forgiven = [before for before in record["deps"] if region in graph.recovery(before)]
        ready += [["deps", record["deps"], forgiven]]
    if record["when"] is not None:
        rows.append([0, "enable", [*ready, ["unless", record["when"]]], 6, [["log", "skipped"]]])
    return rows + _CONSTRUCTS[record["construct"]](graph, region, record, ready)


def _failing(graph: RecordGraph, region: int, record: dict[str, Any]) -> list[Any]:
    """What a step that fails for good does."""
    if record["on_fail"] is None:
        return [["signal", "fail"]]
    skipped = as_set(graph.skipped(region))
    return [["route", record["on_fail"]]] + ([["skip_region", skipped]] if skipped else [])


def _succeeding(record: dict[str, Any], state: int, event: str, guards: list[Any]) -> list[Expected]:
    kept = [["record_attempt", "accepted"], ["store_output"]]
    if not record["carries"]:
        return [[state, event, guards, 4, kept]]
    return [
        [
            state,
            event,
            [*guards, ["carries", record["carries"]]],
            4,
            [*kept, ["write_carry", record["carries"]]],
        ],
        [state, event, guards, 4, [*kept, ["signal", "fail"]]],
    ]


def _dispatching(
    graph: RecordGraph,
    state: int,
    record: dict[str, Any],
    stage: dict[str, Any],
    ends: tuple[int, int, list[Any]],
) -> list[Expected]:
    issued, failed, after = ends
    can, own = ["renders", stage["task"]], record["budget"] is not None
    limited = graph.flow_limited or graph.call_limited or own
    rows: list[Expected] = [
        [state, "dispatch", [can, ["affords"]] if limited else [can], issued, [["issue", stage["task"]]]]
    ]
    if graph.flow_limited:
        rows.append([state, "dispatch", [can, ["refused", "flow"]], state, [["signal_root", "exhaust"]]])
    if graph.call_limited:
        rows.append([state, "dispatch", [can, ["refused", "subflow"]], state, [["signal", "overrun"]]])
    if own:
        rows.append(
            [state, "dispatch", [can], failed, [["exhaust_attempts", stage["attempts"], "budget"], *after]]
        )
    rows.append([state, "dispatch", [], failed, [["exhaust_attempts", stage["attempts"], "render"], *after]])
    return rows


def _do(graph: RecordGraph, region: int, record: dict[str, Any], ready: list[Any]) -> list[Expected]:
    failing, attempts = _failing(graph, region, record), record["attempts"]
    rejected, again = ["record_attempt", "rejected"], ["raise", "dispatch"]
    rows: list[Expected] = [[0, "enable", ready, 0, [again]]]
    rows += _dispatching(graph, 0, record, record, (1, 5, failing))
    if graph.flow_limited:
        rows.append([1, "result", [["over", "flow"]], 5, [rejected, ["signal_root", "exhaust"]]])
    if graph.call_limited:
        rows.append([1, "result", [["over", "subflow"]], 5, [rejected, ["signal", "overrun"]]])
    if record["budget"] is not None:
        rows.append(
            [1, "result", [["over", "task"]], 5, [["exhaust_attempts", attempts, "rejected"], *failing]]
        )
    rows += _succeeding(record, 1, "result", [["verdict", "accepted"]])
    if record["iterate"] is not None:
        left = ["iterations_left", record["iterate"]["max"]]
        counted = [rejected, ["count_iteration"]]
        rows.append([1, "result", [["verdict", "unfinished"], left, ["fresh"]], 0, [*counted, again]])
        rows.append([1, "result", [["verdict", "unfinished"]], 5, [*counted, *failing]])
    rows.append([1, "result", [["attempts_left", attempts], ["fresh"]], 0, [rejected, again]])
    rows.append([1, "result", [], 5, [rejected, *failing]])
    return rows


def _set(_graph: RecordGraph, _region: int, record: dict[str, Any], ready: list[Any]) -> list[Expected]:
    rows = _succeeding(record, 0, "enable", [*ready, ["computes"]])
    return [*rows, [0, "enable", ready, 0, [["signal", "fail"]]]]


def _evaluate(_graph: RecordGraph, _region: int, record: dict[str, Any], ready: list[Any]) -> list[Expected]:
    rows = _succeeding(record, 0, "enable", [*ready, ["computes"]])
    return [*rows, [0, "enable", ready, 5, [["record_attempt", "evaluate"], ["signal", "fail"]]]]


def _gate(graph: RecordGraph, _region: int, record: dict[str, Any], ready: list[Any]) -> list[Expected]:
    rows: list[Expected] = [[0, "enable", ready, 3, [["await"]]]]
    approve, kill = record["on_approve"], record["on_kill"]
    rows.append([3, "approve", [], 4, [] if approve is None else [["route", approve]]])
    rows.append([3, "kill", [], 4, [["signal", "kill"]] if kill is None else [["route", kill]]])
    if record["on_revise"] is not None:
        writes = record["writes"]
        resolved = [["carries", writes]] if writes else []
        limit = ["rounds_left", graph.machine["data"]["max_rounds"], record["max_rounds"]]
        back = [["count_round"]] + ([["write_carry", writes]] if writes else [])
        back.append(["reset", as_set(graph.closure(record["on_revise"]))])
        rows.append([3, "revise", [*resolved, limit], 0, back])
        rows.append([3, "revise", resolved, 3, [["signal", "rounds"]]])
    return rows


def _fanout(graph: RecordGraph, region: int, record: dict[str, Any], ready: list[Any]) -> list[Expected]:
    failing = _failing(graph, region, record)
    rows: list[Expected] = [
        [0, "enable", [*ready, ["spreads", record["over"]]], 2, [["enter", record["machine"]]]],
        [0, "enable", ready, 5, [["exhaust_attempts", record["attempts"], "over"], *failing]],
    ]
    rows += _succeeding(record, 2, "join", [["requires", record["require"]]])
    return [*rows, [2, "join", [], 5, [["record_attempt", "require"], *failing]]]


def _run(graph: RecordGraph, region: int, record: dict[str, Any], ready: list[Any]) -> list[Expected]:
    failing = _failing(graph, region, record)
    rows: list[Expected] = [
        [0, "enable", [*ready, ["enters", record["arguments"]]], 2, [["enter", record["machine"]]]],
        [0, "enable", ready, 5, [["record_attempt", "input"], *failing]],
    ]
    rows += _succeeding(record, 2, "complete", [])
    return [*rows, [2, "fail", [], 5, [["record_attempt", "child"], *failing]]]


def _control(machine: dict[str, Any], data: dict[str, Any]) -> list[Expected]:
    ended = [["log", "ended"]]
    given = [
        [number, variable["initial"]]
        for number, variable in enumerate(machine["data"]["carry"])
        if data["pools"]["templates"][variable["initial"]]["parts"][0][0] == "input"
    ]
    rows: list[Expected] = []
    if given:
        rows.append([0, "start", [["carries", given]], 0, [["write_carry", given], ["start"]]])
        rows.append([0, "start", [], 2, ended])
    else:
        rows.append([0, "start", [], 0, [["start"]]])
    rows.append([0, "settled", [["all_ended"], ["outputs"]], 1, ended])
    rows.append([0, "settled", [["all_ended"]], 2, ended])
    rows.append([0, "settled", [["stuck"]], 2, ended])
    return rows + [[0, event, [], target, ended] for event, target in _RUN_ENDS.items()]


def _item(graph: RecordGraph, record: dict[str, Any]) -> list[Expected]:
    """Stage k is entered in state 1 + 2k and under way in state 2 + 2k; then succeeded, failed, skipped."""
    stages = record["stages"]
    succeeded = 1 + 2 * len(stages)
    failed, rejected = succeeded + 1, ["record_attempt", "rejected"]
    rows: list[Expected] = [[0, "enable", [], 1, [["raise", "stage"]]]]
    for number, stage in enumerate(stages):
        here, last = 1 + 2 * number, number + 1 == len(stages)
        onward = [] if last else [["next_stage"], ["raise", "stage"]]
        if stage["when"] is not None:
            passed = (succeeded + 2, [["log", "skipped"]]) if last else (here + 2, onward)
            rows.append([here, "stage", [["unless", stage["when"]]], *passed])
        rows.append([here, "stage", [], here, [["raise", "dispatch"]]])
        rows += _dispatching(graph, here, record, stage, (here + 1, failed, []))
        if graph.flow_limited:
            rows.append(
                [here + 1, "result", [["over", "flow"]], here + 1, [rejected, ["signal_root", "exhaust"]]]
            )
        if record["budget"] is not None:
            spent = ["exhaust_attempts", stage["attempts"], "rejected"]
            rows.append([here + 1, "result", [["over", "task"]], failed, [spent]])
        kept = [["record_attempt", "accepted"], ["store_output"], *onward]
        rows.append([here + 1, "result", [["verdict", "accepted"]], succeeded if last else here + 2, kept])
        retry = [["attempts_left", stage["attempts"]], ["fresh"]]
        rows.append([here + 1, "result", retry, here, [rejected, ["raise", "dispatch"]]])
        rows.append([here + 1, "result", [], failed, [rejected]])
    return rows


_CONSTRUCTS = {"do": _do, "set": _set, "evaluate": _evaluate, "gate": _gate, "fanout": _fanout, "run": _run}
