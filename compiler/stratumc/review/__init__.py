"""What reviewers ask of a flow or workflow: paths, gates that every way passes, what a change means."""
