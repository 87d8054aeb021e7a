"""Products, diagonals and triangles in `tf.experimental.numpy`."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.errors import InvalidArgumentError
from symtape.ops.arguments import PRODUCTS, check, like
from symtape.ops.elementwise import arithmetic
from symtape.ops.linalg import contraction, diagonals, products
from symtape.ops.numpy.arrays.assembled import kronecker
from symtape.ops.reductions.reduction import reduce_sum
from symtape.ops.shapes import creation, joining, repetition, shaping
from symtape.stand_in.numpy.dtypes import Run, asarray, named, pair, promoted, wanted
from symtape.stand_in.numpy.elementwise import conj
from symtape.stand_in.numpy.parts import spread
from symtape.stand_in.numpy.reductions import sum as total
from symtape.stand_in.numpy.shapes import moveaxis
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of, size_of


def _product(name: str, run: Run, summary: str) -> Run:
    """Make a function of two arrays of NumPy's common dtype, which may be numbers."""

    def function(a: Any, b: Any) -> Any:
        x, y = pair(a, b)
        return run(x, y) if x.ndim and y.ndim else x * y

    return named(function, name, summary)


def _contracted(x: Tensor, y: Tensor, axes: Any) -> Tensor:
    check("MatMul", x, PRODUCTS, "a:T, b:T -> product:T")
    return products.tensordot(x, y, axes)


def _dot(x: Tensor, y: Tensor) -> Tensor:
    return _contracted(x, y, [[-1], [-1 if y.ndim == 1 else -2]])


dot = _product("dot", _dot, "The sum of products over the last axis and the last but one")
inner = _product(
    "inner", lambda x, y: _contracted(x, y, [[-1], [-1]]), "The sum over both last axes"
)


def outer(a: Any, b: Any) -> Any:
    """All products of an element of one array with one of the other.

    >>> outer([1, 2], [3, 4]).numpy()
    array([[3, 4],
           [6, 8]])
    """
    x, y = pair(a, b)
    return shaping.reshape(x, [-1, 1]) * shaping.reshape(y, [-1])


def vdot(a: Any, b: Any) -> Any:
    """The sum of products of all elements, those of the first conjugated.

    >>> vdot([1j], [1j]).numpy()
    np.complex128(1+0j)
    """
    x, y = (shaping.reshape(part, [-1]) for part in promoted(a, b))
    return dot(conj(x) if x.dtype.is_complex else x, y)


def matmul(x1: Any, x2: Any) -> Tensor:
    """The product of matrices; vectors are rows on the left and columns on the right.

    Raises `ValueError` for sizes that do not fit.

    >>> matmul([[1, 2]], [3, 4]).numpy()
    array([11])
    """
    x, y = pair(x1, x2)
    try:
        if y.ndim == 1:
            return _contracted(x, y, 1)
        if x.ndim == 1:
            return _contracted(x, y, [[0], [-2]])
        return products.matmul(x, y)
    except InvalidArgumentError as error:
        raise ValueError(str(error)) from None


def tensordot(a: Any, b: Any, axes: Any = 2) -> Tensor:
    """The sum of products over pairs of axes.

    >>> tensordot([1, 2], [3, 4], 1).numpy()
    np.int64(11)
    """
    x, y = pair(a, b)
    return _contracted(x, y, axes)


def einsum(subscripts: str, *operands: Any, **kwargs: Any) -> Tensor:
    """The sum of products that letters for axes say.

    Raises `ValueError` for a `casting` or an `optimize` that is not known.

    >>> einsum("i,i->", [1, 2], [3, 4]).numpy()
    np.int64(11)
    """
    casting, optimize = kwargs.get("casting", "safe"), kwargs.get("optimize", False)
    if casting not in {"safe", "no"}:
        raise ValueError(
            "Invalid value for argument `casting`. "
            f'Expected casting="safe" or casting="no". Received: casting={casting}'
        )
    if optimize and optimize not in (True, "greedy", "optimal"):
        raise ValueError(
            "Invalid value for argument `optimize`. "
            f'Expected one of {{True, "greedy", "optimal"}}. Received: optimize={optimize}'
        )
    parts = promoted(*operands) if casting == "safe" else [*map(asarray, operands)]
    return contraction.einsum(subscripts, *parts)


def kron(a: Any, b: Any) -> Tensor:
    """Each element of the first array times the second.

    >>> kron([1, 10], [1, 2]).numpy()
    array([ 1,  2, 10, 20])
    """
    return kronecker(*promoted(a, b))


