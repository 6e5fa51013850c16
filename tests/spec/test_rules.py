"""Each rule of v1.md on the smallest document that shows it: exactly these findings, and no others."""

from __future__ import annotations

import pytest

from support.spec_texts import GATE, faults, flow, load, spec

Faults = set[tuple[str, str]]

CHECK = "- {id: check, after: [write], do: Check it}\n"
FANOUT = """
- id: each
  fanout:
    over: {over}
    steps:
      - do: Look at ${{item}}
      - do: Sum up ${{prev}}
        {more}
    concurrency: 2
    isolation: {isolation}
    require: all
    merge: sequential
    dispatch: consumer
"""


def fanout(over: str = "${input.topics}", isolation: str = "none", more: str = "agent: codex") -> str:
    return FANOUT.format(over=f'"{over}"', isolation=isolation, more=more)


def steps(text: str, **options: str) -> Faults:
    """The findings about a flow of the step `write` and these; paths begin at `steps[1]`."""
    prefix = "flows.main."
    return {(code, path.removeprefix(prefix)) for code, path in faults(spec(flow(text, **options)))}


def test_the_document_that_all_cases_start_from_is_clean() -> None:
    assert faults(spec(flow())) == set()
    assert steps(CHECK + GATE, head="max_rounds: 2") == set()
    assert steps(fanout()) == set()


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Use ${input.topic} and ${input.topics[0]}", set()),
        ("Use ${input.nothing}", {"REF_UNKNOWN_PATH"}),
        ("Use ${input.topics.length}", {"REF_UNKNOWN_PATH"}),
        ("Use ${write.output} ${write.output.more.a[0]} ${write.output.parts[2].size}", set()),
        ("Use ${write.output.parts.size}", {"REF_UNKNOWN_PATH"}),
        ("Use ${write.output.rest.x}", {"REF_UNKNOWN_PATH"}),
        ("Use ${ghost.output}", {"REF_UNKNOWN_STEP"}),
        ("Use ${ghost.output} and ${ghost.output.again}", {"REF_UNKNOWN_STEP"}),
        ("Use ${step.output}", {"REF_OUTPUT_CONTRACT_REQUIRED"}),
        ("Use ${wave}", {"REF_UNKNOWN_CARRY"}),
        ("Use ${item.name}", {"REF_UNKNOWN_CARRY"}),
        ("Use ${item}", {"REF_INVALID_SCOPE"}),
        ("Use ${input.nothing} ${not one}", {"REF_INVALID"}),
    ],
)
def test_references_in_a_task(text: str, wanted: set[str]) -> None:
    found = steps(f'- {{id: step, do: "{text}"}}')
    assert found == {(code, "steps[1].do") for code in wanted}


@pytest.mark.parametrize(
    ("field", "path"),
    [
        ('when: "TEXT"', "when"),
        ('ensure: [{expr: "TEXT"}]', "ensure[0].expr"),
        ('iterate: {max: 2, until: "TEXT"}', "iterate.until"),
    ],
)
def test_expressions_hold_references_that_make_edges_but_no_carry_references(field: str, path: str) -> None:
    def found(text: str) -> Faults:
        return steps("- id: step\n  do: Work\n  out: Note\n  " + field.replace("TEXT", text))

    assert found("${write.output.text} == ''") == set()
    assert found("${step.output.text} == ''") == {("ROUTING_SELF_TARGET", f"steps[1].{path}")}
    assert found("${wave}") == {("CARRY_REF_IN_EXPRESSION", f"steps[1].{path}")}
    assert found("${item}") == {("REF_INVALID_SCOPE", f"steps[1].{path}")}
    assert found("$ {item} ((") == set()


def test_strings_of_with_are_references_at_any_depth() -> None:
    call = '- {id: call, run: child, with: {topic: {a: [1, "${ghost.output}"]}, topics: "${input.topics}"}}'
    assert faults(spec(flow(call), flow(name="child"))) == {
        ("REF_UNKNOWN_STEP", "flows.main.steps[1].with.topic.a[1]")
    }


@pytest.mark.parametrize(
    "field", ["ensure: [{file_exists: TEXT}]", "ensure: [{judged: {statement: TEXT, stakes: cheap}}]"]
)
def test_what_is_not_scanned(field: str) -> None:
    assert steps("- id: step\n  do: Work\n  " + field.replace("TEXT", '"${ghost} ${"')) == set()
    assert steps('- {id: step, evaluate: {command: "ls ${x", timeout_ms: 1}}') == set()


@pytest.mark.parametrize(
    ("over", "wanted"),
    [
        ("${write.output.tags}", set()),
        ("${write.output}", set()),
        ("", {"FANOUT_OVER_SINGLE_REF"}),
        ("all of ${input.topics}", {"FANOUT_OVER_SINGLE_REF"}),
        ("${input.topics", {"FANOUT_OVER_SINGLE_REF"}),
        ("at ${ghost.output}", {"FANOUT_OVER_SINGLE_REF", "REF_UNKNOWN_STEP"}),
        ("${item}", {"REF_INVALID_SCOPE"}),
    ],
)
def test_what_a_fanout_runs_over(over: str, wanted: set[str]) -> None:
    assert steps(fanout(over)) == {(code, "steps[1].fanout.over") for code in wanted}


