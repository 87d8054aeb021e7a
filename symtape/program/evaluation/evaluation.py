"""Running a program over any kind of number: SymPy's, mpmath's, fractions, symbols.

Arrays hold Python objects; a `Numbers` says how elements are added, multiplied and mapped.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from itertools import product
from typing import Any, Protocol

import numpy as np

from symtape.errors import UnsupportedError
from symtape.program.evaluation import arrays
from symtape.program.evaluation.elimination import Field
from symtape.program.evaluation.exact_matrices import RULES as MATRICES
from symtape.program.evaluation.exact_matrices import on_matrices
from symtape.program.evaluation.transforms import transformed
from symtape.program.kinds.placement import Assemble, Assembly
from symtape.program.kinds.segments import SegmentExtremum
from symtape.program.kinds.structural import (
    Concat,
    Cumextremum,
    Cumprod,
    Cumsum,
    Embed,
    Extremum,
    Fourier,
    Gather,
    Position,
    Product,
    Recurrence,
    Reshape,
    Scatter,
    Slice,
    slices,
)
from symtape.program.kinds.windows import Overlap, Windows
from symtape.program.operations import AddN, Cast, Constant, Count, Einsum, Map, Operation
from symtape.program.program import Program

Objects = Any
"""A NumPy array of dtype object."""


class Numbers(Protocol):
    """A kind of number that a program can be run over."""

    def constant(self, operation: Constant) -> Any:
        """Give a number that the author wrote."""

    def function(self, operation: Map) -> Callable[..., Any]:
        """Give the function that an elementwise operation applies to elements."""

    def add(self, terms: Sequence[Any]) -> Any:
        """Add up."""

    def multiply(self, factors: Sequence[Any]) -> Any:
        """Multiply."""

    def cast(self, x: Any, source: np.dtype[Any], target: np.dtype[Any]) -> Any:
        """Change the dtype of an element."""

    def extremum(self, which: str, elements: Sequence[Any]) -> Any:
        """Choose the largest or smallest."""

    def order(self, elements: Sequence[Any]) -> list[int]:
        """Give the places of the elements from the smallest to the largest, stably."""

    def index(self, x: Any) -> int:
        """Give the place that a whole number names."""

    def integer(self, n: int) -> Any:
        """Give a small number."""

    def number(self, value: Any) -> Any:
        """Give the number that a NumPy scalar is."""

    def conjugate(self, x: Any) -> Any:
        """Give the complex conjugate."""

    def real(self, x: Any) -> Any:
        """Take the real part."""

    def root(self, x: Any) -> Any:
        """Take the square root."""

    def size(self, x: Any) -> Any:
        """Say how large a number is, so that elimination finds its pivots; None for symbols."""

    def solution(self, field: Field, a: Any, b: Any) -> Any:
        """Solve A X = B."""

    def determinant(self, field: Field, a: Any) -> Any:
        """Compute the determinant of a matrix."""

    def tidy(self, x: Any) -> Any:
        """Write a complex number in its shortest form."""

    def negligible(self, sizes: Sequence[Any], a: Any) -> Any:
        """Say which sizes count as zero beside the elements of a matrix."""

    def sign(self, value: Any, *, is_complex: bool) -> Any:
        """Give a number divided by its size; 0 of 0."""

    def log_size(self, value: Any) -> Any:
        """Give the logarithm of the size of a number."""

    def whole(self, operation: Any, field: Field, a: Any) -> Any:
        """Give a spectrum or a function of a matrix."""

    @property
    def matrices(self) -> Mapping[Any, Callable[..., Any]]:
        """Give the rules of linear algebra, by the kind of operation."""


def as_objects(values: Any) -> Objects:
    """Make an array of objects of numbers, keeping its shape."""
    source = np.asarray(values, dtype=object)
    out = np.empty(source.shape, object)
    out[...] = source
    return out


def evaluate(
    program: Program, wanted: Iterable[int], given: Mapping[int, Objects], numbers: Numbers
) -> list[Objects]:
    """Compute some positions of a program, from arrays of objects for its inputs."""
    outputs = list(wanted)
    values = dict(given)
    for p in written(program, outputs, values):
        if p not in values:
            operation, *operands = program.steps[p]
            rule = RULES.get(type(operation))
            if rule is None:
                raise UnsupportedError(
                    f"{operation!r} has no exact rule; add one to program/evaluation/evaluation.py"
                )
            context = Context(program, p, operands, numbers)
            values[p] = rule(operation, context, *[_value(program, values, i) for i in operands])
    return [values[p] for p in outputs]


def written(program: Program, positions: Iterable[int], known: Container[int] = ()) -> list[int]:
    """List what stands in the formulas of some positions, in order, stopping at `known`.

    What an elementwise body does not mention is left out, with all that it was computed from.
    """
    found: set[int] = set()
    stack = list(positions)
    while stack:
        p = stack.pop()
        if p not in found:
            found.add(p)
            operation, *operands = program.steps[p]
            is_map = type(operation) is Map
            if p not in known:
                stack += [i for k, i in enumerate(operands) if not is_map or operation.mentions(k)]
    return sorted(found)


def _value(program: Program, values: Mapping[int, Objects], p: int) -> Objects:
    """Give the value of an operand; of one that is not mentioned, ones of its shape."""
    if p in values:
        return values[p]
    return np.broadcast_to(arrays.alone(1), program.shapes[p])


class Context:
    """Where a step stands, for the rules that need to know."""

    __slots__ = ("numbers", "operands", "position", "program")

    def __init__(
        self, program: Program, position: int, operands: list[int], numbers: Numbers
    ) -> None:
        self.program, self.position, self.operands, self.numbers = (
            program,
            position,
            operands,
            numbers,
        )

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the result."""
        shape: tuple[int, ...] = self.program.shapes[self.position]
        return shape


