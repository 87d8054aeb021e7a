"""Functions on functions: right on every call, whatever has changed since they were traced."""

from __future__ import annotations

import argparse
import contextvars
import dataclasses
import functools
import gc
import itertools
import math
import operator
import os
import random
import threading
import types
import weakref
from collections import OrderedDict, UserList
from typing import Any, NamedTuple

import numpy as np
import pytest
import sympy as sp

import symtape as tf
from symtape.codegen.libraries.rows import lowest
from symtape.compiled.results import finished
from symtape.functions.scipy.packing import joined
from symtape.functions.tracing.matching import matcher
from symtape.functions.tracing.memo import _elements, _is_at
from symtape.functions.tracing.proxies.memory import _taken_out
from symtape.functions.tracing.tracing import Trace
from symtape.functions.transforms.programs import example
from symtape.nest.trees import take_apart
from symtape.tensor.recording.active import THREAD

# --- values and structures ------------------------------------------------------------------------


class Point(NamedTuple):
    """A named tuple of parameters."""

    x: Any
    y: Any


@dataclasses.dataclass(frozen=True)
class Layer:
    """A dataclass of parameters."""

    weights: Any
    bias: Any


STRUCTURES = {
    "list": [1.0, [2.0, 3.0]],
    "tuple": (1.0, (2.0, 3.0)),
    "dict": {"b": 1.0, "a": {"c": 2.0, "d": 3.0}},
    "ordered": OrderedDict([("b", 1.0), ("a", (2.0, 3.0))]),
    "named tuple": Point(1.0, Point(2.0, 3.0)),
    "dataclass": Layer(np.array([1.0, 2.0]), Layer(3.0, None)),
    "none": [1.0, None, (2.0, 3.0)],
}


def leaves(structure):
    """List the numbers of a structure in a fixed order."""
    if structure is None:
        return []
    if dataclasses.is_dataclass(structure):
        structure = vars(structure)
    if isinstance(structure, dict):
        return [x for k in sorted(structure) for x in leaves(structure[k])]
    if isinstance(structure, (list, tuple)):
        return [x for part in structure for x in leaves(part)]
    return [structure]


@pytest.mark.parametrize("name", STRUCTURES)
def test_gradients_have_the_structure_of_their_arguments(name):
    """The gradient of the sum of squares is twice the argument, in the same structure."""
    argument = STRUCTURES[name]
    slope = tf.grad(lambda p: sum(tf.reduce_sum(x * x) for x in leaves(p)))
    for _ in range(3):
        found = slope(argument)
        assert type(found) is type(argument)
        for a, b in zip(leaves(argument), leaves(found), strict=True):
            np.testing.assert_array_equal(b, 2 * np.asarray(a))


@pytest.mark.parametrize("argnums", [1, -1, np.int64(1), np.int8(-1)])
def test_argnums_are_whole_numbers_of_any_kind(argnums):
    """NumPy's integers number arguments as Python's do, also in a tuple and for rows."""
    assert tf.grad(lambda x, y: x * y, argnums)(2.0, 3.0) == 2.0
    assert tf.grad(lambda x, y: x * y, (argnums,))(2.0, 3.0) == (2.0,)
    rows = tf.grad(lambda x, y: x * y, argnums, vectorize=argnums)(2.0, np.ones(3))
    assert rows.tolist() == [2.0, 2.0, 2.0]
    assert tf.derivative(lambda x: x**3, np.int64(2))(2.0) == 12.0


@pytest.mark.parametrize("argnums", [True, 1.0, "x", None, (0, "x"), (False,)])
def test_argnums_are_nothing_else(argnums):
    """Truth values, floats and names are refused before anything is traced."""
    with pytest.raises(TypeError, match="argnums is an int or a sequence of ints"):
        tf.grad(lambda x, y: x * y, argnums)


@pytest.mark.parametrize("kind", [tf.grad, tf.jacobian, tf.derivative])
def test_whole_numbers_are_no_results(kind):
    """The error says which floating number to give."""
    with pytest.raises(TypeError, match=r"0 of type int: give 0\.0 for 0"):
        kind(lambda x: max(x, 0))(-1.0)


def test_argnums_choose_arguments():
    """An int gives one gradient, a sequence a tuple; negative numbers count from the end."""

    def f(x, y, *, z=1.0):
        return x * x * y * z

    assert tf.grad(f)(3.0, 2.0) == 12.0
    assert tf.grad(f, argnums=1)(3.0, 2.0) == 9.0
    assert tf.grad(f, argnums=(1, 0))(3.0, 2.0, z=2.0) == (18.0, 24.0)
    assert tf.grad(f, argnums=-1)(3.0, 2.0) == 9.0
    assert tf.grad(f, argnums=(0,))(x=3.0, y=2.0) == (12.0,)


def test_python_floats_are_float64_and_other_dtypes_stay():
    """A result has the dtype of its argument; a Python float is float64."""
    slope = tf.grad(lambda x: x * x)
    assert type(slope(3.0)) is np.float64
    assert type(slope(np.float32(3.0))) is np.float32
    assert slope(tf.constant(3.0)).dtype is tf.float32
    assert tf.grad(lambda x: tf.reduce_sum(x * x))(np.ones(3, np.float16)).dtype == np.float16


def test_results_are_arrays_of_arrays_and_tensors_of_tensors():
    """One tensor among the arguments makes the results tensors."""
    slope = tf.grad(lambda x, y: tf.reduce_sum(x * y), argnums=(0, 1))
    x, y = np.ones(2), np.ones(2)
    assert all(type(g) is np.ndarray for g in slope(x, y))
    assert all(isinstance(g, tf.Tensor) for g in slope(x, tf.constant(y)))
    assert all(isinstance(g, tf.Tensor) for g in slope(tf.Variable(x), y))


def test_value_and_auxiliary_results():
    """The value comes first; with has_aux, what came beside it, of any type."""

    def f(x):
        return x * x, {"double": 2.0 * x, "name": "f", "half": [0.5]}

    for _ in range(3):
        gradient, aux = tf.grad(f, has_aux=True)(3.0)
        assert (gradient, aux) == (6.0, {"double": 6.0, "name": "f", "half": [0.5]})
        (value, aux), gradient = tf.value_and_grad(f, has_aux=True)(3.0)
        assert (value, gradient, aux["double"], aux["name"]) == (9.0, 6.0, 6.0, "f")
    assert tf.value_and_grad(lambda x: x * x)(3.0) == (9.0, 6.0)


@pytest.mark.parametrize("derivative", [tf.jacobian, tf.hessian])
def test_auxiliary_results_of_jacobians_and_hessians(derivative):
    """With has_aux a pair is given, whose first part is what there is without it."""

    def f(x):
        return {"a": x**3, "b": [x * x, 1.0]}

    x = np.array([1.0, 2.0])
    plain = derivative(f)(x)
    beside = derivative(lambda x: (f(x), {"double": 2.0 * x, "name": "f", "x": x}), has_aux=True)
    for _ in range(3):
        found, aux = beside(x)
        np.testing.assert_array_equal(found["a"], plain["a"])
        np.testing.assert_array_equal(found["b"][0], plain["b"][0])
        np.testing.assert_array_equal(aux["double"], 2 * x)
        assert aux["name"] == "f"
        rows = derivative(lambda x: (x**3, x.sum()), has_aux=True, vectorize=True)
        found, total = rows(np.stack([x, 2 * x]))
        np.testing.assert_array_equal(found[0], plain["a"])
        np.testing.assert_array_equal(total, [3.0, 6.0])
    with pytest.raises(TypeError, match="pair"):
        derivative(f, has_aux=True)(x)


def test_blocks_of_several_results_and_arguments():
    """Jacobians have results outside and arguments inside; Hessians have all pairs."""

    def f(p, q):
        return {"sum": p["a"] + q, "products": (p["a"] * q, p["b"] * q * q)}

    found = tf.jacobian(f, argnums=(0, 1))({"a": 2.0, "b": 3.0}, 5.0)
    assert found["sum"] == ({"a": 1.0, "b": 0.0}, 1.0)
    assert found["products"] == (({"a": 5.0, "b": 0.0}, 2.0), ({"a": 0.0, "b": 25.0}, 30.0))
    second = tf.hessian(lambda p, q: f(p, q)["products"][1], argnums=(0, 1))(
        {"a": 2.0, "b": 3.0}, 5.0
    )
    nothing, by_b = ({"a": 0.0, "b": 0.0}, 0.0), ({"a": 0.0, "b": 0.0}, 10.0)
    assert second == ({"a": nothing, "b": by_b}, ({"a": 0.0, "b": 10.0}, 6.0))


def test_hessians_of_several_results():
    """The Hessian of an array has its axes first, then those of both arguments."""
    x = np.array([1.0, 2.0])
    found = tf.hessian(lambda x: x**3)(x)
    expected = np.zeros((2, 2, 2))
    expected[[0, 1], [0, 1], [0, 1]] = 6 * x
    np.testing.assert_array_equal(found, expected)


def test_functions_nest():
    """Derivatives of derivatives, inside of one another, and under tapes that are not consumed."""
    assert tf.grad(tf.grad(tf.grad(lambda x: x**5)))(2.0) == 60 * 4.0
    assert tf.grad(lambda x: tf.grad(lambda y: x * y**3)(x))(2.0) == 9 * 4.0
    assert tf.hessian(lambda x: tf.grad(tf.sin)(x))(0.5) == pytest.approx(-np.cos(0.5))
    f = tf.jacobian(tf.grad(lambda x: tf.reduce_sum(x**3)))
    for scale in (1.0, 2.0, 3.0):
        np.testing.assert_array_equal(f(scale * np.array([1.0, 2.0])), scale * np.diag([6.0, 12.0]))


def test_a_tape_around_a_function_sees_it():
    """What a function gives inside of a tape is differentiated further, its formula included."""
    x, w = tf.constant([1.0, 2.0]), tf.Variable(3.0)
    second = tf.hessian(lambda v: w * tf.reduce_sum(v**3))
    for _ in range(3):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            total = tf.reduce_sum(second(x))
        assert tape.watched_variables() == (w,)
        np.testing.assert_array_equal(tape.gradient(total, x), [18.0, 18.0])
        np.testing.assert_array_equal(tape.gradient(total, w), 18.0)
        assert [str(e) for e in total.entries] if total.ndim else str(total.expr)


