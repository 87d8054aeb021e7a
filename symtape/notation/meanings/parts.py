"""What parts arrays have, and what arrays are joined of: places, slices, and sizes added up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtape.notation.sizes import MismatchError
from symtape.notation.tree import Node, refused
from symtape.notation.typed import Reader, Typed

_LEFT = 3
"""So many elements show what a part of any size is."""


class PartReader(Reader):
    """Settles the sizes of parts, and of what is joined of parts."""

    def misfit(self, node: Node, own: list[Any]) -> str:
        """Say what an operation does not take, or that an array lacks a part."""
        if node.word in ("item", "numbered"):
            return f"{self.written(own[0])} has no such place"
        return super().misfit(node, own)

    def has_place(self, size: int, place: int) -> None:
        """Let an axis have a place, counted from 0, or from the end."""
        count = place + 1 if place >= 0 else -place
        known = self.sizes.number(size)
        if known is not None and count > known:
            raise MismatchError
        self.sizes.need(count)

    def part_size(self, size: int, part: slice) -> int:
        """Give the size of x[1:-1], which is less by a number, or that of x[:3], a number."""
        first, last = part.start or 0, part.stop
        if part == slice(None):
            return size
        if (first >= 0) == (last is None or last < 0):
            less = abs(first) + abs(last or 0)
            self.has_place(size, less)
            return self.sizes.less(size, less)
        self.has_place(size, max(abs(first), abs(last or 0)) - 1)
        count = (last or 0) - first
        if count <= 0:
            raise MismatchError
        return self.sizes.given(count, {})

    def taken(self, whole: Typed, parts: Sequence[slice]) -> Typed:
        """Take parts along first axes, of which some elements are left at all sizes."""
        shape = [self.part_size(n, part) for n, part in zip(whole.shape, parts, strict=False)]
        for part in parts:
            self.sizes.need((part.start or 0) - (part.stop or 0) + _LEFT)
        if all(part == slice(None) for part in parts):
            return whole
        return Typed("item", (whole,), (*shape, *whole.shape[len(parts) :]), tuple(parts))

    def joined(self, node: Node, parts: Sequence[int]) -> int:
        """Give the size of axes that are joined."""
        try:
            return self.sizes.total(parts)
        except MismatchError:
            why = "sizes that are added up are numbers, but for one: give shapes in numbers"
            raise refused(self.text, node.at, why) from None
