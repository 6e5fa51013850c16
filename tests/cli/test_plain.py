"""The quick reader of command lines says the same as the parser of options, or nothing."""

from __future__ import annotations

from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stratumc.cli import app, check
from stratumc.cli.check_request import CheckRequest
from stratumc.cli.plain import read_plainly

WORDS = [
    "--strict",
    "--statistics",
    "--stats",
    "--quiet",
    "-q",
    "--no-cache",
    "--kind",
    "--format",
    "--family",
    "spec",
    "workflow",
    "text",
    "json",
    "rule",
    "proof",
    "-",
    "a b.stratum.yaml",
    "--",
    "--jobs",
    "2",
    "--famil",
    "--format=json",
    "-qq",
    "",
]


def read_by_parser(arguments: list[str]) -> CheckRequest | None:
    """What the parser of options makes of a command line; None when it refuses it."""
    seen: list[CheckRequest] = []

    def keep(request: CheckRequest) -> int:
        seen.append(request)
        return 0

    with mock.patch.object(check, "run_check", keep):
        app.run(["check", *arguments])
    return seen[0] if seen else None


@given(st.lists(st.sampled_from(WORDS), max_size=5))
def test_both_readers_agree(arguments: list[str]) -> None:
    quick = read_plainly(arguments)
    if quick is not None:
        assert read_by_parser(arguments) == quick


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["-"],
        ["a", "b"],
        ["--family", "rule", "--no-cache", "a"],
        ["a", "--format", "sarif", "--strict", "-q"],
        ["--kind", "workflow", "--kind", "spec", "a"],
        ["--statistics", "--stats", "--family", "type", "--family", "proof"],
    ],
)
def test_what_hooks_and_editors_write_is_read_quickly(arguments: list[str]) -> None:
    quick = read_plainly(arguments)
    assert quick is not None
    assert read_by_parser(arguments) == quick


@pytest.mark.parametrize(
    "arguments", [["--help"], ["--jobs", "2"], ["--format", "xml"], ["--family"], ["--quie"], ["--", "-a"]]
)
def test_all_else_is_left_to_the_parser(arguments: list[str]) -> None:
    assert read_plainly(arguments) is None
