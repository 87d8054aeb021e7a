"""Dropout: elements that are zero at random, and the others larger."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Real
from typing import Any

from symtape.ops.arguments import is_tensor, tensor
from symtape.ops.elementwise.arithmetic import multiply, where
from symtape.ops.elementwise.comparison import greater_equal
from symtape.ops.elementwise.conversion import identity
from symtape.ops.random.drawn import uniform
from symtape.ops.random.stateless import stateless_uniform
from symtape.ops.shapes.creation import zeros_like
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of


def dropout(
    x: Any, rate: Any, noise_shape: Any = None, seed: Any = None, name: str | None = None
) -> Tensor:
    """x with a share of `rate` of the elements zero, chosen at random, others times 1/(1 - rate).

    `noise_shape` has 1 for axes along which all elements are chosen together. Raises `ValueError`
    for a rate that is not in [0, 1), and for x that has no floats.

    >>> dropout([1.0, 2.0], rate=0.0).numpy()
    array([1., 2.], dtype=float32)
    """
    return _dropped(x, rate, noise_shape, lambda shape, dtype: uniform(shape, 0, 1, dtype, seed))


def stateless_dropout(
    x: Any,
    rate: Any,
    seed: Any,
    rng_alg: Any = "auto_select",
    noise_shape: Any = None,
    name: str | None = None,
) -> Tensor:
    """`dropout` as a function of a seed alone, two integers.

    >>> stateless_dropout([1.0, 1.0, 1.0, 1.0], rate=0.5, seed=[1, 2]).numpy()
    array([2., 0., 2., 0.], dtype=float32)
    """
    return _dropped(
        x,
        rate,
        noise_shape,
        lambda shape, dtype: stateless_uniform(shape, seed, 0, 1, dtype, alg=rng_alg),
    )


def _dropped(x: Any, rate: Any, noise_shape: Any, draw: Callable[[Any, Any], Tensor]) -> Tensor:
    whole = tensor(x)
    if not whole.dtype.is_floating:
        raise ValueError(
            "`x.dtype` must be a floating point tensor as `x` will be scaled. "
            f"Received: x_dtype={whole.dtype}"
        )
    _check_rank(rate)
    if isinstance(rate, Real):
        if not 0 <= float(rate) < 1:
            raise ValueError(
                f"`rate` must be a scalar tensor or a float in the range [0, 1). "
                f"Received: rate={rate}"
            )
        if rate == 0:
            return identity(whole)
    shape = _noise_shape(shape_of(whole), noise_shape)
    scale = 1 / (1 - rate)
    kept = greater_equal(draw(shape, whole.dtype), rate)
    return where(kept, multiply(whole, scale), zeros_like(whole))


def _check_rank(rate: Any) -> None:
    """Refuse a rate for each element: there is one for all."""
    if is_tensor(rate):
        shape = shape_of(tensor(rate))
        if shape:
            raise ValueError(f"Shape {shape} must have rank 0")
    elif not isinstance(rate, Real):
        raise ValueError(f"`rate` must be a scalar or scalar tensor. Received: rate={rate}")


def _noise_shape(shape: tuple[int, ...], given: Any) -> Any:
    """Fill in the sizes of x where the shape of the noise leaves them out."""
    if given is None:
        return shape
    if isinstance(given, (list, tuple)) and len(given) == len(shape):
        return [n if m is None else m for n, m in zip(shape, given, strict=True)]
    return given
