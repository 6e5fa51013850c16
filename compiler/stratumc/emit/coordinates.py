"""Gives what stands in layers its coordinates: near its neighbours, nothing over anything else."""

from __future__ import annotations

from stratumc.emit.layers import Layers

_GAP = 14.0
"""Points between two cells of a layer."""

_SWEEPS = 8

_STRAIGHT = 8.0
"""How much more a point of an edge pulls than a node, so that long edges run straight."""


def place_across(layout: Layers) -> None:
    """Sets the place of every cell across the direction of the layers.

    Lanes get stripes of their own, so that what is in one can be framed.
    """
    cells = layout.cells
    rows = _rows(layout)
    for row in rows:
        offset = 0.0
        for number in row:
            cells[number].place = offset + cells[number].size / 2
            offset += cells[number].size + _GAP
    for sweep in range(_SWEEPS):
        forward = sweep % 2 == 0
        for row in rows if forward else reversed(rows):
            _settle(layout, row, forward=forward)
    _stack_lanes(layout)


def _rows(layout: Layers) -> list[list[int]]:
    """The cells of each layer, lane by lane."""
    rows: list[list[int]] = []
    for layer in layout.layers:
        by_lane: dict[int, list[int]] = {}
        for number in layer:
            by_lane.setdefault(layout.cells[number].lane, []).append(number)
        rows += by_lane.values()
    return rows


def _settle(layout: Layers, row: list[int], *, forward: bool) -> None:
    """Moves a row to where its neighbours are, in its order and without overlaps: least squares.

    Cells that would overlap make a block, and blocks that would do so one block (pool adjacent violators).
    """
    cells = layout.cells
    blocks: list[list[float]] = []
    """Sum of weighted wishes, of weights, and the number of cells."""
    offsets = []
    offset = 0.0
    previous = None
    for number in row:
        cell = cells[number]
        if previous is not None:
            offset += (previous + cell.size) / 2 + _GAP
        previous = cell.size
        offsets.append(offset)
        near = [one for one in (cell.before if forward else cell.after) if cells[one].lane == cell.lane]
        wish = sum(cells[one].place for one in near) / len(near) if near else cell.place
        weight = _STRAIGHT if cell.node is None else 1.0 if near else 0.1
        blocks.append([(wish - offset) * weight, weight, 1])
        while len(blocks) > 1 and blocks[-2][0] / blocks[-2][1] > blocks[-1][0] / blocks[-1][1]:
            last = blocks.pop()
            blocks[-1] = [a + b for a, b in zip(blocks[-1], last, strict=True)]
    place = 0
    for total, weight, count in blocks:
        for _ in range(int(count)):
            cells[row[place]].place = total / weight + offsets[place]
            place += 1


def _stack_lanes(layout: Layers) -> None:
    """Puts the lanes side by side, the first at 0."""
    extents: dict[int, tuple[float, float]] = {}
    for cell in layout.cells:
        low, high = extents.get(cell.lane, (cell.place, cell.place))
        half = cell.size / 2
        extents[cell.lane] = (min(low, cell.place - half), max(high, cell.place + half))
    shifts, offset = {}, 0.0
    for lane in sorted(extents):
        low, high = extents[lane]
        shifts[lane] = offset - low
        offset += high - low + 4 * _GAP
    for cell in layout.cells:
        cell.place += shifts[cell.lane]
