"""Spectra turned so that frequency zero is in the middle, and back."""

from __future__ import annotations

from typing import Any

from symtape.ops.arguments import integers, tensor
from symtape.ops.shapes.repetition import roll
from symtape.program.operations import identity
from symtape.tensor.dispatch import apply1, invalid
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of


def fftshift(x: Any, axes: Any = None, name: str | None = None) -> Tensor:
    """Move the first element to the middle of each axis, or of some axes.

    Raises `InvalidArgumentError` for an axis that is not there.

    >>> fftshift([0, 1, 2, -2, -1]).numpy()
    array([-2, -1,  0,  1,  2], dtype=int32)
    """
    return _shifted(x, axes, 1)


def ifftshift(x: Any, axes: Any = None, name: str | None = None) -> Tensor:
    """Move the middle of each axis, or of some axes, to its beginning: the inverse of `fftshift`.

    >>> ifftshift([-2, -1, 0, 1, 2]).numpy()
    array([ 0,  1,  2, -2, -1], dtype=int32)
    """
    return _shifted(x, axes, -1)


def _shifted(value: Any, axes: Any, sign: int) -> Tensor:
    x = tensor(value)
    shape = shape_of(x)
    chosen = list(range(x.ndim)) if axes is None else integers(axes)
    if not chosen:
        return apply1(identity, x)
    for k, axis in enumerate(chosen):
        if not -x.ndim <= axis < x.ndim:
            raise _no_axis(axes, k, axis, x.ndim)
    return roll(x, [sign * (shape[axis] // 2) for axis in chosen], chosen)


def _no_axis(axes: Any, k: int, axis: int, rank: int) -> Exception:
    if isinstance(axes, int):
        return invalid("StridedSlice", f"slice index {axis} of dimension 0 out of bounds.")
    place = axis + rank if axis < 0 else axis
    return invalid("GatherV2", f"indices[{k}] = {place} is not in [0, {rank})")