def cross(
    a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None
) -> Any:
    """The cross product of vectors of three or two elements; of two it is the third element.

    >>> cross([1, 0, 0], [0, 1, 0]).numpy()
    array([0, 0, 1])
    """
    places = (axisa, axisb, axisc) if axis is None else (axis,) * 3
    parts = [moveaxis(x, n, -1) for x, n in zip(pair(a, b), places, strict=False)]
    flat = all(shape_of(x)[-1] == 2 for x in parts)
    made = products.cross(*spread(*map(_in_space, parts)))
    return made[..., 2] if flat else moveaxis(made, -1, places[2])


def _in_space(x: Tensor) -> Tensor:
    """Give vectors of two elements a third one, zero."""
    if shape_of(x)[-1] != 2:
        return x
    return joining.pad(x, [*[[0, 0]] * (x.ndim - 1), [0, 1]])


def polyval(p: Any, x: Any) -> Tensor:
    """A polynomial whose coefficients are given from the highest power on.

    >>> polyval([1, 2, 3], 2).numpy()
    np.int64(11)
    """
    coefficients, points = pair(p, x)
    if not coefficients.ndim:
        coefficients = shaping.reshape(coefficients, [1])
    parts = joining.unstack(coefficients)
    found = arithmetic.polyval(parts, points)
    return repetition.broadcast_to(found, shape_of(points)) if len(parts) == 1 else found


# --- diagonals ------------------------------------------------------------------------------------


def diag(v: Any, k: Any = 0) -> Tensor:
    """A matrix with a vector on its k-th diagonal, or that diagonal of a matrix.

    Raises `ValueError` for more axes than two.

    >>> diag([1, 2]).numpy()
    array([[1, 0],
           [0, 2]])
    """
    x = asarray(v)
    if x.ndim > 2:
        raise ValueError(f"Shape {x.shape} must have rank at most 2")
    if x.ndim == 0:
        raise InvalidArgumentError(message="Expected 'False' to be true. Summarized data: 0")
    if x.ndim == 2:
        return _line(x, int(k))
    if not size_of(x):
        return creation.zeros([abs(int(k))] * 2, x.dtype)
    return diagonals.diag(x, k=k)


def _line(x: Tensor, k: int) -> Tensor:
    rows, columns = shape_of(x)[-2:]
    if k <= -rows or k >= columns:
        return creation.zeros([*shape_of(x)[:-2], 0], x.dtype)
    return diagonals.diag_part(x, k=k)


def diagflat(v: Any, k: Any = 0) -> Tensor:
    """A matrix with all elements of an array on its k-th diagonal.

    >>> diagflat([[1, 2]]).numpy()
    array([[1, 0],
           [0, 2]])
    """
    return diag(shaping.reshape(asarray(v), [-1]), k)


def diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """A diagonal of the matrices in two axes.

    >>> diagonal([[1, 2], [3, 4]]).numpy()
    array([1, 4])
    """
    return _line(moveaxis(asarray(a), (axis1, axis2), (-2, -1)), offset)


def trace(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None) -> Tensor:
    """The sum of a diagonal; that of the main one of the last two axes keeps the dtype.

    >>> trace([[1, 2], [3, 4]]).numpy()
    np.int64(5)
    """
    x = asarray(a, wanted(dtype))
    if offset == 0 and axis1 in {-2, x.ndim - 2} and axis2 in {-1, x.ndim - 1}:
        return reduce_sum(diagonals.diag_part(x), -1)
    found: Tensor = total(diagonal(x, offset, axis1, axis2), -1, wanted(dtype))
    return found


def tril(m: Any, k: int = 0) -> Tensor:
    """With zeros above the k-th diagonal; raises `ValueError` for fewer axes than two.

    >>> tril([[1, 2], [3, 4]]).numpy()
    array([[1, 0],
           [3, 4]])
    """
    return _triangle(asarray(m), "tril", k, lower=True)


def triu(m: Any, k: int = 0) -> Tensor:
    """With zeros below the k-th diagonal; raises `ValueError` for fewer axes than two.

    >>> triu([[1, 2], [3, 4]]).numpy()
    array([[1, 2],
           [0, 4]])
    """
    return _triangle(asarray(m), "triu", k - 1, lower=False)


def _triangle(x: Tensor, name: str, k: int, *, lower: bool) -> Tensor:
    if x.ndim < 2:
        raise ValueError(f"Argument to {name} must have rank at least 2")
    rows, columns = shape_of(x)[-2:]
    within = np.tri(rows, columns, k=k, dtype=bool)
    return arithmetic.where(within if lower else ~within, x, like(0, x))
