"""Gradients through functions whose derivative is their author's: back to each, and on from there.

The author's code runs when a gradient is taken, on tensors, in sight of the tapes that are active.
"""

from __future__ import annotations

from collections.abc import Sequence

from symtape.tensor.derivatives import differentiate
from symtape.tensor.derivatives.author import listening, pulled
from symtape.tensor.derivatives.descent import Descent
from symtape.tensor.derivatives.differentiate import Meant
from symtape.tensor.derivatives.entries import stacked, units
from symtape.tensor.derivatives.fixed import filled
from symtape.tensor.derivatives.surrogate import leading, surrogate
from symtape.tensor.recording.active import THREAD
from symtape.tensor.recording.recorder import Recording
from symtape.tensor.tensor import Tensor


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
    meant = Meant("gradient", [recording.tensors[p] for p in targets], bool(seeds))
    descent, given = Descent(recording, targets, seeds, meant), []
    for custom in reversed(customs):
        found = descent.to(custom)
        if any(g is not None for g in found):
            given.append(pulled(recording, custom, found))
            descent.arrive(given[-1])
    ends = [end for pairs in reversed(given) for end in pairs]
    what = ("gradient", (*[p for p, _ in ends], *targets), sources)
    return differentiate.derivatives(recording, what, [*[g for _, g in ends], *seeds], meant)


def jacobian(
    recording: Recording,
    target: int,
    sources: Sequence[tuple[int, ...]],
    *,
    batch: bool,
    meant: Meant | None = None,
) -> Sequence[Tensor | None]:
    """Derive the Jacobian of a recorded target; with `batch`, that of each row."""
    if not leading(recording, target):
        return differentiate.jacobian(recording, target, sources, batch=batch, meant=meant)
    recording.block.set_aside()
    found = surrogate(recording, target)
    if found is None:
        with listening(recording):
            return _by_rows(recording, target, tuple(sources), batch=batch)
    made, moved, still = found
    placed = [tuple([moved[p] for p in group]) for group in sources]
    results = differentiate.jacobian(made, moved[target], placed, batch=batch, meant=meant)
    if not still:
        return results
    rows = recording.tensors[target].raw.shape
    return [
        _zeros(rows, recording.tensors[group[0]], batch=batch)
        if result is None and group and found.reaches(group, target)
        else result
        for result, group in zip(results, sources, strict=True)
    ]


def _zeros(rows: tuple[int, ...], source: Tensor, *, batch: bool) -> Tensor:
    columns = source.raw.shape[1:] if batch else source.raw.shape
    return filled(0, (*rows, *columns), source.raw.dtype)


def hessian(
    recording: Recording, targets: Sequence[int], source: tuple[int, ...]
) -> Sequence[Tensor | None]:
    """Derive the second derivative of the sum of recorded targets with respect to one source.

    The gradient is recorded on the tape itself, as that of an outer tape would be.
    """
    if not recording.customs:
        return differentiate.hessian(recording, targets, source)
    recordings = THREAD.state.recordings
    is_active = any(r is recording for r in recordings)
    if not is_active:
        recordings.insert(0, recording)
    try:
        (slope,) = gradient(recording, tuple(targets), (source,))
    finally:
        if not is_active:
            recordings[:] = [r for r in recordings if r is not recording]
    place = None if slope is None else recording.known.get(id(slope))
    meant = Meant("hessian", [recording.tensors[p] for p in targets])
    if place is None:
        return [None]
    return jacobian(recording, place, [source], batch=False, meant=meant)


def _by_rows(
    recording: Recording, target: int, sources: tuple[tuple[int, ...], ...], *, batch: bool
) -> Sequence[Tensor | None]:
    """Take the gradient of each entry of the target; with `batch`, of each sum over the batch."""
    like = recording.tensors[target]
    rows = [gradient(recording, (target,), sources, [u]) for u in units(like, batch=batch)]
    shape = like.raw.shape
    return [stacked(column, shape, batch=batch) for column in zip(*rows, strict=True)]
