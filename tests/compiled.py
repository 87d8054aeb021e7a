"""What a case of the table compiles to: its results and gradients, and their arguments."""

from __future__ import annotations

from typing import Any

import numpy as np

import symtape as tf
from tests.cases import Case


def derived(case: Case, dtype: str = "float64") -> tuple[list[Any], list[Any]]:
    """Record a case; give its results and gradients with formulas, and who holds the leaves."""
    xs = [tf.constant(a) for a in case.arrays(dtype)]
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(xs)
        ys = tf.nest.flatten(case.run(tf, *xs))
    smooth = [y for y in ys if y.dtype.is_floating or y.dtype.is_complex]
    gradients = tape.gradient(smooth, xs) if smooth else []
    found = [t for t in [*smooth, *gradients] if t is not None and t.origin is not None]
    return found, [xs, tape]


def arguments(tensor: Any, compiled: Any) -> list[Any]:
    """Give the recorded values of the arguments of a compiled formula."""
    leaves = {symbol.name: leaf for symbol, leaf in tensor.leaves.items()}
    parameters = compiled.signature.parameters.items()
    return [np.asarray(leaves[n])[()] for n, p in parameters if p.default is p.empty]
