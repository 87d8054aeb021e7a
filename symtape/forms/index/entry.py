"""Index notation: one generic entry of a position, with sums, deltas and indexed leaves."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from numbers import Integral
from types import MappingProxyType
from typing import Any

import sympy as sp

from symtape.errors import (
    ExpansionError,
    NoExactFormError,
    NoMatrixFormError,
    UnsupportedError,
)
from symtape.forms.expression import leaf_entry
from symtape.forms.index.brackets import with_finite_powers
from symtape.forms.index.contracted import decided, shortest
from symtape.forms.index.extrema import plain, quick
from symtape.forms.index.kinds.matrices import RULES as MATRICES
from symtape.forms.index.kinds.moves import RULES as MOVES
from symtape.forms.index.kinds.reductions import RULES as REDUCTIONS
from symtape.forms.index.kinds.reductions import check_extrema
from symtape.forms.index.kinds.windows import RULES as WINDOWS
from symtape.forms.index.ranges import scope
from symtape.forms.index.sums import free, restarted, shortened, summed
from symtape.forms.index.whole_products import with_whole_products
from symtape.forms.limits import MAX_NODES, Size
from symtape.forms.matrix.form import MatrixForm
from symtape.forms.scalars.cases.clipped import with_plain_cases
from symtape.forms.scalars.decimals import without_long
from symtape.program.evaluation.evaluation import written
from symtape.program.evaluation.symbolic import Symbolic
from symtape.program.kinds.matrices import Solve
from symtape.program.numbers import written_number
from symtape.program.operations import AddN, Cast, Constant, Count, Einsum, Map, Operation
from symtape.program.program import Builder, Program
from symtape.program.relations import check_deciding, substituted
from symtape.program.tridiagonal import as_full

Indices = tuple[Any, ...]

LETTERS = "ijklmnpqrst"
_DEEPEST = 150
_SHORT = 300
_COMPOSED = 200
"""How long a matrix may be that stands in an inverse."""
_EACH = 3
"""How many times the whole all entries on the way may be: each has indices of its own."""


def index_symbols(rank: int, taken: set[str]) -> Indices:
    """Choose a symbol for each axis: i, j, k, … as far as no leaf has the name."""
    free = [c for c in LETTERS if c not in taken] + [f"i{n}" for n in range(rank)]
    return tuple(sp.Symbol(name, integer=True) for name in free[:rank])


class IndexWriter:
    """Writes entries of one program; each rule gives the entry of a step at given indices."""

    def __init__(
        self,
        program: Program,
        names: Mapping[int, str],
        max_nodes: int = MAX_NODES,
        parts: Mapping[int, str] = MappingProxyType({}),
    ) -> None:
        self.program = program
        self.names, self.parts = names, parts
        self.depth = 0
        self.fresh = 0
        self.known: dict[tuple[int, Indices], Any] = {}
        self.check = Size(max_nodes, "index_expr()", _EACH)
        self.taken: set[str] = {*names.values(), *parts.values()}
        self.sizes: dict[Any, int] = {}
        self.matrices: dict[int, Any] = {}
        self.builder = Builder(program)

    def entry(self, p: int, at: Indices) -> Any:
        """Write the entry of a position."""
        key = (p, at)
        if key not in self.known:
            self.depth += 1
            if self.depth > _DEEPEST:
                raise ExpansionError(
                    'the formula is nested too deep to be written; see latex("steps")'
                )
            self.known[key] = self._write(p, at)
            self.check(self.known[key])
            self.depth -= 1
        return self.known[key]

    def _write(self, p: int, at: Indices) -> Any:
        operation, *operands = self.program.steps[p]
        if p in self.names:
            return leaf_entry(self.names[p], at, self.program.dtypes[p])
        if p in self.parts:
            wide = tuple([i for i, n in zip(at, self.shape(p), strict=True) if n != 1])
            return leaf_entry(self.parts[p], wide, self.program.dtypes[p])
        rule = RULES.get(type(operation))
        if rule is None:
            raise UnsupportedError(f"{operation!r} has no index notation; see latex('steps')")
        return rule(self, operation, operands, p, at)

    def composed(self, p: int) -> Any | None:
        """Give a matrix in matrix notation, where SymPy has the nodes; each is read once.

        Differences of rows stay what they are: indices write them shorter.
        """
        if p not in self.matrices:
            try:
                form = MatrixForm(self.program, p, self.names, _COMPOSED, named=False)
                found = None if form.is_multiplied_out else form.expression()
            except (NoMatrixFormError, ExpansionError):
                found = None
            self.matrices[p] = found if isinstance(found, sp.MatrixExpr) else None
        return self.matrices[p]

    def with_full_matrix(self, operation: Solve, lines: int) -> tuple[Solve, int]:
        """Read three diagonals as a matrix, in a program that has it."""
        found = as_full(self.builder, operation, lines)
        self.program = self.builder.finish()
        return found

    def shape(self, p: int) -> tuple[int, ...]:
        """Give the shape of a position."""
        shape: tuple[int, ...] = self.program.shapes[p]
        return shape

    def dummy(self, size: int) -> sp.Symbol:
        """Choose a summation index that nothing else uses, for an axis of some size."""
        while True:
            letter = LETTERS[self.fresh % len(LETTERS)]
            number = self.fresh // len(LETTERS)
            self.fresh += 1
            name = letter if not number else f"{letter}{number}"
            if name not in self.taken:
                self.taken.add(name)
                index = sp.Symbol(name, integer=True)
                self.sizes[index] = size
                return index

    def sum(self, body: Any, bounds: list[Any]) -> Any:
        """Write a sum over indices from 0 on."""
        return summed(body, bounds)

    def broadcast(self, p: int, at: Indices) -> Any:
        """Write an operand's entry at the indices of a result that it broadcasts to."""
        shape = self.shape(p)
        last = at[len(at) - len(shape) :]
        return self.entry(
            p, tuple(sp.S.Zero if n == 1 else i for i, n in zip(last, shape, strict=True))
        )


