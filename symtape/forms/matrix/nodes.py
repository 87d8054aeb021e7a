"""What formulas in matrix notation are made of.

A `Matrix` is one scalar expression for all of its entries, in ordinary SymPy, over symbols that
stand for whole arrays: so sums, multiples, products by element and functions of elements are
SymPy's algebra. A symbol's `Node` says what it stands for: a leaf, a product of matrices, an
inverse, a diagonal, a trace. A vector is a matrix of one column, and a scalar one of one entry.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import sympy as sp

Shape = tuple[int, int]
"""The numbers of rows and columns."""

SCALAR: Shape = (1, 1)


class Matrix(NamedTuple):
    """The entry of an array, over symbols of arrays of its shape and of scalars."""

    entry: Any
    shape: Shape

    @property
    def is_scalar(self) -> bool:
        """Say whether there is one entry."""
        return self.shape == SCALAR

    @property
    def is_column(self) -> bool:
        """Say whether there is one column, or a scalar."""
        return self.shape[1] == 1


class Leaf(NamedTuple):
    """A tensor that entered, under its name."""

    name: str
    shape: Shape


class Decimal(NamedTuple):
    """A positive decimal number that somebody wrote, which stays as it is: x / 0.3."""

    number: Any
    shape: Shape = SCALAR


class Turned(NamedTuple):
    """The transpose of a leaf, or of what only has a name."""

    of: Any
    shape: Shape


class Product(NamedTuple):
    """A product of at least two matrices."""

    parts: tuple[Matrix, ...]
    shape: Shape


class Inverse(NamedTuple):
    """The inverse of a square matrix."""

    of: Matrix
    shape: Shape


class Identity(NamedTuple):
    """The unit matrix."""

    shape: Shape


class Diagonal(NamedTuple):
    """The matrix with a vector on its diagonal, and zeros elsewhere."""

    of: Matrix
    shape: Shape


class OfDiagonal(NamedTuple):
    """The diagonal of a matrix, as a column."""

    of: Matrix
    shape: Shape


class Selection(NamedTuple):
    """Some rows of the unit matrix, evenly spaced: from which on, by which step, and how many."""

    first: int
    step: int
    shape: Shape

    @property
    def range(self) -> slice:
        """The rows."""
        stop = self.first + self.step * self.shape[0]
        return slice(self.first, stop if stop >= 0 else None, self.step)


class Cycle(NamedTuple):
    """Πᵏ, which moves rows by k, those that fall off the end coming back at the start."""

    by: int
    shape: Shape


class Rows(NamedTuple):
    """The rows of the unit matrix whose numbers are the entries of a column."""

    places: Matrix
    shape: Shape


class Trace(NamedTuple):
    """The sum of the diagonal of a matrix."""

    of: Matrix
    shape: Shape = SCALAR


class Named(NamedTuple):
    """What a function of whole matrices gives, which is known by its name alone."""

    name: str
    of: tuple[Matrix, ...]
    shape: Shape


class Kronecker(NamedTuple):
    """The Kronecker product of matrices."""

    parts: tuple[Matrix, ...]
    shape: Shape


class Commutation(NamedTuple):
    """The matrix that makes vec(Xᵀ) of vec(X), for X of so many rows and columns."""

    of: Shape
    shape: Shape


class Part(NamedTuple):
    """A long formula that is taken as a whole: what is done with it looks no further."""

    of: Matrix
    shape: Shape


Node = (
    Leaf
    | Decimal
    | Turned
    | Product
    | Inverse
    | Identity
    | Diagonal
    | OfDiagonal
    | Selection
    | Cycle
    | Rows
    | Trace
    | Named
    | Kronecker
    | Commutation
    | Part
)


def turned_shape(shape: Shape) -> Shape:
    """Exchange rows and columns."""
    return shape[1], shape[0]


def inner(node: Node) -> tuple[Matrix, ...]:
    """List the matrices that a node is made of."""
    match node:
        case Product(parts) | Kronecker(parts):
            return parts
        case Named(_, of):
            return of
        case Rows(places):
            return (places,)
        case Inverse(of) | Diagonal(of) | OfDiagonal(of) | Trace(of) | Part(of):
            return (of,)
    return ()


def with_sign(e: Any) -> Any | None:
    """Write -e with the sign in a sum of it: (a - x) y for -(x - a) y; None where it has none.

    Of sums with as many minus signs x - 1 takes it before x - a, and 1 - x stays; so does n - 1,
    of a size.
    """
    own = [(f, base) for f, base in _odd_sums(e) if not _is_less_than_a_size(base)]
    sums = [(_minuses(base), -_number(base), f) for f, base in own]
    most, _, factor = max(sums, key=lambda found: found[:2], default=(0, 0, e))
    return _with_sum_turned(e, factor) if most else None


def taken_from_numbers(e: Any) -> Any:
    """Write (p - y) / (p (1 - p)) for (y - p) / (p (p - 1)): a sum turns, and another beside it.

    Two turn, too, where fewer minus signs are left: (p - 1)/(1 + x - p) for (1 - p)/(p - 1 - x).
    """
    mixed = [(f, b) for f, b in _odd_sums(e) if _minuses(b) < len(b.args)]
    sums = sorted(mixed, key=lambda pair: _more_minuses(pair[1]), reverse=True)[:2]
    if len(sums) == 2 and sum(_more_minuses(b) for _, b in sums) > 0:
        for f, _ in sums:
            e = _with_sum_turned(e, f)
        return e
    halves = [(f, b) for f, b in _odd_sums(e) if 2 * _minuses(b) == len(b.args)]
    below = [(f, b) for f, b in halves if _number(b) < 0 and not _is_less_than_a_size(b)]
    pairs = [(f, g) for f, b in below if len(b.args) == 2 for g in _beside(b, halves)]
    if not pairs:
        return e
    return _with_sum_turned(_with_sum_turned(e, pairs[0][0]), pairs[0][1])


def _beside(base: Any, sums: list[tuple[Any, Any]]) -> list[Any]:
    """List the factors of sums without a number that share a symbol with another sum."""
    shared = base.free_symbols
    return [f for f, b in sums if _number(b) == 0 and not shared.isdisjoint(b.free_symbols)]


def begins_with_a_number(e: Any) -> bool:
    """Say whether a sum in a product that is taken away is x - 1, and would be 1 - x added.

    Not exp(x) - 1, which is what books divide by.
    """
    if not e.as_coeff_Mul()[0].is_negative:
        return False
    sums = [b for _, b in _odd_sums(e) if not b.has(sp.Function)]
    return any(_number(b) < 0 and 2 * _minuses(b) == len(b.args) for b in sums)


def _more_minuses(e: Any) -> int:
    """Say by how many minus signs a sum has more than with all signs changed."""
    return 2 * _minuses(e) - len(e.args)


def _odd_sums(e: Any) -> list[tuple[Any, Any]]:
    """List the factors that are odd powers of sums, or of their signs, each with its sum."""
    pairs = [(f, *f.as_base_exp()) for f in sp.Mul.make_args(e)]
    odd = [(f, _signed(base)) for f, base, k in pairs if k.is_Integer and k.is_odd]
    return [(f, base) for f, base in odd if base.is_Add]


def _signed(e: Any) -> Any:
    """Give what something is the sign of, or the same."""
    return e.args[0] if isinstance(e, sp.sign) else e


def _with_sum_turned(e: Any, factor: Any) -> Any:
    """Give the terms of the sum in a factor their other signs."""
    base, power = factor.as_base_exp()
    turned = sp.Add(*[-t for t in _signed(base).args])
    return e / factor * (sp.sign(turned) if isinstance(base, sp.sign) else turned) ** power


def _minuses(e: Any) -> int:
    return sum(bool(t.could_extract_minus_sign()) for t in e.args)


def _is_less_than_a_size(e: Any) -> bool:
    """Say whether a sum is a number less than what is positive."""
    return _number(e) < 0 and _minuses(e) == 1 and all(s.is_positive for s in e.free_symbols)


def _number(e: Any) -> int:
    """Give the sign of the number that is added, or 0."""
    number = sp.Add(*[t for t in e.args if t.is_number])
    return int(sp.sign(number)) if number.is_real else 0


def flippable(node: Node | None) -> int | None:
    """Find the factor that takes in a minus sign: -A (b - x) is A (x - b)."""
    if isinstance(node, Named) and node.name == "cross":
        return 0  # -u × v is v × u
    if isinstance(node, Diagonal):
        return None if negated(node.of.entry) is None else 0
    if not isinstance(node, (Product, Kronecker)):
        return None
    for k, part in enumerate(node.parts):
        if negated(part.entry) is not None:
            return k
    return None


def flippable_diagonal(node: Node | None, nodes: Mapping[Any, Node]) -> int | None:
    """Find the diagonal in a product that takes in a minus sign: -diag(a - b) X."""
    own = [nodes.get(part.entry) for part in node.parts] if isinstance(node, Product) else []
    is_taken = [isinstance(n, Diagonal) and flippable(n) is not None for n in own]
    return is_taken.index(True) if any(is_taken) else None


def negated(e: Any) -> Any | None:
    """Write -e with no more minus signs than e has, where a sum in it takes the sign in."""
    if not e.is_Add:
        return with_sign(e)
    is_any = any(t.could_extract_minus_sign() or _is_below_zero(t) for t in e.args)
    return sp.Add(*[-t for t in e.args]) if is_any else None


def _is_below_zero(term: Any) -> bool:
    """Say whether a sum that multiplies a term has nothing but minus signs: (-4 - s) I."""
    sums = [f for f in sp.Mul.make_args(term) if f.is_Add]
    return len(sums) == 1 and _minuses(sums[0]) == len(sums[0].args)
