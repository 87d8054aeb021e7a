"""Running a function on tensors once, to get its program.

The program stands for the function on every later call, so whatever else could change a result has
to be noticed while it is traced: branches (`Guard`), values of arguments that leave the recording,
and what is read from elsewhere (`Captured`). What cannot be followed makes the function one that is
recorded anew on every call, as under a tape: slower, and as right.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple, Self

import numpy as np

from symtape.functions.arguments import Arguments, itself
from symtape.functions.captured import Captured
from symtape.functions.observed import Observed, Standin, value_of
from symtape.functions.proxies import Proxy
from symtape.functions.trees import Tree, flatten
from symtape.program.program import Program
from symtape.tensor.convert import to_array
from symtape.tensor.deferred import Deferred
from symtape.tensor.recorder import THREAD, Recording
from symtape.tensor.tensor import Tensor
from symtape.tensor.variable import Variable
from symtape.tensor.versions import Version


class Outsider(NamedTuple):
    """A leaf that is no argument: where it stands, its name, and how to get its present tensor.

    One that has a `source` shares an array with the user's code, and is copied where it is kept.
    """

    position: int
    label: str | None
    tensor: Callable[[], Tensor]
    source: Deferred | None = None


class Traced(NamedTuple):
    """A function as a program: where arguments, other leaves and results are, and their structure.

    `tree` is the structure of what the function gave, whose leaves are `results` and, where they
    are no tensors and no numbers, `plain`. `captured` is None where the program holds for one
    call alone; `is_peeked` says that values of arguments were taken out of the recording. A program
    of many rows knows that of `one_row`, and the `sources` that its arguments became.
    """

    program: Program
    arguments: tuple[int, ...]
    others: tuple[Outsider, ...]
    results: tuple[int | None, ...]
    plain: tuple[Any, ...]
    tree: Tree
    captured: Captured | None
    is_peeked: bool
    one_row: Any = None
    sources: Any = None

    @property
    def key(self) -> tuple[Any, ...]:
        """What the program is: equal keys have equal derivatives."""
        others = tuple([o.position for o in self.others])
        return tuple(self.program.steps), self.program.guards, others, self.results


def trace(
    function: Callable[..., Any], arguments: Arguments, *, peeks: bool | None = None
) -> Traced:
    """Run a function on tensors in the place of its arguments, and give its program.

    `peeks` says of a function that is recorded on every call whether it looks at values.
    """
    if peeks is None:
        traced = _trace_closed(function, arguments)
        if traced is not None:
            return traced
    peeked = bool(peeks)
    recording, result = Trace(observes=peeks is None), None
    try:
        result = _run(recording, function, arguments)
    except Exception:
        if not recording.is_peeked:
            raise
    if recording.is_peeked:  # whoever looks at values sees plain ones, in a recording for this call
        peeked = True
        recording = Trace(observes=False)
        result = _run(recording, function, arguments)
    return _finish(recording, len(arguments.values), result, None, peeked=peeked)


def _trace_closed(function: Callable[..., Any], arguments: Arguments) -> Traced | None:
    """Trace a function that is closed; None for others, which are recorded on every call.

    Whatever the copy of the function raises, the function itself raises too, or it is not closed.
    """
    if not arguments.is_plain:
        return None
    captured = Captured()
    recording = Trace(observes=True, captured=captured)
    try:
        result = _run(recording, captured.standin(function), arguments, captured.standin)
        captured.finish(recording.read_variables())
    except Exception:  # noqa: BLE001 - see above
        return None
    if recording.is_peeked:
        return None
    traced = _finish(recording, len(arguments.values), result, captured, peeked=False)
    return None if any([type(leaf) is Proxy for leaf in traced.plain]) else traced


def _run(
    recording: Trace,
    function: Callable[..., Any],
    arguments: Arguments,
    standin: Callable[[Any], Any] = itself,
) -> Any:
    entered = [Tensor(value) for value in arguments.values]
    for made, label in zip(entered, arguments.labels(), strict=True):
        made.label = label
        recording.watch(made)
    args, kwargs = arguments.rebuild(entered, standin)
    try:
        with recording:
            return function(*args, **kwargs)
    finally:
        recording.uncover()


class Trace(Recording):
    """A recording of one function alone; outer tapes see one step."""

    def __init__(self, *, observes: bool, captured: Captured | None = None) -> None:
        super().__init__(opener=id(sys._getframe(3)))  # noqa: SLF001 - whose variables name the leaves
        self.observes, self.captured = observes, captured
        self.is_peeked = False
        self.arrays: dict[int, tuple[Any, Any]] = {}
        self._covered: list[Tensor] = []
        self._outer: list[Recording] = []

    def __enter__(self) -> Self:
        self._outer = THREAD.state.recordings
        THREAD.state.recordings = [self]
        return self

    def __exit__(self, *_: object) -> None:
        THREAD.state.recordings = self._outer

    def watch(self, tensor: Any) -> None:
        """Watch a tensor, and whoever looks at its value."""
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
        recorded = super().record_call(call, operands, results)
        if recorded:
            for result in results:
                self._cover(result)
        return recorded

    def _cover(self, tensor: Any) -> None:
        if tensor.__class__ is Tensor:
            tensor.__class__ = Observed if self.observes else Standin
            self._covered.append(tensor)

    def uncover(self) -> None:
        """Make all tensors ordinary ones again."""
        for tensor in self._covered:
            tensor.__class__ = Tensor
        self._covered.clear()

    def took_in(self, tensor: Any, array: Any) -> None:
        """Remember the array that a tensor was made of; one from outside is a leaf at once."""
        self.arrays[id(tensor)] = (tensor, array)
        if type(array) is Deferred:
            self.watch(tensor)

    def peek(self) -> None:
        """Know that somebody looked at a value."""
        self.is_peeked = True

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

    def read_variables(self) -> set[int]:
        """List the handles of variables that were computed with."""
        used = {p for step in self.steps for p in step[1:]}
        return {h for h, (_, positions) in self.variables.items() if used.intersection(positions)}

    def place(self, tensor: Tensor) -> int:
        """Give the position of a tensor; one that nobody recorded enters."""
        return self._place(tensor)


# --- what was traced ------------------------------------------------------------------------------


def _finish(
    recording: Trace, count: int, result: Any, captured: Captured | None, *, peeked: bool
) -> Traced:
    leaves, tree = flatten(result)
    found = [_as_tensor(leaf) for leaf in leaves]
    positions = [None if t is None else recording.place(t) for t in found]
    program, places = recording.program()
    others = [
        _outsider(recording, recording.tensors[p], places[p])
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
        captured=captured,
        is_peeked=peeked,
    )


def _with_arrays_once(program: Program, recording: Trace, places: Sequence[int]) -> Program:
    """Let an array that entered several times be one leaf."""
    first: dict[tuple[int, Any], int] = {}
    alias: dict[int, int] = {}
    for p in recording.entered():
        tensor = recording.tensors[p]
        found = recording.arrays.get(id(tensor))
        if found is not None:
            key = (id(found[1]), value_of(tensor).dtype)
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


def _outsider(recording: Trace, tensor: Tensor, position: int) -> Outsider:
    """Say how a leaf that is no argument is got at again: variables and arrays are read anew."""
    label = tensor.label
    if isinstance(tensor, Version):
        handle = tensor.handle()
        variable = None if handle is None else handle.variable()
        if variable is not None:
            return Outsider(position, label, variable.read)
    source = recording.arrays.get(id(tensor), (None, None))[1]
    if type(source) is Deferred:
        present = partial(_present, source.read, value_of(tensor).dtype)
        return Outsider(position, label or source.label, present, source)
    return Outsider(position, label, lambda: tensor)


def _present(read: Callable[[], Any], dtype: Any) -> Tensor:
    array = read()
    if array.dtype == dtype and array.ndim and type(array) is np.ndarray:
        return Tensor(array)
    return Tensor(to_array(array, dtype))
