"""Linear algebra without peers: limits, many digits, exact numbers, symbols, code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy as sp

import symtape as tf
from symtape.kernels.kernels import recurrence
from symtape.kernels.linalg import linear_algebra, triangles
from tests.cases import Case, diagonals, matrices
from tests.sampling import some

NO_LIMIT = {"eigh of equal values", "matrix norm of order 2 of nothing"}
SMOOTH = [
    case for case in [*matrices.CASES, *diagonals.CASES] if case.order and case.name not in NO_LIMIT
]

OUTER = {
    "matmul": lambda x, y: tf.matmul(x[..., :, None], y[..., None, :]),
    "einsum": lambda x, y: tf.einsum("abi,abj->abij", x, y),
    "turned": lambda x, y: tf.einsum("abi,abj->ajib", x, y),
    "of one row": lambda x, y: tf.einsum("abi,bj->abij", x[:1], y[0]),
    "with ones": lambda x, y: tf.einsum("abik,abkj->abij", x[..., None], y[..., None, :]),
}


@pytest.mark.parametrize("name", OUTER)
def test_stacks_of_columns_times_rows(name: str) -> None:
    """Products without a sum are those of elements, and so are their derivatives."""
    rng = np.random.default_rng(0)
    x, y = tf.constant(rng.normal(size=(2, 3, 4))), tf.constant(rng.normal(size=(2, 3, 5)))
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([x, y])
        found = OUTER[name](x, y)
        total = tf.reduce_sum(found**2)
    a, b = x.numpy()[: 1 if name == "of one row" else 2], y.numpy()
    b = b[:1] if name == "of one row" else b
    wanted = a[..., :, None] * b[..., None, :]
    wanted = np.einsum("abij->ajib", wanted) if name == "turned" else wanted
    np.testing.assert_allclose(found, wanted, rtol=1e-15)
    slope = 2 * a * np.sum(b * b, -1, keepdims=True)
    np.testing.assert_allclose(tape.gradient(total, x).numpy()[: len(a)], slope, rtol=1e-12)


def _exactly(a: Any) -> float:
    """Give the determinant of a matrix of floats as it is."""
    return float(sp.Matrix(a.shape[0], a.shape[1], [sp.Rational(float(x)) for x in a.flat]).det())


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("n", [2, 3])
def test_many_small_determinants(n: int, dtype: str) -> None:
    """Of whatever size their numbers are: what one line would lose is what LAPACK gives."""
    rng = np.random.default_rng(n)
    a = rng.normal(size=(1200, n, n)).astype(dtype)
    a[:100, 1] = 3 * a[:100, 0] + 1e-2 * a[:100, 1]
    a[100:200] *= 10.0 ** rng.integers(-9, 9, (100, n, n))
    a[200] = 0
    found = linear_algebra.determinant(a)
    assert (found.dtype, found.shape) == (a.dtype, (1200,))
    sizes = np.prod(np.linalg.norm(a[:300].astype(float), axis=-1), -1) * np.finfo(dtype).eps
    wanted = np.array([_exactly(matrix) for matrix in a[:300]])
    assert np.all(np.abs(found[:300] - wanted) <= 4 * sizes)


@pytest.mark.parametrize("size", [1e-190, 1e-100, 1e90, 1e160])
def test_small_determinants_of_odd_sizes(size: float) -> None:
    """Products of two numbers may be too small or too large where the determinant is neither."""
    a = np.broadcast_to(np.diag([size, size, 1 / size]), (400, 3, 3)).copy()
    np.testing.assert_allclose(linear_algebra.determinant(a), size, rtol=1e-12)
    a[7, 0, 1] = np.nan
    with np.errstate(invalid="ignore"):
        found = linear_algebra.determinant(a)
    assert np.flatnonzero(np.isnan(found)).tolist() == [7]
    np.testing.assert_allclose(np.delete(found, 7), size, rtol=1e-12)


# --- derivatives are limits -----------------------------------------------------------------------


def weights(x: Any, phase: float) -> Any:
    """Make numbers to weigh elements with."""
    shape = tuple(x.shape)
    return np.cos(np.arange(np.prod(shape)) + phase).reshape(shape).astype(x.dtype.numpy)


def loss(case: Case, xs: list[Any]) -> Any:
    """Weigh the elements of all results."""
    ys = tf.nest.flatten(case.run(tf, *xs))
    smooth = [y for y in ys if y.dtype.is_floating or y.dtype.is_complex]
    return tf.add_n([tf.reduce_sum(tf.math.real(y * weights(y, 1.0))) for y in smooth])


def slope(case: Case, xs: list[Any]) -> tuple[Any, list[Any]]:
    """Give the loss and its gradient."""
    with tf.GradientTape() as tape:
        tape.watch(xs)
        y = loss(case, xs)
    return y, tape.gradient(y, xs)


def along(gradients: list[Any], directions: list[Any]) -> float:
    """Give the slope in a direction."""
    return sum(
        float(np.real(np.vdot(g.numpy(), d)))
        for g, d in zip(gradients, directions, strict=True)
        if g is not None
    )


@pytest.mark.parametrize("case", SMOOTH, ids=lambda c: c.name)
def test_derivatives_are_limits(case: Case) -> None:
    """First and second derivatives are what differences of values and of gradients tend to."""
    rng = np.random.default_rng(1)
    arrays = case.arrays("float64")
    directions = [rng.standard_normal(a.shape).astype(a.dtype) for a in arrays]
    directions = [
        d + 1j * rng.standard_normal(d.shape) if d.dtype.kind == "c" else d for d in directions
    ]
    xs = [tf.constant(a) for a in arrays]
    h = 1e-6
    up, down = (
        slope(case, [tf.constant(a + s * d) for a, d in zip(arrays, directions, strict=True)])
        for s in (h, -h)
    )
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(xs)
        _, gradients = slope(case, xs)
        parts = [
            tf.reduce_sum(tf.math.real(g * weights(g, 2.0))) for g in gradients if g is not None
        ]
        second = tf.add_n(parts)
    difference = (up[0].numpy() - down[0].numpy()) / (2 * h)
    assert along(gradients, directions) == pytest.approx(difference, rel=1e-6, abs=1e-6)
    limit = sum(
        float(np.sum(np.real((a.numpy() - b.numpy()) * weights(a, 2.0)))) / (2 * h)
        for a, b in zip(up[1], down[1], strict=True)
        if a is not None
    )
    found = along(tape.gradient(second, xs), directions)
    assert found == pytest.approx(limit, rel=1e-6, abs=1e-6)


# --- forty digits ---------------------------------------------------------------------------------

POINT = [["2.5", "0.5", "-0.75"], ["1.25", "3.5", "0.375"], ["-0.5", "0.625", "4.25"]]
WIDE = [["2.5", "0.5", "-0.75"], ["1.25", "3.5", "0.375"]]


def _lower(a: Any) -> Any:
    return mpmath.matrix(a.rows, a.cols) + mpmath.matrix(
        [[a[max(i, j), min(i, j)] for j in range(a.cols)] for i in range(a.rows)]
    )


def _symmetric(a: Any) -> Any:
    return (a + a.T) / 2


FORTY: dict[str, tuple[Any, Callable[[Any], Any], Callable[[Any], Any]]] = {
    "inv": (POINT, tf.linalg.inv, lambda a: a**-1),
    "det": (POINT, tf.linalg.det, lambda a: mpmath.matrix([mpmath.det(a)])),
    "slogdet": (
        POINT,
        lambda x: tf.linalg.slogdet(x)[1],
        lambda a: mpmath.matrix([mpmath.log(abs(mpmath.det(a)))]),
    ),
    "logdet": (
        POINT,
        tf.linalg.logdet,
        lambda a: mpmath.matrix([mpmath.log(mpmath.det(_symmetric(a)))]),
    ),
    "cholesky": (POINT, tf.linalg.cholesky, lambda a: mpmath.cholesky(_symmetric(a))),
    "solve": (
        POINT,
        lambda x: tf.linalg.solve(x, tf.constant([[1.0], [2.0], [3.0]], tf.float64)),
        lambda a: mpmath.lu_solve(a, mpmath.matrix([1, 2, 3])),
    ),
    "triangular_solve": (
        POINT,
        lambda x: tf.linalg.triangular_solve(
            x, tf.constant([[1.0], [2.0], [3.0]], tf.float64), lower=False
        ),
        lambda a: mpmath.lu_solve(
            mpmath.matrix([[a[i, j] if j >= i else 0 for j in range(3)] for i in range(3)]),
            mpmath.matrix([1, 2, 3]),
        ),
    ),
    "lstsq": (
        WIDE,
        lambda x: tf.linalg.lstsq(
            tf.linalg.matrix_transpose(x), tf.constant([[1.0], [2.0], [3.0]], tf.float64)
        ),
        lambda a: mpmath.lu_solve(a * a.T, a * mpmath.matrix([1, 2, 3])),
    ),
    "pinv": (WIDE, tf.linalg.pinv, lambda a: a.T * (a * a.T) ** -1),
    "eigvalsh": (POINT, tf.linalg.eigvalsh, lambda a: mpmath.eigsy(_lower(a), eigvals_only=True)),
    "singular values": (
        WIDE,
        lambda x: tf.linalg.svd(x, compute_uv=False),
        lambda a: mpmath.svd_r(a.T, compute_uv=False),
    ),
    "norm of order 2": (
        POINT,
        lambda x: tf.norm(x, 2, axis=[0, 1]),
        lambda a: mpmath.matrix([mpmath.svd_r(a, compute_uv=False)[0]]),
    ),
    "norm of order 3": (
        POINT,
        lambda x: tf.norm(x, 3),
        lambda a: mpmath.matrix([mpmath.cbrt(mpmath.fsum(abs(v) ** 3 for v in a))]),
    ),
    "expm": (POINT, tf.linalg.expm, mpmath.expm),
    "sqrtm": (POINT, tf.linalg.sqrtm, mpmath.sqrtm),
    "projector of eigh": (
        POINT,
        lambda x: tf.square(tf.linalg.eigh(x)[1])[:2, :2],
        lambda a: mpmath.eigsy(_lower(a))[1][:2, :2].apply(lambda x: x * x),
    ),
    "q of qr": (POINT, lambda x: tf.abs(tf.linalg.qr(x).q), lambda a: mpmath.qr(a)[0].apply(abs)),
    "r of qr": (POINT, lambda x: tf.abs(tf.linalg.qr(x).r), lambda a: mpmath.qr(a)[1].apply(abs)),
}
SPREAD = {"logdet", "cholesky"}
"""Functions of the lower triangle alone whose gradient is spread over both triangles."""


@pytest.mark.parametrize("name", FORTY)
def test_values_and_gradients_to_forty_digits(name: str) -> None:
    """Values are mpmath's; gradients are what its differences at eighty digits give."""
    point, ours, theirs = FORTY[name]
    x = tf.constant([[float(v) for v in row] for row in point], tf.float64)
    if name in SPREAD:
        x = (x + tf.transpose(x)) / 2
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = ours(x)
    g = tape.gradient(y, x)
    with mpmath.workdps(120):
        at = mpmath.matrix([[mpmath.mpf(float(v)) for v in row] for row in x.numpy()])
        h = mpmath.mpf(10) ** -40
        close(y, list(theirs(at)), name)
        slopes = []
        for i in range(at.rows):
            for j in range(at.cols):
                step = mpmath.matrix(at.rows, at.cols)
                step[i, j] = h
                change = (theirs(at + step) - theirs(at - step)) / (2 * h)
                slopes.append(mpmath.fsum(change))
        close(g, slopes, f"gradient of {name}")


