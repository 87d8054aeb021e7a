"""Whether one changed step explains numbers: what follows from an edit, and how much of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np

from symtape.verify.causes.derived import Derived
from symtape.verify.causes.evidence import slack
from symtape.verify.causes.mistakes import Edit, computed
from symtape.verify.running.clock import Clock
from symtape.verify.subject import OUTSIDE

_SECONDS = 0.8
"""So long are edits tried, in time of the processor."""


def in_time(edits: Iterable[Edit], most: int, clock: Clock) -> Iterator[Edit]:
    """List so many edits at most, as long as there is time."""
    own = clock.part(_SECONDS)
    for edit in islice(edits, most):
        if own.is_over:
            return
        yield edit


def factor_of(
    derived: Derived, edit: Edit, known: Sequence[Any], wanted: Sequence[Any]
) -> float | None:
    """Give the factor of what an edit leaves out with which all points have what is wanted.

    It is 0 where the edit itself gives that, and None where it explains nothing. What leaves out
    no term has no other factor.
    """
    factor = None
    for values, target in zip(known, wanted, strict=True):
        found = _result(derived, edit, values)
        if found is None:
            return None
        if same(found, values[derived.end]):
            if not same(found, target):
                return None
            continue
        if same(found, target):
            own = 0.0
        else:
            own = _share(found, values[derived.end], target) if edit.term else np.nan
        if not abs(own - 1) > 1e-4 or (
            factor is not None and abs(own - factor) > 1e-6 * max(1.0, abs(own))
        ):
            return None
        factor = own
    return factor


def _share(without: Any, whole: Any, answer: Any) -> float:
    """Give the factor of a term, without and with which there are some results; nan for none."""
    term, own = np.subtract(whole, 1.0 * without), answer - 1.0 * without  # truth values have no -
    below = float(np.sum(np.abs(term) ** 2))
    if not below or not np.isfinite(below):
        return np.nan
    factor = float(np.real(np.sum(np.conj(term) * own))) / below
    return factor if same(factor * term, own) else np.nan


def _result(derived: Derived, edit: Edit, known: Sequence[Any]) -> Any | None:
    """Compute again what follows from an edit; None where that is no result of the same shape."""
    values = list(known)
    changed = {edit.place}
    try:
        values[edit.place] = edit.compute(known)
        if np.shape(values[edit.place]) != np.shape(known[edit.place]):
            return None
        for p in range(edit.place + 1, derived.end + 1):
            operation, *operands = derived.program.steps[p]
            if not changed.isdisjoint(operands):
                changed.add(p)
                values[p] = computed(operation, [values[i] for i in operands])
    except (*OUTSIDE, TypeError):
        return None
    return values[derived.end]


def same(a: Any, b: Any) -> bool:
    """Say whether two arrays agree to some digits."""
    if np.shape(a) != np.shape(b) or not np.all(np.isfinite(a)) or not np.all(np.isfinite(b)):
        return False
    size = max(float(np.max(np.abs(a), initial=0)), float(np.max(np.abs(b), initial=0)))
    return (
        float(np.max(np.abs(np.asarray(a, "complex128") - b), initial=0))
        <= max(_SAME, slack()) * size
    )


_SAME = 1e-8
"""So far apart, beside their size, are arrays that a mistake explains: as far as floats differ."""


def fits(shape: tuple[int, ...], whole: tuple[int, ...]) -> bool:
    """Say whether a shape broadcasts to another one."""
    try:
        return bool(np.broadcast_shapes(shape, whole) == whole)
    except ValueError:
        return False
