"""Tensors of known numbers, whose formulas are those numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.program.program import Builder, Program
from symtape.tensor.recording.active import THREAD
from symtape.tensor.recording.provenance import Leaf
from symtape.tensor.recording.recorder import Recording
from symtape.tensor.recording.travel import Provenance
from symtape.tensor.tensor import Tensor


class Fixed(Provenance):
    """Where a tensor of known numbers comes from: a program without leaves."""

    __slots__ = ("block", "program")
    decisions = None

    def __init__(self, program: Program, block: Recording | None) -> None:
        self.program = program
        self.block = block

    def locate(self, position: int) -> tuple[Program, int]:
        """Find the number."""
        return self.program, position

    def leaves(self) -> list[Leaf]:
        """List no tensors."""
        return []


def filled(number: int, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Tensor:
    """Make a tensor of one number whose formula is that number."""
    b = Builder()
    position = b.broadcast(b.constant(number, dtype), shape)
    return fixed(b.finish(), position, np.full(shape, number, dtype)[()])


def fixed(program: Program, position: int, value: Any) -> Tensor:
    """Make a tensor of a value that a program without leaves has at a position."""
    made = Tensor(value)
    recordings = THREAD.state.recordings
    block = recordings[-1].block if recordings else None
    made.origin = (Fixed(program, block), position)
    return made