def _apply(function: Callable[..., Any], *operands: Objects) -> Objects:
    with np.errstate(all="ignore"):  # NumPy sees what floats beside the numbers do, as ∞ - ∞
        out = np.frompyfunc(function, len(operands), 1)(*operands)
    return arrays.with_axes(out)


def _map(operation: Map, context: Context, *operands: Objects) -> Objects:
    return _apply(context.numbers.function(operation), *operands)


def _add_n(_: AddN, context: Context, *operands: Objects) -> Objects:
    return _added(context.numbers, operands)


def _added(numbers: Numbers, operands: Sequence[Objects]) -> Objects:
    """Add up arrays; NumPy makes no function of more than some sixty operands."""
    if len(operands) > 30:
        stacked = np.stack(np.broadcast_arrays(*operands), axis=-1)
        return _reduced(stacked, (-1,), numbers.add)
    return _apply(lambda *terms: numbers.add(terms), *operands)


def _cast(operation: Cast, context: Context, x: Objects) -> Objects:
    source = context.program.dtypes[context.operands[0]]
    return _apply(lambda e: context.numbers.cast(e, source, operation.dtype), x)


def _einsum(operation: Einsum, context: Context, *operands: Objects) -> Objects:
    sizes = operation.index_sizes([np.shape(x) for x in operands])
    kept = list(dict.fromkeys(operation.output))
    summed = [i for i in sizes if i not in kept]
    core = np.empty([sizes[i] for i in kept], object)
    free = [i for i in kept if any(i in term for term in operation.inputs)]
    for places in product(*[range(sizes[i]) for i in free]):
        at = dict(zip(free, places, strict=True))
        terms = []
        for inner in product(*[range(sizes[i]) for i in summed]):
            at.update(zip(summed, inner, strict=True))
            factors = [
                x[tuple([at[i] for i in t])]
                for x, t in zip(operands, operation.inputs, strict=True)
            ]
            terms.append(context.numbers.multiply(factors) if len(factors) > 1 else factors[0])
        total = terms[0] if len(terms) == 1 else context.numbers.add(terms)
        core[tuple([at[i] if i in free else slice(None) for i in kept])] = total
    return (
        core
        if len(kept) == len(operation.output)
        else arrays.diagonal(core, tuple(kept), operation.output)
    )


def _reduced(x: Objects, axes: Sequence[int], join: Callable[[Sequence[Any]], Any]) -> Objects:
    """Join all elements along some axes into one."""
    rank = x.ndim
    kept = [axis for axis in range(rank) if axis - rank not in axes]
    moved = x.transpose([*kept, *[axis + rank for axis in axes]])
    shape = moved.shape[: len(kept)]
    out = np.empty(shape, object)
    for place in product(*map(range, shape)):
        out[place] = join(list(moved[place].flat) if axes else [moved[place]])
    return out


def _cumulative(
    operation: Cumsum | Cumprod | Cumextremum, x: Objects, join: Callable[[Sequence[Any]], Any]
) -> Objects:
    axis = operation.axis
    line = np.moveaxis(x, axis, -1)
    line = line[..., ::-1] if operation.reverse else line
    out = np.empty(line.shape, object)
    late = 0 if operation.exclusive else 1
    for place in product(*map(range, line.shape[:-1])):
        for i in range(line.shape[-1]):
            out[(*place, i)] = join(list(line[place][: i + late]))
    out = out[..., ::-1] if operation.reverse else out
    return np.moveaxis(out, -1, axis)


def _recurrence(operation: Recurrence, context: Context, a: Objects, b: Objects) -> Objects:
    a, b = np.broadcast_arrays(a, b)
    a, b = np.moveaxis(a, operation.axis, -1), np.moveaxis(b, operation.axis, -1)
    out = np.empty(b.shape, object)
    n = b.shape[-1]
    order = list(reversed(range(n))) if operation.reverse else list(range(n))
    numbers = context.numbers
    for place in product(*map(range, b.shape[:-1])):
        previous: Any = None
        for i in order:
            at = (*place, i)
            term = [] if previous is None else [numbers.multiply([a[at], previous])]
            previous = out[at] = numbers.add([b[at], *term])
    return np.moveaxis(out, -1, operation.axis)


