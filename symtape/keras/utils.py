"""`tf.keras.utils`: one seed for everything that draws."""

from __future__ import annotations

import random as python_random

import numpy as np

from symtape.keras.backend import clear_session
from symtape.keras.random import forget_shared
from symtape.namespace import show
from symtape.ops.random import drawn as random

__all__ = ["clear_session", "set_random_seed"]


def set_random_seed(seed: int) -> None:
    """Set the seed of Python's `random`, of NumPy, of `tf.random`, and so of new layers.

    Raises `ValueError` unless it is an integer.

    >>> set_random_seed(3)
    """
    if not isinstance(seed, int):
        raise ValueError(
            f"Expected `seed` argument to be an integer. Received: seed={seed} "
            f"(of type {type(seed)})"
        )
    forget_shared()
    python_random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002 - what Keras does, for scripts that use it
    random.set_seed(seed)


show(__name__, __all__)
