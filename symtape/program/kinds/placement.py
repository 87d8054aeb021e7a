"""Regular maps of indices: operations whose elements come from, or go to, affine places.

An operation of this kind has parameters of its own, as a slice has ranges, and is one map of them
all: it says at which places its elements are, as a `Placement`, and most rules ask for that alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from symtape.program.operations import DType, Operation, Shape


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

    def over(self, places: Sequence[Form]) -> Form:
        """Put places in the place of all indices, by their numbers."""
        if len(self.parts) == 1:  # as most have
            ((stride, k),) = self.parts
            return places[k].scaled(self.offset, stride)
        found = Form(self.offset)
        for stride, k in self.parts:
            found = found.plus(places[k].scaled(0, stride))
        return found

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

    def at(self, values: Sequence[Any]) -> Any:
        """Compute the place for values of the indices: numbers, or symbols."""
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

    @classmethod
    def by(cls, ranges: Sequence[tuple[int, int, int]]) -> Placement:
        """Give each axis an index that runs along a range: a first place, a step and a count.

        >>> Placement.by([(1, 2, 3)])
        Placement(counts=(3,), forms=(Form(offset=1, parts=((2, 0),)),))
        """
        forms = [Form(first, ((step, k),)) for k, (first, step, _) in enumerate(ranges)]
        return cls(tuple([count for _, _, count in ranges]), tuple(forms))

    @property
    def ranges(self) -> tuple[tuple[int, int, int], ...]:
        """The ranges that the axes were given, which have an index each."""
        steps = [form.parts[0][0] for form in self.forms]
        return tuple(zip([form.offset for form in self.forms], steps, self.counts, strict=True))

    def covers(self, shape: Shape) -> bool:
        """Say whether the block is the whole array, axis by axis."""
        simple = tuple([Form.of(k) for k in range(len(shape))])
        return self.counts == shape and self.forms == simple

    def places(self) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Pair the place of each element in the block with its place in the array."""
        for values in product(*map(range, self.counts)):
            yield values, tuple([form.at(values) for form in self.forms])


class Structural(Operation):
    """An operation on the last axes of its operands; any axes before those are a batch.

    So an operation that was recorded for one row serves a derivative that has many.
    """

    __slots__ = ()

    @property
    def depth(self) -> int:
        """Count the last axes of the result that the operation touches."""
        raise NotImplementedError


class View(Structural):
    """An operation whose elements are elements of its operand, read at affine places."""

    __slots__ = ()

    def read(self, shape: Shape) -> Placement:
        """Give the last axes of the result, and where the last axes of an operand are read."""
        raise NotImplementedError

    def infer(self, shapes: Sequence[Shape], dtypes: Sequence[DType]) -> tuple[Shape, DType]:
        """Count the elements."""
        counts, forms = self.read(shapes[0])
        return shapes[0][: len(shapes[0]) - len(forms)] + counts, dtypes[0]


class Assembly(Structural):
    """An operation that puts its operands at affine places of zeros, and adds them up there."""

    __slots__ = ()

    def placed(self, shapes: Sequence[Shape]) -> Sequence[Placement]:
        """Give for each operand its last axes, and where they stand in those of the result."""
        raise NotImplementedError


class Assemble(Assembly):
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

    def placed(self, _: Sequence[Shape]) -> Sequence[Placement]:
        """Be where it was said."""
        return self.placements

    @property
    def depth(self) -> int:
        """Touch every axis."""
        return len(self.shape)

    def infer(self, shapes: Sequence[Shape], dtypes: Sequence[DType]) -> tuple[Shape, DType]:
        """Be of the shape that was asked for."""
        return self.shape, dtypes[0]
