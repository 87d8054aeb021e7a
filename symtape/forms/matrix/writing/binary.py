"""Entries that are made of zeros and ones, as those of a unit matrix: in each of two cases."""

from __future__ import annotations

from typing import Any

import sympy as sp

from symtape.forms.index.brackets import Iverson
from symtape.forms.matrix.algebra import Algebra
from symtape.forms.matrix.nodes import (
    Cycle,
    Diagonal,
    Identity,
    Named,
    Product,
    Selection,
    Turned,
)
from symtape.forms.scalars.cases.clipped import is_polynomial_in_cases


def of_zeros_and_ones(algebra: Algebra, e: Any) -> Any:
    """Write 𝟏 𝟏ᵀ - I for (I - 𝟏 𝟏ᵀ)², diag(v) for I ⊙ diag(v), and others that are made of them.

    A function of zeros and ones alone is the one of two numbers; what is a polynomial in others,
    too, is one where there are ones and another one elsewhere, if that is shorter. Brackets stay.
    """
    own = {s for s in e.free_symbols if has_zeros_and_ones(algebra, s)}
    if not own:
        return e
    brackets = {b: sp.Dummy() for b in e.atoms(Iverson) if b.free_symbols & own}
    made = _in_parts(algebra, of_numbers(e.xreplace(brackets), own), own)
    return made.xreplace({dummy: b for b, dummy in brackets.items()})


def _in_parts(algebra: Algebra, e: Any, symbols: set[sp.Symbol]) -> Any:
    """Write two cases for a sum or a product, also where it stands in a power or a function."""
    own = e.free_symbols & symbols if e.args else set()
    if not own:
        return e
    if not isinstance(e, (sp.Add, sp.Mul)):
        return e.func(*[_in_parts(algebra, a, symbols) for a in e.args])
    if len(own) > 1 or not is_polynomial_in_cases(e):
        return e.func(*[_in_parts(algebra, a, symbols) for a in e.args])
    return min(e, _in_two_cases(algebra, e, *own), key=algebra.length_of)


def has_zeros_and_ones(algebra: Algebra, e: Any) -> bool:
    """Say whether a symbol is of rows of a unit matrix, of a cycle, or of a triangle of ones."""
    node = algebra.nodes.get(e)
    node = node.of if isinstance(node, Turned) else node
    if isinstance(node, Named) and node.name in {"tril", "triu"}:
        return node.of[0].entry == 1 or has_zeros_and_ones(algebra, node.of[0].entry)
    if isinstance(node, Product):  # 𝟏 𝟏ᵀ
        return node.parts[0].is_column and all(p.entry == 1 for p in node.parts)
    return isinstance(node, (Identity, Selection, Cycle))


def of_numbers(e: Any, symbols: set[Any]) -> Any:
    """Write what depends on one symbol of zeros and ones, and on nothing else, by two numbers."""
    if not e.args or not e.free_symbols & symbols:
        return e
    if len(e.free_symbols) == 1 and isinstance(e, sp.Expr):
        (s,) = e.free_symbols
        at_zero, at_one = (e.xreplace({s: sp.Integer(k)}).doit() for k in (0, 1))
        return at_zero + (at_one - at_zero) * s if at_zero.is_finite and at_one.is_finite else e
    groups: dict[Any, list[Any]] = {}
    for a in e.args if isinstance(e, (sp.Add, sp.Mul)) else ():
        groups.setdefault(frozenset(a.free_symbols), []).append(a)
    if len(groups) > 1:
        return e.func(*[of_numbers(e.func(*own), symbols) for own in groups.values()])
    return e.func(*[of_numbers(a, symbols) for a in e.args])


def _in_two_cases(algebra: Algebra, e: Any, own: sp.Symbol) -> Any:
    """Write what a polynomial is where there are ones, and what it is elsewhere, as a sum.

    What is on a diagonal is zero outside of it.
    """
    is_unit = isinstance(algebra.nodes[own], Identity)
    found = e.free_symbols if is_unit else ()
    diagonals = {s for s in found if isinstance(algebra.nodes.get(s), Diagonal)}
    on = sp.expand_mul(e.xreplace({own: sp.S.One}))
    off = e.xreplace({own: sp.S.Zero, **dict.fromkeys(diagonals, sp.S.Zero)})
    terms = [t if {*t.as_powers_dict()} & diagonals else t * own for t in sp.Add.make_args(on)]
    return sp.Add(*terms, off * (1 - own))
