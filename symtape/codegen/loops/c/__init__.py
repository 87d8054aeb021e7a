"""Loop nests in C99."""
