"""What SciPy computes in Python or in Fortran, and hands to nobody, as functions of tensors.

Each has the arguments of SciPy's that it honours, and no others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from symtape.ops.elementwise.special import polygamma, zeta
from symtape.ops.linalg import lower_upper, solving
from symtape.ops.linalg.matrix_functions import expm
from symtape.ops.linalg.products import adjoint
from symtape.ops.numpy.dtypes import pair, taken
from symtape.ops.reductions.reduction import reduce_logsumexp
from symtape.tensor.tensor import Tensor


def _log_sum_exp(a: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
    return reduce_logsumexp(a, axis, keepdims)


def _solve(
    a: Any,
    b: Any,
    lower: bool = False,
    *,
    assume_a: Any = None,
    check_finite: bool = True,
) -> Any:
    """Solve equations; of what is said to be symmetric one triangle is read."""
    x, y = pair(a, b)
    if assume_a in _SYMMETRIC:
        half = np.tril(x) if lower else np.triu(x)
        x = half + np.swapaxes(half, -1, -2) - np.diag(np.diagonal(x))
    elif assume_a not in {None, "gen", "general"}:
        raise UnsupportedError(f"solve is followed for matrices of any kind, not {assume_a!r}")
    return np.linalg.solve(x, y)


_SYMMETRIC = {"sym", "symmetric", "pos", "positive definite"}


def _by_columns(solve: Callable[[Tensor, Tensor], Tensor], a: Any, b: Any) -> Any:
    """Solve for columns, of which a vector is one."""
    x, y = pair(a, b)
    return solve(x, y) if y.ndim > 1 else solve(x, y[:, None])[:, 0]


def _solve_triangular(
    a: Any,
    b: Any,
    trans: Any = 0,
    lower: bool = False,
    check_finite: bool = True,
) -> Any:
    is_turned = trans not in {0, "N"}

    def solve(x: Tensor, y: Tensor) -> Tensor:
        if trans in {1, "T"}:  # no conjugate, as an adjoint would have
            return solving.triangular_solve(np.swapaxes(x, -1, -2), y, not lower)
        return solving.triangular_solve(x, y, lower, is_turned)

    return _by_columns(solve, a, b)


def _cholesky(a: Any, lower: bool = False, check_finite: bool = True) -> Any:
    """Factor a matrix, of which the triangle that is asked for is read."""
    x = taken(a)
    return solving.cholesky(x) if lower else adjoint(solving.cholesky(adjoint(x)))


def _cho_factor(a: Any, lower: bool = False, check_finite: bool = True) -> Any:
    return _cholesky(a, lower, check_finite), lower


def _cho_solve(c_and_lower: Any, b: Any, check_finite: bool = True) -> Any:
    factor, lower = c_and_lower
    low = factor if lower else adjoint(factor)
    return _by_columns(solving.cholesky_solve, low, b)


class _Order:
    """The order of rows, which SciPy writes as exchanges: only `lu_solve` reads it."""

    __array_ufunc__ = None

    def __init__(self, places: Tensor) -> None:
        self.places = places

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        raise UnsupportedError("the exchanges of rows that lu_factor gives are not followed")


def _lu_factor(a: Any, check_finite: bool = True) -> Any:
    factors, order = lower_upper.lu(a)
    return factors, _Order(order)


def _lu_solve(lu_and_piv: Any, b: Any, trans: int = 0, check_finite: bool = True) -> Any:
    factors, order = lu_and_piv
    if not trans:
        return _by_columns(lambda x, y: lower_upper.lu_solve(x, order.places, y), factors, b)
    turned = np.swapaxes(lower_upper.lu_reconstruct(factors, order.places), -1, -2)
    return np.linalg.solve(*pair(turned if trans == 1 else np.conj(turned), b))


def _lstsq(a: Any, b: Any, cond: Any = None) -> Any:
    return np.linalg.lstsq(*pair(a, b), rcond=cond)


def _eigvalsh(a: Any, lower: bool = True) -> Any:
    return np.linalg.eigvalsh(taken(a), "L" if lower else "U")


def _qr(a: Any, mode: str = "full") -> Any:
    if mode not in _MODES:
        raise UnsupportedError(f"qr is followed with mode 'full' or 'economic', not {mode!r}")
    return np.linalg.qr(taken(a), mode=_MODES[mode])


_MODES: dict[str, Any] = {"full": "complete", "economic": "reduced"}


def _solve_banded(l_and_u: Any, ab: Any, b: Any) -> Any:
    """Solve with a matrix whose diagonals are rows, the highest first."""
    bands, (_, above) = taken(ab), l_and_u
    n = bands.shape[1]
    steps = [(row, above - row) for row in range(bands.shape[0])]
    diagonals = [np.diag(bands[row, max(k, 0) : n + min(k, 0)], k) for row, k in steps]
    return _solve(sum(diagonals), b)


def _block_diag(*arrs: Any) -> Any:
    parts = [np.atleast_2d(taken(x)) for x in arrs]
    rows = [
        [x if j == k else np.zeros((len(x), y.shape[1])) for j, y in enumerate(parts)]
        for k, x in enumerate(parts)
    ]
    return np.block(rows)


def _expm_frechet(A: Any, E: Any, *, compute_expm: bool = True) -> Any:  # noqa: N803 - SciPy's names
    """Give exp(A) and its change along E, which is a block of exp([[A, E], [0, A]])."""
    x, y = pair(A, E)
    n = len(x)
    whole = expm(np.block([[x, y], [np.zeros((n, n)), x]]))
    return (whole[:n, :n], whole[:n, n:]) if compute_expm else whole[:n, n:]


def _convolve(in1: Any, in2: Any, mode: str = "full", method: str = "auto") -> Any:
    """Convolve two signals; those of more axes, or with a longer window, are not followed."""
    x, y = pair(in1, in2)
    if x.ndim != 1 or y.ndim != 1 or len(x) < len(y):
        raise UnsupportedError("convolutions are followed for a signal and a window no longer")
    whole = np.convolve(x, y)
    lost = {"full": 0, "same": (len(y) - 1) // 2, "valid": len(y) - 1}[mode]
    size = {"full": len(whole), "same": len(x), "valid": len(x) - len(y) + 1}[mode]
    return whole[lost : lost + size]


def _correlate(in1: Any, in2: Any, mode: str = "full", method: str = "auto") -> Any:
    x, y = pair(in1, in2)
    if mode == "same" and len(y) % 2 == 0:
        raise UnsupportedError("correlations of the same size are followed for odd windows")
    return _convolve(x, np.conj(y[::-1]), mode)


def _lfilter(b: Any, a: Any, x: Any) -> Any:
    """Filter a signal: a[0] y[t] = Σ b[k] x[t - k] - Σ a[k] y[t - k]."""
    given, above, below = taken(x), taken(b), taken(a)
    if given.ndim != 1:
        raise UnsupportedError("lfilter is followed for one signal")
    whole = np.convolve(given, above)[: len(given)]
    found: list[Any] = []
    for t in range(len(given)):
        past = [below[k] * found[t - k] for k in range(1, min(t + 1, below.shape[0]))]
        found.append((whole[t] - sum(past)) / below[0])
    return np.stack(found)


def _without_check(function: Callable[[Any], Any]) -> Callable[..., Any]:
    def run(a: Any, check_finite: bool = True) -> Any:
        return function(taken(a))

    return run


FUNCTIONS: dict[tuple[str, str], Callable[..., Any]] = {
    ("special", "logsumexp"): _log_sum_exp,
    ("special", "softmax"): lambda x, axis=None: np.exp(x - _log_sum_exp(x, axis, keepdims=True)),
    ("special", "log_softmax"): lambda x, axis=None: x - _log_sum_exp(x, axis, keepdims=True),
    ("special", "polygamma"): polygamma,
    ("special", "zeta"): zeta,
    ("linalg", "block_diag"): _block_diag,
    ("linalg", "cho_factor"): _cho_factor,
    ("linalg", "cho_solve"): _cho_solve,
    ("linalg", "cholesky"): _cholesky,
    ("linalg", "det"): _without_check(np.linalg.det),
    ("linalg", "eigvalsh"): _eigvalsh,
    ("linalg", "expm"): expm,
    ("linalg", "expm_frechet"): _expm_frechet,
    ("linalg", "inv"): _without_check(np.linalg.inv),
    ("linalg", "lstsq"): _lstsq,
    ("linalg", "lu_factor"): _lu_factor,
    ("linalg", "lu_solve"): _lu_solve,
    ("linalg", "norm"): np.linalg.norm,
    ("linalg", "pinv"): _without_check(np.linalg.pinv),
    ("linalg", "qr"): _qr,
    ("linalg", "solve"): _solve,
    ("linalg", "solve_banded"): _solve_banded,
    ("linalg", "solve_triangular"): _solve_triangular,
    ("linalg", "svd"): lambda a, full_matrices=True: np.linalg.svd(taken(a), full_matrices),
    ("linalg", "svdvals"): lambda a: np.linalg.svd(taken(a), compute_uv=False),
    ("signal", "convolve"): _convolve,
    ("signal", "correlate"): _correlate,
    ("signal", "fftconvolve"): lambda in1, in2, mode="full": _convolve(in1, in2, mode),
    ("signal", "lfilter"): _lfilter,
    **{
        ("fft", name): getattr(np.fft, name)
        for name in "fft ifft fft2 ifft2 fftn ifftn rfft irfft fftshift ifftshift".split()
    },
}
"""By the module and the name that a function says it has."""


def of_scipy(function: Any) -> Any:
    """Give the function of tensors that one of SciPy's is, or None.

    >>> from scipy.linalg import solve
    >>> of_scipy(solve) is _solve
    True
    """
    _, _, inner = (getattr(function, "__module__", None) or "").partition("scipy.")
    return FUNCTIONS.get((inner.partition(".")[0], getattr(function, "__name__", "")))
