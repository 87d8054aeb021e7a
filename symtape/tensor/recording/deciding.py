"""What values that are recorded decide: conditions of the formulas."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from types import MappingProxyType
from typing import Any

from symtape.program.operations import Constant, Count, Input
from symtape.program.program import Guard, Step
from symtape.tensor.recording.active import THREAD
from symtape.tensor.recording.provenance import Decision
from symtape.tensor.recording.remembering import Remembering

NOTHING: Any = MappingProxyType({})
"""What a recording has in place of a dictionary that most never fill; never changed."""


class Deciding(Remembering):
    """A recording, which writes down what control flow decided by what it knows."""

    steps: list[Step]
    known: dict[int, int]
    others: dict[int, int] = NOTHING
    shadows: set[int] | frozenset[int] = frozenset()
    settled: dict[int, tuple[weakref.ref[Any], list[Callable[[Any], None]]]] = NOTHING
    """What decided as it was, and would be a condition if it entered."""

    def decided(self, tensor: Any, value: bool | int) -> None:
        """Remember that Python took a branch by the value of a tensor."""
        position = self.followed(tensor)
        if position is not None:
            self.guards += (Guard(position, value),)
        if self.outermost is None and (position is None or self.beside is not None):
            operand = self.operand(tensor) if position is None else (self, position)
            self.set_aside().decisions.append(Decision(operand, value))

    def settle(self, tensor: Any, hold: Callable[[Any], None]) -> None:
        """Let what a tensor from outside decides be a condition if it enters, or has entered.

        One that does not is a number of the function's own, as what was written into the call.
        """
        block = self.block
        place = id(tensor)
        inside = [r for r in THREAD.state.recordings if r.block is block]
        beside = block.beside
        if any([place in r.known or place in r.others for r in inside]) or (
            beside is not None and any([e.is_of(tensor) for e in beside.entries])
        ):
            hold(tensor)
            return
        if block.settled is NOTHING:
            block.settled = {}
        known = block.settled.get(place)
        if known is None or known[0]() is not tensor:
            known = block.settled[place] = (weakref.ref(tensor), [])
        known[1].append(hold)

    def entered_late(self, tensor: Any) -> None:
        """State what a tensor had decided before it entered."""
        known = self.settled.pop(id(tensor), None)
        if known is not None and known[0]() is tensor:
            for hold in known[1]:
                hold(tensor)

    def follows(self, tensor: Any) -> bool:
        """Say whether NumPy's functions of a tensor are to be recorded."""
        kind = tensor.raw.dtype.kind
        if kind == "b":  # what a condition may come from
            return id(tensor) in self.shadows
        return kind in "fcV" and id(tensor) in self.known

    def followed(self, tensor: Any) -> int | None:
        """Give the position of what was computed of something watched, or None."""
        position = self.known.get(id(tensor))
        return (
            self.others[id(tensor)] if position is None and id(tensor) in self.shadows else position
        )

    def is_of_sizes(self, position: int) -> bool:
        """Say whether what is at a position follows from shapes alone, or from numbers."""
        stack = [position]
        while stack:
            operation, *operands = self.steps[stack.pop()]
            if not operands and type(operation) is not Constant:
                return False
            stack.extend(() if type(operation) is Count else operands)
        return True

    def follows_values(self, tensor: Any) -> bool:
        """Say whether a tensor was computed here, from values and not from shapes alone."""
        position = self.followed(tensor)
        stack = [] if position is None else [position]
        met = set(stack)
        while stack:
            operation, *operands = self.steps[stack.pop()]
            if type(operation) is Input:
                return True
            if type(operation) is not Count:
                stack.extend([p for p in operands if p not in met])
                met.update(operands)
        return False
