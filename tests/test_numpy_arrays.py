"""Functions written for NumPy's arrays: their indices, views and writes, against NumPy itself.

Gradients are judged by complex steps, along which NumPy's own arrays are written into.
"""

from __future__ import annotations

import contextlib
import itertools

import numpy as np
import pytest
import scipy.sparse

import symtape as tf
from symtape.ops.numpy.arrays.functions import FUNCTIONS, VIEWS
from symtape.program.kinds.structural import Gather
from tests.numpy_cases import CASES, OF_ARRAYS_ALONE
from tests.sampling import some

STEP = 1e-200
X = np.random.default_rng(0).uniform(0.2, 0.9, (3, 4))


def complex_steps(f, x):
    """Differentiate a function of an array by each of its elements."""
    found = np.zeros(x.shape)
    for at in np.ndindex(x.shape):
        moved = x.astype(complex)
        moved[at] += 1j * STEP
        found[at] = np.imag(f(moved)) / STEP
    return found


def differences(f, x, step=1e-6):
    """Differentiate by central differences, where complex numbers do not do."""
    found = np.zeros(x.shape)
    for at in np.ndindex(x.shape):
        high, low = x.copy(), x.copy()
        high[at] += step
        low[at] -= step
        found[at] = (f(high) - f(low)) / (2 * step)
    return found


