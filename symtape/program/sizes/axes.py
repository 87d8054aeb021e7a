"""The sizes of the axes of a program: which are one, and which follow from another by a number.

Operations say which axes are one, and which differ by as much as they did when they were recorded,
as those of `x` and `x[1:]` do (`rules.py`).
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain, count, islice
from typing import NamedTuple

import sympy as sp

from symtape.errors import UnsupportedError
from symtape.program import kinds
from symtape.program.operations import Shape
from symtape.program.program import Program
from symtape.program.sizes.rules import RULES, keep_all
from symtape.program.sizes.unions import SMALL, WRITTEN, Axis, Union

_LETTERS = "mnpqrstkl"

Alike = tuple[int, tuple[int, ...]]
"""A step, and those whose axes, one after another, are its axes, as of a Jacobian."""


def letters(taken: Container[str], number: int) -> Iterator[str]:
    """Give letters for a number of sizes: one alone is called n.

    >>> [*letters("n", 1)], [*letters("x", 3)]
    (['m'], ['m', 'n', 'p'])
    """
    order = dict.fromkeys(("n" if number == 1 else "") + _LETTERS)
    numbered = (f"{c}{k}" for k in count(1) for c in _LETTERS)
    yield from islice((name for name in chain(order, numbered) if name not in taken), number)


class Size(NamedTuple):
    """As long as an axis, and some elements more."""

    root: Axis
    more: int = 0


class Sizes(Union):
    """The sizes of what positions are computed from, by the first axis that has them.

    What derivatives are `alike` says more of their axes than operations do: the steps that it names
    are looked at, too. With `has_sums` an axis may be as long as several others together, as that
    of joined arrays is, which no letter says.
    """

    def __init__(
        self,
        program: Program,
        *positions: int,
        alike: Sequence[Alike] = (),
        has_sums: bool = False,
    ) -> None:
        self.has_sums = has_sums
        self.own = program.ancestors(positions)
        met = {*self.own}
        said = [(p, parts) for p, parts in alike if p in met]
        self.steps = program.ancestors([*positions, *[q for _, parts in said for q in parts]])
        super().__init__(program, self.steps)
        self._check_numbers()
        for p in self.steps:
            operation, *operands = program.steps[p]
            RULES.get(type(operation), keep_all)(self, p, operation, operands)
        for p, parts in said:
            axes = [(q, k) for q in parts for k in range(len(self.shape(q)))]
            if len(axes) == len(self.shape(p)):
                for k, axis in enumerate(axes):
                    self.same((p, k), axis)
        self.settle()

    def _check_numbers(self) -> None:
        """Refuse numbers that may come from sizes: none says from which."""
        for p in self.own:
            operation = self.program.steps[p][0]
            is_derived = p >= self.program.recorded
            if is_derived and type(operation) is kinds.Constant and _may_count(operation):
                raise UnsupportedError(
                    f"the formula has the number {operation.number}, which may come from a size; "
                    "it holds for the recorded ones"
                )

    # --- what is free -----------------------------------------------------------------------------

    def free(self) -> dict[Axis, int]:
        """Give the sizes that may be other numbers, with their numbers, as leaves have them."""
        found = {}
        for p in self.steps:
            if type(self.program.steps[p][0]) is kinds.Input:
                for k, n in enumerate(self.shape(p)):
                    if self.root((p, k)) not in self.kept:
                        found[self.root((p, k))] = n
        return found

    def unknown(self, steps: Iterable[int]) -> Iterator[tuple[Axis, str]]:
        """Give axes of some steps of which nobody knows what they are at other sizes, and why."""
        for p in steps:
            for k in range(len(self.shape(p)) if (p, 0) in self.parents else 0):
                why = self.kept.get(self.root((p, k)), SMALL)
                if why not in (SMALL, WRITTEN):
                    yield (p, k), why

    def loose(self) -> list[Axis]:
        """List the sizes that nobody tells: those of no leaf, such as those of ones."""
        own = {self.root(axis) for axis in self.parents}
        return sorted(own - self.free().keys() - self.kept.keys() - self.summed())

    def summed(self) -> set[Axis]:
        """Give the sizes that are those of several others together."""
        return {self.root(whole) for whole in self.sums}

    def sizes(self, p: int) -> list[Size]:
        """Give the size of each axis of a step."""
        return [self.size((p, k)) for k in range(len(self.shape(p)))]

    def size(self, axis: Axis) -> Size:
        """Give the size of an axis."""
        root = self.root(axis)
        return Size(root, self.number(axis) - self.number(root))

    def shape_at(self, p: int, numbers: Mapping[Axis, int]) -> Shape:
        """Give the shape of a step where the axes that stand for sizes have other numbers."""
        known = {root: n - self.number(root) for root, n in numbers.items()}
        while any(self._added(known)):
            pass
        own = zip(self.sizes(p), self.shape(p), strict=True)
        return tuple([n + known.get(size.root, 0) for size, n in own])

    def _added(self, known: dict[Axis, int]) -> Iterator[bool]:
        """Add up by how much sums grow whose parts are known."""
        sums = self.summed()
        for whole, parts in self.sums.items():
            roots = [self.root(part) for part in parts]
            is_known = all(root in known or root not in sums for root in roots)
            if is_known and self.root(whole) not in known:
                known[self.root(whole)] = sum(known.get(root, 0) for root in roots)
                yield True


def _may_count(operation: kinds.Constant) -> bool:
    """Say whether a size may be a factor of a number that a rule of derivatives multiplies by."""
    number = operation.number
    return isinstance(number, (int, sp.Rational)) and abs(number) not in (0, 1)
