"""PyTorch: tensors in and out, on the device of the arguments, open to autograd."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.codegen.libraries.adapters.torch_words import TorchWords
from symtape.codegen.libraries.library import Library
from symtape.codegen.libraries.rows import lowest
from symtape.codegen.libraries.special import STATIC
from symtape.errors import UnsupportedError
from symtape.program.operations import dtype_name

Array = Any


class Torch(Library):
    """PyTorch's functions."""

    name = "torch"
    along = "dim"
    no_steps = frozenset()
    static = STATIC | {"polygamma"}
    orders = dict.fromkeys(("bessel_i", "bessel_k"), 1)

    def __init__(self, torch: Any) -> None:
        self.torch = torch
        super().__init__(TorchWords(torch), special(torch))

    def is_complex(self, x: Array) -> bool:
        """Say whether a tensor is of complex numbers."""
        return bool(x.dtype.is_complex)

    def _as(self, x: Array, dtype: Any) -> Array:
        return x.to(dtype)

    def _dtype(self, name: str) -> Any:
        return getattr(self.torch, name)

    def number(self, value: Any, dtype: str, *like: Array) -> Array:
        """Make a tensor of a number, where the other tensors are."""
        device = like[0].device if like and like[0] is not None else None
        return self.torch.full((), value, dtype=self._dtype(dtype), device=device)

    def _full(self, shape: tuple[int, ...], value: Any, x: Array) -> Array:
        return self.torch.full(shape, value, dtype=x.dtype, device=x.device)

    def _arange(self, n: int, x: Array) -> Array:
        return self.torch.arange(n, device=x.device)

    def _fixed(self, array: np.ndarray[Any, Any], x: Array) -> Array:
        return self.torch.as_tensor(array, device=x.device)

    def to_complex(self, x: Array, y: Array) -> Array:
        """Join real and imaginary parts."""
        return self.torch.complex(*self.torch.broadcast_tensors(x, y))

    def _add(self, rows: Array, places: Array, count: int) -> Array:
        zeros = self._full((count, rows.shape[1]), 0, rows)
        return self.torch.index_add(zeros, 0, places, rows)

    def _extreme(self, rows: Array, places: Array, which: str, count: int) -> Array:
        nothing = self._full((count, rows.shape[1]), lowest(self.dtype_of(rows), which), rows)
        how = "amax" if which == "max" else "amin"
        at = places[:, None].expand(rows.shape).to(self.torch.int64)  # as older versions ask
        return self.torch.scatter_reduce(nothing, 0, at, rows, how)

    def _substitute(self, a: Array, b: Array, lower: bool) -> Array:
        return self.torch.linalg.solve_triangular(a, b, upper=not lower)

    def cholesky(self, a: Array) -> Array:
        """Give the lower triangle L of A = L Lᴴ; it is nan where A is not positive definite."""
        found, info = self.torch.linalg.cholesky_ex(self._from_lower(a))
        lost = self.torch.tril(self.torch.full_like(found, math.nan))
        return self.torch.where((info > 0)[..., None, None], lost, found)

    def expm(self, a: Array) -> Array:
        """Give eᴬ."""
        return self.torch.linalg.matrix_exp(a)

    def compile(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Leave the function as it is, so that `torch.compile` can look into it."""
        return function

    # --- arguments --------------------------------------------------------------------------------

    def is_own(self, value: Any) -> bool:
        """Say whether a value is a tensor."""
        return isinstance(value, self.torch.Tensor)

    def taken(self, value: Any, like: Any) -> Array:
        """Make a tensor of an array of NumPy's, on the device of the other arguments."""
        array = np.asarray(value, order="C")  # torch has no negative strides
        device = None if like is None else like.device
        if array.dtype.kind == "V":  # bfloat16, which NumPy does not know
            wide = self.torch.as_tensor(array.astype(np.float32), device=device)
            return wide.to(self._dtype(dtype_name(array.dtype)))
        return self.torch.tensor(array, device=device)

    def copied(self, value: Array) -> Array:
        """Make a tensor that shares no memory with another."""
        return value.clone()

    def on_host(self, value: Array) -> Any:
        """Give a value that decided the path."""
        try:
            return value.detach().cpu().numpy()
        except RuntimeError as error:
            raise UnsupportedError(
                "the path condition of this formula cannot be checked here (under torch.func or "
                "torch.export there are no values): pass check=False to lambdify, and look at "
                "`conditions`"
            ) from error


_SPECIAL = {
    "erf": "erf",
    "erfc": "erfc",
    "erfinv": "erfinv",
    "normal_quantile": "ndtri",
    "lgamma": "gammaln",
    "bessel_i0e": "i0e",
    "bessel_i1e": "i1e",
    "bessel_k0e": "scaled_modified_bessel_k0",
    "bessel_k1e": "scaled_modified_bessel_k1",
}
"""What PyTorch calls special functions."""


def special(torch: Any) -> dict[str, Callable[..., Any]]:
    """Name PyTorch's special functions, less those that have seven digits (bessel_j0, …)."""
    s = torch.special
    found = {name: getattr(s, own) for name, own in _SPECIAL.items() if hasattr(s, own)}

    def tensors(function: Callable[..., Any]) -> Callable[..., Any]:
        def run(*operands: Any) -> Array:
            like = next(x for x in operands if isinstance(x, torch.Tensor))
            made = [
                x if isinstance(x, torch.Tensor) else torch.full_like(like, x) for x in operands
            ]
            return function(*made)

        return run

    def polygamma(n: Any, x: Array) -> Array:
        if n == 0:
            return s.digamma(x)
        order = int(n)  # torch's own trigamma has nine digits
        return (
            (-1) ** (order + 1) * math.factorial(order) * s.zeta(torch.full_like(x, order + 1), x)
        )

    def by_order(first: str, second: str) -> Callable[..., Any]:
        return lambda n, x: getattr(s, second if int(n) else first)(x)

    return {
        **found,
        "igamma": tensors(s.gammainc),
        "igammac": tensors(s.gammaincc),
        "zeta": tensors(s.zeta),
        "polygamma": polygamma,
        "bessel_i": by_order("modified_bessel_i0", "modified_bessel_i1"),
        "bessel_k": by_order("modified_bessel_k0", "modified_bessel_k1"),
    }
