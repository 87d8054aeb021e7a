"""Formulas are the same whatever was watched: they are read back to what came from outside."""

from __future__ import annotations

import gc
import random
import tracemalloc
import weakref
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy as sp

import symtape as tf
from symtape.errors import ReleasedError, SymtapeError
from tests.cases import CASES, Case
from tests.sampling import some

FORMS = ("entries", "index_expr", "latex", "evalf", "conditions", "leaves")
LETTERS = "abcdefgh"


def said(tensor: Any, form: str) -> str:
    """Give one reading as a text; an error of the family is a reading, too."""
    if form == "evalf" and tensor.numpy().size > 24:
        return "too many digits"
    try:
        found = getattr(tensor, form)
        found = found(12) if form == "evalf" else found() if callable(found) else found
    except (SymtapeError, tf.errors.OpError) as error:
        return type(error).__name__  # which step it names first is a matter of their order
    if form == "leaves":
        return str([(str(k), np.asarray(v).tolist()) for k, v in found.items()])
    return str(found)


def readings(tensor: Any) -> dict[str, str]:
    """Give all readings of a tensor."""
    return {form: said(tensor, form) for form in FORMS}


def of_case(case: Case, watched: tuple[int, ...]) -> dict[Any, dict[str, str]]:
    """Run a case with some inputs watched; read its results and their gradients."""
    arrays = case.arrays("float64")
    xs = [tf.constant(a, name=f"arg_{c}") for a, c in zip(arrays, LETTERS, strict=False)]
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([xs[k] for k in watched])
        ys = tf.nest.flatten(case.run(tf, *xs))
    found: dict[Any, dict[str, str]] = {(k,): readings(y) for k, y in enumerate(ys)}
    for k, y in enumerate(ys):
        for j in watched:
            g = tape.gradient(y, xs[j]) if y.dtype.is_floating and case.order else None
            found[k, j] = {} if g is None else readings(g)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    "case", some([c for c in CASES if c.inputs], 200, 15), ids=lambda c: c.name
)
def test_watching_changes_no_formula(case: Case) -> None:
    """With one input watched, or none, results and gradients read as with all of them."""
    count = len(case.inputs)
    whole = of_case(case, tuple(range(count)))
    for watched in [(), *([(k,) for k in range(count)] if count > 1 else [])]:
        for key, found in of_case(case, watched).items():
            if case.name == "py_function of two":  # a watched one takes all that it is given
                found["leaves"] = whole[key]["leaves"]
            assert found == whole[key], (watched, key)


def test_what_was_computed_before_it_was_watched_is_a_number() -> None:
    """A derivative is derived anew for other sizes, but not through what its tape did not see."""
    c = tf.constant([1.0, 2.0, 4.0, 7.0], tf.float64, name="c")
    x = tf.constant([0.3, 0.7, 1.1, 2.0], tf.float64, name="x")
    with tf.GradientTape() as tape:
        seen = tf.exp(c)
        before = tf.sin(x)
        tape.watch(x)
        y = tf.reduce_sum(before * x**2 * seen)
    assert tape.gradient(y, x).text(sizes="symbolic") == "2 (x ⊙ sin(x) ⊙ exp(c))"
    with tf.GradientTape() as tape:
        inner = tf.sin(x)
        before = 7.0 * inner
        tape.watch(inner)
        y = tf.reduce_sum(before * inner**2 * tf.exp(c))
    found = tape.gradient(y, inner).text(sizes="symbolic")
    assert found == "14 (inner^⊙2 ⊙ exp(c))"


def test_unwatched_steps_keep_cross_products() -> None:
    """They are read as such in a derivative, though only one of the factors was watched."""
    u, v = (tf.constant(x, tf.float64, name=n) for n, x in zip("uv", np.eye(3)[:2], strict=True))
    with tf.GradientTape() as tape:
        tape.watch(u)
        y = tf.linalg.cross(u, 2.0 * v)
    assert tape.gradient(y, u).text() == "2 v × 𝟏"


UNARY = [
    tf.exp, tf.sin, tf.tanh, tf.square, tf.nn.softplus, tf.sort, tf.math.cumsum,
    tf.stop_gradient, tf.floor, tf.nn.relu,
]  # fmt: skip
BINARY = [tf.add, tf.subtract, tf.multiply, tf.maximum, tf.math.atan2]
MADE = [
    lambda x: tf.ones_like(x),
    lambda x: tf.range(1.0, 1.0 + x.shape[0], dtype=x.dtype),
    lambda x: tf.eye(x.shape[0], dtype=x.dtype)[0],
    lambda x: tf.fill([x.shape[0]], tf.constant(0.5, x.dtype)),
    lambda x: tf.linspace(tf.constant(0.1, x.dtype), 0.9, x.shape[0]),
    lambda x: x[0] * tf.zeros(x.shape, x.dtype),
]


