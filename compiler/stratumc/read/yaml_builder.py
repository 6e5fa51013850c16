"""Events of a YAML parser to a tree, without recursion: keys, values, anchors and their limits."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from stratumc.diagnostics.finding import Finding
from stratumc.read.core_schema import SCALAR_KINDS, NotFiniteError, TagError, plain_value, tagged_value
from stratumc.read.excerpt import excerpt
from stratumc.read.frames import DROPPED, Frame, duplicate_key, path_of, too_many_faults
from stratumc.read.limits import MAX_ALIAS_NODES, MAX_DEPTH, MAX_FAULTS
from stratumc.read.yaml_parser import EventSource
from stratumc.text import Location, Part, Path
from stratumc.text.tree import Node, Scalar, ScalarValue, Style

_STYLES = {
    None: Style.PLAIN,
    "": Style.PLAIN,
    "'": Style.SINGLE,
    '"': Style.DOUBLE,
    "|": Style.LITERAL,
    ">": Style.FOLDED,
}
NOTE = re.compile(r"stratumc|ignore\s*\[", re.IGNORECASE)
"""Comments that hold this may be for us, rightly written or not; no others are collected."""
_CORE = "tag:yaml.org,2002:"
_PROPERTIES = r"(?:[&!]\S*(?:\s|#[^\r\n]*(?=[\r\n]))*)+"
"""A tag and an anchor with what separates them from the content; compiled when first needed."""


class _Frame(Frame):
    """A YAML collection whose end hasn't come yet."""

    __slots__ = ("anchor", "end", "flow", "height", "size")

    def __init__(self, start: int, *, keyed: bool, flow: bool, anchor: str | None) -> None:
        super().__init__(start, keyed=keyed)
        self.end = start
        self.flow = flow
        self.anchor = anchor
        self.size = 1
        self.height = 1


class _Anchored:
    """A finished node that aliases may stand for."""

    __slots__ = ("height", "node", "size")

    def __init__(self, node: Node, size: int, height: int) -> None:
        self.node = node
        self.size = size
        self.height = height


