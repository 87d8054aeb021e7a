"""A derivative is that of the function as it is now, by whatever way a number enters it."""

from __future__ import annotations

import decimal
import importlib
import itertools
import random
from typing import Any

import mpmath
import numpy as np
import pytest

import symtape as tf
from symtape.functions.tracing import tracing
from symtape.functions.tracing.captured import _TRUSTED, is_trusted
from symtape.functions.tracing.closed import names_of
from symtape.functions.tracing.tracing import Trace
from tests.sampling import some
from tests.ways import WAYS


@pytest.fixture(autouse=True)
def settings():
    """Put back what some ways set."""
    digits, precision = mpmath.mp.dps, decimal.getcontext().prec
    yield
    mpmath.mp.dps, decimal.getcontext().prec = digits, precision
    tf.keras.backend.set_floatx("float32")
    tf.keras.backend.set_epsilon(1e-7)
    tf.config.run_functions_eagerly(run_eagerly=False)


class Holder:
    """An object whose method reads."""

    def __init__(self, read):
        self.read = read

    def loss(self, x):
        """Scale the square."""
        return self.read() * x * x


def second_of(both):
    """Take the gradient of a pair."""
    return lambda x: both(x)[1]


def along_one(product):
    """Take the product with one."""
    return lambda x: product((x,), (1.0,))[1]


def nested(read):
    """Read two functions deeper."""

    def inner(x):
        return read() * x

    return tf.grad(lambda x: inner(x) * x)


def in_a_loop(read):
    """Read in a comprehension."""
    return tf.grad(lambda x: sum([read() * x * x for _ in range(1)]))


def of_a_derivative(read):
    """Read inside of an inner derivative."""
    return tf.grad(lambda x: tf.grad(lambda z: read() * z * z * z / 3.0)(x))


def as_an_objective(read):
    """Be what SciPy minimizes."""
    found = tf.objective(lambda x: np.sum(read() * x * x))
    return lambda x: found.jac(np.array([x]))[0]


def as_residuals(read):
    """Be what SciPy makes small."""
    found = tf.residuals(lambda x: read() * x * x)
    return lambda x: found.jac(np.array([x]))[0, 0]


FORMS = {
    "grad": lambda read: tf.grad(lambda x: read() * x * x),
    "value": lambda read: second_of(tf.value_and_grad(lambda x: read() * x * x)),
    "method": lambda read: tf.grad(Holder(read).loss),
    "function": lambda read: tf.grad(tf.function(lambda x: read() * x * x)),
    "product": lambda read: along_one(tf.jvp(lambda x: read() * x * x)),
    "nested": nested,
    "loop": in_a_loop,
    "derivative": of_a_derivative,
    "objective": as_an_objective,
    "residuals": as_residuals,
}
"""Ways to differentiate `read() * x * x` by x."""


@pytest.mark.parametrize(
    ("way", "form"),
    some([*itertools.product(WAYS, FORMS)], 5),
    ids=lambda p: getattr(p, "__name__", p),
)
def test_what_is_read_is_what_is_there(way, form):
    """Whatever a number is read by, after a change of it the derivative has the new one."""
    read, change = way()
    slope = FORMS[form](read)
    once = way.__name__ in {"an_iterator", "a_generator"}  # they change by being read
    if not once:
        assert [float(slope(1.5)) for _ in range(3)] == [6.0] * 3
    change()
    found = [float(slope(x)) for x in (1.5, 2.0, 1.5)]
    assert found[-2:] == [12.0, 9.0]
    assert once or found[0] == 9.0


