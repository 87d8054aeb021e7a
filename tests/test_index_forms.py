"""Derivatives in index notation, each as it is printed, and computed at each of its places."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sympy as sp

import symtape as tf
from symtape.forms.factors import Factor
from symtape.forms.index.common_factors import with_common_factors
from symtape.forms.index.contracted import shortest
from symtape.forms.limits import marks
from tests.index_numbers import number

LETTERS = "ijklmnpqrst"
X = [[0.0, 1.0, 1.4], [1.7, 2.0, 2.2], [2.4, 2.6, 2.8], [3.0, 3.2, 3.3]]


def variable(value: Any, name: str) -> Any:
    """Make a variable of doubles."""
    return tf.Variable(np.array(value, float), name=name)


def convolved(strides: int, padding: str) -> Callable[[Any], Any]:
    """Convolve a signal with a kernel k of three numbers."""
    k = variable([1.0, 0.5, 0.3], "k")

    def run(x: Any) -> Any:
        signal = tf.reshape(x, [1, 6, 1])
        return tf.nn.conv1d(signal, tf.reshape(k, [3, 1, 1]), strides, padding)

    return run


def rosenbrock(x: Any) -> Any:
    """Rosenbrock's function of many variables."""
    return tf.reduce_sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


def layer_norm(x: Any) -> Any:
    """Give each row mean 0 and a variance of almost 1."""
    far = x - tf.reduce_mean(x, 1, keepdims=True)
    return far / tf.sqrt(tf.reduce_mean(far**2, 1, keepdims=True) + 0.25)


def energy(x: Any) -> Any:
    """Add up what pairs of rows have of an energy that falls with their distance."""
    apart = x[:, None] - x
    own = tf.eye(x.shape[0], dtype=x.dtype)
    return -tf.reduce_sum((1 - own) / tf.sqrt(tf.reduce_sum(apart**2, 2) + own)) / 2


def of_window(x: Any) -> Any:
    """Convolve a picture with a kernel of two rows and columns."""
    kernel = variable([[1.0, 0.5], [0.3, 0.2]], "K")
    picture = tf.reshape(x, [1, 4, 4, 1])
    return tf.nn.conv2d(picture, tf.reshape(kernel, [2, 2, 1, 1]), 1, "VALID")[0, :, :, 0]


VECTOR = [1.0, 2.0, 3.0, 4.0]
LONG = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
PICTURE = [[0.1, 0.7, 0.2, 0.4], [0.5, 0.3, 0.9, 0.8], [0.6, 0.2, 0.1, 0.4], [0.3, 0.8, 0.7, 0.5]]

