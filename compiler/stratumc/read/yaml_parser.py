"""Which parser turns YAML text into events: libyaml where PyYAML has it, PyYAML's own otherwise (docs/adr/0004)."""

from __future__ import annotations

from typing import Any, Protocol


class EventSource(Protocol):
    """PyYAML's event interface, the same for both of its parsers."""

    def get_event(self) -> Any:
        """The next event; None behind the last. Raises yaml's MarkedYAMLError and ReaderError."""


def open_parser(text: str, *, pure: bool | None = None) -> EventSource:
    """A parser at the start of a text; `pure` asks for one of the two, None for the faster one."""
    if pure is not True:
        try:
            from yaml._yaml import CParser  # type: ignore[import-untyped]
        except ImportError:
            if pure is False:
                raise
        else:
            parser: EventSource = CParser(text)
            return parser
    from stratumc.read.pure_parser import PureParser

    return PureParser(text)
