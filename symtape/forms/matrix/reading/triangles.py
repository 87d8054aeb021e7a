"""Triangles of matrices: of what is one already, nothing is taken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import sympy as sp

from symtape.forms.matrix.algebra import Algebra
from symtape.forms.matrix.nodes import (
    Diagonal,
    Identity,
    Inverse,
    Matrix,
    Named,
    Product,
    Turned,
)
from symtape.forms.matrix.sums.spreading import spread, terms_of
from symtape.forms.matrix.writing.shortening import entry_of_ones

OTHER = {"tril": "triu", "triu": "tril"}


def triangle(algebra: Algebra, x: Matrix, name: str) -> Matrix:
    """Take one triangle of a matrix; a Cholesky factor is one."""
    return _by_parts(algebra, x, lambda part: _triangle(algebra, part, name))


def _triangle(algebra: Algebra, x: Matrix, name: str) -> Matrix:
    number, entry = algebra.split(_opened(algebra, x, name))
    if (ones := entry_of_ones(entry, algebra)) is not None:
        number, entry = number * ones, sp.S.One
    opened = algebra.times(algebra.number(number), Matrix(entry, x.shape))
    if _is_within(algebra, entry, name) or is_triangle(algebra, entry, name):
        return opened
    if x.shape[0] == x.shape[1] and is_triangle(algebra, entry, OTHER[name]):
        return algebra.diagonal(algebra.of_diagonal(opened))
    made = algebra.of(Named(name, (Matrix(entry, x.shape),), x.shape))
    return algebra.times(algebra.number(number), made)


def offset_triangle(algebra: Algebra, x: Matrix, name: str, diagonal: int) -> Matrix:
    """Take a triangle that begins at another diagonal, as NumPy's `tril(x, k)`."""
    if diagonal == 0:
        return triangle(algebra, x, name)
    return _by_parts(algebra, x, lambda part: _offset_triangle(algebra, part, name, diagonal))


def _offset_triangle(algebra: Algebra, x: Matrix, name: str, diagonal: int) -> Matrix:
    is_below = diagonal < 0 if name == "tril" else diagonal > 0
    number, entry = algebra.split(_opened(algebra, x, name) if is_below else x)
    k = algebra.number(diagonal)
    if _is_within(algebra, entry, name, k):
        return algebra.times(algebra.number(number), Matrix(entry, x.shape))
    if is_below and is_triangle(algebra, entry, OTHER[name]):
        return algebra.number(0, x.shape)
    made = algebra.of(Named(name, (Matrix(entry, x.shape), k), x.shape))
    return algebra.times(algebra.number(number), made)


def _by_parts(algebra: Algebra, x: Matrix, taken: Callable[[Matrix], Matrix]) -> Matrix:
    """Take a triangle of the terms apart of which some are triangles: Uᵀ (A + U) has two.

    They may stand in a product with a sum, which is multiplied out for that.
    """
    for whole in (x, *spread(algebra, x)):
        terms = terms_of(whole)
        known = [t for t in terms if _is_any_triangle(algebra, algebra.split(t)[1])]
        if known and len(known) < len(terms):
            rest = algebra.plus(*[t for t in terms if t not in known])
            return algebra.plus(_by_parts(algebra, rest, taken), *map(taken, known))
    return taken(x)


def _is_any_triangle(algebra: Algebra, entry: Any) -> bool:
    return any(is_triangle(algebra, entry, name) for name in OTHER)


def is_triangle(algebra: Algebra, entry: Any, name: str) -> bool:
    """Say whether a matrix is a triangle by what it is made of: "tril" or "triu"."""
    match algebra.nodes.get(entry):
        case Identity() | Diagonal():
            return True
        case Turned(of):
            return is_triangle(algebra, algebra.symbol(of), OTHER[name])
        case Inverse(of):
            return is_triangle(algebra, of.entry, name)
        case Product(parts):
            return all(is_triangle(algebra, x.entry, name) for x in parts)
        case Named(own, of):
            known = {"chol": "tril", "qr_triangular": "triu"}.get(own, own if len(of) == 1 else "")
            return known == name
    return False


