"""How many inputs and outputs a weight has, by which first values are scaled."""

from __future__ import annotations

import math


def fans(shape: tuple[int, ...]) -> tuple[int, int]:
    """Count the inputs and outputs of a weight; the axes before the last two are a window.

    >>> fans((3, 3, 8, 16)), fans((5,))
    ((72, 144), (5, 5))
    """
    if not shape:
        return 1, 1
    if len(shape) == 1:
        return shape[0], shape[0]
    window = math.prod(shape[:-2])
    return shape[-2] * window, shape[-1] * window
