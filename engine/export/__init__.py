"""A document as a page for people who have neither Word nor redraft."""
