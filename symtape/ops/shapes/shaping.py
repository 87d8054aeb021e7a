"""The same elements in another shape: reshape, squeeze, expand_dims, transpose."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from math import prod
from operator import mul
from typing import Any

import numpy as np

from symtape.errors import InvalidArgumentError
from symtape.ops.arguments import (
    PLACES,
    attribute,
    called,
    check,
    counted,
    has_fractions,
    integers,
    is_tensor,
    listed,
    plain,
    scalar,
    tensor,
    whole,
)
from symtape.program import operations as ops
from symtape.program.kinds.structural import Reshape
from symtape.program.operations import Einsum, Operation, Shape
from symtape.tensor.convert import convert
from symtape.tensor.dispatch import apply1, invalid, misfit
from symtape.tensor.indexing.unknown_places import unknown_in
from symtape.tensor.recording.looking import Looking, is_loose, looking
from symtape.tensor.tensor import Tensor
from symtape.tensor.unknown_sizes import made_up, unranked
from symtape.tensor.values import shape_of

# --- axes of size one, new shapes -----------------------------------------------------------------


def with_shape(x: Tensor, new: Shape) -> Tensor:
    """Give a tensor another shape that has as many elements."""
    return apply1(_reshaping(shape_of(x), new), x)


@lru_cache(maxsize=4096)
def _reshaping(old: Shape, new: Shape) -> Operation:
    """Only axes of size one come and go: an Einsum, which derivatives pass more easily."""
    if old == new:
        return ops.identity
    kept = [axis for axis, n in enumerate(old) if n != 1]
    if [old[axis] for axis in kept] != [n for n in new if n != 1]:
        return Reshape.between(old, new)
    supply = iter(kept)
    spare = iter(range(len(old), len(old) + len(new)))
    output = [next(supply) if n != 1 else next(spare) for n in new]
    return Einsum.of([range(len(old))], output, dict.fromkeys(output, 1))


def reshape(tensor: Any, shape: Any, name: str | None = None) -> Tensor:
    """The same elements, row by row, in another shape; one size may be -1, which is what is left.

    Raises `InvalidArgumentError` where the elements do not fit.

    >>> reshape([[1, 2], [3, 4]], [-1]).numpy()
    array([1, 2, 3, 4], dtype=int32)
    """
    x = convert(tensor)
    wanted = _sizes(shape)
    if (run := looking()) is not None:
        return _looked_at(run, x, wanted, unknown_in(shape))
    return with_shape(x, _new_shape(("Reshape", name, shape), shape_of(x), wanted))


def _looked_at(run: Looking, x: Tensor, wanted: Shape, unknown: Sequence[bool]) -> Tensor:
    """Give a tensor a shape of which some sizes are unknown: what one is, the others say."""
    free = [n == -1 or is_one for n, is_one in zip(wanted, unknown, strict=True)]
    new = tuple([-1 if one else n for one, n in zip(free, wanted, strict=True)])
    try:
        return with_shape(x, _new_shape(("Reshape", None), shape_of(x), new))
    except InvalidArgumentError:  # several are unknown, or what is made up does not fit
        return made_up(x, [run.number if n < 0 else n for n in new])


def _sizes(shape: Any) -> tuple[int, ...]:
    if is_tensor(shape):
        check("Reshape", convert(shape), PLACES, "tensor:T, shape:Tshape -> output:T", "Tshape")
    if isinstance(shape, (tuple, list)) and all([type(n) is int for n in shape]):
        return tuple(shape)
    found = np.asarray(plain(counted(shape)))
    if found.size and found.dtype.kind not in "iu":
        check("Reshape", convert(shape), PLACES, "tensor:T, shape:Tshape -> output:T", "Tshape")
    if found.ndim > 1:
        raise invalid("Reshape", f"sizes input must be 1-D, not {listed(found.shape)}")
    return tuple([int(n) for n in found.ravel()])


def _new_shape(asked: Sequence[Any], old: Shape, wanted: tuple[int, ...]) -> Shape:
    free = [k for k, n in enumerate(wanted) if n == -1]
    if len(free) > 1:
        both = f"{free[0]} and {free[1]}"
        raise invalid(called(*asked), f"Only one input size may be -1, not both {both}")
    for k, n in enumerate(wanted):
        if n < -1:
            raise invalid(called(*asked), f"Size {k} must be non-negative, not {n}")
    if max(accumulate([n for n in wanted if n != -1], mul), default=0) >= _MOST:
        raise invalid(called(*asked), f"Shape {list(wanted)} has too many elements")
    full = tuple([_left(asked, old, wanted) if n == -1 else n for n in wanted]) if free else wanted
    if prod(full) != prod(old):
        raise misfit(
            called(*asked),
            f"Input to reshape is a tensor with {prod(old)} values, but the requested shape has "
            f"{prod(full)}",
        )
    return full


_MOST = 2**63
"""More elements than can be counted."""


def _left(asked: Sequence[Any], old: Shape, wanted: tuple[int, ...]) -> int:
    """Give the size that stands for -1; beside a size of zero, those on hand do not count.

    So an array without elements, of the shape (0, 6), is one of (0, 2, 3), as if it had rows; and
    where the sizes do not divide, of one that is rounded down.
    """
    count = prod([n for n in old if n or 0 not in wanted])
    rest = prod([n for n in wanted if n > 0])
    if count % rest and 0 not in old:
        raise misfit(
            called(*asked),
            f"Input to reshape is a tensor with {count} values, but the requested shape requires a "
            f"multiple of {rest}",
        )
    return count // rest


def squeeze(input: Any, axis: Any = None, name: str | None = None) -> Tensor:
    """Leave out axes of size one: all of them, or those in `axis`.

    Raises `InvalidArgumentError` for an axis of another size.

    >>> squeeze([[[1], [2]]]).numpy()
    array([1, 2], dtype=int32)
    """
    x = tensor(input)
    shape = shape_of(x)
    if isinstance(axis, (list, tuple)):
        for n in axis:
            if isinstance(n, (list, tuple)):
                raise TypeError(f"Expected int for argument 'axis' not {n!r}.")
    given = [] if axis is None else [attribute(n, "axis") for n in np.ravel(plain(axis))]
    if (run := looking()) is not None and run.loose(x):
        gone = run.loose(x) & {n % len(shape) for n in given}
        shape = tuple([1 if k in gone else n for k, n in enumerate(shape)])
        x = made_up(x, shape, run.loose(x))
    chosen = set()
    for n in given:
        if not -len(shape) <= n < len(shape):
            raise invalid(
                "Squeeze",
                f"Tried to squeeze dim index {n} for tensor with {len(shape)} dimensions.",
            )
        chosen.add(n % len(shape))
        if shape[n] != 1:
            raise misfit(
                "Squeeze",
                f"Can not squeeze dim[{n % len(shape)}], expected a dimension of 1, got {shape[n]}",
            )
    if not given:
        chosen = {k for k, n in enumerate(shape) if n == 1}
        if is_loose(x):
            return unranked(x)
    return with_shape(x, tuple([n for k, n in enumerate(shape) if k not in chosen]))


def expand_dims(input: Any, axis: Any, name: str | None = None) -> Tensor:
    """Put an axis of size one at a place, -1 being the end.

    >>> expand_dims([1, 2], -1).numpy()
    array([[1],
           [2]], dtype=int32)
    """
    x = tensor(input)
    is_float = axis.__class__ is float
    place = scalar(axis) if is_float else whole("ExpandDims", counted(axis), "Tdim")
    if np.size(place) != 1:
        raise invalid("ExpandDims", "'dim' must be a tensor with a single value")
    n = int(np.ravel(place)[0])
    rank = x.ndim
    if not -rank - 1 <= n <= rank:
        raise misfit(
            "ExpandDims", f"Tried to expand dim index {n} for tensor with {rank} dimensions."
        )
    n = n if n >= 0 else n + rank + 1
    shape = shape_of(x)
    return with_shape(x, (*shape[:n], 1, *shape[n:]))


# --- order ----------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def _permuting(perm: tuple[int, ...]) -> Operation:
    if perm == tuple(range(len(perm))):
        return ops.identity
    return Einsum.of([range(len(perm))], perm)


def permuted(x: Tensor, perm: Sequence[int]) -> Tensor:
    """Give the axes another order."""
    return apply1(_permuting(tuple(perm)), x)


def transpose(a: Any, perm: Any = None, conjugate: bool = False, name: str = "transpose") -> Tensor:
    """Give the axes another order, `perm`, or the opposite one.

    Raises `InvalidArgumentError` unless `perm` is a list that names each axis once.

    >>> transpose([[1, 2], [3, 4]]).numpy()
    array([[1, 3],
           [2, 4]], dtype=int32)
    """
    asked = "Transpose", "", perm
    if has_fractions(perm):
        check("Transpose", convert(perm), PLACES, "x:T, perm:Tperm -> y:T", "Tperm")
    x = tensor(a)
    rank, perm = x.ndim, counted(perm)
    if perm is not None and np.ndim(plain(perm)) != 1:
        shape = listed(np.shape(plain(perm)))
        raise invalid(called(*asked), f"perm must be rank 1, got shape {shape}")
    order = tuple(range(rank))[::-1] if perm is None else _order(asked, integers(perm), rank)
    made = permuted(x, order)
    return apply1(ops.conj, made) if conjugate and x.dtype.is_complex else made


def _order(asked: Sequence[Any], perm: list[int], rank: int) -> tuple[int, ...]:
    if len(perm) != rank:
        raise misfit(
            called(*asked),
            f"transpose expects a vector of size {rank}. "
            f"But input(1) is a vector of size {len(perm)}",
        )
    for n in perm:
        if not -rank <= n < rank:
            raise misfit(called(*asked), f"{n} is out of range [0 .. {rank})")
    order = tuple([n % rank for n in perm])
    for axis in range(rank):
        if axis not in order:
            found = ",".join(map(str, order))
            raise invalid(called(*asked), f"{axis} is missing from {{{found}}}.")
    return order
