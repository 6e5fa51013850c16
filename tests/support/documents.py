"""Small documents for tests: a flow of the steps given, loaded or compiled."""

from __future__ import annotations

import json
from typing import Any

import stratumc
from stratum_runtime import Table
from stratumc.driver.load import load
from stratumc.graph.flow_graph import FlowGraph, flow_graph
from stratumc.spec.syntax import Spec

CONTRACTS = {"Note": {"text": "string"}, "Flag": {"ok": "boolean", "label": "string?"}}


def document(*steps: dict[str, Any], **flow: Any) -> dict[str, Any]:
    """A document of one flow `main`; its output is that of the step `last` unless `output` says else."""
    main = {
        "input": {"topic": "string"},
        "output": {"from": "${last.output}", "contract": "Note"},
        "steps": list(steps),
        **flow,
    }
    return {"version": 1, "contracts": CONTRACTS, "flows": {"entry": "main", "main": main}}


def task(name: str, **more: Any) -> dict[str, Any]:
    """A `do` step with a contract."""
    return {"id": name, "do": f"work on {name}", "out": "Note", **more}


def gate(name: str, **more: Any) -> dict[str, Any]:
    """A gate; routes that are not given are null."""
    routes = {route: more.pop(route, None) for route in ("on_approve", "on_revise", "on_kill")}
    limit = {"max_rounds": more.pop("max_rounds")} if "max_rounds" in more else {}
    return {"id": name, "gate": {**routes, **limit}, **more}


def spec_of(content: dict[str, Any]) -> Spec:
    """The syntax tree of a document that may break rules."""
    spec = load(json.dumps(content), name="case.stratum.json", kind="spec").spec
    assert spec is not None
    return spec


def graph_of(*steps: dict[str, Any]) -> FlowGraph:
    """The graph of a flow of these steps."""
    return flow_graph(spec_of(document(*steps)).flows["main"])


def table_of(content: dict[str, Any], kind: str = "spec") -> Table:
    """The table of a document or workflow that keeps all rules."""
    compiled = stratumc.compile(json.dumps(content), name=f"case.{kind}.json", kind=kind, families=("rule",))
    assert compiled.table is not None, compiled.diagnostics
    return compiled.table
