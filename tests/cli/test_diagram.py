"""`stratumc diagram` from outside: each form of each kind, inputs that are broken, and what can't be done."""

from __future__ import annotations

import json
import os
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from stratumc.emit.graphviz import quiet
from support.checked_files import BROKEN, GOOD, WORKFLOW
from support.command import stratumc, stratumc_process

FORMS = ("mermaid", "dot", "svg", "png", "html")
SOURCES = {
    "good.stratum.yaml": GOOD,
    "broken.stratum.yaml": BROKEN.replace("output: {from", "input: {}\n    output: {from").replace(
        "entry: main", "entry: mian"
    ),
    "workflow.json": WORKFLOW,
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in SOURCES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", SOURCES)
def test_each_form_of_each_kind_goes_whole_to_a_file(name: str, form: str) -> None:
    outcome = stratumc("diagram", name, "--format", form, "-o", "drawn")
    assert outcome.status == 0
    assert not outcome.out
    data = Path("drawn").read_bytes()
    if form == "svg":
        ET.fromstring(data)
    begins = {
        "mermaid": b"---\n",
        "dot": b"digraph",
        "svg": b"<?xml",
        "png": b"\x89PNG",
        "html": b"<!doctype",
    }
    assert data.startswith(begins[form])


def test_a_broken_input_is_drawn_and_said_to_be_broken() -> None:
    broken = stratumc("diagram", "broken.stratum.yaml")
    assert "the input breaks rules: what could be read of it is drawn" in broken.err
    assert stratumc("diagram", "good.stratum.yaml").err == ""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("good.stratum.yaml", "-o", "no/such/x"), "`no/such/x`: no such file or directory"),
        (("good.stratum.yaml", "-o", "."), "`.`: is a directory"),
        (("good.stratum.yaml", "--state", "a"), "a spec has no states"),
        (("good.stratum.yaml", "--flow", "mian"), "no flow `mian`: did you mean `main`?"),
        (("good.stratum.yaml", "--run", "nosuch"), "no run `nosuch`"),
        (("workflow.json", "--state", "aa"), "no state `aa`: did you mean `a`?"),
        (("workflow.json", "--flow", "main"), "a workflow has no flows"),
        (("workflow.json", "--run", "x"), "a workflow has no runs"),
        (("absent.yaml",), "`absent.yaml`: no such file"),
        (("good.stratum.yaml", "--format", "gif"), "'gif' is not one of"),
    ],
)
def test_what_cannot_be_done_is_said(
    arguments: tuple[str, ...], said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    outcome = stratumc("diagram", *arguments)
    assert (outcome.status, outcome.out) == (2, "")
    assert said in outcome.err


def test_more_than_mermaid_draws_is_said() -> None:
    before = [", ".join(f"s{m}" for m in range(max(0, n - 5), n)) for n in range(120)]
    steps = "".join(
        f"      - {{id: s{n}, after: [{ids}], do: x, out: Text}}\n" for n, ids in enumerate(before)
    )
    head = GOOD[: GOOD.index("      - {id")].replace("write.output", "s119.output")
    Path("large.stratum.yaml").write_text(head + steps)
    assert (
        "edges, where Mermaid draws 500 unless its host allows more"
        in stratumc("diagram", "large.stratum.yaml").err
    )
    assert stratumc("diagram", "large.stratum.yaml", "--format", "dot").err == ""
    states = {f"state{n}": {"transitions": [{"event": "e" * 99, "target": "state0"}]} for n in range(500)}
    Path("workflow.json").write_text(json.dumps({"initial_state": "state0", "states": states}))
    assert "characters, where Mermaid draws 50000" in stratumc("diagram", "workflow.json").err


@pytest.mark.parametrize("form", ["svg", "png", "html"])
def test_graphviz_writes_nothing_to_the_error_stream(form: str, tmp_path: Path) -> None:
    """Of Debian's settings of fonts it says at each start that it doesn't know all of them."""
    fonts = tmp_path / "fonts.conf"
    fonts.write_text("<fontconfig><unheard-of/><dir>/usr/share/fonts</dir></fontconfig>")
    env = {"FONTCONFIG_FILE": str(fonts)}
    outcome = stratumc_process("diagram", "good.stratum.yaml", "--format", form, "-o", "drawn", env=env)
    assert (outcome.status, outcome.err) == (0, "")


def test_what_is_no_noise_is_let_through(capfd: pytest.CaptureFixture[str]) -> None:
    with quiet():
        os.write(2, b"Fontconfig warning: line 6: unknown element\nError: a real one\n")
        os.write(2, b"Warning: graph has 5000 nodes...layout may take a long time.\n")
    sys.stderr.flush()
    assert capfd.readouterr().err == "Error: a real one\n"
