"""What follows from a fault that reading found is not reported again; all else is."""

from __future__ import annotations

import pytest

import stratumc

DOCUMENT = """\
version: 1
contracts: {Note: {text: string}}
flows:
  entry: main
  main:
    input: {a: string}
    output: {from: "${w.output}", contract: Note}
    steps:
      - {id: w, do: "x ${input.a}", out: Note}
      - STEP
"""
STEP = "flows.main.steps[1]"


@pytest.mark.parametrize(
    ("step", "wanted"),
    [
        ("{id: b, do: x}", []),
        ("{id: b, do: !foo x}", [f"YAML_INVALID {STEP}.do"]),
        ("{id: b, do: x, attempts: !foo 2}", [f"YAML_INVALID {STEP}.attempts"]),
        ("{id: b, do: x, attempts: .inf}", [f"SCHEMA_INVALID {STEP}.attempts"]),
        ("{id: b, do: x, bogus: !foo x}", [f"E2_UNKNOWN_FIELD {STEP}.bogus", f"YAML_INVALID {STEP}.bogus"]),
        (
            "{id: b, do: x, with: !foo {}}",
            [f"E2_FIELD_FOR_KIND {STEP}.with", f"YAML_INVALID {STEP}.with"],
        ),
        ("{[id]: b, do: x}", [f"YAML_INVALID {STEP}"]),
        ("{[id]: b}", [f"YAML_INVALID {STEP}"]),
        ("{[id]: b, do: 1}", [f"SCHEMA_INVALID {STEP}.do", f"YAML_INVALID {STEP}"]),
        ("{id: b, do: x, do: y}", [f"DUPLICATE_KEY {STEP}.do"]),
        ("{<<: {}, do: x}", [f"E2_UNKNOWN_FIELD {STEP}.<<"]),
        ("{id: b, <<: {}}", [f"E2_UNKNOWN_FIELD {STEP}.<<"]),
        ("{id: b, do: x, budget: {<<: {}}}", [f"E2_UNKNOWN_FIELD {STEP}.budget.<<"]),
        (
            "{id: b, do: x, budget: {usd: 0, <<: {}}}",
            [f"E2_UNKNOWN_FIELD {STEP}.budget.<<", f"SCHEMA_INVALID {STEP}.budget.usd"],
        ),
    ],
)
def test_faults_of_reading(step: str, wanted: list[str]) -> None:
    result = stratumc.check(DOCUMENT.replace("STEP", step), kind="spec", families=("rule",))
    assert sorted(f"{one.code} {one.path}" for one in result.diagnostics) == wanted
