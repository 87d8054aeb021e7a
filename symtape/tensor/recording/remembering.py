"""What a block remembers of what no tape watches in it: how that was computed, what it decided."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtape.program.operations import Operation
from symtape.program.program import Guard, Step
from symtape.tensor.recording.provenance import Beside, Decision
from symtape.tensor.recording.travel import Provenance


class Remembering(Provenance):
    """A recording, of which the outermost one of a block keeps what all of them do not record."""

    outermost: Any = None
    beside: Beside | None = None
    guards: tuple[Guard, ...] = ()

    @property
    def block(self) -> Any:
        """The recording of the outermost block around this one, which knows what is beside."""
        return self.outermost or self

    def _remember(self, operation: Operation, operands: Sequence[Any], out: Any) -> None:
        """Let the result of what nobody watches carry how it was computed."""
        block = self.outermost or self
        outside = (block.beside or block.set_aside()).outside
        node: list[Any] = [operation]
        for x in operands:
            origin = x.origin
            if origin is None:
                node.append(outside.get(id(x)) or block.operand(x))
            else:
                is_node = origin[0] is self and type(origin[1]) is tuple
                node.append(origin[1] if is_node else block.operand(x))
        out.origin = (block, tuple(node))

    def made(self, tensor: Any) -> bool:
        """Say whether a tensor was computed in this block."""
        return tensor.origin is not None and tensor.origin[0].block is self.block

    @property
    def decisions(self) -> list[Decision] | None:
        """What control flow decided in the block, or None if the guards tell all of it."""
        beside = self.block.beside
        return None if beside is None else beside.decisions

    def set_aside(self) -> Beside:
        """Give what the outermost recording keeps beside its steps."""
        if self.beside is None:
            self.beside = Beside([Decision((self, g.position), g.value) for g in self.guards])
        return self.beside

    def operand(self, tensor: Any) -> Any:
        """Say how a tensor was computed in this block, or that it came from outside."""
        origin = tensor.origin
        block = self.outermost or self
        if origin is not None and origin[0].block is block:
            is_node = origin[0] is block and type(origin[1]) is tuple
            return origin[1] if is_node else origin
        return tensor.entering(block)

    def origin_of(self, tensor: Any, step: Step) -> Any:
        """Say how a leaf was computed, unless it came from outside, or is watched: a symbol."""
        return self.operand(tensor) if not step[0].watched and self.made(tensor) else None
