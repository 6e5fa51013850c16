"""Dependencies, routes, order, closures, failure regions and dominators of flows."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from stratumc.graph.flow_graph import FlowGraph, Route, RouteKind
from stratumc.graph.step_sets import mask_of, members_of, ranges_of
from support.documents import gate, graph_of, task


def names(graph: FlowGraph, mask: int) -> list[str]:
    return [graph.ids[step] for step in members_of(mask)]


def test_after_and_references_make_dependencies_each_once() -> None:
    graph = graph_of(
        task("a"),
        task("b", after=["a"]),
        {"id": "c", "do": "${b.output.text} ${a.output.text} ${b.output}", "after": ["a"]},
    )
    assert graph.dependencies == ((), (0,), (0, 1))
    assert graph.dependents == ((1, 2), (2,), ())


def test_every_scanned_string_makes_edges() -> None:
    stages = [{"do": "${s.output.text}", "when": "'${w.output}'", "ensure": [{"expr": "'${e.output}'"}]}]
    fan = {
        "over": "${o.output}",
        "steps": stages,
        "concurrency": 1,
        "isolation": "none",
        "require": "all",
        "merge": "sequential",
    }
    sources = [task(name) for name in "swedoiu"]
    graph = graph_of(
        *sources,
        {"id": "fan", "fanout": fan},
        {"id": "calc", "set": {"text": "'${d.output}'"}, "out": "Note", "when": "'${i.output}'"},
        task("loop", iterate={"max": 2, "until": "'${u.output}'"}),
    )
    named = {
        graph.ids[step]: {graph.ids[before] for before in befores}
        for step, befores in enumerate(graph.dependencies)
    }
    assert named["fan"] == {"s", "w", "e", "o"}
    assert named["calc"] == {"d", "i"}
    assert named["loop"] == {"u"}


def test_carry_references_and_unknown_names_make_none() -> None:
    graph = graph_of(
        task("a"), {"id": "b", "do": "${a} ${ghost.output} ${b.output}", "after": ["b", "nobody"]}
    )
    assert graph.dependencies == ((), ())


def test_routes_by_kind_and_end() -> None:
    graph = graph_of(
        task("a", on_fail="d"), gate("g", on_approve="d", on_kill="e", after=["a"]), task("d"), task("e")
    )
    assert [(route.source, route.target, route.kind.value) for route in graph.routes] == [
        (0, 2, "on_fail"),
        (1, 2, "on_approve"),
        (1, 3, "on_kill"),
    ]
    assert [route.source for route in graph.routes_to[2]] == [0, 1]
    assert graph.routes_from[0] == (graph.routes[0],)
    assert graph.successors[1] == (2, 3)


def test_order_takes_the_first_declared_of_those_free() -> None:
    graph = graph_of(task("last", after=["mid"]), task("mid", after=["first"]), task("first"), task("other"))
    assert [graph.ids[step] for step in graph.order] == ["first", "mid", "last", "other"]
    assert graph.acyclic


def test_a_circle_has_a_graph_all_the_same() -> None:
    graph = graph_of(task("a", after=["b"]), task("b", after=["a"]), task("c"))
    assert not graph.acyclic
    assert sorted(graph.order) == [0, 1, 2]
    assert names(graph, graph.closure_mask(0)) == ["a", "b"]
    assert graph.immediate_dominators == (None, None, None)


def test_reset_closure_follows_dependencies_and_routes() -> None:
    graph = graph_of(
        task("a"),
        task("b", after=["a"], on_fail="r"),
        task("r"),
        gate("g", after=["b"], on_revise="b"),
        task("x"),
    )
    assert graph.closure(graph.index["b"]) == (1, 2, 3)
    assert graph.ancestors(3) == (0, 1)
    assert graph.is_before(1, 2)
    assert not graph.dependent_masks[1] >> 2 & 1


def test_failure_region_parts_what_is_skipped_from_what_goes_on() -> None:
    graph = graph_of(
        task("f", on_fail="t"),
        task("t"),
        task("only_f", after=["f"]),
        task("join", after=["only_f", "t"]),
        task("after_join", after=["join"]),
        task("aside"),
    )
    region = graph.failure_regions[0]
    assert names(graph, region.skipped) == ["only_f"]
    assert names(graph, region.recovery) == ["t", "join", "after_join"]
    assert set(graph.failure_regions) == {0}


def test_dominators() -> None:
    graph = graph_of(
        task("top"),
        task("l", after=["top"]),
        task("r", after=["top"]),
        task("end", after=["l", "r"]),
        task("x"),
    )
    assert graph.immediate_dominators == (None, 0, 0, 0, None)


def test_a_long_chain_is_no_trouble() -> None:
    steps = [task("s0")] + [task(f"s{n}", after=[f"s{n - 1}"]) for n in range(1, 2000)]
    graph = graph_of(*steps)
    assert graph.order == tuple(range(2000))
    assert graph.closure_mask(1990) == mask_of(range(1990, 2000))
    assert graph.before_masks[1999] == mask_of(range(1999))


@st.composite
def random_graphs(draw: st.DrawFn) -> FlowGraph:
    """Acyclic graphs whose declaration order need not be topological."""
    count = draw(st.integers(1, 9))
    place = draw(st.permutations(range(count)))
    edges = draw(st.sets(st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)), max_size=15))
    routed = draw(st.sets(st.sampled_from(sorted(edges)), max_size=4)) if edges else set()
    forward = sorted({(min(a, b), max(a, b)) for a, b in edges if a != b})
    dependencies: list[set[int]] = [set() for _ in range(count)]
    routes = []
    for first, second in forward:
        if (first, second) in routed:
            routes.append(Route(place[first], place[second], RouteKind.ON_APPROVE))
        else:
            dependencies[place[second]].add(place[first])
    return FlowGraph(
        tuple(f"s{n}" for n in range(count)),
        tuple(tuple(sorted(one)) for one in dependencies),
        tuple(routes),
        (),
    )


def walk(graph: FlowGraph, start: int, edges: tuple[tuple[int, ...], ...]) -> set[int]:
    """What is reachable by one edge or more, found the slow way."""
    found: set[int] = set()
    waiting = list(edges[start])
    while waiting:
        step = waiting.pop()
        if step not in found:
            found.add(step)
            waiting.extend(edges[step])
    return found


@given(random_graphs())
def test_masks_agree_with_walks(graph: FlowGraph) -> None:
    assert graph.acyclic
    for step in range(len(graph.ids)):
        assert set(members_of(graph.after_masks[step])) == walk(graph, step, graph.successors)
        assert set(members_of(graph.before_masks[step])) == walk(graph, step, graph.predecessors)
        assert set(members_of(graph.dependent_masks[step])) == walk(graph, step, graph.dependents)
        assert set(members_of(graph.dependency_masks[step])) == walk(graph, step, graph.dependencies)


@given(random_graphs())
def test_order_is_topological(graph: FlowGraph) -> None:
    place = {step: number for number, step in enumerate(graph.order)}
    assert sorted(graph.order) == list(range(len(graph.ids)))
    assert all(place[a] < place[b] for a in place for b in graph.successors[a])


@given(random_graphs())
def test_a_dominator_cuts_every_path(graph: FlowGraph) -> None:
    entries = {step for step, before in enumerate(graph.predecessors) if not before}
    for step, dominator in enumerate(graph.immediate_dominators):
        for cut in range(len(graph.ids)):
            kept = tuple(tuple(a for a in after if a != cut) for after in graph.successors)
            reached = (
                set().union(*({s} | walk(graph, s, kept) for s in entries - {cut}))
                if entries - {cut}
                else set()
            )
            if cut == dominator:
                assert step not in reached
            elif dominator is None and cut != step:
                assert step in reached


@given(st.sets(st.integers(0, 300)))
def test_sets_round_trip(members: set[int]) -> None:
    mask = mask_of(members)
    assert list(members_of(mask)) == sorted(members)
    runs = list(ranges_of(mask))
    assert all(first < stop for first, stop in runs)
    assert all(a[1] < b[0] for a, b in pairwise(runs))