OPEN = (
    "an_attribute_of_a_function whether_something_is_in_a_list a_list_that_is_compared "
    "a_list_that_is_matched a_default_dict a_chain_map a_user_dict a_user_list a_view_of_a_dict "
    "a_deque a_set some_bytes an_iterator a_generator an_attribute_of_a_metaclass "
    "a_cached_property a_descriptor a_descriptor_of_an_object a_missing_attribute "
    "every_attribute an_inherited_method what_a_descriptor_makes_of_an_attribute "
    "an_operator_of_an_object the_text_of_an_object a_context whether_it_is_an_instance "
    "a_new_data_class a_named_tuple a_simple_namespace a_local_of_a_thread "
    "a_module_imported_inside a_memory a_weak_reference a_context_variable a_getter "
    "a_name_that_is_computed all_attributes the_dict_of_attributes all_globals code_in_a_text "
    "the_globals_of_a_function the_frame_of_a_generator the_frame_of_the_caller "
    "the_cell_of_a_function the_environment a_file a_file_of_numbers memory_of_c "
    "digits_that_mpmath_computes_with digits_of_decimals digits_that_decimals_have "
    "an_array_of_objects an_array_of_records a_masked_array an_iterator_over_an_array "
    "memory_of_an_array a_matrix_of_scipy the_number_of_a_variable the_array_of_a_variable "
    "a_variable_and_its_number a_copy_of_a_list"
).split()
"""Ways that are followed by running the function again each time; all others are compiled."""


@pytest.fixture
def recordings(monkeypatch):
    """List each time that a function is recorded."""
    enter: Any = Trace.__enter__
    found: list[Trace] = []
    monkeypatch.setattr(Trace, "__enter__", lambda self: found.append(self) or enter(self))
    return found


@pytest.mark.parametrize(
    "way", [w for w in WAYS if w.__name__ not in OPEN], ids=lambda w: w.__name__
)
def test_common_ways_are_compiled(way, recordings):
    """A function that reads in one of the common ways is recorded once, however often it runs."""
    read, _ = way()
    slope = tf.grad(lambda x: read() * x * x)
    slope(1.0)
    recordings.clear()
    assert [float(slope(x)) for x in (1.0, 2.0, 3.0)] == [4.0, 8.0, 12.0]
    assert recordings == []


def test_the_table_names_ways():
    """Each name in the list of ways that are not compiled is that of a way."""
    assert set(OPEN) <= {way.__name__ for way in WAYS}


def test_trusted_names_are_there():
    """What is taken to compute with its arguments alone is a function of its module."""
    lacking = {
        name
        for module, names in _TRUSTED.items()
        for name in names
        if not hasattr(importlib.import_module(module), name)
    }
    assert lacking <= {"in1d", "cumulative_prod", "cumulative_sum", "unstack"}  # as NumPy's age is


