"""Large pictures: layers that keep to the arrows, nothing over anything else, any graph in bounded time."""

from __future__ import annotations

import random
import re
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stratumc.emit.coordinates import place_across
from stratumc.emit.dot import lay_out
from stratumc.emit.large import Drawn, draw_large, text_width
from stratumc.emit.layers import Arc, Layers, lay_in_layers
from stratumc.emit.picture import Line, Picture, PictureBuilder, PictureKind, Shape
from stratumc.emit.ports import inset

SVG = "{http://www.w3.org/2000/svg}"


def arcs_of(edges: list[tuple[int, int]]) -> list[Arc]:
    return [Arc(source, target, ranks=True, label_size=20.0) for source, target in edges]


def laid(count: int, edges: list[tuple[int, int]], lanes: list[int] | None = None) -> Layers:
    layout = lay_in_layers([30.0] * count, lanes or [0] * count, arcs_of(edges))
    place_across(layout)
    return layout


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, list[tuple[int, int]], list[int]]:
    count = draw(st.integers(1, 12))
    node = st.integers(0, count - 1)
    edges = draw(st.lists(st.tuples(node, node), max_size=25))
    return count, edges, draw(st.lists(st.integers(0, 2), min_size=count, max_size=count))


@given(graphs())
@settings(max_examples=150)
def test_nothing_in_a_layer_overlaps_and_chains_pass_every_layer(
    graph: tuple[int, list[tuple[int, int]], list[int]],
) -> None:
    count, edges, lanes = graph
    layout = laid(count, edges, lanes)
    for layer in layout.layers:
        spans = sorted(
            (layout.cells[number].place - layout.cells[number].size / 2, layout.cells[number].size)
            for number in layer
        )
        for (low, size), (next_low, _) in pairwise(spans):
            assert low + size <= next_low + 1e-6
    for (source, target), chain in zip(edges, layout.chains, strict=True):
        if layout.cells[source].layer == layout.cells[target].layer:
            assert not chain
            continue
        assert {chain[0], chain[-1]} == {source, target}
        layers = [layout.cells[number].layer for number in chain]
        assert layers == list(range(layers[0], layers[-1] + 1))


@given(graphs())
def test_arrows_without_a_circle_all_point_onward(
    graph: tuple[int, list[tuple[int, int]], list[int]],
) -> None:
    count, edges, _ = graph
    onward = [(min(edge), max(edge)) for edge in edges if edge[0] != edge[1]]
    layout = laid(count, onward)
    assert all(layout.cells[source].layer < layout.cells[target].layer for source, target in onward)


@given(graphs())
def test_lanes_have_stripes_of_their_own(graph: tuple[int, list[tuple[int, int]], list[int]]) -> None:
    layout = laid(*graph)
    ends: dict[int, list[float]] = {}
    for cell in layout.cells:
        ends.setdefault(cell.lane, []).extend((cell.place - cell.size / 2, cell.place + cell.size / 2))
    stripes = [(min(ends[lane]), max(ends[lane])) for lane in sorted(ends)]
    assert all(one[1] < other[0] for one, other in pairwise(stripes))


def picture_of(count: int, edges: list[tuple[int, int]], kind: PictureKind = PictureKind.WORKFLOW) -> Picture:
    builder = PictureBuilder()
    keys = [
        builder.node(f"s{number}", (f"state {number}", "described"), Shape.STATE) for number in range(count)
    ]
    for source, target in edges:
        builder.edge(keys[source], keys[target], f"event {source} {target}", Line.EVENT)
    return builder.picture(kind, "large", ())


def local_edges(count: int, number: int) -> list[tuple[int, int]]:
    chance = random.Random(5)
    edges = [(max(0, target - chance.randint(1, 8)), target) for target in range(1, count)]
    while len(edges) < number:
        source = chance.randrange(count)
        edges.append((source, max(0, min(count - 1, source + chance.randint(-20, 40)))))
    return edges


def boxes(drawn: Drawn) -> list[tuple[float, float, float, float]]:
    return [
        (x - width / 2, y - height / 2, x + width / 2, y + height / 2)
        for (x, y), (width, height) in ((drawn.centres[key], drawn.sizes[key]) for key in drawn.centres)
    ]


@pytest.mark.parametrize("kind", PictureKind)
def test_no_two_nodes_of_a_large_picture_overlap(kind: PictureKind) -> None:
    placed = boxes(draw_large(picture_of(120, local_edges(120, 400), kind)))
    for number, one in enumerate(placed):
        for other in placed[number + 1 :]:
            apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
            assert apart


@pytest.mark.parametrize("kind", PictureKind)
def test_graphviz_draws_nodes_where_and_as_large_as_they_were_placed(kind: PictureKind) -> None:
    """Were a node larger than thought, arrows would end inside it."""
    shapes = [shape for shape in Shape if shape is not Shape.START]
    builder = PictureBuilder()
    names = (
        "state",
        "WWWWWWWWMMMMMM@@@",
        "日本語のとても長い名前です",
        "i",
        "a longer name, then a second line",
    )
    keys = [builder.node(None, (name, "x"), shape) for shape in shapes for name in names]
    for source, target in local_edges(len(keys), 300):
        builder.edge(keys[source], keys[target], "when so", Line.ORDER)
    picture = builder.picture(kind, "large", ())
    drawn = draw_large(picture)
    from stratumc.emit.dot import _written
    from stratumc.emit.graphviz import draw

    text = draw(_written(picture, drawn), "dot", has_positions=True).decode("utf-8")
    for key in keys:
        found = re.search(rf"^\s{key}\s+\[(.*?)\];", text, re.DOTALL | re.MULTILINE)
        assert found is not None
        wide = float(re.search(r"\bwidth=([\d.]+)", found[1])[1]) * 72  # type: ignore[index]
        high = float(re.search(r"\bheight=([\d.]+)", found[1])[1]) * 72  # type: ignore[index]
        width, height = drawn.sizes[key]
        assert wide <= width + 1, (key, found[1])
        assert high <= height + 1, (key, found[1])


