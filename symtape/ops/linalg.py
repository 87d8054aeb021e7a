"""Products of matrices and tensors, diagonals, traces and norms."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from symtape.ops.arguments import (
    INEXACT,
    PRODUCTS,
    check,
    integers,
    is_tensor,
    listed,
    pair,
    plain,
    same_dtype,
    scalar,
    tensor,
)
from symtape.ops.arithmetic import divide, maximum, minimum, multiply, pow, where
from symtape.ops.comparison import greater
from symtape.ops.creation import ones_like
from symtape.ops.elementwise import abs, conj, sqrt
from symtape.ops.reduction import extremum, reduce_max, reduce_sum, total
from symtape.ops.shaping import expand_dims, permuted, squeeze
from symtape.program import operations as ops
from symtape.program.operations import Einsum
from symtape.program.structural import Embed, Slice
from symtape.program.subscripts import SubscriptsError, parse
from symtape.tensor import dtypes, operators
from symtape.tensor.convert import convert
from symtape.tensor.door import apply, apply1, apply2, invalid
from symtape.tensor.tensor import Tensor

_MATMUL = "a:T, b:T -> product:T"


# --- products -------------------------------------------------------------------------------------


def matmul(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    output_type: Any = None,
    grad_a: bool = False,
    grad_b: bool = False,
    name: str | None = None,
) -> Tensor:
    """The product of matrices, of shapes [..., n, k] and [..., k, m]; first axes broadcast.

    `transpose_` and `adjoint_` turn a factor round first. `a_is_sparse` and the like are hints
    that change nothing. Raises `InvalidArgumentError` where shapes or dtypes do not fit.

    >>> matmul([[1, 2]], [[3], [4]]).numpy()
    array([[11]], dtype=int32)
    """
    given = {"a": (transpose_a, adjoint_a), "b": (transpose_b, adjoint_b)}
    for which, (plainly, adjoint) in given.items():
        if plainly and adjoint:
            raise ValueError(
                f"Only one of `transpose_{which}` and `adjoint_{which}` can be True. Received "
                f"`transpose_{which}`={plainly}, `adjoint_{which}`={adjoint}."
            )
    x, y = pair(a, b)
    check("MatMul", x, PRODUCTS, _MATMUL)
    if output_type is not None and dtypes.as_dtype(output_type) is not x.dtype:
        raise UnsupportedError(
            f"matmul of {x.dtype.name} with output_type={output_type}: cast the factors instead"
        )
    return operators.matmul(_turned(x, transpose_a, adjoint_a), _turned(y, transpose_b, adjoint_b))


def _turned(x: Tensor, plainly: bool, adjoint: bool) -> Tensor:
    if not (plainly or adjoint) or x.value.ndim < 2:
        return x
    rank = x.value.ndim
    made = permuted(x, [*range(rank - 2), rank - 1, rank - 2])
    return conj(made) if adjoint else made


def matvec(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    adjoint_a: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    name: str | None = None,
) -> Tensor:
    """The product of matrices [..., n, k] and vectors [..., k].

    >>> matvec([[1, 2], [3, 4]], [1, 1]).numpy()
    array([3, 7], dtype=int32)
    """
    x, y = pair(a, b)
    column = expand_dims(y, -1)
    return squeeze(matmul(x, column, transpose_a=transpose_a, adjoint_a=adjoint_a), axis=-1)


def tensordot(a: Any, b: Any, axes: Any, name: str | None = None) -> Tensor:
    """Multiply tensors and add up over pairs of axes.

    `axes` is a number n (the last n axes of `a` with the first n of `b`), or the axes of `a` and
    those of `b`. Raises `ValueError` where they do not fit.

    >>> tensordot([1, 2], [3, 4], axes=1).numpy()
    np.int32(11)
    """
    x, y = pair(a, b)
    same_dtype("MatMul", x, y)
    own, other = _contracted(axes, x, y)
    sizes = ([x.value.shape[k] for k in own], [y.value.shape[k] for k in other])
    if sizes[0] != sizes[1]:
        raise invalid(
            "MatMul",
            f"Matrix size-incompatible: In[0]: {listed(x.value.shape)}, In[1]: "
            f"{listed(y.value.shape)} with axes {own} and {other}",
        )
    return apply2(_tensordot(x.value.ndim, y.value.ndim, tuple(own), tuple(other)), x, y)


@lru_cache(maxsize=4096)
def _tensordot(rank: int, other_rank: int, own: tuple[int, ...], other: tuple[int, ...]) -> Einsum:
    left = list(range(rank))
    right = [own[other.index(k)] if k in other else rank + k for k in range(other_rank)]
    free = [k for k in left if k not in own]
    free += [rank + k for k in range(other_rank) if k not in other]
    return Einsum.of([left, right], free)


def _contracted(axes: Any, x: Tensor, y: Tensor) -> tuple[list[int], list[int]]:
    ranks = (x.value.ndim, y.value.ndim)
    if not isinstance(axes, (list, tuple)) and np.ndim(plain(axes)) == 0:
        n = scalar(axes)
        if n < 0:
            raise ValueError(f"`axes` must be at least 0. Received: {axes}.")
        if n > min(ranks):
            bad = x if n > ranks[0] else y
            raise ValueError(
                "`axes` must not be larger than the number of dimensions of tensor "
                f"{bad.value}.  Received {n}, vs tensor dimensions {bad.value.ndim}."
            )
        return list(range(ranks[0] - n, ranks[0])), list(range(n))
    if len(axes) != 2:
        raise ValueError(f"`axes` must be an integer or have length 2. Received {axes}.")
    own, other = integers(axes[0]), integers(axes[1])
    if len(own) != len(other):
        raise ValueError(
            f"Different number of contraction axes `a` and `b`, {len(own)} != {len(other)}."
        )
    for chosen, rank in ((own, ranks[0]), (other, ranks[1])):
        for n in chosen:
            if not -rank <= n < rank:
                raise IndexError(f"tensordot: axis {n} is out of range for a tensor of rank {rank}")
    return [n % ranks[0] for n in own], [n % ranks[1] for n in other]


def einsum(equation: str, *inputs: Any, **kwargs: Any) -> Tensor:
    """Products and sums in Einstein's notation: indices that the result lacks are summed over.

    `...` stands for axes that broadcast. Raises `ValueError` for text of another form and
    `InvalidArgumentError` for shapes that do not fit it. `optimize` and `name` change nothing.

    >>> einsum("ij,jk->ik", convert([[1, 2]]), convert([[3], [4]])).numpy()
    array([[11]], dtype=int32)
    """
    for key in kwargs:
        if key not in ("name", "optimize"):
            raise TypeError(f"Invalid keyword arguments for this function: {key!r}")
    operands = [tensor(x) for x in inputs]
    if not operands:
        raise ValueError(
            f"Got 0 inputs for equation {equation!r}, expecting {equation.count(',') + 1}"
        )
    for k, x in enumerate(operands[1:], 1):
        same_dtype("Einsum", operands[0], x, k)
    check("Einsum", operands[0], PRODUCTS, "inputs:N*T -> output:T")
    operation = _einsum(equation, tuple([x.value.shape for x in operands]))
    return apply(operation, *operands)


@lru_cache(maxsize=4096)
def _einsum(equation: str, shapes: tuple[tuple[int, ...], ...]) -> Einsum:
    text = equation.replace(" ", "")
    terms = text.partition("->")[0].split(",")
    if len(terms) != len(shapes):
        raise ValueError(
            f'Got {len(shapes)} inputs for equation "{equation}", expecting {len(terms)}'
        )
    for k, (term, shape) in enumerate(zip(terms, shapes, strict=True)):
        if "..." not in term and term.isalpha() and len(term) != len(shape):
            raise invalid(
                "Einsum", f"Expected input {k} to have rank {len(term)} but got: {len(shape)}"
            )
    _check_subscripts(equation, text)
    try:
        subscripts = parse(text, [len(s) for s in shapes])
    except SubscriptsError as error:
        raise ValueError(f"Subscripts have incorrect format: {error}") from None
    if len(set(subscripts.output)) < len(subscripts.output):
        raise ValueError(f"Output subscripts contain a label appearing more than once: {equation}")
    return _broadcast_ellipsis(subscripts.inputs, subscripts.output, shapes)


def _check_subscripts(equation: str, text: str) -> None:
    if not re.fullmatch(r"(?:[a-zA-Z]|\.{3}|,)*(?:->(?:[a-zA-Z]|\.{3})*)?", text):
        raise ValueError(f"Subscripts have incorrect format: {equation}")
    head, _, tail = text.partition("->")
    for label in tail.replace(".", ""):
        if label not in head:
            raise ValueError(
                f"Output subscripts contain the label {label} not present in the input subscripts."
            )


def _broadcast_ellipsis(
    inputs: Sequence[Sequence[int]], output: Sequence[int], shapes: Sequence[tuple[int, ...]]
) -> Einsum:
    """Give axes of size one that meet a larger one an index of their own, which is summed away."""
    sizes: dict[int, int] = {}
    for term, shape in zip(inputs, shapes, strict=True):
        for i, n in zip(term, shape, strict=True):
            sizes[i] = n if sizes.get(i, 1) == 1 else sizes[i]
    renamed: list[list[int]] = []
    for term, shape in zip(inputs, shapes, strict=True):
        new = []
        for axis, (i, n) in enumerate(zip(term, shape, strict=True)):
            if n not in (1, sizes[i]):
                raise invalid(
                    "Einsum",
                    f"Expected dimension {sizes[i]} at axis {axis} of the input shaped "
                    f"{listed(shape)} but got dimension {n}",
                )
            new.append(i if n == sizes[i] else 1000 * (len(renamed) + 1) + axis)
        renamed.append(new)
    return Einsum.of(renamed, output)


# --- diagonals ------------------------------------------------------------------------------------


def matrix_transpose(a: Any, name: str = "matrix_transpose", conjugate: bool = False) -> Tensor:
    """Exchange the last two axes.

    Raises `ValueError` for fewer than two axes.

    >>> matrix_transpose([[1, 2], [3, 4]]).numpy()
    array([[1, 3],
           [2, 4]], dtype=int32)
    """
    x = tensor(a)
    if x.value.ndim < 2:
        raise ValueError(
            "Argument `a` should be a (batch) matrix with rank >= 2.  Received `a` = "
            f"{x.value} with shape: {x.shape}"
        )
    return _turned(x, not conjugate, conjugate)


def adjoint(matrix: Any, name: str | None = None) -> Tensor:
    """Exchange the last two axes and take complex conjugates.

    >>> adjoint([[1, 2], [3, 4]]).numpy()
    array([[1, 3],
           [2, 4]], dtype=int32)
    """
    return matrix_transpose(matrix, conjugate=True)


def _offset(k: Any, what: str) -> int:
    bounds = integers(k)
    if len(set(bounds)) > 1:
        raise UnsupportedError(f"{what} with several diagonals, k={k}: take them one by one")
    return bounds[0]


def diag_part(
    input: Any,
    name: str = "diag_part",
    k: Any = 0,
    padding_value: Any = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """The k-th diagonal of each matrix in the last two axes; k > 0 is above the main one.

    Raises `InvalidArgumentError` for a diagonal that is not there.

    >>> diag_part([[1, 2], [3, 4]]).numpy()
    array([1, 4], dtype=int32)
    """
    x = tensor(input)
    shape = x.value.shape
    if len(shape) < 2:
        raise invalid(
            "MatrixDiagPartV3", f"input must be at least 2-dim, received shape: {listed(shape)}"
        )
    offset = _offset(k, "diag_part")
    rows, columns = shape[-2:]
    if not -rows < offset < columns and offset != 0:
        raise invalid(
            "MatrixDiagPartV3",
            f"lower_diag_index is out of bound: {offset}. It must be between {-rows} and {columns}",
        )
    first = (max(-offset, 0), max(offset, 0))
    n = min(rows - first[0], columns - first[1])
    ranges = [(0, 1, size) for size in shape[:-2]] + [(start if n else 0, 1, n) for start in first]
    square = apply1(Slice.of(ranges, shape), x) if (rows, columns, offset) != (n, n, 0) else x
    return apply1(_diagonal(len(shape)), square)


@lru_cache(maxsize=64)
def _diagonal(rank: int) -> Einsum:
    lead = range(rank - 2)
    return Einsum.of([[*lead, rank, rank]], [*lead, rank])


@lru_cache(maxsize=64)
def _on_diagonal(rank: int) -> Einsum:
    lead = range(rank - 1)
    return Einsum.of([[*lead, rank]], [*lead, rank, rank])


def diag(
    diagonal: Any,
    name: str = "diag",
    k: Any = 0,
    num_rows: Any = -1,
    num_cols: Any = -1,
    padding_value: Any = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """Matrices that have the last axis on their k-th diagonal, and `padding_value` elsewhere.

    >>> diag([1, 2]).numpy()
    array([[1, 0],
           [0, 2]], dtype=int32)
    """
    x = tensor(diagonal)
    if x.value.ndim < 1:
        raise invalid("MatrixDiagV3", "diagonal must be at least 1-dim, received shape: []")
    offset = _offset(k, "diag")
    n = x.value.shape[-1]
    first = (max(-offset, 0), max(offset, 0))
    sizes = _diag_sizes((scalar(num_rows), scalar(num_cols)), first, n)
    made = apply1(_on_diagonal(x.value.ndim), x)
    if sizes != (n, n):
        ranges = tuple([(start, 1, n) for start in first])
        made = apply1(Embed(ranges, sizes), made)
    if is_tensor(padding_value) or padding_value != 0:
        return where(np.eye(*sizes, k=offset, dtype=bool), made, padding_value)
    return made


def _diag_sizes(given: tuple[int, int], first: tuple[int, int], n: int) -> tuple[int, int]:
    """Check the sizes of a matrix against those that its diagonal needs, or take these."""
    least = (n + first[0], n + first[1])
    if given == (-1, -1):
        return (n + max(first),) * 2
    for size, needed, what in zip(given, least, ("rows", "columns"), strict=True):
        if size != -1 and size < needed:
            raise invalid("MatrixDiagV3", f"The number of {what} is too small.")
    rows, columns = (
        needed if size == -1 else size for size, needed in zip(given, least, strict=True)
    )
    if min(rows - first[0], columns - first[1]) != n:
        raise invalid(
            "MatrixDiagV3",
            "The number of rows or columns is not consistent with the specified d_lower, d_upper, "
            "and diagonal.",
        )
    return rows, columns


def tensor_diag(diagonal: Any, name: str | None = None) -> Tensor:
    """A tensor of twice the rank that has a tensor on its diagonal.

    >>> tensor_diag([1, 2]).numpy()
    array([[1, 0],
           [0, 2]], dtype=int32)
    """
    x = tensor(diagonal)
    own = list(range(x.value.ndim))
    return apply1(Einsum.of([own], own + own), x)


def tensor_diag_part(input: Any, name: str | None = None) -> Tensor:
    """The diagonal of a tensor of even rank, whose second half of axes is like its first.

    >>> tensor_diag_part([[1, 2], [3, 4]]).numpy()
    array([1, 4], dtype=int32)
    """
    x = tensor(input)
    shape = x.value.shape
    half = len(shape) // 2
    if not shape or len(shape) % 2 or shape[:half] != shape[half:]:
        raise invalid(
            "DiagPart",
            f"input must be of even rank with equal halves of axes, got shape {listed(shape)}",
        )
    own = list(range(half))
    return apply1(Einsum.of([own + own], own), x)


def trace(x: Any, name: str | None = None) -> Tensor:
    """The sum of the main diagonal of each matrix in the last two axes.

    >>> trace([[1, 2], [3, 4]]).numpy()
    np.int32(5)
    """
    return total(diag_part(x), (-1,))


# --- norms ----------------------------------------------------------------------------------------


def norm(
    tensor: Any,
    ord: Any = "euclidean",
    axis: Any = None,
    keepdims: bool | None = None,
    name: str | None = None,
) -> Tensor:
    """The norm of vectors (`axis` None or one axis) or of matrices (two axes).

    `ord` is "euclidean", "fro" (matrices), a positive number or infinity; of matrices 1, infinity,
    "euclidean" and "fro". At 0 the Euclidean norm has no gradient: it is nan.

    >>> norm([3.0, 4.0]).numpy()
    np.float32(5.0)
    """
    x = convert(tensor)
    axes = None if axis is None else tuple(integers(axis))
    is_matrix = axes is not None and len(axes) == 2
    _check_norm(ord, axis, axes, is_matrix)
    if isinstance(ord, str) or (ord == 2 and not is_matrix):
        check("Sqrt", x, INEXACT)
        return sqrt(reduce_sum(multiply(x, conj(x)), axes, bool(keepdims)))
    size = abs(x)
    if not is_matrix:
        if ord == 1:
            return reduce_sum(size, axes, bool(keepdims))
        if ord == np.inf:
            return reduce_max(size, axes, bool(keepdims))
        return pow(reduce_sum(pow(size, ord), axes, bool(keepdims)), 1.0 / ord)
    rank = x.value.ndim
    rows, columns = (n if n < 0 else n - rank for n in axes or ())
    inner, outer = (rows, columns) if ord == 1 else (columns, rows)
    made = extremum(reduce_sum(size, inner, keepdims=True), "max", (outer,), keepdims=True)
    return made if keepdims else squeeze(made, [inner, outer])


def _check_norm(ord: Any, axis: Any, axes: tuple[int, ...] | None, is_matrix: bool) -> None:
    if axes is not None and (len(axes) > 2 or len(set(axes)) < len(axes)):
        raise ValueError(
            "'axis' must be None, an integer, or a tuple of 2 unique integers, got "
            f"{axes if len(axes) == 2 else axis}"
        )
    if is_matrix:
        supported = ("euclidean", "fro", 1, 2, np.inf)
        if ord not in supported:
            raise ValueError(
                f"'ord' must be a supported matrix norm in {list(supported)}, got {ord}"
            )
        if ord == 2:
            raise UnsupportedError(
                "norm with ord=2 of a matrix is its largest singular value, which symtape does not "
                "have; ord='fro' is the root of the sum of squares"
            )
    elif ord != "euclidean" and (isinstance(ord, str) or ord <= 0):
        raise ValueError(f"'ord' must be a supported vector norm, got {ord}")


def normalize(
    tensor: Any, ord: Any = "euclidean", axis: Any = None, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """A tensor divided by its norm, and the norm with axes of size one.

    >>> normalize([3.0, 4.0])[0].numpy()
    array([0.6, 0.8], dtype=float32)
    """
    x = convert(tensor)
    length = norm(x, ord, axis, keepdims=True)
    return divide(x, length), length


def global_norm(t_list: Any, name: str | None = None) -> Tensor:
    """The Euclidean norm of all elements of a list of tensors; None counts for nothing.

    >>> global_norm([[3.0], [4.0]]).numpy()
    np.float32(5.0)
    """
    if not isinstance(t_list, (list, tuple)):
        raise TypeError(f"`t_list` should be a sequence of tensors. Received {type(t_list)}.")
    parts = [convert(t) for t in t_list if t is not None]
    squares = [reduce_sum(multiply(x, conj(x))) for x in parts]
    if not squares:
        return convert(0.0)
    return sqrt(apply(ops.add_n, *squares) if len(squares) > 1 else squares[0])


def clip_by_norm(t: Any, clip_norm: Any, axes: Any = None, name: str | None = None) -> Tensor:
    """A tensor shortened to a norm, if its own is larger.

    >>> clip_by_norm([3.0, 4.0], 1.0).numpy()
    array([0.6, 0.8], dtype=float32)
    """
    x = convert(t)
    square = reduce_sum(multiply(x, x), axes, keepdims=True)
    positive = greater(square, 0)
    length = where(positive, sqrt(where(positive, square, ones_like(square))), square)
    return divide(multiply(x, clip_norm), maximum(length, clip_norm))


def clip_by_global_norm(
    t_list: Any, clip_norm: Any, use_norm: Any = None, name: str | None = None
) -> tuple[list[Tensor | None], Tensor]:
    """Tensors shortened together to a norm of all of them, if it is larger; and that norm.

    >>> clip_by_global_norm([[3.0], [4.0]], 1.0)[1].numpy()
    np.float32(5.0)
    """
    length = global_norm(t_list) if use_norm is None else convert(use_norm)
    scale = multiply(clip_norm, _smaller_inverse(length, clip_norm))
    return [None if t is None else multiply(t, scale) for t in t_list], length


def _smaller_inverse(length: Tensor, clip_norm: Any) -> Tensor:
    """min(1/length, 1/clip_norm), and nan for an infinite length, as TensorFlow has it."""
    bound = divide(1.0, pair(clip_norm, length)[0])
    smaller = minimum(divide(1.0, length), bound)
    return smaller + (length - length)
