"""Adapters for SciPy: values, derivatives, what is shared, packing, and what is refused.

SciPy's own Rosenbrock function and its derivatives are the judge where nothing else is said.
"""

from __future__ import annotations

import dataclasses
import inspect
import itertools
import pickle
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy.optimize import (
    NonlinearConstraint,
    approx_fprime,
    fsolve,
    least_squares,
    minimize,
    root,
    rosen,
    rosen_der,
    rosen_hess,
    rosen_hess_prod,
)
from scipy.sparse import csr_array

import symtape as tf


def rosenbrock(x):
    """Give SciPy's function, written with NumPy's names."""
    return np.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


# --- objectives -----------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [2, 3, 10])
def test_all_derivatives_are_those_that_scipy_ships(rng, n):
    """Value, gradient, Hessian and products are those of `rosen` and its kin, on every call."""
    dense, sparse = tf.objective(rosenbrock), tf.objective(rosenbrock, sparse=True)
    for _ in range(4):
        x, p = rng.normal(size=n), rng.normal(size=n)
        for obj in (dense, sparse):
            np.testing.assert_allclose(obj.fun(x), rosen(x), rtol=1e-13)
            np.testing.assert_allclose(obj.jac(x), rosen_der(x), rtol=1e-11)
            value, slope = obj(x)
            np.testing.assert_allclose(value, rosen(x), rtol=1e-13)
            np.testing.assert_allclose(slope, rosen_der(x), rtol=1e-11)
            np.testing.assert_allclose(obj.hessp(x, p), rosen_hess_prod(x, p), rtol=1e-11)
            np.testing.assert_allclose(obj.hessp(x, 2 * p), 2 * obj.hessp(x, p), rtol=1e-13)
        np.testing.assert_allclose(dense.hess(x), rosen_hess(x), rtol=1e-11)
        assert isinstance(sparse.hess(x), csr_array)
        assert sparse.hess(x).nnz == 3 * n - 2
        np.testing.assert_allclose(sparse.hess(x).toarray(), rosen_hess(x), rtol=1e-11)


METHODS = {
    "Nelder-Mead": (), "CG": ("jac",), "BFGS": ("jac",), "L-BFGS-B": ("jac",), "TNC": ("jac",),
    "SLSQP": ("jac",), "Newton-CG": ("jac", "hess"), "dogleg": ("jac", "hess"),
    "trust-exact": ("jac", "hess"), "trust-constr": ("jac", "hess"),
    "trust-ncg": ("jac", "hessp"), "trust-krylov": ("jac", "hessp"),
}  # fmt: skip


