"""Reads a position of a program in matrix notation."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from types import MappingProxyType

import sympy as sp
from sympy.logic.boolalg import Boolean

from symtape.calculus.terms.canonical import canonical
from symtape.calculus.terms.expansion import Expander
from symtape.calculus.terms.terms import Term, is_plain
from symtape.errors import ExpansionError, NoMatrixFormError
from symtape.forms.matrix.nodes import Matrix
from symtape.forms.matrix.reading.asking import two, wide
from symtape.forms.matrix.reading.contraction import Contraction
from symtape.forms.matrix.reading.crosses import with_crosses
from symtape.forms.matrix.reading.entries import by_entries
from symtape.forms.matrix.reading.kronecker import vectorized
from symtape.forms.matrix.reading.masks import Masks
from symtape.forms.matrix.reading.steps import RULES
from symtape.forms.matrix.reading.triangles import with_weights
from symtape.forms.matrix.sums.collecting import Collecting, collected_anew
from symtape.forms.matrix.writing.shortening import Shortening
from symtape.program.kinds.matrices import Band, Inverse, Solve
from symtape.program.kinds.placement import Form
from symtape.program.operations import Input, Map
from symtape.program.program import Builder, Program
from symtape.program.tridiagonal import as_full, is_tridiagonal
from symtape.program.turns import EPSILON


def read(
    program: Program,
    position: int,
    names: Mapping[int, str],
    max_nodes: int,
    symmetric: Collection[str],
    rows: int | None = None,
    algebra: Shortening | None = None,
    *,
    flat: bool = False,
    nonzero: Collection[str] = (),
    divisors: Sequence[int] = (),
    sizes: Mapping[int, str] = MappingProxyType({}),
) -> tuple[Shortening, Matrix]:
    """Read a position of at most two axes, or of which the first are `rows` and the others columns.

    What is `flat` has its rows in one axis and its columns in another, however many there are. With
    an `algebra`, leaves of one name are those that it has; those that are `nonzero` have no zeros,
    nor have the steps that are `divisors`; `sizes` are letters of primes, that count elements.
    Raises `NoMatrixFormError`, which says why not.
    """
    program, position, leaves, place = _leaves_first(program, position, names)
    _check_nesting(program, position)
    below = [place[p] for p in divisors if p in place and p not in names]
    program, (position, *below) = canonical(program, [position, *below])
    own = dict(zip(program.inputs(), leaves, strict=True))
    if algebra is None:
        algebra = Collecting(symmetric, nonzero)
        algebra.sizes = dict(sizes)
    reader = Reader(program, own, max_nodes, algebra)
    if flat and rows is not None:
        return reader.algebra, reader.map(position, rows)
    found = reader.whole(position, rows)
    if below and reader.algebra.has_long_divisors(found):
        found = reader.with_divisors(below).whole(position, rows)
    return reader.algebra, found


def too_long(max_nodes: int) -> ExpansionError:
    """Say that a formula has more than so many parts."""
    return ExpansionError(
        f"the formula has more than {max_nodes} parts when it is written out; "
        'max_nodes=... allows more, and latex("steps"), evalf() and lambdify() need not '
        "write it out"
    )


def _too_deep(most: int) -> ExpansionError:
    return ExpansionError(
        f"the formula is nested more than {most} deep in matrix notation; "
        'its shared steps are in latex("steps"), its value in evalf() and lambdify()'
    )


def _check_nesting(program: Program, position: int) -> None:
    """Refuse functions of functions of functions before they are read, which takes long."""
    depths: dict[int, int] = {}
    for p in program.ancestors([position]):
        operation, *operands = program.steps[p]
        own = isinstance(operation, Map) and _has_function(operation)
        depths[p] = max([depths[q] for q in operands], default=0) + own
    if depths[position] > _MOST_NESTED:
        raise _too_deep(_MOST_NESTED)


@lru_cache(maxsize=500)
def _has_function(operation: Map) -> bool:
    return bool(operation.body.atoms(sp.Function))


def _leaves_first(
    program: Program, position: int, names: Mapping[int, str]
) -> tuple[Program, int, list[str], dict[int, int]]:
    """Let the leaves come first, as one meets them who reads: not as they were recorded.

    What has a name is a leaf, also where it was computed, as a step of `latex("steps")` is. Give
    the places of all steps, too.
    """
    order = program.ancestors([position], names)
    inputs = [p for p in program.met([position]) if p in names and p in {*order}]
    b = Builder()
    masks = Masks(b)
    place: dict[int, int] = {}
    is_wide = len(program.shapes[position]) > 2
    for p in [*inputs, *order]:
        if p in place:
            continue
        operation, *operands = program.steps[p]
        if p in names and operands:
            operation, operands = Input(str(program.dtypes[p]), program.shapes[p]), []
        own = [place[i] for i in operands]
        if is_tridiagonal(operation):
            operation, own[0] = as_full(b, operation, own[0])
        chosen = masks.written(operation, own)
        if chosen is not None:
            place[p] = chosen
        elif is_wide and isinstance(operation, Solve) and _is_of_matrix(b, own[0]):
            place[p] = _multiplied_by_inverse(b, operation, *own)
        else:
            place[p] = len(b.steps)
            b.steps.append((operation, *own))
            b.shapes.append(program.shapes[p])
            b.dtypes.append(program.dtypes[p])
    return b.finish(), place[position], [names[p] for p in inputs], place


def _is_of_matrix(b: Builder, p: int) -> bool:
    return len(b.shapes[p]) == 2 and b.dtypes[p].kind != "c"


def _multiplied_by_inverse(b: Builder, operation: Solve, a: int, y: int) -> int:
    """Multiply by an inverse where an equation is solved: the right side is read through."""
    if operation.form != "full":
        a = b.append(Band(None, 0) if operation.form == "lower" else Band(0, None), a)
    rows = [1, 0] if operation.adjoint else [0, 1]
    return b.einsum([rows, [1, 2]], [0, 2], [b.append(Inverse(), a), y])


_DEEPEST = 60
_MOST_NESTED = 120
"""So many functions are applied to each other at most, as in expressions."""
_MOST_TERMS = 32
"""So many products are what is multiplied out of sums that are no matrices."""
_SEVERAL = 3
"""Of so many terms the diagonals are added up before they are shortened."""
_LONG_RAW = 400
"""Above this length functions of entries are shortened before others are applied to them."""


class Reader:
    """Reads positions, each once."""

    def __init__(
        self, program: Program, names: Mapping[int, str], max_nodes: int, algebra: Shortening
    ) -> None:
        self.program, self.b = program, Builder(program)
        self.names, self.max_nodes, self.algebra = names, max_nodes, algebra
        self.expander = Expander(self.b)
        self.known: dict[int, Matrix] = {}
        self.composed: dict[int, Matrix] = {}
        self.depth = 0

    def with_divisors(self, steps: Sequence[int]) -> Reader:
        """Give a reader that begins anew, and knows that some steps are zero nowhere."""
        found = []
        for p in steps:
            with suppress(NoMatrixFormError, ExpansionError):
                found.append(self.algebra.opened(self.read(p)))
        self.algebra.begin_anew([x.entry for x in found if isinstance(x.entry, sp.Expr)])
        return Reader(self.program, self.names, self.max_nodes, self.algebra)

    def whole(self, p: int, rows: int | None) -> Matrix:
        """Give a position with its own rows and columns."""
        shape = self.b.shapes[p]
        if len(shape) > 2 and rows is not None and rows <= 2 and len(shape) - rows <= 2:
            return self.algebra.normal(vectorized(self, p, rows))
        if len(shape) > 2:
            raise NoMatrixFormError(f"an array of shape {shape} has no matrix notation")
        if len(shape) == 2 and rows == 1:
            return self._of_vectors(p)
        return self._plain(p)

    def _plain(self, p: int) -> Matrix:
        shape = self.b.shapes[p]
        whole = collected_anew(self.algebra, self.algebra.opened(self.read(p)))
        whole = with_weights(self.algebra, whole)
        crossed = with_crosses(self.algebra, whole)
        found = by_entries(self.algebra, whole) if crossed == whole else crossed
        is_row = len(shape) == 2 and shape[0] == 1 != shape[1]
        return self.algebra.transpose(found) if is_row else found

    def _of_vectors(self, p: int) -> Matrix:
        """Read a Jacobian of a vector by a vector, which vec may have made of matrices."""
        try:
            return self._plain(p)
        except NoMatrixFormError as error:
            try:
                return self.algebra.normal(vectorized(self, p, 1))
            except NoMatrixFormError:
                raise error from None

    def map(self, p: int, rows: int) -> Matrix:
        """Give the matrix of which vec makes the rows of the first axes, and the columns."""
        count = len(self.b.shapes[p])
        if 0 < rows < count:
            is_small = rows == count - rows == 1
            return (
                self.whole(p, rows) if is_small else self.algebra.normal(vectorized(self, p, rows))
            )
        if count > 2:
            raise NoMatrixFormError(f"an array of shape {self.b.shapes[p]} has no matrix notation")
        made = self.algebra.vec(self.algebra.opened(self.read(p)))
        return made if rows else self.algebra.transpose(made)

    def read(self, p: int) -> Matrix:
        """Give a position without its axes of size one: a scalar, a column, or a matrix."""
        if p not in self.known:
            found = self.algebra.normal(self._composed(p))
            self._check(found)
            self.known[p] = self.algebra.part_if_long(found)
        return self.known[p]

    def raw(self, p: int) -> Matrix:
        """Give a position for a function of its entries, which are shortened together."""
        composed = self._composed(p)
        return self.read(p) if self.algebra.length(composed) > _LONG_RAW else composed

    def _composed(self, p: int) -> Matrix:
        if p not in self.composed:
            self.depth += 1
            if self.depth > _DEEPEST:
                raise _too_deep(_DEEPEST)
            self.composed[p] = with_crosses(self.algebra, self._compose(p))
            self.depth -= 1
        return self.composed[p]

    def _check(self, x: Matrix) -> None:
        if self.algebra.length(x) > self.max_nodes:
            raise too_long(self.max_nodes)

    def _compose(self, p: int) -> Matrix:
        kept = wide(self.b.shapes[p])
        if len(kept) > 2:
            raise NoMatrixFormError(f"a step of shape {self.b.shapes[p]} has no matrix notation")
        terms = self.expander.expand(p)
        if [[q for q, _ in t.factors] for t in terms] == [[p]]:
            return self._step(p)
        terms = [part for term in terms for part in self._multiplied_out(term)]
        shape = two([self.b.shapes[p][k] for k in kept])
        is_long = len(terms) >= _SEVERAL and 1 not in shape
        found = [self._term(term, p, is_rough=is_long) for term in terms]
        if is_long:
            return self.algebra.total_of_terms(found)
        return self.algebra.plus(self.algebra.number(0, shape), *found)

    def _multiplied_out(self, term: Term) -> list[Term]:
        """Write a product of sums that have more than two axes, as xᵢₖ - yⱼₖ has, as a sum."""
        found: list[Term] = []
        waiting = [term]
        while waiting:
            top = waiting.pop()
            parts = self._spread(top)
            if not parts or len(found) + len(waiting) + len(parts) > _MOST_TERMS:
                found.append(top)
                continue
            waiting += parts[::-1]
            self.algebra.is_multiplied_out = True
        return found

    def _spread(self, term: Term) -> list[Term]:
        """Multiply the first sum of more than two axes out; nothing where that cannot be done."""
        expander = self.expander
        for factor in term.factors:
            terms = expander.expand(factor[0])
            if len(wide(self.b.shapes[factor[0]])) > 2 and len(terms) > 1:
                own = [expander.substituted(term, factor, expander.copied(t)) for t in terms]
                found = [t for t in own if t is not None]
                return found if len(found) == len(own) else []
        return []

    def _term(self, term: Term, p: int, *, is_rough: bool) -> Matrix:
        shape = self.b.shapes[p]
        axes = [(term.axes[k], shape[k]) for k in wide(shape)]
        rolled = self._rolled(axes)
        kept = rolled or [i for form, _ in axes for i in form.indices[:1]]
        graph = Contraction(self.algebra, self.expander.sizes, is_rough=is_rough)
        graph.scalars.append(self.algebra.number(sp.Rational(*term.number.as_integer_ratio())))
        factors = [(q, [own[k] for k in wide(self.b.shapes[q])]) for q, own in term.factors]
        is_by_entry = all(own in ([], kept) for _, own in factors)
        for q, own in factors:
            if self.names.get(q) == EPSILON:
                graph.turn(own)
                continue
            factor = self.raw(q) if is_by_entry else self.read(q)
            if isinstance(factor.entry, Boolean) and not factor.entry.is_Symbol:
                raise NoMatrixFormError("a condition that is repeated has no matrix notation")
            graph.multiply(factor, own)
        made = graph.contracted(kept)
        if rolled:
            return self.algebra.vec(self.algebra.transpose(made))
        if all(is_plain(form, n, self.expander.sizes) for form, n in axes):
            return made
        return self._placed(made, axes)

    def _rolled(self, axes: Sequence[tuple[Form, int]]) -> list[int]:
        """Give the two indices of which an axis is made, if it has the rows of a matrix in turn."""
        if len(axes) != 1 or len(axes[0][0].parts) != 2 or axes[0][0].offset:
            return []
        ((form, n),) = axes
        (outer, i), (inner, j) = sorted(form.parts, reverse=True)
        size = self.expander.sizes[j]
        return [i, j] if (outer, inner, n) == (size, 1, size * self.expander.sizes[i]) else []

    def _placed(self, x: Matrix, axes: Sequence[tuple[Form, int]]) -> Matrix:
        """Put an array at its places among zeros: a selection of rows, transposed, times it."""
        algebra = self.algebra
        into = [algebra.transpose(self._selection(form, n)) for form, n in axes]
        if len(axes) == 1:
            return algebra.product(into[0], x)
        (rows, _), (columns, _) = axes
        if rows.parts and columns.parts:
            return algebra.product(into[0], x, algebra.transpose(into[1]))
        x = algebra.transpose(x) if columns.parts else x
        return algebra.product(into[0], x, algebra.transpose(into[1]))

    def _selection(self, form: Form, n: int) -> Matrix:
        if len(form.parts) > 1:
            raise NoMatrixFormError("places that two indices interlock have no matrix notation")
        ((step, i),) = form.parts or ((1, None),)
        count = 1 if i is None else self.expander.sizes[i]
        return self.algebra.selection(n, form.offset, step, count)

    def _step(self, p: int) -> Matrix:
        operation, *operands = self.b.steps[p]
        rule = RULES.get(type(operation))
        if rule is None:
            name = type(operation).__name__
            raise NoMatrixFormError(f"{name} of an array has no matrix notation")
        return rule(self, p, operation, operands)
