"""`tf.random.categorical`: classes drawn by the logarithms of their weights."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from symtape.errors import NotFoundError
from symtape.ops.arguments import REALS, check, integers, is_tensor, listed
from symtape.ops.random.drawing import philox
from symtape.ops.random.drawing.philox import Stream
from symtape.ops.random.seeds import SEEDS
from symtape.ops.runtime.threads import threads_of_operations
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided
from symtape.tensor.dispatch import invalid, mismatch
from symtape.tensor.dtypes import DType
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of

_OP = "Multinomial"
_SIGNATURE = "logits:T, num_samples:int32 -> output:output_dtype"


def categorical(
    logits: Any, num_samples: Any, dtype: Any = None, seed: Any = None, name: str | None = None
) -> Tensor:
    """Draw `num_samples` classes for each row of logits; no gradient flows through.

    The numbers are TensorFlow's on this machine, to the bit: it cuts a large batch into blocks of
    rows, as its threads ask for, and each block draws for itself. There are as many threads as
    `tf.config.threading`, TF_NUM_INTRAOP_THREADS or else the processors say. `dtype` is int32 or
    int64. Raises `ValueError` for another, `InvalidArgumentError` for logits that are no matrix,
    and `NotFoundError` for integers.

    >>> categorical([[0.0, 100.0], [100.0, 0.0]], 3).numpy()
    array([[1, 1, 1],
           [0, 0, 0]])
    """
    x = convert(logits)
    found = dtypes.int64 if not dtype else dtypes.as_dtype(dtype)
    if found not in {dtypes.int32, dtypes.int64}:
        raise ValueError(
            f"Argument `dtype` got invalid value {found}. Accepted dtypes are "
            f"{(dtypes.int32, dtypes.int64)}."
        )
    count = checked(x, convert(num_samples, None if is_tensor(num_samples) else dtypes.int32))
    kind = (_OP, x.dtype.name, found.name)
    stream = SEEDS.stream(kind, seed, len(x) * -(-count // 4) * 8 * philox.RESERVED)
    return drawn(x, count, stream, found)


def drawn(x: Tensor, count: int, stream: Stream, dtype: DType) -> Tensor:
    """Draw so many classes for each row of logits by the numbers of a stream."""
    rows, classes = shape_of(x)
    chosen = np.empty((rows, count), dtype.numpy)
    size = _rows_at_once(rows, classes, count)
    logits = decided(x)
    for start in range(0, rows, size):
        part = logits[start : start + size]
        own = stream.skip(start * (count + 3) // 4)
        draws = philox.uniform(own, len(part) * count, np.dtype("float64"))
        for k, row in enumerate(part):
            chosen[start + k] = _classes(row, draws[k * count : (k + 1) * count])
    return Tensor(chosen)


def checked(x: Tensor, count: Tensor) -> int:
    """Check logits and the number of draws, and give that number."""
    check(_OP, x, REALS, _SIGNATURE)
    if x.dtype.is_integer:
        raise NotFoundError(message=f"Could not find device for node: {{{{node {_OP}}}}} = {_OP}")
    if count.dtype is not dtypes.int32:
        raise mismatch(_OP, convert(0), count)
    shape = shape_of(x)
    if len(shape) != 2:
        raise invalid(_OP, f"logits should be a matrix, got shape {listed(shape)}")
    if shape_of(count):
        text = f"num_samples should be a scalar, got shape {listed(shape_of(count))}"
        raise invalid(_OP, text)
    (number,) = integers(count)
    if number < 0:
        raise invalid(_OP, f"num_samples should be non-negative, got {number}")
    if shape[1] < 1:
        raise invalid(_OP, f"num_classes should be positive, got {shape[1]}")
    return number


def _rows_at_once(rows: int, classes: int, count: int) -> int:
    """Say how many rows TensorFlow gives to a thread at once, by its estimate of what they cost.

    A block is worth 40,000 cycles, and is made larger while that leaves no thread idle.
    """
    threads = threads_of_operations()
    cost = int(50 * (count * math.log(classes) / math.log(2) + classes))
    if rows <= 1 or threads == 1 or int((rows * cost - 100_000) / 100_000 + 0.9) <= 1:
        return max(rows, 1)
    size = min(rows, max(-(-rows // (4 * threads)), int(40_000 / cost)))
    most, number = min(rows, 2 * size), -(-rows // size)
    best = _busy(number, threads)
    while best < 1 and number > 1:
        coarser = -(-rows // (number - 1))
        if coarser > most:
            break
        number = -(-rows // coarser)
        if _busy(number, threads) + 0.01 >= best:
            size, best = coarser, max(best, _busy(number, threads))
    return size


def _busy(number: int, threads: int) -> float:
    """Give the part of the threads' time that a number of equal blocks fills."""
    return number / (-(-number // threads) * threads)


def _classes(logits: Any, draws: Any) -> Any:
    """Choose the class whose part of the running sum of weights a draw falls into."""
    wide = logits.astype(np.float64)
    finite = np.isfinite(wide)
    with np.errstate(all="ignore"):
        weights = np.exp(wide - wide[finite].max(initial=-np.finfo(np.float64).max))
    sums = np.cumsum(np.where(finite, weights, 0.0))
    return np.searchsorted(sums, draws * sums[-1], side="right")
