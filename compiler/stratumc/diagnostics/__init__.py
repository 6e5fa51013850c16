"""Findings (symbolic), diagnostics (concrete), the catalog of codes, and every output format."""

from stratumc.diagnostics.concretize import Source, concretize
from stratumc.diagnostics.diagnostic import Diagnostic, Related
from stratumc.diagnostics.finding import Family, Finding, RelatedPlace, Severity

__all__ = ["Diagnostic", "Family", "Finding", "Related", "RelatedPlace", "Severity", "Source", "concretize"]
