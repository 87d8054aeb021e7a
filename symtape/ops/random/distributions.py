"""Gamma, binomial and categorical numbers as functions of a seed alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from symtape.ops.arguments import is_tensor
from symtape.ops.elementwise.arithmetic import divide
from symtape.ops.random.categorical import checked, drawn
from symtape.ops.random.draws import sizes
from symtape.ops.random.stateless import stream_of
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.dispatch import invalid, listed
from symtape.tensor.recording.recorder import THREAD
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of, value_of


def stateless_categorical(
    logits: Any,
    num_samples: Any,
    seed: Any,
    dtype: Any = dtypes.int64,
    name: str | None = None,
) -> Tensor:
    """Draw `num_samples` classes for each row of logits: the same for the same seed.

    The numbers are TensorFlow's; arguments and errors are those of `tf.random.categorical`.

    >>> stateless_categorical([[0.0, 100.0], [100.0, 0.0]], 3, seed=[1, 2]).numpy()
    array([[1, 1, 1],
           [0, 0, 0]])
    """
    x = convert(logits)
    count = checked(x, convert(num_samples, None if is_tensor(num_samples) else dtypes.int32))
    return drawn(x, count, stream_of("StatelessMultinomial", seed, None), dtypes.as_dtype(dtype))


def stateless_gamma(
    shape: Any,
    seed: Any,
    alpha: Any,
    beta: Any = None,
    dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """Draw from gamma distributions: the same numbers for the same seed, other than TensorFlow's.

    `shape` ends with the shape that `alpha` and `beta` broadcast to. Raises `UnsupportedError` for
    parameters of another dtype, and where a tape would ask for the derivative by `alpha`.

    >>> stateless_gamma([2, 3], seed=[1, 2], alpha=[1.0, 2.0, 3.0]).shape
    TensorShape([2, 3])
    """
    kind = dtypes.as_dtype(dtype)
    strength = _given("alpha", alpha, kind)
    rate = _given("beta", 1.0 if beta is None else beta, kind)
    if any([recording.knows([strength]) for recording in THREAD.state.recordings]):
        raise UnsupportedError(
            "stateless_gamma: there is no derivative by alpha here, and alpha is watched; "
            "tf.stop_gradient(alpha) draws with it as a number"
        )
    numbers = np.asarray(value_of(strength, "stateless_gamma(alpha)"), np.float64)
    sample = _from_numpy(
        "StatelessRandomGammaV3",
        shape,
        seed,
        np.broadcast_shapes(numbers.shape, shape_of(rate)),
        lambda generator, wanted: generator.standard_gamma(numbers, wanted),
        kind,
    )
    return sample if beta is None else divide(sample, rate)


def stateless_binomial(
    shape: Any,
    seed: Any,
    counts: Any,
    probs: Any,
    output_dtype: Any = dtypes.int32,
    name: str | None = None,
) -> Tensor:
    """Draw from binomial distributions: the same for the same seed, other than TensorFlow's.

    `shape` ends with the shape that `counts` and `probs` broadcast to.

    >>> stateless_binomial([3], seed=[1, 2], counts=[10.0], probs=[1.0]).numpy()
    array([10, 10, 10], dtype=int32)
    """
    trials = np.asarray(value_of(convert(counts)), np.float64)
    chances = np.asarray(value_of(convert(probs)), np.float64)
    return _from_numpy(
        "StatelessRandomBinomial",
        shape,
        seed,
        np.broadcast_shapes(trials.shape, chances.shape),
        lambda generator, wanted: generator.binomial(trials.astype(np.int64), chances, wanted),
        dtypes.as_dtype(output_dtype),
    )


def _given(name: str, value: Any, kind: dtypes.DType) -> Tensor:
    """Read a parameter, which has the dtype of the result."""
    x = convert(value) if is_tensor(value) else convert(value, kind)
    if x.dtype is not kind:
        raise UnsupportedError(f"stateless_gamma: {name} of dtype {x.dtype.name}; cast it first")
    return x


def _from_numpy(
    op: str,
    shape: Any,
    seed: Any,
    inner: tuple[int, ...],
    draw: Callable[[np.random.Generator, tuple[int, ...]], Any],
    kind: dtypes.DType,
) -> Tensor:
    """Draw by NumPy's Philox, with the hashed seed as its key."""
    wanted, _ = sizes(op, shape)
    try:
        fits = np.broadcast_shapes(wanted, inner) == tuple(wanted)
    except ValueError:
        fits = False
    if not fits:
        raise invalid(
            op,
            f"Shape passed in must end with broadcasted shape: {listed(inner)} is no end of "
            f"{listed(wanted)}",
        )
    stream = stream_of(op, seed, None)
    source = np.random.Philox(counter=stream.counter, key=stream.key)
    return Tensor(np.asarray(draw(np.random.Generator(source), tuple(wanted)), kind.numpy)[()])
