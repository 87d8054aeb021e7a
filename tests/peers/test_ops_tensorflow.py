"""Every operation against TensorFlow: values, dtypes, derivatives, None."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import symtape
from tests.cases import CASES, SINGLE, Case
from tests.sampling import all_hold, batches

TOLERANCE = {"float16": 2e-3, "float32": 2e-5, "float64": 1e-12}


def array(x: Any, tf: ModuleType) -> Any:
    """Take the value of a tensor; TensorFlow's sparse gradients become dense."""
    return tf.convert_to_tensor(x).numpy()


def weights(x: Any, phase: float) -> Any:
    """Make numbers to weigh elements with, the same for both sides."""
    shape = tuple(x.shape)
    return np.cos(np.arange(np.prod(shape)) + phase).reshape(shape).astype(x.dtype.as_numpy_dtype)


def differentiable(x: Any) -> bool:
    """Say whether a tensor can have a gradient."""
    return bool(x.dtype.is_floating or x.dtype.is_complex)


def dtypes(case: Case) -> list[str]:
    """List the precisions that a case is compared in; half where it may be."""
    complex_valued = any(x.kind == "complex" for x in case.inputs)
    half = case.inputs and not complex_valued and case.half and "float32" in case.dtypes
    return [*case.dtypes, *(["float16"] if half else [])]


def derivatives(tf: ModuleType, case: Case, arrays: list[Any]) -> tuple[list[Any], Any, Any]:
    """Run a case under two tapes: its results, the gradient, and the gradients of the gradient."""
    xs = [tf.constant(a) for a in arrays]
    with tf.GradientTape(persistent=True) as outer:
        outer.watch(xs)
        with tf.GradientTape(persistent=True) as inner:
            inner.watch(xs)
            ys = tf.nest.flatten(case.run(tf, *xs))
        smooth = [y for y in ys if differentiable(y)]
        first = [None] * len(xs)
        if smooth and xs and case.order > 0:
            seeds = [tf.constant(weights(y, 1.0)) for y in smooth]
            first = inner.gradient(smooth, xs, output_gradients=seeds)
            first = [g if g is None else tf.convert_to_tensor(g) for g in first]
    second = []
    if case.order > 1:
        for g in first:
            if g is not None:
                seed = tf.constant(weights(g, 2.0))
                second.append(outer.gradient(g, xs, output_gradients=seed))
    return ys, first, second


def same(ours: Any, theirs: Any, tf: ModuleType, dtype: str, what: str) -> None:
    """Assert that two results are of one dtype and shape and nearly equal, or both None."""
    assert (ours is None) == (theirs is None), f"{what}: {ours} against {theirs}"
    if ours is None:
        return
    a, b = array(ours, symtape), array(theirs, tf)
    assert ours.dtype.name == theirs.dtype.name, f"{what}: dtype"
    assert np.asarray(a).dtype == np.asarray(b).dtype, f"{what}: dtype of the array"
    assert np.shape(a) == np.shape(b), f"{what}: shape"
    if np.asarray(a).dtype.kind in "fc":
        scale = np.max(np.abs(b), initial=1, where=np.isfinite(b))
        tolerance = TOLERANCE[dtype]
        np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance * scale, err_msg=what)
    else:
        np.testing.assert_array_equal(a, b, err_msg=what)


ROWS = {f"{c.name}-{d}": (c, d) for c in (*CASES, *SINGLE) for d in dtypes(c)}


@pytest.mark.parametrize("rows", batches(ROWS), ids=lambda rows: rows[0])
def test_operations_agree_with_tensorflow(rows: list[str], tensorflow: ModuleType) -> None:
    """Results, gradients and second derivatives are TensorFlow's, and None where its are None."""
    all_hold(lambda row: agrees(*ROWS[row], tensorflow), rows)


def agrees(case: Case, dtype: str, tensorflow: ModuleType) -> None:
    """Assert that an operation gives what TensorFlow's gives."""
    arrays = case.arrays(dtype)
    judged = case.tensorflow if dtype != "float16" else min(case.tensorflow, 1)
    case = replace(case, order=min(case.order, judged))
    ys, first, second = derivatives(symtape, case, arrays)
    theirs, their_first, their_second = derivatives(tensorflow, case, arrays)
    assert len(ys) == len(theirs)
    for k, (a, b) in enumerate(zip(ys, theirs, strict=True)):
        same(a, b, tensorflow, dtype, f"result {k}")
    for k, (a, b) in enumerate(zip(first, their_first, strict=True)):
        same(a, b, tensorflow, dtype, f"gradient {k}")
    for j, (row, their_row) in enumerate(zip(second, their_second, strict=True)):
        for k, (a, b) in enumerate(zip(row, their_row, strict=True)):
            same(a, b, tensorflow, dtype, f"second derivative {j}, {k}")
