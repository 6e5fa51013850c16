"""Which parser turns YAML into events: libyaml where PyYAML has it, PyYAML's own elsewhere (ADR 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from yaml.error import MarkedYAMLError

_FOREIGN_BREAKS = "\x85\u2028\u2029\ufeff"
"""Ordinary characters in YAML 1.2, of which both parsers make line breaks and byte-order marks."""
_DOUBTED = frozenset(
    (
        "found unexpected ':'",
        "found a tab character where an indentation space is expected",
        "found a tab character that violates indentation",
        "found unknown directive name",
        "found incompatible YAML document",
        "found invalid Unicode character escape code",
    )
)
"""Problems that libyaml reports for some texts that YAML 1.2 allows, or JSON with its pairs of escapes."""


class EventSource(Protocol):
    """PyYAML's event interface, the same for both of its parsers."""

    def get_event(self) -> Any:
        """The next event; None after the last. Raises yaml's MarkedYAMLError."""


def open_parser(text: str, *, pure: bool | None = None) -> EventSource:
    """A parser at the start of a text; `pure` asks for one of the two, None for the faster one."""
    if pure is not True:
        try:
            from yaml._yaml import CParser
        except ImportError:
            if pure is False:
                raise
        else:
            parser: EventSource = CParser(text)
            return parser
    from stratumc.read.pure_parser import PureParser

    return PureParser(text)


def is_doubted(error: MarkedYAMLError, text: str) -> bool:
    """Whether an error of libyaml's may be none, so that the other parser has to say."""
    mark = error.problem_mark
    return error.problem in _DOUBTED or (mark is not None and text[mark.index : mark.index + 1] == "\t")


def hide_foreign_breaks(text: str) -> tuple[str, dict[int, str]]:
    """The text with private characters for what the parsers would take for line breaks, and the way back.

    Offsets stay the same. The table is for `str.translate`; it is empty when there was nothing to hide.
    """
    if text.isascii():
        return text, {}
    present = [character for character in _FOREIGN_BREAKS if character in text]
    if not present:
        return text, {}
    used = frozenset(text)
    free = (code for code in range(0xE000, 0xF8FF) if chr(code) not in used)
    back = dict(zip(free, present, strict=False))
    return text.translate({ord(character): code for code, character in back.items()}), back
