"""Evaluates an expression's text in one call (the public `stratumc.evaluate`)."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import Any

from stratum_runtime.expression import Failure, Value
from stratum_runtime.expression import evaluate as run
from stratum_runtime.workspace import Workspace
from stratumc.expr.compilation import compile_text


def evaluate(
    expression: str,
    bindings: Mapping[str, Any],
    *,
    workspace_root: str | PathLike[str] | None = None,
) -> Value | Failure:
    """The value of an expression, or its failure with one of the codes of expressions.md; never raises.

    `bindings` gives JSON values to some of `input`, `result`, `item` and `prev`. `workspace_root` is the
    folder in which the file functions look; without it they fail.
    """
    files = None if workspace_root is None else Workspace(workspace_root)
    return run(compile_text(expression), bindings, files=files)
