"""Each step is compared with what JAX made of the same values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from symtape.frontends.jax_functions.steps import Step
from symtape.frontends.jax_functions.values import raw

_TOLERANCES = {8: 1e-9, 4: 2e-4, 2: 2e-2}
"""By the bytes of a real number: rounding errors are smaller, and wrong rules err by more."""


def compare(step: Step, found: Sequence[Any]) -> None:
    """Raise `UnsupportedError` where results are not those of JAX."""
    if len(found) != len(step.results):
        raise step.refused(f"{len(found)} results were made in place of {len(step.results)}")
    scale = max([_largest(x) for x in step.operands], default=0.0)
    for own, other in zip(found, step.results, strict=True):
        if own is not other:
            _compare(step, np.asarray(raw(own)), _read(step, np.asarray(other)), scale)


def _read(step: Step, other: Any) -> Any:
    """Leave out what JAX does not define: the upper triangle beside a Cholesky factor."""
    return np.tril(other) if step.name == "cholesky" else other


def _compare(step: Step, own: Any, other: Any, scale: float) -> None:
    if own.shape != other.shape or own.dtype != other.dtype:
        raise _differs(step, f"{own.dtype}{list(own.shape)}", f"{other.dtype}{list(other.shape)}")
    if own.dtype.kind in "biu":
        same = np.equal(own, other)
    else:
        same = _close(own, other, scale)
    if not same.all():
        at = tuple(np.argwhere(~same)[0])
        raise _differs(step, f"{own[at]}", f"{other[at]}")


def _close(own: Any, other: Any, scale: float) -> Any:
    """Say where numbers agree, relative to the largest of them and of the operands."""
    bytes_of_real = own.dtype.itemsize // (2 if own.dtype.kind == "c" else 1)
    own, other = (x.astype(np.complex128 if x.dtype.kind == "c" else float) for x in (own, other))
    with np.errstate(all="ignore"):
        least = np.abs(np.where(np.isfinite(other), other, 0)).max(initial=0.0)
        bound = _TOLERANCES[bytes_of_real] * max(least, min(scale, 1.0), 1e-30)
        near = np.abs(own - other) <= bound + _TOLERANCES[bytes_of_real] * np.abs(other)
        return near | (own == other) | (np.isnan(own) & np.isnan(other))


def _largest(value: Any) -> float:
    array = raw(value)
    if getattr(array.dtype, "kind", "O") not in "fcVbiu" or not array.size:
        return 0.0
    own = np.asarray(array)
    size = np.abs(own.astype(np.complex128 if own.dtype.kind == "c" else float))
    return float(np.where(np.isfinite(size), size, 0).max())


def _differs(step: Step, own: str, other: str) -> UnsupportedError:
    return step.refused(f"symtape makes {own} of it, JAX {other}; please report this")