def _is_within(algebra: Algebra, entry: Any, name: str, *offset: Matrix) -> bool:
    """Say whether a triangle of a matrix was taken before."""
    node = algebra.nodes.get(entry)
    while isinstance(node, Named) and node.name in {"tril", "triu"}:
        if (node.name, node.of[1:]) == (name, offset):
            return True
        node = algebra.node(node.of[0])
    return False


def _opened(algebra: Algebra, x: Matrix, name: str) -> Matrix:
    """Write tril(U Z) for tril(U tril(Z)), where U is an upper triangle, and for tril(tril(Z) U).

    What is left out is above the diagonal, and U leaves it there.
    """
    terms = [_opened_term(algebra, Matrix(e, x.shape), name) for e in sp.Add.make_args(x.entry)]
    return algebra.plus(*terms)


def _opened_term(algebra: Algebra, x: Matrix, name: str) -> Matrix:
    number, parts = algebra.factors(x)
    others = [k for k, p in enumerate(parts) if not is_triangle(algebra, p.entry, OTHER[name])]
    if len(others) != 1:
        return x
    (k,) = others
    inner = [_whole(algebra, e, name) for e in sp.Add.make_args(parts[k].entry)]
    whole = Matrix(sp.Add(*inner), parts[k].shape)
    if whole == parts[k]:
        return x
    return algebra.times(
        algebra.number(number), algebra.product(*parts[:k], whole, *parts[k + 1 :])
    )


def _whole(algebra: Algebra, e: Any, name: str) -> Any:
    """Give the same multiple of the whole matrix for one of its triangle, and else the term."""
    number, rest = e.as_coeff_Mul()
    node = algebra.nodes.get(rest)
    is_one = isinstance(node, Named) and node.name == name and len(node.of) == 1
    return number * node.of[0].entry if is_one and isinstance(node, Named) else e


def by_triangles(algebra: Algebra, e: Any) -> Any:
    """Write triu(A) for A ⊙ triu(𝟏 𝟏ᵀ), in each term of an entry."""
    return sp.Add(*[_by_triangle(algebra, t) for t in sp.Add.make_args(e)])


def _by_triangle(algebra: Algebra, term: Any) -> Any:
    own = [f for f in sp.Mul.make_args(term) if algebra.arrays(f)]
    for f in own if len(own) > 1 else ():
        made = _masked(algebra, f, sp.Mul(*own) / f)
        if made is not None:
            return term / sp.Mul(*own) * made.entry
    return term


def _masked(algebra: Algebra, mask: Any, e: Any) -> Matrix | None:
    """Take the triangle of an entry that a triangle of numbers multiplies it to, as of a band."""
    match algebra.nodes.get(mask):
        case Named("tril" | "triu" as name, (of, *offset), shape):
            is_number = of.entry.is_number
            inner = Matrix(of.entry * e, shape) if is_number else _masked(algebra, of.entry, e)
            k = int(offset[0].entry) if offset else 0
            return None if inner is None else offset_triangle(algebra, inner, name, k)
    return None


# --- sums of triangles ----------------------------------------------------------------------------


def joined_triangles(algebra: Algebra, x: Matrix) -> Matrix:
    """Write sums of triangles of one matrix, and of their transposes, with as few as will do.

    tril(Y), tril(Y, -1) and their transposes are made of three parts, Y below its diagonal, the
    diagonal, and the transpose of the first: so there is one too many. Of a symmetric Y, the sum of
    all three is Y, and of an antisymmetric one the diagonal is zero.
    """
    if not isinstance(x.entry, sp.Add):
        return x
    found: dict[Matrix, list[Any]] = {}
    rest: list[Any] = []
    for term in x.entry.args:
        number, symbol = term.as_coeff_Mul()
        kind = _kind(algebra.nodes.get(symbol))
        if kind is None:
            rest.append(term)
        else:
            of, place = kind
            found.setdefault(of, [0, 0, 0, 0])[place] += number
    if all(sum(n != 0 for n in numbers) < 2 for numbers in found.values()):
        return x
    made = [_fewest(algebra, of, *numbers) for of, numbers in found.items()]
    return algebra.plus(Matrix(sp.Add(*rest), x.shape), *made)


