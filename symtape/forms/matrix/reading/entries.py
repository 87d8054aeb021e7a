"""Small arrays by their entries, where code that takes elements one by one made them.

The gradient of x₀ x₁ is [x₁; x₀; 0], which no product of matrices says in fewer words.
"""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp

from symtape.forms.matrix.algebra import Algebra
from symtape.forms.matrix.blocks import blocks
from symtape.forms.matrix.nodes import (
    SCALAR,
    Cycle,
    Diagonal,
    Identity,
    Leaf,
    Matrix,
    Named,
    Node,
    Part,
    Product,
    Selection,
    Turned,
    inner,
)

MOST = 4
"""So many rows and columns are written entry by entry."""
_LONG = 40
"""What is longer is not factored."""

_LONGER = Fraction(7, 5)
"""So much longer a matrix of entries may be than sums of products with rows of a unit matrix."""

_FAR_LONGER = 4
"""What is so many times longer by its entries is not shorter when each is in its shortest form.

That takes seconds for a softmax, whose entries have all of its exponentials; in books none was
accepted from 1 on, and shortening took a quarter away at most.
"""

Entries = dict[tuple[int, int], Matrix]
"""Entries by row and column."""


def by_entries(algebra: Algebra, x: Matrix) -> Matrix:
    """Write an array that is made of single rows by its entries, if that is shorter."""
    if x.is_scalar or max(x.shape) > MOST or not takes_elements(algebra, x):
        return x
    if 1 not in x.shape and not _chooses_columns(algebra, x):
        return x  # rows are whole, as in [1; -1] (X[0] - X[1])
    shown = blocks(algebra, x.entry, x.shape)
    if shown is not None and not any(takes_elements(algebra, b) for row in shown for b in row):
        return x
    scale, rest = algebra.split(x)
    if scale.could_extract_minus_sign():  # which is each entry's own, as in -x × y
        scale, rest = -scale, -rest
    if scale != 1:
        return algebra.times(algebra.number(scale), by_entries(algebra, Matrix(rest, x.shape)))
    places = product(range(x.shape[0]), range(x.shape[1]))
    raw = {at: entry_at(algebra, x, *at) for at in places}
    is_table = shown is None and 1 not in x.shape
    room = algebra.length(x) * (_LONGER if is_table else 1)
    if sum(map(algebra.length, raw.values())) >= _FAR_LONGER * room:
        return x
    found = {at: _shortest(algebra, e) for at, e in raw.items()}
    kept = {at: e for at, e in found.items() if e.entry != 0}
    scale, kept = _in_common(algebra, kept)
    if _length(algebra, scale, kept, x.shape) >= room:
        return x
    made = algebra.plus(
        algebra.number(0, x.shape), *[_placed(algebra, e, *at, x.shape) for at, e in kept.items()]
    )
    is_shown = blocks(algebra, made.entry, x.shape) is not None
    return algebra.times(scale, made) if is_shown else x


def _chooses_columns(algebra: Algebra, x: Matrix) -> bool:
    """Say whether an array in a sum stands in single columns, or on a diagonal."""
    nodes = [algebra.nodes[s] for s in algebra.arrays(x.entry)]
    return any(
        _chooses_columns(algebra, n.parts[-1]) if isinstance(n, Product) else not _is_leaf(n)
        for n in nodes
    )


def _is_leaf(node: Node) -> bool:
    return isinstance(node.of if isinstance(node, Turned) else node, Leaf)


def entry_by_entry(algebra: Algebra, x: Matrix) -> Matrix:
    """Shorten each entry of a sum of entries at their places, on its own."""
    found: dict[Any, Matrix] = {}
    for term in sp.Add.make_args(x.entry):
        (symbol,) = algebra.arrays(term)
        before = found.get(symbol, algebra.number(0))
        own = algebra.normal(Matrix(term / symbol, SCALAR))
        found[symbol] = algebra.plus(before, own)
    made = [_shortest(algebra, e).entry * symbol for symbol, e in found.items()]
    return Matrix(sp.Add(*made), x.shape)


