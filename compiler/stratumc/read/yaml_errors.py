"""What a syntax error of YAML is called: the parsers' problems in the words of someone who edits the file."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from yaml.error import MarkedYAMLError

from stratumc.diagnostics.finding import Finding, RelatedPlace
from stratumc.read.excerpt import excerpt
from stratumc.read.limits import MAX_DEPTH
from stratumc.text import Location

_WORD = re.compile(r"[^\s,\[\]{}]+|[^\s]")
_LAST_LINE_WITH_TEXT = re.compile(r"[^\r\n]*\S[^\r\n]*(?=\s*\Z)")
_MAX_KEY = 1024
"""Characters that a key may have (YAML 1.2, section 7.4.2)."""


@dataclass(frozen=True, slots=True)
class _Problem:
    """A parser's error, reduced to what both parsers agree on."""

    text: str
    offset: int
    """Where the parser gave up."""
    opened: int
    """Where the construct that it was reading begins; `offset` when it doesn't say."""
    flow: int | None
    """Where the innermost `[` or `{` that is still open stands."""

    @property
    def sign(self) -> str:
        """The character at the place; empty at the end."""
        return self.text[self.offset : self.offset + 1]

    @property
    def at_end(self) -> bool:
        """Whether only white space follows."""
        return not self.text[self.offset :].strip()

    @property
    def line_before(self) -> str:
        """The part of the line that stands before the place."""
        return self.text[self._line_start() : self.offset]

    @property
    def previous_line(self) -> str:
        """The last line above that isn't blank."""
        match = _LAST_LINE_WITH_TEXT.search(self.text[max(0, self._line_start() - 4096) : self._line_start()])
        return match.group() if match else ""

    @property
    def here(self) -> tuple[int, int]:
        """The place, as wide as its word."""
        word = _WORD.match(self.text, self.offset)
        return (self.offset, word.end()) if word else (self.offset, self.offset)

    def _line_start(self) -> int:
        return max(self.text.rfind("\n", 0, self.offset), self.text.rfind("\r", 0, self.offset)) + 1


@dataclass(frozen=True, slots=True)
class _Fault:
    place: tuple[int, int]
    message: str
    suggestion: str | None = None
    opening: int | None = None
    """Where a bracket was opened, to be shown as a second place."""


def syntax_fault(error: MarkedYAMLError, text: str, source: int, flow: int | None) -> Finding:
    """The finding for a parser's error; `flow` is where the innermost open `[` or `{` stands."""
    mark = error.problem_mark or error.context_mark
    offset = min(mark.index, len(text)) if mark is not None else len(text)
    opened = min(error.context_mark.index, len(text)) if error.context_mark is not None else offset
    problem = str(error.problem)
    if problem == "exceeded maximum nesting depth":
        at = Location(source=source, range=(offset, min(offset + 1, len(text))))
        return Finding("LIMIT_EXCEEDED", at, f"lists and mappings are nested more than {MAX_DEPTH} deep")
    said = f"{error.context}: {problem}"
    describe = next(describe for pattern, describe in _PROBLEMS if pattern.search(said))
    fault = describe(_Problem(text, offset, opened, flow))
    related: tuple[RelatedPlace, ...] = ()
    if fault.opening is not None:
        opening = Location(source=source, range=(fault.opening, fault.opening + 1))
        related = (RelatedPlace(opening, "opened here"),)
    at = Location(source=source, range=fault.place)
    return Finding("YAML_INVALID", at, fault.message, related=related, suggestion=fault.suggestion)


def _tab(problem: _Problem) -> _Fault:
    end = problem.offset
    while problem.text[end : end + 1] == "\t":
        end += 1
    return _Fault((problem.offset, end), "a tab is used where only spaces may indent", "indent with spaces")


def _bad_start(problem: _Problem) -> _Fault:
    if problem.sign == "\t":
        return _tab(problem)
    sign = "a backtick" if problem.sign == "`" else f"`{problem.sign}`"
    return _Fault(problem.here, f"plain text can't begin with {sign}", "put quotes around the text")


