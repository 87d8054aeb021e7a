"""How a library makes and changes arrays: what all that is done with them is written in."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any


class Arrays:
    """Arrays of a library, whose functions `xp` has under NumPy's names.

    Those with an underscore are what a library may have a better word for.
    """

    xp: Any
    along = "axis"
    """What an axis is called."""

    def is_complex(self, x: Array) -> bool:
        """Say whether an array is of complex numbers."""
        return self.dtype_of(x).kind == "c"

    def dtype_of(self, x: Array) -> np.dtype[Any]:
        """Give NumPy's dtype of an array."""
        return np.dtype(str(x.dtype).rpartition(".")[2])

    def _as(self, x: Array, dtype: Any) -> Array:
        """Change to a dtype of the library's own."""
        return self.xp.astype(x, dtype)

    def _dtype(self, name: str) -> Any:
        """Give the library's own dtype."""
        return getattr(self.xp, name)

    def _full(self, shape: tuple[int, ...], value: Any, x: Array) -> Array:
        """Make an array of one number, of the dtype and on the device of another."""
        return self.xp.full(shape, value, dtype=x.dtype, device=x.device)

    def _arange(self, n: int, x: Array) -> Array:
        """Count from 0, on the device of another array."""
        return self.xp.arange(n, device=x.device)

    def _fixed(self, array: np.ndarray[Any, Any], x: Array) -> Array:
        """Bring an array that is known when code is written to the device of another."""
        return self.xp.asarray(array, device=x.device)

    def constant(self, array: np.ndarray[Any, Any], x: Array) -> Array:
        """Bring an array of numbers to the dtype and the device of another."""
        return self._fixed(array.astype(self.dtype_of(x)), x)

    def number(self, value: Any, dtype: str, *like: Array) -> Array:
        """Make an array of a number, where the other arrays are."""
        device = {"device": like[0].device} if like and like[0] is not None else {}
        return self.xp.asarray(value, dtype=self._dtype(dtype), **device)


class ArraysLikeNumPy(Arrays):
    """Arrays with NumPy's dtypes and methods, which need not be told of a device."""

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
