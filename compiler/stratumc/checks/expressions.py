"""The expressions of a document, each parsed once and typed once."""

from __future__ import annotations

from stratumc.expr import Expression, ParseFailure, parse
from stratumc.expr.infer import infer
from stratumc.expr.outcome import Scope, Typing, Use
from stratumc.spec.syntax import Text
from stratumc.text import Location


class Expressions:
    """Syntax trees and types of expressions, by the places of their strings."""

    def __init__(self) -> None:
        self._parsed: dict[Location, Expression | ParseFailure] = {}
        self._typings: dict[Location, Typing] = {}

    def parsed(self, text: Text) -> Expression | ParseFailure:
        """The syntax tree of an expression, or why it has none."""
        if text.at not in self._parsed:
            self._parsed[text.at] = parse(text.value)
        return self._parsed[text.at]

    def typing(self, text: Text, scope: Scope, use: Use) -> Typing | None:
        """The types of an expression in the scope that it was first typed in; None when it doesn't parse."""
        if text.at not in self._typings:
            tree = self.parsed(text)
            if isinstance(tree, ParseFailure):
                return None
            self._typings[text.at] = infer(tree, scope, use)
        return self._typings[text.at]

    def typed(self, text: Text) -> Typing | None:
        """The types of an expression that was typed already."""
        return self._typings.get(text.at)
