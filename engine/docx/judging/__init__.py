"""The judge: digests, wordings and rules, which share no code with reader or writer."""
