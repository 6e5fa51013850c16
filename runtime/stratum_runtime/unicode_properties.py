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
_BINARY = (
    "ASCII", "ASCII_Hex_Digit", "Any", "Assigned", "Bidi_Mirrored", "Hex_Digit", "Lowercase",
    "Noncharacter_Code_Point", "Regional_Indicator", "Uppercase", "White_Space", "XID_Continue", "XID_Start",
)  # fmt: skip
_BINARY_ALIASES = {
    "AHex": "ASCII_Hex_Digit", "Bidi_M": "Bidi_Mirrored", "Hex": "Hex_Digit", "Lower": "Lowercase",
    "NChar": "Noncharacter_Code_Point", "RI": "Regional_Indicator", "Upper": "Uppercase",
    "space": "White_Space", "XIDC": "XID_Continue", "XIDS": "XID_Start",
}  # fmt: skip
_HEX = frozenset("0123456789ABCDEFabcdef")


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

    if name in _BINARY and name != "Assigned":
        return _has_binary(character, name)
    found = category(character)
    if name == "Assigned":
        return found != "Cn"
    if name == "LC":
        return found in ("Ll", "Lt", "Lu")
    return found.startswith(name)


def _has_binary(character: str, name: str) -> bool:
    from unicodedata import mirrored

    code = ord(character)
    match name:
        case "ASCII":
            return code < 0x80
        case "ASCII_Hex_Digit":
            return character in _HEX
        case "Bidi_Mirrored":
            return bool(mirrored(character))
        case "Hex_Digit":
            narrow = chr(code - 0xFEE0) if 0xFF01 <= code <= 0xFF5E else character
            return narrow in _HEX
        case "Lowercase":
            return character.islower()
        case "Noncharacter_Code_Point":
            return 0xFDD0 <= code <= 0xFDEF or code & 0xFFFE == 0xFFFE
        case "Regional_Indicator":
            return 0x1F1E6 <= code <= 0x1F1FF
        case "Uppercase":
            return character.isupper()
        case "White_Space":
            return character.isspace() and not 0x1C <= code <= 0x1F
        case "XID_Continue":
            return f"a{character}".isidentifier()
        case "XID_Start":
            return character.isidentifier() and character != "_"
        case _:
            return True
