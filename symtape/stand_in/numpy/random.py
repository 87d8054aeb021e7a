"""Random numbers in `tf.experimental.numpy.random`: those of `tf.random`, asked for as NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.namespace import show
from symtape.ops.random.distributions import poisson as _poisson
from symtape.ops.random.drawn import normal as _normal
from symtape.ops.random.drawn import set_seed
from symtape.ops.random.drawn import uniform as _uniform
from symtape.stand_in.numpy.dtypes import asarray, float_dtype, result_type
from symtape.tensor import dtypes
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of

__all__ = ["poisson", "rand", "randint", "randn", "random", "seed", "standard_normal", "uniform"]


def seed(s: Any) -> None:
    """Set the global seed, as `tf.random.set_seed` does; raises `ValueError` for no integer.

    >>> seed(1)
    >>> first = random()
    >>> seed(1)
    >>> bool(random() == first)
    True
    """
    try:
        number = int(s)
    except TypeError:
        raise ValueError(
            f"Argument `s` got an invalid value {s}. Only integers are supported."
        ) from None
    set_seed(number)


def _sizes(size: Any) -> Any:
    """Read a shape that may be one number, or left out."""
    if size is None:
        return ()
    return (size,) if np.ndim(size) == 0 else size


def standard_normal(size: Any = None) -> Tensor:
    """Numbers of a normal distribution of mean 0 and deviation 1.

    >>> standard_normal([2, 3]).shape
    TensorShape([2, 3])
    """
    return _normal(_sizes(size), dtype=float_dtype())


def randn(*args: Any) -> Tensor:
    """Numbers of a normal distribution, with the sizes as arguments.

    >>> randn(2, 3).shape
    TensorShape([2, 3])
    """
    return standard_normal(size=args)


def uniform(low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Tensor:
    """Numbers between two bounds.

    >>> uniform(size=[2]).shape
    TensorShape([2])
    """
    kind = float_dtype()
    first, last = asarray(low, kind), asarray(high, kind)
    sizes = np.broadcast_shapes(shape_of(first), shape_of(last)) if size is None else size
    return _uniform(sizes, first, last, kind)


def random(size: Any = None) -> Tensor:
    """Numbers between 0 and 1.

    >>> random([2]).shape
    TensorShape([2])
    """
    return uniform(0.0, 1.0, size)


def rand(*size: Any) -> Tensor:
    """Numbers between 0 and 1, with the sizes as arguments.

    >>> rand(2, 3).shape
    TensorShape([2, 3])
    """
    return uniform(0.0, 1.0, size)


def poisson(lam: Any = 1.0, size: Any = None) -> Tensor:
    """Counts of a Poisson distribution, as int64.

    >>> poisson(2.0, [3]).dtype
    tf.int64
    """
    return _poisson(_sizes(size), lam, dtypes.int64)


def randint(low: Any, high: Any = None, size: Any = None, dtype: Any = np.int64) -> Tensor:
    """Integers from `low`, or 0, to `high`, which is left out.

    Raises `ValueError` for a dtype that is not int32 or int64.

    >>> randint(3, size=2).shape
    TensorShape([2])
    """
    first, last = (0, int(low)) if high is None else (int(low), high)
    kind = result_type(dtype)
    if kind not in (dtypes.int32, dtypes.int64):
        raise ValueError(
            f"Argument `dtype` got an invalid value {dtype}. Only those convertible to "
            f"{(np.int32, np.int64)} are supported."
        )
    sizes = () if size is None else (size,) if isinstance(size, int) else size
    return _uniform(sizes, first, last, kind)


show(__name__, __all__, path="tf.experimental.numpy.random")
