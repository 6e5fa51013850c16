"""How a terminal is shown characters that have no picture, turn text around, or steer the terminal."""


def visible(text: str) -> str:
    """The text on one line, with escapes for all that isn't printed; no name can pass for our own words."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
