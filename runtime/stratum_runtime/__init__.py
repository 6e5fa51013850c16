"""Runs frozen transition tables; needs nothing but the standard library."""

from stratum_runtime.errors import TableError
from stratum_runtime.event import Event, Fired, Host, Refused
from stratum_runtime.step import initial, start, step
from stratum_runtime.table import Table
from stratum_runtime.table_text import dumps, loads

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
