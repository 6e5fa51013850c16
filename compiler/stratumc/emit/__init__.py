"""Stage: emit."""
