"""Tokens to a syntax tree by operator precedence, with an explicit stack (expressions.md, "Grammar")."""

from __future__ import annotations

from dataclasses import dataclass

from stratum_runtime.expression_values import BLOCKED_MEMBERS
from stratumc.expr.ast import (
    Binary,
    BinaryOperator,
    Call,
    Expression,
    Index,
    Literal,
    Member,
    Name,
    Unary,
    UnaryOperator,
)
from stratumc.expr.foreign import with_hint
from stratumc.expr.lexer import ExpressionSyntaxError, ParseFailure, Token, TokenKind, fail, read_tokens

MAX_NESTING = 128
MAX_NODES = 4096

_PRECEDENCE = {
    BinaryOperator.OR: 1,
    BinaryOperator.AND: 2,
    BinaryOperator.EQUAL: 3,
    BinaryOperator.NOT_EQUAL: 3,
    BinaryOperator.LESS: 3,
    BinaryOperator.LESS_EQUAL: 3,
    BinaryOperator.GREATER: 3,
    BinaryOperator.GREATER_EQUAL: 3,
    BinaryOperator.IN: 3,
    BinaryOperator.ADD: 4,
    BinaryOperator.SUBTRACT: 4,
    BinaryOperator.MULTIPLY: 5,
    BinaryOperator.DIVIDE: 5,
}
_BINARY = {operator.value: operator for operator in BinaryOperator}
_UNARY = {operator.value: operator for operator in UnaryOperator}
_CONSTANTS: dict[str, bool | None] = {"true": True, "false": False, "null": None}


def precedence_of(operator: BinaryOperator) -> int:
    """How tightly a binary operator binds, from 1."""
    return _PRECEDENCE[operator]


def parse(text: str) -> Expression | ParseFailure:
    """The syntax tree of an expression, or why and where it has none; never raises."""
    try:
        return _Parser(text).parse()
    except ExpressionSyntaxError as error:
        return with_hint(text, error.failure)


@dataclass(frozen=True, slots=True)
class _Operand:
    """A finished operand with its range, parentheses included."""

    node: Expression
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _PendingBinary:
    left: _Operand
    operator: BinaryOperator


@dataclass(frozen=True, slots=True)
class _PendingUnary:
    operator: UnaryOperator
    start: int


@dataclass(frozen=True, slots=True)
class _OpenParenthesis:
    start: int


@dataclass(frozen=True, slots=True)
class _OpenCall:
    function: Token
    arguments: list[Expression]


_Pending = _PendingBinary | _PendingUnary | _OpenParenthesis | _OpenCall


