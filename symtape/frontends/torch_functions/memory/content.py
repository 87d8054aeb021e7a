"""What a block of memory holds: one tensor, or tensors side by side along an axis.

Code that fills an array row by row would otherwise make a step for all rows of each write; so the
rows are kept apart, and joined when somebody reads them together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from symtape.ops.shapes.repetition import joined, part_of
from symtape.ops.shapes.shaping import with_shape
from symtape.tensor.decided import decided_as_it_is
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of

CONSTANT, SEEN, FLOWS, TAINTED = 0, 1, 2, 3
"""What a content is: no input decides it, inputs do, it has a derivative by them, or torch has one
that is not the derivative of what is computed."""


class Content:
    """What is held: `tensor` gives all of it, `level` says what it depends on."""

    level: int
    shape: tuple[int, ...]

    @property
    def tensor(self) -> Tensor:
        """Give all of it as one tensor."""
        raise NotImplementedError

    def parts(self, axis: int) -> Sequence[tuple[int, Content]]:  # noqa: ARG002 - pieces look
        """List what lies side by side along an axis, and where each part begins."""
        return ((0, self),)


class Whole(Content):
    """One tensor."""

    def __init__(self, tensor: Tensor, level: int) -> None:
        self._tensor, self.level = tensor, level
        self.shape = shape_of(tensor)

    @property
    def tensor(self) -> Tensor:
        """Give it."""
        return self._tensor


class Taken(Content):
    """What is read as torch computed it of other values.

    Whoever reads it has a formula that holds where these values are as they were.
    """

    def __init__(self, tensor: Tensor, level: int, sources: Sequence[Tensor]) -> None:
        self._tensor, self.level, self._sources = tensor, level, sources
        self.shape = shape_of(tensor)

    @cached_property
    def tensor(self) -> Tensor:
        """Give it, and leave the condition."""
        for source in self._sources:
            decided_as_it_is(source)
        return self._tensor


class Late(Content):
    """What is computed when somebody reads it, with the conditions that it has."""

    def __init__(self, compute: Callable[[], Tensor], shape: tuple[int, ...], level: int) -> None:
        self._compute, self.shape, self.level = compute, shape, level

    @cached_property
    def tensor(self) -> Tensor:
        """Compute it."""
        return self._compute()


class Row(Content):
    """A content with an axis of size one more: what a selected row is in the whole."""

    def __init__(self, row: Content, axis: int) -> None:
        self.row, self.axis, self.level = row, axis, row.level
        self.shape = (*row.shape[:axis], 1, *row.shape[axis:])

    @cached_property
    def tensor(self) -> Tensor:
        """Put the axis in."""
        return with_shape(self.row.tensor, self.shape)


class Pieces(Content):
    """Contents side by side along an axis."""

    def __init__(self, axis: int, pieces: Sequence[tuple[int, Content]]) -> None:
        self.axis, self.pieces = axis, tuple(pieces)
        self.level = max([piece.level for _, piece in pieces])
        shape = pieces[0][1].shape
        total = sum([piece.shape[axis] for _, piece in pieces])
        self.shape = (*shape[:axis], total, *shape[axis + 1 :])

    @cached_property
    def tensor(self) -> Tensor:
        """Join the pieces."""
        return joined([piece.tensor for _, piece in self.pieces], self.axis)

    def parts(self, axis: int) -> Sequence[tuple[int, Content]]:
        """Give the pieces, if they lie along this axis."""
        return self.pieces if axis == self.axis else ((0, self),)


def part(content: Content, axis: int, start: int, stop: int) -> Content:
    """Take the elements from one place to another along an axis, of as few pieces as there are."""
    if (start, stop) == (0, content.shape[axis]):
        return content
    found = []
    for first, piece in content.parts(axis):
        low, high = max(start, first), min(stop, first + piece.shape[axis])
        if low < high:
            found.append((low - start, _cut(piece, axis, low - first, high - first)))
    if len(found) == 1:
        return found[0][1]
    if found:
        return Pieces(axis, found)
    return Whole(part_of(content.tensor, axis, start, stop - start), content.level)


def _cut(piece: Content, axis: int, start: int, stop: int) -> Content:
    if (start, stop) == (0, piece.shape[axis]):
        return piece
    return Whole(part_of(piece.tensor, axis, start, stop - start), piece.level)


def replaced(content: Content, axis: int, start: int, new: Content) -> Content:
    """Put a content over another one, from a place on along an axis."""
    stop, n = start + new.shape[axis], content.shape[axis]
    if (start, stop) == (0, n) or start == stop:
        return new if start != stop else content
    pieces: list[tuple[int, Content]] = []
    if start:
        before = part(content, axis, 0, start)
        pieces += before.parts(axis)
    pieces.append((start, new))
    if stop < n:
        after = part(content, axis, stop, n)
        pieces += [(stop + first, piece) for first, piece in after.parts(axis)]
    return Pieces(axis, pieces)


def row_of(content: Content, axis: int) -> Content:
    """Leave out an axis of size one."""
    if isinstance(content, Row) and content.axis == axis:
        return content.row
    shape = content.shape
    return Whole(with_shape(content.tensor, shape[:axis] + shape[axis + 1 :]), content.level)


def made_of(content: Content, tensor: Any) -> Content:
    """Give what was computed of a content alone."""
    return Whole(tensor, content.level)
