"""Assertions by the arguments that they had in TensorFlow 1."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from symtape.errors import UnsupportedError

tf: Any = importlib.import_module(__name__.partition(".")[0])
"""The public face."""


def _shows(call: str, data: Any) -> bool:
    """Refuse tensors that are to be shown in the place of an error's own words."""
    if data is not None:
        raise UnsupportedError(f"tf.compat.v1.{call}(data=): say it in `message`")
    return False


def _pair(call: str) -> Callable[..., Any]:
    check = getattr(tf.debugging, call)
    return lambda x, y, data=None, summarize=None, message=None, name=None: (
        _shows(call, data) or check(x, y, message, summarize, name)
    )


def _one_by_one(call: str) -> Callable[..., Any]:
    check = getattr(tf.debugging, call)
    return lambda x, data=None, summarize=None, message=None, name=None: (
        _shows(call, data) or check(x, message, summarize, name)
    )


CHECKS: dict[str, Callable[..., Any]] = {
    **{
        f"assert_{word}": _pair(f"assert_{word}")
        for word in (
            *("equal", "greater", "greater_equal", "less", "less_equal", "none_equal"),
        )
    },
    **{
        f"assert_{word}": _one_by_one(f"assert_{word}")
        for word in ("negative", "non_negative", "non_positive", "positive")
    },
    "assert_integer": tf.debugging.assert_integer,
    "assert_type": tf.debugging.assert_type,
    "assert_near": lambda x, y, rtol=None, atol=None, data=None, summarize=None, message=None,
    name=None: _shows("assert_near", data) or tf.debugging.assert_near(
        x, y, rtol, atol, message, summarize, name
    ),
    "assert_rank": lambda x, rank, data=None, summarize=None, message=None, name=None: (
        tf.debugging.assert_rank(x, rank, message, name)
    ),
    "assert_rank_at_least": lambda x, rank, data=None, summarize=None, message=None, name=None: (
        tf.debugging.assert_rank_at_least(x, rank, message, name)
    ),
    "assert_rank_in": lambda x, ranks, data=None, summarize=None, message=None, name=None: (
        tf.debugging.assert_rank_in(x, ranks, message, name)
    ),
    "assert_scalar": lambda tensor, name=None, message=None: tf.debugging.assert_scalar(
        tensor, message, name
    ),
}  # fmt: skip
