"""Parts of formulas by name: what is printed, and that the parts put back give the whole."""

from __future__ import annotations

import numpy as np
import pytest

import symtape as tf
from symtape.forms.matrix.form import Candidate
from symtape.forms.matrix.writing.naming import Definition
from tests.kernels import KERNELS
from tests.matrix_numbers import assert_form_holds, inside
from tests.references import REFERENCES, Leaves, derived
from tests.references.room import T, dot, exp, inv, log, mv, total
from tests.sampling import all_hold, batches, some

MOST_PARTS, MOST_CHARACTERS = 20, 1500


def holds(tensor, form, symmetric=""):
    """Assert that a form with parts has the value of the program at a fresh point."""
    formula = tensor.formula
    values = inside(formula, np.random.default_rng(1), symmetric)
    assert_form_holds(form, formula.program, formula.position, formula.names, values)


@pytest.mark.slow
@pytest.mark.parametrize(
    "names", batches(some(sorted(REFERENCES), 32), 8), ids=lambda names: names[0]
)
def test_letters_for_the_parts_of_references(names):
    """Of each reference the parts put back give the whole, and it is short enough for a page."""

    def judge(name):
        reference = REFERENCES[name]
        found = derived(reference, Leaves(3, 2, reference.symmetric))
        declared = [*reference.symmetric]
        form = found.formula.matrix_form(symmetric=declared)
        holds(found, form.with_parts([], always=False, letters=True), reference.symmetric)
        assert len(found.latex("matrix", symmetric=declared, parts="auto")) < MOST_CHARACTERS
        assert len(found.parts(symmetric=declared)) <= MOST_PARTS

    all_hold(judge, names)


@pytest.mark.slow
@pytest.mark.parametrize("names", batches(some(sorted(KERNELS), 20), 8), ids=lambda names: names[0])
def test_gradients_of_kernels_fit_on_a_page(names):
    """What people write kernels for has a gradient of 1,500 characters of LaTeX at most."""

    def judge(name):
        found = gradient_of(name, Leaves(3, 2))
        assert len(found.latex(parts="auto")) < MOST_CHARACTERS
        assert len(found.parts()) <= MOST_PARTS
        holds(found, found.formula.matrix_form().with_parts([], always=False, letters=True))

    all_hold(judge, names)


def network(q, tape):
    """Three layers, and the square of what is left."""
    h = tf.tanh(mv(q.A, q.x))
    g = tf.tanh(mv(q.B, h))
    r = mv(q.C, g) - q.a
    return tape.gradient(total(r**2), q.A), locals()


def layer_norm(q, tape):
    """A vector without its mean, over its standard deviation."""
    c = q.x - tf.reduce_mean(q.x)
    d = tf.sqrt(tf.reduce_mean(c**2) + q.s)
    z = c / d
    return tape.gradient(dot(q.a, z), q.x), locals()


def attention(q, tape):
    """Rows weighed by a softmax."""
    p = tf.nn.softmax(q.M @ T(q.X) / np.sqrt(2.0))
    return tape.gradient(total(q.W * (p @ q.A)), q.M), locals()


def kalman(q, tape):
    """The state by the observation."""
    S = q.M @ q.A @ T(q.M) + tf.linalg.diag(q.z)
    K = q.A @ T(q.M) @ inv(S)
    m = q.x + mv(K, q.y - mv(q.M, q.x))
    return tape.jacobian(m, q.y), locals()


def gamma(q, tape):
    """The second derivative of a call by its price."""
    s, k, r, g, t = q.s, q.k, q.r, q.g, q.t
    d = (log(s / k) + (r + g**2 / 2) * t) / (g * tf.sqrt(t))
    e = d - g * tf.sqrt(t)
    return tape.hessian(s * _cdf(d) - k * exp(-r * t) * _cdf(e), s), locals()


def theta(q, tape):
    """The slope of a call by the time to its end."""
    s, k, r, g, t = q.s, q.k, q.r, q.g, q.t
    d = (log(s / k) + (r + g**2 / 2) * t) / (g * tf.sqrt(t))
    e = d - g * tf.sqrt(t)
    call = s * _cdf(d) - k * exp(-r * t) * _cdf(e)
    return tape.gradient(call, t), locals()


def rho(q, tape):
    """The slope of a call by the rate."""
    s, k, r, g, t = q.s, q.k, q.r, q.g, q.t
    d = (log(s / k) + (r + g**2 / 2) * t) / (g * tf.sqrt(t))
    e = d - g * tf.sqrt(t)
    return tape.gradient(s * _cdf(d) - k * exp(-r * t) * _cdf(e), r), locals()


def _cdf(x):
    return (1 + tf.math.erf(x / np.sqrt(2.0))) / 2


