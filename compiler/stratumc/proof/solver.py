"""The one door to z3: a fresh solver per query, limited in resource units, with fixed seeds."""

from __future__ import annotations

import copy
import enum
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

import z3

RESOURCE_LIMIT = 1_000_000
"""Per query, in z3's resource units: they don't depend on the machine's speed, as a time-out would."""


DOCUMENT_LIMIT = 40_000_000
"""Of all questions about the flows of one document together, some ten seconds' worth."""


class Effort:
    """The resource units that are left for the questions about one document."""

    def __init__(self, left: int = DOCUMENT_LIMIT) -> None:
        self._left = left

    def take(self, wanted: int) -> int:
        """What a question may use that wants so many; 0 when nothing is left."""
        return min(wanted, self._left)

    def spend(self, used: int) -> None:
        """Takes down what a question has used."""
        self._left = max(0, self._left - used)


class Answer(enum.Enum):
    """What a query came to."""

    SATISFIABLE = "satisfiable"
    UNSATISFIABLE = "unsatisfiable"
    UNKNOWN = "unknown"


class Base:
    """Assertions that many questions have in common, which the solver takes in but once.

    All of them are of one z3 context.
    """

    def __init__(self, assertions: Iterable[Any]) -> None:
        assertions = tuple(assertions)
        self.solver = z3.SimpleSolver(ctx=assertions[0].ctx if assertions else None)
        self.solver.set("random_seed", 0)
        self.add(assertions)

    def add(self, assertions: Iterable[Any]) -> None:
        """Adds to them."""
        for assertion in assertions:
            z3.Z3_solver_assert(self.solver.ctx.ref(), self.solver.solver, assertion.as_ast())


class Query:
    """One question: are these assertions satisfiable together? After a yes, the model can be read.

    On a base, it is whether they are when some boolean variables are true.
    """

    def __init__(
        self, assertions: Iterable[Any] | Base, limit: int = RESOURCE_LIMIT, assumed: Iterable[Any] = ()
    ) -> None:
        solver = (assertions if isinstance(assertions, Base) else Base(assertions)).solver
        solver.set("rlimit", limit)
        before = _units(solver)
        result = solver.check(*assumed) if limit > 0 else z3.unknown
        self.used = _units(solver) - before
        """The resource units that it took."""
        self._model = solver.model() if result == z3.sat else None
        self._values: dict[int, tuple[Any, Any]] = {}
        self._rename: Callable[[Any], Any] | None = None
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

    def renamed(self, rename: Callable[[Any], Any]) -> Query:
        """The same model, read with other variables for those of a term."""
        other = copy.copy(self)
        other._values, other._rename = {}, rename
        return other

    def truth(self, formula: Any) -> bool:
        """The value of a formula in the model, which is made total."""
        return bool(self._known(formula, z3.is_true))

    def holds(self, formula: Any) -> bool:
        """As `truth`, for a formula that may be a Python bool."""
        return formula if isinstance(formula, bool) else self.truth(formula)

    def number(self, term: Any) -> Fraction:
        """The value of a number in the model; an irrational one is approximated."""
        value: Fraction = self._known(term, _fraction)
        return value

    def _known(self, term: Any, read: Callable[[Any], Any]) -> Any:
        """What is read of a term in the model, once; the term is kept, or its number could be given anew."""
        key = term.get_id()
        if key not in self._values:
            assert self._model is not None
            said = term if self._rename is None else self._rename(term)
            self._values[key] = (read(self._model.eval(said, model_completion=True)), term)
        return self._values[key][0]


def _fraction(value: Any) -> Fraction:
    """A value of z3 as a number; an irrational one is approximated."""
    return Fraction((value.approx(20) if z3.is_algebraic_value(value) else value).as_string())


def _units(solver: z3.Solver) -> int:
    """The resource units that have been used so far; of interest is only by how many they grow."""
    statistics = solver.statistics()
    return int(statistics.get_key_value("rlimit count")) if "rlimit count" in statistics.keys() else 0  # noqa: SIM118
