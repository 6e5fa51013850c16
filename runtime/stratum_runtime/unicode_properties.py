"""The Unicode properties that patterns may name: general categories, and those the standard library knows."""

from __future__ import annotations

_CATEGORIES = {
    "LC": "Cased_Letter", "Cc": "Control", "Cf": "Format", "Cn": "Unassigned", "Co": "Private_Use",
    "Cs": "Surrogate", "Ll": "Lowercase_Letter", "Lm": "Modifier_Letter", "Lo": "Other_Letter",
    "Lt": "Titlecase_Letter", "Lu": "Uppercase_Letter", "Mc": "Spacing_Mark", "Me": "Enclosing_Mark",
    "Mn": "Nonspacing_Mark", "Nd": "Decimal_Number", "Nl": "Letter_Number", "No": "Other_Number",
    "Pc": "Connector_Punctuation", "Pd": "Dash_Punctuation", "Pe": "Close_Punctuation",
    "Pf": "Final_Punctuation", "Pi": "Initial_Punctuation", "Po": "Other_Punctuation",
    "Ps": "Open_Punctuation", "Sc": "Currency_Symbol", "Sk": "Modifier_Symbol", "Sm": "Math_Symbol",
    "So": "Other_Symbol", "Zl": "Line_Separator", "Zp": "Paragraph_Separator", "Zs": "Space_Separator",
    "C": "Other", "L": "Letter", "M": "Mark", "N": "Number", "P": "Punctuation", "S": "Symbol",
    "Z": "Separator",
}  # fmt: skip
_BY_NAME = {
    **{name: short for short, name in _CATEGORIES.items()},
    "Combining_Mark": "M",
    "cntrl": "Cc",
    "digit": "Nd",
    "punct": "P",
}
_BINARY = ("ASCII", "Any", "Assigned", "Lowercase", "Uppercase")
_BINARY_ALIASES = {"Lower": "Lowercase", "Upper": "Uppercase"}


def known_property(text: str) -> str | None:
    """The short name of the property that stands inside the braces; None when it isn't supported."""
    key, equals, value = text.partition("=")
    if equals:
        if key not in ("General_Category", "gc"):
            return None
        return value if value in _CATEGORIES else _BY_NAME.get(value)
    if text in _CATEGORIES or text in _BINARY:
        return text
    return _BY_NAME.get(text) or _BINARY_ALIASES.get(text)


def has_property(character: str, name: str) -> bool:
    """Whether a character has the property of that short name."""
    from unicodedata import category

    if name == "Any":
        return True
    if name == "ASCII":
        return character.isascii()
    if name == "Lowercase":
        return character.islower()
    if name == "Uppercase":
        return character.isupper()
    found = category(character)
    if name == "Assigned":
        return found != "Cn"
    if name == "LC":
        return found in ("Ll", "Lt", "Lu")
    return found.startswith(name)
