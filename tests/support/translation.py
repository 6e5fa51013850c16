"""The example that has every construct, played by a worker who does whatever it asks."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from support.repository import EXAMPLES

Answer = dict[str, Any]

INPUTS = {"manual": "the manual", "languages": ["fr", "de", "pl"]}
RESULTS: dict[str, Any] = {
    "translate.pages": lambda step: {"language": step["item"], "text": f"{step['item']}: …"},
    "translate.publish": lambda step: {"title": "The manual", "languages": INPUTS["languages"]},
    "terms.collect": lambda step: {"terms": ["table", "row"]},
}
VERDICT = {"status": "closed", "children": [], "reason": "no mistakes"}
CHECK = f"import json, sys\njson.load(sys.stdin)\nprint({json.dumps(json.dumps(VERDICT))})\n"


def spec_text() -> str:
    """The document."""
    return (EXAMPLES / "translation.stratum.yaml").read_text("utf-8")


def checker(workspace: Path, program: str = CHECK) -> None:
    """Puts the command in its place that the document's `evaluate` step runs."""
    path = workspace / "tools" / "check-spelling"
    path.parent.mkdir()
    path.write_text(f"#!{sys.executable} -I\n{program}", "utf-8")
    path.chmod(0o755)


class TranslationRun:
    """Works on a run until it has ended; the editor sends the first edition back."""

    def __init__(self, call: Callable[..., Answer], workspace: Path) -> None:
        self._call = call
        self._workspace = workspace

    def play(self) -> Answer:
        """Plans a run and works on it; the last answer."""
        checker(self._workspace)
        return self.go_on(self.plan())

    def plan(self) -> Answer:
        """The first answer of a run."""
        root = str(self._workspace)
        return self._call("stratum_plan", spec=spec_text(), inputs=INPUTS, workspace_root=root)

    def go_on(self, answer: Answer) -> Answer:
        """Does what an answer asks for, and what the next one asks for, to the end."""
        while answer["status"] in ("execute_step", "await_gate"):
            answer = self._decide(answer) if answer["status"] == "await_gate" else self._work(answer)
        return answer

    def _work(self, step: Answer) -> Answer:
        return self._call(
            "stratum_step_done",
            flow_id=step["flow_id"],
            step_id=step["step_id"],
            result=RESULTS[step["function"]](step),
            dispatch_token=step["dispatch_token"],
            usage={"tokens": 10},
        )

    def _decide(self, gate: Answer) -> Answer:
        return self._call(
            "stratum_gate_resolve",
            flow_id=gate["flow_id"],
            step_id=gate["step_id"],
            outcome="revise" if gate["rounds_used"] == 0 else "approve",
            rationale="the editor says so",
            resolved_by="human",
            gate_token=gate["gate_token"],
        )
