"""The recording of a function that is traced, which follows what outer tapes know, too.

Whatever else could change a result has to be noticed here: branches (`Guard`), values that leave
the recording, what is assigned or drawn. Where a derivative would be lost with a value that leaves,
there is an error (`escape.py`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Sequence
from functools import cached_property
from typing import Any, Self

from symtape.functions.tracing import authors
from symtape.functions.tracing.arguments import Arguments
from symtape.functions.tracing.captured import Captured
from symtape.functions.tracing.escape import Dependence, escaped, outlived
from symtape.functions.tracing.proxies.arrays import ArrayStandin, as_array
from symtape.functions.tracing.proxies.memory import Memory
from symtape.functions.tracing.proxies.tensors import Standin
from symtape.program.program import Guard
from symtape.tensor.lazy.arrays import Deferred
from symtape.tensor.recording.active import THREAD
from symtape.tensor.recording.custom import Rule
from symtape.tensor.recording.provenance import is_from_outside
from symtape.tensor.recording.recorder import Recording
from symtape.tensor.tensor import Tensor
from symtape.tensor.variables.variable import Variable
from symtape.tensor.variables.versions import Version


class Trace(Recording):
    """A recording of one function alone; outer tapes see one step.

    What they know is followed here as well, so that the step depends on it.
    """

    refuses = True

    def __init__(
        self, arguments: Arguments, sources: Collection[int], captured: Captured | None = None
    ) -> None:
        super().__init__(opener=id(sys._getframe(3)))  # noqa: SLF001 - whose variables name the leaves
        self._outer: list[Recording] = THREAD.state.recordings
        leaves = enumerate(arguments.leaves)
        self.sources = {k for k, leaf in leaves if k in sources or self.is_carried_outside(leaf)}
        self._covered: dict[int, Tensor] = {}
        self.requirements: tuple[tuple[int, Any], ...] = ()
        self.is_peeked = False
        self.has_lost = False
        self.is_over = False
        self.captured = captured
        self.arrays: dict[int, tuple[Any, Any]] = {}

    @cached_property
    def memory(self) -> Memory:
        """Which arrays share memory; most functions write into none."""
        return Memory(self, self._covered)

    @cached_property
    def _dependence(self) -> Dependence:
        return Dependence(self, self._is_source)

    def enter(self, arguments: Arguments) -> list[Tensor]:
        """Make the tensors that stand for the arguments."""
        entered = [Tensor(value) for value in arguments.values]
        for k, (made, label) in enumerate(zip(entered, arguments.labels(), strict=True)):
            made.label = label
            self.watch(made)
            made.origin = (self, k)
            if not isinstance(arguments.leaves[k], (Tensor, Variable)):
                as_array(made)
        return entered

    def __enter__(self) -> Self:
        THREAD.state.recordings = [self]
        return self

    def __exit__(self, *_: object) -> None:
        THREAD.state.recordings = self._outer
        views = self.memory.alive() if "memory" in self.__dict__ else ()
        for tensor in (*self._covered.values(), *views):
            tensor.__class__ = Tensor
        self._covered.clear()
        self.is_over = True

    def watch(self, tensor: Any) -> None:
        """Watch a tensor, and let it have NumPy's methods."""
        super().watch(tensor)
        self._cover(tensor)

    def watches(self, handle: Any) -> bool:  # noqa: ARG002 - all alike
        """Watch every variable, trainable or not, since it may change between calls."""
        return True

    def _made(self, operation: Any, out: Any) -> None:
        super()._made(operation, out)
        self._cover(out)

    def _overshadow(self, out: Any, position: int) -> None:
        super()._overshadow(out, position)
        self._cover(out)

    def _remember(self, operation: Any, operands: Sequence[Any], out: Any) -> None:
        """Record also what depends on no argument, since it is read anew on each call."""
        places = [self._place(x) for x in operands]
        self.others[id(out)] = len(self.steps)  # it carries no derivative by an argument
        out.origin = (self, len(self.steps))
        self.steps.append((operation, *places))
        self.tensors.append(out)

    def record_call(self, call: Any, operands: Sequence[Any], results: Sequence[Any]) -> bool:
        """Record a derivative that was taken inside of the function."""
        self._adopt(operands)
        recorded = super().record_call(call, operands, results)
        if recorded:
            for result in results:
                self._cover(result)
        return recorded

    def record_custom(
        self, rule: Rule, inputs: Sequence[Any], results: Sequence[Any], outs: Sequence[Any]
    ) -> None:
        """Record results of a function with a gradient of its own, and that gradient as steps."""
        self._adopt(inputs)
        super().record_custom(rule, inputs, results, outs)
        customs, self.customs = self.customs, ()  # what they say may call others of their kind
        for custom in customs:
            authors.write(self, custom, inputs, outs)

    def _cover(self, tensor: Any) -> None:
        if tensor.__class__ is Tensor:
            tensor.__class__ = Standin
            self._covered[id(tensor)] = tensor

    def took_in(self, tensor: Any, array: Any) -> None:
        """Remember the array that a tensor was made of; one from outside is a leaf at once."""
        self.arrays[id(tensor)] = (tensor, array)
        if type(array) is Deferred:
            self.watch(tensor)

    def _deferred(self, tensor: Any) -> Deferred | None:
        """Give the array from outside that a tensor was made of, if it was."""
        array = self.arrays.get(id(tensor), (None, None))[1]
        return array if type(array) is Deferred else None

    # --- what NumPy is given and makes ------------------------------------------------------------

    def follows(self, tensor: Any) -> bool:
        """Let NumPy's functions be recorded for all that this function or one around it knows."""
        place = id(tensor)
        return place in self.known or place in self.shadows or self.is_known_outside(tensor)

    def follow(self, tensor: Any) -> None:
        """Follow an array that NumPy made of nothing but a shape."""
        if id(tensor) not in self.known:
            self.known[id(tensor)] = self._place(tensor)

    def from_numpy(self, made: Any, make: Callable[[Any], Any], base: Any) -> None:
        """Let what NumPy made stand for an array."""
        if not self.follows(made):
            self.follow(made)
            self.memory.own(made)
            self.memory.in_rows(made)
        self._cover(made)
        as_array(made)
        if isinstance(base, ArrayStandin) and made is not base:
            self.memory.maybe_view(base, made, make)

    # --- what outer recordings know ---------------------------------------------------------------

    def _record_shadow(self, operation: Any, operands: Sequence[Any], out: Any) -> None:
        if self._adopt(operands):
            self.record(operation, operands, out)
        else:
            super()._record_shadow(operation, operands, out)

    def decided(self, tensor: Any, value: bool | int) -> None:
        """Remember a branch, also of what no argument reaches: it is read anew on each call."""
        self._adopt([tensor])  # so that an outer recording hears of it
        self.guards += (Guard(self._place(tensor), value),)

    def followed(self, tensor: Any) -> int | None:
        """Give the position of whatever was recorded here, or computed in a block around."""
        self._adopt([tensor])
        place = id(tensor)
        is_here = place in self.known or place in self.others
        if is_here or (tensor.origin is not None and is_from_outside(tensor.origin[1])):
            return self._place(tensor)
        return None

    def _adopt(self, operands: Sequence[Any]) -> bool:
        """Follow from now on what outer recordings know; say whether there was any."""
        adopted = [x for x in operands if id(x) not in self.known and self.is_known_outside(x)]
        for x in adopted:
            self.known[id(x)] = self._place(x)
        return bool(adopted)

    def _enter(self, tensor: Any, *, watched: bool = False) -> int:
        if is_left_over(tensor):
            raise outlived(tensor)
        return super()._enter(tensor, watched=watched)

    def is_known_outside(self, tensor: Any) -> bool:
        """Say whether something outside of this function depends on a tensor."""
        place = id(tensor)
        return is_left_over(tensor) or any(
            [
                place in r.known
                or place in r.shadows
                or (isinstance(r, Trace) and r.is_known_outside(tensor))
                for r in self._outer
            ]
        )

    # --- values that leave ------------------------------------------------------------------------

    def left(self, tensor: Any, way: str) -> None:
        """Refuse to let a value leave where a derivative would be lost with it."""
        self.stated(tensor, way)
        self.has_lost |= self._is_its_value(tensor)

    def stated(self, tensor: Any, way: str) -> None:
        """Refuse likewise; what a guard says of a value is not lost."""
        if is_left_over(tensor):
            raise outlived(tensor)
        if self.carries(tensor):
            raise escaped(tensor, way, self._dependence.sources_of(self._place(tensor)))
        self.looked_at(tensor)

    def looked_at(self, tensor: Any) -> None:
        """Know that the function has to be recorded on every call, and those around it.

        The elements of an array from outside are compared on each call instead.
        """
        source = self._deferred(tensor)
        if source is not None:
            source.watcher.compare(source.read, source.array)
        elif self._is_its_value(tensor):
            recording: Any = self
            while recording is not None:
                recording.is_peeked = True
                around = [r for r in recording._outer if isinstance(r, Trace)]  # noqa: SLF001 - our own
                recording = around[0] if around else None

    def required(self, tensor: Any, requirement: Any) -> None:
        """Remember a test, which is made on each call."""
        if self.varies(tensor):
            self._adopt([tensor])  # so that an outer recording hears of it
            self.requirements += ((self._place(tensor), requirement),)

    def varies(self, tensor: Any) -> bool:
        """Say whether another call may have another value of a tensor, also one read anew."""
        return self._deferred(tensor) is not None or self._is_its_value(tensor)

    def _is_its_value(self, tensor: Any) -> bool:
        """Say whether another call may have another value of a tensor, as of a variable."""
        if self._deferred(tensor) is not None or self.is_size(tensor):
            return False
        return isinstance(tensor, Version) or self.follows(tensor)

    def is_size(self, tensor: Any) -> bool:
        """Say whether a tensor follows from shapes, which are the same on each call."""
        position = self.known.get(id(tensor))
        return position is not None and self.is_of_sizes(position)

    def carries(self, tensor: Any) -> bool:
        """Say whether a derivative by a source can flow from a tensor, here or outside."""
        position = self.known.get(id(tensor))
        if position is None:
            position = self.others.get(id(tensor))
        if position is None:
            return self.is_carried_outside(tensor)
        return self._dependence.reaches(position)

    def is_carried_outside(self, tensor: Any) -> bool:
        """Say whether a derivative of a function around this one can flow from a tensor."""
        return any([r.carries(tensor) for r in self._outer])

    def _is_source(self, position: int) -> bool:
        return position in self.sources or self.is_carried_outside(self.tensors[position])

    def has_left_over(self, position: int) -> bool:
        """Say whether what was recorded at a position is lost to a derivative, now it is over."""
        return self.is_over and self._dependence.reaches(position)

    # --- what changes without the arguments -------------------------------------------------------

    def changed(self) -> None:
        """Leave to a recording on every call what is done on every call, here and around."""
        for outer in self._outer:
            outer.changed()
        if self.captured is not None:
            self.captured.refuse("a variable is assigned, or a random number drawn")

    def depends(self, read: Callable[[], Any], value: Any) -> None:
        """Compare a setting on each call, here and around."""
        for outer in self._outer:
            outer.depends(read, value)
        if self.captured is not None:
            self.captured.same(read, value)

    def place(self, tensor: Tensor) -> int:
        """Give the position of a tensor; one that nobody recorded enters."""
        return self._place(tensor)


def is_left_over(tensor: Any) -> bool:
    """Say whether a tensor was differentiated in a run of a function that is over."""
    origin = tensor.origin
    return (
        origin is not None and isinstance(origin[0], Trace) and origin[0].has_left_over(origin[1])
    )
