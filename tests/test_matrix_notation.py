"""Matrix notation: what books print, at several sizes, and numbers to 30 digits."""

from __future__ import annotations

import contextlib
import itertools
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
import sympy as sp
from scipy import special

import symtape as tf
from symtape.calculus.derive import gradient
from symtape.forms.matrix.form import MatrixForm
from symtape.forms.matrix.printers import printing, words
from symtape.forms.matrix.reading import reader
from symtape.forms.matrix.writing.shortening import Shortening
from tests.cases import CASES, Case
from tests.compiled import recorded
from tests.gallery import PAGE, formulas
from tests.lengths import measure
from tests.matrix_numbers import assert_form_holds, assert_holds, column, inside
from tests.programs import random_program
from tests.references import REFERENCES, Leaves, derived
from tests.references.elements import ELEMENTS
from tests.references.mechanics import MECHANICS
from tests.references.room import dot, inv
from tests.sampling import ALL, all_hold, batches, some
from tests.told.forms import RULES, with_gradient

RARE = """
vec|Fresnel's integral, twice|trace of an exponential|largest entries of rows
MC 65 sum of eigenvalues|standard deviation|Lorenz|one entry of each row
MC 60 entry of an inverse|logdet(diag(x))|a turned vector|cholesky logdet|relativistic energy
a part of a matrix|square root of a matrix|moment of inertia, twice|a turn by its angle|a median
MC 62 det X⁻¹|MC 58 det X³|MC 64, tr (X+A)⁻¹|Wishart by X (Muirhead 3.2)|Langevin's function
whitened by a Cholesky factor|triangle of a QR decomposition|inv(A)*x Jacobian|sum(log(A*X))
Lennard-Jones force|logdet(A+sB) by s|Gamma shape
attention that fits targets, with a maximum taken off|cross entropy of the scores of attention
softmax of each column|divergence of normals by S (Kullback)
evidence by its noise (Rasmussen and Williams 5.9)|binary cross entropy
weights packed in a vector|MC 125
multivariate t (Kotz and Nadarajah)
Fermi|exponential of a matrix
area of a triangle by a corner|area of a parallelogram of rows|a unit normal|two cross products
gamma at a strike of 100|direction by its concentration (von Mises)
a count that is zero, by its rate (Lambert 1992)
chains in a solvent, twice (Flory 1942; Huggins 1941)
distance in a ball (Nickel and Kiela 2017)|divergence of two coins by the first
counts that were expected (Pearson 1900)|a grade between two cuts (McKelvey and Zavoina 1975)
decay of a price of a currency (Garman and Kohlhagen 1983)
what is seen of a linear system, by time (Kailath 1980)
errors of any tail by their scale (Subbotin 1923)|response to a dose (Hill 1910)
""".replace("\n", "|")
"""Forms of which few are alike: parts of the reader and of the printers run for them alone."""

SHOWN = [n for n in REFERENCES if n in some([*REFERENCES], 20) or f"|{n}|" in RARE]
SIZES = ((3, 2), (4, 3))
TWICE = {*some([*REFERENCES], 40)}
"""What is printed at both sizes."""


@pytest.mark.parametrize("names", batches(SHOWN, 8), ids=lambda names: names[0])
def test_a_derivative_is_printed_as_in_books(names):
    """The text is the reference's, or one that is no longer, whatever the size."""

    def judge(name: str) -> None:
        reference = REFERENCES[name]
        for n, m in SIZES if reference.is_of_any_size and name in TWICE else SIZES[:1]:
            leaves = Leaves(n, m, reference.symmetric)
            found = derived(reference, leaves)
            if (n, m) == (3, 2):
                shown = formulas(reference, found)
                assert shown in PAGE.read_text("utf-8"), "python -m tests.gallery --update"
            assert found.text(symmetric=[*reference.symmetric]) == reference.text
        assert measure(reference.text) <= measure(reference.book or reference.text)

    all_hold(judge, names)


