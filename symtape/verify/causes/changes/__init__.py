"""Changes of the source of a candidate, one of which may make it right."""
