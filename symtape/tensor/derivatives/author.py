"""Running what an author wrote about cotangents, so that it is recorded like anything else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

from symtape.errors import EscapedValueError
from symtape.program.operations import Call, Operation, identity
from symtape.tensor.derivatives.fixed import filled
from symtape.tensor.dispatch import apply1
from symtape.tensor.recording.active import THREAD
from symtape.tensor.recording.custom import Custom
from symtape.tensor.recording.provenance import Leaf
from symtape.tensor.recording.recorder import Recording
from symtape.tensor.recording.travel import Provenance
from symtape.tensor.tensor import Tensor


def pulled(
    recording: Recording, custom: Custom, cotangents: Sequence[Tensor | None]
) -> list[tuple[int, Tensor]]:
    """Give cotangents of what went in, with positions, from those of the results that have any.

    What no target depends on has the cotangent zero.
    """
    given = iter(cotangents)
    us = []
    for place, (shape, dtype) in zip(custom.outputs, custom.rule.outputs, strict=True):
        u = None if place is None else next(given)
        us.append(filled(0, shape, dtype) if u is None else u)
    with listening(recording, us) as listener:
        found = custom.rule.pull(us)
        if listener.way is not None:
            source = Unrecorded(recording.block, custom.rule.name, listener.way)
            found = [None if g is None else _numbers(g, source) for g in found]
    pairs = zip(custom.inputs, found, strict=True)
    return [(p, g) for p, g in pairs if p is not None and g is not None]


class Listener(Recording):
    """Hears that values of cotangents, or of what a tape recorded, are taken out; `way` says how.

    If no tape is active that does so, it lets what is computed be read through.
    """

    way: str | None = None

    def __init__(self, recording: Recording, cotangents: Sequence[Tensor]) -> None:
        super().__init__(watches_variables=False, opener=recording.opener)
        self.outermost = recording.block
        self._recording = recording
        self._computed = {id(u): u for u in cotangents}

    def left(self, tensor: Any, way: str) -> None:
        """Hear that a value was taken out."""
        if id(tensor) in self._computed or id(tensor) in self._recording.known:
            self.way = way or "a value"

    def _record_shadow(self, operation: Operation, operands: Sequence[Any], out: Any) -> None:
        """Hear what is computed of cotangents."""
        self._follow(operands, [out])
        super()._record_shadow(operation, operands, out)

    def record_call(self, _: Call, operands: Sequence[Any], results: Sequence[Any]) -> bool:
        """Hear of derivatives that are taken of such."""
        self._follow(operands, results)
        return False

    def forget(self) -> None:
        """Let go of all tensors."""
        self._computed = {}

    def _follow(self, operands: Sequence[Any], results: Sequence[Any]) -> None:
        if any([id(x) in self._computed for x in operands]):
            self._computed.update({id(out): out for out in results})


@contextmanager
def listening(recording: Recording, cotangents: Sequence[Tensor] = ()) -> Iterator[Listener]:
    """Listen to what is computed, and let it be read through."""
    listener = Listener(recording, cotangents)
    recordings = THREAD.state.recordings
    remembers = not recordings or recordings[-1].block is not recording.block
    recordings.insert(len(recordings) if remembers else 0, listener)
    try:
        yield listener
    finally:
        recordings[:] = [r for r in recordings if r is not listener]
        listener.forget()


def _numbers(tensor: Tensor, source: Unrecorded) -> Tensor:
    """Give the same numbers, whose formula is not known."""
    made = apply1(identity, tensor)
    made.origin = (source, 0)
    return made


class Unrecorded(Provenance):
    """Where numbers come from that an author computed of values which he took out of tensors."""

    __slots__ = ("_name", "_way", "block")
    decisions = None

    def __init__(self, block: Recording, name: str, way: str) -> None:
        self.block = block
        self._name, self._way = name, way

    def locate(self, _: int) -> NoReturn:
        """Refuse: nothing is known of how they were computed."""
        raise EscapedValueError(
            f"the gradient of {self._name}, its author's, has no formula: it takes {self._way} of "
            "a tensor, and what is computed of that is not recorded. The number is right; with "
            "tf's names or NumPy's functions on the tensors themselves there is a formula, too"
        )

    def leaves(self) -> list[Leaf]:
        """Refuse."""
        return self.locate(0)