def indices(
    program: Program,
    position: int,
    names: Mapping[int, str],
    symbols: Sequence[Any] = (),
    others: Collection[str] = (),
) -> Indices:
    """Read the indices that are given for the axes, or choose some; none is a leaf or another."""
    taken = {*names.values(), *others}
    rank = len(program.shapes[position])
    if symbols and len(symbols) != rank:
        raise ValueError(
            f"index_expr() takes an index for each axis: {len(symbols)} indices do not fit a "
            f"result of shape {program.shapes[position]}"
        )
    for i in symbols:
        if isinstance(i, sp.Symbol) and sp.Symbol(i.name) == i and i.name in taken:
            raise ValueError(f"{i} is a leaf of the formula, and no index; choose another symbol")
    return tuple(map(_index_of, symbols, program.shapes[position])) or index_symbols(rank, taken)


def index_expression(
    program: Program,
    position: int,
    names: Mapping[int, str],
    symbols: Sequence[Any] = (),
    max_nodes: int = MAX_NODES,
    others: Collection[str] = (),
    parts: Mapping[int, str] = MappingProxyType({}),
) -> Any:
    """Write the generic entry of a position.

    `symbols` are the indices, one an axis; numbers pick an entry. None of the `others` is an index.
    Positions that are `parts` are written by their names, without indices of axes of one place.
    """
    check_extrema(program, written(program, [position], {*names, *parts}))
    writer = IndexWriter(program, names, max_nodes, parts)
    at = indices(program, position, names, symbols, others)
    writer.taken |= {str(i) for i in at} | set(others)
    writer.sizes |= {i: last + 1 for i, _, last in scope(at, program.shapes[position])}
    try:
        found = writer.entry(position, at)
        own = {
            *names.values(),
            *others,
            *[s.name for i in at for s in getattr(i, "free_symbols", ())],
        }
        ranges = scope(at, program.shapes[position])
        found = shortest(without_long(found), ranges)
        _check_scope(found, writer, at)
        found = with_whole_products(found, ranges)
        found = shortened(restarted(found, [c for c in LETTERS if c not in own]))
        return with_plain_cases(plain(decided(found, ranges)))
    except (ValueError, TypeError, IndexError, RecursionError) as error:  # SymPy's
        raise UnsupportedError(
            "index_expr() has no generic entry that SymPy can write for a result of shape "
            f"{program.shapes[position]}; entries writes each, and latex('steps') the steps"
        ) from error


