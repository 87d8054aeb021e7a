"""Functions of other frameworks, as functions on tensors."""
