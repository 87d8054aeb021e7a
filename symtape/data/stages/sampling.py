"""Random numbers without end, and choices among datasets that are drawn with weights."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from symtape.data.elements.structures import array_of
from symtape.data.stages.base import INFINITE, Stage
from symtape.data.stages.shuffling import Seeding
from symtape.ops.random.drawing.philox import bits, scrambled, unit_floats
from symtape.ops.spec import TensorSpec
from symtape.tensor import dtypes
from symtape.tensor.tensor import Tensor

_FLOAT64 = np.dtype(np.float64)


class Random(Stage):
    """Numbers of 32 bits, as int64."""

    def __init__(self, seed: Any, *, anew: bool) -> None:
        self.spec = TensorSpec([], dtypes.int64)
        self._seeding = Seeding(seed, anew=anew)

    @property
    def cardinality(self) -> int:
        """Infinite."""
        return INFINITE

    def run(self) -> Iterator[Any]:
        """Draw the seeds of this run now."""
        return (Tensor(np.int64(word)) for word in self._seeding.begin())


class Chosen(Stage):
    """Numbers of datasets, drawn with weights whose logarithms are given, or come one by one."""

    def __init__(self, logits: Any, seed: Any, *, anew: bool) -> None:
        self.spec = TensorSpec([], dtypes.int64)
        self._logits = logits
        self._random = Random(seed, anew=anew)

    @property
    def cardinality(self) -> int:
        """Infinite, or that of the weights."""
        return self._logits.cardinality if isinstance(self._logits, Stage) else INFINITE

    def run(self) -> Iterator[Any]:
        """Draw two numbers for each choice, which are its seeds."""
        numbers = self._random.run()
        pairs = zip(numbers, numbers, strict=False)
        if isinstance(self._logits, Stage):
            varying = (array_of(element) for element in self._logits.run())
            return (_choice(logits, pair) for logits, pair in zip(varying, pairs, strict=False))
        return (_choice(self._logits, pair) for pair in pairs)


def _choice(logits: Any, seeds: Any) -> Tensor:
    first, second = [int(array_of(seed)) for seed in seeds]
    return Tensor(np.int64(categorical(np.ravel(logits), (first, second))))


def categorical(logits: Any, seed: tuple[int, int]) -> int:
    """Draw a place with probabilities ∝ exp(logits), as `StatelessMultinomial` does.

    >>> categorical(np.log([0.25, 0.75]), (1, 2))
    1
    """
    finite = np.isfinite(logits)
    wide = logits.astype(np.float64)
    masses = np.where(finite, np.exp(wide - np.max(wide[finite], initial=-np.inf)), 0)
    totals = np.cumsum(masses)
    drawn = unit_floats(bits(scrambled(seed), 2)[:2], _FLOAT64)[0]
    return int(np.searchsorted(totals, drawn * totals[-1], side="right"))