def _segment_extremum(
    operation: SegmentExtremum, context: Context, x: Objects, numbers: Objects
) -> Objects:
    axis = x.ndim - 1 - operation.after
    rows = np.moveaxis(x, axis, -1)
    own = _integers(numbers, context.numbers)
    worst = -np.inf if operation.which == "max" else np.inf
    out = np.empty((*rows.shape[:-1], operation.count), object)
    for place in np.ndindex(*out.shape):
        found = [e for e, k in zip(rows[place[:-1]], own, strict=True) if k == place[-1]]
        out[place] = (
            context.numbers.extremum(operation.which, found)
            if found
            else context.numbers.constant(Constant.of(worst, "float64"))
        )
    return np.moveaxis(out, -1, axis)


def _position(operation: Position, context: Context, x: Objects) -> Objects:
    axis = operation.axes[0]
    line = np.moveaxis(x, axis, -1)
    shape = line.shape if operation.which == "argsort" else line.shape[:-1]
    out = np.empty(shape, object)
    for place in product(*map(range, line.shape[:-1])):
        elements = list(line[place])
        order = context.numbers.order(elements)
        if operation.which == "argsort":
            out[place] = order
        elif operation.which == "argmin":
            out[place] = order[0]
        else:
            best = order[-1]
            ties = [k for k in order if not elements[k] < elements[best]]
            out[place] = min(ties)
    return np.moveaxis(out, -1, axis) if operation.which == "argsort" else out


def _integers(x: Objects, numbers: Numbers) -> Any:
    flat = [numbers.index(e) for e in np.ravel(x)]
    return np.array(flat, dtype=np.int64).reshape(np.shape(x))


def _assembled(operation: Assembly, context: Context, *blocks: Objects) -> Objects:
    """Add up, at each place of zeros, what the operands have there; first axes are a batch."""
    lead = context.shape[: len(context.shape) - operation.depth]
    terms: dict[tuple[int, ...], list[Any]] = {}
    shapes = [np.shape(block) for block in blocks]
    for placement, block in zip(operation.placed(shapes), blocks, strict=True):
        wide = np.broadcast_to(block, lead + placement.counts)
        for own, place in placement.places():
            terms.setdefault(place, []).append(wide[_at(own)])
    numbers = context.numbers
    out = np.empty(context.shape, object)
    out[...] = numbers.constant(_integer(0))
    for place, found in terms.items():
        out[_at(place)] = _added(numbers, found) if len(found) > 1 else found[0]
    return out


def _at(place: tuple[int, ...]) -> Any:
    """Index the last axes, and give an array of objects."""
    return (..., *place)


RULES: dict[type[Operation], Callable[..., Objects]] = {
    Constant: lambda op, c: arrays.alone(c.numbers.constant(op)),
    Map: _map,
    AddN: _add_n,
    Cast: _cast,
    Einsum: _einsum,
    Count: lambda op, c, _: arrays.alone(
        c.numbers.constant(_integer(op.count(c.program.shapes[c.operands[0]])))
    ),
    Reshape: lambda op, _, x: arrays.with_axes(arrays.reshape(x, len(op.old), op.new)),
    Slice: lambda op, _, x: x[(..., *slices(op.ranges))],
    Embed: lambda op, _, x: arrays.embed(x, slices(op.ranges), op.sizes),
    Gather: lambda op, c, x, i: arrays.with_axes(
        arrays.gather(x, _integers(i, c.numbers), op.after, op.between, op.batch)
    ),
    Scatter: lambda op, c, x, i: arrays.scatter(
        x, _integers(i, c.numbers), op.after, op.between, op.batch, op.size
    ),
    Concat: lambda op, _, *parts: np.concatenate(parts, axis=op.axis),
    Assemble: _assembled,
    Windows: lambda op, _, x: arrays.windows(x, op.windows, op.after),
    Overlap: _assembled,
    Cumsum: lambda op, c, x: _cumulative(op, x, c.numbers.add),
    Cumprod: lambda op, c, x: _cumulative(op, x, c.numbers.multiply),
    Cumextremum: lambda op, c, x: _cumulative(op, x, lambda e: c.numbers.extremum(op.which, e)),
    Fourier: transformed,
    Recurrence: _recurrence,
    Extremum: lambda op, c, x: _reduced(x, op.axes, lambda e: c.numbers.extremum(op.which, e)),
    SegmentExtremum: _segment_extremum,
    Product: lambda op, c, x: _reduced(x, op.axes, c.numbers.multiply),
    Position: _position,
    **dict.fromkeys(MATRICES, on_matrices),
}


def _integer(n: int) -> Constant:
    return Constant.of(n, "int64")
