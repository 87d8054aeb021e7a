"""What operations are made of that torch has no parts of, or parts with other slopes than its own.

They are functions of torch tensors, which are followed as a user's are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import prod
from typing import Any

from symtape.frontends.torch_functions.dtypes import torch_module

_NEAREST, _CUBIC = 1, 2
_BORDER, _REFLECTION = 1, 2
"""The numbers that torch has for ways to interpolate and to pad."""


def _grid_sampler(x: Any, grid: Any, way: int, padding: int, align: bool) -> Any:
    """Values of an image at the places of a grid, whose last axis begins with the last axis.

    Between places they are linear by each axis: Σ over corners of their values, weighted.
    """
    torch = torch_module()
    if way == _CUBIC:
        known = torch_module("_decomp").decomposition_table
        return known[torch.ops.aten.grid_sampler_2d.default](x, grid, way, padding, align)
    sizes = list(x.shape[2:])
    places = [
        _located(torch, place, size, padding, align)
        for place, size in zip(reversed(grid.unbind(-1)), sizes, strict=True)
    ]
    if way == _NEAREST:
        return _values(torch, x, [p.round() for p in places])
    low = [p.floor() for p in places]
    terms = []
    for corner in product((0, 1), repeat=len(sizes)):
        parts = [p - a if c else a + 1 - p for p, a, c in zip(places, low, corner, strict=True)]
        values = _values(torch, x, [a + c for a, c in zip(low, corner, strict=True)])
        terms.append(values * prod(parts).unsqueeze(1))
    return sum(terms)


def _located(torch: Any, place: Any, size: int, padding: int, align: bool) -> Any:
    """Turn places from -1 to 1 into places from 0 on; on a border their slope is 0, as outside."""
    found = place * ((size - 1) / 2 if align else size / 2) + (size - 1) / 2
    if padding == _REFLECTION:
        least = 0.0 if align else -0.5
        found = _reflected(torch, found, least, size - 1 - 2 * least)
    if padding in {_BORDER, _REFLECTION}:
        found = torch.nn.functional.hardtanh(found, 0.0, float(size - 1))
    return found


def _reflected(torch: Any, place: Any, least: float, span: float) -> Any:
    """Mirror places at both ends until they lie between them."""
    if not span:
        return torch.zeros_like(place)
    far = (place - least).abs()
    rest = torch.fmod(far, span)
    return torch.where((far / span).floor() % 2 == 0, rest, span - rest) + least


def _values(torch: Any, x: Any, places: Sequence[Any]) -> Any:
    """Take the values at whole places; outside there are zeros."""
    sizes = x.shape[2:]
    inside = torch.ones_like(places[0], dtype=torch.bool)
    for place, size in zip(places, sizes, strict=True):
        inside = inside & (place >= 0) & (place < size)
    flat = torch.zeros_like(inside, dtype=torch.int64)
    for place, size in zip(places, sizes, strict=True):
        flat = flat * size + torch.where(inside, place, 0).long()
    shape = (*x.shape[:2], flat[0].numel())
    taken = x.flatten(2).gather(2, flat.flatten(1).unsqueeze(1).expand(shape))
    return torch.where(inside.unsqueeze(1), taken.unflatten(2, flat.shape[1:]), 0)


def _strided_scatter(
    x: Any, part: Any, size: Sequence[int], stride: Sequence[int], offset: int | None = None
) -> Any:
    """A copy in which elements at strides are others."""
    made = x.clone()
    made.as_strided(size, stride, offset).copy_(part)
    return made


PARTS: dict[str, Callable[..., Any]] = {
    "aten.grid_sampler_2d.default": _grid_sampler,
    "aten.grid_sampler_3d.default": _grid_sampler,
    "aten.as_strided_scatter.default": _strided_scatter,
}
"""By the names of operations."""