class _Parser:
    def __init__(self, text: str) -> None:
        self.tokens = iter(read_tokens(text))
        self.token = next(self.tokens)
        self.stack: list[_Pending] = []
        self.depth = 0
        self.nodes = 0

    def parse(self) -> Expression:
        while True:
            operand = self._continue(self._operand())
            if operand is not None:
                return operand.node

    # --- tokens --------------------------------------------------------------------------------------

    def _next(self) -> Token:
        token = self.token
        self.token = next(self.tokens, token)
        return token

    def _symbol(self) -> str:
        return self.token.text if self.token.kind is TokenKind.SYMBOL else ""

    def _unexpected(self, wanted: str) -> ExpressionSyntaxError:
        token = self.token
        return fail(f"expected {wanted}, found {token.shown}", token.start, token.end)

    # --- limits --------------------------------------------------------------------------------------

    def _push(self, pending: _Pending, start: int) -> None:
        """Opens one level of nesting."""
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise ExpressionSyntaxError(
                ParseFailure(f"nested more than {MAX_NESTING} levels", start, start + 1, "resource_limit")
            )
        self.stack.append(pending)

    def _made(self, node: Expression, start: int, end: int) -> _Operand:
        """Counts a node."""
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise ExpressionSyntaxError(
                ParseFailure(f"more than {MAX_NODES} parts", start, end, "resource_limit")
            )
        return _Operand(node, start, end)

    # --- operands ------------------------------------------------------------------------------------

    def _operand(self) -> _Operand:
        """Reads openings and unary operators up to and including the next primary."""
        while True:
            token = self.token
            if token.kind is TokenKind.SYMBOL and token.text in _UNARY:
                self._next()
                self._push(_PendingUnary(_UNARY[token.text], token.start), token.start)
            elif token.kind is TokenKind.SYMBOL and token.text == "(":
                self._next()
                self._push(_OpenParenthesis(token.start), token.start)
            else:
                operand = self._primary()
                if operand is not None:
                    return operand

    def _primary(self) -> _Operand | None:
        """A primary; None when a call was opened whose first argument comes next."""
        token = self.token
        if token.kind is TokenKind.NAME:
            self._next()
            if token.text in _CONSTANTS:
                return self._literal(_CONSTANTS[token.text], token)
            if self._symbol() != "(":
                return self._made(Name(token.text, token.start, token.end), token.start, token.end)
            self._next()
            self._push(_OpenCall(token, []), token.start)
            return self._closed() if self._symbol() == ")" else None
        if token.kind is TokenKind.STRING:
            self._next()
            return self._literal(token.text, token)
        if token.kind is TokenKind.NUMBER:
            self._next()
            return self._literal(token.number, token)
        raise self._unexpected("a value")

    def _literal(self, value: str | float | bool | None, token: Token) -> _Operand:
        return self._made(Literal(value, token.start, token.end), token.start, token.end)

    # --- what follows an operand ---------------------------------------------------------------------

    def _continue(self, operand: _Operand) -> _Operand | None:
        """Extends an operand as far as it goes; the whole expression, or None when an operand must follow."""
        while True:
            operand = self._unary(self._postfix(operand))
            symbol = self._symbol()
            if symbol in _BINARY:
                self._next()
                operator = _BINARY[symbol]
                left = self._reduce(operand, _PRECEDENCE[operator])
                self.stack.append(_PendingBinary(left, operator))
                return None
            operand = self._reduce(operand, 0)
            opened = self.stack[-1] if self.stack else None
            if opened is None:
                self._expect_end()
                return operand
            if isinstance(opened, _OpenCall) and symbol == ",":
                opened.arguments.append(operand.node)
                self._next()
                return None
            if symbol != ")":
                raise self._unexpected("`,` or `)`" if isinstance(opened, _OpenCall) else "`)`")
            if isinstance(opened, _OpenCall):
                opened.arguments.append(operand.node)
            operand = self._closed(operand)

    def _closed(self, operand: _Operand | None = None) -> _Operand:
        """Takes the `)` that closes the innermost parenthesis or call."""
        end = self._next().end
        self.depth -= 1
        opened = self.stack.pop()
        if isinstance(opened, _OpenCall):
            function = opened.function
            call = Call(function.text, tuple(opened.arguments), function.start, end)
            return self._made(call, function.start, end)
        assert isinstance(opened, _OpenParenthesis)
        assert operand is not None
        return _Operand(operand.node, opened.start, end)

    def _expect_end(self) -> None:
        token = self.token
        if token.kind is TokenKind.END:
            return
        raise self._unexpected("an operator")

    def _postfix(self, operand: _Operand) -> _Operand:
        while (symbol := self._symbol()) in (".", "["):
            self._next()
            operand = self._member(operand) if symbol == "." else self._index(operand)
        return operand

    def _member(self, operand: _Operand) -> _Operand:
        token = self.token
        if token.kind is not TokenKind.NAME:
            raise self._unexpected("a member's name")
        if token.text in BLOCKED_MEMBERS:
            raise fail(f"the member `{token.text}` may not be named", token.start, token.end)
        self._next()
        node = Member(operand.node, token.text, operand.start, token.end, token.start)
        return self._made(node, operand.start, token.end)

    def _index(self, operand: _Operand) -> _Operand:
        token = self.token
        if token.kind is not TokenKind.NUMBER or not token.number.is_integer():
            raise self._unexpected("an index, a whole number from 0")
        self._next()
        if self._symbol() != "]":
            raise self._unexpected("`]`")
        end = self._next().end
        return self._made(Index(operand.node, int(token.number), operand.start, end), operand.start, end)

    def _unary(self, operand: _Operand) -> _Operand:
        """Applies the unary operators that stand right before an operand."""
        while self.stack and isinstance(pending := self.stack[-1], _PendingUnary):
            self.stack.pop()
            self.depth -= 1
            node = Unary(pending.operator, operand.node, pending.start, operand.end)
            operand = self._made(node, pending.start, operand.end)
        return operand

    def _reduce(self, operand: _Operand, precedence: int) -> _Operand:
        """Applies the pending binary operators that bind at least as tightly."""
        while self.stack:
            pending = self.stack[-1]
            if not isinstance(pending, _PendingBinary) or _PRECEDENCE[pending.operator] < precedence:
                break
            self.stack.pop()
            left = pending.left
            node = Binary(pending.operator, left.node, operand.node, left.start, operand.end)
            operand = self._made(node, left.start, operand.end)
        return operand
