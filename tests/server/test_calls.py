"""The tools as a host lists them, malformed calls, and who may resolve gates."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp_types import ElicitRequestFormParams, ElicitRequestParams, ElicitResult

from stratum_runtime.flow import FlowEngine
from stratum_runtime.store import MemoryStore
from support.flow_runs import gate, note, spec_of
from support.serving import ERAS, Answer, Host, hosted, make_server
from support.workflows import SMALL, lay_out

NAMES = [
    *("flow_check", "flow_transition", "flow_explain", "flow_history", "flow_modify"),
    *("stratum_validate", "stratum_plan", "stratum_step_done", "stratum_gate_resolve", "stratum_audit"),
    *("stratum_commit", "stratum_revert", "stratum_resume", "stratum_flows", "stratum_flow_cancel"),
]
READ_ONLY = {
    *("flow_check", "flow_explain", "flow_history", "stratum_validate", "stratum_audit", "stratum_resume"),
    "stratum_flows",
}
SPEC = json.dumps(
    spec_of(note("a"), gate("check", revise="a", after=["a"]), note("last", after=["check"]), max_rounds=3)
)


@pytest.fixture(scope="module", params=ERAS)
def host(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    root = tmp_path_factory.mktemp("root")
    lay_out(root, SMALL)
    with hosted(make_server(root), request.param) as connected:
        yield connected


def test_the_list_is_fixed_and_says_everything(host: Host) -> None:
    assert [tool.name for tool in host.tools] == NAMES
    for tool in host.tools:
        assert tool.title
        assert tool.description
        hints = tool.annotations
        assert hints is not None
        given = (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint, hints.open_world_hint)
        assert None not in given, tool.name
        assert hints.read_only_hint == (tool.name in READ_ONLY)
        assert tool.input_schema["additionalProperties"] is False
        assert tool.output_schema is not None
        assert tool.output_schema["type"] == "object"


def test_only_what_nobody_forgets_is_required(host: Host) -> None:
    required = {tool.name: tool.input_schema.get("required", []) for tool in host.tools}
    assert {name: given for name, given in required.items() if given} == {
        "flow_transition": ["event"],
        "flow_modify": ["operation"],
        "stratum_validate": ["spec"],
        "stratum_plan": ["spec"],
        "stratum_step_done": ["flow_id", "step_id"],
        "stratum_gate_resolve": ["flow_id", "step_id", "outcome"],
        "stratum_audit": ["flow_id"],
        "stratum_commit": ["flow_id", "label"],
        "stratum_revert": ["flow_id", "label"],
        "stratum_resume": ["flow_id"],
        "stratum_flow_cancel": ["flow_id"],
    }


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("flow_chek", {}, "unknown tool `flow_chek` (did you mean `flow_check`?)"),
        ("flow_check", {"contxt": {}}, "unknown argument `contxt` (did you mean `context`?)"),
        ("stratum_audit", {"flow_id": "x", "zzz": 1}, "unknown argument `zzz` (the tool takes flow_id)"),
        ("stratum_audit", {}, "argument `flow_id` is missing"),
        ("flow_check", {"context": [1]}, "argument `context` must be an object"),
        ("flow_check", {"context": "[1]"}, "argument `context` must be an object"),
        ("flow_transition", {"event": 5}, "argument `event` must be text"),
        ("flow_explain", {"avoid": ["a", 1]}, "argument `avoid[1]` must be text"),
        ("flow_explain", {"avoid": "a"}, "argument `avoid` must be a list"),
        ("flow_history", {"limit": 2.5}, "argument `limit` must be a whole number"),
        ("flow_history", {"limit": -1}, "argument `limit` must be 0 or more"),
        ("flow_history", {"summary": "yes"}, "argument `summary` must be true or false"),
        ("flow_modify", {"operation": "x", "value": "1"}, "argument `value` must be a number"),
        ("stratum_flows", {"limit": 2**40}, "argument `limit` must be 2147483647 or less"),
        ("stratum_flows", {"status": "done"}, "argument `status` must be one of 'in_progress', "),
        ("stratum_step_done", {"flow_id": "x", "step_id": "a", "result": 5}, "`result` must be an object"),
        (
            "stratum_gate_resolve",
            {"flow_id": "x", "step_id": "a", "outcome": "yes"},
            "`outcome` must be one of 'approve', 'revise' or 'kill'",
        ),
        (
            "stratum_gate_resolve",
            {"flow_id": "x", "step_id": "a", "outcome": "kill", "token": "x"},
            "unknown argument `token` (did you mean `gate_token`?)",
        ),
    ],
)
def test_a_malformed_call_is_a_protocol_error_with_its_mend(
    host: Host, tool: str, arguments: dict[str, Any], message: str
) -> None:
    told = host.malformed(tool, arguments)
    assert told.startswith("malformed call: ")
    assert message in told
    assert "Input should" not in told


def test_all_faults_of_a_call_are_told_at_once(host: Host) -> None:
    told = host.malformed("stratum_step_done", {"step_id": 1, "result": 2, "x": 3})
    assert told == (
        "malformed call: argument `flow_id` is missing; argument `step_id` must be text; argument `result` "
        "must be an object; unknown argument `x` (the tool takes flow_id, step_id, result, failure, "
        "dispatch_token, usage)"
    )


def test_objects_may_come_as_json_text_and_texts_stay_texts(host: Host) -> None:
    assert host.call("flow_check", context='{"session_counters": {"rounds": 3}}', workflow_state="b")[
        "auto_action"
    ]
    answer = host.call("flow_check", workflow_state="null")
    assert answer["error"]["state"] == "null"
    planned = host.call("stratum_plan", spec=SPEC, inputs="{}")
    answer = host.call(
        "stratum_step_done", flow_id=planned["flow_id"], step_id="a", result='{"text": "{\\"x\\": 1}"}'
    )
    assert answer["status"] == "await_gate"


def test_a_result_of_null_is_a_result(host: Host) -> None:
    spec = json.dumps(spec_of({"id": "free", "do": "x"}, note("last", after=["free"])))
    planned = host.call("stratum_plan", spec=spec)
    answer = host.call("stratum_step_done", flow_id=planned["flow_id"], step_id="free", result=None)
    assert answer["step_id"] == "last"
    (attempt,) = host.call("stratum_audit", flow_id=planned["flow_id"])["trace"][0]["attempts"]
    assert attempt["result"] is None


# --- gates --------------------------------------------------------------------------------------


class Person:
    """The person at the host: what they were asked, and what they answer."""

    def __init__(self, action: str = "accept", **content: str) -> None:
        self.asked: list[str] = []
        self.schemas: list[dict[str, Any]] = []
        self._answer = {"action": action, **({"content": content} if content else {})}

    async def answer(self, context: Any, params: ElicitRequestParams) -> ElicitResult:
        self.asked.append(params.message)
        assert isinstance(params, ElicitRequestFormParams)
        self.schemas.append(params.requested_schema)
        return ElicitResult.model_validate(self._answer)


def waiting(host: Host) -> Answer:
    planned = host.call("stratum_plan", spec=SPEC)
    return host.call("stratum_step_done", flow_id=planned["flow_id"], step_id="a", result={"text": "x"})


def decide(host: Host, at: Answer, outcome: str = "approve", **more: Any) -> Answer:
    return host.call("stratum_gate_resolve", flow_id=at["flow_id"], step_id="check", outcome=outcome, **more)


def decisions(host: Host, at: Answer) -> list[Answer]:
    trace = host.call("stratum_audit", flow_id=at["flow_id"])["trace"]
    return [one for step in trace if step["type"] == "gate" for one in step["attempts"]]


@pytest.mark.parametrize("era", ERAS)
def test_an_agent_cant_pass_for_a_person(tmp_path: Path, era: str) -> None:
    with hosted(make_server(tmp_path, gates="human"), era) as host:
        at = waiting(host)
        for resolved_by in ("human", "agent", "system"):
            answer = decide(host, at, resolved_by=resolved_by, gate_token=at["gate_token"])
            assert (answer["status"], answer["error_type"]) == ("error", "gate_needs_human")
        assert "stratumc gate" in host.text
        assert host.call("stratum_resume", flow_id=at["flow_id"])["gate_token"] == at["gate_token"]


@pytest.mark.parametrize("era", ERAS)
def test_the_persons_answer_counts(tmp_path: Path, era: str) -> None:
    person = Person(outcome="revise", note="shorter")
    server = make_server(tmp_path, gates="human")
    with hosted(server, era, elicitation_callback=person.answer) as host:
        at = waiting(host)
        answer = decide(host, at, "approve", rationale="looks\ngood to me", resolved_by="agent")
    (asked,) = person.asked
    assert f"Gate `check` of run {at['flow_id']} waits for your decision" in asked
    assert "The agent proposes: approve. It gives this reason: looks good to me" in asked
    assert answer["resolved"] == {
        "step_id": "check",
        "outcome": "revise",
        "rationale": "shorter",
        "resolved_by": "human",
        "channel": "elicitation",
        "proposed": {"outcome": "approve", "rationale": "looks\ngood to me"},
    }
    assert answer["steps_reset"] == ["a", "check", "last"]


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("action", ["decline", "cancel"])
def test_a_person_who_does_not_decide_leaves_the_gate_waiting(tmp_path: Path, era: str, action: str) -> None:
    person = Person(action)
    server = make_server(tmp_path, gates="human")
    with hosted(server, era, elicitation_callback=person.answer) as host:
        at = waiting(host)
        answer = decide(host, at)
        assert (answer["status"], answer["error_type"]) == ("error", "not_resolved")
        assert host.call("stratum_resume", flow_id=at["flow_id"])["status"] == "await_gate"


@pytest.mark.parametrize("era", ERAS)
def test_nobody_is_asked_about_what_would_be_refused(tmp_path: Path, era: str) -> None:
    person = Person(outcome="approve")
    server = make_server(tmp_path, gates="human")
    with hosted(server, era, elicitation_callback=person.answer) as host:
        at = waiting(host)
        assert decide(host, {"flow_id": "ghost"})["error_type"] == "unknown_flow"
        assert decide(host, at, gate_token="old")["error_type"] == "stale_gate"
        decide(host, at)
        assert decide(host, at)["error_type"] == "not_ready"
    assert len(person.asked) == 1


def test_a_decision_about_an_earlier_round_is_not_used(tmp_path: Path) -> None:
    """While the person thinks, another session sends the work back, and the gate waits anew."""
    server = make_server(tmp_path, gates="human")
    other = Person(outcome="revise")

    async def slow(context: Any, params: ElicitRequestParams) -> ElicitResult:
        calls: list[tuple[str, dict[str, Any]]] = [
            ("stratum_gate_resolve", {"step_id": "check", "outcome": "revise"}),
            ("stratum_step_done", {"step_id": "a", "result": {"text": "y"}}),
        ]
        from mcp.client.client import Client

        async with Client(server, mode="legacy", elicitation_callback=other.answer) as second:
            for tool, arguments in calls:
                await second.call_tool(tool, {"flow_id": at["flow_id"], **arguments})
        return ElicitResult(action="accept", content={"outcome": "approve"})

    with hosted(server, "legacy", elicitation_callback=slow) as host:
        at = waiting(host)
        answer = decide(host, at)
        assert answer["error_type"] == "stale_gate"
        assert host.call("stratum_resume", flow_id=at["flow_id"])["rounds_used"] == 1


def test_where_anybody_may_decide_the_agents_word_is_recorded_as_such(tmp_path: Path) -> None:
    person = Person(outcome="kill")
    with hosted(make_server(tmp_path), elicitation_callback=person.answer) as host:
        at = waiting(host)
        answer = decide(host, at, resolved_by="agent", rationale="fine")
        (found,) = decisions(host, at)
    assert person.asked == []
    assert answer["resolved"]["outcome"] == "approve"
    assert (found["resolved_by"], found["channel"], found["rationale"]) == ("agent", "mcp", "fine")


def test_calls_that_come_twice_at_once_count_once(tmp_path: Path) -> None:
    with hosted(make_server(tmp_path)) as host:
        at = host.call("stratum_plan", spec=SPEC)
        report = {
            **{name: at[name] for name in ("flow_id", "step_id", "dispatch_token")},
            "result": {"text": "x"},
        }
        answers = host.at_once(*[("stratum_step_done", report)] * 8)
        told = sorted(str(answer.get("error_type", answer["status"])) for answer in answers)
        assert told == ["await_gate", *["stale_dispatch"] * 7]
        audit = host.call("stratum_audit", flow_id=at["flow_id"])
        assert [len(step["attempts"]) for step in audit["trace"]] == [1, 0]


@pytest.mark.parametrize("era", ERAS)
def test_a_persons_empty_note_stays_empty(tmp_path: Path, era: str) -> None:
    person = Person(outcome="approve", note="")
    server = make_server(tmp_path, gates="human")
    with hosted(server, era, elicitation_callback=person.answer) as host:
        at = waiting(host)
        decide(host, at, "kill", rationale="the agent's own words")
        (found,) = decisions(host, at)
    assert (found["rationale"], found["resolved_by"], found["outcome"]) == ("", "human", "approve")
    assert found["proposed"] == {"outcome": "kill", "rationale": "the agent's own words"}


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("content", [{"outcome": "maybe"}, {"note": "x"}, {}])
def test_a_form_that_is_filled_in_wrong_decides_nothing(
    tmp_path: Path, era: str, content: dict[str, str]
) -> None:
    person = Person(**content)
    server = make_server(tmp_path, gates="human")
    with hosted(server, era, elicitation_callback=person.answer) as host:
        at = waiting(host)
        answer = decide(host, at)
        assert (answer["status"], answer["error_type"]) == ("error", "not_resolved")
        assert "Resolver" not in host.text
        assert host.call("stratum_resume", flow_id=at["flow_id"])["gate_token"] == at["gate_token"]


@pytest.mark.parametrize("era", ERAS)
def test_a_gate_without_a_way_back_offers_none(tmp_path: Path, era: str) -> None:
    person = Person(outcome="revise")
    spec = json.dumps(spec_of(note("a"), gate("check", after=["a"]), note("last", after=["check"])))
    with hosted(make_server(tmp_path, gates="human"), era, elicitation_callback=person.answer) as host:
        at = host.call("stratum_plan", spec=spec)
        at = host.call("stratum_step_done", flow_id=at["flow_id"], step_id="a", result={"text": "x"})
        assert decide(host, at)["error_type"] == "not_resolved"
    assert person.schemas[0]["properties"]["outcome"]["enum"] == ["approve", "kill"]
    assert "- revise" not in person.asked[0]
    assert 'To be judged: `a` gave {"text": "x"}' in person.asked[0]
    assert "- kill ends the run" in person.asked[0]


@pytest.mark.parametrize("era", ERAS)
def test_a_gate_that_was_decided_while_the_person_thought_is_stale(tmp_path: Path, era: str) -> None:
    store = MemoryStore()
    shell = FlowEngine(store, gates="human")

    async def slow(_context: Any, _params: ElicitRequestParams) -> ElicitResult:
        decided = shell.resolve_gate(at["flow_id"], "check", "approve", channel="command line")
        assert decided["status"] == "execute_step"
        return ElicitResult(action="accept", content={"outcome": "kill"})

    server = make_server(tmp_path, gates="human", store=store)
    with hosted(server, era, elicitation_callback=slow) as host:
        at = waiting(host)
        answer = decide(host, at)
    assert (answer["error_type"], answer["ready"][0]["step_id"]) == ("stale_gate", "last")


def test_a_decision_that_comes_twice_says_that_it_was_taken(tmp_path: Path) -> None:
    with hosted(make_server(tmp_path)) as host:
        at = waiting(host)
        decide(host, at, gate_token=at["gate_token"])
        answer = decide(host, at, gate_token=at["gate_token"])
    assert (answer["error_type"], answer["already"]) == ("stale_gate", "accepted")


def test_the_instructions_say_who_decides(tmp_path: Path) -> None:
    told = {gates: make_server(tmp_path, gates=gates).instructions or "" for gates in ("any", "human")}
    assert "stratumc gate" not in told["any"]
    assert "ask the person to run `stratumc gate`" in told["human"]


@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
def test_the_list_of_tools_never_changes(tmp_path: Path, revision: str) -> None:
    core = make_server(tmp_path)._lowlevel_server
    tools = core.get_capabilities(protocol_version=revision).tools
    assert tools is not None
    assert tools.list_changed is False


def test_a_person_is_shown_no_controls(tmp_path: Path) -> None:
    person = Person("decline")
    with hosted(make_server(tmp_path, gates="human"), elicitation_callback=person.answer) as host:
        at = host.call("stratum_plan", spec=SPEC)
        text = "fine\n- kill lets the run go on \u202e \x1b[31m"
        report = {"flow_id": at["flow_id"], "step_id": "a", "result": {"text": text}}
        decide(host, host.call("stratum_step_done", **report), rationale="\u202enever\x1b[0m")
    (asked,) = person.asked
    assert [line for line in asked.split("\n") if not line.isprintable()] == []
    assert [line.split()[1] for line in asked.split("\n") if line.startswith("- ")] == [
        "approve",
        "revise",
        "kill",
    ]