def of_program(seed: int, names: str) -> tuple[dict[Any, Any], Any]:
    """Run a random program of three inputs, of which some are watched; read what it made."""
    draw = random.Random(seed)
    dtype = draw.choice((np.float64, np.float32))
    rng = np.random.default_rng(seed)
    n = draw.choice((1, 2, 3))
    inputs = {c: tf.constant(rng.uniform(0.2, 1.2, n).astype(dtype), name=c) for c in "abc"}
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([inputs[c] for c in names])
        made = list(inputs.values())
        for _ in range(draw.randrange(2, 6)):
            made.append(step(draw, made))
        total = tf.reduce_sum(made[-1] * made[draw.randrange(len(made))])
        if total > draw.choice((0.0, 1.0)):
            total = total * 2.0
    found: dict[Any, Any] = {"value": total.numpy().item(), "result": readings(total)}
    for c in names:
        g = tape.gradient(total, inputs[c])
        found[c] = None if g is None else (g.numpy().tolist(), readings(g))
    return found, total


def step(draw: random.Random, made: list[Any]) -> Any:
    """Make one more tensor of those that there are."""
    x, y = draw.choice(made), draw.choice(made)
    kind = draw.randrange(10)
    if kind < 4:
        return draw.choice(UNARY)(x)
    if kind < 7:
        return draw.choice(BINARY)(x, y)
    if kind == 7:
        return x * draw.choice(MADE)(y)
    if kind == 8:
        return tf.gather(x, tf.argsort(y))
    return tf.where(x > y, 1.0 - x, y * 0.5)


@pytest.mark.parametrize("seed", some(range(500), 64))
@pytest.mark.slow
def test_random_programs_read_alike(seed: int) -> None:
    """A random program reads alike for every choice of what is watched of its inputs."""
    whole, _ = of_program(seed, "abc")
    names = "".join(c for c in "abc" if random.Random(seed + 1).random() < 0.5)
    for chosen in {names, "", "b"}:
        found, _ = of_program(seed, chosen)
        for key, value in found.items():
            assert value == whole[key], f"seed {seed}, watched {chosen!r}: {key}"


def test_digits_of_what_was_rounded_on_the_way() -> None:
    """A gradient has all digits although exp overflows nowhere and cancels everywhere."""
    m, y = tf.constant(710.0, tf.float64), tf.constant(711.0, tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(m)
        z = m + y - 2 * tf.math.log(tf.exp(m) + tf.exp(y))
    with mpmath.workdps(40):
        true = 1 - 2 * mpmath.exp(710) / (mpmath.exp(710) + mpmath.exp(711))
    assert abs(tape.gradient(z, m).evalf(20) - sp.Float(mpmath.nstr(true, 30), 30)) < 1e-19


def test_the_loss_of_logistic_regression() -> None:
    """Labels that nobody watches stand in the formula, also on a consumed tape."""
    p, y = tf.Variable([0.2, 0.5], name="p"), tf.constant([0.0, 1.0], name="y")
    with tf.GradientTape() as tape:
        loss = -tf.reduce_sum(y * tf.math.log(p) + (1 - y) * tf.math.log(1 - p))
    before = str(loss.index_expr())
    tape.gradient(loss, p)
    assert str(loss.index_expr()) == before
    assert "(1 - y[i])*log(1 - p[i])" in before


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (lambda: tf.eye(2), "KroneckerDelta(i, j)"),
        (lambda: tf.ones([2, 2]), "1"),
        (lambda: tf.zeros([2, 2]), "0"),
        (lambda: tf.fill([2, 2], 3.0), "3"),
        (lambda: tf.range(2.0), "j"),
        (lambda: tf.range(1.0, 2.0, 0.5), "j/2 + 1"),
        (lambda: tf.cast(tf.shape(tf.zeros([5, 3]))[0], tf.float32), "5"),
        (lambda: tf.constant([[1.0, 2.0], [3.0, 4.0]], name="c"), "c[i, j]"),
    ],
)
def test_what_is_made_in_the_block(made: Any, text: str) -> None:
    """Tensors made of sizes are read as what they are; a constant is a symbol."""
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]], name="x")
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x + made()
    i, j = sp.symbols("i j", integer=True)
    assert str(sp.expand(y.index_expr(i, j) - sp.IndexedBase("x")[i, j])) == str(
        sp.sympify(text) if "[" not in text and "(" not in text else text
    )


