"""v1 documents: shape, syntax tree, names and references, and every rule of v1.md."""

from stratumc.spec.load import LoadedSpec, load_spec
from stratumc.spec.references import references

__all__ = ["LoadedSpec", "load_spec", "references"]
