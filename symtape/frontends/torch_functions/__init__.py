"""PyTorch functions as functions on tensors: a dispatch mode of our own while torch runs."""