def test_a_root_of_what_is_not_negative_has_no_angle():
    """The real part of what is divided by a length is written without its angle, which is zero."""
    q = Leaves(3, 2)
    with tf.GradientTape() as tape:
        y = tf.math.real(tf.sign(tf.complex(q.s, q.t)))
    found = tape.gradient(y, q.s)
    assert found.text() == "[√(s² + t²) ≠ 0] (1 - re(sign(s + \u2148 t))²) / √(s² + t²)"
    assert_holds(found, np.random.default_rng(2))


@pytest.mark.parametrize(
    ("function", "text"),
    [
        (tf.linalg.logm, "re(logm(A))"),
        (tf.linalg.sqrtm, "re(sqrtm(A))"),
    ],
)
def test_the_logarithm_and_the_root_of_a_real_matrix_may_be_complex(function, text):
    """Where an eigenvalue is negative; so what a program takes of them, their real part, stays."""
    a = tf.Variable([[2.0, 0.0], [0.0, -1.0]], name="A", dtype=tf.float64)
    x = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="X", dtype=tf.float64)
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(x * tf.math.real(function(tf.cast(a, tf.complex128))))
    found = tape.gradient(y, x)
    assert found.text() == text
    rng = np.random.default_rng(2)
    for _ in range(4):
        assert_holds(found, rng)


def test_a_sum_whose_scale_is_half_of_a_sum_has_a_form():
    """The area of a triangle by a corner: what is taken out is taken out once."""
    q = Leaves(3, 2)
    with tf.GradientTape() as tape:
        y = tf.norm(tf.linalg.cross(q.x - q.a, q.x - q.b)) / 2
    assert_holds(tape.gradient(y, q.x), np.random.default_rng(2))


def test_the_work_for_indexed_elements_is_linear(monkeypatch: pytest.MonkeyPatch):
    """Of a sum, what has one unit vector is looked at for it, and not all that came before."""
    original, calls = sp.Basic._xreplace, []
    monkeypatch.setattr(
        sp.Basic, "_xreplace", lambda *operands: (calls.append(1), original(*operands))[1]
    )
    counts = []
    for n in (20, 40, 80):
        x = tf.Variable(np.linspace(0.1, 1, n), name="x")
        with tf.GradientTape() as tape:
            y = sum((k + 1) * x[k] ** 2 for k in range(n))
        calls.clear()
        assert tape.gradient(y, x).text().startswith("2 [x[0]; 2 x[1]; 3 x[2]; ")
        counts.append(len(calls))
    assert counts[2] < 2.5 * counts[1] < 6.25 * counts[0]


def test_a_row_of_truths_that_is_denied_has_no_brackets():
    """¬bᵀ has one meaning."""
    b = tf.constant([True, False, True], name="b")
    x = tf.Variable(np.ones((2, 3)), name="x")
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.nn.softmax(tf.where(b, x, -5.0)) * x)
    assert "𝟏 [¬b]ᵀ)" in tape.gradient(y, x).text()


def test_what_a_sum_has_in_common_is_taken_out_once():
    """SymPy cancels no b**(-s - 1) by b**(s + 1), as in Clayton's copula, derived by s."""
    at = {"u": 0.3, "v": 0.6, "s": 1.4}
    u, v, s = (tf.Variable(a, name=n, dtype=tf.float64) for n, a in at.items())
    with tf.GradientTape() as tape:
        whole = u**-s + v**-s - 1
        y = tf.math.log((1 + s) * (u * v) ** (-s - 1) * whole ** (-2 - 1 / s))
    found = tape.gradient(y, s)
    assert found.text() == (
        "1 / (1 + s) + (2 + 1/s) (log(u)/u^s + log(v)/v^s) / (1/u^s + 1/v^s - 1) "
        "+ log(1/u^s + 1/v^s - 1) / s² - log(u v)"
    )
    assert_holds(found, np.random.default_rng(3))


