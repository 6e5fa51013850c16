"""Carry variables, calls, consumers, contracts, and what is kept back, on the smallest documents."""

from __future__ import annotations

import pytest

from support.spec_texts import CHECK, GATE, Faults, fanout, faults, flow, load, spec, steps

# --- carry ---------------------------------------------------------------------------------------

WAVE = "max_rounds: 2\ncarry:\n  wave:\n    initial: '{initial}'\n    on_revise: {{{key}: '{value}'}}"
READ = "- {id: check, after: [write], do: 'Check ${wave}'}\n"


def wave(initial: str = "${write.output.text}", key: str = "decide", value: str = "${input.topic}") -> str:
    return WAVE.format(initial=initial, key=key, value=value)


@pytest.mark.parametrize(
    ("text", "head", "wanted"),
    [
        (READ + GATE, wave(), set()),
        (READ + GATE, wave("${input.topic}"), set()),
        (READ + GATE, wave("x"), {("CARRY_REF_INVALID", "carry.wave.initial")}),
        (READ + GATE, wave("${wave}"), {("CARRY_REF_INVALID", "carry.wave.initial")}),
        (READ + GATE, wave("${input.none}"), {("REF_UNKNOWN_PATH", "carry.wave.initial")}),
        (READ + GATE, wave("${wave.output}"), {("CARRY_PATH_RESERVED", "carry.wave.initial")}),
        (READ + GATE, wave(value="${ghost.output}"), {("REF_UNKNOWN_STEP", "carry.wave.on_revise.decide")}),
        (READ + GATE, wave(key="check"), {("CARRY_UNKNOWN_GATE", "carry.wave.on_revise.check")}),
        (READ + GATE, wave(key="ghost"), {("CARRY_UNKNOWN_GATE", "carry.wave.on_revise.ghost")}),
        (
            READ + GATE.replace("on_revise: write", "on_revise: null"),
            wave(),
            {("CARRY_REVISE_TARGET_NULL", "carry.wave.on_revise.decide")},
        ),
        (
            READ + GATE.replace("[check]", "[write]"),
            wave(),
            {("CARRY_REVISE_GATE_NOT_AFTER_CONSUMER", "carry.wave.on_revise.decide")},
        ),
        (
            "- {id: early, after: [write], do: '${wave}'}\n"
            + READ
            + GATE.replace("[check]", "[check, early]").replace("on_revise: write", "on_revise: check"),
            wave(),
            {("CARRY_REVISE_MISSES_CONSUMER", "carry.wave.on_revise.decide")},
        ),
        (
            READ.replace("after: [write], ", "") + GATE.replace("[check]", "[check, write]"),
            wave(),
            {
                ("CARRY_REF_BEFORE_INITIAL", "steps[1].do"),
                ("CARRY_REVISE_MISSES_CONSUMER", "carry.wave.on_revise.decide"),
            },
        ),
        (
            READ + GATE,
            wave("${decide.output}"),
            {
                ("CARRY_INITIAL_SOURCE_CONDITIONAL", "carry.wave.initial"),
                ("CARRY_REF_BEFORE_INITIAL", "steps[1].do"),
            },
        ),
    ],
)
def test_carry(text: str, head: str, wanted: Faults) -> None:
    assert steps(text, head=head) == wanted


@pytest.mark.parametrize("name", ["item", "prev", "input", "write"])
def test_names_that_carry_variables_may_not_have(name: str) -> None:
    head = f"carry: {{{name}: {{initial: '${{input.topic}}'}}}}"
    assert steps("", head=head) == {("CARRY_NAME_CONFLICT", f"carry.{name}")}


# --- flows ---------------------------------------------------------------------------------------


def call(flow_name: str = "child", given: str = "topic: t, topics: null") -> str:
    return f"- {{id: call, run: {flow_name}, with: {{{given}}}}}\n"


def test_calls() -> None:
    child = flow(name="child")
    assert faults(spec(flow(call()), child)) == set()
    assert faults(spec(flow(call("chidl")), child)) == {("SUBFLOW_UNKNOWN", "flows.main.steps[1].run")}
    for given in ("topic: t", "topic: t, topics: null, more: 1", "toppic: t, topics: null"):
        assert faults(spec(flow(call(given=given)), child)) == {
            ("SUBFLOW_WITH_MISMATCH", "flows.main.steps[1].with")
        }
    assert faults(spec(flow(call("main")))) == {("SUBFLOW_RECURSIVE", "flows.main.steps[1].run")}
    assert faults(spec(flow(), flow(fanout(), name="child"))) == {
        ("SUBFLOW_BODY_RESTRICTED", "flows.child.steps[1].fanout")
    }
    assert faults(spec(flow(), flow(name="child", head="carry: {}"))) == {
        ("CARRY_ROOT_ONLY", "flows.child.carry")
    }


