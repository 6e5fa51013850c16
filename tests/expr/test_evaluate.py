"""The public `evaluate`: text, bindings and a workspace to a value or a failure."""

from __future__ import annotations

from pathlib import Path

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
