"""Pools whose windows are drawn: tf.nn.fractional_max_pool, fractional_avg_pool (Graham, 2014)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from symtape.errors import InvalidArgumentError
from symtape.ops.arguments import allowed, check, tensor
from symtape.ops.attributes import attributes, boolean
from symtape.ops.elementwise.conversion import cast
from symtape.ops.elementwise.truncation import truncatediv
from symtape.ops.indexing.gathering import gather
from symtape.ops.linalg.contraction import einsum
from symtape.ops.random.drawing.philox import WORDS, Stream
from symtape.ops.random.drawing.words import Words
from symtape.ops.random.seeds import SEEDS, fresh
from symtape.ops.shapes.shaping import with_shape
from symtape.tensor.decided import decided
from symtape.tensor.dispatch import invalid
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of

_KINDS = allowed("float, double, int32, int64")


class FractionalMaxPool(NamedTuple):
    """What a pool gives, and where its windows begin along rows and columns, with the end."""

    output: Tensor
    row_pooling_sequence: Tensor
    col_pooling_sequence: Tensor


class FractionalAvgPool(NamedTuple):
    """See `FractionalMaxPool`."""

    output: Tensor
    row_pooling_sequence: Tensor
    col_pooling_sequence: Tensor


@attributes(pseudo_random=boolean(False), overlapping=boolean(False))
def fractional_max_pool(
    value: Any,
    pooling_ratio: Any,
    pseudo_random: bool = False,
    overlapping: bool = False,
    seed: Any = 0,
    name: str | None = None,
) -> FractionalMaxPool:
    """The largest elements of windows of an image [batch, rows, columns, channels].

    `pooling_ratio` says how much smaller the result is: a number, or four of which the first and
    the last are 1; none is below 1. Windows have two sizes that differ by one; which comes
    where is drawn, by `seed` as in TensorFlow, or anew each time for 0. With `pseudo_random` they
    are spread evenly, and with `overlapping` each takes the first elements of the next. The
    gradient goes to the first largest element. Raises `ValueError` for other ratios, and
    `InvalidArgumentError` for other ranks and dtypes, and ratios that leave nothing.

    >>> image = np.arange(9.0).reshape(1, 3, 3, 1)
    >>> found = fractional_max_pool(image, 1.5, seed=1)
    >>> found.row_pooling_sequence.numpy()[[0, -1]], found.output.shape
    (array([0, 3]), TensorShape([1, 2, 2, 1]))
    """
    ratios = _ratios(pooling_ratio)
    x = _image("FractionalMaxPool", value, ratios)
    rows, columns = _windows(x, ratios, pseudo_random, seed)
    return FractionalMaxPool(_largest(x, rows, columns, overlapping), *map(Tensor, (rows, columns)))


@attributes(pseudo_random=boolean(False), overlapping=boolean(False))
def fractional_avg_pool(
    value: Any,
    pooling_ratio: Any,
    pseudo_random: bool = False,
    overlapping: bool = False,
    seed: Any = 0,
    name: str | None = None,
) -> FractionalAvgPool:
    """The means of windows of an image [batch, rows, columns, channels].

    `pooling_ratio` is a list of four numbers; the rest is as `fractional_max_pool` has it. Raises
    `TypeError` for a ratio that is no list, and `InvalidArgumentError` for what does not fit.

    >>> image = np.arange(9.0).reshape(1, 3, 3, 1)
    >>> fractional_avg_pool(image, [1.0, 1.5, 1.5, 1.0], seed=1).output.shape
    TensorShape([1, 2, 2, 1])
    """
    if not isinstance(pooling_ratio, (list, tuple)):
        raise TypeError(
            "Expected list for 'pooling_ratio' argument to 'fractional_avg_pool' Op, not "
            f"{pooling_ratio!r}."
        )
    op, ratios = "FractionalAvgPool", [float(ratio) for ratio in pooling_ratio]
    if len(ratios) < 4:
        raise InvalidArgumentError(
            message=f"Length for attr 'pooling_ratio' of {len(ratios)} must be at least minimum 4 "
            f"[Op:{op}]"
        )
    x = _image(op, value, ratios)
    rows, columns = _windows(x, ratios, pseudo_random, seed)
    return FractionalAvgPool(_mean(x, rows, columns, overlapping), *map(Tensor, (rows, columns)))


# --- arguments ------------------------------------------------------------------------------------


def _ratios(given: Any) -> list[float]:
    """Read one ratio or four; raises `ValueError` for what is below 1, or is for other axes."""
    shown = f"Received: pooling_ratio={given}"
    if not isinstance(given, (list, tuple)):
        if given < 1:
            raise ValueError(f"`pooling_ratio` should be >= 1.0. {shown}")
        return [1.0, float(given), float(given), 1.0]
    ratios = [float(ratio) for ratio in given]
    if any(ratio < 1 for ratio in ratios):
        raise ValueError(f"`pooling_ratio` elements should be >= 1.0. {shown}")
    if ratios[0] != 1 or ratios[-1] != 1:
        raise ValueError(
            f"`pooling_ratio` should have first and last elements with value 1.0. {shown}"
        )
    return ratios


def _image(op: str, value: Any, ratios: Sequence[float]) -> Tensor:
    x = tensor(value)
    check(op, x, _KINDS, "value:T -> output:T, row_pooling_sequence:int64")
    if x.ndim != 4:
        raise invalid(op, "tensor_in must be 4-dimensional")
    for k, (size, ratio) in enumerate(zip(shape_of(x), ratios, strict=True)):
        if ratio > size:
            raise invalid(
                op,
                f"Pooling ratio is higher than input dimension size for dimension {k}. Input dim "
                f"size: {size} pooling ratio: {ratio:g}",
            )
    return x


# --- windows --------------------------------------------------------------------------------------


def _windows(x: Tensor, ratios: Sequence[float], evenly: bool, seed: Any) -> tuple[Any, Any]:
    """Draw where windows begin along rows and columns, with the end."""
    pair = SEEDS.pair(seed) if seed else None
    stream = fresh() if pair is None else Stream(pair[0], pair[1] << 64)
    found = []
    for size, ratio in zip(shape_of(x)[1:3], ratios[1:3], strict=True):
        count = int(np.floor(np.float32(size) / np.float32(ratio)))
        draw = _spread if evenly else _shuffled
        found.append(np.append(0, np.cumsum(draw(size, count, Words(stream)))).astype(np.int64))
        stream = stream.skip(1 if evenly else -(-count // WORDS))
    return found[0], found[1]


def _shuffled(size: int, count: int, words: Words) -> Any:
    """Put sizes of windows, of which the larger ones came first, into a random order."""
    sizes = np.full(count, size // count)
    sizes[: size % count] += 1
    for k in range(count - 1):
        other = k + words.word() % (count - k)
        sizes[[k, other]] = sizes[[other, k]]
    return sizes


def _spread(size: int, count: int, words: Words) -> Any:
    """Let windows end where multiples of the ratio do, all moved by one number that is drawn."""
    ratio, least = size / count, size // count
    most = min((least + 2) / ratio - 1, (size + 1 - least) / ratio - (count - 1))
    moved = words.unit_double() * most
    inner = np.ceil(ratio * (np.arange(1, count) + moved)).astype(np.int64)
    return np.diff(np.concatenate([[1], inner, [size + 1]]))


def _places(starts: Any, size: int, overlapping: bool) -> list[Any]:
    """List the places of each window; those that overlap have the next one, too."""
    return [
        np.arange(start, min(end + (1 if overlapping else 0), size))
        for start, end in pairwise(starts.tolist())
    ]


def _largest(x: Tensor, rows: Any, columns: Any, overlapping: bool) -> Tensor:
    """Take the first largest element of each window of each channel."""
    batch, height, width, channels = shape_of(x)
    array = np.asarray(decided(x))
    numbers = np.arange(array.size).reshape(array.shape)
    lines = [_places(s, n, overlapping) for s, n in ((rows, height), (columns, width))]
    chosen = np.empty((batch, len(lines[0]), len(lines[1]), channels), np.int64)
    for at, of_rows in enumerate(lines[0]):
        for beside, of_columns in enumerate(lines[1]):
            cut = (slice(None), *np.ix_(of_rows, of_columns))
            first = array[cut].reshape(batch, -1, channels).argmax(1)[:, None]
            own = numbers[cut].reshape(batch, -1, channels)
            chosen[:, at, beside] = np.take_along_axis(own, first, 1)[:, 0]
    return gather(with_shape(x, (array.size,)), chosen)


def _mean(x: Tensor, rows: Any, columns: Any, overlapping: bool) -> Tensor:
    """Add up the elements of each window by two matrices, and divide by how many they are."""
    height, width = shape_of(x)[1:3]
    down, across = (
        np.stack([np.isin(np.arange(n), places) for places in _places(s, n, overlapping)])
        for s, n in ((rows, height), (columns, width))
    )
    totals = einsum("oh,bhwc,pw->bopc", cast(down, x.dtype), x, cast(across, x.dtype))
    counts = cast((down.sum(1)[:, None] * across.sum(1))[..., None], x.dtype)
    return totals / counts if x.dtype.is_floating else truncatediv(totals, counts)
