"""The first values of weights as of TensorFlow 1, whose makers know a dtype: a line each."""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.ops.nn.fans import fans
from symtape.tensor import dtypes
from symtape.tensor.shape import TensorShape, from_argument
from symtape.tensor.tensor import Tensor

tf: Any = importlib.import_module(__name__.partition(".")[0])
"""The public face."""

Draw = Callable[[Any, Any], Tensor]
"""Makes a first value of a shape and a dtype."""

_STANDARD_DEVIATION = 0.87962566103423978
"""That of a normal number which is drawn again when it lies further than 2 from the mean."""


class Initializer:
    """Makes a first value of a shape, of its own dtype unless another is asked for.

    >>> Initializer(tf.ones, "float64")([2]).dtype
    tf.float64
    """

    def __init__(self, draw: Draw, dtype: Any, **config: Any) -> None:
        self.dtype = dtypes.as_dtype(dtype)
        self._draw, self._config = draw, config

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        """Make a first value; raises `ValueError` for a part of one."""
        if partition_info is not None:
            raise ValueError("partition_info: variables are whole, on one device")
        return self._draw(shape, self.dtype if dtype is None else dtype)

    def get_config(self) -> dict[str, Any]:
        """Give the arguments that make it."""
        return {**self._config, "dtype": self.dtype.name}


def _of_floats(draw: Draw, dtype: Any, **config: Any) -> Initializer:
    if not (kind := dtypes.as_dtype(dtype)).is_floating:
        raise ValueError(f"Argument `dtype` is expected to be floating point. Received: {kind}.")
    return Initializer(draw, kind, **config)


def _scaled(
    scale: float = 1.0,
    mode: str = "fan_in",
    distribution: str = "truncated_normal",
    seed: Any = None,
    dtype: Any = "float32",
) -> Initializer:
    """Draw with a variance of `scale` over the number of inputs, of outputs, or their mean."""
    if scale <= 0.0:
        raise ValueError(f"Argument `scale` must be a positive float. Received: {scale}")
    if mode not in {"fan_in", "fan_out", "fan_avg"}:
        raise ValueError(
            f"Argument `mode` should be one of ('fan_in', 'fan_out', 'fan_avg'). Received: {mode}"
        )
    if (kind := distribution.lower()) not in _DRAWN:
        raise ValueError(
            "Argument `distribution` should be one of ('normal', uniform', 'truncated_normal', "
            f"'untruncated_normal'). Received: {kind}"
        )

    def draw(shape: Any, dtype: Any) -> Tensor:
        inputs, outputs = fans(from_argument(shape))
        count = {"fan_in": inputs, "fan_out": outputs, "fan_avg": (inputs + outputs) / 2.0}[mode]
        made: Tensor = _DRAWN[kind](shape, scale / max(1.0, count), dtype, seed)
        return made

    return _of_floats(draw, dtype, scale=scale, mode=mode, distribution=kind, seed=seed)


def _truncated(shape: Any, variance: float, dtype: Any, seed: Any) -> Any:
    spread = math.sqrt(variance) / _STANDARD_DEVIATION
    return tf.random.truncated_normal(shape, 0.0, spread, dtype, seed)


def _uniform(shape: Any, variance: float, dtype: Any, seed: Any) -> Any:
    limit = math.sqrt(3.0 * variance)
    return tf.random.uniform(shape, -limit, limit, dtype, seed)


_DRAWN: dict[str, Callable[..., Any]] = {
    "normal": _truncated,
    "truncated_normal": _truncated,
    "uniform": _uniform,
    "untruncated_normal": lambda shape, variance, dtype, seed: tf.random.normal(
        shape, 0.0, math.sqrt(variance), dtype, seed
    ),
}


def _no_matrix(shape: Any) -> ValueError:
    return ValueError(
        "The tensor to initialize, specified by argument `shape` must be at least two-dimensional. "
        f"Received shape={shape}"
    )


def _matrix(shape: Any) -> list[int]:
    """Give the rows and columns of a weight, whose last axis is that of the columns."""
    sizes: list[Any] = TensorShape(shape).as_list()
    if len(sizes) < 2:
        raise _no_matrix(shape)
    return [math.prod(sizes[:-1]), sizes[-1]]


