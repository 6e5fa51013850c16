"""Characters to trees: decoding, YAML 1.2 and JSON, each node with its place."""

from __future__ import annotations

import gc
import re
from collections.abc import Callable
from typing import Literal

from stratumc.read.decode import decode
from stratumc.read.result import ReadResult
from stratumc.text import Document
from stratumc.text.comment import Comment

__all__ = ["Comment", "ReadResult", "decode", "read_document", "read_json", "read_yaml"]

_STARTS_AS_JSON = re.compile(r"\s*\{")
_STARTS_AS_STRICT_JSON = re.compile(r'\s*\{\s*"')


def read_yaml(document: Document, source: int = 0) -> ReadResult:
    """The tree of a YAML 1.2 text; see `stratumc.read.yaml_reader.read_yaml`."""
    from stratumc.read import yaml_reader

    return _without_collector(yaml_reader.read_yaml, document, source)


def read_json(document: Document, source: int = 0) -> ReadResult:
    """The tree of a JSON text; see `stratumc.read.json_reader.read_json`."""
    from stratumc.read import json_reader

    return _without_collector(json_reader.read_json, document, source)


def _without_collector(
    read: Callable[[Document, int], ReadResult], document: Document, source: int
) -> ReadResult:
    """Reads with Python's cyclic collector at rest: it would walk the growing tree, which has no cycles."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        return read(document, source)
    finally:
        if was_enabled:
            gc.enable()


def read_document(
    document: Document, source: int = 0, syntax: Literal["json", "yaml"] | None = None
) -> ReadResult:
    """The tree of a text whose syntax is given, or recognised by its name and its first character.

    A name that ends in `.json` means JSON. Any other text that begins with `{` is read as JSON and, when
    it is no JSON, as YAML; all else is YAML.
    """
    name = document.name.lower()
    if syntax == "json" or (syntax is None and name.endswith(".json")):
        return read_json(document, source)
    if syntax == "yaml" or not _STARTS_AS_JSON.match(document.text):
        return read_yaml(document, source)
    as_json = read_json(document, source)
    if as_json.root is not None:
        return as_json
    as_yaml = read_yaml(document, source)
    named_yaml = name.endswith((".yaml", ".yml"))
    if as_yaml.root is None and not named_yaml and _STARTS_AS_STRICT_JSON.match(document.text):
        return as_json
    return as_yaml
