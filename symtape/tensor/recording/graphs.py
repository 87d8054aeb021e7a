"""What `tf.gradients` reads: all that a `tf.function` computes, as a graph of TensorFlow's has it.

A function runs as it is, and nothing is recorded. Who asks for `tf.gradients` in it starts it anew,
and from then on it is recorded on every call.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from weakref import WeakSet

from symtape.program.operations import Call, Operation
from symtape.tensor.recording.active import THREAD
from symtape.tensor.recording.custom import Rule
from symtape.tensor.recording.recorder import Recording
from symtape.tensor.variables.scopes import SCOPES
from symtape.tensor.variables.versions import Assignments


class Graph(Recording):
    """A recording in which whatever enters is watched: all that is computed is connected."""

    def watches(self, handle: Any) -> bool:  # noqa: ARG002 - the same for all
        """Watch every variable that is read."""
        return True

    def record1(self, operation: Operation, x: Any, out: Any) -> None:
        """Record a step of one operand."""
        self._connect(x)
        super().record1(operation, x, out)

    def record2(self, operation: Operation, x: Any, y: Any, out: Any) -> None:
        """Record a step of two operands."""
        self._connect(x)
        self._connect(y)
        super().record2(operation, x, y, out)

    def record(self, operation: Operation, operands: Sequence[Any], out: Any) -> None:
        """Record a step of any number of operands."""
        for x in operands:
            self._connect(x)
        super().record(operation, operands, out)

    def record_call(self, call: Call, operands: Sequence[Any], results: Sequence[Any]) -> bool:
        """Record a derivative that was computed inside the function."""
        for x in operands:
            self._connect(x)
        return super().record_call(call, operands, results)

    def record_custom(
        self, rule: Rule, inputs: Sequence[Any], results: Sequence[Any], outs: Sequence[Any]
    ) -> None:
        """Record results of a function with a gradient of its own."""
        for x in inputs:
            self._connect(x)
        super().record_custom(rule, inputs, results, outs)

    def has(self, tensors: Sequence[Any]) -> bool:  # noqa: ARG002 - the same for all
        """Say whether it is the whole of what tensors can be connected by."""
        return True

    def _connect(self, tensor: Any) -> None:
        """Watch what can have a derivative, unless it is known to be without one."""
        if id(tensor) not in self.others and tensor.raw.dtype.kind in "fcV":
            self.watch(tensor)


class Part(Graph):
    """The part of a function's graph that one with a gradient of its own computes.

    Its gradient is taken when the function is over, and may ask for `tf.gradients` of the part.
    """

    def has(self, tensors: Sequence[Any]) -> bool:
        """Say whether all tensors are in the part; variables are, since all of them are watched."""
        return all([id(x) in self.known or not hasattr(x, "raw") for x in tensors])

    @contextmanager
    def written(self, arguments: Sequence[Any] = ()) -> Iterator[None]:
        """Record what is computed, and know the arguments."""
        for x in arguments:
            self._connect(x)
        recordings = THREAD.state.recordings
        recordings.insert(0, self)
        try:
            yield
        finally:
            recordings[:] = [r for r in recordings if r is not self]

    @contextmanager
    def entered_again(self) -> Iterator[None]:
        """Be within the function again, of which this is the graph; who is in one stays there."""
        if INSIDE.depth:
            yield
            return
        INSIDE.depth, INSIDE.graph = 1, self
        try:
            with self.written():
                yield
        finally:
            INSIDE.depth, INSIDE.graph = 0, None


class NeedsGraph(BaseException):
    """Somebody asks for `tf.gradients` in a function of which nothing is recorded."""


class Inside(threading.local):
    """The `tf.function`s that run in this thread, one within another: how many, and the outermost.

    `outside` are the recordings that were there before, and derive what is computed in it: those
    of a function with a gradient of its own do not.
    """

    def __init__(self) -> None:
        self.depth = 0
        self.graph: Graph | None = None
        self.outside: Sequence[Recording] = ()

    @contextmanager
    def underived(self) -> Iterator[None]:
        """Within a function that says what its gradient is, as TensorFlow's graphs have it."""
        before, self.outside = self.outside, ()
        try:
            yield
        finally:
            self.outside = before


INSIDE = Inside()
_RECORDED: WeakSet[Any] = WeakSet()
"""The functions in which somebody has asked for `tf.gradients`."""


def run(function: Callable[..., Any], call: Callable[[], Any]) -> Any:
    """Call what `tf.function` decorates; a function within another is part of its graph.

    Scopes of names that are open where it is called are not open in it.
    """
    scope, SCOPES.open = SCOPES.open, ""
    INSIDE.depth += 1
    try:
        return call() if INSIDE.depth > 1 else _outermost(function, call)
    finally:
        INSIDE.depth -= 1
        SCOPES.open = scope


def _outermost(function: Callable[..., Any], call: Callable[[], Any]) -> Any:
    INSIDE.outside = tuple(THREAD.state.recordings)
    own = getattr(function, "__func__", function)
    try:
        if not (_RECORDED and own in _RECORDED):
            try:
                return _plain(call)
            except NeedsGraph:
                _RECORDED.add(own)
        return _recorded(call)
    finally:
        INSIDE.outside = ()


def _plain(call: Callable[[], Any]) -> Any:
    """Call a function as it is; where it has to start anew, what it has assigned is undone."""
    with Assignments() as assignments:
        try:
            return call()
        except NeedsGraph:
            assignments.undo()
            raise


def _recorded(call: Callable[[], Any]) -> Any:
    """Call a function in a recording of its own."""
    INSIDE.graph = graph = Graph()
    THREAD.state.recordings.insert(0, graph)
    try:
        return call()
    finally:
        INSIDE.graph = None
        recordings = THREAD.state.recordings
        recordings[:] = [r for r in recordings if r is not graph]
        graph.release()
