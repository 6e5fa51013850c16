"""The tables of all examples, kept as JSON, as Markdown for people, and a row a line."""

from __future__ import annotations

from pathlib import Path

import pytest

from stratum_runtime import dumps, loads
from stratumc.driver.compile import FORMATS, compile_file
from support.examples import EXAMPLES, example_id
from support.golden import Golden
from support.repository import ROOT

ENDINGS = {"json": ".json", "table": ".md", "rows": ".rows"}


@pytest.mark.parametrize("path", EXAMPLES, ids=example_id)
def test_examples_compile_to_their_golden_tables(path: Path, golden: Golden) -> None:
    for form in FORMATS:
        compiled = compile_file(str(path), form)
        assert compiled.text is not None, compiled.diagnostics
        golden.check(ROOT / "golden" / "tables" / f"{example_id(path)}{ENDINGS[form]}", compiled.text)


@pytest.mark.parametrize("path", EXAMPLES, ids=example_id)
def test_a_golden_table_loads_and_dumps_to_itself(path: Path) -> None:
    data = (ROOT / "golden" / "tables" / f"{example_id(path)}.json").read_bytes()
    assert dumps(loads(data)) + b"\n" == data
