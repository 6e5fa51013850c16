"""Bounds of every input; beyond one of them a file gets LIMIT_EXCEEDED instead of time and memory."""

MAX_BYTES = 16 * 1024 * 1024
MAX_DEPTH = 500
"""Nested collections, those reached through aliases counted."""
MAX_ALIAS_NODES = 100_000
"""Nodes that all aliases of a document stand for, together."""
MAX_FAULTS = 1_000
"""Faults of one file beside a tree, such as duplicate keys; reading stops at the last."""
