"""Objects and content streams (ISO 32000-2, 7 and 8)."""