FORMS: dict[str, tuple[Callable[[Any], Any], Any, str, str]] = {
    "cumsum": (tf.cumsum, VECTOR, "jacobian", "Iverson(j <= i)"),
    "cumsum, from the end, without its own": (
        lambda x: tf.cumsum(x, reverse=True, exclusive=True),
        VECTOR,
        "jacobian",
        "Iverson(j > i)",
    ),
    "cumsum of squares of a column": (
        lambda x: tf.cumsum(x * x, 0),
        X,
        "jacobian",
        "2*Iverson(k <= i)*KroneckerDelta(j, l)*x[k, j]",
    ),
    "cumprod": (
        tf.math.cumprod,
        VECTOR,
        "jacobian",
        (
            "Piecewise((Product(x[k], (k, 0, j - 1))*Product(x[k], (k, j + 1, i)), i >= j),"
            " (0, True))"
        ),
    ),
    "cumprod at a zero": (
        tf.math.cumprod,
        [1.0, 0.0, 3.0, 0.0],
        "jacobian",
        (
            "Piecewise((Product(x[k], (k, 0, j - 1))*Product(x[k], (k, j + 1, i)), i >= j),"
            " (0, True))"
        ),
    ),
    "cumprod, without its own": (
        lambda x: tf.math.cumprod(x, exclusive=True),
        VECTOR,
        "jacobian",
        (
            "Piecewise((Product(x[k], (k, 0, j - 1))*Product(x[k], (k, j + 1, i - 1)), i > j),"
            " (0, True))"
        ),
    ),
    "sum of cumprod": (
        lambda x: tf.reduce_sum(tf.math.cumprod(x)),
        VECTOR,
        "gradient",
        "Product(x[j], (j, 0, i - 1))*Sum(Product(x[k], (k, i + 1, j)), (j, i, 3))",
    ),
    "product, twice": (
        tf.reduce_prod,
        VECTOR,
        "hessian",
        (
            "Piecewise((Product(x[k], (k, 0, i - 1))*Product(x[k], (k, i + 1, j - 1))*Product(x[k],"
            " (k, j + 1, 3)), i < j), (Product(x[k], (k, 0, j - 1))*Product(x[k], (k, i + 1, 3))"
            "*Product(x[k], (k, j + 1, i - 1)), i > j), (0, True))"
        ),
    ),
    "cumulative logsumexp": (
        tf.math.cumulative_logsumexp,
        VECTOR,
        "jacobian",
        "exp(x[j])*Iverson(j <= i)/Sum(exp(x[k]), (k, 0, i))",
    ),
    "squares of cumulative logsumexp": (
        lambda x: tf.reduce_sum(tf.math.cumulative_logsumexp(x) ** 2),
        VECTOR,
        "gradient",
        ("2*exp(x[i])*Sum(log(Sum(exp(x[k]), (k, 0, j)))/Sum(exp(x[k]), (k, 0, j)), (j, i, 3))"),
    ),
    "conv1d": (
        convolved(1, "VALID"),
        LONG,
        "jacobian",
        "Piecewise((k[-j + m], (j <= m) & (m <= j + 2)), (0, True))",
    ),
    "conv1d, padded": (
        convolved(1, "SAME"),
        LONG,
        "jacobian",
        "Piecewise((k[-j + m + 1], (m >= j - 1) & (m <= j + 1)), (0, True))",
    ),
    "conv1d, each second": (
        convolved(2, "VALID"),
        LONG,
        "jacobian",
        "Piecewise((k[-2*j + m], (m >= 2*j) & (m <= 2*j + 2)), (0, True))",
    ),
    "conv2d": (
        of_window,
        PICTURE,
        "jacobian",
        (
            "Piecewise((K[-i + k, -j + l], (i <= k) & (j <= l) & (k <= i + 1) & (l <= j + 1)),"
            " (0, True))"
        ),
    ),
    "Rosenbrock": (
        rosenbrock,
        LONG,
        "hessian",
        (
            "Piecewise((-400*x[i + 1] + 1200*x[i]**2 + 2, Eq(i, 0) & Eq(i, j)),"
            " (-400*x[i + 1] + 1200*x[i]**2 + 202, Eq(i, j) & (i >= 1) & (i < 5)),"
            " (200, Eq(i, 5) & Eq(i, j)), (-400*x[i], Eq(j, i + 1)), (-400*x[j], Eq(i, j + 1)),"
            " (0, True))"
        ),
    ),
    "turned around": (
        lambda x: tf.roll(x, 1, 0),
        VECTOR,
        "jacobian",
        "KroneckerDelta(j, Mod(i - 1, 4))",
    ),
    "neighbours on a ring": (
        lambda x: tf.reduce_sum((tf.roll(x, -1, 0) - x) ** 2),
        VECTOR,
        "gradient",
        "-2*x[Mod(i + 1, 4)] - 2*x[Mod(i - 1, 4)] + 4*x[i]",
    ),
    "forces along a ring": (
        lambda x: tf.reduce_sum(tf.exp(x - tf.roll(x, -1, 0))),
        VECTOR,
        "gradient",
        "exp(-x[Mod(i + 1, 4)] + x[i]) - exp(x[Mod(i - 1, 4)] - x[i])",
    ),
    "neighbours on a torus": (
        lambda x: tf.reduce_sum(tf.sin(x - tf.roll(x, 1, 2)) - x * tf.roll(x, -1, 0)),
        [[[0.1, 0.5, 0.2], [0.3, 1.0, 0.7]], [[0.4, 0.9, 1.1], [0.0, 0.6, 0.8]]],
        "gradient",
        (
            "-cos(x[i, j, Mod(k + 1, 3)] - x[i, j, k]) + cos(x[i, j, Mod(k - 1, 3)] - x[i, j, k])"
            " - 2*x[Mod(i + 1, 2), j, k]"
        ),
    ),
    "differences": (
        lambda x: x[1:] - x[:-1],
        LONG,
        "jacobian",
        "-KroneckerDelta(i, j) + KroneckerDelta(j, i + 1)",
    ),
    "stacked": (
        lambda x: tf.stack([x, x**2], 1),
        VECTOR,
        "jacobian",
        ("(KroneckerDelta(0, j) + 2*KroneckerDelta(1, j)*x[i])*KroneckerDelta(i, k)"),
    ),
    "each second, backwards": (
        lambda x: tf.reduce_sum(x[4:0:-2] ** 2),
        LONG,
        "gradient",
        "2*Iverson((i >= 2) & (i <= 4) & Eq(Mod(i, 2), 0))*x[i]",
    ),
    "mean of windows": (
        lambda x: tf.nn.avg_pool2d(tf.reshape(x, [1, 4, 4, 1]), 2, 2, "VALID")[0, :, :, 0],
        PICTURE,
        "jacobian",
        "Iverson((k >= 2*i) & (l >= 2*j) & (k <= 2*i + 1) & (l <= 2*j + 1))/4",
    ),
    "softmax of rows": (
        tf.nn.softmax,
        X,
        "jacobian",
        (
            "(-exp(x[i, l])/Sum(exp(x[i, m]), (m, 0, 2)) + KroneckerDelta(j, l))*exp(x[i, j])"
            "*KroneckerDelta(i, k)/Sum(exp(x[i, m]), (m, 0, 2))"
        ),
    ),
    "rows of length one": (
        lambda x: x / tf.norm(x, axis=1, keepdims=True),
        X[1:],
        "jacobian",
        (
            "(KroneckerDelta(j, l) - x[i, j]*x[i, l]/Sum(x[i, m]**2, (m, 0, 2)))"
            "*KroneckerDelta(i, k)/sqrt(Sum(x[i, m]**2, (m, 0, 2)))"
        ),
    ),
    "layer norm": (
        layer_norm,
        X,
        "jacobian",
        (
            "(-(x[i, j] - Sum(x[i, m], (m, 0, 2))/3)*(x[i, l] - Sum(x[i, m], (m, 0, 2))/3)"
            "/(3*(Sum((x[i, m] - Sum(x[i, n], (n, 0, 2))/3)**2, (m, 0, 2))/3 + 1/4))"
            " + KroneckerDelta(j, l) - 1/3)*KroneckerDelta(i, k)"
            "/sqrt(Sum((x[i, m] - Sum(x[i, n], (n, 0, 2))/3)**2, (m, 0, 2))/3 + 1/4)"
        ),
    ),
    "forces of bodies": (
        energy,
        [[0.0, 1.0, 0.2], [2.0, 0.3, 0.1], [0.4, 0.1, 1.7]],
        "gradient",
        (
            "Sum((1 - KroneckerDelta(i, k))*(x[i, j] - x[k, j])"
            "/(KroneckerDelta(i, k) + Sum((x[i, l] - x[k, l])**2, (l, 0, 2)))**(3/2), (k, 0, 2))"
        ),
    ),
    "an inverse of one entry": (
        lambda x: x / (tf.linalg.inv(tf.reshape(tf.reduce_sum(x * x), [1, 1])))[0, 0],
        VECTOR,
        "jacobian",
        "KroneckerDelta(i, j)*Sum(x[k]**2, (k, 0, 3)) + 2*x[i]*x[j]",
    ),
}
"""What is derived, where, how, and what is printed."""


