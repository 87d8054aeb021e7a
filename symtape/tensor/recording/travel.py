"""How formulas are pickled: as programs, with their leaves.

A tensor takes along where it comes from, its source, and a source takes along its program and the
tensors that entered it. A pickle has each of these once, so tensors of one recording share it.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Sequence
from typing import Any

from symtape.program.program import Program
from symtape.tensor.recording.opening import Opened
from symtape.tensor.recording.provenance import Asked, Held, Leaf


class Provenance:
    """Where a tensor comes from: what has a program, and knows what entered it.

    What comes from it is pickled with it. The state is apart from what makes the object, because a
    tensor that entered can come from the very source that it entered.
    """

    __slots__ = ()
    block: Any
    decisions: Any

    def locate(self, position: int) -> tuple[Program, int]:
        """Find one of the results in the program."""
        raise NotImplementedError

    def positions(self) -> Sequence[int]:
        """Give the place in the program of each of the results."""
        return range(len(self.locate(0)[0]))

    def leaves(self) -> Sequence[Leaf]:
        """List the tensors that entered."""
        raise NotImplementedError

    def asked(self, position: int) -> tuple[Asked, int] | None:  # noqa: ARG002 - most do not know
        """Say which derivative a result is, and which of its results; None if it is none."""
        return None

    def __reduce__(self) -> tuple[Any, ...]:
        opened = Opened((self, 0))
        moved = opened.places[id(self)]
        return Arrived, (), _state(opened, [moved[p] for p in self.positions()], self, moved)


class Arrived(Provenance):
    """A source that was sent here: its program, and its leaves under the names that they had."""

    __slots__ = (
        "_leaves", "_maps", "_positions", "_program", "alike", "is_listed", "names", "rows",
        "sight",
    )  # fmt: skip
    block = decisions = None

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self._program, self._positions, leaves, self.names, *facts = state
        self.is_listed, self.rows, self._maps, self.sight, self.alike = facts
        self._leaves = [Leaf(p, label, Held(x), watched) for p, label, watched, x in leaves]

    def locate(self, position: int) -> tuple[Program, int]:
        """Find one of the results in the program."""
        return self._program, self._positions[position]

    def positions(self) -> Sequence[int]:
        """Give the place in the program of each of the results."""
        found: Sequence[int] = self._positions
        return found

    def leaves(self) -> Sequence[Leaf]:
        """List the tensors that entered, with the values that could be had when they were sent."""
        return self._leaves

    def linear_map(self, position: int) -> tuple[int, list[int]] | None:
        """Say of a result with rows and columns what it is the Jacobian of, and by what."""
        return self._maps[position] if self._maps else None


def _state(opened: Opened, positions: Sequence[int], source: Any, moved: Sequence[int]) -> Any:
    """Give what `Arrived` is made of."""
    leaves = [(x.position, x.label, x.watched, x.tensor.alive()) for x in opened.leaves]
    linear_map = getattr(source, "linear_map", None)
    maps = [linear_map(k) for k in range(len(positions))] if linear_map else []
    known = [(moved[m[0]], [moved[p] for p in m[1]]) for m in maps if m is not None]
    facts = opened.is_listed, getattr(source, "rows", None), known, opened.seen(), opened.alike
    return opened.program, positions, leaves, opened.names, *facts


# --- tensors --------------------------------------------------------------------------------------


def origin_to_send(tensor: Any) -> tuple[Any, ...] | None:
    """Give the origin of a tensor as it is pickled, behind what has to be pickled before it."""
    if tensor.origin is None:
        return None
    source, place = tensor.origin
    if type(place) is tuple:  # nobody watched it: the nodes are written as one program
        opened = Opened(tensor.origin)
        source, place = Arrived(), 0
        source.__setstate__(_state(opened, [opened.position], None, ()))
    return _before(tensor), source, place


def _entered(tensor: Any) -> list[Any]:
    """List the tensors with a formula of their own that entered what a tensor comes from."""
    source, place = tensor.origin
    leaves = Opened(tensor.origin).leaves if type(place) is tuple else source.leaves()
    found = [x.tensor.alive() for x in leaves]
    return [x for x in found if getattr(x, "origin", None) is not None]


class _Before:
    """Tensors that are pickled before another one, so that a long chain of tapes is no deep one.

    It lives as long as the pickle is being written, which refers to it.
    """

    __slots__ = ("__weakref__", "tensors")

    def __init__(self, tensors: Sequence[Any]) -> None:
        self.tensors = tensors
        _LISTED.update({id(x): self for x in tensors})

    def __reduce__(self) -> tuple[Any, ...]:
        return _dropped, (self.tensors,)


_LISTED: weakref.WeakValueDictionary[int, _Before] = weakref.WeakValueDictionary()
_FEW = 16
"""How many tapes one after another are pickled by recursion."""


def _dropped(_: Sequence[Any]) -> None:
    """Stand for what has been pickled already."""


def _before(tensor: Any) -> _Before | None:
    """List what a tensor comes from by way of its leaves, the first computed first, if it is long.

    What is listed already is about to be pickled, or has been.
    """
    if id(tensor) in _LISTED:
        return None
    found = list(_sorted(tensor))
    return _Before(found[:-1]) if len(found) > _FEW else None


def _sorted(tensor: Any) -> Iterator[Any]:
    """Walk over a tensor and what it comes from, each after all that it comes from."""
    met, stack = {id(tensor)}, [(tensor, iter(_entered(tensor)))]
    while stack:
        top, rest = stack[-1]
        inner = next(rest, None)
        if inner is None:
            stack.pop()
            yield top
        elif id(inner) not in met and id(inner) not in _LISTED:
            met.add(id(inner))
            stack.append((inner, iter(_entered(inner))))
