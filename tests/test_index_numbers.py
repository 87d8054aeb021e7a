"""The generic entry of every operation, computed at each place, against the number there."""

from __future__ import annotations

import math
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import sympy as sp
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import symtape as tf
from symtape.forms.index.entry import index_expression
from symtape.program.kinds.placement import Assemble, Form, Placement
from symtape.program.operations import Input
from symtape.program.program import Builder
from tests.cases import CASES, Case
from tests.compiled import recorded
from tests.index_numbers import assert_close, number, points, truth
from tests.sampling import ALL, some

# A formula says what a number is where floats overflow, where a convention or a mask says else,
# before a cast rounds, and of a matrix of full rank; some inputs of a case are kept by nobody.
EDGES = ("at its edges", "(0, 0", "masks a root", "of extremes", "and back", "list")
EDGES += ("in its tail", "nextafter")

JUDGED = [c for c in CASES if c.inputs and not any(e in c.name for e in EDGES)]

_LARGEST = 40

ENTRIES = {
    "maximum of a sum of cases": lambda a: tf.minimum(
        tf.math.segment_sum(tf.where(a > 0.25, tf.sin(a), a * 0.5), [0, 1, 2]), a
    ),
    "size of a sum of cases": lambda a: tf.abs(tf.math.segment_sum(tf.nn.relu(a), [0, 0, 1])),
    "product over no axis": lambda a: tf.reduce_prod(a, axis=[]),
    "product of no axis, squared": lambda a: tf.reduce_prod(tf.reduce_prod(a * a, axis=[])),
    "product along an axis of one": lambda a: tf.reduce_prod(tf.reshape(a, [3, 1]) * a, axis=0),
    "running product of one": lambda a: tf.math.cumprod(tf.reshape(a, [3, 1]), axis=1),
    "running product": lambda a: tf.math.cumprod(a, exclusive=True),
    "running sum of cases": lambda a: tf.cumsum(tf.where(a > 0.25, a, 1 / a)),
    "running product back": lambda a: tf.math.cumprod(a * a, reverse=True, exclusive=True),
    "power of a product": lambda a: tf.reduce_prod(tf.fill([2, 3], a[0]) * a, axis=0),
    "largest over no axis": lambda a: tf.reduce_max(a, axis=[]) * tf.reduce_sum(a, axis=[]),
    "mean over no axis": lambda a: tf.reduce_mean(tf.sin(a), axis=[]),
    "logsumexp over no axis": lambda a: tf.reduce_logsumexp(a, axis=[]) * a,
}


def short_results(case: Case) -> list[Any]:
    """Run a case and derive it; give what is finite and short, and keeps its leaves."""
    run = recorded(case)
    KEPT[:] = run
    found = [t for t in (*run.ys, *run.gradients) if t is not None and t.numpy().size <= _LARGEST]
    return [t for t in found if np.all(np.isfinite(t.numpy()))]


KEPT: list[Any] = []
"""Who holds the leaves of formulas of values."""


def places_hold(tensor: Any, what: str) -> bool:
    """Assert that a generic entry is the number at each place; False where there is none."""
    try:
        entry = tensor.index_expr()
    except tf.SymtapeError:
        return False
    taken = {symbol.name for symbol in tensor.leaves}
    free = [c for c in "ijklmnpqrst" if c not in taken]
    symbols = [sp.Symbol(c, integer=True) for c in free[: len(tensor.shape)]]
    for values in points(tensor):
        wanted, close = truth(tensor, values)
        for place in np.ndindex(*tensor.shape):
            at = dict(zip(symbols, place, strict=True))
            found = number(entry, values, at)
            assert_close(entry, found, wanted[place], close, f"{what} at {place}")
    return True


@pytest.mark.slow
@pytest.mark.parametrize("name", ENTRIES)
def test_generic_entries_hold_at_each_place(name: str) -> None:
    """Sums of cases, products over nothing and over one place are written, and are the number."""
    a = tf.constant([0.1, 0.3, 0.5], dtype=tf.float64)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(a)
        y = ENTRIES[name](a)
    for what, found in (("y", y), ("gradient", tape.gradient(y, a)), ("J", tape.jacobian(y, a))):
        assert places_hold(found, f"{name}, {what}")


