"""A function is only looked at, for the sizes of what it gives: which of them hang on values.

TensorFlow traces a function with tensors that have no values, and a size that hangs on one is None.
Here the function runs several times, with sizes that are made up, another one each time; a size in
which all runs agree is known. So whatever takes a size from a value that nobody could know takes
the number of the run instead. Known are the constants of the function and what is computed of
them, and the sizes of tensors.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from symtape.kernels.interpret import KERNELS
from symtape.program.kinds.structural import Concat, Reshape, Slice
from symtape.program.operations import Cast, Count, Einsum, Operation, identity
from symtape.tensor.recording.active import recorded_by
from symtape.tensor.recording.recorder import Recording

_MOVING = (Concat, Reshape, Slice)
"""Kinds that only put elements elsewhere, so that each is as known as it was."""
_MOST = 64
"""Elements of a shape, or of what one is made of, at most: others are known as a whole."""


class Looking(Recording):
    """What knows of each tensor of a run whether its value could be known, by element.

    A tensor that no operation told of, as that of a text is, is known as long as nobody has read
    what is not.
    """

    has_varied = False
    """Whether the number of the run went into it: else all runs would be the same."""
    has_branched = False
    """Whether a tensor has chosen what is computed, of which TensorFlow traces all ways."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = self.turn = number
        self._unknown: dict[int, tuple[weakref.ref[Any], Any]] = {}
        self._loose: dict[int, tuple[weakref.ref[Any], set[int]]] = {}
        self._has_read = False

    def forget(self, tensor: Any, axes: Iterable[int] = ()) -> Any:
        """Let the value of a tensor be unknown, and the sizes of some axes, and give it."""
        self._unknown[id(tensor)] = (weakref.ref(tensor), True)
        self.loosen(tensor, axes)
        return tensor

    def loosen(self, tensor: Any, axes: Iterable[int]) -> None:
        """Let the sizes of some axes of a tensor be unknown."""
        found = {*self.loose(tensor)} | {axis % tensor.raw.ndim for axis in axes}
        if found:
            self.has_varied = True
            self._loose[id(tensor)] = (weakref.ref(tensor), found)

    def loose(self, tensor: Any) -> frozenset[int] | set[int]:
        """List the axes whose sizes are unknown, as far as they were followed."""
        known = self._loose.get(id(tensor))
        return frozenset() if known is None or known[0]() is not tensor else known[1]

    def settle_on(self, tensor: Any) -> None:
        """Let the value of a tensor be known."""
        self._unknown[id(tensor)] = (weakref.ref(tensor), False)

    def unknown(self, tensor: Any) -> Any:
        """Say whether a value is unknown, or which elements of it are."""
        known = self._unknown.get(id(tensor))
        return self._has_read if known is None or known[0]() is not tensor else known[1]

    # --- what is computed ---------------------------------------------------------------------

    def record1(self, operation: Operation, x: Any, out: Any) -> None:
        """Hear of an operation of one tensor."""
        self.record(operation, (x,), out)

    def record2(self, operation: Operation, x: Any, y: Any, out: Any) -> None:
        """Hear of an operation of two tensors."""
        self.record(operation, (x, y), out)

    def record(self, operation: Operation, operands: Sequence[Any], out: Any) -> None:
        """Hear of an operation: what is counted is known, and what is made of what is known."""
        if type(operation) is Count:
            self._unknown[id(out)] = (weakref.ref(out), False)
            return
        for x in operands:
            if x.raw.shape == out.raw.shape:
                self.loosen(out, self.loose(x))
        parts = [self.unknown(x) for x in operands]
        self._unknown[id(out)] = (weakref.ref(out), self._of(operation, operands, parts))

    def _of(self, operation: Operation, operands: Sequence[Any], parts: list[Any]) -> Any:
        if all([part is False for part in parts]):
            return False
        if operation is identity or type(operation) is Cast:
            return parts[0]
        is_moved = type(operation) in _MOVING or (type(operation) is Einsum and len(operands) == 1)
        if not is_moved or sum([x.raw.size for x in operands]) > _MOST:
            return True
        masks = [
            np.broadcast_to(part, x.raw.shape).astype(np.float64)[()]
            for x, part in zip(operands, parts, strict=True)
        ]
        return np.asarray(KERNELS[operation](*masks)) > 0

    def record_call(self, call: Any, operands: Sequence[Any], results: Sequence[Any]) -> bool:  # noqa: ARG002 - as a tape's
        """Hear of derivatives."""
        for result in results:
            self.forget(result)
        return False

    def record_custom(
        self,
        rule: Any,  # noqa: ARG002 - as a tape's
        inputs: Sequence[Any],  # noqa: ARG002 - likewise
        results: Sequence[Any],
        outs: Sequence[Any],
    ) -> None:
        """Hear of what has a gradient of its own."""
        for result, out in zip(results, outs, strict=True):
            self._unknown[id(out)] = (weakref.ref(out), self.unknown(result))

    # --- what is read -------------------------------------------------------------------------

    def left(self, tensor: Any, way: str) -> None:  # noqa: ARG002 - no error is told
        """Hear that a value was read: what is made of it without an operation is unknown, too."""
        if self.unknown(tensor) is not False:
            self._has_read = True

    def looked_at(self, tensor: Any) -> None:
        """Hear that a value was read."""
        self.left(tensor, "")

    def decided(self, tensor: Any, value: bool | int) -> None:
        """Hear that something is chosen by a tensor."""
        self.has_branched = True
        super().decided(tensor, value)

    def constant(self, tensor: Any) -> None:
        """Hear that a tensor was made of Python's numbers."""
        self.settle_on(tensor)

    def watches(self, handle: Any) -> bool:  # noqa: ARG002 - the same for all
        """Hear of every variable that is read."""
        return True

    def watch_variable(self, handle: Any) -> None:
        """Hear of a variable that is read, whose value changes."""
        self.notice(handle)
        self.forget(handle.tensor)

    @property
    def used(self) -> list[Any] | None:
        """The variables that were read and assigned; None where a tensor has chosen which."""
        if self.has_branched:
            return None
        return [handle.variable() for handle, _ in self.variables.values()]

    def follows_values(self, tensor: Any) -> bool:  # noqa: ARG002 - no formula is written
        """State nothing of what values decide."""
        return False

    def settle(self, tensor: Any, hold: Callable[[Any], None]) -> None:
        """State nothing of what values decide."""