def test_recursion_is_found_by_a_walk_in_document_order() -> None:
    child = flow(call("main"), name="child")
    restricted = ("SUBFLOW_BODY_RESTRICTED", "flows.child.steps[1].run")
    assert faults(spec(flow(call()), child)) == {
        ("SUBFLOW_RECURSIVE", "flows.child.steps[1].run"),
        restricted,
    }
    assert faults(spec(child, flow(call()))) == {("SUBFLOW_RECURSIVE", "flows.main.steps[1].run"), restricted}


def test_consumer_worktrees() -> None:
    land = "- {id: land, after: [each], gate: {on_approve: null, on_revise: null, on_kill: null}}\n"
    files = fanout(isolation="worktree", more="ensure: [{file_exists: a}, {expr: \"file_exists('a') &&\"}]")
    assert steps(fanout(isolation="worktree")) == {
        ("CONSUMER_WORKTREE_GATE_REQUIRED", "steps[1].fanout.isolation")
    }
    assert steps(fanout(isolation="worktree") + land) == set()
    assert steps(files + land) == {
        ("CONSUMER_WORKTREE_FILESYSTEM_UNSUPPORTED", "steps[1].fanout.steps[1].ensure[0]")
    }
    assert steps(files.replace("worktree", "none")) == set()


# --- contracts -----------------------------------------------------------------------------------


def test_circles_of_contracts_are_found_by_a_walk_in_document_order() -> None:
    contracts = "Note: {text: string, a: A?}\nA: {b: 'B[]', note: Note}\nB: {a: A, b: B}\nC: {note: Note}"
    assert faults(spec(flow(), contracts=contracts)) == {
        ("CONTRACT_RECURSIVE_REF", "contracts.B.a"),
        ("CONTRACT_RECURSIVE_REF", "contracts.B.b"),
        ("CONTRACT_RECURSIVE_REF", "contracts.A.note"),
    }


def test_the_tree_has_no_type_where_one_was_reported() -> None:
    contracts = "Note: {text: strin, again: Note, gone: Gone, good: string}"
    loaded = load(spec(flow(), contracts=contracts)).spec
    assert loaded is not None
    types = {name: field.type for name, field in loaded.contracts["Note"].fields.items()}
    assert [name for name, type_ in types.items() if type_ is None] == ["text", "again", "gone"]


# --- no follow-up errors -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "- {id: check, do: 3}\n- {id: sum, after: [check], do: 'Use ${check.output.x}'}",
            {("SCHEMA_INVALID", "steps[1].do")},
        ),
        (
            "- {do: Check}\n- {id: sum, after: [check], do: 'Use ${check.output}'}",
            {("SCHEMA_INVALID", "steps[1].id")},
        ),
        (
            "- {id: Check, do: Check}\n- {id: sum, do: 'Use ${check.output}'}",
            {("SCHEMA_INVALID", "steps[1].id")},
        ),
        (
            "- {id: check, do: Check, out: null}\n- {id: sum, do: 'Use ${check.output.x}'}",
            {("SCHEMA_INVALID", "steps[1].out")},
        ),
        (
            "- {id: check, do: Check, out: Nope}\n- {id: sum, do: 'Use ${check.output.x}'}",
            {("CONTRACT_UNKNOWN_REF", "steps[1].out")},
        ),
        (
            "- {id: check, run: nope, with: {}}\n- {id: sum, do: 'Use ${check.output.x}'}",
            {("SUBFLOW_UNKNOWN", "steps[1].run")},
        ),
        (
            "- {id: check, do: Check, set: {}}\n- {id: sum, do: 'Use ${check.output.x}'}",
            {("E2_CONSTRUCT_MIX", "steps[1]")},
        ),
        (CHECK.replace("write", "wirte") + GATE, {("ROUTING_UNKNOWN_TARGET", "steps[1].after[0]")}),
        (CHECK.replace("[write]", "3") + GATE, {("SCHEMA_INVALID", "steps[1].after")}),
        (
            "- {id: write, do: Again}\n- {id: sum, do: 'Use ${write.output.x}'}",
            {("STEP_DUPLICATE_ID", "steps[1].id")},
        ),
    ],
)
def test_what_was_reported_is_not_reported_again_elsewhere(text: str, wanted: Faults) -> None:
    assert steps(text, head="max_rounds: 2") == wanted


def test_nothing_is_said_of_flows_and_contracts_that_cannot_be_read() -> None:
    assert faults(spec(flow(call()), "  child: 3\n")) == {("SCHEMA_INVALID", "flows.child")}
    assert faults(spec(flow(), entry="[]")) == {("SCHEMA_INVALID", "flows.entry")}
    assert faults(spec(flow(fanout(), name="other"), entry="nope")) == {("FLOW_UNKNOWN_ENTRY", "flows.entry")}
    assert faults(spec(flow(), contracts="Note: {constructor: strin, 1: x}")) == {
        ("E2_RESERVED_FIELD", "contracts.Note.constructor")
    }
    text = spec(flow("- {id: check, do: 'Use ${write.output.any}'}"), contracts="Note: 3")
    assert faults(text) == {("SCHEMA_INVALID", "contracts.Note")}
    assert faults("version: 1\ncontracts: 3\nflows:\n  entry: main\n" + flow()) == {
        ("SCHEMA_INVALID", "contracts")
    }