@pytest.mark.slow
@pytest.mark.parametrize(
    "names", batches(some([*REFERENCES], 40, 5), 8), ids=lambda names: names[0]
)
def test_what_books_print_holds(names):
    """The printed form has the value of the program, to 30 digits, at two sizes."""

    def judge(name: str) -> None:
        reference = REFERENCES[name]
        rng = np.random.default_rng(len(name))
        for n, m in ((3, 2), (2, 2)) if reference.is_of_any_size else SIZES[:1]:
            leaves = Leaves(n, m, reference.symmetric)
            assert_holds(derived(reference, leaves), rng, reference.symmetric)

    all_hold(judge, names)


def sympys(tensor: Any, rng: np.random.Generator) -> tuple[Any, Any]:
    """Put numbers into SymPy's matrix expression; give what it is, and what the program gives."""
    formula = tensor.formula
    values = inside(formula, rng)
    known: dict[Any, Any] = {}
    for p, name in formula.names.items():
        rows = column(values[p])
        if np.ndim(values[p]):
            rows = [[sp.Float(str(x), 30) for x in row] for row in rows]
            known[sp.MatrixSymbol(name, len(rows), len(rows[0]))] = sp.ImmutableMatrix(rows)
        else:
            known[sp.Symbol(name)] = sp.Float(str(rows), 30)
    found = sp.sympify(tensor.matrix_expr).xreplace(known).doit()
    leaves = [formula.names[p] for p in values]
    function = tensor.lambdify(leaves, check=False)
    return found, function(*values.values())


NOT_BY_SYMPY = {
    "softmax", "entropy of a softmax", "Cox partial of all", "focal loss of labels (Lin 2017)",
    "what is both triangles", "a diagonal of more rows than columns",
    "place of an arm's hand by its joints (Siciliano 3.2)",
    "Hessian of log sum exp", "MC 130, (x-a)/‖x-a‖", "attention scores",
    "det(A+sI) by s", "tr(inv(A+sI)) by s", "MC diag: tr(A diag(x))", "hinge", "gaussian process",
    "check loss (Koenker and Bassett 1978)", "robust loss by its threshold (Huber 1964)",
    "trace of an exponential", "trace of an exponential and its matrix", "exponential of a matrix",
    "square root of a matrix",
    "triangle of a QR decomposition", "sum of squares of a softmax, twice",
    "multinomial logit, twice (Boyd and Vandenberghe 3.1.5)", "relaxed choice (Jang 2017)",
    "Lorentz factor, twice", "relativistic momentum (Goldstein)",
    "a phase is retrieved (Fienup 1982)",
    "in order", "squares in order", "a median", "the entry that is largest",
    "compressible neo-Hookean (Bonet and Wood 6.4)", "isochoric neo-Hookean (Holzapfel 6.5)",
    "equivalent stress (von Mises 1913)", "a power of a determinant",
    "fitted values by least squares", "smallest eigenvalue of a lower triangle",
    "largest entries of rows", "weights packed in a vector", "sum of singular values by a root",
    "regression of a quantile, of any level (Koenker and Bassett 1978)",
    "what is seen of a linear system, by time (Kailath 1980)",
} | {name for name, row in REFERENCES.items() if row.symmetric}  # fmt: skip
"""What SymPy takes minutes for, does not compute, or has no node for, and what is symmetric."""


NODES = """
one entry of each row|vec|MC 132, ‖X‖²|relu layer|Lorentz force by the velocity (Jackson 6.1)
a turned vector|lasso smooth part|logdet(diag(x))|standard deviation|inv(A)*x Jacobian
what is above the diagonal, weighed|another diagonal above the first
a turn by its angle|MC 105 tr A⊗X|MC 62 det X⁻¹|MC 64, tr (X+A)⁻¹|MC 60 entry of an inverse
""".replace("\n", "|")
"""References whose nodes of SymPy's few others have."""
OF_SYMPY = [*some(sorted(set(REFERENCES) - NOT_BY_SYMPY), 30)]
OF_SYMPY += [n for n in REFERENCES if f"|{n}|" in NODES and n not in OF_SYMPY]


