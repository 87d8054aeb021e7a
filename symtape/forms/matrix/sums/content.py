"""What all terms of a sum have in common, and what is left of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import sympy as sp

from symtape.forms.matrix.nodes import Identity, Node
from symtape.forms.scalars.powers.roots import short_decimal


class Arrays(Protocol):
    """What an `Algebra` knows of the symbols of an entry."""

    @property
    def nodes(self) -> Mapping[sp.Symbol, Node]:
        """Say what symbols stand for."""

    def arrays(self, entry: Any) -> list[sp.Symbol]:
        """List the symbols that stand for arrays."""

    def leaves(self, e: Any) -> Sequence[int]:
        """Say which leaves are in an entry."""

    def place(self, symbol: sp.Symbol) -> int:
        """Say where a symbol stands among all."""

    def decimals(self, e: Any) -> Mapping[Any, Any]:
        """Give the symbols that stand for decimal numbers, and these."""

    def is_size(self, symbol: sp.Symbol) -> bool:
        """Say whether a symbol is a letter that counts elements."""

    def is_total(self, e: Any) -> bool:
        """Say whether a term is a multiple of a sum of entries."""


def _has_decimal(e: Any, algebra: Arrays) -> bool:
    """Say whether a decimal multiplies a term, which would not be what its author wrote."""
    known = algebra.decimals(e)
    return bool(known) and any(f in known for f in sp.Mul.make_args(e))


def content(e: Any, algebra: Arrays) -> tuple[Any, Any]:
    """Take out of a sum what all terms have in common, and the sign that leaves fewest minus signs.

    Numbers and scalars come out; arrays stay, for they are multiplied by element.
    """
    number, rest = primitive(e, algebra)
    if number == 1 and (before := _with_numbers_before(e, algebra)) is not e:
        outside, left = primitive(before, algebra)
        number, rest = (outside, left) if outside.is_Integer and outside > 1 else (number, rest)
    root = _root(rest)
    number *= root
    terms = [t / root for t in sp.Add.make_args(rest)]
    rest = rest if root == 1 else sp.Add(*terms)
    common = set.intersection(
        *[{f for f in sp.Mul.make_args(t) if not algebra.arrays(f)} for t in terms]
    ) - {sp.S.NegativeOne}
    common = {c for c in common if not c.is_number}
    if common:  # left out, for SymPy does not cancel b**(-s - 1) by b**(s + 1)
        apart = [[f for f in sp.Mul.make_args(t) if f not in common] for t in terms]
        rest = sp.Add(*[sp.Mul(*own) for own in apart])
    terms = sp.Add.make_args(rest)
    minus = [t.could_extract_minus_sign() for t in terms]
    first = min(terms, key=lambda t: _order(t, algebra))
    wrong = sum(minus) * 2 - len(minus)
    if wrong > 0 or (wrong == 0 and first.could_extract_minus_sign()):
        number, rest = -number, sp.Add(*[-t for t in terms])
    return number * sp.Mul(*common), rest


def _root(e: Any) -> Any:
    """Give the root that all terms of a sum are multiples of: √3 of √3 x - 3 y, or else one."""
    if not e.is_Add:
        return sp.S.One
    pairs = [(t.as_coeff_Mul()[0], _roots(t)) for t in e.args]
    for n in sorted(set.union(*[own for _, own in pairs])):
        if all(n in own or (c.is_Integer and c % n == 0) for c, own in pairs):
            return sp.sqrt(n)
    return sp.S.One


def _roots(term: Any) -> set[Any]:
    """List the whole numbers whose square roots are factors of a term."""
    powers = [f for f in sp.Mul.make_args(term) if f.is_Pow and f.exp is sp.S.Half]
    return {p.base for p in powers if p.base.is_Integer}


def _order(term: Any, algebra: Arrays) -> tuple[bool, Sequence[int], list[int]]:
    """Say which term of a sum has no minus sign: the unit matrix, as in I - P and s I - A.

    Letters of sizes decide nothing, as numbers do not, so x - (𝟏ᵀ x) 𝟏 / n has one sign for all n.
    """
    own = [s for s in term.free_symbols if not algebra.is_size(s)]
    is_unit = any(isinstance(algebra.nodes[s], Identity) for s in algebra.arrays(term))
    return (
        not is_unit or algebra.is_total(term),
        algebra.leaves(sp.Mul(*own)),
        sorted(map(algebra.place, own)),
    )


def _with_numbers_before(e: Any, algebra: Arrays) -> Any:
    """Write the whole numbers of the arrays' sums in front of them, in each term: 2 (x - a) / s."""
    terms = sp.Add.make_args(e)
    made = [_with_number_before(term, algebra) for term in terms]
    is_same = all(own is term for own, term in zip(made, terms, strict=True))
    return e if is_same else sp.Add(*made)


def _with_number_before(term: Any, algebra: Arrays) -> Any:
    factors = sp.Mul.make_args(term)
    is_sum = [f.is_Add and bool(algebra.arrays(f)) for f in factors]
    if len(factors) == 1 or not any(is_sum):
        return term
    pairs = [
        primitive(f, algebra) if inside else (sp.S.One, f)
        for f, inside in zip(factors, is_sum, strict=True)
    ]
    numbers = {number for number, _ in pairs} - {sp.S.One}
    is_whole = numbers and all(number.is_Integer for number in numbers)
    return sp.Mul(*[x for pair in pairs for x in pair]) if is_whole else term


def primitive(e: Any, algebra: Arrays) -> tuple[Any, Any]:
    """Take the number out of a sum that leaves whole numbers, or means: x - 𝟏ᵀx / 3.

    A decimal number stays as its author wrote it, but for whole numbers that all terms have.
    """
    terms = [t.as_coeff_Mul() for t in sp.Add.make_args(e)]
    if any(c.is_Float or short_decimal(abs(c)) for c, t in terms):
        return sp.S.One, e
    number, rest = e.primitive()
    if any(_has_decimal(t, algebra) for c, t in terms):
        return (number, rest) if number.is_Integer else (sp.S.One, e)
    alone = {abs(c / number) for c, t in terms if not algebra.is_total(t)}
    (scale,) = alone if len(alone) == 1 else (sp.S.One,)
    is_mean = scale.is_Rational and (number * scale).q < number.q
    if len(terms) == 1 or not is_mean:
        return number, rest
    return number * scale, sp.Add(*[c / number / scale * t for c, t in terms])
