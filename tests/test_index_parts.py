"""Index notation with named parts: put back, they give the numbers, whatever the sizes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import sympy as sp

import symtape as tf
from symtape.forms.index.generic import generic_form
from symtape.forms.index.parts import IndexForm, IndexPart, of_steps
from symtape.forms.matrix.form import Chosen
from tests.cases import Case
from tests.index_numbers import assert_close, number, truth
from tests.sampling import some
from tests.test_index_numbers import JUDGED, short_results

LETTERED = Chosen(letters=True, always=False)


def leaves(b: int = 2, t: int = 3, c: int = 4) -> SimpleNamespace:
    """Give arrays of a batch, of rows and of channels."""
    rng = np.random.default_rng(b)
    shapes = {
        "Q": (b, t, c), "K": (b, t, c), "V": (b, t, c), "W": (b, t, c), "x": (b, t, c), "g": (c,),
        "A": (c, c), "y": (b, t),
    }  # fmt: skip
    made = {name: tf.constant(rng.uniform(0.2, 1.2, s), name=name) for name, s in shapes.items()}
    return SimpleNamespace(**made)


def attention(q: Any) -> Any:
    """Weigh values by the softmax of scores."""
    s = tf.matmul(q.Q, q.K, transpose_b=True) / 2.0
    return tf.reduce_sum(q.W * tf.matmul(tf.nn.softmax(s), q.V))


def layer_norm(q: Any) -> Any:
    """Norm the channels."""
    c = q.x - tf.reduce_mean(q.x, -1, keepdims=True)
    return tf.reduce_sum(q.W * q.g * c / tf.sqrt(tf.reduce_mean(c * c, -1, keepdims=True) + 0.5))


def squares(q: Any) -> Any:
    """Give the mean squares of the channels."""
    return tf.reduce_mean(q.x**2, -1, keepdims=True)


def distances(q: Any) -> Any:
    """Give the squared distances of rows from rows."""
    return tf.reduce_sum((q.Q[:, :, None] - q.K[:, None]) ** 2, -1)


def splats(q: Any) -> Any:
    """Give the colours of pixels, each of which sees splats from the nearest on."""
    opacities = tf.sigmoid(q.y)
    left = tf.math.cumprod(1 - opacities, axis=1, exclusive=True)
    return tf.reduce_sum(q.V * (opacities * left)[:, :, None])


def kernel_of_rows(q: Any) -> Any:
    """Give the kernel of rows with rows, of which a Gaussian process is one."""
    apart = tf.reduce_sum((q.A[:, None] - q.A[None]) ** 2, -1)
    return tf.exp(-apart / 8.0) + tf.eye(tf.shape(q.A)[0], dtype=tf.float64) / 8.0


def evidence(q: Any) -> Any:
    """Give what is left of a Gaussian process' likelihood, by an inverse and a determinant."""
    cov = kernel_of_rows(q)
    fit = tf.reduce_sum(q.g * tf.linalg.matvec(tf.linalg.inv(cov), q.g))
    return (fit + tf.linalg.slogdet(cov)[1]) / 2


def evidence_by_factors(q: Any) -> Any:
    """Give the same by Cholesky's factor."""
    factor = tf.linalg.cholesky(kernel_of_rows(q))
    half = tf.linalg.triangular_solve(factor, q.g[:, None])[:, 0]
    return tf.reduce_sum(half**2) / 2 + tf.reduce_sum(tf.math.log(tf.linalg.diag_part(factor)))


total = tf.reduce_sum

FUNCTIONS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "attention by queries": (attention, "Q"),
    "attention by keys": (attention, "K"),
    "attention by values": (attention, "V"),
    "layer norm": (layer_norm, "x"),
    "layer norm by gains": (layer_norm, "g"),
    "root mean square norm": (lambda q: total(q.W * q.x / tf.sqrt(squares(q) + 0.1)), "x"),
    "gated layer": (lambda q: total(tf.nn.silu(q.x @ q.A) * (q.x @ q.A) ** 2 * q.W), "x"),
    "gated layer by weights": (lambda q: total(tf.nn.silu(q.x @ q.A) * q.W), "A"),
    "pooled": (lambda q: total(tf.math.reduce_logsumexp(q.x * q.g, -1) ** 2 * q.y), "x"),
    "kernel": (lambda q: total(tf.exp(-distances(q) / 2.0) ** 2), "Q"),
    "splats": (splats, "y"),
    "Gaussian process by rows": (evidence, "A"),
    "Gaussian process by factors": (evidence_by_factors, "A"),
}


def derivative(name: str, q: Any) -> Any:
    """Derive one of the functions."""
    function, by = FUNCTIONS[name]
    x = getattr(q, by)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(q)
    return tape.gradient(y, x)