@pytest.mark.parametrize("name", OF_SYMPY)
def test_sympys_matrix_expression_has_the_same_value(name):
    """It is made of SymPy's nodes alone, and its explicit entries are those of the program."""
    reference = REFERENCES[name]
    has_three = name in {*ELEMENTS, *MECHANICS} or not reference.is_of_any_size
    leaves = Leaves(3 if has_three else 2, 2)
    found, wanted = sympys(derived(reference, leaves), np.random.default_rng(1))
    entries = (found.as_explicit() if isinstance(found, sp.MatrixExpr) else found).doit()
    array = np.array(
        sp.Matrix([entries]).evalf().tolist()
        if np.ndim(wanted) == 0
        else sp.Matrix(entries).evalf().tolist(),
        float,
    )
    np.testing.assert_allclose(array.reshape(np.shape(wanted)), wanted, rtol=1e-9, atol=1e-10)


def test_what_exponentials_are_divided_by_cancels_in_a_long_formula():
    """The gradient by x of any function of p = softmax(x) is p ⊙ (h - (pᵀ h) 𝟏)."""
    x = tf.Variable([0.5, -0.5, 1.5], dtype=tf.float64, name="x")
    with tf.GradientTape() as tape:
        p = tf.nn.softmax(x)
        z = tf.tanh(p) * p
        y = tf.reduce_sum(tf.exp(z) * z**2)
    found = tape.gradient(y, x)
    assert "𝟏ᵀ exp" not in found.text()
    assert_holds(found, np.random.default_rng(2))


def test_a_scalar_is_added_to_each_entry_by_a_column_of_ones():
    """SymPy adds no number to a matrix: x + aᵀb is x + (aᵀb) 𝟏."""
    q = Leaves(2, 2)
    with tf.GradientTape() as tape:
        y = dot(q.x, q.x) / 2 + dot(q.a, q.b) * tf.reduce_sum(q.x)
    found, wanted = sympys(tape.gradient(y, q.x), np.random.default_rng(1))
    np.testing.assert_allclose(np.ravel(np.array(found.as_explicit(), float)), wanted, rtol=1e-12)


@pytest.mark.slow
def test_entries_at_their_places_are_not_collected_one_by_one():
    """A function of eight entries has its gradient in less than a second, entry by entry."""
    x = tf.Variable(np.linspace(0.5, 2.0, 8), name="x")
    with tf.GradientTape() as tape:
        y = sum((x[k + 1] - x[k] ** 2) ** 2 + (1 - x[k]) ** 2 for k in range(7))
    inner = [f"2 x[{k}] + 2 x[{k}] (x[{k}]² - x[{k + 1}]) - 1 - x[{k - 1}]²" for k in range(1, 7)]
    text = "; ".join(["x[0] + 2 x[0] (x[0]² - x[1]) - 1", *inner, "x[7] - x[6]²"])
    assert tape.gradient(y, x).text() == f"2 [{text}]"


NEIGHBOURS = {
    "(A B)⁻¹ A": (lambda A, B: inv(A @ B) @ A, "B⁻¹"),
    "(A B)⁻¹ B": (lambda A, B: inv(A @ B) @ B, "(A B)⁻¹ B"),
    "A (B A)⁻¹": (lambda A, B: A @ inv(B @ A), "B⁻¹"),
    "B (B A)⁻¹": (lambda A, B: B @ inv(B @ A), "B (B A)⁻¹"),
    "(A B A)⁻¹ A": (lambda A, B: inv(A @ B @ A) @ A, "(B A)⁻¹"),
    "A (A B A)⁻¹": (lambda A, B: A @ inv(A @ B @ A), "(A B)⁻¹"),
    "(A B)⁻¹ A B": (lambda A, B: inv(A @ B) @ A @ B, "I"),
    "A⁻¹ Aᵀ": (lambda A, _: inv(A) @ tf.transpose(A), "A⁻¹ Aᵀ"),
}
"""Products with inverses of products: a factor cancels at the end where it stands, and no other."""