DRAWS = {
    "numpy": lambda: np.random.rand(),  # noqa: NPY002 - what old code does
    "python": random.random,
    "generator": lambda: np.random.default_rng().normal(),
    "own": lambda: random.Random().random(),
    "tensorflow": lambda: tf.random.normal([], dtype=tf.float64),
    "state": lambda: tf.random.Generator.from_non_deterministic_state().normal(
        [], dtype=tf.float64
    ),
    "keras": lambda: tf.keras.initializers.RandomNormal()([], dtype="float64"),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("draw", DRAWS)
def test_random_numbers_are_drawn_on_every_call(draw, form):
    """A function that draws random numbers draws new ones each time, also of generators inside."""
    slope = FORMS[form](DRAWS[draw])
    assert len({float(slope(1.0)) for _ in range(4)}) == 4


def test_what_a_function_does_is_done_on_every_call():
    """Effects of a function happen once for each call, however it is computed."""
    told, count, steps = [], itertools.count(), tf.Variable(0.0)

    def f(x):
        told.append(float(next(count)))
        steps.assign_add(1.0)
        return x * x

    slope = tf.grad(f)
    assert [slope(3.0) for _ in range(4)] == [6.0] * 4
    assert told == [0.0, 1.0, 2.0, 3.0]
    assert float(steps) == 4.0


def test_data_is_not_written_to_unseen():
    """An array from outside that the function writes to is written to on each call."""
    data = np.zeros(2)

    def f(x):
        data[0] += 1.0
        return x * data[0]

    slope = tf.grad(f)
    assert [slope(1.0) for _ in range(3)] == [1.0, 2.0, 3.0]


def test_a_refusal_that_the_function_swallows_is_a_refusal():
    """A function that goes on after an exception is not taken to be closed."""
    own = {1, 2}

    def f(x):
        try:
            rate = len(own)
        except Exception:  # noqa: BLE001 - that is what is tried
            rate = 7.0
        return rate * x * x

    slope = tf.grad(f)
    assert slope(1.0) == 4.0
    own.add(3)
    assert slope(1.0) == 6.0


def test_pure_is_the_users_word():
    """What a function that is declared pure reads is what it was; variables are read anew."""
    own, w = {2.0}, tf.Variable(1.0, dtype=tf.float64)
    f = lambda x: max(own) * w * x * x  # noqa: E731 - several questions are asked about it
    slopes = [tf.grad(f, pure=True), tf.derivative(f, pure=True), tf.jacobian(f, pure=True)]
    both = tf.value_and_grad(f, pure=True)
    goal = tf.objective(lambda x: np.sum(f(x)), pure=True)
    assert [slope(1.0) for slope in slopes] == [4.0] * 3
    assert both(1.0) == (2.0, 4.0)
    assert goal.jac(np.ones(1)) == [4.0]
    own.add(3.0)
    assert [slope(1.0) for slope in slopes] == [4.0] * 3
    w.assign(2.0)
    assert [slope(1.0) for slope in slopes] == [8.0] * 3
    assert both(1.0) == (4.0, 8.0)
    assert goal.jac(np.ones(1)) == [8.0]
    with pytest.raises(TypeError, match="pure=True is for the function"):
        tf.jvp(f, (1.0,), (1.0,), pure=True)
    assert tf.jvp(f, pure=True)((1.0,), (1.0,)) == (6.0, 12.0)


def test_configurations_are_told_apart():
    """Objects that say that they are equal are still read, each by itself."""

    class Config:
        def __init__(self, rate):
            self.rate = rate

        def __eq__(self, other):
            return isinstance(other, Config)

        def __hash__(self):
            return 1

    slope = tf.grad(lambda x, config: config.rate * x * x)
    assert [slope(1.0, Config(rate)) for rate in (2.0, 3.0, 2.0)] == [4.0, 6.0, 4.0]
    config = Config(2.0)
    assert slope(1.0, config) == 4.0
    config.rate = 5.0
    assert slope(1.0, config) == 10.0


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x.__class__,
        lambda x: (k for k in x).gi_frame,
        lambda x: __import__("os"),
        lambda x: (yield from x).f_globals,
    ],
)
def test_code_that_looks_around_is_not_closed(function):
    """Attributes of the interpreter's own objects, and names that Python keeps, are not known."""
    names = names_of(function.__code__)
    assert names is None or "__import__" in names.globals
    assert not is_trusted(__import__)


def test_global_statements_are_not_closed():
    """Code that assigns outside of itself, imports, or makes a class is not closed."""
    texts = (
        "def f(x):\n    global g\n    g = x",
        "def f(x):\n    import math\n    return x",
        "def f(x):\n    class A: pass\n    return x",
        "def f(x):\n    x.a = 1\n    return x",
        "async def f(x):\n    return await x",
        "def f(x):\n    match x:\n        case [a]: return a",
    )
    for text in texts:
        names: dict[str, Any] = {}
        exec(text, names)  # noqa: S102 - the texts above
        assert names_of(names["f"].__code__) is None, text


