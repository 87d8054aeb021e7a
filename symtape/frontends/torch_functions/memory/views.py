"""How a view lies in what it is a view of: operations on axes, or places in the whole."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np

from symtape.frontends.torch_functions.memory.content import (
    Content,
    Row,
    Whole,
    made_of,
    part,
    replaced,
    row_of,
)
from symtape.frontends.torch_functions.memory.storages import Geometry, Link
from symtape.ops.elementwise.arithmetic import where
from symtape.ops.elementwise.conversion import cast
from symtape.ops.elementwise.functions import complex as complex_of
from symtape.ops.elementwise.functions import conj, imag, real
from symtape.ops.indexing.gathering import gather
from symtape.ops.indexing.scattering import scatter_nd
from symtape.ops.shapes.joining import stack
from symtape.ops.shapes.shaping import permuted, with_shape
from symtape.program.kinds.structural import Slice
from symtape.tensor.dispatch import apply1
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of


class Exchanged(NamedTuple):
    """A view that has all elements of its parent: a function, and the opposite one."""

    there: Callable[[Tensor], Tensor]
    back: Callable[[Tensor], Tensor]

    def read(self, parent: Content) -> Content:
        """Apply the function."""
        return made_of(parent, self.there(parent.tensor))

    def write(self, parent: Content, view: Content) -> Content:  # noqa: ARG002 - it is all of it
        """Apply the opposite one."""
        return made_of(view, self.back(view.tensor))


class Same(NamedTuple):
    """A view that is its parent."""

    def read(self, parent: Content) -> Content:
        """Give the parent."""
        return parent

    def write(self, parent: Content, view: Content) -> Content:  # noqa: ARG002 - it is all of it
        """Give the view."""
        return view


class Part(NamedTuple):
    """Elements one after another along an axis; of a row, the axis is left out."""

    axis: int
    start: int
    stop: int
    row: bool

    def read(self, parent: Content) -> Content:
        """Take the elements."""
        found = part(parent, self.axis, self.start, self.stop)
        return row_of(found, self.axis) if self.row else found

    def write(self, parent: Content, view: Content) -> Content:
        """Put them over those of the parent."""
        new = Row(view, self.axis) if self.row else view
        return replaced(parent, self.axis, self.start, new)


class Picked(NamedTuple):
    """Elements of the parent, by a function that picks them; written at their places."""

    pick: Callable[[Tensor], Tensor]
    places: Any
    """The place of each element in the parent, row by row."""

    def read(self, parent: Content) -> Content:
        """Pick the elements."""
        return made_of(parent, self.pick(parent.tensor))

    def write(self, parent: Content, view: Content) -> Content:
        """Put the elements at their places, and keep the others."""
        old = parent.tensor
        new = placed(old, self.places, view.tensor)
        return Whole(new, max(parent.level, view.level))


def placed(old: Tensor, places: Any, new: Tensor) -> Tensor:
    """Put elements at places of a tensor, which are counted row by row."""
    count, shape = prod(shape_of(old)), shape_of(old)
    mask = np.zeros(count, bool)
    mask[np.ravel(places)] = True
    line = with_shape(new, (int(np.size(places)),))
    spread = with_shape(scatter_nd(np.ravel(places)[:, None], line, [count]), shape)
    return spread if mask.all() else where(mask.reshape(shape), spread, old)


def picked(parent: Sequence[int], take: Callable[[Any], Any]) -> Any:
    """Number the elements of a parent row by row, and take the numbers as a view takes them."""
    return take(np.arange(prod(parent)).reshape(tuple(parent)))


# --- what each of torch's views is ----------------------------------------------------------------


def reshaped(parent: Geometry, view: Geometry) -> Link:
    """Give the link of the same elements in another shape."""
    return Exchanged(lambda x: with_shape(x, view.shape), lambda y: with_shape(y, parent.shape))


def rearranged(perm: Sequence[int]) -> Link:
    """Give the link of axes in another order."""
    back = np.argsort(perm).tolist()
    return Exchanged(lambda x: permuted(x, perm), lambda y: permuted(y, back))


def ranged(shape: Sequence[int], axis: int, start: int, count: int, step: int) -> Link:
    """Give the link of evenly spaced elements along an axis."""
    if step == 1:
        return Part(axis, start, start + count, row=False)
    ranges = [(0, 1, n) for n in shape]
    ranges[axis] = (start if count else 0, step, count)
    operation = Slice.of(ranges, tuple(shape))
    key = tuple([slice(None)] * axis + [slice(start, start + step * count, step)])
    return Picked(lambda x: apply1(operation, x), picked(shape, lambda a: a[key]))


CONJUGATE = Exchanged(conj, conj)
PAIRS = Exchanged(
    lambda z: stack([real(z), imag(z)], -1),
    lambda y: complex_of(gather(y, 0, axis=-1), gather(y, 1, axis=-1)),
)
COMPLEX = Exchanged(PAIRS.back, PAIRS.there)
NEGATIVE = Exchanged(lambda x: -x, lambda x: -x)


def by_places(base: Geometry, view: Geometry) -> Link:
    """Find the elements of a view among those of the base of its storage, by their addresses."""
    flips: list[Link] = []
    if base.conjugate != view.conjugate:
        flips.append(CONJUGATE)
    if base.negative != view.negative:
        flips.append(NEGATIVE)
    if base.dtype != view.dtype:
        raise LookupError("bits are read as another dtype")
    lines, order = np.unique(addresses(base), return_index=True)
    wanted = addresses(view)
    found = np.searchsorted(lines, wanted)
    if wanted.size and (found.max() >= lines.size or not np.array_equal(lines[found], wanted)):
        raise LookupError("a view reaches outside of what is known of its memory")
    places = order[found] if wanted.size else found
    taken: Link = Picked(lambda x: taken_at(x, places), places)
    if (
        np.array_equal(places, np.arange(prod(base.shape)).reshape(view.shape))
        if (places.size == prod(base.shape))
        else False
    ):
        taken = reshaped(base, view)
    return Chain([taken, *flips]) if flips else taken


class Chain(NamedTuple):
    """One link after another."""

    links: Sequence[Link]

    def read(self, parent: Content) -> Content:
        """Read from the first to the last."""
        for link in self.links:
            parent = link.read(parent)
        return parent

    def write(self, parent: Content, view: Content) -> Content:
        """Write from the last to the first."""
        parents = [parent]
        for link in self.links[:-1]:
            parents.append(link.read(parents[-1]))
        for link, known in zip(reversed(self.links), reversed(parents), strict=True):
            view = link.write(known, view)
        return view


def taken_at(x: Tensor, places: Any) -> Tensor:
    """Take elements by their places, which are counted row by row."""
    line = with_shape(x, (prod(shape_of(x)),))
    return gather(line, Tensor(np.asarray(places)))


def addresses(geometry: Geometry) -> Any:
    """Give the address of each element."""
    total = np.array(geometry.offset)
    for axis, (n, stride) in enumerate(zip(geometry.shape, geometry.strides, strict=True)):
        after = len(geometry.shape) - axis - 1
        total = total + (np.arange(n) * stride).reshape((n,) + (1,) * after)
    return np.broadcast_to(total, geometry.shape)


def as_dtype(x: Tensor, dtype: Any) -> Tensor:
    """Change the dtype, where it is another one; of a complex number the real part is left."""
    if x.raw.dtype == dtype:
        return x
    if x.raw.dtype.kind == "c" and np.dtype(dtype).kind != "c":
        x = real(x)
    return x if x.raw.dtype == dtype else cast(x, dtype)


def widened(x: Tensor) -> Tensor:
    """Give float16 and bfloat16 single precision."""
    is_narrow = x.raw.dtype.kind in "fV" and x.raw.dtype.itemsize == 2
    return cast(x, np.float32) if is_narrow else x
