"""The part of a recording that some targets need: whoever asks often should not pay for the rest.

A gradient of one of many targets of a persistent tape is derived from what that target was computed
from. All leaves stay, since all formulas of a tape share their names, and so does what was decided.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from symtape.tensor.recording.recorder import Recording


class Chosen(NamedTuple):
    """Some steps as a recording of their own, what is derived of it, and where they were."""

    recording: Recording
    what: tuple[Any, ...]
    positions: Sequence[int]


def chosen(recording: Recording, what: tuple[Any, ...]) -> Chosen | None:
    """Choose what a gradient needs, or nothing where that is most of the recording."""
    kind, *arguments = what
    if kind != "gradient":
        return None
    targets, sources = arguments
    needed = _needed(recording, [*targets, *[g.position for g in recording.guards]])
    if needed is None:
        return None
    positions = sorted({*needed, *recording.entered()})
    moved = {p: k for k, p in enumerate(positions)}
    made = Recording(watches_variables=False, opener=recording.opener)
    steps = recording.steps
    made.steps = [(steps[p][0], *[moved[i] for i in steps[p][1:]]) for p in positions]
    made.tensors = [recording.tensors[p] for p in positions]
    made.guards = tuple([g._replace(position=moved[g.position]) for g in recording.guards])
    groups = tuple([tuple([moved[p] for p in group if p in moved]) for group in sources])
    return Chosen(made, (kind, tuple([moved[p] for p in targets]), groups), positions)


def _needed(recording: Recording, wanted: Sequence[int]) -> set[int] | None:
    """List what some positions are computed from, or give up where that is most of all."""
    steps = recording.steps
    found, stack, most = set(wanted), list(wanted), len(steps) // 2
    while stack and len(found) <= most:
        for p in steps[stack.pop()][1:]:
            if p not in found:
                found.add(p)
                stack.append(p)
    return None if stack or len(found) > most else found