A = np.array([[1.0, 2.0, 0.5], [0.3, -1.0, 2.0], [0.7, 0.1, 1.5]])
B = np.array([0.5, -1.5, 2.5])
NARROW = np.array([0.5, -1.5, 2.5], np.float32)
WHOLE = np.array([2, 0, 1])
MASK = np.array([True, False, True])
ROWS = [np.array([1.0, 2.0, 3.0]), np.array([-1.0, 0.5, 2.0])]
NUMBERS = [0.5, 1.5, -2.0]
PAIRS = {"w": A, "b": B}
Z = np.array([1.0 + 2.0j, 0.5j, -1.0 + 0.0j])
EMPTY = np.zeros((0, 3))

USES = {
    "product": lambda x: np.sum(A @ x),
    "reflected": lambda x: np.sum(x @ A),
    "tf product": lambda x: tf.reduce_sum(tf.linalg.matvec(A, x)),
    "times": lambda x: np.sum(B * x * x),
    "reflected times": lambda x: np.sum(x * B),
    "power": lambda x: np.sum((x * x) ** B),
    "dot": lambda x: np.dot(B, x) * np.dot(x, B),
    "transpose": lambda x: np.sum((A.T @ x) ** 2),
    "gram": lambda x: np.sum((A.T @ A) @ x * x),
    "row": lambda x: np.dot(A[1], x) ** 2,
    "column": lambda x: np.dot(A[:, -1], x) ** 2,
    "part": lambda x: np.sum(A[1:, :2] * x[0]),
    "element": lambda x: np.sum(A[0, 1] * x * x),
    "rows one by one": lambda x: sum(np.dot(row, x) ** 2 for row in A),
    "zip": lambda x: sum(a * x[k] ** 2 for k, a in enumerate(B)),
    "narrow": lambda x: np.sum(NARROW * x * x),
    "narrow norm": lambda x: np.linalg.norm(NARROW) * np.sum(x * x),
    "whole": lambda x: np.sum(WHOLE * x * x),
    "mean of whole": lambda x: np.mean(WHOLE) * np.sum(x * x),
    "quotient of whole": lambda x: np.sum(WHOLE / 4 * x * x),
    "index": lambda x: np.sum(x[WHOLE] * B),
    "gather": lambda x: tf.reduce_sum(tf.gather(x, WHOLE) * B),
    "mask": lambda x: np.sum(x * MASK * x),
    "where": lambda x: np.sum(np.where(MASK, x * x, x)),
    "tf where": lambda x: tf.reduce_sum(tf.where(MASK, x * x, x)),
    "where of data": lambda x: np.sum(np.where(B > 0, x * x, x)),
    "boolean mask": lambda x: tf.reduce_sum(tf.boolean_mask(x * x, MASK)),
    "one hot": lambda x: tf.reduce_sum(tf.one_hot(WHOLE, 3, dtype=tf.float64) @ x[:, None]),
    "list": lambda x: np.dot(ROWS[0], x) * np.dot(ROWS[-1], x),
    "loop": lambda x: sum(np.dot(row, x) ** 2 for row in ROWS),
    "stacked list": lambda x: np.sum((np.stack(ROWS) @ x) ** 2),
    "array of list": lambda x: np.sum((np.array(ROWS) @ x) ** 2),
    "tf list": lambda x: tf.reduce_sum(tf.linalg.matvec(tf.constant(ROWS), x) ** 2),
    "tf stack": lambda x: tf.reduce_sum(tf.stack(ROWS) * x * x),
    "numbers": lambda x: np.sum(np.array(NUMBERS) * x * x),
    "tf numbers": lambda x: tf.reduce_sum(tf.constant(NUMBERS, tf.float64) * x * x),
    "beside a list": lambda x: np.sum(x * NUMBERS * x),
    "list of numbers": lambda x: sum(NUMBERS) * np.sum(x * x) * max(NUMBERS),
    "concatenated": lambda x: np.sum(np.concatenate([B, x * x, ROWS[0]]) ** 2),
    "dict": lambda x: np.sum((PAIRS["w"] @ x + PAIRS["b"]) ** 2),
    "items": lambda x: sum(np.sum(v @ x) ** 2 for _, v in PAIRS.items()),
    "complex": lambda x: np.sum(np.real(Z * np.conj(Z)) * x * x),
    "empty": lambda x: np.sum(x * x) + np.sum(EMPTY @ x),
    "shape": lambda x: np.sum(x * x) * A.shape[0] * len(B) * B.size,
    "solve": lambda x: np.sum(np.linalg.solve(A, x) ** 2),
    "tf solve": lambda x: tf.reduce_sum(tf.linalg.solve(A, x[:, None]) ** 2),
    "inverse": lambda x: np.sum((np.linalg.inv(A) @ x) ** 2),
    "einsum": lambda x: np.einsum("ij,i,j->", A, x, x),
    "einsum of several": lambda x: np.sum(np.einsum("i,ij,kj->k", x, A, A) ** 2),
    "broadcast together": lambda x: np.sum(np.broadcast_arrays(x, A)[0] * A * x),
    "outer": lambda x: np.sum(np.outer(B, x) ** 2),
    "tensordot": lambda x: np.sum(np.tensordot(A, x, 1) ** 2),
    "maximum": lambda x: np.sum(np.maximum(x, B) ** 2),
    "clip": lambda x: np.sum(np.clip(x, B.min(), B.max()) ** 2),
    "sorted": lambda x: np.sum(np.sort(B) * x * x),
    "cumsum": lambda x: np.sum(np.cumsum(B) * x * x),
    "diag": lambda x: np.sum(np.diag(B) @ x * x),
    "kron": lambda x: np.sum(np.kron(B, x) ** 2),
    "interpolated": lambda x: np.interp(0.3, [0.0, 1.0], B[:2]) * np.sum(x * x),
    "polynomial": lambda x: sum(b * x[0] ** k for k, b in enumerate(B.tolist())),
    "branch": lambda x: np.sum(x * x) if B[0] > 0 else np.sum(x),
    "any": lambda x: np.sum(x * x) if (B < -9).any() else np.sum(x**3),
    "residual": lambda x: np.mean((A @ x - B) ** 2),
    "logistic": lambda x: np.mean(np.logaddexp(0, -B * (A @ x))),
    "convolved": lambda x: np.sum(np.convolve(B, [1.0, 2.0]) * x[0]),
    "copied": lambda x: np.sum(np.copy(B) * x * x),
    "asarray": lambda x: np.sum(np.asarray(B) * x * x),
    "float": lambda x: float(B[0]) * np.sum(x * x),
    "item": lambda x: B[1].item() * np.sum(x * x),
    "tf sum": lambda x: tf.reduce_sum(B) * tf.reduce_sum(x * x),
    "tf data alone": lambda x: tf.reduce_sum(tf.exp(B) * x * x),
    "tf cast": lambda x: tf.reduce_sum(tf.cast(NARROW, tf.float64) * x * x),
    "condition": lambda x: tf.cond(tf.reduce_sum(B) > 0, lambda: np.sum(x * x), lambda: x[0]),
    "in place": lambda x: np.sum(np.add(B, x, out=None) ** 2),
}


