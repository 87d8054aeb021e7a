"""Cross products, where the entries of a column or of a matrix say that they are such.

What is made of elements one by one is u × v if its entries are u[1] v[2] - u[2] v[1] and so on,
and the matrix that multiplies v by it is [u]×.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

import sympy as sp

from symtape.forms.matrix.algebra import Algebra
from symtape.forms.matrix.nodes import Matrix, Named, Product, Selection
from symtape.forms.matrix.reading.entries import entry_at, takes_elements

_LONGEST = 200
"""What is longer is not looked through."""

_ROWS = 2
"""Elements are taken one by one, or two that stand together."""

_AROUND = ((0, 1, 2), (1, 2, 0), (2, 0, 1))
"""The places of an entry of u × v, and of the two of u and v that it is made of."""

Columns = Mapping[tuple[Matrix, int], Any]
"""The symbols of the elements of columns."""


def with_crosses(algebra: Algebra, x: Matrix) -> Matrix:
    """Write u × v and [u]× for the terms of a sum that take elements, where that is shorter."""
    if x.shape not in {(3, 1), (3, 3)} or not isinstance(x.entry, sp.Expr):
        return x
    if algebra.length(x) > _LONGEST:
        return x
    terms = [y for t in sp.Add.make_args(x.entry) for y in _terms(algebra, Matrix(t, x.shape))]
    own = [t for t in terms if takes_elements(algebra, t, _ROWS)]
    found = _read(algebra, algebra.plus(*own)) if own else None
    if found is None:
        return x
    made = algebra.normal(algebra.plus(found, *[t for t in terms if t not in own]))
    return min(x, made, key=algebra.length)


def _terms(algebra: Algebra, x: Matrix) -> list[Matrix]:
    """Multiply out what takes elements."""
    is_whole = not takes_elements(algebra, x, _ROWS)
    return (
        [x] if is_whole else [Matrix(t, x.shape) for t in sp.Add.make_args(sp.expand_mul(x.entry))]
    )


def _read(algebra: Algebra, x: Matrix) -> Matrix | None:
    """Read entries as those of a sum of cross products, or of a matrix that multiplies by one."""
    rows, columns = x.shape
    table = {
        (i, j): sp.expand(entry_at(algebra, x, i, j).entry)
        for i in range(rows)
        for j in range(columns)
    }
    elements = dict(_elements(algebra, table))
    names = dict.fromkeys(c for c, _ in elements)
    if columns == 3:
        ways = (_skew, _square)
        read = (way(algebra, table, elements, [*names]) for way in ways)
        return next((found for found in read if found is not None), None)
    return _cross(algebra, table, elements, [*names])


def _elements(
    algebra: Algebra, table: Mapping[Any, Any]
) -> Iterator[tuple[tuple[Matrix, int], Any]]:
    """Find the elements of columns of three among the scalars in entries."""
    found = {s for e in table.values() for s in e.free_symbols}
    for symbol in sorted(found, key=algebra.place):
        node = algebra.nodes[symbol]
        parts = node.parts if isinstance(node, Product) else ()
        for own in (parts, [algebra.transpose(p) for p in reversed(parts)]):
            chosen = algebra.node(own[0]) if own else None
            if isinstance(chosen, Selection) and chosen.shape == (1, 3) and own[-1].is_column:
                yield (algebra.product(*own[1:]), chosen.first), symbol
                break


def _skew(
    algebra: Algebra, table: Mapping[Any, Any], elements: Columns, names: list[Matrix]
) -> Matrix | None:
    """Read [u]×, whose entry at 2, 1 is u[0], at 1, 0 is u[2], and at 0, 2 is u[1]."""
    if any(table[i, j] + table[j, i] != 0 for i in range(3) for j in range(i + 1)):
        return None
    terms = []
    for column in names:
        first = elements.get((column, 0))
        factor = table[2, 1].coeff(first) if first is not None else sp.S.Zero
        if factor != 0 and not factor.free_symbols & {*elements.values()}:
            terms.append((factor, column))
    for k, i, j in _AROUND:
        own = [f * elements.get((c, k), sp.nan) for f, c in terms]
        if sp.expand(table[j, i] - sp.Add(*own)) != 0:
            return None
    if not terms:
        return None
    whole = algebra.normal(algebra.plus(*[algebra.times(algebra.number(f), c) for f, c in terms]))
    scale, rest = algebra.split(whole)
    if scale.could_extract_minus_sign() and isinstance(rest, sp.Add):
        scale, rest = -scale, sp.Add(*[-t for t in rest.args])
    made = algebra.of(Named("skew", (Matrix(rest, (3, 1)),), (3, 3)))
    return algebra.times(algebra.number(scale), made)


def _square(
    algebra: Algebra, table: Mapping[Any, Any], elements: Columns, names: list[Matrix]
) -> Matrix | None:
    """Read the square of [u]× but for its sign, ‖u‖² I - u uᵀ, as an inertia has it."""
    for column in names:
        u = _three(elements, column)
        factor = -table[0, 1].coeff(u[0]).coeff(u[1]) if u else sp.S.Zero
        if factor == 0 or factor.free_symbols & {*elements.values()}:
            continue
        size = sp.Add(*[e**2 for e in u])
        wanted = {(i, j): factor * (size * int(i == j) - u[i] * u[j]) for i, j in table}
        if all(sp.expand(table[at] - wanted[at]) == 0 for at in table):
            row = algebra.transpose(column)
            whole = algebra.times(algebra.product(row, column), algebra.identity(3))
            apart = algebra.times(algebra.number(-1), algebra.product(column, row))
            return algebra.times(algebra.number(factor), algebra.plus(whole, apart))
    return None


def _three(elements: Columns, column: Matrix) -> list[Any]:
    """Give the symbols of the three elements of a column, or nothing if not all are there."""
    found = [elements.get((column, k)) for k in range(3)]
    return [] if None in found else found


def _cross(
    algebra: Algebra, table: Mapping[Any, Any], elements: Columns, names: list[Matrix]
) -> Matrix | None:
    """Read a sum of cross products of the columns that have elements in entries."""
    known = {*elements.values()}
    found: dict[int, list[Any]] = {0: [], 1: [], 2: []}
    terms = []
    for u, v in combinations(names, 2):
        at = [_three(elements, c) for c in (u, v)]
        if not all(at):
            continue
        factor = table[0, 0].coeff(at[0][1]).coeff(at[1][2])
        if factor == 0 or factor.free_symbols & known:
            continue
        for k, i, j in _AROUND:
            found[k].append(factor * (at[0][i] * at[1][j] - at[0][j] * at[1][i]))
        is_turned = factor.could_extract_minus_sign()
        pair, factor = ((v, u), -factor) if is_turned else ((u, v), factor)
        made = algebra.of(Named("cross", pair, (3, 1)))
        terms.append(algebra.times(algebra.number(factor), made))
    if not terms or any(sp.expand(table[k, 0] - sp.Add(*found[k])) != 0 for k in range(3)):
        return None
    return algebra.plus(*terms)


__all__ = ["with_crosses"]
