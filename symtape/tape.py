"""`tf.GradientTape`: its state machine, its structures and its errors."""

from __future__ import annotations

import enum
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import prod
from typing import Any, NoReturn, Protocol, Self, TypeAlias, TypeVar, overload

import numpy as np

from symtape import nest
from symtape.program.operations import add
from symtape.program.program import Program
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.derivatives import differentiate, staged
from symtape.tensor.derivatives.fixed import filled
from symtape.tensor.dispatch import apply2, invalid, mismatch
from symtape.tensor.recording import connection
from symtape.tensor.recording.logs import warn
from symtape.tensor.recording.recorder import THREAD, Recording
from symtape.tensor.tensor import Tensor
from symtape.tensor.variable import Variable

MayBeNone: TypeAlias = Any
"""None where nothing connects; a checker asks nobody to look for it, since few sources are so."""

_Leaf = TypeVar("_Leaf", bound=Tensor | Variable)
_Key = TypeVar("_Key")


class _NamedTuple(Protocol):
    """A named tuple, whose own fields say what they are."""

    def _asdict(self) -> dict[str, Any]: ...


_USED = (
    "A non-persistent GradientTape can only be used to compute one set of gradients (or jacobians)"
)
_INSIDE = (
    "Calling GradientTape.gradient on a persistent tape inside its context is significantly less "
    "efficient than calling it outside the context (it causes the gradient ops to be recorded on "
    "the tape, leading to increased CPU and memory usage). Only call GradientTape.gradient inside "
    "the context if you actually want to trace the gradient in order to compute higher order "
    "derivatives."
)


class UnconnectedGradients(enum.Enum):
    """What a gradient is where nothing connects: `NONE` is None, `ZERO` zeros like the source."""

    NONE = "none"
    ZERO = "zero"


_NONE = UnconnectedGradients.NONE  # members of an enumeration are looked up slowly
_TENSORS = (Tensor, Variable)
_getframe = sys._getframe  # noqa: SLF001 - whose variables name the leaves


class _Said:
    """Counts warnings that are given only so many times in a process."""

    def __init__(self) -> None:
        self.watched = 0
        self.inside = 0


_SAID = _Said()


