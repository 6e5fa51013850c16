"""Ways through a document: paths that can be taken, gates that every way passes, claims and their proofs."""
