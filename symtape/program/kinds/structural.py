"""Structural operations: they act on the last axes of their operands, and move or join elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np

from symtape.program.kinds.placement import Assembly, Placement, Structural, View
from symtape.program.operations import DType, Operation, Shape, broadcast_shapes


class Reshape(Structural):
    """The same elements in row-major order: `Reshape(old, new)`, shapes of the last axes."""

    __slots__ = ("new", "old")

    @classmethod
    def between(cls, old: Shape, new: Shape) -> Reshape:
        """Leave out the first axes that both shapes share."""
        shared = 0
        while shared < min(len(old), len(new)) and old[shared] == new[shared] != 0:
            shared += 1
        return cls(old[shared:], new[shared:])

    def prepare(self, old: Shape, new: Shape) -> None:
        """Read the shapes."""
        self.old, self.new = old, new

    @property
    def depth(self) -> int:
        """Touch what is reshaped."""
        return len(self.new)

    def infer(self, shapes: Sequence[Shape], dtypes: Sequence[DType]) -> tuple[Shape, DType]:
        """Replace the last axes."""
        return shapes[0][: len(shapes[0]) - len(self.old)] + self.new, dtypes[0]


Range = tuple[int, int, int]
"""First index, step and count along one axis."""

Ends = tuple[bool, bool]
"""Whether the first and the last place of a range are counted from the end of the axis."""

WHOLE: Ends = (False, True)
"""The ends of an axis from its first place to its last one."""


class _Ranged(Structural):
    """An operation on ranges of the last axes, which may know how their ends were written.

    `ends` has one pair for each range, or None where nobody knows what the range is on a longer
    axis: `x[:2]` and `x[:-1]` are one range of three elements, and two of four. It is no part of
    what is computed.
    """

    __slots__ = ("ends", "ranges")
    ranges: tuple[Range, ...]
    ends: tuple[Ends | None, ...]

    @property
    def depth(self) -> int:
        """Touch the axes that have ranges."""
        return len(self.ranges)

    @property
    def plain(self) -> Operation:
        """The operation without its ends, which computes the same."""
        return self


class Slice(_Ranged, View):
    """Evenly spaced elements: `Slice(ranges)`, a (first, step, count) for each of the last axes.

    `Slice(ranges, ends)` knows how the ends were written, a pair of `Ends` or None for each range.
    """

    __slots__ = ()

    def __new__(cls, ranges: tuple[Range, ...], ends: tuple[Ends | None, ...] = ()) -> Self:
        """Give the same object for the same ranges whose ends nobody knows."""
        return super().__new__(cls, ranges, ends) if ends else super().__new__(cls, ranges)

    @classmethod
    def of(
        cls, ranges: Sequence[Range], shape: Shape, ends: Sequence[Ends | None] | None = None
    ) -> Slice:
        """Leave out the first axes that are taken whole, also where there are more elements."""
        whole = 0
        while whole < len(ranges) and _is_whole(whole, ranges, shape, ends):
            whole += 1
        return cls(tuple(ranges[whole:]), tuple((ends or ())[whole:]))

    def prepare(self, ranges: tuple[Range, ...], ends: tuple[Ends | None, ...] = ()) -> None:
        """Read the ranges."""
        self.ranges, self.ends = ranges, ends

    @property
    def plain(self) -> Slice:
        """The operation without its ends, which computes the same."""
        return Slice(self.ranges) if self.ends else self

    def __repr__(self) -> str:
        return f"slice[{self.ranges}]"

    def read(self, _: Shape) -> Placement:
        """Read at the ranges."""
        return Placement.by(self.ranges)

    def infer(self, shapes: Sequence[Shape], dtypes: Sequence[DType]) -> tuple[Shape, DType]:
        """Count the elements."""
        kept = shapes[0][: len(shapes[0]) - len(self.ranges)]
        return kept + tuple([count for _, _, count in self.ranges]), dtypes[0]


class Embed(_Ranged, Assembly):
    """The transpose of `Slice`: the operand at some ranges of zeros, `Embed(ranges, sizes)`.

    `Embed(ranges, sizes, ends)` knows how the ends were written, as that of a slice.
    """

    __slots__ = ("sizes",)

    def __new__(
        cls, ranges: tuple[Range, ...], sizes: Shape, ends: tuple[Ends | None, ...] = ()
    ) -> Self:
        """Give the same object for the same ranges whose ends nobody knows."""
        own = (ranges, sizes, ends) if ends else (ranges, sizes)
        return super().__new__(cls, *own)

    def prepare(
        self, ranges: tuple[Range, ...], sizes: Shape, ends: tuple[Ends | None, ...] = ()
    ) -> None:
        """Read the ranges, and the sizes of the axes that they are of."""
        self.ranges, self.sizes, self.ends = ranges, sizes, ends

    @property
    def plain(self) -> Embed:
        """The operation without its ends, which computes the same."""
        return Embed(self.ranges, self.sizes) if self.ends else self

    def __repr__(self) -> str:
        return f"embed[{self.ranges}, {self.sizes}]"

    def placed(self, _: Sequence[Shape]) -> Sequence[Placement]:
        """Stand at the ranges."""
        return [Placement.by(self.ranges)]

    def infer(self, shapes: Sequence[Shape], dtypes: Sequence[DType]) -> tuple[Shape, DType]:
        """Give the axes their sizes."""
        return shapes[0][: len(shapes[0]) - len(self.ranges)] + self.sizes, dtypes[0]


def _is_whole(
    k: int, ranges: Sequence[Range], shape: Shape, ends: Sequence[Ends | None] | None
) -> bool:
    n = shape[k]
    return ranges[k] == (0, 1, n) and (ends is None or ends[k] == WHOLE or n <= 1)


def slices(ranges: Sequence[Range]) -> tuple[slice, ...]:
    """Write ranges as Python slices.

    >>> slices(((2, -1, 3),))
    (slice(2, None, -1),)
    """
    stops = [first + step * count for first, step, count in ranges]
    return tuple(
        [
            slice(first, stop if stop >= 0 else None, step) if count else slice(0, 0, 1)
            for (first, step, count), stop in zip(ranges, stops, strict=True)
        ]
    )


class Gather(Structural):
    """Elements along one axis, chosen by an integer operand: `Gather(after, between, batch)`.

    Operands: `x` of shape [… B P n R] and `indices` of shape [B I]; result [… B P I R]. B are
    `batch` axes that both share, P are `between` axes, R are the `after` axes after the chosen one.
    """

    __slots__ = ("after", "batch", "between")
    arity = 2

    def prepare(self, after: int, between: int, batch: int) -> None:
        """Read the numbers of axes."""
        self.after, self.between, self.batch = after, between, batch

    @property
    def depth(self) -> int:
        """Touch everything from the batch on; the axes of the indices are counted by `touched`."""
        return self.after + self.between + self.batch

    def infer(self, shapes: Sequence[Shape], dtypes: Sequence[DType]) -> tuple[Shape, DType]:
        """Put the axes of the indices in place of the axis."""
        x, indices = shapes
        axis = len(x) - 1 - self.after
        return x[:axis] + indices[self.batch :] + x[axis + 1 :], dtypes[0]

    def connects(self, k: int) -> bool:
        """Indices have no derivative."""
        return k == 0


class Scatter(Structural):
    """The transpose of `Gather`: add into zeros, `Scatter(after, between, batch, size)`.

    Operands: `updates` of shape [… B P I R] and `indices` [B I]; result [… B P size R]. Several
    updates of one element are summed.
    """

    __slots__ = ("after", "batch", "between", "size")
    arity = 2

    def prepare(self, after: int, between: int, batch: int, size: int) -> None:
        """Read the numbers of axes, and the size of the axis that is made."""
        self.after, self.between, self.batch, self.size = after, between, batch, size

    @property
    def depth(self) -> int:
        """Touch everything from the batch on."""
        return self.after + self.between + self.batch + 1

    def infer(self, shapes: Sequence[Shape], dtypes: Sequence[DType]) -> tuple[Shape, DType]:
        """Put the axis in place of the axes of the indices."""
        updates, indices = shapes
        end = len(updates) - self.after
        start = end - (len(indices) - self.batch)
        return (*updates[:start], self.size, *updates[end:]), dtypes[0]

    def connects(self, k: int) -> bool:
        """Indices have no derivative."""
        return k == 0


class Concat(Assembly):
    """Operands one after another along an axis: `Concat(axis)`, -1 being the last."""

    __slots__ = ("axis",)
    arity = None

    def prepare(self, axis: int) -> None:
        """Read the axis."""
        self.axis = axis

    @property
    def depth(self) -> int:
        """Touch the axis and those after it."""
        return -self.axis

    def placed(self, shapes: Sequence[Shape]) -> Sequence[Placement]:
        """Begin where the operand before ends."""
        found, first = [], 0
        for shape in shapes:
            count, *rest = shape[self.axis :]
            found.append(Placement.by([(first, 1, count), *[(0, 1, n) for n in rest]]))
            first += count
        return found

    def infer(self, shapes: Sequence[Shape], dtypes: Sequence[DType]) -> tuple[Shape, DType]:
        """Add up the sizes along the axis."""
        axis = len(shapes[0]) + self.axis
        total = sum(shape[axis] for shape in shapes)
        return (*shapes[0][:axis], total, *shapes[0][axis + 1 :]), dtypes[0]


class _Along(Structural):
    """An operation along one axis that keeps the shape."""

    __slots__ = ("axis",)
    axis: int

    @property
    def depth(self) -> int:
        """Touch the axis and those after it."""
        return -self.axis

    def infer(self, shapes: Sequence[Shape], dtypes: Sequence[DType]) -> tuple[Shape, DType]:
        """Keep the shape."""
        return shapes[0], dtypes[0]


class _Running(_Along):
    """Something of all elements so far: `(axis, exclusive, reverse)`."""

    __slots__ = ("exclusive", "reverse")

    def prepare(self, axis: int, exclusive: bool, reverse: bool) -> None:
        """Read axis and direction."""
        self.axis, self.exclusive, self.reverse = axis, exclusive, reverse


class Cumsum(_Running):
    """Running sums: `Cumsum(axis, exclusive, reverse)`."""

    __slots__ = ()


class Cumprod(_Running):
    """Running products: `Cumprod(axis, exclusive, reverse)`."""

    __slots__ = ()


class Cumextremum(_Along):
    """Running extrema: `Cumextremum("max" or "min", axis, reverse)`."""

    __slots__ = ("exclusive", "reverse", "which")

    def prepare(self, which: str, axis: int, reverse: bool) -> None:
        """Read which ones, axis and direction."""
        self.which, self.axis, self.exclusive, self.reverse = which, axis, False, reverse


class Fourier(_Along):
    """Σₖ exp(±2πi·jk/n) x[k] along an axis of n complex numbers: `Fourier(axis, sign)`."""

    __slots__ = ("sign",)

    def prepare(self, axis: int, sign: int) -> None:
        """Read the axis, and the sign of the exponents, 1 or -1."""
        self.axis, self.sign = axis, sign


class Recurrence(Structural):
    """The solution of y[i] = b[i] + a[i]·y[i-1] along an axis: `Recurrence(axis, reverse)` of a, b.

    Reversed, y[i] = b[i] + a[i]·y[i+1]. It is what running products need for their slopes.
    """

    __slots__ = ("axis", "reverse")
    arity = 2

    def prepare(self, axis: int, reverse: bool) -> None:
        """Read axis and direction."""
        self.axis, self.reverse = axis, reverse

    @property
    def depth(self) -> int:
        """Touch the axis and those after it."""
        return -self.axis

    def infer(self, shapes: Sequence[Shape], dtypes: Sequence[DType]) -> tuple[Shape, DType]:
        """Broadcast the batch."""
        return broadcast_shapes(shapes), dtypes[1]


class _Reduction(Structural):
    """An operation that leaves out some axes."""

    __slots__ = ("axes",)
    axes: tuple[int, ...]

    @property
    def depth(self) -> int:
        """Touch the axes that are left after the first one that is reduced."""
        return -min(self.axes, default=0) - len(self.axes)

    def infer(self, shapes: Sequence[Shape], dtypes: Sequence[DType]) -> tuple[Shape, DType]:
        """Drop the axes."""
        return drop(shapes[0], self.axes), dtypes[0]


class Extremum(_Reduction):
    """The largest or smallest element along axes: `Extremum("max" or "min", axes)`."""

    __slots__ = ("which",)

    def prepare(self, which: str, axes: tuple[int, ...]) -> None:
        """Read which one, and the axes."""
        self.which, self.axes = which, axes


class Product(_Reduction):
    """The product of the elements along axes: `Product(axes)`."""

    __slots__ = ()

    def prepare(self, axes: tuple[int, ...]) -> None:
        """Read the axes."""
        self.axes = axes


class Position(_Reduction):
    """Where along an axis it is: `Position("argmax", "argmin" or "argsort", axis, dtype)`."""

    __slots__ = ("dtype", "which")
    discrete = True

    def prepare(self, which: str, axis: int, dtype: str) -> None:
        """Read what is looked for and where."""
        self.which, self.axes, self.dtype = which, (axis,), np.dtype(dtype)

    def infer(self, shapes: Sequence[Shape], dtypes: Sequence[DType]) -> tuple[Shape, DType]:
        """Drop the axis, unless every element gets a place."""
        kept = self.which == "argsort"
        return shapes[0] if kept else drop(shapes[0], self.axes), self.dtype


def drop(shape: Shape, axes: Sequence[int]) -> Shape:
    """Leave out some axes of a shape, counted from the last.

    >>> drop((2, 3, 4), (-2,))
    (2, 4)
    """
    rank = len(shape)
    return tuple([n for axis, n in enumerate(shape) if axis - rank not in axes])
