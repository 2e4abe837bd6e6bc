"""The tree as GitHub-flavored Markdown."""