def test_what_is_made_outside_is_a_symbol() -> None:
    """A unit matrix that existed before the block is a leaf, as is one that is watched."""
    e, x = tf.eye(2), tf.constant([1.0, 2.0], name="x")
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.linalg.matvec(e, x)
        inner = tf.eye(2)
        tape.watch(inner)
        z = tf.linalg.matvec(inner, x)
    assert [str(s) for s in y.leaves] == ["e", "x"]
    assert [str(s) for s in z.leaves] == ["inner", "x"]


def test_a_loop_with_an_unwatched_counter_derives_once() -> None:
    """What nobody watches is no part of the key of a plan."""
    tf.cache_clear()
    x = tf.Variable(2.0)
    for k in range(4):
        with tf.GradientTape() as tape:
            count = tf.constant(float(k))
            y = x * (count + 1.0)
        tape.gradient(y, x)
    assert (tf.cache_info().misses, tf.cache_info().entries) == (1, 1)


def test_branches_that_unwatched_tensors_decided() -> None:
    """A branch by what nobody watches is a condition, in the order in which it was taken."""
    x, y = tf.constant(3.0, name="x"), tf.constant(0.5, name="y")
    found = []
    for watched in ([x, y], [x], [y]):
        with tf.GradientTape() as tape:
            tape.watch(watched)
            z = x * y
            if 1 - y > 0:
                z = z * x
            if x > 2:
                z = z + y
            z = tf.switch_case(tf.cast(x, tf.int32) - 3, {0: lambda z=z: z, 1: lambda: x})
        found.append((str(z.expr), [str(c) for c in z.conditions]))
    assert found[0] == found[1] == found[2]
    assert found[0][1][:2] == ["1 - y > 0", "x > 2"]
    assert len(found[0][1]) == 3


def test_nested_tapes_read_alike() -> None:
    """What the outer tape does not watch is read through in second derivatives, too."""
    x, y = tf.constant(2.0, name="x"), tf.constant(3.0, name="y")
    found = []
    for watched in ([x, y], [x]):
        with tf.GradientTape() as outer:
            outer.watch(watched)
            with tf.GradientTape() as inner:
                inner.watch(x)
                z = tf.exp(x * (1 - y)) * y
            first = inner.gradient(z, x)
        found.append([str(t.expr) for t in (z, first, outer.gradient(first, x))])
    assert found[0] == found[1]


def test_large_arrays_are_not_kept() -> None:
    """What TensorFlow would have freed within the block is freed; a reading says so."""
    x = tf.constant(2.0, name="x")
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        big = tf.sin(tf.random.normal([200_000]))
        seen = weakref.ref(big)
        y = x * tf.reduce_sum(big)
        del big
        assert seen() is None
    assert "Sum(sin(" in str(y.index_expr())
    with pytest.raises(ReleasedError, match="keep the tensor itself"):
        y.evalf(5)
    assert tape.gradient(y, x) is not None


@pytest.mark.slow
def test_kept_losses_stay_small() -> None:
    """A loop that keeps losses of unwatched computations grows by little a step."""
    w = tf.Variable(np.ones((10, 1)), dtype=tf.float32)
    inputs = np.ones((20, 10), "f")
    kept = []

    def step() -> None:
        x, t = tf.constant(inputs), tf.constant(inputs[:, :1])
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square((x - 0.5) @ w - (1 - t)))
        w.assign_sub(0.01 * tape.gradient(loss, w))
        kept.append(loss)

    for _ in range(20):
        step()
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(300):
        step()
    gc.collect()
    grown = (tracemalloc.get_traced_memory()[0] - before) / 300
    tracemalloc.stop()
    assert grown < 2048
    assert kept[0].index_expr() == kept[-1].index_expr()


@pytest.mark.slow
def test_long_chains_are_walked() -> None:
    """A hundred thousand unwatched steps are recorded, read and let go without recursion."""
    x, k = tf.constant(2.0, name="x"), tf.constant(1.0, name="k")
    with tf.GradientTape() as tape:
        tape.watch(x)
        for _ in range(100_000):
            k = k * 0.5
        y = x * k
    assert len(y.formula.program) > 100_000
    del k, y
    assert tape.gradient(x, x) is not None


