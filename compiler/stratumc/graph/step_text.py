"""The scanned strings of a step by kind: rendered ones, expressions, and the references in both."""

from __future__ import annotations

from collections.abc import Iterator

from stratumc.spec.syntax import Reference, Step, Template, Text
from stratumc.spec.walk import uses


def templates_of(step: Step) -> Iterator[Template]:
    """The rendered strings of a step, in document order."""
    return (use.template for use in uses(step) if not use.expression)


def expressions_of(step: Step) -> Iterator[Text]:
    """The expression strings of a step: `when`, `set`, `until`, ensures, and those of stages."""
    return (Text(use.template.text, use.template.at) for use in uses(step) if use.expression)


def references_of(step: Step) -> Iterator[Reference]:
    """Every reference that makes an edge into the step, those in expression strings included."""
    return (reference for use in uses(step) for reference in use.template.references)
