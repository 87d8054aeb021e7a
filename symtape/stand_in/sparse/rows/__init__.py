"""Functions of sparse tensors row by row."""
