"""The tree that both readers produce (it lies in `text`, so that diagnostics can resolve places in it)."""

from stratumc.text.tree import Entry, Mapping, Node, Scalar, ScalarValue, Sequence, Style, descend, mapping

__all__ = ["Entry", "Mapping", "Node", "Scalar", "ScalarValue", "Sequence", "Style", "descend", "mapping"]
