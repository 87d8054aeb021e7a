"""Random numbers of tensors that are cut into parts: each part has a key of its own.

A part is counted along those directions of the mesh that cut the tensor, the first direction
running first; its number, 16 bits up, and a prime below that are mixed into the key of the seed.
Parts that several devices share have one key, and a tensor that is whole has the key of the seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from symtape.ops.control.function import Function
from symtape.ops.random import stateless
from symtape.ops.random.drawing.philox import Stream
from symtape.stand_in.dtensor.layouts import UNSHARDED, Layout
from symtape.stand_in.dtensor.placed import check_fit

_PRIME = 65521
_SHIFT = 1 << 16
_DRAWING = {
    stateless.stateless_normal,
    stateless.stateless_truncated_normal,
    stateless.stateless_uniform,
}
"""The functions whose one draw has the layout of their result."""


@contextmanager
def by_parts(fn: Callable[..., Any], layout: Layout) -> Iterator[None]:
    """A context in which stateless numbers are drawn for a layout."""
    if layout.is_fully_replicated():
        yield
        return
    inner = getattr(fn, "python_function", fn)
    inner = getattr(inner, "__wrapped__", inner)
    is_one = isinstance(fn, Function) and inner in _DRAWING

    def drawn(stream: Stream, shape: Sequence[int], draw: Callable[..., Any]) -> Any:
        if not is_one:
            raise UnsupportedError(
                "call_with_layout of a function that draws random numbers beside others: which "
                "part of them a device draws is not known; call_with_layout of "
                "tf.function(tf.random.stateless_uniform) and its kin"
            )
        return _drawn(layout, stream, shape, draw)

    stateless.DRAWING.append(drawn)
    try:
        yield
    finally:
        stateless.DRAWING.remove(drawn)


def _drawn(layout: Layout, stream: Stream, shape: Sequence[int], draw: Callable[..., Any]) -> Any:
    check_fit(layout, shape)
    sizes = layout.local_shape_from_global_shape(shape)
    counts = [layout.num_shards(k) for k in range(layout.rank)]
    found: Any = None
    for places in product(*map(range, counts)):
        key = stream.key ^ (_PRIME + _SHIFT * _number(layout, places))
        part = np.asarray(draw(Stream(key, stream.counter), sizes))
        found = np.empty(shape, part.dtype) if found is None else found
        spans = [slice(p * n, (p + 1) * n) for p, n in zip(places, sizes, strict=True)]
        found[tuple(spans)] = part
    return found


def _number(layout: Layout, places: Sequence[int]) -> int:
    """Count a part along the directions that cut, in the order of the mesh."""
    along = dict(zip(layout.sharding_specs, places, strict=True))
    number, step = 0, 1
    for name in layout.mesh.dim_names:
        if name in along and name != UNSHARDED:
            number += step * along[name]
            step *= layout.mesh.dim_size(name)
    return number
