"""Points at which a candidate is tried, and where they come from."""
