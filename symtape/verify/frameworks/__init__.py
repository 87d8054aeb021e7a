"""Functions of other frameworks, and the rules of their own that they have."""
