"""Random numbers as a function of a seed alone (`tf.random.stateless_…`)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import prod
from typing import Any

import numpy as np

from symtape.ops.arguments import FEATURES, PLACES, listed
from symtape.ops.random.drawing import gaussian, philox
from symtape.ops.random.drawing.philox import Stream, scrambled
from symtape.ops.random.draws import (
    FULL_INTEGERS,
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
from symtape.ops.random.generator import Algorithm, algorithm_number
from symtape.tensor import dtypes
from symtape.tensor.convert import convert, stack
from symtape.tensor.decided import decided
from symtape.tensor.dispatch import follow, invalid
from symtape.tensor.dtypes import DType
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import look_at, shape_of, size_of

_UNIFORM_DTYPES = (
    *("float16", "bfloat16", "float32", "float64"),
    *("int32", "int64", "uint32", "uint64"),
)


def stateless_normal(
    shape: Any,
    seed: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    name: str | None = None,
    alg: Any = "auto_select",
) -> Tensor:
    """Draw from normal distributions: the same numbers for the same `seed`, two integers.

    The other arguments and the errors are those of `tf.random.normal`.

    >>> stateless_normal([3], seed=[1, 2]).numpy().tolist() == stateless_normal(
    ...     [3], seed=[1, 2]
    ... ).numpy().tolist()
    True
    """
    draw = partial(_draw, "StatelessRandomNormalV2", gaussian.normal, shape, seed, alg)
    return with_moments(draw, mean, stddev, dtypes.of_kernel(dtype, dtypes.float32))


def stateless_truncated_normal(
    shape: Any,
    seed: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    name: str | None = None,
    alg: Any = "auto_select",
) -> Tensor:
    """Draw normal numbers less than two deviations from the mean, as a function of a seed.

    >>> stateless_truncated_normal([2, 3], seed=[1, 2]).shape
    TensorShape([2, 3])
    """
    draw = partial(_draw, "StatelessTruncatedNormalV2", gaussian.truncated_normal, shape, seed, alg)
    return with_moments(draw, mean, stddev, dtypes.of_kernel(dtype, dtypes.float32))


def stateless_uniform(
    shape: Any,
    seed: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = dtypes.float32,
    name: str | None = None,
    alg: Any = "auto_select",
) -> Tensor:
    """Draw from [minval, maxval): the same numbers for the same `seed`, two integers.

    Integers of any size come with `minval=None, maxval=None`; else the arguments and errors are
    those of `tf.random.uniform`.

    >>> stateless_uniform([2], seed=[1, 2], minval=None, dtype="int32").numpy().tolist()
    [1105988140, 1738052849]
    """
    found = accepted(dtype, _UNIFORM_DTYPES)
    if found.is_integer:
        _check_ends(minval, maxval, found)
        if minval is None:
            op = "StatelessRandomUniformFullIntV2"
            return _draw(op, philox.full_integers, shape, seed, alg, found)
        op = "StatelessRandomUniformIntV2"
        count = prod(sizes(op, shape)[0])
        sampler = integer_sampler(op, minval, maxval, found, count)
        return _draw(op, sampler, shape, seed, alg, found)
    low = parameter("min", minval, found)
    high = parameter("max", 1 if maxval is None else maxval, found)
    drawn = _draw("StatelessRandomUniformV2", philox.uniform, shape, seed, alg, found)
    return between(drawn, low, high)


def _check_ends(minval: Any, maxval: Any, dtype: DType) -> None:
    if (minval is None) != (maxval is None):
        raise ValueError(
            f"For integer `dtype` argument {dtype}, argument `minval` and `maxval` must be both "
            f"None or not None. Got `minval`={minval} and `maxval`={maxval}."
        )
    if minval is not None and dtype.is_unsigned:
        raise ValueError(
            f"Argument `dtype` got invalid value {dtype} when argument `minval` is not None. "
            "Please don't use unsigned integers in this case."
        )


def split(seed: Any, num: int = 2, alg: Any = "auto_select") -> Tensor:
    """Make `num` seeds of one: a tensor of shape (num, 2) of the seed's dtype.

    >>> split([1, 2], 3).numpy().tolist()
    [[1105988140, 1738052849], [-335576002, 370444179], [10670227, -246211131]]
    """
    tensor = convert(seed)
    return stateless_uniform([num, 2], tensor, None, None, tensor.dtype, alg=alg)


def fold_in(seed: Any, data: Any, alg: Any = "auto_select") -> Tensor:
    """Make a seed of a seed and an integer, of the integer's dtype.

    >>> fold_in([1, 2], 3).numpy().tolist()
    [1105988140, 3]
    """
    number = convert(data)
    return stack([stateless_uniform([], seed, None, None, number.dtype, alg=alg), number])


def stateless_shuffle(
    value: Any, seed: Any, alg: Any = "auto_select", name: str | None = None
) -> Tensor:
    """Permute a tensor along its first axis, always in the same way for the same `seed`.

    >>> stateless_shuffle([0, 1, 2, 3, 4, 5], seed=[1, 2]).numpy().tolist()
    [4, 5, 0, 3, 1, 2]
    """
    tensor = convert(value)
    stream = stream_of("StatelessShuffle", seed, alg)
    count = shape_of(tensor)[0] if tensor.ndim else 1
    return permuted(tensor, stream, count) if size_of(tensor) > 1 and count > 1 else tensor


DRAWING: list[Callable[[Stream, tuple[int, ...], Callable[..., Any]], Any]] = []
"""Who draws arrays in another way than whole: given a stream, a shape, and what draws of both."""


def _draw(op: str, sampler: Sampler, shape: Any, seed: Any, alg: Any, dtype: DType) -> Tensor:
    drawn = stream_of(op, seed, alg)
    found, _ = sizes(op, shape)
    allowed(op, dtype, FULL_INTEGERS if "Int" in op else FEATURES)
    if not DRAWING:
        return follow(op, (), sample(op, sampler, drawn, found, dtype))

    def draw(stream: Stream, part: tuple[int, ...]) -> Any:
        return look_at(sample(op, sampler, stream, part, dtype))

    return follow(op, (), Tensor(DRAWING[-1](drawn, found, draw)))


def stream_of(op: str, seed: Any, alg: Any) -> Stream:
    """Hash a seed; raises `InvalidArgumentError` unless it is two integers."""
    key = "StatelessRandomGetKeyCounter"
    pair = convert(seed)
    allowed(key, pair.dtype, PLACES, "Tseed")
    if shape_of(pair) != (2,):
        raise invalid(key, f"seed must have shape [2], not {listed(shape_of(pair))}")
    if algorithm_number(Algorithm.AUTO_SELECT if alg is None else alg) == Algorithm.THREEFRY.value:
        raise invalid(
            op,
            "counter must be a vector with length at least 2; got shape: [1]. (Note that batched "
            "counters are not supported yet.)",
        )
    first, second = decided(pair).astype(np.int64).tolist()
    return scrambled((first, second))