def derived(function: Callable[[Any], Any], x: Any, how: str) -> Any:
    """Derive a function once, or twice."""
    with tf.GradientTape(persistent=True) as outer:
        with tf.GradientTape(persistent=True) as tape:
            y = function(x)
        slope = tape.gradient(y, x) if how != "jacobian" else None
    if how == "hessian":
        return outer.jacobian(slope, x)
    return slope if slope is not None else tape.jacobian(y, x)


@pytest.mark.parametrize("name", FORMS)
def test_derivatives_are_written_in_indices_as_on_paper(name: str) -> None:
    """Ranges of indices decide what is printed, and the formula is the number at each place."""
    function, at, how, wanted = FORMS[name]
    x = variable(at, "x")
    found = derived(function, x, how)
    entry = found.index_expr()
    assert str(entry) == wanted
    values = {symbol.name: np.asarray(leaf) for symbol, leaf in found.leaves.items()}
    symbols = [sp.Symbol(c, integer=True) for c in LETTERS if c not in values]
    for place in np.ndindex(*found.shape):
        own = complex(number(entry, values, dict(zip(symbols, place, strict=False))))
        np.testing.assert_allclose(own, found.numpy()[place], rtol=1e-12, err_msg=str(place))


@pytest.mark.slow
def test_a_cross_product_has_the_sign_of_a_permutation() -> None:
    """An entry of u × v is a sum with ε, and so is one of the matrix that multiplies so."""
    u, v = variable([1.0, 2.0, 4.0], "u"), variable([0.3, 0.5, 0.2], "v")
    with tf.GradientTape(persistent=True) as tape:
        y = tf.linalg.cross(u, v)
    assert str(y.index_expr()) == "Sum(LeviCivita(i, j, k)*u[j]*v[k], (j, 0, 2), (k, 0, 2))"
    slope = tape.jacobian(y, v)
    assert str(slope.index_expr()) == "Sum(LeviCivita(i, k, j)*u[k], (k, 0, 2))"
    found = sp.Matrix(3, 3, lambda i, j: slope.index_expr(i, j).doit())
    values = {sp.IndexedBase("u")[k]: float(x) for k, x in enumerate(u.numpy())}
    np.testing.assert_allclose(np.array(found.xreplace(values), float), slope.numpy())