def test_the_output_of_a_fanout_needs_a_contract_and_an_index() -> None:
    last = "steps[1].fanout.steps[1]"
    assert steps(fanout() + "- {id: sum, do: 'Sum ${each.output}'}") == {
        ("FANOUT_OUTPUT_REQUIRES_FINAL_OUT", f"{last}.out")
    }
    assert steps(fanout(), out="${each.output[0]}") == {("FANOUT_OUTPUT_REQUIRES_FINAL_OUT", f"{last}.out")}
    typed = fanout(more="out: Note")
    assert steps(typed, out="${each.output[0]}") == set()
    assert steps(typed, out="${each.output}") == {("REF_UNKNOWN_PATH", "output.from")}
    assert steps(typed + "- {id: sum, do: 'Sum ${each.output.text}'}") == {
        ("REF_UNKNOWN_PATH", "steps[2].do")
    }


@pytest.mark.parametrize(
    ("out", "wanted"),
    [
        ("${write.output.parts[0]}", set()),
        ("${ghost.output}", {"REF_UNKNOWN_STEP"}),
        ("${input.topic}", {"REF_INVALID"}),
        ("the ${write.output}", {"REF_INVALID"}),
        ("${write.output", {"REF_INVALID"}),
        ("${write.output.nothing}", {"REF_UNKNOWN_PATH"}),
        ("${decide.output}", {"REF_OUTPUT_CONTRACT_REQUIRED"}),
        ("${wave.output}", {"REF_UNKNOWN_STEP"}),
    ],
)
def test_where_a_flow_takes_its_output_from(out: str, wanted: set[str]) -> None:
    head = "max_rounds: 2\ncarry: {wave: {initial: '${input.topic}'}}"
    assert steps(CHECK + GATE, head=head, out=out) == {(code, "output.from") for code in wanted}


# --- edges and gates -----------------------------------------------------------------------------


def test_the_edge_that_closes_a_circle_is_the_last_in_document_order() -> None:
    one = "- {id: one, after: [two], do: One, on_fail: three}\n"
    two = "- {id: two, after: [three], do: Two}\n"
    three = "- {id: three, do: Three}\n"
    assert steps(one + two + three) == {("ROUTING_CYCLE", "steps[2].after[0]")}
    assert steps(three + two + one) == {("ROUTING_CYCLE", "steps[3].on_fail")}


def test_every_circle_is_reported_once() -> None:
    pairs = "".join(
        f"- {{id: a{n}, after: [b{n}], do: A}}\n- {{id: b{n}, after: [a{n}], do: B}}\n" for n in range(15)
    )
    assert steps(pairs) == {("ROUTING_CYCLE", f"steps[{2 * n + 2}].after[0]") for n in range(15)}


def test_the_circle_is_told_with_its_edges() -> None:
    text = spec(flow("- {id: one, after: [two], do: One}\n- {id: two, after: [one], do: Two}\n"))
    (finding,) = load(text).findings
    assert finding.message == "this closes a circle of steps: `two` → `one` → `two`"
    (related,) = finding.related
    assert related.at.path == ("flows", "main", "steps", 1, "after", 0)


def test_reading_ones_own_output_is_first_a_matter_of_its_contract() -> None:
    assert steps("- {id: step, do: 'Use ${step.output}'}") == {
        ("REF_OUTPUT_CONTRACT_REQUIRED", "steps[1].do")
    }
    assert steps("- {id: step, do: 'Use ${step.output}', out: Note}") == {
        ("ROUTING_SELF_TARGET", "steps[1].do")
    }


@pytest.mark.parametrize(
    ("target", "code"),
    [
        ("write", None),
        ("check", None),
        ("decide", "ROUTING_SELF_TARGET"),
        ("ghost", "ROUTING_UNKNOWN_TARGET"),
        ("after", "GATE_REVISE_NOT_ANCESTOR"),
        ("other", "GATE_REVISE_NOT_ANCESTOR"),
    ],
)
def test_revise_targets(target: str, code: str | None) -> None:
    gate = GATE.replace("on_revise: write", f"on_revise: {target}").replace(
        "on_approve: null", "on_approve: after"
    )
    more = "- {id: after, do: Go on}\n- {id: other, do: Another}\n"
    wanted = set() if code is None else {(code, "steps[2].gate.on_revise")}
    assert steps(CHECK + gate + more, head="max_rounds: 2") == wanted


def test_only_the_first_revising_gate_asks_for_max_rounds() -> None:
    second = GATE.replace("decide", "again")
    assert steps(CHECK + GATE + second) == {("GATE_REVISE_REQUIRES_MAX_ROUNDS", "steps[2].gate.on_revise")}


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
