"""Which functions of TensorFlow 1 have forms of their own, by all the names that they had."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from types import FunctionType
from typing import Any

OLDER = "compat.v1."
APART = {"compat.v1.initializers"}
"""Namespaces that have nothing in common with those of TensorFlow 2."""

_ALSO = {
    **{
        f"debugging.assert_{word}": f"assert_{word}"
        for word in (
            *("equal", "greater", "greater_equal", "less", "less_equal", "negative"),
            *("near", "non_negative", "non_positive", "none_equal", "positive", "rank"),
            *("rank_at_least", "rank_in", "scalar"),
        )
    },
    **{
        f"math.reduce_{word}": f"reduce_{word}"
        for word in ("all", "any", "logsumexp", "max", "mean", "min", "prod", "sum")
    },
    **{f"math.{name}": name for name in ("argmax", "argmin", "confusion_matrix", "count_nonzero")},
    **{f"nn.{name}": name for name in ("depth_to_space", "space_to_batch", "space_to_depth")},
    **{f"nn.{name}": f"math.{name}" for name in ("in_top_k", "log_softmax", "softmax")},
    "bincount": "math.bincount",
    "io.decode_csv": "decode_csv",
    "io.decode_raw": "decode_raw",
    "linalg.trace": "trace",
    "manip.gather_nd": "gather_nd",
    "nn.avg_pool2d": "nn.avg_pool",
    "strings.reduce_join": "reduce_join",
    "strings.substr": "substr",
    "strings.to_hash_bucket": "string_to_hash_bucket",
    "debugging.assert_all_finite": "verify_tensor_all_finite",
    "image.resize_with_crop_or_pad": "image.resize_image_with_crop_or_pad",
    "initializers.global_variables": "global_variables_initializer",
    "initializers.local_variables": "local_variables_initializer",
    "initializers.tables_initializer": "tables_initializer",
    "initializers.variables": "variables_initializer",
    "linalg.norm": "norm",
    "random.multinomial": "multinomial",
    "random.poisson": "random_poisson",
    "strings.to_number": "string_to_number",
}
"""Further names, and those that they stand for."""


def older_form(path: str) -> Callable[..., Any] | None:
    """Give the function that a path has in TensorFlow 1, if it takes other arguments there.

    >>> older_form("compat.v1.nn.softmax") is older_form("compat.v1.math.softmax")
    True
    >>> older_form("compat.v1.exp") is older_form("nn.softmax") is None
    True
    """
    if not path.startswith(OLDER):
        return None
    name = path.removeprefix(OLDER)
    return _forms().get(_ALSO.get(name, name))


def older_names() -> set[str]:
    """List the names after `compat.v1.` of functions that have a form of their own."""
    return {*_forms(), *_ALSO}


_ROOMS = (
    "elements",
    "control",
    "variables",
    "checks",
    "networks",
    "initializers",
    "decays",
    "images",
)
"""The modules of `arguments` of which each has a table of its own name."""


@cache
def _forms() -> dict[str, Callable[..., Any]]:
    tables = [
        getattr(import_module(f"{__package__}.arguments.{room}"), room.upper()) for room in _ROOMS
    ]
    return {name: _named(name, form) for table in tables for name, form in table.items()}


def _named(path: str, form: Callable[..., Any]) -> Callable[..., Any]:
    """Call a function by its name, which its errors say."""
    if isinstance(form, FunctionType) and str(form.__module__).startswith(str(__package__)):
        form.__name__ = form.__qualname__ = path.rpartition(".")[2]
        form.__doc__ = form.__doc__ or f"`tf.{path}` with the arguments of TensorFlow 1."
    return form
