"""`tf.GradientTape`: what it records, and the gradients that it gives."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from operator import attrgetter
from typing import Any, Self, overload

from symtape.program.program import Program
from symtape.tape.asking import (
    USED,
    Key,
    Leaf,
    MayBeNone,
    NamedTuple,
    UnconnectedGradients,
    is_zero,
    tell,
)
from symtape.tape.jacobians import Jacobians
from symtape.tensor.derivatives import differentiate, given
from symtape.tensor.derivatives.given import TENSORS
from symtape.tensor.recording import connection
from symtape.tensor.recording.active import THREAD
from symtape.tensor.recording.logs import warn
from symtape.tensor.recording.recorder import Recording
from symtape.tensor.tensor import Tensor
from symtape.tensor.variables.variable import Variable

_INSIDE = (
    "Calling GradientTape.gradient on a persistent tape inside its context is significantly less "
    "efficient than calling it outside the context (it causes the gradient ops to be recorded on "
    "the tape, leading to increased CPU and memory usage). Only call GradientTape.gradient inside "
    "the context if you actually want to trace the gradient in order to compute higher order "
    "derivatives."
)


_NUMBER = attrgetter("number")
_NONE = UnconnectedGradients.NONE  # members of an enumeration are looked up slowly
_getframe = sys._getframe  # noqa: SLF001 - whose variables name the leaves


class _Said:
    """Counts warnings that are given only so many times in a process."""

    def __init__(self) -> None:
        self.watched = 0
        self.inside = 0


_SAID = _Said()


class GradientTape(Jacobians):
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
        handles = [handle for handle, _ in recording.variables.values()]
        if len(handles) > 1:
            handles.sort(key=_NUMBER)
        return [handle.variable() for handle in handles]

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
        sources: list[Leaf],
        output_gradients: Any = None,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
    ) -> list[Tensor | MayBeNone]: ...

    @overload
    def gradient(
        self,
        target: Any,
        sources: NamedTuple,
        output_gradients: Any = None,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
    ) -> Any: ...

    @overload
    def gradient(
        self,
        target: Any,
        sources: tuple[Leaf, ...],
        output_gradients: Any = None,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
    ) -> tuple[Tensor | MayBeNone, ...]: ...

    @overload
    def gradient(
        self,
        target: Any,
        sources: dict[Key, Leaf],
        output_gradients: Any = None,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
    ) -> dict[Key, Tensor | MayBeNone]: ...

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
        zero = unconnected_gradients is not _NONE and is_zero(unconnected_gradients)
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
            tell("gradient", targets, flat, results)
        if isinstance(sources, TENSORS):
            return results[0]
        return given.like(sources, results)

    def _ready(self, message: str = USED) -> Recording:
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

    def _finish(self) -> None:
        if self._active and not self._persistent:
            self._pop()
        self._consume()

    def why_none(self, target: Any, source: Any) -> str:
        """Say in words why the gradient of `target` with respect to `source` is None.

        Beyond TensorFlow. It names what is not watched, or the steps that pass no gradient on, and
        answers also on a tape that has been used up. Raises `RuntimeError` for one that was never
        entered.
        """
        recording = self._recording or self._spent or self._ready()
        return connection.why_none(recording, given.checked(target), given.checked(source))
