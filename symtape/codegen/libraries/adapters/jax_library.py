"""JAX: `jax.numpy` under its own names, compiled by `jax.jit`."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.codegen.libraries.adapters.cupy_library import scipy_words
from symtape.codegen.libraries.arrays import ArraysLikeNumPy
from symtape.codegen.libraries.library import Library
from symtape.codegen.libraries.rows import lowest
from symtape.errors import UnsupportedError
from symtape.program.operations import dtype_name

Array = Any


class Jax(ArraysLikeNumPy, Library):
    """JAX's functions, which have NumPy's names."""

    name = "jax"
    prefix = "jnp"
    matrix_functions = frozenset({"expm", "sqrtm"})
    no_steps = frozenset()
    fuses = True

    def __init__(self, jax: Any) -> None:
        self.jax = jax
        self.linalg = importlib.import_module("jax.scipy.linalg")
        super().__init__(jax.numpy, special(jax))

    def _dtype(self, name: str) -> Any:
        return np.dtype(name) if self._is_wide else self.jax.dtypes.canonicalize_dtype(name)

    def to_complex(self, x: Array, y: Array) -> Array:
        """Join real and imaginary parts."""
        return self.jax.lax.complex(*self.xp.broadcast_arrays(x, y))

    def placed(self, x: Array, ranges: Any, sizes: tuple[int, ...]) -> Array:
        """Put x at some ranges of zeros, for the last axes; see `Embed`."""
        if len(sizes) == 1 and ranges[0][1] == 1:  # which XLA fuses better than a padding
            return super().placed(x, ranges, sizes)
        rank = x.ndim
        edges = [(0, 0, 0)] * (rank - len(sizes))
        for k, ((start, step, count), size) in enumerate(zip(ranges, sizes, strict=True)):
            if not count:
                edges.append((0, size, 0))
                continue
            reach = (count - 1) * abs(step) + 1
            first = start
            if step < 0:
                x = self.xp.flip(x, axis=rank - len(sizes) + k)
                first = start - reach + 1
            edges.append((first, size - first - reach, abs(step) - 1))
        return self.jax.lax.pad(x, self.xp.zeros((), x.dtype), edges)

    def _spaced(self, x: Array, axis: int, first: int, step: int, size: int) -> Array:
        if step == 1:
            return super()._spaced(x, axis, first, step, size)
        rest = range(axis + 1, x.ndim)
        ranges = ((first, step, x.shape[axis]), *[(0, 1, x.shape[k]) for k in rest])
        return self.placed(x, ranges, (size, *[x.shape[k] for k in rest]))

    def _add(self, rows: Array, places: Array, count: int) -> Array:
        found = self.xp.zeros((count, rows.shape[1]), rows.dtype).at[places].add(rows)
        return self._if_inside(places, count, found)

    def _if_inside(self, places: Array, count: int, found: Array) -> Array:
        """Give nan where a place is none: compiled code cannot raise, and JAX drops such rows."""
        if found.dtype.kind not in "fcV":
            return found
        inside = self.xp.all((places >= 0) & (places < count))
        return self.xp.where(inside, found, self.xp.asarray(np.nan, found.dtype))

    def _extreme(self, rows: Array, places: Array, which: str, count: int) -> Array:
        nothing = self.xp.full((count, rows.shape[1]), lowest(rows.dtype, which), rows.dtype)
        at = nothing.at[places]
        return self._if_inside(places, count, at.max(rows) if which == "max" else at.min(rows))

    def position(self, x: Array, which: str, axis: int, dtype: str) -> Array:
        """Find where along an axis; `argsort` is stable."""
        return getattr(self.xp, which)(x, axis=axis).astype(self._dtype(dtype))

    def _substitute(self, a: Array, b: Array, lower: bool) -> Array:
        return self.jax.lax.linalg.triangular_solve(a, b, left_side=True, lower=lower)

    def cholesky(self, a: Array) -> Array:
        """Give the lower triangle L of A = L Lᴴ; it is nan where A is not positive definite."""
        return self.xp.linalg.cholesky(self._from_lower(a), symmetrize_input=False)

    def eigh(self, a: Array) -> tuple[Array, Array]:
        """Give the eigenvalues and eigenvectors of a self-adjoint matrix."""
        values, vectors = self.xp.linalg.eigh(self._from_lower(a), symmetrize_input=False)
        return values, vectors

    def expm(self, a: Array) -> Array:
        """Give eᴬ."""
        return self.linalg.expm(a)

    def sqrtm(self, a: Array) -> Array:
        """Give the square root of a matrix, by its Schur form."""
        found = self._sqrtm(a)
        return found if self.is_complex(a) else found.real.astype(a.dtype)

    def _sqrtm(self, a: Array) -> Array:
        if a.ndim == 2 and a.size:
            return self.linalg.sqrtm(a)
        if not a.size:
            return a
        flat = a.reshape(-1, *a.shape[-2:])
        return self.jax.vmap(self.linalg.sqrtm)(flat).reshape(a.shape)

    # --- arguments --------------------------------------------------------------------------------

    @property
    def _is_wide(self) -> bool:
        return bool(self.jax.config.jax_enable_x64)

    def is_own(self, value: Any) -> bool:
        """Say whether a value is an array of JAX's, which tracers are."""
        return isinstance(value, self.jax.Array)

    def taken(self, value: Any, like: Any) -> Array:
        """Give an array of NumPy's to JAX, with all its digits."""
        value = np.asarray(value)
        dtype = self._dtype(dtype_name(value.dtype))
        if value.dtype.kind in "iu" and dtype != value.dtype:
            info = np.iinfo(dtype)
            if value.size and not (info.min <= value.min() and value.max() <= info.max):
                raise _needs_64_bits(value.dtype)
        with self.jax.ensure_compile_time_eval():  # an array, and not a step of what is traced
            return self.xp.asarray(value, dtype=dtype)

    def copied(self, value: Array) -> Array:
        """Leave an array as it is: nobody writes into it."""
        return value

    def on_host(self, value: Array) -> Any:
        """Give a value that decided the path; while JAX traces there is none."""
        if isinstance(value, self.jax.core.Tracer):
            raise UnsupportedError(
                "the path condition of this formula cannot be checked while jax traces it (under "
                "jit, vmap or grad): pass check=False to lambdify, and look at `conditions`"
            )
        return np.asarray(value)

    def require(self, dtypes: Any) -> None:
        """Refuse 64 bits where JAX has none: it would drop digits without a word."""
        if not self._is_wide:
            for dtype in dtypes:
                raise _needs_64_bits(dtype)

    def compile(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Compile with XLA at the first call."""
        compiled: Callable[..., Any] = self.jax.jit(function)
        return compiled


def _needs_64_bits(dtype: Any) -> UnsupportedError:
    return UnsupportedError(
        f"the formula computes in {dtype}, which jax does not do as it is set up: it would drop "
        'digits. Call jax.config.update("jax_enable_x64", True), or record in float32'
    )


def special(jax: Any) -> dict[str, Callable[..., Any]]:
    """Name JAX's special functions."""
    s = importlib.import_module("jax.scipy.special")

    def polygamma(n: Any, x: Array) -> Array:
        if isinstance(n, (int, float)):
            return s.digamma(x) if n == 0 else s.polygamma(int(n), x)
        return s.polygamma(jax.numpy.rint(n).astype(int), x)

    return {**scipy_words(s), "polygamma": polygamma}
