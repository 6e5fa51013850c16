"""Which steps have ended when another begins, in rounds in which some steps are known to run."""

from __future__ import annotations

from stratumc.graph.step_order import StepOrder
from support.documents import gate, graph_of, task


def test_no_failure_skips_a_step_that_runs() -> None:
    graph = graph_of(
        task("first"),
        task("test", after=["first"]),
        task("scan", after=["first"], on_fail="rescue"),
        task("rescue"),
        gate("review", after=["test", "scan"], on_kill="sorry"),
        task("sorry"),
        task("last", after=["review"]),
    )
    test, review, sorry = (1 << graph.index[name] for name in ("test", "review", "sorry"))
    assert StepOrder(graph).before(graph.index["last"]) & test == 0
    assert StepOrder(graph, review).before(graph.index["last"]) & test
    assert StepOrder(graph, sorry).before(graph.index["last"]) & test == 0
