"""Which diagnostics a comment `# stratumc: ignore[CODE]` keeps from counting, and which ignore nothing."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from stratumc.diagnostics.catalog import CATALOG, NEVER_IGNORED
from stratumc.diagnostics.concretize import Source
from stratumc.diagnostics.diagnostic import Diagnostic
from stratumc.diagnostics.nearest import did_you_mean, nearest
from stratumc.text import Document
from stratumc.text.comment import Comment

_DIRECTIVE = re.compile(
    r"#+\s*(?P<name>[\w-]+)\s*(?P<colon>:?)\s*(?P<verb>[\w-]*)\s*(?P<brackets>\[(?P<codes>[^\]#]*)\])?"
)
"""It ends before the reason, and brackets before a `#`: a comment full of marks is read in linear time."""
_CODE = re.compile(r"[^\s,]+")
_SELF = "IGNORE_UNUSED"
_NAME = "stratumc"
_VERB = "ignore"


@dataclass(slots=True)
class _Ignore:
    """One code of one comment."""

    code: str
    line: int
    """The line whose findings it covers."""
    place: tuple[int, int]
    reason: str
    quiet: bool
    """The comment ignores IGNORE_UNUSED too."""
    used: bool = False

    @property
    def why(self) -> str:
        """What a diagnostic says of its suppression."""
        return f"comment: {self.reason}" if self.reason else "comment"


def apply_ignores(
    diagnostics: Iterable[Diagnostic],
    sources: Sequence[Source],
    comments: Sequence[Sequence[Comment]],
    ran: Container[str],
) -> tuple[Diagnostic, ...]:
    """All diagnostics in order, those that a comment covers with `suppressed` set (checks.md).

    A comment covers the findings that begin on its line or, when it stands alone, on the first line below it
    that is no comment; and those inside a text that begins there. `comments` has those of each source. A code
    of `ran` that a comment names and that covers nothing gets IGNORE_UNUSED, as does one that doesn't exist.
    """
    found = list(diagnostics)
    for source, its_comments in zip(sources, comments, strict=False):
        ignores: list[_Ignore] = []
        for comment in its_comments:
            for directive, end in _directives(comment.text):
                fault = _fault(directive)
                if fault is None:
                    ignores += _ignores(
                        comment, directive, comment.text[directive.end() : end], source.document
                    )
                else:
                    place = (comment.start + directive.start(), comment.start + end)
                    found.append(_complaint(source.document, place, *fault))
        if ignores:
            found = _suppress(found, ignores, source.document.name)
            found += [_unused(one, source.document) for one in ignores if _is_unused(one, ran)]
    return tuple(sorted(found, key=lambda diagnostic: diagnostic.sort_key))


def _directives(text: str) -> Iterator[tuple[re.Match[str], int]]:
    """The parts of a comment that speak to us, rightly written or not, each with where it ends.

    What begins with `stratumc:` does; and what ignores something as one does here, though its name, case or
    colon be miswritten. All else is words between people.
    """
    starts = (_DIRECTIVE.match(text, mark.start()) for mark in re.finditer("#+", text))
    found = [start for start in starts if start is not None and _is_directive(start)]
    ends = [directive.start() for directive in found[1:]] + [len(text)]
    for directive, end in zip(found, ends, strict=False):
        yield directive, len(text[:end].rstrip())


def _is_directive(found: re.Match[str]) -> bool:
    if found["name"] == _NAME and found["colon"]:
        return True
    if not (found["colon"] or found["brackets"]) or not _is_near(found["name"].casefold(), _NAME):
        return False
    return _is_near(found["verb"].casefold(), _VERB)


def _is_near(name: str, known: str) -> bool:
    return name == known or nearest(name, (known,)) is not None


def _fault(directive: re.Match[str]) -> tuple[str, str] | None:
    """What is wrong with how a directive is written, and how it should be; None when it is right."""
    name, verb = directive["name"], directive["verb"]
    codes = ", ".join(_CODE.findall(directive["codes"] or ""))
    should = f"write `# {_NAME}: {_VERB}[{codes or 'CODE'}]`"
    if name != _NAME:
        return f"this comment ignores nothing: `{name}` isn't `{_NAME}`", should
    if not directive["colon"]:
        return f"this comment ignores nothing: a colon is missing after `{_NAME}`", should
    if verb != _VERB:
        what = f"`{verb}` isn't a directive" if verb else "it names no directive"
        return f"this comment ignores nothing: {what}", should
    if not codes:
        return "this comment ignores nothing: it names no code", f"write `{_VERB}[CODE]`"
    return None


def _ignores(comment: Comment, match: re.Match[str], rest: str, document: Document) -> Iterator[_Ignore]:
    start = comment.start + match.start("codes")
    line = _covered_line(comment, document)
    reason = rest.lstrip("-: \t").strip()
    codes = list(_CODE.finditer(match.group("codes")))
    quiet = any(code.group() == _SELF for code in codes)
    for code in codes:
        place = (start + code.start(), start + code.end())
        yield _Ignore(code.group(), line, place, reason, quiet)


def _covered_line(comment: Comment, document: Document) -> int:
    """The comment's own line; for one that stands alone, the first below it that begins with no `#`."""
    line = document.position(comment.start)[0]
    while comment.alone and line < len(document.line_starts) and document.line(line).lstrip()[:1] == "#":
        line += 1
    return line


def _suppress(diagnostics: Iterable[Diagnostic], ignores: Iterable[_Ignore], name: str) -> list[Diagnostic]:
    covering: dict[tuple[str, int], _Ignore] = {}
    for ignore in ignores:
        covering.setdefault((ignore.code, ignore.line), ignore)
    kept = []
    for diagnostic in diagnostics:
        lines = (diagnostic.span.line, diagnostic.starts_on)
        found = next(filter(None, (covering.get((diagnostic.code, line)) for line in lines)), None)
        if (
            diagnostic.code in NEVER_IGNORED
            or found is None
            or diagnostic.span.file != name
            or diagnostic.suppressed is not None
        ):
            kept.append(diagnostic)
        else:
            found.used = True
            kept.append(replace(diagnostic, suppressed=found.why))
    return kept


def _is_unused(ignore: _Ignore, ran: Container[str]) -> bool:
    if ignore.used or ignore.quiet:
        return False
    return ignore.code in ran or ignore.code not in CATALOG


def _unused(ignore: _Ignore, document: Document) -> Diagnostic:
    if ignore.code in NEVER_IGNORED:
        message = f"`{ignore.code}` can't be ignored: what can't be read isn't checked"
        return _complaint(document, ignore.place, message, "remove it")
    if ignore.code in CATALOG:
        message = f"no `{ignore.code}` is found here to be ignored"
        return _complaint(document, ignore.place, message, "remove it")
    return _complaint(
        document, ignore.place, f"`{ignore.code}` isn't a code", did_you_mean(ignore.code, CATALOG)
    )


def _complaint(
    document: Document, place: tuple[int, int], message: str, suggestion: str | None
) -> Diagnostic:
    rule = CATALOG[_SELF]
    span = document.span(*place)
    severity, family = rule.severity.value, rule.family.value
    return Diagnostic(_SELF, severity, family, message, "", span, suggestion=suggestion)
