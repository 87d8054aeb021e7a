"""Factorizations and spectra: QR, singular values, eigenvalues, rank."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, overload

import numpy as np

from symtape.ops.arguments import allowed, is_tensor
from symtape.ops.attributes import attributes, boolean
from symtape.ops.elementwise.comparison import greater
from symtape.ops.elementwise.conversion import cast
from symtape.ops.linalg.least_squares import real_matrices
from symtape.ops.linalg.products import matmul
from symtape.ops.linalg.solving import matrices, square
from symtape.ops.reductions.reduction import reduce_max, reduce_sum
from symtape.ops.shapes.repetition import joined, part_of
from symtape.program.kinds.matrices import QR, SVD, Eig, Eigh
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.dispatch import apply1, apply_parts
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of

_SPECTRA = allowed("float, double, complex64, complex128")


class Qr(NamedTuple):
    """What `qr` gives."""

    q: Tensor
    r: Tensor


@attributes(full_matrices=boolean(False))
def qr(input: Any, full_matrices: bool = False, name: str | None = None) -> Qr:
    """Q with orthonormal columns and an upper triangle R with A = Q R, for each matrix.

    Shape [..., m, n] to [..., m, p] and [..., p, n], p being the smaller of m and n, or m if
    `full_matrices`. The derivative of a square Q with more rows than A has columns raises
    `UnsupportedError`, a `NotImplementedError`: its last columns are not determined.

    >>> qr([[3.0, 1.0], [4.0, 2.0]]).r.numpy().round(5)
    array([[-5. , -2.2],
           [ 0. ,  0.4]], dtype=float32)
    """
    x = matrices("Qr", input, signature="input:T -> q:T, r:T")
    rows, columns = shape_of(x)[-2:]
    full = bool(full_matrices) and rows > columns
    parts = (QR("orthogonal", full), QR("triangular", full))
    if rows >= columns:
        return Qr(*apply_parts(parts, x))
    last = x.ndim - 1
    q, first = apply_parts(parts, part_of(x, last, 0, rows))
    rest = matmul(q, part_of(x, last, rows, columns - rows), adjoint_a=True)
    return Qr(q, joined([first, rest], last))


@overload
def svd(
    tensor: Any,
    full_matrices: bool = False,
    compute_uv: Literal[True] = True,
    name: str | None = None,
) -> tuple[Tensor, Tensor, Tensor]: ...


@overload
def svd(
    tensor: Any, full_matrices: bool = False, *, compute_uv: Literal[False], name: str | None = None
) -> Tensor: ...


@overload
def svd(
    tensor: Any, full_matrices: bool = False, compute_uv: bool = True, name: str | None = None
) -> tuple[Tensor, Tensor, Tensor] | Tensor: ...


@attributes(full_matrices=boolean(False))
def svd(
    tensor: Any, full_matrices: bool = False, compute_uv: bool = True, name: str | None = None
) -> tuple[Tensor, Tensor, Tensor] | Tensor:
    """The singular values s, descending, and U and V with A = U diag(s) Vᴴ, for each matrix.

    Shape [..., m, n] to [..., p], [..., m, p] and [..., n, p], p being the smaller of m and n;
    `full_matrices` have a square U and V. Without `compute_uv` it is s alone. Signs and phases of
    the vectors are free: only functions that do not depend on them have a derivative that means
    something.

    >>> svd([[3.0, 0.0], [0.0, 4.0]], compute_uv=False).numpy()
    array([4., 3.], dtype=float32)
    """
    x = matrices("Svd", tensor, signature="input:T -> s:T, u:T, v:T")
    if not compute_uv:
        return apply1(SVD("values", False), x)
    full = bool(full_matrices)
    s, u, v = apply_parts((SVD("values", full), SVD("left", full), SVD("right", full)), x)
    return s, u, v


def eigh(tensor: Any, name: str | None = None) -> tuple[Tensor, Tensor]:
    """The eigenvalues, ascending, and eigenvectors, as columns, of each self-adjoint matrix.

    Shape [..., n, n] to [..., n] and [..., n, n]. Only the lower triangle is looked at, and only
    the lower triangle has a derivative, as in TensorFlow. Where eigenvalues are equal, the
    vectors are not determined, and the derivative takes them for independent.

    >>> [x.numpy().tolist() for x in eigh([[2.0, 0.0], [0.0, 1.0]])]
    [[1.0, 2.0], [[0.0, 1.0], [1.0, 0.0]]]
    """
    x = square("SelfAdjointEigV2", tensor, signature="input:T -> e:T, v:T")
    values, vectors = apply_parts((Eigh("values"), Eigh("vectors")), x)
    return cast(values, x.dtype), vectors


def eigvalsh(tensor: Any, name: str | None = None) -> Tensor:
    """The eigenvalues, ascending, of each self-adjoint matrix, from its lower triangle.

    >>> eigvalsh([[2.0, 0.0], [0.0, 1.0]]).numpy()
    array([1., 2.], dtype=float32)
    """
    x = square("SelfAdjointEigV2", tensor, signature="input:T -> e:T, v:T")
    return cast(apply1(Eigh("values"), x), x.dtype)


def eig(tensor: Any, name: str | None = None) -> tuple[Tensor, Tensor]:
    """The eigenvalues and the eigenvectors, as columns of length one, of each square matrix.

    Shape [..., n, n] to complex [..., n] and [..., n, n], in no particular order. Phases of the
    vectors are free.

    >>> eig([[2.0, 0.0], [0.0, 1.0]])[0].numpy()
    array([2.+0.j, 1.+0.j], dtype=complex64)
    """
    x = square("Eig", tensor, _SPECTRA, "input:T -> e:Tout, v:Tout")
    values, vectors = apply_parts((Eig("values"), Eig("vectors")), x)
    return values, vectors


def eigvals(tensor: Any, name: str | None = None) -> Tensor:
    """The eigenvalues of each square matrix, complex and in no particular order.

    >>> eigvals([[2.0, 0.0], [0.0, 1.0]]).numpy()
    array([2.+0.j, 1.+0.j], dtype=complex64)
    """
    return apply1(Eig("values"), square("Eig", tensor, _SPECTRA, "input:T -> e:Tout, v:Tout"))


def matrix_rank(
    a: Any, tol: Any = None, validate_args: bool = False, name: str | None = None
) -> Tensor:
    """The number of singular values above `tol`, of each matrix of real numbers.

    `tol` is max(m, n) times the precision of the dtype times the largest one, unless it is given.

    >>> matrix_rank([[1.0, 2.0], [2.0, 4.0]]).numpy()
    np.int32(1)
    """
    x = real_matrices(a if is_tensor(a) else convert(a, hint=dtypes.float32))
    s = svd(x, compute_uv=False)
    if tol is None:
        bound = float(np.finfo(dtype_of(x)).eps) * max(shape_of(x)[-2:])
        tol = bound * reduce_max(s, axis=-1, keepdims=True)
    return reduce_sum(cast(greater(s, tol), dtypes.int32), axis=-1)
