"""A transform of a function, as a function: traced once for each structure of its arguments."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Collection, Sequence
from typing import Any

from symtape.cache import Cache
from symtape.functions.tracing.arguments import Arguments, called, itself, parameter_names
from symtape.functions.tracing.origins import Origin, leaves_of, operands_of
from symtape.functions.tracing.paths import (
    Derivation,
    Kept,
    Path,
    Paths,
    Result,
    Routine,
    Run,
    inputs_of,
    made,
)
from symtape.functions.tracing.tracing import Traced, trace
from symtape.namespace import hiding
from symtape.tensor.recording.active import THREAD
from symtape.tensor.tensor import Tensor

_ROUTINES = Cache(max_entries=1024, max_steps=4_000_000, is_shared=True)
_MOST_PATHS = 16
"""How many branches of one structure are remembered; the one that was taken last is tried first."""


@hiding(
    "chosen has_aux names options packed packer paired phrase rebound result results run "
    "scalar sources split targets tensors text title traced transform undecided which "
    "with_aux"
)
class Function:
    """A callable that is a transform of another one: its gradient, its Jacobian, …

    The function is run on tensors once for each structure of its arguments (nesting, shapes,
    dtypes, and the values of what is no array), and compiled code is run from then on. A call that
    takes another branch, or finds that something else that the function reads has changed, traces
    it again. A function that draws random numbers, assigns variables, or looks at values by other
    means than conditions, is recorded on every call, as under a tape; it raises `EscapedValueError`
    where a part of its derivative would be lost with a value that leaves. It raises `RuntimeError`
    where the function was deleted since, or changes what it reads while it is traced.
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
        self._reference = reference or functools.partial(itself, function)
        self.names = parameter_names(function)
        self.phrase = f"{title}{self.which} of {called(function, self.names)}"
        own = "" if isinstance(function, functools.partial) else self.__doc__ or ""
        self.__doc__ = f"{self.phrase}; see `symtape.{title}`.\n\n{own}".rstrip()
        self._cache = Cache(max_entries=256, max_steps=4_000_000)

    def __repr__(self) -> str:
        return f"<{self.phrase}>"

    def __reduce__(self) -> Any:
        """Travel as the function and the transform, as `functools.partial` does, without paths."""
        if named(self) is self:  # a function that was decorated
            return self.__qualname__
        function = self._reference()
        if function is None:
            raise TypeError(f"cannot pickle {self.title}: the function does not exist any more")
        left_out = {"__wrapped__", "_cache", "_reference"}
        state = {name: value for name, value in self.__dict__.items() if name not in left_out}
        return revived, (type(self), function, state)

    # --- what each kind of function says ----------------------------------------------------------

    @property
    def which(self) -> str:
        """Which derivative it is, with a space before it."""
        return ""

    @property
    def transform(self) -> tuple[Any, ...]:
        """Which transform it is, hashable: equal ones of equal programs have equal results."""
        return (type(self),)

    def result(self, traced: Traced, arguments: Arguments) -> Result:
        """Derive what it gives from a traced function."""
        raise NotImplementedError(f"{type(self).__name__} derives nothing: {traced}, {arguments}")

    def traced(self, function: Callable[..., Any], arguments: Arguments, again: bool) -> Traced:
        """Trace the function for some arguments; `again` if it is recorded on every call."""
        return trace(function, arguments, self.sources(arguments), again=again)

    def sources(self, arguments: Arguments) -> Collection[int]:
        """Number the leaves of the arguments that it is differentiated by: all of them."""
        return range(len(arguments.leaves))

    def undecided(self, path: Path, inputs: Sequence[Any]) -> Sequence[Any]:
        """Compute what takes another branch than when it was traced, by a rounding error."""
        return path.routine.interpret(inputs)

    def packed(self, path: Path, results: Sequence[Any]) -> Any:
        """Give results the structure that the caller expects."""
        return path.result.tree.build(results)

    def packer(self, path: Path) -> Callable[[Sequence[Any]], Any]:
        """Make a function that does the same, quickly."""
        return path.result.tree.builder

    def rebound(self, standin: Callable[[Any], Any]) -> Function:
        """Give the same transform of what stands for the function."""
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__)
        made._reference = functools.partial(itself, standin(self._reference()))
        made._cache = Cache(max_entries=256, max_steps=4_000_000)
        return made

    # --- what a caller can ask --------------------------------------------------------------------

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Compute: arrays of arrays and numbers, tensors of tensors.

        Raises `EscapedValueError` and `RuntimeError` as the class says.
        """
        if not kwargs and not THREAD.state.recordings:
            path: Path | None = self._cache.last
            if path is not None and path.arity == len(args):
                results = path.again(args)
                if results is not None:
                    return path.pack(results)
        return self._called(args, kwargs)

    def _called(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Compute for arguments that are looked at closely."""
        run = self.run(Arguments(self.names, args, kwargs))
        return self.packed(run.path, self.results(run))

    def formula(self, /, *args: Any, **kwargs: Any) -> Any:
        """Compute for some arguments, and give tensors with all readings: `expr`, `latex()`, …

        Raises `EscapedValueError` and `RuntimeError` as the class says.
        """
        run = self.run(Arguments(self.names, args, kwargs))
        return self.packed(run.path, self.tensors(run))

    def source(self, /, *args: Any, **kwargs: Any) -> str:
        """Write the code that is compiled for arguments like these.

        Raises `EscapedValueError` and `RuntimeError` as the class says.
        """
        run = self.run(Arguments(self.names, args, kwargs))
        return self.text(run)

    def text(self, run: Run) -> str:
        """Write the code of the path that a call took."""
        return run.path.routine.text(f"{self.title}_{_identifier(self)}")

    def clear_cache(self) -> None:
        """Forget what was traced; the next call traces anew."""
        self._cache.clear()

    # --- running ----------------------------------------------------------------------------------

    def _note(self, path: Path, arguments: Arguments) -> None:
        """Be quick about arguments like these the next time."""
        self._cache.last = path
        if path.arity is None and not arguments.further and not arguments.kwargs:
            path.learn(arguments.args, arguments.values, self.packer(path))

    def run(self, arguments: Arguments) -> Run:
        """Compute by a path that is known, or a new one; `RuntimeError` is as the class says."""
        known = self._cache.get(arguments.key)
        for path in known.paths if known is not None else ():
            outsiders = path.outsiders()
            if outsiders is not None:
                inputs = inputs_of(arguments, outsiders)
                values = path.routine.run(inputs)
                if values is not None:
                    if path is not known.paths[0]:
                        self._remember(arguments, path)
                    if self._cache.last is not path:
                        self._note(path, arguments)
                    return made(path, arguments, outsiders, values)
        return self._run_anew(arguments, again=known is not None and known.again)

    def _run_anew(self, arguments: Arguments, *, again: bool) -> Run:
        function = self._reference()
        if function is None:
            raise RuntimeError(f"{self.title}: the function does not exist any more")
        traced = self.traced(function, arguments, again)
        key = (self.transform, arguments.key, tuple(arguments.labels()), traced.key, traced.tree)
        kept = _ROUTINES.get(key)
        if kept is None:
            kept = self._derived(traced, arguments)
            _ROUTINES.put(key, kept)
        path = Path(traced, kept.routine, kept.result)
        if not again:
            self._remember(arguments, path)
        outsiders = path.present()
        if outsiders is None:
            raise RuntimeError(f"{self.title}: what the function reads changed while it was traced")
        inputs = inputs_of(arguments, outsiders)
        values = kept.routine.run(inputs)
        if values is None:
            values = self.undecided(path, inputs)
        return made(path, arguments, outsiders, values)

    def _derived(self, traced: Traced, arguments: Arguments) -> Kept:
        result = self.result(traced, arguments)
        derivation = Derivation(
            program=result.program,
            inputs=(*traced.arguments, *[o.position for o in traced.others], *result.further),
            results=result.outputs,
            labels=(
                *arguments.labels(),
                *[o.label for o in traced.others],
                *arguments.further_labels,
            ),
            requirements=traced.requirements,
        )
        return Kept(result, Routine(derivation))

    def _remember(self, arguments: Arguments, path: Path) -> None:
        """Put a path in front, and drop those that hold no longer."""
        known = self._cache.get(arguments.key)
        others = known.paths if known is not None else ()
        kept = [p for p in (path, *(q for q in others if q is not path)) if p.holds()]
        again = path.traced.captured is None or (known is not None and known.again)
        self._cache.put(arguments.key, Paths(tuple(kept[:_MOST_PATHS]), again=again))

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
                run.path.routine.tell(outer, decided)
        return results if is_recorded or has_tensors else run.values

    def tensors(self, run: Run) -> list[Tensor]:
        """Give the results as tensors that know their formulas."""
        recordings = THREAD.state.recordings
        block = recordings[-1].block if recordings else None
        leaves = leaves_of(run, block)
        result = run.path.result
        tensors = []
        for value, position, rows in zip(run.values, result.outputs, result.rows, strict=True):
            tensor = Tensor(value)
            tensor.origin = (Origin(result.program, leaves, rows, block), position)
            tensors.append(tensor)
        return tensors


_REVIVED: dict[Any, Function] = {}
_MOST_REVIVED = 256


def revived(kind: type[Function], function: Callable[..., Any], state: dict[str, Any]) -> Function:
    """Make a function that travelled; one of a function that has a name here is made once.

    So a worker that receives it with each task traces it in the first one alone.
    """
    made = kind.__new__(kind)
    made.__dict__.update(state, __wrapped__=function)
    made._reference = functools.partial(itself, function)  # noqa: SLF001 - as __init__ makes it
    made._cache = Cache(max_entries=256, max_steps=4_000_000)  # noqa: SLF001 - likewise
    if named(function) is not function:
        return made
    key = (function, made.title, made.transform)
    while len(_REVIVED) >= _MOST_REVIVED:
        _REVIVED.pop(next(iter(_REVIVED)), None)
    return _REVIVED.setdefault(key, made)


def named(function: Any) -> Any:
    """Give what the module of a function has under its name."""
    thing: Any = sys.modules.get(getattr(function, "__module__", None) or "")
    for part in (getattr(function, "__qualname__", None) or "?").split("."):
        thing = getattr(thing, part, None)
    return thing


def _identifier(function: Any) -> str:
    name = getattr(function, "__name__", "f")
    return name if name.isidentifier() else "f"
