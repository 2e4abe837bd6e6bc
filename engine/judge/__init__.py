"""The judge of law 2: what a plan makes of a document, worked out from the plan alone."""
