"""The evaluator and the typing agree: what is found to fail fails, and what isn't found doesn't."""

from __future__ import annotations

from typing import Any

from hypothesis import event, given, settings
from hypothesis import strategies as st

from stratum_runtime.expression import Failure, Value, evaluate
from stratumc.expr import Expression, compile_expression, parse
from stratumc.expr.infer import infer
from stratumc.expr.outcome import Scope, Use
from stratumc.expr.types import BOOLEAN, Type
from support.expressions import REPORT, TEXTS, belongs, values_of

REPORT_TYPE = Type(objects=(REPORT,))
SCOPE = Scope({"result": REPORT_TYPE})
BATCH = st.lists(values_of(REPORT_TYPE), min_size=4, max_size=4)


def parsed(text: str) -> Expression:
    tree = parse(text)
    assert not hasattr(tree, "message"), tree
    return tree


@settings(max_examples=120)
@given(TEXTS, BATCH)
def test_well_typed_expressions_never_fail_and_give_values_of_their_type(
    text: str, values: list[Any]
) -> None:
    tree = parsed(text)
    typing = infer(tree, SCOPE)
    has_unknown_parts = "meta" in text
    for value in values:
        outcome = evaluate(compile_expression(tree), {"result": value})
        if isinstance(outcome, Value):
            event("value")
            assert not typing.outcome.fails
            assert belongs(outcome.value, typing.type), typing.type
        elif not typing.faults and not has_unknown_parts:
            raise AssertionError(f"{text}: {outcome} on {value}")


@settings(max_examples=100)
@given(TEXTS, BATCH)
def test_what_is_said_to_fail_always_does(text: str, values: list[Any]) -> None:
    tree = parsed(text)
    typing = infer(tree, SCOPE)
    always = typing.outcome.fails or any(
        fault.is_certain
        for fault in typing.faults
        if fault.code not in ("ENUM_VALUE_UNKNOWN", "EXPR_UNKNOWN_NAME")
    )
    if always:
        event("fails")
        compiled = compile_expression(tree)
        assert all(isinstance(evaluate(compiled, {"result": value}), Failure) for value in values)


@settings(max_examples=100)
@given(TEXTS, BATCH)
def test_a_predicate_without_findings_is_true_or_false(text: str, values: list[Any]) -> None:
    tree = parsed(text)
    typing = infer(tree, SCOPE, Use.PREDICATE)
    if "meta" in text or typing.faults:
        return
    event("predicate")
    for value in values:
        outcome = evaluate(compile_expression(tree), {"result": value})
        assert isinstance(outcome, Value)
        assert belongs(outcome.value, BOOLEAN)


@settings(max_examples=60)
@given(TEXTS, BATCH)
def test_every_warning_has_a_code_and_a_place_inside_the_text(text: str, values: list[Any]) -> None:
    for fault in infer(parsed(text), SCOPE, Use.PREDICATE).faults:
        assert 0 <= fault.start < fault.end <= len(text)
        assert fault.message
