"""How long checks take as whole processes, beside an empty interpreter and beside other checkers."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from benchmarks.inputs import chain, write_many
from benchmarks.measure import Bound, Command, Group

BIN = Path(sys.executable).parent
STRATUMC = str(BIN / "stratumc")
RULES = (STRATUMC, "check", "--family", "rule", "--no-cache")
SHAPES = [(backwards, carry) for backwards in (False, True) for carry in (False, True)]
SIZES = (100, 1_000, 10_000)


def prepare(folder: Path) -> None:
    """Writes the inputs, and the schema for the checker that needs one."""
    (folder / "ten.stratum.yaml").write_text(chain(10), "utf-8")
    for size in SIZES:
        for backwards, carry in SHAPES:
            text = chain(size, backwards=backwards, carry=carry)
            (folder / _name(size, backwards=backwards, carry=carry)).write_text(text, "utf-8")
    write_many(folder / "many", 500, 10)
    schema = subprocess.run((STRATUMC, "schema", "spec"), capture_output=True, check=True).stdout
    (folder / "schema.json").write_text(json.dumps(json.loads(schema)), "utf-8")


def groups(folder: Path) -> list[Group]:
    """What is measured; bounds are those that the project promises."""
    return [_start(), _one_file(), _many_files(folder), *(_growth(*shape) for shape in SHAPES)]


def _start() -> Group:
    empty = Command("empty Python process", (sys.executable, "-c", ""))
    cached = Command("stratumc check, cached", (STRATUMC, "check", "ten.stratum.yaml"))
    return Group(
        "Start-up",
        (
            empty,
            Command("stratumc --version", (STRATUMC, "--version")),
            Command("stratumc --help", (STRATUMC, "--help")),
            cached,
            Command("stratumc check, rules, uncached", (*RULES, "ten.stratum.yaml")),
        ),
        (
            Bound("stratumc --version", empty.name, 2.5),
            Bound(cached.name, empty.name, 5),
            Bound("stratumc check, rules, uncached", empty.name, 12),
        ),
        rounds=30,
    )


def _one_file() -> Group:
    return Group(
        "One spec of 10 steps, beside other checkers",
        (
            Command("stratumc check, cached", (STRATUMC, "check", "ten.stratum.yaml")),
            Command("stratumc check, rules, uncached", (*RULES, "ten.stratum.yaml")),
            Command("stratumc check, all, uncached", (STRATUMC, "check", "--no-cache", "ten.stratum.yaml")),
            *_others("ten.stratum.yaml"),
        ),
        (
            Bound("stratumc check, cached", "yamllint", 1),
            Bound("stratumc check, cached", "check-jsonschema", 1),
            Bound("stratumc check, rules, uncached", "check-jsonschema", 1),
        ),
        rounds=10,
    )


def _many_files(folder: Path) -> Group:
    files = tuple(str(path.relative_to(folder)) for path in sorted((folder / "many").iterdir()))
    return Group(
        "500 specs of 10 steps",
        (
            Command("stratumc check, rules, uncached", (*RULES, "many")),
            Command("stratumc check, all, uncached", (STRATUMC, "check", "--no-cache", "many")),
            Command("stratumc check, cached", (STRATUMC, "check", "many")),
            *_others(*files),
        ),
        (
            Bound("stratumc check, rules, uncached", "yamllint", 1),
            Bound("stratumc check, rules, uncached", "check-jsonschema", 1),
        ),
        rounds=3,
    )


def _others(*files: str) -> tuple[Command, Command]:
    """Other checkers on the same files; yamllint finds faults of style in them, which is its work."""
    return (
        Command("yamllint", (str(BIN / "yamllint"), *files), (0, 1)),
        Command("check-jsonschema", (str(BIN / "check-jsonschema"), "--schemafile", "schema.json", *files)),
    )


def _growth(backwards: bool, carry: bool) -> Group:
    commands = tuple(
        Command(f"{size:,} steps", (*RULES, _name(size, backwards=backwards, carry=carry))) for size in SIZES
    )
    order, value = "backwards" if backwards else "forwards", "with carry" if carry else "without carry"
    return Group(
        f"Chains declared {order}, {value} (rules, uncached)",
        commands,
        (Bound("10,000 steps", "1,000 steps", 2, share=10),),
        rounds=3,
    )


def _name(size: int, *, backwards: bool, carry: bool) -> str:
    return f"chain-{size}{'-backwards' if backwards else ''}{'-carry' if carry else ''}.stratum.yaml"
