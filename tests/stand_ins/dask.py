"""Dask: arrays of one chunk, and functions that are held to their signatures."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np


class DaskArray(np.ndarray):
    """An array in one chunk."""

    def rechunk(self, chunks: dict[int, int]) -> DaskArray:
        """Make axes whole, as they are."""
        assert all([0 <= axis < self.ndim and size == -1 for axis, size in chunks.items()])
        return self


def on_dask(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make a function of NumPy's one that gives an array of Dask's."""
    return lambda *operands, **given: np.asarray(function(*operands, **given)).view(DaskArray)


def _apply_gufunc(
    function: Callable[..., Any],
    signature: str,
    *xs: Any,
    meta: Any,
    output_sizes: dict[str, int],
    allow_rechunk: bool,
) -> Any:
    """Apply a function to the last axes that a signature names, and hold it to the signature."""
    taken, made = [part.removeprefix("(").removesuffix(")") for part in signature.split("->")]
    cores = [term.split(",") if term else [] for term in taken.split("),(")]
    leads = [x.shape[: x.ndim - len(core)] for x, core in zip(xs, cores, strict=True)]
    assert all([x.ndim >= len(core) for x, core in zip(xs, cores, strict=True)]), signature
    inner = [output_sizes[name] for name in made.split(",") if name]
    with np.errstate(all="ignore"):
        found = np.asarray(function(*[np.asarray(x) for x in xs]))
    assert found.shape == (*np.broadcast_shapes(*leads), *inner), (signature, found.shape)
    assert found.dtype == meta.dtype
    return found.view(DaskArray)


_ALIKE = """
all arange asarray broadcast_to concatenate einsum flip full max min reshape sum transpose where
zeros
""".split()
"""What Dask calls as NumPy does."""


def _elemwise(function: Callable[..., Any], *operands: Any) -> Any:
    """Apply a function of NumPy's to chunks, which are NumPy's."""
    chunks = [np.asarray(x) if isinstance(x, DaskArray) else x for x in operands]
    return on_dask(function)(*chunks)


def module() -> Any:
    """Make a module like `dask.array`."""
    made = ModuleType("dask.array")
    for name in _ALIKE:
        setattr(made, name, on_dask(getattr(np, name)))
    made.Array, made.apply_gufunc = DaskArray, _apply_gufunc
    made.core = SimpleNamespace(elemwise=_elemwise)
    made.from_array = on_dask(lambda array, chunks: array)
    made.blockwise = on_dask(lambda function, axes, *pairs, dtype: function(*pairs[::2]))
    return made
