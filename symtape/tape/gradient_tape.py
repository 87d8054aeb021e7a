"""`tf.GradientTape`: its state machine, what it gives derivatives of, and its errors."""

from __future__ import annotations

import enum
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import prod
from typing import Any, Protocol, Self, TypeAlias, TypeVar, overload

from symtape import nest
from symtape.program.program import Program
from symtape.tensor.derivatives import differentiate, given, staged
from symtape.tensor.derivatives.given import TENSORS
from symtape.tensor.recording import connection
from symtape.tensor.recording.logs import warn
from symtape.tensor.recording.recorder import THREAD, Recording
from symtape.tensor.tensor import Tensor
from symtape.tensor.variables.variable import Variable

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

    def __del__(self, is_finalizing: Callable[[], bool] = sys.is_finalizing) -> None:
        # When Python ends, what releasing calls may be gone before a tape that some module held.
        # What was entered and not left goes on recording without its tape, as in TensorFlow.
        if self._recording is not None and not self._active and not is_finalizing():
            self._recording.release()

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("cannot pickle or copy a GradientTape; its derivatives can be")

    def watch(self, tensor: Any) -> None:
        """Watch a tensor, a variable, or a structure of them.

        Raises `ValueError` for anything else, as for a variable of Keras, which keeps one in
        `value` and is watched by itself where it is trainable.
        """
        if type(tensor) is Tensor and self._active and tensor.raw.dtype.kind == "f":
            self._recording.watch(tensor)  # type: ignore[union-attr]  # what nearly every call is
            return
        for x in (tensor,) if isinstance(tensor, Tensor) else given.watched(tensor):
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
        targets = [target] if isinstance(target, TENSORS) else given.flat(target)
        flat = [sources] if isinstance(sources, TENSORS) else given.flat(sources)
        seeds = None if output_gradients is None else given.seeds(output_gradients, targets)
        results = given.gradients(recording, targets, flat, seeds)
        if zero:
            results = [
                given.zeros_like(s) if r is None else r for r, s in zip(results, flat, strict=True)
            ]
        self._consume()
        if differentiate.OBSERVERS:
            _tell("gradient", targets, flat, results)
        if isinstance(sources, TENSORS):
            return results[0]
        return given.like(sources, results)

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

    @contextmanager
    def _kept(self) -> Iterator[None]:
        """Take a derivative that is not the last one: what was recorded stays for another."""
        if self._active and not self._persistent:
            self._pop()
        persistent, self._persistent = self._persistent, True
        try:
            yield
        finally:
            self._persistent = persistent

    def _consume(self) -> None:
        recording = self._recording
        if not self._persistent and recording is not None:
            if recording.variables:
                self._watched = tuple(self._variables_of(recording))
            recording.release()
            self._spent = recording
            self._recording = None

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
        flat = given.flat(sources)
        shape = target.shape  # as in TensorFlow, an AttributeError for a list
        size = prod(n or 0 for n in shape)
        given.check_loop(
            "jacobian",
            parallel_iterations,
            size,
            vectorized=experimental_use_pfor,
            persistent=self._persistent,
        )
        results = given.jacobians(recording, target, flat, batch=False)
        if zero:
            results = [
                given.zeros(tuple(shape) + tuple(s.shape), s.dtype) if r is None else r
                for r, s in zip(results, flat, strict=True)
            ]
        self._finish()
        if differentiate.OBSERVERS:
            _tell("jacobian", [target], flat, results)
        return nest.pack_sequence_as(sources, results)

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
        given.check_loop(
            "batch_jacobian",
            parallel_iterations,
            size,
            vectorized=experimental_use_pfor,
            persistent=self._persistent,
        )
        (found,) = given.jacobians(
            recording, given.checked(target), [given.checked(source)], batch=True
        )
        self._finish()
        if found is None:
            found = given.zeros((*tuple(shape), *tuple(of)[1:]), target.dtype)
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
        source = given.checked(source)
        places = [
            recording.known.get(id(t.read())) for t in map(given.checked, nest.flatten(target))
        ]
        (found,) = staged.hessian(
            recording, [p for p in places if p is not None], given.positions(recording, source)
        )
        self._finish()
        if found is None and zero:
            found = given.zeros(tuple(source.shape) * 2, source.dtype)
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
        return connection.why_none(recording, given.checked(target), given.checked(source))


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
