"""What is made of several tensors, as TensorFlow's `CompositeTensor` is."""

from __future__ import annotations


class CompositeTensor:
    """The base of what is made of several tensors, and counts as one where it is asked for."""
