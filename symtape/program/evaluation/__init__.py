"""Programs over any kind of number."""
