"""`tf.random.normal` and its kin: numbers equal to TensorFlow's for equal seeds.

Equal means to the bit for uniform numbers and integers; for normal ones too, where TensorFlow runs
on Linux with glibc, and to a unit in the last place elsewhere. Inside of a `tf.function` TensorFlow
numbers its operations in another way, so there only seeds of operations give its numbers.
"""

from __future__ import annotations

from functools import partial
from math import prod
from typing import Any

from symtape.ops.arguments import FEATURES, PLACES
from symtape.ops.elementwise.conversion import stop_gradient
from symtape.ops.random.drawing import gaussian, philox
from symtape.ops.random.draws import (
    Sampler,
    accepted,
    allowed,
    between,
    integer_sampler,
    parameter,
    permuted,
    sample,
    sizes,
    with_moments,
)
from symtape.ops.random.seeds import SEEDS
from symtape.program import operations as ops
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.dispatch import apply2
from symtape.tensor.dtypes import DType
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of, size_of
from symtape.tensor.within import WITHIN

_UNIFORM_DTYPES = ("float16", "bfloat16", "float32", "float64", "int32", "int64")


def set_seed(seed: Any) -> None:
    """Set the global seed: from here on, random operations give the same numbers in each run.

    `seed` is a number; None takes the seed away again. Raises `TypeError` for anything else.

    >>> set_seed(42)
    >>> normal([2]).numpy().tolist()
    [0.32746851444244385, -0.8426257967948914]
    """
    SEEDS.reset(seed)


def normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    seed: Any = None,
    name: str | None = None,
) -> Tensor:
    """Draw from normal distributions; a tape differentiates the result in `mean` and `stddev`.

    `shape` is a vector of integers; `mean` and `stddev` broadcast against it. `dtype` is float16,
    bfloat16, float32 or float64. Raises `InvalidArgumentError` for other shapes and dtypes.

    >>> normal([2, 3], mean=5.0, stddev=0.1, seed=1).shape
    TensorShape([2, 3])
    """
    draw = partial(_draw, "RandomStandardNormal", gaussian.normal, shape, seed)
    return with_moments(draw, mean, stddev, dtype)


def truncated_normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    seed: Any = None,
    name: str | None = None,
) -> Tensor:
    """Draw from normal distributions what is less than two deviations away from the mean.

    The arguments and errors are those of `normal`.

    >>> bool(abs(truncated_normal([1000]).numpy()).max() <= 2)
    True
    """
    draw = partial(_draw, "TruncatedNormal", gaussian.truncated_normal, shape, seed)
    return with_moments(draw, mean, stddev, dtype)


def uniform(
    shape: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = dtypes.float32,
    seed: Any = None,
    name: str | None = None,
) -> Tensor:
    """Draw from [minval, maxval); a tape differentiates floats in `minval` and `maxval`.

    `dtype` is float16, bfloat16, float32, float64, int32 or int64. For floats `maxval` is 1 unless
    given, and both ends broadcast against `shape`; for integers `maxval` must be given, and both
    ends are scalars. Raises `ValueError` for other dtypes and a missing `maxval`,
    `InvalidArgumentError` for other shapes and an empty range of integers.

    >>> uniform([2], maxval=10, dtype="int64", seed=1).dtype
    tf.int64
    """
    found = accepted(dtype, _UNIFORM_DTYPES)
    if maxval is None:
        if found.is_integer:
            raise ValueError(f"Must specify maxval for integer dtype {found!r}")
        maxval = 1
    if found.is_integer:
        count = prod(sizes("RandomUniformInt", shape)[0])
        sampler = integer_sampler("RandomUniformInt", minval, maxval, found, count)
        return _draw("RandomUniformInt", sampler, shape, seed, found)
    low, high = parameter("min", minval, found), parameter("max", maxval, found)
    drawn = _draw("RandomUniform", philox.uniform, shape, seed, found)
    if isinstance(minval, int) and minval == 0:
        unscaled = isinstance(maxval, int) and maxval == 1
        return drawn if unscaled else apply2(ops.multiply, drawn, high)
    return between(drawn, low, high)


def shuffle(value: Any, seed: Any = None, name: str | None = None) -> Tensor:
    """Permute a tensor along its first axis; no gradient flows through, as in TensorFlow.

    >>> sorted(shuffle([1, 2, 3]).numpy().tolist())
    [1, 2, 3]
    """
    tensor = convert(value)
    count = shape_of(tensor)[0] if tensor.ndim else 1
    stream = SEEDS.stream(("RandomShuffle", tensor.dtype.name), seed, (count + 2) // philox.WORDS)
    if size_of(tensor) <= 1 or count <= 1:
        return stop_gradient(tensor) if tensor.dtype.is_floating else tensor
    return permuted(tensor, stream, count)


def _draw(op: str, sampler: Sampler, shape: Any, seed: Any, dtype: DType) -> Tensor:
    """Draw with the seed of an operation, or the next one of the global sequence."""
    found, place = sizes(op, shape)
    allowed(op, dtype, PLACES if op == "RandomUniformInt" else FEATURES)
    kind = (op, dtype.name, place.name)

    def make(shape: tuple[int, ...]) -> Tensor:
        stream = SEEDS.stream(kind, seed, prod(shape) * philox.RESERVED)
        return sample(op, sampler, stream, shape, dtype)

    return make(found) if WITHIN.rows is None else WITHIN.rows.draw(kind, found, make)
