"""Each rule of v1.md on the smallest document that shows it: exactly these findings, and no others."""

from __future__ import annotations

import pytest

from stratumc.diagnostics import Source, concretize
from stratumc.read import read_document
from stratumc.spec import load_spec
from stratumc.text import Document
from support.spec_texts import CHECK, GATE, Faults, fanout, faults, flow, load, spec, steps


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
        ("Use ${input.nothing} ${not one}", {"REF_INVALID", "REF_UNKNOWN_PATH"}),
        ("Use ${not one} ${ghost.output} and ${wave", {"REF_INVALID", "REF_UNKNOWN_STEP"}),
        ("Use ${not one} ${step.output}", {"REF_INVALID", "REF_OUTPUT_CONTRACT_REQUIRED"}),
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


def test_a_reference_is_shown_where_it_stands_in_its_text() -> None:
    """The path stays that of the string; findings in one string are in the order of the text."""
    task = """
    - id: step
      do: |
        First \"quoted\"
        then ${ghost.output} and ${input.nothing},
        then ${wave} and ${ghost.output} again
        and ${the end} or ${this ${item}
        and ${
    """
    text = spec(flow(task))
    document = Document("x.stratum.yaml", text)
    root = read_document(document).root
    assert root is not None
    found = concretize(load_spec(root).findings, [Source(document, root)])
    shown = [document.line(one.span.line)[one.span.column - 1 : one.span.end_column - 1] for one in found]
    assert shown == [
        "${ghost.output}",
        "${input.nothing}",
        "${wave}",
        "${the end}",
        "${this",
        "${item}",
        "${",
    ]
    assert {one.path for one in found} == {"flows.main.steps[1].do"}


@pytest.mark.parametrize(
    ("written", "suggestion"),
    [
        ("string []", "did you mean `string[]`?"),
        ("[string]", "did you mean `string[]`?"),
        ("list[Note]?", "did you mean `Note[]?`?"),
        ("Array<integer>", "did you mean `integer[]`?"),
        ("String", "did you mean `string`?"),
        ("Nota", "did you mean `Note`?"),
    ],
)
def test_what_was_meant_by_a_type(written: str, suggestion: str) -> None:
    text = spec(flow(inputs=f"extra: '{written}'"))
    assert [finding.suggestion for finding in load(text).findings] == [suggestion]


@pytest.mark.parametrize(
    ("step", "suggestion"),
    [
        ("{id: a, do: A, ensure: [{expression: 'true'}]}", "did you mean `expr`?"),
        ("{id: a, do: A, ensure: [{judge: {}}]}", "did you mean `judged`?"),
        ("{id: a, do: A, <<: {}}", "YAML 1.2 has no merge keys: write out what `<<` stands for"),
        ("{id: a, do: 'A ${inputs.topic}'}", "an input is read by its name: `${input.field}`"),
        ("{id: a, do: 'A ${ input . topic }'}", "did you mean `${input.topic}`?"),
        ("{id: a, do: 'A ${Write.Output}'}", "did you mean `${write.output}`?"),
        ("{id: a, do: 'A ${input.topics[ 0 ]}'}", "did you mean `${input.topics[0]}`?"),
        (
            "{id: a, do: 'A ${the topic}'}",
            "a reference is `${input.field}`, `${step.output}`, `${item}`, `${prev}` or `${variable}`",
        ),
    ],
)
def test_what_was_meant_by_a_key_or_reference(step: str, suggestion: str) -> None:
    assert [finding.suggestion for finding in load(spec(flow(f"- {step}"))).findings] == [suggestion]
