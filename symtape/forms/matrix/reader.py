"""Reads a position of a program in matrix notation."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import sympy as sp

from symtape.calculus.canonical import canonical
from symtape.calculus.expansion import Expander
from symtape.calculus.terms import Form, Term, is_plain
from symtape.errors import ExpansionError, NoMatrixFormError
from symtape.forms.brackets import Iverson, with_brackets
from symtape.forms.matrix.algebra import Algebra
from symtape.forms.matrix.collecting import Collecting
from symtape.forms.matrix.contraction import Contraction
from symtape.forms.matrix.nodes import Leaf, Matrix, Named, Turned
from symtape.forms.matrix.softmax import named
from symtape.program.matrices import (
    Band,
    Cholesky,
    Determinant,
    Inverse,
    LogDeterminant,
    MatrixFunction,
    Solve,
)
from symtape.program.numbers import written_number
from symtape.program.operations import Cast, Constant, Input, Map, Operation
from symtape.program.program import Builder, Program
from symtape.program.structural import Cumsum, Slice


def read(
    program: Program,
    position: int,
    names: Mapping[int, str],
    max_nodes: int,
    symmetric: Collection[str],
) -> tuple[Algebra, Matrix]:
    """Read a position of at most two axes; raises `NoMatrixFormError`, which says why not."""
    program, position, leaves = _leaves_first(program, position, names)
    program, (position,) = canonical(program, [position])
    own = dict(zip(program.inputs(), leaves, strict=True))
    reader = Reader(program, own, max_nodes, Collecting(symmetric))
    return reader.algebra, named(reader.algebra, reader.whole(position))


def _leaves_first(
    program: Program, position: int, names: Mapping[int, str]
) -> tuple[Program, int, list[str]]:
    """Let the leaves come first, as one meets them who reads: not as they were recorded."""
    order = program.ancestors([position])
    inputs = [p for p in program.met([position]) if p in names]
    b = Builder()
    place: dict[int, int] = {}
    for p in [*inputs, *order]:
        if p not in place:
            place[p] = len(b.steps)
            operation, *operands = program.steps[p]
            b.steps.append((operation, *[place[i] for i in operands]))
            b.shapes.append(program.shapes[p])
            b.dtypes.append(program.dtypes[p])
    return b.finish(), place[position], [names[p] for p in inputs]


_DEEPEST = 60
_LONG = 100
"""Above this length a formula is taken as a whole by the steps that follow."""
_LONG_RAW = 400
"""Above this length functions of entries are shortened before others are applied to them."""


class Reader:
    """Reads positions, each once."""

    def __init__(
        self, program: Program, names: Mapping[int, str], max_nodes: int, algebra: Algebra
    ) -> None:
        self.b = Builder(program)
        self.names, self.max_nodes, self.algebra = names, max_nodes, algebra
        self.expander = Expander(self.b)
        self.known: dict[int, Matrix] = {}
        self.composed: dict[int, Matrix] = {}
        self.depth = 0

    def whole(self, p: int) -> Matrix:
        """Give a position with its own rows and columns."""
        shape = self.b.shapes[p]
        if len(shape) > 2:
            raise NoMatrixFormError(f"an array of shape {shape} has no matrix notation")
        found = self.algebra.opened(self.read(p))
        is_row = len(shape) == 2 and shape[0] == 1 != shape[1]
        return self.algebra.transpose(found) if is_row else found

    def read(self, p: int) -> Matrix:
        """Give a position without its axes of size one: a scalar, a column, or a matrix."""
        if p not in self.known:
            found = self.algebra.normal(self._composed(p))
            self._check(found)
            is_long = self.algebra.length(found) > _LONG
            self.known[p] = self.algebra.part(found) if is_long else found
        return self.known[p]

    def _raw(self, p: int) -> Matrix:
        """Give a position for a function of its entries, which are shortened together."""
        composed = self._composed(p)
        return self.read(p) if self.algebra.length(composed) > _LONG_RAW else composed

    def _composed(self, p: int) -> Matrix:
        if p not in self.composed:
            self.depth += 1
            if self.depth > _DEEPEST:
                raise ExpansionError(
                    f"the formula is nested more than {_DEEPEST} deep in matrix notation; "
                    'its shared steps are in latex("steps"), its value in evalf() and lambdify()'
                )
            self.composed[p] = self._compose(p)
            self.depth -= 1
        return self.composed[p]

    def _check(self, x: Matrix) -> None:
        if self.algebra.length(x) > self.max_nodes:
            raise ExpansionError(
                f"the formula has more than {self.max_nodes} parts when it is written out; "
                'max_nodes=... allows more, and latex("steps"), evalf() and lambdify() need not '
                "write it out"
            )

    def _compose(self, p: int) -> Matrix:
        kept = wide(self.b.shapes[p])
        if len(kept) > 2:
            raise NoMatrixFormError(f"a step of shape {self.b.shapes[p]} has no matrix notation")
        terms = self.expander.expand(p)
        if [[q for q, _ in t.factors] for t in terms] == [[p]]:
            return self._step(p)
        shape = _two([self.b.shapes[p][k] for k in kept])
        found = [self._term(term, p) for term in terms]
        return self.algebra.plus(self.algebra.number(0, shape), *found)

    def _term(self, term: Term, p: int) -> Matrix:
        shape = self.b.shapes[p]
        axes = [(term.axes[k], shape[k]) for k in wide(shape)]
        kept = [i for form, _ in axes for i in form.indices[:1]]
        graph = Contraction(self.algebra, self.expander.sizes)
        graph.scalars.append(self.algebra.number(sp.Rational(*term.number.as_integer_ratio())))
        factors = [(q, [own[k] for k in wide(self.b.shapes[q])]) for q, own in term.factors]
        is_by_entry = all(own in ([], kept) for _, own in factors)
        for q, own in factors:
            graph.multiply(self._raw(q) if is_by_entry else self.read(q), own)
        made = graph.contracted(kept)
        if all(is_plain(form, n, self.expander.sizes) for form, n in axes):
            return made
        return self._placed(made, axes)

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

    # --- steps that are no products ---------------------------------------------------------------

    def _step(self, p: int) -> Matrix:
        operation, *operands = self.b.steps[p]
        rule = RULES.get(type(operation))
        if rule is None:
            name = type(operation).__name__
            raise NoMatrixFormError(f"{name} of an array has no matrix notation")
        return rule(self, p, operation, operands)

    def _input(self, p: int, _operation: Input, _operands: Sequence[int]) -> Matrix:
        shape = self.b.shapes[p]
        if len(shape) > 2:
            raise NoMatrixFormError(f"the leaf {self.names[p]} of shape {shape} is no matrix")
        own = _two(shape)
        is_real = self.b.dtypes[p].kind != "c"
        node = Leaf(self.names[p], own)
        made = Matrix(self.algebra.symbol(node, is_real=is_real), own)
        return self.algebra.transpose(made) if own[0] == 1 else made

    def _constant(self, _: int, operation: Constant, _operands: Sequence[int]) -> Matrix:
        number = written_number(operation.number)
        if not number.is_finite:
            raise NoMatrixFormError("an infinity has no matrix notation")
        return self.algebra.number(number)

    def _map(self, p: int, operation: Map, operands: Sequence[int]) -> Matrix:
        shape = self.b.shapes[p]
        own = [
            self._broadcast(q, shape)
            if operation.mentions(k)
            else self.algebra.number(0)
            for k, q in enumerate(operands)
        ]
        made = self.algebra.apply(lambda *entries: operation.applied(entries), *own)
        entry = with_brackets(made.entry) if made.entry.has(sp.Piecewise) else made.entry
        if entry.has(sp.oo, sp.zoo, sp.nan):
            raise NoMatrixFormError("an infinity has no matrix notation")
        return Matrix(entry, _two([shape[k] for k in wide(shape)]))

    def _broadcast(self, q: int, shape: Sequence[int]) -> Matrix:
        """Repeat a vector along the other axis of a matrix."""
        have = self.b.shapes[q]
        kept, own = wide(shape), [k + len(shape) - len(have) for k in wide(have)]
        if len(own) == len(kept) or not own:
            return self._raw(q)
        x = self.read(q)
        rows, columns = (shape[k] for k in kept)
        if own == [kept[0]]:
            return self.algebra.product(x, self.algebra.row(self.algebra.ones(columns)))
        return self.algebra.product(self.algebra.ones(rows), self.algebra.row(x))

    def _cast(self, p: int, _: Cast, operands: Sequence[int]) -> Matrix:
        x = self.read(operands[0])
        source, target = self.b.dtypes[operands[0]].kind, self.b.dtypes[p].kind
        if source == "b" and target in "fc":
            return self.algebra.apply(Iverson, x)
        if source not in "iufc" or target not in "fc" or (source, target) == ("c", "f"):
            raise NoMatrixFormError(f"a cast to {self.b.dtypes[p]} has no matrix notation")
        return x

    def _inverse(self, _: int, _operation: Inverse, operands: Sequence[int]) -> Matrix:
        return self.algebra.inverse(self.read(operands[0]))

    def _solve(self, p: int, operation: Solve, operands: Sequence[int]) -> Matrix:
        if self.b.dtypes[p].kind == "c":
            raise NoMatrixFormError("the solution with a complex matrix has no matrix notation")
        x = self.read(operands[0])
        if operation.form != "full" and not x.is_scalar:
            x = self._triangle(x, "tril" if operation.form == "lower" else "triu")
        left = self.algebra.inverse(x)
        left = self.algebra.transpose(left) if operation.adjoint else left
        return self.algebra.product(left, self.read(operands[1]))

    def _triangle(self, x: Matrix, name: str) -> Matrix:
        """Take one triangle of a matrix; a Cholesky factor is one."""
        node = self.algebra.node(x)
        turned = isinstance(node, Turned)
        inner = node.of if isinstance(node, Turned) else node
        own = isinstance(inner, Named) and inner.name == "chol"
        if own and turned == (name == "triu"):
            return x
        number, entry = self.algebra.split(x)
        node = self.algebra.nodes.get(entry)
        if isinstance(node, Named) and node.name == name:
            return x
        made = self.algebra.of(Named(name, (Matrix(entry, x.shape),), x.shape))
        return self.algebra.times(self.algebra.number(number), made)

    def _band(self, _: int, operation: Band, operands: Sequence[int]) -> Matrix:
        x = self.read(operands[0])
        low, high = operation.low, operation.high
        if x.is_scalar or x.is_column or x.shape[0] == 1:
            raise NoMatrixFormError("a band of a single row or column has no matrix notation")
        if (low, high) == (None, 0) or (low, high) == (0, None):
            return self._triangle(x, "tril" if low is None else "triu")
        if (low, high) == (0, 0) and x.shape[0] == x.shape[1]:
            return self.algebra.diagonal(self.algebra.of_diagonal(x))
        raise NoMatrixFormError(f"the band from {low} to {high} has no matrix notation")

    def _slice(self, _: int, operation: Slice, operands: Sequence[int]) -> Matrix:
        """Take rows and columns by selections: x[1:3] is I[1:3] x."""
        (q,) = operands
        shape = self.b.shapes[q]
        whole = [(0, 1, n) for n in shape[: len(shape) - len(operation.ranges)]]
        ranges = [*whole, *operation.ranges]
        kept = wide(shape)
        if len(kept) > 2:
            raise NoMatrixFormError(f"a part of an array of shape {shape} has no matrix notation")
        made = self.read(q)
        choose = [self.algebra.selection(shape[k], *ranges[k]) for k in kept]
        if choose:
            made = self.algebra.product(choose[0], made)
        if len(choose) == 2:
            made = self.algebra.product(made, self.algebra.transpose(choose[1]))
        return self.algebra.transpose(made) if made.shape[0] == 1 else made

    def _cumsum(self, p: int, operation: Cumsum, operands: Sequence[int]) -> Matrix:
        """Write running sums as a product with a triangle of ones."""
        kept = wide(self.b.shapes[p])
        axis = len(self.b.shapes[p]) + operation.axis
        x = self.read(operands[0])
        if axis not in kept:
            return self.algebra.times(self.algebra.number(int(not operation.exclusive)), x)
        n = self.b.shapes[p][axis]
        ones = self.algebra.number(1, (n, n))
        name = "triu" if operation.reverse else "tril"
        triangle = self.algebra.of(Named(name, (ones,), (n, n)))
        if operation.exclusive:
            minus = self.algebra.times(self.algebra.number(-1), self.algebra.identity(n))
            triangle = self.algebra.plus(triangle, minus)
        if axis == kept[0]:
            return self.algebra.product(triangle, x)
        return self.algebra.product(x, self.algebra.transpose(triangle))

    def _log_determinant(
        self, _: int, _operation: LogDeterminant, operands: Sequence[int]
    ) -> Matrix:
        return self.algebra.apply(sp.log, self._det(operands[0]))

    def _determinant(self, _: int, operation: Determinant, operands: Sequence[int]) -> Matrix:
        inner = self._det(operands[0])
        if operation.part == "value":
            return inner
        sized: Callable[[Any], Any] = (
            sp.sign if operation.part == "sign" else lambda e: sp.log(sp.Abs(e))
        )
        return self.algebra.apply(sized, inner)

    def _det(self, p: int) -> Matrix:
        x = self.read(p)
        return x if x.is_scalar else self.algebra.of(Named("det", (x,), (1, 1)))

    def _cholesky(self, _: int, _operation: Cholesky, operands: Sequence[int]) -> Matrix:
        x = self.read(operands[0])
        if x.is_scalar:
            return self.algebra.apply(sp.sqrt, x)
        return self.algebra.of(Named("chol", (x,), x.shape))

    def _function(self, _: int, operation: MatrixFunction, operands: Sequence[int]) -> Matrix:
        x = self.read(operands[0])
        if x.is_scalar:
            plain = {"exp": sp.exp, "log": sp.log, "sqrt": sp.sqrt}[operation.name]
            return self.algebra.apply(plain, x)
        return self.algebra.of(Named(operation.function, (x,), x.shape))


def _two(shape: Sequence[int]) -> tuple[int, int]:
    """Give rows and columns: a vector is a column."""
    rows, columns, *_ = (*shape, 1, 1)
    return rows, columns


def wide(shape: Sequence[int]) -> list[int]:
    """List the axes that are longer than one."""
    return [k for k, n in enumerate(shape) if n != 1]


RULES: dict[type[Operation], Callable[..., Matrix]] = {
    Input: Reader._input,  # noqa: SLF001 - a table of the class's own rules
    Constant: Reader._constant,  # noqa: SLF001 - its own
    Map: Reader._map,  # noqa: SLF001 - its own
    Band: Reader._band,  # noqa: SLF001 - its own
    Slice: Reader._slice,  # noqa: SLF001 - its own
    Cumsum: Reader._cumsum,  # noqa: SLF001 - its own
    Cast: Reader._cast,  # noqa: SLF001 - its own
    Inverse: Reader._inverse,  # noqa: SLF001 - its own
    Solve: Reader._solve,  # noqa: SLF001 - its own
    LogDeterminant: Reader._log_determinant,  # noqa: SLF001 - its own
    Determinant: Reader._determinant,  # noqa: SLF001 - its own
    Cholesky: Reader._cholesky,  # noqa: SLF001 - its own
    MatrixFunction: Reader._function,  # noqa: SLF001 - its own
}