def test_a_tape_inside_of_a_function():
    """A function may use tapes itself."""

    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x**3
        return tape.gradient(y, x) * x

    slope = tf.grad(f)
    assert [slope(v) for v in (1.0, 2.0, 3.0)] == [9.0, 36.0, 81.0]


def test_the_formula_is_a_tensor_with_all_readings():
    """Parameters name the leaves, nested ones too; what the code decided is a condition."""
    scale = tf.constant(2.0, dtype=tf.float64)

    def f(p, t):
        return scale * p["w"] * t**2 if t > 0 else t

    found = tf.grad(f, argnums=1).formula({"w": 3.0}, 5.0)
    assert found.expr == sp.sympify("2*p_w*scale*t")
    assert found.conditions == (sp.Symbol("t") > 0,)
    assert found.exact() == 60
    assert [str(s) for s in found.leaves] == ["p_w", "t", "scale"]
    assert found.lambdify()(3.0, 7.0) == 84.0
    jacobian = tf.jacobian(lambda x: x * x).formula(np.array([1.0, 2.0]))
    assert str(jacobian.index_expr()) == "2*KroneckerDelta(i, j)*x[i]"
    assert jacobian.structure == "diagonal"


def test_the_source_is_the_code_that_runs():
    """The source is named for the function and its parameters, and can be run by itself."""

    def bowl(x, y):
        return tf.reduce_sum(x * x) * y

    text = tf.grad(bowl).source(np.ones(2), 3.0)
    assert text.startswith("def grad_bowl(x, y):")
    namespace = {"np": np}
    exec(text, namespace)  # noqa: S102 - our own code
    np.testing.assert_array_equal(namespace["grad_bowl"](np.ones(2), 3.0), [6.0, 6.0])


def cost(w, b, *, scale=1.0):
    """Say what it costs."""
    return w * b * scale


DESCRIPTIONS = {
    "<grad by w of cost(w, b)>": lambda: tf.grad(cost),
    "<value_and_grad by b, w of cost(w, b)>": lambda: tf.value_and_grad(cost, argnums=(-1, 0)),
    "<jacobian by argument 7 of cost(w, b)>": lambda: tf.jacobian(cost, argnums=7),
    "<hessian by w of lambda w>": lambda: tf.hessian(lambda w: w**3),
    "<grad by w of grad by w of cost(w, b)>": lambda: tf.grad(tf.grad(cost)),
    "<grad by b of partial(cost(b))>": lambda: tf.grad(functools.partial(cost, 2.0)),
    "<derivative of order 3 by w of cost(w, b)>": lambda: tf.derivative(cost, 3),
    "<hvp of cost(w, b)>": lambda: tf.hvp(cost),
    "<objective of cost(w, b)>": lambda: tf.objective(cost),
    "<residuals of cost(w, b)>": lambda: tf.residuals(cost),
    "<ode of cost(w, b)>": lambda: tf.ode(cost),
    "<curve of cost(w, b)>": lambda: tf.curve(cost),
    "<bvp of cost(w, b) and lambda ya, yb>": lambda: tf.bvp(cost, lambda ya, yb: ya - yb),
}


@pytest.mark.parametrize("text", DESCRIPTIONS)
def test_a_derivative_says_what_it_is(text):
    """`repr` has the question and the function, and `help` the function's own words as well."""
    made = DESCRIPTIONS[text]()
    assert repr(made) == text
    if text.startswith(("<grad by w of cost", "<hvp")):
        assert made.__doc__.startswith(text[1:-1])
        assert made.__doc__.endswith("Say what it costs.")


SQUARES = {
    "plain": (lambda x: np.sum((1.0 - x) ** 2), lambda _: 2.0),
    "times": (lambda x: np.sum(3.0 * (1.0 - x) ** 2 * 0.5), lambda _: 3.0),
    "of squares": (lambda x: np.sum((x**2 - 1.0) ** 2), lambda x: 12 * x**2 - 4),
    "beside others": (lambda x: np.sum((1.0 - x) ** 2 + x**3), lambda x: 2 + 6 * x),
    "over others": (lambda x: np.sum((1.0 - x) ** 2 / 4.0), lambda _: 0.5),
    "exponents": (lambda x: np.sum(np.exp((1.0 - x) ** 2)),
                  lambda x: np.exp((1 - x) ** 2) * (2 + 4 * (1 - x) ** 2)),
}  # fmt: skip


@pytest.mark.parametrize("name", SQUARES)
@pytest.mark.parametrize("shape", [(), (4,), (3, 2), (0,)])
def test_the_slope_of_the_slope_of_a_square_is_a_number(shape, name):
    """The code computes no power of exponent zero, and the number has the shape of the argument."""
    f, second = SQUARES[name]
    x = np.linspace(-1.0, 2.0, int(np.prod(shape))).reshape(shape)[()]
    hessian = tf.hessian(f)
    assert "power" not in hessian.source(x)
    expected = np.zeros(shape + shape)
    expected.reshape(np.size(x), np.size(x))[...] = np.diag(np.ravel(second(x) + 0 * x))
    np.testing.assert_allclose(hessian(x), expected, rtol=1e-14, atol=1e-14)
    if shape == (4,):
        (row,) = tf.hessian(f, vectorize=True)(x[None])
        np.testing.assert_allclose(row, expected, rtol=1e-14, atol=1e-14)


def chemistry(y):
    """Give the slopes of Robertson's reactions."""
    first, second, third = -0.04 * y[0] + 1e4 * y[1] * y[2], 3e7 * y[1] ** 2, y[2] * 0.5
    return tf.stack([first, -first - second, second + third])


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_small_arrays_are_written_by_their_elements(dtype):
    """Derivatives by elements are rows of elements in the code, of the dtype of the argument."""
    y = np.array([0.5, 1e-4, 0.25], dtype)
    jacobian = tf.jacobian(chemistry)
    assert "np.array([[-0.04, " in jacobian.source(y)
    first = np.array([-0.04, 1e4 * y[2], 1e4 * y[1]])
    second, third = np.array([0.0, 6e7 * y[1], 0.0]), np.array([0.0, 0.0, 0.5])
    expected = np.array([first, -first - second, second + third])
    assert jacobian(y).dtype == dtype
    np.testing.assert_allclose(jacobian(y), expected, rtol=2e-7)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_gradients_by_elements_are_put_together_once(dtype):
    """No zeros are made for each element; elements met twice are added up."""
    slope = tf.grad(lambda x: x[0] * x[1] + 3.0 * x[2] ** 2 + x[-1] * x[0])
    y = np.array([0.5, 2.0, 0.25], dtype)
    assert "embed" not in slope.source(y)
    assert slope(y).dtype == dtype
    np.testing.assert_array_equal(slope(y), [y[1] + y[2], y[0], 6 * y[2] + y[0]])
    of_matrix = tf.grad(lambda x: x[0, 1] * x[1, 0] - x[0, 0] * x[1, 1])
    found = of_matrix(np.arange(4.0).reshape(2, 2).astype(dtype))
    np.testing.assert_array_equal(found, [[-3, 2], [1, 0]])
    rows = tf.grad(lambda x: x[0] * x[1], vectorize=True)(np.ones((5, 2), dtype))
    np.testing.assert_array_equal(rows, np.ones((5, 2)))


WITHOUT_SLOPE = {
    "betainc by a": lambda x: tf.math.betainc(x, 2.0, 0.5),
    "betainc by all": lambda x: tf.math.betainc(x, x, x),
    "zeta by its exponent": lambda x: tf.sin(tf.math.zeta(x + 2.0, 2.0)),
    "polygamma by its order": lambda x: tf.math.polygamma(x, 2.0),
}


@pytest.mark.parametrize("name", WITHOUT_SLOPE)
@pytest.mark.parametrize("kind", [tf.grad, tf.jacobian, tf.hessian, tf.derivative])
def test_a_slope_that_nobody_wrote_is_no_zero(kind, name):
    """An order or a shape that depends on the arguments is refused, as JAX refuses it."""
    f = WITHOUT_SLOPE[name]
    with pytest.raises(tf.errors.DerivativeError, match="has no derivative by its argument 0"):
        kind(f)(1.0)
    with pytest.raises(tf.errors.DerivativeError, match="has no derivative"):
        tf.grad(f, vectorize=True)(np.ones(3))
    with pytest.raises(tf.errors.DerivativeError, match="has no derivative"):
        tf.jvp(f, (1.0,), (1.0,))
    assert kind(lambda x: (f(x), x * x)[1])(1.0) == 2.0


def test_an_order_may_depend_on_what_is_held():
    """What stop_gradient holds, and what is not differentiated by, are orders and shapes."""
    two, half = np.float64(2.0), np.float64(0.5)

    def f(x, a):
        return tf.math.betainc(a, two, x) * tf.math.betainc(tf.stop_gradient(x), two, half)

    held = tf.math.betainc(np.float64(0.25), two, half).numpy()
    density = 6 * 0.25 * 0.75
    np.testing.assert_allclose(tf.grad(f)(0.25, 2.0), density * held, rtol=1e-14)


def test_trace_gives_the_program():
    """Examples or specs say shapes and dtypes; the program knows arguments and results."""
    program = tf.trace(
        lambda x, y: {"z": x @ y}, tf.TensorSpec([2, 3]), np.ones((3, 4), np.float32)
    )
    assert program.arguments == (0, 1)
    assert [program.shapes[p] for p in program.results] == [(2, 4)]
    assert "einsum" in str(program)
    with pytest.raises(ValueError, match="leaves sizes open"):
        tf.trace(tf.sin, tf.TensorSpec([None]))
    assert tf.trace(lambda a: tf.linalg.inv(a), tf.TensorSpec([3, 3])).results == (1,)


