"""Primitives of linear algebra: factorizations, equations, spectra."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.frontends.elimination import eliminated
from symtape.frontends.jax_functions.steps import Rule, Step
from symtape.frontends.jax_functions.triangles import remember
from symtape.ops.elementwise import functions as elementwise
from symtape.ops.elementwise.arithmetic import multiply
from symtape.ops.elementwise.conversion import cast
from symtape.ops.linalg import banded, diagonals, lower_upper, solving, spectra
from symtape.ops.linalg.products import matrix_transpose
from symtape.ops.shapes.creation import ones
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import look_at, shape_of


def _cholesky(step: Step, x: Tensor) -> Tensor:
    return remember(solving.cholesky(x))


def _triangle(step: Step, a: Tensor, b: Tensor) -> Tensor:
    """The solution X of A X = B, or of X A = B, where A is a triangle, perhaps turned."""
    lower, turned = bool(step["lower"]), bool(step["transpose_a"])
    if step["unit_diagonal"]:
        a = diagonals.set_diag(a, ones(shape_of(a)[:-1], a.dtype))
    if turned != bool(step["conjugate_a"]):
        a = elementwise.conj(a)
    if step["left_side"]:
        return solving.triangular_solve(a, b, lower=lower, adjoint=turned)
    if turned:  # X Aᴴ = B is A Xᴴ = Bᴴ
        found = solving.triangular_solve(a, _adjoint(b), lower=lower)
    else:
        found = solving.triangular_solve(a, _adjoint(b), lower=lower, adjoint=True)
    return _adjoint(found)


def _adjoint(x: Tensor) -> Tensor:
    return elementwise.conj(matrix_transpose(x))


def _elimination(step: Step, x: Tensor) -> list[Any]:
    """The factors, and JAX's own order of the rows, which is decided as ours is."""
    if shape_of(x)[-1] != shape_of(x)[-2]:
        return [eliminated(x, np.asarray(step.results[2])), *step.results[1:]]
    factors, order = lower_upper.lu(x)
    if not np.array_equal(look_at(order), step.results[2]):
        raise step.refused("the rows have been interchanged in another order than JAX's")
    return [factors, step.results[1], step.results[2]]


# --- spectra: signs of vectors are free, and those that JAX chose are taken -----------------------


def _signs(own: Any, other: Any) -> Any:
    """Give for each column the sign or phase that takes our vector to JAX's."""
    inner = np.sum(np.conj(own) * other, axis=-2, keepdims=True)
    size = np.abs(inner)
    return np.where(size > 0, inner / np.where(size > 0, size, 1), 1).astype(own.dtype)


def _turned(vectors: Tensor, signs: Any) -> Tensor:
    return vectors if (signs == 1).all() else multiply(vectors, Tensor(signs))


def _symmetric(step: Step, x: Tensor) -> list[Tensor]:
    """Eigenvectors and eigenvalues, by the lower triangle, or by the upper one turned."""
    if step.parameters.get("subset_by_index") not in (None, (0, shape_of(x)[-1])):
        raise step.refused("a part of the eigenvalues; take all and slice")
    values, vectors = spectra.eigh(x if step["lower"] else _adjoint(x))
    vectors = _turned(vectors, _signs(look_at(vectors), step.results[0]))
    return [vectors, cast(elementwise.real(values), step.results[1].dtype)]


def _singular(step: Step, x: Tensor) -> Any:
    if step.parameters.get("subset_by_index") is not None:
        raise step.refused("a part of the singular values; take all and slice")
    if not step["compute_uv"]:
        return [spectra.svd(x, compute_uv=False)]
    s, u, v = spectra.svd(x, full_matrices=bool(step["full_matrices"]))
    signs = _signs(look_at(u), step.results[1])
    count = shape_of(s)[-1]
    both = np.ones((*shape_of(v)[:-2], 1, shape_of(v)[-1]), signs.dtype)
    both[..., :count] = signs[..., :count]
    if count < both.shape[-1]:
        turned = np.conj(np.swapaxes(step.results[2], -1, -2))
        both[..., count:] = _signs(look_at(v), turned)[..., count:]
    return [s, _turned(u, signs), _adjoint(_turned(v, both))]


def _orthogonal(step: Step, x: Tensor) -> list[Tensor]:
    if step.parameters.get("pivoting"):
        raise step.refused("columns in another order; permute them yourself")
    q, r = spectra.qr(x, full_matrices=bool(step["full_matrices"]))
    signs = _signs(look_at(q), step.results[0])
    if (signs == 1).all():
        return [q, r]
    return [_turned(q, signs), multiply(r, Tensor(np.conj(np.swapaxes(signs, -1, -2))))]


def _general(step: Step, x: Tensor) -> list[Tensor]:
    if step["compute_left_eigenvectors"]:
        raise step.refused("left eigenvectors; take the eigenvectors of the adjoint matrix")
    if not step["compute_right_eigenvectors"]:
        return [spectra.eigvals(x)]
    values, vectors = spectra.eig(x)
    return [values, _turned(vectors, _signs(look_at(vectors), step.results[1]))]


def _tridiagonal(step: Step, *diagonals_and_rhs: Tensor) -> Tensor:
    lower, main, upper, rhs = diagonals_and_rhs
    return banded.tridiagonal_solve(
        [upper, main, lower], rhs, diagonals_format="sequence", partial_pivoting=True
    )


RULES: dict[str, Rule] = {
    "cholesky": _cholesky,
    "triangular_solve": _triangle,
    "lu": _elimination,
    "eigh": _symmetric,
    "svd": _singular,
    "qr": _orthogonal,
    "eig": _general,
    "tridiagonal_solve": _tridiagonal,
}
