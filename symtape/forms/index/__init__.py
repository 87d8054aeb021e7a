"""Index notation: one generic entry of an array."""
