"""Running a function on tensors once, to get its program.

The program stands for the function on every later call, so whatever else could change a result has
to be noticed while it is traced: branches (`Guard`), values that leave the recording, and what is
read from elsewhere (`Captured`). What cannot be followed makes the function one that is
recorded anew on every call, as under a tape: slower, and as right. Where a derivative would be lost
with a value that leaves, there is an error (`escape.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from symtape.functions.tracing.arguments import Arguments, itself
from symtape.functions.tracing.captured import Captured
from symtape.functions.tracing.escape import raise_escape, running
from symtape.functions.tracing.proxies.objects import Proxy
from symtape.functions.tracing.trace import Trace
from symtape.nest.trees import Tree, take_apart
from symtape.program.program import Program
from symtape.tensor.convert import to_array
from symtape.tensor.lazy.arrays import Deferred
from symtape.tensor.recording.active import THREAD
from symtape.tensor.recording.provenance import are_of_one
from symtape.tensor.tensor import Tensor
from symtape.tensor.variables.variable import Variable
from symtape.tensor.variables.versions import Version


class Outsider(NamedTuple):
    """A leaf that is no argument: where it stands, its name, and how to get its present tensor.

    One that has a `source` shares an array with the user's code, and is copied where it is kept.
    """

    position: int
    label: str | None
    tensor: Callable[[], Tensor]
    source: Deferred | None = None
    variable: Variable | None = None


class Traced(NamedTuple):
    """A function as a program: where arguments, other leaves and results are, and their structure.

    `tree` is the structure of what the function gave, whose leaves are `results` and, where they
    are no tensors and no numbers, `plain`. `captured` is None where the program holds for one
    call alone; `has_lost` says that values left the recording, which it holds as numbers; and
    `requirements` are what values at positions have to pass. A program of many rows knows that of
    `one_row`, and the `sources` that its arguments became.
    """

    program: Program
    arguments: tuple[int, ...]
    others: tuple[Outsider, ...]
    results: tuple[int | None, ...]
    plain: tuple[Any, ...]
    tree: Tree
    captured: Captured | None
    has_lost: bool
    requirements: tuple[tuple[int, Any], ...]
    one_row: Any = None
    sources: Any = None

    @property
    def key(self) -> tuple[Any, ...]:
        """What the program is: equal keys have equal derivatives."""
        others = tuple([o.position for o in self.others])
        steps = tuple(self.program.steps)
        return steps, self.program.guards, self.requirements, others, self.results

    def targets(self, title: str) -> list[int]:
        """Give the positions of all results; `TypeError` if one is no tensor and no number."""
        targets = [p for p in self.results if p is not None]
        if len(targets) < len(self.results):
            raise TypeError(f"{title}: the function gave {_described(self.plain[0])}")
        return targets

    def scalar_target(self, title: str, tree: Tree | None = None) -> int:
        """Give the position of the first result, which is all there is but what is beside `tree`.

        Raises `TypeError` unless it is a scalar of a floating dtype.
        """
        tree = self.tree if tree is None else tree
        if tree.type is not None:
            kind = "None" if tree.type is type(None) else f"a {tree.type.__name__}"
            raise TypeError(
                f"{title}: the function must give one scalar, not {kind}; jacobian differentiates "
                "several results"
            )
        value = self.results[0]
        if value is None:
            raise TypeError(
                f"{title}: the function must give a scalar, not {_described(self.plain[0])}"
            )
        shape, dtype = self.program.shapes[value], self.program.dtypes[value]
        if shape != ():
            raise TypeError(
                f"{title}: a gradient is that of a scalar, but the function gave shape {shape}; "
                "sum it, or use jacobian"
            )
        if dtype.kind not in "fV":
            hint = "; take its real or imaginary part" if dtype.kind == "c" else ""
            raise TypeError(
                f"{title}: a gradient is that of a floating number, but the function gave "
                f"{dtype}{hint}"
            )
        return value


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
    if not again:
        traced = _trace_closed(function, arguments, sources)
        if traced is not None:
            return traced
    recording = Trace(arguments, sources)
    result = run(recording, function, arguments)
    return finish(recording, len(arguments.values), result, None)


def _trace_closed(
    function: Callable[..., Any], arguments: Arguments, sources: Collection[int]
) -> Traced | None:
    """Trace a function that is closed; None for others, which are recorded on every call.

    Whatever the copy of the function raises, the function itself raises too, or it is not closed.
    """
    if not arguments.is_plain:
        return None
    captured = Captured()
    recording = Trace(arguments, sources, captured)
    try:
        result = run(recording, captured.standin(function), arguments, captured.standin)
        captured.finish()
    except Exception:  # noqa: BLE001 - see above
        return None
    if recording.is_peeked:
        return None
    traced = finish(recording, len(arguments.values), result, captured)
    return None if any([type(leaf) is Proxy for leaf in traced.plain]) else traced


@running
def run(
    recording: Trace,
    function: Callable[..., Any],
    arguments: Arguments,
    standin: Callable[[Any], Any] = itself,
) -> Any:
    """Run a function on tensors, and on what stands for arguments that are no arrays."""
    args, kwargs = arguments.rebuild(recording.enter(arguments), standin)
    try:
        with recording:
            return function(*args, **kwargs)
    except Exception as error:
        raise_escape(error)  # which NumPy hides behind errors of its own
        raise


# --- what was traced ------------------------------------------------------------------------------


def finish(recording: Trace, count: int, result: Any, captured: Captured | None) -> Traced:
    """Give what was recorded, of which the first leaves are arguments, as a program."""
    leaves, tree = take_apart(result)
    tensors = [_as_tensor(leaf) for leaf in leaves]
    positions = [None if t is None else recording.place(t) for t in tensors]
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
        plain=tuple([x for x, t in zip(leaves, tensors, strict=True) if t is None]),
        tree=tree,
        captured=captured,
        has_lost=recording.has_lost,
        requirements=tuple(dict.fromkeys([(places[p], r) for p, r in recording.requirements])),
    )


def _with_arrays_once(program: Program, recording: Trace, places: Sequence[int]) -> Program:
    """Let an array that entered several times be one leaf."""
    first: dict[tuple[int, Any], int] = {}
    alias: dict[int, int] = {}
    for p in recording.entered():
        tensor = recording.tensors[p]
        entry = recording.arrays.get(id(tensor))
        if entry is not None:
            key = (id(entry[1]), tensor.raw.dtype)
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
        if handle is not None and not are_of_one(handle.version, tensor.version):
            return Outsider(position, label, partial(_as_it_was, handle, tensor))
        variable = None if handle is None else handle.variable()
        if variable is not None:
            return Outsider(position, label, variable.read, variable=variable)
    source = recording.arrays.get(id(tensor), (None, None))[1]
    if type(source) is Deferred:
        present = partial(_present, source.read, tensor.raw.dtype)
        return Outsider(position, label or source.label, present, source)
    return Outsider(position, label, lambda: tensor)


def _as_it_was(handle: Any, tensor: Version) -> Tensor:
    """Give the value of a variable that was assigned since it was read, watched as it was then."""
    for recording in THREAD.state.recordings:
        is_new = id(tensor) not in recording.known and id(tensor) not in recording.others
        if is_new and recording.watches(handle):
            recording.watch_version(handle, tensor)
    return tensor


def _present(read: Callable[[], Any], dtype: Any) -> Tensor:
    array = read()
    if array.dtype == dtype and array.ndim and type(array) is np.ndarray:
        return Tensor(array)
    return Tensor(to_array(array, dtype))


def _described(result: Any) -> str:
    if isinstance(result, int):
        return f"{result!r} of type {type(result).__name__}: give {float(result)!r} for {result!r}"
    return f"{result!r:.60}, which is no tensor and no number"
