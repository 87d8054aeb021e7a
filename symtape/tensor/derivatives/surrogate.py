"""A recording whose functions with gradients of their own have first derivatives like all others.

A result y of inputs x has the derivative of L(x - passed(x)), L being the transpose of the author's
function of cotangents (`program/authors.py`): the first derivatives are the author's. What he took
from elsewhere enters L as leaves, through which a first derivative does not flow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from symtape.calculus import derive
from symtape.calculus.linearity import is_linear
from symtape.program.authors import authored, passed
from symtape.program.operations import Input, Operation, dtype_name, subtract
from symtape.program.program import Builder, Program
from symtape.tensor.derivatives.fixed import filled
from symtape.tensor.recording.active import THREAD
from symtape.tensor.recording.custom import Custom
from symtape.tensor.recording.recorder import Recording


class Transpose(NamedTuple):
    """A transpose: what inputs it is fed (`None` for others), what enters it, and what it gives.

    Inputs whose cotangents are zeros that nothing was computed for are `still`.
    """

    program: Program
    directions: Sequence[int | None]
    leaves: Sequence[tuple[int, Any]]
    results: Sequence[int | None]
    still: Sequence[int] = ()


class Surrogate(NamedTuple):
    """Such a recording, the place in it of each position, and which places only zeros connect."""

    recording: Recording
    moved: Sequence[int]
    still: Sequence[tuple[int, int]]

    def reaches(self, sources: Sequence[int], target: int) -> bool:
        """Say whether a path leads from sources to a target, by cotangents that are zeros, too."""
        program, places = self.recording.program()
        reached = derive.reachable(program, [places[self.moved[p]] for p in sources])
        for source, result in self.still:
            if reached[places[source]] and not reached[places[result]]:
                more = derive.reachable(program, [places[result]])
                reached = [a or b for a, b in zip(reached, more, strict=True)]
        return reached[places[self.moved[target]]]


class Probe(Recording):
    """What an author's function does with cotangents, and whether their values left it."""

    has_lost = False
    of: Recording

    def left(self, tensor: Any, way: str) -> None:  # noqa: ARG002 - whichever it is
        """Hear that a value was taken out, of what the tape recorded, too."""
        self.has_lost |= self._depends(tensor) or id(tensor) in self.of.known

    def looked_at(self, tensor: Any) -> None:
        """Hear that a value was read."""
        self.has_lost |= self._depends(tensor)

    def decided(self, tensor: Any, value: bool | int) -> None:  # noqa: ARG002 - whichever it is
        """Hear that a value decided a branch."""
        self.has_lost |= self._depends(tensor)

    def _depends(self, tensor: Any) -> bool:
        return id(tensor) in self.known or id(tensor) in self.shadows


def surrogate(recording: Recording, target: int) -> Surrogate | None:
    """Give such a recording for derivatives of a target.

    None stands where there is no transpose: what an author does with cotangents is not shown to be
    linear.
    """
    made = _Surrogate(recording)
    for custom in leading(recording, target):
        found = transpose(recording, custom)
        if found is None:
            return None
        made.transposes.update({p: (found, custom) for p in custom.outputs if p is not None})
    return made.run()


def leading(recording: Recording, target: int) -> list[Custom]:
    """List the functions with gradients of their own that a target depends on."""
    at = {p: custom for custom in recording.customs for p in custom.outputs}
    found: dict[int, Custom] = {}
    needed = {target}
    for p in range(target, -1, -1):
        if p in needed:
            needed.update(recording.steps[p][1:])
            if p in at:
                found[id(at[p])] = at[p]
                needed.update(i for i in at[p].inputs if i is not None)
    return list(found.values())


def transpose(recording: Recording, custom: Custom) -> Transpose | None:
    """Transpose the author's function, if it is shown to be linear: its code runs once on zeros."""
    probe = Probe(watches_variables=False, opener=recording.opener)
    probe.outermost, probe.of = recording.block, recording
    us = [filled(0, shape, dtype) for shape, dtype in custom.rule.outputs]
    with _listening(probe):
        for u, place in zip(us, custom.outputs, strict=True):
            if place is not None:
                probe.watch(u)
        found = custom.rule.pull(us)
    given = [(k, g) for k, g in enumerate(found) if g is not None and custom.inputs[k] is not None]
    wanted = [(k, g) for k, g in given if id(g) in probe.known or not _is_zero(g)]
    still = [k for k, g in given if id(g) not in probe.known and _is_zero(g)]
    if probe.has_lost or not all(id(g) in probe.known for _, g in wanted):
        return None
    program, places = probe.program()
    at = {k: places[probe.known[id(g)]] for k, g in wanted}
    inputs = [None if p is None else places[probe.known[id(u)]] for u, p in _pairs(us, custom)]
    fed = [p for p in inputs if p is not None]
    leaves = [(places[p], probe.tensors[p]) for p in probe.entered() if places[p] not in fed]
    zeros = {p for p, t in leaves if _is_zero(t)}
    if not is_linear(program, fed, list(at.values()), zeros):
        return None
    return _transposed(program, at, inputs, leaves, len(custom.inputs))._replace(still=still)


