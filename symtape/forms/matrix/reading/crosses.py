"""Cross products, where the entries of a column or of a matrix say that they are such.

What is made of elements one by one is u × v if its entries are u[1] v[2] - u[2] v[1] and so on,
and the matrix that multiplies v by it is [u]×. Entries that depend on differences of columns alone
are read as those of differences.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, product
from typing import Any

import sympy as sp

from symtape.forms.matrix.algebra import Algebra
from symtape.forms.matrix.nodes import SCALAR, Matrix, Named, Product, Selection
from symtape.forms.matrix.reading.covariants import (
    Invariant,
    Solver,
    Table,
    Terms,
    monomials,
    moves,
)
from symtape.forms.matrix.reading.entries import MOST, entry_at, takes_elements

_LONGEST = 3_000
"""What is longer is not looked through."""

_ROWS = 2
"""Elements are taken one by one, or two that stand together."""

_MOST_COLUMNS = 6
"""Of more columns no cross products are looked for."""

Columns = Mapping[Matrix, list[Any]]
"""The symbols of the three elements of columns."""


def with_crosses(algebra: Algebra, x: Matrix) -> Matrix:
    """Write u × v and [u]× for the terms of a sum that take elements, where that is shorter."""
    if not isinstance(x.entry, sp.Expr) or 3 not in x.shape or max(x.shape) > MOST:
        return x
    if x.shape[1] not in {1, 3} or not _takes(algebra, x):
        return x
    terms = [t for term in sp.Add.make_args(x.entry) for t in _terms(algebra, term)]
    own = [(c, t) for c, t in terms if _takes(algebra, Matrix(t, x.shape))]
    if sum(algebra.length(Matrix(t, x.shape)) for _, t in own) > _LONGEST:
        return x
    found = _read(algebra, own, x.shape)
    if found is None:
        return x
    rest = [Matrix(c * t, x.shape) for c, t in terms if (c, t) not in own]
    return min(x, algebra.normal(algebra.plus(found, *rest)), key=algebra.length)


def _takes(algebra: Algebra, x: Matrix) -> bool:
    return takes_elements(algebra, x, _ROWS, ("cross",))


def _terms(algebra: Algebra, term: Any) -> list[tuple[Any, Any]]:
    """Multiply the sums of arrays in a term out; give what multiplies each, and its arrays."""
    scale = sp.Mul(*[f for f in sp.Mul.make_args(term) if not algebra.arrays(f)])
    found = sp.Add.make_args(sp.expand_mul(term / scale))
    own = [sp.Mul(*[f for f in sp.Mul.make_args(t) if algebra.arrays(f)]) for t in found]
    return [(scale * t / array, array) for t, array in zip(found, own, strict=True)]


def _read(algebra: Algebra, own: list[tuple[Any, Any]], shape: tuple[int, int]) -> Matrix | None:
    """Read entries as those of cross products, or of matrices that multiply by them.

    The columns are those of the leaves, or their rows; then rows can be the columns that are read.
    """
    apart: dict[Any, Any] = {}
    table: dict[tuple[int, int], Any] = {}
    for at in product(range(shape[0]), range(shape[1])):
        terms = [c * entry_at(algebra, Matrix(t, shape), *at).entry for c, t in own]
        table[at] = sp.Add(*[_with_scalars_apart(algebra, t, apart) for t in terms])
    if any(_is_element(algebra, s) for e in apart for s in e.free_symbols):
        return None  # a root or a logarithm of an element, which depends on the axes
    table = {at: sp.expand(e) for at, e in table.items()}
    back = {symbol: e for e, symbol in apart.items()}
    for by_rows in (False, True):
        columns = _columns(algebra, table, by_rows=by_rows)
        if not 0 < len(columns) <= _MOST_COLUMNS:
            continue
        found = _solved(algebra, columns, table, back) if shape in _SHAPES else None
        if found is None and by_rows and shape[0] > 1 and shape[1] == 3:
            found = _row_by_row(algebra, columns, table, back)
        if found is not None:
            return found
    return None


_SHAPES = {(3, 1), (3, 3)}


def _is_element(algebra: Algebra, symbol: Any) -> bool:
    """Say whether a scalar is an element of a leaf."""
    node = algebra.nodes.get(symbol)
    ends = (node.parts[0], algebra.transpose(node.parts[-1])) if isinstance(node, Product) else ()
    return any(isinstance(algebra.node(x), Selection) for x in ends)


def _with_scalars_apart(algebra: Algebra, term: Any, apart: dict[Any, Any]) -> Any:
    """Put symbols for what is no polynomial in an entry, and is not looked into."""
    if term.is_polynomial():
        return term
    if term.is_Add or term.is_Mul or (term.is_Pow and term.exp.is_Integer and term.exp > 0):
        return term.func(*[_with_scalars_apart(algebra, e, apart) for e in term.args])
    return apart.setdefault(algebra.normal(Matrix(term, SCALAR)).entry, sp.Dummy())


def _columns(algebra: Algebra, table: Table, *, by_rows: bool) -> dict[Matrix, list[Any]]:
    """Give the columns of three whose elements stand in entries, each with its elements."""
    found = {s for e in table.values() for s in e.free_symbols if s in algebra.nodes}
    columns: dict[Matrix, list[Any]] = {}
    for symbol in sorted(found, key=algebra.place):
        node = algebra.nodes[symbol]
        parts = list(node.parts) if isinstance(node, Product) else []
        ways = [parts, [algebra.transpose(p) for p in reversed(parts)]]
        for own in ways[:: -1 if by_rows else 1]:
            chosen = algebra.node(own[0]) if own else None
            if isinstance(chosen, Selection) and chosen.shape == (1, 3) and own[-1].is_column:
                columns.setdefault(algebra.product(*own[1:]), [None] * 3)[chosen.first] = symbol
                break
    return {column: own for column, own in columns.items() if None not in own}


def _row_by_row(
    algebra: Algebra, columns: Columns, table: Table, back: Mapping[Any, Any]
) -> Matrix | None:
    """Read each row of a matrix as a column."""
    rows, count = [], len(table) // 3
    for i in range(count):
        own = {(k, 0): table[i, k] for k in range(3)}
        if any(e != 0 for e in own.values()):
            found = _solved(algebra, columns, own, back)
            if found is None:
                return None
            into = algebra.transpose(algebra.selection(count, i, 1, 1))
            rows.append(algebra.product(into, algebra.transpose(algebra.normal(found))))
    return algebra.plus(*rows) if rows else None


def _solved(
    algebra: Algebra, columns: Columns, table: Table, back: Mapping[Any, Any]
) -> Matrix | None:
    """Write the sum of terms that has these entries.

    Where the same can be added to some columns, the first of them may be zero: the others are what
    they differ from it by.
    """
    names, elements = [*columns], [e for own in columns.values() for e in own]
    found = monomials(table, elements)
    if found is None:
        return None
    for own in _several(len(names)):
        if moves(found, own):
            base = own[0]
            found = {k: c for k, c in found.items() if not any(k[1][3 * base : 3 * base + 3])}
            minus = algebra.times(algebra.number(-1), names[base])
            names = [algebra.plus(x, minus) if k in own[1:] else x for k, x in enumerate(names)]
            break
    terms = Solver([*columns.values()], len(table) == 9).terms(found)
    return _written(algebra, [(c.xreplace(back), t) for c, t in terms], names) if terms else None


def _several(n: int) -> list[tuple[int, ...]]:
    """List the ways to choose two or more of some columns, those of most first."""
    return [own for count in range(n, 1, -1) for own in combinations(range(n), count)]


def _written(algebra: Algebra, terms: Terms, columns: list[Matrix]) -> Matrix:
    """Write invariant terms in the algebra; cross products that are multiplied alike, as one."""
    made = []
    crosses: dict[Any, list[Cross]] = {}
    for c, kind, own, pairs in _doubled(algebra, terms, columns):
        scale = [algebra.number(c), *[algebra.product(algebra.transpose(u), v) for u, v in pairs]]
        number, rest = algebra.times(*scale).entry.as_coeff_Mul()
        if kind == "cross":
            crosses.setdefault(rest, []).append((number, *own))
        else:
            made.append(algebra.times(*scale, _term(algebra, kind, own)))
    joined = [
        algebra.times(algebra.number(c), _sum_of_crosses(algebra, own))
        for c, own in crosses.items()
    ]
    return algebra.plus(*joined, *made)


Cross = tuple[Any, Matrix, Matrix]
"""A number, and the two columns of the product that it multiplies."""

Written = tuple[Any, str, list[Matrix], list[list[Matrix]]]
"""What multiplies a term, its kind, its columns, and those of its inner products."""


def _doubled(algebra: Algebra, terms: Terms, columns: list[Matrix]) -> Iterator[Written]:
    """Write u × (v × w) for v (uᵀ w) - w (uᵀ v), also where these are factors of matrices."""
    left = list(terms)
    while left:
        c, a = left.pop(0)
        own, pairs = [columns[k] for k in a.own], [[columns[k] for k in p] for p in a.pairs]
        for d, b in left if len(pairs) == 1 else ():
            found = _double(a, b) if sp.expand(c + d) == 0 else None
            if found:
                left.remove((d, b))
                k, (u, v, w) = found
                if c.could_extract_minus_sign():
                    c, v, w = -c, w, v
                inner = algebra.normal(algebra.cross(columns[v], columns[w]))
                if a.kind == "column":
                    own, kind = [columns[u], inner], "cross"
                else:
                    own[k], kind = algebra.cross(columns[u], inner), a.kind
                yield c, kind, own, []
                break
        else:
            yield c, a.kind, own, pairs


def _double(a: Invariant, b: Invariant) -> tuple[int, tuple[int, int, int]] | None:
    """Say which u, v and w two terms are made of, and at which place of their columns."""
    differ = [k for k, (v, w) in enumerate(zip(a.own, b.own, strict=False)) if v != w]
    if a.kind != b.kind or a.kind not in {"column", "outer"} or len(differ) != 1:
        return None
    if len(a.pairs) != 1 or len(b.pairs) != 1:
        return None
    (k,) = differ
    v, w = a.own[k], b.own[k]
    for u in a.pairs[0]:
        if sorted((u, w)) == [*a.pairs[0]] and sorted((u, v)) == [*b.pairs[0]]:
            return k, (u, v, w)
    return None


def _term(algebra: Algebra, kind: str, own: list[Matrix]) -> Matrix:
    """Write what is no cross product."""
    match kind:
        case "skew":
            scale, rest = algebra.split(algebra.normal(own[0]))
            made = algebra.of(Named("skew", (Matrix(rest, (3, 1)),), (3, 3)))
            return algebra.times(algebra.number(scale), made)
        case "identity":
            return algebra.identity(3)
        case "column":
            return own[0]
    return algebra.product(own[0], algebra.transpose(own[1]))


def _sum_of_crosses(algebra: Algebra, own: list[Cross]) -> Matrix:
    """Write a sum of cross products as one, if it is one: of two sums of the columns.

    The numbers of u × v, less those of v × u, are a matrix of rank two then.
    """
    columns = list(dict.fromkeys(c for _, *pair in own for c in pair))
    table = sp.zeros(len(columns))
    for c, u, v in own:
        i, j = columns.index(u), columns.index(v)
        table[i, j] += c
        table[j, i] -= c
    ways = [
        algebra.plus(*[algebra.cross(algebra.times(algebra.number(c), u), v) for c, u, v in own])
    ]
    for i, j in combinations(range(len(columns)), 2):
        first, last = table[i, :], table[j, :]
        if table[i, j] != 0 and (first.T * last - last.T * first) / table[i, j] == table:
            u, v = (
                algebra.plus(
                    *[
                        algebra.times(algebra.number(c), x)
                        for c, x in zip(row, columns, strict=True)
                    ]
                )
                for row in (first / table[i, j], last)
            )
            ways.append(algebra.cross(u, v))
    return min(ways, key=algebra.length)