@pytest.mark.parametrize("dtype", ["float64", "complex64"])
def test_what_stands_for_a_spec(dtype):
    """Branches are those of different numbers between 0 and 1, and of matrices with a root."""
    for shape in ([], [5], [2, 3]):
        values = example(tf.TensorSpec(shape, dtype))
        assert values.shape == tuple(shape)
        assert np.unique(values).size == values.size
        assert np.all((values.real > 0) & (values.real < 1) & (values.imag == 0))
    a = example(tf.TensorSpec([2, 4, 4], dtype))
    assert np.linalg.eigvalsh(a + np.swapaxes(a, -1, -2)).min() > 1
    assert example(tf.TensorSpec([2], "int64")).tolist() == [0, 0]


def test_trace_has_the_places_that_were_chosen():
    """Where values choose places a guard says which they were; what left otherwise is refused."""
    at = np.array([[1], [-1]])
    traced = tf.trace(lambda x, at: tf.boolean_mask(x, at > 0), np.ones((2, 1)), at)
    assert len(traced.guards) == 2
    with pytest.raises(tf.EscapedValueError, match="left the recording"):
        tf.trace(lambda x, at: x * int(at.numpy()[0]), np.ones(3), np.array([1]))


# --- derivative -----------------------------------------------------------------------------------

ORDINARY = {
    "sin": (np.sin, 4, np.sin),
    "power": (lambda x: x**5, 3, lambda x: 60 * x**2),
    "branch": (lambda x: x**3 if x > 0 else -x, 1, lambda x: np.where(x > 0, 3 * x**2, -1.0)),
    "constant": (lambda x: tf.constant(3.0, dtype=tf.float64), 1, lambda x: 0 * x),
    "identity": (lambda x: x, 1, lambda x: 0 * x + 1),
    "value": (tf.exp, 0, np.exp),
    "mixing": (lambda x: x / tf.norm(x), 1, lambda x: 0 * x),
    "sum": (lambda x: tf.reduce_sum(x * x), 1, lambda x: 2 * x),
}


@pytest.mark.parametrize("name", ORDINARY)
def test_derivatives_of_numbers_and_of_arrays(name):
    """The derivative at each number of an array is that at the number."""
    f, n, expected = ORDINARY[name]
    d = tf.derivative(f, n)
    points = np.array([[0.5, -1.25, 2.0], [1.0, -0.5, 3.0]])
    for _ in range(2):
        np.testing.assert_allclose(d(points), expected(points), rtol=1e-14, atol=1e-15)
        for x in points.flat:
            np.testing.assert_allclose(d(x), expected(x), rtol=1e-14, atol=1e-15)
    tensor = d(tf.constant(points))
    assert isinstance(tensor, tf.Tensor)
    np.testing.assert_allclose(tensor, expected(points), rtol=1e-14, atol=1e-15)


def test_derivatives_of_curves():
    """A function of one number may give an array, or a structure of results."""
    curve = tf.derivative(
        lambda t, w: {"p": tf.stack([tf.cos(w * t), tf.sin(w * t)]), "t": t * t}, 2
    )
    found = curve(0.5, 2.0)
    np.testing.assert_allclose(found["p"], [-4 * np.cos(1.0), -4 * np.sin(1.0)], rtol=1e-15)
    assert found["t"] == 2.0
    many = tf.derivative(lambda t, w: np.sin(w * t))(np.array([0.1, 0.2]), np.array([1.0, 2.0]))
    np.testing.assert_allclose(many, np.cos([[0.1, 0.2], [0.2, 0.4]]) * [1.0, 2.0], rtol=1e-15)


# --- always right, whatever changed ---------------------------------------------------------------


@pytest.fixture
def runs(monkeypatch):
    """List the recordings that functions were run in; a call of compiled code adds none."""
    found = []
    enter = Trace.__enter__
    monkeypatch.setattr(Trace, "__enter__", lambda self: found.append(self) or enter(self))
    return found


ONES = np.ones(3)
MATCHED = {
    "an array": ((ONES,), (2 * ONES,), (np.ones(4),)),
    "its dtype": ((ONES,), (0 * ONES,), (ONES.astype("f4"),)),
    "a float": ((1.0,), (2.5,), (1,)),
    "a float of NumPy's": ((np.float64(1.0),), (np.float64(2.0),), (1.0,)),
    "a number": ((ONES, 2), (ONES, 2), (ONES, 3)),
    "a text": ((ONES, "a"), (ONES, "a"), (ONES, "b")),
    "a truth": ((ONES, True), (ONES, True), (ONES, 1)),
    "nothing": ((None, ONES), (None, ONES), (0, ONES)),
    "a list": (([ONES, 1.0],), ([ONES, 3.0],), ((ONES, 1.0),)),
    "its length": (([ONES, 1.0],), ([ONES, 3.0],), ([ONES],)),
    "a tuple": (((ONES, [2.0]),), ((ONES, [4.0]),), ((ONES, [2]),)),
    "a dict": (({"b": ONES, "a": 1.0},), ({"a": 2.0, "b": ONES},), ({"a": 1.0},)),
    "other keys": (({"a": ONES},), ({"a": 2 * ONES},), ({"b": ONES},)),
    "a dict in a list": (([{"a": [1.0]}],), ([{"a": [2.0]}],), ([{"a": (1.0,)}],)),
    "no leaves": (([], {}), ([], {}), ([], ())),
}
"""Arguments, others that are built alike, and others that are not."""


@pytest.mark.parametrize("name", MATCHED)
def test_arguments_that_are_built_alike_are_taken_apart_at_once(name):
    """Their leaves are those of the structure, in its order; whatever differs is left alone."""
    args, alike, other = MATCHED[name]
    match = matcher(args)
    leaves = [x for x in tf.nest.flatten(alike) if isinstance(x, (float, np.ndarray))]
    found = match(*alike)
    assert len(found) == len(leaves)
    for x, leaf in zip(found, leaves, strict=True):
        assert type(x) is (np.ndarray if isinstance(leaf, np.ndarray) else np.float64)
        np.testing.assert_array_equal(x, leaf)
    assert match(*other) is None


UNMATCHED = {
    "keys that are numbers": {1: ONES}, "an array of no axes": np.array(1.0), "a set": {1.0},
    "texts": np.array(["a"]), "other bytes": ONES.astype(">f8"), "complex": 1j, "a type": object,
    "an object": object(), "a buffer": ONES.data,
}  # fmt: skip


@pytest.mark.parametrize("name", UNMATCHED)
def test_arguments_of_other_types_are_not_matched(name):
    """They are taken apart by the slow way."""
    arg = UNMATCHED[name]
    assert matcher((arg,)) is None
    assert matcher(([1.0, (arg,)],)) is None
    assert matcher(({"a": arg},)) is None


def test_a_function_is_traced_once_for_each_structure(runs):
    """Calls of one structure run the function once; another shape or option runs it again."""

    def f(x, power=2):
        return tf.reduce_sum(x**power)

    slope = tf.grad(f)
    calls = [
        (np.ones(3),), (np.full(3, 2.0),), (np.full(3, 5.0),), (tf.constant(np.ones(3)),),
        (np.ones(4),), (np.ones((2, 2)),), (np.ones(3, np.float32),), (np.ones(3), 3),
        (np.ones(3), 3), (np.ones(4),),
    ]  # fmt: skip
    for args in calls:
        x, power = np.asarray(args[0]), (*args, 2)[1]
        np.testing.assert_array_equal(slope(*args), power * x ** (power - 1))
    assert len(runs) == 5
    slope.clear_cache()
    slope(np.ones(3))
    assert len(runs) == 6


def test_another_branch_is_traced_anew(runs):
    """Each branch is right, traced once, and remembered."""

    def f(x):
        if x > 1:
            return x * x
        return -x if x > 0 else x

    slope = tf.grad(f)
    for x in (2.0, 0.5, -1.0, 3.0, 0.25, -2.0, 4.0, 0.75, -3.0, 5.0):
        assert slope(x) == (2 * x if x > 1 else -1.0 if x > 0 else 1.0)
    assert len(runs) == 3


def test_loops_of_any_length():
    """A loop that ends by value is traced for each number of rounds."""

    def f(x):
        while x < 100:
            x = x * x
        return x

    slope = tf.grad(f)
    for x in (3.0, 50.0, 200.0, 2.0, 4.0, 90.0, 1000.0):
        rounds, y = 0, x
        while y < 100:
            rounds, y = rounds + 1, y * y
        assert slope(x) == pytest.approx(2**rounds * x ** (2**rounds - 1))


def test_a_branch_that_cannot_be_computed_is_not_the_end():
    """Values for which the other branch raises take their own."""

    def f(a):
        if tf.linalg.det(a) != 0:
            return tf.reduce_sum(tf.linalg.inv(a))
        return tf.reduce_sum(a)

    slope = tf.grad(f)
    for _ in range(3):
        np.testing.assert_array_equal(slope(np.eye(2)), -np.ones((2, 2)))
        np.testing.assert_array_equal(slope(np.ones((2, 2))), np.ones((2, 2)))


GLOBAL = 2.0
TABLE = {"rate": 2.0}


class Model:
    """Something with parameters, a method and a function that it holds."""

    shared = 1.0

    def __init__(self, w):
        self.w = w
        self.activation = tf.identity

    def loss(self, x):
        """Give a loss."""
        return tf.reduce_sum(self.activation(self.w * x)) * self.shared

    __call__ = loss


def test_globals_cells_and_containers_are_read_anew(monkeypatch):
    """What the function reads by name may be another thing on the next call."""
    rate = 2.0
    values = [2.0]

    def f(x):
        return x * rate * GLOBAL * TABLE["rate"] * values[0]

    slope = tf.grad(f)
    for _ in range(3):
        assert slope(1.0) == 16.0
    rate = 3.0
    assert slope(1.0) == 24.0
    monkeypatch.setattr(__import__("sys").modules[__name__], "GLOBAL", 4.0)
    assert slope(1.0) == 48.0
    monkeypatch.setitem(TABLE, "rate", 1.0)
    assert slope(1.0) == 24.0
    values[0] = 1.0
    assert slope(1.0) == 12.0
    values.append(5.0)
    assert slope(1.0) == 12.0


