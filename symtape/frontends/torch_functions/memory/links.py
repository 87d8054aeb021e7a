"""The table of ATen operations that give views, and how each view lies in its operand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symtape.frontends.torch_functions.memory.storages import Geometry, Link
from symtape.frontends.torch_functions.memory.views import (
    COMPLEX,
    CONJUGATE,
    NEGATIVE,
    PAIRS,
    Part,
    Picked,
    Same,
    picked,
    ranged,
    rearranged,
    reshaped,
    taken_at,
)
from symtape.ops.linalg.diagonals import diag_part
from symtape.ops.shapes.repetition import broadcast_to
from symtape.ops.shapes.shaping import permuted
from symtape.program.kinds.windows import Window, Windows
from symtape.tensor.dispatch import apply1

Links = Callable[..., Sequence[Link]]

LINKS: dict[str, Links] = {}


def links_of(name: str) -> Links | None:
    """Find how an operation makes views, if it does: by its name, with any overload."""
    operation = name.partition(".")[0]
    return None if name.endswith("_copy") else LINKS.get(name) or LINKS.get(operation)


def _views(*names: str) -> Callable[[Links], Links]:
    def entered(function: Links) -> Links:
        LINKS.update(dict.fromkeys(names, function))
        return function

    return entered


@_views("view.default", "_unsafe_view", "unsqueeze", "squeeze", "unsqueeze_", "squeeze_")
def _reshaped(parent: Geometry, views: Sequence[Geometry], *_: Any) -> Sequence[Link]:
    return [reshaped(parent, views[0])]


@_views("detach", "alias", "lift_fresh")
def _same(parent: Geometry, views: Sequence[Geometry], *_: Any) -> Sequence[Link]:
    return [Same()]


@_views("t", "transpose.int", "permute", "t_", "transpose_")
def _rearranged(parent: Geometry, views: Sequence[Geometry], *axes: Any) -> Sequence[Link]:
    rank = len(parent.shape)
    order = list(range(rank))
    if axes and isinstance(axes[0], (list, tuple)):
        order = [axis % rank for axis in axes[0]]
    elif rank:
        i, j = [axis % rank for axis in axes] if axes else (0, rank - 1)
        order[i], order[j] = order[j], order[i]
    return [rearranged(order)]


@_views("select.int")
def _row(parent: Geometry, views: Sequence[Geometry], axis: int, index: int) -> Sequence[Link]:
    place = axis % len(parent.shape)
    start = index % parent.shape[place]
    return [Part(place, start, start + 1, row=True)]


@_views("unbind.int")
def _rows(parent: Geometry, views: Sequence[Geometry], axis: int = 0) -> Sequence[Link]:
    place = axis % len(parent.shape)
    return [Part(place, k, k + 1, row=True) for k in range(len(views))]


@_views("slice.Tensor")
def _slice(
    parent: Geometry,
    views: Sequence[Geometry],
    axis: int = 0,
    start: int | None = None,
    end: int | None = None,
    step: int = 1,
) -> Sequence[Link]:
    place = axis % len(parent.shape)
    n = parent.shape[place]
    first = range(n)[slice(start, end, step)]
    return [ranged(parent.shape, place, first.start, len(first), step)]


@_views("split.Tensor", "split_with_sizes")
def _split(
    parent: Geometry, views: Sequence[Geometry], sizes: Any = None, axis: int = 0
) -> Sequence[Link]:
    place = axis % len(parent.shape)
    starts = np.cumsum([0, *[view.shape[place] for view in views]]).tolist()
    return [
        Part(place, start, start + view.shape[place], row=False)
        for start, view in zip(starts, views, strict=False)
    ]


@_views("expand")
def _expand(parent: Geometry, views: Sequence[Geometry], *_: Any, **__: Any) -> Sequence[Link]:
    shape = views[0].shape
    places = picked(parent.shape, lambda a: np.broadcast_to(a, shape))
    return [Picked(lambda x: broadcast_to(x, shape), places)]


@_views("diagonal")
def _diagonal(
    parent: Geometry, views: Sequence[Geometry], offset: int = 0, axis1: int = 0, axis2: int = 1
) -> Sequence[Link]:
    rank = len(parent.shape)
    i, j = axis1 % rank, axis2 % rank
    order = [k for k in range(rank) if k not in (i, j)] + [i, j]
    places = picked(parent.shape, lambda a: np.diagonal(a, offset, i, j))
    if not views[0].shape or 0 in views[0].shape:
        return [Picked(lambda x: taken_at(x, places), places)]
    return [Picked(lambda x: diag_part(permuted(x, order), k=offset), places)]


@_views("unfold")
def _unfold(
    parent: Geometry, views: Sequence[Geometry], axis: int, size: int, step: int
) -> Sequence[Link]:
    rank = len(parent.shape)
    if not rank:
        return [reshaped(parent, views[0])]
    place = axis % rank
    order = [*range(place + 1), *range(place + 2, rank + 1), place + 1]
    operation = Windows((Window(size, step),), rank - place - 1)

    def take(a: Any) -> Any:
        seen = np.lib.stride_tricks.sliding_window_view(a, size, place)
        return np.take(seen, range(0, seen.shape[place], step), place)

    return [Picked(lambda x: permuted(apply1(operation, x), order), picked(parent.shape, take))]


@_views("view_as_real")
def _as_real(parent: Geometry, views: Sequence[Geometry]) -> Sequence[Link]:
    return [PAIRS]


@_views("view_as_complex")
def _as_complex(parent: Geometry, views: Sequence[Geometry]) -> Sequence[Link]:
    return [COMPLEX]


@_views("_conj")
def _conjugate(parent: Geometry, views: Sequence[Geometry]) -> Sequence[Link]:
    return [CONJUGATE]


@_views("_neg_view")
def _negative(parent: Geometry, views: Sequence[Geometry]) -> Sequence[Link]:
    return [NEGATIVE]


@_views("as_strided", "as_strided_")
def _strided(parent: Geometry, views: Sequence[Geometry], *_: Any, **__: Any) -> Sequence[Link]:
    return []
