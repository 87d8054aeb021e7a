"""Steps that compute a formula in matrix notation: what a letter in it stands for, as a tensor.

Every array has two axes here, a scalar and a column too. An entry is one elementwise step, and a
node the step of its kind. A sum that loses digits where a bounded function reaches its bound is
written by the function that keeps them: σ(-z) for 1 - σ(z).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

import sympy as sp

from symtape.errors import NoMatrixFormError
from symtape.forms.index.brackets import Iverson
from symtape.forms.matrix.algebra import Algebra
from symtape.forms.matrix.nodes import (
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
from symtape.forms.named import normal_cdf, normal_pdf, normal_quantile, sigmoid
from symtape.program.functions import scalar, special
from symtape.program.kinds import matrices
from symtape.program.kinds.structural import Concat, Extremum, Gather, Reshape, Slice
from symtape.program.kinds.structural import Product as ProductOfAll
from symtape.program.operations import Cast, DType, Map, Operation, dtype_name, parameters
from symtape.program.program import Builder


class Computed:
    """Adds the steps of formulas to a program that has the leaves at some places."""

    def __init__(self, b: Builder, algebra: Algebra, leaves: Mapping[str, int]) -> None:
        self.b, self.algebra, self.leaves = b, algebra, {**leaves}
        self.known: dict[Any, int] = {}

    def place(self, x: Matrix, dtype: DType) -> int:
        """Give the place of a matrix, a vector or a scalar, with its own number of axes.

        Raises `NoMatrixFormError` where a function of it has no step.
        """
        self.dtype = dtype
        shape = () if x.is_scalar else x.shape[:1] if x.is_column else x.shape
        return self._shaped(self._of(x), shape)

    def _shaped(self, p: int, shape: tuple[int, ...]) -> int:
        own = self.b.shapes[p]
        return p if own == shape else self.b.append(Reshape(own, shape), p)

    def _of(self, x: Matrix) -> int:
        """Compute the entries by one step, and repeat them where they are all one."""
        if x.entry in self.algebra.nodes:
            at = self._node(x.entry)
        elif x.entry.is_number:
            at = self._shaped(self.b.constant(x.entry, self.dtype), (1, 1))
        else:
            at = self._map(x.entry, "same")
        if self.b.shapes[at] == x.shape:
            return at
        return self.b.einsum([[0, 1]], [2, 3], [at], {2: x.shape[0], 3: x.shape[1]})

    def _map(self, e: Any, result: str) -> int:
        """Compute an expression by entry; the bracket of a condition is a step of its own."""
        brackets = sorted(e.atoms(Iverson), key=sp.default_sort_key) if result == "same" else []
        found = {f: self._bracket(f) for f in brackets}
        rest = e.xreplace({f: sp.Dummy() for f in brackets})
        symbols = sorted(rest.free_symbols & {*self.algebra.nodes}, key=self.algebra.place)
        found |= {s: self._node(s) for s in symbols}
        names = dict(zip(found, parameters(len(found)), strict=True))
        body = _stable(e.xreplace({f: names[f] for f in brackets})).xreplace(names)
        return self.b.append(Map(body, len(found), result), *found.values())

    def _bracket(self, f: Any) -> int:
        return self.b.append(Cast(dtype_name(self.dtype)), self._map(f.args[0], "bool"))

    def _node(self, symbol: Any) -> int:
        if symbol not in self.known:
            self.known[symbol] = self._step(self.algebra.nodes[symbol])
        return self.known[symbol]

    def _turned(self, p: int) -> int:
        return self.b.einsum([[0, 1]], [1, 0], [p])

    def _step(self, node: Node) -> int:
        b = self.b
        match node:
            case Leaf(name, shape) if name in self.leaves:
                return self._shaped(self.leaves[name], shape)
            case Turned(of):
                return self._turned(self._node(self.algebra.symbol(of)))
            case Product(parts):
                places = map(self._of, parts)
                return reduce(lambda p, q: b.einsum([[0, 1], [1, 2]], [0, 2], [p, q]), places)
            case Inverse(of):
                return b.append(matrices.Inverse(), self._of(of))
            case Identity() | Selection() | Cycle() | Rows():
                return self._unit(node)
            case Diagonal(of):
                return b.einsum([[0, 1]], [0, 0], [self._of(of)])
            case OfDiagonal(of, shape):
                return self._shaped(b.einsum([[0, 0]], [0], [self._of(of)]), shape)
            case Trace(of):
                return self._shaped(b.einsum([[0, 0]], [], [self._of(of)]), (1, 1))
            case Part(of):
                return self._of(of)
            case Named(name, (of,), shape):
                return self._shaped(self._named(name, of, shape), shape)
        raise NoMatrixFormError(f"what is written as {type(node).__name__} has no step")

    def _unit(self, node: Identity | Selection | Cycle | Rows) -> int:
        """Make a unit matrix, or take some of its rows."""
        b, n = self.b, node.shape[1]
        whole, rest = b.einsum([[]], [0, 0], [b.constant(1, self.dtype)], {0: n}), (0, 1, n)
        match node:
            case Selection(first, step, (count, _)):
                return b.append(Slice(((first, step, count), rest)), whole)
            case Cycle(by):
                parts = [(n - by % n, 1, by % n), (0, 1, n - by % n)]
                return b.append(Concat(-2), *[b.append(Slice((p, rest)), whole) for p in parts])
            case Rows(places):
                at = self._shaped(self._of(places), places.shape[:1])
                return b.append(Gather(1, 0, 0), whole, at)
        return whole

    def _named(self, name: str, of: Matrix, shape: tuple[int, int]) -> int:
        p = self._of(of)
        if name in _STEPS:
            return self.b.append(_STEPS[name], p)
        if name == "vec":
            return self._turned(p)
        if name == "unvec":
            rows, columns = shape
            return self._turned(self._shaped(p, (columns, rows)))
        if name in {"rowmax", "rowmin"}:
            return self.b.append(Extremum(name[3:], (-1,)), p)
        if name == "softmax":
            return self._softmax(p, 0 if of.is_column else 1)
        raise NoMatrixFormError(f"what is written as {name} has no step")

    def _softmax(self, p: int, axis: int) -> int:
        """Divide exponentials by their sums, none of which overflows."""
        b = self.b
        powers = b.append(
            Map("shifted_exp", 2, "same"), p, self._along(Extremum("max", (axis - 2,)), p, axis)
        )
        sums = b.einsum([[0, 1]], [1 - axis], [powers])
        rows, columns = b.shapes[p]
        return b.divide(powers, self._shaped(sums, (1, columns) if axis == 0 else (rows, 1)))

    def _along(self, operation: Operation, p: int, axis: int) -> int:
        rows, columns = self.b.shapes[p]
        return self._shaped(self.b.append(operation, p), (1, columns) if axis == 0 else (rows, 1))


_STEPS: dict[str, Operation] = {
    "det": matrices.Determinant("value"),
    "chol": matrices.Cholesky(),
    "tril": matrices.Band(None, 0),
    "triu": matrices.Band(0, None),
    "expm": matrices.MatrixFunction("exp"),
    "logm": matrices.MatrixFunction("log"),
    "sqrtm": matrices.MatrixFunction("sqrt"),
    "max": Extremum("max", (-2, -1)),
    "min": Extremum("min", (-2, -1)),
    "prod": ProductOfAll((-2, -1)),
}

_KEPT: tuple[tuple[Any, Callable[[Any], Any], Callable[[Any], Any]], ...] = (
    (sigmoid, lambda f: 1 - f, lambda z: scalar.sigmoid(-z)),
    (sp.tanh, lambda f: 1 - f**2, scalar.tanh_slope),
    (normal_cdf, lambda f: 1 - f, lambda z: special.normal_cdf(-z)),
)
"""Functions, what loses digits, and what it is written by."""

_OWN: dict[Any, Callable[..., Any]] = {
    sigmoid: scalar.sigmoid, normal_cdf: special.normal_cdf, sp.tanh: scalar.tanh,
    sp.Abs: scalar.absolute, sp.sign: scalar.sign, sp.erf: special.erf, sp.erfc: special.erfc,
    sp.asin: scalar.asin, sp.acos: scalar.acos, sp.acosh: scalar.acosh, sp.asinh: scalar.asinh,
    sp.atanh: scalar.atanh, sp.Max: scalar.maximum, sp.Min: scalar.minimum,
    normal_quantile: special.normal_quantile,
    sp.loggamma: special.lgamma, sp.polygamma: special.polygamma, sp.floor: scalar.floor,
}  # fmt: skip
"""How the program says what SymPy has a function for."""

_SAME = (
    sp.exp, sp.log, sp.sin, sp.cos, sp.tan, sp.atan, sp.sinh, sp.cosh, sp.atan2, scalar.Scalar
)  # fmt: skip


def _stable(e: Any) -> Any:
    """Write an expression by functions that steps have, and keep its digits."""
    for kind, lost, kept in _KEPT:
        e = e.xreplace({lost(f): kept(f.args[0]) for f in e.atoms(kind)})
    e = e.replace(lambda f: isinstance(f, normal_pdf), lambda f: f.doit(deep=False))
    for kind, own in _OWN.items():
        e = e.replace(kind, own)
    unknown = [f for f in e.atoms(sp.Function) if not isinstance(f, _SAME)]
    if unknown:
        raise NoMatrixFormError(f"{type(unknown[0]).__name__} has no step")
    return e