def test_objects_are_read_anew(monkeypatch):
    """Attributes of objects and classes, and the functions that they hold, may change."""
    model = Model(2.0)
    slopes = [tf.grad(model.loss), tf.grad(model), tf.grad(lambda x: model.loss(x))]
    for expected, change in (
        (2.0, lambda: None),
        (3.0, lambda: setattr(model, "w", 3.0)),
        (6.0, lambda: setattr(model, "activation", lambda x: 2.0 * x)),
        (60.0, lambda: monkeypatch.setattr(Model, "shared", 10.0)),
        (30.0, lambda: monkeypatch.setattr(Model, "loss", lambda self, x: x * 30.0)),
    ):
        change()
        for slope in (slopes[0], slopes[2]) if expected == 30.0 else slopes:
            for _ in range(2):
                if expected != 30.0 or slope is slopes[2]:
                    assert slope(1.0) == expected


def test_names_that_hide_others_are_noticed():
    """An attribute that hides that of the class, and a global that hides a builtin, are read."""

    class Model:
        scale = 2.0

        def loss(self, x):
            return self.scale * x * x

    model = Model()
    slope = tf.grad(model.loss)
    for _ in range(3):
        assert slope(1.0) == 4.0
    model.scale = 3.0
    assert slope(1.0) == 6.0
    del model.scale
    assert slope(1.0) == 4.0
    names: dict[str, Any] = {}
    exec("def f(x): return abs(x)", names)  # noqa: S102 - a module of its own
    slope = tf.grad(names["f"])
    for _ in range(3):
        assert slope(2.0) == 1.0
    names["abs"] = lambda x: 5.0 * x
    assert slope(2.0) == 5.0


def by_property():
    """Read a number through a property."""

    class Model:
        """Keeps a number."""

        kept = 2.0

        @property
        def k(self):
            """Give what is kept."""
            return self.kept

    model = Model()
    return lambda x: model.k * x * x, lambda: setattr(model, "kept", 3.0)


def by_a_method_that_python_calls():
    """Read a number through `[]`."""

    class Model:
        """Keeps a number."""

        kept = 2.0

        def __getitem__(self, key):
            """Give what is kept."""
            return self.kept

    model = Model()
    return lambda x: model[0] * x * x, lambda: setattr(model, "kept", 3.0)


def by_a_method_for_missing_names():
    """Read a number by a name that the object has not."""

    class Model:
        """Keeps a number."""

        def __init__(self):
            self.kept = {"k": 2.0}

        def __getattr__(self, name):
            """Give what is kept."""
            return self.kept[name]

    model = Model()
    return lambda x: model.k * x * x, lambda: model.kept.update(k=3.0)


def by_a_static_method():
    """Read a number in a static method."""
    kept = [2.0]

    class Model:
        """Computes."""

        @staticmethod
        def scaled(x):
            """Scale by what is kept."""
            return kept[0] * x

    model = Model()
    return lambda x: model.scaled(x) * x, lambda: kept.__setitem__(0, 3.0)


def by_code_that_is_replaced():
    """Replace the code of a function, as notebooks do that reload modules."""

    def f(x):
        return 2.0 * x * x

    def g(x):
        return 3.0 * x * x

    return f, lambda: setattr(f, "__code__", g.__code__)


def by_defaults_that_are_replaced():
    """Replace a default."""

    def f(x, k=2.0):
        return k * x * x

    return f, lambda: setattr(f, "__defaults__", (3.0,))


def by_an_attribute_of_the_function():
    """Read what the function itself has."""

    def f(x):
        return f.k * x * x

    f.k = 2.0
    return f, lambda: setattr(f, "k", 3.0)


def by_a_name_that_is_computed():
    """Read an attribute whose name the code does not have."""
    space = types.SimpleNamespace(kept=2.0)
    return lambda x: getattr(space, "ke" + "pt"[:2]) * x * x, lambda: setattr(space, "kept", 3.0)


def by_all_attributes():
    """Read an attribute as an element."""
    space = types.SimpleNamespace(kept=2.0)
    return lambda x: vars(space)["kept"] * x * x, lambda: setattr(space, "kept", 3.0)


def by_a_namespace():
    """Read what options of a command are kept in."""
    space = argparse.Namespace(kept=2.0)
    return lambda x: space.kept * x * x, lambda: setattr(space, "kept", 3.0)


def by_a_getter():
    """Read with a function of a library that knows a name."""
    space, get = types.SimpleNamespace(kept=2.0), operator.attrgetter("kept")
    return lambda x: get(space) * x * x, lambda: setattr(space, "kept", 3.0)


def by_a_weak_reference():
    """Read an attribute of what is referred to."""

    def f(x):
        return f.seen().k * x * x

    f.seen = weakref.ref(f)
    f.k = 2.0
    return f, lambda: setattr(f, "k", 3.0)


def by_a_context_variable():
    """Read a variable of the context."""
    kept = contextvars.ContextVar("kept", default=2.0)
    return lambda x: kept.get() * x * x, lambda: kept.set(3.0)


def by_an_iterator():
    """Take the next number."""
    numbers = itertools.chain([2.0], itertools.repeat(3.0))
    return lambda x: next(numbers) * x * x, lambda: None


def by_the_environment():
    """Read a variable of the process."""
    os.environ["SYMTAPE_KEPT"] = "2"
    change = functools.partial(os.environ.__setitem__, "SYMTAPE_KEPT", "3")
    return lambda x: float(os.environ["SYMTAPE_KEPT"]) * x * x, change


def by_a_memory():
    """Call a function that remembers, and is told to forget."""
    kept = [2.0]

    @functools.lru_cache
    def remembered():
        return kept[0]

    def change():
        kept[0] = 3.0
        remembered.cache_clear()

    return lambda x: remembered() * x * x, change


def by_an_array_that_was_summed():
    """Compute with an array before anything is recorded."""
    data = np.array([1.0, 1.0])
    return lambda x: tf.reduce_sum(data) * x * x, lambda: data.__setitem__(0, 2.0)


def by_a_list_of_a_library():
    """Read an element of what only looks like a list."""
    kept = UserList([2.0])
    return lambda x: kept[0] * x * x, lambda: kept.__setitem__(0, 3.0)


WAYS = (
    by_property, by_a_method_that_python_calls, by_a_method_for_missing_names, by_a_static_method,
    by_code_that_is_replaced, by_defaults_that_are_replaced, by_an_attribute_of_the_function,
    by_a_name_that_is_computed, by_all_attributes, by_a_namespace, by_a_getter,
    by_a_weak_reference, by_a_context_variable, by_an_iterator, by_the_environment, by_a_memory,
    by_an_array_that_was_summed, by_a_list_of_a_library,
)  # fmt: skip
"""Each gives a function that scales x² by 2, and what makes it scale by 3."""


@pytest.mark.parametrize(
    ("keys", "followed"), [(("a", 1, 2.5), True), (((1, 2),), False), ((b"a",), False)]
)
def test_keys_that_are_texts_or_numbers_are_followed(keys, followed, runs):
    """A function that reads a dict by other keys runs anew with each call, as Python has it."""
    table = dict.fromkeys(keys, 2.0)
    read = {
        "item": lambda x: table[keys[0]] * x * x,
        "get": lambda x: table.get(keys[0], 5.0) * x * x,
        "contained": lambda x: (2.0 if keys[0] in table else 5.0) * x * x,
        "all": lambda x: sum(table[key] for key in table) / len(table) * x * x,
    }
    for function in read.values():
        runs.clear()
        slope = tf.grad(function)
        assert [slope(3.0) for _ in range(3)] == [12.0] * 3
        assert (len(runs) == 1) is followed


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_whatever_is_read_is_read_anew(way):
    """A derivative is that of the function as it is now, by whatever way a number enters it."""
    function, change = way()
    slope = tf.grad(function)
    assert slope(1.5) == 6.0
    change()
    assert slope(1.5) == 9.0
    assert slope(2.0) == 12.0


def test_functions_that_it_calls_are_read_anew():
    """A function that the function calls may be replaced, and may read other things."""
    factor = 2.0

    inner = lambda x: factor * x  # noqa: E731 - another one takes its place below

    def outer(x):
        return inner(x) * x

    slope = tf.grad(outer)
    assert [slope(1.0) for _ in range(3)] == [4.0] * 3
    factor = 3.0
    assert slope(1.0) == 6.0

    inner = tf.identity
    assert slope(1.0) == 2.0


def test_variables_have_their_present_values(runs):
    """A variable that is assigned is not traced anew, and has its value of the moment."""
    w = tf.Variable(2.0, dtype=tf.float64)
    frozen = tf.Variable(10.0, dtype=tf.float64, trainable=False)

    def f(x):
        return w * x * x + frozen * x

    slope = tf.grad(f)
    for k in range(5):
        w.assign(float(k))
        frozen.assign(10.0 * k)
        assert slope(1.0) == 2.0 * k + 10.0 * k
    assert len(runs) == 1


def test_variables_of_no_fixed_shape_have_their_present_shape():
    """A value of another shape is another structure, as an argument would be."""
    w = tf.Variable(np.array([1.0, 2.0]), shape=tf.TensorShape(None))
    slope = tf.grad(lambda x: tf.reduce_sum(w) * x * x)
    for value in ([1.0, 2.0], [1.0, 2.0, 4.0], [[1.0, 2.0], [4.0, 1.0]], [[1.0, 2.0], [4.0, 2.0]]):
        w.assign(np.array(value))
        assert slope(1.0) == 2 * np.sum(value)


def test_values_of_variables_that_were_taken_out():
    """A number that was made of a variable is made again when the variable changes."""
    w = tf.Variable(2.0)
    for read in (float, lambda v: v.numpy(), lambda v: float(v.read_value())):
        slope = tf.grad(lambda x, read=read: x * x * float(read(w)))
        for value in (2.0, 3.0, 3.0, 5.0):
            w.assign(value)
            assert slope(1.0) == 2.0 * value


