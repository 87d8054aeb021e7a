"""What a case of the table gives: its results and gradients, and arguments of their formulas."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

import symtape as tf
from tests.cases import Case


class Recorded(NamedTuple):
    """A case that was run under a tape: the leaves, the results, and what has a derivative."""

    xs: list[Any]
    tape: Any
    ys: list[Any]
    smooth: list[Any]
    gradients: list[Any]
    """Of all that is smooth, by each leaf, if derivatives of the case are asked for."""


def recorded(case: Case, dtype: str = "float64") -> Recorded:
    """Run a case under a tape."""
    xs = [tf.constant(a) for a in case.arrays(dtype)]
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([x for x in xs if is_smooth(x)])
        ys = tf.nest.flatten(case.run(tf, *xs))
    smooth = [y for y in ys if is_smooth(y)]
    return Recorded(
        xs, tape, ys, smooth, tape.gradient(smooth, xs) if smooth and case.order else []
    )


def is_smooth(x: Any) -> bool:
    """Say whether a tensor holds floats or complex numbers."""
    return bool(x.dtype.is_floating or x.dtype.is_complex)


def derived(case: Case, dtype: str = "float64") -> tuple[list[Any], Any]:
    """Record a case; give its results and gradients with formulas, and who holds the leaves."""
    run = recorded(case, dtype)
    both = [*run.smooth, *run.gradients]
    return [t for t in both if t is not None and t.origin is not None], run


def arguments(tensor: Any, compiled: Any) -> list[Any]:
    """Give the recorded values of the arguments of a compiled formula."""
    leaves = {symbol.name: leaf for symbol, leaf in tensor.leaves.items()}
    parameters = compiled.signature.parameters.items()
    return [np.asarray(leaves[n])[()] for n, p in parameters if p.default is p.empty]
