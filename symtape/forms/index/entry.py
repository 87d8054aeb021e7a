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
from symtape.forms.index.contracted import decided, shortest
from symtape.forms.index.extrema import plain, quick
from symtape.forms.index.matrices import RULES as MATRICES
from symtape.forms.index.places import aligned, digits, divided, reaches
from symtape.forms.index.ranges import scope
from symtape.forms.index.reductions import RULES as REDUCTIONS
from symtape.forms.index.reductions import check_extrema
from symtape.forms.index.sums import restarted, shortened, summed
from symtape.forms.index.windows import RULES as WINDOWS
from symtape.forms.limits import MAX_NODES, Size
from symtape.forms.matrix.form import MatrixForm
from symtape.forms.scalars.cases.clipped import with_plain_cases
from symtape.forms.scalars.decimals import without_long
from symtape.program.evaluation.evaluation import written
from symtape.program.evaluation.symbolic import Symbolic
from symtape.program.kinds.matrices import Solve
from symtape.program.kinds.placement import Assemble, Form, Placement, View
from symtape.program.kinds.structural import (
    Concat,
    Embed,
    Gather,
    Reshape,
    Scatter,
    Slice,
)
from symtape.program.kinds.windows import Windows
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
        """Give a matrix in matrix notation, where SymPy has the nodes; each is read once."""
        if p not in self.matrices:
            try:
                form = MatrixForm(self.program, p, self.names, _COMPOSED, named=False)
                found = form.expression()
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
        found = shortest(without_long(found), scope(at, program.shapes[position]))
        found = shortened(restarted(found, [c for c in LETTERS if c not in own]))
        return with_plain_cases(plain(decided(found, scope(at, program.shapes[position]))))
    except (ValueError, TypeError, IndexError, RecursionError) as error:  # SymPy's
        raise UnsupportedError(
            "index_expr() has no generic entry that SymPy can write for a result of shape "
            f"{program.shapes[position]}; entries writes each, and latex('steps') the steps"
        ) from error


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
    return substituted(quick(body), own)


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


def _reshape(w: IndexWriter, op: Reshape, operands: list[int], _: int, at: Indices) -> Any:
    if 0 in op.old:
        return sp.S.Zero  # there is no entry, and a sum over none is zero
    lead = len(at) - len(op.new)
    inner: list[Any] = []
    places = iter(at[lead:])
    for old, new in aligned(op.old, op.new):
        flat = sp.S.Zero
        for n in new:
            flat = flat * n + next(places)
        inner += digits(flat, old, w.sizes)
    return w.entry(operands[0], (*at[:lead], *inner))


def _view(w: IndexWriter, op: View, operands: list[int], _: int, at: Indices) -> Any:
    counts, forms = op.read(w.shape(operands[0]))
    lead = len(at) - len(counts)
    return w.entry(operands[0], (*at[:lead], *[form.at(at[lead:]) for form in forms]))


def _embed(w: IndexWriter, op: Embed, operands: list[int], _: int, at: Indices) -> Any:
    lead = len(at) - len(op.ranges)
    inner: list[Any] = []
    conditions: list[Any] = []
    for i, (first, step, count), n in zip(at[lead:], op.ranges, op.sizes, strict=True):
        if count == 0:
            return sp.S.Zero
        if count == 1:
            inner.append(sp.S.Zero)
            conditions.append(sp.Eq(i, first) if n != 1 else sp.true)
        else:
            inner.append((i - first) / step)
            low, high = sorted((first, first + step * (count - 1)))
            conditions += [
                i >= low if low > 0 else sp.true,
                i <= high if high < n - 1 else sp.true,
            ]
            conditions += [sp.Eq(sp.Mod(i - first, abs(step)), 0)] if abs(step) != 1 else []
    condition = sp.And(*conditions)
    if condition is sp.false:
        return sp.S.Zero
    value = w.entry(operands[0], at[:lead] + tuple(inner))
    return sp.Piecewise((value, condition), (0, True))


def _gather(w: IndexWriter, op: Gather, operands: list[int], _: int, at: Indices) -> Any:
    x, indices = operands
    axis = len(w.shape(x)) - 1 - op.after
    own = len(w.shape(indices)) - op.batch
    first = axis - op.between - op.batch
    chosen = w.entry(indices, at[first : first + op.batch] + at[axis : axis + own])
    return w.entry(x, (*at[:axis], chosen, *at[axis + own :]))


def _scatter(w: IndexWriter, op: Scatter, operands: list[int], p: int, at: Indices) -> Any:
    updates, indices = operands
    axis = len(w.shape(p)) - 1 - op.after
    own_shape = w.shape(indices)[op.batch :]
    first = axis - op.between - op.batch
    own = tuple(w.dummy(n) if n != 1 else sp.S.Zero for n in own_shape)
    chosen = w.entry(indices, at[first : first + op.batch] + own)
    value = w.entry(updates, (*at[:axis], *own, *at[axis + 1 :]))
    bounds = [(k, 0, n - 1) for k, n in zip(own, own_shape, strict=True) if n != 1]
    return summed(sp.KroneckerDelta(chosen, at[axis]) * value, bounds)


