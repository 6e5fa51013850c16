"""The same inputs give the same bytes, whatever the process around them and whatever their syntax."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings

import stratumc
from stratum_runtime import dumps
from support.examples import EXAMPLES, example_id
from support.specs import specs

PROGRAM = """
import hashlib, pathlib, sys, stratumc
from stratum_runtime import dumps
table = stratumc.compile(pathlib.Path(sys.argv[1]), families=("rule",)).table
print(hashlib.sha256(dumps(table)).hexdigest())
"""


def digest_in(path: Path, cwd: Path, **environment: str) -> str:
    """The hash of an example's table, compiled by a process of its own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG"))}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(path)],
        cwd=cwd,
        env={**kept, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


@pytest.mark.parametrize("path", [EXAMPLES[0], EXAMPLES[-1]], ids=example_id)
def test_hash_seed_folder_and_locale_make_no_difference(path: Path, tmp_path: Path) -> None:
    table = stratumc.compile(path, families=("rule",)).table
    assert table is not None
    expected = hashlib.sha256(dumps(table)).hexdigest()
    assert digest_in(path, tmp_path, PYTHONHASHSEED="1", LC_ALL="C") == expected
    assert digest_in(Path(path.name), path.parent, PYTHONHASHSEED="4321", LC_ALL="C.UTF-8") == expected


@settings(max_examples=30)
@given(specs())
def test_yaml_and_json_twins_have_one_table(document: dict[str, object]) -> None:
    quoted = yaml.safe_dump(document, allow_unicode=True, sort_keys=False, default_style='"')
    spaced = "# a comment\n" + json.dumps(document, indent=1, ensure_ascii=False).replace("\n", "\n\n")
    tables = [
        stratumc.compile(text, name="twin", kind="spec", families=("rule",)).table
        for text in (json.dumps(document), quoted, spaced)
    ]
    assert tables[0] is not None
    assert len({dumps(table) if table is not None else b"" for table in tables}) == 1
