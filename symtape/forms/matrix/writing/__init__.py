"""How a formula is written: its length, names for its parts, letters for sizes, and its numbers."""
