"""What the structure tree of a tagged PDF says: paragraphs, lists, tables, their order."""
