"""Formulas for any size: which axes are one, and what holds for all of them."""

from __future__ import annotations

import contextlib
import math
import pickle
import re
from typing import Any

import numpy as np
import pytest
import sympy as sp

import symtape as tf
from symtape.calculus.derive import gradient as differentiated
from symtape.errors import UnsupportedError
from symtape.forms.index.entry import LETTERS
from symtape.forms.tex.latex import Style
from symtape.kernels.interpret import QUIET, interpret
from symtape.program.kinds.structural import Embed, Recurrence, Slice
from symtape.program.operations import Input, multiply, power
from symtape.program.program import Builder, Program
from symtape.program.sizes.axes import Sizes
from symtape.program.sizes.coincidences import coincidences
from symtape.program.sizes.resizing import resized
from symtape.program.sizes.rules import growth_of
from symtape.tensor.readings.any_size import AnySize
from tests.index_numbers import assert_close, number, truth
from tests.matrix_numbers import assert_form_holds, inside
from tests.programs import random_program
from tests.references import REFERENCES, Leaves, derived
from tests.sampling import ALL, all_hold, batches, some
from tests.sliced_programs import Sliced

Q = Leaves(3, 4)
P = tf.Variable([0.5, 0.7], name="p", dtype=tf.float64)
mean, total, matvec = tf.reduce_mean, tf.reduce_sum, tf.linalg.matvec

FORMULAS: dict[str, Any] = {
    "mean squared error": (
        lambda: mean((matvec(Q.M, Q.x) - Q.y) ** 2),
        "2 Mᵀ (M x - y) / m",
        {"M": ("m", "n"), "x": ("n",), "y": ("m",)},
    ),
    "mean": (lambda: mean(Q.x * Q.a), "a / n", {"x": ("n",), "a": ("n",)}),
    "mean of a matrix": (
        lambda: mean(Q.M * Q.x),
        "Mᵀ 𝟏 / (m n)",
        {"M": ("m", "n"), "x": ("n",)},
    ),
    "centered": (lambda: total((Q.x - mean(Q.x)) ** 2), "2 (x - (𝟏ᵀ x) 𝟏 / n)", {"x": ("n",)}),
    "correlation": (
        lambda: correlation(Q),
        (
            "(a - (𝟏ᵀ a) 𝟏 / n - ((x - (𝟏ᵀ x) 𝟏 / n)ᵀ (a - (𝟏ᵀ a) 𝟏 / n)) (x - (𝟏ᵀ x) 𝟏 / n) / "
            "‖x - (𝟏ᵀ x) 𝟏 / n‖²) / (‖x - (𝟏ᵀ x) 𝟏 / n‖ ‖a - (𝟏ᵀ a) 𝟏 / n‖)"
        ),
        {"a": ("n",), "x": ("n",)},
    ),
    "columns": (
        lambda: total((Q.M @ Q.x[:, None] - Q.y[:, None]) ** 2),
        "2 Mᵀ (M x - y)",
        {"M": ("m", "n"), "x": ("n",), "y": ("m",)},
    ),
    "inverse": (
        lambda: tf.tensordot(Q.a, matvec(tf.linalg.inv(Q.A), Q.x), 1),
        "A⁻ᵀ a",
        {"A": ("n", "n"), "a": ("n",)},
    ),
    "softmax": (
        lambda: tf.tensordot(tf.nn.softmax(matvec(Q.M, Q.x)), Q.y, 1),
        None,
        {"M": ("m", "n"), "x": ("n",), "y": ("m",)},
    ),
    "chosen rows": (
        lambda: total(tf.sin(tf.gather(matvec(Q.M, Q.x), [0, 1, 1, 0, 1]))),
        "M[x0]ᵀ cos(M[x0] x)",
        {"M": ("m", "n"), "x": ("n",), "x0": ("p",)},
    ),
    "two of one size": (lambda: total(Q.x * Q.a * Q.b), "b ⊙ a", {"b": ("n",), "a": ("n",)}),
    "largest": (lambda: total(tf.reduce_max(Q.x) * Q.y), None, {"y": ("m",), "x": ("n",)}),
    "differences": (
        lambda: mean((Q.x[1:] - Q.x[:-1]) ** 2),
        "2 (I[1:n] - I[0:n - 1])ᵀ (x[1:n] - x[0:n - 1]) / (n - 1)",
        {"x": ("n",)},
    ),
    "turned round": (lambda: total(Q.x * Q.x[::-1]), "2 x[::-1]", {"x": ("n",)}),
    "a decimal times a size": (
        lambda: total((total(Q.x + 0.1) * Q.y) ** 2),
        "2 ‖y‖² (𝟏ᵀ x + 0.1 m) 𝟏",
        {"x": ("m",), "y": ("n",)},
    ),
    "smoothed labels": (
        lambda: mean(Q.x * (0.9 * Q.a + 0.1 / tf.cast(tf.shape(Q.x)[0], tf.float64))),
        None,
        {"x": ("n",), "a": ("n",)},
    ),
    "last": (lambda: Q.x[-1] ** 2, "2 x[n - 1] I[n - 1]ᵀ", {"x": ("n",)}),
    "first": (lambda: Q.x[0] ** 2, "2 x[0] I[0]ᵀ", {"x": ("n",)}),
    "the first two": (lambda: total(Q.x[:2] ** 2), "2 I[0:2]ᵀ x[0:2]", {"x": ("n",)}),
    "one less": (
        lambda: total((Q.x[1:] - P * Q.x[:-1]) ** 2),
        None,
        {"x": ("n",), "p": ("n - 1",)},
    ),
    "a number of another": (
        lambda: total(Q.x[:2] * P * Q.x[-1]),
        None,
        {"x": ("n",), "p": (2,)},
    ),
    "as many as there are": (lambda: total(Q.x[:3] * Q.x), None, {"x": (3,)}),
    "of a leaf that is gone": (lambda: total(Q.x), "𝟏", {"x": ("n",)}),
}


def gradient(f: Any) -> Any:
    """Derive by x."""
    with tf.GradientTape() as tape:
        y = f()
    return tape.gradient(y, Q.x)


@pytest.mark.filterwarnings("ignore::symtape.SizeWarning")
@pytest.mark.parametrize("name", FORMULAS)
def test_sizes_are_letters(name: str) -> None:
    """Axes that must agree have one letter, and what counts elements is written by it."""
    f, text, sizes = FORMULAS[name]
    found = gradient(f)
    assert found.sizes == sizes
    if text is not None:
        assert found.text(sizes="symbolic") == text


def pairs(q: Any) -> Any:
    """Give the energy of neighbours."""
    r = total((q.A[:-1] - q.A[1:]) ** 2, -1)
    return total(1 / r**6 - 1 / r**3)


def overlap(q: Any) -> Any:
    """Give Tversky's index."""
    both, one, other = (total(s * t) for s, t in ((q.x, q.a), (q.x, 1 - q.a), (1 - q.x, q.a)))
    return 1 - both / (both + 0.3 * one + 0.7 * other)


def correlation(q: Any) -> Any:
    """Give the cosine of what is left of two vectors without their means."""
    u, v = q.x - mean(q.x), q.a - mean(q.a)
    return total(u * v) / tf.sqrt(total(u**2) * total(v**2))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::symtape.SizeWarning")
