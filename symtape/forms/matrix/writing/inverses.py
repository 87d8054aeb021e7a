"""Scalars that go into inverses: (A Aᵀ + s² I)⁻¹ A for (A Aᵀ / s² + I)⁻¹ A / s²."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy as sp

from symtape.forms.matrix.algebra import Algebra
from symtape.forms.matrix.nodes import Inverse, Matrix, Product, Trace


def with_scales_in_inverses(e: Any, algebra: Algebra) -> Any:
    """Divide by a scalar within an inverse, where its terms are divided by that, if shorter."""
    terms = [_shortest(term, algebra) for term in sp.Add.make_args(e)]
    return sp.Add(*terms)


def _shortest(term: Any, algebra: Algebra) -> Any:
    below = _below(term, algebra)
    if not below:
        return term
    found = min([term, *_ways(term, below, algebra)], key=algebra.length_of)
    return term if found is term else _shortest(found, algebra)  # each inverse takes its own


def _below(term: Any, algebra: Algebra) -> dict[Any, Any]:
    """Give the scalars by whose powers a term is divided, with these."""
    powers = [f.as_base_exp() for f in sp.Mul.make_args(term) if not algebra.arrays(f)]
    return {b: -k for b, k in powers if k.is_Integer and k.is_negative and not b.is_number}


def _ways(term: Any, below: dict[Any, Any], algebra: Algebra) -> Iterator[Any]:
    """Give a term with a part of what it is divided by in one of its inverses."""
    for symbol in [f for f in sp.Mul.make_args(term) if f in algebra.nodes]:
        whole = algebra.nodes[symbol]
        node = algebra.node(whole.of) if isinstance(whole, Trace) else whole
        if node is None:
            continue
        parts = node.parts if isinstance(node, Product) else (algebra.of(node),)
        for k, part in enumerate(parts):
            inverse = algebra.node(part)
            scale = _shared(inverse.of, below, algebra) if isinstance(inverse, Inverse) else 1
            if scale != 1 and isinstance(inverse, Inverse):
                own = [t * scale for t in sp.Add.make_args(inverse.of.entry)]
                made = algebra.inverse(algebra.normal(Matrix(sp.Add(*own), part.shape)))
                product = algebra.product(*parts[:k], made, *parts[k + 1 :])
                found = algebra.trace(product) if isinstance(whole, Trace) else product
                yield term / symbol * scale * found.entry


def _shared(of: Matrix, below: dict[Any, Any], algebra: Algebra) -> Any:
    """Give the powers by which both a term and what it inverts are divided."""
    found: dict[Any, Any] = {}
    for own in (_below(t, algebra) for t in sp.Add.make_args(of.entry)):
        found |= {b: max(k, found.get(b, 0)) for b, k in own.items()}
    return sp.Mul(*[b ** min(k, below[b]) for b, k in found.items() if b in below])
