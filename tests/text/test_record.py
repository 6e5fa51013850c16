"""Records behave as frozen, slotted dataclasses do."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any

import pytest

from stratumc.text.record import record


@record
class Point:
    """A place."""

    x: int
    y: int | None = None
    """Up."""

    @property
    def sum(self) -> int:
        return self.x + (self.y or 0)


@dataclasses.dataclass(frozen=True, slots=True)
class Model:
    """What a record is compared with."""

    x: int
    y: int | None = None


@record
class Empty:
    """No fields."""


@record
class One:
    """A field that is a tuple."""

    items: tuple[int, ...]


def test_construction() -> None:
    assert (Point(1).x, Point(1).y, Point(x=1, y=2).sum) == (1, None, 3)
    for arguments in ((), (1, 2, 3)):
        with pytest.raises(TypeError):
            Point(*arguments)
    assert Point.__doc__ == "A place."
    assert Point.__init__.__qualname__ == "Point.__init__"


def test_equality_and_hash() -> None:
    assert Point(1, 2) == Point(1, 2) != Point(2, 1)
    assert hash(Point(1, 2)) == hash(Point(1, 2)) == hash(Model(1, 2))
    other: object = Model(1, 2)
    assert Point(1, 2) != other
    assert One((1,)) == One((1,)) != One((2,))
    fields: object = (1,)
    assert One((1,)) != fields
    assert Empty() == Empty()
    with pytest.raises(TypeError):
        hash(Point([]))  # type: ignore[arg-type]


def test_representation_is_that_of_a_dataclass() -> None:
    assert repr(Point(1, 2)) == repr(Model(1, 2)).replace("Model", "Point") == "Point(x=1, y=2)"
    assert repr(Empty()) == "Empty()"


def test_nothing_can_be_assigned_deleted_or_added() -> None:
    point = Point(1)
    for name in ("x", "z"):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(point, name, 2)
        with pytest.raises(dataclasses.FrozenInstanceError):
            delattr(point, name)
    assert not hasattr(point, "__dict__")


def test_pattern_matching() -> None:
    match Point(1, 2):
        case Point(x, y=2):
            assert x == 1
        case _:
            pytest.fail("does not match")


def test_the_functions_of_dataclasses() -> None:
    kind: object = Point
    assert dataclasses.is_dataclass(kind)
    assert [field.name for field in dataclasses.fields(Point)] == ["x", "y"]
    assert dataclasses.replace(Point(1, 2), y=3) == Point(1, 3)
    assert dataclasses.asdict(Point(1, 2)) == {"x": 1, "y": 2}


@pytest.mark.parametrize("value", [Point(1, 2), Empty(), One((1, 2))])
def test_copies(value: Any) -> None:
    assert copy.copy(value) == copy.deepcopy(value) == value
    assert pickle.loads(pickle.dumps(value)) == value