def logistic(q, tape):
    """A loss by its weights, when the probabilities and what is left have names."""
    p = tf.sigmoid(mv(q.M, q.x))
    r = p - q.y
    loss = total(tf.nn.sigmoid_cross_entropy_with_logits(labels=q.y, logits=mv(q.M, q.x)))
    return tape.hessian(loss, q.x), locals()


PROGRAMS = {
    network: """
2 ((Bᵀ ((Cᵀ r) ⊙ (𝟏 - g^⊙2))) ⊙ (𝟏 - h^⊙2)) xᵀ
where h = tanh(A x)
      g = tanh(B h)
      r = C g - a
""",
    layer_norm: """
(3 I - 𝟏 𝟏ᵀ - z zᵀ) a / (3 d)
where c = x - (𝟏ᵀ x) 𝟏 / 3
      d = √(‖c‖²/3 + s)
      z = c / d
""",
    attention: """
(p ⊙ (W Aᵀ - (W ⊙ (p A)) 𝟏 𝟏ᵀ)) X / √2
where p = softmax(M Xᵀ / √2)
""",
    kalman: """
K
where S = M A Mᵀ + diag(z)
      K = A Mᵀ S⁻¹
""",
    gamma: """
φ(d) / (g s √t)
where d = (log(s/k) + t (g²/2 + r)) / (g √t)
""",
    theta: """
g s φ(d) / (2 √t) + k r exp(-t r) Φ(e)
where d = (t (g²/2 + r) + log(s/k)) / (g √t)
      e = (t (r - g²/2) + log(s/k)) / (g √t)
""",
    rho: """
k t exp(-t r) Φ(e)
where e = (t (r - g²/2) + log(s/k)) / (g √t)
""",
    logistic: """
Mᵀ diag(p ⊙ (𝟏 - p)) M
where p = σ(M x)
""",
}


def run(program):
    """Run a program; give the derivative, and the results that have names."""
    leaves = Leaves(3, 2)
    with tf.GradientTape(persistent=True) as tape:
        found, names = program(leaves, tape)
    inputs = {id(v) for v in vars(leaves).values()}
    others = {n: v for n, v in names.items() if isinstance(v, tf.Tensor) and id(v) not in inputs}
    return found, {n: v for n, v in others.items() if v.origin is not None}


@pytest.mark.slow
@pytest.mark.parametrize("program", some([*PROGRAMS], 2), ids=lambda f: f.__name__)
def test_a_formula_has_the_names_of_its_parts(program):
    """Those that are given stand in it and below it, and put back they give the whole."""
    found, names = run(program)
    globals().update(names)  # where the names are looked for
    try:
        given = list(names.values())
        text, parts = found.text(parts=given), found.parts(given)
        latex = found.latex(parts=given, environment="align")
        code = found.text("python", parts=given)
        stopped = found.text(stop_at=[names[name] for name in parts])
    finally:
        for name in names:
            del globals()[name]
    assert f"\n{text}\n" == PROGRAMS[program]
    whole, *below = text.splitlines()
    assert [line[6:] for line in below] == [f"{n} = {part}" for n, part in parts.items()]
    assert latex.count("&") == 1 + len(parts)
    assert code.splitlines()[:-1] == [f"{n} = {x.text('python')}" for n, x in parts.items()]
    assert stopped == whole
    own = [Candidate(n, f.program, f.position, f.names) for n, f in _formulas(names)]
    form = found.formula.matrix_form().with_parts(own, always=True, letters=False)
    assert form.text() == text
    holds(found, form)


def _formulas(names):
    return [(name, value.formula) for name, value in names.items()]


@pytest.mark.slow
def test_the_judge_convicts():
    """A definition that is another one is found."""
    found, names = run(layer_norm)
    own = [Candidate(n, f.program, f.position, f.names) for n, f in _formulas(names)]
    form = found.formula.matrix_form().with_parts(own, always=True, letters=False)
    (name, x), *others = form.parts
    form.parts = [Definition(name, form.algebra.times(form.algebra.number(2), x)), *others]
    with pytest.raises(AssertionError):
        holds(found, form)


def test_names_are_those_of_the_callers_variables():
    """What is short and stands there once has none, and what is not in the formula has none."""
    x = tf.Variable([0.1, 0.2, 0.4], name="x")
    y = tf.Variable([1.0, 2.0, 3.0], name="y")
    with tf.GradientTape() as tape:
        p = tf.nn.softmax(x)
        beside = tf.exp(y)
        loss = total(p * p)
    gradient = tape.gradient(loss, x)
    assert gradient.text(parts="auto") == "2 (p ⊙ (p - ‖p‖² 𝟏))\nwhere p = softmax(x)"
    assert gradient.text() == gradient.text(parts="none")
    assert "beside" not in gradient.parts()
    assert beside.shape == (3,)


