"""Positions: documents, spans, and the symbolic locations that passes use."""

from stratumc.text.document import Document
from stratumc.text.location import Location, Part, Path, format_path
from stratumc.text.span import Span

__all__ = ["Document", "Location", "Part", "Path", "Span", "format_path"]
