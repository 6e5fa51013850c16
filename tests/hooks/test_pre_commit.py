"""The hooks, run by the real pre-commit in a repository made here."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from support.command import stratumc
from support.repository import EXAMPLES, ROOT

BIN = Path(sys.executable).parent
GOOD = (EXAMPLES / "release.stratum.yaml").read_text("utf-8")
BROKEN = GOOD.replace("out: Build", "out: Bild")
FOREIGN = '{"nodes": [], "connections": {}}'


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty git repository with its own home, so that no setting of the user's counts."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PRE_COMMIT_HOME", str(tmp_path / "pre-commit"))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("PATH", f"{BIN}{os.pathsep}{os.environ['PATH']}")
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "--quiet")
    git(folder, "config", "user.name", "Someone")
    git(folder, "config", "user.email", "someone@example.com")
    return folder


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True)


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    git(folder, "add", "--all")
    command = [sys.executable, "-m", "pre_commit", *arguments, "--all-files"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def use_hooks(folder: Path) -> None:
    """Configures our hooks as they are published, but for the environment that they would install."""
    hooks: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    local = {"repos": [{"repo": "local", "hooks": [{**hook, "language": "system"} for hook in hooks]}]}
    (folder / ".pre-commit-config.yaml").write_text(yaml.safe_dump(local), "utf-8")


def test_a_broken_spec_fails_the_commit(repository: Path) -> None:
    use_hooks(repository)
    (repository / "release.stratum.yaml").write_text(BROKEN, "utf-8")
    outcome = run(repository, "run")
    assert outcome.returncode == 1
    assert "stratumc check....." in outcome.stdout
    assert "error[CONTRACT_UNKNOWN_REF]" in outcome.stdout
    assert "Traceback" not in outcome.stdout


def test_good_files_and_those_of_others_pass(repository: Path) -> None:
    use_hooks(repository)
    (repository / "release.stratum.yaml").write_text(GOOD, "utf-8")
    (repository / "workflow.json").write_text(FOREIGN, "utf-8")
    (repository / "notes.yaml").write_text("a: [", "utf-8")
    outcome = run(repository, "run")
    assert outcome.returncode == 0, outcome.stdout
    assert outcome.stdout.count("Passed") == 2


def test_a_stale_table_fails_the_commit(repository: Path) -> None:
    use_hooks(repository)
    source, table = repository / "release.stratum.yaml", repository / "release.table.json"
    source.write_text(GOOD, "utf-8")
    assert stratumc("compile", source, "-o", table).status == 0
    assert run(repository, "run").returncode == 0
    source.write_text(GOOD.replace("max_rounds: 5", "max_rounds: 6"), "utf-8")
    outcome = run(repository, "run")
    assert outcome.returncode == 1
    assert "release.table.json: it isn't what `release.stratum.yaml` compiles to" in outcome.stdout


def test_a_fragment_alone_checks_its_workflow(repository: Path) -> None:
    use_hooks(repository)
    (repository / "workflow.d").mkdir()
    (repository / "workflow.json").write_text('{"initial_state": "a", "states": {"a": {}}}', "utf-8")
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "--message", "base")
    fragment = '{"states": {"a": {"transitions": [{"event": "go", "target": "nowhere"}]}}}'
    (repository / "workflow.d" / "10.json").write_text(fragment, "utf-8")
    git(repository, "add", "--all")
    command = [sys.executable, "-m", "pre_commit", "run"]
    outcome = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=False)
    assert outcome.returncode == 1
    assert "workflow.d/10.json:1:" in outcome.stdout


@pytest.mark.slow
def test_the_hooks_install_and_run_as_published(repository: Path) -> None:
    (repository / "release.stratum.yaml").write_text(BROKEN, "utf-8")
    outcome = run(repository, "try-repo", str(ROOT), "stratumc-check")
    assert outcome.returncode == 1
    assert "error[CONTRACT_UNKNOWN_REF]" in outcome.stdout, outcome.stdout + outcome.stderr
