"""Where the results of a call come from: the tensors it was computed from, and their formulas."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.functions.tracing.paths import Run
from symtape.functions.tracing.tracing import Outsider
from symtape.program.program import Program
from symtape.tensor.recording.active import THREAD
from symtape.tensor.recording.provenance import Held, Leaf
from symtape.tensor.recording.recorder import Recording
from symtape.tensor.recording.travel import Provenance
from symtape.tensor.tensor import Tensor
from symtape.tensor.variables.variable import Variable


def operands_of(run: Run) -> list[Tensor]:
    """Give the tensors that a call was computed from, for the tapes that record it."""
    own = map(_operand, run.arguments.leaves, run.arguments.values)
    further = map(_operand, run.arguments.further, run.arguments.further_values)
    others = run.path.traced.others
    outside = map(_outside, others, run.outsiders)
    return [*own, *outside, *further]


def _outside(other: Outsider, tensor: Tensor) -> Tensor:
    """Give a leaf that is no argument; those who trace a function around read its array anew."""
    if other.source is None:
        return tensor
    kept = Tensor(tensor.raw.copy())
    for recording in THREAD.state.recordings:
        recording.took_in(kept, other.source)
    return kept


class Origin(Provenance):
    """Where a tensor of a function comes from: the program of the result, and its leaves."""

    __slots__ = ("_leaves", "block", "program", "rows")
    decisions = None
    is_listed = True

    def __init__(self, program: Program, leaves: list[Leaf], rows: int | None, block: Any) -> None:
        self.program, self._leaves, self.rows, self.block = program, leaves, rows, block

    def locate(self, position: int) -> tuple[Program, int]:
        """Find the result."""
        return self.program, position

    def leaves(self) -> list[Leaf]:
        """List the arguments, and what else the function read."""
        return self._leaves


def leaves_of(run: Run, block: Recording | None) -> list[Leaf]:
    """List the leaves of the formulas of a call, which may be computed in a block."""
    inputs = run.path.routine.derivation.inputs
    labels = run.path.routine.derivation.labels
    outside = range(len(run.arguments.leaves), len(run.arguments.leaves) + len(run.outsiders))
    return [
        Leaf(
            position,
            label,
            Held(tensor),
            watched=k not in outside,
            origin=block.operand(tensor) if block is not None and block.made(tensor) else None,
        )
        for k, (position, label, tensor) in enumerate(
            zip(inputs, labels, operands_of(run), strict=True)
        )
    ]


def _operand(leaf: Any, value: Any) -> Tensor:
    """Give an argument as a tensor; an array is copied, since its owner may change it."""
    if isinstance(leaf, (Tensor, Variable)):
        return leaf.read()
    return Tensor(value.copy() if isinstance(value, np.ndarray) else value)
