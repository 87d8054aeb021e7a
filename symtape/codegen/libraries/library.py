"""What generated code calls, written once over NumPy's names for whole arrays.

Nothing is assigned in place and no shape depends on values, so that JAX can trace it, and nothing
looks at values on the host, so that they can stay on a device.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np

from symtape.codegen.libraries.matrices import Matrices
from symtape.codegen.libraries.placing import Placing
from symtape.codegen.libraries.rows import Rows
from symtape.codegen.libraries.scans import Scans
from symtape.codegen.libraries.special import STATIC, Special
from symtape.errors import UnsupportedError
from symtape.kernels.interpret import QUIET
from symtape.kernels.nodes import Node
from symtape.program.operations import dtype_name

Array = Any


class Library(Placing, Rows, Scans, Matrices):
    """The functions that generated code calls."""

    name = "array_api"
    prefix = "xp"
    """What the library is called in generated code."""
    shares = True
    """Whether all parts of a factorization are computed at once."""
    fuses = False
    """Whether a sum over a product is computed without the product in memory."""
    orders: ClassVar[dict[str, int]] = {}
    """Up to which order the library has a function, where that is limited."""
    static: frozenset[str] = STATIC
    """The functions whose orders are whole numbers that are known when code is written."""

    def __init__(self, xp: Any, special: dict[str, Callable[..., Any]] | None = None) -> None:
        self.xp = xp
        self.special: Any = Special(self, special or {})

    # --- elementwise ------------------------------------------------------------------------------

    def select(self, condition: Array, x: Any, y: Any, dtype: str | None = None) -> Array:
        """Choose elementwise; if both are numbers, `dtype` says which."""
        if dtype is not None:
            x = self.number(x, dtype, condition)
        return self.xp.where(condition, x, y)

    def step(self, x: Array) -> Array:
        """Give 1 where x > 0, else 0, in the dtype of x."""
        return self._as(x > 0, x.dtype)

    def masked_product(self, g: Array, slope: Array) -> Array:
        """Give the product, 0 where g is 0 even if the slope is infinite there."""
        found = g * slope
        if not hasattr(g, "dtype"):
            return found if g else self._full(found.shape, 0, found)
        return self.xp.where(g == 0, self._as(g, found.dtype), found)

    def pivot(self, x: Array) -> Array:
        """Give x where it is finite, else 0."""
        return self.xp.where(self.xp.isfinite(x), x, 0.0)

    def sigmoid_slope(self, x: Array) -> Array:
        """Give sigmoid(x)·sigmoid(-x) with one exponential, which cannot overflow."""
        e = self.xp.exp(-x if self.is_complex(x) else -self.xp.abs(x))
        return e / self.xp.square(1 + e)

    def asinh_slope(self, x: Array) -> Array:
        """Give 1/√(1 + x²), without overflow of x² where x is real."""
        if self.is_complex(x):
            return 1 / self.xp.sqrt(1 + x * x)
        return 1 / self.xp.hypot(x, self.number(1.0, dtype_name(self.dtype_of(x)), x))

    def floored_remainder(self, x: Array, y: Array) -> Array:
        """Give what is left of a division that is rounded down; a zero has the sign of x."""
        left = self.xp.mod(x, y)
        return self.xp.where(left == 0, 0 * x, left)

    def to_complex(self, x: Array, y: Array) -> Array:
        """Join real and imaginary parts."""
        return x + y * 1j

    def cast(self, x: Array, dtype: str) -> Array:
        """Change the dtype; of a complex number that becomes real, the real part is left."""
        target = np.dtype(dtype)
        if target.kind not in "cb" and self.is_complex(x):
            x = self.xp.real(x)
        return x != 0 if target.kind == "b" else self._as(x, self._dtype(dtype))

    # --- values from elsewhere --------------------------------------------------------------------

    def is_own(self, value: Any) -> bool:
        """Say whether a value is an array of the library."""
        return hasattr(value, "__array_namespace__") and not isinstance(
            value, (np.ndarray, np.generic)
        )

    def taken(self, value: Any, like: Any) -> Array:
        """Make an array of the library of NumPy's, where the other arguments are."""
        device = {} if like is None else {"device": like.device}
        return self.xp.asarray(np.asarray(value), **device)

    def copied(self, value: Array) -> Array:
        """Make an array that shares no memory with another, where arrays can be written into."""
        return self.xp.asarray(value, copy=True)

    def on_host(self, value: Array) -> Any:
        """Give a value that decided the path; raises `UnsupportedError` where there is none yet."""
        return np.from_dlpack(value) if hasattr(value, "__dlpack__") else np.asarray(value)

    def require(self, dtypes: Any) -> None:
        """Refuse dtypes that the library does not have now."""

    def node_of(self, step: Any, name: str, constants: dict[str, Any]) -> Node | None:
        """Write a step in the library's own way, if it has one, with constants that code needs."""
        return None

    def guarded(self, result: Array, decided: Sequence[Array], check: Callable[..., None]) -> Array:
        """Look at what decided the path, and give the result."""
        check([self.on_host(value) for value in decided])
        return result

    def compile(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Make the generated function one that runs well: here, infinities pass in silence."""
        return lambda *values: QUIET.run(function, *values)

    def names(self) -> dict[str, Any]:
        """Give the only names that generated code may use."""
        found = {name: getattr(self, name) for name in FUNCTIONS}
        return {**found, self.prefix: self.xp, "special": self.special}


FUNCTIONS = """
select step masked_product pivot sigmoid_slope asinh_slope floored_remainder to_complex cast number
placed assemble windows overlap spread on_diagonals take_diagonal
gather scatter segment_extremum position
cumulative fourier cumextremum recurrence extremum product
inverse solve determinant signed_log cholesky eliminated log_determinant
qr eigh eigvalsh eig svd singular_values pseudo_inverse expm sqrtm logm band
""".split()
"""The functions that generated code may call."""


def lacking(library: Library, what: str) -> UnsupportedError:
    """Say that a library has no word for something."""
    return UnsupportedError(
        f"the {library.name} backend has no {what}; the numpy backend has, and the steps before "
        "and after can be compiled on their own"
    )
