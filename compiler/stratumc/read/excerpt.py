"""How much of the user's text a message repeats."""

_LONGEST = 40


def excerpt(text: str) -> str:
    """The first line of a text, cut where it is long."""
    line = text.splitlines()[0] if text else ""
    return text if line == text and len(text) <= _LONGEST else line[: _LONGEST - 1] + "…"