def _pairs(us: Sequence[Any], custom: Custom) -> Iterator[tuple[Any, int | None]]:
    return zip(us, custom.outputs, strict=True)


def _is_zero(tensor: Any) -> bool:
    """Say whether it is zeros that depend on nothing that is recorded."""
    is_known = any(id(tensor) in r.known for r in THREAD.state.recordings)
    return not is_known and not np.any(tensor.raw)


def _transposed(
    program: Program,
    at: dict[int, int],
    inputs: Sequence[int | None],
    leaves: Sequence[tuple[int, Any]],
    count: int,
) -> Transpose:
    """Derive the gradient by u of what u gives in some directions."""
    b = Builder(program)
    like = {
        k: Input(dtype_name(program.dtypes[p]), program.shapes[p], False) for k, p in at.items()
    }
    directions = {k: b.enter(leaf) for k, leaf in like.items()}
    given = [p for p in inputs if p is not None]
    derived = derive.gradient(
        b.finish(), list(at.values()), [[p] for p in given], list(directions.values())
    )
    results = dict(zip(given, derived.outputs, strict=True))
    return Transpose(
        derived.program,
        [directions.get(k) for k in range(count)],
        leaves,
        [None if p is None else results[p] for p in inputs],
    )


@contextmanager
def _listening(probe: Probe) -> Iterator[None]:
    """Record on the probe, beside all tapes that are active."""
    recordings = THREAD.state.recordings
    recordings.append(probe)
    try:
        yield
    finally:
        recordings[:] = [r for r in recordings if r is not probe]


class _Surrogate:
    """Writes the steps of a recording again, and those of the transposes among them."""

    def __init__(self, recording: Recording) -> None:
        self._old = recording
        self._new = Recording(watches_variables=False, opener=recording.opener)
        self._new.outermost = recording.block
        self._moved: list[int] = []
        self._directions: dict[int, int] = {}
        self.transposes: dict[int, tuple[Transpose, Custom]] = {}

    def run(self) -> Surrogate:
        """Write all steps."""
        old, new, moved = self._old, self._new, self._moved
        for p, (step, tensor) in enumerate(zip(old.steps, old.tensors, strict=True)):
            operands = [moved[i] for i in step[1:]]
            if p in self.transposes:
                moved.append(self._result(p, step[0], operands, tensor))
            else:
                moved.append(self._new.append(tensor, step[0], *operands))
        new.known = {place: moved[p] for place, p in old.known.items()}
        new.guards = tuple([g._replace(position=moved[g.position]) for g in old.guards])
        return Surrogate(new, moved, self._still())

    def _still(self) -> list[tuple[int, int]]:
        """List inputs with results that only zeros connect with them, in the order of results."""
        return [
            (self._moved[q], self._moved[p])
            for p, (found, custom) in sorted(self.transposes.items(), key=itemgetter(0))
            for k in found.still
            if (q := custom.inputs[k]) is not None
        ]

    def _result(self, p: int, operation: Operation, operands: Sequence[int], tensor: Any) -> int:
        found, custom = self.transposes[p]
        change = found.results[custom.outputs.index(p)]
        if change is None:
            return self._new.append(tensor, operation, *operands)
        value = self._new.append(None, operation, *operands)
        return self._new.append(tensor, authored, value, self._spliced(found, custom, change))

    def _spliced(self, found: Transpose, custom: Custom, wanted: int) -> int:
        """Write the steps of a transpose that one result needs."""
        program = found.program
        place = {p: self._new.append(t, *t.leaf_step()) for p, t in found.leaves}
        for direction, p in zip(found.directions, custom.inputs, strict=True):
            if direction is not None and p is not None:
                place[direction] = self._direction(self._moved[p])
        for p in program.ancestors([wanted], place):
            if p not in place:
                operation, *operands = program.steps[p]
                place[p] = self._new.append(None, operation, *[place[i] for i in operands])
        return place[wanted]

    def _direction(self, p: int) -> int:
        """Write x - stop(x)."""
        if p not in self._directions:
            stopped = self._new.append(None, passed, p)
            self._directions[p] = self._new.append(None, subtract, p, stopped)
        return self._directions[p]
