"""Products and quotients: their numbers are one number."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

import sympy as sp

from symtape.lowering.folder import Folder, Scaled
from symtape.program import operations as ops
from symtape.program.functions import scalar
from symtape.program.operations import Map, Operation, parameter


def times_reciprocal(f: Folder, _: Map, operands: Sequence[int], p: int) -> Scaled | None:
    """Write x times 1/y as x/y, where nobody else reads 1/y."""
    if f.exactly:
        return None
    for x, y in (operands, operands[::-1]):
        one = f.place[y].core
        if one is None or f.uses[y] > 1:
            continue
        operation, *under = f.b.steps[one]
        below = _below(operation)
        if below is not None:
            (m, core), (n, _one) = f.factors((x, y), p)
            if core is not None:
                return f.result(m * n, ops.divide, core, f.b.append(below, *under))
    return None


def product(f: Folder, operation: Map, operands: Sequence[int], p: int) -> Scaled:
    """Multiply two cores, and their numbers: 2 (3 x) is 6 times x."""
    x, y = f.factors(operands, p)
    number = x.number * y.number
    if x.core is not None and y.core is not None:
        return f.result(number, operation, x.core, y.core)
    core = y.core if x.core is None else x.core
    return Scaled(number, None) if core is None else f.times(number, core)


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


def quotient(f: Folder, operation: Map, operands: Sequence[int], p: int) -> Scaled:
    """Divide two cores, and their numbers."""
    x, y = (f.place[i] for i in operands)
    number = x.number / y.number
    if y.core is None:
        return Scaled(number, None) if x.core is None else f.times(number, x.core)
    core = f.b.constant(1, f.program.dtypes[p]) if x.core is None else x.core
    return f.result(number, operation, core, y.core)


def sign(f: Folder, _: Map, operands: Sequence[int], p: int) -> Scaled:
    """Carry a sign."""
    number, core = f.place[operands[0]]
    return Scaled(-number, core)


def nothing(f: Folder, _: Map, operands: Sequence[int], p: int) -> Scaled:
    """Leave a step out that changes nothing."""
    return f.place[operands[0]]
