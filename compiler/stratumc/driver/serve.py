"""What the server's tools ask of the compiler: is this text a valid spec, and which table is it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from stratumc.driver.pipeline import check, compile

if TYPE_CHECKING:
    from stratum_runtime import Table

_NAME = "spec"


class TextCompiler:
    """Checks and compiles documents that callers hand over as text (tools.md)."""

    def validate(self, spec: str) -> dict[str, Any]:
        """`valid`, `errors`, `warnings` (infos among them) and `bounds` of a document."""
        result = check(spec, name=_NAME, kind="spec")
        found = [one.to_dict() for one in result.diagnostics]
        return {
            "valid": result.ok,
            "errors": [one for one in found if one["severity"] == "error"],
            "warnings": [one for one in found if one["severity"] != "error"],
            "bounds": result.bounds or {},
        }

    def plan(self, spec: str) -> tuple[Table | None, list[dict[str, Any]]]:
        """The document's table, None when it has errors; and everything that was found."""
        compiled = compile(spec, name=_NAME, kind="spec")
        return compiled.table, [one.to_dict() for one in compiled.diagnostics]
