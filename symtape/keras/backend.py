"""`tf.keras.backend`: the dtype of floats and the small number that the losses use."""

from __future__ import annotations

import gc
from typing import Any

from symtape.errors import UnsupportedError
from symtape.keras.bases.naming import reset_uids
from symtape.namespace import show
from symtape.tensor import dtypes
from symtape.tensor.recording.active import read_setting

__all__ = ["clear_session", "epsilon", "floatx", "set_epsilon", "set_floatx"]

_FLOATS = ("float16", "bfloat16", "float32", "float64")


class _Settings:
    """What holds for every layer that does not say otherwise."""

    floatx = "float32"
    epsilon = 1e-7


def floatx() -> str:
    """Give the name of the dtype of weights.

    >>> floatx()
    'float32'
    """
    return str(read_setting(lambda: _Settings.floatx))


def set_floatx(value: str) -> None:
    """Set the dtype of weights; raises `ValueError` unless it is the name of a float.

    >>> set_floatx("float32")
    >>> floatx()
    'float32'
    """
    if value not in _FLOATS:
        raise ValueError(f"Unknown `floatx` value: {value}. Expected one of {set(_FLOATS)}")
    _Settings.floatx = value


def epsilon() -> float:
    """Give the number that keeps logarithms and quotients finite.

    >>> epsilon()
    1e-07
    """
    return float(read_setting(lambda: _Settings.epsilon))


def set_epsilon(value: float) -> None:
    """Set the number that keeps logarithms and quotients finite.

    >>> set_epsilon(1e-7)
    >>> epsilon()
    1e-07
    """
    _Settings.epsilon = float(value)


def clear_session(free_memory: bool = True) -> None:
    """Start counting the names of layers and optimizers again.

    There is no graph to let go of: with `free_memory`, as in Keras, Python's collector runs.

    >>> clear_session()
    """
    reset_uids()
    if free_memory:
        gc.collect()


def dtype_of(value: Any) -> dtypes.DType:
    """Read a `dtype=` argument; None is `floatx()`."""
    if isinstance(value, str) and value.startswith("mixed_"):
        raise UnsupportedError(f"dtype={value!r}: there is no mixed precision; name one dtype")
    return dtypes.as_dtype(floatx() if value is None else value)


show(__name__, __all__)
