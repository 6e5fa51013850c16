"""Immutable records: what `dataclass(frozen=True, slots=True)` makes, for less time at start-up."""

from __future__ import annotations

from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

_Class = TypeVar("_Class", bound=type)


@dataclass_transform(frozen_default=True)
def record(cls: _Class) -> _Class:
    """Makes a class with annotated fields, perhaps with defaults, a frozen and slotted dataclass.

    Equality, hash, representation, pattern matching, pickling and the functions of `dataclasses` work as for
    a dataclass. Only `__init__` is made for each class: the other methods are shared, and the fields that
    `dataclasses` reads are made when it first reads them. Fields made by `field()`, and inheritance of
    fields, are not supported.
    """
    given = vars(cls)
    names = tuple(given.get("__annotations__", ()))
    defaults = {name: given[name] for name in names if name in given}
    dropped = ("__dict__", "__weakref__", *names)
    namespace = {name: value for name, value in given.items() if name not in dropped}
    own = {"__slots__": names, "__match_args__": names, "__dataclass_fields__": _Fields(defaults)}
    made: Any = type(cls)(cls.__name__, cls.__bases__, {**namespace, **_SHARED, **own})
    made.__init__ = _initializer(made, names, defaults)
    made.__record_values__ = _values_of(names)
    return made  # type: ignore[no-any-return]


def _values_of(names: tuple[str, ...]) -> Any:
    """A function from a record to the tuple of its values."""
    if len(names) > 1:
        return staticmethod(attrgetter(*names))
    return staticmethod(lambda one: tuple(getattr(one, name) for name in names))


def _initializer(cls: Any, names: tuple[str, ...], defaults: dict[str, Any]) -> Any:
    """`__init__`, which sets slots directly, since setting attributes is refused."""
    scope: dict[str, Any] = {f"_set_{name}": cls.__dict__[name].__set__ for name in names}
    scope |= {f"_default_{name}": value for name, value in defaults.items()}
    parameters = (f"{name}=_default_{name}" if name in defaults else name for name in names)
    body = "".join(f"\n _set_{name}(self, {name})" for name in names) or "\n pass"
    exec(f"def __init__(self, {', '.join(parameters)}):{body}", scope)
    initializer = scope["__init__"]
    initializer.__qualname__ = f"{cls.__qualname__}.__init__"
    return initializer


class _Fields:
    """Stands for `__dataclass_fields__` of a class until somebody reads it."""

    __slots__ = ("_defaults",)

    def __init__(self, defaults: dict[str, Any]) -> None:
        self._defaults = defaults

    def __get__(self, one: Any, cls: Any) -> Any:
        from dataclasses import field, make_dataclass

        fields: list[Any] = [
            (name, kind, field(default=self._defaults[name])) if name in self._defaults else (name, kind)
            for name, kind in cls.__annotations__.items()
        ]
        cls.__dataclass_fields__ = vars(make_dataclass(cls.__name__, fields))["__dataclass_fields__"]
        return cls.__dataclass_fields__


def _equal(self: Any, other: Any) -> Any:
    if other.__class__ is not self.__class__:
        return NotImplemented
    return self.__record_values__(self) == self.__record_values__(other)


def _hash(self: Any) -> int:
    return hash(self.__record_values__(self))


def _repr(self: Any) -> str:
    values = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
    return f"{type(self).__qualname__}({values})"


def _refuse(self: Any, name: str, *value: object) -> None:
    from dataclasses import FrozenInstanceError

    action = "assign to" if value else "delete"
    raise FrozenInstanceError(f"cannot {action} field {name!r} of {type(self).__name__}")


def _reduce(self: Any) -> tuple[Any, ...]:
    return type(self), self.__record_values__(self)


_SHARED = {
    "__eq__": _equal,
    "__hash__": _hash,
    "__repr__": _repr,
    "__setattr__": _refuse,
    "__delattr__": _refuse,
    "__reduce__": _reduce,
}