class TreeBuilder:
    """Builds the tree of the first document and reports what it may not hold."""

    def __init__(self, text: str, source: int, hidden: dict[int, str]) -> None:
        self.text = text
        self._hidden = hidden
        self.source = source
        self.root: Node | None = None
        self.findings: list[Finding] = []
        self.hash_spans: list[tuple[int, int]] = []
        """Spans of the scalars that hold a `#`, in document order; empty when no comment can be a note."""
        self.stopped = False
        """A limit was met: what was built is not the document."""
        self._stack: list[_Frame] = []
        self._anchors: dict[str, _Anchored | None] = {}
        self._alias_nodes = 0
        self._documents = 0
        self._has_notes = NOTE.search(text) is not None

    def run(self, parser: EventSource) -> None:
        """Takes events until the end or a limit; raises the parser's errors."""
        handlers = {
            ScalarEvent: self._scalar,
            AliasEvent: self._alias,
            SequenceStartEvent: self._open,
            MappingStartEvent: self._open,
            SequenceEndEvent: self._close,
            MappingEndEvent: self._close,
            DocumentStartEvent: self._document,
        }
        next_event = parser.get_event
        while (event := next_event()) is not None and not self.stopped and self._documents < 2:
            handler = handlers.get(type(event))
            if handler is not None:
                handler(event)
        if self._documents == 0:
            self._report("SCHEMA_INVALID", (0, 0), "the file holds no document", ())

    @property
    def open_bracket(self) -> int | None:
        """Where the innermost collection begins, if that is a `[` or `{` whose end hasn't come."""
        return self._stack[-1].start if self._stack and self._stack[-1].flow else None

    def _document(self, event: Any) -> None:
        self._documents += 1
        if self._documents == 2:
            start = event.start_mark.index
            self._report(
                "YAML_INVALID",
                (start, start + 3),
                "a second document begins here",
                (),
                suggestion="keep one document in each file",
            )
        elif event.tags:
            start = max(0, self.text.find("%TAG"))
            self._report("YAML_INVALID", (start, start + 4), "`%TAG` is not supported", ())

    # values

    def _scalar(self, event: Any) -> None:
        start, end = event.start_mark.index, event.end_mark.index
        if self._has_notes and "#" in self.text[start:end]:
            self._mark_hash(event, start, end)
        if event.anchor is not None or event.tag is not None:
            skipped = re.compile(_PROPERTIES).match(self.text, start, end)
            start = skipped.end() if skipped else start
        if self._hidden:
            event.value = event.value.translate(self._hidden)
        style = _STYLES[event.style]
        if style is Style.LITERAL or style is Style.FOLDED:
            end = start + len(self.text[start:end].rstrip())
        if self._key_comes():
            key = Scalar(event.value, start, end, style)
            if event.anchor is not None:
                self._anchors[event.anchor] = _Anchored(key, 1, 0)
            if event.tag is not None and event.tag.removeprefix(_CORE) not in (*SCALAR_KINDS, "!"):
                self._unknown_tag(event)
            self._take_key(key)
            return
        value = self._value(event, start, end)
        self._add(Scalar(value, start, end, style), 1, 0, event.anchor, end)

    def _mark_hash(self, event: Any, start: int, end: int) -> None:
        if event.style in ("|", ">"):
            header = re.compile(r"[^\r\n]*").match(self.text, start)
            start = header.end() if header else start
        self.hash_spans.append((start, end))

    def _value(self, event: Any, start: int, end: int) -> ScalarValue:
        text: str = event.value
        tag = event.tag
        if tag is None and not event.implicit[0]:
            return text
        kind = None if tag is None else "str" if tag == "!" else tag.removeprefix(_CORE)
        try:
            if kind in SCALAR_KINDS:
                return tagged_value(kind, text)
            if kind is not None:
                self._unknown_tag(event)
            return plain_value(text) if event.style in (None, "") else text
        except NotFiniteError as fault:
            self._report("SCHEMA_INVALID", (start, end), f"`{excerpt(text)}` {fault}", self._path())
            return 1
        except TagError:
            message = f"`{excerpt(text)}` is not what its tag `!!{kind}` says"
            self._report("YAML_INVALID", (event.start_mark.index, end), message, self._path())
            return text

    def _unknown_tag(self, event: Any) -> None:
        start = event.start_mark.index
        written = re.compile(r"(?:&\S+\s+)?(!\S*)").match(self.text, start)
        place = written.span(1) if written else (start, start + 1)
        self._report(
            "YAML_INVALID",
            place,
            f"the tag `{self.text[place[0] : place[1]]}` is not one of YAML's core schema",
            self._path(),
            suggestion="remove the tag",
        )

    # collections

    def _open(self, event: Any) -> None:
        if len(self._stack) >= MAX_DEPTH:
            self._stop(
                (event.start_mark.index, event.start_mark.index + 1),
                f"lists and mappings are nested more than {MAX_DEPTH} deep",
            )
            return
        keyed = type(event) is MappingStartEvent
        start = event.start_mark.index
        if event.anchor is not None or event.tag is not None:
            start = self._content_start(event)
            if event.tag not in (None, "!", _CORE + ("map" if keyed else "seq")):
                self._unknown_tag(event)
        if self._key_comes():
            self._complex_key(start, keyed=keyed)
        if event.anchor is not None:
            self._anchors[event.anchor] = None
        self._stack.append(_Frame(start, keyed=keyed, flow=bool(event.flow_style), anchor=event.anchor))

    def _content_start(self, event: Any) -> int:
        """Where a collection with an anchor or a tag begins after them."""
        end: int = event.end_mark.index
        if event.flow_style:
            return end - 1
        if type(event) is SequenceStartEvent and self.text[end : end + 1] != "-":
            return end - 1
        return end

    def _close(self, event: Any) -> None:
        frame = self._stack.pop()
        end = event.end_mark.index if frame.flow else frame.end
        node = frame.finish(end)
        self._add(node, frame.size, frame.height, frame.anchor, end)

    def _add(self, node: Node, size: int, height: int, anchor: str | None, end: int) -> None:
        """Puts a finished node into the collection around it."""
        if anchor is not None:
            self._anchors[anchor] = _Anchored(node, size, height)
        if not self._stack:
            if self.root is None:
                self.root = node
            return
        frame = self._stack[-1]
        frame.end = end
        frame.size += size
        frame.height = max(frame.height, height + 1)
        if frame.keyed and frame.key is None:
            frame.key = DROPPED
        else:
            frame.add(node)

    # keys

    def _key_comes(self) -> bool:
        return bool(self._stack) and self._stack[-1].keyed and self._stack[-1].key is None

    def _take_key(self, key: Scalar) -> None:
        frame = self._stack[-1]
        frame.end = key.end
        frame.key = key
        name = key.value
        assert isinstance(name, str)
        first = frame.index.get(name)
        if first is not None:
            self._keep(duplicate_key(first.key, key, self._path(), self.source))
            frame.key = DROPPED

    def _complex_key(self, start: int, *, keyed: bool) -> None:
        kind = "mapping" if keyed else "list"
        suggestion = (
            "quote the text"
            if self.text.startswith("{", start - 1) or self.text.startswith("{", start)
            else None
        )
        self._report(
            "YAML_INVALID",
            (start, start + 1),
            f"a key must be text, not a {kind}",
            self._path()[:-1],
            part=Part.KEY,
            suggestion=suggestion,
        )

    # aliases

    def _alias(self, event: Any) -> None:
        use = (event.start_mark.index, event.end_mark.index)
        name = event.anchor
        if self._key_comes():
            self._report(
                "YAML_INVALID",
                use,
                f"an alias can't be a key: `*{name}`",
                self._path()[:-1],
                part=Part.KEY,
                suggestion=f"quote it, `'*{name}'`, if the key begins with a star",
            )
            self._stack[-1].key = DROPPED
            return
        if name not in self._anchors:
            message = f"there is no anchor `&{name}` before this alias"
            self._report(
                "YAML_INVALID", use, message, self._path(), suggestion=f"quote it, `'*{name}'`, if it is text"
            )
            self._add(Scalar(None, *use, Style.PLAIN), 1, 0, None, use[1])
            return
        target = self._anchors[name]
        if target is None:
            self._stop(use, f"the alias `*{name}` is inside its own anchor", code="YAML_INVALID")
            return
        self._alias_nodes += target.size
        if self._alias_nodes > MAX_ALIAS_NODES:
            self._stop(use, f"the aliases stand for more than {MAX_ALIAS_NODES:,} nodes")
        elif len(self._stack) + target.height > MAX_DEPTH:
            self._stop(use, f"lists and mappings are nested more than {MAX_DEPTH} deep through this alias")
        else:
            self._add(replace(target.node, use=use), target.size, target.height, None, use[1])

    # reports

    def _path(self) -> Path:
        return path_of(self._stack)

    def _report(
        self,
        code: str,
        place: tuple[int, int],
        message: str,
        path: Path,
        *,
        part: Part = Part.VALUE,
        suggestion: str | None = None,
    ) -> None:
        """Keeps a finding; with part `KEY` about a key of the mapping at the path."""
        at = Location(path, part, source=self.source, range=place)
        self._keep(Finding(code, at, message, suggestion=suggestion))

    def _keep(self, finding: Finding) -> None:
        self.findings.append(finding)
        if len(self.findings) == MAX_FAULTS:
            self.findings.append(too_many_faults(finding))
            self.stopped = True

    def _stop(self, place: tuple[int, int], message: str, code: str = "LIMIT_EXCEEDED") -> None:
        self._report(code, place, message, self._path())
        self.stopped = True
