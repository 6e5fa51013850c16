"""Boolean formulas with constants folded away: a formula is a Python bool or a z3 boolean term."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import z3

Formula = Any
"""`True`, `False`, or a z3 boolean term."""

Term = Any
"""A z3 number term."""


def conjunction(*parts: Formula) -> Formula:
    """That all parts hold."""
    kept = []
    for part in parts:
        if part is False:
            return False
        if part is not True:
            kept.append(part)
    if not kept:
        return True
    return kept[0] if len(kept) == 1 else _joined(z3.Z3_mk_and, kept)


def disjunction(*parts: Formula) -> Formula:
    """That some part holds."""
    kept = []
    for part in parts:
        if part is True:
            return True
        if part is not False:
            kept.append(part)
    if not kept:
        return False
    return kept[0] if len(kept) == 1 else _joined(z3.Z3_mk_or, kept)


def _joined(make: Callable[..., Any], parts: list[Any]) -> Formula:
    """One term of many; z3's own `And` and `Or` look at every part's sort, which takes most of their time."""
    context = parts[0].ctx
    asts = (z3.Ast * len(parts))(*(part.as_ast() for part in parts))
    return z3.BoolRef(make(context.ref(), len(parts), asts), context)


def negation(part: Formula) -> Formula:
    """That a part doesn't hold."""
    return (not part) if isinstance(part, bool) else z3.Not(part)


def implication(condition: Formula, consequence: Formula) -> Formula:
    """That the consequence holds if the condition does."""
    return disjunction(negation(condition), consequence)


def equivalence(left: Formula, right: Formula) -> Formula:
    """That both hold or neither."""
    if isinstance(left, bool):
        return right if left else negation(right)
    if isinstance(right, bool):
        return left if right else negation(left)
    return left == right