def test_ways_begin_and_end_at_the_border_of_their_nodes() -> None:
    picture = picture_of(40, [*local_edges(40, 300), (3, 3), (3, 3)])
    drawn = draw_large(picture)
    for edge, way in zip(picture.edges, drawn.ways, strict=True):
        points = [tuple(map(float, point.removeprefix("e,").split(","))) for point in way.split(" ")]
        for key, (x, y) in ((edge.target, points[0]), (edge.source, points[1])):
            (centre_x, centre_y), (width, height) = drawn.centres[key], drawn.sizes[key]
            aside, above = abs(x - centre_x) - width / 2, abs(y - centre_y) - height / 2
            assert max(aside, above) == pytest.approx(0, abs=0.2)


@pytest.mark.parametrize("kind", PictureKind)
def test_each_way_has_ends_of_its_own(kind: PictureKind) -> None:
    """From a to b and back are two lines, with one arrowhead each."""
    edges = [
        *local_edges(40, 200),
        *((one, one + 1) for one in range(39)),
        *((one + 1, one) for one in range(39)),
    ]
    picture = picture_of(40, edges, kind)
    ends = [
        (key, point.removeprefix("e,"))
        for edge, way in zip(picture.edges, draw_large(picture).ways, strict=True)
        for key, point in zip((edge.target, edge.source), way.split(" ")[:2], strict=True)
        if edge.source != edge.target
    ]
    assert len(set(ends)) == len(ends)


@pytest.mark.parametrize("shape", [Shape.GATE, Shape.END, Shape.START])
def test_ends_are_at_the_border_of_shapes_that_are_no_boxes(shape: Shape) -> None:
    for place in (-0.4, -0.1, 0.0, 0.3):
        high = 1 - inset(shape, place)
        outside = 2 * abs(place) + high if shape is Shape.GATE else (2 * place) ** 2 + high**2
        assert outside == pytest.approx(1)


@pytest.mark.parametrize("kind", PictureKind)
def test_no_way_of_a_crowded_picture_leads_through_a_node(kind: PictureKind) -> None:
    chance = random.Random(7)
    picture = picture_of(120, [(chance.randrange(120), chance.randrange(120)) for _ in range(330)], kind)
    drawn = draw_large(picture)
    around = dict(zip(drawn.centres, boxes(drawn), strict=True))
    for edge, way in zip(picture.edges, drawn.ways, strict=True):
        points = [tuple(map(float, point.split(","))) for point in way.split(" ")[1:]]
        for start in range(0, len(points) - 3, 3):
            for x, y in (on_curve(points[start : start + 4], share / 8) for share in range(9)):
                for key, (left, bottom, right, top) in around.items():
                    inside = left + 1 < x < right - 1 and bottom + 1 < y < top - 1
                    assert not inside or key in (edge.source, edge.target)


def on_curve(points: list[tuple[float, ...]], share: float) -> tuple[float, float]:
    """A point of a cubic curve."""
    rest = 1 - share
    weights = (rest**3, 3 * rest**2 * share, 3 * rest * share**2, share**3)
    x, y = (
        sum(weight * point[axis] for weight, point in zip(weights, points, strict=True)) for axis in (0, 1)
    )
    return x, y


def test_a_bitmap_that_is_too_large_is_told_in_plain_words(capfd: pytest.CaptureFixture[str]) -> None:
    crowd = picture_of(400, [(0, number) for number in range(1, 400)], PictureKind.FLOW)
    lay_out(crowd, "png")
    said = capfd.readouterr().err
    assert "too large for a bitmap" in said
    assert "null" not in said


def test_frames_hold_their_nodes_and_no_others() -> None:
    builder = PictureBuilder()
    keys = [builder.node(None, (f"outer {n}",), Shape.TASK) for n in range(60)]
    for one, other in pairwise(keys):
        builder.edge(one, other, "", Line.ORDER)
    for start in range(0, 50, 10):
        cluster = builder.cluster(f"flow {start}")
        inner = [builder.node(None, (f"inner {n}",), Shape.TASK, cluster=cluster) for n in range(6)]
        for one, other in zip([keys[start], *inner], [*inner, keys[start + 9]], strict=True):
            builder.edge(one, other, "when so", Line.ORDER)
    picture = builder.picture(PictureKind.FLOW, "large", ())
    drawn = draw_large(picture)
    assert len(drawn.frames) == 5
    for cluster, (left, bottom, right, top) in drawn.frames.items():
        for node in picture.nodes:
            x, y = drawn.centres[node.key]
            assert (left < x < right and bottom < y < top) is (node.cluster == cluster)
    svg = ET.fromstring(lay_out(picture, "svg"))
    assert sum(group.get("class") == "cluster" for group in svg.iter(f"{SVG}g")) == 5


def test_the_same_picture_is_placed_the_same() -> None:
    edges = local_edges(200, 500)
    assert draw_large(picture_of(200, edges)) == draw_large(picture_of(200, edges))


def test_a_way_through_thousands_of_layers_is_short_enough_to_be_read() -> None:
    count = 4000
    chain = [(number, number + 1) for number in range(count - 1)]
    drawn = draw_large(picture_of(count, [*chain, *((number, 0) for number in range(50, count, 40))]))
    assert max(map(len, drawn.ways)) <= 16_000


def test_wide_characters_count_for_more() -> None:
    assert text_width("日本", 10) > 1.5 * text_width("ab", 10)
