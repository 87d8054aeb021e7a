"""`tf.constant_initializer` and its kin: first values, made once a shape is known.

They are TensorFlow's own, which are not those of Keras: with a seed they draw as the stateless
operations do, the same numbers at each call.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from symtape.ops.elementwise.conversion import constant
from symtape.ops.random import drawn, stateless
from symtape.ops.shapes import creation
from symtape.tensor import dtypes
from symtape.tensor.dtypes import DType
from symtape.tensor.tensor import Tensor

_PARTS = ["partition_shape", "partition_offset"]


class Initializer:
    """The base: called with a shape and a dtype, it gives a tensor.

    `partition_shape`, with which a part of a variable is made, stands for the shape.
    """

    def __call__(self, shape: Any, dtype: Any = None, **kwargs: Any) -> Tensor:
        """Make the first value, in a subclass."""
        raise NotImplementedError

    def get_config(self) -> dict[str, Any]:
        """List the arguments that the initializer was made with."""
        return dict(vars(self))

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        """Make an initializer from such a list."""
        return cls(**{name: value for name, value in config.items() if name != "dtype"})


def _shape(initializer: str, shape: Any, given: dict[str, Any], parts: bool = True) -> Any:
    """Give the shape that is wanted; refuse other arguments by name."""
    for name in given:
        if name not in _PARTS:
            raise TypeError(f"Keyword argument should be one of {_PARTS}. Received: {name}")
        if not parts:
            raise ValueError(
                f"{initializer} initializer doesn't support partition-related arguments"
            )
    return given.get("partition_shape", shape)


def _numeric(found: DType, *, fits: bool) -> DType:
    if not fits:
        raise ValueError(f"Argument `dtype` expected to be numeric or boolean. Received {found}.")
    return found


class Zeros(Initializer):
    """Zeros (`tf.zeros_initializer`).

    >>> Zeros()([2]).numpy()
    array([0., 0.], dtype=float32)
    """

    def __call__(self, shape: Any, dtype: Any = dtypes.float32, **kwargs: Any) -> Tensor:
        """Make the first value; raises `ValueError` for a dtype of text."""
        wanted, found = _shape("Zeros", shape, kwargs), dtypes.as_dtype(dtype)
        return creation.zeros(wanted, _numeric(found, fits=found is not dtypes.string))


class Ones(Initializer):
    """Ones (`tf.ones_initializer`).

    >>> Ones()([2]).numpy()
    array([1., 1.], dtype=float32)
    """

    def __call__(self, shape: Any, dtype: Any = dtypes.float32, **kwargs: Any) -> Tensor:
        """Make the first value; raises `ValueError` for a dtype of text."""
        wanted, found = _shape("Ones", shape, kwargs), dtypes.as_dtype(dtype)
        return creation.ones(wanted, _numeric(found, fits=found is not dtypes.string))


class Constant(Initializer):
    """A number, or the elements of a list in order (`tf.constant_initializer`).

    Raises `TypeError` for a tensor.

    >>> Constant([1.0, 2.0])([2, 1]).numpy().tolist()
    [[1.0], [2.0]]
    """

    def __init__(self, value: Any = 0, support_partition: bool = False) -> None:
        if not (np.isscalar(value) or isinstance(value, (list, tuple, np.ndarray))):
            raise TypeError(
                f"Invalid type for initial value: {type(value).__name__}. Expected Python scalar, "
                "list or tuple of values, or numpy.ndarray."
            )
        self.value, self._support_partition = value, support_partition

    def __call__(self, shape: Any, dtype: Any = None, **kwargs: Any) -> Tensor:
        """Make the first value; raises `TypeError` if elements and shape do not fit."""
        _shape("Constant", shape, kwargs, self._support_partition)
        return constant(self.value, dtype, shape)

    def get_config(self) -> dict[str, Any]:
        """List the value."""
        return {"value": self.value}


class RandomUniform(Initializer):
    """Draws from [minval, maxval) (`tf.random_uniform_initializer`).

    >>> RandomUniform(0.0, 1.0, seed=3)([2]).shape
    TensorShape([2])
    """

    def __init__(self, minval: Any = -0.05, maxval: Any = 0.05, seed: Any = None) -> None:
        self.minval, self.maxval, self.seed = minval, maxval, seed

    def __call__(self, shape: Any, dtype: Any = dtypes.float32, **kwargs: Any) -> Tensor:
        """Make the first value; raises `ValueError` for a dtype that is not real."""
        wanted, found = _shape("RandomUniform", shape, kwargs), dtypes.as_dtype(dtype)
        _numeric(found, fits=found.is_floating or found.is_integer)
        ends = self.minval, self.maxval
        if self.seed is None:
            return drawn.uniform(wanted, *ends, found)
        return stateless.stateless_uniform(wanted, [self.seed, 0], *ends, found)


class RandomNormal(Initializer):
    """Draws from a normal distribution (`tf.random_normal_initializer`).

    >>> RandomNormal(seed=3)([2]).numpy()
    array([-0.03357924,  0.08380252], dtype=float32)
    """

    def __init__(self, mean: Any = 0.0, stddev: Any = 0.05, seed: Any = None) -> None:
        self.mean, self.stddev, self.seed = mean, stddev, seed

    def __call__(self, shape: Any, dtype: Any = dtypes.float32, **kwargs: Any) -> Tensor:
        """Make the first value; raises `ValueError` for a dtype that is no float."""
        wanted, found = _shape("RandomNormal", shape, kwargs), dtypes.as_dtype(dtype)
        if not found.is_floating:
            raise ValueError(
                f"Argument `dtype` is expected to be floating point. Received: {found}."
            )
        if self.seed is None:
            return drawn.normal(wanted, self.mean, self.stddev, found)
        return stateless.stateless_normal(wanted, [self.seed, 0], self.mean, self.stddev, found)


zeros_initializer = Zeros
ones_initializer = Ones
constant_initializer = Constant
random_uniform_initializer = RandomUniform
random_normal_initializer = RandomNormal
