"""A derived program as a function of arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from symtape.codegen.compile import LARGEST, Source
from symtape.codegen.task import Task
from symtape.functions.tracing.floats import Floats, on_floats
from symtape.kernels.interpret import NARROW, execute, kernels_for
from symtape.program.operations import Call
from symtape.program.program import Program
from symtape.tensor.recording.recorder import THREAD, Recording
from symtape.tensor.requirements import Requirement
from symtape.tensor.tensor import Tensor


class Derivation(NamedTuple):
    """A program that computes results from inputs, both positions; inputs have labels.

    `requirements` are pairs of a position and what a value there has to pass.
    """

    program: Program
    inputs: tuple[int, ...]
    results: tuple[int, ...]
    labels: tuple[str | None, ...]
    requirements: tuple[tuple[int, Requirement], ...] = ()


class Routine:
    """Computes the results of a derivation, and what decided its branches, from arrays."""

    __slots__ = (
        *("_call", "_floats", "_function", "_guards", "_is_written", "_requirements"),
        *("derivation", "fresh", "size"),
    )

    def __init__(self, derivation: Derivation) -> None:
        self.derivation = derivation
        self.size = len(derivation.program)
        self.fresh = True
        self._guards = derivation.program.guards
        self._requirements = derivation.requirements
        self._is_written = False
        self._floats: Floats | None = None
        self._function: Any = None
        self._call: Call | None = None

    @property
    def outputs(self) -> tuple[int, ...]:
        """The positions of the results, of what decided a branch, and of what has to pass."""
        decided = [g.position for g in self._guards]
        return (*self.derivation.results, *decided, *[p for p, _ in self._requirements])

    @property
    def call(self) -> Call:
        """The whole computation as one step, for tapes that record it."""
        if self._call is None:
            self._call = Call(self.derivation.program, self.derivation.inputs, self.outputs)
        return self._call

    def run(self, values: Sequence[Any]) -> Sequence[Any] | None:
        """Compute results and deciding values.

        None if these values take another branch, or do not pass.
        """
        if not self._is_written:
            self._write()
        if self._guards or self._requirements:
            try:
                computed = self._compute(values)
            except Exception:  # noqa: BLE001 - of a branch that these values may not take
                return None
            return computed if self._takes_this_branch(computed) else None
        return self._compute(values)

    def _compute(self, values: Sequence[Any]) -> Sequence[Any]:
        if self._floats is not None:
            found = self._floats(*values)
            if found is not None:
                return found
            if self._function is None:
                self._function = self._of_numpy()
        if self._function is None:
            return self.interpret(values)
        computed: Sequence[Any] = THREAD.state.run(self._function, *values)
        return computed

    def interpret(self, values: Sequence[Any]) -> Sequence[Any]:
        """Compute step by step, whatever branch the values take."""
        program, inputs = self.derivation.program, self.derivation.inputs
        known = dict(zip(inputs, values, strict=True))
        schedule, _ = program.schedule(self.outputs, known)
        kernels = kernels_for(program.dtypes)
        computed: Sequence[Any] = THREAD.state.run(
            execute, program, schedule, known, self.outputs, kernels
        )
        return computed

    def _takes_this_branch(self, computed: Sequence[Any]) -> bool:
        decided, required = self._apart(computed[len(self.derivation.results) :])
        for guard, value in zip(self._guards, decided, strict=True):
            same = (
                np.asarray(value, bool) == guard.value
                if isinstance(guard.value, bool)
                else value == guard.value
            )
            if not np.all(same):
                return False
        return all([r(v) for (_, r), v in zip(self._requirements, required, strict=True)])

    def tell(self, recording: Recording, decided: Sequence[Tensor]) -> None:
        """Tell a recording around of the values that decided a branch, or had to pass."""
        branches, required = self._apart(decided)
        for guard, tensor in zip(self._guards, branches, strict=True):
            recording.decided(tensor, guard.value)
        for (_, requirement), tensor in zip(self._requirements, required, strict=True):
            recording.required(tensor, requirement)

    def _apart(self, deciding: Sequence[Any]) -> tuple[Sequence[Any], Sequence[Any]]:
        """Take what decided a branch and what has to pass apart."""
        return deciding[: len(self._guards)], deciding[len(self._guards) :]

    def _task(self, title: str = "f") -> Task:
        program, inputs, _, labels, _ = self.derivation
        return Task(program, inputs, self.outputs, labels, title)

    def _write(self) -> None:
        """Write code of Python's floats where that is fast, else of NumPy."""
        self._floats = on_floats(self._task())
        if self._floats is None:
            self._function = self._of_numpy()
        self._is_written = True

    def _of_numpy(self) -> Callable[..., Sequence[Any]] | None:
        """Compile code of NumPy; what has bfloat16, or very many steps, is interpreted."""
        is_narrow = kernels_for(self.derivation.program.dtypes) is NARROW
        return None if is_narrow or self.size > LARGEST else Source(*self._task()).compile()

    def text(self, title: str) -> str:
        """Write the code that runs."""
        task = self._task(title)
        floats = on_floats(task)
        return Source(*task).readable if floats is None else floats.text