class GradientTape:
    """Records operations, to differentiate them (`tf.GradientTape`).

    Trainable variables that are read inside the block are watched, unless
    `watch_accessed_variables` is false; tensors are watched with `watch`. A tape that is not
    persistent gives one set of gradients.

    >>> import symtape as tf
    >>> x = tf.constant(3.0)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = x * x
    >>> dy_dx = tape.gradient(y, x)
    >>> print(dy_dx, dy_dx.expr)
    tf.Tensor(6.0, shape=(), dtype=float32) 2*x
    """

    _recording: Recording | None = None
    _spent: Recording | None = None
    _active = False
    _watched: tuple[Variable, ...] = ()

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        self._persistent = persistent
        self._watches_variables = watch_accessed_variables

    # --- the state machine -----------------------------------------------------------------------

    def __enter__(self) -> Self:
        opener = id(_getframe(1))
        if self._active or self._recording is not None:
            self._push(opener)
            return self
        self._recording = recording = Recording(self._watches_variables, opener)
        recordings = THREAD.state.recordings
        if recordings:
            outermost = recordings[-1]
            recording.outermost = outermost.outermost or outermost
        recordings.insert(0, recording)
        self._active = True
        return self

    def __exit__(self, typ: object, value: object, traceback: object) -> None:
        if self._active:
            recordings = THREAD.state.recordings
            if recordings and recordings[0] is self._recording:  # what nearly every exit is
                del recordings[0]
                self._active = False
            else:
                self._pop()

    def _push(self, opener: int | None = None) -> None:
        if self._active:
            raise ValueError(
                "Tape is still recording, This can happen if you try to re-enter an "
                "already-active tape."
            )
        if self._recording is None:
            self._recording = Recording(self._watches_variables, opener)
            if THREAD.state.recordings:
                self._recording.outermost = THREAD.state.recordings[-1].block
        THREAD.state.recordings.insert(0, self._recording)
        self._active = True

    def _pop(self) -> None:
        if not self._active:
            raise ValueError("Tape is not recording.")
        recordings = THREAD.state.recordings
        if recordings and recordings[0] is self._recording:
            del recordings[0]
        else:
            recordings[:] = [r for r in recordings if r is not self._recording]
        self._active = False

    def __del__(self) -> None:
        if self._recording is not None:
            self._recording.release()

    def watch(self, tensor: Any) -> None:
        """Watch a tensor, a variable, or a structure of them.

        Raises `ValueError` for anything else.
        """
        if type(tensor) is Tensor and self._active and tensor.raw.dtype.kind == "f":
            self._recording.watch(tensor)  # type: ignore[union-attr]  # what nearly every call is
            return
        for given in (tensor,) if isinstance(tensor, Tensor) else nest.flatten(tensor):
            x = _behind(given)
            if not isinstance(x, (Tensor, Variable)):
                raise ValueError(
                    f"Passed in object {x} of type {type(x).__name__!r}, not tf.Tensor or "
                    "tf.Variable or ExtensionType."
                )
            kind = (x if isinstance(x, Tensor) else x.handle.tensor).raw.dtype.kind
            if kind not in "fcV" and _SAID.watched < 5:
                _SAID.watched += 1
                warn(
                    "The dtype of the watched tensor must be floating (e.g. tf.float32), got %r",
                    x.dtype,
                )
            if self._recording is None:
                raise AttributeError(
                    "'NoneType' object has no attribute '_tape': "
                    "watch() needs a tape that was entered"
                )
            if isinstance(x, Variable):
                self._recording.watch_variable(x.handle)
            else:
                self._recording.watch(x)

    @contextmanager
    def stop_recording(self) -> Iterator[None]:
        """Do not record what happens in the block; `RuntimeError` before the tape is entered."""
        if self._recording is None:
            raise RuntimeError("Trying to stop recording a tape which is not recording.")
        self._pop()
        try:
            yield
        finally:
            self._push()

    def reset(self) -> None:
        """Forget what was recorded so far, and go on recording."""
        self._pop()
        self._recording = None
        self._push()

    def watched_variables(self) -> tuple[Variable, ...]:
        """Give the variables that were watched, in the order in which they were made."""
        if self._recording is not None:
            self._watched = tuple(self._variables_of(self._recording))
        return self._watched

    @staticmethod
    def _variables_of(recording: Recording) -> Sequence[Variable]:
        if len(recording.variables) < 2:
            return [handle.variable() for handle, _ in recording.variables.values()]
        return [
            handle.variable()
            for handle, _ in sorted(recording.variables.values(), key=lambda v: v[0].number)
        ]

    @property
    def program(self) -> Program:
        """The recorded program; `print` it to see its steps.

        Raises `RuntimeError` for a tape that has recorded nothing yet.
        """
        recording = self._recording or self._spent
        if recording is None:
            raise RuntimeError("the tape has recorded nothing yet: enter it with `with`")
        return recording.program()[0]

    # --- gradients --------------------------------------------------------------------------------

    @overload
    def gradient(
        self,
        target: Any,
        sources: Tensor | Variable,
        output_gradients: Any = None,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
    ) -> Tensor | MayBeNone: ...

    @overload
    def gradient(
        self,
        target: Any,
        sources: list[_Leaf],
        output_gradients: Any = None,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
    ) -> list[Tensor | MayBeNone]: ...

    @overload
    def gradient(
        self,
        target: Any,
        sources: _NamedTuple,
        output_gradients: Any = None,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
    ) -> Any: ...

    @overload
    def gradient(
        self,
        target: Any,
        sources: tuple[_Leaf, ...],
        output_gradients: Any = None,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
    ) -> tuple[Tensor | MayBeNone, ...]: ...

    @overload
    def gradient(
        self,
        target: Any,
        sources: dict[_Key, _Leaf],
        output_gradients: Any = None,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
    ) -> dict[_Key, Tensor | MayBeNone]: ...

    @overload
    def gradient(
        self,
        target: Any,
        sources: Any,
        output_gradients: Any = None,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
    ) -> Any: ...

    def gradient(
        self,
        target: Any,
        sources: Any,
        output_gradients: Any = None,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
    ) -> Any:
        """Give the gradient of the sum of `target` with respect to each of `sources`.

        `target` and `sources` are tensors, variables or structures of them; the result has the
        structure of `sources`, and the shape and dtype of each source. `output_gradients` weights
        the elements of the targets. None stands where no target depends on a source, or zeros if
        `unconnected_gradients` is "zero".

        Raises `RuntimeError` for a tape that was used up and is not persistent, or was never
        entered, `TypeError` and `AttributeError` for targets and sources that are no tensors, and
        `DerivativeError` for a step that has no derivative in closed form.
        """
        recording = self._recording or self._ready()
        if self._active:
            self._leave_or_warn()
        zero = unconnected_gradients is not _NONE and _is_zero(unconnected_gradients)
        if target is None:
            raise TypeError(
                "Argument `target` should be a list or nested structure of Tensors, Variables or "
                "CompositeTensors to be differentiated, but received None."
            )
        targets = [target] if isinstance(target, _TENSORS) else _flat(target)
        flat = [sources] if isinstance(sources, _TENSORS) else _flat(sources)
        seeds = None if output_gradients is None else _seeds(output_gradients, targets)
        results = self._gradients(recording, targets, flat, seeds)
        if zero:
            results = [
                _zeros_like(s) if r is None else r for r, s in zip(results, flat, strict=True)
            ]
        self._consume()
        if differentiate.OBSERVERS:
            _tell("gradient", targets, flat, results)
        if isinstance(sources, _TENSORS):
            return results[0]
        return nest.pack_sequence_as(sources, results)

    def _gradients(
        self,
        recording: Recording,
        targets: Sequence[Any],
        sources: Sequence[Any],
        seeds: Sequence[Tensor | None] | None,
    ) -> Sequence[Tensor | None]:
        known = recording.known
        groups = tuple(
            [(known[id(s)],) if id(s) in known else _positions(recording, s) for s in sources]
        )
        if seeds is None and len(targets) == 1 and id(targets[0]) in known:
            return staged.gradient(recording, (known[id(targets[0])],), groups)
        seeds = seeds or [None] * len(targets)
        places: list[int] = []
        weights: list[Tensor] = []
        given = seeds.count(None) < len(seeds)
        unrecorded: list[tuple[Any, Tensor]] = []
        for target, seed in zip(targets, seeds, strict=True):
            tensor = target.handle.tensor if isinstance(target, Variable) else target
            place = known.get(id(tensor))
            if place is None:
                unrecorded.append((target, _ones_like(tensor) if seed is None else seed))
                continue
            places.append(place)
            if given:
                weights.append(_ones_like(tensor) if seed is None else seed)
        results = staged.gradient(recording, tuple(places), groups, weights)
        if not unrecorded:
            return results
        return [_with_itself(r, s, unrecorded) for r, s in zip(results, sources, strict=True)]

    def _ready(self, message: str = _USED) -> Recording:
        if self._recording is None:
            raise RuntimeError(message)
        return self._recording

    def _leave_or_warn(self) -> None:
        if not self._persistent:
            self._pop()
        elif not _SAID.inside:
            _SAID.inside += 1
            warn(_INSIDE)

    def _consume(self) -> None:
        recording = self._recording
        if not self._persistent and recording is not None:
            if recording.variables:
                self._watched = tuple(self._variables_of(recording))
            recording.release()
            self._spent = recording
            self._recording = None

    def _check_loop(self, name: str, iterations: Any, vectorized: bool, size: int) -> None:
        """Refuse what TensorFlow refuses of the loop that it would run: here there is none."""
        if not vectorized and not self._persistent:
            spaced = "and with  " if name == "jacobian" else "and  with "  # as TensorFlow has it
            raise RuntimeError(
                f"GradientTape must be created with persistent=True to compute the {name} with "
                f"eager execution enabled {spaced}experimental_use_pfor set to False."
            )
        if iterations is None:
            return
        pieces = vectorized and not self._persistent and 1 < iterations <= size
        if pieces and name == "batch_jacobian":
            raise RuntimeError(
                "in user code:\n\n\n    RuntimeError: GradientTape must be created with "
                f"persistent=True to compute the {name} with parallel_iterations."
            )
        if pieces or (vectorized and iterations <= 1):
            raise ValueError(
                f"Encountered an exception while vectorizing the {name} computation. "
                "Vectorization can be disabled by setting experimental_use_pfor to False."
            )
        if iterations < 1:
            raise TypeError("'parallel_iterations' must be a positive integer.")

    # --- Jacobians --------------------------------------------------------------------------------

    @overload
    def jacobian(
        self,
        target: Any,
        sources: Tensor | Variable,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Tensor | MayBeNone: ...

    @overload
    def jacobian(
        self,
        target: Any,
        sources: list[_Leaf],
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> list[Tensor | MayBeNone]: ...

    @overload
    def jacobian(
        self,
        target: Any,
        sources: _NamedTuple,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Any: ...

    @overload
    def jacobian(
        self,
        target: Any,
        sources: tuple[_Leaf, ...],
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> tuple[Tensor | MayBeNone, ...]: ...

    @overload
    def jacobian(
        self,
        target: Any,
        sources: dict[_Key, _Leaf],
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> dict[_Key, Tensor | MayBeNone]: ...

    @overload
    def jacobian(
        self,
        target: Any,
        sources: Any,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Any: ...

    def jacobian(
        self,
        target: Any,
        sources: Any,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """Give the derivative of every element of `target`: arrays of shape target + source.

        The last two arguments are TensorFlow's; they have no effect on the result. Raises
        `RuntimeError` for a tape that was used up, or for `experimental_use_pfor=False` without a
        persistent one, `ValueError` for `parallel_iterations` with which TensorFlow cannot
        vectorize, and what `gradient` raises of arguments.
        """
        recording = self._ready()
        zero = _is_zero(unconnected_gradients)
        flat = _flat(sources)
        shape = target.shape  # as in TensorFlow, an AttributeError for a list
        size = prod(n or 0 for n in shape)
        self._check_loop("jacobian", parallel_iterations, experimental_use_pfor, size)
        results = self._jacobians(recording, target, flat, batch=False)
        if zero:
            results = [
                _zeros(tuple(shape) + tuple(s.shape), s.dtype) if r is None else r
                for r, s in zip(results, flat, strict=True)
            ]
        self._finish()
        if differentiate.OBSERVERS:
            _tell("jacobian", [target], flat, results)
        return nest.pack_sequence_as(sources, results)

    def _jacobians(
        self, recording: Recording, target: Any, sources: Sequence[Any], *, batch: bool
    ) -> Sequence[Tensor | None]:
        tensor = target.handle.tensor if isinstance(target, Variable) else target
        place = recording.known.get(id(tensor))
        if place is None:
            for s in sources:
                if s is target:  # what was never recorded still depends on itself
                    recording.watch(tensor)
            place = recording.known.get(id(tensor))
        if place is None:
            return [None] * len(sources)
        groups = [_positions(recording, s) for s in sources]
        return staged.jacobian(recording, place, groups, batch=batch)

    def _finish(self) -> None:
        if self._active and not self._persistent:
            self._pop()
        self._consume()

    def batch_jacobian(
        self,
        target: Any,
        source: Any,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Tensor:
        """Give the Jacobian of each row: an array of shape (batch, rest of target, rest of source).

        As in TensorFlow it is the derivative of the sum over the batch of the target, and zeros
        where nothing connects. Raises `ValueError` for shapes that have no batch in common, and
        `RuntimeError` where `jacobian` does.
        """
        recording = self._ready(_USED.replace("to compute", "tocompute"))
        _is_zero(unconnected_gradients)
        shape, of = target.shape, source.shape
        if len(shape) < 1:
            raise IndexError("list index out of range")
        if shape[0] != (of[0] if len(of) else None):
            raise ValueError(
                f"Need first dimension of target shape ({shape}) and source shape ({of}) to match."
            )
        for s in (shape, of):
            if len(s) < 2:
                raise ValueError(f"Shape {s} must have rank at least 2")
        size = prod(n or 0 for n in shape[1:])
        self._check_loop("batch_jacobian", parallel_iterations, experimental_use_pfor, size)
        (found,) = self._jacobians(recording, _checked(target), [_checked(source)], batch=True)
        self._finish()
        if found is None:
            found = _zeros((*tuple(shape), *tuple(of)[1:]), target.dtype)
        if differentiate.OBSERVERS:
            _tell("batch_jacobian", [target], [source], [found])
        return found

    def hessian(
        self, target: Any, source: Any, unconnected_gradients: Any = UnconnectedGradients.NONE
    ) -> Tensor | MayBeNone:
        """Give the second derivative of the sum of `target`: an array of shape source + source.

        Beyond TensorFlow. It is derived in one go; no outer tape is needed. Raises `RuntimeError`
        for a tape that was used up, and what `gradient` raises of arguments.
        """
        recording = self._ready()
        zero = _is_zero(unconnected_gradients)
        source = _checked(source)
        places = [recording.known.get(id(t.read())) for t in map(_checked, nest.flatten(target))]
        (found,) = staged.hessian(
            recording, [p for p in places if p is not None], _positions(recording, source)
        )
        self._finish()
        if found is None and zero:
            found = _zeros(tuple(source.shape) * 2, source.dtype)
        if differentiate.OBSERVERS:
            _tell("hessian", nest.flatten(target), [source], [found])
        return found

    def why_none(self, target: Any, source: Any) -> str:
        """Say in words why the gradient of `target` with respect to `source` is None.

        Beyond TensorFlow. It names what is not watched, or the steps that pass no gradient on, and
        answers also on a tape that has been used up. Raises `RuntimeError` for one that was never
        entered.
        """
        recording = self._recording or self._spent or self._ready()
        return connection.why_none(recording, _checked(target), _checked(source))


def gradients(
    ys: Any,
    xs: Any,
    grad_ys: Any = None,
    name: str = "gradients",
    gate_gradients: bool = False,
    aggregation_method: Any = None,
    stop_gradients: Any = None,
    unconnected_gradients: Any = UnconnectedGradients.NONE,
) -> NoReturn:
    """Refuse with a `RuntimeError`, as TensorFlow does when it runs eagerly."""
    raise RuntimeError(
        "tf.gradients is not supported when eager execution is enabled. "
        "Use tf.GradientTape instead."
    )


def hessians(
    ys: Any,
    xs: Any,
    gate_gradients: bool = False,
    aggregation_method: Any = None,
    name: str = "hessians",
) -> NoReturn:
    """Refuse with a `RuntimeError`, as TensorFlow does eagerly; `GradientTape.hessian` does it."""
    raise RuntimeError(
        "tf.gradients is not supported when eager execution is enabled. "
        "Use tf.GradientTape instead."
    )


# --- helpers --------------------------------------------------------------------------------------


def _tell(
    kind: str, targets: Sequence[Any], sources: Sequence[Any], results: Sequence[Tensor | None]
) -> None:
    """Show a derivative to those who observe."""
    for observer in differentiate.OBSERVERS:
        observer(differentiate.Taken(kind, targets, sources, results))


def _is_zero(value: Any) -> bool:
    try:
        return UnconnectedGradients(value) is UnconnectedGradients.ZERO
    except ValueError:
        raise ValueError(f"Unknown value for unconnected_gradients: {value!r}") from None


def _flat(structure: Any) -> list[Any]:
    """List the tensors and variables of a structure."""
    if isinstance(structure, _TENSORS):
        return [structure]
    return [_checked(x) for x in nest.flatten(structure)]


def _checked(x: Any) -> Any:
    """Refuse what is no tensor, with TensorFlow's type and text."""
    x = _behind(x)
    if isinstance(x, (Tensor, Variable)):
        return x
    if isinstance(x, np.ndarray):
        raise AttributeError("'numpy.ndarray' object has no attribute '_id'")
    if x is None or isinstance(x, str) or type(x) is object:
        raise TypeError(f"Cannot convert the argument `type_value`: {x!r} to a TensorFlow DType.")
    raise AttributeError(f"{type(x).__name__!r} object has no attribute 'dtype'")


def _behind(x: Any) -> Any:
    """Give the variable that an object keeps, as Keras' variables do; anything else is itself."""
    if isinstance(x, (Tensor, Variable)) or not hasattr(x, "read_value"):
        return x
    return x.handle.variable()


def _seeds(given: Any, targets: Sequence[Any]) -> Sequence[Tensor | None]:
    """Pair weights with targets; as in TensorFlow, missing ones are one and further ones unused."""
    flat = nest.flatten(given)
    seeds: list[Tensor | None] = [_seed(g, t) for g, t in zip(flat, targets, strict=False)]
    return seeds + [None] * (len(targets) - len(seeds))


def _seed(given: Any, target: Any) -> Tensor:
    seed = (
        convert(given, hint=target.dtype) if not isinstance(given, np.ndarray) else convert(given)
    )
    if seed.dtype != target.dtype:
        raise mismatch("Mul", seed, target.read())
    shape, wide = seed.raw.shape, target.read().raw.shape
    try:
        fits = np.broadcast_shapes(shape, wide) == wide
    except ValueError:
        fits = False
    if not fits:
        texts = " vs. ".join(str(list(s)).replace(" ", "") for s in (shape, wide))
        raise invalid("Mul", f"Incompatible shapes: {texts}")
    return seed


def _positions(recording: Recording, source: Any) -> tuple[int, ...]:
    if isinstance(source, Variable):
        _, positions = recording.variables.get(id(source.handle), (None, ()))
        return tuple(positions)
    place = recording.known.get(id(source))
    return () if place is None else (place,)


def _with_itself(
    result: Tensor | None, source: Any, unrecorded: Sequence[tuple[Any, Tensor]]
) -> Tensor | None:
    """Add what a target that was never recorded gives to itself: its weight."""
    for target, seed in unrecorded:
        if target is source and _is_differentiable(source.dtype):
            result = seed if result is None else apply2(add, result, seed)
    return result


def _is_differentiable(dtype: dtypes.DType) -> bool:
    return dtype.is_floating or dtype.is_complex


def _ones_like(tensor: Tensor) -> Tensor:
    return filled(1, tensor.raw.shape, tensor.raw.dtype)


def _zeros_like(source: Any) -> Tensor:
    return _zeros(tuple(source.shape), source.dtype)


def _zeros(shape: Any, dtype: dtypes.DType) -> Tensor:
    return filled(0, tuple(shape), dtype.numpy)
