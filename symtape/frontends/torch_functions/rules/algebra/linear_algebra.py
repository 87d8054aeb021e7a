"""ATen operations that solve with matrices or factorize them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from symtape.frontends import minors
from symtape.frontends.elimination import eliminated, rows_in, unit_lower
from symtape.frontends.torch_functions.memory.views import as_dtype
from symtape.frontends.torch_functions.rules.networks.activations import number
from symtape.frontends.torch_functions.rules.rules import Step, rule
from symtape.ops.elementwise import functions as maps
from symtape.ops.elementwise.arithmetic import where
from symtape.ops.elementwise.comparison import logical_not
from symtape.ops.elementwise.conversion import stop_gradient
from symtape.ops.linalg import matrix_functions, solving, spectra
from symtape.ops.linalg.diagonals import band_part, diag_part
from symtape.ops.linalg.diagonals import trace as trace_of
from symtape.ops.linalg.least_squares import lstsq, pinv
from symtape.ops.linalg.lower_upper import lu
from symtape.ops.linalg.products import adjoint as adjoint_of
from symtape.ops.linalg.products import matmul, matrix_transpose
from symtape.ops.reductions.reduction import reduce_all, reduce_sum
from symtape.ops.shapes.creation import eye
from symtape.ops.shapes.joining import concat
from symtape.ops.shapes.repetition import broadcast_to
from symtape.ops.shapes.shaping import with_shape
from symtape.tensor.decided import decided
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of


@rule("linalg_inv_ex", wide=True)
def inv(step: Step, a: Tensor, *_: Any, **__: Any) -> Any:
    """A⁻¹, and that there is one."""
    return solving.inv(a), None


@rule("linalg_cholesky_ex", wide=True)
def cholesky(step: Step, a: Tensor, upper: bool = False, **named: Any) -> Any:
    """L with A = LLᵀ of one triangle of A, or Lᵀ of the other, and 0 for that there is one."""
    upper = named.get("upper", upper)
    half = solving.cholesky(adjoint_of(a) if upper else a)
    pivots = maps.real(diag_part(half))
    lacking = logical_not(reduce_all(pivots > number(pivots, 0), -1))
    return (adjoint_of(half) if upper else half), as_dtype(lacking, np.dtype(np.int32))


def _symmetric(a: Tensor, *, upper: bool) -> Tensor:
    """A symmetric matrix of one triangle of A; the derivative is by both halves, as torch's is."""
    both = (a + adjoint_of(a)) * number(a, 0.5)
    of_one = band_part(a, 0, -1) if upper else band_part(a, -1, 0)
    strict = of_one - band_part(a, 0, 0)
    mirrored = of_one + adjoint_of(strict)
    bound = np.sqrt(np.finfo(both.raw.dtype).eps) * np.max(np.abs(a.raw), initial=0.0)
    if np.array_equal(mirrored.raw, both.raw, equal_nan=True):
        bool(reduce_all(maps.abs(mirrored - both) <= number(maps.abs(a), float(bound))))
        return both
    return both + stop_gradient(mirrored - both)


@rule("_linalg_det", wide=True)
def det(step: Step, a: Tensor) -> Any:
    """det A, and what torch keeps of the elimination."""
    return minors.det(a), _packed(a, step.result(1)), None


@rule("_linalg_slogdet", wide=True)
def slogdet(step: Step, a: Tensor) -> Any:
    """The sign and the logarithm of det A, and what torch keeps of the elimination."""
    sign, log = solving.slogdet(a)
    return sign, log, _packed(a, step.result(2)), None


def _packed(a: Tensor, theirs: Any) -> Callable[[], Tensor]:
    """L and U in one matrix, of A or its transpose: torch takes what lies better in memory.

    Only who reads them needs rows that are exchanged as they were.
    """

    def packed() -> Tensor:
        made = lu(a)[0]
        return made if np.allclose(made.raw, theirs, 1e-2) else lu(matrix_transpose(a))[0]

    return packed