def test_letters_are_no_names_of_leaves():
    """A letter that a leaf has, or a function, is not taken again."""
    p = tf.Variable([0.1, 0.2, 0.4], name="p")
    q = tf.Variable([1.0, 2.0, 3.0], name="q")
    with tf.GradientTape() as tape:
        loss = total(tf.nn.softmax(tf.sin(p) * q + tf.cos(q)) ** 2)
    gradient = tape.gradient(loss, p)
    del loss
    assert gradient.text(parts="auto") == (
        "2 (q ⊙ r ⊙ cos(p) ⊙ (r - ‖r‖² 𝟏))\nwhere r = softmax(cos(q) + q ⊙ sin(p))"
    )


def test_a_page_is_written_with_its_parts():
    """In LaTeX the definitions stand behind the formula, or on lines of their own."""
    x = tf.Variable([0.1, 0.2, 0.4], name="x")
    with tf.GradientTape() as tape:
        p = tf.nn.softmax(x)
        loss = total(p * p)
    gradient = tape.gradient(loss, x)
    whole = r"2 (p \odot (p - \lVert p \rVert^{2} \mathbf{1}))"
    assert gradient.latex(parts=[p]) == (
        rf"{whole} \quad\text{{where}}\quad p = \operatorname{{softmax}}(x)"
    )
    assert gradient.latex(parts=[p], environment="equation", lhs=True).splitlines() == [
        r"\begin{equation*}",
        r"\begin{aligned}",
        rf"\nabla_{{x}} \mathrm{{loss}} &= {whole} \\",
        r"&\text{where}\quad p = \operatorname{softmax}(x)",
        r"\end{aligned}",
        r"\end{equation*}",
    ]


@pytest.mark.slow
def test_a_multiple_of_a_part_has_its_name():
    """3 x - (𝟏ᵀx) 𝟏 is 3 p where p is the difference from the mean; 10⁹ needs no zeros."""
    leaves = Leaves(3, 2)
    found = gradient_of("layer norm", leaves)
    assert found.text(parts="auto").splitlines() == [
        "(3 I - 𝟏 𝟏ᵀ - p pᵀ / c²) a / (3 c)",
        "where p = x - (𝟏ᵀ x) 𝟏 / 3",
        "      c = √(1e-05 + ‖p‖²/3)",
    ]
    found = gradient_of("causal attention", leaves)
    assert r"(10^{9} \operatorname{tril}(" in found.latex(parts="auto")


def test_a_root_that_stands_once_has_no_letter():
    """That 1/√u is of u is no second place where u stands: the name of the code is enough."""
    q = Leaves(3, 2)
    with tf.GradientTape() as tape:
        scale = tf.math.rsqrt(tf.reduce_mean(q.M**2, -1, keepdims=True) + q.s)
        y = total(q.W * q.M * scale * q.u)
    assert [*tape.gradient(y, q.M).parts()] == ["scale"]
    assert scale.shape == (2, 1)


def gradient_of(name, leaves):
    """Derive a kernel."""
    function, by = KERNELS[name]
    with tf.GradientTape() as tape:
        y = function(leaves)
    return tape.gradient(y, getattr(leaves, by))


def test_bad_parts_are_refused_by_name():
    """The option and the way out are named."""
    x = tf.Variable([0.1, 0.2, 0.4], name="x")
    c = tf.constant([1.0, 2.0, 3.0], name="c")
    with tf.GradientTape() as tape:
        tape.watch(c)
        gradient = tape.gradient(total(tf.nn.softmax(x * c)), x)
    with pytest.raises(ValueError, match="parts= is 'auto', 'none', or tensors, and not 'all'"):
        gradient.latex(parts="all")
    with pytest.raises(ValueError, match="for the forms 'matrix' and 'index', not 'entries'"):
        gradient.latex("entries", parts="auto")
    with pytest.raises(TypeError, match="parts= takes tensors that were computed, not 3"):
        gradient.text(parts=[3])
    with pytest.raises(ValueError, match="stop_at=: c is a leaf"):
        gradient.text(stop_at=[c])
    with tape:
        other = tf.exp(x)
    with pytest.raises(ValueError, match="stop_at=: other does not stand in the formula"):
        gradient.text(stop_at=[other])


def test_no_part_makes_a_formula_divide():
    """Where c is zero the formula has a value, and q = c ⊙ p is not solved for p."""
    x = tf.Variable([0.1, 0.2, 0.4], name="x")
    c = tf.constant([0.0, 2.0, 3.0], name="c")
    with tf.GradientTape() as tape:
        q = tf.nn.softmax(x) * c
        y = total(q * q)
    assert "⊘" not in tape.gradient(y, x).text(parts=[q])


