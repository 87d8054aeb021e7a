"""Libraries whose arrays have NumPy's dtypes and methods, and need not be told of a device."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.codegen.libraries.library import Library

Array = Any


class ArraysLikeNumPy(Library):
    """A library that has arrays like NumPy's, under NumPy's names."""

    def dtype_of(self, x: Array) -> np.dtype[Any]:
        """Give NumPy's dtype of an array."""
        found: np.dtype[Any] = np.dtype(x.dtype)
        return found

    def _as(self, x: Array, dtype: Any) -> Array:
        return x.astype(dtype)

    def _dtype(self, name: str) -> Any:
        return np.dtype(name)

    def number(self, value: Any, dtype: str, *like: Array) -> Array:
        """Make an array of a number."""
        return self.xp.asarray(value, dtype=self._dtype(dtype))

    def _full(self, shape: tuple[int, ...], value: Any, x: Array) -> Array:
        return self.xp.full(shape, value, dtype=x.dtype)

    def _arange(self, n: int, x: Array) -> Array:
        return self.xp.arange(n)

    def _fixed(self, array: np.ndarray[Any, Any], x: Array) -> Array:
        return self.xp.asarray(array)
