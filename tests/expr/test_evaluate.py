"""The public `evaluate`: text, bindings and a workspace to a value or a failure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import stratumc
from stratum_runtime.expression import Failure, Value


def test_a_value_or_a_failure_with_its_place() -> None:
    assert stratumc.evaluate("input.n + 1", {"input": {"n": 2}}) == Value(3)
    outcome = stratumc.evaluate("input.n > 'a'", {"input": {"n": 2}})
    assert outcome == Failure(
        "type_error", "`>` compares two numbers or two strings, not a number and a string (character 1)"
    )


@pytest.mark.parametrize(
    ("expression", "code"),
    [
        ("1 +", "parse_error"),
        ("-" * 129 + "1", "resource_limit"),
        ("item", "unknown_identifier"),
        ("f(1)", "unknown_function"),
        ("len(1)", "type_error"),
        ("matches('a', '(?=a)')", "validation_error"),
        ("file_exists('a')", "validation_error"),
    ],
)
def test_each_code(expression: str, code: str) -> None:
    outcome = stratumc.evaluate(expression, {})
    assert isinstance(outcome, Failure)
    assert outcome.code == code


def test_only_the_four_names_can_be_bound() -> None:
    outcome = stratumc.evaluate("other", {"other": 1})
    assert isinstance(outcome, Failure)
    assert outcome.code == "unknown_identifier"


def test_files_of_the_workspace(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.txt").write_text("all good\n", "utf-8")

    def ask(expression: str) -> object:
        outcome = stratumc.evaluate(expression, {}, workspace_root=tmp_path)
        return outcome.value if isinstance(outcome, Value) else outcome.code

    assert ask("file_exists('notes/a.txt') && !file_exists('notes/b.txt')") is True
    assert ask("file_contains('notes/a.txt', 'good')") is True
    assert ask("file_contains('notes/a.txt', 'bad') || file_contains('none', 'x')") is False
    assert ask("file_exists('notes/../notes/a.txt')") is True
    assert ask("file_exists('../a')") == "validation_error"
    assert ask("file_exists('/etc/passwd')") == "validation_error"
    assert ask("file_exists(1)") == "type_error"
    assert ask("file_exists('')") == "validation_error"


LOOP: list[object] = []
LOOP.append(LOOP)


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (float("nan"), "type_error"),
        ([float("inf")], "type_error"),
        ({1: 2}, "type_error"),
        ((1, 2), "type_error"),
        ([{1}], "type_error"),
        (object(), "type_error"),
        (LOOP, "resource_limit"),
    ],
)
def test_a_binding_that_is_no_json_fails_when_it_is_read(value: object, code: str) -> None:
    outcome = stratumc.evaluate("result", {"result": value})
    assert isinstance(outcome, Failure)
    assert outcome.code == code
    assert stratumc.evaluate("true || result", {"result": value}) == Value(True)


def test_halves_of_pairs_in_bindings_are_one_character() -> None:
    bindings = {"result": {"\ud83d\ude00": "\ud83d\ude00"}}
    assert stratumc.evaluate("'😀' in result && str(result) == '{\"😀\":\"😀\"}'", bindings) == Value(True)


@pytest.mark.parametrize(("expression", "bindings"), [(None, {}), (b"1", {}), ("input", None), ("1", [])])
def test_arguments_of_a_wrong_kind_are_refused(expression: Any, bindings: Any) -> None:
    with pytest.raises(TypeError, match="must be a"):
        stratumc.evaluate(expression, bindings)


@pytest.mark.parametrize("root", [5, "a\0b", "/no/such/folder", b"/tmp", "\ud800"])
def test_a_workspace_root_that_is_no_folder_is_a_failure(root: Any) -> None:
    for text in (
        "file_exists('a')",
        "file_exists('\\u0000')",
        "file_exists('\\ud800')",
        "file_contains('a', 'b')",
    ):
        outcome = stratumc.evaluate(text, {}, workspace_root=root)
        assert isinstance(outcome, Failure | Value)
        assert not isinstance(outcome, Value) or outcome.value is False