def close(found: Any, expected: list[Any], what: str) -> None:
    """Assert that forty digits are the same."""
    read = found.evalf(40)
    flat = sp.flatten(read.tolist()) if isinstance(read, sp.NDimArray) else [read]
    scale = max(map(abs, expected))
    for a, b in zip(flat, expected, strict=True):
        value = mpmath.mpf(sp.Float(a, 45)._mpf_)
        assert abs(value - b) <= mpmath.mpf(10) ** -38 * scale, f"{what}: {a} against {b}"


# --- exact numbers --------------------------------------------------------------------------------

A = sp.Matrix([[4, 1, 0], [1, 3, 1], [0, 1, 2]])

EXACT: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "inv": (tf.linalg.inv, A.inv()),
    "det": (tf.linalg.det, A.det()),
    "slogdet": (lambda x: tf.linalg.slogdet(x)[1], sp.log(A.det())),
    "sign": (lambda x: tf.linalg.slogdet(-x)[0], -1),
    "cholesky": (tf.linalg.cholesky, A.cholesky()),
    "solve": (
        lambda x: tf.linalg.solve(x, tf.constant([[1.0], [0.0], [2.0]], tf.float64)),
        A.inv() * sp.Matrix([1, 0, 2]),
    ),
    "lstsq": (
        lambda x: tf.linalg.lstsq(x[:, :2], tf.constant([[1.0], [0.0], [2.0]], tf.float64)),
        A[:, :2].pinv() * sp.Matrix([1, 0, 2]),
    ),
    "lstsq of a lower rank": (
        lambda x: tf.linalg.lstsq(
            tf.matmul(x[:, :1], x[:1, :]),
            tf.constant([[1.0], [0.0], [2.0]], tf.float64),
            fast=False,
        ),
        (A[:, :1] * A[:1, :]).pinv() * sp.Matrix([1, 0, 2]),
    ),
    "pinv": (lambda x: tf.linalg.pinv(x[:, :2]), A[:, :2].pinv()),
    "pinv of a singular matrix": (
        lambda x: tf.linalg.pinv(tf.matmul(x[:, :1], x[:1, :])),
        (A[:, :1] * A[:1, :]).pinv(),
    ),
    "pinv of a matrix of rank two": (
        lambda x: tf.linalg.pinv(tf.matmul(x[::-1, :2] * [[1.0], [8.0], [2.0]], x[:2, :])),
        (sp.diag(1, 8, 2) * A[::-1, :2] * A[:2, :]).pinv(),
    ),
    "pinv of rank two, largest last": (
        lambda x: tf.linalg.pinv(tf.matmul(x[:, :2] * [[1.0], [2.0], [9.0]], x[:2, :])),
        (sp.diag(1, 2, 9) * A[:, :2] * A[:2, :]).pinv(),
    ),
    "eigvalsh": (
        lambda x: tf.linalg.eigvalsh(x[:2, :2]),
        sp.Matrix([sp.Rational(7, 2) - sp.sqrt(5) / 2, sp.Rational(7, 2) + sp.sqrt(5) / 2]),
    ),
    "trace of expm": (
        lambda x: tf.linalg.trace(tf.linalg.expm(x[:2, :2])),
        sp.exp(sp.Rational(7, 2) - sp.sqrt(5) / 2) + sp.exp(sp.Rational(7, 2) + sp.sqrt(5) / 2),
    ),
    "expm of a nilpotent matrix": (
        lambda x: tf.linalg.expm(
            tf.linalg.band_part(x, 0, -1) - tf.linalg.diag(tf.linalg.diag_part(x))
        ),
        sp.Matrix([[0, 1, 0], [0, 0, 1], [0, 0, 0]]).exp(),
    ),
    "matrix norm of order 2": (
        lambda x: tf.norm(x[1:, 1:], 2, axis=[0, 1]),
        sp.Rational(5, 2) + sp.sqrt(5) / 2,
    ),
}