class Entries:
    """The entries of a part, each computed when it is asked for."""

    def __init__(self, part: IndexPart, values: Mapping[str, Any], at: Mapping[Any, int]) -> None:
        self.part, self.values, self.at = part, values, at
        self.known: dict[tuple[int, ...], Any] = {}

    def __getitem__(self, place: tuple[int, ...]) -> Any:
        place = tuple(map(int, place))
        if place not in self.known:
            own = {**self.at, **dict(zip(self.part.at, place, strict=True))}
            self.known[place] = number(self.part.entry, self.values, own)
        return self.known[place]


def assert_parts_hold(
    tensor: Any, at: Sequence[Any], form: IndexForm, sizes: Mapping[Any, int] | None = None
) -> None:
    """Compute an entry by those of the parts, and compare it with 30 digits at each place."""
    sizes = sizes or {}
    values: dict[str, Any] = {s.name: np.asarray(leaf) for s, leaf in tensor.leaves.items()}
    wanted, close = truth(tensor, values)
    for part in form.parts:
        values[part.name] = Entries(part, dict(values), sizes)
    written = sp.Tuple(form.entry, *[part.entry for part in form.parts])
    for place in np.ndindex(*tensor.shape):
        found = number(form.entry, values, {**sizes, **dict(zip(at, place, strict=True))})
        assert_close(written, found, wanted[place], close)