@rule("_linalg_solve_ex", wide=True)
def solve(
    step: Step, a: Tensor, b: Tensor, *, left: bool = True, check_errors: bool = False
) -> Any:
    """X with AX = B, or XA = B, and what torch keeps of the elimination."""
    vector = b.ndim == 1 or (a.ndim - 1 == b.ndim and b.raw.shape == a.raw.shape[:-1])
    right = with_shape(b, (*b.raw.shape, 1)) if vector else b
    if left:
        made = solving.solve(*_batched(a, right))
    else:
        made = matrix_transpose(
            solving.solve(*_batched(matrix_transpose(a), matrix_transpose(right)))
        )
    return with_shape(made, step.shape), _packed(a, step.result(1)), None, None


def _batched(a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    lead = np.broadcast_shapes(a.raw.shape[:-2], b.raw.shape[:-2])
    wide = [broadcast_to(x, (*lead, *x.raw.shape[-2:])) for x in (a, b)]
    return wide[0], wide[1]


@rule("linalg_solve_triangular", wide=True)
def solve_triangular(
    step: Step, a: Tensor, b: Tensor, *, upper: bool, left: bool = True, unitriangular: bool = False
) -> Tensor:
    """X with AX = B or XA = B, of a triangle."""
    if unitriangular:
        n = a.raw.shape[-1]
        keep = ~np.eye(n, dtype=bool)
        a = where(Tensor(np.broadcast_to(keep, a.raw.shape)), a, number(a, 1))
    if left:
        a, b = _batched(a, b)
        return solving.triangular_solve(a, b, lower=not upper)
    a, b = _batched(matrix_transpose(a), matrix_transpose(b))
    return matrix_transpose(solving.triangular_solve(a, b, lower=upper))


@rule("triangular_solve", wide=True)
def triangular_solve(
    step: Step, b: Tensor, a: Tensor, upper: bool = True, transpose: bool = False,
    unitriangular: bool = False,
) -> Any:  # fmt: skip
    """X with AX = B, or AᵀX = B, of a triangle, and the triangle."""
    turned, side = (matrix_transpose(a), not upper) if transpose else (a, upper)
    found = solve_triangular(step, turned, b, upper=side, unitriangular=unitriangular)
    return found, broadcast_to(a, tuple(step.results[1].shape))


@rule("cholesky_solve", wide=True)
def cholesky_solve(step: Step, b: Tensor, half: Tensor, upper: bool = False) -> Tensor:
    """X with LLᵀX = B."""
    return solving.cholesky_solve(adjoint_of(half) if upper else half, b)


@rule("cholesky_inverse", wide=True)
def cholesky_inverse(step: Step, half: Tensor, upper: bool = False) -> Tensor:
    """The inverse of LLᵀ."""
    lower = adjoint_of(half) if upper else half
    n = half.raw.shape[-1]
    return solving.cholesky_solve(lower, eye(n, batch_shape=half.raw.shape[:-2], dtype=half.dtype))


@rule("linalg_lu_factor_ex", wide=True)
def lu_factor(step: Step, a: Tensor, **_: Any) -> Any:
    """L and U in one matrix, and which rows were exchanged."""
    return eliminated(a, _order(step.result(1), shape_of(a)[-2])), None, None


@rule("linalg_lu", wide=True)
def lu_factors(step: Step, a: Tensor, *, pivot: bool = True) -> Any:
    """P, L and U with A = PLU."""
    if not pivot:
        raise NotImplementedError("linalg.lu() with pivot=False")
    exchanges = step.result(0)
    packed = eliminated(a, np.argmax(exchanges, axis=-2))
    k = min(shape_of(a)[-2:])
    return Tensor(exchanges), unit_lower(packed), band_part(packed[..., :k, :], 0, -1)


@rule("linalg_lu_solve", wide=True)
def lu_solve(
    step: Step, packed: Tensor, pivots: Tensor, b: Tensor, *, left: bool = True,
    adjoint: bool = False,
) -> Tensor:  # fmt: skip
    """X with AX = B or XA = B, of the factors of A."""
    if not left:
        turned = lu_solve(step, packed, pivots, adjoint_of(b), adjoint=not adjoint)
        return adjoint_of(turned)
    n = shape_of(packed)[-1]
    order = _order(decided(pivots, "lu_solve()"), n)
    packed, b = _batched(packed, b)
    lower = unit_lower(packed)
    order = np.broadcast_to(order, (*b.raw.shape[:-2], n))
    if adjoint:
        inner = solving.triangular_solve(packed, b, lower=False, adjoint=True)
        inner = solving.triangular_solve(lower, inner, lower=True, adjoint=True)
        return rows_in(inner, np.argsort(order, -1))
    inner = solving.triangular_solve(lower, rows_in(b, order), lower=True)
    return solving.triangular_solve(packed, inner, lower=False)


@rule("lu_unpack", wide=True)
def lu_unpack(
    step: Step, packed: Tensor, pivots: Tensor, data: bool = True, exchanges: bool = True
) -> Any:
    """P, L and U of the factors in one matrix."""
    k = min(shape_of(packed)[-2:])
    decided(pivots, "lu_unpack()")
    return (
        Tensor(step.result(0)) if exchanges else None,
        unit_lower(packed) if data else None,
        band_part(packed[..., :k, :], 0, -1) if data else None,
    )


def _order(pivots: Any, n: int) -> Any:
    """Read exchanges of rows, one after another and counted from 1, as an order of the rows."""
    order = np.broadcast_to(np.arange(n), (*pivots.shape[:-1], n)).copy()
    for at in np.ndindex(pivots.shape[:-1]):
        for k, other in enumerate(pivots[at]):
            order[(*at, [k, other - 1])] = order[(*at, [other - 1, k])]
    return order


# --- factors that are known up to signs: they have torch's ----------------------------------------


def _signs(ours: Any, theirs: Any, axis: int) -> Tensor | None:
    """Say for each column, or row, by which number of size 1 torch's is ours times it."""
    total = np.sum(np.conj(ours) * theirs, axis=axis, keepdims=True)
    size = np.abs(total)
    sign = np.where(size > 0, total / np.where(size > 0, size, 1), 1).astype(ours.dtype)
    near = np.abs(sign - 1) < 1e-3
    return None if near.all() else Tensor(np.where(near, 1, sign).astype(ours.dtype))


def _turned(x: Tensor, signs: Tensor | None) -> Tensor:
    return x if signs is None else x * signs


@rule("linalg_qr", wide=True)
def qr(step: Step, a: Tensor, mode: str = "reduced") -> Any:
    """A = QR, with torch's signs."""
    q, r = spectra.qr(a, full_matrices=mode == "complete")
    if mode == "r":
        theirs, ours = step.result(1), r.raw
        signs = _signs(ours, theirs, -1)
        return None, _turned(r, signs)
    signs = _signs(q.raw, step.result(0), -2)
    rows = (
        None
        if signs is None
        else matrix_transpose(maps.conj(signs) if dtype_of(a).kind == "c" else signs)
    )
    if rows is not None and rows.raw.shape[-2] != r.raw.shape[-2]:
        rows = rows[..., : r.raw.shape[-2], :]
    return _turned(q, signs), _turned(r, rows)


@rule("_linalg_eigh", wide=True)
def eigh(step: Step, a: Tensor, UPLO: str = "L", compute_v: bool = True) -> Any:  # noqa: N803 - torch's name
    """The eigenvalues and eigenvectors of a symmetric matrix, with torch's signs."""
    a = _symmetric(a, upper=UPLO == "U")
    if not compute_v:
        return maps.real(spectra.eigvalsh(a)) if dtype_of(a).kind == "c" else spectra.eigvalsh(
            a
        ), None
    values, vectors = spectra.eigh(a)
    values = maps.real(values) if dtype_of(values).kind == "c" else values
    return values, _turned(vectors, _signs(vectors.raw, step.result(1), -2))


@rule("linalg_eig", wide=True)
def eig(step: Step, a: Tensor) -> Any:
    """The eigenvalues and eigenvectors of a square matrix, with torch's phases."""
    values, vectors = spectra.eig(a)
    return values, _turned(vectors, _signs(vectors.raw, step.result(1), -2))


@rule("linalg_householder_product")
def householder_product(step: Step, a: Tensor, tau: Tensor) -> Tensor:
    """The first columns of ∏(1 - τvv*), with the vectors v below the diagonal of a matrix."""
    rows, columns = step.shape[-2:]
    found = broadcast_to(eye(rows, columns, dtype=step.dtype), step.shape)
    for k in reversed(range(tau.raw.shape[-1])):
        below = a[..., k + 1 :, k : k + 1]
        head = np.zeros((*step.shape[:-2], k + 1, 1), step.dtype)
        head[..., k, 0] = 1
        v = concat([Tensor(head), below], -2)
        found = found - tau[..., k, None, None] * v * matmul(adjoint_of(v), found)
    return found


@rule("_linalg_svd", wide=True)
def svd(step: Step, a: Tensor, full: bool = False, compute_uv: bool = True, **_: Any) -> Any:
    """A = U·diag(s)·Vᴴ, with torch's signs."""
    if not compute_uv:
        return None, spectra.svd(a, compute_uv=False), None
    s, u, v = spectra.svd(a, full_matrices=full)
    signs = _signs(u.raw, step.result(0), -2)
    right = signs if signs is None or not full else signs[..., : v.raw.shape[-1]]
    return _turned(u, signs), s, adjoint_of(_turned(v, right))


@rule("linalg_matrix_exp", wide=True)
def matrix_exp(step: Step, a: Tensor) -> Tensor:
    """exp A."""
    return matrix_functions.expm(a)


@rule("linalg_lstsq", wide=True)
def least_squares(
    step: Step, a: Tensor, b: Tensor, rcond: float | None = None, *, driver: str | None = None
) -> Any:
    """The X for which AX is nearest to B, of a matrix of full rank, and |AX - B|² by columns."""
    vector = b.ndim == a.ndim - 1
    right = with_shape(b, (*b.raw.shape, 1)) if vector else b
    a, right = _batched(a, right)
    rows, columns = a.raw.shape[-2:]
    tiny = 100 * max(rows, columns) * float(np.finfo(a.raw.dtype).eps)
    cuts = rcond is not None and rcond > tiny and driver != "gels"
    if cuts or np.any(np.linalg.matrix_rank(a.raw) < min(rows, columns)):
        raise UnsupportedError(
            "of a matrix without full rank the solution jumps: use torch.linalg.pinv(A, rtol=...) "
            "@ B, which says what counts as zero"
        )
    made = lstsq(a, right, fast=False)
    left, rank, values = [Tensor(step.result(k)) for k in (1, 2, 3)]
    if left.raw.size:
        left = reduce_sum(maps.square(maps.abs(matmul(a, made) - right)), [-2])
    if values.raw.size:
        values = spectra.svd(a, compute_uv=False)
    return with_shape(made, step.shape), left, rank, values


@rule("linalg_pinv.atol_rtol_tensor", wide=True)
def pseudo_inverse(
    step: Step, a: Tensor, *, atol: Tensor | None = None, rtol: Tensor | None = None,
    hermitian: bool = False,
) -> Tensor:  # fmt: skip
    """The inverse of Moore and Penrose; singular values below a bound count as 0."""
    if atol is not None and np.any(atol.raw > 0):
        raise UnsupportedError("linalg.pinv with atol: give rtol")
    if rtol is None:
        return pinv(a, max(a.raw.shape[-2:]) * float(np.finfo(a.raw.dtype).eps))
    return pinv(a, float(rtol.raw))


@rule("trace")
def trace(step: Step, a: Tensor) -> Tensor:
    """The sum of the diagonal."""
    return trace_of(a)