# --- functions of whole arrays --------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:numpy.fix is deprecated:DeprecationWarning")
@pytest.mark.parametrize("name", CASES)
def test_functions_of_arrays(name):
    """A NumPy function has NumPy's value when it is recorded, and the gradient of differences."""
    case = CASES[name]
    rng = np.random.default_rng(list(name.encode()))
    x = rng.uniform(case.low, case.high, case.shape)
    weights = rng.normal(size=np.shape(case.run(np, x)))

    def f(x):
        return np.sum(case.run(np, x) * weights)

    value, slope = tf.value_and_grad(f)(x)
    np.testing.assert_allclose(value, f(x), rtol=1e-12)
    np.testing.assert_allclose(slope, differences(f, x), rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("name", [name for name in CASES if name not in OF_ARRAYS_ALONE])
def test_functions_of_tensors(name):
    """Under a tape the gradient is the same, and so is that of the compiled formula."""
    case = CASES[name]
    rng = np.random.default_rng(list(name.encode()))
    x = rng.uniform(case.low, case.high, case.shape)
    weights = rng.normal(size=np.shape(case.run(np, x)))
    at = tf.constant(x)
    with tf.GradientTape() as tape:
        tape.watch(at)
        y = np.sum(case.run(np, at) * weights)
    found = tape.gradient(y, at)
    expected = tf.grad(lambda x: np.sum(case.run(np, x) * weights))(x)
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(found.lambdify()(x), expected, rtol=1e-12, atol=1e-12)


MASK = X > 0.5


def changed(x, write):
    """Give what an array is when something was written into it."""
    found = np.sin(x)
    write(found)
    return found


MOVES = {
    "atleast_3d": lambda x: np.atleast_3d(x),
    "block": lambda x: np.block([[x, np.ones((3, 1))], [x[:1], 2.0 * np.ones((1, 1))]]),
    "broadcast_arrays": lambda x: np.broadcast_arrays(x, x[:1])[1],
    "choose": lambda x: np.choose(np.array([0, 2, 1, 1]), [x[0], x[1], x[2] * 2]),
    "compress": lambda x: np.compress([True, False, True], x, axis=0),
    "convolve": lambda x: np.convolve(x[0], x[1]),
    "convolve, same": lambda x: np.convolve(x[0], x[1][:3], "same"),
    "convolve, valid": lambda x: np.convolve(x[0][:2], x[1], "valid"),
    "correlate": lambda x: np.correlate(x[0], x[1][:2]),
    "correlate, full": lambda x: np.correlate(x[0][:2], x[1], "full"),
    "fft": lambda x: np.abs(np.fft.fft(x)) ** 2,
    "fft, filled": lambda x: np.abs(np.fft.fft(x, 6, axis=0, norm="ortho") - 1) ** 2,
    "fft of axes": lambda x: np.real(np.fft.ifft2(np.fft.fftn(x) * (1 + np.fft.fftshift(x)))),
    "rfft": lambda x: np.fft.irfft(np.fft.rfft(x, axis=0) ** 2, 3, axis=0, norm="forward"),
    "rfft of axes": lambda x: np.fft.irfft2(np.fft.rfftn(x, norm="ortho") ** 2),
    "interp": lambda x: np.interp(x, [0.0, 0.3, 0.7, 1.0], [1.0, 3.0, -1.0, 2.0]),
    "interp of values": lambda x: np.interp([0.2, 0.6, 3.0], [0.0, 0.5, 1.0, 2.0], x[0], right=7.0),
    "interp of points": lambda x: np.interp(0.6, np.cumsum(x[0]), x[1], left=2.0),
    "percentile": lambda x: np.percentile(x, [10, 50, 75], axis=1),
    "quantile": lambda x: np.quantile(x, 0.3) * np.quantile(x, [[0.2], [1.0]], 0, keepdims=True),
    "quantile, midpoint": lambda x: np.quantile(x, 0.3, axis=(0, 1), method="midpoint"),
    "bincount": lambda x: np.bincount([0, 2, 0, 1], x[0], minlength=5),
    "copyto": lambda x: changed(x, lambda a: np.copyto(a, x * x, where=MASK)),
    "fill_diagonal": lambda x: changed(x, lambda a: np.fill_diagonal(a, x[0, :3] ** 2)),
    "put": lambda x: changed(x, lambda a: np.put(a, [1, 7], x[0, :2] ** 2)),
    "put_along_axis": lambda x: changed(
        x, lambda a: np.put_along_axis(a, np.array([[0], [3], [1]]), x[:, 1:2] * 2, axis=1)
    ),
    "putmask": lambda x: changed(x, lambda a: np.putmask(a, MASK, x * 3)),
    "sliding_window_view": lambda x: np.lib.stride_tricks.sliding_window_view(x, (2, 3)),
    "unstack": lambda x: np.unstack(x, axis=1)[2],
    "add.reduceat": lambda x: np.add.reduceat(x, [0, 3, 1], axis=1),
    "maximum.reduceat": lambda x: np.maximum.reduceat(x, [0, 2]),
    "logaddexp.reduce": lambda x: np.logaddexp.reduce(x) + np.logaddexp.reduce(x, axis=None),
    "logaddexp.accumulate": lambda x: np.logaddexp.accumulate(x, axis=1),
    "maximum.accumulate": lambda x: np.maximum.accumulate(x, axis=-1),
    "minimum.accumulate": lambda x: np.minimum.accumulate(x),
    "subtract.outer": lambda x: np.subtract.outer(x, x[0]),
    "vecdot": lambda x: np.vecdot(x, x[0]),
    "matvec": lambda x: np.matvec(x, x[0]),
    "heaviside": lambda x: x * np.heaviside(x - 0.5, x),
    "sinc": lambda x: np.sinc(x) + np.sinc(x - x),
    "ediff1d": lambda x: np.ediff1d(x),
    "cov": lambda x: np.cov(x),
    "cov of two": lambda x: np.cov(x[0], x[1] ** 2, bias=True),
    "cov of columns": lambda x: np.cov(x, rowvar=False, ddof=0),
    "corrcoef": lambda x: np.corrcoef(x),
    "nansum": lambda x: np.nansum(np.where(MASK, np.nan, x), axis=0),
    "nanmean": lambda x: np.nanmean(np.where(MASK, np.nan, x)),
    "nan_to_num": lambda x: np.nan_to_num(np.where(MASK, np.nan, x), nan=2.0),
    "vector_norm": lambda x: np.linalg.vector_norm(x, axis=1, ord=3),
    "matrix_norm": lambda x: np.linalg.matrix_norm(x),
    "delete": lambda x: np.delete(x, [0, 2], axis=1),
    "dsplit": lambda x: np.dsplit(np.stack([x, x * x], -1), 2)[1],
    "dstack": lambda x: np.dstack([x, x * x]),
    "extract": lambda x: np.extract(MASK, x),
    "gradient": lambda x: np.gradient(x[0]),
    "gradient of axes": lambda x: np.gradient(x, 0.5)[1] * np.gradient(x, 0.5, axis=0),
    "hsplit": lambda x: np.hsplit(x, 2)[1],
    "insert": lambda x: np.insert(x, 1, x[:, 0] * 2, axis=1),
    "median": lambda x: np.median(x),
    "median of an axis": lambda x: np.median(x, axis=0) * np.median(x, axis=1, keepdims=True),
    "piecewise": lambda x: np.piecewise(x, [x < 0.4, x > 0.7], [lambda v: v**2, 3.0, np.sin]),
    "piecewise of two": lambda x: np.piecewise(x, [x < 0.5], [lambda v: v**3, lambda v: -v]),
    "resize": lambda x: np.resize(x, (5, 3)),
    "rollaxis": lambda x: np.rollaxis(np.stack([x, x * x]), 2),
    "rot90": lambda x: np.rot90(x, 3),
    "select": lambda x: np.select([x < 0.4, x < 0.6], [x**2, np.sin(x)], 0.5),
    "select without a default": lambda x: np.select([x < 0.4, x < 0.6], [x**2, np.sin(x)]),
    "take_along_axis": lambda x: np.take_along_axis(x, np.array([[0, 1], [3, 3], [2, 0]]), 1),
    "take_along_axis of an order": lambda x: np.take_along_axis(x, np.argsort(x, 1), 1),
    "vander": lambda x: np.vander(x[0]),
    "vander, increasing": lambda x: np.vander(x[0], 3, increasing=True),
    "vsplit": lambda x: np.vsplit(x, 3)[2],
    "zeros of a shape": lambda x: np.zeros_like(x, shape=(2, 1)) + x[0],
    "full of a shape": lambda x: np.full(2, 1.5, like=x) * x[0, :2] + np.full(2, x[0, 1], like=x),
    "ones and zeros": lambda x: np.ones((3, 1), like=x) * x + np.zeros(4, like=x) - np.eye(3, 4, 1),
    "full like": lambda x: np.full_like(x, 2.5, shape=4) * x[0] + np.empty_like(x).size,
    "a unit matrix": lambda x: x @ np.eye(4, like=x) + np.identity(3, like=x) @ x,
    "array of parts": lambda x: np.array([[x[0, 0], 2.0], [x[1, 1] * 2, x[2, 3]]], like=x),
    "array of more axes": lambda x: np.array(x, ndmin=4, like=x) * np.array([x[0, 0]] * 4, like=x),
    "array as it is": lambda x: np.asarray(x[1], float, like=x) * np.arange(4, like=x),
    "average by weights": lambda x: np.average(x, axis=-1, weights=[1.0, 2.0, 3.0, 4.0]),
    "average of the first axis": lambda x: np.average(x, 0, [1.0, 2.0, 3.0]),
    "inner with a number": lambda x: np.inner(x, 2.0) + np.dot(2.0, x),
    "power zero": lambda x: np.linalg.matrix_power(x[:, :3], 0) * x[:, :3],
    "power three": lambda x: np.linalg.matrix_power(x[:, :3], 3),
    "power minus one": lambda x: np.linalg.matrix_power(x[:, :3] + 3 * np.eye(3), -1),
    "piecewise of a vector": lambda x: np.piecewise(x[0], x[0] > 0.3, [lambda v: v**2, 1.0]),
    "sparse @": lambda x: scipy.sparse.csr_array(MASK.T * 1.5) @ x,
    "sparse @ a vector": lambda x: scipy.sparse.coo_matrix(MASK * 1.5) @ x[0],
    "@ sparse": lambda x: x @ scipy.sparse.csc_array(MASK.T * 1.5),
    "sparse.dot": lambda x: scipy.sparse.csr_matrix(MASK * 2.0).dot(x[1]),
    "truth times x": lambda x: (x > 0.5) * x + 2 * (x[0] < 0.6),
    "int array": lambda x: x * np.arange(4) + np.arange(4) * x[0],
    "reversed": lambda x: np.flip(x)[::-1, ::-1] * x[..., None].squeeze(),
    "sum of rows": lambda x: sum(row * k for k, row in enumerate(x)),
}  # fmt: skip


@pytest.mark.parametrize("name", MOVES)
def test_moves_and_sums(name):
    """What rearranges elements, or adds them up, has NumPy's value and gradient."""
    weights = np.random.default_rng(1).normal(size=MOVES[name](X).shape)

    def f(x):
        return np.sum(MOVES[name](x) * weights)

    both = tf.value_and_grad(f)
    for _ in range(2):
        value, slope = both(X)
        np.testing.assert_allclose(value, f(X), rtol=1e-13)
        np.testing.assert_allclose(slope, differences(f, X), rtol=1e-6, atol=1e-8)


def test_views_are_those_of_numpy():
    """The functions that may share memory with their first argument are those of the list."""
    a = np.arange(16.0).reshape(2, 2, 4)
    arguments = [(), (1,), (0, 1), ((1, 2, 0),), ((2, 2, 4),), (2, 0), (1, 2), (2,)]
    for function in FUNCTIONS.keys() - {np.nan_to_num}:  # which is refused where it is none
        for args in arguments:
            found = None
            with contextlib.suppress(Exception):  # arguments that it does not take
                found = function(a, *args)
            parts = found if isinstance(found, (list, tuple)) else [found]
            shares = any(isinstance(p, np.ndarray) and np.shares_memory(p, a) for p in parts)
            assert not shares or function in VIEWS, function.__name__


# --- indices --------------------------------------------------------------------------------------


def random_key(rng, shape):
    """Draw a key of NumPy's: numbers, slices, masks, arrays of places, new axes, an ellipsis."""
    items = []
    places = (2,) if rng.random() < 0.5 else (2, 1)
    axis = 0
    while axis < len(shape):
        n = shape[axis]
        kind = rng.integers(8)
        if kind == 0:
            items.append(int(rng.integers(-n, n)))
        elif kind == 1:
            items.append(slice(*sorted(rng.integers(0, n + 1, 2).tolist())))
        elif kind == 2:
            items.append(slice(None, None, int(rng.choice([-2, -1, 2]))))
        elif kind == 3:
            items.append(rng.integers(-n, n, places))
        elif kind == 4:
            items.append(rng.integers(-n, n, 2).tolist())
        elif kind == 5 and not any(isinstance(i, np.ndarray) and i.dtype == bool for i in items):
            items.append(rng.permutation([True] * 2 + [False] * (n - 2)))
        elif kind == 6:
            items.append(None)
            continue
        else:
            items.append(slice(None))
        axis += 1
    if rng.random() < 0.3:
        at = int(rng.integers(len(items) + 1))
        items[at:] = [Ellipsis, *items[at + 1 :]]
    return tuple(items) if len(items) > 1 or rng.random() < 0.5 else items[0]


@pytest.mark.parametrize("seed", some(range(300), 10))
def test_indices_are_numpys(seed):
    """Any key gives NumPy's elements, and the gradient goes to where they come from."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=tuple(rng.integers(2, 5, rng.integers(1, 4))))
    key = random_key(rng, x.shape)
    try:
        expected = x[key]
    except IndexError:
        with pytest.raises(IndexError):
            tf.grad(lambda x: np.sum(x[key]))(x)
        return
    weights = rng.normal(size=np.shape(expected))
    slope = np.zeros(x.shape)
    np.add.at(slope, key, weights)
    value, found = tf.value_and_grad(lambda x: np.sum(x[key] * weights))(x)
    np.testing.assert_allclose(value, np.sum(expected * weights), rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(found, slope, rtol=1e-12, atol=1e-14)


# --- writes ---------------------------------------------------------------------------------------

VIEWED = [
    lambda a: a[0],
    lambda a: a[-1:],
    lambda a: a[::-1],
    lambda a: a[..., 1:],
    lambda a: a[:, 0] if a.ndim > 1 else a[:2],
    lambda a: a.T,
    lambda a: a.reshape(-1),
    lambda a: a.ravel(),
    lambda a: np.flip(a, 0),
    lambda a: np.expand_dims(a, 0),
    lambda a: np.split(a, [1])[1],
    lambda a: a[[0]],
    lambda a: a.copy(),
    lambda a: a.flatten(),
    lambda a: +a,
    lambda a: a * 1.0,
    lambda a: a,
    lambda a: np.atleast_2d(a),
    lambda a: list(a)[-1],
]
KEYS = [
    0,
    -1,
    slice(None),
    slice(0, 1),
    slice(None, None, 2),
    Ellipsis,
    [0],
    [0, 0],
    np.array([-1, 0]),
    (Ellipsis, 0),
    (slice(None, None, -1),),
]


def write_at_random(rng, x, arrays):
    """Change, or make, one of the arrays; say whether it is one that may be written into."""
    a = arrays[rng.integers(len(arrays))]
    kind = rng.integers(6)
    if kind < 2:
        made = VIEWED[rng.integers(len(VIEWED))](a) if len(a) > 1 or a.ndim > 1 else a
        if made.ndim and 0 not in made.shape:
            arrays.append(made)
    elif kind == 2:
        b = arrays[rng.integers(len(arrays))]
        made = a * b if a.shape == b.shape else a * np.sum(b)
        arrays.append(made)
    elif kind == 3:
        a[KEYS[rng.integers(len(KEYS))]] = [x[0, 1] * x[1, 0], 0.5, np.sum(a)][rng.integers(3)]
    elif kind == 4:
        a[KEYS[rng.integers(len(KEYS))]] += x[2, 3] * x[0, 0]
    elif rng.random() < 0.5:
        a += x[1, 1]
    else:
        a *= a


def written(seed, x, size=12):
    """Run a random program of views and writes; the result depends on every array."""
    rng = np.random.default_rng(seed)
    arrays = [x.copy(), np.zeros_like(x), x * 2.0, np.ones_like(x[0])]
    if rng.random() < 0.1:
        arrays.append(x)
    for _ in range(size):
        write_at_random(rng, x, arrays)
    return sum(np.sum(np.cos(a) * (k + 1)) for k, a in enumerate(arrays))


@pytest.mark.parametrize("key", [X[0] < 0, slice(0, 0), np.zeros(0, int)])
def test_a_write_of_nothing_changes_nothing(key):
    """A mask that chooses no element leaves an array what it was, with its derivative."""

    def f(x):
        y = x.copy()
        y[key] = 0.3 * y[key]
        return np.sum(y * y)

    np.testing.assert_allclose(tf.grad(f)(X[0]), 2 * X[0])
    with pytest.raises(ValueError, match="could not broadcast"):
        tf.grad(lambda x: f(x) + x.copy().__setitem__(key, np.ones((2, 3))))(X[0])


def test_writes_under_a_tape():
    """A tape inside of a function follows writes and views, and outlives none of them."""

    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            a = np.zeros_like(x)
            a[0] = x[0] ** 2
            a[1:] = x[1:] * x[:2]
            part = a[1:]
            a[1] *= x[1]
            y = np.sum(a * a) + np.sum(part)
        return tape.gradient(y, x)

    def plain(x):
        a = np.array([x[0] ** 2, x[1] ** 2 * x[0], x[2] * x[1]])
        return np.sum(a * a) + np.sum(a[1:])

    x = np.array([0.5, 2.0, 3.0])
    expected = complex_steps(plain, x)
    np.testing.assert_allclose(tf.value_and_grad(lambda x: slope(x)[1])(x)[0], expected[1])
    second = tf.hessian(plain_of_tensors)(x)
    np.testing.assert_allclose(tf.jacobian(slope)(x), second, rtol=1e-12, atol=1e-12)


def plain_of_tensors(x):
    """Compute the same by stacking."""
    a = np.stack([x[0] ** 2, x[1] ** 2 * x[0], x[2] * x[1]])
    return np.sum(a * a) + np.sum(a[1:])


def test_time_steps_are_recorded_once_each():
    """A loop that writes slices of an array records as many steps for each of its rounds."""

    def rounds(count):
        def f(x):
            u = x.copy()
            for _ in range(count):
                u[1:-1] = u[1:-1] + 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
            return np.sum(u)

        return tf.trace(f, np.linspace(0.0, 1.0, 6))

    assert len(rounds(40)) - len(rounds(30)) == len(rounds(20)) - len(rounds(10))
    assert not [step for step in rounds(2).steps if type(step[0]) is Gather]  # slices stay slices


@pytest.mark.parametrize("seed", some(range(500), 12))
def test_writes_are_numpys(seed):
    """A program of views and writes has NumPy's value and gradient; the caller's array stays."""
    kept, given = X.copy(), X.copy()
    both = tf.value_and_grad(lambda x: written(seed, x))
    try:
        expected = written(seed, kept)
    except (IndexError, ValueError) as error:
        with pytest.raises((type(error), tf.UnsupportedError)):
            both(given)
        return
    try:
        value, slope = both(given)
    except tf.UnsupportedError as error:
        assert any(hint in str(error) for hint in ("A = x.copy()", "reshape a copy"))  # noqa: PT017 - or not
        np.testing.assert_array_equal(given, X)
        return
    np.testing.assert_array_equal(kept, X)
    np.testing.assert_array_equal(given, X)
    np.testing.assert_allclose(value, expected, rtol=1e-10)
    steps = complex_steps(lambda x: written(seed, x), X)
    np.testing.assert_allclose(slope, steps, rtol=1e-8, atol=1e-10)


# --- tapes inside of functions --------------------------------------------------------------------


def _written_into(x):
    y = np.zeros_like(x)
    y[1:] = x[:-1] * 1.5
    y[0] = x[2]
    return y * y


SLOPES_OF = {
    "turned round": lambda x: ((x * 1.5)[::-1]) ** 2,
    "a part": lambda x: (x * 1.5)[0:2] ** 3,
    "a part of a part": lambda x: (x * x)[1:][::-1] ** 2,
    "an element": lambda x: (x * x)[1] * x,
    "reshaped": lambda x: (x * x).reshape(3, 1).T ** 2,
    "raveled": lambda x: np.ravel(np.exp(x)) * np.exp(x),
    "a row": lambda x: np.outer(x, x)[1] ** 2,
    "a column": lambda x: np.outer(x, x).T[0] ** 2,
    "written into": _written_into,
}


@pytest.mark.parametrize("name", SLOPES_OF)
def test_tapes_inside_follow_views(name):
    """A gradient that a function takes of views has the derivative 2 H g of its square."""
    f = SLOPES_OF[name]
    x = np.array([0.5, 1.25, -0.75])

    def squared_slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(f(x))
        return tf.reduce_sum(tape.gradient(y, x) ** 2)

    whole = lambda x: np.sum(f(x))  # noqa: E731
    expected = 2 * tf.hessian(whole)(x) @ tf.grad(whole)(x)
    assert np.any(expected)
    np.testing.assert_allclose(tf.grad(squared_slope)(x), expected, rtol=1e-12)


@pytest.mark.parametrize("shape", [(4,), (2, 3), (2, 3, 2)])
def test_arrays_are_sorted_in_place(shape):
    """Along the last axis, unless another one is given."""
    x = np.random.default_rng(0).random(shape)

    def run(a, *axis):
        made = a * 2.0
        made.sort(*axis)
        return (made * np.arange(1.0, 1.0 + made.size).reshape(shape)).sum()

    for axis in [(), (0,), (-1,)]:
        value, gradient = tf.value_and_grad(lambda a, axis=axis: run(a, *axis))(x)
        np.testing.assert_allclose(value, run(x, *axis))
        order = np.argsort(np.argsort(x, *(axis or (-1,))), *(axis or (-1,)))
        weights = np.arange(1.0, 1.0 + x.size).reshape(shape)
        expected = 2.0 * np.take_along_axis(weights, order, *(axis or (-1,)))
        np.testing.assert_allclose(gradient, expected)


SHAPES = {
    "fft": [
        lambda x, n=n, axis=axis, norm=norm, name=name: getattr(np.fft, name)(x, n, axis, norm)
        for n, axis, norm, name in itertools.product(
            (None, 2, 5), (0, -1), (None, "ortho", "forward"), ("fft", "ifft", "rfft", "irfft")
        )
    ],
    "quantile": [
        lambda x, q=q, axis=axis, kept=kept, m=m: np.quantile(
            x, q, axis=axis, keepdims=kept, method=m
        )
        for q, axis, kept, m in itertools.product(
            (0, 0.3, [[0.1], [1]]), (None, -1, (0, 1)), (False, True), ("lower", "higher", "linear")
        )
    ],
}


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", SHAPES)
def test_shapes_and_dtypes_of_results_are_those_of_numpy(name, dtype):
    """For each size, axis and norm, and each number of shares."""
    x = X.astype(dtype)
    for f in SHAPES[name]:
        own, made = f(x), []
        tf.grad(lambda a, f=f, made=made: np.sum(np.abs(kept(f(a), made))))(x)
        found = made[-1].numpy()
        assert (found.shape, found.dtype) == (np.shape(own), np.asarray(own).dtype)
        np.testing.assert_allclose(
            found, own, rtol=1e-4 if dtype == "float32" else 1e-12, atol=1e-6
        )


def kept(value, made):
    """Keep a value beside what it goes into."""
    made.append(tf.stop_gradient(value))
    return value


REFUSED = {
    "an array whose nan are replaced in place": (
        lambda x: np.nan_to_num(x, copy=False),
        "copy=False would write into a tensor",
    ),
    "a real transform of complex numbers": (lambda x: np.fft.rfft(x + 1j), "takes real numbers"),
    "shares that are computed": (lambda x: np.quantile(x, x[0, 0]), "shares that are numbers"),
    "another method": (lambda x: np.quantile(x, 0.5, method="none"), "by the methods linear"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_recorded_is_refused(name):
    """The way out is told."""
    f, words = REFUSED[name]
    with pytest.raises(tf.UnsupportedError, match=words):
        tf.grad(lambda x: np.sum(np.abs(f(x))))(X)


WRONG = {
    "no shares": (lambda x: np.quantile(x, 1.5), r"range \[0, 1\]"),
    "no norm": (lambda x: np.fft.fft(x, norm="odd"), "Invalid norm value odd"),
    "nothing to transform": (lambda x: np.fft.fft(x, 0), "number of FFT data points"),
    "no points": (lambda x: np.interp(x, [], []), "sample points is empty"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_numpy_refuses_is_refused(name):
    """By the same type and words."""
    f, words = WRONG[name]
    for run in (f, tf.grad(lambda x: np.sum(np.abs(f(x))))):
        with pytest.raises(ValueError, match=words):
            run(X)
