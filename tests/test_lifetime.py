"""What tapes keep alive, for how long, and in which thread."""

from __future__ import annotations

import gc
import importlib
import sys
import threading
import tracemalloc
import weakref

import numpy as np
import pytest

import symtape as tf
from symtape.functions.tracing.tracing import Trace
from symtape.tensor.lazy.results import LateTensor
from symtape.tensor.recording.recorder import Recording


class Watched(np.ndarray):
    """An array whose life can be watched."""


def large(n=200_000):
    """Make a tensor whose array can be watched."""
    tensor = tf.zeros([n])
    return tensor


def test_small_arrays_that_a_call_made_stay_with_the_formula():
    """What was made of a list, and places of a mask, is held by nobody else."""

    def computed(function):
        x = tf.Variable([1.0, 2.0, 3.0], name="x")
        with tf.GradientTape(persistent=True):
            return function(x), x

    for function, value in {
        lambda x: tf.reduce_sum(tf.gather(x, [0, 2]) ** 2): 10.0,
        lambda x: tf.reduce_sum(tf.boolean_mask(x, x > 1.5) ** 2): 13.0,
        lambda x: tf.reduce_sum(x * [1.0, 0.0, 2.0]): 7.0,
    }.items():
        y, _x = computed(function)
        assert y.lambdify()([1.0, 2.0, 3.0]) == value
        assert y.latex()


def test_intermediate_arrays_die_with_a_consumed_tape():
    """After the gradient, nothing holds the arrays of the steps between."""
    x = large()
    with tf.GradientTape() as tape:
        tape.watch(x)
        h = tf.sin(x)
        y = tf.reduce_sum(h * h)
    seen = weakref.ref(h)
    del h
    assert seen() is not None
    g = tape.gradient(y, x)
    assert seen() is None
    assert g.shape == x.shape


@pytest.mark.parametrize("persistent", [True, False])
def test_arrays_die_with_a_deleted_tape(persistent):
    """Deleting a tape frees its arrays without the garbage collector, results kept or not."""
    gc.collect()
    gc.disable()
    try:
        x = large()
        tape = tf.GradientTape(persistent=persistent)
        with tape:
            tape.watch(x)
            h = tf.sin(x)
            y = tf.reduce_sum(h * h)
        seen = weakref.ref(h)
        del h, tape
        assert seen() is None
        assert y.index_expr() is not None
    finally:
        gc.enable()


def test_a_persistent_tape_keeps_its_arrays():
    """A persistent tape can be asked again, until it is deleted."""
    x = tf.Variable(2.0)
    with tf.GradientTape(persistent=True) as tape:
        y = tf.sin(x) * x
    first = tape.gradient(y, x)
    gc.collect()
    assert tape.gradient(y, x) == first


@pytest.mark.slow
def test_kept_losses_are_small():
    """A loop that keeps every loss grows by less than 2 KB a step."""
    rng = np.random.default_rng(0)
    w = tf.Variable(rng.normal(size=(50, 1)), dtype=tf.float32)
    inputs, targets = rng.normal(size=(100, 50)).astype("f"), rng.normal(size=(100, 1)).astype("f")
    kept = []

    def step():
        x, t = tf.constant(inputs), tf.constant(targets)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(x @ w - t))
        w.assign_sub(0.01 * tape.gradient(loss, w))
        kept.append(loss)

    for _ in range(50):
        step()
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(500):
        step()
    gc.collect()
    grown = (tracemalloc.get_traced_memory()[0] - before) / 500
    tracemalloc.stop()
    assert grown < 2048
    assert kept[0].index_expr() == kept[-1].index_expr()


def test_each_thread_has_its_own_tapes():
    """What one thread computes is not recorded on the tape of another."""
    x = tf.Variable(3.0)
    results = {}
    barrier = threading.Barrier(4)

    def work(n):
        barrier.wait()
        for _ in range(50):
            with tf.GradientTape() as tape:
                y = x * float(n)
                z = y * x
            results.setdefault(n, []).append(float(tape.gradient(z, x)))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {n: [6.0 * n] * 50 for n in range(1, 5)}


def test_a_thread_does_not_record_on_the_tape_of_another():
    """A thread started inside of a tape records nothing there."""
    x = tf.Variable(3.0)
    found = []
    with tf.GradientTape() as tape:
        thread = threading.Thread(target=lambda: found.append(x * x))
        thread.start()
        thread.join()
    assert tape.gradient(found[0], x) is None


def test_a_tape_that_is_entered_and_lost_leaves_others_alone():
    """What nobody can leave goes on recording, as in TensorFlow, and the thread computes on."""
    found = []

    def run():
        x = tf.Variable([1.0, 2.0])
        tf.GradientTape().__enter__()
        with tf.GradientTape() as tape:
            y = x**3 * 2.0
        found.extend([(x * 3.0).numpy(), tape.gradient(y, x).numpy()])

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert [value.tolist() for value in found] == [[3.0, 6.0], [6.0, 24.0]]