def test_why_none_names_what_cut() -> None:
    """A gradient that stop_gradient cut says so, before and after the tape is consumed."""
    x, v = tf.constant(2.0, name="x"), tf.Variable(3.0, name="v")
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.stop_gradient(x) * v
        z = tf.stop_gradient(x) * 3.0
        m = x * v
        w = m * m
        u = z * x
        s = tf.sin(w)
    pairs = [(y, x), (z, x), (y, v), (w, m), (y, m), (u, z), (u, x), (s, m), (s, w)]
    live = [tape.why_none(*pair) for pair in pairs]
    tape.gradient(y, v)
    assert live == [tape.why_none(*pair) for pair in pairs]
    assert "ends at stop_gradient" in live[0]
    assert "ends at stop_gradient" in live[1]
    assert "is connected to v" in live[2]
    assert "is connected to the source" in live[3]
    assert "comes from none that it watches" in live[5]
    assert "is connected to x" in live[6]
    assert "no recorded step leads from the source" in live[4]
    assert "is connected to the source" in live[7]
    assert "is connected to the source" in live[8]


@pytest.mark.slow
def test_leaves_keep_their_names_when_they_are_gone() -> None:
    """A formula is the same for who returns it alone as for who has its variables still."""

    def derived() -> tuple[Any, list[Any]]:
        a = tf.Variable([[2.0, 1.0], [1.0, 3.0]], name="A")
        b, s = tf.Variable([1.0, 2.0], name="b"), tf.Variable(0.5, name="s")
        with tf.GradientTape() as tape:
            c = a + s * tf.eye(2)  # beside it stands what nobody watches
            y = tf.linalg.det(c) * tf.reduce_sum(b * b)
        return tape.gradient(y, s), [a, b, s]

    kept, _variables = derived()
    gone, _ = derived()
    assert gone.text() == kept.text() == "det(A + s I) ‖b‖² tr((A + s I)⁻¹)"
    del _
    gc.collect()
    assert gone.text() == kept.text()


@tf.custom_gradient
def _square(x: Any) -> Any:
    return x * x, lambda upstream: upstream * 2.0 * x


@pytest.mark.parametrize("decides", [False, True])
def test_what_enters_a_tape_again_has_a_formula(decides: bool) -> None:
    """A tape that took in what an inner one made of its own results is read step by step."""
    x = tf.constant([-1.0, 0.5, 2.0], tf.float64)
    with tf.GradientTape(persistent=True) as outer:
        outer.watch(x)
        if decides and x[0] > 0.0:
            raise AssertionError
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.where(x > 0.0, _square(x), x)  # the condition is a step of both tapes
        g = inner.gradient(y, x)
        z = g * g
    assert g.text() == "2 (x ⊙ [x > 0]) + [x ≤ 0]"
    assert [str(c) for c in g.conditions] == ["x[0] <= 0"] * decides
    at = np.array([-3.0, 0.0, 4.0])
    expected = np.where(at > 0, 2 * at, 1)
    np.testing.assert_array_equal(g.lambdify([x])(at), expected)
    np.testing.assert_array_equal(z.lambdify([x])(at), expected**2)
    derived = outer.gradient(z, x)
    np.testing.assert_array_equal(derived.lambdify([x])(at), np.where(at > 0, 4 * expected, 0))


def test_results_of_a_tape_that_come_back_through_another() -> None:
    """What another tape made of its results, while it did not record, is read through."""
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        y = x * x
        with tf.GradientTape(), outer.stop_recording():
            s = tf.sin(y)
        z = s * y
    assert outer.gradient(z, x).text() == "2 (x ⊙ sin(x^⊙2))"


@pytest.mark.parametrize("decides", [False, True])
def test_what_is_beside_the_sources_of_an_inner_tape(decides: bool) -> None:
    """A derivative by a result that is held fixed is of all else what it was computed from."""
    x = tf.constant([-1.0, 0.5, 2.0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        y = x * x
        if decides and y[0] < 0.5:
            raise AssertionError
        a, b = tf.stop_gradient(y), tf.stop_gradient(x)
        with tf.GradientTape() as inner:
            inner.watch(a)
            s = a * a * b
        z = inner.gradient(s, a) * y
    assert z.text() == "2 (a ⊙ x^⊙3)"
    assert [str(c) for c in z.conditions] == ["x[0]**2 >= 1/2"] * decides
    np.testing.assert_allclose(outer.gradient(z, x), [4.0, 0.25, 64.0])
