"""The JSON Schema (draft 2020-12) that accepts what a shape accepts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from stratumc.read.shape.declare import (
    Anything,
    Boolean,
    Choice,
    Exactly,
    Field,
    ListOf,
    MapOf,
    Null,
    Number,
    Object,
    Shape,
    Text,
    Union,
    Unknown,
    Variants,
)

JsonSchema = dict[str, Any]


def json_schema(shape: Shape) -> JsonSchema:
    """The schema of one shape, without `$schema` and `$id`.

    A key that is only warned about is accepted, as the shape's rules accept it.
    """
    match shape:
        case Text(pattern=None):
            return {"type": "string"}
        case Text():
            return {"type": "string", "pattern": _whole(shape)}
        case Choice():
            return {"enum": list(shape.values)}
        case Exactly():
            return {"const": shape.value}
        case Number():
            schema: JsonSchema = {"type": "integer" if shape.integer else "number"}
            return {**schema, "exclusiveMinimum": 0} if shape.positive else schema
        case Boolean():
            return {"type": "boolean"}
        case Null():
            return {"type": "null"}
        case Anything():
            return {}
        case ListOf():
            items: JsonSchema = {"type": "array", "items": json_schema(shape.item)}
            return {**items, "minItems": shape.minimum} if shape.minimum else items
        case MapOf():
            return _map(shape)
        case Object():
            return _object(shape)
        case Variants():
            return _variants(shape)
        case Union():
            return {"anyOf": [json_schema(option) for option in shape.options]}


def _whole(shape: Text) -> str:
    """A search pattern for the whole text: `$` alone would allow a final newline in some engines."""
    assert shape.pattern is not None
    return f"^(?:{shape.pattern.pattern})$(?!\\n)"


def _map(shape: MapOf) -> JsonSchema:
    pinned = shape.pinned or {}
    schema: JsonSchema = {"type": "object", "additionalProperties": json_schema(shape.value)}
    if pinned:
        schema = {**schema, **_fields(pinned)}
    names: list[JsonSchema] = []
    if shape.name.pattern is not None:
        own = {"pattern": _whole(shape.name)}
        names.append({"anyOf": [{"enum": list(pinned)}, own]} if pinned else own)
    if shape.reserved:
        names.append({"not": {"enum": list(shape.reserved)}})
    if names:
        schema["propertyNames"] = {"allOf": names} if len(names) > 1 else names[0]
    return schema


def _fields(fields: Mapping[str, Field]) -> JsonSchema:
    properties = {}
    for name, field in fields.items():
        schema = json_schema(field.shape)
        properties[name] = {"description": field.about, **schema} if field.about else schema
    required = [name for name, field in fields.items() if field.required]
    return {"properties": properties, **({"required": required} if required else {})}


def _object(shape: Object) -> JsonSchema:
    schema: JsonSchema = {"type": "object", **_fields(shape.fields)}
    if shape.unknown is Unknown.ERROR:
        schema["additionalProperties"] = False
    if shape.at_least_one:
        schema["anyOf"] = [{"required": [name]} for name in shape.fields]
    return schema


def _variants(shape: Variants) -> JsonSchema:
    schema = _object(Object(shape.fields, unknown=shape.unknown))
    special = [name for variant in shape.variants for name in (variant.tag, *variant.allows)]
    forms = []
    for variant in shape.variants:
        foreign = dict.fromkeys(name for name in special if name not in (variant.tag, *variant.allows))
        forms.append({"required": [variant.tag, *variant.needs], "properties": dict.fromkeys(foreign, False)})
    return {**schema, "oneOf": forms}
