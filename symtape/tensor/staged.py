"""Gradients through functions whose derivative is their author's: back to each, and on from there.

The author's code runs when a gradient is taken, on tensors, in sight of the tapes that are active.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager


from symtape.tensor import differentiate
from symtape.tensor.custom import Custom
from symtape.tensor.differentiate import filled
from symtape.tensor.recorder import THREAD, Recording
from symtape.tensor.tensor import Tensor

Ends = list[tuple[int, Tensor]]
"""Positions that a sweep starts from, and their weights."""


def gradient(
    recording: Recording,
    targets: tuple[int, ...],
    sources: tuple[tuple[int, ...], ...],
    seeds: Sequence[Tensor] = (),
) -> Sequence[Tensor | None]:
    """Differentiate the sum of recorded targets; a source is the positions of all its versions."""
    customs = recording.customs
    if not customs:
        return differentiate.gradient(recording, targets, sources, seeds)
    recording.block.set_aside()  # formulas are read through what the authors' code computes
    ends: Ends = []
    for custom in reversed(customs):
        results = tuple([(p,) for p in custom.outputs if p is not None])
        found = _swept(recording, targets, ends, results, seeds)
        if any(g is not None for g in found):
            ends = pulled(recording, custom, found) + ends
    return _swept(recording, targets, ends, sources, seeds)


def _swept(
    recording: Recording,
    targets: tuple[int, ...],
    ends: Ends,
    sources: tuple[tuple[int, ...], ...],
    seeds: Sequence[Tensor],
) -> Sequence[Tensor | None]:
    """Sweep from the targets, and from where authors' code left off."""
    places = (*[p for p, _ in ends], *targets)
    weights = [*[g for _, g in ends], *seeds]
    what = ("gradient", places, sources)
    return differentiate.derivatives(recording, what, weights, (targets, bool(seeds)))


def pulled(recording: Recording, custom: Custom, cotangents: Sequence[Tensor | None]) -> Ends:
    """Run the author's code; what no target depends on has the cotangent zero."""
    given = iter(cotangents)
    us = []
    for place, (shape, dtype) in zip(custom.outputs, custom.rule.outputs, strict=True):
        u = None if place is None else next(given)
        us.append(filled(0, shape, dtype) if u is None else u)
    with remembering(recording):
        found = custom.rule.pull(us)
    return [
        (p, g) for p, g in zip(custom.inputs, found, strict=True) if p is not None and g is not None
    ]


@contextmanager
def remembering(recording: Recording) -> Iterator[None]:
    """Let what is computed be read through, if no tape is active that does so."""
    recordings = THREAD.state.recordings
    if recordings and recordings[-1].block is recording.block:
        yield
        return
    silent = Recording(watches_variables=False, opener=recording.opener)
    silent.outermost = recording.block
    recordings.append(silent)
    try:
        yield
    finally:
        recordings[:] = [r for r in recordings if r is not silent]


__all__ = ["gradient", "pulled", "remembering"]
