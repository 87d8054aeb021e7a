"""Every operation of the table, as a function: traced, compiled, and as right as under a tape."""

from __future__ import annotations

import numpy as np
import pytest

import symtape as tf
from tests.cases import CASES
from tests.sampling import some

REAL = [c for c in CASES if any(x.kind == "float" for x in c.inputs)]
REAL = [c for c in REAL if c.order > 0 and all(x.kind != "complex" for x in c.inputs)]


def differentiable(case):
    """List the places of the arguments that are floats."""
    return tuple(k for k, x in enumerate(case.inputs) if x.kind == "float")


def reals(results):
    """List the real results of a case, of complex ones both parts."""
    found = []
    for p in tf.nest.flatten(results):
        if p.dtype.is_complex:
            found += [tf.math.real(p), tf.math.imag(p)]
        elif p.dtype.is_floating:
            found.append(p)
    return found


def total(case):
    """Make the sum of all results of a case, each weighted by numbers of its own."""

    def f(*args):
        parts = [tf.cast(p, tf.float64) for p in reals(case.run(tf, *args))]
        weights = [np.cos(np.arange(np.size(p))).reshape(np.shape(p)) for p in parts]
        sums = [tf.reduce_sum(p * w) for p, w in zip(parts, weights, strict=True)]
        return tf.add_n([tf.constant(0.0, dtype=tf.float64), *sums])

    return f


def connected(case):
    """List the operands that have a gradient: not orders and shapes. All, if none has."""
    chosen, tensors = differentiable(case), [tf.constant(a) for a in case.arrays("float64")]
    with tf.GradientTape() as tape:
        tape.watch(tensors)
        y = total(case)(*tensors)
    found = tape.gradient(y, [tensors[k] for k in chosen])
    return [k for k, g in zip(chosen, found, strict=True) if g is not None] or chosen


@pytest.mark.parametrize("case", some(REAL, 16), ids=lambda case: case.name)
def test_functions_give_what_tapes_give(case):
    """grad gives the gradient of a tape, on three calls with different values."""
    chosen, f = differentiable(case), total(case)
    slope = tf.grad(f, chosen)
    for scale in (1.0, 0.875, 0.96875):
        arrays = [a * scale if k in chosen else a for k, a in enumerate(case.arrays("float64"))]
        tensors = [tf.constant(a) for a in arrays]
        with tf.GradientTape(persistent=True) as tape:
            tape.watch([tensors[k] for k in chosen])
            y = f(*tensors)
        taken = dict(zip(chosen, tape.gradient(y, [tensors[k] for k in chosen]), strict=True))
        try:
            found = slope(*arrays)
        except tf.DerivativeError:  # by orders and shapes, or of what looks at values
            known = tuple([k for k in chosen if taken[k] is not None])
            assert len(known) < len(chosen)
            found = tf.grad(f, known)(*arrays) if known else ()
            taken = {k: taken[k] for k in known}
        for k, a in zip(taken, found, strict=True):
            b = np.zeros_like(arrays[k]) if taken[k] is None else taken[k].numpy()
            np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(
    "case", some([c for c in REAL if c.order > 1], 16, 1), ids=lambda case: case.name
)
def test_jvp_is_the_transpose_of_vjp(case):
    """⟨u, J v⟩ = ⟨Jᵀ u, v⟩, so every rule is linear in its cotangent and has a transpose."""
    arrays, chosen = case.arrays("float64"), connected(case)

    def f(*own):
        full = list(arrays)
        for k, x in zip(chosen, own, strict=True):
            full[k] = x
        return reals(case.run(tf, *full))

    primals = tuple(arrays[k] for k in chosen)
    rng = np.random.default_rng(0)
    tangents = tuple(rng.normal(size=x.shape) for x in primals)
    try:
        value, along = tf.jvp(f, primals, tangents)
    except tf.DerivativeError as error:
        assert "out of the recording" in str(error)  # noqa: PT017 - what looks at values only
        return
    _, pull = tf.vjp(f, *primals)
    cotangents = [rng.normal(size=np.shape(y)).astype(y.dtype) for y in value]
    pulled = pull(cotangents)
    left = sum(np.sum(u * a) for u, a in zip(cotangents, along, strict=True))
    right = sum(np.sum(p * v) for p, v in zip(pulled, tangents, strict=True))
    if all(np.isfinite(y).all() for y in value) and np.isfinite(right):
        single = any(np.asarray(y).dtype == np.float32 for y in value)
        np.testing.assert_allclose(left, right, rtol=1e-6 if single else 1e-9, atol=1e-10)


@pytest.mark.parametrize("case", some(REAL, 16, 2), ids=lambda case: case.name)
def test_many_rows_are_what_each_row_is(case):
    """vectorize gives for each row what the row alone has: gradient and Hessian by all floats."""
    chosen, f = differentiable(case), total(case)
    everything = tuple(range(len(case.inputs)))
    arrays = case.arrays("float64")
    rows = [
        [a * scale if k in chosen else a for k, a in enumerate(arrays)] for scale in (1.0, 0.875)
    ]
    stacked = [np.stack(column) for column in zip(*rows, strict=True)]
    for transform in (tf.grad, tf.hessian)[
        : min(case.order, 1 + (sum(a.size for a in arrays) < 9))
    ]:
        alone = transform(f, chosen)
        try:
            expected = [alone(*row) for row in rows]
        except tf.DerivativeError:  # of what looks at values and has no slope
            return
        found = transform(f, chosen, vectorize=everything)(*stacked)
        for parts in zip(tf.nest.flatten(found), *map(tf.nest.flatten, expected), strict=True):
            np.testing.assert_allclose(parts[0], np.stack(parts[1:]), rtol=1e-8, atol=1e-11)