class _State(threading.local):
    """What this thread is looking for, if it is."""

    number: int | None = None
    looking: Looking | None = None


_STATE = _State()


@contextmanager
def probing(number: int) -> Iterator[None]:
    """Run what is inside to see specs alone: sizes that vary are to be `number`, or any for zero.

    >>> with probing(3):
    ...     probed()
    3
    """
    before = _STATE.number, _STATE.looking
    _STATE.number, _STATE.looking = number, Looking(number) if number else None
    try:
        with recorded_by([_STATE.looking] if _STATE.looking else []):
            yield
    finally:
        _STATE.number, _STATE.looking = before


@contextmanager
def looking_with(run: Looking | None, number: int, turn: int) -> Iterator[None]:
    """Compute what is inside with a number for sizes that nobody could know; no run does not.

    By the turn one of the functions is called between which values decide.
    """
    before, _STATE.looking = _STATE.looking, run
    if run is not None:
        run.number, run.turn = number, turn
    try:
        yield
    finally:
        _STATE.looking = before


def probed() -> int | None:
    """Give the number of `probing`; None where values count.

    >>> print(probed())
    None
    """
    return _STATE.number


def looking() -> Looking | None:
    """Give what knows of the values in a run that is looked at; None where values count."""
    return _STATE.looking


def sized(tensor: Any, value: Any) -> Any:
    """Give sizes as they are read from a tensor; those that nobody could know are the run's.

    >>> sized(None, np.int32(2))
    np.int32(2)
    """
    found = _STATE.looking
    mask: Any = False if found is None else found.unknown(tensor)
    if found is None or mask is False or value.dtype.kind not in "iu":
        return value
    found.has_varied = True
    return np.where(mask, value.dtype.type(found.number), value)[()]


def resized(array: Any, shape: Sequence[int]) -> Any:
    """Give an array another shape, with its elements again and again, or zeros if it has none.

    >>> resized(np.array([1, 2]), (3,)), resized(np.zeros(0), (2,))
    (array([1, 2, 1]), array([0., 0.]))
    """
    if _STATE.looking is not None:
        _STATE.looking.has_varied = True
    empty = b"" if array.dtype.kind == "O" else 0
    sizes = tuple(shape)
    made = np.resize(array, sizes) if array.size else np.full(sizes, empty, array.dtype)
    return made if array.dtype.kind == "O" else made[()]  # a text has no scalar of NumPy's


def forgotten(tensor: Any, axes: Iterable[int] = ()) -> Any:
    """Give a tensor whose value nobody could know, as that of what was drawn, nor some sizes."""
    found = _STATE.looking
    return tensor if found is None else found.forget(tensor, axes)


def fitted(tensor: Any, wanted: Any, number: int) -> Sequence[int]:
    """Give the sizes of a tensor of which some are told; others are as they were, if it had them.

    >>> from symtape.tensor.shape import TensorShape
    >>> from symtape.tensor.tensor import Tensor
    >>> fitted(Tensor(np.zeros((4, 5))), TensorShape([None, 2]), 3)
    [4, 2]
    """
    shape = tensor.raw.shape
    if wanted.rank is None:
        return list(shape)
    own = shape if len(shape) == wanted.rank else [number] * wanted.rank
    return [m if n is None else n for m, n in zip(own, wanted, strict=True)]


def is_unknown(tensor: Any) -> bool:
    """Say whether nobody could know something of a value, in a run that is looked at.

    >>> is_unknown("where values count")
    False
    """
    found = _STATE.looking
    return found is not None and bool(np.any(found.unknown(tensor)))


def is_loose(tensor: Any) -> bool:
    """Say whether nobody could know some size, in a run that is looked at.

    >>> is_loose("where values count")
    False
    """
    found = _STATE.looking
    return found is not None and bool(found.loose(tensor))


def chosen(condition: Any, count: int) -> int:
    """Say which of some functions is called: each of them in a run, where nobody could know it.

    >>> chosen(True, 2), chosen(False, 2)
    (1, 0)
    """
    found = _STATE.looking
    if found is not None and not isinstance(condition, (bool, int)):
        found.has_branched = True
    if found is None or not is_unknown(condition):
        return int(bool(condition))
    found.has_varied = True
    return found.turn % count