def _second_colon(problem: _Problem) -> _Fault:
    place = (problem.offset, problem.offset + 1)
    before = problem.line_before
    key = before.strip().removeprefix("- ").strip()
    if re.search(r":\s", key):
        return _Fault(place, "a second `: ` on one line", "put quotes around the value")
    if len(key) > _MAX_KEY:
        return _Fault(place, f"a key has more than {_MAX_KEY:,} characters", "shorten it")
    above = problem.previous_line
    if before.startswith("---"):
        return _Fault(place, "a mapping can't begin on the line of `---`", "begin it on the next line")
    if re.search(r":(\s|$)", above) or above.lstrip().startswith("- "):
        message = f"`{excerpt(key)}` is indented as if it went on with the value of the line above"
        return _Fault(place, message, "align it with the key that it belongs beside")
    if above:
        suggestion = "put a space after its `:`" if ":" in above else "give it a `: `"
        return _Fault(place, f"the line before has no `: `: `{excerpt(above.strip())}`", suggestion)
    return _Fault(place, "a `:` isn't allowed here", "put quotes around the text")


def _list_on_line(problem: _Problem) -> _Fault:
    place = (problem.offset, problem.offset + 1)
    if problem.flow is not None:
        return _Fault(place, "`- ` isn't allowed inside brackets", "separate the items with `,`")
    if problem.line_before.rstrip().endswith(":"):
        message = "a list can't begin on the line of its key"
        return _Fault(place, message, "put the `- ` on the next line, or quotes around the text")
    return _Fault(place, "a `- ` isn't allowed here", "put quotes around the text")


def _complex_key(problem: _Problem) -> _Fault:
    return _Fault(problem.here, "a `? ` isn't allowed here", "put quotes around the text")


def _open_quote(problem: _Problem) -> _Fault:
    quote = problem.text[problem.opened : problem.opened + 1]
    place = (problem.opened, problem.opened + 1)
    return _Fault(place, f"the quote `{quote}` is never closed", f"close it with `{quote}`")


def _backslash(problem: _Problem) -> int:
    """The offset of the backslash that begins an escape; the parsers point at or after it."""
    return problem.text.rfind("\\", problem.opened, problem.offset + 1)


def _unknown_escape(problem: _Problem) -> _Fault:
    start = _backslash(problem)
    escape = problem.text[start : start + 2]
    return _Fault(
        (start, start + len(escape)), f"`{escape}` is not an escape", "write `\\\\` for a backslash"
    )


def _hexadecimal(problem: _Problem) -> _Fault:
    start = _backslash(problem)
    escape = problem.text[start : start + 2]
    digits = {"x": 2, "u": 4}.get(escape[1:], 8)
    return _Fault((start, start + 2), f"`{escape}` needs {digits} hexadecimal digits after it")


def _no_character(problem: _Problem) -> _Fault:
    start = _backslash(problem)
    escape = re.compile(r"\\.[0-9a-fA-F]*").match(problem.text, start)
    end = escape.end() if escape else start + 1
    return _Fault((start, end), "this escape is not a character", "write the character itself")


def _no_colon(problem: _Problem) -> _Fault:
    line = re.compile(r"[^\r\n]*").match(problem.text, problem.opened)
    written = line.group().split(" #")[0].rstrip() if line else ""
    place = (problem.opened, problem.opened + len(written))
    return _Fault(place, f"there is no `: ` in `{excerpt(written)}`", "write `key: value`")


def _name_missing(problem: _Problem) -> _Fault:
    sign = problem.text[problem.opened : problem.opened + 1]
    what = "an alias" if sign == "*" else "an anchor"
    place = (problem.opened, max(problem.offset, problem.opened + 1))
    message = f"`{sign}` begins {what}, whose name can't be read"
    return _Fault(place, message, f"put quotes around a text that begins with `{sign}`")


def _bad_tag(problem: _Problem) -> _Fault:
    word = re.compile(r"\S+").match(problem.text, problem.opened)
    place = word.span() if word else (problem.opened, problem.opened)
    return _Fault(place, "this tag can't be read", "put quotes around a text that begins with `!`")


def _block_header(problem: _Problem) -> _Fault:
    sign = problem.text[problem.opened : problem.opened + 1]
    return _Fault(
        problem.here, f"text isn't allowed on the line of `{sign}`", "begin the text on the next line"
    )


