"""Elementwise bodies: numbers in front, powers of numbers, functions that others compute, too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

import sympy as sp

from symtape.lowering.folder import Folder, Scaled, carries_numbers, is_carried, short
from symtape.lowering.powers import (
    are_whole,
    beside_numbers,
    constant,
    specialized,
)
from symtape.program import operations as ops
from symtape.program.operations import Constant, Map, parameter, parameters
from symtape.program.program import Program


@cache
def _quotient_slope() -> Map:
    return Map.of(-parameter(0) / parameter(1) ** 2, 2)


def is_quotient_slope(operation: Map) -> bool:
    """Say whether an operation is -x/y²."""
    return operation is _quotient_slope()


def slope_of_quotient(f: Folder, operation: Map, operands: Sequence[int], p: int) -> Scaled | None:
    """Write -x/y² as -(x/y)/y: the quotient is there already."""
    if f.exactly:
        return f.plain(operation, operands, p)
    x, y = (f.whole(i) for i in operands)
    return f.result(-1.0, ops.divide, f.b.divide(x, y), y)


def number_of_numbers(f: Folder, operation: Map, operands: Sequence[int], p: int) -> Scaled | None:
    """Compute a body of numbers alone at once."""
    if not all([f.is_number(i) for i in operands]):
        return None
    return f.computed(operation, [f.whole(i) for i in operands], f.program.dtypes[p])


def _numbers(f: Folder, operands: Sequence[int]) -> tuple[Any, ...]:
    """List the numbers that operands are, and None for those that are steps."""
    return _as_numbers([f.place[i] for i in operands])


def _as_numbers(places: Sequence[Scaled]) -> tuple[Any, ...]:
    return tuple([short(number) if core is None else None for number, core in places])


def beside(f: Folder, operands: Sequence[int], p: int) -> tuple[Any, ...]:
    """List numbers, of which an array of one may be made, as well."""
    places = [f.place[i] for i in operands]
    return _as_numbers(f.without_ones(places, p) if f.ones else places)


def constant_body(f: Folder, operation: Map, operands: Sequence[int], p: int) -> Scaled | None:
    """Write a body that is one number whatever its operands are: x⁰ is 1.

    Where every rounding is kept, so is what zero times infinity is: 0 x⁻¹ is no number at 0.
    """
    numbers = _numbers(f, operands)
    known = [_or_zero(f, i, number) for i, number in zip(operands, numbers, strict=True)]
    value = constant(operation, tuple(known))
    if value is None or (f.exactly and (value == 0 or operation.body.is_Add)):
        return None
    return f.repeated(value, p)


def _or_zero(f: Folder, i: int, number: Any) -> Any:
    """Know a zero, too, which no product carries."""
    core = f.place[i].core
    step = None if core is None else f.b.steps[core][0]
    return 0 if type(step) is Constant and step.number == 0 else number


def power_of_number(f: Folder, operation: Map, operands: Sequence[int], p: int) -> Scaled | None:
    """Put the number of an exponent into the body: x² is a square, and no power."""
    numbers = _numbers(f, operands)
    special = None if f.exactly and not are_whole(numbers) else specialized(operation, numbers)
    if special is None:
        return None
    kept = [i for i, number in zip(operands, numbers, strict=True) if number is None]
    return rewritten(f, special, kept)


def function_beside_number(
    f: Folder, operation: Map, operands: Sequence[int], p: int
) -> Scaled | None:
    """Write log(1 + exp(x)) where the logarithm of a sum has 0 for an operand, and x - c as it is.

    Where every rounding is kept, so is the sign of a zero.
    """
    if f.exactly:
        return None
    numbers = [_or_zero(f, i, n) for i, n in zip(operands, beside(f, operands, p), strict=True)]
    plainer = beside_numbers(operation, tuple(numbers))
    kept = [i for i, number in zip(operands, numbers, strict=True) if number is None]
    return None if plainer is None else rewritten(f, plainer, kept)


# --- functions that several steps compute ---------------------------------------------------------


class Part(NamedTuple):
    """A function within a body: an operation of its own, of some of the operands."""

    body: sp.Basic
    operation: Map
    picks: tuple[int, ...]


@lru_cache(maxsize=4096)
def parts(operation: Map) -> tuple[Part, ...]:
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


def place_of(part: Part, operands: Sequence[int]) -> tuple[Any, ...]:
    """Give the step that a part would be."""
    return (part.operation, *[operands[k] for k in part.picks])


def _shared_functions(program: Program, order: Sequence[int]) -> set[tuple[Any, ...]]:
    """Find the functions that more than one step computes of the same operands."""
    steps = program.steps
    every = {operation for operation in {steps[p][0] for p in order} if type(operation) is Map}
    costly = {operation for operation in every if _is_function(operation) or parts(operation)}
    seen: Counter[tuple[Any, ...]] = Counter()
    for p in order:
        operation, *operands = steps[p]
        if operation in costly and carries_numbers(program.dtypes[p]):
            if _is_function(operation):
                seen[steps[p]] += 1
            seen.update([place_of(part, operands) for part in parts(operation)])
    return {place for place, count in seen.items() if count > 1}


def _common(f: Folder, operation: Map, operands: Sequence[int]) -> tuple[Part, ...]:
    own = parts(operation)
    if not own:
        return ()
    if f.common is None:
        f.common = _shared_functions(f.program, f.order)
    return tuple([part for part in own if place_of(part, operands) in f.common])


def common_functions(f: Folder, operation: Map, operands: Sequence[int], p: int) -> Scaled | None:
    """Take functions from where they are computed once, as a square root and its slope need it."""
    common = _common(f, operation, operands)
    return _body(f, operation, operands, common) if common else None


def rewritten(f: Folder, operation: Map, operands: Sequence[int]) -> Scaled:
    """Write a body that stands for another one, with what others compute, too, and its number."""
    return _body(f, operation, operands, _common(f, operation, operands))


def number_in_front(f: Folder, operation: Map, operands: Sequence[int], p: int) -> Scaled:
    """Carry the number that a body is multiplied by."""
    return _body(f, operation, operands, ())


def _body(f: Folder, operation: Map, operands: Sequence[int], common: tuple[Part, ...]) -> Scaled:
    values = [f.whole(i) for i in operands]
    values += [f.b.append(x.operation, *[values[k] for k in x.picks]) for x in common]
    number, core, reads = _factored(operation, common, f.exactly)
    if core is None:
        return f.times(number, values[reads[0]])
    return f.result(number, core, *[values[k] for k in reads])


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
    if numbers and is_carried(number, exactly=exactly):
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
