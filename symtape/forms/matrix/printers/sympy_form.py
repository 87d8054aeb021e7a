"""Formulas in matrix notation as SymPy's own matrix expressions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import count
from typing import Any

import sympy as sp
from sympy.matrices.expressions.fourier import DFT, IDFT
from sympy.matrices.expressions.matexpr import MatrixElement

from symtape.errors import NoMatrixFormError
from symtape.forms.index.brackets import with_cases
from symtape.forms.matrix.algebra import Algebra
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
    Trace,
    Turned,
)
from symtape.forms.named import expanded
from symtape.forms.scalars.decimals import valued

_ROW, _COLUMN = sp.symbols("i j", integer=True)
_MOST_WRITTEN = 16
"""A vector within a matrix has so many entries written out at most."""


def matrix_expression(
    algebra: Algebra, x: Matrix, ranks: dict[str, int], leaf: Callable[..., Any] | None = None
) -> Any:
    """Write a formula with SymPy's nodes alone; raises `NoMatrixFormError` where it has none.

    Of a scalar it is an ordinary expression. `ranks` says how many axes a leaf has. With `leaf`,
    which writes an entry of a leaf by its name and indices, vectors are columns of entries.
    """
    return _Writer(algebra, ranks, leaf).entry(expanded(with_cases(x.entry)), x.shape)


class _Writer:
    def __init__(
        self, algebra: Algebra, ranks: dict[str, int], leaf: Callable[..., Any] | None
    ) -> None:
        self.algebra, self.ranks, self.leaf = algebra, ranks, leaf
        self.known: dict[Any, Any] = {}

    def entry(self, e: Any, shape: tuple[int, int]) -> Any:
        """Write an array, or a scalar."""
        e = valued(e, self.algebra.decimals(e))
        if shape == SCALAR:
            return e.xreplace({s: self._scalar(s) for s in e.free_symbols})
        arrays = self.algebra.arrays(e)
        if e in arrays:
            return self._node(self.algebra.nodes[e])
        if not isinstance(e, sp.Expr):  # true, false, or a condition
            raise NoMatrixFormError("SymPy has no matrix of truth values: text() writes one")
        if not arrays:
            return _multiple(self.entry(e, SCALAR), sp.OneMatrix(*shape))
        if isinstance(e, sp.Add):
            return sp.MatAdd(*[self.entry(t, shape) for t in e.args], evaluate=False)
        if isinstance(e, sp.Mul):
            outer = sp.Mul(*[f for f in e.args if not self.algebra.arrays(f)])
            inner = [self.entry(f, shape) for f in e.args if self.algebra.arrays(f)]
            made = inner[0] if len(inner) == 1 else sp.HadamardProduct(*inner, evaluate=False)
            return made if outer == 1 else _multiple(self.entry(outer, SCALAR), made)
        return self._function(e, shape)

    def _function(self, e: Any, shape: tuple[int, int]) -> Any:
        """Apply a function of one array to its entries."""
        inner = [a for a in e.args if self.algebra.arrays(a)]
        if isinstance(e, sp.Piecewise):
            inner = self.algebra.arrays(e)
        if len(inner) != 1:
            raise NoMatrixFormError(
                f"SymPy has no matrix expression of {e.func.__name__} of several arrays; "
                "latex('matrix') and text() write it"
            )
        if isinstance(e, sp.Pow) and e.base == inner[0]:
            return sp.HadamardPower(self.entry(e.base, shape), self.entry(e.exp, SCALAR))
        d = sp.Symbol(next(f"d{'_' * k}" for k in count() if f"d{'_' * k}" not in self.ranks))
        if isinstance(e, sp.Piecewise):
            scalars = {x: self._scalar(x) for x in e.free_symbols if x != inner[0]}
            truths = {x: sp.Ne(scalars[x], 0) for x in _truths(e) if x in scalars}
            body = e.xreplace({inner[0]: d, **scalars, **truths})
        else:
            body = e.func(*[d if a == inner[0] else self.entry(a, SCALAR) for a in e.args])
        return self.entry(inner[0], shape).applyfunc(sp.Lambda(d, body))

    def _scalar(self, symbol: Any) -> Any:
        if symbol not in self.algebra.nodes:
            return symbol
        made = self._node(self.algebra.nodes[symbol])
        if not isinstance(made, sp.MatrixExpr):
            return made
        return MatrixElement(made, sp.S.Zero, sp.S.Zero)  # by indexing, SymPy would compute it

    def _node(self, node: Node) -> Any:
        if node not in self.known:
            self.known[node] = self._written(node)
        return self.known[node]

    def _of(self, x: Matrix) -> Any:
        made = self.entry(expanded(with_cases(x.entry)), x.shape)
        if x.is_scalar:
            return sp.MatMul(made, sp.Identity(1), evaluate=False)
        return made

    def _written(self, node: Node) -> Any:
        match node:
            case Leaf(name, shape):
                return self._leaf(name, shape)
            case Turned(of):
                return sp.Transpose(self._node(of))
            case Product(parts):
                return sp.MatMul(*map(self._of, parts), evaluate=False)
            case Inverse(of):
                return self._inverted(of)
            case Identity(shape):
                return sp.Identity(shape[0])
            case Selection() | Cycle():
                return sp.ImmutableMatrix(*node.shape, partial(_has_one, node))
            case Rows():
                raise NoMatrixFormError(
                    "SymPy has no matrix expression of rows that an array chooses; "
                    "latex('matrix') and text() write it"
                )
            case Diagonal(of):
                return sp.DiagMatrix(self._of(of))
            case OfDiagonal(of):
                return sp.DiagonalOf(_with_sizes(self._of(of)))
            case Trace(of):
                return sp.Trace(self._of(of))
            case Part(of):
                return self.entry(expanded(with_cases(of.entry)), of.shape)
            case Named(name, of):
                return self._named(name, of, node.shape)
        raise TypeError(type(node).__name__)

    def _inverted(self, x: Matrix) -> Any:
        """Write an inverse; that of a transform is SymPy's, but for a number."""
        if self.algebra.is_fourier(x):
            return IDFT(x.shape[0]) / sp.sqrt(x.shape[0])
        return sp.Inverse(self._of(x))

    def _leaf(self, name: str, shape: tuple[int, int]) -> Any:
        rank = self.ranks.get(name, 2)
        if rank == 2 or (rank == 1 and self.leaf is None):
            return sp.MatrixSymbol(name, *shape)
        if self.leaf is None:
            return sp.Symbol(name)
        if rank == 0:
            return self.leaf(name, ())
        if shape[0] > _MOST_WRITTEN:
            raise NoMatrixFormError(f"{name} has {shape[0]} entries to be written out in a matrix")
        return sp.ImmutableMatrix([self.leaf(name, (k,)) for k in range(shape[0])])

    def _triangle(self, name: str, of: Matrix, diagonal: Matrix | None = None) -> Any:
        """Write the entries up to a diagonal, or from it on, as products with ones and zeros."""
        last = _ROW + (0 if diagonal is None else diagonal.entry)
        is_within = last >= _COLUMN if name == "tril" else last <= _COLUMN
        ones = sp.Lambda((_ROW, _COLUMN), sp.Piecewise((1, is_within), (0, True)))
        made = sp.FunctionMatrix(*of.shape, ones)
        if of.entry == 1:
            return made
        return sp.HadamardProduct(self._of(of), made, evaluate=False)

    def _named(self, name: str, of: tuple[Matrix, ...], shape: tuple[int, int]) -> Any:
        if name == "det":
            return sp.Determinant(self._of(of[0]))
        if name == "range":
            return sp.FunctionMatrix(*shape, sp.Lambda((_ROW, _COLUMN), _ROW))
        if name in ("tril", "triu"):
            return self._triangle(name, *of)
        if name == "dft":
            n = shape[0]
            return sp.sqrt(n) * DFT(n)  # SymPy's is divided by that
        if name in {"cross", "skew"}:
            return _of_cross(*[[MatrixElement(self._of(x), k, 0) for k in range(3)] for x in of])
        if name in {"softmax", "logsumexp"}:
            powers = Matrix(sp.exp(of[0].entry), of[0].shape)
            if not powers.is_column:
                sums = self.algebra.product(powers, self.algebra.ones(powers.shape[1]))
                weights = self.algebra.diagonal(self.algebra.apply(lambda e: 1 / e, sums))
                return self._of(self.algebra.product(weights, powers))
            total = self._scalar(self.algebra.total(powers).entry)
            if name == "logsumexp":
                return sp.log(total)
            return _multiple(1 / total, self._of(powers))
        raise NoMatrixFormError(
            f"SymPy has no matrix expression of {name}; latex('matrix') and text() write it"
        )