TWICE = {
    "product": lambda a: tf.math.cumprod(tf.sin(a), exclusive=True),
    "squares": lambda a: tf.math.cumprod(tf.sin(a), exclusive=True) ** 2,
    "softmax": lambda a: tf.nn.log_softmax(tf.math.cumprod(tf.exp(a), exclusive=True)),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", TWICE)
def test_a_bracket_stays_within_the_sum_of_its_index(name: str) -> None:
    """SymPy takes cases out of a sum with a sum in it, those of the inner index, too."""
    a = tf.constant([0.1, 0.3, 0.5, 0.7], dtype=tf.float64)
    with tf.GradientTape() as outer:
        outer.watch(a)
        with tf.GradientTape() as tape:
            tape.watch(a)
            y = TWICE[name](a)
        z = tf.reduce_sum(tape.gradient(y, a) ** 2)
    assert places_hold(outer.gradient(z, a), name)


@pytest.mark.slow
@pytest.mark.parametrize("extremum", [tf.math.segment_max, tf.math.segment_min])
def test_what_is_compared_with_an_extremum_is_summed(extremum: Any) -> None:
    """A sum over comparisons with the extremum of a segment adds up nothing infinite."""
    x = tf.Variable([0.3, 1.7, 0.2, -1.0, 0.5], dtype=tf.float64, name="x")
    segments = [0, 0, 1, 1, 2]
    with tf.GradientTape() as tape:
        own = tf.gather(extremum(x, segments), segments)
        y = tf.reduce_sum(tf.where(x >= own, x**2, 0.0))
    assert places_hold(y, "sum")
    assert places_hold(tape.gradient(y, x), "gradient")


def test_products_over_nothing_leave_no_trace() -> None:
    """A product over no axes is its one factor, and its slope is 1."""
    a = tf.constant([0.1, 0.3, 0.5])
    with tf.GradientTape() as tape:
        tape.watch(a)
        y = tf.reduce_prod(a, axis=[])
    assert str(y.index_expr()) == "a[i]"
    assert tape.gradient(y, a).index_expr() == 1


@pytest.mark.slow
@pytest.mark.parametrize("case", some(JUDGED, 96, 3), ids=lambda c: c.name)
def test_every_operation_has_entries_that_hold(case: Case) -> None:
    """What index notation says of an operation and of its gradients is so, or it is refused."""
    for k, found in enumerate(short_results(case)):
        places_hold(found, f"{case.name}, {k}")


JACOBIANS = {
    "MC 60, inverse": (
        lambda q: tf.linalg.inv(q.X),
        "-(X**(-1))[i, k]*(X**(-1))[l, j]",
    ),
    "MC 79, XᵀA": (
        lambda q: tf.transpose(q.X) @ q.A,
        "KroneckerDelta(i, l)*A[k, j]",
    ),
    "MC 80, XᵀBX": (
        lambda q: tf.transpose(q.X) @ q.B @ q.X,
        (
            "KroneckerDelta(i, l)*Sum(B[k, m]*X[m, j], (m, 0, 1))"
            " + KroneckerDelta(j, l)*Sum(B[m, k]*X[m, i], (m, 0, 1))"
        ),
    ),
    "AXB": (lambda q: q.A @ q.X @ q.B, "A[i, k]*B[l, j]"),
    "X²": (lambda q: q.X @ q.X, "KroneckerDelta(i, k)*X[l, j] + KroneckerDelta(j, l)*X[i, k]"),
    "Xᵀ": (lambda q: tf.transpose(q.X), "KroneckerDelta(i, l)*KroneckerDelta(j, k)"),
    "X⁻¹B": (
        lambda q: tf.linalg.solve(q.X, q.B),
        "-(X**(-1))[i, k]*Sum(B[m, j]*(X**(-1))[l, m], (m, 0, 1))",
    ),
    "X⁻ᵀB": (
        lambda q: tf.linalg.solve(q.X, q.B, adjoint=True),
        "-(X**(-1))[l, i]*Sum(B[m, j]*(X**(-1))[m, k], (m, 0, 1))",
    ),
    "(AXB)⁻¹": (
        lambda q: tf.linalg.inv(q.A @ q.X @ q.B),
        (
            "-Sum(A[m, k]*((A*X*B)**(-1))[i, m], (m, 0, 1))*Sum(B[l, m]*((A*X*B)**(-1))[m, j],"
            " (m, 0, 1))"
        ),
    ),
    "A ⊗ X": (
        lambda q: tf.reshape(tf.einsum("ij,kl->ikjl", q.A, q.X), [4, 4]),
        "KroneckerDelta(k, Mod(i, 2))*KroneckerDelta(l, Mod(j, 2))*A[floor(i/2), floor(j/2)]",
    ),
    "vec X": (
        lambda q: tf.reshape(q.X, [4]),
        "KroneckerDelta(j, floor(i/2))*KroneckerDelta(k, Mod(i, 2))",
    ),
}
"""Jacobians of matrices by matrices, as The Matrix Cookbook and others write them."""


@pytest.mark.parametrize("name", JACOBIANS)
def test_jacobians_of_matrices_are_written_as_in_books(name):
    """Indices are those of the leaves, without quotients, and of an inverse it is the name."""
    function, wanted = JACOBIANS[name]
    q = SimpleNamespace(
        X=tf.Variable([[2.0, 1.0], [0.5, 3.0]], dtype=tf.float64, name="X"),
        A=tf.constant([[1.0, 0.2], [0.3, 0.4]], tf.float64, name="A"),
        B=tf.constant([[1.0, 2.0], [3.0, 4.0]], tf.float64, name="B"),
    )
    with tf.GradientTape() as tape:
        y = function(q)
    found = tape.jacobian(y, q.X)
    assert str(found.index_expr()) == wanted
    assert places_hold(found, name)


def entries_hold(tensor: Any, what: str) -> None:
    """Assert that the entries are the numbers."""
    try:
        entries = tensor.entries
    except tf.SymtapeError:
        return
    for values in points(tensor):
        wanted, close = truth(tensor, values)
        for place in np.ndindex(*tensor.shape):
            e = entries[place]
            assert_close(e, number(e, values, {}), wanted[place], close, what)


@pytest.mark.slow
@pytest.mark.parametrize("case", some(JUDGED, 192, 19), ids=lambda c: c.name)
def test_all_entries_hold(case: Case) -> None:
    """Entries are the numbers, whether written step by step or of a generic one."""
    for k, found in enumerate(short_results(case)):
        entries_hold(found, f"{case.name}, {k}")


@pytest.mark.slow
def test_entries_are_as_short_as_the_generic_one():
    """The logistic loss by logarithms has the gradient σ(Xw) - y at each entry, too."""
    X = tf.constant([[1.0, 2.0], [3.0, 4.0]], tf.float64, name="X")
    w = tf.Variable(tf.constant([0.1, 0.2], tf.float64), name="w")
    y = tf.constant([1.0, 0.0], tf.float64, name="y")
    with tf.GradientTape() as tape:
        p = tf.sigmoid(tf.linalg.matvec(X, w))
        loss = -tf.reduce_sum(y * tf.math.log(p) + (1 - y) * tf.math.log(1 - p))
    gradient = tape.gradient(loss, w)
    assert str(gradient.entries[0]) == (
        "(-y[0] + 1/(exp(-X[0, 0]*w[0] - X[0, 1]*w[1]) + 1))*X[0, 0]"
        " + (-y[1] + 1/(exp(-X[1, 0]*w[0] - X[1, 1]*w[1]) + 1))*X[1, 0]"
    )
    entries_hold(gradient, "gradient")


def read(tensor: Any, form: str) -> Any:
    """Give a reading, which is a property or a method."""
    found = partial(tensor.latex, form) if form in {"steps", "index"} else getattr(tensor, form)
    return found() if callable(found) else found


@pytest.mark.parametrize(
    ("rows", "bound"),
    [([[2.0, 0.0], [0.0, 1e-9]], None), ([[2.0, 1.0], [4.0, 2.0]], None),
     ([[2.0, 0.0], [0.0, 0.5]], 0.5), ([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0]], None)],
)  # fmt: skip
@pytest.mark.parametrize("form", ["entries", "index_expr", "index", "steps"])
def test_a_pseudo_inverse_of_lower_rank_has_no_entries_of_full_rank(rows, bound, form):
    """Neither its formula nor that of its gradient is written; digits and steps are there."""
    a = tf.constant(rows)
    with tf.GradientTape() as tape:
        tape.watch(a)
        y = tf.linalg.pinv(a, bound)
        total = tf.reduce_sum(y * y)
    slope = tape.gradient(total, a)
    for found in (y, total, slope):
        with pytest.raises(tf.UnsupportedError, match="written for full rank"):
            read(found, form)
        digits = np.array(sp.flatten(sp.Array(found.evalf(15))), float)
        np.testing.assert_allclose(digits, found.numpy().ravel(), rtol=1e-5, atol=1e-6)


