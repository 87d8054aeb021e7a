"""What `tf.compat` has beside TensorFlow 1: kinds of Python's values, paths, and sizes."""

from __future__ import annotations

import numbers
import os
from typing import Any

import numpy as np

from symtape.ops.arguments import tensor
from symtape.program.operations import identity
from symtape.tensor.dimension import Dimension
from symtape.tensor.dispatch import apply1
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor

integral_types = (numbers.Integral, np.integer)
real_types = (numbers.Real, np.integer, np.floating)
complex_types = (numbers.Complex, np.number)
bytes_or_text_types = (bytes, str)


def path_to_str(path: Any) -> Any:
    """Give a path as text, and anything else as it is.

    >>> path_to_str("a/b"), path_to_str(3)
    ('a/b', 3)
    """
    return os.fspath(path) if hasattr(path, "__fspath__") else path


def dimension_at_index(shape: TensorShape, index: int) -> Dimension:
    """Give a size of a shape, an unknown one if nothing is known of the shape.

    Raises `AssertionError`, as TensorFlow does, for what is no `TensorShape`.

    >>> dimension_at_index(TensorShape([2, None]), 0), dimension_at_index(TensorShape(None), 3)
    (Dimension(2), Dimension(None))
    """
    if not isinstance(shape, TensorShape):
        raise AssertionError
    return Dimension(None if shape.rank is None else shape[index])


def placeholder_with_default(input: Any, shape: Any, name: str | None = None) -> Tensor:
    """Give the default, through which gradients flow: nothing else is fed where all is eager.

    >>> placeholder_with_default([1, 2], shape=[None]).numpy()
    array([1, 2], dtype=int32)
    """
    return apply1(identity, tensor(input))
