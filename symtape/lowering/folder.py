"""A program that is rebuilt with results as numbers times steps: what all rewrites share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import sympy as sp

from symtape.kernels.interpret import KERNELS, QUIET
from symtape.lowering.powers import are_whole, with_numbers
from symtape.program import kinds
from symtape.program import operations as ops
from symtape.program.operations import DType, Operation, dtype_name
from symtape.program.program import Builder, Program


class Scaled(NamedTuple):
    """A number times a step, its core; without a step, the number itself."""

    number: float
    core: int | None


NUMBERS = {kinds.Constant, kinds.Count}
"""Kinds of steps that are numbers before anything is computed."""

_FURTHEST = 2.0**24
"""Numbers beyond this, or below its inverse, stay where they are written."""


@lru_cache(maxsize=4096)
def carries_numbers(dtype: DType) -> bool:
    """Say whether real numbers can be carried through results of a dtype."""
    return (dtype.kind == "f" and dtype.itemsize >= 4) or dtype.kind == "c"


def is_carried(number: float, *, exactly: bool) -> bool:
    """Say whether a number can be multiplied later; a power of two at no cost of digits."""
    is_near = 1 / _FURTHEST <= abs(number) <= _FURTHEST
    return is_near and (not exactly or abs(math.frexp(number)[0]) == 0.5)


def short(number: float) -> int | float:
    """Write a whole number without a point."""
    return int(number) if math.isfinite(number) and number == int(number) else number


def divisor(number: float) -> int | None:
    """Find the whole number that a number is one over, unless a product is as exact."""
    whole = round(1 / number)
    if abs(whole) in {2, 4, 8} or not 2 < abs(whole) < 1_000_000 or number != 1 / whole:
        return None
    return whole


class Folder:
    """A program that is rebuilt in `b`: `place` says where each step went, as a scaled one.

    `uses` counts who reads a step, `summed` the sums among them; `common` are the functions that
    several steps compute. `ones` are arrays of ones, which are written where nothing else has their
    shape. `is_uniform` says that all results are numbers of one dtype that is carried, and
    `has_parts` that some step puts its operand into zeros.
    """

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
        self.is_uniform = _is_uniform(program.dtypes)
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
        self.common: set[tuple[Any, ...]] | None = None
        self.has_parts = any([type(program.steps[p][0]) is kinds.Embed for p in order])
        for p in self.place:
            self._recognize(p)
        self.order = order

    def _count_uses(self, order: Sequence[int], outputs: Sequence[int]) -> None:
        """Count the steps that read each one, and the sums among them, some behind a sign."""
        uses, summed, steps = self.uses, self.summed, self.program.steps
        for p in outputs:
            uses[p] += 1
        for p in reversed(order):
            step = steps[p]
            operation = step[0]
            if type(operation) is kinds.Count:  # it reads no values
                continue
            if len(step) == 3 and step[1] != step[2]:  # what most steps are, without a set
                uses[step[1]] += 1
                uses[step[2]] += 1
            else:
                for i in set(step[1:]):
                    uses[i] += 1
            passes_on = operation is ops.negative and uses[p] == summed[p]
            if passes_on or (type(operation) is kinds.Einsum and _is_sum(operation)):
                summed[step[1]] += 1

    def _enter(self, p: int) -> None:
        b, shape, dtype = self.b, self.program.shapes[p], self.program.dtypes[p]
        b.steps.append((kinds.Input(dtype_name(dtype), shape),))
        b.shapes.append(shape)
        b.dtypes.append(dtype)
        self.entered[p] = len(b.steps) - 1
        is_number = type(self.program.steps[p][0]) in NUMBERS
        self.place[p] = self.number(p) if is_number else Scaled(1.0, self.entered[p])

    def _recognize(self, p: int) -> None:
        """Remember an input that is a number times another one: nobody need multiply again."""
        operation, *operands = self.program.steps[p]
        at = self.place[p].core
        if operation is ops.negative and operands[0] in self.place and at is not None:
            self.known[Scaled(-1.0, self.place[operands[0]].core)] = at

    def kept(self, p: int, scaled: Scaled) -> Scaled:
        """Multiply what several steps read by its number once; a sign costs nothing to carry."""
        number, core = scaled
        if number in (1, -1) or core is None or self.uses[p] < 2:
            return scaled
        if core in self.ones or self.uses[p] == self.summed[p]:
            return scaled
        return Scaled(1.0, self.multiplied(scaled, self.program.dtypes[p]))

    def number(self, p: int) -> Scaled:
        """Give the number that a step of `NUMBERS` is before anything is computed."""
        operation, *operands = self.program.steps[p]
        if type(operation) is kinds.Count:
            count = operation.count(self.program.shapes[operands[0]])
            return self._number(count, self.program.dtypes[p])
        return self._number(operation.number, self.program.dtypes[p], operation)

    def _number(self, number: Any, dtype: DType, operation: kinds.Constant | None = None) -> Scaled:
        if carries_numbers(dtype) and isinstance(number, (int, float, sp.Rational)):
            value = float(number)
            if self.carries(value):
                return Scaled(value, None)
        constant = operation or kinds.Constant.of(number, dtype)
        return Scaled(1.0, self.b.append(constant))

    def plain(self, operation: Operation, operands: Sequence[int], p: int) -> Scaled:
        """Compute a step of whole operands; of numbers alone, at once."""
        whole = [self.whole(i) for i in operands]
        number = self.computed(operation, whole, self.program.dtypes[p])
        if number is not None:
            return number
        if type(operation) is kinds.Map and operation.result == "same":
            operation, whole = self._with_numbers(operation, whole)
        return Scaled(1.0, self.b.append(operation, *whole))

    def _with_numbers(
        self, operation: kinds.Map, whole: Sequence[int]
    ) -> tuple[kinds.Map, list[int]]:
        """Put the number of an exponent into the body: x² is a square, and no power."""
        steps = [self.b.steps[i][0] for i in whole]
        numbers = [step.number if type(step) is kinds.Constant else None for step in steps]
        if self.exactly and not are_whole(numbers):
            return operation, list(whole)
        return with_numbers(operation, numbers, whole)

    def is_number(self, p: int) -> bool:
        """Say whether a result is a number."""
        core = self.place[p].core
        return core is None or type(self.b.steps[core][0]) is kinds.Constant

    def computed(self, operation: Operation, whole: Sequence[int], dtype: DType) -> Scaled | None:
        """Give the number that an elementwise step of numbers is."""
        numbers = [self.b.steps[i][0] for i in whole]
        is_elementwise = type(operation) in {kinds.Map, kinds.AddN, kinds.Cast}
        if not is_elementwise or any([type(n) is not kinds.Constant for n in numbers]):
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
            return self.b.constant(short(number), dtype)
        if number == 1:
            return core
        if core in self.ones:
            shape = self.b.shapes[core]
            return self.b.broadcast(self.b.constant(short(number), dtype), shape)
        known = self.known.get(scaled)
        if known is not None:
            return known
        operation, *operands = self.b.steps[core]
        if number < 0 and operation is ops.subtract:
            turned = self.b.append(ops.subtract, *operands[::-1])
            return self.multiplied(Scaled(-number, turned), dtype)
        if number == -1:
            return self.b.negative(core)
        if operation is ops.reciprocal:
            return self.b.divide(self.b.constant(short(number), dtype), operands[0])
        parts = divisor(number)
        if parts is not None:
            return self.b.divide(core, self.b.constant(parts, dtype))
        return self.b.multiply(self.b.constant(short(number), dtype), core)

    def repeated(self, number: float, p: int) -> Scaled:
        """Give a number with the shape of a step, ones that are made where they are needed."""
        shape, dtype = self.program.shapes[p], self.program.dtypes[p]
        if not self.carries(number):  # zero, above all
            constant = self.b.constant(short(number), dtype)
            return Scaled(1.0, self.b.broadcast(constant, shape))
        if shape == ():
            return Scaled(number, None)
        ones = self.b.broadcast(self.b.constant(1, dtype), shape)
        self.ones.add(ones)
        return self.times(number, ones)

    def without_ones(self, terms: Sequence[Scaled], p: int) -> list[Scaled]:
        """Write ones as the number one, if some other operand has the shape of the result."""
        shape = self.program.shapes[p]
        for _, core in terms:
            if core is not None and core not in self.ones and self.b.shapes[core] == shape:
                return [Scaled(n, None) if c in self.ones else Scaled(n, c) for n, c in terms]
        return list(terms)

    def factors(self, operands: Sequence[int], p: int) -> Sequence[Scaled]:
        """Give what two operands of an elementwise step became."""
        x, y = operands
        found = self.place[x], self.place[y]
        return self.without_ones(found, p) if self.ones else found

    def result(self, number: float, operation: Operation, *cores: int) -> Scaled:
        """Give a number times a step, unless the number is too large to carry."""
        core = self.b.append(operation, *cores)
        return Scaled(1.0, core) if number == 1 else self.times(number, core)

    def carries(self, number: float) -> bool:
        """Say whether a number may be carried on."""
        return is_carried(number, exactly=self.exactly)

    def times(self, number: float, core: int) -> Scaled:
        """Give a number times a core, multiplied at once if it is not carried."""
        scaled = Scaled(number, core)
        if number == 1 or self.carries(number):
            return scaled
        return Scaled(1.0, self.multiplied(scaled, self.b.dtypes[core]))


def _is_uniform(dtypes: Sequence[Any]) -> bool:
    """Say whether all dtypes are one, through whose results numbers can be carried."""
    return len(set(map(id, dtypes))) == 1 and carries_numbers(dtypes[0])


def _is_sum(operation: kinds.Einsum) -> bool:
    """Say whether a contraction sums one operand."""
    return len(operation.inputs) == 1 and not set(operation.inputs[0]) <= set(operation.output)
