"""What an evaluation has established so far about the members it read: presence, and narrower types."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from stratumc.expr.types import Type, join, meet

Path = tuple[str | int, ...]
"""A bound name, then members and indexes: `result.items[0]` is ("result", "items", 0)."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Facts by path: the type of a value that is there, None for a member that is missing."""

    facts: Mapping[Path, Type | None] = field(default_factory=dict)

    def having(self, path: Path | None, fact: Type | None) -> Knowledge:
        """With one more fact; a value without a path teaches nothing."""
        if path is None or (path in self.facts and self.facts[path] == fact):
            return self
        return Knowledge({**self.facts, path: fact})

    def both(self, other: Knowledge) -> Knowledge:
        """What holds when both do; of facts that can't hold together the first is kept."""
        changed: dict[Path, Type | None] = {}
        for path, theirs in other.facts.items():
            if path not in self.facts:
                changed[path] = theirs
                continue
            mine = self.facts[path]
            if mine is not None and theirs is not None and mine != theirs:
                common = meet(mine, theirs)
                if not common.is_never and common != mine:
                    changed[path] = common
        return Knowledge({**self.facts, **changed}) if changed else self

    def renamed(self, names: Mapping[str, Path]) -> Knowledge:
        """Only the facts about some bound names, each name replaced by the path that it stands for."""
        return Knowledge(
            {(*names[str(path[0])], *path[1:]): fact for path, fact in self.facts.items() if path[0] in names}
        )

    def either(self, other: Knowledge) -> Knowledge:
        """What holds whichever of the two does."""
        if self is other:
            return self
        facts: dict[Path, Type | None] = {}
        for path, fact in self.facts.items():
            if path in other.facts:
                theirs = other.facts[path]
                if fact is not None and theirs is not None:
                    facts[path] = join(fact, theirs)
                elif fact is theirs:
                    facts[path] = None
        return Knowledge(facts)


NOTHING = Knowledge()
