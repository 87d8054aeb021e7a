"""Fewer steps for the same numbers: what becomes of a program before code is written for it.

Every result is kept as a number times a step, its core. So numbers wander through products, sums
and whatever is linear, meet each other, and are multiplied in where nothing can carry them further;
terms with the same core become one. What several elementwise bodies have in common (a square root
and its slope) is computed once, a sum of a sum is one sum, and equal steps are one step.

Derivations never see this: connections are decided by positions. Nothing is reordered that a person
wrote in an order, and no number wanders that could overflow or lose digits by it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from math import prod
from typing import Any, NamedTuple

import sympy as sp

from symtape.calculus.broadcasting import broadcast
from symtape.kernels.interpret import KERNELS, QUIET
from symtape.lowering.joined_sums import changes_nothing, is_sum, sum_of_product, sum_of_sum
from symtape.lowering.powers import are_whole, constant, specialized
from symtape.program import operations as ops
from symtape.program import scalar
from symtape.program.operations import (
    AddN,
    Constant,
    Count,
    DType,
    Einsum,
    Input,
    Map,
    Operation,
    parameter,
    parameters,
)
from symtape.program.placement import Assemble, Form, Placement
from symtape.program.program import Builder, Program
from symtape.program.sharing import shared
from symtape.program.structural import Embed, Reshape, Slice


class Scaled(NamedTuple):
    """A number times a step; without a step, the number itself."""

    number: float
    core: int | None


class Folded(NamedTuple):
    """A program and where the inputs and outputs are in it."""

    program: Program
    inputs: list[int]
    outputs: list[int]


_FURTHEST = 2.0**24
"""Numbers beyond this, or below its inverse, stay where they are written."""


def folded(
    program: Program, inputs: Sequence[int], outputs: Sequence[int], *, exactly: bool = False
) -> Folded:
    """Fold what computes some outputs from inputs, which may be any positions.

    `exactly` keeps every rounding: then only powers of two and signs wander.
    """
    order = program.schedule(outputs, set(inputs))[0]
    program, first = shared(program, {*inputs, *order})
    order = [p for p in order if first[p] == p]
    if any([first[p] != p for p in inputs]):  # then some steps may have no reader any more
        inputs, outputs = [first[p] for p in inputs], [first[p] for p in outputs]
        order = program.schedule(outputs, set(inputs))[0]
    outputs = [first[p] for p in outputs]
    folder = _Folder(program, inputs, outputs, order, exactly=exactly)
    wanted = [folder.whole(p) for p in outputs]
    return Folded(folder.b.finish(), [folder.entered[p] for p in inputs], wanted)


class _Folder:
    """Walks the steps in order and rebuilds them in `b`; `place` says where each one went."""

    def __init__(
        self,
        program: Program,
        inputs: Sequence[int],
        outputs: Sequence[int],
        order: Sequence[int],
        *,
        exactly: bool,
    ) -> None:
        self.program = program
        self.exactly = exactly
        self.b = Builder()
        self.place: dict[int, Scaled] = {}
        self.entered: dict[int, int] = {}
        self.known: dict[Scaled, int] = {}
        self.ones: set[int] = set()
        for p in dict.fromkeys(inputs):
            self._enter(p)
        order = [p for p in order if p not in self.place]
        self.uses = [0] * len(program)
        self.summed = [0] * len(program)
        self._count_uses(order, outputs)
        self.common = _common_parts(program, order)
        for p in self.place:
            self._recognize(p)
        for p in order:
            self.place[p] = self._kept(p, self._fold(p))

    def _count_uses(self, order: Sequence[int], outputs: Sequence[int]) -> None:
        """Count the steps that read each one, and the sums among them, some behind a sign."""
        uses, summed, steps = self.uses, self.summed, self.program.steps
        for p in outputs:
            uses[p] += 1
        for p in reversed(order):
            step = steps[p]
            operation = step[0]
            if type(operation) is Count:  # it reads no values
                continue
            for i in step[1:] if len(step) == 2 else set(step[1:]):
                uses[i] += 1
            if is_sum(operation) or (operation is ops.negative and uses[p] == summed[p]):
                summed[step[1]] += 1

    def _enter(self, p: int) -> None:
        b, shape, dtype = self.b, self.program.shapes[p], self.program.dtypes[p]
        b.steps.append((Input(str(dtype), shape),))
        b.shapes.append(shape)
        b.dtypes.append(dtype)
        self.entered[p] = len(b.steps) - 1
        number = self._known_number(p)
        self.place[p] = number or Scaled(1.0, self.entered[p])

    def _recognize(self, p: int) -> None:
        """Remember an input that is a number times another one: nobody need multiply again."""
        operation, *operands = self.program.steps[p]
        at = self.place[p].core
        if operation is ops.negative and operands[0] in self.place and at is not None:
            self.known[Scaled(-1.0, self.place[operands[0]].core)] = at

    def _kept(self, p: int, scaled: Scaled) -> Scaled:
        """Multiply what several steps read by its number once; a sign costs nothing to carry."""
        if scaled.core is None or self.uses[p] < 2 or abs(scaled.number) == 1:
            return scaled
        if scaled.core in self.ones:
            return scaled
        if self.uses[p] == self.summed[p]:
            return scaled
        return Scaled(1.0, self.multiplied(scaled, self.program.dtypes[p]))

    def _fold(self, p: int) -> Scaled:
        operation, *operands = self.program.steps[p]
        dtype = self.program.dtypes[p]
        number = self._known_number(p)
        if number is not None:
            return number
        rule = RULES.get(operation) or RULES.get(type(operation))
        if rule is None or not _carries_numbers(dtype):
            return self.plain(operation, operands, p)
        dtypes = self.program.dtypes
        for i in operands:
            if dtypes[i] is not dtype:
                return self.plain(operation, operands, p)
        return rule(self, operation, operands, p)

    def _known_number(self, p: int) -> Scaled | None:
        """Give the number that a step is before anything is computed."""
        step = self.program.steps[p]
        operation = step[0]
        kind = type(operation)
        if kind is Count:
            count = operation.count(self.program.shapes[step[1]])
            return self._number(count, self.program.dtypes[p])
        if kind is Constant:
            return self._number(operation.number, self.program.dtypes[p], operation)
        return None

    def _number(self, number: Any, dtype: DType, operation: Constant | None = None) -> Scaled:
        if _carries_numbers(dtype) and isinstance(number, (int, float, sp.Rational)):
            value = float(number)
            if self.wanders(value):
                return Scaled(value, None)
        constant = operation or Constant.of(number, dtype)
        return Scaled(1.0, self.b.append(constant))

    def plain(self, operation: Operation, operands: Sequence[int], p: int) -> Scaled:
        """Compute a step of whole operands; of numbers alone, at once."""
        whole = [self.whole(i) for i in operands]
        found = self.computed(operation, whole, self.program.dtypes[p])
        return found or Scaled(1.0, self.b.append(operation, *whole))

    def computed(self, operation: Operation, whole: Sequence[int], dtype: DType) -> Scaled | None:
        """Give the number that an elementwise step of numbers is."""
        numbers = [self.b.steps[i][0] for i in whole]
        if type(operation) not in {Map, AddN} or any([type(n) is not Constant for n in numbers]):
            return None
        value = QUIET.run(KERNELS[operation], *[n.value for n in numbers])
        return self._number(value.item(), dtype)

    def whole(self, p: int) -> int:
        """Give the place of a result with its number multiplied in."""
        return self.multiplied(self.place[p], self.program.dtypes[p])

    def multiplied(self, scaled: Scaled, dtype: DType) -> int:
        """Multiply a core by its number."""
        number, core = scaled
        if core is None:
            return self.b.constant(_short(number), dtype)
        if number == 1:
            return core
        if core in self.ones:
            shape = self.b.shapes[core]
            return broadcast(self.b, self.b.constant(_short(number), dtype), shape)
        known = self.known.get(scaled)
        if known is not None:
            return known
        operation, *operands = self.b.steps[core]
        if number < 0 and operation is ops.subtract:
            turned = self.b.append(ops.subtract, *operands[::-1])
            return self.multiplied(Scaled(-number, turned), dtype)
        if number == -1:
            return self.b.negative(core)
        if operation is _reciprocal_of():
            return self.b.divide(self.b.constant(_short(number), dtype), operands[0])
        parts = _reciprocal(number)
        if parts is not None:
            return self.b.divide(core, self.b.constant(parts, dtype))
        return self.b.multiply(self.b.constant(_short(number), dtype), core)

    def repeated(self, number: float, p: int) -> Scaled:
        """Give a number with the shape of a step, ones that are made where they are needed."""
        shape, dtype = self.program.shapes[p], self.program.dtypes[p]
        if not self.wanders(number):  # zero, above all
            constant = self.b.constant(_short(number), dtype)
            return Scaled(1.0, broadcast(self.b, constant, shape))
        if shape == ():
            return Scaled(number, None)
        ones = broadcast(self.b, self.b.constant(1, dtype), shape)
        self.ones.add(ones)
        return self.times(number, ones)

    def without_ones(self, terms: Sequence[Scaled], p: int) -> list[Scaled]:
        """Write ones as the number one, if some other operand has the shape of the result."""
        shape = self.program.shapes[p]
        for _, core in terms:
            if core is not None and core not in self.ones and self.b.shapes[core] == shape:
                return [Scaled(n, None) if c in self.ones else Scaled(n, c) for n, c in terms]
        return list(terms)

    def result(self, number: float, operation: Operation, *cores: int) -> Scaled:
        """Give a number times a step, unless the number went too far."""
        return self.times(number, self.b.append(operation, *cores))

    def wanders(self, number: float) -> bool:
        """Say whether a number may be carried on."""
        return _wanders(number, exactly=self.exactly)

    def times(self, number: float, core: int) -> Scaled:
        """Give a number times a core, multiplied at once if the number went too far."""
        scaled = Scaled(number, core)
        if number == 1 or self.wanders(number):
            return scaled
        return Scaled(1.0, self.multiplied(scaled, self.b.dtypes[core]))


@lru_cache(maxsize=4096)
def _carries_numbers(dtype: DType) -> bool:
    """Say whether real numbers can wander among results of a dtype."""
    return (dtype.kind == "f" and dtype.itemsize >= 4) or dtype.kind == "c"


def _wanders(number: float, *, exactly: bool) -> bool:
    """Say whether a number can be multiplied later; a power of two at no cost of digits."""
    is_near = 1 / _FURTHEST <= abs(number) <= _FURTHEST
    return is_near and (not exactly or abs(math.frexp(number)[0]) == 0.5)


def _short(number: float) -> int | float:
    """Write a whole number without a point."""
    return int(number) if number == int(number) else number


def _reciprocal(number: float) -> int | None:
    """Find the whole number that a number is one over, unless a product is as exact."""
    whole = round(1 / number)
    if abs(whole) in {2, 4, 8} or not 2 < abs(whole) < 1_000_000 or number != 1 / whole:
        return None
    return whole


# --- elementwise ----------------------------------------------------------------------------------


def _multiply(f: _Folder, operation: Map, operands: Sequence[int], p: int) -> Scaled:
    i, j = operands
    x, y = f.without_ones([f.place[i], f.place[j]], p) if f.ones else (f.place[i], f.place[j])
    number = x.number * y.number
    if x.core is None or y.core is None:
        core = y.core if x.core is None else x.core
        return Scaled(number, None) if core is None else f.times(number, core)
    if not f.exactly:
        for one, other, k in ((y.core, x.core, j), (x.core, y.core, i)):
            below = None if f.uses[k] > 1 else _below(f.b.steps[one][0])
            if below is not None:  # x times 1/y is x/y
                return f.result(number, ops.divide, other, f.b.append(below, *f.b.steps[one][1:]))
    return f.result(number, operation, x.core, y.core)


@lru_cache(maxsize=4096)
def _below(operation: Operation) -> Map | None:
    """Find what an elementwise step is one over."""
    if type(operation) is not Map or operation.arity != 1 or operation.result != "same":
        return None
    body = 1 / sp.cosh(parameter(0)) ** 2 if operation is _tanh_slope() else operation.body
    if not (isinstance(body, sp.Pow) and body.exp.is_number and body.exp.is_negative):
        return None
    return Map.of(1 / body, 1)


@cache
def _tanh_slope() -> Map:
    return Map.of(scalar.tanh_slope(parameter(0)), 1)


def _divide(f: _Folder, operation: Map, operands: Sequence[int], p: int) -> Scaled:
    x, y = (f.place[i] for i in operands)
    number = x.number / y.number
    if y.core is None:
        return Scaled(number, None) if x.core is None else f.times(number, x.core)
    if x.core is None:
        return f.result(number, operation, f.b.constant(1, f.program.dtypes[p]), y.core)
    return f.result(number, operation, x.core, y.core)


def _negative(f: _Folder, _: Map, operands: Sequence[int], p: int) -> Scaled:
    number, core = f.place[operands[0]]
    return Scaled(-number, core)


def _identity(f: _Folder, _: Map, operands: Sequence[int], p: int) -> Scaled:
    return f.place[operands[0]]


@cache
def _quotient_slope() -> Map:
    return Map.of(-parameter(0) / parameter(1) ** 2, 2)


def _denominator_slope(f: _Folder, _: Map, operands: Sequence[int], p: int) -> Scaled:
    """Write -x/y² as -(x/y)/y: the quotient is there already."""
    if f.exactly:
        return f.plain(f.program.steps[p][0], operands, p)
    x, y = (f.whole(i) for i in operands)
    return f.result(-1.0, ops.divide, f.b.divide(x, y), y)


def _map(f: _Folder, operation: Map, operands: Sequence[int], p: int) -> Scaled:
    """Write a body with its number in front, and with what others compute, too, taken from them."""
    if operation.result != "same":
        return f.plain(operation, operands, p)
    if operation is _quotient_slope():
        return _denominator_slope(f, operation, operands, p)
    whole = [f.whole(i) for i in operands]
    found = f.computed(operation, whole, f.program.dtypes[p])
    if found is not None:
        return found
    numbers = [None if f.place[i].core is not None else f.place[i].number for i in operands]
    known = tuple(map(_exact, numbers))
    value = constant(operation, known)
    if value is not None:
        return f.repeated(value, p)
    special = None if f.exactly and not are_whole(known) else specialized(operation, known)
    if special is not None:
        operation = special
        kept = [k for k, number in enumerate(numbers) if number is None]
        operands, whole = [operands[k] for k in kept], [whole[k] for k in kept]
    common = tuple([part for part in _parts(operation) if _place_of(part, operands) in f.common])
    values = [*whole, *[f.b.append(x.operation, *[whole[k] for k in x.picks]) for x in common]]
    number, core, reads = _factored(operation, common, f.exactly)
    if core is None:
        return f.times(number, values[reads[0]])
    return f.result(number, core, *[values[k] for k in reads])


def _exact(number: float | None) -> Any:
    return None if number is None else _short(number)


class Part(NamedTuple):
    """A function within a body: an operation of its own, of some of the operands."""

    body: sp.Basic
    operation: Map
    picks: tuple[int, ...]


@lru_cache(maxsize=4096)
def _parts(operation: Map) -> tuple[Part, ...]:
    """List the functions of operands within a body, those that contain others last."""
    symbols = parameters(operation.arity)
    found = []
    for e in dict.fromkeys(sp.postorder_traversal(operation.body)):
        if e == operation.body or not e.free_symbols or not _is_costly(e):
            continue
        picks = tuple([k for k, symbol in enumerate(symbols) if symbol in e.free_symbols])
        body = e.xreplace({symbols[k]: parameter(n) for n, k in enumerate(picks)})
        found.append(Part(e, Map.of(body, len(picks)), picks))
    return tuple(found)


@lru_cache(maxsize=4096)
def _is_function(operation: Map) -> bool:
    return _is_costly(operation.body)


def _is_costly(e: sp.Basic) -> bool:
    return isinstance(e, sp.Function) and not isinstance(e, sp.Piecewise)


def _place_of(part: Part, operands: Sequence[int]) -> tuple[Any, ...]:
    return (part.operation, *[operands[k] for k in part.picks])


def _common_parts(program: Program, order: Sequence[int]) -> set[tuple[Any, ...]]:
    """Find the functions that more than one step computes of the same operands."""
    seen: Counter[tuple[Any, ...]] = Counter()
    for p in order:
        step = program.steps[p]
        operation = step[0]
        if type(operation) is Map and _carries_numbers(program.dtypes[p]):
            if _is_function(operation):
                seen[step] += 1
            for part in _parts(operation):
                seen[_place_of(part, step[1:])] += 1
    return {place for place, count in seen.items() if count > 1}


@lru_cache(maxsize=4096)
def _factored(
    operation: Map, common: tuple[Part, ...], exactly: bool
) -> tuple[float, Map | None, tuple[int, ...]]:
    """Take common parts and the number out of a body; say which operands and parts are left."""
    count = operation.arity + len(common)
    symbols = parameters(count)
    body = operation.body
    for k, part in reversed(list(enumerate(common))):
        body = body.xreplace({part.body: symbols[operation.arity + k]})
    numbers = [e for e in sp.Mul.make_args(body) if e.is_number and e.is_real]
    number = float(sp.Mul(*numbers))
    if numbers and _wanders(number, exactly=exactly):
        body = sp.Mul(*[e for e in sp.Mul.make_args(body) if e not in numbers])
    else:
        number = 1.0
    reads = tuple([k for k, symbol in enumerate(symbols) if symbol in body.free_symbols])
    if body in symbols:
        return number, None, reads
    if not numbers and not common:
        return 1.0, operation, tuple(range(operation.arity))
    renamed = body.xreplace({symbols[k]: parameter(n) for n, k in enumerate(reads)})
    return number, Map.of(renamed, len(reads)), reads


# --- sums -----------------------------------------------------------------------------------------


def _add(f: _Folder, operation: Operation, operands: Sequence[int], p: int) -> Scaled:
    """Add like terms up, and take the number out that all terms have in common."""
    terms = [f.place[i] for i in operands]
    if operation is ops.subtract:
        terms[1] = Scaled(-terms[1].number, terms[1].core)
    terms = f.without_ones(terms, p) if f.ones else terms
    placed = _placed_elements(f, terms, p)
    if placed is not None:
        return placed
    cores = dict.fromkeys([core for number, core in terms if number == 1 and core is not None])
    if len(cores) == len(terms):  # nothing to add up or to take out
        return Scaled(1.0, _total(f.b, tuple(cores)))
    merged = _like_terms(f, terms)
    if len(merged) == 1 and merged[0].core is not None:
        return f.times(merged[0].number, merged[0].core)
    sizes = {abs(t.number) for t in merged}
    is_one = len(sizes) == 1 and all([t.core is not None for t in merged])
    common = sizes.pop() if is_one else 1.0
    if all([t.number < 0 for t in merged]):
        common = -common
    dtype = f.program.dtypes[p]
    scaled = [Scaled(t.number / common, t.core) for t in merged]
    if f.exactly and len(scaled) > 2:
        return f.times(common, f.b.total([f.multiplied(t, dtype) for t in scaled]))
    plus = [f.multiplied(t, dtype) for t in scaled if t.number > 0]
    minus = [f.multiplied(Scaled(-t.number, t.core), dtype) for t in scaled if t.number < 0]
    return f.times(common, _difference(f.b, plus, minus, dtype))


_MOST_PLACED = 64
"""How many elements an array may have that is put together of single ones."""


def _placed_elements(f: _Folder, terms: Sequence[Scaled], p: int) -> Scaled | None:
    """Put single elements into one array, rather than each into zeros that are added up."""
    b, shape, dtype = f.b, f.program.shapes[p], f.program.dtypes[p]
    if not shape or prod(shape) > _MOST_PLACED:
        return None
    found = []
    for _, core in terms:
        if core is None or type(b.steps[core][0]) is not Embed:
            return None
        operation, inner = b.steps[core]
        if operation.sizes != shape or prod(b.shapes[inner]) != 1:
            return None
        found.append((operation, inner))
    scalars, placements = [], []
    for (number, _), (operation, core) in zip(terms, found, strict=True):
        scalars.append(f.multiplied(Scaled(number, _element(b, core)), dtype))
        forms = tuple([Form(first) for first, _, _ in operation.ranges])
        placements.append(Placement((), forms))
    return Scaled(1.0, b.append(Assemble(shape, tuple(placements)), *scalars))


def _element(b: Builder, core: int) -> int:
    """Give the number that an array of one element has; it may have been a number before."""
    bare = _bare(b, core)
    operation, *operands = b.steps[core]
    if bare is None and type(operation) is Map:
        numbers = [_bare(b, i) for i in operands]
        if None not in numbers:
            return b.append(operation, *[i for i in numbers if i is not None])
    return b.append(Reshape(b.shapes[core], ()), core) if bare is None else bare


def _bare(b: Builder, core: int) -> int | None:
    """Find the number that an array is made of by giving it axes."""
    if b.shapes[core] == ():
        return core
    operation, *operands = b.steps[core]
    is_one = type(operation) in {Reshape, Einsum} and len(operands) == 1
    return operands[0] if is_one and b.shapes[operands[0]] == () else None


def _like_terms(f: _Folder, terms: Sequence[Scaled]) -> list[Scaled]:
    numbers: dict[int | None, float] = {}
    for number, core in terms:
        numbers[core] = numbers.get(core, 0.0) + number
    if all([f.wanders(n) for n in numbers.values()]) and not (f.exactly and len(terms) > 2):
        return [Scaled(n, core) for core, n in numbers.items()]
    return list(terms)


def _difference(b: Builder, plus: Sequence[int], minus: Sequence[int], dtype: DType) -> int:
    """Add some terms and take others off."""
    if not plus:
        return b.negative(_total(b, minus))
    total = _total(b, plus)
    return b.append(ops.subtract, total, _total(b, minus)) if minus else total


def _total(b: Builder, terms: Sequence[int]) -> int:
    return b.append(ops.add, *terms) if len(terms) == 2 else b.total(terms)


# --- linear maps ----------------------------------------------------------------------------------


def _pass_on(f: _Folder, operation: Operation, operands: Sequence[int], p: int) -> Scaled:
    number, core = f.place[operands[0]]
    if core is None:
        return f.plain(operation, operands, p)
    return f.result(number, operation, core)


def _einsum(f: _Folder, operation: Einsum, operands: Sequence[int], p: int) -> Scaled:
    """Contract cores; a sum of a sum is one sum, and a sum of products is a contraction."""
    places = [f.place[i] for i in operands]
    smallest = min([prod(f.program.shapes[i]) for i in operands])
    if any([x.core is None for x in places]) or prod(f.program.shapes[p]) > smallest:
        return f.plain(operation, operands, p)
    number = math.prod([x.number for x in places])
    cores = [x.core for x in places if x.core is not None]
    is_free = f.uses[operands[0]] == f.summed[operands[0]]
    while len(cores) == 1 and is_free and not f.exactly:
        joined = sum_of_sum(f.b, operation, cores[0]) or sum_of_product(f.b, operation, cores[0])
        if joined is None:
            break
        count, operation, cores = joined
        number *= count
    if changes_nothing(operation):
        return f.times(number, cores[0])
    return f.result(number, operation, *cores)


@cache
def _reciprocal_of() -> Map:
    return Map.of(1 / parameter(0), 1)


RULES: dict[Any, Callable[[_Folder, Any, Sequence[int], int], Scaled]] = {
    ops.multiply: _multiply,
    ops.divide: _divide,
    ops.negative: _negative,
    ops.identity: _identity,
    ops.add: _add,
    ops.subtract: _add,
    Map: _map,
    AddN: _add,
    Einsum: _einsum,
    Slice: _pass_on,
    Reshape: _pass_on,
}
"""What carries numbers on; all other kinds compute with whole operands."""