def _check_scope(e: Any, writer: IndexWriter, at: Indices) -> None:
    """Refuse an index of a sum outside of it, where it would be another's; raises `ValueError`."""
    inner = writer.sizes.keys() - set().union(*map(free, at))
    if inner & free(e):
        raise ValueError("an index stands outside of its sum")


def _index_of(given: Any, size: int) -> sp.Expr:
    """Read an index that was given: a symbol, its name, or the number of an entry."""
    if isinstance(given, str) and given.isidentifier():
        return sp.Symbol(given)
    if isinstance(given, Integral | sp.Integer):
        place = int(given)
        if not 0 <= place < size:
            raise IndexError(f"index_expr(): there is no entry {place} on an axis of size {size}")
        return sp.Integer(place)
    if not isinstance(given, sp.Expr) or given.is_number:
        raise ValueError(f"{given!r:.40} is no index: give symbols or whole numbers")
    return given


def vanishes(program: Program, position: int, names: Mapping[int, str]) -> bool:
    """Say whether a position is zero by a formula that is short."""
    try:
        return bool(index_expression(program, position, names, max_nodes=_SHORT) == 0)
    except (ExpansionError, NoExactFormError, UnsupportedError):
        return False


def _constant(_w: IndexWriter, op: Constant, _operands: list[int], _p: int, _at: Indices) -> Any:
    return written_number(op.number)


def _map(w: IndexWriter, op: Map, operands: list[int], _: int, at: Indices) -> Any:
    inner = [w.broadcast(i, at) if op.writes(k) else sp.S.One for k, i in enumerate(operands)]
    symbols, body = op.formula
    own = dict(zip(symbols, inner, strict=True))
    check_deciding(body, own, w.check)
    made = substituted(quick(body), own)
    return with_finite_powers(made) if body.has(sp.exp) else made


def _add_n(w: IndexWriter, _: AddN, operands: list[int], _p: int, at: Indices) -> Any:
    return sp.Add(*[w.broadcast(i, at) for i in operands])


def _cast(w: IndexWriter, op: Cast, operands: list[int], _: int, at: Indices) -> Any:
    inner = w.entry(operands[0], at)
    return Symbolic(exact=False).cast(inner, w.program.dtypes[operands[0]], op.dtype)


def _einsum(w: IndexWriter, op: Einsum, operands: list[int], _: int, at: Indices) -> Any:
    """Sum over what the output lacks; an output index that stands twice is a delta."""
    sizes = op.index_sizes([w.shape(i) for i in operands])
    if 0 in sizes.values():
        return sp.S.Zero
    place: dict[int, Any] = {}
    deltas = []
    for i, symbol in zip(op.output, at, strict=True):
        if i in place:
            deltas.append(sp.KroneckerDelta(place[i], symbol))
        else:
            place[i] = symbol if sizes[i] != 1 else sp.S.Zero
    bounds = []
    for i in sizes:
        if i not in place:
            place[i] = w.dummy(sizes[i]) if sizes[i] != 1 else sp.S.Zero
            if sizes[i] != 1:
                bounds.append((place[i], 0, sizes[i] - 1))
    factors = [
        w.entry(p, tuple(place[i] for i in term))
        for p, term in zip(operands, op.inputs, strict=True)
    ]
    if len(factors) == 1 and not deltas and not bounds:  # which may be a truth
        return factors[0]
    return sp.Mul(*deltas) * summed(sp.Mul(*factors), bounds)


def _count(w: IndexWriter, op: Count, operands: list[int], _: int, _at: Indices) -> Any:
    return sp.Integer(op.count(w.shape(operands[0])))


Rule = Callable[[IndexWriter, Any, list[int], int, Indices], Any]

RULES: dict[type[Operation], Rule] = {
    Constant: _constant,
    Map: _map,
    AddN: _add_n,
    Cast: _cast,
    Einsum: _einsum,
    Count: _count,
    **MOVES,
    **REDUCTIONS,
    **WINDOWS,
    **MATRICES,
}