def _assemble(w: IndexWriter, op: Assemble, operands: list[int], _: int, at: Indices) -> Any:
    """Add up what each block has at the place: solve the places for the indices of the block."""
    terms = []
    for p, placement in zip(operands, op.placements, strict=True):
        if 0 in placement.counts:
            continue
        solved = _Solved(w, placement)
        solved.all(at, op.shape)
        inner = tuple(solved.known[k] for k in range(len(placement.counts)))
        value = sp.Mul(*solved.deltas) * w.broadcast(p, inner)
        held = sp.Piecewise((value, sp.And(*solved.conditions)), (0, True))
        terms.append(summed(held, solved.bounds))
    return sp.Add(*terms)


class _Solved:
    """The indices of a block at a place, where it stands there, and what ties shared indices."""

    def __init__(self, w: IndexWriter, placement: Placement) -> None:
        self.writer, self.placement, self.counts = w, placement, placement.counts
        self.known: dict[int, Any] = {}
        self.conditions: list[Any] = []
        self.deltas: list[Any] = []
        self.bounds: list[Any] = []

    def all(self, at: Indices, shape: tuple[int, ...]) -> None:
        """Solve axis by axis, and first those with one index, which others may share."""
        axes = zip(self.placement.forms, at, shape, strict=True)
        for form, i, n in sorted(axes, key=lambda axis: len(axis[0].parts)):
            self.axis(form, i, n)

    def axis(self, form: Form, i: Any, n: int) -> None:
        """Solve offset + Σ stride · index = i for the indices that no other axis has told."""
        rest = i - form.offset
        if not form.parts:
            self.conditions += [sp.Eq(i, form.offset)] if n != 1 else []
        elif len(form.parts) > 1:
            self.digits(*self.reduced(form, rest))
        elif form.parts == Form.of(k := form.indices[0]).parts:
            self.tell(k, rest, bounded=bool(form.offset) or self.counts[k] != n)
        else:
            self.digits(form.parts, rest)

    def reduced(self, form: Form, rest: Any) -> tuple[tuple[tuple[int, int], ...], Any]:
        """Leave indices whose strides are digits; take the others away from the place.

        Two values of i₀ + i₁ may be one place: what no other axis tells is summed over then.
        """
        parts = [part for part in form.parts if self.counts[part[1]] > 1]
        ones = [k for k in form.indices if self.counts[k] == 1]
        self.known |= dict.fromkeys(ones, sp.S.Zero)
        parts.sort(key=lambda part: (abs(part[0]), -self.counts[part[1]]))
        if self.misfit(parts) is not None:
            rest -= sum(s * self.known[k] for s, k in parts if k in self.known)
            parts = [(s, k) for s, k in parts if k not in self.known]
        while (misfit := self.misfit(parts)) is not None:
            stride, k = parts.pop(misfit)
            self.known[k] = dummy = self.writer.dummy(self.counts[k])
            self.bounds.append((dummy, 0, self.counts[k] - 1))
            rest -= stride * dummy
        if not parts:
            self.deltas.append(sp.KroneckerDelta(rest, 0))
        return tuple(parts[::-1]), rest

    def misfit(self, parts: list[tuple[int, int]]) -> int | None:
        """Find the first stride that the digits before it, smaller ones, can exceed."""
        largest = 0
        for place, (stride, k) in enumerate(parts):
            if abs(stride) <= largest:
                return place
            largest += abs(stride) * (self.counts[k] - 1)
        return None

    def digits(self, parts: tuple[tuple[int, int], ...], rest: Any) -> None:
        """Read the indices off as digits, the largest stride first; one that falls counts down."""
        rest += sum(-s * (self.counts[k] - 1) for s, k in parts if s < 0)
        for stride, k in parts:
            value, left = divided(rest, abs(stride), self.writer.sizes)
            if (stride, k) == parts[-1] and left != 0:
                value = rest / abs(stride)
                self.conditions.append(sp.Eq(left, 0))
            rest = left
            self.tell(k, value if stride > 0 else self.counts[k] - 1 - value, bounded=True)

    def tell(self, k: int, value: Any, bounded: bool) -> None:
        """Set an index, or say that it has two values, of which each may have to be one."""
        if k in self.known:
            self.deltas.append(sp.KroneckerDelta(self.known[k], value))
            return
        self.known[k] = value
        if bounded:
            self.conditions.append(reaches(value, self.counts[k], self.writer.sizes))


def _concat(w: IndexWriter, op: Concat, operands: list[int], _: int, at: Indices) -> Any:
    axis = len(at) + op.axis
    first, cases = 0, []
    for p in operands:
        n = w.shape(p)[axis]
        if n:
            place = sp.S.Zero if n == 1 else at[axis] - first
            value = w.entry(p, (*at[:axis], place, *at[axis + 1 :]))
            cases.append((value, at[axis] < first + n))
        first += n
    if not cases:  # of nothing but empty parts
        return sp.S.Zero
    cases[-1] = (cases[-1][0], True)
    return sp.Piecewise(*cases)


Rule = Callable[[IndexWriter, Any, list[int], int, Indices], Any]

RULES: dict[type[Operation], Rule] = {
    Constant: _constant,
    Map: _map,
    AddN: _add_n,
    Cast: _cast,
    Einsum: _einsum,
    Count: _count,
    Reshape: _reshape,
    Slice: _view,
    Windows: _view,
    Embed: _embed,
    Gather: _gather,
    Scatter: _scatter,
    Assemble: _assemble,
    Concat: _concat,
    **REDUCTIONS,
    **WINDOWS,
    **MATRICES,
}
