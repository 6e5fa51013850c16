"""Damaged copies of a table's JSON, one for each kind of damage that applies to it."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from types import ModuleType

from stratum_runtime.canonical import digest_of
from support import damage_effects, damage_guards, damage_head, damage_pools, damage_records, damage_rows
from support.table_places import Data

Damage = Callable[[Data], bool]
"""Changes a table in place and says whether there was anything to damage."""


def _kinds(module: ModuleType) -> tuple[Damage, ...]:
    return tuple(one for one in vars(module).values() if getattr(one, "__module__", None) == module.__name__)


UNSIGNED: tuple[Damage, ...] = (
    damage_head.change_digest,
    damage_head.lose_digest,
    damage_head.change_content_under_digest,
)
"""The digest itself is the damage."""

DAMAGES: tuple[Damage, ...] = tuple(
    damage
    for module in (
        damage_head,
        damage_rows,
        damage_guards,
        damage_effects,
        damage_records,
        damage_pools,
    )
    for damage in _kinds(module)
)


def mutants(data: Data) -> Iterator[tuple[str, Data]]:
    """Every kind of damage that applies, by name; the digest is right unless it is the damage."""
    for damage in DAMAGES:
        mutant = copy.deepcopy(data)
        if damage(mutant):
            if damage not in UNSIGNED:
                mutant["digest"] = digest_of({key: mutant[key] for key in mutant if key != "digest"})
            yield damage.__name__, mutant
