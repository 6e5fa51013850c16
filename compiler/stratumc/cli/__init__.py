"""Stage: cli."""
