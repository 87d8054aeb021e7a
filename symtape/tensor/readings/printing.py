"""How TensorFlow prints tensors and variables, to the letter."""

from __future__ import annotations

from typing import Any

import numpy as np


def _text(value: Any, *, as_repr: bool) -> str:
    if np.ndim(value) == 0:
        item = value[()] if isinstance(value, np.ndarray) else value
        if isinstance(item, (bytes, str)):
            return repr(item)
        if as_repr:
            return repr(item.item())
        return str(item)
    return repr(value) if as_repr else str(value)


def string(value: Any, dtype: str) -> str:
    """Write `str` of a tensor.

    >>> string(np.float32(3), "float32")
    'tf.Tensor(3.0, shape=(), dtype=float32)'
    """
    text = _text(value, as_repr=False)
    line = "\n" if "\n" in text else ""
    return f"tf.Tensor({line}{text}, shape={np.shape(value)}, dtype={dtype})"


def representation(value: Any, dtype: str) -> str:
    """Write `repr` of a tensor.

    >>> representation(np.float32(3), "float32")
    '<tf.Tensor: shape=(), dtype=float32, numpy=3.0>'
    """
    return f"<tf.Tensor: shape={np.shape(value)}, dtype={dtype}, numpy={_numpy(value)}>"


def variable(name: str, value: Any, dtype: str, shape: Any = None) -> str:
    """Write `repr` of a variable, with the shape that it was declared with, if it was.

    >>> variable("w:0", np.float32(3), "float32")
    "<tf.Variable 'w:0' shape=() dtype=float32, numpy=3.0>"
    """
    declared = np.shape(value) if shape is None else shape
    return named_variable(name, declared, dtype, f"numpy={_numpy(value)}")


def named_variable(name: str, shape: Any, dtype: str, shown: str) -> str:
    """Write `repr` of a variable, whose value is written already."""
    return f"<tf.Variable {name!r} shape={shape} dtype={dtype}, {shown}>"


def _numpy(value: Any) -> str:
    text = _text(value, as_repr=True)
    return f"\n{text}" if "\n" in text else text
