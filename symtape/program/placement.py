"""Where the elements of a block stand in a larger array: affine forms of its indices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from symtape.program.operations import DType, Shape
from symtape.program.structural import Structural


class Form(NamedTuple):
    """A place along one axis: `offset` and the sum of stride times index over `parts`.

    >>> Form.of(7).scaled(1, 2)
    Form(offset=1, parts=((2, 7),))
    """

    offset: int = 0
    parts: tuple[tuple[int, int], ...] = ()

    @classmethod
    def of(cls, index: int) -> Form:
        """Be the index itself."""
        return cls(0, ((1, index),))

    @property
    def indices(self) -> tuple[int, ...]:
        """The indices that the place depends on."""
        return tuple([index for _, index in self.parts])

    def scaled(self, first: int, step: int) -> Form:
        """Give first + step · place."""
        return Form(first + step * self.offset, tuple([(step * s, i) for s, i in self.parts]))

    def plus(self, other: Form) -> Form:
        """Add two places."""
        return Form(self.offset + other.offset, self.parts + other.parts)

    def put(self, index: int, form: Form) -> Form:
        """Put a form in the place of an index."""
        if index not in self.indices:
            return self
        offset = self.offset
        parts: list[tuple[int, int]] = []
        for stride, i in self.parts:
            inner = form.scaled(0, stride) if i == index else Form(0, ((stride, i),))
            offset += inner.offset
            parts += inner.parts
        return Form(offset, tuple(parts))

    def renamed(self, names: Mapping[int, int]) -> Form:
        """Give the indices other names."""
        return Form(self.offset, tuple([(s, names[i]) for s, i in self.parts]))

    def at(self, values: Sequence[int]) -> int:
        """Compute the place for values of the indices."""
        return self.offset + sum(s * values[i] for s, i in self.parts)


class Placement(NamedTuple):
    """How a block is put into an array: the size of each index, and a form for each axis."""

    counts: tuple[int, ...]
    forms: tuple[Form, ...]

    @classmethod
    def of(cls, forms: Sequence[Form], sizes: Mapping[int, int]) -> tuple[Placement, list[int]]:
        """Number the indices by first appearance; give the placement and their old names."""
        order = list(dict.fromkeys(i for form in forms for i in form.indices))
        names = {i: k for k, i in enumerate(order)}
        counts = tuple([sizes[i] for i in order])
        return cls(counts, tuple([form.renamed(names) for form in forms])), order

    def covers(self, shape: Shape) -> bool:
        """Say whether the block is the whole array, axis by axis."""
        simple = tuple([Form.of(k) for k in range(len(shape))])
        return self.counts == shape and self.forms == simple

    def places(self) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Pair the place of each element in the block with its place in the array."""
        for values in product(*map(range, self.counts)):
            yield values, tuple([form.at(values) for form in self.forms])


class Assemble(Structural):
    """A sum of blocks, each at its places in zeros: `Assemble(shape, placements)`.

    A block is an array that broadcasts to the counts of its placement. Two axes that share an index
    are a diagonal, with offsets a band; several strides on one axis are a reshape. So a sum of a
    dense array and a diagonal, or of the bands of a difference scheme, needs the memory of its
    result and no more.
    """

    __slots__ = ("placements", "shape")
    arity = None

    def prepare(self, shape: Shape, placements: tuple[Placement, ...]) -> None:
        """Read the shape of the result and the places of the operands."""
        self.shape, self.placements = shape, placements

    @property
    def depth(self) -> int:
        """Touch every axis."""
        return len(self.shape)

    def infer(self, shapes: Sequence[Shape], dtypes: Sequence[DType]) -> tuple[Shape, DType]:
        """Be of the shape that was asked for."""
        return self.shape, dtypes[0]
