"""One way through a function: the program, how it is computed, and what a call gave."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from symtape.compiled.results import finished
from symtape.functions.tracing.arguments import Arguments
from symtape.functions.tracing.matching import Matcher, matcher
from symtape.functions.tracing.routine import Routine
from symtape.functions.tracing.tracing import Outsider, Traced
from symtape.nest.trees import Tree
from symtape.program.program import Program
from symtape.tensor.recording.provenance import Held, Leaf
from symtape.tensor.recording.recorder import THREAD, Recording
from symtape.tensor.recording.travel import Provenance
from symtape.tensor.tensor import Tensor
from symtape.tensor.variables.variable import Variable


class Result(NamedTuple):
    """What a transform of a traced function gives: a program, and the positions of its outputs.

    `rows` says of each output how many of its axes are rows, where it has rows and columns;
    `further` are the positions of what a call gives besides the arguments, such as tangents, and
    `back` is what a pullback needs.
    """

    program: Program
    outputs: tuple[int, ...]
    tree: Tree
    rows: tuple[int | None, ...]
    further: tuple[int, ...] = ()
    back: Any = None


class Path:
    """One way through a function: what was traced, and how the result is computed."""

    __slots__ = ("arity", "dtypes", "match", "pack", "result", "routine", "traced")

    def __init__(self, traced: Traced, routine: Routine, result: Result) -> None:
        self.traced, self.routine, self.result = traced, routine, result
        self.arity: int | None = None
        self.match: Matcher | None = None
        self.pack: Callable[[Sequence[Any]], Any] = result.tree.build
        self.dtypes = [result.program.dtypes[p] for p in result.outputs]

    def learn(
        self, args: tuple[Any, ...], values: Sequence[Any], pack: Callable[[Sequence[Any]], Any]
    ) -> None:
        """Be quick about arguments like these the next time, if they are just these values."""
        self.arity, self.pack = len(args), pack
        match = matcher(args)
        found = None if match is None else match(*args)
        if found is not None and [x.dtype for x in found] == [x.dtype for x in values]:
            self.match = match

    def again(self, args: tuple[Any, ...]) -> list[Any] | None:
        """Compute results, if arguments are built as they were, and nothing has changed."""
        inputs: Sequence[Any] | None = None if self.match is None else self.match(*args)
        if inputs is None or not self.holds():
            return None
        if self.traced.others:
            outsiders = self.present()
            if outsiders is None:
                return None
            own = len(self.traced.arguments)  # what comes after these is further, as tangents are
            inputs = [*inputs[:own], *[tensor.raw for tensor in outsiders], *inputs[own:]]
        values = self.routine.run(inputs)
        if values is None:
            return None
        dtypes = self.dtypes
        return finished(values[: len(dtypes)], inputs, dtypes)

    def outsiders(self) -> list[Tensor] | None:
        """Read the leaves that are no arguments.

        None if one has another shape or dtype now, or if something else that was read has changed.
        """
        return self.present() if self.holds() else None

    def holds(self) -> bool:
        """Say whether what the function reads, besides values that are read anew, is unchanged."""
        captured = self.traced.captured
        return captured is not None and captured.unchanged()

    def present(self) -> list[Tensor] | None:
        """Read the leaves that are no arguments, whatever else has changed."""
        program, tensors = self.traced.program, []
        for position, _, tensor, *_ in self.traced.others:
            present = tensor()
            value = present.raw
            if value.shape != program.shapes[position] or value.dtype != program.dtypes[position]:
                return None
            tensors.append(present)
        return tensors


class Paths:
    """The ways through a function that calls of one structure have taken, the last one first.

    `again` says that the function is recorded on every call.
    """

    __slots__ = ("again", "fresh", "paths", "size")

    def __init__(self, paths: tuple[Path, ...], *, again: bool) -> None:
        self.paths, self.again = paths, again
        self.size = sum(path.routine.size for path in paths)
        self.fresh = True


class Kept:
    """A routine in the cache that all functions share, with the result that it computes."""

    __slots__ = ("fresh", "result", "routine", "size")

    def __init__(self, result: Result, routine: Routine) -> None:
        self.result, self.routine, self.size, self.fresh = result, routine, routine.size, True


class Run(NamedTuple):
    """One call that was computed: the values, and what they were computed from."""

    path: Path
    arguments: Arguments
    outsiders: Sequence[Tensor]
    values: Sequence[Any]
    decided: Sequence[Any]


def inputs_of(arguments: Arguments, outsiders: Sequence[Tensor]) -> list[Any]:
    """List the values that a routine takes."""
    return [*arguments.values, *[t.raw for t in outsiders], *arguments.further_values]


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


def made(
    path: Path,
    arguments: Arguments,
    outsiders: Sequence[Tensor],
    inputs: Sequence[Any],
    found: Sequence[Any],
) -> Run:
    """Note what a call gave, its results as arrays of their own."""
    count = len(path.dtypes)
    values = finished(found[:count], inputs, path.dtypes)
    return Run(path, arguments, outsiders, values, found[count:])


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