ARRANGED = {
    "a product of sums": (
        lambda s, k, t: (s - k) * (s + k),
        lambda d, s, k, t: tf.sin(d) * tf.cos(s * s - k * k),
        "2 s cos(2 d)",
    ),
    "a power": (
        lambda s, k, t: (s + k) ** 2,
        lambda d, s, k, t: tf.sin(s * s + 2 * s * k + k * k) * t + d * t,
        "2 t (s + k) (1 + cos(d))",
    ),
    "another sign": (
        lambda s, k, t: t * (s + k**2 / 2),
        lambda d, s, k, t: exp(-s * t - t * k * k / 2) * tf.sin(log(k) + d),
        "t exp(-d) (cos(log(k) + d) - sin(log(k) + d))",
    ),
}


@pytest.mark.parametrize("name", ARRANGED)
def test_a_scalar_is_found_in_another_arrangement(name):
    """What is the same sum of products has its name, however it was put together."""
    part, function, text = ARRANGED[name]
    q = Leaves(3, 2)
    with tf.GradientTape() as tape:
        d = part(q.s, q.k, q.t)
        y = function(d, q.s, q.k, q.t)
    found = tape.gradient(y, q.s)
    assert found.text(parts=[d]).splitlines()[0] == text


def composed(q):
    """Compose scalars, each of which the next has several times."""
    u = tf.sin(q.r * q.s) + q.t * exp(-(q.r**2))
    v = u**2 + log(1 + u**2)
    w = v / (1 + tf.sqrt(v + q.k))
    z = tf.tanh(w) * u - q.g * v
    y = tf.sigmoid(z) * w + tf.math.softplus(z * u)
    return y**2 / (1 + y)


def filtered(q):
    """Filter three measurements of a walk (Kalman 1960): what is left has this likelihood."""
    mean, spread, loss = q.g, q.k, 0.0
    for i in range(3):
        spread = spread + q.s
        whole = spread + q.t
        left = q.x[i] - mean
        loss = loss + log(whole) + left**2 / whole
        mean, spread = mean + spread / whole * left, (1 - spread / whole) * spread
    return loss / 2


def recurrent(q):
    """Let two gates work for two steps (Hochreiter and Schmidhuber 1997)."""
    z = mv(q.W, q.x)
    h, c = tf.tanh(q.y), q.y
    for _ in range(2):
        f = tf.sigmoid(z + h)
        c = f * c + (1 - f) * tf.tanh(z)
        h = tf.sigmoid(z) * tf.tanh(c)
    return total(h)


LONG = {composed: "r", filtered: "s", recurrent: "W"}


@pytest.mark.slow
@pytest.mark.parametrize("program", some([*LONG], 2), ids=lambda f: f.__name__)
def test_what_is_too_long_as_a_whole_has_parts(program):
    """A function of thirty steps and more has a derivative that a reader can follow."""
    leaves = Leaves(3, 2)
    with tf.GradientTape() as tape:
        y = program(leaves)
    found = tape.gradient(y, getattr(leaves, LONG[program]))
    text = found.text(parts="auto")
    assert len(text) < MOST_CHARACTERS
    assert len(text.splitlines()) - 1 <= MOST_PARTS
    assert max(map(len, text.splitlines())) < 180
    form = found.formula.matrix_form(10**12)
    holds(found, form.with_parts([], always=False, letters=True))


def test_what_is_too_long_is_refused_without_letters():
    """A limit counts what is written."""
    leaves = Leaves(3, 2)
    with tf.GradientTape() as tape:
        y = composed(leaves)
    found = tape.gradient(y, leaves.r)
    with pytest.raises(tf.ExpansionError, match="more than 20000 parts"):
        found.text()
    with pytest.raises(tf.ExpansionError, match="more than 50 parts"):
        found.text(parts="auto", max_nodes=50)


def test_gates_have_their_names_in_what_is_long():
    """A logistic function is σ in every part."""
    leaves = Leaves(3, 2)
    with tf.GradientTape() as tape:
        y = recurrent(leaves)
    assert "exp" not in tape.gradient(y, leaves.W).text(parts="auto")


def test_a_small_matrix_is_whole_where_somebody_stops_at_it():
    """Cofactors are for those who did not ask for the matrix."""
    q = Leaves(3, 2)
    with tf.GradientTape() as tape:
        spread = tf.stack([tf.stack([q.s, q.r]), tf.stack([q.r, q.t])])
        y = log(tf.linalg.det(spread))
    found = tape.gradient(y, q.s)
    assert found.text() == "t / (t s - r²)"
    assert found.text(stop_at=[spread]) == "spread⁻¹[0, 0]"
