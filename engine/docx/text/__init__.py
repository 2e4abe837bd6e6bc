"""The text of one paragraph: its map, the smallest edit of it, folding, and writing it back."""
