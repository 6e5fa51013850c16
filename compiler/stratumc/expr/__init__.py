"""Stage: expr."""
