"""Runs of flows: planned, reported on, decided, audited (runs.md)."""

from stratum_runtime.flow.engine import FlowEngine

__all__ = ["FlowEngine"]
