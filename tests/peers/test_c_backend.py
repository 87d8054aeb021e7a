"""C99 for every operation: compiled without a warning, called through cffi, and held to NumPy."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import symtape as tf
from symtape.codegen.loops.c.code import c_source
from symtape.codegen.loops.c.library import FLAGS, build, caller
from symtape.errors import UnsupportedError
from tests.cases import CASES
from tests.loop_tasks import OPEN, Work, difference, of_case, of_program
from tests.sampling import some
from tests.stencils import stencil
from tests.test_together import newton

pytestmark = [
    pytest.mark.usefixtures("cffi"),
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
]

STRICT = ("-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fPIC", "-shared")
COUNT = 400


def failures(works: list[Work], flags: tuple[str, ...], limits=None) -> list[str]:
    """Compile many functions into one library, call each, and list what is wrong."""
    made = []
    for work in works:
        try:
            made.append((work, c_source(work.task, f"f{len(made)}", limits)))
        except UnsupportedError:  # the gaps are listed in tests/test_loops.py
            continue
    library = build([source for _, source in made], flags)
    found = []
    for work, source in made:
        try:
            wrong = difference(work, caller(source, library)(*work.values))
        except Exception as error:  # noqa: BLE001 - whatever it is, it is reported
            wrong = f"{work.name}: {error!r}"
        if wrong:
            found.append(wrong)
    return found


CHOSEN = some(CASES, 6)
GROUPS = range(0, len(CHOSEN), COUNT)


@pytest.mark.parametrize("group", GROUPS)
def test_every_case_and_its_gradient(group):
    """Results and gradients of each case are NumPy's; no compiler of C99 has anything to say."""
    works = [w for c in CHOSEN[group : group + COUNT] if c.inputs for w in of_case(c, "float64")]
    assert failures(works, (*STRICT, "-O0")) == []


def test_single_precision():
    """Cases in single precision."""
    cases = [c for c in CASES if c.inputs and "float32" in c.dtypes]
    works = [w for c in some(cases, 16, 1) for w in of_case(c, "float32")]
    assert failures(works, (*STRICT, "-O0")) == []


SIZES = {"small": (1, 2, 3), "larger": (2, 3, 4, 5), "none": (0, 1, 2)}


@pytest.mark.parametrize("limits", [None, OPEN], ids=["as always", "opened up"])
@pytest.mark.parametrize("sizes", SIZES)
def test_random_programs(sizes, limits):
    """Random programs are computed as NumPy does, with all that a compiler does to fast code."""
    works = [of_program(seed, 6, SIZES[sizes]) for seed in some(range(80), 2)]
    assert failures(works, (*STRICT, *FLAGS), limits) == []


def test_neighbours_at_full_speed():
    """What a compiler makes of several elements at a time is what each of them is."""
    works = [work for seed in some(range(400), 8) for work in stencil(seed)]
    assert failures(works, (*STRICT, *FLAGS)) == []


def compiled(function, *arrays, **settings):
    """Record a function and compile its gradient."""
    xs = [tf.constant(a) for a in arrays]
    with tf.GradientTape() as tape:
        tape.watch(xs)
        y = function(*xs)
    return tape.gradient(y, xs[0]).lambdify(backend="c", **settings)


def test_arrays_that_are_not_in_order_are_copied():
    """Views with strides and arrays of another dtype give what their elements give."""
    x = np.random.default_rng(0).random((4, 6))
    f = compiled(lambda x: tf.reduce_sum(tf.sin(x) * x), x)
    expected = f(x)
    wide = np.zeros((8, 12))
    wide[::2, ::2] = x
    np.testing.assert_array_equal(f(wide[::2, ::2]), expected)
    np.testing.assert_array_equal(f(np.asfortranarray(x)), expected)
    np.testing.assert_allclose(f(x.astype(np.float32)), expected, rtol=1e-6)
    with pytest.raises(ValueError, match="shape"):
        f(x[:2])


def test_an_index_out_of_range_raises():
    """Indices are looked at before memory is."""
    i = np.array([0, 2, 1])
    x = np.arange(3.0)
    f = compiled(lambda x, i: tf.reduce_sum(tf.gather(x, i) ** 2), x, i)
    np.testing.assert_array_equal(f(x, i), 2 * x)
    for bad in ([0, 3, 1], [0, -1, 1], [2**40, 0, 0]):
        with pytest.raises(IndexError, match="out of range"):
            f(x, np.array(bad))


def test_a_singular_matrix_raises():
    """What has no result gives no numbers."""
    a = np.eye(3)
    f = compiled(lambda a: tf.reduce_sum(tf.linalg.inv(a)), a)
    np.testing.assert_allclose(f(a), -np.ones((3, 3)))
    with pytest.raises(np.linalg.LinAlgError, match="singular"):
        f(np.ones((3, 3)))


def test_a_branch_that_was_not_recorded_raises():
    """The path condition is computed in C, too."""
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x if x > 1 else -x
    f = tape.gradient(y, x).lambdify(backend="c")
    assert f(3.0) == 6
    with pytest.raises(tf.errors.PathConditionError):
        f(0.0)


def test_threads_share_nothing():
    """Many threads call one function at once, and each gets its own results."""
    n = 60
    f = compiled(lambda x: tf.reduce_sum(tf.nn.softmax(x) * tf.cumsum(x, 1)), np.zeros((n, n)))
    arrays = [np.random.default_rng(k).random((n, n)) for k in range(8)]
    expected = [f(a) for a in arrays]
    wrong = []

    def work(k):
        wrong.extend(k for _ in range(50) if not np.array_equal(f(arrays[k]), expected[k]))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(len(arrays))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_special_values_keep_their_meaning():
    """Fast code does not take nan and infinity for numbers."""
    x = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1e308, 5e-324])
    for function in (
        tf.nn.relu,
        tf.sigmoid,
        tf.nn.softplus,
        tf.math.log,
        tf.sqrt,
        tf.sign,
        tf.tanh,
    ):
        t = tf.constant(x)
        with tf.GradientTape() as tape:
            tape.watch(t)
            y = function(t)
        np.testing.assert_allclose(y.lambdify(backend="c")(x), y.numpy(), rtol=1e-15, atol=1e-323)


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_scalars_are_arguments(dtype):
    """A complex number is passed, as cffi cannot by value, and the header says what C takes."""
    z = tf.constant(np.array([1 + 2j, 0.5j]), dtype, name="z")
    w = tf.constant(1 - 2j, dtype, name="w")
    with tf.GradientTape() as tape:
        tape.watch([z, w])
        y = tf.math.conj(z) * w * w
    f = y.lambdify(backend="c")
    np.testing.assert_allclose(f(z.numpy(), w.numpy()), y.numpy(), rtol=1e-6)
    np.testing.assert_allclose(f(z.numpy(), 3j), -9 * np.conj(z.numpy()), rtol=1e-6)
    assert " _Complex w," in f.header


def test_several_formulas_are_one_function():
    """A value, its gradient and its Hessian."""
    x, *tensors = newton()
    found = tf.lambdify(tensors, backend="c")(x.numpy())
    for one, tensor in zip(found, tensors, strict=True):
        np.testing.assert_allclose(one, tensor.lambdify()(x.numpy()), rtol=1e-12, atol=1e-14)
