"""The order of the elements of a sparse tensor: row by row, as most operations want it."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from symtape.errors import InvalidArgumentError

OUT_OF_ORDER = """\
out of order. Many sparse ops require sorted indices.
    Use `tf.sparse.reorder` to create a correctly ordered copy.

"""


def lines_of(places: Any, sizes: Any) -> Any:
    """Number places row by row."""
    if not places.size:
        return places[:, :0].sum(1)
    return np.ravel_multi_index(tuple(places.T), tuple(sizes))


def in_order(op: str, places: Any, sizes: Any) -> None:
    """Refuse elements outside, out of the order of rows, and two of them in one place."""
    outside = np.flatnonzero(((places < 0) | (places >= np.asarray(sizes))).any(axis=1))
    if outside.size:
        _refuse(op, places, outside[0], f"out of bounds: need 0 <= index < [{_listed(sizes)}]")
    steps = np.diff(lines_of(places, sizes))
    if (steps > 0).all():
        return
    k = int(np.argmin(steps > 0))
    why = "repeated" if steps[k] == 0 else OUT_OF_ORDER
    _refuse(op, places, k + 1, why)


def _refuse(op: str, places: Any, k: int, why: str) -> NoReturn:
    raise InvalidArgumentError.of(op, f"indices[{k}] = [{_listed(places[k])}] is {why}")


def _listed(numbers: Any) -> str:
    return ",".join(map(str, numbers))


def places_at(lines: Any, sizes: Any) -> Any:
    """Give the places, a row each, of elements by their numbers; the inverse of `lines_of`."""
    return np.stack(np.unravel_index(lines, tuple(sizes)), axis=1).reshape(-1, len(tuple(sizes)))
