"""The one spelling of a JSON value as bytes, and its digest (docs/table-format.md)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def canonical_bytes(value: Any) -> bytes:
    """UTF-8, keys sorted, no white space, integral numbers without a fraction.

    Raises ValueError for what JSON can't hold (NaN, infinities, lone surrogates).
    """
    text = _dumped(value)
    if ".0" in text or "e+" in text:  # the only ways in which a float without a fraction is written
        text = _dumped(plain_numbers(value))
    return text.encode()


def _dumped(value: Any) -> str:
    import json

    return json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))


def digest_of(value: Any) -> str:
    """The hexadecimal SHA-256 of the canonical bytes."""
    return sha256_of(canonical_bytes(value))


def sha256_of(data: bytes) -> str:
    """The hexadecimal SHA-256 of some bytes."""
    import hashlib

    return hashlib.sha256(data).hexdigest()


def plain_numbers(value: Any) -> Any:
    """The value with integral floats as integers; shares with the argument whatever holds none."""
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    if isinstance(value, dict):
        plain = {key: plain_numbers(item) for key, item in value.items()}
        return plain if any(plain[key] is not value[key] for key in plain) else value
    if isinstance(value, list | tuple):
        items = [plain_numbers(item) for item in value]
        return items if any(a is not b for a, b in zip(items, value, strict=True)) else value
    return value
