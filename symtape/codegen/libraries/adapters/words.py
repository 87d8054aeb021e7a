"""NumPy's names for the functions of the array API standard.

The code that is generated calls NumPy's functions by NumPy's names. JAX, CuPy and Dask have them;
here they are for a namespace of the standard (https://data-apis.org/array-api, 2023.12), whose
functions take no bare numbers for arrays.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from symtape.errors import UnsupportedError

Array = Any

RENAMED = {
    "arctan": "atan",
    "arcsin": "asin",
    "arccos": "acos",
    "arccosh": "acosh",
    "arcsinh": "asinh",
    "arctanh": "atanh",
    "arctan2": "atan2",
    "power": "pow",
    "mod": "remainder",
    "rint": "round",
    "concatenate": "concat",
    "transpose": "permute_dims",
}
"""What the standard calls otherwise."""

OF_TWO = {
    "arctan2",
    "logaddexp",
    "maximum",
    "minimum",
    "hypot",
    "power",
    "floor_divide",
    "mod",
    "nextafter",
}
"""Functions of two arrays, one of which may be a bare number in generated code."""


class Words:
    """The functions of a namespace under NumPy's names."""

    pi, inf, nan = math.pi, math.inf, math.nan

    def __init__(self, xp: Any) -> None:
        self.xp = xp

    def __getattr__(self, name: str) -> Any:
        """Look a function up, and remember it."""
        found = getattr(self.xp, RENAMED.get(name, name), None)
        if found is None:
            raise AttributeError(f"{self.xp.__name__} has no {RENAMED.get(name, name)!r}")
        made = self._of_two(found) if name in OF_TWO else found
        setattr(self, name, made)
        return made

    def _of_two(self, function: Callable[..., Array]) -> Callable[[Any, Any], Array]:
        def run(x: Any, y: Any) -> Array:
            if not hasattr(x, "dtype"):
                x = self.like(x, y)
            elif not hasattr(y, "dtype"):
                y = self.like(y, x)
            return function(x, y)

        return run

    def like(self, number: Any, x: Array) -> Array:
        """Make an array of a number, of the dtype and on the device of another."""
        return self.xp.asarray(number, dtype=x.dtype, device=x.device)

    def is_complex(self, x: Array) -> bool:
        """Say whether an array is of complex numbers."""
        return bool(self.xp.isdtype(x.dtype, "complex floating"))

    def conjugate(self, x: Array) -> Array:
        """Conjugate; real numbers stay."""
        return self.xp.conj(x) if self.is_complex(x) else x

    def real(self, x: Array) -> Array:
        """Take the real part."""
        return self.xp.real(x) if self.is_complex(x) else x

    def imag(self, x: Array) -> Array:
        """Take the imaginary part."""
        return self.xp.imag(x) if self.is_complex(x) else self.xp.zeros_like(x)

    def angle(self, x: Array) -> Array:
        """Take the angle of a complex number."""
        return self.xp.atan2(self.imag(x), self.real(x))

    def where(self, condition: Array, x: Any, y: Any) -> Array:
        """Choose; one of the two may be a number."""
        if not hasattr(x, "dtype"):
            x = self.like(x, y)
        elif not hasattr(y, "dtype"):
            y = self.like(y, x)
        return self.xp.where(condition, x, y)

    def min(self, x: Array, axis: Any) -> Array:
        """Take the smallest; of truth values, whether all are true."""
        is_truth = self.xp.isdtype(x.dtype, "bool")
        return self.xp.all(x, axis=axis) if is_truth else self.xp.min(x, axis=axis)

    def max(self, x: Array, axis: Any) -> Array:
        """Take the largest; of truth values, whether any is true."""
        is_truth = self.xp.isdtype(x.dtype, "bool")
        return self.xp.any(x, axis=axis) if is_truth else self.xp.max(x, axis=axis)

    def sum(self, x: Array, axis: Any = None, keepdims: bool = False) -> Array:
        """Add up, in the dtype of the operand."""
        return self.xp.sum(x, axis=axis, keepdims=keepdims, dtype=x.dtype)

    def prod(self, x: Array, axis: Any = None) -> Array:
        """Multiply, in the dtype of the operand."""
        return self.xp.prod(x, axis=axis, dtype=x.dtype)

    def cumsum(self, x: Array, axis: int) -> Array:
        """Add up along an axis, in the dtype of the operand."""
        return self.xp.cumulative_sum(x, axis=axis, dtype=x.dtype)

    def cumprod(self, x: Array, axis: int) -> Array:
        """Multiply along an axis; version 2024.12 of the standard has it."""
        if not hasattr(self.xp, "cumulative_prod"):
            raise UnsupportedError(
                f"{self.xp.__name__} has no cumulative_prod; the numpy backend has"
            )
        return self.xp.cumulative_prod(x, axis=axis, dtype=x.dtype)

    def argsort(self, x: Array, axis: int, stable: bool = True) -> Array:
        """Sort stably."""
        return self.xp.argsort(x, axis=axis, stable=stable)

    def einsum(self, text: str, a: Array, b: Array) -> Array:
        """Contract two arrays as a stack of matrix products."""
        inputs, output = text.split("->")
        of_a, of_b = inputs.split(",")
        batch = [i for i in output if i in of_a and i in of_b]
        inner = [i for i in of_a if i in of_b and i not in output]
        rows = [i for i in of_a if i not in of_b]
        columns = [i for i in of_b if i not in of_a]
        a = self._ordered(a, of_a, (*batch, *rows, *inner))
        b = self._ordered(b, of_b, (*batch, *inner, *columns))
        n, k = len(batch), len(batch) + len(rows)
        stack, height, depth = a.shape[:n], a.shape[n:k], a.shape[k:]
        width = b.shape[n + len(inner) :]
        left = self.xp.reshape(a, (*stack, math.prod(height), math.prod(depth)))
        right = self.xp.reshape(b, (*stack, math.prod(depth), math.prod(width)))
        found = self.xp.reshape(self.xp.matmul(left, right), (*stack, *height, *width))
        return self._ordered(found, "".join((*batch, *rows, *columns)), output)

    def _ordered(self, x: Array, term: str, wanted: Sequence[str]) -> Array:
        order = tuple([term.index(i) for i in wanted])
        return x if order == tuple(range(len(order))) else self.xp.permute_dims(x, order)

    def triu(self, x: Array, k: int = 0) -> Array:
        """Keep the upper triangle."""
        return self.xp.triu(x, k=k)

    def tril(self, x: Array, k: int = 0) -> Array:
        """Keep the lower triangle."""
        return self.xp.tril(x, k=k)
