"""Two versions of a document: what changed, what that means, and what under way can go on."""
