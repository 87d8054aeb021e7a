"""Sums of an expression that are written in another way, one at a time.

What is divided by, and may be zero, stays below a line, so that nothing is defined at more points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import sympy as sp

from symtape.forms.scalars.quotients import keeps_divisors

_MOST_TERMS = 12
"""So many terms a sum has at most that is looked through."""


def with_sums_rewritten(e: Any, ways: Callable[[Any], Iterator[Any]]) -> Iterator[Any]:
    """Put what a function makes of each sum in its place.

    >>> x, y = sp.symbols("x y")
    >>> list(with_sums_rewritten((x**2 + x) / y, lambda s: iter([sp.factor(s)])))
    [x*(x + 1)/y]
    """
    for s in sorted(e.atoms(sp.Add), key=sp.default_sort_key):
        for made in ways(s) if len(s.args) <= _MOST_TERMS else ():
            whole = e.xreplace({s: made})
            if keeps_divisors(e, whole):
                yield whole
