"""Sliding windows along axes, and their transpose, which adds overlapping windows up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from symtape.program.kinds.placement import Assembly, Form, Placement, View
from symtape.program.operations import DType, Shape


class Window(NamedTuple):
    """A window along one axis: element k of window i is element stride·i + dilation·k."""

    size: int
    stride: int = 1
    dilation: int = 1

    @property
    def reach(self) -> int:
        """Count the elements from the first to the last one of a window.

        >>> Window(3, dilation=2).reach
        5
        """
        return (self.size - 1) * self.dilation + 1

    def count(self, n: int) -> int:
        """Count the windows that lie in an axis of n elements.

        >>> Window(3).count(8), Window(3, stride=2).count(8)
        (6, 3)
        """
        return (n - self.reach) // self.stride + 1 if n >= self.reach else 0


class Windows(View):
    """Every window of some axes: `Windows(windows, after)`, one `Window` for each of the axes.

    The operand is [… N R], the result [… C W R]: N are the axes that the windows slide along, C
    counts the windows, W are the places within them, R are `after` axes that stay.
    """

    __slots__ = ("after", "windows")

    def prepare(self, windows: tuple[Window, ...], after: int) -> None:
        """Read the windows, and the number of axes after them."""
        self.windows, self.after = windows, after

    @property
    def depth(self) -> int:
        """Touch counts and places, and what comes after them."""
        return 2 * len(self.windows) + self.after

    def read(self, shape: Shape) -> Placement:
        """Read as the windows say."""
        own = zip(self.windows, self.axes(shape), strict=True)
        counts = tuple([w.count(n) for w, n in own])
        places = tuple([w.size for w in self.windows])
        rest = shape[len(shape) - self.after :]
        return Placement(counts + places + rest, _forms(self.windows, self.after))

    def axes(self, shape: Shape) -> Shape:
        """Give the sizes of the axes that the windows slide along."""
        end = len(shape) - self.after
        return shape[end - len(self.windows) : end]


def _forms(windows: Sequence[Window], after: int) -> tuple[Form, ...]:
    """Give the places of the indices [C W R] along the axes [N R]."""
    n = len(windows)
    moved = [Form(0, ((w.stride, k), (w.dilation, n + k))) for k, w in enumerate(windows)]
    return (*moved, *[Form.of(2 * n + k) for k in range(after)])


class Overlap(Assembly):
    """The transpose of `Windows`: `Overlap(windows, sizes, after)` adds up where windows overlap.

    The operand is [… C W R], the result [… N R] with N the `sizes`; what is in no window is zero.
    """

    __slots__ = ("after", "sizes", "windows")

    def prepare(self, windows: tuple[Window, ...], sizes: Shape, after: int) -> None:
        """Read the windows, the sizes of the axes they come from, and the axes after them."""
        self.windows, self.sizes, self.after = windows, sizes, after

    @property
    def depth(self) -> int:
        """Touch the axes that the windows slide along, and what comes after them."""
        return len(self.windows) + self.after

    def placed(self, shapes: Sequence[Shape]) -> Sequence[Placement]:
        """Stand where the windows were read."""
        (shape,) = shapes
        counts = shape[len(shape) - self.after - 2 * len(self.windows) :]
        return [Placement(counts, _forms(self.windows, self.after))]

    def infer(self, shapes: Sequence[Shape], dtypes: Sequence[DType]) -> tuple[Shape, DType]:
        """Put the sizes in place of the counts and the windows."""
        shape = shapes[0]
        end = len(shape) - self.after
        first = end - 2 * len(self.windows)
        return shape[:first] + self.sizes + shape[end:], dtypes[0]