def _orthogonal(gain: float = 1.0, seed: Any = None, dtype: Any = "float32") -> Initializer:
    """Draw a matrix whose rows or columns are orthonormal, up to a factor."""

    def draw(shape: Any, dtype: Any) -> Tensor:
        rows, columns = _matrix(shape)
        tall = [max(rows, columns), min(rows, columns)]
        q, r = tf.linalg.qr(tf.random.normal(tall, dtype=dtype, seed=seed))
        q = q * tf.sign(tf.linalg.diag_part(r))
        made: Tensor = gain * tf.reshape(tf.transpose(q) if rows < columns else q, shape)
        return made

    return _of_floats(draw, dtype, gain=gain, seed=seed)


def _identity(gain: float = 1.0, dtype: Any = "float32") -> Initializer:
    """Make a multiple of a unit matrix."""

    def draw(shape: Any, dtype: Any) -> Tensor:
        if len(TensorShape(shape)) != 2:
            raise _no_matrix(shape)
        made: Tensor = gain * tf.eye(*_matrix(shape), dtype=dtype)
        return made

    return _of_floats(draw, dtype, gain=gain)


def _constant(value: Any = 0, dtype: Any = "float32", verify_shape: bool = False) -> Initializer:
    """Give numbers; raises `TypeError` for a tensor."""
    if not (np.isscalar(value) or isinstance(value, (list, tuple, np.ndarray))):
        raise TypeError(
            f"Invalid type for initial value={value} of type: {type(value).__name__}. Expected "
            "Python scalar, list or tuple of values, or numpy.ndarray."
        )
    return Initializer(lambda shape, kind: tf.constant(value, kind, shape), dtype, value=value)


def _glorot(distribution: str) -> Callable[..., Initializer]:
    """Draw floats of 32 bits whatever `dtype` says: TensorFlow does not pass it on."""

    def make(seed: Any = None, dtype: Any = "float32") -> Initializer:
        made = _scaled(1.0, "fan_avg", distribution, seed)
        return Initializer(made, "float32", seed=seed)

    return make


def _by_fan_in(scale: float, distribution: str) -> Callable[..., Initializer]:
    return lambda seed=None: _scaled(scale, "fan_in", distribution, seed)


_NAMED: dict[str, Callable[..., Initializer]] = {
    "constant": _constant,
    "glorot_normal": _glorot("truncated_normal"),
    "glorot_uniform": _glorot("uniform"),
    "identity": _identity,
    "ones": lambda dtype="float32": Initializer(tf.ones, dtype),
    "orthogonal": _orthogonal,
    "random_normal": lambda mean=0.0, stddev=1.0, seed=None, dtype="float32": _of_floats(
        lambda shape, kind: tf.random.normal(shape, mean, stddev, kind, seed),
        dtype, mean=mean, stddev=stddev, seed=seed,
    ),
    "random_uniform": lambda minval=0.0, maxval=None, seed=None, dtype="float32": Initializer(
        lambda shape, kind: tf.random.uniform(shape, minval, maxval, kind, seed),
        dtype, minval=minval, maxval=maxval, seed=seed,
    ),
    "truncated_normal": lambda mean=0.0, stddev=1.0, seed=None, dtype="float32": _of_floats(
        lambda shape, kind: tf.random.truncated_normal(shape, mean, stddev, kind, seed),
        dtype, mean=mean, stddev=stddev, seed=seed,
    ),
    "variance_scaling": _scaled,
    "zeros": lambda dtype="float32": Initializer(tf.zeros, dtype),
}  # fmt: skip
INITIALIZERS: dict[str, Callable[..., Any]] = {
    **{f"{name}_initializer": make for name, make in _NAMED.items() if name != "identity"},
    **{f"initializers.{name}": make for name, make in _NAMED.items()},
    "initializers.he_normal": _by_fan_in(2.0, "truncated_normal"),
    "initializers.he_uniform": _by_fan_in(2.0, "uniform"),
    "initializers.lecun_normal": _by_fan_in(1.0, "truncated_normal"),
    "initializers.lecun_uniform": _by_fan_in(1.0, "uniform"),
}
"""Each maker by its names after `tf.compat.v1.`."""
