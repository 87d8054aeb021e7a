"""Sums with one sign in a whole formula: |A x - b| beside sign(A x - b)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import sympy as sp

from symtape.forms.matrix.algebra import Algebra
from symtape.forms.matrix.nodes import SCALAR
from symtape.forms.matrix.printers.numbers import Numbers, negative
from symtape.forms.matrix.printers.text import Text
from symtape.forms.matrix.printers.words import Words

_EVEN = (sp.Abs, sp.cos, sp.cosh)
"""Functions that are the same of -x, for which SymPy writes one of both."""


class Signs(Numbers):
    """Writes even functions of the sum that stands elsewhere, of two that differ by their signs.

    Which sums do, one knows who has written the formula once; those that are `turned` are written
    with their other signs then. A norm is of the difference that its author wrote: the kernel
    exp(-‖x - a‖²) has the slope 2 exp(-‖x - a‖²) (a - x).
    """

    def __init__(self, algebra: Algebra, words: Words, turned: Collection[Any] = ()) -> None:
        super().__init__(algebra, words)
        self._to_turn = {*turned}
        self._free: set[Any] = set()
        self._bound: set[Any] = set()

    def turned(self) -> set[Any]:
        """List the sums that were written with two signs, of which one could be the other's.

        None where some were turned already, which may have turned what stands in them.
        """
        free = set() if self._to_turn else self._free - self._bound
        return {e for e in free if negative(e) in self._bound}

    def _unsigned(self, e: Any, shape: tuple[int, int]) -> Text:
        """Write what stands in a function that is even."""
        if e in self._to_turn:
            return self.entry(negative(e), shape)
        was_bound = e in self._bound
        text = self.entry(e, shape)
        if e.is_Add:
            self._free.add(e)
            self._bound -= set() if was_bound else {e}
        return text

    def _beside(self, e: Any, shape: tuple[int, int]) -> Text:
        """Write what goes with every entry: a scalar needs no ones."""
        return self.entry(e, shape if self.algebra.arrays(e) else SCALAR)

    def _argument(self, e: Any, function: Any, shape: tuple[int, int]) -> Text:
        """Write the argument of a function of entries."""
        own = shape if self.algebra.arrays(e) else SCALAR
        return self._unsigned(e, own) if isinstance(function, _EVEN) else self.entry(e, own)
