"""Tensors of as many elements as nobody could know, in a run that is looked at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from symtape.program.operations import Einsum
from symtape.tensor.dtypes import DType
from symtape.tensor.recording.active import THREAD
from symtape.tensor.recording.looking import forgotten, looking, resized
from symtape.tensor.tensor import Tensor


def unsized(tensor: Tensor, *axes: int) -> Tensor:
    """Give what was made with as many elements along some axes as values decide.

    >>> from symtape.tensor.recording.looking import probing
    >>> import numpy as np
    >>> with probing(3):
    ...     unsized(Tensor(np.zeros((2, 2))), 0).shape
    TensorShape([3, 2])
    """
    run = looking()
    if run is None:
        return tensor
    shape = list(tensor.raw.shape)
    for axis in axes:
        shape[axis] = run.number
    return made_up(tensor, shape, axes)


def made_up(tensor: Tensor, shape: Sequence[int], axes: Iterable[int] = ()) -> Tensor:
    """Give a tensor of another shape, whose value nobody knows, nor its size along some axes.

    A derivative by what it was made of has the shape of that, so for tapes each element is the sum.
    """
    made = Tensor(resized(tensor.raw, shape))
    sizes = dict(enumerate(made.raw.shape))
    summed = [len(sizes) + axis for axis in range(tensor.raw.ndim)]
    for recording in THREAD.state.recordings:
        if recording is not looking():
            recording.record1(Einsum.of([summed], range(len(sizes)), sizes), tensor, made)
    forgotten(made, axes)
    return made


def unranked(tensor: Tensor) -> Tensor:
    """Give what has as many axes as nobody could know: more in one run than in another."""
    run = looking()
    if run is None:
        return tensor
    run.has_varied = True
    made: Tensor = forgotten(Tensor(tensor.raw.reshape(*tensor.raw.shape, *[1] * (run.turn % 3))))
    return made


def alike(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor] | None:
    """Give two tensors sizes that fit, where those that do not are ones that nobody could know.

    >>> import numpy as np
    >>> alike(Tensor(np.zeros(2)), Tensor(np.zeros(3)))
    """
    run = looking()
    if run is None:
        return None
    sizes = [[*t.raw.shape] for t in (x, y)]
    for back in range(1, min(map(len, sizes)) + 1):
        own, other = (shape[-back] for shape in sizes)
        if own == other or 1 in (own, other):
            continue
        is_loose = [t.raw.ndim - back in run.loose(t) for t in (x, y)]
        if not any(is_loose):
            return None
        sizes[0 if is_loose[0] else 1][-back] = other if is_loose[0] else own
    if sizes == [[*t.raw.shape] for t in (x, y)]:
        return None
    return made_up(x, sizes[0], run.loose(x)), made_up(y, sizes[1], run.loose(y))


def announced(dtype: DType, sizes: Sequence[int | None] | None) -> Tensor | None:
    """Give what is known of a result before it is computed, in a run that is looked at, else None.

    None is a size that nobody knows; without sizes, nobody knows how many axes there are.

    >>> from symtape.tensor.dtypes import float32
    >>> from symtape.tensor.recording.looking import probing
    >>> announced(float32, [None, 2])
    >>> with probing(3):
    ...     announced(float32, [None, 2]).shape
    TensorShape([3, 2])
    """
    run = looking()
    if run is None:
        return None
    run.has_varied = True
    asked = [None] * (1 + run.turn % 3) if sizes is None else sizes
    shape = [run.number if n is None else n for n in asked]
    blank = np.full(shape, b"" if dtype.numpy.kind == "O" else 0, dtype.numpy)
    made = Tensor(blank if blank.dtype.kind == "O" else blank[()])
    run.forget(made, [axis for axis, n in enumerate(asked) if n is None])
    return made
