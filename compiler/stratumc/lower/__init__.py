"""Syntax trees to frozen transition tables, and the independent check of the outcome (table.md)."""

from stratumc.lower.tables import lower_spec, lower_workflow

__all__ = ["lower_spec", "lower_workflow"]
