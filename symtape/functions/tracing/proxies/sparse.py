"""Products of SciPy's sparse arrays with what is recorded: one step for each of their entries."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from symtape.program.kinds.structural import Scatter
from symtape.tensor.convert import convert
from symtape.tensor.dispatch import apply
from symtape.tensor.tensor import Tensor


def is_sparse(x: Any) -> bool:
    """Say whether this is a sparse array or matrix of SciPy's, which is imported by its user."""
    module = sys.modules.get("scipy.sparse")
    return module is not None and bool(module.issparse(x))


def is_asked_by_sparse(frame: FrameType) -> bool:
    """Say whether a sparse array asks for a value, to multiply it.

    If it gets an object that is no array of numbers, it leaves the product to the other operand.
    """
    owner = frame.f_locals.get("self") if frame.f_code.co_name == "_matmul_dispatch" else None
    return is_sparse(owner)


def times(sparse: Any, x: Any) -> Any:
    """Give the product of a sparse array and a vector or matrix."""
    if sparse.ndim != 2 or x.ndim not in (1, 2) or sparse.shape[1] != x.shape[0]:
        raise UnsupportedError(
            f"the product of a sparse array of shape {sparse.shape} and an array of shape "
            f"{tuple(x.shape)} is not recorded: shapes are (m, n) and (n,) or (n, k)"
        )
    entries = sparse.tocoo(copy=False)
    numbers: Any = convert(entries.data)
    if x.ndim == 2:
        numbers = np.expand_dims(numbers, 1)
    terms = np.multiply(np.take(x, entries.col, axis=0), numbers)
    rows = Tensor(entries.row.astype(np.int64))
    return apply(Scatter(x.ndim - 1, 0, 0, sparse.shape[0]), terms, rows)


def times_transposed(x: Any, sparse: Any) -> Any:
    """Give the product of a vector or matrix and a sparse array."""
    return np.transpose(times(sparse.T, np.transpose(x)))
