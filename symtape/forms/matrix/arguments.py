"""Sums that functions and roots are of, written with what their terms share: sin(A (x - y))."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy as sp

from symtape.forms.matrix.algebra import Algebra
from symtape.forms.matrix.nodes import SCALAR, Matrix, Named, Product, inner
from symtape.forms.matrix.rebuilt import Rebuilt


def with_arguments(algebra: Algebra, x: Matrix) -> Matrix:
    """Write σ(uᵀ (v - w)) for σ(uᵀ v - uᵀ w) in all of a formula alike, where that is shorter.

    Only when it is whole: until then what is equal, or cancels, is found by its terms.
    """
    swap = {}
    for e in dict.fromkeys(_arguments(algebra, x)):
        made = algebra.normal(e).entry
        if algebra.length_of(made) < algebra.length_of(e.entry):
            swap[e.entry] = made
    if not swap:
        return x
    found = algebra.normal(Rebuilt(algebra, set(), swap=swap).of(x))
    return min(x, found, key=algebra.length)


def _arguments(algebra: Algebra, x: Matrix) -> Iterator[Matrix]:
    """List the sums of products of matrices that stand in functions and roots."""
    waiting = [x]
    known: set[Any] = set()
    while waiting:
        top = waiting.pop()
        own = [f for f in top.entry.atoms(sp.Function, sp.Pow) if not _is_whole_power(f)]
        for e in [e for f in own for e in f.atoms(sp.Add)]:
            if _has_products(algebra, e):
                yield Matrix(e, top.shape if algebra.arrays(e) else SCALAR)
        fresh = sorted(top.entry.free_symbols & algebra.nodes.keys() - known, key=algebra.place)
        known |= {*fresh}
        nodes = [algebra.nodes[s] for s in fresh]
        waiting += [part for node in nodes for part in inner(node)]
        named = [part for node in nodes if isinstance(node, Named) for part in node.of]
        yield from [x for x in named if x.entry.is_Add and _has_products(algebra, x.entry)]


def _is_whole_power(e: Any) -> bool:
    """Say whether something is a power, or below a line, where terms are seen as they stand."""
    return isinstance(e, sp.Pow) and bool(e.exp.is_Integer)


def _has_products(algebra: Algebra, total: Any) -> bool:
    """Say whether several terms of a sum have products of matrices."""
    products = {s for s in total.free_symbols if isinstance(algebra.nodes.get(s), Product)}
    return sum(bool(t.free_symbols & products) for t in total.args) > 1