@pytest.mark.parametrize("use", USES)
def test_data_from_outside_is_what_it_is(use, monkeypatch):
    """A closed function computes with data from outside what the function itself computes."""
    f, x = USES[use], np.array([0.6, 1.25, 2.0])
    found = [tf.value_and_grad(f)(x), tf.value_and_grad(f)(x), tf.hessian(f)(x)]
    monkeypatch.setattr(tracing, "_trace_closed", lambda *_: None)
    expected = [tf.value_and_grad(f)(x), tf.value_and_grad(f)(x), tf.hessian(f)(x)]
    for one, other in zip(found, expected, strict=True):
        for a, b in zip(one, other, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-13, atol=1e-15)
            assert np.asarray(a).dtype == np.asarray(b).dtype
    steps = 1e-6 * np.eye(3)
    slopes = [(np.asarray(f(x + s)) - np.asarray(f(x - s))) / 2e-6 for s in steps]
    np.testing.assert_allclose(found[0][1], slopes, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("use", USES)
def test_uses_of_data_from_outside_are_compiled(use, recordings):
    """A function that uses data in one of these ways is recorded once, however often it runs."""
    slope, x = tf.grad(USES[use]), np.array([0.6, 1.25, 2.0])
    slope(x)
    recordings.clear()
    for k in (2.0, 3.0):
        slope(k * x)
    assert recordings == []


WIDE_NUMBER, NARROW_NUMBER = np.float64(1.5), np.float32(1.5)
SIGNS = "+ - * / // % ** @ < <= > >= == !=".split()
ARRAYS = "B NARROW (WHOLE+1)".split()
OTHERS = [*ARRAYS, "2", "0.5", "WIDE_NUMBER", "NARROW_NUMBER"]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # a negative number has no such power
@pytest.mark.parametrize(
    ("sign", "other"), [(s, o) for s in SIGNS for o in OTHERS if s != "@" or o in ARRAYS]
)
def test_operators_with_data_from_outside_are_those_of_numpy(sign, other, recordings):
    """An operator between an argument and data of any dtype gives NumPy's number and dtype."""
    wide = np.array([0.6, 1.25, 2.0])
    for x in (wide, wide.astype(np.float32)):
        for text in (f"x {sign} {other}", f"{other} {sign} x"):
            f = eval(f"lambda x: np.sum(({text}) * x)", globals())  # noqa: S307 - the texts above
            both = tf.value_and_grad(f)
            expected, (found, _) = f(x), both(x)
            np.testing.assert_allclose(found, expected, rtol=4 * np.finfo(expected.dtype).eps)
            assert np.asarray(found).dtype == expected.dtype
            recordings.clear()
            both(x)
            assert recordings == []


@pytest.mark.parametrize("use", USES)
def test_data_from_outside_is_read_on_every_call(use):
    """After data from outside was changed in place, a derivative is that of the new data."""
    f, x = USES[use], np.array([0.6, 1.25, 2.0])
    slope = tf.grad(f)
    slope(x)
    kept = [(array, array.copy()) for array in (A, B, NARROW, Z, *ROWS)]
    numbers = list(NUMBERS)
    try:
        for array, old in kept:
            array[...] = 1.5 * old
        NUMBERS[1] = 2.25
        np.testing.assert_allclose(slope(x), tf.grad(lambda x: f(x))(x), rtol=1e-13)
        slopes = [(np.asarray(f(x + s)) - np.asarray(f(x - s))) / 2e-6 for s in 1e-6 * np.eye(3)]
        np.testing.assert_allclose(slope(x), slopes, rtol=1e-5, atol=1e-5)
    finally:
        for array, old in kept:
            array[...] = old
        NUMBERS[:] = numbers


WEIGHTS = [np.array([1.0, 2.0]), np.array([3.0, 4.0])]


def test_elements_have_the_name_of_their_list():
    """A formula calls what stands in a list by the name of the list and its place."""
    slope = tf.grad(lambda x: (WEIGHTS[1] * x).sum() ** 2)
    assert slope.formula(np.ones(2)).text() == "2 (WEIGHTS_1ᵀ x) WEIGHTS_1"


def test_what_is_recorded_on_every_call_is_not_copied_again(monkeypatch):
    """Once a function is known not to be closed, nobody tries to watch what it reads."""
    tried = []
    plain = tracing._trace_closed
    monkeypatch.setattr(tracing, "_trace_closed", lambda *a: tried.append(a) or plain(*a))
    slope = tf.grad(lambda x: x * x * random.Random(0).random())
    assert [slope(2.0), slope(3.0), slope(4.0)]
    assert len(tried) == 1