@pytest.mark.parametrize("method", METHODS)
def test_minimizers_take_the_same_way(method):
    """Every method of `minimize` gets where it gets with SciPy's own derivatives."""
    start = np.array([1.3, 0.7, 0.8, 1.9, 1.2])
    obj = tf.objective(rosenbrock)
    theirs: dict[str, Any] = {"jac": rosen_der, "hess": rosen_hess, "hessp": rosen_hess_prod}
    used = METHODS[method]
    own = minimize(obj.fun, start, method=method, **{name: getattr(obj, name) for name in used})
    peer = minimize(rosen, start, method=method, **{name: theirs[name] for name in used})
    np.testing.assert_allclose(own.x, peer.x, atol=1e-5)
    assert abs(own.nfev - peer.nfev) <= max(2, peer.nfev // 10)
    both = minimize(obj, start, jac=True)
    np.testing.assert_allclose(both.x, np.ones(5), atol=1e-4)


def test_extra_arguments_and_bounds():
    """`args` follow `x` in all functions, and bounds are SciPy's own."""

    def f(x, a, options):
        return options["scale"] * np.sum((x - a) ** 2)

    obj = tf.objective(f)
    a, options = np.array([1.0, -2.0]), {"scale": 3.0}
    found = minimize(obj.fun, [0.5, 0.5], (a, options), jac=obj.jac, bounds=[(0, 1), (0, 1)])
    np.testing.assert_allclose(found.x, [1.0, 0.0], atol=1e-9)
    np.testing.assert_array_equal(obj.jac([0.0, 0.0], a, options), -6 * a)
    np.testing.assert_array_equal(obj.hess([0.0, 0.0], a, options), 6 * np.eye(2))
    np.testing.assert_array_equal(obj.hessp([0.0, 0.0], [1.0, 0.0], a, options), [6.0, 0.0])


def test_one_unknown():
    """A function of one unknown may give an array of one element, as SciPy lets it."""
    obj = tf.objective(lambda x: (x - 2.0) ** 2 + 1.0)
    found = minimize(obj.fun, 5, jac=obj.jac, hess=obj.hess, method="trust-exact")
    np.testing.assert_allclose(found.x, [2.0])
    np.testing.assert_array_equal(obj.hess([3.0]), [[2.0]])
    assert obj.fun([3.0]) == obj.fun(3.0) == 2.0
    assert obj.hessp([3.0], [2.0]) == [4.0]


def test_what_scipy_gives_is_read_as_float64():
    """Lists, whole numbers and float32 are read as float64, and so are results."""
    obj = tf.objective(lambda x: np.sum(x**3))
    for x in ([1, 2], np.array([1, 2]), np.array([1, 2], np.float32), (1.0, 2.0)):
        assert obj.fun(x) == 9.0
        np.testing.assert_array_equal(obj.jac(x), [3.0, 12.0])
        assert obj.jac(x).dtype == obj.hess(x).dtype == np.float64
    assert isinstance(obj.fun([1.0]), float)
    assert tf.objective(lambda x: x**2).jac(3.0) == 6.0


# --- what is computed once ------------------------------------------------------------------------


class Counted:
    """A function that counts how often its program is run, by what it draws."""

    def __init__(self):
        self.runs = itertools.count()

    def __call__(self, x):
        """Look at the value, so that the function is recorded on every call."""
        next(self.runs)
        float(tf.stop_gradient(x[0]))
        return np.sum(x * x)


def test_points_are_known_by_their_elements():
    """An array that changed in place is another point, an equal copy the same one."""
    obj = tf.objective(rosenbrock)
    x = np.array([0.5, 1.5, 2.0])
    for _ in range(6):
        np.testing.assert_allclose(obj.fun(x), rosen(x), rtol=1e-13)
        np.testing.assert_allclose(obj.jac(x.copy()), rosen_der(x), rtol=1e-12)
        x += 0.25
        np.testing.assert_allclose(obj.jac(x), rosen_der(x), rtol=1e-12)
        np.testing.assert_allclose(obj.fun(x.copy()), rosen(x), rtol=1e-13)
        x[1] *= -1.0
        np.testing.assert_allclose(obj.hessp(x, x), rosen_hess_prod(x, x), rtol=1e-11)


def test_value_and_gradient_come_from_one_call(monkeypatch):
    """After the first point, `fun` and `jac` make one call; `fun` alone goes back to the value."""
    obj = tf.objective(rosenbrock)
    calls = []
    compute, value = obj._both.run, obj._value.run
    monkeypatch.setattr(obj._both, "run", lambda a: calls.append("both") or compute(a))
    monkeypatch.setattr(obj._value, "run", lambda a: calls.append("value") or value(a))
    for k in range(3):
        x = np.array([1.0, float(k)])
        obj.fun(x)
        obj.jac(x)
    assert calls == ["value", "both", "both", "both"]
    calls.clear()
    for k in range(3):
        obj.fun(np.array([2.0, float(k)]))
    assert calls == ["both", "value", "value"]
    calls.clear()
    obj.jac(np.ones(2))
    obj.fun(np.ones(2))
    assert calls == ["both"]


def test_gradients_that_were_given_out_are_the_callers():
    """Two calls never give the same array."""
    obj = tf.objective(rosenbrock)
    x = np.array([1.0, 2.0])
    obj.jac(x)[:] = 0.0
    np.testing.assert_array_equal(obj.jac(x), rosen_der(x))
    p = np.array([1.0, -1.0])
    linear = tf.objective(lambda x: np.sum(x * x) / 2)
    linear.hessp(x, p)[:] = 7.0
    np.testing.assert_array_equal(p, [1.0, -1.0])


def _changed(name):
    """Give a function that reads something, and what changes it."""
    data = {"a": np.array([1.0, 2.0])}
    if name == "array":
        return (lambda x: np.sum(data["a"] * x**2)), lambda: data["a"].__imul__(3.0), ()
    if name == "entry":
        return (lambda x: np.sum(data["a"] * x**2)), lambda: data.update(a=np.full(2, 3.0)), ()
    if name == "variable":
        v = tf.Variable([1.0, 2.0], dtype=tf.float64)
        return (lambda x: tf.reduce_sum(v * x**2)), lambda: v.assign([3.0, 5.0]), ()
    return (lambda x, a: np.sum(a * x**2)), lambda: data["a"].__imul__(3.0), (data["a"],)


@pytest.mark.parametrize("name", ["array", "entry", "variable", "argument"])
def test_data_that_changed_is_seen(name):
    """What was kept of a point is not used once the data has changed that it was computed from."""
    f, change, args = _changed(name)
    obj = tf.objective(f)
    x, p = np.array([1.0, -1.0]), np.array([1.0, 1.0])

    def derivatives():
        slope = approx_fprime(x, lambda x: float(f(x, *args)), 1e-7)
        return slope, x * p * slope

    for _ in range(3):
        obj.fun(x, *args)
        change()
        slope, product = derivatives()
        np.testing.assert_allclose(obj.jac(x, *args), slope, rtol=1e-5)
        np.testing.assert_allclose(obj.hessp(x, p, *args), product, rtol=1e-5)
        change()
        slope, product = derivatives()
        np.testing.assert_allclose(obj.hessp(x, p, *args), product, rtol=1e-5)
        np.testing.assert_allclose(obj.jac(x, *args), slope, rtol=1e-5)


def test_other_branches_and_random_numbers():
    """A point on another branch is traced anew, and what is drawn at random is drawn anew."""
    obj = tf.objective(lambda x: np.sum(x * x) if x[0] > 0 else np.sum(x))
    for x in (np.array([1.0, 2.0]), np.array([-1.0, 2.0]), np.array([3.0, 2.0])) * 2:
        np.testing.assert_array_equal(obj.jac(x), 2 * x if x[0] > 0 else [1.0, 1.0])
        np.testing.assert_array_equal(obj.hess(x), 2 * np.eye(2) if x[0] > 0 else np.zeros((2, 2)))
    noisy = tf.objective(lambda x: np.sum(x) * tf.random.normal([], dtype=tf.float64))
    assert len({noisy.fun([1.0]) for _ in range(5)}) == 5
    peeking = Counted()
    np.testing.assert_array_equal(tf.objective(peeking).jac([1.0, 2.0]), [2.0, 4.0])


# --- parameters -----------------------------------------------------------------------------------


class Pair(NamedTuple):
    """A named tuple of parameters."""

    a: Any
    b: Any


@dataclasses.dataclass
class Layer:
    """A dataclass of parameters."""

    weights: Any
    bias: Any


STRUCTURES = {
    "array": np.arange(6.0).reshape(2, 3),
    "number": 2.0,
    "list": [1.0, np.ones((2, 2)), [np.zeros(0)]],
    "dict": {"b": np.arange(3.0), "a": (1.0, 2.0)},
    "named tuple": Pair(1.0, np.ones(2)),
    "dataclass": Layer(np.ones((2, 2)), [0.5, None]),
    "single": {"w": np.ones(3, np.float32), "b": np.float32(2.0)},
    "tensors": [tf.constant([1.0, 2.0], tf.float64), tf.Variable(3.0, dtype=tf.float64)],
}


def leaves(structure):
    """List the arrays of a structure, dicts by sorted keys."""
    if structure is None:
        return []
    if dataclasses.is_dataclass(structure):
        structure = list(vars(structure).values())
    if isinstance(structure, dict):
        structure = [structure[k] for k in sorted(structure)]
    if isinstance(structure, (list, tuple)):
        return [x for part in structure for x in leaves(part)]
    return [structure]


@pytest.mark.parametrize("name", STRUCTURES)
def test_parameters_become_a_vector_and_back(name):
    """Packing is row by row and undone by unpacking; gradients and Hessians are by the vector."""
    params = STRUCTURES[name]

    def f(p):
        return sum(tf.reduce_sum(tf.cast(x, tf.float64) ** 3) for x in leaves(p))

    obj = tf.objective(f, params)
    flat = np.concatenate([np.ravel(np.asarray(x)) for x in leaves(params)])
    for _ in range(3):
        x = obj.x0
        np.testing.assert_array_equal(x, flat)
        np.testing.assert_array_equal(obj.pack(obj.unpack(x)), x)
        for made, given in zip(leaves(obj.unpack(x)), leaves(params), strict=True):
            np.testing.assert_array_equal(made, np.asarray(given))
            assert made.dtype == np.asarray(given).dtype
        assert obj.fun(x) == np.sum(flat**3)
        np.testing.assert_array_equal(obj.jac(x), 3 * flat**2)
        np.testing.assert_array_equal(obj.hess(x), np.diag(6 * flat))
        np.testing.assert_array_equal(obj.hessp(x, np.ones(x.size)), 6 * flat)
        assert obj.jac(x).dtype == obj.hess(x).dtype == x.dtype == np.float64
    x[:] = 0.0
    np.testing.assert_array_equal(obj.x0, flat)


# --- residuals ------------------------------------------------------------------------------------


def _circle(x):
    return [x[0] ** 2 + x[1] ** 2 - 1.0, x[0] - x[1]]


def test_residuals_are_joined_row_by_row(rng):
    """A structure of results is one vector; its Jacobian has a row for each, sparse or not."""

    def f(x):
        return {"b": np.outer(x, x), "a": [x[0] * x[1], 2.0, np.sin(x)]}

    x = rng.normal(size=3)
    expected = np.concatenate([[x[0] * x[1], 2.0], np.sin(x), np.outer(x, x).ravel()])
    r, s = tf.residuals(f), tf.residuals(f, sparse=True)
    for _ in range(3):
        np.testing.assert_allclose(r.fun(x), expected, rtol=1e-15)
        jacobian = r.jac(x)
        np.testing.assert_allclose(jacobian, s.jac(x).toarray(), rtol=1e-15)
        np.testing.assert_allclose(jacobian, approx_fprime(x, r.fun), atol=1e-6)
        v = rng.normal(size=len(expected))
        slopes = approx_fprime(x, lambda x: v @ r.jac(x))  # noqa: B023 - called here
        np.testing.assert_allclose(r.hess(x, v), slopes, atol=1e-5)
        np.testing.assert_allclose(s.hess(x, v).toarray(), r.hess(x, v), atol=1e-14)
    pattern = r.sparsity(x)
    assert pattern.dtype == bool
    np.testing.assert_array_equal(pattern.toarray() | (jacobian == 0), True)


def test_roots_least_squares_and_constraints():
    """SciPy's solvers take residuals as they are."""
    r, s = tf.residuals(_circle), tf.residuals(_circle, sparse=True)
    half = np.sqrt(0.5)
    np.testing.assert_allclose(fsolve(r.fun, [1.0, 0.5], fprime=r.jac), [half, half], rtol=1e-8)
    for method in ("hybr", "lm"):
        found = root(r.fun, [1.0, 0.5], jac=r.jac, method=method)
        np.testing.assert_allclose(found.x, [half, half], rtol=1e-8)
    for method, own in (("trf", r), ("dogbox", r), ("lm", r), ("trf", s)):
        found = least_squares(own.fun, [1.0, 0.5], jac=own.jac, method=method)
        np.testing.assert_allclose(found.x, [half, half], rtol=1e-8)
    found = least_squares(r.fun, [1.0, 0.5], jac_sparsity=r.sparsity([1.0, 0.5]))
    np.testing.assert_allclose(found.x, [half, half], rtol=1e-6)


def test_arguments_by_their_names():
    """`least_squares` passes further arguments by place and by name."""
    r = tf.residuals(lambda x, a, *, b: a * x - b)
    found = least_squares(r.fun, [0.0, 0.0], r.jac, args=(2.0,), kwargs={"b": np.array([2.0, 4.0])})
    np.testing.assert_allclose(found.x, [1.0, 2.0])
    assert r.sparsity([0.0, 0.0], 2.0, b=np.ones(2)).nnz == 2


def test_single_precision_of_constants_is_explained():
    """A function whose constants are float32 raises TensorFlow's error, and says what to do."""
    obj = tf.objective(lambda x: tf.reduce_sum(tf.constant([1.0, 2.0]) * x))
    for method in (obj.fun, obj.jac, obj.hess):
        with pytest.raises(tf.errors.InvalidArgumentError, match="double tensor") as raised:
            method([1.0, 2.0])
        assert "float64" in raised.value.__notes__[0]
    obj = tf.objective(lambda x: tf.reduce_sum(tf.constant([1.0, 2.0]) * x), np.ones(2, np.float32))
    np.testing.assert_array_equal(obj.jac(obj.x0), [1.0, 2.0])


@pytest.mark.parametrize("sparse", [False, True])
def test_constrained_minimum_of_hock_and_schittkowski(sparse):
    """Problem 71 of Hock and Schittkowski (1981) has the minimum 17.0140173."""
    obj = tf.objective(lambda x: x[0] * x[3] * (x[0] + x[1] + x[2]) + x[2], sparse=sparse)
    con = tf.residuals(lambda x: [np.prod(x), np.sum(x**2)], sparse=sparse)
    start, bounds = [1.0, 5.0, 5.0, 1.0], [(1, 5)] * 4
    limits = NonlinearConstraint(con.fun, [25, 40], [np.inf, 40], jac=con.jac, hess=con.hess)
    found = minimize(
        obj.fun, start, jac=obj.jac, hess=obj.hess, method="trust-constr", bounds=bounds,
        constraints=limits,
    )  # fmt: skip
    np.testing.assert_allclose(found.fun, 17.0140173, rtol=1e-6)
    if not sparse:
        above = {"type": "ineq", "fun": lambda x: con.fun(x)[:1] - 25,
                 "jac": lambda x: con.jac(x)[:1]}  # fmt: skip
        on = {"type": "eq", "fun": lambda x: con.fun(x)[1:] - 40, "jac": lambda x: con.jac(x)[1:]}
        found = minimize(obj.fun, start, jac=obj.jac, bounds=bounds, constraints=[above, on])
        np.testing.assert_allclose(found.fun, 17.0140173, rtol=1e-7)


SPARSE = {
    "diagonal": lambda x: np.sin(x),
    "bands": lambda x: x[2:] * x[:-2] + x[1:-1],
    "overlapping": lambda x: np.concatenate([x, x * x]) + np.concatenate([x**2, np.exp(x)]),
    "dense": lambda x: np.sum(x) * x,
    "row": lambda x: np.sum(x**2),
    "constant": lambda x: [1.0, 2.0],
    "linear": lambda x: 3.0 * x[::-1],
    "strided": lambda x: [x[0::2] * x[1::2], x[0]],
    "gathered": lambda x: np.take(x, [3, 3, 0]) * x[:3],
    "reshaped": lambda x: np.reshape(x, (3, 2)) * np.transpose(np.reshape(x, (2, 3))),
    "accumulated": lambda x: np.cumsum(x * x),
    "block": lambda x: [np.matmul(np.reshape(x[:4], (2, 2)), np.reshape(x[:4], (2, 2))), x[4:]],
    "none": lambda x: x[:0],
}


@pytest.mark.parametrize("name", SPARSE)
def test_sparse_jacobians_are_the_dense_ones(rng, name):
    """A sparse Jacobian has the entries of the dense one, each at one place, in order."""
    f = SPARSE[name]
    r, s = tf.residuals(f), tf.residuals(f, sparse=True)
    for _ in range(3):
        x = rng.normal(size=6)
        found = s.jac(x)
        assert found.shape == (len(r.fun(x)), 6)
        np.testing.assert_allclose(found.toarray(), r.jac(x), rtol=1e-14, atol=1e-15)
        again = csr_array(found)
        again.sum_duplicates()
        assert again.nnz == found.nnz == r.sparsity(x).nnz


def test_large_sparse_jacobians_need_no_dense_one():
    """Bands of a hundred thousand unknowns take milliseconds and megabytes."""
    n = 100_000
    s = tf.residuals(lambda x: 2.0 * x[1:-1] - x[:-2] - x[2:] + x[1:-1] ** 3, sparse=True)
    x = np.linspace(0.0, 1.0, n)
    jacobian = s.jac(x)
    assert jacobian.nnz == 3 * (n - 2)
    np.testing.assert_allclose(jacobian.diagonal(1), 2.0 + 3 * x[1:-1] ** 2)


# --- curves ---------------------------------------------------------------------------------------


def test_curves_have_a_column_for_each_parameter(rng):
    """The Jacobian of a model has the signature and shape that `curve_fit` wants."""
    c = tf.curve(lambda x, a, b=1.0: a * np.exp(-b * x))
    x = rng.random(5)
    for a, b in ((1.0, 2.0), (3, 1), (np.float64(0.5), -1.0)):
        np.testing.assert_allclose(c.fun(x, a, b), a * np.exp(-b * x), rtol=1e-14)
        e = np.exp(-b * x)
        np.testing.assert_allclose(c.jac(x, a, b), np.stack([e, -a * x * e], 1), rtol=1e-14)
    assert list(inspect.signature(c.fun).parameters) == ["x", "a", "b"]
    several = tf.curve(lambda x, a, b: a * x[0] + b * x[1])
    np.testing.assert_array_equal(several.jac(np.arange(6).reshape(2, 3), 1.0, 1.0),
                                  np.arange(6.0).reshape(2, 3).T)  # fmt: skip


# --- travel ---------------------------------------------------------------------------------------


def square_of_parameters(p):
    """Give a function that pickles by its name."""
    return np.sum(p["a"] ** 2)


def line(x, a, b):
    """Give a model that pickles by its name."""
    return a * x + b


def decay(t, y):
    """Give slopes that pickle by their name."""
    return -y


def test_adapters_are_pickled():
    """Adapters travel to other processes, and methods of them, before and after they were used."""
    x = np.array([0.5, 2.0])
    obj = tf.objective(rosenbrock, sparse=True)
    for _ in range(2):
        again = pickle.loads(pickle.dumps(obj))
        np.testing.assert_allclose(again.jac(x), rosen_der(x))
        np.testing.assert_allclose(again.hess(x).toarray(), rosen_hess(x))
        np.testing.assert_allclose(pickle.loads(pickle.dumps(obj.fun))(x), rosen(x))
        obj.jac(x)
        obj.hessp(x, x)
    fit = pickle.loads(pickle.dumps(tf.objective(square_of_parameters, {"a": tf.constant(x)})))
    np.testing.assert_array_equal(fit.jac(fit.x0), 2 * x)
    c = pickle.loads(pickle.dumps(tf.curve(line)))
    np.testing.assert_array_equal(c.jac(x, 1.0, 2.0)[:, 0], x)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(tf.ode(decay))).jac(0.0, x), -np.eye(2))
    r = pickle.loads(pickle.dumps(tf.residuals(np.sin)))
    np.testing.assert_array_equal(r.fun(x), np.sin(x))
    b = pickle.loads(pickle.dumps(tf.bvp(decay, decay)))
    np.testing.assert_array_equal(b.fun(x, np.ones((1, 2))), -np.ones((1, 2)))


