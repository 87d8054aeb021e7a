"""Checks of shapes and dtypes that raise where they fail: `tf.debugging`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from symtape.ops.arguments import is_tensor, tensor
from symtape.ops.checks.values import described, prefix
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.dtypes import DType
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import look_at, shape_of

# --- how many axes --------------------------------------------------------------------------------


def assert_rank(x: Any, rank: Any, message: Any = None, name: str | None = None) -> None:
    """Raise `ValueError` unless a tensor has a number of axes.

    >>> assert_rank([2.0, 3.0], 1)
    """
    a, (wanted,) = tensor(x), _ranks([rank])
    if a.ndim != wanted:
        raise ValueError(_wrong(a, wanted, message, "rank"))


def assert_rank_at_least(x: Any, rank: Any, message: Any = None, name: str | None = None) -> None:
    """Raise `ValueError` unless a tensor has a number of axes, or more.

    >>> assert_rank_at_least([[2.0, 3.0]], 1)
    """
    a, (wanted,) = tensor(x), _ranks([rank])
    if a.ndim < wanted:
        raise ValueError(_wrong(a, wanted, message, "rank at least"))


def assert_rank_in(x: Any, ranks: Any, message: Any = None, name: str | None = None) -> None:
    """Raise `ValueError` unless the number of a tensor's axes is one of some numbers.

    >>> assert_rank_in([2.0, 3.0], (1, 2))
    """
    a, wanted = tensor(x), _ranks(ranks)
    if a.ndim not in wanted:
        raise ValueError(_wrong(a, wanted, message, "rank in"))


def assert_scalar(tensor: Any, message: Any = None, name: str | None = None) -> None:
    """Raise `ValueError` for a tensor that has axes.

    >>> assert_scalar(2.0)
    """
    x = convert(tensor)
    if x.ndim:
        raise ValueError(f"{prefix(message)}Expected scalar shape, saw shape: {x.shape}.")


def _ranks(given: Iterable[Any]) -> tuple[int, ...]:
    """Read numbers of axes, which are of int32 and scalars."""
    found = [tensor(rank) for rank in given]
    for rank in found:
        assert_type(rank, dtypes.int32)
        if shape_of(rank):
            raise ValueError("Rank must be a scalar.")
    return tuple(int(look_at(rank)) for rank in found)


def _wrong(x: Tensor, wanted: Any, message: Any, what: str) -> str:
    found = f"Received rank {x.ndim}, shape {x.shape}"
    return f"{prefix(message)}Tensor  must have {what} {wanted}.  {found}"


# --- how long the axes are ------------------------------------------------------------------------


def assert_shapes(
    shapes: Any,
    data: Any = None,
    summarize: Any = None,
    message: Any = None,
    name: str | None = None,
) -> None:
    """Raise `ValueError` unless tensors have shapes, given as pairs or as a dict.

    A size is a number, a text, which stands for one number throughout, or None or ".", which stand
    for any; `...` or "*" before the sizes stands for any further axes. Of a tensor that is to have
    one axis or none, a scalar will do. `data` and `summarize` change nothing: what fails is known.

    >>> import numpy as np
    >>> assert_shapes([(np.ones((2, 3)), ("n", 3)), (np.ones((4, 2)), (..., "n"))])
    """
    rows = shapes.items() if isinstance(shapes, dict) else shapes
    given = [(_deref(x), wanted) for x, wanted in rows if wanted is not None]
    read = [(x, *_symbols(x, wanted, prefix(message))) for x, wanted in given]
    for x, sizes, further in read:
        _match_rank(x, len(sizes), message, further=further)
    known: dict[Any, tuple[int, str]] = {}
    for x, sizes, further in read:
        _match_sizes(x, sizes, known, prefix(message), further=further)


def _deref(x: Any) -> Tensor:
    return tensor(x.deref() if hasattr(x, "deref") else x)


def _symbols(x: Tensor, wanted: Any, said: str) -> tuple[list[Any], bool]:
    """Read the sizes that are wanted, and whether there may be further axes before them."""
    if not (hasattr(wanted, "__iter__") or hasattr(wanted, "__getitem__")):
        raise ValueError(
            f"{said}Tensor {described(x)}.  Specified shape must be an iterable.  An iterable has "
            f"the attribute `__iter__` or `__getitem__`.  Received specified shape: {wanted}"
        )
    sizes = list(wanted)
    for k, size in enumerate(sizes):
        if (size is Ellipsis or size == "*") and k:
            raise ValueError(
                f"{said}Tensor {described(x)} specified shape index {k}.  Symbol `...` or `*` for "
                "a variable number of unspecified dimensions is only allowed as the first entry"
            )
    further = bool(sizes) and (sizes[0] is Ellipsis or sizes[0] == "*")
    return sizes[further:], further


def _match_rank(x: Tensor, rank: int, message: Any, *, further: bool) -> None:
    if rank < 2:
        return None if further else assert_rank_in(x, (0, 1), message)
    check: Callable[..., None] = assert_rank_at_least if further else assert_rank
    return check(x, rank, message)


def _match_sizes(
    x: Tensor, sizes: list[Any], known: dict[Any, tuple[int, str]], said: str, *, further: bool
) -> None:
    """Compare sizes, and keep what the symbols stand for; a scalar has one size, of 1."""
    own = shape_of(x) or (1,)
    for k, symbol in enumerate(sizes):
        if symbol is None or symbol == ".":
            continue
        at = k - len(sizes) if further else k
        number = isinstance(symbol, (int, np.integer))
        told = f"Specified by tensor {described(x)} dimension {at}"
        first = (int(symbol), "Specified explicitly") if number else (own[at], told)
        size, by = first if number else known.setdefault(symbol, first)
        if own[at] != size:
            raise ValueError(
                f"{said}{by}.  Tensor {described(x)} dimension {at} must have size {size}.  "
                f"Received size {own[at]}, shape {x.shape}"
            )


# --- of which dtype -------------------------------------------------------------------------------


def assert_type(tensor: Any, tf_type: Any, message: Any = None, name: str | None = None) -> None:
    """Raise `TypeError` unless a tensor is of a dtype.

    >>> assert_type(2.0, "float32")
    """
    x, wanted = convert(tensor), dtypes.as_dtype(tf_type)
    if x.dtype != wanted:
        raise TypeError(f"{prefix(message)}tensor must be of type {wanted!r}; got {x.dtype!r}")


def assert_integer(x: Any, message: Any = None, name: str | None = None) -> None:
    """Raise `TypeError` unless a tensor is of integers.

    >>> assert_integer([1, 2])
    """
    found = tensor(x).dtype
    if not found.is_integer:
        told = f'Expected "x" to be integer type.  Found: tensor of dtype {found!s}'
        raise TypeError(prefix(message) + told)


def assert_same_float_dtype(tensors: Any = None, dtype: Any = None) -> DType:
    """Give the dtype that tensors have in common, or the one that is given, or float32.

    Raises `ValueError` where tensors differ from it or among themselves, and for a dtype that is
    not of floating point.

    >>> import numpy as np
    >>> assert_same_float_dtype([tensor(np.float64(1.0)), None])
    tf.float64
    """
    given = [] if not tensors else [t for t in tensors if t is not None]
    first = None if dtype is None else dtypes.as_dtype(dtype)
    wanted = first or (given[0].dtype if given else dtypes.float32)
    for t in given:
        if t.dtype != wanted:
            like = "" if first else f" as {given[0]!s}"
            raise ValueError(
                f"{t!s}, type={t.dtype!s}, must be of the same type ({wanted!s}){like}."
            )
    if not wanted.is_floating:
        raise ValueError(f"Expected floating point type, got {wanted!s}.")
    return wanted


def is_numeric_tensor(tensor: Any) -> bool:
    """Say whether this is a tensor of numbers.

    >>> is_numeric_tensor(convert(2.0)), is_numeric_tensor(2.0)
    (True, False)
    """
    return isinstance(tensor, Tensor) and np.dtype(tensor.dtype.numpy).kind not in "bOSU"


def assert_proper_iterable(values: Any) -> None:
    """Raise `TypeError` for what has no items, and for a tensor, an array or a text.

    >>> assert_proper_iterable([1, 2])
    """
    if is_tensor(values) or isinstance(values, (np.ndarray, bytes, str)):
        told = 'Expected argument "values" to be a "proper" iterable.  Found: '
        raise TypeError(told + str(type(values)))
    if not hasattr(values, "__iter__"):
        found = str(type(values))
        raise TypeError(f'Expected argument "values" to be iterable.  Found: {found}')
