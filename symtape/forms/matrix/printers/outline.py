"""The outline of a matrix: sums and products of matrices that have names, and letters for the rest.

What a matrix is made of stays: products, transposes, inverses, diagonals, Kronecker products,
selections. A function of entries, a product by entry, a scalar that is more than a name is a part;
it has a letter where it is long, or stands there twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import sympy as sp

from symtape.forms.matrix.algebra import Algebra
from symtape.forms.matrix.nodes import (
    SCALAR,
    Cycle,
    Diagonal,
    Inverse,
    Kronecker,
    Leaf,
    Matrix,
    Named,
    Node,
    Part,
    Product,
    Rows,
    Selection,
    Turned,
)

SHORT = 2
"""What is no longer stays, if it stands there once."""


def opaque_parts(algebra: Algebra, x: Matrix) -> list[Matrix]:
    """List the parts that should have letters, each once."""
    found = Counter(_parts(algebra, x))
    wanted = [part for part, n in found.items() if n > 1 or algebra.length(part) > SHORT]
    return sorted(wanted, key=lambda part: part.is_scalar)  # which may have a vector in them


def _parts(algebra: Algebra, x: Matrix) -> Iterator[Matrix]:
    """Give the parts of a matrix, in the order in which its terms have them."""
    if x.is_scalar or (1 in x.shape and _is_by_entry(algebra, x)):
        yield from _whole(algebra, x)
        return
    number, rest = algebra.split(x)
    yield from _whole(algebra, Matrix(number, SCALAR))
    for term in sp.Add.make_args(rest):
        number, entry = algebra.split(Matrix(term, x.shape))
        yield from _whole(algebra, Matrix(number, SCALAR))
        node = algebra.nodes.get(entry)
        if node is not None:
            yield from _within(algebra, node)
        elif not entry.is_number:
            yield from _whole(algebra, Matrix(entry, x.shape))


def _is_by_entry(algebra: Algebra, x: Matrix) -> bool:
    """Say whether a sum has a term that is a function of entries, or a product by entry."""
    terms = [[f for f in sp.Mul.make_args(t) if algebra.arrays(f)] for t in _terms(x)]
    return len(terms) > 1 and any(len(t) > 1 or t[0] not in algebra.nodes for t in terms if t)


def _terms(x: Matrix) -> tuple[Any, ...]:
    terms: tuple[Any, ...] = sp.Add.make_args(x.entry)
    return terms


def _within(algebra: Algebra, node: Node) -> Iterator[Matrix]:
    """Look into what is made of matrices."""
    match node:
        case Product(parts) | Kronecker(parts):
            for part in parts:
                yield from _parts(algebra, part)
        case Inverse(of) | Part(of):
            yield from _parts(algebra, of)
        case Diagonal(of):
            yield from _whole(algebra, of)
        case Named("vec", (of,)):
            yield from _parts(algebra, of)
        case Named(_, of) if not all(x.entry.is_number for x in of):
            yield from _whole(algebra, algebra.of(node))
        case Turned(of) if isinstance(of, Named):
            yield from _within(algebra, of)


def _whole(algebra: Algebra, x: Matrix) -> Iterator[Matrix]:
    """Give a product by entry, or the factors of a scalar, if they are more than names."""
    factors = [f for f in sp.Mul.make_args(x.entry) if not f.is_number]
    wide = [f for f in factors if not _is_plain(algebra, f)]
    for found in wide if x.is_scalar else [sp.Mul(*factors)] if wide else []:
        whole = Matrix(found, x.shape)
        yield algebra.transpose(whole) if x.shape[0] == 1 else whole


def _is_plain(algebra: Algebra, e: sp.Expr) -> bool:
    """Say whether something is a name, a part, sum or norm of what has one, or a power of these."""
    base, power = e.as_base_exp()
    node = algebra.nodes.get(base)
    if node is None or not power.is_number or (power != 1 and node.shape != SCALAR):
        return False
    if isinstance(node, Named) and node.name == "vec":
        return _is_plain(algebra, node.of[0].entry)
    if not isinstance(node, Product):
        return isinstance(_upright(node), Leaf)
    parts = [_upright(algebra.node(x)) for x in node.parts if not x.entry.is_number]
    names = {x for x in parts if not isinstance(x, (Selection, Rows, Cycle))}
    is_one = len(names) == 1 and all(isinstance(x, Leaf) for x in names)
    return is_one and (node.shape[1] == 1 or len(parts) < 3)


def _upright(node: Node | None) -> Node | None:
    return node.of if isinstance(node, Turned) else node
