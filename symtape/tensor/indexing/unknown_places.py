"""Places that nobody could know, in brackets and slices of a run that is looked at.

How many elements lie between two such places is as unknown as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtape.tensor.recording.looking import Looking, forgotten, looking
from symtape.tensor.tensor import Tensor
from symtape.tensor.unknown_sizes import made_up


def unknown_in(sizes: Any) -> list[bool]:
    """Say of each size in a tensor, or in a list with tensors, whether nobody could know it.

    >>> unknown_in([2, 3])
    [False, False]
    """
    if isinstance(sizes, (list, tuple)):
        return [one for size in sizes for one in unknown_in(size)]
    run, x = looking(), _tensor_of(sizes)
    if run is None or x is None:
        return [False] * int(np.size(_plain(sizes)))
    return np.ravel(np.broadcast_to(run.unknown(x), x.raw.shape)).tolist()


def loosened(made: Tensor, sizes: Any, *, is_like: bool = False) -> Tensor:
    """Let axes of a tensor have sizes that nobody could know, as those of another tensor or given.

    >>> loosened(Tensor(np.zeros(2)), [2]).shape
    TensorShape([2])
    """
    run = looking()
    if run is not None:
        axes = run.loose(sizes) if is_like else np.flatnonzero(unknown_in(sizes)).tolist()
        run.loosen(made, axes)
    return made


def _tensor_of(value: Any) -> Tensor | None:
    if isinstance(value, Tensor) or hasattr(value, "read_value"):
        found: Tensor = value.read()
        return found
    return None


def _plain(sizes: Any) -> Any:
    return sizes.as_list() if hasattr(sizes, "as_list") else sizes


def hidden(given: Any, read: Sequence[int]) -> list[Any]:
    """Give places as they were read, but those that nobody could know as tensors."""
    if looking() is None:
        return [*read]
    unknown = unknown_in(given)
    return [forgotten(Tensor(np.int64(n))) if any(unknown) else n for n in read]


def looked_at(run: Looking, x: Tensor, key: Any) -> tuple[Tensor, Any]:
    """Give what to take from what, so that as many elements come as nobody could know.

    TensorFlow knows all of the places in brackets, or none of them.
    """
    items = key if isinstance(key, tuple) else (key,)
    loose = run.loose(x)
    hidden_all = any([any(unknown_in(_ends(item))) for item in items])
    if not hidden_all and not loose:
        return x, key
    sizes = list(x.raw.shape)
    axis = 0
    new: list[Any] = []
    named = sum([item is not None and item is not Ellipsis for item in items])
    for item in items:
        if item is Ellipsis:
            axis = len(sizes) - named + axis
            new.append(item)
        elif item is None:
            new.append(item)
        else:
            new.append(
                _taken(item, sizes, axis, run.number) if hidden_all or axis in loose else item
            )
            axis += 1
    return made_up(x, sizes, loose), tuple(new)


def _taken(item: Any, sizes: list[int], axis: int, number: int) -> Any:
    """Take all of an axis that has as many elements as nobody could know, or one element."""
    if not isinstance(item, slice):
        return 0
    if item.start is not None or item.stop is not None or item.step is not None:
        sizes[axis] = number
    return slice(None)


def _ends(item: Any) -> list[Any]:
    found = [item.start, item.stop, item.step] if isinstance(item, slice) else [item]
    return [end for end in found if _tensor_of(end) is not None]


def cut_looked_at(run: Looking, x: Tensor, begin: Any, size: Any) -> tuple[Tensor, Any, Any]:
    """Give what `slice` takes from what: a size that nobody could know is all of the axis."""
    first, counts = unknown_in(begin), unknown_in(size)
    if not any(first) and not any(counts):
        return x, begin, size
    starts, wanted, sizes = _numbers(begin), _numbers(size), list(x.raw.shape)
    for k, is_one in enumerate(first):
        if counts[k] or (is_one and wanted[k] == -1):
            sizes[k], starts[k], wanted[k] = run.number, 0, -1
        elif is_one:
            starts[k] = 0
    return made_up(x, sizes), starts, wanted


def _numbers(value: Any) -> list[int]:
    found = [
        np.ravel(x.raw if (x := _tensor_of(v)) is not None else v)
        for v in (value if isinstance(value, (list, tuple)) else [value])
    ]
    return [int(n) for n in np.concatenate(found)]
