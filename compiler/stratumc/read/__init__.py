"""Stage: read."""
