"""Stage: workflow."""
