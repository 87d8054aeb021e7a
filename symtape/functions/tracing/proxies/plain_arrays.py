"""Arrays that compute as NumPy's do, and those whose operators mean something else."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.errors import UnsupportedError

_MEANINGS = (
    "__add__", "__mul__", "__matmul__", "__truediv__", "__pow__", "__eq__", "__array_ufunc__",
    "__array_function__",
)  # fmt: skip


def _computes_as_arrays_do(kind: type[Any]) -> bool:
    return all(getattr(kind, name) is getattr(np.ndarray, name) for name in _MEANINGS)


def require_plain(array: Any) -> None:
    """Refuse an array with operators of its own, as `np.matrix` and masked arrays have them."""
    kind = type(array)
    if issubclass(kind, np.ndarray) and not _computes_as_arrays_do(kind):  # reads no attribute
        raise UnsupportedError(
            f"an array of type {kind.__name__} has operators that mean something else than "
            "NumPy's: give np.asarray(x), and write what is meant, as x @ y or np.where(mask, 0, x)"
        )
