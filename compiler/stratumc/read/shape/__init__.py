"""Shapes of trees: declared once, they validate and they give the JSON Schema (ADR 2)."""

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
    Variant,
    Variants,
)
from stratumc.read.shape.naming import describe, quoted, subject
from stratumc.read.shape.validate import Fault, Violation, validate, violations

__all__ = [
    "Anything",
    "Boolean",
    "Choice",
    "Exactly",
    "Fault",
    "Field",
    "ListOf",
    "MapOf",
    "Null",
    "Number",
    "Object",
    "Shape",
    "Text",
    "Union",
    "Unknown",
    "Variant",
    "Variants",
    "Violation",
    "describe",
    "quoted",
    "subject",
    "validate",
    "violations",
]
