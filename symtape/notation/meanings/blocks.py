r"""Matrices that are written out: `[a, b; c, d]`, `\begin{pmatrix} A & 0 \\ 0 & I \end{pmatrix}`.

Entries are numbers or blocks, columns stand below each other, and a 0 is as large as its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from symtape.notation.meanings.parts import PartReader
from symtape.notation.sizes import ONE, MismatchError
from symtape.notation.tree import Node, refused
from symtape.notation.typed import Typed

_UNKNOWN = -1
"""The size of zeros, which are as many as their place has."""


class Both(NamedTuple):
    """What is meant, and the sizes of its rows and columns."""

    typed: Typed
    pair: tuple[int, int]


class BlockReader(PartReader):
    """Settles matrices of blocks and parts of variables, where everything is a matrix."""

    def made(
        self, word: str, operands: list[Both], pair: tuple[int, int], value: Any = None
    ) -> Both:
        """Make an operation whose axes are those of its rows and columns that are not 1."""
        shape = tuple([n for n in pair if self.sizes.root(n) != ONE])
        return Both(Typed(word, tuple([x.typed for x in operands]), shape, value), pair)

    def _blocks(self, node: Node, *own: Both) -> Both:
        grid = [own[k : k + node.value] for k in range(0, len(own), node.value)]
        heights = [self._shared(node, row, 0) for row in grid]
        widths = [self._shared(node, column, 1) for column in zip(*grid, strict=True)]
        if any(x.typed.shape for x in own) and _UNKNOWN in (*heights, *widths):
            raise refused(self.text, node.at, "nobody says how many zeros these are")
        heights, widths = [[max(n, ONE) for n in sizes] for sizes in (heights, widths)]
        pair = self.joined(node, heights), self.joined(node, widths)
        if not any(x.typed.shape for x in own) and ONE in map(self.sizes.root, pair):
            return self.made("stack", [*own], pair, 0)
        return self.made("blocks", [*own], pair, (tuple(heights), tuple(widths)))

    def _shared(self, node: Node, blocks: Sequence[Both], axis: int) -> int:
        """Give the size that blocks of one row, or of one column, have."""
        known = [x.pair[axis] for x in blocks if not _is_zero(x)]
        if not known:
            return _UNKNOWN
        try:
            for size in known[1:]:
                self.sizes.same(known[0], size)
        except MismatchError:
            where = "side by side" if axis == 0 else "below each other"
            what = " and ".join([self.written(x) for x in blocks[:4] if not _is_zero(x)])
            raise refused(self.text, node.at, f"{what} do not stand {where}") from None
        return known[0]

    def _item(self, node: Node, _: Both) -> Both:
        """Take the part x[0], x[1:3] or X[0, :] of a variable."""
        return self.part(node.operands[0].value, node.value)

    def part(self, name: str, taken: Sequence[int | slice]) -> Both:
        """Take a part of a variable: places leave no axis, and axes of one element are none here.

        A part of one row of a matrix is a row.
        """
        shape = self.variables[name]
        if len(taken) > len(shape):
            raise MismatchError
        parts = (*taken, *[slice(None)] * (len(shape) - len(taken)))
        places: list[int | slice] = []
        sizes: list[int] = []
        for size, part in zip(shape, parts, strict=True):
            if isinstance(part, int):
                self.has_place(size, part)
                places.append(part)
                continue
            sizes.append(left := self.part_size(size, part))
            places.append((part.start or 0) if self.sizes.root(left) == ONE else part)
        rows, columns = (*sizes, ONE, ONE)[:2]
        whole = Both(Typed("name", (), shape, name), (rows, columns))
        if all(part == slice(None) for part in places):
            return whole
        return self.made("item", [whole], (rows, columns), tuple(places))


def _is_zero(x: Both) -> bool:
    return x.typed.word == "number" and not x.typed.value
