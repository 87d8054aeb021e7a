"""A long program of small arrays as one of their elements, which Python's floats compute.

A step of NumPy takes as long on one number as on a hundred, and twenty times as long as Python's
own arithmetic on floats; so what a recurrence does with a few numbers at a time is written out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from math import prod
from typing import Any, NamedTuple, cast

import numpy as np

from symtape.lowering.folding import folded
from symtape.program.evaluation.evaluation import evaluate
from symtape.program.kinds.placement import Assemble
from symtape.program.kinds.structural import Concat, Embed, Reshape, Slice
from symtape.program.operations import AddN, Cast, Constant, Einsum, Input, Map, Operation
from symtape.program.program import Builder, Program

_KINDS = (Map, AddN, Einsum, Slice, Reshape, Concat, Embed, Assemble, Constant)
"""What moves elements, or computes each of a few others."""
_FEWEST = 100
"""Steps from which on it is worth the code of many more lines."""
_FEW = 6
"""Elements of a step, on average, that are computed one by one in the time of NumPy's step."""
_LARGEST = 32
_DTYPES = {np.dtype(np.float64), np.dtype(np.bool_)}


class Unrolled(NamedTuple):
    """A program of scalars: the elements of all inputs and outputs, each in their order."""

    program: Program
    inputs: list[int]
    outputs: list[int]


def unrolled(program: Program, inputs: Sequence[int], outputs: Sequence[int]) -> Unrolled | None:
    """Write a program out element by element; None where that is not worth it, or has no rule.

    >>> unrolled(Program([(Constant.of(2, "float64"),)], [()], [np.dtype("float64")]), [], [0])
    """
    order = program.schedule(outputs, set(inputs))[0]
    if len(order) < _FEWEST or not _is_understood(program, inputs, order):
        return None
    program, inputs, outputs = folded(program, inputs, outputs)
    if not _is_worth_it(program, inputs, program.schedule(outputs, set(inputs))[0]):
        return None
    builder = Builder()
    given = {p: _entered(builder, program.shapes[p], program.dtypes[p]) for p in inputs}
    numbers = _Elements(builder)
    found = evaluate(program, outputs, given, cast("Any", numbers))
    places = [numbers.place(e) for array in found for e in np.ravel(array)]
    return Unrolled(
        builder.finish(), [e.place for x in given.values() for e in np.ravel(x)], places
    )


def _is_understood(program: Program, inputs: Sequence[int], order: Sequence[int]) -> bool:
    kinds = all([type(program.steps[p][0]) in _KINDS for p in order])
    return kinds and {program.dtypes[p] for p in (*inputs, *order)} <= _DTYPES


def _is_worth_it(program: Program, inputs: Sequence[int], order: Sequence[int]) -> bool:
    shapes, steps = program.shapes, program.steps
    sizes = [_work(steps[p][0], [shapes[i] for i in steps[p][1:]], shapes[p]) for p in order]
    read = sum([prod(shapes[p]) for p in inputs])
    return max(sizes) <= _LARGEST and max(sum(sizes), read) <= _FEW * len(sizes)


def _work(operation: Operation, shapes: Sequence[tuple[int, ...]], shape: tuple[int, ...]) -> int:
    """Count the elements that are computed, or the products that are added up; to move is free."""
    if type(operation) is Einsum:
        return prod(operation.index_sizes(shapes).values())
    return prod(shape) if type(operation) in {Map, AddN, Cast} else 0


class _Element:
    """Where an element is computed, as no number that NumPy would take it for."""

    __slots__ = ("place",)

    def __init__(self, place: int) -> None:
        self.place = place


def _entered(builder: Builder, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    """Make an array of leaves."""
    out = np.empty(shape, object)
    for place in np.ndindex(*shape):
        out[place] = _Element(builder.enter(Input(dtype.name, ())))
    return out


class _Elements:
    """Places of a program of scalars as a kind of number, as `evaluate` wants it."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder

    def place(self, element: Any) -> int:
        """Give the place of an element; beside elements stand zeros, where nothing was put."""
        if type(element) is _Element:
            return element.place
        return self.builder.constant(element, np.dtype(np.float64))

    def constant(self, operation: Constant) -> _Element:
        """Give a number; those that count places are floats, too."""
        dtype = operation.dtype if operation.dtype.kind == "b" else np.dtype(np.float64)
        return _Element(self.builder.constant(operation.number, dtype))

    def function(self, operation: Map) -> Callable[..., _Element]:
        """Make a step of elements."""
        return lambda *xs: _Element(self.builder.append(operation, *map(self.place, xs)))

    def cast(self, x: Any, _: np.dtype[Any], target: np.dtype[Any]) -> _Element:
        """Take truth for a number: folding writes choices of numbers so."""
        return _Element(self.builder.append(Cast(target.name), self.place(x)))

    def add(self, terms: Sequence[Any]) -> _Element:
        """Add up what is not the number 0."""
        places = [self.place(x) for x in terms]
        kept = [p for p in places if not self.builder.is_number(p, 0)] or places[:1]
        return _Element(self.builder.total(kept))

    def multiply(self, factors: Sequence[Any]) -> _Element:
        """Multiply from left to right."""
        return _Element(reduce(self.builder.multiply, map(self.place, factors)))
