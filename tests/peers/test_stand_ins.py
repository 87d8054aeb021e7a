"""The libraries have every word that their stand-ins have."""

from __future__ import annotations

import importlib
from typing import Any

from tests.stand_ins import dask
from tests.stand_ins import jax as jax_like
from tests.stand_ins import torch as torch_like


def lacking(stand_in: Any, library: Any, names: Any) -> list[str]:
    """List the words that a stand-in has and its library has not."""
    assert all([hasattr(stand_in, name) for name in names])
    return [name for name in names if not hasattr(library, name)]


def test_torch_has_the_words(torch: Any) -> None:
    """PyTorch has each function, each dtype, and each method of a tensor."""
    made = torch_like.module()
    names = [name for name in vars(made) if not name.startswith("__")]
    assert lacking(made, torch, names) == []
    for part in ("linalg", "special"):
        inner = getattr(made, part)
        assert lacking(inner, getattr(torch, part), vars(inner)) == []
    methods = [name for name in vars(torch_like.Tensor) if name != "__array_ufunc__"]
    assert lacking(torch_like.Tensor, torch.Tensor, methods) == []


def test_jax_has_the_words(jax: Any) -> None:
    """JAX has each special function, and what is called of its parts."""
    made = jax_like.modules()
    for name in ("jax.scipy.special", "jax.scipy.linalg"):
        words = [word for word in vars(made[name]) if not word.startswith("__")]
        assert lacking(made[name], importlib.import_module(name), words) == []
    lax = made["jax"].lax
    assert lacking(lax, jax.lax, vars(lax)) == []
    assert lacking(lax.linalg, jax.lax.linalg, vars(lax.linalg)) == []


def test_dask_has_the_words(dask_array: Any) -> None:
    """Dask has each function."""
    made = dask.module()
    names = [name for name in vars(made) if not name.startswith("__")]
    assert lacking(made, dask_array, names) == []
