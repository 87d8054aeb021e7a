"""SymPy expressions as functions on tensors; SymPy itself says what they and their slopes are."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest
import sympy as sp
from sympy.codegen.cfunctions import exp2, expm1, log1p, log2, log10
from sympy.matrices.expressions import (
    DiagMatrix,
    HadamardPower,
    HadamardProduct,
    KroneckerProduct,
)
from sympy.matrices.expressions.special import OneMatrix

import symtape as tf
from symtape import verify
from symtape.frontends.sympy_functions.function import _RULES
from symtape.frontends.sympy_functions.matrices import MATRICES
from symtape.frontends.sympy_functions.scalars import SCALARS

x, y, z = sp.symbols("x y z")
p = sp.Symbol("p", positive=True)
i, j, k, n, m = sp.symbols("i j k n m", integer=True)
X, Y = sp.IndexedBase("X", shape=(n,)), sp.IndexedBase("Y", shape=(n,))
A = sp.IndexedBase("A", shape=(n, m))
free = sp.IndexedBase("B")
M, N = sp.MatrixSymbol("M", 3, 3), sp.MatrixSymbol("N", 3, 3)
K, w = sp.MatrixSymbol("K", 2, 2), sp.MatrixSymbol("w", 2, 1)
u, v = sp.MatrixSymbol("u", 3, 1), sp.MatrixSymbol("v", n, 1)

ONE = {"x": 0.4, "y": 1.7, "z": -0.6, "p": 0.8}
"""A point that lies in the domains of most functions."""

# --- scalars --------------------------------------------------------------------------------------

OF_MORE = {
    *(sp.atan2, sp.Max, sp.Min, sp.Mod, sp.beta, sp.lowergamma, sp.uppergamma),
    *(sp.binomial, sp.RisingFactorial),
}

FUNCTIONS: dict[Any, Any] = {
    **{f: f(x) for f in SCALARS if f not in OF_MORE},
    sp.acosh: sp.acosh(y),
    sp.acoth: sp.acoth(y),
    sp.asec: sp.asec(y),
    sp.acsc: sp.acsc(y),
    sp.atan2: sp.atan2(z, y),
    sp.Max: sp.Max(x, y, z),
    sp.Min: sp.Min(x, y * z, z),
    sp.Mod: sp.Mod(z, x),
    sp.Heaviside: sp.Heaviside(x) + sp.Heaviside(z, 1),
    sp.gamma: sp.gamma(x) + sp.gamma(z) + sp.gamma(z - 2),
    sp.beta: sp.beta(x, z),
    sp.binomial: sp.binomial(y + 3, x) + sp.binomial(y, z),
    sp.RisingFactorial: sp.RisingFactorial(y, x) + sp.RisingFactorial(z, x),
    sp.lowergamma: sp.lowergamma(y, x),
    sp.uppergamma: sp.uppergamma(y, x),
    sp.Abs: sp.Abs(z) * sp.Abs(x),
    sp.sign: sp.sign(z) * x,
    sp.floor: sp.floor(3 * y) * x,
    sp.ceiling: sp.ceiling(3 * y) * x,
    sp.frac: sp.frac(3 * y),
    sp.re: sp.re(x, evaluate=False),
    sp.im: x + sp.im(y, evaluate=False),
    sp.conjugate: sp.conjugate(x),
    sp.arg: sp.arg(z) + x,
    sp.Si: sp.Si(2 * x),
    sp.Ci: sp.Ci(y),
    sp.airyai: sp.airyai(x - y),
    sp.airyaiprime: sp.airyaiprime(x),
    sp.airybi: sp.airybi(y) * x,
    sp.airybiprime: sp.airybiprime(x - y),
    log1p: log1p(x),
    expm1: expm1(x),
    exp2: exp2(x),
    log2: log2(y),
    log10: log10(y),
}
"""One expression for each function of the table."""

ON_PAPER = {
    sp.gamma(x): "Γ(x) ψ(x)",
    sp.factorial(x): "Γ(1 + x) ψ(1 + x)",
    sp.beta(x, y): "Γ(x) Γ(y) (ψ(x) - ψ(x + y)) / Γ(x + y)",
    sp.binomial(y, x): "Γ(1 + y) (ψ(1 + y - x) - ψ(1 + x)) / (Γ(1 + y - x) Γ(1 + x))",
    sp.RisingFactorial(y, x): "Γ(y + x) ψ(y + x) / Γ(y)",
    sp.erfi(x): "2 exp(x²) / √π",
    sp.cot(x): "-1/sin(x)²",
}
"""Slopes by x as the Digital Library of Mathematical Functions has them: 4.20, 5.2, 5.12, 7.2."""


@pytest.mark.parametrize("expression", ON_PAPER)
def test_slopes_are_those_of_books(expression: Any) -> None:
    """They are of functions that have names, and not of how these are computed."""
    f = tf.from_sympy(expression)
    tensors = {s.name: tf.constant(ONE[s.name], name=s.name) for s in expression.free_symbols}
    with tf.GradientTape() as tape:
        tape.watch(list(tensors.values()))
        result = f(*[tensors[name] for name in sorted(tensors)])
    assert tape.gradient(result, tensors["x"]).text() == ON_PAPER[expression]


KINDS: dict[Any, Any] = {
    sp.Add: x - y + 3 * z - sp.Rational(2, 7),
    sp.Mul: -sp.Rational(2, 3) * x * y / (z * sp.sqrt(x)) / 4,
    sp.Pow: x**3 + y ** sp.Rational(5, 3) + 2**x + x**y + 1 / x + x**-2 + sp.pi**x,
    sp.Piecewise: sp.Piecewise(
        (x**2, sp.And(x > 0, y < 1)), (sp.sin(x), sp.Or(z < 0, x > y)), (y, True)
    ),
    sp.KroneckerDelta: x**2 * sp.KroneckerDelta(1, 1, evaluate=False),
    sp.besselj: sp.besselj(2, y) * sp.besselj(0, x),
    sp.bessely: sp.bessely(1, y),
    sp.besseli: sp.besseli(3, y),
    sp.besselk: sp.besselk(0, y) + sp.besselk(2, y) + sp.besselk(sp.Rational(1, 3), y),
    sp.jn: sp.jn(0, x) + sp.jn(3, y),
    sp.yn: sp.yn(1, y),
    sp.expint: sp.expint(1, y) + sp.expint(3, x * y),
    sp.hyper: (
        sp.hyper([1, sp.Rational(1, 2)], [3], -y) + sp.hyper([2], [3], x) + sp.hyper([], [2], y)
    ),
    sp.elliptic_k: sp.elliptic_k(-y),
    sp.elliptic_e: sp.elliptic_e(1 - x),
    sp.LambertW: sp.LambertW(x) + sp.LambertW(-x * y / 90, -1),
    sp.polygamma: sp.polygamma(0, x) + sp.polygamma(2, y),
    sp.digamma: sp.digamma(x),
    sp.loggamma: sp.loggamma(p) + sp.loggamma(x),
    sp.zeta: sp.zeta(3, x) + sp.zeta(sp.Rational(5, 2), y),
    sp.betainc_regularized: sp.betainc_regularized(2, 3, 0, x),
    sp.FallingFactorial: sp.FallingFactorial(y, x),
    sp.sinc: sp.sinc(x),
    sp.Derivative: sp.Derivative(sp.sin(x * y), x),
    sp.Subs: sp.Subs(sp.sin(x) * x, x, y * x),
}  # fmt: skip

EXPRESSIONS: dict[str, Any] = {
    **{f"function {f.__name__}": e for f, e in FUNCTIONS.items()},
    **{f"kind {f.__name__}": e for f, e in KINDS.items()},
    "cases that end without another": sp.Piecewise((x**2, x > 0), (y, x < -1)),
    "a condition that always holds": sp.Piecewise(
        (x**2, sp.Not(sp.Gt(x, y), evaluate=False)), (y, True), evaluate=False
    ),
    "derivatives of the gamma function": sp.polygamma(0, x, evaluate=False) * sp.digamma(y),
    "e to a power": sp.Pow(sp.E, x * y, evaluate=False) + x * sp.Pow(sp.E, 2, evaluate=False),
    "an infinite sum of numbers": x * sp.Sum(1 / i**2, (i, 1, sp.oo)),
    "numbers": sp.pi * x + sp.E * y + sp.sqrt(2) * z + sp.EulerGamma + sp.Float("0.25") * x,
    "normal": sp.exp(-((x - y) ** 2) / (2 * p**2)) / (p * sp.sqrt(2 * sp.pi)),
    "exponential": sp.exp(x) ** 2 * sp.exp(-y) / sp.exp(z),
    "sum of squares": sp.sqrt(x**2 + y**2 + z**2),
    "truth": sp.Piecewise((x, sp.Not(sp.Eq(x, y))), (y, True))
    + sp.Piecewise((x, sp.Ne(x, y)), (1, True)),
}  # fmt: skip


def test_every_row_has_an_expression():
    """Each function and each kind of node is tried by name."""
    assert FUNCTIONS.keys() == SCALARS.keys()
    elsewhere = {
        sp.core.numbers.ImaginaryUnit,  # with complex numbers
        sp.Indexed, sp.Sum, sp.Product, sp.matrices.expressions.matexpr.MatrixElement,  # indices
        sp.Trace, sp.Determinant,  # matrices
    }  # fmt: skip
    assert KINDS.keys() == _RULES.keys() - elsewhere


def known(e: Any) -> Any:
    """Write what SymPy has no numbers for by what it has."""
    e = e.doit().replace(sp.erfcinv, lambda a: sp.erfinv(1 - a))
    return e.replace(sp.Heaviside, lambda *a: sp.Piecewise((1, a[0] > 0), (0, True)))


def exact(e: Any, point: Any, digits: int = 30) -> Any:
    """Let SymPy compute a number."""
    at = {
        s: point[s] if s in point else sp.Float(str(point[s.name]), digits) for s in e.free_symbols
    }
    found = e.subs(at).doit().evalf(digits)
    assert abs(sp.im(found)) < 1e-20, found
    return sp.re(found)


def slope(e: Any, s: Any, point: Any) -> float:
    """Take a difference of numbers with 40 digits, since SymPy lacks some derivatives."""
    step, here = sp.Float("1e-14", 40), sp.Float(str(point[s.name]), 40)
    high, low = (exact(e, {**point, s: here + h}, 40) for h in (step, -step))
    return float((high - low) / (2 * step))


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_a_scalar_is_what_sympy_says(name):
    """The value and the slopes at a point are those of 30 digits and more."""
    e = EXPRESSIONS[name]
    f = tf.from_sympy(e)
    assert [*f.names] == sorted(map(str, e.free_symbols))
    given = [ONE[s] for s in f.names]
    wide = known(e)
    np.testing.assert_allclose(f(*given).numpy(), float(exact(wide, ONE)), rtol=1e-11, atol=1e-14)
    tensors = [tf.constant(np.float64(a), name=s) for s, a in zip(f.names, given, strict=True)]
    with tf.GradientTape() as tape:
        tape.watch(tensors)
        result = f(*tensors)
    found = tape.gradient(result, tensors, unconnected_gradients=tf.UnconnectedGradients.ZERO)
    for s, g in zip(f.variables, found, strict=True):
        np.testing.assert_allclose(g.numpy(), slope(wide, s, ONE), rtol=1e-10, atol=1e-13)


@pytest.mark.parametrize("name", ["normal", "sum of squares", "numbers", "kind Pow", "kind Add"])
def test_the_formula_is_the_expression(name):
    """What is read from the tape is equal to what was put in."""
    e = EXPRESSIONS[name].xreplace({p: sp.Symbol("p")})
    f = tf.from_sympy(e)
    tensors = [tf.constant(np.float64(ONE[s]), name=s) for s in f.names]
    with tf.GradientTape() as tape:
        tape.watch(tensors)
        result = f(*tensors)
    assert sp.simplify(result.expr - e) == 0


def test_arrays_are_computed_entry_by_entry():
    """A symbol may be an array; arrays broadcast."""
    f = tf.from_sympy(x**2 + sp.sin(y))
    a, b = np.arange(6.0).reshape(2, 3), np.arange(3.0)
    np.testing.assert_allclose(f(a, b).numpy(), a**2 + np.sin(b))
    expected = sp.lambdify((x, y), f.expr)(a, b)
    np.testing.assert_allclose(f(a, b).numpy(), expected)


# --- indices --------------------------------------------------------------------------------------

INDEXED: dict[str, Any] = {
    "sum": sp.Sum(X[i] ** 2, (i, 0, n - 1)),
    "dot": sp.Sum(X[i] * Y[i], (i, 0, n - 1)),
    "quadratic": sp.Sum(A[i, j] * X[i] * sp.sin(X[j]), (i, 0, n - 1), (j, 0, m - 1)),
    "product": sp.Product(1 + X[i] ** 2, (i, 0, n - 1)),
    "nested": sp.Sum(sp.exp(sp.Sum(A[i, j] * Y[j], (j, 0, m - 1))), (i, 0, n - 1)),
    "triangle": sp.Sum(X[i] * X[j] ** 2, (j, 0, i), (i, 0, n - 1)),
    "strict triangle": sp.Sum(sp.Sum((X[i] - X[j]) ** 4, (j, i + 1, n - 1)), (i, 0, n - 1)),
    "triangle of products": sp.Sum(sp.Product(X[j], (j, 0, i)), (i, 0, n - 1)),
    "neighbours": sp.Sum((X[i + 1] - X[i]) ** 2, (i, 0, n - 2)),
    "every second": sp.Sum(X[2 * i] * Y[n - 1 - i], (i, 0, 1)),
    "diagonal": sp.Sum(A[i, i] * Y[i], (i, 0, n - 1)),
    "weights": sp.Sum(i * X[i] + sp.Mod(i, 2) * X[i] ** 2, (i, 0, n - 1)),
    "mean": sp.Sum(X[i], (i, 0, n - 1)) / n,
    "softmax": sp.exp(X[1]) / sp.Sum(sp.exp(X[i]), (i, 0, n - 1)),
    "cases": sp.Sum(sp.Piecewise((X[i - 1], i > 0), (Y[0], True)) * X[i], (i, 0, n - 1)),
    "delta": sp.Sum(sp.KroneckerDelta(i, j) * X[i] * X[j], (i, 0, n - 1), (j, 0, n - 1)),
    "with a symbol": sp.Sum(sp.cos(x * X[i]), (i, 0, n - 1)) * x,
    "same index twice": sp.Sum(X[i], (i, 0, n - 1)) * sp.Sum(X[i] ** 2, (i, 1, n - 1)),
    "constant body": sp.Sum(x**2, (i, 0, n - 1)) * X[0],
    "series": sp.Sum(x**k / sp.factorial(k), (k, 0, 12)),
}  # fmt: skip

VALUES = {
    "X": np.array([0.3, -0.8, 1.2]),
    "Y": np.array([0.9, 0.1, -0.4]),
    "A": np.random.default_rng(1).normal(size=(3, 3)),
    "M": np.array([[3.0, 0.5, -0.2], [0.1, 2.0, 0.4], [0.3, -0.7, 4.0]]),
    "N": np.random.default_rng(2).normal(size=(3, 3)),
    "u": np.array([[0.4], [-1.1], [0.6]]),
    "v": np.array([[0.2], [0.5], [-0.9]]),
    "K": np.array([[2.0, 0.5], [-0.3, 1.0]]),
    "w": np.array([[0.7], [-1.3]]),
    "x": np.float64(0.4),
}


def added_up(e: Any) -> Any:
    """Write sums and products out, term by term: the last limits are the outermost."""
    if not isinstance(e, (sp.Sum, sp.Product)):
        return e.func(*map(added_up, e.args)) if e.has(sp.Sum, sp.Product) else e.doit()
    *inner, (index, low, high) = e.limits
    body = e.func(e.function, *inner) if inner else e.function
    terms = [added_up(body.subs(index, q)) for q in range(int(low), int(high) + 1)]
    return (sp.Add if isinstance(e, sp.Sum) else sp.Mul)(*terms)


def written_out(e: Any) -> tuple[Any, dict[Any, float], dict[Any, list[Any]]]:
    """Write all entries as symbols of their own; give their values, and those of each array."""
    e = added_up(e.subs({n: 3, m: 3}))
    entries: dict[Any, float] = {}
    arrays: dict[Any, list[Any]] = {}
    for name, array in VALUES.items():
        own = [sp.Symbol(f"{name}_{'_'.join(map(str, at))}") for at in np.ndindex(array.shape)]
        own = own if array.shape else [x]
        arrays[name] = own
        entries |= dict(zip(own, np.ravel(array), strict=True))
    places = {"X": X, "Y": Y, "A": A}
    back = {
        base.subs({n: 3, m: 3})[at if len(at) > 1 else at[0]]: own
        for name, base in places.items()
        for at, own in zip(np.ndindex(VALUES[name].shape), arrays[name], strict=True)
    }
    return e.subs(back), entries, arrays


@pytest.mark.parametrize("name", INDEXED)
def test_sums_are_what_sympy_writes_out(name):
    """The value and the slopes by every entry are those of the expression that is written out."""
    e = INDEXED[name]
    f = tf.from_sympy(e)
    tensors = [tf.constant(VALUES[a], name=a) for a in f.names]
    with tf.GradientTape() as tape:
        tape.watch(tensors)
        result = f(*tensors)
    wide, entries, arrays = written_out(e)
    assert not wide.atoms(sp.Indexed)
    np.testing.assert_allclose(result.numpy(), float(wide.subs(entries)), rtol=1e-12)
    found = tape.gradient(result, tensors, unconnected_gradients=tf.UnconnectedGradients.ZERO)
    for a, g in zip(f.names, found, strict=True):
        expected = [float(wide.diff(s).subs(entries)) for s in arrays[a]]
        np.testing.assert_allclose(np.ravel(g.numpy()), expected, rtol=1e-11, atol=1e-13)


def test_free_indices_are_axes():
    """An index that nothing sums over is an axis of the result, in the order of the names."""
    a, b = VALUES["X"], VALUES["Y"]
    np.testing.assert_allclose(tf.from_sympy(X[i] ** 2 + 1)(a).numpy(), a**2 + 1)
    np.testing.assert_allclose(tf.from_sympy(X[j] * Y[i])(a, b).numpy(), np.outer(b, a))
    matvec = tf.from_sympy(sp.Sum(A[i, j] * X[j], (j, 0, m - 1)), [A, X])
    np.testing.assert_allclose(matvec(VALUES["A"], a).numpy(), VALUES["A"] @ a)
    softmax = tf.from_sympy(sp.exp(X[j]) / sp.Sum(sp.exp(X[i]), (i, 0, n - 1)))
    np.testing.assert_allclose(softmax(a).numpy(), np.exp(a) / np.exp(a).sum())


def test_indices_of_their_own_class():
    """`Idx` is an index as well."""
    index = sp.Idx("q")
    np.testing.assert_allclose(tf.from_sympy(X[index] * 2)(VALUES["X"]).numpy(), VALUES["X"] * 2)


def test_bounds_and_places_may_be_arguments():
    """A symbol in a bound or a subscript is read as an integer."""
    f = tf.from_sympy(sp.Sum(free[i], (i, 1, k)), [free, k])
    assert f(VALUES["X"], 2).numpy() == VALUES["X"][1:3].sum()
    g = tf.from_sympy(free[k] ** 2, [free, k])
    np.testing.assert_allclose(tf.grad(g)(VALUES["X"], 1), [0, 2 * VALUES["X"][1], 0])


def test_formulas_of_sums_are_in_matrix_notation():
    """What was written with indices is read as the matrix product that it is."""
    e = sp.Sum(A[i, j] * X[i] * Y[j], (i, 0, n - 1), (j, 0, m - 1))
    tensors = [tf.constant(VALUES[a], name=a) for a in "AXY"]
    with tf.GradientTape() as tape:
        tape.watch(tensors)
        result = tf.from_sympy(e)(*tensors)
    assert result.text() == "Xᵀ A Y"
    assert tape.gradient(result, tensors[0]).text() == "X Yᵀ"


# --- matrices -------------------------------------------------------------------------------------

MATRIX: dict[Any, Any] = {
    sp.MatAdd: M + 2 * N - M.T,
    sp.MatMul: -3 * M * N * u,
    sp.MatPow: K**3 + K**-2 + sp.MatPow(K, 0),
    sp.Transpose: M.T * N,
    sp.Adjoint: sp.Adjoint(M) * u,
    sp.Inverse: w.T * K.I * w,
    HadamardProduct: HadamardProduct(M, N, M),
    HadamardPower: HadamardPower(M, 2) + HadamardPower(HadamardProduct(N, N), sp.Rational(1, 2)),
    DiagMatrix: DiagMatrix(u) * M,
    KroneckerProduct: KroneckerProduct(M, N),
    sp.Identity: M + sp.Identity(3),
    sp.ZeroMatrix: sp.MatAdd(M, sp.ZeroMatrix(3, 3), evaluate=False),
    OneMatrix: M * OneMatrix(3, 2),
    sp.Trace: sp.Matrix([[sp.Trace(M * N) * M[0, 1]]]),
    sp.Determinant: sp.Matrix([[sp.Determinant(M + N) ** 2]]),
    "entries": sp.Matrix([[M[0, 1] * M[1, 0], sp.sin(M[2, 2])]]),
    "a sum of entries": sp.Matrix([[sp.Sum(M[i, j] ** 2, (i, 0, 2), (j, 0, 2))]]),
}


def test_every_kind_of_matrix_has_an_expression():
    """Each row of the table is tried by name."""
    assert MATRICES.keys() <= MATRIX.keys()


@pytest.mark.parametrize("name", MATRIX, ids=str)
def test_matrices_are_what_sympy_writes_out(name):
    """The value, and the slopes of a sum of its entries with weights, are SymPy's."""
    e = MATRIX[name]
    f = tf.from_sympy(e)
    tensors = [tf.constant(VALUES[a], name=a) for a in f.names]
    explicit = {
        s: sp.Matrix(*VALUES[str(s)].shape, lambda a, b, s=s: sp.Symbol(f"{s}_{a}_{b}", real=True))
        for s in e.atoms(sp.MatrixSymbol)
    }
    wide = sp.Matrix(in_entries(e, explicit))
    numbers = {
        own[a, b]: VALUES[str(s)][a, b]
        for s, own in explicit.items()
        for a, b in np.ndindex(own.shape)
    }
    weights = np.random.default_rng(4).normal(size=wide.shape)
    with tf.GradientTape() as tape:
        tape.watch(tensors)
        result = f(*tensors)
        total = tf.reduce_sum(result * weights)
    np.testing.assert_allclose(result.numpy(), np.array(wide.subs(numbers), float), rtol=1e-11)
    scalar = sum(w * t for w, t in zip(weights.ravel(), sp.flatten(wide), strict=True))
    found = tape.gradient(total, tensors, unconnected_gradients=tf.UnconnectedGradients.ZERO)
    for s, g in zip(f.variables, found, strict=True):
        expected = [float(scalar.diff(t).subs(numbers)) for t in sp.flatten(explicit[s])]
        np.testing.assert_allclose(np.ravel(g.numpy()), expected, rtol=1e-9, atol=1e-10)


