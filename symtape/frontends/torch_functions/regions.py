"""Where torch keeps no graph of its own: in an `autograd.Function`, in a decomposition."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from symtape.frontends.torch_functions import applications
from symtape.frontends.torch_functions.backwards import Applied
from symtape.frontends.torch_functions.decompositions import Region
from symtape.tensor.tensor import Tensor


class Regions:
    """The regions of one run, of which `current` is the one that torch is in, or None.

    `value` gives the tensor beside one of torch's.
    """

    def __init__(self, end: FrameType, value: Callable[[Any], Tensor]) -> None:
        self.current: object = None
        self._end, self._value = end, value
        self._applied: dict[FrameType, Applied] = {}
        self._forwards = applications.Forwards()

    def find(self) -> None:
        """Look which `autograd.Function` runs now, if no operation is taken apart."""
        if isinstance(self.current, Region):
            return
        frame = self._forwards.running(self._end)
        if isinstance(self.current, Applied):
            if self.current.frame is frame:
                return
            self.current.close()
        self.current = None
        if frame is not None:
            self.current = applied = self._applied.get(frame) or self._application(frame)
            applied.open()

    def _application(self, frame: FrameType) -> Applied:
        """Follow a call of an `autograd.Function`; its `setup_context` runs after its `forward`."""
        caller = applications.caller_of(frame)
        made = next((a for a in reversed(self._applied.values()) if a.caller == caller), None)
        if made is None or frame.f_code is made.frame.f_code:
            made = Applied(frame, self._value)
        self._applied[frame] = made
        return made

    def of(self, graph: object, written: object) -> object:
        """Give the region of a node of torch's graph: that of its context, or where it was written.

        A function that gives back an argument, or a view of it, has written nothing.
        """
        for frame, applied in self._applied.items():
            if any([value is graph for value in frame.f_locals.values()]):
                return applied
        is_other = (
            isinstance(written, Applied) and f"{written.name}Backward" != type(graph).__name__
        )
        return None if is_other else written

    def around(self) -> Iterator[object]:
        """List the regions that torch is in, from the inside out."""
        region = self.current
        while region is not None:
            yield region
            region = getattr(region, "outer", None)

    def goes_on(self, made_in: object) -> bool:
        """Say whether the function of autograd that made something is still being applied."""
        running = self._forwards.running(self._end)
        if not isinstance(made_in, Applied):
            return running is not None
        if running is not None:
            return made_in.frame is running
        return applications.goes_on(made_in.caller, self._end)

    def close(self) -> None:
        """Stop following what still runs."""
        for applied in self._applied.values():
            applied.close()
