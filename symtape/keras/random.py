"""`tf.keras.random`: numbers that depend on a seed alone, and generators of seeds."""

from __future__ import annotations

import random as python_random
from typing import Any

import numpy as np

from symtape.keras.backend import dtype_of
from symtape.keras.bases.naming import auto_name, scope
from symtape.keras.bases.variable import Variable
from symtape.namespace import show
from symtape.ops.elementwise.arithmetic import multiply, where
from symtape.ops.elementwise.conversion import cast
from symtape.ops.random import stateless
from symtape.ops.shapes.creation import zeros_like
from symtape.tensor.convert import convert
from symtape.tensor.recording.active import changing
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of, value_of

__all__ = ["SeedGenerator", "dropout", "normal", "truncated_normal", "uniform"]

_LARGEST = 2**31 - 2


def default_seed() -> int:
    """Draw a seed from Python's generator, as Keras does for each initializer without one."""
    changing()
    return python_random.randint(1, int(1e9))  # noqa: S311 - Keras's sequence, not a secret


class SeedGenerator:
    """Gives another seed at each call; its state is a variable.

    >>> SeedGenerator(7).next().numpy().tolist()
    [7, 0]
    """

    def __init__(self, seed: int | None = None, name: str | None = None) -> None:
        self.name = auto_name(type(self).__name__) if name is None else name
        start = default_seed() if seed is None else seed
        if not isinstance(start, int):
            raise ValueError(f"Argument `seed` must be an integer. Received: seed={seed}")
        with scope(self.name, self):
            self.state = Variable(
                np.array([start, 0]), trainable=False, name="seed_generator_state"
            )

    def next(self, ordered: bool = True) -> Tensor:
        """Give the present seed, and move on."""
        now = self.state.numpy()
        self.state.assign(now + np.array([0, 1]) if ordered else (now + 1) * 5387 % 933199)
        return Tensor(now)


class _Shared:
    """The generator that serves calls without a seed, made when it is first needed."""

    generator: SeedGenerator | None = None


def forget_shared() -> None:
    """Start the shared generator anew when it is next needed."""
    _Shared.generator = None


def _pair(seed: Any) -> Tensor:
    """Make the two integers of a stateless draw."""
    if isinstance(seed, SeedGenerator):
        drawn = value_of(seed.next())
    elif isinstance(seed, int):
        drawn = np.array([seed, 0])
    elif seed is None:
        _Shared.generator = _Shared.generator or SeedGenerator()
        drawn = value_of(_Shared.generator.next(ordered=False))
    else:
        raise ValueError(
            "Argument `seed` must be either an integer or an instance of `SeedGenerator`. "
            f"Received: seed={seed} (of type {type(seed)})"
        )
    return Tensor(np.mod(drawn, _LARGEST).astype(np.int32))


def normal(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = None, seed: Any = None
) -> Tensor:
    """Draw from a normal distribution; `UnsupportedError` for a dtype that is "mixed".

    >>> normal((2, 3), seed=1).shape
    TensorShape([2, 3])
    """
    return stateless.stateless_normal(shape, _pair(seed), mean, stddev, dtype_of(dtype))


def truncated_normal(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = None, seed: Any = None
) -> Tensor:
    """Draw from a normal distribution what is less than two deviations away from the mean.

    Raises `UnsupportedError` for a dtype that is "mixed".

    >>> bool(abs(truncated_normal((9,), seed=1).numpy()).max() <= 2.0)
    True
    """
    return stateless.stateless_truncated_normal(shape, _pair(seed), mean, stddev, dtype_of(dtype))


def uniform(
    shape: Any, minval: Any = 0.0, maxval: Any = 1.0, dtype: Any = None, seed: Any = None
) -> Tensor:
    """Draw from [minval, maxval); `UnsupportedError` for a dtype that is "mixed".

    >>> uniform((2, 3), seed=1).shape
    TensorShape([2, 3])
    """
    found = dtype_of(dtype)
    low, high = cast(minval, found), cast(maxval, found)
    return stateless.stateless_uniform(shape, _pair(seed), low, high, found)


def dropout(inputs: Any, rate: float, noise_shape: Any = None, seed: Any = None) -> Tensor:
    """Set a share `rate` of the elements to 0 and divide the others by 1 - rate.

    >>> dropout([1.0, 1.0, 1.0, 1.0], 0.5, seed=3).shape
    TensorShape([4])
    """
    x = convert(inputs)
    if rate == 1:
        return zeros_like(x)
    if rate == 0:
        return x
    sizes = shape_of(x)
    if noise_shape is not None:
        sizes = tuple(n if k is None else k for n, k in zip(sizes, noise_shape, strict=True))
    drawn = stateless.stateless_uniform(sizes, _pair(seed), dtype=x.dtype)
    keep = Tensor(value_of(drawn) >= x.dtype.numpy.type(rate))
    return where(keep, multiply(x, 1 / (1 - rate)), 0)


show(__name__, __all__)
