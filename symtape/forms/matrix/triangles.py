"""Triangles of matrices: of what is one already, nothing is taken."""

from __future__ import annotations

from typing import Any

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

OTHER = {"tril": "triu", "triu": "tril"}


def triangle(algebra: Algebra, x: Matrix, name: str) -> Matrix:
    """Take one triangle of a matrix; a Cholesky factor is one."""
    number, entry = algebra.split(x)
    if _is_within(algebra, entry, name) or is_triangle(algebra, entry, name):
        return x
    if is_triangle(algebra, entry, OTHER[name]):
        return algebra.diagonal(algebra.of_diagonal(x))
    made = algebra.of(Named(name, (Matrix(entry, x.shape),), x.shape))
    return algebra.times(algebra.number(number), made)


def offset_triangle(algebra: Algebra, x: Matrix, name: str, diagonal: int) -> Matrix:
    """Take a triangle that begins at another diagonal, as NumPy's `tril(x, k)`."""
    if diagonal == 0:
        return triangle(algebra, x, name)
    number, entry = algebra.split(x)
    k = algebra.number(diagonal)
    if _is_within(algebra, entry, name, k):
        return x
    is_below = diagonal < 0 if name == "tril" else diagonal > 0
    if is_below and is_triangle(algebra, entry, OTHER[name]):
        return algebra.number(0, x.shape)
    made = algebra.of(Named(name, (Matrix(entry, x.shape), k), x.shape))
    return algebra.times(algebra.number(number), made)


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
