"""How a row of an image is resampled: which share each old element has in each new one.

All is computed in single precision, as TensorFlow does, since places that are rounded decide which
elements have a share.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np

_F = np.float32
_TINY = 1000 * np.finfo(_F).tiny
TABLE = 1024
"""So many places between two elements have a cubic weight of their own; others are rounded."""


@lru_cache(maxsize=256)
def shares(method: str, old: int, new: int, antialias: bool) -> Any:
    """Give the matrix [new, old] of a method of `tf.image.resize`, of float32."""
    if method == "area":
        return by_area(old, new, _scale(old, new))
    if antialias or method in _LATER:
        return _by_kernel(_KERNELS[method], old, new, antialias)
    return _bilinear(old, new) if method == "bilinear" else _bicubic(old, new)


def nearest(old: int, new: int) -> Any:
    """List the places that are nearest to the middles of new elements."""
    found = np.floor((np.arange(new, dtype=_F) + _F(0.5)) * _scale(old, new))
    return np.minimum(found.astype(np.int64), old - 1)


def _scale(old: int, new: int) -> Any:
    return _F(old) / _F(new)


def _middles(old: int, new: int) -> Any:
    """Place the middles of the new elements among the old ones."""
    return (np.arange(new, dtype=_F) + _F(0.5)) * _scale(old, new) - _F(0.5)


def placed(old: int, new: int, columns: Any, weights: Any) -> Any:
    """Put weights into the columns of a matrix; those of one column add up."""
    made = np.zeros((new, old), _F)
    np.add.at(made, (np.arange(new)[:, None], columns), weights)
    return made


def _bilinear(old: int, new: int) -> Any:
    """1 - t for the element before, t for the one behind."""
    places = _middles(old, new)
    first = np.floor(places)
    t = places - first
    columns = np.stack([np.maximum(first, 0), np.minimum(np.ceil(places), old - 1)], 1)
    return placed(old, new, columns.astype(int), np.stack([1 - t, t], 1))


def _bicubic(old: int, new: int) -> Any:
    """Keys' weights of four elements, of which those outside have none."""
    places = _middles(old, new)
    first = np.floor(places)
    t = np.rint((places - first) * TABLE).astype(_F) / _F(TABLE)
    columns = first[:, None].astype(int) + np.arange(-1, 3)
    weights = np.stack([_keys(1 + t), _keys(t), _keys(1 - t), _keys(2 - t)], 1).astype(_F)
    inside = (columns >= 0) & (columns < old)
    weights = np.where(inside, weights, 0)
    return placed(old, new, np.clip(columns, 0, old - 1), weights / _total(weights))


def by_area(old: int, new: int, scale: Any) -> Any:
    """The part of each old element that lies within the new one."""
    start = np.arange(new, dtype=_F)[:, None] * scale
    end = np.arange(1, new + 1, dtype=_F)[:, None] * scale
    columns = np.floor(start).astype(int) + np.arange(int(np.ceil(scale)) + 2)
    left, right = np.maximum(columns.astype(_F), start), np.minimum(columns + _F(1), end)
    weights = np.maximum(right - left, _F(0)) / scale
    return placed(old, new, np.clip(columns, 0, old - 1), weights)


class _Kernel(NamedTuple):
    """A function of the distance, which is zero beyond the radius."""

    radius: float
    weight: Callable[[Any], Any]


def _by_kernel(kernel: _Kernel, old: int, new: int, antialias: bool) -> Any:
    """The weights of a kernel, wider where elements are left out, over their sum."""
    step = _F(1) / (_F(new) / _F(old))
    width = max(step, _F(1)) if antialias else _F(1)
    places = ((np.arange(new, dtype=_F) + _F(0.5)) * step)[:, None]
    reach = _F(kernel.radius) * width
    columns = np.arange(old, dtype=_F)
    first = np.clip(np.ceil(places - reach - _F(0.5)), 0, old - 1)
    last = np.clip(np.floor(places + reach - _F(0.5)), 0, old - 1)
    within = (columns >= first) & (columns <= last) & (places <= old)
    distances = np.abs(columns + _F(0.5) - places) / width
    weights = np.where(within, kernel.weight(distances), 0)
    return (weights / _total(weights)).astype(_F)


def _total(weights: Any) -> Any:
    sums = weights.sum(axis=1, keepdims=True)
    return np.where(np.abs(sums) >= _TINY, sums, 1)


# --- kernels --------------------------------------------------------------------------------------


def _triangle(x: Any) -> Any:
    return np.maximum(1 - x, 0)


def _keys(x: Any) -> Any:
    near, far = ((1.5 * x - 2.5) * x) * x + 1, ((-0.5 * x + 2.5) * x - 4) * x + 2
    return np.where(x >= 2, 0, np.where(x >= 1, far, near))


def _mitchell(x: Any) -> Any:
    near = (((7 / 6) * x - 2) * x) * x + 8 / 9
    far = (((-7 / 18) * x + 2) * x - 10 / 3) * x + 16 / 9
    return np.where(x >= 2, 0, np.where(x >= 1, far, near))


def _gaussian(x: Any) -> Any:
    return np.where(x >= 1.5, 0, np.exp(-(x**2) / (2 * 0.5**2)))


def _lanczos(radius: float, x: Any) -> Any:
    return np.where(x > radius, 0, np.sinc(x) * np.sinc(x / radius))


_KERNELS = {
    "bilinear": _Kernel(1, _triangle),
    "bicubic": _Kernel(2, _keys),
    "lanczos3": _Kernel(3, partial(_lanczos, 3.0)),
    "lanczos5": _Kernel(5, partial(_lanczos, 5.0)),
    "gaussian": _Kernel(1.5, _gaussian),
    "mitchellcubic": _Kernel(2, _mitchell),
}
_LATER = ("lanczos3", "lanczos5", "gaussian", "mitchellcubic")
METHODS = ("bilinear", "nearest", "bicubic", "area", *_LATER)
