"""The package: parts, relationships and content types over a zip file (ECMA-376 Part 2)."""