def in_entries(e: Any, explicit: Any) -> Any:
    """Write a matrix of symbols in the place of each matrix symbol."""
    if isinstance(e, sp.MatrixBase):
        return [[in_entries(t, explicit) for t in row] for row in e.tolist()]
    if isinstance(e, sp.Sum):
        e = e.doit()
    made = e.subs(explicit).doit()
    return made.as_explicit() if getattr(made, "is_Matrix", False) else made


def test_an_array_of_expressions_comes_after_the_axes_of_its_arguments():
    """A Matrix of scalars is one for each entry of the arguments."""
    f = tf.from_sympy(sp.Matrix([[x, y], [x * y, 2]]))
    a = np.arange(3.0)
    found = f(a, 2.0).numpy()
    assert found.shape == (3, 2, 2)
    np.testing.assert_array_equal(found[1], [[1.0, 2.0], [2.0, 2.0]])
    cube = tf.from_sympy(sp.Array([[[x, x**2]], [[1, 2]]]))
    np.testing.assert_array_equal(cube(3.0).numpy(), [[[3.0, 9.0]], [[1.0, 2.0]]])


def test_a_vector_may_have_one_axis():
    """A matrix symbol of one column takes n numbers, whose count is its size."""
    f = tf.from_sympy(v.T * v / n, [v])
    np.testing.assert_allclose(f(np.array([1.0, 2.0])).numpy(), [[2.5]])


