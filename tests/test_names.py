"""Formulas use the names that the caller's own code has."""

from __future__ import annotations

import pytest
import sympy as sp

import symtape as tf
from symtape.tensor import names as naming

MODULE_LEVEL = tf.Variable(2.0)


def names(tensor):
    """List the names of the leaves of a formula."""
    return sorted(map(str, tensor.leaves))


def test_local_variables():
    """Local variables of the function that opens the tape name the leaves."""
    mass, speed = tf.Variable(2.0), tf.constant(3.0)
    with tf.GradientTape() as tape:
        energy = mass * speed * speed / 2
    assert names(tape.gradient(energy, mass)) == ["speed"]
    assert energy.expr == sp.sympify("mass*speed**2/2")


def test_module_level():
    """A global variable keeps its name inside of a function."""
    with tf.GradientTape() as tape:
        y = MODULE_LEVEL * MODULE_LEVEL
    assert str(tape.gradient(y, MODULE_LEVEL).expr) == "2*MODULE_LEVEL"


def test_arguments_of_the_function_that_opens_the_tape():
    """The name in the frame of the tape wins over those of its callers and callees."""

    def inner(q):
        return q * q

    def outer(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = inner(x)
        return tape.gradient(y, x)

    value = tf.constant(3.0)
    assert str(outer(value).expr) == "2*x"


def test_names_outlive_the_frame():
    """A derivative that leaves its function keeps the names of that function."""

    def slope():
        height = tf.constant(3.0)
        with tf.GradientTape() as tape:
            tape.watch(height)
            y = height**3
        return tape.gradient(y, height)

    assert str(slope().expr) == "3*height**2"


def test_unpacked_in_a_callee():
    """Parameters that only a called function gives names to have those names."""

    def loss(params, x):
        w1, w2 = params
        return w1 * x + w2 * w2

    x = tf.constant(2.0)
    params = [tf.Variable(float(i)) for i in range(2)]
    with tf.GradientTape() as tape:
        y = loss(params, x)
    first, second = tape.gradient(y, params)
    assert str(first.expr) == "x"
    assert str(second.expr) == "2*w2"


def test_loop_over_parameters():
    """Two tensors that bear one name are told apart by an index."""
    params = [tf.Variable(float(i + 1)) for i in range(2)]
    with tf.GradientTape() as tape:
        y = tf.constant(0.0)
        for w in params:
            y = y + w * w
    found = [str(g.expr) for g in tape.gradient(y, params)]
    assert len(set(found)) == 2


def test_comprehension():
    """A comprehension's variable names its leaves, told apart by an index."""
    params = [tf.Variable(2.0), tf.Variable(3.0)]
    with tf.GradientTape() as tape:
        squares = [p * p for p in params]
        y = squares[0] * squares[1]
    g = tape.gradient(y, params)[0]
    assert len(names(g)) == 2


def test_attributes():
    """`self.w` is `w`."""

    class Model:
        def __init__(self):
            self.w = tf.Variable(3.0)

        def __call__(self, x):
            return self.w * x

    model = Model()
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        y = model(x) * model.w
    assert str(tape.gradient(y, model.w).expr) == "2*w*x"


def test_same_name_in_two_objects():
    """Two attributes of one name are two symbols."""

    class Layer:
        def __init__(self):
            self.w = tf.Variable(3.0)

    a, b = Layer(), Layer()
    with tf.GradientTape() as tape:
        y = a.w * b.w
    assert names(y) == ["w", "w_1"]
    assert str(tape.gradient(y, a.w).expr) == "w_1"


def test_dictionary():
    """Keys of a dict name what they hold."""
    params = {"gain": tf.Variable(2.0), "bias": tf.Variable(1.0)}
    with tf.GradientTape() as tape:
        y = params["gain"] * params["gain"] + params["bias"]
    assert str(tape.gradient(y, params)["gain"].expr) == "2*gain"


def test_explicit_name_wins():
    """`name=` is the name."""
    v = tf.Variable(2.0, name="theta")
    with tf.GradientTape() as tape:
        y = v * v
    g = tape.gradient(y, v)
    assert str(g.expr) == "2*theta"
    assert g.latex() == r"2 \theta"


def test_nameless():
    """What has no name is x0, x1, …"""

    def run(_value):
        with tf.GradientTape() as tape:
            tape.watch(_value)
            y = _value * tf.constant(3.0)
        return y

    assert names(run(tf.constant(2.0))) == ["x0", "x1"]


@pytest.mark.parametrize(
    "name",
    [
        "a b",
        "lambda",
        "2x",
        "x{y}",
        r"\frac",
        "np",
        "v3",
        "select",
        "f",
        "x'; import os",
        "Ω",
        "w:0",
        "",
    ],
)
def test_hostile_names(name):
    """Any name gives a formula, LaTeX with balanced braces, and code that runs."""
    x = tf.Variable(3.0, name=name or None)
    other = tf.Variable(2.0, name=name or None)
    with tf.GradientTape() as tape:
        y = x * x * other
    g = tape.gradient(y, x)
    assert len(g.expr.free_symbols) == 2
    latex = g.latex()
    assert latex.count("{") == latex.count("}")
    f = g.lambdify()
    assert f(3.0, 2.0) == 12.0
    assert all(str(s).isidentifier() for s in g.expr.free_symbols)


def test_reassigned_variable_has_a_symbol_for_each_version():
    """Each version of a variable is a symbol of its own."""
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = x * x
        x.assign_add(1.0)
        z = y * x
    assert names(z) == ["x", "x_1"]
    assert tape.gradient(z, x) == 16.0


def test_a_training_loop_looks_names_up_cheaply():
    """New tensors at one place of the code have the name of that place."""
    w = tf.Variable(1.0)
    found = set()
    for step in range(5):
        batch = tf.constant(float(step))
        with tf.GradientTape() as tape:
            loss = w * batch
        found.add(str(tape.gradient(loss, w).expr))
    assert found == {"batch"}


def test_place_with_changing_names():
    """A place in a helper that sees other variables each time gives each its own name."""

    def square(_t):
        return _t * _t

    alpha, beta = tf.constant(2.0), tf.constant(3.0)
    found = []
    for tensor in (alpha, beta):
        with tf.GradientTape() as tape:
            tape.watch(tensor)
            y = square(tensor)
        found.append(str(tape.gradient(y, tensor).expr))
    assert found == ["2*alpha", "2*beta"]


def test_values_are_called_what_callers_call_them():
    """A structure names what was computed as it is called anywhere within what opened the tape."""

    def derive(tape, shares, x):
        return tape.jacobian(shares, x)

    def jacobian(derive):
        x = tf.constant([0.1, 0.5, 0.2])
        with tf.GradientTape() as tape:
            tape.watch(x)
            chances = tf.nn.softmax(x)
        return derive(tape, [chances][0], x)

    of_a_helper = "diag(shares) - shares sharesᵀ"
    of_the_caller = of_a_helper.replace("shares", "chances")
    assert jacobian(derive).structure == of_a_helper
    assert jacobian(lambda *given: derive(*given)).structure == of_a_helper
    assert jacobian(lambda tape, *given: tape.jacobian(*given)).structure == of_the_caller


def test_a_name_that_was_found_is_not_looked_for_again(monkeypatch):
    """A line that runs often asks its own variables first; what is no variable is looked for."""
    searches = []
    search = naming._search
    monkeypatch.setattr(naming, "_search", lambda *args: searches.append(1) or search(*args))

    class Holder:
        part = None

    for thorough in (True, False):
        searches.clear()
        for _ in range(3):
            mass = object()
            assert naming.find(mass, None, thorough=thorough) == "mass"
        assert len(searches) == (1 if thorough else 0)  # the line was there before
        searches.clear()
        for _ in range(3):
            assert naming.find(object(), None, thorough=thorough) is None
        assert len(searches) == (3 if thorough else 0)
    holder, searches[:] = Holder(), []
    for _ in range(3):
        holder.part = object()
        assert naming.find(holder.part, None, thorough=True) == "part"
    assert len(searches) == 3


def test_a_variable_that_nobody_holds_is_sought_once_from_a_place(monkeypatch):
    """A step that runs often does not look again for each variable that a long list holds."""
    searches = []
    search = naming._search
    monkeypatch.setattr(naming, "_search", lambda *args: searches.append(1) or search(*args))
    layers = [tf.Variable(1.0) for _ in range(100)]

    def step():
        with tf.GradientTape() as tape:
            y = tf.add_n(layers)
        tape.gradient(y, layers)
        return y

    counts = []
    for _ in range(3):
        searches.clear()
        y = step()
        counts.append(len(searches))
    assert counts == [100, 0, 0]
    assert len(y.leaves) == 100
    searches.clear()
    kept = layers.pop()
    with tf.GradientTape() as tape:
        y = kept * kept
    assert str(tape.gradient(y, kept).expr) == "2*kept"
