"""Stage: spec."""
