"""What can be read from a tensor and from a derivative."""

from __future__ import annotations

import copy
import pickle
import sys
import time
from contextlib import nullcontext

import numpy as np
import pytest
import sympy as sp

import symtape as tf
from symtape.program.evaluation.symbolic import _leaves_the_reals
from symtape.program.operations import Map, parameter


def scalar_gradient(function, value=3.0):
    """Differentiate a function of one scalar called x."""
    x = tf.Variable(value, dtype=tf.float64)
    with tf.GradientTape() as tape:
        y = function(x)
    return tape.gradient(y, x)


EXPRESSIONS = [
    (lambda x: x * x, "2*x"),
    (lambda x: (x * x) * (x * x), "4*x**3"),
    (lambda x: tf.sin(x * x), "2*x*cos(x**2)"),
    (lambda x: 3 * x + 2, "3"),
    (lambda x: x / 4, "1/4"),
    (lambda x: 0.1 * x * x, "0.2*x"),
    (lambda x: 1 / x, "-1/x**2"),
    (lambda x: tf.exp(2 * x), "2*exp(2*x)"),
    (lambda x: tf.math.log(x), "1/x"),
    (lambda x: tf.sqrt(x), "1/(2*sqrt(x))"),
    (lambda x: tf.tanh(x), "1 - tanh(x)**2"),
    (lambda x: x**3, "3*x**2"),
    (lambda x: x**x, "x**x*(log(x) + 1)"),
    (lambda x: tf.sigmoid(x), "exp(x)/(exp(x) + 1)**2"),
    (lambda x: tf.nn.softplus(x), "1/(1 + exp(-x))"),
    (lambda x: tf.abs(x), "sign(x)"),
    (lambda x: tf.nn.relu(x), "Piecewise((1, x > 0), (0, True))"),
    (lambda x: tf.reduce_sum(tf.stack([x, x * x])), "2*x + 1"),
    (lambda x: tf.atan2(x, 2.0), "2/(x**2 + 4)"),
    (lambda x: tf.math.erf(x), "2*exp(-x**2)/sqrt(pi)"),
    (lambda x: tf.maximum(x, 1.0), "Piecewise((1, x >= 1), (0, True))"),
    (lambda x: tf.square(x - 3), "2*x - 6"),
    (lambda x: (x + 1) / (x - 1), "-2/(x - 1)**2"),
    (lambda x: x / (1 + x**2), "factor((1 - x**2)/(x**2 + 1)**2)"),
    (lambda x: tf.where(x > 0, x**2, -x), "Piecewise((2*x, x > 0), (-1, True))"),
]


@pytest.mark.parametrize(("function", "text"), EXPRESSIONS, ids=[t for _, t in EXPRESSIONS])
def test_scalar_expressions(function, text):
    """A scalar derivative is the ordinary SymPy expression that a person would write."""
    g = scalar_gradient(function)
    assert g.expr == sp.sympify(text)
    x = sp.Symbol("x")
    assert abs(float(g.expr.subs(x, 3)) - float(g)) < 1e-12
    assert sp.sympify(sp.srepr(g.expr)) == g.expr
    assert isinstance(sp.latex(g.expr.diff(x)), str)
    assert abs(float(sp.lambdify(x, g.expr)(3.0)) - float(g)) < 1e-12


def test_the_example():
    """The first example of the documentation, to the letter."""
    x = tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as tape:
        y = x * x
        z = y * y
    dz_dx = tape.gradient(z, x)
    assert str(dz_dx) == "tf.Tensor(108.0, shape=(), dtype=float32)"
    assert dz_dx.expr == 4 * sp.Symbol("x") ** 3
    assert dz_dx.latex() == "4 x^{3}"
    assert dz_dx.exact() == 108
    assert dz_dx.lambdify()(2.0) == 32.0
    assert str(y.expr) == "x**2"