def test_arrays_have_their_present_values():
    """An array that is changed in place, or replaced, is read anew; it is traced once."""
    data = np.array([1.0, 2.0])

    def f(x):
        return tf.reduce_sum(data * x) + data[1] * np.dot(data, x)

    slope = tf.grad(f)
    for k in range(4):
        data[:] = [k, 2.0]
        np.testing.assert_array_equal(slope(np.ones(2)), 3 * data)
    data = np.array([5.0, 2.0])
    np.testing.assert_array_equal(slope(np.ones(2)), [15.0, 6.0])


def test_numbers_computed_of_arrays(runs):
    """An array that only enters through NumPy is not silently what it was."""
    data = np.array([1.0, 2.0])
    frozen = np.array([1.0, 2.0])
    frozen.flags.writeable = False
    for f in (
        lambda x: x * x * data.sum(),
        lambda x: x * x * float(np.sum(data)),
        lambda x: tf.reduce_sum(x * x * (data + 0.0)),
        lambda x: tf.reduce_sum(x * x * np.flip(data)) + 0.0 * tf.reduce_sum(data * x),
        lambda x: tf.reduce_sum(x * x * -data) * -1.0 + 0.0 * tf.reduce_sum(data * x),
    ):
        slope = tf.grad(f)
        for k in (1.0, 1.0, 3.0, 5.0):
            data[:] = [k, 2.0]
            assert slope(1.0) == 2 * (k + 2.0)
    runs.clear()
    slope = tf.grad(lambda x: x * x * frozen.sum())
    assert [slope(1.0) for _ in range(3)] == [6.0] * 3
    assert len(runs) == 1


def test_random_numbers_are_drawn_on_every_call():
    """A function that draws random numbers draws new ones each time, from any source."""
    own = np.random.default_rng(0)
    tf.random.set_seed(3)
    for draw in (
        lambda: tf.random.normal([], dtype=tf.float64),
        lambda: np.random.rand(),  # noqa: NPY002 - what old code does
        lambda: random.random(),
        lambda: own.normal(),
        lambda: tf.random.Generator.from_non_deterministic_state().normal([], dtype=tf.float64),
    ):
        slope = tf.grad(lambda x, draw=draw: x * draw())
        assert len({float(slope(1.0)) for _ in range(4)}) == 4


def test_assignments_happen_on_every_call():
    """A function that assigns a variable does so each time."""
    steps = tf.Variable(0.0)

    def f(x):
        steps.assign_add(1.0)
        return x * x

    slope = tf.grad(f)
    assert [slope(3.0) for _ in range(4)] == [6.0] * 4
    assert float(steps) == 4.0


def test_values_that_leave_the_recording():
    """What Python computes of an argument's value is computed on every call."""
    for f, expected in (
        (lambda x: x * float(tf.stop_gradient(x)), lambda x: x),
        (lambda x: x * tf.stop_gradient(x).numpy(), lambda x: x),
        (lambda x: x * np.asarray(tf.stop_gradient(x)), lambda x: x),
        (lambda x: x * math.floor(x), lambda x: math.floor(x)),
        (lambda x: x * float(f"{x:.3f}"), lambda x: round(x, 3)),
        (lambda x: x * tf.cast(tf.math.count_nonzero([x, 0 * x]), tf.float64), lambda x: 1.0),
        (lambda x: x * tf.reduce_sum(tf.one_hot([abs(int(x))], 9, dtype=x.dtype)), lambda x: 1.0),
        (lambda x: tf.reduce_sum(tf.boolean_mask(tf.stack([x, -2 * x]), tf.stack([x, -x]) > 0)),
         lambda x: 1.0 if x > 0 else -2.0),
    ):  # fmt: skip
        slope = tf.grad(f)
        for x in (2.25, 3.5, -1.75, 2.25):
            assert slope(x) == expected(x)


def test_zero_is_not_given_where_the_connection_was_lost():
    """A result that was computed outside of the recording has no derivative that is known."""
    for f in (lambda x: float(x) ** 2, lambda x: np.float64(x.numpy()) * 2.0):
        with pytest.raises(tf.DerivativeError, match="out of the recording"):
            tf.grad(f)(3.0)
        with pytest.raises(tf.DerivativeError, match="out of the recording"):
            tf.jacobian(f)(3.0)
    assert tf.grad(lambda x: tf.floor(x))(2.5) == 0.0
    assert tf.grad(lambda x: 3.0)(2.5) == 0.0


def test_indices_among_the_arguments():
    """Integer arrays may be arguments; what they choose follows their values."""
    slope = tf.grad(lambda x, at: tf.reduce_sum(tf.gather(x, at) ** 2))
    for at in ([0, 2], [1, 1], [2, 0], [1, 2]):
        x = np.array([1.0, 2.0, 3.0])
        expected = np.zeros(3)
        np.add.at(expected, at, 2 * x[at])
        np.testing.assert_array_equal(slope(x, np.array(at)), expected)


def test_options_that_are_no_arrays():
    """Strings, booleans and integers choose a program; objects are looked into."""
    model = Model(2.0)

    def f(x, kind, *, double=False, model=None, steps=1):
        y = {"square": x * x, "cube": x**3}[kind]
        for _ in range(steps):
            y = y * (2.0 if double else 1.0)
        return y if model is None else y * model.w

    slope = tf.grad(f)
    for _ in range(2):
        assert slope(1.0, "square") == 2.0
        assert slope(1.0, "cube") == 3.0
        assert slope(1.0, "cube", double=True) == 6.0
        assert slope(1.0, kind="cube", double=True, steps=2) == 12.0
    assert slope(1.0, "square", model=model) == 4.0
    model.w = 5.0
    assert slope(1.0, "square", model=model) == 10.0


def test_results_are_arrays_of_their_own():
    """A result is neither an argument nor a view of one, nor of another result."""
    x = np.array([1.0, 2.0])
    for f in (
        lambda x: tf.reduce_sum(x * x) / 2.0,
        lambda x: tf.reduce_sum(x * tf.reverse(tf.stop_gradient(x), [0])),
        lambda x: tf.reduce_sum(x),
    ):
        slope = tf.grad(f)
        for _ in range(3):
            found = slope(x)
            found += 1.0
            assert found.flags.owndata or found.base is not x
        np.testing.assert_array_equal(x, [1.0, 2.0])
    both = tf.grad(lambda x, y: tf.reduce_sum(x * y) + tf.reduce_sum(x + y), argnums=(0, 1))
    for _ in range(3):
        a, b = both(np.ones(2), np.ones(2))
        a += 1.0
        np.testing.assert_array_equal(b, [2.0, 2.0])


def test_threads_do_not_disturb_each_other():
    """Many threads may call one function, with several branches, at once."""
    slope = tf.grad(lambda x: x * x if x > 0 else -x)
    wrong = []

    def work(seed):
        rng = np.random.default_rng(seed)
        for x in rng.normal(size=200):
            expected = 2 * x if x > 0 else -1.0
            if slope(x) != expected:
                wrong.append(x)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@pytest.mark.slow
def test_products_hold_no_function_alive():
    """What jvp, vjp and hvp remember of a function goes with the function."""

    class Held:
        """Something that can be referred to weakly."""

    def make():
        held = Held()

        def f(x):
            return x * x if held else x

        tf.jvp(f, (1.0,), (1.0,))
        tf.hvp(f, (1.0,), (1.0,))
        tf.vjp(f, 1.0)
        return weakref.ref(held)

    reference = make()
    gc.collect()
    assert reference() is None


# --- products -------------------------------------------------------------------------------------


def test_products_are_those_of_the_matrix():
    """jvp is the Jacobian times a vector, vjp a vector times it, hvp the Hessian times a vector."""
    rng = np.random.default_rng(1)
    a, x, v, u = rng.normal(size=(3, 4)), *rng.normal(size=(2, 4)), rng.normal(size=3)

    def f(x):
        return tf.tanh(tf.linalg.matvec(a, x)) ** 2

    jacobian = tf.jacobian(f)(x)
    hessian = tf.hessian(lambda x: tf.reduce_sum(f(x)))(x)
    for _ in range(3):
        value, along = tf.jvp(f, (x,), (v,))
        np.testing.assert_allclose(value, np.tanh(a @ x) ** 2, rtol=1e-14)
        np.testing.assert_allclose(along, jacobian @ v, rtol=1e-13)
        value, pull = tf.vjp(f, x)
        np.testing.assert_allclose(pull(u)[0], u @ jacobian, rtol=1e-13)
        np.testing.assert_allclose(pull(2 * u)[0], 2 * u @ jacobian, rtol=1e-13)
        found = tf.hvp(lambda x: tf.reduce_sum(f(x)), (x,), (v,))
        np.testing.assert_allclose(found, hessian @ v, rtol=1e-12)


def test_products_of_structures():
    """Tangents and cotangents have the structures of arguments and results."""

    def f(p, q):
        return {"y": p["a"] * q, "z": [p["b"] * q * q]}

    primals = ({"a": 2.0, "b": 3.0}, 5.0)
    value, along = tf.jvp(f, primals, ({"b": 1.0, "a": 10.0}, 0.1))
    assert value == {"y": 10.0, "z": [75.0]}
    assert along["y"] == pytest.approx(50.2)
    assert along["z"][0] == pytest.approx(28.0)
    _, pull = tf.vjp(f, *primals)
    assert pull({"y": 1.0, "z": [2.0]}) == ({"a": 5.0, "b": 50.0}, 62.0)
    product = tf.hvp(lambda p, q: p["a"] * p["b"] * q, primals, ({"a": 1.0, "b": 0.0}, 0.0))
    assert product == ({"a": 0.0, "b": 5.0}, 3.0)


