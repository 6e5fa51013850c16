"""A check says the same of an input whatever the process checked before, in whatever order."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

import stratumc
from support.repository import EXAMPLES, GOLDEN_CHECKS

TANGLED = """\
version: 1
contracts:
  Parcel: {label: string, grams: integer, lines: integer, spare: integer, size: small|middle|large}
  Quote: {price: number, days: number, notes: 'string[]'}
  Slip: {code: string}
flows:
  entry: send
  send:
    input: {town: string, heavy: boolean}
    output: {from: "${hand-over.output}", contract: Slip}
    max_rounds: 2
    steps:
      - id: pack
        do: "Pack for ${input.town}."
        out: Parcel
        ensure:
          - expr: result.grams >= 0 && result.lines >= 0 && result.spare >= 0
          - expr: result.grams + result.lines + result.spare > 0
          - expr: result.spare == 0 || input.heavy
          - expr: matches(result.label, '^p[0-9]+')
      - id: quote
        do: "Ask what ${pack.output.grams} grams cost."
        out: Quote
        ensure:
          - expr: result.price > 0 && result.days > 0
          - expr: len(result.notes) <= 5
      - id: insure
        after: [quote]
        when: result.pack.size == 'large' && len(result.quote.notes) > 2
        do: "Insure ${pack.output.label}."
        out: Slip
      - id: agree
        after: [insure]
        gate: {on_approve: hand-over, on_revise: pack, on_kill: keep}
      - id: hand-over
        do: "Hand ${pack.output.label} over for ${quote.output.price}."
        out: Slip
        ensure: [{expr: "'-' in result.code"}]
      - {id: keep, do: "Keep ${insure.output.code}.", out: Slip}
      - {id: tell, after: [agree], do: "Tell of ${hand-over.output.code}."}
"""
"""A text whose findings have witnesses that the solver is free to choose in many ways."""

PROGRAM = """
import json, sys
from driver.test_determinism import verdicts
print(json.dumps(verdicts(json.loads(sys.argv[1]))))
"""


def _inputs() -> list[str]:
    """The examples and the golden inputs of every code, by their paths."""
    files = (*EXAMPLES.rglob("*.*"), *GOLDEN_CHECKS.glob("*/*.*"))
    return sorted(str(path) for path in files if path.suffix in (".yaml", ".yml", ".json"))


def verdict(source: str | Path) -> str:
    """All that a check of an input says, as JSON."""
    result = stratumc.check(source)
    found = [diagnostic.to_dict() for diagnostic in result.diagnostics]
    return json.dumps([found, result.bounds, result.properties], sort_keys=True)


def verdicts(paths: list[str]) -> dict[str, str]:
    """What is said of some files and of the tangled text, checked in this order."""
    return {path: verdict(TANGLED if path == "tangled" else Path(path)) for path in paths}


def elsewhere(paths: list[str], seed: str) -> dict[str, str]:
    """What a fresh process with that hash seed says."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps(paths)],
        cwd=Path(__file__).parents[1],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, str] = json.loads(done.stdout)
    return found


def test_the_order_of_checks_and_the_hash_seed_make_no_difference() -> None:
    paths = ["tangled", *_inputs()]
    shuffled = random.Random(6)
    first = verdicts(shuffled.sample(paths, len(paths)))
    assert verdicts(shuffled.sample(paths, len(paths))) == first
    assert elsewhere(shuffled.sample(paths, len(paths)), "77") == first


def test_the_tangled_text_has_witnesses() -> None:
    found = stratumc.check(TANGLED).diagnostics
    assert [diagnostic.code for diagnostic in found if diagnostic.witness] == ["REF_MAY_BE_MISSING"] * 2


WITNESSED = ("REF_MAY_BE_MISSING", "OUTPUT_MAY_BE_MISSING", "UNTIL_ALREADY_HOLDS", "TRIGGER_OVERLAP")
FRESH = ["tangled", *(next(path for path in _inputs() if f"/{code}/fires" in path) for code in WITNESSED)]


@pytest.mark.parametrize("path", FRESH, ids=lambda path: Path(path).parent.name or path)
def test_a_fresh_process_says_the_same(path: str) -> None:
    verdicts(_inputs()[::9])
    assert elsewhere([path], "3") == verdicts([path])