def turned_beside(algebra: Algebra, parts: Sequence[Matrix]) -> list[Matrix] | None:
    """Turn what is below a diagonal, where that leaves fewer terms: for tr(S X) with S = Sᵀ.

    tr(S (tril(Y) + tril(Y, -1))) is tr(S Y) for a symmetric Y.
    """
    for k, x in enumerate(parts):
        made = _turned_below(algebra, x)
        if made is not None:
            rest = algebra.product(*parts[k + 1 :], *parts[:k])
            if algebra.transpose(rest) == rest:
                return [*parts[:k], made, *parts[k + 1 :]]
    return None


def _turned_below(algebra: Algebra, x: Matrix) -> Matrix | None:
    """Turn each tril(Y, -1) in a sum, and its transpose, where that makes it shorter."""
    terms = terms_of(algebra.opened(x))
    kinds = [_kind(algebra.nodes.get(t.entry.as_coeff_Mul()[1])) for t in terms]
    below = [kind is not None and kind[1] in _BELOW for kind in kinds]
    if len(terms) == 1 or not any(below):
        return None
    pairs = zip(terms, below, strict=True)
    turned = [algebra.transpose(t) if is_below else t for t, is_below in pairs]
    made = joined_triangles(algebra, algebra.plus(*turned))
    return made if algebra.length(made) < algebra.length(x) else None


_BELOW = (1, 3)
"""The kinds of tril(Y, -1) and of its transpose."""


def _kind(node: Any) -> tuple[Matrix, int] | None:
    """Say of what something is tril(Y), tril(Y, -1), tril(Y)ᵀ or tril(Y, -1)ᵀ, in this order."""
    is_turned = isinstance(node, Turned)
    node = node.of if isinstance(node, Turned) else node
    if not isinstance(node, Named) or node.name != "tril":
        return None
    of, *offset = node.of
    if offset and offset[0].entry != -1:
        return None
    return of, 2 * is_turned + len(offset)


def _fewest(algebra: Algebra, y: Matrix, *numbers: Any) -> Matrix:
    """Write a sum of triangles of a matrix, and of their transposes."""
    whole, below, whole_turned, below_turned = numbers
    left, middle, right = whole + below, whole + whole_turned, whole_turned + below_turned
    turned = algebra.transpose(y)
    if turned == y and left == middle == right:
        return algebra.times(algebra.number(left), y)
    if turned == algebra.times(algebra.number(-1), y):
        ways = [(left, 0, right, 0)]
    else:
        ways = [(middle - k, left - middle + k, k, right - k) for k in (0, middle, right)]
    best = min(ways, key=lambda way: sum(n != 0 for n in way))
    down, strictly = triangle(algebra, y, "tril"), offset_triangle(algebra, y, "tril", -1)
    shown = (down, strictly, algebra.transpose(down), algebra.transpose(strictly))
    return algebra.plus(
        *[algebra.times(algebra.number(n), t) for n, t in zip(best, shown, strict=True)]
    )


def with_weights(algebra: Algebra, x: Matrix) -> Matrix:
    """Write tril(Y) ⊙ (𝟏 𝟏ᵀ - I / 2) for (tril(Y) + tril(Y, -1)) / 2, where that is shorter.

    Of the whole alone: with transposes beside them such sums are fewer.
    """
    scale, rest = (sp.S.One, x.entry) if not isinstance(x.entry, sp.Mul) else algebra.split(x)
    rest = algebra.opened(Matrix(rest, x.shape)).entry
    if not isinstance(rest, sp.Expr):  # a truth value
        return x
    terms = dict(t.as_coeff_Mul()[::-1] for t in sp.Add.make_args(rest))
    kinds = [(kind, s) for s in terms if (kind := _kind(algebra.nodes.get(s))) is not None]
    found = sorted([(place, s) for (_, place), s in kinds], key=lambda pair: pair[0])
    if len(terms) != 2 or [k for k, _ in found] != [0, 1] or len({of for (of, _), _ in kinds}) > 1:
        return x
    down, strictly = [s for _, s in found]
    whole, below = terms[down], terms[strictly]
    less = algebra.times(algebra.number(-below), algebra.identity(x.shape[0]))
    weights = algebra.plus(algebra.number(whole + below, x.shape), less)
    made = algebra.times(algebra.number(scale), Matrix(down, x.shape), weights)
    return min(x, made, key=algebra.length)
