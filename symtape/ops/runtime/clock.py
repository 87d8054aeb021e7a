"""The time of day, as a tensor."""

from __future__ import annotations

import time

from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.tensor import Tensor


def timestamp(name: str | None = None) -> Tensor:
    """Give the seconds since the beginning of 1970: float64, another number at each call.

    >>> timestamp().dtype, timestamp().shape.rank
    (tf.float64, 0)
    """
    return convert(time.time(), dtypes.float64)
