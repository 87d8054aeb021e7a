"""Running a function on tensors once, to get its program.

The program stands for the function on every later call, so whatever else could change a result has
to be noticed while it is traced: branches (`Guard`), values that leave the recording, and what is
read from elsewhere (`Surroundings`). What cannot be followed makes the function one that is
recorded anew on every call, as under a tape: slower, and as right. Where a derivative would be lost
with a value that leaves, there is an error (`escape.py`).
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from symtape.functions.arguments import Arguments
from symtape.functions.array import ArrayStandin, as_array
from symtape.functions.escape import Dependence, escaped, outlived, raise_escape
from symtape.functions.memory import Memory
from symtape.functions.standin import Standin
from symtape.functions.surroundings import Surroundings, bases
from symtape.functions.trees import Tree, flatten
from symtape.program.program import Program
from symtape.tensor.convert import to_array
from symtape.tensor.recorder import THREAD, Recording
from symtape.tensor.tensor import Tensor
from symtape.tensor.variable import Variable
from symtape.tensor.versions import Version


class Outsider(NamedTuple):
    """A leaf that is no argument: where it stands, its name, and how to get its present tensor.

    One that `is_open` shares an array with the user's code, and is copied where it is kept.
    """

    position: int
    label: str | None
    tensor: Callable[[], Tensor]
    is_open: bool = False


class Traced(NamedTuple):
    """A function as a program: where arguments, other leaves and results are, and their structure.

    `tree` is the structure of what the function gave, whose leaves are `results` and, where they
    are no tensors and no numbers, `plain`. `surroundings` is None where the program holds for one
    call alone; `has_lost` says that values left the recording, which it holds as numbers. A program
    of many rows knows that of `one_row`, and the `sources` that its arguments became.
    """

    program: Program
    arguments: tuple[int, ...]
    others: tuple[Outsider, ...]
    results: tuple[int | None, ...]
    plain: tuple[Any, ...]
    tree: Tree
    surroundings: Surroundings | None
    has_lost: bool
    one_row: Any = None
    sources: Any = None

    @property
    def key(self) -> tuple[Any, ...]:
        """What the program is: equal keys have equal derivatives."""
        others = tuple([o.position for o in self.others])
        return tuple(self.program.steps), self.program.guards, others, self.results


def trace(
    function: Callable[..., Any],
    arguments: Arguments,
    sources: Collection[int],
    *,
    again: bool = False,
) -> Traced:
    """Run a function on tensors in the place of its arguments, and give its program.

    `sources` are the leaves of the arguments that the function is differentiated by. `again` says
    that it is known to be recorded on every call.
    """
    count = len(arguments.values)
    around = None if again else Surroundings(function, *arguments.statics)
    drawn = None if again else _random_states()
    recording = Trace(arguments, sources)

    def run() -> Any:
        args, kwargs = arguments.rebuild(recording.enter(arguments))
        try:
            with recording:
                return function(*args, **kwargs)
        except Exception as error:
            raise_escape(error)  # which NumPy hides behind errors of its own
            raise

    result = run()
    if around is None or recording.is_peeked or around.is_volatile or drawn != _random_states():
        around = None
    return _finish(recording, count, result, around)


class Trace(Recording):
    """A recording of one function alone; outer tapes see one step.

    What they know is followed here as well, so that the step depends on it.
    """

    refuses = True

    def __init__(self, arguments: Arguments, sources: Collection[int]) -> None:
        super().__init__(opener=id(sys._getframe(3)))  # noqa: SLF001 - whose variables name the leaves
        self._outer: list[Recording] = THREAD.state.recordings
        leaves = enumerate(arguments.leaves)
        self.sources = {k for k, leaf in leaves if k in sources or self.is_carried_outside(leaf)}
        self._covered: dict[int, Tensor] = {}
        self.memory = Memory(self, self._covered)
        self._dependence = Dependence(self, self._is_source)
        self.is_peeked = False
        self.has_lost = False
        self.is_over = False
        self.has_side_effects = False
        self.arrays: dict[int, tuple[Any, Any]] = {}

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
        for tensor in (*self._covered.values(), *self.memory.alive()):
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

    def record_call(self, call: Any, operands: Sequence[Any], results: Sequence[Any]) -> bool:
        """Record a derivative that was taken inside of the function."""
        self._adopt(operands)
        recorded = super().record_call(call, operands, results)
        if recorded:
            for result in results:
                self._cover(result)
        return recorded

    def _cover(self, tensor: Any) -> None:
        if tensor.__class__ is Tensor:
            tensor.__class__ = Standin
            self._covered[id(tensor)] = tensor

    def took_in(self, tensor: Any, array: Any) -> None:
        """Remember the array that a tensor was made of."""
        self.arrays[id(tensor)] = (tensor, array)

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
        """Remember a branch, of a tensor that an outer recording knows, too."""
        self._adopt([tensor])
        super().decided(tensor, value)

    def _adopt(self, operands: Sequence[Any]) -> bool:
        """Follow from now on what outer recordings know; say whether there was any."""
        found = [x for x in operands if id(x) not in self.known and self.is_known_outside(x)]
        for x in found:
            self.known[id(x)] = self._place(x)
        return bool(found)

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
        if is_left_over(tensor):
            raise outlived(tensor)
        if self.carries(tensor):
            raise escaped(tensor, way, self._dependence.sources_of(self._place(tensor)))
        self.looked_at(tensor)
        self.has_lost |= self.is_peeked

    def looked_at(self, tensor: Any) -> None:
        """Know that the function has to be recorded on every call, and those around it."""
        place = id(tensor)
        if place in self.known or place in self.shadows or self.is_known_outside(tensor):
            recording: Any = self
            while recording is not None:
                recording.is_peeked = True
                around = [r for r in recording._outer if isinstance(r, Trace)]  # noqa: SLF001 - our own
                recording = around[0] if around else None

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

    def changed(self) -> None:
        """Know that a variable was assigned."""
        self.has_side_effects = True

    def place(self, tensor: Tensor) -> int:
        """Give the position of a tensor; one that nobody recorded enters."""
        return self._place(tensor)


def is_left_over(tensor: Any) -> bool:
    """Say whether a tensor was differentiated in a run of a function that is over."""
    origin = tensor.origin
    return (
        origin is not None and isinstance(origin[0], Trace) and origin[0].has_left_over(origin[1])
    )


# --- what was traced ------------------------------------------------------------------------------


def _finish(recording: Trace, count: int, result: Any, around: Surroundings | None) -> Traced:
    leaves, tree = flatten(result)
    found = [_as_tensor(leaf) for leaf in leaves]
    positions = [None if t is None else recording.place(t) for t in found]
    outside = _Outside(recording, around)
    used = {p for step in recording.steps for p in step[1:]}.union(positions)
    program, places = recording.program()
    others = [
        outside.described(recording.tensors[p], places[p], used=p in used)
        for p in recording.entered()
        if p >= count
    ]
    return Traced(
        program=_with_arrays_once(program, recording, places),
        arguments=tuple(places[:count]),
        others=tuple(others),
        results=tuple([None if p is None else places[p] for p in positions]),
        plain=tuple([x for x, t in zip(leaves, found, strict=True) if t is None]),
        tree=tree,
        surroundings=outside.around,
        has_lost=recording.has_lost,
    )


def _with_arrays_once(program: Program, recording: Trace, places: Sequence[int]) -> Program:
    """Let an array that entered several times be one leaf."""
    first: dict[tuple[int, Any], int] = {}
    alias: dict[int, int] = {}
    for p in recording.entered():
        tensor = recording.tensors[p]
        found = recording.arrays.get(id(tensor))
        if found is not None:
            key = (id(found[1]), tensor.raw.dtype)
            alias[places[p]] = first.setdefault(key, places[p])
    if all(p == q for p, q in alias.items()):
        return program
    steps = [(step[0], *[alias.get(i, i) for i in step[1:]]) for step in program.steps]
    return Program(steps, program.shapes, program.dtypes, program.guards, program.recorded)


def _as_tensor(leaf: Any) -> Tensor | None:
    """Make a result a tensor, if it is a number or an array; others stay what they are."""
    if isinstance(leaf, (Tensor, Variable)):
        return leaf.read()
    if isinstance(leaf, (float, complex, np.number, np.ndarray)) and not _is_text(leaf):
        return Tensor(np.asarray(leaf)[()])
    return None


def _is_text(leaf: Any) -> bool:
    return np.asarray(leaf).dtype.kind not in "fciub"


class _Outside:
    """What entered a trace besides its arguments, and whether it can be got at again."""

    def __init__(self, recording: Trace, around: Surroundings | None) -> None:
        self.around = None if recording.has_side_effects else around
        self.recording = recording
        if self.around is not None:
            self._check_arrays(self.around)
        if self.around is not None:
            for handle, variable in self.around.variables.items():
                if handle not in recording.variables:
                    self.around.watch_version(variable)

    def _check_arrays(self, around: Surroundings) -> None:
        """Read arrays anew that entered as they are; of what else was computed is not known."""
        entered: set[int] = set()
        is_computed = False
        leaves = {id(self.recording.tensors[p]) for p in self.recording.entered()}
        for tensor, array in self.recording.arrays.values():
            if id(tensor) in leaves:
                own = {id(a) for a in bases(array)}
                entered |= own
                is_computed |= not own & around.arrays.keys()
            else:  # a tensor that was computed with before anything was recorded
                is_computed = True
        for array in around.arrays.values():
            changes = any(b.flags.writeable for b in bases(array))
            if changes and (is_computed or id(array) not in entered):
                around.watch_elements(array)
        if around.is_volatile:
            self.around = None

    def described(self, tensor: Tensor, position: int, *, used: bool) -> Outsider:
        label = tensor.label
        if isinstance(tensor, Version):
            handle = tensor.handle()
            variable = None if handle is None else handle.variable()
            if variable is not None:
                if not used and self.around is not None:
                    self.around.watch_version(variable)
                return Outsider(position, label, variable.read)
        found = self.recording.arrays.get(id(tensor))
        if found is not None and self.around is not None:
            array, dtype = found[1], tensor.raw.dtype
            label = label or self.around.labels.get(id(array))
            if any(id(a) in self.around.arrays for a in bases(array)):
                return Outsider(position, label, lambda: _present(array, dtype), is_open=True)
        return Outsider(position, label, lambda: tensor)


def _present(array: Any, dtype: Any) -> Tensor:
    if array.dtype == dtype and array.ndim and type(array) is np.ndarray:
        return Tensor(array)
    return Tensor(to_array(array, dtype))


def _random_states() -> tuple[Any, ...]:
    """Say where the common sources of random numbers are."""
    numpy_state = np.random.get_state(legacy=False)["state"]  # noqa: NPY002 - the user's may be old
    return random.getstate()[1], numpy_state["pos"], numpy_state["key"].tobytes()
