"""One way through a function: the program, how it is computed, and what a call gave."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, NamedTuple, cast

import numpy as np

from symtape.codegen import python_code
from symtape.codegen.compile import LARGEST, Source
from symtape.codegen.task import Code, Task
from symtape.compiled.results import finished
from symtape.errors import UnsupportedError
from symtape.functions.tracing.arguments import Arguments
from symtape.functions.tracing.matching import Matcher, matcher
from symtape.functions.tracing.tracing import Traced
from symtape.kernels.interpret import NARROW, execute, kernels_for
from symtape.lowering.unrolling import unrolled
from symtape.nest.trees import Tree
from symtape.program.operations import Call
from symtape.program.program import Program
from symtape.tensor.recording.active import THREAD
from symtape.tensor.recording.recorder import Recording
from symtape.tensor.requirements import Requirement
from symtape.tensor.tensor import Tensor


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

    __slots__ = ("arity", "match", "pack", "result", "routine", "traced")

    def __init__(self, traced: Traced, routine: Routine, result: Result) -> None:
        self.traced, self.routine, self.result = traced, routine, result
        self.arity: int | None = None
        self.match: Matcher | None = None
        self.pack: Callable[[Sequence[Any]], Any] = result.tree.build

    def learn(
        self, args: tuple[Any, ...], values: Sequence[Any], pack: Callable[[Sequence[Any]], Any]
    ) -> None:
        """Be quick about arguments like these the next time, if they are just these values."""
        self.arity, self.pack = len(args), pack
        match = matcher(args)
        found = None if match is None else match(*args)
        if found is not None and [x.dtype for x in found] == [x.dtype for x in values]:
            self.match = match

    def again(self, args: tuple[Any, ...]) -> Sequence[Any] | None:
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
        return None if values is None else values[: len(self.result.outputs)]

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


def made(
    path: Path,
    arguments: Arguments,
    outsiders: Sequence[Tensor],
    found: Sequence[Any],
) -> Run:
    """Note what a call gave."""
    count = len(path.result.outputs)
    return Run(path, arguments, outsiders, found[:count], found[count:])


# --- how a program is computed --------------------------------------------------------------------


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
        *("_call", "_dtypes", "_floats", "_function", "_guards", "_is_written", "_requirements"),
        *("derivation", "fresh", "size"),
    )

    def __init__(self, derivation: Derivation) -> None:
        self.derivation = derivation
        self.size = len(derivation.program)
        self.fresh = True
        self._dtypes = [derivation.program.dtypes[p] for p in derivation.results]
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
        """Compute results, which are arrays of their own, and deciding values.

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
        return self._owned(THREAD.state.run(self._function, *values), values)

    def _owned(self, computed: Sequence[Any], values: Sequence[Any]) -> Sequence[Any]:
        """Make results arrays of their own, which share nothing with what was given."""
        count = len(self._dtypes)
        results = finished(computed[:count], values, self._dtypes)
        return [*results, *computed[count:]] if len(computed) > count else results

    def interpret(self, values: Sequence[Any]) -> Sequence[Any]:
        """Compute step by step, whatever branch the values take."""
        program, inputs = self.derivation.program, self.derivation.inputs
        known = dict(zip(inputs, values, strict=True))
        schedule, _ = program.schedule(self.outputs, known)
        kernels = kernels_for(program.dtypes)
        run = THREAD.state.run
        return self._owned(run(execute, program, schedule, known, self.outputs, kernels), values)

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


# --- on Python's floats: programs of scalars, and long ones of small arrays -----------------------

MOST = 100_000
"""How many steps a program may have for which code of floats is written."""
_FLOATS = {np.dtype(np.float64), np.dtype(np.bool_)}


class Floats:
    """Runs code of Python's floats on NumPy's numbers, and gives NumPy's numbers.

    It gives None where Python raises instead of giving an infinity or nan, as NumPy does.
    """

    def __init__(self, code: Code, task: Task) -> None:
        self.text = code.text
        self._attempt = cast("Any", code.run).attempt
        self._kinds = [task.program.dtypes[p].type for p in task.outputs]

    def __call__(self, *values: Any) -> Sequence[Any] | None:
        """Compute."""
        found = self._attempt(map(float, values))
        if found is None:
            return None
        return [kind(value) for kind, value in zip(self._kinds, found, strict=True)]


class Elements(Floats):
    """Runs code of the elements of arrays."""

    def __init__(self, code: Code, task: Task) -> None:
        super().__init__(code, task)
        self._shapes = [task.program.shapes[p] for p in task.outputs]

    def __call__(self, *values: Any) -> Sequence[Any] | None:
        """Compute."""
        given: list[float] = []
        for value in values:
            given += value.ravel().tolist()
        found = self._attempt(given)
        return None if found is None else self._packed(found)

    def _packed(self, found: Sequence[Any]) -> list[Any]:
        """Put elements into arrays."""
        arrays, end = [], 0
        for kind, shape in zip(self._kinds, self._shapes, strict=True):
            start, end = end, end + prod(shape)
            part = found[start:end]
            arrays.append(np.array(part, kind).reshape(shape) if shape else kind(part[0]))
        return arrays


def on_floats(task: Task) -> Floats | None:
    """Write code of floats where all are scalars of float64, or many steps are of a few numbers."""
    program = task.program
    if len(program) > MOST or not all([d in _FLOATS for d in program.dtypes]):
        return None
    try:
        if not any(program.shapes):
            return Floats(python_code.BACKEND.write(task), task)
        elements = _of_elements(task)
        return None if elements is None else Elements(python_code.BACKEND.write(elements), task)
    except UnsupportedError:  # `math` has fewer functions than NumPy and SciPy
        return None


def _of_elements(task: Task) -> Task | None:
    """Write a task of small arrays as one of their elements."""
    found = unrolled(task.program, task.inputs, task.outputs)
    if found is None:
        return None
    names: list[str | None] = []
    for p, name in zip(task.inputs, task.names, strict=True):
        shape = task.program.shapes[p]
        places = ["".join(f"_{k}" for k in place) for place in np.ndindex(*shape)]
        names += [name and f"{name}{place}" for place in places]
    return Task(*found, names, task.title)
