"""`tf.keras.initializers`: the first values of weights."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.keras import random
from symtape.keras.backend import dtype_of
from symtape.keras.random import SeedGenerator, default_seed
from symtape.namespace import show
from symtape.ops.elementwise.arithmetic import multiply
from symtape.ops.elementwise.conversion import cast
from symtape.ops.nn.fans import fans
from symtape.ops.shapes import creation
from symtape.tensor.convert import convert
from symtape.tensor.shape import from_argument
from symtape.tensor.tensor import Tensor
from symtape.tensor.variables.variable import Variable

_STANDARD_DEVIATION = 0.87962566103423978
"""That of a normal distribution of deviation 1, cut off at two deviations."""


class Initializer:
    """The base: called with a shape and a dtype, it gives a tensor."""

    def __call__(self, shape: Any, dtype: Any = None) -> Tensor:
        """Make the first value, in a subclass."""
        raise NotImplementedError("Initializer subclasses must implement the `__call__()` method.")


class Zeros(Initializer):
    """Zeros.

    >>> Zeros()((2,)).numpy()
    array([0., 0.], dtype=float32)
    """

    def __call__(self, shape: Any, dtype: Any = None) -> Tensor:
        """Make the first value; `UnsupportedError` for a dtype that is "mixed"."""
        return creation.zeros(shape, dtype_of(dtype))


class Ones(Initializer):
    """Ones."""

    def __call__(self, shape: Any, dtype: Any = None) -> Tensor:
        """Make the first value; `UnsupportedError` for a dtype that is "mixed"."""
        return creation.ones(shape, dtype_of(dtype))


class Constant(Initializer):
    """One number, or an array that broadcasts to the shape."""

    def __init__(self, value: Any = 0.0) -> None:
        self.value = value

    def __call__(self, shape: Any, dtype: Any = None) -> Tensor:
        """Make the first value; `UnsupportedError` for a dtype that is "mixed"."""
        found = dtype_of(dtype)
        return multiply(cast(convert(self.value), found), creation.ones(shape, found))


class RandomInitializer(Initializer):
    """The base of those that draw; without a seed they take one from Python's generator.

    One initializer gives the same numbers each time, unless its seed is a `SeedGenerator`.
    """

    def __init__(self, seed: Any = None) -> None:
        if seed is not None and not isinstance(seed, (int, SeedGenerator)):
            raise ValueError(
                "`seed` argument should be an instance of `keras.random.SeedGenerator()` or an "
                f"integer. Received: seed={seed}"
            )
        self.seed = default_seed() if seed is None else seed


class RandomNormal(RandomInitializer):
    """Draws from a normal distribution."""

    def __init__(self, mean: float = 0.0, stddev: float = 0.05, seed: Any = None) -> None:
        self.mean, self.stddev = mean, stddev
        super().__init__(seed)

    def __call__(self, shape: Any, dtype: Any = None) -> Tensor:
        """Make the first value; `UnsupportedError` for a dtype that is "mixed"."""
        return random.normal(shape, self.mean, self.stddev, dtype, self.seed)


class TruncatedNormal(RandomNormal):
    """Draws from a normal distribution what is less than two deviations away from the mean."""

    def __call__(self, shape: Any, dtype: Any = None) -> Tensor:
        """Make the first value; `UnsupportedError` for a dtype that is "mixed"."""
        return random.truncated_normal(shape, self.mean, self.stddev, dtype, self.seed)


class RandomUniform(RandomInitializer):
    """Draws from [minval, maxval)."""

    def __init__(self, minval: float = -0.05, maxval: float = 0.05, seed: Any = None) -> None:
        self.minval, self.maxval = minval, maxval
        super().__init__(seed)

    def __call__(self, shape: Any, dtype: Any = None) -> Tensor:
        """Make the first value; `UnsupportedError` for a dtype that is "mixed"."""
        return random.uniform(shape, self.minval, self.maxval, dtype, self.seed)


class VarianceScaling(RandomInitializer):
    """Draws with a variance of `scale` over the number of inputs, of outputs, or their mean.

    `mode` is "fan_in", "fan_out" or "fan_avg"; `distribution` is "truncated_normal",
    "untruncated_normal" or "uniform".
    """

    def __init__(
        self,
        scale: float = 1.0,
        mode: str = "fan_in",
        distribution: str = "truncated_normal",
        seed: Any = None,
    ) -> None:
        if scale <= 0.0:
            raise ValueError(f"Argument `scale` must be positive float. Received: scale={scale}")
        kind = distribution.lower()
        kind = "truncated_normal" if kind == "normal" else kind
        for name, given, known in (
            ("mode", mode, ("fan_in", "fan_out", "fan_avg")),
            ("distribution", kind, ("uniform", "truncated_normal", "untruncated_normal")),
        ):
            if given not in known:
                raise ValueError(
                    f"Invalid `{name}` argument: {given}. Please use one of {set(known)}"
                )
        self.scale, self.mode, self.distribution = scale, mode, kind
        super().__init__(seed)

    def __call__(self, shape: Any, dtype: Any = None) -> Tensor:
        """Make the first value; `UnsupportedError` for a dtype that is "mixed"."""
        fan_in, fan_out = fans(from_argument(shape))
        fan = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2}[self.mode]
        scale = self.scale / max(1.0, fan)
        if self.distribution == "uniform":
            limit = math.sqrt(3.0 * scale)
            return random.uniform(shape, -limit, limit, dtype, self.seed)
        stddev = math.sqrt(scale)
        if self.distribution == "untruncated_normal":
            return random.normal(shape, 0.0, stddev, dtype, self.seed)
        return random.truncated_normal(shape, 0.0, stddev / _STANDARD_DEVIATION, dtype, self.seed)


def _scaling(name: str, scale: float, mode: str, distribution: str) -> type[VarianceScaling]:
    def __init__(self: Any, seed: Any = None) -> None:  # noqa: N807 - it becomes the method
        VarianceScaling.__init__(self, scale, mode, distribution, seed)

    doc = f"`VarianceScaling` of scale {scale:g}, {mode}, {distribution.replace('_', ' ')}."
    return type(name, (VarianceScaling,), {"__init__": __init__, "__doc__": doc})


GlorotUniform = _scaling("GlorotUniform", 1.0, "fan_avg", "uniform")
GlorotNormal = _scaling("GlorotNormal", 1.0, "fan_avg", "truncated_normal")
HeUniform = _scaling("HeUniform", 2.0, "fan_in", "uniform")
HeNormal = _scaling("HeNormal", 2.0, "fan_in", "truncated_normal")

constant = Constant
glorot_normal = GlorotNormal
glorot_uniform = GlorotUniform
he_normal = HeNormal
he_uniform = HeUniform
ones = Ones
random_normal = RandomNormal
random_uniform = RandomUniform
truncated_normal = TruncatedNormal
variance_scaling = VarianceScaling
zeros = Zeros

__all__ = [
    "Constant",
    "GlorotNormal",
    "GlorotUniform",
    "HeNormal",
    "HeUniform",
    "Initializer",
    "Ones",
    "RandomNormal",
    "RandomUniform",
    "TruncatedNormal",
    "VarianceScaling",
    "Zeros",
    "constant",
    "get",
    "glorot_normal",
    "glorot_uniform",
    "he_normal",
    "he_uniform",
    "ones",
    "random_normal",
    "random_uniform",
    "truncated_normal",
    "variance_scaling",
    "zeros",
]


_ALIASES = {"normal": "RandomNormal", "one": "Ones", "uniform": "RandomUniform", "zero": "Zeros"}


def get(identifier: Any) -> Callable[..., Any] | None:
    """Find an initializer by its name; a class is called, an array gives itself.

    Raises `ValueError` for anything else that cannot be called.

    >>> type(get("glorot_uniform")).__name__
    'GlorotUniform'
    """
    if identifier is None:
        return None
    if isinstance(identifier, (Tensor, Variable, np.ndarray, np.generic)):
        return _giving(identifier)
    if isinstance(identifier, str):
        identifier = _ALIASES.get(identifier, identifier)
    named = globals()[identifier] if identifier in __all__ else identifier
    found: Callable[..., Any] = named() if isinstance(named, type) else named
    if callable(found) and found is not get:
        return found
    raise ValueError(f"Could not interpret initializer identifier: {identifier}")


def _giving(values: Any) -> Callable[..., Tensor]:
    def give(shape: Any, dtype: Any = None) -> Tensor:
        if from_argument(shape) != tuple(values.shape):
            raise ValueError(
                f"Expected `shape` to be {values.shape} for direct tensor as initializer. "
                f"Received shape={shape}"
            )
        return cast(values, dtype_of(dtype))

    return give


show(__name__, __all__)
