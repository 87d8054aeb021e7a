"""Gamma, Poisson, binomial and categorical numbers."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from symtape.errors import InvalidArgumentError, UnsupportedError
from symtape.ops.arguments import allowed, check, is_tensor
from symtape.ops.elementwise.arithmetic import divide, maximum
from symtape.ops.random.binomials import binomial
from symtape.ops.random.categorical import checked, drawn
from symtape.ops.random.drawing import rejection
from symtape.ops.random.drawing.philox import RESERVED
from symtape.ops.random.draws import check_end, in_shape, sizes
from symtape.ops.random.reparameterized import gamma_by_alpha
from symtape.ops.random.seeds import SEEDS
from symtape.ops.random.stateless import stream_of
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of

_RATES = allowed("half, float, double, int32, int64")
"""What `poisson` takes as rates."""


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
    kind = dtypes.int64 if not dtype else dtypes.as_dtype(dtype)
    if kind.name not in {"int32", "int64"}:
        raise ValueError(
            f"Argument `dtype` got invalid value {kind}. Accepted dtypes are (tf.int32, tf.int64)."
        )
    x = convert(logits)
    count = checked(x, convert(num_samples, None if is_tensor(num_samples) else dtypes.int32))
    return drawn(x, count, stream_of("StatelessMultinomial", seed, None), kind)


def stateless_gamma(
    shape: Any,
    seed: Any,
    alpha: Any,
    beta: Any = None,
    dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """Draw from gamma distributions: TensorFlow's numbers, the same for the same seed.

    `shape` ends with the shape that `alpha` and `beta` broadcast to. Gradients flow to both
    parameters, by `alpha` once. Raises `UnsupportedError` for parameters of another dtype.

    >>> stateless_gamma([2, 3], seed=[1, 2], alpha=[1.0, 2.0, 3.0]).shape
    TensorShape([2, 3])
    """
    op, kind = "StatelessRandomGammaV3", dtypes.as_dtype(dtype)
    strength, rate, inner = _strengths("stateless_gamma", alpha, beta, kind)
    wanted, _ = sizes(op, shape)
    check_end(op, wanted, inner.shape)
    found = rejection.gamma(stream_of(op, seed, None), inner, _repeats(wanted, inner))
    return _scaled(found, wanted, rate, strength)


def gamma(
    shape: Any,
    alpha: Any,
    beta: Any = None,
    dtype: Any = dtypes.float32,
    seed: Any = None,
    name: str | None = None,
) -> Tensor:
    """Draw `shape` times from each gamma distribution of shape `alpha` and rate `beta`.

    The numbers are TensorFlow's. The result has the shape `shape` and then that to which `alpha`
    and `beta` broadcast. Gradients flow to both parameters, by `alpha` once. Raises
    `UnsupportedError` for parameters of another dtype.

    >>> gamma([2], [1.0, 2.0, 3.0], seed=1).shape
    TensorShape([2, 3])
    """
    op, kind = "RandomGamma", dtypes.as_dtype(dtype)
    strength, rate, inner = _strengths("gamma", alpha, beta, kind)
    first, place = sizes(op, shape)
    count = prod(first) * inner.size
    stream = SEEDS.stream((op, kind.name, place.name), seed, count * RESERVED)
    wanted = (*first, *inner.shape)
    return _scaled(rejection.gamma(stream, inner, prod(first)), wanted, rate, strength)


def poisson(
    shape: Any,
    lam: Any,
    dtype: Any = dtypes.float32,
    seed: Any = None,
    name: str | None = None,
) -> Tensor:
    """Draw `shape` times from each Poisson distribution of rate `lam`, TensorFlow's numbers.

    The result has the shape `shape` and then that of `lam`, and no derivative.

    >>> poisson([2], [1.0, 20.0], seed=1).shape
    TensorShape([2, 2])
    """
    op, kind = "RandomPoissonV2", dtypes.of_kernel(dtype, dtypes.int64)
    given = convert(lam)
    check(op, given, _RATES, attr="R")
    rates = np.asarray(decided(given))
    first, place = sizes(op, shape)
    count = prod(first) * rates.size
    stream = SEEDS.stream((op, kind.name, place.name, given.dtype.name), seed, count * RESERVED)
    return in_shape(rejection.poisson(stream, rates, prod(first)), (*first, *rates.shape), kind)


def stateless_poisson(
    shape: Any,
    seed: Any,
    lam: Any,
    dtype: Any = dtypes.int32,
    name: str | None = None,
) -> Tensor:
    """Draw from Poisson distributions: TensorFlow's numbers, the same for the same seed.

    `shape` ends with the shape of `lam`. The result has no derivative.

    >>> stateless_poisson([2, 3], seed=[1, 2], lam=[1.0, 2.0, 30.0]).shape
    TensorShape([2, 3])
    """
    op, kind = "StatelessRandomPoisson", dtypes.as_dtype(dtype)
    if kind.name not in _COUNTED.split():
        raise _uncounted(op, kind)
    rates = np.asarray(decided(convert(lam)))
    wanted, _ = sizes(op, shape)
    check_end(op, wanted, rates.shape)
    found = rejection.poisson(stream_of(op, seed, None), rates, _repeats(wanted, rates))
    return in_shape(found, wanted, kind)


_COUNTED = "float16 float32 float64 int32 int64"
"""The dtypes in which numbers of events are given."""


def _uncounted(op: str, kind: dtypes.DType) -> InvalidArgumentError:
    enums = "allowed=[DT_HALF, DT_FLOAT, DT_DOUBLE, DT_INT32, DT_INT64]"
    places = "allowed=[DT_INT32, DT_INT64]"
    return InvalidArgumentError(
        message=f"Value for attr 'dtype' of {kind.enum_name} is not in the list of allowed values: "
        f"half, float, double, int32, int64\n\t; NodeDef: {{{{node {op}}}}}; Op<name={op}; "
        f"signature=shape:T, seed:Tseed, lam:Rtype -> output:dtype; attr=Rtype:type,{enums}; "
        f"attr=dtype:type,{enums}; attr=T:type,{places}; attr=Tseed:type,default=DT_INT64,{places}>"
        f" [Op:{op}]"
    )


def _strengths(call: str, alpha: Any, beta: Any, kind: dtypes.DType) -> tuple[Tensor, Any, Any]:
    """Read the parameters of gamma distributions: `alpha`, `beta`, and `alpha` as broadcast."""
    strength = _given(call, "alpha", alpha, kind)
    rate = None if beta is None else _given(call, "beta", beta, kind)
    numbers = np.asarray(decided(strength, f"{call}(alpha)"))
    inner = np.broadcast_shapes(numbers.shape, () if rate is None else shape_of(rate))
    return strength, rate, np.broadcast_to(numbers, inner)


def _repeats(wanted: tuple[int, ...], inner: Any) -> int:
    return int(prod(wanted) // max(inner.size, 1))


def _scaled(found: Any, shape: tuple[int, ...], rate: Any, strength: Tensor) -> Tensor:
    """Divide by the rate; nothing is smaller than the smallest normal number."""
    kind = strength.dtype
    sample = gamma_by_alpha(in_shape(found, shape, kind), strength)
    scaled = sample if rate is None else divide(sample, rate)
    return maximum(scaled, Tensor(kind.numpy.type(np.finfo(kind.numpy).tiny)))


def stateless_binomial(
    shape: Any,
    seed: Any,
    counts: Any,
    probs: Any,
    output_dtype: Any = dtypes.int32,
    name: str | None = None,
) -> Tensor:
    """Draw from binomial distributions: TensorFlow's numbers, the same for the same seed.

    `shape` ends with the shape that `counts` and `probs`, of one dtype, broadcast to. The result
    has no derivative.

    >>> stateless_binomial([3], seed=[1, 2], counts=10.0, probs=[1.0, 0.0, 1.0]).numpy()
    array([10,  0, 10], dtype=int32)
    """
    chances = convert(probs, None if is_tensor(probs) else dtypes.float32)
    trials = convert(counts, None if is_tensor(counts) else chances.dtype)
    op, kind = "StatelessRandomBinomial", dtypes.of_kernel(output_dtype, dtypes.int64)
    return binomial(op, shape, trials, chances, kind, lambda _: stream_of(op, seed, None))


def _given(call: str, name: str, value: Any, kind: dtypes.DType) -> Tensor:
    """Read a parameter, which has the dtype of the result."""
    x = convert(value) if is_tensor(value) else convert(value, kind)
    if x.dtype is not kind or not kind.is_floating:
        raise UnsupportedError(
            f"{call}: {name} of dtype {x.dtype.name}, and a result of {kind.name}; both have to be "
            "of one floating dtype"
        )
    return x
