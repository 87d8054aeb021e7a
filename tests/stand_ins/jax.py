"""JAX: NumPy's names, arrays whose elements are set in a copy, and XLA's padding."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
from scipy import linalg, special

from tests.stand_ins.torch import cholesky_ex, triangular


class JaxArray(np.ndarray):
    """An array whose elements are set in a copy."""

    @property
    def at(self) -> Any:
        """Give what is called with places in brackets."""
        return _At(self)


class _At:
    def __init__(self, array: Any) -> None:
        self.array = array

    def __getitem__(self, place: Any) -> Any:
        def by(ufunc: Any) -> Callable[[Any], Any]:
            def run(rows: Any) -> Any:
                found = self.array.copy()
                ufunc.at(found, place, rows)
                return found

            return run

        return SimpleNamespace(add=by(np.add), max=by(np.maximum), min=by(np.minimum))


def on_jax(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make a function of NumPy's one that gives arrays of JAX's."""

    def run(*operands: Any, **given: Any) -> Any:
        made = function(*operands, **given)
        if isinstance(made, (tuple, list)):
            return tuple([np.asarray(x).view(JaxArray) for x in made])
        return np.asarray(made).view(JaxArray)

    return run


def _pad(x: Any, value: Any, edges: Any) -> Any:
    """Put elements apart and zeros around; what is cut off has a negative edge."""
    for axis, (low, high, between) in enumerate(edges):
        count = x.shape[axis]
        shape = list(x.shape)
        shape[axis] = low + high + count + max(count - 1, 0) * between
        found = np.full(shape, value, x.dtype)
        at = [slice(None)] * x.ndim
        at[axis] = low + np.arange(count) * (between + 1)
        found[tuple(at)] = x
        x = found
    return x


def _symmetrized(function: Callable[..., Any]) -> Callable[..., Any]:
    """Take the argument that says that a matrix is self-adjoint already."""

    def run(a: Any, symmetrize_input: bool = True) -> Any:
        assert not symmetrize_input
        return function(a)

    return run


def _cholesky(a: Any) -> Any:
    """Give the factor, which is nan where there is none."""
    found, info = cholesky_ex(a)
    return np.where((info > 0)[..., None, None], np.nan, found)


def _triangular_solve(a: Any, b: Any, *, left_side: bool, lower: bool) -> Any:
    assert left_side
    return triangular(a, b, not lower)


def _words() -> Any:
    """Make a module like `jax.numpy`."""
    made = ModuleType("jax.numpy")
    for name, value in vars(np).items():
        if not name.startswith("__"):
            is_function = callable(value) and not isinstance(value, type)
            setattr(made, name, on_jax(value) if is_function else value)
    inner = {name: on_jax(getattr(np.linalg, name)) for name in np.linalg.__all__ if name.islower()}
    inner["eigh"] = on_jax(_symmetrized(np.linalg.eigh))
    inner["cholesky"] = on_jax(_symmetrized(_cholesky))
    made.linalg = SimpleNamespace(**inner)
    made.fft = SimpleNamespace(fft=on_jax(np.fft.fft), ifft=on_jax(np.fft.ifft))
    return made


def _scipy() -> Any:
    """Make a module like `jax.scipy`."""
    made = ModuleType("jax.scipy")
    made.special, made.linalg = ModuleType("jax.scipy.special"), ModuleType("jax.scipy.linalg")
    for name in _SPECIAL:
        setattr(made.special, name, on_jax(getattr(special, name)))
    made.special.polygamma = on_jax(lambda n, x: special.polygamma(n, x).astype(x.dtype))
    made.linalg.expm, made.linalg.sqrtm = on_jax(linalg.expm), on_jax(linalg.sqrtm)
    return made


_SPECIAL = """
fresnel ndtr
betainc digamma erf erfc erfinv expi gammainc gammaincc gammaln i0e i1e ndtri spence zeta
""".split()


def _jit(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile nothing; infinities pass in silence."""

    def run(*values: Any) -> Any:
        with np.errstate(all="ignore"):
            return function(*values)

    return run


def modules() -> dict[str, Any]:
    """Make modules like JAX, by their names."""
    made, scipy = ModuleType("jax"), _scipy()
    made.numpy, made.scipy, made.Array = _words(), scipy, JaxArray
    made.lax = SimpleNamespace(
        pad=on_jax(_pad),
        complex=on_jax(lambda x, y: x + 1j * y),
        linalg=SimpleNamespace(triangular_solve=on_jax(_triangular_solve)),
    )
    made.config = SimpleNamespace(jax_enable_x64=True)
    narrow = {"int64": "int32", "uint64": "uint32", "float64": "float32", "complex128": "complex64"}
    made.dtypes = SimpleNamespace(canonicalize_dtype=lambda name: np.dtype(narrow.get(name, name)))
    made.core = SimpleNamespace(Tracer=type("Tracer", (), {}))
    made.ensure_compile_time_eval = contextlib.nullcontext
    made.jit = _jit
    made.vmap = lambda f: lambda xs: np.stack([f(x) for x in xs]).view(JaxArray)
    return {
        "jax": made,
        "jax.numpy": made.numpy,
        "jax.scipy": scipy,
        "jax.scipy.special": scipy.special,
        "jax.scipy.linalg": scipy.linalg,
    }
