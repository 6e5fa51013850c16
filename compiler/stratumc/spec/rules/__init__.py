"""The static rules of v1.md, one file per section: generators of findings."""
