"""The source of a candidate, and which change of it makes it right."""
