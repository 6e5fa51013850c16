"""Damage to the head of a table and to its digest."""

from __future__ import annotations

from support.table_places import Data


def change_digest(data: Data) -> bool:
    data["digest"] = data["digest"][::-1]
    return True


def lose_digest(data: Data) -> bool:
    del data["digest"]
    return True


def change_content_under_digest(data: Data) -> bool:
    data["name"] += "x"
    return True


def newer_format(data: Data) -> bool:
    data["format"] = 2
    return True


def format_as_text(data: Data) -> bool:
    data["format"] = "1"
    return True


def format_as_truth(data: Data) -> bool:
    data["format"] = True
    return True


def unknown_key(data: Data) -> bool:
    data["extra"] = 1
    return True


def other_kind(data: Data) -> bool:
    data["kind"] = "workflow" if data["kind"] == "spec" else "spec"
    return True


def unknown_kind(data: Data) -> bool:
    data["kind"] = "machine"
    return True


def entry_out_of_range(data: Data) -> bool:
    data["entry"] = len(data["machines"])
    return True


def entry_negative(data: Data) -> bool:
    data["entry"] = -1
    return True


def rename_table(data: Data) -> bool:
    data["name"] += " 2"
    return True


def no_machines(data: Data) -> bool:
    data["machines"] = []
    return True


def source_without_hash(data: Data) -> bool:
    del data["source"][0]["sha256"]
    return True


def other_source_hash(data: Data) -> bool:
    data["source"][0]["sha256"] = "0" * 64
    return True
