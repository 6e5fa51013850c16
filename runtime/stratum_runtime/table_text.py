"""The bytes of a transition table and its digest: reading checks everything (docs/table-format.md)."""

from __future__ import annotations

from stratum_runtime.errors import TableError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from stratum_runtime.table import Table

FORMAT = 1


def dumps(table: Table) -> bytes:
    """The canonical bytes of a table."""
    from stratum_runtime.canonical import canonical_bytes

    return canonical_bytes(table.data)


def freeze(content: dict[str, Any]) -> Table:
    """The table of a JSON object without `digest`: adds the digest and checks everything else.

    Raises TableError, as `loads` does.
    """
    import json

    from stratum_runtime.canonical import canonical_bytes, sha256_of

    frozen = canonical_bytes(content)
    return _checked({**json.loads(frozen), "digest": sha256_of(frozen)})


def loads(source: bytes | str | dict[str, Any]) -> Table:
    """The table in some bytes, text, or a JSON object that was read already.

    Raises TableError with one clear line: no JSON, another format, a wrong digest, an unknown guard,
    effect or key, an index out of range.
    """
    import json

    from stratum_runtime.canonical import digest_of

    data: Any = source
    if not isinstance(source, dict):
        try:
            data = json.loads(source, parse_constant=_refuse_constant, object_pairs_hook=_object_of)
        except (ValueError, RecursionError) as error:
            raise TableError(f"not a JSON table: {error}") from None
    if not isinstance(data, dict):
        raise TableError("not a JSON table: the document isn't an object")
    if data.get("format") != FORMAT or isinstance(data.get("format"), bool):
        raise TableError(f"the table's format is {data.get('format')!r}, this runtime reads format {FORMAT}")
    try:
        digest = digest_of({key: value for key, value in data.items() if key != "digest"})
    except (ValueError, TypeError, RecursionError) as error:
        raise TableError(f"the table holds what JSON can't: {error}") from None
    if data.get("digest") != digest:
        raise TableError(f"the digest is {data.get('digest')!r}, the content's is {digest!r}")
    return _checked(data)


def _checked(data: dict[str, Any]) -> Table:
    from stratum_runtime.table_check import build_table

    return build_table(data)


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} isn't a JSON number")


def _object_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"the key {next(key for key in keys if keys.count(key) > 1)!r} is there twice")
    return found