def _shortest(algebra: Algebra, x: Matrix) -> Matrix:
    """Shorten an entry, or factor it where it is a polynomial."""
    found = algebra.normal(x)
    if not found.entry.is_Add or algebra.length(found) > _LONG:
        return found
    ways = found, algebra.normal(Matrix(sp.factor(found.entry), SCALAR))
    return min(ways, key=algebra.length)


def _in_common(algebra: Algebra, found: Entries) -> tuple[Matrix, Entries]:
    """Take out what all entries have as a factor, but for numbers."""
    factors = [{*sp.Mul.make_args(e.entry)} for e in found.values()]
    common = set.intersection(*factors) if factors else set()
    scale = sp.Mul(*[f for f in common if not f.is_number])
    rest = {at: Matrix(e.entry / scale, SCALAR) for at, e in found.items()}
    return algebra.number(scale), rest


def takes_elements(algebra: Algebra, x: Matrix, rows: int = 1, named: Collection[str] = ()) -> bool:
    """Say whether a few rows of a unit matrix are in the arrays, none of which is large.

    Nor is one a function of a matrix, but for those that are `named`.
    """
    has_one, waiting = False, [x]
    while waiting:
        for symbol in algebra.arrays(waiting.pop().entry):
            node = algebra.nodes[symbol]
            node = node.of if isinstance(node, Turned) else node
            if isinstance(node, Named) and node.name in named:
                continue
            if max(node.shape) > MOST or (not isinstance(node, _OPEN) and inner(node)):
                return False
            has_one |= isinstance(node, Selection) and node.shape[0] <= rows
            waiting += [m for m in inner(node) if not m.is_scalar]
    return has_one


_OPEN = (Product, Diagonal, Part)


def _length(algebra: Algebra, scale: Matrix, kept: Entries, shape: tuple[int, int]) -> Any:
    """Count entries, and what stands between them; zeros, which are read at once, count nothing."""
    own = sum((algebra.length(e) for e in kept.values()), Fraction(0))
    own += algebra.length(scale) + 1 if scale.entry != 1 else 0
    rows, columns = ({at[axis] for at in kept} for axis in (0, 1))
    grid = (len(rows) + (len(rows) < shape[0])) * (len(columns) + (len(columns) < shape[1]))
    return own + grid - 1


def _placed(algebra: Algebra, e: Matrix, i: int, j: int, shape: tuple[int, int]) -> Matrix:
    row, column = algebra.selection(shape[0], i, 1, 1), algebra.selection(shape[1], j, 1, 1)
    into = algebra.transpose(row) if shape[0] > 1 else algebra.number(1)
    return algebra.times(e, algebra.product(into, column) if shape[1] > 1 else into)


def entry_at(algebra: Algebra, x: Matrix, i: int, j: int) -> Matrix:
    """Give an entry: that of each array in it."""

    def at(symbol: sp.Symbol) -> Any:
        return _of_node(algebra, algebra.nodes[symbol], i, j)

    return Matrix(algebra.swapped(x.entry, at, (i, j)), SCALAR)


def _of_node(algebra: Algebra, node: Node, i: int, j: int) -> Any:
    match node:
        case Turned(of):
            return _of_node(algebra, of, j, i)
        case Identity():
            return sp.Integer(i == j)
        case Selection(first, step):
            return sp.Integer(j == first + step * i)
        case Cycle(by, (n, _)):
            return sp.Integer((i - by - j) % n == 0)
        case Diagonal(of):
            return entry_at(algebra, of, i, 0).entry if i == j else sp.S.Zero
        case Part(of):
            return entry_at(algebra, of, i, j).entry
        case Product((first, *rest)):
            others = algebra.product(*rest)
            return sp.Add(
                *[
                    left * entry_at(algebra, others, k, j).entry
                    for k in range(first.shape[1])
                    if (left := entry_at(algebra, first, i, k).entry) != 0
                ]
            )
    rows, columns = (
        algebra.selection(node.shape[0], i, 1, 1),
        algebra.selection(node.shape[1], j, 1, 1),
    )
    return algebra.product(rows, algebra.of(node), algebra.transpose(columns)).entry