@pytest.mark.parametrize("name", [n for n in FORMS if len(FORMS[n][1]) < 5 and "zero" not in n])
def test_sympy_computes_what_is_written(name: str) -> None:
    """`doit` of an entry with numbers for its indices and elements is the number."""
    function, at, how, _ = FORMS[name]
    x = variable(at, "x")
    found = derived(function, x, how)
    entry = found.index_expr()
    symbols = [sp.Symbol(c, integer=True) for c in LETTERS if c != "x"]
    known = {symbol.name: np.asarray(leaf) for symbol, leaf in found.leaves.items()}
    values = {
        sp.IndexedBase(name)[place]: sp.Float(v)
        for name, leaf in known.items()
        for place, v in np.ndenumerate(leaf)
    }
    for place in [*np.ndindex(*found.shape)][:40]:
        own = entry.subs(dict(zip(symbols, place, strict=False))).doit().xreplace(values)
        np.testing.assert_allclose(float(own), found.numpy()[place], rtol=1e-12)


def test_what_no_range_decides_stays() -> None:
    """A sum over elements, or with a delta of an element, is what it was."""
    i, k = sp.symbols("i k", integer=True)
    x, p = sp.IndexedBase("x"), sp.IndexedBase("p")
    for e in (
        sp.Sum(x[k], (k, 0, i)),
        sp.Sum(sp.KroneckerDelta(i, p[k]) * x[k], (k, 0, 3)),
        sp.Sum(x[k] - sp.Sum(x[k], (k, 0, 2)) / 4, (k, 0, 3)),
    ):
        assert shortest(e, ((i, 0, 3),)) == e


S = [[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]]

FACTORS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "eigenvalues": (
        tf.linalg.eigvalsh,
        (
            r"{U\left(S\right)}_{j,i} {U\left(S\right)}_{k,i}"
            r" \left(\left[k \leq j\right] + \left[k < j\right]\right)"
        ),
    ),
    "singular values": (
        lambda s: tf.linalg.svd(s, compute_uv=False),
        r"{U\left(S\right)}_{j,i} {V\left(S\right)}_{k,i}",
    ),
}
"""Jacobians with factors of a matrix by name."""


@pytest.mark.parametrize("name", FACTORS)
def test_factors_of_a_matrix_have_names_in_index_notation(name: str) -> None:
    """What has no closed form is named, and the formula is the number at each place."""
    function, wanted = FACTORS[name]
    s = variable(S, "S")
    found = derived(function, s, "jacobian")
    assert found.latex() == wanted
    entry = found.index_expr()
    symbols = sp.symbols("i j k l", integer=True)
    for place in np.ndindex(*found.shape):
        own = complex(number(entry, {"S": s.numpy()}, dict(zip(symbols, place, strict=False))))
        np.testing.assert_allclose(own, found.numpy()[place], rtol=1e-9, atol=1e-12)


