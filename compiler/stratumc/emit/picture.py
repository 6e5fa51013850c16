"""A format-neutral picture of a machine: what is drawn, before how it is written."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field, replace
from functools import cached_property

from stratumc.emit.label_text import LABEL_WIDTH, MOST_LABEL_LINES, shown, wrap
from stratumc.text import Location


class Shape(enum.Enum):
    """What a node stands for; each format chooses its outline."""

    START = "start"
    END = "end"
    KILLED = "killed"
    TASK = "task"
    SET = "set"
    GATE = "gate"
    FANOUT = "fanout"
    STAGE = "stage"
    RUN = "run"
    EVALUATE = "evaluate"
    CARRY = "carry"
    STATE = "state"
    FINAL = "final"
    ANY = "any"
    RESUME = "resume"
    MISSING = "missing"
    """A name that something leads to and that isn't there."""


class Tone(enum.Enum):
    """Why something is coloured; of several the first in this order wins."""

    ERROR = "error"
    UNREACHABLE = "unreachable"
    WARNING = "warning"
    INFO = "info"
    CURRENT = "current"
    DONE = "done"
    FAILED = "failed"
    SKIPPED = "skipped"
    PLAIN = "plain"


class Line(enum.Enum):
    """What an edge stands for; each format chooses its stroke."""

    ORDER = "order"
    ROUTE = "route"
    REVISE = "revise"
    RECOVERY = "recovery"
    CARRY = "carry"
    EVENT = "event"
    TRIGGER = "trigger"
    GLOBAL = "global"
    RESUME = "resume"


@dataclass(frozen=True, slots=True)
class Node:
    """One thing drawn. `key` is a synthetic id (`n0`, `n1`, …), safe in every format."""

    key: str
    name: str | None
    """The step or state it stands for, as the user wrote it; None for what has no name."""
    lines: tuple[str, ...]
    """The label, a line each; every character can be shown."""
    shape: Shape
    tone: Tone = Tone.PLAIN
    cluster: str | None = None
    """Key of the innermost cluster that holds it."""
    at: Location | None = None
    """Where the step, stage or state is declared that it stands for."""


@dataclass(frozen=True, slots=True)
class Edge:
    """An arrow between two nodes, by key."""

    source: str
    target: str
    lines: tuple[str, ...]
    line: Line
    tone: Tone = Tone.PLAIN
    """An error, a warning, an info, or a way that is never taken; else plain."""
    tip: str = ""
    """The whole label, where it is too long for `lines`."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """A box around nodes. `key` is synthetic (`c0`, …).

    Its label stands on the arrow into it too, so that no format has to put it where arrows cross it.
    """

    key: str
    label: str
    parent: str | None = None
    at: Location | None = None
    """Where the step is declared whose inside it shows."""
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True, slots=True)
class Remark:
    """A finding about nothing that is drawn, which stands under the title."""

    tone: Tone
    code: str
    message: str


class PictureKind(enum.Enum):
    """Which kind of document a picture shows."""

    FLOW = "flow"
    WORKFLOW = "workflow"


@dataclass(frozen=True)
class Picture:
    """Everything drawn, in an order that follows the document."""

    kind: PictureKind
    title: str
    notes: tuple[str, ...]
    """Lines under the title: bounds, budgets, thresholds."""
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    clusters: tuple[Cluster, ...]
    remarks: tuple[Remark, ...] = ()

    @property
    def tone(self) -> Tone:
        """That of the title: the worst remark's."""
        return next((tone for tone in Tone if any(one.tone is tone for one in self.remarks)), Tone.PLAIN)

    @property
    def tones(self) -> frozenset[Tone]:
        """Every tone that something drawn has."""
        tones = {node.tone for node in self.nodes} | {edge.tone for edge in self.edges}
        return frozenset(tones | {one.tone for one in self.clusters} | {one.tone for one in self.remarks})

    @cached_property
    def nodes_in(self) -> dict[str | None, list[Node]]:
        """The nodes by the innermost cluster that holds them; None for those in no cluster."""
        found: dict[str | None, list[Node]] = {}
        for node in self.nodes:
            found.setdefault(node.cluster, []).append(node)
        return found

    @cached_property
    def clusters_in(self) -> dict[str | None, list[Cluster]]:
        """The clusters by the one around them."""
        found: dict[str | None, list[Cluster]] = {}
        for cluster in self.clusters:
            found.setdefault(cluster.parent, []).append(cluster)
        return found


@dataclass(slots=True)
class PictureBuilder:
    """Collects nodes, edges and clusters and hands out their keys in order."""

    _nodes: list[Node] = field(default_factory=list)
    _edges: dict[Edge, None] = field(default_factory=dict)
    _clusters: list[Cluster] = field(default_factory=list)
    _passing: set[Edge] = field(default_factory=set)

    def node(
        self,
        name: str | None,
        lines: tuple[str, ...],
        shape: Shape,
        tone: Tone = Tone.PLAIN,
        cluster: str | None = None,
        *,
        at: Location | None = None,
    ) -> str:
        """Adds a node and gives its key."""
        key = f"n{len(self._nodes)}"
        self._nodes.append(Node(key, name, lines, shape, tone, cluster, at))
        return key

    def edge(
        self,
        source: str,
        target: str,
        label: str,
        line: Line,
        tone: Tone = Tone.PLAIN,
        *,
        tip: str = "",
        passes: bool = False,
    ) -> None:
        """Adds an edge, unless the same one is already there.

        `tip` is the whole of a label that was cut before. One that `passes` is a way on from what is
        skipped, even should it be skipped always.
        """
        lines = wrap(label, LABEL_WIDTH, MOST_LABEL_LINES)
        is_cut = bool(lines) and lines[-1].endswith("…")
        edge = Edge(source, target, lines, line, tone, shown(tip or (label if is_cut else "")))
        self._edges[edge] = None
        if passes:
            self._passing.add(edge)

    def cluster(
        self,
        label: str,
        parent: str | None = None,
        at: Location | None = None,
        tone: Tone = Tone.PLAIN,
    ) -> str:
        """Adds a cluster and gives its key."""
        key = f"c{len(self._clusters)}"
        self._clusters.append(Cluster(key, label, parent, at, tone))
        return key

    def picture(self, kind: PictureKind, title: str, notes: tuple[str, ...]) -> Picture:
        """The finished picture; edges at what is never reached are greyed."""
        dead = {node.key for node in self._nodes if node.tone is Tone.UNREACHABLE}
        edges = (
            replace(edge, tone=Tone.UNREACHABLE)
            if edge.target in dead or (edge.source in dead and edge not in self._passing)
            else edge
            for edge in self._edges
        )
        return Picture(kind, title, notes, tuple(self._nodes), tuple(edges), tuple(self._clusters))