def test_exact_values():
    """Exact values are rationals where the program is rational, and SymPy numbers elsewhere."""
    third = scalar_gradient(lambda x: x**3 / 7, 0.5)
    assert third.exact() == sp.Rational(3, 28)
    assert scalar_gradient(tf.sin, 2.0).exact() == sp.cos(2)
    tenth = scalar_gradient(lambda x: 0.1 * x)
    assert tenth.exact() == sp.Rational(0.1)
    assert str(tenth.expr) == "0.100000000000000"
    x = tf.constant([0.5, 0.25], dtype=tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(x**3)
    assert tape.gradient(y, x).exact() == sp.ImmutableDenseNDimArray(
        [sp.Rational(3, 4), sp.Rational(3, 16)]
    )


def test_digits():
    """Any number of digits, also where floats cancel."""
    g = scalar_gradient(tf.tanh, 20.0)
    assert abs(g.evalf(50) - (1 - sp.tanh(20) ** 2).evalf(60)) < sp.Float(10) ** -66
    assert float(scalar_gradient(lambda x: x * x - x * x).evalf(30)) == 0
    tiny = scalar_gradient(lambda x: tf.sigmoid(-x), 40.0).evalf(30)
    assert abs(tiny / (-sp.exp(-40) / (1 + sp.exp(-40)) ** 2).evalf(40) - 1) < sp.Float(10) ** -29


def quadratic():
    """Record x'Ax for a vector x and a matrix A."""
    x = tf.constant([1.0, 2.0], dtype=tf.float64)
    A = tf.constant([[2.0, 1.0], [0.0, 3.0]], dtype=tf.float64)
    with tf.GradientTape(persistent=True) as outer:
        outer.watch(x)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch([x, A])
            y = tf.tensordot(x, tf.linalg.matvec(A, x), 1)
        g = tape.gradient(y, x)
    return outer.jacobian(g, x), g, tape.gradient(y, A), y


def test_entries_of_arrays():
    """Entries are ordinary expressions of `x[i]` and `A[i, j]`."""
    h, g, gA, y = quadratic()
    x, A = sp.IndexedBase("x"), sp.IndexedBase("A")
    assert (
        g.entries[0] == 2 * A[0, 0] * x[0] + (A[0, 1] + A[1, 0]) * x[1]
        or sp.expand(g.entries[0] - (2 * A[0, 0] * x[0] + A[0, 1] * x[1] + A[1, 0] * x[1])) == 0
    )
    assert gA.entries == sp.ImmutableDenseNDimArray(
        [[x[i] * x[j] for j in range(2)] for i in range(2)]
    )
    assert h.entries[0, 1] == A[0, 1] + A[1, 0]
    assert y.shape == ()


def test_index_notation():
    """A generic entry has sums, deltas and indexed leaves."""
    h, g, gA, _ = quadratic()
    i, j, k = sp.symbols("i j k", integer=True)
    A, x = sp.IndexedBase("A"), sp.IndexedBase("x")
    assert h.index_expr(i, j) == A[i, j] + A[j, i]
    assert gA.index_expr(i, j) == x[i] * x[j]
    assert h.latex("index") == "{A}_{i,j} + {A}_{j,i}"
    assert h.latex() == h.latex("matrix") == r"A + A^\top"
    assert g.index_expr(0).doit().expand() == g.entries[0].expand()
    with pytest.raises(ValueError, match="3 indices"):
        h.index_expr(i, j, k)


def test_diagonal_jacobian_in_index_notation():
    """The Jacobian of an elementwise function is written with a delta."""
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.sin(x)
    jacobian = tape.jacobian(y, x)
    i, j = sp.symbols("i j", integer=True)
    assert jacobian.index_expr(i, j) == sp.KroneckerDelta(i, j) * sp.cos(sp.IndexedBase("x")[i])
    assert jacobian.entries[0, 1] == 0


def test_index_notation_has_no_needless_deltas():
    """A delta within a sum is taken out of it: the slope of tr(XX) is 2Xᵀ."""
    X = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape() as tape:
        tape.watch(X)
        y = tf.linalg.trace(X @ X)
    i, j = sp.symbols("i j", integer=True)
    assert tape.gradient(y, X).index_expr(i, j) == 2 * sp.IndexedBase("X")[j, i]


@pytest.mark.slow
def test_too_many_entries():
    """More entries than the limit are refused, and given on request."""
    x = tf.zeros([101, 100])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    g = tape.gradient(y, x)
    with pytest.raises(tf.ExpansionError, match="10100"):
        _ = g.entries
    assert g.to_entries(max_entries=20_000).shape == (101, 100)


@pytest.mark.slow
def test_expansion_is_refused_at_once():
    """Fifty layers have values and derivatives, and a refusal where the tree would not end."""
    x = tf.constant(0.1, dtype=tf.float64)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            e = x
            for _ in range(50):
                e = tf.tanh(e) * e + e
        first = inner.gradient(e, x)
    second = outer.gradient(first, x)
    for tensor in (e, first, second):
        with pytest.raises(tf.ExpansionError):
            _ = tensor.expr
        assert tensor.latex("steps").count("&=") > 50
    step = np.float64(1e-5)
    f = first.lambdify()
    assert abs((f(0.1 + step) - f(0.1 - step)) / (2 * step) - float(second)) < 1e-4 * abs(
        float(second)
    )
    assert abs(float(second.evalf(20)) / float(second) - 1) < 1e-12


@pytest.mark.slow
def test_deep_programs_do_not_recurse():
    """A long chain is derived, evaluated and refused to be written, without recursion."""
    x = tf.constant(0.3)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        for _ in range(20_000):
            y = tf.sin(y) + 0.1
    g = tape.gradient(y, x)
    with pytest.raises(tf.ExpansionError):
        _ = g.expr
    with pytest.raises(tf.ExpansionError):
        _ = y.expr
    assert np.isfinite(float(g))


def test_conditions_of_the_doubling_function():
    """Control flow is a condition under which the formula holds."""

    def f(a):
        b = a * 2
        while tf.norm(b) < 1000:
            b = b * 2
        if tf.reduce_sum(b) > 0:
            c = b
        else:
            c = 100 * b
        return c

    a = tf.constant([[0.7]])
    with tf.GradientTape() as tape:
        tape.watch(a)
        c = f(a)
    g = tape.gradient(c, a)
    assert np.all((g == c / a).numpy())
    entry = sp.IndexedBase("a")[0, 0]
    assert g.entries[0, 0] == 2048
    assert len(g.conditions) == 12
    holds = [r.subs(entry, sp.Float(0.7)) for r in g.conditions]
    assert all(bool(r) for r in holds)
    assert not all(bool(r.subs(entry, sp.Float(-0.7))) for r in g.conditions)
    function = g.lambdify([a])
    assert function(np.full((1, 1), 0.6, np.float32)) == 2048
    with pytest.raises(tf.PathConditionError):
        function(np.full((1, 1), 3.0, np.float32))
    assert g.lambdify([a], check=False)(np.full((1, 1), 3.0, np.float32)) == 2048


def test_conditions_of_scalars():
    """`if`, `while` and `tf.cond` leave relations of ordinary symbols; none are ()."""
    x = tf.Variable(3.0)
    with tf.GradientTape() as plain:
        w = x * 3
    assert plain.gradient(w, x).conditions == ()
    with tf.GradientTape() as tape:
        y = x * x if x > 2 else x
        z = tf.cond(x < 10, lambda: y * 2, lambda: y)
    s = sp.Symbol("x")
    assert tape.gradient(z, x).conditions == (s > 2, s < 10)


def test_leaves():
    """Leaves map symbols to the tensors that they stand for."""
    x, y = tf.Variable(3.0), tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        z = tf.reduce_sum(x * y)
    g = tape.gradient(z, x)
    assert [str(s) for s in g.leaves] == ["y"]
    assert next(iter(g.leaves.values())) is y
    assert {str(s) for s in z.leaves} == {"x", "y"}


def test_lambdify_arguments():
    """Watched leaves are positional; the others keep their values and are keywords."""
    x = tf.Variable(3.0)
    c = tf.constant(5.0)
    with tf.GradientTape() as tape:
        y = c * x * x
    g = tape.gradient(y, x)
    f = g.lambdify()
    assert f(2.0) == 20.0
    assert f(2.0, c=1.0) == 4.0
    assert "def f(x, c)" in f.source
    assert str(f.signature).startswith("(x, *, c=")
    assert g.lambdify(["c", "x"])(1.0, 2.0) == 4.0
    assert g.lambdify([c])(1.0) == 6.0
    assert g.lambdify([sp.Symbol("x")])(1.0) == 10.0
    with pytest.raises(TypeError, match="signature"):
        f(1.0, 2.0, 3.0)
    with pytest.raises(ValueError, match="leaves are"):
        g.lambdify(["nothing"])
    with pytest.raises(ValueError, match="shape"):
        f(np.zeros(3))
    with tf.GradientTape() as tape:
        y = 3 * x
    f = tape.gradient(y, x).lambdify()
    assert f() == f(2.0) == 3.0


def test_expr_is_ordinary_sympy_or_says_what_is():
    """A scalar of arrays gives its index form; an array its matrix form, or names what it has."""
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.sin(x) * x)
        z = tf.sin(x) * x
        w = tf.math.cumprod(x)
    assert str(y.expr) == str(y.index_expr()) == "Sum(sin(x[i])*x[i], (i, 0, 1))"
    assert y.latex("scalar") == y.latex("index")
    assert y.latex() == r"x^\top \sin(x)"
    assert z.expr == z.matrix_expr
    assert str(z.expr) == "HadamardProduct(x, Lambda(d, sin(d)).(x))"
    for array in (w, tape.jacobian(w, x), x[:, None, None] * x[:, None] * x):
        for reading in (lambda t: t.expr, lambda t: t.matrix_expr, lambda t: t.text()):
            with pytest.raises(tf.NoMatrixFormError, match=r"index_expr\(\) and entries"):
                reading(array)
    with pytest.raises(tf.NoMatrixFormError, match=r"latex\('matrix'\)"):
        z.latex("scalar")


