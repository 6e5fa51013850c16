"""Evaluates an expression's text in one call (the public `stratumc.evaluate`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from stratum_runtime.expression import Failure, Value
from stratum_runtime.expression import evaluate as run
from stratum_runtime.expression_values import MAX_NESTING, EvaluationError, whole_pairs
from stratum_runtime.workspace import Workspace
from stratumc.expr.compilation import compile_text

if TYPE_CHECKING:
    from stratum_runtime.expression import Files


def evaluate(
    expression: str,
    bindings: Mapping[str, Any],
    *,
    workspace_root: str | PathLike[str] | None = None,
) -> Value | Failure:
    """The value of an expression, or its failure with one of the codes of expressions.md.

    `bindings` gives JSON values to some of `input`, `result`, `item` and `prev`; one that is read and isn't
    JSON is a failure. `workspace_root` is the folder in which the file functions look; without it they fail.
    Raises only TypeError, when `expression` isn't a string or `bindings` isn't a mapping.
    """
    if not isinstance(expression, str):
        raise TypeError(f"the expression must be a string, not {expression!r:.40}")
    if not isinstance(bindings, Mapping):
        raise TypeError(f"the bindings must be a mapping of names to values, not {bindings!r:.40}")
    return run(compile_text(expression), _Bindings(bindings), files=_files(workspace_root))


def _files(root: str | PathLike[str] | None) -> Files | None:
    if root is None:
        return None
    try:
        return Workspace(root) if isinstance(fspath(root), str) else _Unusable()
    except (TypeError, ValueError, OSError):
        return _Unusable()


class _Unusable:
    """A workspace root that names no folder."""

    def exists(self, path: str) -> Failure:
        """Fails."""
        return Failure("validation_error", f"`{path}`: the workspace root can't be used")

    def contains(self, path: str, _text: str) -> Failure:
        """Fails."""
        return self.exists(path)


class _Bindings(Mapping[str, Any]):
    """Bindings whose values are made JSON when they are read."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self._given = given

    def __getitem__(self, name: str) -> Any:
        return _json(self._given[name], name, 0)

    def __contains__(self, name: object) -> bool:
        return name in self._given

    def __iter__(self) -> Iterator[str]:
        return iter(self._given)

    def __len__(self) -> int:
        return len(self._given)


def _json(value: Any, name: str, depth: int) -> Any:
    """A copy of plain JSON, halves of surrogate pairs put together. Raises EvaluationError."""
    if value is None or value is True or value is False:
        return value
    if isinstance(value, str):
        return str(value) if value.isascii() else whole_pairs(value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        if value - value != 0:
            raise EvaluationError("type_error", f"`{name}` holds a number that isn't finite")
        return float(value)
    if depth > MAX_NESTING + 2:
        raise EvaluationError("resource_limit", f"`{name}` is nested too deeply")
    if isinstance(value, list):
        return [_json(item, name, depth + 1) for item in value]
    if not isinstance(value, dict):
        raise EvaluationError("type_error", f"`{name}` holds a value that isn't JSON")
    if not all(isinstance(key, str) for key in value):
        raise EvaluationError("type_error", f"`{name}` holds an object with a key that isn't a string")
    return {_json(key, name, depth): _json(item, name, depth + 1) for key, item in value.items()}
