"""Discrete Fourier transforms over any kind of number, with exact roots of unity."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import sympy as sp

from symtape.program.kinds.structural import Fourier
from symtape.program.operations import Map, parameter


def root_of_unity(k: Any, n: Any) -> sp.Expr:
    """exp(2πi·k/n) of whole numbers, indices or sizes.

    >>> root_of_unity(1, 2), root_of_unity(sp.Symbol("j"), 3)
    (-1, exp(2*I*pi*j/3))
    """
    return sp.exp(2 * sp.pi * sp.I * k / n)


def transformed(operation: Fourier, context: Any, x: Any) -> Any:
    """Add up elements along an axis, each turned by a root of unity: an array of objects."""
    n = x.shape[operation.axis]
    bodies = [root_of_unity(operation.sign * k, n) * parameter(0) for k in range(n)]
    turns = [context.numbers.function(Map(body, 1, "complex")) for body in bodies]
    line = np.moveaxis(x, operation.axis, -1)
    out = np.empty(line.shape, object)
    for place in product(*map(range, line.shape[:-1])):
        for j in range(n):
            terms = [turns[j * k % n](e) for k, e in enumerate(line[place])]
            out[(*place, j)] = context.numbers.add(terms)
    return np.moveaxis(out, -1, operation.axis)