@pytest.mark.slow
@pytest.mark.parametrize("name", some([*FUNCTIONS], 12))
def test_parts_put_back_give_the_gradient(name: str) -> None:
    """What is long has parts, and each entry is the number."""
    tensor = derivative(name, leaves())
    formula = tensor.formula
    at = formula._at()
    form = of_steps(formula.program, formula.position, formula.names, at, LETTERED)
    assert_parts_hold(tensor, at, form)
    try:
        whole = sp.count_ops(tensor.index_expr())
    except tf.ExpansionError:  # which parts are for
        whole = 200
    longest = max(sp.count_ops(e) for e in (form.entry, *[p.entry for p in form.parts]))
    assert longest <= max(20, whole // 2)
    assert len(tensor.latex("index", parts="auto")) < 1500


@pytest.mark.filterwarnings("ignore::symtape.errors.SizeWarning")  # 2 is a number and a size
@pytest.mark.slow
def test_what_is_shared_is_taken_out_by_factors() -> None:
    """Quotients of exponentials do not grow in SymPy where two terms share their factors."""
    tensor = derivative("Gaussian process by rows", leaves())
    assert tensor.text() == tensor.text(sizes="symbolic")


@pytest.mark.filterwarnings("ignore::symtape.errors.SizeWarning")  # 2 is a number and a size
@pytest.mark.slow
@pytest.mark.parametrize("name", some([*FUNCTIONS], 12, 1))
def test_parts_hold_for_any_size(name: str) -> None:
    """The parts that are read at one size give the numbers at another one."""
    tensor = derivative(name, leaves())
    at = tensor.formula._at(sizes="symbolic")
    form = tensor.formula.any_size.index_form(at, 20_000, LETTERED)
    for other in (tensor, derivative(name, leaves(3, 2, 5))):
        lengths: dict[str | int, int] = {}
        for symbol, shape in tensor.sizes.items():
            (leaf,) = [x for s, x in other.leaves.items() if s.name == symbol]
            lengths |= dict(zip(shape, leaf.shape, strict=True))
        written = {s for e in (form.entry, *[p.entry for p in form.parts]) for s in e.free_symbols}
        assert_parts_hold(
            other, at, form, {s: lengths[s.name] for s in written if s.name in lengths}
        )


@pytest.mark.slow
@pytest.mark.parametrize("case", some(JUDGED, 240, 9), ids=lambda c: c.name)
def test_parts_of_every_operation_hold(case: Case) -> None:
    """Parts of results and gradients, by matrices or step by step, give the numbers."""
    for tensor in short_results(case):
        formula = tensor.formula
        at = formula._at()
        own = formula.program, formula.position, formula.names, at
        if not tensor.dtype.is_bool:
            for write in (
                lambda: of_steps(*own, LETTERED),  # noqa: B023 - called at once
                lambda: generic_form(*own, formula.matrix_form, LETTERED),  # noqa: B023
            ):
                try:
                    formula._check_ranks(formula.position)
                    form = write()
                except (tf.SymtapeError, NotImplementedError):
                    continue
                assert_parts_hold(tensor, at, form)


@pytest.mark.filterwarnings("ignore::symtape.errors.SizeWarning")  # 2 is a number and a size
@pytest.mark.slow
def test_parts_have_the_names_of_the_code() -> None:
    """A step that a variable holds has its name, and what it stops at has no definition."""
    q = leaves()
    with tf.GradientTape() as tape:
        tape.watch(q.Q)
        scores = tf.matmul(q.Q, q.K, transpose_b=True) / 2.0
        y = tf.reduce_sum(q.W * tf.matmul(tf.nn.softmax(scores), q.V))
    found = tape.gradient(y, q.Q)
    parts = found.parts()
    assert [*parts] == ["scores", "P", "R", "G", "H", "D"]
    assert str(parts["scores"]) == "Sum(K[i, k, l]*Q[i, j, l], (l, 0, 3))/2"
    assert [str(i) for i in parts["P"].indices] == ["i", "j", "k"]
    assert str(parts["P"].expr) == "exp(scores[i, j, k])"
    assert parts["P"].latex() == r"e^{{\mathrm{scores}}_{i,j,k}}"
    assert [*found.parts([scores])] == ["scores"]
    text = found.latex(stop_at=[scores])
    assert "where" not in text
    assert r"{\mathrm{scores}}_{i,j,l}" in text
    assert "scores" not in found.parts(stop_at=[scores])
    assert r"{\mathrm{scores}}_{i,j,k}" in found.latex(stop_at=[scores], parts="auto")
    letters = found.latex(parts=[scores], sizes="symbolic", environment="align", lhs="L")
    quotient = r"\frac{\sum_{l=0}^{r - 1} {K}_{i,k,l} {Q}_{i,j,l}}{2}"
    assert letters.splitlines()[2:] == [
        rf"&\text{{where}}\quad {{\mathrm{{scores}}}}_{{i,j,k}} = {quotient}",
        r"\end{align*}",
    ]
    with pytest.raises(ValueError, match="stop_at=: y does not stand in the formula"):
        found.latex(stop_at=[y])


@pytest.mark.slow
def test_entries_of_matrices_have_parts() -> None:
    """The parts of a matrix form are written by their entries."""
    M = tf.constant([[1.0, 2.0, 0.5], [3.0, 4.0, 1.5]], tf.float64, name="M")
    x = tf.constant([0.1, 0.2, -0.1], tf.float64, name="x")
    with tf.GradientTape() as tape:
        tape.watch(x)
        p = tf.nn.softmax(tf.linalg.matvec(M, x))
        y = tf.reduce_sum(p * p)
    found = tape.gradient(y, x)
    parts = found.parts([p], form="index")
    assert {name: str(part) for name, part in parts.items()} == {
        "p": "exp(Sum(M[i, j]*x[j], (j, 0, 2)))/Sum(exp(Sum(M[j, k]*x[k], (k, 0, 2))), (j, 0, 1))"
    }
    form = generic_form(
        found.formula.program, found.formula.position, found.formula.names,
        found.formula._at(), found.formula.matrix_form, LETTERED,
    )  # fmt: skip
    assert_parts_hold(found, found.formula._at(), form)


@pytest.mark.slow
def test_the_judge_convicts() -> None:
    """A part of which the definition is another one gives other numbers."""
    tensor = derivative("attention by queries", leaves())
    formula = tensor.formula
    at = formula._at()
    form = of_steps(formula.program, formula.position, formula.names, at, LETTERED)
    for k, part in enumerate(form.parts):
        wrong = [*form.parts]
        wrong[k] = part.map(lambda e: 1.1 * e + 0.1)
        with pytest.raises(AssertionError):
            assert_parts_hold(tensor, at, form._replace(parts=tuple(wrong)))


def test_what_only_a_stop_is_made_of_is_no_part() -> None:
    """The definition of what it stops at is left out, and so are the parts of it alone."""
    q = leaves()
    w = tf.constant(np.ones((2, 3, 3)), name="w")
    with tf.GradientTape() as tape:
        tape.watch(w)
        inner = tf.matmul(q.Q, q.K, transpose_b=True)
        powers = tf.exp(inner)
        loss = tf.reduce_sum((powers * w) ** 2)
    found = tape.gradient(loss, w)
    assert [*found.parts([inner, powers])] == ["inner", "powers"]
    assert not found.parts([inner], stop_at=[powers])


@pytest.mark.slow
def test_matrices_that_are_inverted_are_parts() -> None:
    """An inverse is one of a name, and not of a table of entries, whatever the size."""
    for found in (derivative("Gaussian process by rows", leaves(c=n)) for n in (2, 6)):
        parts = found.parts(form="index")
        inverted = {m.name for p in parts.values() for m in p.expr.atoms(sp.MatrixSymbol)}
        assert inverted
        assert inverted <= {*parts}
        assert not any(p.expr.has(sp.ImmutableDenseMatrix) for p in parts.values())


@pytest.mark.slow
def test_forms_are_alike_whatever_letters_their_parts_have() -> None:
    """The order of parts may be another one at other sizes; what they are is compared."""
    i = sp.Symbol("i", integer=True)
    x, *names = (sp.IndexedBase(name) for name in "xPQ")

    def form(first: int, factor: int = 2) -> IndexForm:
        a, b = names[first], names[1 - first]
        made = [(a, sp.exp(x[i])), (b, factor * x[i])]
        made = sorted(made, key=lambda pair: str(pair[0]))
        parts = tuple([IndexPart(str(name), (i,), entry) for name, entry in made])
        return IndexForm(a[i] + b[i] ** 2, parts)

    assert form(0).entry != form(1).entry
    assert form(0).meaning == form(1).meaning != form(1, 3).meaning
    found = derivative("splats", leaves())
    assert len(found.parts(sizes="symbolic")) == len(found.parts())