def test_conditions_hold_no_formula_of_full_rank_either():
    """What was sorted or decided by a pseudo inverse of lower rank is refused, too."""
    a = tf.constant([[2.0, 1.0], [4.0, 2.0]])
    with tf.GradientTape() as tape:
        tape.watch(a)
        y = tf.linalg.pinv(a)
        ordered = tf.sort(y[0])
        total = tf.reduce_sum(ordered) * (2.0 if tf.reduce_sum(y) > 0 else 1.0)
    for form, found in (("conditions", total), ("conditions", ordered), ("entries", ordered)):
        with pytest.raises(tf.UnsupportedError, match="written for full rank"):
            read(found, form)


def entry_of(tensor: Any, place: tuple[int, ...], values: dict[Any, float]) -> float:
    """Put numbers into the generic entry."""
    indices = sp.symbols(f"i:{len(place)}", integer=True)
    entry = tensor.index_expr(*indices).subs(dict(zip(indices, place, strict=True))).doit()
    return float(entry.xreplace(values))


@pytest.mark.parametrize(
    "function",
    [tf.exp, tf.cos, tf.square, lambda v: 1.0 / (1.0 + v) + v * v],
    ids=["exp", "cos", "square", "a quotient"],
)
def test_functions_of_parts_among_zeros_hold_at_every_place(function):
    """What a function makes of the zeros around a part is no zero."""
    x = tf.constant(np.array([0.5, 2.0]), name="x")
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(tf.pad(x, [[1, 2]]))
    values = {sp.IndexedBase("x")[k]: float(v) for k, v in enumerate(x.numpy())}
    found = [entry_of(y, (k,), values) for k in range(5)]
    np.testing.assert_allclose(found, y.numpy(), rtol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("factors", [2, 3, 14])
def test_products_with_equal_factors_and_with_many_hold(factors):
    """A factor that stands twice is no last one, and there may be more sums than letters."""
    a = tf.constant(np.array([[0.5, 0.25], [0.125, 0.75]]), name="a")
    b = tf.constant(np.array([[1.0, 0.5], [0.25, 0.5]]), name="b")
    with tf.GradientTape() as tape:
        tape.watch(a)
        p = y = a @ b
        for _ in range(factors - 1):
            y = y @ p if factors < 4 else y @ b
    if factors > 4:  # written out, it has too many terms to be added up here
        assert y.index_expr().has(sp.Sum)
        return
    values = {
        sp.IndexedBase(name)[i, j]: float(m.numpy()[i, j])
        for name, m in (("a", a), ("b", b))
        for i, j in np.ndindex(2, 2)
    }
    found = [[entry_of(y, (i, j), values) for j in range(2)] for i in range(2)]
    np.testing.assert_allclose(found, y.numpy(), rtol=1e-12)


def test_a_cholesky_factor_is_one_of_a_symmetric_matrix():
    """Of others, the lower triangle alone is looked at: L Lᵀ is another matrix."""
    c = tf.constant(np.array([[4.0, 9.0], [1.0, 3.0]]), name="C")
    with tf.GradientTape() as tape:
        tape.watch(c)
        factor = tf.linalg.cholesky(c)
        of_symmetric = tf.linalg.cholesky(c @ tf.transpose(c))
        y, z = factor @ tf.transpose(factor), of_symmetric @ tf.transpose(of_symmetric)
    assert y.text() == "chol(C) chol(C)ᵀ"
    assert z.text() == "C Cᵀ"


@st.composite
def placements(draw: st.DrawFn) -> tuple[tuple[int, ...], Placement]:
    """Choose where a block stands: strides of both signs, shared indices, several on one axis."""
    counts = tuple(draw(st.lists(st.integers(0, 3), min_size=1, max_size=3)))
    used = st.lists(st.integers(0, len(counts) - 1), unique=True, max_size=3)
    strides = st.sampled_from([1, 1, 1, 2, 3, -1, -2, -3])
    forms, shape = [], []
    for _ in range(draw(st.integers(1, 3))):
        parts = tuple((draw(strides), k) for k in draw(used))
        spread = [s * max(counts[k] - 1, 0) for s, k in parts]
        first = draw(st.integers(0, 1)) - sum(min(s, 0) for s in spread)
        forms.append(Form(first, parts))
        shape.append(first + sum(max(s, 0) for s in spread) + draw(st.integers(1, 2)))
    assume({k for form in forms for k in form.indices} == set(range(len(counts))))
    return tuple(shape), Placement(counts, tuple(forms))


@pytest.mark.slow
@given(placements())
@settings(max_examples=1000 if ALL else 20)
def test_a_block_is_read_at_each_of_its_places(made: tuple[tuple[int, ...], Placement]) -> None:
    """The indices of a block are solved from a place, or summed over; nothing is elsewhere."""
    shape, placement = made
    builder = Builder()
    block = builder.append(Input("float64", placement.counts))
    placed = builder.append(Assemble(shape, (placement,)), block)
    values = np.arange(1.0, 1 + math.prod(placement.counts)).reshape(placement.counts)
    expected = np.zeros(shape)
    for inner, outer in placement.places():
        expected[outer] += values[inner]
    symbols = sp.symbols("i j k", integer=True)[: len(shape)]
    entry = index_expression(builder.finish(), placed, {block: "x"}, symbols)
    for place in np.ndindex(shape):
        at = dict(zip(symbols, place, strict=True))
        assert number(entry, {"x": values}, at) == expected[place], (place, entry)
