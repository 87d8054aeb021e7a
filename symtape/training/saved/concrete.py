"""A function as a program, and which of its sizes may be others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from symtape.errors import UnsupportedError
from symtape.ops.control.signatures import Structure
from symtape.program.operations import Shape
from symtape.program.program import Program
from symtape.program.sizes.axes import Sizes
from symtape.program.sizes.resizing import Resized, resized
from symtape.program.sizes.unions import Axis


class Pulled(NamedTuple):
    """A gradient that its author says, as steps of the program: cotangents enter, gradients leave.

    `computed` are the results before the author's gradient is theirs, and `outputs` after that.
    An input that no derivative flows to has no position, and one that gets none has no gradient.
    """

    name: str
    inputs: tuple[int | None, ...]
    computed: tuple[int, ...]
    outputs: tuple[int, ...]
    cotangents: tuple[int, ...]
    gradients: tuple[int | None, ...]

    @property
    def positions(self) -> list[int]:
        """All that is in the program."""
        found = [*self.inputs, *self.computed, *self.outputs, *self.cotangents, *self.gradients]
        return [p for p in found if p is not None]


def moved(author: Pulled, place: Callable[[int], int]) -> Pulled:
    """Give other positions for those of a gradient that its author says."""
    name, *groups = author
    made: list[Any] = [tuple([None if p is None else place(p) for p in g]) for g in groups]
    return Pulled(name, *made)


class Concrete(NamedTuple):
    """A function as a program: what it takes, what it gives, and what else enters.

    `sizes` are the shapes of its tensors, with None for what is open. Of `leaves`, a variable or an
    array belongs to each position.
    """

    sizes: tuple[tuple[int | None, ...], ...]
    program: Program
    arguments: tuple[int, ...]
    leaves: tuple[tuple[int, Any], ...]
    outputs: tuple[int, ...]
    results: Structure
    authors: tuple[Pulled, ...] = ()


class Axes:
    """Which axes of a program's arguments may be as long as one likes, and which must agree.

    What has the size of a variable, of an array, or of an axis that is not open, keeps it.
    """

    def __init__(self, own: Concrete) -> None:
        self._own = own
        alike = [
            (u, (out,)) for a in own.authors for u, out in zip(a.cotangents, a.outputs, strict=True)
        ]
        self._sizes = Sizes(own.program, *ends(own), alike=alike)
        fixed = {self._sizes.root((p, k)) for p, k in self._fixed()} | self._sizes.kept.keys()
        self.open = [root for root in self._sizes.free() if root not in fixed]
        self._check()

    def _check(self) -> None:
        """Refuse an open axis that has to have one size, unless a variable has it, too."""
        for p, shape in zip(self._own.arguments, self._own.sizes, strict=True):
            for k in [k for k, n in enumerate(shape) if n is None]:
                why = self._sizes.kept.get(self._sizes.root((p, k)))
                if why is not None:
                    raise UnsupportedError(
                        f"axis {k} of an argument of shape {shape} cannot be of any size, since "
                        f"{why}; give its size in the input_signature"
                    )

    def _fixed(self) -> Iterator[Axis]:
        own = self._own
        for p, _ in own.leaves:
            yield from [(p, k) for k in range(len(own.program.shapes[p]))]
        for p, shape in zip(own.arguments, own.sizes, strict=True):
            yield from [(p, k) for k, n in enumerate(shape) if n is not None]

    def shapes(self, numbers: Mapping[Axis, int]) -> list[Shape]:
        """Give the shapes of the arguments where open sizes have other numbers."""
        return [self._sizes.shape_at(p, numbers) for p in self._own.arguments]

    def numbers(self, shapes: Sequence[Shape]) -> dict[Axis, int]:
        """Give the numbers of open sizes for some shapes of arguments.

        Raises `ValueError` where they are not those of one program.
        """
        found: dict[Axis, int] = {}
        for p, shape in zip(self._own.arguments, shapes, strict=True):
            for k, n in enumerate(shape):
                root, more = self._sizes.size((p, k))
                if root not in self.open:
                    found_here = self._sizes.number((p, k)) - more
                else:
                    found_here = found.setdefault(root, n - more)
                if n != found_here + more:
                    raise ValueError(
                        f"axis {k} of the shape {tuple(shape)} has to be {found_here + more} long"
                    )
        return found

    def resized(self, numbers: Mapping[Axis, int]) -> Resized:
        """Make the program for other numbers of open sizes."""
        return resized(self._sizes, numbers)

    def moved(self, made: Resized) -> list[int]:
        """Give the places of what is computed in a program that was made again."""
        return [made.place[p] for p in ends(self._own)]


def _inputs(own: Concrete) -> list[int]:
    return [*own.arguments, *[p for p, _ in own.leaves]]


def ends(own: Concrete) -> list[int]:
    """List the results, the arguments and the other leaves, and what authors say of gradients."""
    authors = [p for author in own.authors for p in author.positions]
    return [*own.outputs, *_inputs(own), *authors]
