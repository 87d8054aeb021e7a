"""Probabilities of `rejection_resample`: how often a class comes, and how often it is accepted."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.tensor.convert import convert
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of, value_of

_BATCH = 32
"""After how many elements the estimate is made anew."""
_AT_FIRST = 10
"""How many elements of each class are counted at first."""


def acceptance(initial: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    """Give the probability to accept each class, (r - m)/(M - m), and the least ratio m.

    r is target/initial and M the largest of it; m is the share of elements that all are taken of.
    """
    known, wanted = value_of(initial), value_of(target)
    ratio = wanted / (known + np.finfo(known.dtype).tiny)
    least, most = ratio.min(), ratio.max()
    with np.errstate(invalid="ignore"):
        return convert((ratio - least) / (most - least)), convert(least)


def estimated(classes: Any, target: Tensor) -> Any:
    """Make a dataset of how often classes come, which goes on counting in batches."""
    count = shape_of(target)[0]
    first = np.full(count, _AT_FIRST, np.int64)

    def counted(seen: Tensor, batch: Tensor) -> tuple[Any, Any]:
        found = value_of(seen) + np.bincount(value_of(batch), minlength=count)
        shares = (found / found.sum()).astype(np.float32)
        return convert(found), convert(np.tile(shares, (_BATCH, 1)))

    return classes.batch(_BATCH).scan(first, counted).unbatch()
