"""Classes that are drawn, to be told from true ones."""