def _has_one(node: Selection | Cycle, i: int, j: int) -> int:
    """Say whether a row of a unit matrix, or one that is moved, has its one in some column."""
    if isinstance(node, Cycle):
        return int((i - node.by - j) % node.shape[0] == 0)
    return int(j == node.first + node.step * i)


def _truths(cases: Any) -> set[Any]:
    """List the symbols in conditions that are true or false themselves."""
    conditions = [c for _, c in cases.args]
    joined = [b for c in conditions for b in c.atoms(sp.And, sp.Or, sp.Not)]
    return {x for b in (sp.Tuple(*conditions), *joined) for x in b.args if x.is_Symbol}


def _of_cross(a: Sequence[Any], b: Sequence[Any] | None = None) -> Any:
    """Write a cross product by its entries, or the matrix that multiplies by one."""
    if b is None:
        return sp.ImmutableMatrix([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])
    around = ((1, 2), (2, 0), (0, 1))
    return sp.ImmutableMatrix([a[i] * b[j] - a[j] * b[i] for i, j in around])


def _with_sizes(x: Any) -> Any:
    """Give a matrix between unit matrices where its sizes are Python's numbers.

    A product that begins or ends with a matrix of numbers has such, which `DiagonalOf` cannot read.
    """
    if all(isinstance(n, sp.Basic) for n in x.shape):
        return x
    factors = x.args if isinstance(x, sp.MatMul) else (x,)
    rows, columns = (sp.Identity(n) for n in x.shape)
    return sp.MatMul(rows, *factors, columns, evaluate=False)


def _multiple(number: Any, x: Any) -> Any:
    """Multiply by a scalar, without SymPy's algebra, which would distribute it over sums."""
    factors = x.args if isinstance(x, sp.MatMul) else (x,)
    return sp.MatMul(number, *factors, evaluate=False)
