"""The expressions of one table, prepared once, and which outputs each of them can name."""

from __future__ import annotations

from typing import Any

from stratum_runtime.expression import Failure, Program, Value, evaluate, prepare
from stratum_runtime.table import Table
from stratum_runtime.workspace import Workspace


class Expressions:
    """Evaluates expressions of a table by their number."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._programs: dict[int, Program] = {}
        self._named: dict[int, tuple[str, ...] | None] = {}
        self._reads_input: dict[int, bool] = {}

    def text(self, number: int) -> str:
        """The expression as the spec has it."""
        return str(self.table.expressions[number]["text"])

    def evaluate(self, number: int, names: dict[str, Any], files: Workspace | None) -> Value | Failure:
        """The value of an expression under these names, or why it has none."""
        program = self._programs.get(number)
        if program is None:
            program = self._programs[number] = prepare(self.table.expressions[number]["code"])
        return evaluate(program, names, files=files)

    def reads_input(self, number: int) -> bool:
        """Whether an expression names `input`."""
        found = self._reads_input.get(number)
        if found is None:
            operations = self.table.expressions[number]["code"].get("ops", ())
            found = self._reads_input[number] = ["name", "input"] in operations
        return found

    def outputs_named(self, number: int) -> tuple[str, ...] | None:
        """The members of `result` that an expression reads; None when it may read any."""
        if number not in self._named:
            self._named[number] = _members_of_result(self.table.expressions[number]["code"])
        return self._named[number]


def _members_of_result(code: dict[str, Any]) -> tuple[str, ...] | None:
    """In postfix form a member that is read of `result` follows the name at once."""
    operations = code.get("ops", [])
    found: list[str] = []
    for at, operation in enumerate(operations):
        if operation == ["name", "result"]:
            after = operations[at + 1] if at + 1 < len(operations) else [None]
            if after[0] != "member":
                return None
            found.append(str(after[1]))
    return tuple(dict.fromkeys(found))
