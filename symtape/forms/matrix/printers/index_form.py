"""Formulas in matrix notation as one generic entry: sums, deltas and indexed leaves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import sympy as sp
from sympy.logic.boolalg import Boolean
from sympy.matrices.expressions.matexpr import MatrixElement

from symtape.errors import NoMatrixFormError
from symtape.forms.factors import FACTORS, Factor
from symtape.forms.index.brackets import Iverson, with_brackets
from symtape.forms.index.extrema import plain, quick
from symtape.forms.matrix.algebra import Algebra
from symtape.forms.matrix.blocks import placed
from symtape.forms.matrix.nodes import (
    SCALAR,
    Cycle,
    Diagonal,
    Identity,
    Inverse,
    Leaf,
    Matrix,
    Named,
    Node,
    OfDiagonal,
    Part,
    Product,
    Rows,
    Selection,
    Shape,
    Trace,
    Turned,
)
from symtape.forms.matrix.printers.sympy_form import matrix_expression
from symtape.forms.named import expanded
from symtape.forms.scalars.decimals import valued
from symtape.forms.scalars.elements import Shortener
from symtape.program.evaluation.transforms import root_of_unity

Place = tuple[Any, Any]
"""The row and the column of an entry."""


class IndexPrinter:
    """Writes entries; the dummies of a sum are the first letters that no index around it has.

    `leaf` writes an entry of a leaf by its name and indices.
    """

    def __init__(
        self,
        algebra: Algebra,
        ranks: Mapping[str, int],
        leaf: Callable[[str, tuple[Any, ...]], Any],
        letters: Sequence[str],
    ) -> None:
        self.algebra, self.ranks, self.leaf = algebra, ranks, leaf
        self.letters = letters
        self._plain = [
            Shortener(lambda e: algebra.length(Matrix(e, SCALAR)), joins=joins, named=False)
            for joins in (False, True)
        ]

    def entry(self, x: Matrix, at: Place, depth: int = 0) -> Any:
        """Write an entry, in which the first `depth` letters mean other indices."""
        row, column = (sp.S.Zero if n == 1 else k for k, n in zip(at, x.shape, strict=True))
        cases = self._cases(x, (row, column), depth)
        if cases is not None:
            return cases
        entry = x.entry
        if entry.has(Iverson):
            raise NoMatrixFormError("cases have a generic entry of their own")
        if isinstance(entry, sp.Expr):
            entry = self._without_sign(self._plain[x.is_scalar].of(expanded(entry)))
            entry = valued(entry, self.algebra.decimals(entry))
        swap = {s: self.node(s, (row, column), depth) for s in entry.free_symbols}
        return plain(quick(entry).xreplace(swap))

    def _without_sign(self, e: Any) -> Any:
        """Write Xᵀ(p - y) for -Xᵀ(y - p)."""
        number, rest = e.as_coeff_Mul()
        flipped = self.algebra.flipped(rest) if number.is_negative else None
        return e if flipped is None else -number * flipped

    def node(self, symbol: Any, at: Place, depth: int) -> Any:
        """Write an entry of what a symbol stands for; of a scalar, its value."""
        node = self.algebra.nodes[symbol]
        return self._node(node, at if node.shape != SCALAR else (sp.S.Zero, sp.S.Zero), depth)

    def _node(self, node: Node, at: Place, depth: int) -> Any:
        row, column = at
        match node:
            case Leaf(name, shape):
                is_row = shape[0] == 1 and self.ranks[name] == 1
                return self.leaf(name, (column,) if is_row else at[: self.ranks[name]])
            case Turned(of):
                return self._node(of, (column, row), depth)
            case Identity() | Selection() | Cycle():
                return sp.KroneckerDelta(self._chosen(node, row, depth), column)
            case Diagonal(of):
                return sp.KroneckerDelta(row, column) * self.entry(of, (row, 0), depth)
            case OfDiagonal(of):
                return self.entry(of, (row, row), depth)
            case Part(of):
                return self.entry(of, at, depth)
            case Product(parts):
                return self._chain(list(parts), at, depth)
            case Trace(of):
                k = self._dummy(depth)
                return _sum(self.entry(of, (k, k), depth + 1), [(k, of.shape[0])])
            case Inverse(of) if self.algebra.is_fourier(of):
                return root_of_unity(row * column, node.shape[0]) / node.shape[0]
            case Inverse(of):
                turned = self.algebra.transpose(of)
                if self.algebra.turns(turned.entry) < self.algebra.turns(of.entry):
                    return MatrixElement(sp.Inverse(self._whole(turned)), column, row)
                return MatrixElement(sp.Inverse(self._whole(of)), row, column)
            case Named(name, of):
                return self._named(name, of, node.shape, at, depth)
        raise NoMatrixFormError(f"{type(node).__name__} has no generic entry")

    def _named(
        self, name: str, parts: tuple[Matrix, ...], shape: Shape, at: Place, depth: int
    ) -> Any:
        if name in {"cross", "skew"}:
            return self._cross(parts, at, depth)
        if name == "dft":
            return root_of_unity(-at[0] * at[1], shape[0])
        of, *others = parts or (None,)
        if of is None or others:
            raise NoMatrixFormError(f"{name} has no generic entry")
        if name in FACTORS:
            return MatrixElement(self._factor(name, of, shape), *at)
        k = self._dummy(depth)
        if name in {"softmax", "logsumexp"}:
            place, size = ((k, 0), of.shape[0]) if of.is_column else ((at[0], k), of.shape[1])
            total = _sum(sp.exp(self.entry(of, place, depth + 1)), [(k, size)])
            if name == "logsumexp":
                return sp.log(total)
            return sp.exp(self.entry(of, at, depth)) / total
        if name == "det":
            return sp.Determinant(self._whole(of))
        raise NoMatrixFormError(f"{name} has no generic entry")

    def _cross(self, of: tuple[Matrix, ...], at: Place, depth: int) -> Any:
        """Write Σ ε_ijk u_j v_k, and Σ ε_ikj u_k for an entry of the matrix that multiplies so."""
        row, column = at
        dummies = [self._dummy(depth + k) for k in range(len(of))]
        inner = depth + len(of)
        factors = [self.entry(x, (k, 0), inner) for x, k in zip(of, dummies, strict=True)]
        places = (row, *dummies) if len(of) > 1 else (row, *dummies, column)
        return _sum(sp.Mul(sp.LeviCivita(*places), *factors), [(k, 3) for k in dummies])

    def _dummy(self, depth: int) -> sp.Symbol:
        if depth >= len(self.letters):
            raise NoMatrixFormError("there are more sums within sums than letters")
        return sp.Symbol(self.letters[depth], integer=True)

    def _whole(self, x: Matrix) -> Any:
        """Write a matrix that stays one; of vectors in it, the entries."""
        node = self.algebra.node(x)
        if isinstance(node, Named) and node.name in FACTORS:
            return self._factor(node.name, node.of[0], x.shape)
        return matrix_expression(self.algebra, x, dict(self.ranks), self.leaf)

    def _factor(self, name: str, of: Matrix, shape: Shape) -> Factor:
        return Factor(name, self._whole(of), *shape)

    # --- products ---------------------------------------------------------------------------------

    def _chain(self, parts: list[Matrix], at: Place, depth: int) -> Any:
        """Sum over the indices between factors; diagonals and chosen rows need none."""
        row, column = at
        nodes = [self.algebra.node(x) for x in parts]
        factors: list[Any] = []
        while parts and (isinstance(nodes[-1], Diagonal) or _is_choice(nodes[-1])):
            last = nodes.pop()
            parts.pop()
            if isinstance(last, Diagonal):
                factors.append(self.entry(last.of, (column, 0), depth))
            elif isinstance(last, Cycle):
                column = _moved(last, column, back=True)
            elif isinstance(last, Turned):
                column = self._chosen(last.of, column, depth)
        bounds: list[tuple[Any, int]] = []
        own = depth + sum(x.shape[1] != 1 for x in parts[:-1])
        for k, (x, node) in enumerate(zip(parts, nodes, strict=True)):
            if isinstance(node, Diagonal):
                factors.append(self.entry(node.of, (row, 0), own))
                continue
            if isinstance(node, (Selection, Rows, Cycle)):
                row = self._chosen(node, row, own)
                continue
            is_last = k == len(parts) - 1
            to = column if is_last else sp.S.Zero
            if not is_last and x.shape[1] != 1:
                to = self._dummy(depth + len(bounds))
                bounds.append((to, x.shape[1]))
            factors.append(self.entry(x, (row, to), own))
            row = to
        if row != column:
            factors.append(sp.KroneckerDelta(row, column))
        if any(isinstance(f, Boolean) for f in factors):
            raise NoMatrixFormError("a product with a truth value has no generic entry")
        return _sum(sp.Mul(*factors), bounds)

    def _chosen(self, node: Any, row: Any, depth: int) -> Any:
        """Give the number of the row that is taken of a unit matrix."""
        if isinstance(node, Identity):
            return row
        if isinstance(node, Selection):
            return node.first + node.step * row
        if isinstance(node, Cycle):
            return _moved(node, row)
        return self.entry(node.places, (row, 0), depth)

    # --- places among zeros -----------------------------------------------------------------------

    def _cases(self, x: Matrix, at: Place, depth: int) -> Any | None:
        """Write parts of a column at their places as one block of cases."""
        row, _ = at
        n = x.shape[0]
        terms = [Matrix(t, x.shape) for t in sp.Add.make_args(x.entry)]
        found = [placed(self.algebra, t.entry, x.shape) for t in terms]
        own = [
            (t, (0, n)) if p is None else (p.block, p.rows)
            for t, p in zip(terms, found, strict=True)
        ]
        ranges = list(pairwise(sorted({0, n}.union(*[rows for _, rows in own]))))
        if not x.is_column or len(ranges) < 2:
            return None
        pieces = []
        for start, stop in ranges:
            here = [(m, low) for m, (low, high) in own if low <= start and stop <= high]
            value = sp.Add(*[self.entry(m, (row - low, 0), depth) for m, low in here])
            pieces.append((value, _within(row, start, stop, n)))
        return sp.Piecewise(*pieces)


def _moved(node: Cycle, row: Any, *, back: bool = False) -> Any:
    """Give the place that a row comes from, or goes to."""
    return sp.Mod(row + (node.by if back else -node.by), node.shape[0])


def _is_choice(node: Node | None) -> bool:
    """Say whether columns are chosen."""
    is_turned = isinstance(node, Turned) and isinstance(node.of, (Selection, Rows))
    return is_turned or isinstance(node, Cycle)


def _within(row: Any, start: int, stop: int, n: int) -> Any:
    """Say that an index lies in a range, by as little as tells it."""
    if stop - start == 1:
        return sp.Eq(row, start)
    low = sp.true if start == 0 else row >= start
    return low if stop == n else sp.And(low, row < stop)


def _sum(body: Any, bounds: Sequence[tuple[Any, int]]) -> Any:
    if not bounds or body == 0:
        return body
    body = with_brackets(body)  # SymPy would take the conditions out of the sum
    number, rest = body.as_independent(*[k for k, _ in bounds], as_Add=False)
    if not rest.has(*[k for k, _ in bounds]):
        return sp.Mul(body, *[n for _, n in bounds])
    return number * sp.Sum(rest, *[(k, 0, n - 1) for k, n in bounds])