def test_products_are_differentiated_by_tapes():
    """Products inside of a tape or a function are differentiated further."""
    x, v = tf.constant([1.0, 2.0]), tf.constant([1.0, -1.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([x, v])
        _, along = tf.jvp(lambda x: x**3, (x,), (v,))
        total = tf.reduce_sum(along)
        _, pull = tf.vjp(lambda x: x**3, x)
        pulled = tf.reduce_sum(pull(v)[0])
        product = tf.reduce_sum(tf.hvp(lambda x: tf.reduce_sum(x**3), (x,), (v,)))
    for target in (total, pulled):
        np.testing.assert_array_equal(tape.gradient(target, x), [6.0, -12.0])
        np.testing.assert_array_equal(tape.gradient(target, v), [3.0, 12.0])
    np.testing.assert_array_equal(tape.gradient(product, x), [6.0, -6.0])
    assert tf.grad(lambda x: tf.jvp(lambda y: y**4, (x,), (1.0,))[1])(2.0) == 48.0


def test_products_that_come_back_are_taken_apart_at_once(rng):
    """From the third call on; what is built in another way is looked at, and refused, as before."""
    weights = rng.normal(size=(3, 3))

    def curve(x):
        return np.sum(np.sin(x)) + x @ (weights @ x)

    def want(x, v):
        return -np.sin(x) * v + (weights + weights.T) @ v

    product = tf.hvp(curve)
    for _ in range(4):
        x, v = rng.normal(size=(2, 3))
        np.testing.assert_allclose(product((x,), (v,)), want(x, v), rtol=1e-12)
    assert product._cache.last.match is not None
    weights *= 2.0
    np.testing.assert_allclose(product((x,), (v,)), want(x, v), rtol=1e-12)
    np.testing.assert_allclose(product([x], (v,)), want(x, v), rtol=1e-12)
    narrow = product((x,), (v.astype(np.float32),))
    np.testing.assert_allclose(narrow, want(x, v.astype(np.float32)), rtol=1e-12)
    with pytest.raises(ValueError, match=r"must have shape \(3,\), not \(2,\)"):
        product((x,), (v[:2],))
    with pytest.raises(TypeError, match="must have dtype float64"):
        product((x,), (v + 1j,))
    with pytest.raises(TypeError, match="there are 1 primals but 2 tangents"):
        product((x,), (v, v))
    held = tf.constant(x)
    with tf.GradientTape() as tape:
        tape.watch(held)
        y = product((held,), (v,))
    np.testing.assert_allclose(tape.gradient(y, held), -np.cos(x) * v, rtol=1e-12)


@pytest.mark.parametrize("tangent", [2, np.float32(2.0), 2.0])
def test_tangents_of_another_type_are_converted_each_time(tangent):
    """A whole number is a number, and none that chooses a program."""
    product = tf.jvp(lambda x: x * x)
    for scale in (1, 2, 3, 4, 5):
        value, along = product((3.0,), (tangent * scale,))
        assert (value, along) == (9.0, 6.0 * tangent * scale)
        assert along.dtype == np.float64


def test_rows_of_products_may_part_when_they_come_back(rng):
    """Rows that took one branch three times take two, each its own."""
    product = tf.jvp(lambda x: x * x if x > 0 else -x, vectorize=True)
    v = rng.normal(size=4)
    for x in (np.ones(4), np.full(4, 2.0), np.full(4, 3.0), np.array([1.0, -1.0, 2.0, -2.0])):
        value, along = product((x,), (v,))
        np.testing.assert_array_equal(value, np.where(x > 0, x * x, -x))
        np.testing.assert_array_equal(along, np.where(x > 0, 2 * x, -1) * v)


def test_products_as_functions():
    """Without primals the function is given, with its formula and source."""
    product = tf.hvp(lambda x: tf.reduce_sum(x**3))
    x, v = np.array([1.0, 2.0]), np.array([3.0, 4.0])
    for _ in range(3):
        np.testing.assert_array_equal(product((x,), (v,)), 6 * x * v)
    assert str(product.formula((x,), (v,)).index_expr()) == "6*dx[i]*x[i]"
    assert "def hvp_" in product.source((x,), (v,))


def test_a_vjp_keeps_what_the_arguments_were():
    """The arguments may change after the value was computed."""
    x = np.array([1.0, 2.0])
    _, pull = tf.vjp(lambda x: x * x, x)
    x[:] = 100.0
    np.testing.assert_array_equal(pull(np.ones(2))[0], [2.0, 4.0])


# --- errors ---------------------------------------------------------------------------------------

ERRORS = {
    "integer": (lambda: tf.grad(lambda x: x * x)(3), TypeError, r"0 \(x\) is 3 of type int"),
    "integers": (
        lambda: tf.jacobian(lambda p, q: p, argnums=1)(1.0, {"a": np.arange(3)}),
        TypeError, r"jacobian: .*argument 1 \(q\), at \['a'\] is int64; integers have none",
    ),
    "text": (lambda: tf.grad(lambda x: x)("a"), TypeError, "is 'a' of type str"),
    "bool": (lambda: tf.grad(lambda x: x)(np.array([True])), TypeError, "is bool"),
    "argnums": (lambda: tf.grad(lambda x: x, argnums=2)(1.0), ValueError, "2, but .* 1 positional"),
    "argnums type": (lambda: tf.grad(lambda x: x, argnums="x"), TypeError, "argnums is an int"),
    "no function": (lambda: tf.grad(3.0), TypeError, "expected a function, not 3.0"),
    "vector": (lambda: tf.grad(lambda x: x)(np.ones(2)), TypeError, r"shape \(2,\); sum it"),
    "pair": (lambda: tf.grad(lambda x: (x, x))(1.0), TypeError, "one scalar, not a tuple"),
    "nothing": (lambda: tf.grad(lambda x: None)(1.0), TypeError, "one scalar, not None"),
    "a string": (lambda: tf.grad(lambda x: "y")(1.0), TypeError, "a scalar, not 'y'"),
    "a boolean": (lambda: tf.grad(lambda x: x > 0)(1.0), TypeError, "the function gave bool"),
    "complex": (
        lambda: tf.grad(lambda x: tf.cast(x, tf.complex128))(1.0), TypeError, "real or imaginary",
    ),
    "no pair": (lambda: tf.grad(lambda x: x, has_aux=True)(1.0), TypeError, "pair"),
    "no tensors": (lambda: tf.jacobian(lambda x: [x, "y"])(1.0), TypeError, "gave 'y'"),
    "primals": (lambda: tf.jvp(np.sin, 1.0, 1.0), TypeError, r"it is \(primal,\)"),
    "tangents": (lambda: tf.jvp(np.sin, (1.0,), (1.0, 1.0)), TypeError, "1 primals but 2 tangents"),
    "tangent shape": (lambda: tf.jvp(np.sin, (np.ones(2),), (1.0,)), ValueError, "must have shape"),
    "tangent dtype": (
        lambda: tf.jvp(np.sin, (np.ones(2),), (np.ones(2) * 1j,)), TypeError, "must have dtype",
    ),
    "tangent structure": (
        lambda: tf.jvp(lambda p: p[0], ([1.0],), ((1.0,),)), TypeError, "must have its structure",
    ),
    "cotangent": (lambda: tf.vjp(np.sin, 1.0)[1]([1.0]), TypeError, "structure of the result"),
    "order": (lambda: tf.derivative(np.sin, -1), ValueError, "from 0 on, not -1"),
    "derivative of integers": (lambda: tf.derivative(np.sin)(1), TypeError, "give 3.0 for 3"),
    "derivative of complex": (lambda: tf.derivative(np.sin)(1j), TypeError, "complex number"),
}  # fmt: skip


@pytest.mark.parametrize("name", ERRORS)
def test_mistakes_are_named(name):
    """A mistake raises an error that names the function, the argument and what would do."""
    run, kind, text = ERRORS[name]
    with pytest.raises(kind, match=text):
        run()


def test_errors_of_the_function_are_its_own():
    """What the function raises comes through, and leaves tapes as they were."""

    def f(x):
        raise KeyError("mine")

    with tf.GradientTape() as tape:
        x = tf.constant(2.0)
        tape.watch(x)
        with pytest.raises(KeyError, match="mine"):
            tf.grad(f)(x)
        y = x * x
    assert tape.gradient(y, x) == 4.0


# --- many rows ------------------------------------------------------------------------------------


def test_rows_are_traced_once(runs):
    """The function of a row runs once, whatever the number of rows; results come row by row."""

    def f(x, power):
        return tf.reduce_sum(x**power), {"rows": 2.0 * x, "same": power}

    both = tf.value_and_grad(f, has_aux=True, vectorize=True)
    x = np.arange(6.0).reshape(3, 2)
    for _ in range(3):
        (value, aux), slope = both(x, 3.0)
        np.testing.assert_array_equal(value, np.sum(x**3, axis=1))
        np.testing.assert_array_equal(slope, 3 * x**2)
        np.testing.assert_array_equal(aux["rows"], 2 * x)
        np.testing.assert_array_equal(aux["same"], [3.0, 3.0, 3.0])
    assert len(runs) == 1
    assert "for " not in both.source(x, 3.0)


def test_rows_may_take_different_branches():
    """Rows that take different branches, or draw random numbers, are right all the same."""
    slope = tf.grad(lambda x: x * x if x > 0 else -x, vectorize=True)
    for points in ([1.0, 2.0], [1.0, -2.0], [-1.0, -2.0], [-1.0, 2.0, 3.0]):
        x = np.array(points)
        for _ in range(2):
            np.testing.assert_array_equal(slope(x), np.where(x > 0, 2 * x, -1.0))
    tensor = slope(tf.constant([1.0, -2.0]))
    assert isinstance(tensor, tf.Tensor)
    np.testing.assert_array_equal(tensor, [2.0, -1.0])
    with pytest.raises(tf.PathConditionError, match="different branches"):
        slope.formula(np.array([1.0, -1.0]))
    noise = tf.grad(lambda x: x * tf.random.normal([], dtype=tf.float64), vectorize=True)
    assert len(set(noise(np.ones(5)).tolist())) == 5
    peeks = tf.grad(lambda x: x * float(tf.stop_gradient(x)), vectorize=True)
    np.testing.assert_array_equal(peeks(np.array([1.0, 2.0, 3.0])), [1.0, 2.0, 3.0])


def test_rows_have_formulas_and_tapes():
    """A vectorized Hessian has a formula with the row as its first index, and can be recorded."""
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    second = tf.hessian(lambda x: tf.reduce_sum(x**3), vectorize=True)
    assert str(second.formula(x).index_expr()) == "6*KroneckerDelta(j, k)*x[i, j]"
    with tf.GradientTape() as tape:
        tape.watch(x)
        total = tf.reduce_sum(second(x))
    np.testing.assert_array_equal(tape.gradient(total, x), np.full((2, 2), 6.0))


PRODUCTS_OF_ROWS = {
    "one path": lambda x, a: a * x[0] ** 3 + x[1] * x[2],
    "branches": lambda x, a: a * x[0] ** 3 if x[1] > 0 else x[1] * x[2] * a,
    "value taken out": lambda x, a: float(tf.stop_gradient(x[0])) * x[0] * a,
}


@pytest.mark.parametrize("name", PRODUCTS_OF_ROWS)
def test_products_of_rows(rng, name):
    """With vectorize, a product of each row is that of the row by itself."""
    f = PRODUCTS_OF_ROWS[name]

    def pair(x, a):
        return {"value": f(x, a), "vector": a * x}

    x, a, dx, da = rng.normal(size=(5, 3)), rng.normal(size=5), rng.normal(size=(5, 3)), np.ones(5)
    for n in (5, 5, 3):
        rows = [(x[k], a[k], dx[k], da[k]) for k in range(n)]
        value, along = tf.jvp(pair, (x[:n], a[:n]), (dx[:n], da[:n]), vectorize=True)
        again, pull = tf.vjp(pair, x[:n], a[:n], vectorize=True)
        by_x, by_a = pull({"value": da[:n], "vector": dx[:n]})
        twice = tf.hvp(f, (x[:n], a[:n]), (dx[:n], da[:n]), vectorize=True)
        for k, (xk, ak, dxk, dak) in enumerate(rows):
            own, own_along = tf.jvp(pair, (xk, ak), (dxk, dak))
            _, own_pull = tf.vjp(pair, xk, ak)
            pulled = own_pull({"value": dak, "vector": dxk})
            for found, expected in (
                (value["value"][k], own["value"]), (again["vector"][k], own["vector"]),
                (along["value"][k], own_along["value"]), (along["vector"][k], own_along["vector"]),
                (by_x[k], pulled[0]), (by_a[k], pulled[1]),
                *zip((twice[0][k], twice[1][k]), tf.hvp(f, (xk, ak), (dxk, dak)), strict=True),
            ):  # fmt: skip
                np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", PRODUCTS_OF_ROWS)
def test_no_rows(name, dtype):
    """Of no rows every derivative has the shape and the dtype that rows would give it."""
    f = PRODUCTS_OF_ROWS[name]
    x, a = np.zeros((0, 3), dtype), np.zeros(0, dtype)

    def pair(x, a):
        return {"value": f(x, a), "vector": a * x}

    for _ in range(2):
        (value, aux), (by_x, by_a) = tf.value_and_grad(
            lambda x, a: (f(x, a), {"beside": a * x}), (0, 1), has_aux=True, vectorize=True
        )(x, a)
        made = [
            value, aux["beside"], by_x, by_a,
            tf.hessian(f, vectorize=(0, 1))(x, a),
            tf.jacobian(pair, vectorize=(0, 1))(x, a)["vector"],
            tf.jvp(pair, (x, a), (x, a), vectorize=True)[1]["vector"],
            tf.hvp(f, (x, a), (x, a), vectorize=True)[0],
            tf.vjp(pair, x, a, vectorize=True)[1]({"value": a, "vector": x})[1],
        ]  # fmt: skip
        assert [m.shape for m in made] == [
            (0,), (0, 3), (0, 3), (0,), (0, 3, 3), (0, 3, 3), (0, 3), (0, 3), (0,),
        ]  # fmt: skip
        assert {m.dtype.name for m in made} == {dtype}


def test_products_of_rows_are_traced_once(runs):
    """The function of a row runs once for all rows, and its code has no loop."""

    def f(x):
        return tf.reduce_sum(x**3)

    product = tf.hvp(f, vectorize=True)
    x, v = np.arange(6.0).reshape(3, 2), np.ones((3, 2))
    for _ in range(3):
        np.testing.assert_array_equal(product((x,), (v,)), 6 * x)
    assert len(runs) == 1
    assert "for " not in product.source((x,), (v,))
    with pytest.raises(ValueError, match="not 3 in argument 0"):
        tf.jvp(lambda x, y: x * y, (x, v[:2]), (x, v[:2]), vectorize=True)


def test_mistakes_with_rows_are_named():
    """Numbers in the place of rows, and rows of different numbers, are refused."""
    f = tf.grad(lambda x, y: tf.reduce_sum(x * y), vectorize=(0, 1))
    with pytest.raises(ValueError, match=r"not 2 in argument 0 \(x\), 3 in argument 1 \(y\)"):
        f(np.ones((2, 2)), np.ones((3, 2)))
    with pytest.raises(ValueError, match=r"argument 1 \(y\) is a number"):
        f(np.ones((2, 2)), 1.0)
    with pytest.raises(ValueError, match="vectorize asks for argument 3"):
        tf.grad(lambda x: x, vectorize=3)(np.ones(2))
    with pytest.raises(TypeError, match="vectorize is an int"):
        tf.grad(lambda x: x, vectorize="x")
    with pytest.raises(TypeError, match=r"shape \(2,\); sum it"):
        tf.grad(lambda x: x, vectorize=True)(np.ones((3, 2)))


_BUILT = {
    "arrays": (np.ones(3), np.ones(3)),
    "another length": (np.ones(2), np.ones(2)),
    "another dtype": (np.ones(3, np.float32), np.ones(3, np.float32)),
    "a strided array": (np.ones(6)[::2], np.ones(3)),
    "a list": ([np.ones(3), 2.0], np.ones(3)),
    "a longer list": ([np.ones(3), 2.0, 3.0], np.ones(3)),
    "a tuple": ((np.ones(3), 2.0), np.ones(3)),
    "another number": ((np.ones(3), 5.0), np.ones(3)),
    "a whole number": ((np.ones(3), 2), np.ones(3)),
    "another whole number": ((np.ones(3), 5), np.ones(3)),
    "a dict": ({"b": np.ones(3), "a": 2.0}, np.ones(3)),
    "another order": ({"a": 2.0, "b": np.ones(3)}, np.ones(3)),
    "other keys": ({"a": 2.0, "c": np.ones(3)}, np.ones(3)),
    "nested": ({"a": [2.0, (np.ones(3),)]}, np.ones(3)),
    "a flag": ([np.ones(3), True], np.ones(3)),
    "another flag": ([np.ones(3), False], np.ones(3)),
    "scalars of NumPy": ((np.float64(2.0), np.ones(3)), np.ones(3)),
}


def _weighted(tree, x):
    """Weigh leaves by their places, whatever the structure."""
    total = 0.0
    for k, leaf in enumerate(tf.nest.flatten(tree)):
        total = total + (k + 1) * np.sum(leaf * x)
    return total


@pytest.mark.parametrize("first", _BUILT)
@pytest.mark.parametrize("then", _BUILT)
def test_arguments_built_in_another_way_are_noticed(first, then):
    """After calls with one structure, a call with another gives what that one is worth."""
    slope = tf.grad(_weighted, argnums=1)
    for _ in range(3):
        slope(*_BUILT[first])
    tree, x = _BUILT[then]
    leaves = tf.nest.flatten(tree)
    expected = sum((k + 1) * leaf * np.ones_like(x) for k, leaf in enumerate(leaves))
    np.testing.assert_allclose(slope(tree, x), expected, rtol=1e-6)


# --- arrays of the caller -------------------------------------------------------------------------

INTO = {
    "A@x + x**3": (lambda A, x: tf.linalg.matvec(A, x) + x**3, [(5, 5), (5,)]),
    "A*x + x": (lambda A, x: A * x + x, [(5, 5), (5,)]),
    "x@A + x": (lambda A, x: tf.linalg.matvec(A, x, transpose_a=True) + x, [(5, 5), (5,)]),
    "A@A + A": (lambda A, x: tf.linalg.matvec(A @ A + A, x), [(5, 5), (5,)]),
    "diagonal": (lambda A, x: tf.linalg.matvec(tf.linalg.set_diag(A, x), x), [(5, 5), (5,)]),
    "scattered": (
        lambda A, x: tf.tensor_scatter_nd_add(A, [[0], [2]], A[:2])[2] * x,
        [(5, 5), (5,)],
    ),
    "large": (lambda A, x: tf.reduce_sum(A * x, 0) + x[:3] ** 3, [(30_000, 3), (3,)]),
}


@pytest.mark.parametrize("name", INTO)
def test_arrays_of_the_caller_are_never_written_into(rng, name):
    """Compiled code may write its results into arrays of its own only; results are fresh, too."""
    f, shapes = INTO[name]
    given = [rng.normal(size=shape) for shape in shapes]
    before = [a.copy() for a in given]
    for argnum in (0, 1) if given[0].size < 100 else (1,):
        derivative = tf.jacobian(f, argnum)
        first = derivative(*given)
        kept = first.copy()
        for _ in range(3):
            found = derivative(*given)
            np.testing.assert_array_equal(found, kept)
            found += 1.0  # what a caller does with a result is not seen by the next call
        np.testing.assert_array_equal(first, kept)
        for array, old in zip(given, before, strict=True):
            np.testing.assert_array_equal(array, old)


def test_a_formula_keeps_the_numbers_that_it_was_made_of():
    """An array from outside that changes later changes the next call, and no formula before."""
    weights = np.array([2.0, 3.0])
    slope = tf.grad(lambda x: tf.reduce_sum(weights * x * x))
    x = np.array([1.0, 5.0])
    made = slope.formula(x)
    texts = [str(made.entries), str(made.evalf(20)), made.latex(), made.lambdify()(x).tolist()]
    weights[:] = [7.0, 11.0]
    assert [
        str(made.entries), str(made.evalf(20)), made.latex(), made.lambdify()(x).tolist(),
    ] == texts  # fmt: skip
    np.testing.assert_array_equal(made, [4.0, 30.0])
    np.testing.assert_array_equal(slope(x), [14.0, 110.0])
    np.testing.assert_array_equal(slope.formula(x), [14.0, 110.0])


def test_what_a_recording_forgets_is_no_shadow():
    """A tensor that was taken out is no shadow; another one may have its place."""
    with tf.GradientTape() as tape:
        x = tf.constant([1.0, 2.0])
        tape.watch(x)
        y = tf.stop_gradient(x) * x
        recording = THREAD.state.recordings[-1]
        place = next(iter(recording.others))
        recording.shadows = {place, 1}
        assert _taken_out(recording, place) is not None
        assert recording.shadows == {1}
        assert place not in recording.others
    del y


REALS = ("float16", "float32", "float64", "int8", "int16", "int32", "int64")
WHOLE = ("uint8", "uint16", "uint32", "uint64")


@pytest.mark.parametrize("dtype", REALS + WHOLE)
def test_results_of_all_real_dtypes_are_joined(dtype):
    """What a function gives may be of any dtype of real numbers, and becomes float64."""
    found = joined("f", [tf.constant([1, 2], dtype), tf.constant(3.5, tf.float64)])
    np.testing.assert_array_equal(found.numpy(), [1.0, 2.0, 3.5], strict=True)


@pytest.mark.parametrize("dtype", ["bool", "complex64", "complex128"])
def test_results_that_are_no_real_numbers_are_refused(dtype):
    """Truth values and complex numbers have no place in a vector of float64."""
    with pytest.raises(TypeError, match=f"f: the function must give real numbers, but .* {dtype}"):
        joined("f", [tf.constant([True, False] if dtype == "bool" else [1, 0], dtype)])


@pytest.mark.parametrize("dtype", ["int8", "int64", "uint8", "uint64"])
def test_whole_numbers_lose_every_comparison(dtype):
    """The number that hides an entry from a maximum is the smallest that the dtype has."""
    info = np.iinfo(dtype)
    assert (lowest(np.dtype(dtype), "max"), lowest(np.dtype(dtype), "min")) == (info.min, info.max)


def test_an_array_that_was_filled_with_a_number_is_written_into_again():
    """What is put into an array of the function's own does not make it the caller's."""

    def f(x):
        made = x * 2.0
        made[...] = np.ones(3)
        made[1:] = x[:2]
        return (made * made).sum()

    np.testing.assert_array_equal(tf.grad(f)(np.array([1.0, 2.0, 3.0])), [2.0, 4.0, 0.0])


@pytest.mark.parametrize("shape", [(0,), (2, 0), (0, 3)])
def test_a_function_of_numbers_of_no_numbers(shape):
    """A function that takes one number at a time has a derivative at no numbers."""
    slope = tf.derivative(lambda x: math.sin(x) if np.ndim(x) else x**3)
    found = slope(np.zeros(shape, np.float32))
    assert (found.shape, found.dtype) == (shape, np.float32)


class Halves(NamedTuple):
    """Two parts."""

    left: Any
    right: Any


@pytest.mark.parametrize(
    "thing",
    [Halves(1, 2), [Halves(1, (2,))], {"a": [1], 3: 2}, OrderedDict(a=1, b=2), (1, [2, None])],
    ids=repr,
)
def test_what_builds_a_structure_quickly_builds_the_same(thing):
    """The function that is made for a structure gives what the structure itself does."""
    leaves, tree = take_apart(thing)
    found = tree.builder(leaves)
    assert found == thing == tree.build(leaves)
    assert type(found) is type(thing)


@pytest.mark.parametrize("size", [3, 20_000])
def test_a_point_is_known_again_by_all_of_its_elements(size):
    """A point is met again if each element is the same, also if it is too large for bytes."""
    x = np.linspace(0.0, 1.0, size)
    key = _elements(x)
    other = x.copy()
    other[-1] = 2.0
    assert _is_at(x.copy(), key)
    assert not _is_at(other, key)
    assert not _is_at(x[:-1], key)


@pytest.mark.parametrize(
    "ask",
    [
        lambda f: tf.jvp(f, (3,), (1,)),
        lambda f: tf.vjp(f, 3),
        lambda f: tf.hvp(f, (3,), (1,)),
    ],
    ids=["jvp", "vjp", "hvp"],
)
def test_whole_numbers_are_refused_by_the_name_of_the_question(ask, request):
    """The error begins with the function that was called."""
    name = request.node.callspec.id
    with pytest.raises(TypeError, match=f"^{name}: derivatives are with respect to floating"):
        ask(lambda x: x * x)


ROW = np.array([1.0, 2.0])
FINISHED = {
    "its own": ([ROW], [ROW + 1], ["f8"]),
    "an argument": ([ROW], [ROW], ["f8"]),
    "a part of an argument": ([ROW[:1]], [ROW], ["f8"]),
    "another dtype": ([ROW], [ROW + 1], ["f4"]),
    "another byte order's name": ([ROW], [], ["<f8"]),
    "no axes": ([np.array(3.0)], [], ["f8"]),
    "a number": ([np.float64(3.0)], [], ["f8"]),
    "a number of another dtype": ([np.float64(3.0)], [], ["f4"]),
    "two of one": ([ROW, ROW], [], ["f8", "f8"]),
    "two of which one has another dtype": ([ROW, ROW + 1], [], ["f8", "f4"]),
    "two of which one is an argument": ([ROW + 1, ROW], [ROW], ["f8", "f8"]),
    "two with parts in common": ([ROW[:1], ROW], [], ["f8", "f8"]),
}


@pytest.mark.parametrize("name", FINISHED)
def test_finished_results_share_nothing(name):
    """Of their dtype, with their values; and nobody else can change them."""
    values, inputs, names = FINISHED[name]
    dtypes = [np.dtype(n) for n in names]
    results = finished(values, inputs, dtypes)
    assert [r.dtype for r in results] == dtypes
    for found, value in zip(results, values, strict=True):
        np.testing.assert_array_equal(found, value)
    arrays = [*inputs, *results]
    assert not any(np.shares_memory(a, b) for a, b in itertools.combinations(arrays, 2))


@pytest.mark.parametrize("kind", [np.matrix, np.ma.MaskedArray])
def test_arrays_with_operators_of_their_own_are_refused(kind: Any) -> None:
    """The product of two matrices, or a sum that leaves elements out, is not that of arrays."""
    special = np.ones((2, 2)).view(kind)
    for call in (
        lambda: tf.grad(lambda x: np.sum(x * x))(special),
        lambda: tf.grad(lambda x: np.sum(x * special))(np.ones((2, 2))),
    ):
        with pytest.raises(tf.UnsupportedError, match=rf"type {kind.__name__} has operators"):
            call()


def test_arrays_that_only_lie_elsewhere_are_arrays() -> None:
    """A subclass without operators of its own computes as NumPy's arrays do."""

    class Named(np.ndarray):
        pass

    assert tf.grad(lambda x: np.sum(x * x))(np.ones(2).view(Named)).tolist() == [2.0, 2.0]


OF_ROWS = {
    "a diagonal": lambda x: tf.reduce_sum(tf.linalg.matvec(tf.linalg.diag(x), x**2)),
    "a diagonal beside": lambda x: tf.reduce_sum(tf.linalg.diag(x, k=1) ** 3) * x[0],
    "three diagonals": lambda x: tf.linalg.det(tf.linalg.diag(tf.stack([x, x + 9, x]), k=(-1, 1))),
    "a new diagonal": lambda x: tf.linalg.det(tf.linalg.set_diag(x[:, None] * x, x**2 + 3)),
    "a matrix of entries": lambda x: tf.linalg.det([[x[0], 1.0, x[2]], [2.0, x[1], 0.5], x]),
    "a count": lambda x: tf.reduce_sum(x**2) / tf.cast(tf.size(x), x.dtype),
    "blocks": lambda x: tf.reduce_sum(tf.pad(x[:2, None] * x, [[1, 0], [0, 2]]) ** 2),
    "chosen": lambda x: tf.reduce_sum(tf.gather(x, [2, 0, 2]) * x),
    "scattered": lambda x: tf.reduce_sum(tf.scatter_nd([[1], [0], [1]], x**2, [3]) * x),
    "segments": lambda x: tf.reduce_sum(tf.math.segment_max(x * x[0], [0, 0, 1])),
    "pseudo inverse": lambda x: tf.reduce_sum(tf.linalg.pinv(tf.stack([x, x**2]))),
    "an order": lambda x: tf.reduce_sum(tf.sort(x * x[1]) * [1.0, 2.0, 4.0]),
    "a loop": lambda x: tf.scan(lambda a, b: a * b + tf.sin(a), x)[-1],
}


@pytest.mark.parametrize("name", OF_ROWS)
def test_rows_together_are_rows_alone(name):
    """Gradients and Hessians of all rows in one program are those of each row."""
    f, rows = OF_ROWS[name], np.array([[0.5, 1.25, -2.0], [3.0, 0.75, 1.5]])
    for derivative in (tf.grad, tf.hessian):
        found = derivative(f, vectorize=True)(rows)
        expected = np.stack([np.asarray(derivative(f)(row)) for row in rows])
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


def _read_then_assigned(v, x):
    y = x * v
    v.assign(5.0)
    return y * y


def _read_twice(v, x):
    y = x * v
    v.assign(5.0)
    return y * y * v


def _counted(v, x):
    y = x * x * v
    v.assign_add(1.0)
    return y


def _assigned_first(v, x):
    v.assign_add(1.0)
    return x * x * v


@pytest.mark.parametrize(
    "function",
    [_read_then_assigned, _read_twice, _counted, _assigned_first],
    ids=lambda f: f.__name__,
)
def test_a_variable_has_the_value_that_it_had_when_it_was_read(function):
    """A function that assigns what it read gives the derivative of what it computed, each time."""
    v = tf.Variable(2.0, dtype=tf.float64)
    x = tf.constant(3.0, dtype=tf.float64)
    expected, own, by_variable = [], [], []
    for _ in range(3):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(v, x)
        expected.append(float(tape.gradient(y, x)))
    v.assign(2.0)
    slope = tf.grad(lambda x: function(v, x))
    for _ in range(3):
        with tf.GradientTape() as tape:
            found = slope(x)
        own.append(float(found))
        by_variable.append(tape.gradient(found, v))
    assert own == expected
    assert [g is not None for g in by_variable] == [True] * 3