# --- mistakes -------------------------------------------------------------------------------------

ONE = np.ones(2)
MISTAKES = {
    "vector": (lambda: tf.objective(lambda x: x).fun(ONE), TypeError, r"shape \(2,\)"),
    "vector gradient": (lambda: tf.objective(lambda x: x).jac(ONE), TypeError, r"shape \(2,\)"),
    "complex point": (
        lambda: tf.objective(np.sum).fun(ONE * 1j), TypeError, "x must be real numbers, not compl",
    ),
    "complex value": (
        lambda: tf.objective(lambda x: tf.cast(x[0], tf.complex128)).fun(ONE), TypeError,
        "objective: .*complex",
    ),
    "complex parameters": (
        lambda: tf.objective(np.sum, {"a": ONE * 1j}), TypeError, r"params\['a'\] is complex128",
    ),
    "whole parameters": (
        lambda: tf.objective(np.sum, [1.0, 3]), TypeError, r"params\[1\] is 3 of type int",
    ),
    "text": (lambda: tf.objective(np.sum).fun(["a"]), TypeError, "x must be real numbers"),
    "size": (
        lambda: tf.objective(np.sum, {"a": ONE}).jac(np.ones(3)), ValueError,
        r"has 2 elements, \{'a': \(2,\)\}, but x has shape \(3,\)",
    ),
    "pack": (
        lambda: tf.objective(np.sum, [1.0]).pack((1.0,)), TypeError, r"structure \['\*'\], not \(",
    ),
    "pack shape": (
        lambda: tf.objective(np.sum, [ONE]).pack([1.0]), ValueError, r"\[0\] has shape \(2,\)",
    ),
    "no structure": (lambda: tf.objective(np.sum).x0, ValueError, r"objective\(fun, params\)"),
    "direction": (
        lambda: tf.objective(lambda x: np.sum(x * x)).hessp(ONE, np.ones(3)), ValueError,
        r"direction has shape \(3,\), but x \(2,\)",
    ),
    "lost": (
        lambda: tf.objective(lambda x: float(np.sum(x))).jac(ONE), tf.DerivativeError, "float",
    ),
    "complex residuals": (
        lambda: tf.residuals(lambda x: {"a": tf.cast(x, tf.complex128)}).jac(ONE), TypeError,
        r"result\['a'\] is complex",
    ),
    "no residuals": (lambda: tf.residuals(lambda x: None).fun(ONE), TypeError, "not None"),
    "weights": (
        lambda: tf.residuals(lambda x: x).hess(ONE, np.ones(3)), ValueError, r"each of the 2 resul",
    ),
    "no function": (lambda: tf.objective(3.0), TypeError, "expected a function"),
    "curve parameters": (
        lambda: tf.curve(lambda x, a: a * x).jac(ONE, ONE), TypeError, "real numbers",
    ),
    "no parameters": (lambda: tf.curve(lambda x: x).fun(ONE), ValueError, "at least one parameter"),
    "slopes": (lambda: tf.ode(lambda t, y: y[:1]).fun(0.0, ONE), ValueError, "2 elements, .* 1 sl"),
    "matrix of states": (
        lambda: tf.ode(lambda t, y: y).fun(0.0, np.ones((2, 3))), ValueError, "vectorized=False",
    ),
    "complex state": (lambda: tf.ode(lambda t, y: y).jac(0.0, ONE * 1j), TypeError, "real numbers"),
    "points that are coupled": (
        lambda: tf.bvp(lambda x, y: y - np.mean(y), lambda a, b: a).fun_jac(ONE, np.ones((2, 2))),
        tf.DerivativeError, "each point of the mesh",
    ),
    "shape of slopes": (
        lambda: tf.bvp(lambda x, y: y[0], lambda a, b: a).fun(ONE, np.ones((2, 2))), TypeError,
        r"shape of y, \(2, 2\)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_named(name):
    """A mistake raises an error that names the adapter, the shapes and what would do."""
    run, kind, text = MISTAKES[name]
    with pytest.raises(kind, match=text):
        run()


@pytest.mark.parametrize("size", [1, 100, 20_000])
def test_data_that_was_replaced_is_read_again(size):
    """At the same point, a value is not remembered for other data, of any size."""

    class Data:
        weights = np.ones(size)

    data = Data()
    objective = tf.objective(lambda x: tf.reduce_sum(x * x) * tf.reduce_sum(data.weights))
    x = np.array([0.5, 1.0])
    for factor in (1.0, 2.0, 2.0, 3.0):
        data.weights = np.full(size, factor)
        for _ in range(2):
            np.testing.assert_allclose(objective.fun(x), 1.25 * factor * size)
            np.testing.assert_allclose(objective.jac(x), 2 * x * factor * size)
        data.weights *= 2.0
        np.testing.assert_allclose(objective.jac(x), 4 * x * factor * size)
