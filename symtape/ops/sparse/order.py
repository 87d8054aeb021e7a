"""The order of the elements of a sparse tensor: row by row, as most operations want it."""

from __future__ import annotations

from typing import Any

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
    """Refuse elements that are not in the order of rows, or of which two are in one place."""
    steps = np.diff(lines_of(places, sizes))
    if (steps > 0).all():
        return
    k = int(np.argmin(steps > 0))
    why = "repeated" if steps[k] == 0 else OUT_OF_ORDER
    place = ",".join(map(str, places[k + 1]))
    raise InvalidArgumentError.of(op, f"indices[{k + 1}] = [{place}] is {why}")
