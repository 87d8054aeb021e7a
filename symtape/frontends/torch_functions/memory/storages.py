"""The memory of torch's tensors, with a content beside each storage.

Tensors that share memory are views of one storage: each is told by its place, sizes and strides. A
storage knows how each view lies in another one, so that a read follows the views from the whole to
the part, and a write the other way.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from symtape.errors import UnsupportedError
from symtape.frontends.torch_functions.memory.content import Content


class Geometry(NamedTuple):
    """Where the elements of a tensor lie in its storage, and how they are read."""

    dtype: Any
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    conjugate: bool
    negative: bool

    @classmethod
    def of(cls, tensor: Any) -> Geometry:
        """Read it from a torch tensor; axes of size one have no stride."""
        shape = tuple(tensor.shape)
        strides = tuple([s if n != 1 else 0 for s, n in zip(tensor.stride(), shape, strict=True)])
        offset = tensor.storage_offset() if 0 not in shape else 0
        return cls(tensor.dtype, offset, shape, strides, tensor.is_conj(), tensor.is_neg())


NOWHERE, OUTSIDE = object(), object()
"""Where memory was reserved that an operation filled, and that nobody followed."""


class Link(Protocol):
    """How a view lies in its parent."""

    def read(self, parent: Content) -> Content:
        """Give the view of a parent."""

    def write(self, parent: Content, view: Content) -> Content:
        """Give the parent with the view in its place."""


class Unknown(Protocol):
    """Finds how a view lies in the base of a storage where no operation told it."""

    def __call__(self, base: Geometry, view: Geometry) -> Link:
        """Give the link."""


class Storage:
    """One block of memory: a content of all of it, and the views that are known."""

    def __init__(self, base: Geometry, content: Content, keep: Any, unknown: Unknown) -> None:
        self.base, self._content, self._keep, self._unknown = base, content, keep, unknown
        self._links: dict[Geometry, tuple[Geometry, Link]] = {}
        self._read: dict[Geometry, Content] = {}
        self.region: object = None
        """Where it was written last: an `autograd.Function`, a decomposition, or anywhere."""
        self.is_in_graph = False
        """Whether torch's graph takes up a tensor of it: what is written aside leaves the graph."""
        self.reserved_at: object = NOWHERE
        """The call of torch's that made it without a content, or that it was there before."""

    def link(self, view: Geometry, parent: Geometry, link: Link) -> None:
        """Remember how a view lies in another one, if that is news."""
        if view not in (self.base, parent) and view not in self._links:
            self._links[view] = (parent, link)

    def read(self, view: Geometry) -> Content:
        """Give what a view holds now."""
        way = []
        while view != self.base and view not in self._read:
            way.append(view)
            view = self._parent(view)[0]
        content = self._content if view == self.base else self._read[view]
        for view in reversed(way):
            content = self._read[view] = self._links[view][1].read(content)
        return content

    def write(self, view: Geometry, content: Content) -> None:
        """Put a content where a view is, for all that share the memory."""
        kept = {view: content}
        while view != self.base:
            parent, link = self._parent(view)
            content = link.write(self.read(parent), content)
            view = parent
            kept[view] = content
        self._content = content
        self._read = kept

    def _parent(self, view: Geometry) -> tuple[Geometry, Link]:
        if view not in self._links:
            self._links[view] = (self.base, self._unknown(self.base, view))
        return self._links[view]


class Storages:
    """The storages of one run; each is held, so that no other one takes its address."""

    def __init__(self, unknown: Unknown) -> None:
        self._known: dict[int, Storage] = {}
        self._unknown = unknown

    def find(self, tensor: Any) -> Storage | None:
        """Give the storage of a torch tensor, if something is known of it."""
        return self._known.get(tensor.untyped_storage()._cdata)  # noqa: SLF001 - its address

    def bind(self, tensor: Any, content: Content) -> Storage:
        """Let a torch tensor be all that is known of its storage."""
        geometry = Geometry.of(tensor)
        if content.shape != geometry.shape:
            raise UnsupportedError(f"a value of shape {content.shape} beside {geometry.shape}")
        keep = tensor.untyped_storage()
        made = Storage(geometry, content, keep, self._unknown)
        self._known[keep._cdata] = made  # noqa: SLF001 - its address
        return made
