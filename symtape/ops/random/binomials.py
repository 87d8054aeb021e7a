"""Binomial numbers, from the stream of a seed or of a generator."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from symtape.ops.arguments import allowed, check, same_dtype
from symtape.ops.random.drawing import rejection
from symtape.ops.random.drawing.philox import Stream
from symtape.ops.random.draws import check_end, in_shape, sizes
from symtape.tensor import dtypes
from symtape.tensor.decided import decided
from symtape.tensor.dispatch import invalid, listed, no_kernel
from symtape.tensor.tensor import Tensor

_EVENTS = allowed("half, float, double, int32, int64")
_BINOMIAL = "shape:S, seed:Tseed, counts:T, probs:T -> output:dtype"


def binomial(
    op: str,
    shape: Any,
    counts: Tensor,
    probs: Tensor,
    kind: dtypes.DType,
    stream: Callable[[int], Stream],
) -> Tensor:
    """Draw from binomial distributions, from the stream that is given for some counters.

    Raises `InvalidArgumentError` and `NotFoundError` for what TensorFlow's operation does not take.
    """
    check(op, Tensor(np.empty((), kind.numpy)), _EVENTS, _BINOMIAL, "dtype")
    check(op, counts, _EVENTS, _BINOMIAL)
    same_dtype(op, counts, probs, 3)
    if counts.dtype.is_integer:
        raise no_kernel(op, counts)
    trials, chances = np.asarray(decided(counts)), np.asarray(decided(probs))
    wanted, _ = sizes(op, shape)
    try:
        inner = np.broadcast_shapes(trials.shape, chances.shape)
    except ValueError:
        both = f"{listed(trials.shape)} vs. {listed(chances.shape)}"
        text = f"counts and probs must have compatible batch dimensions: {both}"
        raise invalid(op, text) from None
    check_end(op, wanted, inner)
    batch, repeats = prod(inner), prod(wanted[: len(wanted) - len(inner)])
    reserved = batch * 2 * 100 * (repeats + 3) // 4
    n, p = np.broadcast_to(trials, inner), np.broadcast_to(chances, inner)
    return in_shape(rejection.binomial(stream(reserved), n, p, repeats), wanted, kind)
