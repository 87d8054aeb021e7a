"""CuPy: NumPy's functions under NumPy's names, on a GPU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from symtape.codegen.libraries.arrays import ArraysLikeNumPy
from symtape.codegen.libraries.library import Library

Array = Any


class NumPyLike(ArraysLikeNumPy, Library):
    """A library with NumPy's functions, `ufunc.at` included, and with SciPy's special functions."""

    def _add(self, rows: Array, places: Array, count: int) -> Array:
        found = self.xp.zeros((count, rows.shape[1]), rows.dtype)
        self.xp.add.at(found, places, rows)
        return found

    def taken(self, value: Any, like: Any) -> Array:
        """Bring an array of NumPy's to the device."""
        return self.xp.asarray(value)

    def copied(self, value: Array) -> Array:
        """Make an array that shares no memory with another."""
        return value.copy()


class Cupy(NumPyLike):
    """CuPy."""

    name = "cupy"
    prefix = "cp"
    orders: ClassVar[dict[str, int]] = dict.fromkeys(("bessel_i", "bessel_j", "bessel_k"), 1)

    def __init__(self, xp: Any, special: Any) -> None:
        super().__init__(xp, _own_words(xp, special))

    def _take(self, rows: Array, places: Array) -> Array:
        """Choose rows; CuPy itself would count on from the first where there are no more."""
        self._check(places, len(rows))
        return super()._take(rows, places)

    def _add(self, rows: Array, places: Array, count: int) -> Array:
        """Add up rows; CuPy adds no complex numbers by places, so that their parts are."""
        self._check(places, count)
        if not self.is_complex(rows):
            return super()._add(rows, places, count)
        parts = [super(Cupy, self)._add(x, places, count) for x in (rows.real, rows.imag)]
        return self.to_complex(*parts)

    def is_own(self, value: Any) -> bool:
        """Say whether a value is an array of CuPy's."""
        return isinstance(value, self.xp.ndarray)

    def on_host(self, value: Array) -> Any:
        """Copy a value that decided the path from the device."""
        return self.xp.asnumpy(value)


SCIPY = {
    "erf": "erf",
    "erfc": "erfc",
    "erfinv": "erfinv",
    "erfcinv": "erfcinv",
    "normal_cdf": "ndtr",
    "normal_quantile": "ndtri",
    "lgamma": "gammaln",
    "zeta": "zeta",
    "igamma": "gammainc",
    "igammac": "gammaincc",
    "betainc": "betainc",
    "expint": "expi",
    "spence": "spence",
    "bessel_i0e": "i0e",
    "bessel_i1e": "i1e",
    "bessel_k0e": "k0e",
    "bessel_k1e": "k1e",
    "bessel_j": "jv",
    "bessel_y": "yn",
    "bessel_i": "iv",
    "bessel_k": "kn",
}
"""What SciPy, and CuPy after it, call the special functions."""


def _own_words(xp: Any, special: Any) -> dict[str, Callable[..., Any]]:
    """Name CuPy's special functions, in the dtypes of their operands."""

    def polygamma(n: Any, x: Array) -> Array:
        return special.polygamma(xp.asarray(n, dtype=x.dtype), x).astype(x.dtype)

    def by_order(letter: str) -> Callable[..., Any]:
        return lambda n, x: getattr(special, f"{letter}{int(n)}")(x)

    return {
        **scipy_words(special),
        "polygamma": polygamma,
        "bessel_y": lambda n, x: special.yn(n, x).astype(x.dtype),
        **{f"bessel_{letter}": by_order(letter) for letter in "ijk"},
    }


def scipy_words(special: Any) -> dict[str, Callable[..., Any]]:
    """Name the special functions of `scipy.special` or of a module like it."""
    found = {name: getattr(special, own) for name, own in SCIPY.items() if hasattr(special, own)}
    if hasattr(special, "polygamma"):
        found["polygamma"] = lambda n, x: special.polygamma(_order(n), x).astype(x.dtype)
    if hasattr(special, "fresnel"):
        found["fresnel_sin"] = lambda x: special.fresnel(x)[0]
        found["fresnel_cos"] = lambda x: special.fresnel(x)[1]
    return found


def _order(n: Any) -> Any:
    return n.astype(int) if hasattr(n, "dtype") else int(n)