# --- complex numbers, dtypes, borders -------------------------------------------------------------


def test_an_imaginary_unit_makes_the_result_complex():
    """Euler's formula, entry by entry."""
    found = tf.from_sympy(sp.exp(sp.I * x) + sp.I * x)(0.5).numpy()
    np.testing.assert_allclose(found, np.exp(0.5j) + 0.5j)


STEPS = {"square": x**2, "reciprocal": 1 / x, "sqrt": sp.sqrt(x), "rsqrt": 1 / sp.sqrt(x)}


@pytest.mark.parametrize("step", STEPS)
def test_powers_that_have_a_step_are_that_step(step):
    """One number of it is read, and no power is computed."""
    program = tf.trace(tf.from_sympy(STEPS[step]), 2.0)
    assert [line.split(" = ")[1].split("(")[0] for line in str(program).splitlines()[1:]] == [step]


PARTS = {sp.re: np.real, sp.im: np.imag, sp.conjugate: np.conj, sp.arg: np.angle, sp.Abs: np.abs}


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.__name__)
def test_parts_of_complex_numbers_are_those_of_numpy(part):
    """Of what is computed with an imaginary unit, of a complex argument, and of a real one."""
    w = sp.Symbol("w")
    for whole, at in ((sp.exp(sp.I * w) + 2 * sp.I, 0.5), (w, 0.25 - 3j), (w, -1.5), (w, 0.5)):
        found = tf.from_sympy(part(whole, evaluate=False))(at).numpy()
        given = np.exp(0.5j) + 2j if whole.has(sp.I) else at
        np.testing.assert_allclose(found, PARTS[part](given), rtol=1e-15)


