"""Axes of a program that are one, or differ by a number: a union over (step, axis).

An axis keeps its number where the program tells it: a size of 1, a number of a slice, what is taken
apart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from symtape.errors import UnsupportedError
from symtape.program.operations import Input, Shape
from symtape.program.program import Program

SMALL = "it is 0 or 1"

WRITTEN = "so many places of an axis are taken"

_LEFT = "a part of it has 0 or 1 elements"

Axis = tuple[int, int]
"""A step, and one of its axes, counted from the first."""


class Union:
    """The axes of some steps, each with the first that is of one size with it.

    `kept` says why an axis has the size that it has.
    """

    has_sums = False

    def __init__(self, program: Program, steps: Sequence[int]) -> None:
        self.program = program
        self.parents: dict[Axis, Axis] = {}
        self.kept: dict[Axis, str] = {}
        for p in steps:
            for k, n in enumerate(self.shape(p)):
                self.parents[p, k] = p, k
                if n <= 1:
                    self.kept[p, k] = SMALL
        self.pending: list[Callable[[bool], bool]] = []
        """What ties axes once it is known which others keep their sizes, or has to keep them."""
        self.sums: dict[Axis, tuple[Axis, ...]] = {}
        """The axes that are as long as several others together, if such are wanted."""
        self.refused: set[Axis] = set()
        """Those that are not, since something else says how long they are."""

    def settle(self) -> None:
        """Tie what can be tied, and only then keep one axis after the other."""
        is_news = True
        while is_news:
            while any([say(False) for say in self.pending]):
                pass
            is_news = any(say(True) for say in self.pending) or self._refuse_sums()

    def _refuse_sums(self) -> bool:
        """Let no axis be a sum of others that a leaf, a number or a sum of others tells, too."""
        told = {self.root(axis) for axis in self.parents if self.is_leaf(axis)} | {*self.kept}
        sums = {w: (self.root(w), sorted(map(self.root, own))) for w, own in self.sums.items()}
        first = dict(reversed(sums.values()))
        refused = [w for w, (root, parts) in sums.items() if root in told or first[root] != parts]
        for whole in refused:
            del self.sums[whole]
        self.refused.update(refused)
        return bool(refused)

    def is_leaf(self, axis: Axis) -> bool:
        """Say whether an axis is one of a leaf."""
        return type(self.program.steps[axis[0]][0]) is Input

    def shape(self, p: int) -> Shape:
        """Give the shape of a step; several results have none."""
        found = self.program.shapes[p]
        return found if all(isinstance(n, int) for n in found) else ()

    def root(self, axis: Axis) -> Axis:
        """Give the axis that stands for all that are of one size."""
        parents = self.parents
        while parents[axis] != axis:
            parents[axis] = parents[parents[axis]]
            axis = parents[axis]
        return axis

    def lead(self, axis: Axis) -> None:
        """Let an axis stand for all that are of one size with it, or differ by a number."""
        root = self.root(axis)
        self.parents[root] = self.parents[axis] = axis
        if root != axis and root in self.kept:
            self.kept[axis] = self.kept.pop(root)

    def same(self, a: Axis, b: Axis) -> None:
        """Say that two axes are of one size."""
        if self.number(a) != self.number(b):
            raise UnsupportedError(f"v{a[0]} and v{b[0]} have axes that are one and differ")
        self.tied(a, b)

    def tied(self, a: Axis, b: Axis) -> None:
        """Say that two axes differ by as much as they do, whatever their sizes are."""
        first, second = sorted((self.root(a), self.root(b)))
        if first != second:
            self.parents[second] = first
            if second in self.kept:
                self.kept.setdefault(first, self.kept.pop(second))
            if self.kept.get(first) == SMALL and self.number(a) != self.number(b):
                self.kept[first] = _LEFT

    def number(self, axis: Axis) -> int:
        """Give the size as it was recorded."""
        return self.shape(axis[0])[axis[1]]

    def keep(self, p: int, why: str) -> None:
        """Say that the axes of a step have the sizes that they have."""
        for k in range(len(self.shape(p))):
            self.keep_axis((p, k), why)

    def keep_axis(self, axis: Axis, why: str) -> None:
        """Say that an axis has the size that it has."""
        self.kept.setdefault(self.root(axis), why)

    def is_kept(self, axis: Axis) -> bool:
        """Say whether an axis has the size that it has."""
        return self.root(axis) in self.kept

    def aligned(self, p: int, q: int, *, leave: int = 0) -> None:
        """Say that axes are one that stand in one place from the last, but for the last few."""
        ranks = len(self.shape(p)), len(self.shape(q))
        for back in range(1 + leave, min(ranks) + 1):
            a, b = (p, ranks[0] - back), (q, ranks[1] - back)
            if self.shape(p)[a[1]] == self.shape(q)[b[1]]:
                self.same(a, b)
