"""Runs frozen transition tables; needs nothing but the standard library."""

from stratum_runtime.errors import TableError
from stratum_runtime.step import Event, Fired, Host, Refused, initial, start, step
from stratum_runtime.table import Table, dumps, loads

__all__ = [
    "Event",
    "Fired",
    "Host",
    "Refused",
    "Table",
    "TableError",
    "dumps",
    "initial",
    "loads",
    "start",
    "step",
]