@pytest.mark.parametrize(
    ("given", "dtype"),
    [(1, "float64"), (0.5, "float64"), (np.float32(0.5), "float32"), (np.arange(3), "float64")],
)
def test_dtypes_are_those_of_the_floats(given, dtype):
    """Numbers and integers are float64, unless something floating stands beside them."""
    assert tf.from_sympy(x / 3)(given).dtype.name == dtype
    assert tf.from_sympy(x / 3 + y)(given, np.float32(1)).dtype.name == "float32"


Unknown = sp.Function("g")

REFUSED = {
    "an unknown function": (lambda: tf.from_sympy(Unknown(x))(1.0), "g g\\(x\\)"),
    "an integral": (lambda: tf.from_sympy(sp.Integral(x * y, (x, 0, 1)))(1.0), "Integral"),
    "an infinite sum": (lambda: tf.from_sympy(sp.Sum(x**i, (i, 0, sp.oo)))(0.5), "finite"),
    "a series by its exponent": (lambda: tf.from_sympy(sp.zeta(x, 2))(2.0), "number"),
    "an order that changes": (lambda: tf.from_sympy(sp.besselj(y, x))(2.0, 1.0), "real number"),
    "a broken order": (lambda: tf.from_sympy(sp.jn(sp.Rational(1, 2), x))(2.0), "whole"),
    "a broken exponent": (lambda: tf.from_sympy(sp.expint(sp.Rational(1, 3), x))(2.0), "whole"),
    "another series": (lambda: tf.from_sympy(sp.hyper([1, 2], [3, 4], x))(0.5), "2F1"),
    "an incomplete integral": (lambda: tf.from_sympy(sp.elliptic_e(x, y))(0.5, 0.2), "complete"),
    "another branch": (lambda: tf.from_sympy(sp.LambertW(x, 2))(0.5), "branches"),
    "outside": (lambda: tf.from_sympy(sp.Sum(X[i + 1], (i, 0, n - 1)))(np.ones(3)), "outside"),
    "two floating dtypes": (lambda: tf.from_sympy(x + y)(np.float32(1), np.ones(2)), "cast them"),
    "a derivative that stays": (lambda: tf.from_sympy(sp.Derivative(Unknown(x), x))(1.0), "carry"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_read_is_named(name):
    """The error names the node, and what it lacks."""
    call, text = REFUSED[name]
    with pytest.raises(tf.errors.UnsupportedError, match=text):
        call()


def test_what_a_node_binds_is_no_argument():
    """It would change nothing: x of the value of x² at x = y."""
    assert tf.from_sympy(sp.Subs(x**2, x, y))(3.0).numpy() == 9.0
    assert tf.from_sympy(sp.Subs(x**2, x, y) + x)(0.5, 3.0).numpy() == 9.5
    assert "of (y)" in repr(tf.from_sympy(sp.Limit(sp.sin(x) / x, x, y)))


def test_variables_that_do_not_fit_are_told():
    """Variables that lack one, arguments of a wrong count, wrong shapes."""
    with pytest.raises(ValueError, match="variables lacks y"):
        tf.from_sympy(x + y, [x])
    with pytest.raises(TypeError, match="takes 2 arguments, but 1"):
        tf.from_sympy(x + y)(1.0)
    with pytest.raises(ValueError, match="M is \\(3, 3\\), not \\(2, 2\\)"):
        tf.from_sympy(M * N)(np.ones((2, 2)), np.ones((3, 3)))
    with pytest.raises(ValueError, match="is \\(3\\), not \\(2,\\)"):
        tf.from_sympy(INDEXED["dot"])(np.ones(3), np.ones(2))
    assert tf.from_sympy(x, ["x", "y"])(1.0, 2.0).numpy() == 1.0


def test_it_is_a_function_for_all_that_takes_functions():
    """Gradients, Hessians and compiled code."""
    f = tf.from_sympy(sp.exp(x * y) + x**2)
    np.testing.assert_allclose(tf.grad(f)(0.5, 2.0), 2 * np.e + 1)
    np.testing.assert_allclose(tf.hessian(f)(0.5, 2.0), 4 * np.e + 2)


def test_arguments_have_the_names_of_symbols():
    """Whoever asks for the signature reads them; what is no name of Python's has a number."""
    x, odd = sp.symbols("x x_{1}")
    assert list(inspect.signature(tf.from_sympy(sp.sin(x) + odd)).parameters) == ["x", "arg1"]
    assert verify.gradient(tf.from_sympy(sp.sin(x) ** 2), "2*sin(x)*cos(x)", 0.3).ok
