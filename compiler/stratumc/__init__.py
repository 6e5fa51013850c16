"""Compiler for agent flows and JSON workflows: the public API (docs/architecture.md).

Everything is loaded when it is first used, so that importing the package costs next to nothing.
"""

from __future__ import annotations

__version__ = "0.1.0"

TYPE_CHECKING = False
"""Set here because importing `typing` takes longer than all that `--version` does; checkers know the name."""

if TYPE_CHECKING:
    from stratum_runtime.expression import Failure, Value
    from stratumc.diagnostics import Diagnostic, Related
    from stratumc.driver.diagram import UndrawableError, diagram
    from stratumc.driver.pipeline import CheckResult, Compiled, check, compile
    from stratumc.driver.review import BrokenInputError, diff
    from stratumc.driver.settings import Assertion, PerFile, Settings
    from stratumc.driver.verify import Verification, verify
    from stratumc.engine import create_engine
    from stratumc.engine.explain import PathResult, explain_path
    from stratumc.expr.evaluate import evaluate
    from stratumc.review.comparison.diff import Diff
    from stratumc.spec.references import references
    from stratumc.spec.syntax import Reference
    from stratumc.text import Span
else:
    _HOMES = {
        "Assertion": "stratumc.driver.settings",
        "BrokenInputError": "stratumc.driver.review",
        "CheckResult": "stratumc.driver.pipeline",
        "Compiled": "stratumc.driver.pipeline",
        "Diagnostic": "stratumc.diagnostics",
        "Diff": "stratumc.review.comparison.diff",
        "Failure": "stratum_runtime.expression",
        "PathResult": "stratumc.engine.explain",
        "PerFile": "stratumc.driver.settings",
        "Reference": "stratumc.spec.syntax",
        "Related": "stratumc.diagnostics",
        "Settings": "stratumc.driver.settings",
        "Span": "stratumc.text",
        "UndrawableError": "stratumc.driver.diagram",
        "Value": "stratum_runtime.expression",
        "Verification": "stratumc.driver.verify",
        "check": "stratumc.driver.pipeline",
        "compile": "stratumc.driver.pipeline",
        "create_engine": "stratumc.engine",
        "diagram": "stratumc.driver.diagram",
        "diff": "stratumc.driver.review",
        "evaluate": "stratumc.expr.evaluate",
        "explain_path": "stratumc.engine.explain",
        "references": "stratumc.spec.references",
        "verify": "stratumc.driver.verify",
    }

    def __getattr__(name: str) -> object:
        home = _HOMES.get(name)
        if home is None:
            raise AttributeError(f"module 'stratumc' has no attribute {name!r}")
        from importlib import import_module

        value = getattr(import_module(home), name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *_HOMES})


__all__ = [
    "Assertion",
    "BrokenInputError",
    "CheckResult",
    "Compiled",
    "Diagnostic",
    "Diff",
    "Failure",
    "PathResult",
    "PerFile",
    "Reference",
    "Related",
    "Settings",
    "Span",
    "UndrawableError",
    "Value",
    "Verification",
    "__version__",
    "check",
    "compile",
    "create_engine",
    "diagram",
    "diff",
    "evaluate",
    "explain_path",
    "references",
    "verify",
]