@pytest.mark.parametrize("name", NEIGHBOURS)
def test_a_factor_cancels_where_it_stands(name):
    """Products of matrices do not commute, and what is left has the value of the program."""
    function, text = NEIGHBOURS[name]
    leaves = Leaves(2, 2)
    with tf.GradientTape():
        y = function(leaves.A, leaves.B)
    assert y.text() == text
    assert_holds(y, np.random.default_rng(1))


SCRIPT = """
from tests.references import REFERENCES, Leaves, derived
for name in ("sum of squares of a softmax, twice", "Rayleigh quotient, twice"):
    print(derived(REFERENCES[name], Leaves(3, 2, REFERENCES[name].symmetric)).text())
"""


@pytest.mark.slow
def test_a_form_is_the_same_in_every_process():
    """The order of sets, which Python draws anew for each process, decides nothing."""
    found = {
        subprocess.run(  # noqa: S603 - our own text
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1, found


@pytest.mark.parametrize("names", batches(RULES, 6), ids=lambda names: names[0])
def test_what_the_algebra_writes_holds(names):
    """A result and its gradient have the value of their programs, or no form."""

    def judge(name: str) -> None:
        _leaves, found = with_gradient(RULES[name])
        for tensor in found:
            with contextlib.suppress(tf.NoMatrixFormError):
                assert_holds(tensor, np.random.default_rng(5))

    all_hold(judge, names)


LONG = "math.special.bessel_y1"
"""Thirty digits of its slopes take most of a minute: a case for all rows."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "case",
    some([c for c in CASES if c.inputs and (ALL or c.name != LONG)], 120, 4),
    ids=lambda case: case.name,
)
def test_what_is_written_holds(case: Case):
    """Results and gradients of every operation hold at a fresh point, or have no form."""
    xs, tape, ys, _, _ = recorded(case)
    smooth = [y for y in ys if y.dtype.is_floating]
    gradients = tape.gradient(smooth, xs) if smooth and case.order else []
    rng = np.random.default_rng(len(case.name))
    pairs = [(y, x) for y in smooth for x in xs if 2 < y.shape.rank + x.shape.rank < 5]
    jacobians = [tape.jacobian(y, x) for y, x in pairs[:2] if case.order and x.dtype.is_floating]
    for tensor in [*smooth, *[g for g in (*gradients, *jacobians) if g is not None]]:
        if not tensor.numpy().size or not np.all(np.isfinite(tensor.numpy())):
            continue
        with contextlib.suppress(tf.NoMatrixFormError, tf.NoExactFormError):
            assert_holds(tensor, rng)  # a fresh point may lie outside of the domain


@pytest.mark.slow
@pytest.mark.parametrize("seeds", batches(some(range(2000), 96), 20), ids=lambda s: str(s[0]))
def test_random_programs_hold(seeds):
    """Every step and gradient of a random program that has a form has its value."""

    def judge(seed: int) -> None:
        program, last, inputs, values = random_program(seed, 5, (1, 2, 3))
        derived = gradient(program, [last], [(p,) for p in inputs])
        outputs = [o for o in derived.outputs if o is not None]
        names = {p: f"x{p}" for p in values}
        for q in {last, *outputs}:
            if q in names or 0 in derived.program.shapes[q]:
                continue
            with contextlib.suppress(tf.NoMatrixFormError, tf.ExpansionError, tf.NoExactFormError):
                form = MatrixForm(derived.program, q, names, 2000)
                assert_form_holds(form, derived.program, q, names, values)

    all_hold(judge, seeds)


def test_rows_are_chosen_as_python_does():
    """Whatever is left out of a range, Python takes the same rows."""
    for n, first, step, count in itertools.product(
        range(2, 7), range(7), (-2, -1, 1, 2, 3), (1, 2, 3)
    ):
        places = range(first, first + step * count, step)
        if not 0 <= min(places) <= max(places) < n:
            continue
        algebra = Shortening()
        text = printing.text(algebra, algebra.selection(n, first, step, count), words.PYTHON)
        assert (eval(text, {"eye": np.eye}) == np.eye(n)[[*places]]).all(), text  # noqa: S307


def test_names_that_notation_has_are_kept_apart():
    """A leaf that is called I is not the unit matrix."""
    i = tf.Variable([[2.0, 1.0], [1.0, 3.0]], name="I")
    x = tf.Variable([1.0, 2.0], name="x")
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(x * tf.linalg.matvec(i + tf.eye(2), x))
    gradient = tape.gradient(y, x)
    assert gradient.text() == "(I + 2 𝕀 + Iᵀ) x"
    assert gradient.latex() == r"(I + 2 \mathbb{I} + I^\top) x"
    moments = tf.Variable([1.0, 2.0, 3.0], name="I_")  # which LaTeX writes as I, too
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(moments) * moments[1]
    assert tape.gradient(y, moments).latex() == (
        r"I[1] \mathbf{1} + (\mathbf{1}^\top I) \mathbb{I}[1]^\top"
    )


@pytest.mark.slow
def test_a_form_that_is_long_is_refused():
    """The number of nodes is a limit of the call; so is the depth."""
    x = e = tf.constant([0.3, 0.4])
    with tf.GradientTape() as tape:
        tape.watch(x)
        for _ in range(12):
            e = tf.tanh(e) * e + e
        y = tf.reduce_sum(e)
    gradient = tape.gradient(y, x)
    with pytest.raises(
        tf.ExpansionError, match=r"more than 20000 parts .* max_nodes=\.\.\. allows"
    ):
        gradient.text()
    with pytest.raises(tf.ExpansionError, match="more than 3 parts"):
        y.latex("matrix", max_nodes=3)


def test_functions_of_functions_are_refused_before_they_are_read(monkeypatch: pytest.MonkeyPatch):
    """What is nested too deep costs no time."""
    monkeypatch.setattr(reader, "canonical", None)
    x = y = tf.constant(0.3)
    with tf.GradientTape() as tape:
        tape.watch(x)
        for _ in range(500):
            y = tf.sin(y)
    with pytest.raises(tf.ExpansionError, match="nested more than 120 deep"):
        tape.gradient(y, x).text()


def test_differences_of_rows_have_matrices_and_are_shown_by_indices():
    """Sums of three axes are multiplied out for matrix notation, and else written as they are."""
    q = Leaves(3, 2)
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.exp(-tf.reduce_sum((q.X[:, None] - q.M) ** 2, 2)))
    slope = tape.gradient(y, q.X)
    assert slope.latex() == slope.latex("index") != slope.latex("matrix")
    assert r"\sum" in slope.latex()
    assert "X Mᵀ" in slope.text()
    assert str(slope.index_expr()) == (
        "-2*Sum((-M[k, j] + X[i, j])*exp(-Sum((-M[k, l] + X[i, l])**2, (l, 0, 2))), (k, 0, 1))"
    )


@pytest.mark.parametrize("n", [2, 6])
def test_what_is_inverted_is_written_by_matrices(n):
    """An entry of the inverse of a kernel of rows has no index notation but all of its entries."""
    q = Leaves(n, 2)
    with tf.GradientTape() as tape:
        kernel = tf.exp(-tf.reduce_sum((q.X[:, None] - q.X) ** 2, 2)) + q.s * tf.eye(
            n, dtype=q.s.dtype
        )
        y = dot(q.x, tf.linalg.matvec(inv(kernel), q.x))
    slope = tape.gradient(y, q.s)
    assert slope.latex() == slope.latex("matrix")
    assert slope.text().endswith("+ s I)⁻¹ x‖²")


def test_the_gallery_has_all_references():
    """Each has its place on the page, in the order of the tables."""
    rows = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("**")]
    assert [row.split("**")[1] for row in rows] == [*REFERENCES]


def test_a_sum_of_squares_of_complex_numbers_is_no_norm():
    """The norm of complex numbers has their conjugates, and zᵀ z has none."""
    z = tf.constant([1 + 2j, 0.5 - 1j], name="z")
    with tf.GradientTape() as tape:
        tape.watch(z)
        plain, powers = tf.reduce_sum(z * z), tf.reduce_sum(z**2)
        both = tf.reduce_sum(z * tf.math.conj(z))
    assert plain.text() == powers.text() == "zᵀ z"
    assert "‖" not in both.text()
    x = tf.constant([1.0, 2.0], name="x")
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(x * x)
    assert y.text() == "‖x‖²"


OF_TWO_PARTS = {
    "a length": (lambda c, z: tf.abs(tf.linalg.matvec(c, z)) ** 2, "xAB"),
    "a real part": (lambda c, z: tf.math.real(tf.linalg.matvec(c, z)) ** 2, "xa"),
    "an imaginary part": (lambda c, z: tf.math.imag(tf.linalg.matvec(c, z)) ** 3, "aB"),
    "of an inverse": (lambda c, z: tf.math.real(tf.linalg.matvec(inv(c), z)), "xA"),
    "a form": (lambda c, z: tf.math.real(tf.math.conj(z) * tf.linalg.matvec(c, z)), "xB"),
    "an inner product": (lambda c, z: tf.abs(tf.reduce_sum(c * z[:, None])) ** 2, "xA"),
}


@pytest.mark.parametrize("name", OF_TWO_PARTS)
def test_products_of_complex_sums_of_real_arrays_are_complex(name):
    """Of C = A + iB and z = x + ia the real part of C z is not C z, though all leaves are real."""
    function, by = OF_TWO_PARTS[name]
    q = Leaves(3, 2)
    for x in (getattr(q, own) for own in by):
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(function(tf.complex(q.A, q.B), tf.complex(q.x, q.a)))
        found = tape.gradient(y, x)
        assert any(part in found.text() for part in ("re(", "im(")), found.text()
        assert_holds(found, np.random.default_rng(2))


def test_an_imaginary_number_stands_beside_what_it_multiplies():
    """There is no sign between 2 and i where there is none between the two and z."""
    z, w = (tf.Variable([1 + 2j, 0.5 - 1j], name=name, dtype=tf.complex128) for name in "zw")
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.math.imag(z**2 * w))
    found = tape.gradient(y, z)
    assert found.text() == "2 \u2148 (conjugate(z) ⊙ conjugate(w))"
    assert_holds(found, np.random.default_rng(2))


def test_a_quotient_keeps_the_sign_of_a_sum():
    """Of -(a x + b y) / z within an array the minus is written, and what is written holds."""
    x, a = tf.Variable([0.5, 0.7, 1.2], name="x"), tf.Variable([0.9, 0.4], name="a")
    with tf.GradientTape() as tape:
        y = (a[0] * x[0] + a[1] * x[1]) / x[2]
    found = tape.gradient(y, x)
    assert found.text() == "[a[0]; a[1]; -(a[0] x[0] + a[1] x[1]) / x[2]] / x[2]"
    assert_holds(found, np.random.default_rng(0))


def test_truth_values_are_no_matrix_of_sympy() -> None:
    """A truth value times a matrix of ones is no expression, and SymPy gives up making it."""
    x = tf.Variable([1.0, 2.0], name="x")
    with tf.GradientTape():
        found = [tf.math.is_nan(x), x > 0.5]
    for y in found:
        with pytest.raises(tf.NoMatrixFormError, match="no matrix of truth values"):
            y.matrix_expr  # noqa: B018 - it raises


def test_a_sum_that_is_nothing_does_not_stand_over_a_divisor():
    """(exp(u) - 1)/l - exp(u)/l + 1/l is nothing, whatever it is divided by."""
    x, power = (tf.constant(v, tf.float64, name=n) for v, n in (([0.3, 0.7], "x"), (0.5, "l")))
    with tf.GradientTape() as tape:
        tape.watch([x, power])
        u = tf.math.log(x)
        y = tf.reduce_sum(u * special.exprel(power * u))
    assert tape.gradient(y, x).text() == "exp(l log(x)) ⊘ x"
