"""What a kind computes that NumPy has no row for: its rule over any kind of number, over floats."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np

from symtape.program.evaluation.evaluation import RULES, Context, as_objects
from symtape.program.operations import Constant, Input, dtype_name
from symtape.program.program import Builder


class Floats:
    """NumPy's numbers, as a kind of number for the rules that move, join or compare elements."""

    def constant(self, operation: Constant) -> Any:
        """Give a number that the author wrote."""
        return operation.value

    def add(self, terms: Sequence[Any]) -> Any:
        """Add up, in order."""
        return reduce(operator.add, terms, 0)

    def multiply(self, factors: Sequence[Any]) -> Any:
        """Multiply, in order."""
        return reduce(operator.mul, factors, 1)

    def extremum(self, which: str, elements: Sequence[Any]) -> Any:
        """Choose the largest or smallest; what is no number wins."""
        return getattr(np, which)(np.asarray(elements))

    def order(self, elements: Sequence[Any]) -> list[int]:
        """Give the places of the elements from the smallest to the largest, stably."""
        return list(np.argsort(np.asarray(elements), kind="stable"))

    def index(self, x: Any) -> int:
        """Give the place that a whole number names."""
        return int(x)


def evaluated(name: str, parameters: tuple[Any, ...], *arrays: Any) -> Any:
    """Compute an operation by the rule that its kind has for any kind of number.

    It takes each element by itself: a kind that is run often has a row in `kernels/source.py`.
    """
    kind = {kind.__name__: kind for kind in RULES}[name]
    made = kind(*parameters)
    b = Builder()
    operands = [b.enter(Input(dtype_name(x.dtype), x.shape)) for x in map(np.asarray, arrays)]
    position = b.append(made, *operands)
    numbers: Any = Floats()  # of what numbers are asked for, it has what structural kinds need
    context = Context(b.finish(), position, operands, numbers)
    found = RULES[kind](made, context, *map(as_objects, arrays))
    out: Any = np.empty(b.shapes[position], b.dtypes[position])
    out[...] = found
    return out[()]
