"""Speed of the whole program, as ratios measured in one run."""
