"""Stage: proof."""
