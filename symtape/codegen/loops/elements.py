"""How one element of each kind of step is computed of elements of its operands.

A rule is a generator: it asks for an element of an operand with ``yield (position, places)`` and is
sent the node of its value, a name, so that a program of any depth needs no recursion.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from itertools import product

from symtape.codegen.expressions import both, choice, multiplied, total
from symtape.codegen.loops.bodies import Body
from symtape.codegen.loops.places import Place, Places, broadcast, flat, moved, unflat
from symtape.codegen.loops.values import Rule, Step, Values, Wish
from symtape.kernels.nodes import Node
from symtape.program import kinds
from symtape.program.operations import Operation, parameters


def _constant(step: Step, context: Values) -> Rule:
    yield from ()
    return context.language.number(step.operation.value.item(), step.operation.dtype)


def _broadcast(step: Step, context: Values) -> Generator[Wish, Node, list[Node]]:
    names = []
    for k, i in enumerate(step.operands):
        names.append((yield step.of(k, broadcast(step.places, context.shape(i)))))
    return names


def _map(step: Step, context: Values) -> Rule:
    names = yield from _broadcast(step, context)
    operation: kinds.Map = step.operation
    dtypes = [context.dtype(i) for i in step.operands]
    own = context.dtype(step.position)
    numbers = [d for d in dtypes if d.kind != "b"]
    dtype = own if operation.result in {"same", "stopped"} else (numbers or [own])[0]
    named = dict(zip(parameters(operation.arity), zip(names, dtypes, strict=True), strict=True))
    found = Body(context.language, named, dtype, context.let).write(operation.body)
    is_narrow = own.kind in "iu" and own.itemsize < 8
    return context.language.convert(found, own, own) if is_narrow else found


def _add_n(step: Step, context: Values) -> Rule:
    return total((yield from _broadcast(step, context)))


def _cast(step: Step, context: Values) -> Rule:
    name = yield step.of(0, step.places)
    old, new = context.dtype(step.operands[0]), context.dtype(step.position)
    return context.language.convert(name, old, new)


def factors(operation: kinds.Einsum, operands: Sequence[int], where: dict[int, Place]) -> Rule:
    """Multiply the elements of all operands for places of all indices."""
    names = []
    for term, i in zip(operation.inputs, operands, strict=True):
        names.append((yield Wish(i, tuple([where[k] for k in term]))))
    return multiplied(names)


def _einsum(step: Step, context: Values) -> Rule:
    """Write out a short sum of products."""
    operation: kinds.Einsum = step.operation
    sizes = operation.index_sizes([context.shape(i) for i in step.operands])
    where = dict(zip(operation.output, step.places, strict=True))
    inner = sorted(set().union(*operation.inputs) - set(operation.output))
    terms = []
    for values in product(*[range(sizes[i]) for i in inner]):
        here = where | {i: Place(v) for i, v in zip(inner, values, strict=True)}
        terms.append((yield from factors(operation, step.operands, here)))
    return total(terms or [context.language.number(0, context.dtype(step.position))])


def _reshape(step: Step, context: Values) -> Rule:
    old, new = step.operation.old, step.operation.new
    lead = len(step.places) - len(new)
    number = flat(step.places[lead:], new)
    return (yield step.of(0, (*step.places[:lead], *unflat(number, old))))


def _view(step: Step, context: Values) -> Rule:
    """Read the operand where it is looked at."""
    counts, forms = step.operation.read(context.shape(step.operands[0]))
    lead = len(step.places) - len(counts)
    return (yield step.of(0, (*step.places[:lead], *moved(forms, step.places[lead:]))))


def _embed(step: Step, context: Values) -> Rule:
    """Read the operand where the place lies in its range, else give zero."""
    ranges = step.operation.ranges
    lead = len(step.places) - len(ranges)
    dtype = context.dtype(step.position)
    zero = context.language.number(0, dtype)
    conditions, inner = list[Node](), []
    for place, (first, stride, count) in zip(step.places[lead:], ranges, strict=True):
        own = place.scaled(1, -first) if stride == 1 else place.scaled(-1, first)
        if not count or own.high < 0 or own.low >= count:
            return zero
        if own.low < 0 or own.high >= count:
            conditions.append(context.inside(own, 0, count - 1))
            own = context.clamped(own, count - 1)
        inner.append(own)
    name = yield Wish(step.operands[0], (*step.places[:lead], *inner))
    return choice(both(conditions), name, zero) if conditions else name


def _band(step: Step, context: Values) -> Rule:
    """Read what lies on some diagonals, else give zero."""
    *_, row, column = step.places
    rows, columns = context.shape(step.position)[-2:]
    low, high = step.operation.low, step.operation.high
    first, last = -rows if low is None else low, columns if high is None else high
    diagonal = column.plus(row.scaled(-1))
    name = yield step.of(0, step.places)
    if diagonal.low >= first and diagonal.high <= last:
        return name
    zero = context.language.number(0, context.dtype(step.position))
    if diagonal.high < first or diagonal.low > last:
        return zero
    return choice(context.inside(diagonal, first, last), name, zero)


def chosen(places: Places, first: int, batch: int, axis: int, own: int) -> Places:
    """Find the place of an index: it has axes of a batch, and its own where it chooses."""
    return places[first : first + batch] + places[axis : axis + own]


def _gather(step: Step, context: Values) -> Rule:
    operation: kinds.Gather = step.operation
    axis = len(context.shape(step.operands[0])) - 1 - operation.after
    own = len(context.shape(step.operands[1])) - operation.batch
    first = axis - operation.between - operation.batch
    where = chosen(step.places, first, operation.batch, axis, own)
    place = context.checked((yield step.of(1, where)), context.shape(step.operands[0])[axis])
    return (yield step.of(0, (*step.places[:axis], place, *step.places[axis + own :])))


RULES: dict[type[Operation], Callable[[Step, Values], Rule]] = {
    kinds.Constant: _constant,
    kinds.Map: _map,
    kinds.AddN: _add_n,
    kinds.Cast: _cast,
    kinds.Einsum: _einsum,
    kinds.Reshape: _reshape,
    kinds.Slice: _view,
    kinds.Embed: _embed,
    kinds.Gather: _gather,
    kinds.Windows: _view,
    kinds.Band: _band,
}
"""How an element is computed where it is read."""
