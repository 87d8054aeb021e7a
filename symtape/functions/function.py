"""A question about a function, as a function: traced once for each structure of its arguments."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from symtape.functions.arguments import Arguments, parameter_names
from symtape.functions.routine import Derivation, Routine, finished
from symtape.functions.tracing import Traced, trace
from symtape.functions.trees import Tree
from symtape.numeric.cache import Cache
from symtape.program.program import Program
from symtape.tensor.recorder import THREAD, Leaf
from symtape.tensor.tensor import Tensor
from symtape.tensor.variable import Variable

_ROUTINES = Cache(max_entries=1024, max_steps=4_000_000)
_MOST_PATHS = 16
"""How many branches of one structure are remembered; the one that was taken last is tried first."""


class Answer(NamedTuple):
    """What a question about a traced function gives: a program and its results.

    `rows` says of each result how many of its axes are rows, where it has rows and columns;
    `further` are the positions of what a call gives besides the arguments, such as tangents, and
    `back` is what a pullback needs.
    """

    program: Program
    results: tuple[int, ...]
    tree: Tree
    rows: tuple[int | None, ...]
    further: tuple[int, ...] = ()
    back: Any = None


class Path:
    """One way through a function: what was traced, and how the answer is computed."""

    __slots__ = ("answer", "dtypes", "routine", "traced")

    def __init__(self, traced: Traced, routine: Routine, answer: Answer) -> None:
        self.traced, self.routine, self.answer = traced, routine, answer
        self.dtypes = [answer.program.dtypes[p] for p in answer.results]

    def outsiders(self) -> list[Tensor] | None:
        """Read the leaves that are no arguments.

        None if one has another shape or dtype now, or if something else that was read has changed.
        """
        return self.present() if self.holds() else None

    def holds(self) -> bool:
        """Say whether what the function reads, besides values that are read anew, is unchanged."""
        around = self.traced.surroundings
        return around is not None and around.unchanged()

    def present(self) -> list[Tensor] | None:
        """Read the leaves that are no arguments, whatever else has changed."""
        program, found = self.traced.program, []
        for position, _, tensor, _ in self.traced.others:
            present = tensor()
            value = present.value
            if value.shape != program.shapes[position] or value.dtype != program.dtypes[position]:
                return None
            found.append(present)
        return found


class _Paths:
    """The ways through a function that calls of one structure have taken, the last one first.

    `peeks` is known of a function that is recorded on every call: whether it looks at values.
    """

    __slots__ = ("fresh", "paths", "peeks", "size")

    def __init__(self, paths: tuple[Path, ...], *, peeks: bool | None) -> None:
        self.paths, self.peeks = paths, peeks
        self.size = sum(path.routine.size for path in paths)
        self.fresh = True


class _Kept:
    """A routine in the cache that all functions share, with the answer that it computes."""

    __slots__ = ("answer", "fresh", "routine", "size")

    def __init__(self, answer: Answer, routine: Routine) -> None:
        self.answer, self.routine, self.size, self.fresh = answer, routine, routine.size, True


class Run(NamedTuple):
    """One call that was computed: the values, and what they were computed from."""

    path: Path
    arguments: Arguments
    outsiders: Sequence[Tensor]
    values: Sequence[Any]
    decided: Sequence[Any]


class Function:
    """A callable that answers a question about another one: its gradient, its Jacobian, …

    The function is run on tensors once for each structure of its arguments (nesting, shapes,
    dtypes, and the values of what is no array), and compiled code is run from then on. A call that
    takes another branch, or finds that something else that the function reads has changed, traces
    it again. A function that draws random numbers, assigns variables, or looks at values by other
    means than conditions, is recorded on every call, as under a tape.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        title: str,
        reference: Callable[[], Callable[..., Any] | None] | None = None,
    ) -> None:
        if not callable(function):
            raise TypeError(f"{title}: expected a function, not {function!r:.60}")
        functools.update_wrapper(self, function, updated=())
        if reference is not None:  # a weak one, of what is only remembered
            del self.__dict__["__wrapped__"]
        self.title = title
        self._reference = reference or functools.partial(_itself, function)
        self.names = parameter_names(function)
        self._cache = Cache(max_entries=256, max_steps=4_000_000)

    # --- what each kind of function says ----------------------------------------------------------

    @property
    def question(self) -> tuple[Any, ...]:
        """What is asked, hashable: equal questions about equal programs have equal answers."""
        return (type(self),)

    def answer(self, traced: Traced, arguments: Arguments) -> Answer:
        """Derive the answer from a traced function."""
        raise NotImplementedError(f"{type(self).__name__} answers nothing: {traced}, {arguments}")

    def packed(self, run: Run, results: Sequence[Any]) -> Any:
        """Give results the structure that the caller expects."""
        return run.path.answer.tree.build(results)

    # --- what a caller can ask --------------------------------------------------------------------

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Compute: arrays of arrays and numbers, tensors of tensors."""
        run = self.run(Arguments(self.names, args, kwargs))
        return self.packed(run, self.results(run))

    def formula(self, *args: Any, **kwargs: Any) -> Any:
        """Compute for some arguments, and give tensors with all readings: `expr`, `latex()`, …"""
        run = self.run(Arguments(self.names, args, kwargs))
        return self.packed(run, self.tensors(run))

    def source(self, *args: Any, **kwargs: Any) -> str:
        """Write the code that is compiled for arguments like these."""
        run = self.run(Arguments(self.names, args, kwargs))
        return self.text(run)

    def text(self, run: Run) -> str:
        """Write the code of the path that a call took."""
        return run.path.routine.text(f"{self.title}_{_identifier(self)}")

    def clear_cache(self) -> None:
        """Forget what was traced; the next call traces anew."""
        self._cache.clear()

    # --- running ----------------------------------------------------------------------------------

    def run(self, arguments: Arguments) -> Run:
        """Compute by a path that is known, or by a new one."""
        known = self._cache.get(arguments.key)
        for path in known.paths if known is not None else ():
            outsiders = path.outsiders()
            if outsiders is not None:
                inputs = _inputs(arguments, outsiders)
                found = path.routine.run(inputs)
                if found is not None:
                    if path is not known.paths[0]:
                        self._remember(arguments, path)
                    return _run(path, arguments, outsiders, inputs, found)
        return self._run_anew(arguments, None if known is None else known.peeks)

    def _run_anew(self, arguments: Arguments, peeks: bool | None) -> Run:
        function = self._reference()
        if function is None:
            raise RuntimeError(f"{self.title}: the function does not exist any more")
        traced = trace(function, arguments, peeks=peeks)
        key = (self.question, arguments.key, tuple(arguments.labels()), traced.key, traced.tree)
        kept = _ROUTINES.get(key)
        if kept is None:
            kept = self._derived(traced, arguments)
            _ROUTINES.put(key, kept)
        path = Path(traced, kept.routine, kept.answer)
        if peeks is None:
            self._remember(arguments, path)
        outsiders = path.present()
        if outsiders is None:
            raise RuntimeError(f"{self.title}: what the function reads changed while it was traced")
        inputs = _inputs(arguments, outsiders)
        found = kept.routine.run(inputs)
        if found is None:  # the branch was decided by a rounding error
            found = kept.routine.interpret(inputs)
        return _run(path, arguments, outsiders, inputs, found)

    def _derived(self, traced: Traced, arguments: Arguments) -> _Kept:
        answer = self.answer(traced, arguments)
        derivation = Derivation(
            program=answer.program,
            inputs=(*traced.arguments, *[o.position for o in traced.others], *answer.further),
            results=answer.results,
            labels=(
                *arguments.labels(),
                *[o.label for o in traced.others],
                *arguments.further_labels,
            ),
        )
        return _Kept(answer, Routine(derivation))

    def _remember(self, arguments: Arguments, path: Path) -> None:
        """Put a path in front, and drop those that hold no longer."""
        known = self._cache.get(arguments.key)
        others = known.paths if known is not None else ()
        kept = [p for p in (path, *(q for q in others if q is not path)) if p.holds()]
        peeks = None if known is None else known.peeks
        if path.traced.surroundings is None:
            peeks = path.traced.is_peeked
        self._cache.put(arguments.key, _Paths(tuple(kept[:_MOST_PATHS]), peeks=peeks))

    # --- results ----------------------------------------------------------------------------------

    def results(self, run: Run) -> Sequence[Any]:
        """Give arrays, or tensors if an argument is one or a tape listens to what was read."""
        recordings = THREAD.state.recordings
        has_tensors = run.arguments.has_tensors
        if not has_tensors and not (recordings and run.outsiders):
            return run.values
        results = self.tensors(run)
        operands = operands_of(run)
        decided = [Tensor(value) for value in run.decided]
        is_recorded = False
        for outer in recordings:
            if outer.record_call(run.path.routine.call, operands, [*results, *decided]):
                is_recorded = True
                guards = run.path.answer.program.guards
                for tensor, guard in zip(decided, guards, strict=True):
                    outer.decided(tensor, guard.value)
        return results if is_recorded or has_tensors else run.values

    def tensors(self, run: Run) -> list[Tensor]:
        """Give the results as tensors that know their formulas."""
        leaves = _leaves(run)
        answer = run.path.answer
        made = []
        for value, position, rows in zip(run.values, answer.results, answer.rows, strict=True):
            tensor = Tensor(value)
            tensor.origin = (Origin(answer.program, leaves, rows), position)
            made.append(tensor)
        return made


def _inputs(arguments: Arguments, outsiders: Sequence[Tensor]) -> list[Any]:
    return [*arguments.values, *[t.value for t in outsiders], *arguments.further_values]


def operands_of(run: Run) -> list[Tensor]:
    """Give the tensors that a call was computed from, for the tapes that record it."""
    own = map(_operand, run.arguments.leaves, run.arguments.values)
    further = map(_operand, run.arguments.further, run.arguments.further_values)
    others = run.path.traced.others
    outside = [
        Tensor(tensor.value.copy()) if other.is_open else tensor
        for other, tensor in zip(others, run.outsiders, strict=True)
    ]
    return [*own, *outside, *further]


def _run(
    path: Path,
    arguments: Arguments,
    outsiders: Sequence[Tensor],
    inputs: Sequence[Any],
    found: Sequence[Any],
) -> Run:
    count = len(path.dtypes)
    values = finished(found[:count], inputs, path.dtypes)
    return Run(path, arguments, outsiders, values, found[count:])


class Origin:
    """Where a tensor of a function comes from: the program of the answer, and its leaves."""

    __slots__ = ("_leaves", "program", "rows")

    def __init__(self, program: Program, leaves: list[Leaf], rows: int | None) -> None:
        self.program, self._leaves, self.rows = program, leaves, rows

    def locate(self, position: int) -> tuple[Program, int]:
        """Find the result."""
        return self.program, position

    def leaves(self) -> list[Leaf]:
        """List the arguments, and what else the function read."""
        return self._leaves


def _leaves(run: Run) -> list[Leaf]:
    inputs = run.path.routine.derivation.inputs
    labels = run.path.routine.derivation.labels
    outside = range(len(run.arguments.leaves), len(run.arguments.leaves) + len(run.outsiders))
    return [
        Leaf(position, label, functools.partial(_itself, tensor), watched=k not in outside)
        for k, (position, label, tensor) in enumerate(
            zip(inputs, labels, operands_of(run), strict=True)
        )
    ]


def _itself(thing: Any) -> Any:
    return thing


def _operand(leaf: Any, value: Any) -> Tensor:
    """Give an argument as a tensor; an array is copied, since its owner may change it."""
    if isinstance(leaf, (Tensor, Variable)):
        return leaf.read()
    return Tensor(value.copy() if isinstance(value, np.ndarray) else value)


def _identifier(function: Any) -> str:
    name = getattr(function, "__name__", "f")
    return name if name.isidentifier() else "f"