def _in_brackets(problem: _Problem) -> _Fault:
    opening = (
        problem.opened if problem.text[problem.opened : problem.opened + 1] in ("[", "{") else problem.flow
    )
    if opening is None:
        return _missing(problem)
    sign = problem.text[opening]
    closing = "]" if sign == "[" else "}"
    if problem.at_end:
        return _Fault((opening, opening + 1), f"`{sign}` is never closed", f"close it with `{closing}`")
    if problem.sign in ("]", "}") or problem.sign == closing:
        message = f"`{problem.sign}` can't close `{sign}`"
        return _Fault(problem.here, message, f"close it with `{closing}`", opening)
    message = f"`,` or `{closing}` is missing before `{excerpt(problem.text[slice(*problem.here)])}`"
    suggestion = None
    if problem.sign in ("[", "{") and not problem.line_before[-1:].isspace():
        suggestion = f"put quotes around a text that holds `{problem.sign}`"
    return _Fault(problem.here, message, suggestion, opening)


def _no_content(problem: _Problem) -> _Fault:
    if problem.flow is not None and problem.at_end:
        return _in_brackets(problem)
    return _missing(problem)


def _missing(problem: _Problem) -> _Fault:
    if problem.at_end:
        return _Fault((problem.offset, problem.offset), "the text ends where a value should be")
    written = excerpt(problem.text[slice(*problem.here)])
    return _Fault(problem.here, f"expected a value here, not `{written}`")


def _after_value(problem: _Problem) -> _Fault:
    """A token that doesn't go on with the block collection around it."""
    written = excerpt(problem.text[slice(*problem.here)])
    if problem.sign == ":":
        return _Fault(
            problem.here, "there is no key before this `:`", "give it a key, or quotes around the text"
        )
    if problem.line_before.strip(" -"):
        return _Fault(
            problem.here, f"`{written}` comes after a finished value", "put quotes around the whole value"
        )
    if problem.text.startswith(("- ", "-\n", "-\r"), problem.offset):
        return _Fault(problem.here, "a list item is where a key should be", "indent it as the items above")
    message = f"the indentation of `{written}` fits no line above"
    return _Fault(problem.here, message, "align it with the line that it belongs beside")


def _after_document(problem: _Problem) -> _Fault:
    written = excerpt(problem.text[slice(*problem.here)])
    if problem.sign in ("]", "}"):
        return _Fault(problem.here, f"`{problem.sign}` closes nothing", "remove it")
    if problem.previous_line.strip() == "...":
        return _Fault(
            problem.here, f"`{written}` comes after `...`, the end of the document", "remove the `...`"
        )
    return (
        _after_value(problem)
        if not problem.line_before.strip()
        else _Fault(problem.here, f"`{written}` comes after the end of the document", "remove it")
    )


def _directive(problem: _Problem) -> _Fault:
    line = re.compile(r"[^\r\n]*").match(problem.text, problem.opened)
    place = line.span() if line else (problem.opened, problem.opened)
    return _Fault(place, "a line that begins with `%` can't be read", "remove it")


def _unreadable(problem: _Problem) -> _Fault:
    written = excerpt(problem.text[slice(*problem.here)])
    return _Fault(problem.here, f"`{written}` isn't allowed here" if written else "the text ends too early")


_PROBLEMS: tuple[tuple[re.Pattern[str], Callable[[_Problem], _Fault]], ...] = tuple(
    (re.compile(pattern), describe)
    for pattern, describe in (
        ("tab character", _tab),
        ("cannot start any token", _bad_start),
        ("mapping values are not allowed", _second_colon),
        ("sequence entries are not allowed", _list_on_line),
        ("mapping keys are not allowed", _complex_key),
        ("quoted scalar: found unexpected (end|document)", _open_quote),
        ("unknown escape character", _unknown_escape),
        ("expected hexdecimal number|expected escape sequence of", _hexadecimal),
        ("invalid Unicode character escape", _no_character),
        ("could not find expected ':'", _no_colon),
        ("scanning an (anchor|alias)", _name_missing),
        ("(scanning|parsing) a tag|undefined tag handle", _bad_tag),
        ("scanning a block scalar", _block_header),
        ("directive|incompatible YAML|tag handle", _directive),
        ("parsing a flow (sequence|mapping)", _in_brackets),
        ("expected the node content|expected node content", _no_content),
        ("parsing a block (collection|mapping|sequence)", _after_value),
        ("document start", _after_document),
        ("", _unreadable),
    )
)