@pytest.mark.parametrize("name", EXACT)
def test_exact_values(name: str) -> None:
    """Rational matrices have exact inverses, roots and spectra."""
    run, expected = EXACT[name]
    x = tf.constant(np.array(A.tolist(), dtype=np.float64))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = run(x)
    found = y.exact()
    flat = sp.flatten(found.tolist()) if isinstance(found, sp.NDimArray) else [found]
    wanted = list(expected) if isinstance(expected, sp.MatrixBase) else [expected]
    for a, b in zip(flat, wanted, strict=True):
        assert not a.has(sp.Float)
        assert sp.simplify(a - b) == 0


def test_exact_square_root() -> None:
    """The root of a matrix, multiplied by itself, is the matrix, exactly."""
    x = tf.constant([[5.0, 2.0], [1.0, 4.0]], tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.linalg.sqrtm(x)
    root = sp.Matrix(y.exact().tolist())
    assert sp.simplify(root * root) == sp.Matrix([[5, 2], [1, 4]])


def test_exact_gradient_of_an_inverse() -> None:
    """The gradient of the sum of the inverse is -AᵀJAᵀ of the inverse, in rationals."""
    x = tf.constant([[3.0, 1.0], [2.0, 5.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.linalg.inv(x)
    turned = sp.Matrix([[3, 1], [2, 5]]).inv().T
    expected = -turned * sp.ones(2, 2) * turned
    assert sp.Matrix(tape.gradient(y, x).exact().tolist()) == expected


@pytest.mark.slow
def test_eigenvectors_have_exact_values_and_the_signs_of_floats() -> None:
    """The vectors of a matrix of two rows are roots, each with the sign that floats gave."""
    x = tf.constant([[2.0, 1.0], [1.0, 3.0]], tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        _, v = tf.linalg.eigh(x)
    exact = sp.Matrix(v.exact().tolist())
    np.testing.assert_allclose(np.array(exact.evalf(20), float), v.numpy(), rtol=1e-14)
    assert sp.simplify(exact.T * exact) == sp.eye(2)


SPECTRA: dict[str, tuple[Callable[[Any], Any], list[list[float]]]] = {
    "eigenvectors with zeros": (
        lambda x: tf.linalg.eigh(x)[1],
        [[2, 1, 0], [1, 2, 0], [0, 0, 5]],
    ),
    "eigenvectors of one sign": (lambda x: tf.linalg.eigh(x)[1], [[-2, 1], [1, -5]]),
    "eigenvectors of a diagonal": (lambda x: tf.linalg.eigh(x)[1], [[3, 0], [0, -1]]),
    "eigenvalues of both signs": (tf.linalg.eigvalsh, [[1, 3], [3, -4]]),
    "eigenvalues of a triangle": (tf.linalg.eigvals, [[2, 1, 0], [0, -5, 3], [0, 0, 7]]),
    "eigenvalues in any order": (tf.linalg.eigvals, [[-7, 2, 0], [1, 3, 0], [0, 1, 1]]),
    "eigenvalues in pairs": (tf.linalg.eigvals, [[1, -2], [3, 2]]),
    "singular values": (lambda x: tf.linalg.svd(x)[0], [[1, 2, 0], [0, 1, 3]]),
    "left singular vectors": (lambda x: tf.linalg.svd(x)[1], [[1, 2, 0], [0, 1, 3]]),
    "right singular vectors": (lambda x: tf.linalg.svd(x)[2], [[1, 2, 0], [0, 1, 3]]),
    "left singular vectors of a tall matrix": (
        lambda x: tf.linalg.svd(x)[1],
        [[1, 0], [2, 1], [0, 3]],
    ),
    "right singular vectors of a tall matrix": (
        lambda x: tf.linalg.svd(x)[2],
        [[1, 0], [2, 1], [0, 3]],
    ),
    "all left singular vectors": (
        lambda x: tf.linalg.svd(x, full_matrices=True)[1],
        [[1, 0], [2, 1], [0, 3]],
    ),
    "all right singular vectors": (
        lambda x: tf.linalg.svd(x, full_matrices=True)[2],
        [[1, 2, 0], [0, 1, 3]],
    ),
}
"""Factors of matrices that floats give in one of several orders, and with one of two signs."""


@pytest.mark.parametrize("name", some([*SPECTRA], 2))
def test_exact_factors_are_in_the_order_and_of_the_signs_of_floats(name: str) -> None:
    """What is exact is a more exact form of the number, element by element."""
    run, rows = SPECTRA[name]
    x = tf.constant(rows, tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = run(x)
    exact = [complex(sp.N(e, 20)) for e in np.ravel(y.exact())]
    np.testing.assert_allclose(exact, np.ravel(y.numpy()), rtol=1e-12, atol=1e-14)


def test_a_matrix_that_is_singular_exactly_has_no_inverse() -> None:
    """Rounding may give an inverse to a matrix that has none; the exact reading says so."""
    column, row = tf.constant([[0.1], [0.3]], tf.float64), tf.constant([[0.2, 0.6]], tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(column)
        y = tf.linalg.inv(tf.matmul(column, row))
    assert np.isfinite(y.numpy()).all()
    with pytest.raises(tf.NoExactFormError, match="singular"):
        y.exact()


# --- symbols --------------------------------------------------------------------------------------


def recorded(run: Callable[[Any], Any], n: int) -> tuple[Any, sp.Matrix]:
    """Record a function of a matrix of n rows, and make the matrix of its symbols."""
    rng = np.random.default_rng(n)
    x = tf.constant(rng.uniform(0, 1, (n, n)) + 3 * np.eye(n), name="x")
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = run(x)
    base = sp.IndexedBase("x")
    return y, sp.Matrix(n, n, lambda i, j: base[i, j])


@pytest.mark.parametrize("n", [1, 2, 3])
def test_entries_of_inverse_and_determinant(n: int) -> None:
    """The inverse and the determinant of symbols are written out as SymPy has them."""
    y, x = recorded(tf.linalg.inv, n)
    difference = sp.Matrix(y.entries.tolist()) - x.adjugate() / x.det()
    assert sp.simplify(difference) == sp.zeros(n, n)
    d, x = recorded(tf.linalg.det, n)
    assert sp.expand(d.entries[()] - x.det()) == 0


def test_entries_of_a_cholesky_factor_multiply_to_the_matrix() -> None:
    """L Lᵀ has the lower triangle of the matrix, in symbols."""
    y, x = recorded(tf.linalg.cholesky, 2)
    lower = sp.Matrix(y.entries.tolist())
    product = sp.simplify(lower * lower.T)
    assert [product[i, j] - x[i, j] for i, j in ((0, 0), (1, 0), (1, 1))] == [0, 0, 0]


def _slope(f: Callable[[Any], Any], x: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.linalg.trace(f(x))
    return tape.gradient(y, x)


TOO_MUCH: dict[str, tuple[Callable[[Any], Any], int, type[Exception]]] = {
    "inv": (tf.linalg.inv, 5, tf.ExpansionError),
    "det": (tf.linalg.det, 6, tf.ExpansionError),
    "eigvalsh": (tf.linalg.eigvalsh, 3, tf.NoExactFormError),
    "eigenvectors": (lambda x: tf.linalg.eigh(x)[1], 2, tf.NoExactFormError),
    "svd": (lambda x: tf.linalg.svd(x)[1], 2, tf.NoExactFormError),
    "qr": (lambda x: tf.linalg.qr(x).q, 2, tf.NoExactFormError),
    "expm": (tf.linalg.expm, 2, tf.NoExactFormError),
    "slope of expm": (lambda x: _slope(tf.linalg.expm, x), 3, tf.NoExactFormError),
    "eigvals": (tf.linalg.eigvals, 2, tf.NoExactFormError),
}


BY_NAME = {
    "inv": "^{-1}",
    "det": r"\left|",
    "eigvalsh": r"\lambda\left(x\right)",
    "eigenvectors": r"U\left(x\right)",
    "svd": r"U\left(x\right)",
    "qr": r"Q\left(x\right)",
}
"""What stands for it in the steps, if it is not a function by its name."""


@pytest.mark.parametrize("name", TOO_MUCH)
def test_what_has_no_formula_says_so(name: str) -> None:
    """Entries that are too long or have no closed form raise, and name another reading."""
    run, n, kind = TOO_MUCH[name]
    y, _ = recorded(run, n)
    with pytest.raises(kind, match="numpy"):
        _ = y.entries
    assert BY_NAME.get(name, r"\operatorname") in y.latex("steps")


def test_index_notation_names_inverse_and_determinant() -> None:
    """Leaves of any size have an index form, in SymPy's inverses and determinants."""
    n = 7
    symbol = sp.MatrixSymbol("x", n, n)
    y, _ = recorded(tf.linalg.inv, n)
    i, j = sp.symbols("i j", integer=True)
    assert str(y.index_expr(i, j)) == str(sp.Symbol("(x**(-1))[i, j]"))
    d, _ = recorded(tf.linalg.det, n)
    assert d.index_expr() == sp.Determinant(symbol)
    log, _ = recorded(lambda x: tf.linalg.slogdet(x)[1], n)
    assert log.index_expr() == sp.log(sp.Abs(sp.Determinant(symbol)))


def test_index_notation_has_the_value() -> None:
    """An entry of a solution in index notation, with numbers put in, is the number."""
    x = tf.constant([[2.0, 1.0], [1.0, 3.0]], name="x")
    b = tf.constant([[1.0], [2.0]], name="b")
    with tf.GradientTape() as tape:
        tape.watch([x, b])
        y = tf.linalg.solve(x, b)
    entry = y.index_expr(1, 0).subs(sp.MatrixSymbol("x", 2, 2), sp.Matrix([[2, 1], [1, 3]])).doit()
    values = {sp.IndexedBase("b")[k, 0]: v for k, v in enumerate((1, 2))}
    assert entry.subs(values) == sp.Rational(3, 5)


# --- code -----------------------------------------------------------------------------------------


def test_a_factorization_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values and vectors come from one call, when they are recorded and in generated code."""
    calls = []
    original = np.linalg.eigh
    monkeypatch.setattr(np.linalg, "eigh", lambda a: (calls.append(1), original(a))[1])
    x = tf.constant([[2.0, 1.0], [1.0, 3.0]])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        e, v = tf.linalg.eigh(x)
        y = tf.reduce_sum(v * v * e)
    assert len(calls) == 1
    g = tape.gradient(y, x)
    assert len(calls) == 1  # the gradient uses what was recorded
    source = g.lambdify().source
    assert source.count("eigh(") == 1


def test_a_large_cotangent_costs_no_digits() -> None:
    """The gradient of the exponential is as good for a cotangent of a million as for one."""
    x = tf.constant([[0.5, 0.25], [-0.5, 1.0]], tf.float64)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.linalg.expm(x)
    small = tape.gradient(y, x).numpy()
    large = tape.gradient(y, x, output_gradients=1e8 * tf.ones_like(y)).numpy()
    np.testing.assert_allclose(large / 1e8, small, rtol=1e-13)


def test_logarithms_of_determinants_do_not_overflow() -> None:
    """The determinant of a matrix of 500 rows overflows; its logarithm and gradient do not."""
    x = 1000 * tf.eye(500, dtype=tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        sign, size = tf.linalg.slogdet(x)
    assert np.isinf(tf.linalg.det(x).numpy())
    assert sign.numpy() == 1
    assert size.numpy() == pytest.approx(500 * np.log(1000))
    np.testing.assert_allclose(tape.gradient(size, x).numpy(), np.eye(500) / 1000)


# --- edges ----------------------------------------------------------------------------------------


def test_what_is_not_determined_has_no_derivative() -> None:
    """Vectors of a square U or Q that belong to no singular value or column raise."""
    x = tf.constant([[1.0], [2.0], [3.0]])
    for run in (
        lambda: tf.linalg.svd(x, full_matrices=True)[1],
        lambda: tf.linalg.qr(x, full_matrices=True).q,
    ):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = run()
        with pytest.raises(NotImplementedError, match="not determined"):
            tape.gradient(y, x)


def test_equal_eigenvalues_have_a_finite_gradient() -> None:
    """At the identity the gradient of the sum of the eigenvalues is the identity."""
    x = tf.eye(3)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        e, v = tf.linalg.eigh(x)
    np.testing.assert_array_equal(tape.gradient(e, x).numpy(), np.eye(3))
    assert np.isfinite(tape.gradient(v, x).numpy()).all()


def test_jacobian_of_an_inverse() -> None:
    """dXᵢⱼ/dAₖₗ = -Xᵢₖ Xₗⱼ."""
    a = np.array([[2.0, 1.0, 0.5], [1.0, 3.0, 0.0], [0.5, 0.25, 4.0]])
    x = tf.constant(a)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.linalg.inv(x)
    inverse = np.linalg.inv(a)
    expected = -np.einsum("ik,lj->ijkl", inverse, inverse)
    np.testing.assert_allclose(tape.jacobian(y, x).numpy(), expected, rtol=1e-13)


def test_hessian_of_a_logarithm_of_a_determinant() -> None:
    """d² log det X / dXᵢⱼ dXₖₗ = -Xⱼₖ⁻¹ Xₗᵢ⁻¹."""
    a = np.array([[2.0, 1.0, 0.5], [1.0, 3.0, 0.0], [0.5, 0.25, 4.0]])
    x = tf.constant(a)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.linalg.slogdet(x)[1]
    inverse = np.linalg.inv(a)
    expected = -np.einsum("jk,li->ijkl", inverse, inverse)
    np.testing.assert_allclose(tape.hessian(y, x).numpy(), expected, rtol=1e-13)


@pytest.mark.parametrize("dtype", ["float64", "complex128", "float32"])
@pytest.mark.parametrize("form", ["lower", "upper"])
def test_large_triangles_are_solved(dtype: str, form: str) -> None:
    """A triangle that is solved block by block, with what stands beyond it left out."""
    rng = np.random.default_rng(0)
    a = (rng.standard_normal((2, 150, 150)) / 10 + 5 * np.eye(150)).astype(dtype)
    b = rng.standard_normal((2, 150, 3)).astype(dtype)
    triangle = np.tril(a) if form == "lower" else np.triu(a)
    for adjointly in (False, True):
        found = linear_algebra.solve(a, b, form, adjointly)
        side = linear_algebra.adjoint(triangle) if adjointly else triangle
        assert found.dtype == dtype
        tolerance = 1e-4 if dtype == "float32" else 1e-12
        np.testing.assert_allclose(side @ found, b, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("adjointly", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
def test_triangles_are_solved_by_scipy_and_without(
    dtype: str, adjointly: bool, lower: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """BLAS and NumPy agree, on one right side and on several, whichever way round A lies."""
    rng = np.random.default_rng(1)
    a = rng.standard_normal((70, 70)) / 10 + 5 * np.eye(70)
    b = rng.standard_normal((70, 3))
    if "complex" in dtype:
        a, b = a + 1j * rng.standard_normal(a.shape) / 10, b + 1j * b[::-1]
    a, b = a.astype(dtype), b.astype(dtype)
    cases = [(a, b), (a, b[:, :1]), (a.T, b), (a[::-1, ::-1], b[:, ::-1]), (a, b[:, :0])]
    found = [triangles.solve_triangle(*case, lower, adjointly) for case in cases]
    monkeypatch.setattr(triangles, "_lent", lambda _: None)
    for case, by_blas in zip(cases, found, strict=True):
        by_numpy = triangles.solve_triangle(*case, lower, adjointly)
        assert by_blas.dtype == dtype
        assert by_blas.shape == by_numpy.shape
        np.testing.assert_allclose(by_blas, by_numpy, rtol=1e-4, atol=20 * np.finfo(dtype).eps)


@pytest.mark.parametrize("n", [2, 40])
def test_triangle_with_a_zero_gives_infinities(n: int) -> None:
    """A zero on the diagonal of a triangle divides, as in TensorFlow."""
    found = tf.linalg.triangular_solve(tf.zeros((n, n)), tf.ones((n, 1))).numpy()
    assert np.isinf(found[0, 0])
    assert np.isnan(found[1:, 0]).all()


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "complex128"])
@pytest.mark.parametrize("reverse", [False, True])
def test_recurrences_that_mostly_add_have_the_digits_of_others(dtype: str, reverse: bool) -> None:
    """Running sums between factors other than 1, and a step at a time, end in the same digits."""
    rng = np.random.default_rng(2)
    for many in (0.0, 0.01, 1.0):
        a = np.where(rng.random(400) < many, rng.random(400), 1).astype(dtype)
        b = rng.standard_normal(400).astype(dtype)
        b[300], a[350] = np.inf, np.nan
        order = slice(None, None, -1 if reverse else 1)
        y, steps = 0.0, []
        for factor, term in zip(a[order].tolist(), b[order].tolist(), strict=True):
            y = term + factor * y if steps else term
            steps.append(y)
        found = recurrence(a, b, -1, reverse)
        np.testing.assert_array_equal(found, np.array(steps, dtype)[order])


def test_an_indefinite_matrix_has_a_factor_of_nan() -> None:
    """One matrix of a batch that is not positive definite does not stop the others."""
    x = tf.constant([[[4.0, 0.0], [0.0, 1.0]], [[1.0, 2.0], [2.0, 1.0]]])
    found = tf.linalg.cholesky(x).numpy()
    np.testing.assert_array_equal(found[0], [[2, 0], [0, 1]])
    assert np.isnan(found[1][np.tril_indices(2)]).all()
    assert found[1][0, 1] == 0


def test_values_that_are_not_finite() -> None:
    """Singular values of nan are nan, and so is an exponential; a batch keeps its other members."""
    x = tf.constant([[[np.nan, 1.0], [1.0, 1.0]], [[3.0, 0.0], [0.0, 2.0]]])
    found = tf.linalg.svd(x, compute_uv=False).numpy()
    assert np.isnan(found[0]).all()
    np.testing.assert_allclose(found[1], [3, 2])
    assert np.isnan(tf.linalg.expm(x[0]).numpy()).all()
    assert np.isnan(tf.linalg.sqrtm(tf.constant([[-1.0]])).numpy()).all()


@pytest.mark.parametrize("name", ["inv", "det", "cholesky", "solve"])
def test_exact_complex_values_and_gradients(name: str) -> None:
    """Matrices of complex integers have exact values and gradients, which are the numbers."""
    run: dict[str, Callable[[Any], Any]] = {
        "inv": tf.linalg.inv,
        "det": tf.linalg.det,
        "cholesky": lambda x: tf.linalg.cholesky(tf.matmul(x, x, adjoint_b=True)),
        "solve": lambda x: tf.linalg.solve(x, x[:, ::-1] ** 2, adjoint=True),
    }
    x = tf.constant([[3 + 1j, 1j, -1], [1, 4 - 2j, 2j], [0, 1 + 1j, 5j]], tf.complex128)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = run[name](x)
    for found in (y, tape.gradient(y, x)):
        exact = found.exact()
        flat = sp.flatten(exact.tolist()) if isinstance(exact, sp.NDimArray) else [exact]
        assert not any(e.has(sp.Float) for e in flat)
        numbers = np.array([complex(e) for e in flat]).reshape(found.shape)
        np.testing.assert_allclose(numbers, found.numpy(), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    "run",
    [
        tf.linalg.inv,
        lambda x: tf.linalg.det(x)[:, None],
        lambda x: tf.linalg.solve(x, x[..., :1]),
        lambda x: tf.square(tf.linalg.eigh(x)[1]),
        tf.linalg.expm,
        lambda x: tf.linalg.qr(x).q,
    ],
)
def test_batch_jacobians_are_blocks_of_jacobians(run: Callable[[Any], Any]) -> None:
    """Rows of a batch do not see each other, and their blocks are those of the whole Jacobian."""
    rng = np.random.default_rng(0)
    x = tf.constant(rng.standard_normal((3, 2, 2)) + 4 * np.eye(2))
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = run(x)
    blocks = tape.batch_jacobian(y, x).numpy()
    whole = tape.jacobian(y, x).numpy()
    for i in range(3):
        for j in range(3):
            part = np.moveaxis(whole[i], y.shape.rank - 1, 0)[j]
            np.testing.assert_allclose(part, blocks[i] if i == j else 0 * part, atol=1e-14)


def _definite(x: Any) -> Any:
    return tf.matmul(x, x, transpose_b=True) + tf.eye(4, dtype=x.dtype)


BATCHED: dict[str, Callable[[Any], Any]] = {
    "adjoint": tf.linalg.adjoint,
    "band_part": lambda x: tf.linalg.band_part(x, 1, 0),
    "cholesky": lambda x: tf.linalg.cholesky(_definite(x)),
    "cholesky_solve": lambda x: tf.linalg.cholesky_solve(_definite(x), x[..., :2]),
    "det": tf.linalg.det,
    "diag": lambda x: tf.linalg.diag(x[..., 0], k=1),
    "diag_part": lambda x: tf.linalg.diag_part(x, k=(-1, 2)),
    "eigh": lambda x: tf.abs(tf.linalg.eigh(_definite(x))[1]),
    "eigvals": lambda x: tf.math.real(tf.reduce_sum(tf.linalg.eigvals(x) ** 2, -1)),
    "eigvalsh": lambda x: tf.linalg.eigvalsh(_definite(x)),
    "expm": tf.linalg.expm,
    "inv": tf.linalg.inv,
    "logdet": lambda x: tf.linalg.logdet(_definite(x)),
    "logm": lambda x: tf.math.real(tf.linalg.logm(tf.cast(_definite(x), tf.complex128))),
    "lstsq": lambda x: tf.linalg.lstsq(x[..., :2], x[..., 2:]),
    "lu": lambda x: tf.linalg.lu(x)[0],
    "lu_matrix_inverse": lambda x: tf.linalg.lu_matrix_inverse(*tf.linalg.lu(x)),
    "lu_reconstruct": lambda x: tf.linalg.lu_reconstruct(*tf.linalg.lu(x)),
    "lu_solve": lambda x: tf.linalg.lu_solve(*tf.linalg.lu(x), x[..., :2]),
    "matrix_rank": lambda x: tf.cast(tf.linalg.matrix_rank(x), x.dtype),
    "matvec": lambda x: tf.linalg.matvec(x, x[..., 0]),
    "norm": lambda x: tf.norm(x, axis=[-2, -1]),
    "pinv": lambda x: tf.linalg.pinv(x[..., :3]),
    "qr": lambda x: tf.linalg.qr(x)[1],
    "set_diag": lambda x: tf.linalg.set_diag(x, x[..., 0]),
    "slogdet": lambda x: tf.stack(tf.linalg.slogdet(x), -1),
    "solve": lambda x: tf.linalg.solve(x, x[..., ::-1], adjoint=True),
    "sqrtm": lambda x: tf.linalg.sqrtm(_definite(x)),
    "svd": lambda x: tf.linalg.svd(x)[0],
    "trace": tf.linalg.trace,
    "triangular_solve": lambda x: tf.linalg.triangular_solve(x, x[..., ::-1]),
    "tridiagonal_matmul": lambda x: tf.linalg.tridiagonal_matmul(
        x[..., :3, :], x, diagonals_format="compact"
    ),
    "tridiagonal_solve": lambda x: tf.linalg.tridiagonal_solve(x[..., :3, :], x),
}


@pytest.mark.parametrize("name", BATCHED)
def test_each_matrix_of_a_batch_is_taken_by_itself(name: str) -> None:
    """A batch of two axes, of which none has the size of a row, has what its matrices have."""
    rng = np.random.default_rng(1)
    given = rng.standard_normal((2, 3, 4, 4)) + 3 * np.eye(4)[[2, 0, 1, 3]]

    def both(x: Any) -> tuple[Any, Any]:
        with tf.GradientTape() as tape:
            tape.watch(x := tf.constant(x))
            y = BATCHED[name](x)
        return y.numpy(), tape.gradient(tf.reduce_sum(tf.sin(y)), x, unconnected_gradients="zero")

    whole = both(given)
    for place in np.ndindex(2, 3):
        for found, own in zip(whole, both(given[place]), strict=True):
            np.testing.assert_allclose(np.asarray(found)[place], own, rtol=1e-8, atol=1e-10)


def test_all_columns_of_a_square_matrix_are_those_that_there_are():
    """`full_matrices` changes nothing of a square matrix, neither of its factors nor slopes."""
    found = []
    for full in (False, True):
        x = tf.constant(np.arange(9.0).reshape(3, 3) ** 2 + np.eye(3))
        with tf.GradientTape() as tape:
            tape.watch(x)
            q, r = tf.linalg.qr(x, full_matrices=full)
            y = tf.reduce_sum(tf.sin(q) + r * r)
        found.append([t.numpy() for t in (q, r, tape.gradient(y, x))])
    for narrow, wide in zip(*found, strict=True):
        np.testing.assert_allclose(wide, narrow, rtol=1e-12, atol=1e-12)


def test_functions_of_a_jordan_block_are_exact():
    """Above the diagonal stands the derivative at the eigenvalue, then half of the second."""
    block = tf.constant(2 * np.eye(3) + np.eye(3, k=1) + 0j)  # whose logarithm may be complex
    rational, root = sp.Rational, sp.sqrt(2)
    expected = {
        tf.linalg.expm: (sp.exp(2), sp.exp(2), sp.exp(2) / 2),
        tf.linalg.logm: (sp.log(2), rational(1, 2), rational(-1, 8)),
        tf.linalg.sqrtm: (root, 1 / (2 * root), -1 / (16 * root)),
    }
    for f, (value, first, second) in expected.items():
        with tf.GradientTape() as tape:
            tape.watch(block)
            y = f(block)
        found = sp.Matrix(y.exact().tolist())
        wanted = sp.Matrix([[value, first, second], [0, value, first], [0, 0, value]])
        assert sp.simplify(found - wanted) == sp.zeros(3)


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_the_sign_of_a_determinant_is_written_as_its_numbers_ask(dtype: str) -> None:
    """A real one is 1, -1 or 0, a complex one lies on the unit circle, or is 0."""
    x = tf.Variable([[2.0, 1.0], [3.0, 1.0]], dtype=dtype, name="A")
    mask = tf.constant([[1.0], [0.0]], dtype)
    a = sp.IndexedBase("A")
    det = a[0, 0] * a[1, 1] - a[0, 1] * a[1, 0]
    with tf.GradientTape():
        sign, size = tf.linalg.slogdet(x)
        none = tf.linalg.slogdet(x * mask)[0]
    assert sign.entries[()] == (sp.sign(det) if dtype == "float64" else det / sp.Abs(det))
    assert size.entries[()] == sp.log(sp.Abs(det))
    assert (sign.exact(), size.exact(), none.exact()) == (-1, 0, 0)
