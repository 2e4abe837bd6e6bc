"""The judge of law 2: its applier, its locator, and faults that it must catch."""
