"""NumPy's names for PyTorch's functions, where they differ in name or arguments."""

from __future__ import annotations

import math
from typing import Any

from symtape.codegen.libraries.adapters.words import Array, Words

_RENAMED = {
    "power": "pow",
    "mod": "remainder",
    "rint": "round",
    "concatenate": "cat",
    "conjugate": "conj",
}

Axis = Any


class TorchWords(Words):
    """PyTorch's functions under NumPy's names."""

    def __getattr__(self, name: str) -> Any:
        """Look a function up, and remember it."""
        found = getattr(self.xp, _RENAMED.get(name, name), None)
        if found is None:
            raise AttributeError(f"torch has no {_RENAMED.get(name, name)!r}")
        of_arrays = name in {"arctan2", "logaddexp", "maximum", "minimum", "hypot", "nextafter"}
        made = self._of_two(found) if of_arrays else found
        setattr(self, name, made)
        return made

    def like(self, number: Any, x: Array) -> Array:
        """Make a tensor of a number, of the dtype and on the device of another."""
        return self.xp.full((), number, dtype=x.dtype, device=x.device)

    def is_complex(self, x: Array) -> bool:
        """Say whether a tensor is of complex numbers."""
        return bool(x.dtype.is_complex)

    def angle(self, x: Array) -> Array:
        """Take the angle of a complex number."""
        return self.xp.angle(x)

    def conjugate(self, x: Array) -> Array:
        """Conjugate; real numbers stay."""
        return self.xp.conj_physical(x) if self.is_complex(x) else x

    def sign(self, x: Array) -> Array:
        """Give the sign, of complex numbers x/|x|."""
        return self.xp.sgn(x)

    def where(self, condition: Array, x: Any, y: Any) -> Array:
        """Choose; numbers are taken as they are."""
        return self.xp.where(condition, x, y)

    def concatenate(self, parts: Any, axis: int = 0) -> Array:
        """Put one after another."""
        return self.xp.cat(tuple(parts), dim=axis)

    def stack(self, parts: Any, axis: int = 0) -> Array:
        """Put side by side along a new axis."""
        return self.xp.stack(tuple(parts), dim=axis)

    def transpose(self, x: Array, axes: Any) -> Array:
        """Bring the axes into another order."""
        return self.xp.permute(x, tuple(axes))

    def flip(self, x: Array, axis: Axis) -> Array:
        """Turn an axis round."""
        return self.xp.flip(x, (axis,) if isinstance(axis, int) else tuple(axis))

    def sum(self, x: Array, axis: Axis = None, keepdims: bool = False) -> Array:
        """Add up, in the dtype of the operand."""
        axes = tuple(range(x.ndim)) if axis is None else axis
        if axes == ():
            return x
        return self.xp.sum(x, dim=axes, keepdim=keepdims, dtype=x.dtype)

    def prod(self, x: Array, axis: Axis = None) -> Array:
        """Multiply, in the dtype of the operand, one axis after another."""
        axes = range(x.ndim) if axis is None else (axis,) if isinstance(axis, int) else axis
        for k in sorted([a % x.ndim for a in axes], reverse=True):
            x = self.xp.prod(x, dim=k, dtype=x.dtype)
        return x

    def max(self, x: Array, axis: Axis) -> Array:
        """Take the largest."""
        return self.xp.amax(x, dim=axis) if axis != () else x

    def min(self, x: Array, axis: Axis) -> Array:
        """Take the smallest."""
        return self.xp.amin(x, dim=axis) if axis != () else x

    def cumsum(self, x: Array, axis: int) -> Array:
        """Add up along an axis, in the dtype of the operand."""
        return self.xp.cumsum(x, dim=axis, dtype=x.dtype)

    def cumprod(self, x: Array, axis: int) -> Array:
        """Multiply along an axis, in the dtype of the operand."""
        return self.xp.cumprod(x, dim=axis, dtype=x.dtype)

    def argmax(self, x: Array, axis: int) -> Array:
        """Find the largest."""
        return self.xp.argmax(x, dim=axis)

    def argmin(self, x: Array, axis: int) -> Array:
        """Find the smallest."""
        return self.xp.argmin(x, dim=axis)

    def argsort(self, x: Array, axis: int, stable: bool = True) -> Array:
        """Sort stably."""
        return self.xp.argsort(x, dim=axis, stable=stable)

    def take(self, x: Array, places: Array, axis: int) -> Array:
        """Choose along an axis."""
        return self.xp.index_select(x, axis, places)

    def einsum(self, text: str, *operands: Array) -> Array:
        """Contract."""
        return self.xp.einsum(text, *operands)

    def triu(self, x: Array, k: int = 0) -> Array:
        """Keep the upper triangle."""
        return self.xp.triu(x, k)

    def tril(self, x: Array, k: int = 0) -> Array:
        """Keep the lower triangle."""
        return self.xp.tril(x, k)

    pi, inf, nan = math.pi, math.inf, math.nan
