"""The firing and nearly firing inputs of every code, with their exact output beside them."""

from __future__ import annotations

from pathlib import Path

import pytest

from stratumc.diagnostics.catalog import CATALOG
from support.command import stratumc
from support.golden import Golden
from support.repository import GOLDEN_CHECKS

ENDINGS = (".stratum.yaml", ".stratum.yml", ".stratum.json", ".yaml", ".json")


def stem(case: Path) -> str:
    """The name of a case without what follows it: `fires-two.stratum.yaml` is `fires-two`."""
    ending = next((ending for ending in ENDINGS if case.name.endswith(ending)), "")
    return case.name.removesuffix(ending)


CASES = sorted(path for path in GOLDEN_CHECKS.glob("*/*") if path.suffix != ".out")


def case_id(case: Path) -> str:
    return f"{case.parent.name}/{case.name}"


@pytest.mark.parametrize("case", CASES, ids=case_id)
def test_a_case_gets_exactly_its_output(case: Path, golden: Golden) -> None:
    code, name = case.parent.name, stem(case)
    is_workflow = case.is_dir() or (case.suffix == ".json" and not case.name.endswith(".stratum.json"))
    kind = ["--kind", "workflow"] if is_workflow and case.name != "workflow.json" else []
    if (case / "stratumc.toml").exists():
        outcome = stratumc("check", "--format", "text", "--no-cache", ".", cwd=case)
    else:
        outcome = stratumc("check", "--format", "text", "--no-cache", *kind, case.name, cwd=case.parent)
    fires = f"[{code}]" in outcome.out
    assert name.startswith(("fires-", "clean-")), "a case is named for what it shows"
    assert fires is name.startswith("fires-"), outcome.out
    golden.check(case.parent / f"{name}.out", outcome.out)


@pytest.mark.parametrize("code", CATALOG)
def test_a_code_has_a_firing_and_a_nearly_firing_case(code: str) -> None:
    names = [stem(case) for case in CASES if case.parent.name == code]
    assert any(name.startswith("fires-") for name in names)
    assert any(name.startswith("clean-") for name in names)
