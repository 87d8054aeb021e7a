"""Answers that are no arrays of all numbers: sparse ones, operators, and numbers of other kinds."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from symtape.verify.frameworks.functions import array_of


def written_out(x: Any) -> Any:
    """Give the array of all numbers that an answer stands for, and anything else as it is.

    It may be a sparse array of SciPy, PyTorch or TensorFlow, rows that TensorFlow gathers, whose
    sums count, or an operator of SciPy.
    """
    if callable(getattr(x, "toarray", None)):  # SciPy's sparse arrays and matrices
        return x.toarray()
    for module, dense in _OTHERS.items():
        found = dense(sys.modules[module], x) if module in sys.modules else None
        if found is not None:
            return found
    return x


def numbers_of(x: Any) -> Any:
    """Make an array of an answer; of objects that are numbers, as fractions, it has floats.

    >>> from fractions import Fraction
    >>> numbers_of([Fraction(1, 4), 2])
    array([0.25, 2.  ])
    """
    found = array_of(x)
    is_other = found.dtype.kind == "O" and found.size
    are_numbers = is_other and all(hasattr(value, "__float__") for value in found.flat)
    return found.astype("float64") if are_numbers else found


def _of_scipy(linalg: Any, x: Any) -> Any:
    """Multiply an operator by the unit matrix."""
    is_operator = isinstance(x, linalg.LinearOperator)
    return x.matmat(np.eye(x.shape[1], dtype=x.dtype)) if is_operator else None


def _of_torch(torch: Any, x: Any) -> Any:
    is_sparse = isinstance(x, torch.Tensor) and x.layout is not torch.strided
    return array_of(x.to_dense()) if is_sparse else None


def _of_tensorflow(tf: Any, x: Any) -> Any:
    """Add up the rows that a gather had several times."""
    if isinstance(x, getattr(tf, "SparseTensor", ())):
        return tf.sparse.to_dense(tf.sparse.reorder(x)).numpy()
    if isinstance(x, getattr(tf, "IndexedSlices", ())):
        rows: Any = x
        return tf.math.unsorted_segment_sum(rows.values, rows.indices, rows.dense_shape[0])
    return None


_OTHERS = {
    "scipy.sparse.linalg": _of_scipy,
    "torch": _of_torch,
    "tensorflow": _of_tensorflow,
}
"""What writes out things of a module, if that is imported: None for what is none of them."""
