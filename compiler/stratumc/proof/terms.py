"""Constants, variables and functions of one z3 context: nothing asked elsewhere in the process touches it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import z3

from stratumc.proof.logic import Formula, Term


class Terms:
    """Makes the terms of one flow.

    The model that z3 finds depends on what else its context holds, so what shares a context isn't determined
    by its own input.
    """

    def __init__(self) -> None:
        self._context = z3.Context()
        self._integers, self._reals = z3.IntSort(self._context), z3.RealSort(self._context)
        self.length_of_text = z3.Function("length", self._reals, self._integers)

    def truth(self, value: bool) -> Term:
        """One of the two constants."""
        return z3.BoolVal(value, self._context)

    def term(self, formula: Formula) -> Term:
        """A formula that may be a Python bool."""
        return self.truth(formula) if isinstance(formula, bool) else formula

    def integer(self, value: int) -> Term:
        """A whole number, of z3's integers."""
        return z3.IntVal(value, self._context)

    def real(self, value: Fraction) -> Term:
        """A number, of z3's reals."""
        return z3.RealVal(str(value), self._context)

    def boolean_variable(self, name: str) -> Term:
        """The boolean of that name."""
        return z3.Bool(name, self._context)

    def integer_variable(self, name: str) -> Term:
        """The integer of that name."""
        return z3.Int(name, self._context)

    def real_variable(self, name: str) -> Term:
        """The real of that name."""
        return z3.Real(name, self._context)

    def test(self, name: str, arity: int = 1) -> Any:
        """The predicate of that name, on texts and other reals."""
        return z3.Function(name, *[self._reals] * arity, z3.BoolSort(self._context))

    def function(self, name: str, arity: int = 1) -> Any:
        """The function of that name from reals to reals."""
        return z3.Function(name, *[self._reals] * (arity + 1))
