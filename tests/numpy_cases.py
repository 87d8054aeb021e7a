"""The table of NumPy calls on tensors: `run(np, x)` with NumPy itself or a module like it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np


class NumpyCase(NamedTuple):
    """One function of an array (shape, and the bounds of its random numbers)."""

    run: Callable[..., Any]
    shape: tuple[int, ...] = (3,)
    low: float = 0.2
    high: float = 0.9


UNARY = """
negative positive absolute sign sqrt square reciprocal exp exp2 expm1 log log2 log10 log1p
sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arctanh deg2rad rad2deg conjugate radians
degrees fabs cbrt fix i0
""".split()

BINARY = """
add subtract multiply divide power maximum minimum arctan2 hypot logaddexp remainder fmax fmin fmod
copysign logaddexp2
""".split()

MATRIX = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.5]])
EYE = np.eye(3)
VECTOR = np.array([1.0, -2.0, 3.0])
POWERS = np.array([2.0, 0.0, 2.0, 1.0])
PERCENTS = np.array([20.0, 70.0])
HOLES = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
"""Where numbers are missing."""


def _holed(np: Any, x: Any) -> Any:
    return np.where(HOLES > 0, np.nan, x)


NANS = "nansum nanprod nanmax nanmin nanmean nanvar nanstd nanmedian".split()

OF_ARRAYS_ALONE = {
    "fix": "it has no gradient, and JAX has it no more",
    "hfft": "a tensor has no product with a complex number",
    "partition, flat": "a tensor has no indices that are lists",
    "polymul, trimmed": "JAX keeps leading zeros",
}
"""Which cases are not of tensors, and why."""

CASES: dict[str, NumpyCase] = {
    **{name: NumpyCase(lambda np, x, f=name: getattr(np, f)(x)) for name in UNARY},
    "arccosh": NumpyCase(lambda np, x: np.arccosh(x), low=1.2, high=3.0),
    **{
        f"{name} with an array": NumpyCase(lambda np, x, f=name: getattr(np, f)(x, abs(VECTOR)))
        for name in BINARY
    },
    **{
        f"{name} with a number": NumpyCase(lambda np, x, f=name: getattr(np, f)(x, 0.5))
        for name in BINARY
    },
    **{
        f"{name} of two": NumpyCase(lambda np, x, f=name: getattr(np, f)(x[0], x[1]), (2, 3))
        for name in BINARY
    },
    "array + x": NumpyCase(lambda np, x: VECTOR + x),
    "array @ x": NumpyCase(lambda np, x: MATRIX @ x[:, None]),
    "x @ array": NumpyCase(lambda np, x: x @ MATRIX, (3, 2)),
    "array @ vector": NumpyCase(lambda np, x: MATRIX @ x),
    "vector @ array": NumpyCase(lambda np, x: x @ MATRIX.T),
    "array of rank one @ vector": NumpyCase(lambda np, x: VECTOR @ x * (x @ VECTOR)),
    "matrices @ vector": NumpyCase(lambda np, x: np.stack([MATRIX, MATRIX**2]) @ x),
    "vector @ matrices": NumpyCase(lambda np, x: x @ np.stack([MATRIX.T, MATRIX.T**2])),
    "matmul of matrices": NumpyCase(lambda np, x: np.matmul(x, MATRIX.T), (2, 3)),
    "matmul of vectors": NumpyCase(lambda np, x: np.matmul(x, x)),
    "array ** x": NumpyCase(lambda np, x: abs(VECTOR) ** x),
    "array / x": NumpyCase(lambda np, x: VECTOR / x),
    "array // x": NumpyCase(lambda np, x: x * (VECTOR // 1.0)),
    "sum": NumpyCase(lambda np, x: np.sum(x)),
    "sum of an axis": NumpyCase(lambda np, x: np.sum(x, axis=0), (2, 3)),
    "sum, kept": NumpyCase(lambda np, x: np.sum(x, axis=(0, 1), keepdims=True), (2, 3)),
    "add.reduce": NumpyCase(lambda np, x: np.add.reduce(x, axis=1), (2, 3)),
    "mean": NumpyCase(lambda np, x: np.mean(x, axis=-1), (2, 3)),
    "average": NumpyCase(lambda np, x: np.average(x)),
    "average with weights": NumpyCase(lambda np, x: np.average(x, weights=abs(VECTOR))),
    "prod": NumpyCase(lambda np, x: np.prod(x)),
    "max": NumpyCase(lambda np, x: np.max(x, axis=0), (2, 3)),
    "min": NumpyCase(lambda np, x: np.min(x)),
    "var": NumpyCase(lambda np, x: np.var(x)),
    "var of a sample": NumpyCase(lambda np, x: np.var(x, axis=1, ddof=1), (2, 3)),
    "std": NumpyCase(lambda np, x: np.std(x, keepdims=True)),
    "cumsum": NumpyCase(lambda np, x: np.cumsum(x), (2, 3)),
    "cumsum of an axis": NumpyCase(lambda np, x: np.cumsum(x, axis=1), (2, 3)),
    "cumprod": NumpyCase(lambda np, x: np.cumprod(x)),
    "dot of vectors": NumpyCase(lambda np, x: np.dot(x, x)),
    "dot of matrices": NumpyCase(lambda np, x: np.dot(x, MATRIX.T), (2, 3)),
    "dot with a number": NumpyCase(lambda np, x: np.dot(x, 2.0)),
    "dot of matrix and vector": NumpyCase(lambda np, x: np.dot(x, VECTOR), (2, 3)),
    "dot of tensors": NumpyCase(lambda np, x: np.dot(x, np.ones((2, 3, 2))), (2, 3)),
    "inner": NumpyCase(lambda np, x: np.inner(x, MATRIX), (2, 3)),
    "outer": NumpyCase(lambda np, x: np.outer(x, x)),
    "vdot": NumpyCase(lambda np, x: np.vdot(x, MATRIX), (2, 3)),
    "tensordot": NumpyCase(lambda np, x: np.tensordot(x, MATRIX, axes=([1], [1])), (2, 3)),
    "einsum of one and three": NumpyCase(lambda np, x: np.einsum("ij,jk->ik", x, MATRIX.T), (2, 1)),
    **{
        f"matrix_power of {n}": NumpyCase(
            lambda np, x, n=n: np.linalg.matrix_power(x + EYE, n), (3, 3)
        )
        for n in (-2, 1, 5)
    },
    "multi_dot": NumpyCase(
        lambda np, x: np.linalg.multi_dot([x[0], x, MATRIX.T, MATRIX, VECTOR]), (3, 3)
    ),
    "multi_dot of two": NumpyCase(lambda np, x: np.linalg.multi_dot([MATRIX, x]), (3, 3)),
    "einsum": NumpyCase(lambda np, x: np.einsum("ij,kj->ik", x, MATRIX), (2, 3)),
    "norm": NumpyCase(lambda np, x: np.linalg.norm(x), (2, 3)),
    "norm of an axis": NumpyCase(lambda np, x: np.linalg.norm(x, axis=1), (2, 3)),
    "norm of order 1": NumpyCase(lambda np, x: np.linalg.norm(x, 1)),
    "norm of order infinity": NumpyCase(lambda np, x: np.linalg.norm(x, np.inf)),
    "matrix norm of order 1": NumpyCase(lambda np, x: np.linalg.norm(x, 1), (2, 3)),
    "matrix norm of order 2": NumpyCase(lambda np, x: np.linalg.norm(x, 2), (2, 3)),
    "inv": NumpyCase(lambda np, x: np.linalg.inv(x + 2 * EYE), (3, 3)),
    "det": NumpyCase(lambda np, x: np.linalg.det(x), (3, 3)),
    "slogdet": NumpyCase(lambda np, x: np.linalg.slogdet(x + 2 * EYE).logabsdet, (3, 3)),
    "solve": NumpyCase(lambda np, x: np.linalg.solve(x + 2 * EYE, x), (3, 3)),
    "solve for a vector": NumpyCase(lambda np, x: np.linalg.solve(x + 2 * EYE, VECTOR), (3, 3)),
    "cholesky": NumpyCase(lambda np, x: np.linalg.cholesky(x @ np.transpose(x) + EYE), (3, 3)),
    "cholesky, upper": NumpyCase(
        lambda np, x: np.linalg.cholesky(x @ np.transpose(x) + EYE, upper=True), (3, 3)
    ),
    "eigh": NumpyCase(lambda np, x: np.linalg.eigh(x @ np.transpose(x)).eigenvectors ** 2, (3, 3)),
    "eigh, upper": NumpyCase(
        lambda np, x: np.linalg.eigh(x @ np.transpose(x), UPLO="U")[0], (3, 3)
    ),
    "eigvalsh": NumpyCase(lambda np, x: np.linalg.eigvalsh(x @ np.transpose(x)), (3, 3)),
    "qr": NumpyCase(lambda np, x: np.linalg.qr(x).Q, (3, 3)),
    "qr, R alone": NumpyCase(lambda np, x: np.linalg.qr(x, "r"), (3, 2)),
    "svd": NumpyCase(lambda np, x: np.linalg.svd(x, full_matrices=False).Vh ** 2, (2, 3)),
    "svd, values alone": NumpyCase(lambda np, x: np.linalg.svd(x, compute_uv=False), (2, 3)),
    "lstsq": NumpyCase(lambda np, x: np.linalg.lstsq(x, VECTOR, rcond=None)[0], (3, 2)),
    "lstsq of matrices": NumpyCase(
        lambda np, x: np.linalg.lstsq(x, MATRIX.T, rcond=None)[1], (3, 2)
    ),
    "lstsq of few equations": NumpyCase(lambda np, x: np.linalg.lstsq(x, VECTOR[:2])[0], (2, 3)),
    "apply_along_axis": NumpyCase(
        lambda np, x: np.apply_along_axis(lambda r: r / np.sum(r), 0, x), (3, 2)
    ),
    "apply_along_axis to numbers": NumpyCase(
        lambda np, x: np.apply_along_axis(lambda r: np.dot(r, r), 1, x), (2, 3)
    ),
    "apply_along_axis to matrices": NumpyCase(
        lambda np, x: np.apply_along_axis(lambda r: np.outer(r, r), 1, x), (2, 3, 2)
    ),
    "pinv": NumpyCase(lambda np, x: np.linalg.pinv(x), (2, 3)),
    "Frobenius norm": NumpyCase(lambda np, x: np.linalg.norm(x, "fro"), (2, 3)),
    "trace": NumpyCase(lambda np, x: np.trace(x), (3, 3)),
    "trace above": NumpyCase(lambda np, x: np.trace(x, offset=1), (3, 3)),
    "diag of a vector": NumpyCase(lambda np, x: np.diag(x)),
    "diag of a matrix": NumpyCase(lambda np, x: np.diag(x, k=1), (3, 3)),
    "diagonal": NumpyCase(lambda np, x: np.diagonal(x, axis1=0, axis2=2), (2, 3, 2)),
    "diff": NumpyCase(lambda np, x: np.diff(x**2), (2, 3)),
    "diff twice of an axis": NumpyCase(lambda np, x: np.diff(x**2, n=2, axis=0), (4, 3)),
    "trapezoid": NumpyCase(lambda np, x: np.trapezoid(x**2, dx=0.5), (2, 3)),
    "trapezoid at places": NumpyCase(lambda np, x: np.trapezoid(x, x=VECTOR[:2], axis=0), (2, 3)),
    "append": NumpyCase(lambda np, x: np.append(x, x * 2), (2, 3)),
    "append a number": NumpyCase(lambda np, x: np.append(x, 2.0)),
    "append along an axis": NumpyCase(lambda np, x: np.append(x, MATRIX, axis=0), (2, 3)),
    "pad": NumpyCase(lambda np, x: np.pad(x, 1), (2, 3)),
    "pad with a number": NumpyCase(
        lambda np, x: np.pad(x, ((1, 0), (0, 2)), constant_values=3.0), (2, 3)
    ),
    "pad by reflection": NumpyCase(lambda np, x: np.pad(x, (2, 1), mode="reflect")),
    "pad symmetrically": NumpyCase(lambda np, x: np.pad(x, 1, mode="symmetric"), (2, 3)),
    "split": NumpyCase(
        lambda np, x: np.split(x, 3, axis=1)[1] * np.split(x, [1, 2], axis=1)[2], (2, 3)
    ),
    "array_split": NumpyCase(lambda np, x: np.array_split(x, 2)[1] ** 2),
    "triu": NumpyCase(lambda np, x: np.triu(x * x, k=1), (3, 4)),
    "tril": NumpyCase(lambda np, x: np.tril(x * x, -1), (2, 3, 3)),
    "cross": NumpyCase(lambda np, x: np.cross(x, VECTOR), (2, 3)),
    "cross of vectors": NumpyCase(lambda np, x: np.cross(x, VECTOR), (3,)),
    "cross with a vector in front": NumpyCase(lambda np, x: np.cross(VECTOR, x), (2, 3)),
    "cross of arrays": NumpyCase(lambda np, x: np.cross(x, x[::-1] * x), (4, 2, 3)),
    "kron": NumpyCase(lambda np, x: np.kron(x, MATRIX * x), (2, 3)),
    "kron of vectors": NumpyCase(lambda np, x: np.kron(x, x)),
    "kron of ranks": NumpyCase(lambda np, x: np.kron(x, MATRIX)),
    "polyval": NumpyCase(lambda np, x: np.polyval(x, abs(VECTOR))),
    "polyval at x": NumpyCase(lambda np, x: np.polyval(VECTOR, x), (2, 3)),
    "meshgrid": NumpyCase(lambda np, x: np.meshgrid(x, x[:2])[0] * np.meshgrid(x, x[:2])[1]),
    "meshgrid ij": NumpyCase(lambda np, x: np.meshgrid(x, VECTOR[:2], indexing="ij")[0] * x[0]),
    "column_stack": NumpyCase(lambda np, x: np.column_stack([x, x * x, x])),
    "atleast": NumpyCase(lambda np, x: np.atleast_2d(x) * np.atleast_1d(x[0])),
    "atleast_1d": NumpyCase(lambda np, x: np.atleast_1d(x[0]) * np.atleast_1d(x)[1]),
    "atleast_1d of a matrix": NumpyCase(lambda np, x: np.atleast_1d(x * x), (2, 3)),
    "ptp": NumpyCase(lambda np, x: np.ptp(x, axis=1), (2, 3)),
    "fliplr, flipud": NumpyCase(lambda np, x: np.fliplr(x) * np.flipud(x), (2, 3)),
    "diagflat": NumpyCase(lambda np, x: np.diagflat(x), (2, 2)),
    "like": NumpyCase(
        lambda np, x: x * np.ones_like(x) + np.zeros_like(x) + np.full_like(x, 2.0), (2, 3)
    ),
    "concatenate": NumpyCase(lambda np, x: np.concatenate([x, x * 2])),
    "concatenate flat": NumpyCase(lambda np, x: np.concatenate([x, x * 2], axis=None), (2, 3)),
    "stack": NumpyCase(lambda np, x: np.stack([x, x * x], axis=1)),
    "vstack": NumpyCase(lambda np, x: np.vstack([x, x * x])),
    "hstack": NumpyCase(lambda np, x: np.hstack([x, x * x]), (2, 3)),
    "hstack of vectors": NumpyCase(lambda np, x: np.hstack([x, x * x])),
    "reshape": NumpyCase(lambda np, x: np.reshape(x, (3, -1)), (2, 3)),
    "ravel": NumpyCase(lambda np, x: np.ravel(x), (2, 3)),
    "transpose": NumpyCase(lambda np, x: np.transpose(x, (1, 0, 2)), (2, 3, 2)),
    "swapaxes": NumpyCase(lambda np, x: np.swapaxes(x, 0, -1), (2, 3, 4)),
    "moveaxis": NumpyCase(lambda np, x: np.moveaxis(x, 0, -1), (2, 3, 4)),
    "moveaxis of two": NumpyCase(lambda np, x: np.moveaxis(x, [0, 1], [-1, 0]), (2, 3, 4)),
    "squeeze": NumpyCase(lambda np, x: np.squeeze(x), (1, 3, 1)),
    "squeeze an axis": NumpyCase(lambda np, x: np.squeeze(x, axis=0), (1, 3, 1)),
    "expand_dims": NumpyCase(lambda np, x: np.expand_dims(x, (0, 2))),
    "broadcast_to": NumpyCase(lambda np, x: np.broadcast_to(x, (2, 3))),
    "flip": NumpyCase(lambda np, x: np.flip(x), (2, 3)),
    "flip an axis": NumpyCase(lambda np, x: np.flip(x, axis=1), (2, 3)),
    "roll": NumpyCase(lambda np, x: np.roll(x, 2), (2, 3)),
    "roll an axis": NumpyCase(lambda np, x: np.roll(x, 1, axis=1), (2, 3)),
    "tile": NumpyCase(lambda np, x: np.tile(x, 2), (2, 3)),
    "tile with more axes": NumpyCase(lambda np, x: np.tile(x, (2, 1, 2)), (2, 3)),
    "repeat": NumpyCase(lambda np, x: np.repeat(x, 2), (2, 3)),
    "repeat an axis": NumpyCase(lambda np, x: np.repeat(x, 2, axis=0), (2, 3)),
    "take": NumpyCase(lambda np, x: np.take(x, np.array([0, -1, 0])), (2, 3)),
    "take of an axis": NumpyCase(lambda np, x: np.take(x, np.array([0, 2]), axis=1), (2, 3)),
    "sort": NumpyCase(lambda np, x: np.sort(x) * VECTOR, (2, 3)),
    "sort of an axis": NumpyCase(lambda np, x: np.sort(x, axis=0), (3, 2)),
    "clip": NumpyCase(lambda np, x: np.clip(x, 0.3, 0.7)),
    "clip below": NumpyCase(lambda np, x: np.clip(x, 0.5, None)),
    "where": NumpyCase(lambda np, x: np.where(x > 0.5, x, x * x)),
    "real": NumpyCase(lambda np, x: np.real(x)),
    "copy": NumpyCase(lambda np, x: np.copy(x), (2, 3)),
    **{
        f"{name} along {axis}": NumpyCase(
            lambda np, x, f=name, a=axis: getattr(np, f)(_holed(np, x), axis=a), (3, 3)
        )
        for name in NANS
        for axis in (None, 0, 1)
    },
    "nanvar, kept": NumpyCase(
        lambda np, x: np.nanvar(_holed(np, x), 1, ddof=1, keepdims=True), (3, 3)
    ),
    "nancumsum": NumpyCase(lambda np, x: np.nancumsum(_holed(np, x) ** 2), (3, 3)),
    "nancumprod": NumpyCase(lambda np, x: np.nancumprod(_holed(np, x), axis=1), (3, 3)),
    "nanquantile": NumpyCase(lambda np, x: np.nanquantile(_holed(np, x), 0.3), (3, 3)),
    "nanpercentile": NumpyCase(
        lambda np, x: np.nanpercentile(_holed(np, x), PERCENTS, axis=1, keepdims=True), (3, 3)
    ),
    "nan_to_num": NumpyCase(lambda np, x: np.nan_to_num(_holed(np, x), nan=3.0) * x, (3, 3)),
    "fmax of nan": NumpyCase(lambda np, x: np.fmax(_holed(np, x), x / 2), (3, 3)),
    "fmin of nan": NumpyCase(lambda np, x: np.fmin(x * x, _holed(np, x)), (3, 3)),
    "fmod of numbers below 0": NumpyCase(lambda np, x: np.fmod(-x, VECTOR / 9)),
    "fmod of a number": NumpyCase(lambda np, x: np.fmod(2.5, x), low=0.3, high=0.4),
    "copysign of a sign": NumpyCase(lambda np, x: np.copysign(x, x - 0.5)),
    "copysign of zeros": NumpyCase(lambda np, x: np.copysign(x, np.array([-0.0, 0.0, -1.0]))),
    "ldexp": NumpyCase(lambda np, x: np.ldexp(x, np.array([1, -2, 3]))),
    "divmod": NumpyCase(lambda np, x: np.divmod(x, 0.15)[1] + np.divmod(x, 0.15)[0]),
    "modf": NumpyCase(lambda np, x: np.modf(7 * x)[0] + np.modf(7 * x)[1] ** 2),
    "cbrt below 0": NumpyCase(lambda np, x: np.cbrt(-x)),
    **{
        f"round to {n}": NumpyCase(lambda np, x, n=n: np.round(37.123 * x, n) * x)
        for n in (-1, 0, 2)
    },
    "vecmat": NumpyCase(lambda np, x: np.vecmat(x, MATRIX.T)),
    "matrix_transpose": NumpyCase(lambda np, x: np.matrix_transpose(x) * VECTOR[:2], (2, 3)),
    "cumulative_sum": NumpyCase(lambda np, x: np.cumulative_sum(x * x, include_initial=True)),
    "cumulative_prod": NumpyCase(
        lambda np, x: np.cumulative_prod(x, axis=-1, include_initial=True), (2, 3)
    ),
    "linspace": NumpyCase(lambda np, x: np.linspace(x[0], x[1:], 5)),
    "linspace, open": NumpyCase(lambda np, x: np.linspace(x, 3, 4, endpoint=False, axis=1)),
    "linspace of one": NumpyCase(lambda np, x: np.linspace(x, 2 * x, 1)),
    "linspace of none": NumpyCase(lambda np, x: np.sum(np.linspace(x, 2, 0)) + np.sum(x)),
    "logspace": NumpyCase(lambda np, x: np.logspace(x[0], x[1], 4)),
    "logspace of a base": NumpyCase(lambda np, x: np.logspace(x[0], x[1], 4, base=x[2])),
    "geomspace": NumpyCase(lambda np, x: np.geomspace(x[0], x[1:], 4)),
    "geomspace below 0": NumpyCase(lambda np, x: np.geomspace(-x[0], -x[1], 4)),
    "partition": NumpyCase(lambda np, x: np.partition(x, 1) * VECTOR, (2, 3)),
    "partition, flat": NumpyCase(lambda np, x: np.partition(x, (1, 4), axis=None)[[1, 4]], (2, 3)),
    "trim_zeros": NumpyCase(lambda np, x: np.trim_zeros(np.where(x < 0.3, 0, x)), (9,)),
    "unwrap": NumpyCase(lambda np, x: np.unwrap(9 * x)),
    "unwrap of periods": NumpyCase(
        lambda np, x: np.unwrap(9 * x, axis=0, period=2.0, discont=1.5), (4, 3)
    ),
    "polyadd": NumpyCase(lambda np, x: np.polyadd(x, POWERS)),
    "polysub": NumpyCase(lambda np, x: np.polysub(POWERS[:1], x)),
    "polymul": NumpyCase(lambda np, x: np.polymul(POWERS[2:], x)),
    "polymul, trimmed": NumpyCase(lambda np, x: np.polymul(POWERS[1:], x)),
    "polyder": NumpyCase(lambda np, x: np.polyder(x, 2), (5,)),
    "polyint": NumpyCase(lambda np, x: np.polyint(x)),
    "polyint, constants": NumpyCase(lambda np, x: np.polyint(x, 2, k=POWERS[2:])),
    "polyint, one constant": NumpyCase(lambda np, x: np.polyint(x, 2, k=3.0)),
    "poly": NumpyCase(lambda np, x: np.poly(x)),
    "vander": NumpyCase(lambda np, x: np.vander(x, 4)),
    "hfft": NumpyCase(lambda np, x: np.fft.hfft(x + 1j * x**2, norm="ortho")),
    "hfft of a size": NumpyCase(lambda np, x: np.fft.hfft(x, 7, axis=0, norm="forward"), (3, 2)),
    "ihfft": NumpyCase(lambda np, x: np.real(np.fft.ihfft(x)) + np.imag(np.fft.ihfft(x))),
    **{
        f"linalg.{name}": NumpyCase(lambda np, x, f=name: getattr(np.linalg, f)(x), (2, 3, 3))
        for name in ("diagonal", "trace", "matrix_transpose")
    },
    "linalg.diagonal above": NumpyCase(lambda np, x: np.linalg.diagonal(x, offset=1), (2, 3, 3)),
    "linalg.outer": NumpyCase(lambda np, x: np.linalg.outer(x, VECTOR)),
    "linalg.matmul": NumpyCase(lambda np, x: np.linalg.matmul(x, MATRIX.T), (2, 3)),
    "linalg.tensordot": NumpyCase(lambda np, x: np.linalg.tensordot(x, MATRIX, axes=2), (2, 3)),
    "linalg.vecdot": NumpyCase(lambda np, x: np.linalg.vecdot(x, MATRIX, axis=0), (2, 3)),
    "linalg.cross": NumpyCase(lambda np, x: np.linalg.cross(x, VECTOR), (2, 3)),
    "a chain": NumpyCase(lambda np, x: np.log(np.sum(np.exp(np.sin(x) * VECTOR)))),
}
