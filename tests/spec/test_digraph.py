"""Circles and reachability, compared with their definitions on small random graphs."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from stratumc.spec.digraph import Edge, Query, Reachability, circle_through, closing_edges, components


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, list[Edge]]:
    count = draw(st.integers(1, 7))
    node = st.integers(0, count - 1)
    return count, draw(st.lists(st.tuples(node, node), max_size=14))


def closure(count: int, edges: list[Edge]) -> list[set[int]]:
    """By node, every node that it reaches, itself too: straight from the definition."""
    reached = [{node} for node in range(count)]
    for _ in range(count):
        for source, target in edges:
            reached[source] |= reached[target]
    return reached


@given(graphs())
@settings(max_examples=200)
def test_components_are_the_nodes_that_reach_each_other_sinks_first(graph: tuple[int, list[Edge]]) -> None:
    count, edges = graph
    reached, found = closure(count, edges), components(count, edges)
    for one in range(count):
        for other in range(count):
            assert (found[one] == found[other]) is (other in reached[one] and one in reached[other])
    assert all(found[source] >= found[target] for source, target in edges)


@given(graphs())
@settings(max_examples=300)
def test_an_edge_closes_a_circle_when_its_ends_come_together_with_it(graph: tuple[int, list[Edge]]) -> None:
    count, edges = graph
    wanted = []
    for index, (source, target) in enumerate(edges):
        before, after = closure(count, edges[:index]), closure(count, edges[: index + 1])
        together = source in after[target] and target in after[source]
        if source != target and together and not (source in before[target] and target in before[source]):
            wanted.append(index)
    assert closing_edges(count, edges) == wanted
    for index in wanted:
        circle = circle_through(edges, index)
        assert (circle[-1], circle[0]) == edges[index]
        assert len(set(circle)) == len(circle)
        assert all(step in edges[:index] for step in pairwise(circle))


@given(graphs(), st.data())
@settings(max_examples=200)
def test_queries_name_a_source_that_does_not_reach_the_node(
    graph: tuple[int, list[Edge]], data: st.DataObject
) -> None:
    count, edges = graph
    node = st.integers(0, count - 1)
    drawn = data.draw(st.lists(st.tuples(node, st.lists(node, max_size=4).map(tuple)), max_size=5))
    queries = [Query(target, sources) for target, sources in drawn]
    reached = closure(count, edges)
    for query, answer in zip(queries, Reachability(count, edges).unreached(queries), strict=True):
        missing = [source for source in query.sources if query.node not in reached[source]]
        assert answer in missing if missing else answer is None


def test_more_marks_than_fit_in_one_pass() -> None:
    count = 3000
    edges = [(node, node + 1) for node in range(count - 1)]
    graph = Reachability(count, edges)
    every = tuple(range(count))
    answers = graph.unreached(
        [Query(count - 1, every), Query(1500, every), *(Query(n, (n // 2,)) for n in every)]
    )
    assert answers[0] is None
    assert answers[1] is not None
    assert answers[1] > 1500
    assert set(answers[2:]) == {None}


def test_a_graph_without_nodes() -> None:
    assert components(0, []) == []
    assert closing_edges(0, []) == []
    assert Reachability(0, []).unreached([]) == []
