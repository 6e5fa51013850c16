"""Damaged tables: each is refused by `loads` or by the verifier."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import stratumc
from stratum_runtime import Table
from stratumc.lower.verify import verify_table
from stratumc.lower.verify_source import recompiled_faults
from support.examples import EXAMPLES, example_id
from support.mutants import mutants


@cache
def table_of(path: Path) -> Table:
    compiled = stratumc.compile(path)
    assert compiled.table is not None, compiled.diagnostics
    return compiled.table


@pytest.mark.parametrize("path", EXAMPLES, ids=example_id)
def test_every_kind_of_damage_is_refused(path: Path) -> None:
    table = table_of(path)
    tried, alone, accepted = 0, 0, []
    for name, damaged in mutants(table.data):
        tried += 1
        verification, loaded = verify_table(damaged)
        if not verification.ok:
            alone += 1
        elif loaded is None or next(recompiled_faults(loaded, table), None) is None:
            accepted.append(name)
    assert not accepted
    assert tried >= 40, "at least forty kinds of damage apply to every table"
    assert alone >= 35, "nearly all of them are found without the source"


@pytest.mark.parametrize("path", EXAMPLES, ids=example_id)
def test_an_undamaged_table_is_accepted(path: Path) -> None:
    table = table_of(path)
    verification = stratumc.verify(table, path)
    assert [one for one in verification.properties if one.verdict != "proved"] == []
    assert verification.ok
