"""The one door to z3: a fresh solver per query, limited in resource units, with fixed seeds."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import z3

RESOURCE_LIMIT = 1_000_000
"""Per query, in z3's resource units: they don't depend on the machine's speed, as a time-out would."""


class Answer(enum.Enum):
    """What a query came to."""

    SATISFIABLE = "satisfiable"
    UNSATISFIABLE = "unsatisfiable"
    UNKNOWN = "unknown"


class Query:
    """One question: are these assertions satisfiable together? After a yes, the model can be read."""

    def __init__(self, assertions: Iterable[Any], limit: int = RESOURCE_LIMIT) -> None:
        solver = z3.SimpleSolver()
        solver.set("rlimit", limit)
        solver.set("random_seed", 0)
        for assertion in assertions:
            z3.Z3_solver_assert(solver.ctx.ref(), solver.solver, assertion.as_ast())
        result = solver.check()
        self._model = solver.model() if result == z3.sat else None
        if result == z3.sat:
            self.answer = Answer.SATISFIABLE
        elif result == z3.unsat:
            self.answer = Answer.UNSATISFIABLE
        else:
            self.answer = Answer.UNKNOWN

    @property
    def satisfiable(self) -> bool:
        """Whether a model was found."""
        return self.answer is Answer.SATISFIABLE

    @property
    def unsatisfiable(self) -> bool:
        """Whether it was proved that there is no model."""
        return self.answer is Answer.UNSATISFIABLE

    def truth(self, formula: Any) -> bool:
        """The value of a formula in the model, which is made total."""
        return bool(z3.is_true(self._evaluate(formula)))

    def holds(self, formula: Any) -> bool:
        """As `truth`, for a formula that may be a Python bool."""
        return formula if isinstance(formula, bool) else self.truth(formula)

    def number(self, term: Any) -> Fraction:
        """The value of a number in the model; an irrational one is approximated."""
        value = self._evaluate(term)
        if z3.is_algebraic_value(value):
            value = value.approx(20)
        return (
            Fraction(str(value.as_fraction())) if z3.is_rational_value(value) else Fraction(value.as_long())
        )

    def _evaluate(self, term: Any) -> Any:
        assert self._model is not None
        return self._model.eval(term, model_completion=True)
