"""What lists of arrays mean: `[x[1], 2 * x[0]]`, `np.stack([x, y], axis=1)`, `np.concatenate`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from symtape.notation.meanings.parts import PartReader
from symtape.notation.sizes import MismatchError
from symtape.notation.tree import Node, refused
from symtape.notation.typed import Typed

LIST = "list"
"""What is no array yet: its parts may be joined in several ways."""


class ListReader(PartReader):
    """Settles what is made of lists."""

    def _listed(self, _: Node, *own: Typed) -> Typed:
        return Typed(LIST, own, ())

    def stacked(self, node: Node, own: Sequence[Typed], axis: int) -> Typed:
        """Join arrays of one shape along a new axis."""
        shape = own[0].shape
        if len(shape) > 1:
            raise refused(self.text, node.at, "formulas are of matrices, with two axes at most")
        try:
            for other in own[1:]:
                self.sizes.equal(shape, other.shape)
        except MismatchError:
            why = "what is stacked has one shape; np.concatenate([x, y]) puts vectors together"
            raise refused(self.text, node.at, why) from None
        if not -len(shape) - 1 <= axis <= len(shape):
            raise refused(self.text, node.at, f"there is no axis {axis} of what is stacked")
        place = axis % (len(shape) + 1)
        count = self.sizes.given(len(own), {})
        return Typed("stack", tuple(own), (*shape[:place], count, *shape[place:]), place)

    def concatenated(self, node: Node, own: Sequence[Typed], axis: int) -> Typed:
        """Put arrays one after another along an axis that they have."""
        shape = own[0].shape
        if not -len(shape) <= axis < len(shape):
            raise refused(self.text, node.at, f"there is no axis {axis} of what is joined")
        place = axis % len(shape)
        for other in own[1:]:
            self.sizes.equal(_but(shape, place), _but(other.shape, place))
        count = self.joined(node, [x.shape[place] for x in own])
        return Typed("concat", tuple(own), (*shape[:place], count, *shape[place + 1 :]), place)

    def _in_rows(self, node: Node, own: Sequence[Typed], _: int) -> Typed:
        if len(own[0].shape) < 2:  # vectors are rows here
            return self.stacked(node, own, 0)
        return self.concatenated(node, own, 0)

    def _side_by_side(self, node: Node, own: Sequence[Typed], _: int) -> Typed:
        return self.concatenated(node, own, min(len(own[0].shape), 2) - 1)

    def _in_columns(self, node: Node, own: Sequence[Typed], _: int) -> Typed:
        if len(own[0].shape) < 2:  # vectors are columns here
            return self.stacked(node, own, 1)
        return self.concatenated(node, own, 1)

    def join(
        self, node: Node, word: str, own: Sequence[Typed], options: Mapping[str, Any]
    ) -> Typed:
        """Read a function of a list."""
        given, way = dict(options), _WAYS[word]
        if len(own) == 2 and own[1].word == "number" and way in _BY_AXIS:
            own, given = own[:1], {"axis": own[1].value, **given}
        axis = given.pop("axis", 0) if way in _BY_AXIS else 0
        if len(own) != 1 or own[0].word != LIST or given or not isinstance(axis, int):
            what = "a list and axis=" if way in _BY_AXIS else "a list"
            raise refused(self.text, node.at, f"{node.value[0]}() takes {what}")
        parts = [self.array(node.operands[0], x) for x in own[0].operands]
        return way(self, node, parts, axis)

    def array(self, node: Node, x: Typed) -> Typed:
        """Give an array of what may be a list."""
        raise NotImplementedError


def _but(shape: Sequence[int], place: int) -> tuple[int, ...]:
    return (*shape[:place], *shape[place + 1 :])


_BY_AXIS = (ListReader.stacked, ListReader.concatenated)
_WAYS: Mapping[str, Callable[..., Typed]] = MappingProxyType(
    {
        "stack": ListReader.stacked,
        "concatenate": ListReader.concatenated,
        "vstack": ListReader._in_rows,  # noqa: SLF001 - its own
        "hstack": ListReader._side_by_side,  # noqa: SLF001 - its own
        "column_stack": ListReader._in_columns,  # noqa: SLF001 - its own
    }
)
JOINING = frozenset(_WAYS)
"""Functions that take a list apart."""
