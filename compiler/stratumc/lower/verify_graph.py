"""What the records of a flow's steps say of its graph, found again by plain search."""

from __future__ import annotations

from typing import Any


class RecordGraph:
    """Dependencies, routes, closures and failure regions of one flow machine, from its step records alone."""

    def __init__(self, data: dict[str, Any], number: int) -> None:
        self.number = number
        self.machine = data["machines"][number]
        self.records: list[dict[str, Any]] = [region["step"] for region in self.machine["regions"][:-1]]
        self.routes: list[tuple[int, int]] = [
            (source, record[key])
            for source, record in enumerate(self.records)
            for key in ("on_fail", "on_approve", "on_kill")
            if record.get(key) is not None
        ]
        self.dependents: list[list[int]] = [[] for _ in self.records]
        for region, record in enumerate(self.records):
            for before in record["deps"]:
                self.dependents[before].append(region)
        self._recoveries: dict[int, set[int]] = {}
        self._routers: dict[int, set[int]] = {}
        targets: list[set[int]] = [set() for _ in self.records]
        for source, target in self.routes:
            self._routers.setdefault(target, set()).add(source)
            targets[source].add(target)
        self._wakes = [
            sorted(routed | set(after)) for routed, after in zip(targets, self.dependents, strict=True)
        ]
        callers = [
            (machine, region["step"])
            for machine in data["machines"]
            for region in machine["regions"]
            if region["step"] is not None
            and region["step"]["construct"] == "run"
            and region["step"]["machine"] == number
        ]
        owners = [self.machine, *(machine for machine, _ in callers)]
        self.flow_limited = any(machine["data"]["budget"] is not None for machine in owners)
        own = self.machine["data"]["budget"] is not None
        self.call_limited = any(own or record["budget"] is not None for _, record in callers)

    def routers(self, region: int) -> list[int]:
        """The steps with a route to this one, ascending."""
        return sorted(self._routers.get(region, ()))

    def wakes(self, region: int) -> list[int]:
        """Whom the end of a step may set free, ascending."""
        return self._wakes[region]

    def depend_on(self, start: int) -> set[int]:
        """The steps after one by dependency edges, itself left out."""
        return _search(start, self.dependents)

    def closure(self, start: int) -> set[int]:
        """A step and those after it by dependency and routing edges."""
        return {start} | _search(start, self._wakes)

    def recovery(self, failed: int) -> set[int]:
        """The steps for which a step that failed over counts as a dependency met."""
        target = self.records[failed].get("on_fail")
        if target is None:
            return set()
        if target not in self._recoveries:
            self._recoveries[target] = {target} | self.depend_on(target)
        return self._recoveries[target]

    def skipped(self, failed: int) -> set[int]:
        """The steps that are skipped when this one fails over."""
        return self.depend_on(failed) - self.recovery(failed)

    def has_circle(self) -> bool:
        """Whether some step comes after itself: removing steps that nothing leads to leaves some over."""
        coming = [0] * len(self.records)
        for after in self._wakes:
            for region in after:
                coming[region] += 1
        free = [region for region, count in enumerate(coming) if count == 0]
        removed = 0
        while free:
            removed += 1
            for region in self._wakes[free.pop()]:
                coming[region] -= 1
                if coming[region] == 0:
                    free.append(region)
        return removed < len(self.records)


def _search(start: int, edges: list[list[int]]) -> set[int]:
    found: set[int] = set()
    waiting = list(edges[start])
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting.extend(edges[node])
    return found


def as_set(regions: set[int]) -> list[int] | str:
    """A set in the table's form: up to eight runs, of more the hexadecimal mask when that text is shorter."""
    bounds: list[int] = []
    for region in sorted(regions):
        if bounds and bounds[-1] == region:
            bounds[-1] = region + 1
        else:
            bounds += [region, region + 1]
    length = sum(len(str(bound)) + 1 for bound in bounds) + 1
    digits = max(regions, default=0) // 4 + 1
    if len(bounds) <= 16 or digits + 2 >= length:
        return bounds
    return hex(sum(1 << region for region in regions))[2:]