def test_a_log_determinant_has_the_inverse_of_its_factor() -> None:
    """The slope of log det S, of which a triangle is read, has that of chol(S) by name."""
    s = variable([[4.0, 1.5, 0.5], *S[1:]], "S")
    with tf.GradientTape() as tape:
        y = tf.linalg.logdet(s)
    found = tape.gradient(y, s)
    entry = found.index_expr()
    assert str(entry) == "Sum((chol(S)**(-1))[k, i]*(chol(S)**(-1))[k, j], (k, 0, 2))"
    symbols = sp.symbols("i j", integer=True)
    for place in np.ndindex(*found.shape):
        own = complex(number(entry, {"S": s.numpy()}, dict(zip(symbols, place, strict=True))))
        np.testing.assert_allclose(own, found.numpy()[place], rtol=1e-9)


def test_a_rank_counts_singular_values_above_a_bound() -> None:
    """A condition on entries of a factor, with a decimal number, is no condition on indices."""
    x = variable([[1.0, 2.0], [2.0, 4.0]], "x")
    with tf.GradientTape():
        y = tf.linalg.matrix_rank(x)
    found = str(y.index_expr())
    assert found.startswith("Sum(Iverson(s(x)[i, 0] > "), found


@pytest.mark.slow
@pytest.mark.parametrize(
    "function",
    [tf.linalg.cholesky, lambda s: tf.linalg.qr(s)[1], lambda s: tf.linalg.eigh(s)[1]],
    ids=["Cholesky", "QR", "eigenvectors"],
)
def test_jacobians_of_factors_write_no_entries_out(function: Callable[[Any], Any]) -> None:
    """The factor stands by its name where its entries would be roots of roots."""
    s = variable(S, "S")
    found = derived(function, s, "jacobian")
    entry = found.index_expr()
    assert not entry.atoms(sp.MatrixBase)
    assert marks(entry) < 250
    symbols = sp.symbols("i j k l", integer=True)
    for place in np.ndindex(*found.shape):
        own = complex(number(entry, {"S": s.numpy()}, dict(zip(symbols, place, strict=True))))
        np.testing.assert_allclose(own, found.numpy()[place], rtol=1e-9, atol=1e-11)


def test_a_named_factor_is_written_out_where_it_can_be() -> None:
    """`doit` gives the factor of a matrix of numbers, and keeps the name of what has no form."""
    matrix = sp.MatrixSymbol("S", 2, 2)
    numbers = sp.ImmutableMatrix([[4, 2], [2, 2]])
    lower = Factor("chol", matrix, 2, 2)
    assert lower.func(*lower.args) == lower
    assert lower.doit() == lower
    assert lower[1, 0].subs(matrix, numbers).doit() == 1
    assert lower.subs(matrix, numbers).doit() == sp.Matrix([[2, 0], [1, 1]])
    symbols = sp.ImmutableMatrix(2, 2, sp.symbols("a:4"))
    named = Factor("eigvecs", symbols, 2, 2)
    assert named.doit() == named


def test_exponentials_with_a_maximum_are_shared_by_terms():
    """SymPy does not cancel exp(x - Max(x, y)) with its inverse; it is taken out all the same."""
    x, y, u, v = sp.symbols("x y u v")
    shifted = sp.exp(x - sp.Max(x, y))
    found = with_common_factors(shifted * u / 3 - shifted * v)
    assert found == shifted * (u / 3 - v)


@pytest.mark.slow
def test_a_maximum_of_what_is_long_is_made_without_comparisons(monkeypatch) -> None:
    """Each is SymPy's own in the end, of arguments that nobody compared where they are long."""
    compared: list[int] = []
    asked = sp.Max._is_connected.__func__

    def connected(cls: Any, x: Any, y: Any) -> Any:
        compared.append(max(x.count_ops(), y.count_ops()))
        return asked(cls, x, y)

    monkeypatch.setattr(sp.Max, "_is_connected", classmethod(connected))
    x = tf.Variable(np.arange(12.0).reshape(2, 2, 3), name="x")
    with tf.GradientTape():
        y = tf.image.adjust_saturation(x, 0.5)
    found = y.index_expr(0, 0, 0)
    assert {type(m) for m in found.atoms(sp.Max, sp.Min)} == {sp.Max, sp.Min}
    assert max(compared, default=0) < 30
    assert (
        abs(number(found, {"x": x.numpy(), "x0": np.array(0.5)}, {}) - y.numpy()[0, 0, 0]) < 1e-12
    )
