"""Stage: lower."""
