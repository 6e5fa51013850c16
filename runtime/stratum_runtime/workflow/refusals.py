"""Every way in which a workflow tool says no (workflow.md section 4)."""

from __future__ import annotations

from typing import Any

Answer = dict[str, Any]

CODES = (
    "workflow_invalid",
    "event_not_allowed",
    "no_trigger",
    "state_conflict",
    "unknown_state",
    "state_file_invalid",
    "owned_field",
    "outside_root",
    "invalid_argument",
    "not_resumable",
    "stale_token",
    "change_invalid",
    "owned_by_fragment",
    "state_in_use",
    "io_error",
)


class RefusalError(Exception):
    """Ends a call with a refusal; nothing was changed unless the message says so."""

    def __init__(self, code: str, message: str, **more: Any) -> None:
        super().__init__(message)
        assert code in CODES, code
        self.code = code
        self.message = message
        self.more = more

    def answer(self) -> Answer:
        """The refusal as a tool's result: `error` with `code`, `message` and what helps to go on."""
        return {"error": {"code": self.code, "message": self.message, **self.more}}


def first_error(diagnostics: list[Answer]) -> str:
    """The first of the errors among diagnostics, with its code and place, and how many more there are."""
    first, *others = (diagnostic for diagnostic in diagnostics if diagnostic["severity"] == "error")
    span = first["span"]
    place = f"{first['code']}, {span['file']}:{span['line']}:{span['column']}"
    return f"{first['message']} ({place}){f', and {len(others)} more' if others else ''}"


def io_refusal(error: OSError, doing: str, **more: Any) -> RefusalError:
    """The refusal for a failed call of the operating system; `doing` completes "can't …"."""
    reason = error.strerror or str(error)
    where = f" `{error.filename}`" if isinstance(error.filename, str) else ""
    return RefusalError("io_error", f"can't {doing}{where}: {reason}", **more)
