"""Tensors of graphs, which have shapes and no numbers."""
