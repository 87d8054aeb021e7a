"""How long a formula in matrix notation is, as a reader counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import sympy as sp

from symtape.forms.matrix.nodes import (
    Cycle,
    Inverse,
    Leaf,
    Matrix,
    Named,
    Node,
    Part,
    Selection,
    Turned,
    flippable,
    flippable_diagonal,
    inner,
    with_sign,
)
from symtape.forms.named import NAMED
from symtape.forms.scalars.powers.roots import short_decimal, stands_below

HALF = Fraction(1, 2)
INDEXED = {
    sp.besseli: "I", sp.besselj: "J", sp.besselk: "K", sp.bessely: "Y", sp.jn: "j", sp.yn: "y",
    sp.expint: "E",
}  # fmt: skip
"""The letters of functions whose order is an index."""
_NAMED = Fraction(3, 4)
"""Of forms that are equally long, that with a function by its name is preferred."""


class Length:
    """Counts operators, functions, symbols and numbers once each, a transpose by half.

    What is shared counts as often as it is written, and is looked at once.
    """

    def __init__(self, nodes: Mapping[Any, Node]) -> None:
        self.nodes = nodes
        self.known: dict[Any, Fraction] = {}

    def of(self, e: Any) -> Fraction:
        """Count an entry."""
        if e not in self.known:
            self.known[e] = self._of(e)
        return self.known[e]

    def _of(self, e: Any) -> Fraction:
        node = self.nodes.get(e)
        if node is not None:
            return self._node(node)
        if isinstance(e, sp.Rational):
            is_fraction = e.q != 1 and short_decimal(abs(e)) is None
            return Fraction(1 + bool(e.is_negative) + 2 * is_fraction)
        if not e.args:
            return Fraction(1)
        if isinstance(e, sp.Mul) or stands_below(e):
            return self._quotient(e)
        has_order = isinstance(e, sp.polygamma) or type(e) in INDEXED  # which is an index
        args = e.args[1:] if has_order else e.args
        own = sum(map(self.of, args), Fraction(0))
        if isinstance(e, sp.Add):
            return own + self._signs(e)
        return own + (_NAMED if isinstance(e, NAMED) else 1)

    @staticmethod
    def _signs(e: Any) -> int:
        """Count the signs of a sum; a minus sign between two terms is one, too."""
        minus = sum(bool(t.could_extract_minus_sign()) for t in e.args)
        return len(e.args) - 1 - minus + (minus == len(e.args))

    def _quotient(self, e: Any) -> Fraction:
        number, rest = e.as_coeff_Mul()
        parts = sp.Mul.make_args(rest)
        under = [1 / f for f in parts if stands_below(f)]
        factors = [f for f in (sp.Abs(number), *parts) if f != 1 and 1 / f not in under]
        total = sum(map(self.of, factors), Fraction(max(len(factors) - 1, 0))) or Fraction(1)
        total += sum(map(self.of, under), Fraction(len(under)))
        if number.is_negative:
            total += not self._takes_sign(rest)
        return total

    def _takes_sign(self, rest: Any) -> bool:
        """Say whether a minus sign in front of a product goes into a sum in it."""
        node = self.nodes.get(rest)
        is_within = flippable(node) is not None or with_sign(rest) is not None
        return is_within or flippable_diagonal(node, self.nodes) is not None

    def _node(self, node: Node) -> Fraction:
        if isinstance(node, Turned):
            return HALF + self._node(node.of)
        if isinstance(node, Part):
            return self.of(node.of.entry)
        if isinstance(node, Cycle):
            return 1 + HALF * (node.by < 0) + 2 * (abs(node.by) > 1)
        if isinstance(node, Selection):
            return Fraction(2 if node.shape[0] == 1 else 3)
        parts = inner(node)
        own = sum((self.of(x.entry) for x in parts), Fraction(0))
        own += HALF * [
            x.shape[0] == 1 != x.shape[1] and bool(x.entry.is_number) for x in parts
        ].count(True)
        return own + max(len(parts) - 1, 1) - 2 * self._chosen(parts)

    def _chosen(self, parts: Sequence[Matrix]) -> int:
        """Count the parts of arrays in a product, as x[1:3] for I[1:3] x."""
        nodes = [self.nodes.get(x.entry) for x in parts]
        return sum(_is_chosen(a, b) or _is_chosen(b, a, turned=True) for a, b in pairwise(nodes))


def _is_chosen(rows: Node | None, whole: Node | None, *, turned: bool = False) -> bool:
    """Say whether rows of a unit matrix select from a leaf beside them, or, `turned`, columns."""
    if turned:
        rows = rows.of if isinstance(rows, Turned) else None
    return isinstance(rows, Selection) and has_parts(whole)


def has_parts(whole: Node | None) -> bool:
    """Say whether rows and columns of something are written behind it: x[1:3]."""
    of = whole.of if isinstance(whole, Turned) else whole
    return isinstance(of, (Leaf, Named, Inverse))