def test_numpy_error_state_is_left_alone():
    """Infinities pass in silence inside, and NumPy's own settings are as they were."""
    before = np.geterr()
    x = tf.constant([0.0, 1.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = 1.0 / x + tf.math.log(x)
    tape.gradient(y, x)
    assert np.geterr() == before
    with pytest.warns(RuntimeWarning):
        np.array([1.0]) / np.array([0.0])


def test_the_recursion_limit_is_left_alone():
    """Large programs are walked, not recursed into."""
    before = sys.getrecursionlimit()
    x = tf.constant(0.5)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        for _ in range(5_000):
            y = y * 1.0001
    assert tape.gradient(y, x) is not None
    assert sys.getrecursionlimit() == before


def test_user_arrays_are_copied():
    """Changing an array after it entered changes nothing."""
    source = np.array([1.0, 2.0])
    x = tf.constant(source)
    v = tf.Variable(source)
    source[0] = 9.0
    assert x.numpy().tolist() == [1.0, 2.0]
    assert v.numpy().tolist() == [1.0, 2.0]
    taken = x.numpy()
    taken[0] = 7.0
    assert x.numpy().tolist() == [1.0, 2.0]
    with tf.GradientTape() as tape:
        y = v * x
    g = tape.gradient(y, v).numpy()
    g[0] = 5.0
    assert x.numpy().tolist() == [1.0, 2.0]


def test_the_cache_is_bounded_and_tells():
    """The memory of derived programs can be asked and cleared."""
    tf.cache_clear()
    x = tf.Variable(2.0)
    for _ in range(3):
        with tf.GradientTape() as tape:
            y = x * x
        tape.gradient(y, x)
    info = tf.cache_info()
    assert (info.hits, info.misses, info.entries) == (2, 1, 1)
    assert 0 < info.steps <= info.max_steps
    tf.cache_clear()
    assert tf.cache_info().entries == 0


def test_a_later_gradient_costs_what_its_target_reaches():
    """Gradients of many targets of one tape are derived in time in proportion to their number."""

    def size(count):
        tf.cache_clear()
        x = tf.constant(0.5)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            targets = [tf.sin(x * k) for k in range(count)]
        for y in targets:
            tape.gradient(y, x)
        return tf.cache_info().steps

    assert size(64) < 2.2 * size(32)


def test_a_later_gradient_is_the_one_that_is_asked_for_first():
    """Values, what is not connected, conditions and names are those of a tape asked once."""

    def recorded():
        x, v = tf.constant([0.5, 1.5]), tf.Variable([2.0, 3.0])
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            middle = tf.sin(x) * tf.constant([3.0, 4.0])
            beside = [middle * tf.constant([k, 1.0]) for k in range(6)]
            v.assign_add(middle)
            a = v * x * tf.constant([1.0, 7.0])
            b = a + 1.0 if a[0] > 1.0 else a
            c = v * tf.gather(v, [1, 0])
        weights = tf.constant([2.0, 0.5])
        sources = [x, v, middle, beside[3], b]
        asked = [(y, None) for y in (*beside, a, b, c)] + [(y, weights) for y in (a, b, [b, c])]
        return tape, sources, [(y, [w, w] if type(y) is list else w) for y, w in asked]

    tape, sources, asked = recorded()
    later = [tape.gradient(y, sources, w) for y, w in asked]
    for k, found in enumerate(later):
        tape, sources, asked = recorded()
        y, w = asked[k]
        for g, first in zip(found, tape.gradient(y, sources, w), strict=True):
            assert (g is None) == (first is None)
            if g is not None:
                np.testing.assert_array_equal(g, first)
                assert (g.latex(), g.conditions) == (first.latex(), first.conditions)


def test_bfloat16_stays_bfloat16():
    """A dtype that NumPy does not know is not widened, the first time or later, or compiled."""
    x = tf.Variable([[1.0, 2.0], [3.0, 4.0]], dtype=tf.bfloat16)
    for _ in range(3):
        with tf.GradientTape() as tape:
            y = tf.sigmoid(x @ x * 0.5) + tf.nn.gelu(x)
            z = tf.reduce_mean(y)
        g = tape.gradient(z, x)
        assert {y.dtype, z.dtype, g.dtype} == {tf.bfloat16}
    compiled = g.lambdify()(x.numpy())
    assert compiled.dtype == x.numpy().dtype
    np.testing.assert_allclose(compiled.astype("f"), g.numpy().astype("f"), rtol=0.05)


def test_jacobians_of_bfloat16():
    """A diagonal and an outer product are put together in a dtype that has no buffers."""
    x = tf.constant([1.0, 2.0], tf.bfloat16)
    for _ in range(3):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x * x[0]
        found = tape.jacobian(y, x)
        assert found.dtype == tf.bfloat16
        np.testing.assert_array_equal(found.numpy().astype("f"), [[3.0, 0.0], [4.0, 4.0]])


@pytest.mark.parametrize(
    "f",
    [
        lambda x: tf.pow(2.0, x),
        lambda x: tf.atan2(x, 2.0),
        lambda x: tf.atan2(3.0, x) * tf.pow(x, 2.5),
        lambda x: tf.math.xlogy(x * x, 3.0),
        lambda x: tf.math.log_sigmoid(x) * tf.math.divide_no_nan(2.0, x),
    ],
)
def test_float32_stays_float32(f):
    """A function of a number that the author wrote is no wider in compiled code than before."""
    found = []
    for _ in range(3):
        x = tf.constant([1.0, 2.5])
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = f(x)
            slope = inner.gradient(y, x)
        bend = outer.gradient(slope, x)
        assert {slope.dtype, bend.dtype} == {tf.float32}
        assert slope.lambdify()(x.numpy()).dtype == np.float32
        found.append(bend.numpy())
    np.testing.assert_allclose(found[1:], [found[0]] * 2, rtol=1e-5)


def test_compiled_code_lets_large_results_go():
    """A chain of products holds a few matrices at a time, not one a step."""
    start = np.random.default_rng(0).normal(size=(300, 300)) / 20
    x = tf.constant(start)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        for _ in range(12):
            y = y @ x
    chain = y.lambdify()
    assert chain.source.count("del ") == 10
    chain(start)
    tracemalloc.start()
    found = chain(start)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 4 * start.nbytes
    np.testing.assert_allclose(found, np.linalg.matrix_power(start, 13), rtol=1e-9, atol=1e-12)


def test_functions_forget_when_the_cache_is_cleared(monkeypatch):
    """A function whose paths are forgotten is traced again, also for arguments built as before."""
    runs = []
    enter = Trace.__enter__
    monkeypatch.setattr(Trace, "__enter__", lambda self: runs.append(self) or enter(self))
    slope = tf.grad(lambda x: x * x)
    for _ in range(4):
        assert slope(3.0) == 6.0
    assert len(runs) == 1
    tf.cache_clear()
    assert slope(3.0) == 6.0
    assert len(runs) == 2


@pytest.mark.slow
def test_what_is_known_of_shapes_is_bounded():
    """Tensors of ever new shapes leave no trace; what is forgotten is made again, and is equal."""
    known = importlib.import_module("symtape.tensor.tensor")._STEPS
    first = tf.zeros([1]).leaf_step()
    for n in range(30_000):
        tf.constant(np.broadcast_to(np.float32(1), (1, n))).leaf_step()
    assert len(known) <= 10_000
    assert tf.zeros([1]).leaf_step() == first


def is_waiting(tensor):
    """Say whether a tensor has no numbers yet."""
    return isinstance(tensor, LateTensor) and tensor._pending is not None


def test_large_jacobians_alone_are_computed_when_they_are_read():
    """A small one has its numbers at once, and so has one that another tape records."""

    def hessian(n):
        x = tf.ones([n])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(x**3)
        return tape.hessian(y, x)

    assert not is_waiting(hessian(3))
    late = hessian(300)
    assert is_waiting(late)
    assert late.numpy().trace() == 1800.0
    assert not is_waiting(late)
    with tf.GradientTape():
        assert not is_waiting(hessian(300))


def test_what_enters_between_two_gradients_of_a_tape_has_its_formula_after_the_tape():
    """A persistent tape whose first gradient was known takes in what comes after it."""

    def product(*, more: bool) -> tf.Tensor:
        x = tf.constant(2.0, name="x")
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = x**2
            z = tape.gradient(y, x) * x
            if more:
                z *= tf.constant(3.0, name="c")
            tape.gradient(y, x)
        return z

    found = [str(product(more=more).expr) for more in (False, False, True)]
    assert found == ["2*x**2", "2*x**2", "2*c*x**2"]


def test_a_tape_that_python_finds_at_its_end_lets_nothing_go(monkeypatch) -> None:
    """What releasing would call may be gone by then, and nobody asks for a formula any more."""
    released = []
    monkeypatch.setattr(Recording, "release", lambda self: released.append(self))
    with tf.GradientTape() as tape:
        tape.watch(tf.constant(2.0))
    tape.__del__(lambda: True)
    assert not released
    tape.__del__(lambda: False)
    assert len(released) == 1
