"""New words set on lines: fonts, breaks, columns, operators."""