def layers(count):
    """Record the gradient of layers whose formula doubles with each."""
    x = e = tf.constant(0.3)
    with tf.GradientTape() as tape:
        tape.watch(x)
        for _ in range(count):
            e = tf.tanh(e) * e + e
    return tape.gradient(e, x)


def factored():
    """Record the gradient of a function of a Cholesky factor."""
    A = tf.constant(np.arange(9.0).reshape(3, 3) % 4 / 5)
    with tf.GradientTape() as tape:
        tape.watch(A)
        S = A @ tf.transpose(A) + 2 * tf.eye(3, dtype=tf.float64)
        y = tf.reduce_sum(tf.tanh(tf.linalg.cholesky(S)))
    return tape.gradient(y, A)


def squares(n):
    """Record the gradient of a sum of n times n squares."""
    A = tf.constant(np.ones((n, n)))
    with tf.GradientTape() as tape:
        tape.watch(A)
        y = A * A
    return tape.gradient(y, A)


def chain(n):
    """Record a chain of n steps."""
    x = y = tf.constant(0.3)
    with tf.GradientTape() as tape:
        tape.watch(x)
        for _ in range(n // 2):
            y = tf.sin(y) * x
    return y


def sinkhorn(count):
    """Record the gradient of some iterations of Sinkhorn's."""
    C = tf.constant(np.arange(16.0).reshape(4, 4) / 16)
    u = v = tf.ones(4, dtype=tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(C)
        K = tf.exp(-C)
        for _ in range(count):
            u = 0.25 / tf.linalg.matvec(K, v)
            v = 0.25 / tf.linalg.matvec(K, u, transpose_a=True)
        y = tf.reduce_sum(u[:, None] * K * v * C)
    return tape.gradient(y, C)


def logsumexps(count):
    """Record the gradient of logarithms of sums, one inside of the other."""
    x = y = tf.constant([0.1, 0.2, 0.3])
    with tf.GradientTape() as tape:
        tape.watch(x)
        for _ in range(count):
            y = tf.reduce_logsumexp(y) * x + y
        total = tf.reduce_sum(y)
    return tape.gradient(total, x)


def inner_formula():
    """Record a quotient whose value SymPy would compute again for each part of it."""
    x = y = tf.constant(0.3)
    with tf.GradientTape() as tape:
        tape.watch(x)
        for _ in range(7):
            y = tf.tanh(y) * y + y
    return y


LONG = {
    "exact number of layers": lambda: layers(4).exact(),
    "exact number of doubling values": lambda: inner_formula().exact(),
    "exact number of nested logarithms": lambda: logsumexps(6).exact(),
    "entries of a factor's gradient": lambda: factored().entries,
    "exact numbers of a million entries": lambda: squares(1000).exact(),
    "digits of a million entries": lambda: squares(1000).evalf(20),
    "exact sum of a million": lambda: tf.reduce_sum(squares(1000)).exact(),
    "entries of a million": lambda: squares(1000).entries,
    "steps of a long chain": lambda: chain(100_000).latex("steps"),
    "index notation of iterations": lambda: sinkhorn(3).latex(),
    "index notation of many iterations": lambda: sinkhorn(8).latex(),
    "entries of iterations": lambda: sinkhorn(3).entries,
    "index notation of nested logarithms": lambda: logsumexps(6).latex(),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", LONG)
def test_long_readings_are_given_or_refused_soon(name):
    """A reading answers, or says at once that it would be long, and how to get it all the same."""
    begun = time.process_time()
    try:
        text = str(LONG[name]())
    except tf.ExpansionError as error:
        text = str(error)
        assert "max_" in text
    assert text
    assert time.process_time() - begun < 30  # two seconds, on a machine that is not busy


def calls_of(work):
    """Count the calls of functions that some work takes."""
    count = 0

    def counted(*_):
        nonlocal count
        count += 1

    sys.setprofile(counted)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def test_code_of_many_variables_is_written_in_linear_time():
    """Four times the layers, each with weights of its own, take about four times as many calls."""
    took = []
    for count in (500, 500, 2000):
        h, *weights = [tf.constant(np.full(n, 0.5)) for n in ((2,), *[(2, 2)] * count)]
        with tf.GradientTape() as tape:
            tape.watch(h)
            y = h
            for w in weights:
                y = tf.tanh(tf.linalg.matvec(w, y))
        took.append(calls_of(tape.gradient(y, h).lambdify))
    assert took[2] < 5 * took[1]


@pytest.mark.slow
def test_limits_are_arguments():
    """Each limit can be raised and lowered by the call that it belongs to."""
    g, y, A = layers(2), chain(20), squares(3)
    refused = [
        lambda: g.to_expr(max_nodes=20),
        lambda: g.index_expr(max_nodes=20),
        lambda: g.to_entries(max_nodes=20),
        lambda: g.exact(max_nodes=20),
        lambda: g.latex(max_nodes=20),
        lambda: y.latex("steps", max_steps=10),
        lambda: A.to_entries(max_entries=8),
        lambda: A.exact(max_entries=8),
        lambda: A.evalf(10, max_entries=8),
    ]
    for reading in refused:
        with pytest.raises(tf.ExpansionError, match="max_"):
            reading()
    assert layers(4).exact(max_nodes=10_000).is_number
    assert y.latex("steps", max_steps=21).count("&=") == 20
    assert A.exact(max_entries=9)[0, 0] == 2
    assert A.evalf(20, max_entries=9)[0, 0] == sp.Float(2, 20)


def test_zero_times_a_long_formula_is_zero():
    """Products with zeros ask nothing of the formula beside them."""
    g = factored()
    begun = time.process_time()
    assert len(g.to_entries(max_nodes=100_000)) == 9
    assert time.process_time() - begun < 30


def test_what_a_body_does_not_mention_is_not_written():
    """The maximum that keeps a logsumexp from overflowing stands in no formula, however long."""
    x = tf.constant(np.linspace(0, 1, 100))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_logsumexp(x)
    assert str(tape.gradient(y, x).index_expr()) == "exp(x[i])/Sum(exp(x[j]), (j, 0, 99))"
    assert y.expr == y.index_expr()


def test_latex_forms():
    """Every form writes LaTeX, and an unknown one is refused."""
    h, g, _, _ = quadratic()
    assert g.latex("entries").startswith(r"\left[\begin{matrix}")
    assert g.latex("steps").startswith(r"\begin{align*}")
    assert scalar_gradient(tf.sin).latex("scalar") == r"\cos{\left(x \right)}"
    assert h.latex("matrix") == r"A + A^\top"
    with pytest.raises(ValueError, match="unknown notation 'roman': it is 'plain' or 'python'"):
        h.text("roman")
    with pytest.raises(ValueError, match="unknown form"):
        h.latex("roman")
    assert scalar_gradient(tf.sin)._repr_latex_().startswith("$")


@pytest.mark.parametrize(("number", "text"), [(1, "1"), (0.25, r"\frac{1}{4}"), (0.1, "0.1")])
def test_steps_of_a_number_are_that_number(number, text):
    """A derivative that is a number has one step, the number as its author wrote it."""
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = number * tf.identity(x) if number != 1 else tf.identity(x)
    (line,) = tape.gradient(y, x).latex("steps").splitlines()[1:-1]
    assert line == f"v_{{1}} &= {text}"


def test_equal_steps_are_written_once():
    """What was recorded twice is one step, and numbers stand where they are used."""
    x = tf.Variable([0.3, 0.4], name="x")
    with tf.GradientTape() as tape:
        y = -tf.reduce_sum(tf.sin(2 * x) * tf.cos(tf.sin(2 * x)))
    lines = tape.gradient(y, x).latex("steps").splitlines()[1:-1]
    rights = [line.split("&= ")[1].removesuffix(r" \\") for line in lines]
    assert len({*rights}) == len(rights)
    assert rights[:2] == ["2 {x}_{i}", r"\sin{\left(v_{1;i} \right)}"]
    assert not {"-1", "1", "2"} & {*rights}


def test_a_consumed_tape_keeps_formulas():
    """Formulas outlive the arrays of their tape."""
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(x * x)
    g = tape.gradient(y, x)
    del tape
    assert str(y.index_expr()) == "Sum(x[i]**2, (i, 0, 1))"
    assert y.exact() == 5
    x.assign([5.0, 6.0])
    assert g.exact() == sp.ImmutableDenseNDimArray([2, 4])
    with pytest.raises(tf.ReleasedError):
        y.exact()


def test_zeros_and_ones_of_no_program():
    """What no step computed is the number that it is, and no symbol."""
    x, v = tf.constant(3.0), tf.Variable([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        y = v * v
    zero = tape.gradient(y, x, unconnected_gradients="zero")
    assert zero.expr == 0
    assert tape.gradient(x, x).expr == 1
    rows = tape.jacobian(y, x, unconnected_gradients="zero")
    assert rows.entries == sp.ImmutableDenseNDimArray([0, 0])
    assert rows.exact() == sp.ImmutableDenseNDimArray([0, 0])


COMPLEX = {
    "square": lambda z: z * z,
    "cube": lambda z: z**3,
    "exp": tf.exp,
    "reciprocal": lambda z: 1 / z,
    "sqrt": tf.sqrt,
    "conj": tf.math.conj,
    "real": tf.math.real,
    "imag": tf.math.imag,
    "abs": tf.abs,
    "abs of a square": lambda z: tf.abs(z * z),
    "square of abs": lambda z: tf.math.real(z * tf.math.conj(z)),
    "angle": tf.math.angle,
    "sin": tf.sin,
    "log": tf.math.log,
    "quotient": lambda z: z / (1 + z),
    "sum": lambda z: tf.reduce_sum(tf.stack([z, z * z])),
}


@pytest.mark.parametrize("name", COMPLEX)
def test_complex_formulas_hold(name):
    """Formulas, digits and exact values of complex derivatives are the numbers, conjugates too."""
    z = tf.constant(1 + 2j)
    with tf.GradientTape() as tape:
        tape.watch(z)
        y = COMPLEX[name](z)
    g = tape.gradient(y, z)
    number = complex(g.numpy())
    at = {sp.Symbol("z"): 1 + 2 * sp.I}
    for reading in (g.expr.subs(at), g.exact(), g.evalf(20)):
        assert abs(complex(sp.N(reading, 17)) - number) < 1e-12
    assert abs(complex(g.lambdify()(1 + 2j)) - number) < 1e-12


def test_a_compiled_formula_shows_its_code():
    """In a notebook or at a prompt, the function is its source."""
    x = tf.constant(2.0, name="x")
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    f = tape.gradient(y, x).lambdify()
    assert repr(f) == f.source
    assert repr(f).startswith("def f(x):")


def test_code_multiplies_once_by_a_number_that_several_steps_need():
    """What three steps read is multiplied before them, not in each of them."""
    x = tf.constant([1.0, 2.0], name="x")
    with tf.GradientTape() as tape:
        tape.watch(x)
        e = -0.5 * x
        y = tf.reduce_sum(e * tf.exp(e) + tf.stack([e[1], e[0]]))
    assert y.lambdify().source.count("0.5") == 1


@pytest.mark.slow
def test_many_terms_of_arrays_are_added_entry_by_entry():
    """More than NumPy broadcasts at once."""
    x = tf.Variable([1.0, 2.0], name="x")
    with tf.GradientTape() as tape:
        y = tf.add_n([k * x**k for k in range(1, 41)])
    x0 = y.entries[0].free_symbols and y.entries[0]
    held = dict.fromkeys(x0.atoms(sp.Indexed), 1.5)
    assert x0.subs(held) == pytest.approx(sum(k * 1.5**k for k in range(1, 41)))
    assert y.shape == y.entries.shape
    del tape


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_a_log_determinant_has_entries(dtype):
    """That of a Hermitian matrix is real, and one of SymPy's logarithms."""
    a = np.array([[2.0, 0.5], [0.5, 3.0]], dtype)
    a += np.array([[0, 0.25j], [-0.25j, 0]]) if dtype == "complex128" else 0
    x = tf.Variable(a, name="A")
    with tf.GradientTape() as tape:
        y = tf.linalg.logdet(x)
    (entry,) = y.entries if y.shape else [y.entries[()]]
    held = {e: a[tuple(map(int, e.indices))].item() for e in entry.atoms(sp.Indexed)}
    assert complex(entry.subs(held)) == pytest.approx(complex(np.log(np.linalg.det(a))))
    del tape


class Asked:
    """Stands for a result that takes long to be asked whether it is real."""

    @property
    def is_extended_real(self):
        """Raise: nobody is to ask."""
        raise AssertionError("asked")


@pytest.mark.parametrize(
    ("body", "operand", "asks"),
    [(sp.sin, 2, False), (sp.sin, sp.Symbol("x"), False), (sp.sin, 0, True), (sp.sin, sp.oo, True),
     (sp.log, 2, True), (sp.sqrt, -2, True)],
)  # fmt: skip
def test_only_what_may_leave_the_real_numbers_is_asked(body, operand, asks):
    """SymPy computes digits to answer: of a sine of a number that is none of a few, never."""
    operation = Map.of(body(parameter(0)), 1)
    with pytest.raises(AssertionError, match="asked") if asks else nullcontext():
        assert not _leaves_the_reals(operation, [sp.sympify(operand)], Asked())
    made = body(sp.sympify(operand))
    assert _leaves_the_reals(operation, [sp.sympify(operand)], made) is (made == sp.sqrt(-2))


def test_entries_have_numbers_for_the_places_that_were_chosen():
    """Also where the generic entry, which has a name for them, would be shorter."""
    x = tf.Variable([0.5, 0.9, 0.3], name="x")
    with tf.GradientTape():
        v = tf.reduce_sum(x[:1]) * x
        y = (tf.reduce_sum(tf.gather(v, [0, 1])) * v) ** 2
    places = [i for e in y.entries for entry in e.atoms(sp.Indexed) for i in entry.indices]
    assert places
    assert all(i.is_Integer for i in places)


def test_steps_of_three_diagonals_and_of_nothing_are_written() -> None:
    """Each step has a line, also where it is read as a matrix, or joins parts without elements."""
    lines = tf.Variable(np.array([[1.0, 2.0, 0.0], [5.0, 6.0, 7.0], [0.0, 1.0, 2.0]]), name="d")
    y = tf.Variable(np.array([1.0, 2.0, 3.0]), name="y")
    solved = tf.linalg.tridiagonal_solve(2 * lines, y, diagonals_format="compact")
    assert "v_{1}" in solved.latex("steps")
    nothing = tf.Variable(np.zeros((0, 2)), name="a")
    assert tf.concat([nothing, 2 * nothing], 0).index_expr() == 0


@pytest.mark.slow
@pytest.mark.parametrize("function", [tf.image.adjust_hue, tf.image.adjust_saturation])
def test_cases_that_decide_cases_are_refused_before_they_are_taken_apart(function, monkeypatch):
    """SymPy makes of each relation of cases a relation for each, and compares them all."""
    folded: list[object] = []
    fold = sp.functions.elementary.piecewise.piecewise_fold

    def counted(e, **given):
        folded.append(e)
        return fold(e, **given)

    monkeypatch.setattr(sp.functions.elementary.piecewise, "piecewise_fold", counted)
    x = tf.Variable(np.linspace(0.1, 0.9, 12).reshape(2, 2, 3), name="x")
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(function(x, 0.3) ** 2)
    g = tape.gradient(y, x)
    for reading in (g.to_entries, g.index_expr, g.latex):
        with pytest.raises(tf.ExpansionError, match="max_nodes"):
            reading()
    assert len(folded) < 50


def test_a_notebook_shows_the_value_of_what_has_no_short_formula():
    """A formula that cannot be written is no error of a cell."""
    e = x = tf.constant(0.5)
    with tf.GradientTape() as tape:
        tape.watch(x)
        for _ in range(50):
            e = tf.tanh(e) * e + e
    slope = tape.gradient(e, x)
    with pytest.raises(tf.ExpansionError):
        slope.latex()
    assert slope._repr_latex_() is None


def test_what_is_read_can_be_sent_and_copied_and_says_what_it_is():
    """Parts, leaves and structures are pickled; a tape is not, as TensorFlow's."""
    x = tf.Variable([1.0, 2.0], name="x")
    with tf.GradientTape(persistent=True) as tape:
        s = tf.sin(x) * x
        y = tf.reduce_sum(s * s)
    gradient, jacobian = tape.gradient(y, x), tape.jacobian(s, x)
    parts = pickle.loads(pickle.dumps(gradient.parts([s])))
    assert {name: part.text() for name, part in parts.items()} == {"s": "x ⊙ sin(x)"}
    assert copy.deepcopy(gradient.leaves).keys() == gradient.leaves.keys()
    structure = pickle.loads(pickle.dumps(jacobian.structure))
    assert structure == "diagonal"
    np.testing.assert_array_equal(structure.core, jacobian.structure.core)
    for travel in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="cannot pickle"):
            travel(tape)
    assert repr(gradient.lambdify(sizes="any")) == "<formula of (x) for leaves of any size>"
    assert repr(tape.program).startswith("<program of ")


def test_arrays_without_entries_are_written_in_latex():
    """As empty brackets."""
    x = tf.Variable(tf.ones([0]), name="x")
    with tf.GradientTape(persistent=True) as tape:
        y = x * x
    assert y.latex("entries") == tape.jacobian(y, x).latex("entries") == r"\left[\;\right]"


def test_what_completes_a_line_is_for_users():
    """What the parts of the library ask of each other is not listed."""
    x = tf.Variable([1.0, 2.0], name="x")
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(x * x)
    shown = dir(tape.gradient(y, x))
    assert {"latex", "structure", "numpy"} <= {*shown}
    assert not {"raw", "weakly", "leaf_step", "entering"} & {*shown}
    plain = [name for name in dir(tf.grad(tf.reduce_sum)) if not name.startswith("_")]
    assert plain == ["argnums", "clear_cache", "formula", "source"]
