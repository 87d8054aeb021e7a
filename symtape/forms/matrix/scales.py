"""What scales rows or columns of exponentials outside of them: diag(exp(u)) exp(V).

Sums of exponentials whose logarithms stand in exponents again, as those of a chain of states, are
products of matrices so: exp(log(s) 𝟏ᵀ + V) is diag(s) exp(V).
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from symtape.forms.matrix.algebra import Algebra
from symtape.forms.matrix.nodes import Matrix, Product, Shape
from symtape.forms.matrix.rebuilt import Rebuilt, matrices_in

_MOST_STEPS = 20
"""So long a chain of logarithms within exponents is at most."""


def with_scales_outside(algebra: Algebra, x: Matrix) -> Matrix:
    """Write diag(exp(u)) exp(V) diag(exp(w)) for exp(u 𝟏ᵀ + V + 𝟏 wᵀ), at all depths."""
    for _ in range(_MOST_STEPS):
        ways = {f: _apart(algebra, f.args[0], n) for f, n in _powers(algebra, x).items()}
        products = {f.args[0]: way for f, way in ways.items() if way[1] != f}
        made = algebra.normal(Rebuilt(algebra, set(), products=products).of(x)) if products else x
        if made == x:
            break
        x = made
    return x


def _powers(algebra: Algebra, x: Matrix) -> dict[Any, Shape]:
    """Find the exponentials of matrices in a formula, also in parts of it, and their shapes."""
    found = [m for m in matrices_in(algebra, x) if 1 not in m.shape]
    return {f: m.shape for m in found for f in m.entry.atoms(sp.exp)}


def _apart(algebra: Algebra, z: Any, shape: Shape) -> tuple[Matrix, Any, Matrix]:
    """Take the columns and rows out of the exponents of a matrix."""
    sides: tuple[list[Matrix], list[Matrix]] = [], []
    kept = []
    for term in sp.Add.make_args(z):
        if (found := _scale(algebra, term, shape)) is None:
            kept.append(term)
        else:
            sides[found[0]].append(algebra.diagonal(algebra.apply(sp.exp, found[1])))
    left, right = (
        algebra.product(algebra.identity(n), *own) for n, own in zip(shape, sides, strict=True)
    )
    return left, sp.exp(sp.Add(*kept)), right


def _scale(algebra: Algebra, term: Any, shape: Shape) -> tuple[int, Matrix] | None:
    """Give the column u of a multiple of u 𝟏ᵀ, or of 𝟏 uᵀ, and the side on which it scales."""
    number, bare = algebra.split(Matrix(term, shape))
    node = algebra.nodes.get(bare)
    if isinstance(node, Product) and len(node.parts) == 2 and node.parts[0].is_column:
        u, v = node.parts
        for side, own, ones in ((0, u, v), (1, algebra.transpose(v), u)):
            if ones.entry == 1 and own.is_column:
                return side, algebra.times(algebra.number(number), own)
    return None


def without_shifts(algebra: Algebra, z: Matrix) -> Matrix:
    """Leave out what is added to all exponents of a sum alike, as a maximum that is taken off."""
    is_sum = isinstance(z.entry, sp.Add)
    kept = [t for t in z.entry.args if not _is_shift(algebra, t)] if is_sum else []
    return Matrix(sp.Add(*kept), z.shape) if kept else z


def _is_shift(algebra: Algebra, term: Any) -> bool:
    """Say whether all entries of a row are alike: of a scalar, or a multiple of u 𝟏ᵀ."""
    if isinstance(term, sp.log):  # of a bracket, which is -∞ where it does not hold
        return False
    for symbol in algebra.arrays(term):
        node = algebra.nodes[symbol]
        if not isinstance(node, Product) or not node.parts[-1].entry.is_number:
            return False
        if node.parts[-1].shape[0] != 1:
            return False
    return True