@pytest.mark.parametrize("function", [pairs, overlap, correlation], ids=lambda f: f.__name__)
def test_terms_have_one_order_at_all_sizes(function: Any) -> None:
    """What is sorted is not sorted by sizes, so that a formula is read alike wherever it is."""
    texts, recorded = set(), set()
    for n in (3, 4, 5):
        leaves = Leaves(n, 2)
        with tf.GradientTape() as tape:
            y = function(leaves)
        found = tape.gradient(y, leaves.A if function is pairs else leaves.x)
        texts.add(found.text(sizes="symbolic"))
        recorded.add(found.text() if function is overlap else "")
    assert len(texts) == len(recorded) == 1, texts | recorded


def test_rectangles_are_not_taken_for_squares() -> None:
    """What is true of square matrices alone is not written for any size."""
    with tf.GradientTape() as tape:
        y = tf.linalg.logdet(Q.A @ tf.transpose(Q.A))
    found = tape.gradient(y, Q.A)
    assert found.text() == "2 A⁻ᵀ"
    assert found.text(sizes="symbolic") == "2 (A Aᵀ)⁻¹ A"
    assert found.sizes == {"A": ("m", "n")}


def test_code_has_letters() -> None:
    """NumPy's notation says how large a matrix is, or that nobody knows."""
    found = gradient(FORMULAS["centered"][0])
    assert (
        found.text("python", sizes="symbolic")
        == "2 * (x - (ones((n, 1)).T @ x) * ones((n, 1)) / n)"
    )
    assert gradient(lambda: total(Q.x)).text("python", sizes="symbolic") == "ones((n, 1))"
    found = gradient(lambda: total(Q.y) * Q.x[-1])
    assert found.text("python", sizes="symbolic") == "(ones((m, 1)).T @ y) * eye(n)[n - 1:n].T"


def test_latex_has_letters() -> None:
    """LaTeX is of the same formula, with left sides and environments."""
    found = gradient(FORMULAS["mean squared error"][0])
    text = r"\frac{2}{m} M^\top (M x - y)"
    assert found.latex(sizes="symbolic") == text
    equation = found.latex(sizes="symbolic", environment="equation", lhs="L")
    assert equation.splitlines()[1] == rf"\nabla_{{x}} L = {text}"


