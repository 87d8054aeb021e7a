"""A recording as it is so far, where no derivative flows through some of its results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtape.program.authors import passed
from symtape.program.operations import Input
from symtape.tensor.recording.recorder import Recording


def stopped(recording: Recording, tensors: Sequence[Any]) -> Recording:
    """Write its steps again; what reads one of the tensors reads it behind a step that passes none.

    By the tensors themselves can be derived.
    """
    cut = {recording.known.get(id(x)) for x in tensors}
    made = Recording(watches_variables=False, opener=recording.opener)
    made.outermost = recording.block
    own: list[int] = []
    moved: list[int] = []
    for p, (step, tensor) in enumerate(zip(recording.steps, recording.tensors, strict=True)):
        ends = p in cut and type(step[0]) is not Input
        own.append(made.append(None if ends else tensor, step[0], *[moved[i] for i in step[1:]]))
        moved.append(made.append(tensor, passed, own[p]) if ends else own[p])
    made.known = {place: moved[p] for place, p in recording.known.items()}
    made.variables = {
        key: (handle, [moved[p] for p in places])
        for key, (handle, places) in recording.variables.items()
    }
    made.guards = tuple([g._replace(position=moved[g.position]) for g in recording.guards])
    made.customs = tuple([c.moved(moved, own) for c in recording.customs])
    return made
