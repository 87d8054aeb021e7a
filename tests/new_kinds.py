"""Two kinds of operations made from nothing: each is a class, and a row in each of four tables.

`Roll` moves elements; `RunningMax` compares them. What is not here is derived: NumPy computes them
by their rule over any kind of number, a batch is any axes before the last one, and a roll, which
has a transpose, is linear.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import sympy as sp

from symtape.calculus import pullback
from symtape.exchange import fields, fitting, operations
from symtape.forms.index import entry as index
from symtape.forms.index.places import divided
from symtape.program import kinds
from symtape.program import operations as ops
from symtape.program.evaluation import evaluation
from symtape.program.evaluation.symbolic import extremum_of
from symtape.program.kinds.placement import Structural
from symtape.program.operations import DType, Shape


class _Last(Structural):
    """An operation along the last axis that keeps the shape."""

    __slots__ = ()
    depth = 1

    def infer(self, shapes: Sequence[Shape], dtypes: Sequence[DType]) -> tuple[Shape, DType]:
        """Keep the shape."""
        return shapes[0], dtypes[0]


class Roll(_Last):
    """The last axis moved on by some places, round and round: `Roll(shift)`."""

    __slots__ = ()


def roll(operation: Any, _: Any, x: Any) -> Any:
    """Move elements on."""
    return np.roll(x, operation.parameters[0], -1)


def roll_entry(w: Any, operation: Any, operands: list[int], _: int, at: Any) -> Any:
    """Read the element that was moved here."""
    place = at[-1] - operation.parameters[0]
    return w.entry(operands[0], (*at[:-1], divided(place, w.shape(operands[0])[-1], w.sizes)[1]))


class RunningMax(_Last):
    """The largest element so far along the last axis."""

    __slots__ = ()


def running_max(_: Any, context: Any, x: Any) -> Any:
    """Choose the largest of the elements up to each."""
    largest = context.numbers.extremum
    out = np.empty(x.shape, object)
    for place in np.ndindex(*x.shape):
        out[place] = largest("max", list(x[(*place[:-1], slice(place[-1] + 1))]))
    return out


def running_max_entry(w: Any, _: Any, operands: list[int], __: int, at: Any) -> Any:
    """Write the largest of the elements that are not behind."""
    elements = []
    for k in range(w.shape(operands[0])[-1]):
        element = w.entry(operands[0], (*at[:-1], sp.Integer(k)))
        elements.append(sp.Piecewise((element, k <= at[-1]), (-sp.oo, True)))
    return extremum_of("max", elements)


def pull_running_max(b: Any, s: pullback.Pull[Any]) -> Iterator[tuple[int, int]]:
    """An element receives what flows to places up to the next one that is as large."""
    n, dtype = b.shapes[s.out][-1], b.dtypes[s.out]
    is_new = b.append(kinds.Cast(dtype.name), b.append(ops.equal, s.operands[0], s.out))
    goes_on = b.append(ops.subtract, b.constant(1, dtype), is_new)
    after = b.append(kinds.Slice(((1, 1, n - 1),)), goes_on)
    factors = b.append(kinds.Embed(((0, 1, n - 1),), (n,)), after)
    total = b.append(kinds.Recurrence(-1, True), factors, s.full(b))
    yield 0, b.multiply(total, is_new)


SHIFT = {"shift": fields.integer(-1000, 1000)}
ROWS: list[tuple[dict[Any, Any], Any, Any]] = [
    (pullback.ADJOINTS, Roll, lambda operation, _: Roll(-operation.parameters[0])),
    (pullback.RULES, Roll, pullback.pull_moved),
    (evaluation.RULES, Roll, roll),
    (index.RULES, Roll, roll_entry),
    (operations.SCHEMAS, Roll, operations.Schema("roll", fitting.anything, SHIFT)),
    (pullback.RULES, RunningMax, pull_running_max),
    (evaluation.RULES, RunningMax, running_max),
    (index.RULES, RunningMax, running_max_entry),
    (operations.SCHEMAS, RunningMax, operations.Schema("running_max", fitting.anything, {})),
]


@contextmanager
def known() -> Iterator[None]:
    """Enter all rows, and take them out again."""
    for table, kind, row in ROWS:
        table[kind] = row
    try:
        yield
    finally:
        for table, kind, _ in ROWS:
            del table[kind]