REFUSED = {
    "every second": (lambda: total(Q.x[::2] ** 2), "axis 0 of x is 3 long, since slice has it"),
    "more than there are": (lambda: total(Q.x[:5] ** 2), "axis 0 of x is 3 long"),
    "each element": (lambda: sum(x**2 for x in Q.x), "axis 0 of x is 3 long"),
    "all but one of two": (lambda: total(P[1:] * Q.x**2), "axis 0 of p is 2 long, since a part"),
    "what is joined": (lambda: total(tf.concat([Q.x, Q.a], 0) ** 2), "since concat has it"),
    "what is taken apart": (lambda: total(tf.reshape(Q.M, [-1]) ** 2) * Q.x[0], "since"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_known_is_refused_by_axis(name: str) -> None:
    """An axis whose size the program tells is named, with the reason."""
    f, why = REFUSED[name]
    with pytest.raises(tf.NoMatrixFormError, match=why):
        gradient(f).text(sizes="symbolic")


def test_refusals_tell_letters() -> None:
    """The sizes at which a formula is read are nobody's, and are not told."""
    x = tf.Variable(np.ones((2, 3, 4)), name="x")
    with tf.GradientTape() as tape:
        y = total(mean(x, 1) ** 2)
    found = tape.gradient(y, x)
    with pytest.raises(tf.NoMatrixFormError, match=r"of shape \(m, n, p\) has no matrix"):
        found.text(sizes="symbolic")


def test_what_is_written_element_by_element_is_refused() -> None:
    """The largest of three has three candidates, and of n there is no notation."""
    found = gradient(FORMULAS["largest"][0])
    assert "Max(x[0], x[1], x[2])" in str(found.index_expr())
    with pytest.raises(UnsupportedError, match="is written element by element"):
        found.index_expr(sizes="symbolic")


def test_a_leaf_is_named_that_alone_tells_a_size() -> None:
    """The slope of a sum of ones has its size as a factor, though it has no x."""
    with tf.GradientTape() as tape:
        with tf.GradientTape() as inner:
            y = Q.s * total(Q.x)
        z = total(inner.gradient(y, Q.x))
    found = tape.gradient(z, Q.s)
    assert found.numpy() == 3
    assert found.text(sizes="symbolic") == "n"
    assert z.text(sizes="symbolic") == "s n"
    assert found.sizes == {"s": (), "x": ("n",)}
    assert z.sizes == {"s": (), "x": ("n",)}


VERSIONS: dict[str, Any] = {
    "gradient": (lambda t, y, q: t.gradient(y, q), "2 q + p ⊙ exp(q_1)"),
    "hessian": (lambda t, y, q: t.hessian(y, q), "2 I + diag(p ⊙ exp(q_1))"),
    "jacobian": (lambda t, y, q: t.jacobian(y, q), "2 q + p ⊙ exp(q_1)"),
}


@pytest.mark.parametrize("name", VERSIONS)
def test_versions_of_a_variable_are_as_long_as_each_other(name: str) -> None:
    """What is derived by both adds the derivatives, at other sizes as well."""
    derive, text = VERSIONS[name]
    q, p = tf.Variable(np.array([0.3, 0.5, 0.7]), name="q"), tf.Variable(np.ones(3), name="p")
    with tf.GradientTape(persistent=True) as tape:
        y = total(q * q)
        q.assign(2 * p)
        y += total(tf.exp(q) * p)
    found = derive(tape, y, q)
    assert {*found.sizes.values()} == {("n",)}
    assert found.text(sizes="symbolic") == text


def test_a_sample_variance_has_the_slope_of_books() -> None:
    """Of 2 / (n - 1) half is left where n is a prime, and no size has a minus sign."""
    with tf.GradientTape() as tape:
        count = tf.cast(tf.size(Q.x), tf.float64)
        y = total((Q.x - total(Q.x) / count) ** 2) / (count - 1)
    slope = tape.gradient(y, Q.x)
    assert slope.text(sizes="symbolic") == "2 (x - (𝟏ᵀ x) 𝟏 / n) / (n - 1)"


def test_a_size_that_no_leaf_tells_is_no_number() -> None:
    """What counts ones of a number of rows that no variable has is not written as one."""
    with tf.GradientTape() as tape:
        y = total(tf.ones([4, 1], tf.float64) * Q.x)
    with pytest.raises(tf.NoMatrixFormError, match="other numbers for other sizes: 3 𝟏 for n = 2"):
        tape.gradient(y, Q.x).text(sizes="symbolic")


def test_options() -> None:
    """Options that there are not, or that exclude each other, are refused."""
    found = gradient(FORMULAS["mean"][0])
    with pytest.raises(
        ValueError, match="unknown sizes 'any': it is one of 'recorded', 'symbolic'"
    ):
        found.text(sizes="any")
    with pytest.raises(ValueError, match="for the forms 'matrix' and 'index'"):
        found.latex("entries", sizes="symbolic")
    with pytest.raises(ValueError, match="unknown sizes 'any'"):
        found.index_expr(sizes="any")


ROWS = np.array([1, 0, 1])
KINDS: dict[str, Any] = {
    "scatter": (lambda q, at: tf.scatter_nd(at[:, None] * 2, q.x**2, [5]), "x n, x0 n"),
    "rows scattered": (
        lambda q, at: tf.scatter_nd(at[:, None], tf.transpose(q.M) ** 2, [4, q.M.shape[0]]),
        "M m n, x0 n",
    ),
    "segments": (
        lambda q, at: tf.math.unsorted_segment_sum(tf.transpose(q.M) ** 2, at, 2),
        "M m n, x0 n",
    ),
    "gather": (lambda q, at: tf.gather(q.M, at), "M m n, x0 p"),
    "places": (lambda q, at: tf.gather(q.x, tf.argmax(q.M, 1)), "x m, M n p"),
    "pseudo inverse": (lambda q, at: tf.linalg.pinv(q.M), "M m n"),
    "square": (lambda q, at: tf.linalg.expm(q.A), "A n n"),
    "factor": (
        lambda q, at: tf.linalg.cholesky(
            q.A @ tf.transpose(q.A) + tf.eye(tf.shape(q.A)[0], dtype=tf.float64)
        ),
        "A m n",
    ),
    "spectrum": (lambda q, at: tf.linalg.eigvalsh(q.A @ tf.transpose(q.A)), "A m n"),
    "determinant": (lambda q, at: tf.linalg.det(q.A) * q.x, "A m m, x n"),
    "logarithm of it": (lambda q, at: tf.linalg.slogdet(q.A)[1] * q.x, "A m m, x n"),
    "solution": (lambda q, at: tf.linalg.solve(q.A, tf.transpose(q.M)), "A m m, M n m"),
    "three diagonals": (
        lambda q, at: tf.linalg.tridiagonal_solve(tf.stack([q.x, q.x + 5, q.x]), q.x[:, None]),
        "x n",
    ),
    "running product": (lambda q, at: tf.math.cumprod(q.x), "x n"),
    "running sum": (lambda q, at: tf.cumsum(q.M, 1), "M m n"),
    "running logarithm": (lambda q, at: tf.math.cumulative_logsumexp(q.x), "x n"),
    "running maximum": (lambda q, at: tf.identity(np.maximum.accumulate(q.M, 1)), "M m n"),
    "order": (lambda q, at: tf.sort(q.x), "x n"),
    "largest": (lambda q, at: tf.reduce_max(q.M, 1), "M m n"),
    "product": (lambda q, at: tf.reduce_prod(q.M, 0), "M m n"),
    "band": (lambda q, at: tf.linalg.band_part(q.A, -1, 0), "A m n"),
    "diagonal": (lambda q, at: tf.linalg.diag(q.x), "x n"),
    "its diagonal": (lambda q, at: tf.linalg.diag_part(q.A) * q.x, "A n n, x n"),
    "joined": (lambda q, at: tf.concat([q.x, q.s[None]], 0), "x n, s"),
    "padded": (lambda q, at: tf.pad(q.x, [[1, 2]]), "x n"),
    "stacked": (lambda q, at: tf.stack([q.x, q.x**2]), "x n"),
    "windows": (
        lambda q, at: tf.nn.conv1d(q.M[:, :, None], tf.ones([2, 1, 1], tf.float64), 1, "VALID"),
        "M m n",
    ),
    "windows apart": (
        lambda q, at: tf.nn.conv1d(q.M[:, :, None], tf.ones([2, 1, 1], tf.float64), 2, "VALID"),
        "M n 3",
    ),
    "none": (lambda q, at: total(q.M[:, :0] ** 2) + q.x, "M m 3, x n"),
    "nothing in another shape": (
        lambda q, at: total(tf.reshape(q.M[:, :0], [-1])) + q.x,
        "M 2 3, x n",
    ),
    "one row": (lambda q, at: tf.reshape(q.M, [1, -1]), "M 2 3"),
    "one axis more": (lambda q, at: tf.expand_dims(q.x, 0) * q.M, "x m, M n m"),
    "all pairs": (lambda q, at: q.x[:, None] * q.y, "x m, y n"),
    "turned round": (lambda q, at: tf.reverse(q.M, [0]), "M m n"),
    "moved on": (lambda q, at: tf.roll(q.x, 1, 0), "x n"),
}
"""Each kind of operation, of leaves and of places, and the sizes that leaves may have."""


@pytest.mark.filterwarnings("ignore::symtape.SizeWarning")
@pytest.mark.parametrize("name", KINDS)
def test_each_kind_says_which_axes_are_one(name: str) -> None:
    """Axes that are free take other sizes, at which the program is TensorFlow's there."""
    f, text = KINDS[name]
    q = Leaves(3, 2)
    with tf.GradientTape():
        y = f(q, ROWS)
    sizes = {own: shape for own, *shape in map(str.split, text.split(", "))}
    assert {own: list(map(str, shape)) for own, shape in y.sizes.items()} == sizes
    other = Leaves(5, 2) if "x0" in sizes else Leaves(5, 4)
    at = np.array([0, 1, 1, 0, 1])
    given = [at if own == "x0" else getattr(other, own) for own in sizes]
    compiled = y.lambdify([*sizes], sizes="any")
    if name in COUNTED_BY_NOBODY or re.search(r" \d", text):
        with pytest.raises(tf.PathConditionError, match=r"axis of \d that no argument|has to be"):
            compiled(*given)
    else:
        np.testing.assert_allclose(compiled(*given), f(other, at).numpy(), rtol=1e-9)


def test_a_jacobian_of_three_axes_has_letters_for_all_six() -> None:
    """Letters stand for large numbers, of which NumPy does not multiply six."""
    t = tf.Variable(np.ones((2, 3, 4)), name="T")
    with tf.GradientTape() as tape:
        y = (tf.norm(t) - t) ** 2
    found = tape.jacobian(y, t)
    assert found.sizes == {"T": ("m", "n", "p")}
    assert {"m", "n", "p"} <= {str(s) for s in found.index_expr(sizes="symbolic").free_symbols}


COUNTED_BY_NOBODY = {"scatter", "rows scattered", "segments"}
"""These have an axis in their results that no leaf has."""


@pytest.mark.filterwarnings("ignore::symtape.SizeWarning")
@pytest.mark.slow
@pytest.mark.parametrize("names", batches(some([*REFERENCES], 64), 8), ids=lambda names: names[0])
def test_references_hold_for_any_size(names: list[str]) -> None:
    """Recorded at two sizes, a formula for any size is one, and has the value of the program."""

    def judge(name: str) -> None:
        reference = REFERENCES[name]
        rng = np.random.default_rng(len(name))
        texts: list[str] = []
        short: list[str] = []
        for n, m in ((3, 2), (4, 3)) if reference.is_of_any_size else ((3, 2),):
            leaves = Leaves(n, m, reference.symmetric)
            tensor = derived(reference, leaves)
            try:
                texts.append(tensor.text(sizes="symbolic", symmetric=[*reference.symmetric]))
            except tf.NoMatrixFormError as error:
                is_short = str(error).endswith("a part of it has 0 or 1 elements")
                (short if is_short else texts).append(str(error).partition(" is ")[0])
                continue
            if n == 3 and not reference.symmetric:
                with contextlib.suppress(tf.NoMatrixFormError):  # ones that no leaf counts
                    assert_any_size_holds(tensor, rng)
        assert len(set(texts or short)) == 1, (texts, short)

    all_hold(judge, names)


def assert_any_size_holds(tensor: Any, rng: Any) -> None:
    """Assert that a formula for any size has the value of the program at the recorded ones."""
    formula = tensor.formula
    sized = AnySize(formula)
    form = sized.form(Style(), (), formula._rows)
    values = inside(formula, rng)
    letters = {letter: sized.found.number(root) for root, letter in sized.letters.items()}
    assert_form_holds(form, formula.program, formula.position, formula.names, values, letters)


ENTRIES: dict[str, Any] = {
    "mean squared error": (
        "2*Sum((-y[j] + Sum(M[j, k]*x[k], (k, 0, n - 1)))*M[j, i], (j, 0, m - 1))/m"
    ),
    "mean": "a[i]/n",
    "mean of a matrix": "Sum(M[j, i], (j, 0, m - 1))/(m*n)",
    "centered": "2*x[i] - 2*Sum(x[j], (j, 0, n - 1))/n",
    "inverse": "Sum(a[j]*(A**(-1))[j, i], (j, 0, n - 1))",
}


@pytest.mark.parametrize("name", ENTRIES)
def test_entries_have_letters(name: str) -> None:
    """The last place of a sum is the size less one, and no index is called as a size is."""
    found = gradient(FORMULAS[name][0])
    entry = found.index_expr(sizes="symbolic")
    assert str(entry) == ENTRIES[name]
    letters = {s for shape in found.sizes.values() for s in shape}
    assert letters <= {s.name for s in entry.free_symbols}
    assert found.latex("index", sizes="symbolic").count(" - 1}") == str(entry).count(" - 1)")


def ends(q):
    """Central differences, with zeros beyond both ends."""
    padded = tf.pad(q.x, [[1, 1]])
    return total((padded[2:] - padded[:-2]) ** 2)


def second(q):
    """What is two places after, times what is two places before."""
    padded = tf.pad(q.x, [[2, 2]])
    return total(tf.sin(padded[4:]) * tf.cos(padded[:-4]))


def neighbours(q):
    """Laplace's operator in one dimension, around a circle."""
    return total(q.a * (tf.roll(q.x, 1, 0) - 2 * q.x + tf.roll(q.x, -1, 0)) ** 2)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::symtape.SizeWarning")
@pytest.mark.parametrize("function", [ends, second, neighbours], ids=lambda f: f.__name__)
def test_entries_hold_where_axes_are_short(function: Any) -> None:
    """The first places and the last ones overlap where there are few: both conditions are asked."""
    entry, found = None, []
    for n in (5, 2, 3, 4):
        leaves = Leaves(n, 2)
        with tf.GradientTape() as tape:
            y = function(leaves)
        found.append(tape.gradient(y, leaves.x))
        entry = found[0].index_expr(sizes="symbolic") if entry is None else entry
        assert_entry_holds(entry, found[0], found[-1], {"x": leaves.x, "a": leaves.a})


READ = {
    "a mean by hand": (
        lambda: total(Q.x**2) / Q.x.shape[0],
        r"the number 3 \(n here\), which stays",
    ),
    "unbiased": (lambda: total(Q.x**3) / (3 - 1), r"the number 2 \(n - 1 here\)"),
    "a factor": (lambda: total(Q.x) / 3.0 + 1 / 3 * total(Q.x), r"\(n here\), 0.33.*\(1/n here\)"),
    "a root": (lambda: total(matvec(Q.M, Q.x)) / math.sqrt(3), r"1.73\d* \(√n here\)"),
    "an element": (lambda: total(Q.y) * Q.x[2], r"the number 2 \(n - 1 here\)"),
    "all but one": (lambda: total(Q.x[: 3 - 1] ** 2), r"the number 2 \(n - 1 here\)"),
    "a half": (
        lambda: total(tf.concat([Q.x, Q.x[:1]], 0)[:2]),
        r"2 \(\(n \+ 1\)/2 here",
    ),
    "two sizes": (lambda: total(matvec(Q.M, Q.x)) / 12, r"the number 12 \(m n here\)"),
    "what is computed": (
        lambda: total(tf.pad(Q.x, [[2, 3]]) ** 2) / (3 + 5),
        r"the number 8 \(n \+ 5 here\)|0.125\d* \(1/\(n \+ 5\) here\)",
    ),
}


@pytest.mark.parametrize("name", READ)
def test_numbers_that_may_be_sizes_are_told(name: str) -> None:
    """What Python read of a size is a number; a formula for any size says that it may be one."""
    f, words = READ[name]
    with pytest.warns(tf.SizeWarning, match=words) as told:
        gradient(f).index_expr(sizes="symbolic")
    assert told[0].filename == __file__
    with pytest.warns(tf.SizeWarning, match=words):
        gradient(f).lambdify(sizes="any")


GROWTH = [
    ((0, 1, 5), None, 1), ((0, 2, 3), None, None), ((1, 1, 4), None, None), ((0, 1, 4), None, None),
    ((0, 1, 5), (False, True), 1), ((1, 1, 4), (False, True), 1), ((0, 1, 4), (False, True), 1),
    ((0, 2, 3), (False, True), None), ((0, 1, 2), (False, False), 0), ((3, 1, 2), (True, True), 0),
    ((4, -1, 5), (True, False), 1), ((4, -2, 3), (True, False), None),
    ((4, 1, 1), (True, True), 0), ((0, 1, 5), "unknown", None),
]  # fmt: skip
"""Ranges of an axis of 5, which ends move with the end of the axis, and how many places more."""


@pytest.mark.parametrize(("taken", "ends", "more"), GROWTH)
def test_ranges_grow_as_their_ends_do(taken: Any, ends: Any, more: int | None) -> None:
    """Without a word about ends, only what is taken whole grows with the axis."""
    known = () if ends is None else (None,) if ends == "unknown" else (ends,)
    for operation in (Slice((taken,), known), Embed((taken,), (5,), known)):
        assert growth_of(operation, 0, 5) == more


SIZES_READ = {
    "n": 11, "m": 17, "n - 1": 10, "m - 1": 16, "n + 1": 12, "m + 1": 18, "n m": 187, "n n": 121,
    "m m": 289, "1/n": 1 / 11, "1/(n - 1)": 0.1, "1/(n + 1)": 1 / 12, "1/(n m)": 1 / 187,
    "2/n": 2 / 11, "2/(n - 1)": 0.2, "2/(m m)": 2 / 289, "√n": 11**0.5, "√(m + 1)": 18**0.5,
    "1/√m": 17**-0.5, "1/√(n m)": 187**-0.5,
}  # fmt: skip
"""What people compute of the sizes 11 and 17."""


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_numbers_that_follow_from_sizes_are_named(sign: float) -> None:
    """Of either sign; other numbers, one, and exponents are what they are."""

    def told(operation: Any, value: float) -> list[str]:
        b = Builder()
        x = b.enter(Input("float64", (11,), True))
        y = b.append(operation, x, b.constant(sign * value, b.dtypes[x]))
        made = Program(b.steps, b.shapes, b.dtypes, recorded=len(b.steps))
        return list(coincidences(made, [y], {11: "n", 17: "m"}, {}).values())

    for text, value in SIZES_READ.items():
        assert told(multiply, value) == [text]
        assert told(power, value) == []
    assert told(multiply, 7.0) == told(multiply, 1.0) == []


COUNTED: dict[str, Any] = {
    "exponents": (lambda q: total(q.x**3), "3 x^⊙2"),
    "other numbers": (lambda q: total(q.x) * 7, "7 𝟏"),
    "the size": (lambda q: total(q.x) / tf.cast(tf.size(q.x), tf.float64), "𝟏 / n"),
    "a size": (lambda q: total(q.x) / tf.cast(tf.shape(q.M)[0], tf.float64), "𝟏 / m"),
    "all sizes": (
        lambda q: total(matvec(q.M, q.x)) / tf.cast(tf.reduce_prod(tf.shape(q.M)), tf.float64),
        "Mᵀ 𝟏 / prod([m; n])",
    ),
    "of a part": (lambda q: total(q.x) / tf.cast(tf.size(q.x[1:]), tf.float64), "𝟏 / (n - 1)"),
    "one less": (lambda q: total(q.x) / (tf.cast(tf.size(q.x), tf.float64) - 1), "𝟏 / (n - 1)"),
    "variance": (
        lambda q: tf.math.reduce_variance(q.x),
        "2 (x - (𝟏ᵀ x) 𝟏 / n) / n",
    ),
}


@pytest.mark.parametrize("name", COUNTED)
def test_what_counts_elements_is_a_size(name: str) -> None:
    """The sizes that TensorFlow gives are letters, and functions count what they are given."""
    f, text = COUNTED[name]
    with tf.GradientTape() as tape:
        y = total(0 * Q.M) + f(Q)
    found = tape.gradient(y, Q.x)
    assert found.text(sizes="symbolic") == text
    other = Leaves(5, 6)
    with tf.GradientTape() as tape:
        y = f(other)
    names = ["M", "x"]
    got = found.lambdify(names, sizes="any")(other.M, other.x)
    np.testing.assert_allclose(got, tape.gradient(y, other.x), rtol=1e-12)


REPEATED: dict[str, Any] = {
    "rows": (lambda q: total(tf.exp(q.x) + q.M), "2 n² exp(2 x)"),
    "two broadcasts": (lambda q: total(q.x**2 + q.M + q.y[:, None]), "8 n² x"),
    "a number": (lambda q: total(q.s**2 + q.M), "8 s m² n²"),
}


@pytest.mark.filterwarnings("ignore::symtape.SizeWarning")  # 2 may be n - 1
@pytest.mark.parametrize("name", REPEATED)
def test_what_a_derivative_repeats_is_counted_in_derivatives_of_it(name: str) -> None:
    """How often a broadcast repeats is a size where an outer tape recorded it, and no number."""
    f, text = REPEATED[name]

    def outer(q: Leaves) -> Any:
        leaf = q.s if name == "a number" else q.x
        with tf.GradientTape() as tape:
            with tf.GradientTape() as inner:
                y = f(q)
            z = total(inner.gradient(y, leaf) ** 2)
        return tape.gradient(z, leaf)

    found, other = outer(Q), Leaves(5, 6)
    assert found.text(sizes="symbolic") == text
    names = list(map(str, found.leaves))
    got = found.lambdify(names, sizes="any")(*[getattr(other, name) for name in names])
    np.testing.assert_allclose(got, outer(other), rtol=1e-12)


def of_jacobian(f: Any) -> Any:
    """Derive the sum of the squares of a Jacobian, which another tape records."""

    def outer(q: Leaves) -> Any:
        with tf.GradientTape() as tape:
            with tf.GradientTape() as inner:
                y = f(q)
            z = total(inner.jacobian(y, q.x) ** 2)
        return tape.gradient(z, q.x)

    return outer


ROWS_REPEATED: dict[str, Any] = {
    "scalars": (lambda q: q.x * total(q.x**2), "4 ‖x‖² (8 + n) x"),
    "a vector": (lambda q: q.y**0 * total(q.x**3), "36 m x^⊙3"),
    "rows": (lambda q: total(tf.exp(q.x) + q.M, 1), "2 n exp(2 x)"),
    "rows and columns": (lambda q: total(tf.exp(q.x) + q.M, 0), "2 n² exp(2 x)"),
    "a matrix": (lambda q: q.M * total(q.x**2), "8 ‖M‖_F² x"),
}


@pytest.mark.filterwarnings("ignore::symtape.SizeWarning")
@pytest.mark.parametrize("name", ROWS_REPEATED)
def test_what_a_jacobian_repeats_is_counted_in_derivatives_of_it(name: str) -> None:
    """As it is for gradients; what is counted and a number are a sum."""
    f, text = ROWS_REPEATED[name]
    outer, other = of_jacobian(f), Leaves(5, 6)
    found = outer(Q)
    assert found.text(sizes="symbolic") == text
    names = [*found.sizes]
    got = found.lambdify(names, sizes="any")(*[getattr(other, name) for name in names])
    np.testing.assert_allclose(got, outer(other), rtol=1e-12)


NUMBERS = [
    10_000,
    20_000,
    12_000,
    44_100,
    65_535,
    86_400,
    96_485,
    10**5,
    10**6,
    5 * 10**7,
    299_792_458,
]


@pytest.mark.parametrize("number", NUMBERS)
def test_large_numbers_of_a_person_are_no_sizes(number: int) -> None:
    """Neither alone nor near the sum of two sizes."""
    with tf.GradientTape() as tape:
        y = total(matvec(Q.M, Q.x) ** 2) * (number / 2)
    found = tape.gradient(y, Q.M)
    assert found.text(sizes="symbolic") == f"{number} M x xᵀ"
    assert sp.Integer(number) in found.index_expr(sizes="symbolic").atoms(sp.Integer)


LAPLACIANS: dict[str, Any] = {
    "‖x‖": (lambda v: tf.norm(v), "(n - 1) / ‖x‖", "(m n - 1) / ‖M‖_F"),
    "1/‖x‖": (lambda v: 1 / tf.norm(v), "(3 - n) / ‖x‖³", "(3 - m n) / ‖M‖_F³"),
    "log ‖x‖": (lambda v: tf.math.log(tf.norm(v)), "(n - 2) / ‖x‖²", "(m n - 2) / ‖M‖_F²"),
    "‖x‖⁶": (lambda v: total(v * v) ** 3, "6 ‖x‖⁴ (4 + n)", "6 ‖M‖_F⁴ (4 + m n)"),
    "a Gaussian": (
        lambda v: tf.exp(-total(v * v)),
        "2 exp(-‖x‖²) (2 ‖x‖² - n)",
        "2 exp(-‖M‖_F²) (2 ‖M‖_F² - m n)",
    ),
    "‖x xᵀ‖²": (
        lambda v: total(
            tf.matmul(v2 := tf.reshape(v, (v.shape[0], -1)), v2, transpose_b=True) ** 2
        ),
        "4 ‖x‖² (2 + n)",
        "4 ‖M‖_F² (1 + m + n)",
    ),
}
"""f'' + (n - 1) f' / r for functions of r, Evans, Partial Differential Equations, 2.2.1."""


def laplacian(f: Any, v: Any) -> Any:
    """Take the trace of a Hessian within a third block, so that it has a formula."""
    with tf.GradientTape() as third:
        third.watch(v)
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                y = f(v)
            g = inner.gradient(y, v)
        hessian = outer.jacobian(g, v)
        return tf.einsum("ii" if len(v.shape) == 1 else "ijij", hessian)


@pytest.mark.filterwarnings("ignore::symtape.SizeWarning")
@pytest.mark.parametrize("name", LAPLACIANS)
def test_traces_count_what_they_sum(name: str) -> None:
    """The trace of a Hessian has the number of variables in it, for any number of them."""
    f, of_a_vector, of_a_matrix = LAPLACIANS[name]
    assert laplacian(f, Q.x).text(sizes="symbolic") == of_a_vector
    assert laplacian(f, Q.M).text(sizes="symbolic") == of_a_matrix
    found, other = laplacian(f, Q.M), Leaves(5, 6)
    entry = found.index_expr(sizes="symbolic")
    assert_entry_holds(entry, found, laplacian(f, other.M), {"M": other.M})


@pytest.mark.filterwarnings("ignore::symtape.SizeWarning")
@pytest.mark.slow
@pytest.mark.parametrize("names", batches(some([*REFERENCES], 64, 5), 8), ids=lambda x: x[0])
def test_entries_of_references_hold_at_other_sizes(names: list[str]) -> None:
    """What is recorded at one size gives the numbers at another one, entry by entry."""

    def judge(name: str) -> None:
        reference = REFERENCES[name]
        sizes = ((3, 2), (4, 3)) if reference.is_of_any_size else ((3, 2),)
        kept = [Leaves(n, m, reference.symmetric) for n, m in sizes]
        first, *others = [derived(reference, leaves) for leaves in kept]
        try:
            entry = first.index_expr(sizes="symbolic")
        except (tf.SymtapeError, NotImplementedError):
            return
        for tensor, leaves in zip((first, *others), kept, strict=True):
            assert_entry_holds(entry, first, tensor, vars(leaves))

    all_hold(judge, names)


def assert_entry_holds(
    entry: Any, first: Any, tensor: Any, leaves: dict[str, Any] | None = None
) -> None:
    """Assert that the entry that was read from one tensor has the 30 digits of another one."""
    own = {symbol.name: leaf for symbol, leaf in tensor.leaves.items()}
    values = {name: np.asarray(leaf) for name, leaf in (leaves or own).items()}
    letters = {}
    for name, shape in first.sizes.items():
        letters |= dict(zip(shape, values[name].shape, strict=True))
    at = {s: letters[s.name] for s in entry.free_symbols if s.name in letters}
    taken = {*values, *map(str, letters)}
    rows = [sp.Symbol(c, integer=True) for c in LETTERS if c not in taken]
    wanted, close = truth(tensor, values)
    for place in np.argwhere(np.isfinite(tensor.numpy())):
        found = number(entry, values, {**at, **dict(zip(rows, place, strict=False))})
        assert_close(entry, found, wanted[tuple(place)], close)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["gradient", "jacobian"])
@pytest.mark.parametrize("seeds", batches(range(200 if ALL else 2), 4), ids=lambda s: str(s[0]))
def test_parts_of_vectors_are_those_of_longer_ones(kind: str, seeds: list[int]) -> None:
    """What is recorded of some elements gives the derivative of more, and the same formula."""

    def judge(seed: int) -> None:
        (first, own), (other, leaves) = [sliced(seed, n, kind) for n in (16, 19)]
        if first is None:
            return
        asked = ["x", *[str(s) for s in first.leaves if str(s) != "x"]]
        if "x" in map(str, first.leaves):
            found = first.lambdify(asked, sizes="any")(*[leaves[name] for name in asked])
            np.testing.assert_allclose(found, other.numpy(), rtol=1e-9, atol=1e-12)
        with contextlib.suppress(tf.NoMatrixFormError):  # what has no notation is refused
            assert first.text(sizes="symbolic") == other.text(sizes="symbolic")
        with contextlib.suppress(UnsupportedError, tf.ExpansionError):
            entry = first.index_expr(sizes="symbolic")
            if kind == "gradient":
                assert_entry_holds(entry, first, first, own)
                assert_entry_holds(entry, first, other, leaves)

    all_hold(judge, seeds)


def sliced(seed: int, n: int, kind: str) -> Any:
    """Derive a random function of parts of vectors; give its leaves, too."""
    rng = np.random.default_rng([seed, n])
    leaves = {
        name: tf.Variable(rng.uniform(0.2, 0.9, size), name=name, dtype=tf.float64)
        for name, size in (("x", n), ("y", n - 1))
    }
    with tf.GradientTape() as tape:
        made = Sliced(seed, is_scalar=kind == "gradient")(*leaves.values())
    return getattr(tape, kind)(made, leaves["x"]), leaves


@pytest.mark.parametrize(
    "seeds", batches(range(10_000 if ALL else 200), 100), ids=lambda s: str(s[0])
)
def test_no_axes_are_one_that_need_not_be(seeds: list[int]) -> None:
    """NumPy computes a program at other sizes, and fails where one of the merged axes differs."""

    def judge(seed: int) -> None:
        program, last, _, values = random_program(seed, 4, (2, 3))
        kinds = {type(program.steps[p][0]) for p in program.ancestors([last])}
        is_whole = any(v.dtype.kind in "iu" for v in values.values())  # places of a fixed number
        if is_whole or Recurrence in kinds:  # a recurrence reads as many places as the first has
            return
        with contextlib.suppress(UnsupportedError):
            assert_merges(program, last, values, np.random.default_rng(seed))

    all_hold(judge, seeds)


def assert_merges(program: Any, last: int, values: dict[int, Any], rng: Any) -> None:
    """Assert that free sizes can be other numbers, each at once on all axes that have it."""
    sizes = Sizes(program, last)
    free = sizes.free()
    numbers = {root: 4 + k for k, root in enumerate(free)}
    made, place, _ = resized(sizes, numbers)
    leaves = {p: place[p] for p in sizes.steps if type(program.steps[p][0]) is Input}
    position = place[last]
    given = {
        leaves[p]: rng.uniform(0.3, 1.3, made.shapes[leaves[p]]) for p in leaves if p in values
    }
    (found,) = QUIET.run(interpret, made, given, [position])
    assert np.shape(found) == made.shapes[position]
    sliced = whole_axes(sizes)
    for root in free:
        own = [(p, k) for p in leaves for k, size in enumerate(sizes.sizes(p)) if size.root == root]
        if len(own) < 2 or root in sliced:
            continue
        for p, k in own:
            shape = list(np.shape(given[leaves[p]]))
            shape[k] += 1
            changed = {**given, leaves[p]: rng.uniform(0.3, 1.3, shape)}
            with pytest.raises((ValueError, IndexError, np.linalg.LinAlgError)):
                QUIET.run(interpret, made, changed, [position])


def whole_axes(sizes: Sizes) -> set[Any]:
    """Give the sizes of axes of which a slice takes the whole: NumPy's takes as many of more."""
    found = set()
    for p in sizes.steps:
        operation, *operands = sizes.program.steps[p]
        if type(operation) is Slice:
            lead = len(sizes.shape(p)) - len(operation.ranges)
            axes = [(operands[0], lead + k) for k in range(len(operation.ranges))]
            found |= {sizes.root(axis) for axis in axes}
    return found


def test_functions_of_any_size() -> None:
    """A compiled formula takes other sizes, once for each, and counts what it is given."""
    found = gradient(FORMULAS["mean squared error"][0])
    f = found.lambdify(["M", "x", "y"], sizes="any")
    rng = np.random.default_rng(0)
    for m, n in ((4, 3), (6, 2), (3, 5), (6, 2), (1, 4), (2, 1)):
        M, x, y = rng.normal(size=(m, n)), rng.normal(size=n), rng.normal(size=m)
        np.testing.assert_allclose(f(M, x, y), 2 * M.T @ (M @ x - y) / m, rtol=1e-12)
    assert f.at(np.ones((6, 2)), np.ones(2), np.ones(6)) is f.at(
        np.ones((6, 2)), [1, 1], np.ones(6)
    )
    again = pickle.loads(pickle.dumps(f))
    np.testing.assert_array_equal(again(np.ones((6, 2)), np.ones(2), np.zeros(6)), [4, 4])


def test_code_counts_the_entries_of_several_axes() -> None:
    """The ones beside a matrix in a column are as many as it has entries."""
    x = tf.Variable(np.ones((2, 3)), name="H")
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = tf.reduce_mean(tf.math.softplus(x))
        slope = inner.gradient(y, x)
    found = outer.jacobian(slope, x).text("python", sizes="symbolic")
    assert found.count("ones((m * n, 1))") == 1
    assert not re.search(r"\d{4}", found)


def of_bands(y: Any, taken: Any) -> Any:
    """Sum a function of all entries of a Jacobian, whose zeros count, too."""
    with tf.GradientTape() as tape:
        tape.watch(y)
        with tf.GradientTape() as inner:
            inner.watch(y)
            z = taken(y)
        z = total(tf.exp(inner.jacobian(z, y) / 11)) * total(y**2)
    return tape.gradient(z, y)


def test_derivatives_inside_of_a_computation_are_not_guessed() -> None:
    """A Jacobian that was summed has as many entries as its target and its source say."""
    found = of_bands(Q.y, lambda y: 9 * (y[1:] - y[:-1]))
    assert found.text(sizes="symbolic") == "2 (𝟏ᵀ exp(9 (I[1:n] - I[0:n - 1]) / 11) 𝟏) y"
    other = Leaves(6, 2).x
    got = found.lambdify(["y"], sizes="any")(other)
    np.testing.assert_allclose(got, of_bands(other, lambda y: 9 * (y[1:] - y[:-1])), rtol=1e-12)
    found = of_bands(Q.y, lambda y: y[::2])
    with pytest.raises(tf.NoMatrixFormError, match="axis 0 of y is 4 long, since slice has it"):
        found.text(sizes="symbolic")
    with pytest.raises(tf.PathConditionError, match="slice has it"):
        found.lambdify(["y"], sizes="any")(np.ones(6))
    with tf.GradientTape() as tape:
        unused = total(Q.a[::2] ** 2)
        z = total(Q.x[1:] ** 2) + unused
    assert tape.gradient(z, Q.x).text(sizes="symbolic") == "2 I[1:n]ᵀ x[1:n]"


def test_files_have_one_choice_of_sizes(tmp_path: Any) -> None:
    """A function of any size says how it is written to a file; that of some sizes is."""
    f = gradient(FORMULAS["differences"][0]).lambdify(["x"], sizes="any")
    path = str(tmp_path / "f.py")
    for write, words in (
        (f.to_json, r"f\.at\(x\)\.to_json\(\)"),
        (lambda: f.save(path), r"f\.at\(x\)\.save"),
        (lambda: f.export(path), r"f\.at\(x\)\.export"),
        (lambda: tf.save(f, path), "one choice of sizes"),
        (lambda: tf.to_json(f), "one choice of sizes"),
    ):
        with pytest.raises(UnsupportedError, match=words):
            write()
    x = np.arange(5.0) ** 2
    again = tf.from_json(f.at(x).to_json())
    np.testing.assert_array_equal(again(x), f(x))


SPACES = {
    "sizes": (
        lambda: gradient(FORMULAS["mean squared error"][0]),
        {"sizes": "symbolic"},
        r"M \in \mathbb{R}^{m \times n},\quad x \in \mathbb{R}^{n},\quad y \in \mathbb{R}^{m}",
    ),
    "numbers": (
        lambda: gradient(FORMULAS["mean"][0]),
        {},
        r"\frac{1}{3} a \quad\text{where}\quad x \in \mathbb{R}^{3},\quad a \in \mathbb{R}^{3}",
    ),
    "one less": (
        lambda: gradient(FORMULAS["one less"][0]),
        {"sizes": "symbolic", "form": "index"},
        r"x \in \mathbb{R}^{n},\quad p \in \mathbb{R}^{n - 1}",
    ),
    "an environment": (
        lambda: gradient(FORMULAS["turned round"][0]),
        {"sizes": "symbolic", "environment": "align"},
        "\\\\\n" + r"&\text{where}\quad x \in \mathbb{R}^{n}",
    ),
}


@pytest.mark.filterwarnings("ignore::symtape.SizeWarning")
@pytest.mark.parametrize("name", SPACES)
def test_latex_says_where_leaves_lie(name: str) -> None:
    """The spaces of leaves stand behind the formula, in letters or numbers."""
    make, options, text = SPACES[name]
    assert text in make().latex(spaces=True, **options)
    with pytest.raises(ValueError, match="spaces=True is for the forms"):
        make().latex("entries", spaces=True)


@pytest.mark.filterwarnings("ignore::symtape.SizeWarning")
def test_what_cannot_be_of_another_size_is_named() -> None:
    """Axes that must be equal, or as they were, raise with their names; defaults keep theirs."""
    f = gradient(FORMULAS["mean squared error"][0]).lambdify(["x"], sizes="any")
    with pytest.raises(
        tf.PathConditionError,
        match=r"axis \d of . is \d long and axis \d of . is \d",
    ):
        f(np.ones(5))
    with pytest.raises(ValueError, match="recorded for"):
        f(np.ones((3, 1)))
    sliced = gradient(lambda: total(Q.x[::2] ** 2)).lambdify(["x"], sizes="any")
    with pytest.raises(tf.PathConditionError, match="has to be 3 long, since slice has it"):
        sliced(np.ones(4))
    with tf.GradientTape() as tape:
        inner = total(Q.y[1:-1] ** 2)
    ends = tape.gradient(inner, Q.y).lambdify(["y"], sizes="any")
    np.testing.assert_array_equal(ends(np.ones(2)), [0, 0])
    with pytest.raises(tf.PathConditionError, match="takes more elements than there are"):
        ends(np.ones(1))
    two = gradient(lambda: total(Q.x[:2] ** 2)).lambdify(["x"], sizes="any")
    with pytest.raises(tf.PathConditionError, match="an axis of 1 has no places from 0 to 1"):
        two(np.ones(1))
    apart = gradient(FORMULAS["one less"][0]).lambdify(["x", "p"], sizes="any")
    with pytest.raises(tf.PathConditionError, match="and the first has to be 1 shorter"):
        apart(np.ones(5), np.ones(3))
    pairs = [(n, m) for n in range(2, 6) for m in range(2, 6)]
    for order in (["x", "p"], ["p", "x"]):
        run = gradient(FORMULAS["one less"][0]).lambdify(order, sizes="any")
        fitting = []
        for sizes in pairs:
            with contextlib.suppress(tf.PathConditionError):
                run(*[np.ones(n) for n in sizes])
                fitting.append(sizes)
        assert fitting == [(n, m) for n, m in pairs if (m - n) == (-1 if order[0] == "x" else 1)]
    ones = gradient(lambda: total(Q.x * Q.s)).lambdify(["x", "s"], sizes="any")
    np.testing.assert_array_equal(ones(np.ones(3), 2.0), [2, 2, 2])
    np.testing.assert_array_equal(ones(np.ones(4), 2.0), [2, 2, 2, 2])
    untold = gradient(lambda: total(Q.x) * total(Q.y)).lambdify(["y"], sizes="any")
    with pytest.raises(tf.PathConditionError, match=r"an axis of \d that no argument tells"):
        untold(np.ones(5))
    wide = gradient(lambda: total(Q.x + tf.zeros([4, 3], tf.float64))).lambdify(["x"], sizes="any")
    with pytest.raises(tf.PathConditionError, match="an axis of 4 that no argument tells"):
        wide(np.ones(5))
    counted = gradient(lambda: total(Q.x**2) / tf.cast(tf.size(Q.x), tf.float64))
    np.testing.assert_allclose(counted.lambdify(["x"], sizes="any")(np.ones(4)), np.ones(4) / 2)
    unnamed = gradient(lambda: total(Q.x**2) / tf.reduce_sum(tf.constant([1.0, 2.0], tf.float64)))
    f = unnamed.lambdify(["x"], sizes="any")
    np.testing.assert_allclose(f(np.ones(3)), 2 / 3 * np.ones(3))
    with pytest.raises(tf.PathConditionError, match="keeps the value that was recorded"):
        f(np.ones(4))
    with pytest.raises(ValueError, match="unknown sizes 'all'"):
        gradient(lambda: total(Q.x)).lambdify(sizes="all")


@pytest.mark.parametrize("seeds", batches(range(3000 if ALL else 60), 30), ids=lambda s: str(s[0]))
def test_derivatives_at_other_sizes_are_those_of_the_program_there(seeds: list[int]) -> None:
    """A gradient that is made again for other sizes is the gradient of what is made again."""

    def judge(seed: int) -> None:
        program, last, inputs, values = random_program(seed, 4, (2, 3))
        if any(v.dtype.kind in "iu" for v in values.values()):
            return
        derived = differentiated(program, [last], [(p,) for p in inputs])
        for p, o in zip(inputs, derived.outputs, strict=True):
            if o is not None:
                with contextlib.suppress(UnsupportedError):
                    assert_gradient(derived.program, last, p, o, values)

    all_hold(judge, seeds)


def assert_gradient(program: Any, last: int, p: int, o: int, values: dict[int, Any]) -> None:
    """Assert that a gradient at other sizes is that of the program at these sizes."""
    sizes = Sizes(program, last, o, p)
    if sizes.loose() or [*sizes.unknown(sizes.own)]:
        return
    numbers = {root: 4 + k for k, root in enumerate(sizes.free())}
    made, place, _ = resized(sizes, numbers)
    rng = np.random.default_rng(len(program.steps))
    given = {
        place[q]: rng.uniform(0.3, 1.3, made.shapes[place[q]]) for q in sizes.steps if q in values
    }
    (own,) = differentiated(made, [place[last]], [(place[p],)]).outputs
    whole = differentiated(made, [place[last]], [(place[p],)])
    (expected,) = QUIET.run(interpret, whole.program, given, [own])
    (found,) = QUIET.run(interpret, made, given, [place[o]])
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


def test_a_number_that_counts_an_image_is_told() -> None:
    """Twelve may be the elements of an image of 2 by 2 pixels of three colours."""
    x = tf.constant(np.ones((2, 2, 3)), name="x")
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(x**2.0) / 12.0
    with pytest.warns(tf.SizeWarning, match="the number 12"):
        tape.gradient(y, x).lambdify(sizes="any")


JOINED = {
    "two vectors": ("xy", lambda b, x, y: b.sum(b.join(x, y) ** 2)),
    "twice the same": ("x", lambda b, x: b.sum(b.join(x, 2 * x) ** 3)),
    "a mean": ("xy", lambda b, x, y: b.sum(b.join(x, y) ** 2) / b.count(b.join(x, y))),
    "neighbours": ("xy", lambda b, x, y: b.sum(b.join(x, y)[1:] * b.join(x, y)[:-1])),
    "in both orders": ("xy", lambda b, x, y: b.sum(b.join(x, y) * b.join(y, x) ** 2)),
    "joined once more": ("xy", lambda b, x, y: b.sum(b.join(b.join(x, y), x * x) ** 2)),
    "a part of a number": ("xy", lambda b, x, y: b.sum(b.join(x, y)[1:4] ** 2)),
}
"""Functions of arrays that are joined, of the leaves that they have."""


class Arrays:
    """NumPy's functions by the names of `JOINED`."""

    sum, count = staticmethod(np.sum), staticmethod(len)
    join = staticmethod(lambda *parts: np.concatenate(parts))


class Tensors:
    """Those of tensors."""

    sum = staticmethod(tf.reduce_sum)
    join = staticmethod(lambda *parts: tf.concat(parts, 0))
    count = staticmethod(lambda x: tf.cast(tf.size(x), x.dtype))


@pytest.mark.parametrize("sizes", [(2, 5), (6, 6), (5, 2)], ids=str)
@pytest.mark.parametrize("name", JOINED)
def test_joined_axes_are_as_long_as_their_parts(name: str, sizes: tuple[int, int]) -> None:
    """Recorded with three and four, or three and three, the function takes other numbers."""
    letters, f = JOINED[name]
    at = dict(zip(letters, [np.linspace(0.5, 1.5, n) for n in sizes], strict=False))
    expected = np.zeros(sizes[0])
    for k, step in enumerate(1e-5 * np.eye(sizes[0])):
        ends = [f(Arrays, **{**at, "x": at["x"] + s}) for s in (step, -step)]
        expected[k] = (ends[0] - ends[1]) / 2e-5
    for recorded in ((3, 4), (3, 3)):
        xs = {v: tf.Variable(np.ones(n), name=v) for v, n in zip(letters, recorded, strict=False)}
        with tf.GradientTape() as tape:
            y = f(Tensors, **xs)
        found = tape.gradient(y, xs["x"]).lambdify([*xs.values()], sizes="any")
        np.testing.assert_allclose(found(*at.values()), expected, rtol=1e-7)


def test_joined_axes_that_something_else_tells_stay() -> None:
    """Nobody can solve n + m = p; and no letter says n + m, so that there is no text."""
    x, y, z = (tf.Variable(np.ones(n), name=v) for v, n in (("x", 3), ("y", 4), ("z", 7)))
    with tf.GradientTape(persistent=True) as tape:
        told = total(tf.concat([x, y], 0) * z)
        others = total(tf.concat([x, y, y], 0) * tf.concat([x, x, x, x[:2]], 0))
        free = total(tf.concat([x, y], 0) ** 2)
    for one, shapes in ((told, [(2,), (4,), (6,)]), (others, [(2,), (4,)])):
        f = tape.gradient(one, x).lambdify([x, y, z][: len(shapes)], sizes="any")
        with pytest.raises(tf.errors.PathConditionError, match="concat has it"):
            f(*map(np.ones, shapes))
    with pytest.raises(tf.errors.NoMatrixFormError, match="concat has it"):
        tape.gradient(free, x).text(sizes="symbolic")
