"""Runs the scripts of tests/browser; they need `npm ci` there and a Chromium, as `.ci/run` sees to."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from support.repository import ROOT

SCRIPTS = ROOT / "tests" / "browser"


def run_script(name: str, given: Any, *arguments: str | Path) -> Any:
    """The JSON that a script answers to some JSON."""
    done = subprocess.run(
        ("node", str(SCRIPTS / name), *map(str, arguments)),
        input=json.dumps(given).encode("utf-8"),
        capture_output=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr.decode("utf-8")
    return json.loads(done.stdout)
