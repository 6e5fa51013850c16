"""A format-neutral picture of a machine: what is drawn, before how it is written."""

from __future__ import annotations

import enum
from dataclasses import dataclass


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


class Tone(enum.Enum):
    """Why a node is coloured; the worst of several wins, in this order from the top."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"
    CURRENT = "current"
    DONE = "done"
    FAILED = "failed"
    SKIPPED = "skipped"
    UNREACHABLE = "unreachable"
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
    name: str
    """The step or state it stands for, as the user wrote it; empty for a pseudo node."""
    lines: tuple[str, ...]
    """The label, a line each, unescaped."""
    shape: Shape
    tone: Tone = Tone.PLAIN
    cluster: str | None = None
    """Key of the innermost cluster that holds it."""


@dataclass(frozen=True, slots=True)
class Edge:
    """An arrow between two nodes, by key."""

    source: str
    target: str
    label: str
    line: Line


@dataclass(frozen=True, slots=True)
class Cluster:
    """A box around nodes. `key` is synthetic (`c0`, …)."""

    key: str
    label: str
    parent: str | None = None


class PictureKind(enum.Enum):
    """Which kind of document a picture shows."""

    FLOW = "flow"
    WORKFLOW = "workflow"


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything drawn, in an order that follows the document."""

    kind: PictureKind
    title: str
    notes: tuple[str, ...]
    """Lines under the title: bounds, budgets."""
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    clusters: tuple[Cluster, ...]


def shorten(text: str, limit: int = 48) -> str:
    """The text on one line, cut with an ellipsis after `limit` code points."""
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


class PictureBuilder:
    """Collects nodes, edges and clusters and hands out their keys in order."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.edges: list[Edge] = []
        self.clusters: list[Cluster] = []

    def node(
        self,
        name: str,
        lines: tuple[str, ...],
        shape: Shape,
        tone: Tone = Tone.PLAIN,
        cluster: str | None = None,
    ) -> str:
        """Adds a node and gives its key."""
        key = f"n{len(self.nodes)}"
        self.nodes.append(Node(key, name, lines, shape, tone, cluster))
        return key

    def edge(self, source: str, target: str, label: str, line: Line) -> None:
        """Adds an edge, unless the same one is already there."""
        edge = Edge(source, target, label, line)
        if edge not in self.edges[-16:]:
            self.edges.append(edge)

    def cluster(self, label: str, parent: str | None = None) -> str:
        """Adds a cluster and gives its key."""
        key = f"c{len(self.clusters)}"
        self.clusters.append(Cluster(key, label, parent))
        return key

    def picture(self, kind: PictureKind, title: str, notes: tuple[str, ...]) -> Picture:
        """The finished picture."""
        return Picture(kind, title, notes, tuple(self.nodes), tuple(self.edges), tuple(self.clusters))
