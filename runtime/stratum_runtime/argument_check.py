"""Whether arguments of guards, effects and records are sound: indices, regions, numbers, texts."""

from __future__ import annotations

from stratum_runtime.errors import TableError
from stratum_runtime.pool_check import is_number, is_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Arguments:
    """The arguments of one table under examination; `where` is the place that messages name."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        self.pools: dict[str, list[Any]] = data["pools"]
        self.where = "the table"
        self.machine: dict[str, Any] = {}
        self.names: tuple[str, ...] = ()

    def need(self, holds: Any, message: str) -> None:
        """Raises TableError, naming the place, unless it holds."""
        if not holds:
            raise TableError(f"{self.where}: {message}")

    def index(self, pool: str, value: Any) -> int:
        """An index into a pool."""
        self.need(is_number(value, len(self.pools[pool])), f"{value!r} isn't an entry of the pool `{pool}`")
        return int(value)

    def template(self, value: Any) -> int:
        """A template whose references exist in this machine's flow."""
        steps, carry = self.flow_size()
        for part in self.pools["templates"][self.index("templates", value)]["parts"]:
            if isinstance(part, list) and part[0] in ("step", "carry"):
                self.need(
                    part[1] < (steps if part[0] == "step" else carry), f"template {value} refers to nothing"
                )
        return int(value)

    def value(self, value: Any) -> int:
        """A value whose templates' references exist in this machine's flow."""
        stack = [self.pools["values"][self.index("values", value)]]
        while stack:
            kind, content = stack.pop()
            if kind == "template":
                self.template(content)
            elif kind != "value":
                stack.extend(content if kind == "list" else [item for _, item in content])
        return int(value)

    def flow_size(self) -> tuple[int, int]:
        """How many steps and carry variables the flow has that this machine is, or that it is an item of."""
        machine = self.machine
        if machine["role"] == "item":
            machine = self.data["machines"][machine["data"]["fanout"][0]]
        return len(machine["regions"]) - 1, len(machine["data"].get("carry", ()))

    def region_argument(self, value: Any) -> int:
        """A region of a step."""
        self.need(is_number(value, len(self.machine["regions"]) - 1), f"there is no region {value!r}")
        return int(value)

    def regions_argument(self, value: Any) -> int:
        """Regions of steps, ascending, as a mask."""
        last = len(self.machine["regions"]) - 1
        self.need(
            isinstance(value, list) and all(is_number(region, last) for region in value) and _ascends(value),
            f"{value!r} isn't an ascending list of regions",
        )
        return _mask(value)

    def set_argument(self, value: Any) -> int:
        """Half-open runs of regions, ascending and not touching, or a mask in hexadecimal; as a mask."""
        last = len(self.machine["regions"]) - 1
        if isinstance(value, str):
            mask = int(value, 16)
            self.need(f"{mask:x}" == value and mask.bit_length() <= last, f"{value!r} isn't a set of regions")
            return mask
        self.need(
            isinstance(value, list)
            and len(value) % 2 == 0
            and all(is_number(bound, last + 1) for bound in value)
            and _ascends(value),
            f"{value!r} isn't a set of regions",
        )
        return sum((1 << stop) - (1 << first) for first, stop in zip(value[::2], value[1::2], strict=True))

    def writes(self, value: Any) -> tuple[tuple[int, int], ...]:
        """Pairs of a carry variable and a template."""
        _, carry = self.flow_size()
        for variable, template in value:
            self.need(is_number(variable, carry), f"there is no carry variable {variable!r}")
            self.template(template)
        return tuple((variable, template) for variable, template in value)

    def choice(self, value: Any, among: Any, what: str) -> Any:
        """One of some values."""
        self.need(value in among and not isinstance(value, bool), f"{value!r} isn't a {what}")
        return value

    def positive(self, value: Any) -> int:
        """A number from 1."""
        self.need(value.__class__ is int and value > 0, f"{value!r} isn't a positive number")
        return int(value)

    def text(self, value: Any) -> str:
        """A text."""
        self.need(is_text(value), f"{value!r} isn't text")
        return str(value)


def _ascends(numbers: list[int]) -> bool:
    return all(numbers[place] < numbers[place + 1] for place in range(len(numbers) - 1))


def _mask(regions: Any) -> int:
    """Regions as a bit mask; linear in the highest."""
    if not regions:
        return 0
    octets = bytearray(regions[-1] // 8 + 1)
    for region in regions:
        octets[region >> 3] |= 1 << (region & 7)
    return int.from_bytes(octets, "little")


ARGUMENTS: dict[str, Callable[[Arguments, Any], Any]] = {
    "region": Arguments.region_argument,
    "regions": Arguments.regions_argument,
    "set": Arguments.set_argument,
    "expression": lambda check, value: check.index("expressions", value),
    "condition": lambda check, value: check.index("conditions", value),
    "template": Arguments.template,
    "value": Arguments.value,
    "writes": Arguments.writes,
    "machine": lambda check, value: check.choice(value, range(len(check.data["machines"])), "machine"),
    "state": lambda check, value: check.choice(value, range(len(check.names)), "state"),
    "ledger": lambda check, value: check.choice(value, ("flow", "subflow", "task"), "ledger"),
    "verdict": lambda check, value: check.choice(value, ("accepted", "unfinished", "rejected"), "verdict"),
    "requirement": lambda check, value: value if value in ("all", "any") else check.positive(value),
    "limit": lambda check, value: None if value is None else check.positive(value),
    "positive": Arguments.positive,
    "text": Arguments.text,
}
"""By the kinds of arguments that the format has, what an argument has to be and what `step` uses."""
