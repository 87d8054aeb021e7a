"""Forward mode, and gradients by differences: what TensorFlow answers."""

from __future__ import annotations

import unittest
from typing import Any

import numpy as np

from tests.answers.answer import Table
from tests.answers.custom import first, square

TABLE = Table("forward")
program = TABLE.program


def type_only(function: Any) -> Any:
    """Add a program of which only the exception's type counts."""
    TABLE.add(function.__name__.replace("_", " "), function, says="type")
    return function


def _forward(tf: Any, primals: Any, tangents: Any) -> Any:
    return tf.autodiff.ForwardAccumulator(primals, tangents)


@program
def a_derivative_along_a_direction(tf):
    x, y = tf.constant(3.0), tf.constant(4.0)
    with _forward(tf, x, tf.constant(2.0)) as acc:
        z = x**3 * y
        w = {"z": [z, tf.floor(x)], "x": x, "y": y}
    return [acc.jvp(w), acc.jvp(w, "zero"), acc.jvp(z) is acc.jvp(z)]


@program
def several_primals(tf):
    x, w = tf.constant([1.0, 2.0]), tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    with _forward(tf, {"x": x, "w": w}, {"x": tf.constant([1.0, 0.5]), "w": tf.ones([2, 2])}) as a:
        y = tf.linalg.matvec(w, tf.sin(x))
    return a.jvp([y, w, x])


@program
def zeros_where_nothing_connects(tf):
    x = tf.constant(3.0)
    with _forward(tf, x, tf.constant(1.0)) as acc:
        z = x * x
    others = [z, tf.constant([1.0, 2.0]), tf.Variable([1.0]), tf.constant(3)]
    return [acc.jvp(others, tf.UnconnectedGradients.ZERO), acc.jvp(others)]


@program
def before_and_after_the_block(tf):
    x = tf.constant(3.0)
    acc = _forward(tf, x, tf.constant(1.0))
    found = [acc.jvp(x), acc.jvp(tf.constant(1.0))]
    with acc:
        y = x * x
    z = y * y
    with acc:
        w = x**3
    return [found, acc.jvp([y, z, w])]


@program
def inside_of_the_block(tf):
    x = tf.constant(3.0)
    with _forward(tf, x, tf.constant(1.0)) as acc:
        y = x * x
        slope = acc.jvp(y)
        z = slope * x
        return acc.jvp([y, slope, z])


def _nested(order):
    def run(tf):
        x = tf.constant(3.0)
        with _forward(tf, x, tf.constant(1.0)) as outer:
            with _forward(tf, x, tf.constant(2.0)) as inner:
                z = x**3
                slope = inner.jvp(z) if order == "inside" else None
            slope = inner.jvp(z) if order == "between" else slope
        slope = inner.jvp(z) if order == "after" else slope
        return [slope, outer.jvp(slope), outer.jvp(z), inner.jvp(outer.jvp(z))]

    return run


TABLE.rows("nested", [_nested(order) for order in ("inside", "between", "after")])


@program
def three_levels(tf):
    x = tf.constant(3.0)
    one = tf.constant(1.0)
    with _forward(tf, x, one) as a, _forward(tf, x, one) as b, _forward(tf, x, one) as c:
        z = x**5
    return [c.jvp(z), b.jvp(c.jvp(z)), a.jvp(b.jvp(c.jvp(z)))]


@program
def forward_over_backward(tf):
    x = tf.constant([1.0, 2.0])
    with _forward(tf, x, tf.constant([1.0, 0.5])) as acc:
        with tf.GradientTape() as tape:
            tape.watch(x)
            z = tf.reduce_sum(x**3) * x[0]
        g = tape.gradient(z, x)
    return [g, acc.jvp(g)]


@program
def forward_over_backward_after_the_block(tf):
    x = tf.constant([1.0, 2.0])
    with _forward(tf, x, tf.constant([1.0, 0.5])) as acc, tf.GradientTape() as tape:
        tape.watch(x)
        z = tf.reduce_sum(x**3)
    return acc.jvp(tape.gradient(z, x))


def _backward_over_forward(is_late):
    def run(tf):
        x = tf.constant([1.0, 2.0])
        with tf.GradientTape() as tape:
            tape.watch(x)
            with _forward(tf, x, tf.constant([1.0, 0.5])) as acc:
                z = tf.reduce_sum(x**3) * x[0]
            slope = None if is_late else acc.jvp(z)
        slope = acc.jvp(z) if is_late else slope
        return [slope, tape.gradient(slope, x)]

    return run


TABLE.rows("backward over forward", [_backward_over_forward(late) for late in (False, True)])


@program
def a_tape_inside_does_not_see_it(tf):
    x = tf.constant(3.0)
    with _forward(tf, x, tf.constant(1.0)) as acc, tf.GradientTape() as tape:
        tape.watch(x)
        z = x**3
    return tape.gradient(acc.jvp(z), x)


@program
def variables_that_are_assigned(tf):
    w, v = tf.Variable(2.0), tf.Variable(7.0)
    with _forward(tf, w, tf.constant(1.0)) as acc:
        z = w * w * v
        w.assign(5.0)
        y = w * w
        w.assign_add(z)
        u = w * w
    return [acc.jvp([z, y, u, w]), acc.jvp(v)]


@program
def tangents_are_converted(tf):
    x, v = tf.constant(3.0), tf.constant([1.0, 2.0])
    numbers = [_forward(tf, x, t).jvp(x) for t in (1.0, 2, np.float32(3))]
    return [numbers, _forward(tf, v, np.array([1.0, 2.0])).jvp(v)]


@program
def a_number_that_has_no_derivative(tf):
    n = tf.constant(3)
    return _forward(tf, n, tf.constant(1)).jvp(n)


@type_only
def a_primal_twice(tf):
    x = tf.constant(3.0)
    _forward(tf, [x, x], [tf.constant(1.0), tf.constant(1.0)])


@type_only
def tangents_of_another_structure(tf):
    x = tf.constant(3.0)
    _forward(tf, [x, x + 1.0], [tf.constant(1.0)])


@type_only
def a_list_for_a_tangent(tf):
    _forward(tf, tf.constant([1.0, 2.0]), [1.0, 2.0])


@type_only
def a_tangent_of_another_dtype(tf):
    _forward(tf, tf.constant(3.0), tf.constant(1.0, tf.float64))


@program
def a_number_for_a_primal(tf):
    _forward(tf, 3.0, 1.0)


@program
def a_derivative_of_a_number(tf):
    _forward(tf, tf.constant(3.0), 1.0).jvp([3.0])


@program
def an_unknown_word(tf):
    x = tf.constant(3.0)
    _forward(tf, x, 1.0).jvp(x, "ZERO")


@program
def entered_twice(tf):
    with _forward(tf, tf.constant(3.0), 1.0) as acc, acc:
        pass


# --- with gradients of one's own -----------------------------------------------------------------


@program
def what_is_computed_is_differentiated(tf):
    x = tf.constant([1.0, 2.0])
    f = square(tf)
    with _forward(tf, x, tf.constant([1.0, 3.0])) as acc:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        g = tape.gradient(y, x)
    return [acc.jvp(y), g, acc.jvp(g)]


def _sine(tf):
    """Make a sine in NumPy, with its gradient in tensors."""
    return tf.custom_gradient(lambda a: (tf.constant(np.sin(a.numpy())), lambda u: u * tf.cos(a)))


@program
def what_left_tensors_is_transposed(tf):
    x, f = tf.constant([1.0, 2.0]), _sine(tf)
    with _forward(tf, x, tf.constant([1.0, 3.0])) as outer:
        with _forward(tf, x, tf.constant([1.0, 2.0])) as inner:
            y = f(x) * x
        slope = inner.jvp(y)
    return [slope, outer.jvp(slope)]


@program
def what_left_tensors_is_transposed_over_a_tape(tf):
    x, f = tf.constant([1.0, 2.0]), _sine(tf)
    with _forward(tf, x, tf.constant([1.0, 3.0])) as acc:
        g = first(tf, f, x)[0]
    with tf.GradientTape() as tape:
        tape.watch(x)
        with _forward(tf, x, tf.constant([1.0, 3.0])) as inner:
            y = f(x)
        slope = inner.jvp(y)
    return [g, acc.jvp(g), slope, tape.gradient(slope, x)]


@program
def several_results_are_transposed(tf):
    @tf.custom_gradient
    def f(a, b):
        value = tf.constant(np.sin(a.numpy())), tf.constant(b.numpy() ** 2)
        return value, lambda u, v: (u * 2.0 * a + v * b, u * 5.0 + v * 7.0 * a)

    x, y = tf.constant(3.0), tf.constant(4.0)
    with _forward(tf, [x, y], [tf.constant(1.0), tf.constant(10.0)]) as acc:
        z = f(x, y)
    return acc.jvp(z)


@program
def a_matrix_is_transposed(tf):
    m = tf.reshape(tf.range(6.0), (2, 3))
    f = tf.custom_gradient(
        lambda a: (tf.constant([1.0, 2.0, 3.0]), lambda u: tf.linalg.matvec(m, u))
    )
    x = tf.constant([1.0, 2.0])
    with _forward(tf, x, tf.constant([1.0, 3.0])) as acc:
        z = f(x) * 2.0
    return acc.jvp(z)


RULES = {
    "a multiple": lambda tf, x: lambda u: u * 5.0,
    "a product": lambda tf, x: lambda u: u * x,
    "zeros": lambda tf, x: lambda u: tf.zeros_like(x),
    "nothing": lambda tf, x: lambda u: None,
}


def _ruled(tf, make):
    return tf.custom_gradient(lambda x: (x * 2.0, make(tf, x)))


def _around(make):
    """Make a program whose accumulator is around a function, in it, and around one within it."""

    def run(tf):
        f, x = _ruled(tf, make), tf.constant(3.0)

        def slope(g):
            def of(x):
                with _forward(tf, x, tf.constant(1.0)) as acc:
                    y = g(x)
                return acc.jvp(y, "zero")

            return of

        def three(within):
            sine = lambda x: tf.sin(within(x * x))  # noqa: E731
            return [slope(tf.function(sine))(x), slope(sine)(x), tf.function(slope(sine))(x)]

        return [three(f), three(tf.function(lambda x: f(x * x)))]

    return run


def _twice(make):
    """Make a program of second derivatives around a function, in three orders."""

    def run(tf):
        f, x, one = _ruled(tf, make), tf.constant(3.0), tf.constant(1.0)
        g = tf.function(lambda x: tf.sin(f(x * x)))

        @tf.function
        def slope(x):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = tf.sin(f(x * x))
            return tape.gradient(y, x)

        with _forward(tf, x, one) as outer:
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = g(x)
            d = tape.gradient(y, x)
            with _forward(tf, x, one) as inner:
                z = g(x)
            e, c = inner.jvp(z), slope(x)
        return [d, outer.jvp(d), e, outer.jvp(e), outer.jvp(z), c, outer.jvp(c)]

    return run


for _name, _rule in RULES.items():
    TABLE.add(f"a rule around functions: {_name}", _around(_rule))
for _name in ("a multiple", "a product"):
    TABLE.add(f"a rule twice: {_name}", _twice(RULES[_name]))


@program
def a_rule_of_variables_and_of_two_results_in_a_function(tf):
    v, x = tf.Variable(2.0), tf.constant(3.0)

    @tf.custom_gradient
    def f(x):
        return x * v, lambda u, variables: (u * 5.0, [u * 7.0])

    g = tf.custom_gradient(lambda x: ((x * 3.0, x * 4.0), lambda a, b: a * 5.0 + b * x))
    found = []
    for call in (lambda h: h, tf.function):
        with _forward(tf, [x, v], [tf.constant(1.0), tf.constant(1.0)]) as acc:
            y, z = call(f)(x), call(g)(x)
        found.append(acc.jvp([y, *z]))
    return found


@program
def rules_of_what_has_no_derivative(tf):
    x = tf.constant([1.4, 2.6])
    through = [tf.round, tf.stop_gradient, lambda x: x - tf.stop_gradient(x) + tf.floor(x)]
    found = []
    for f in through:
        with _forward(tf, x, tf.constant([1.0, 3.0])) as acc:
            y = tf.grad_pass_through(f)(x)
        found.append(acc.jvp(y))

    @tf.custom_gradient
    def both(x):
        return (tf.round(x), x * x), lambda a, b: a * 5.0 + b * 7.0

    with _forward(tf, x, tf.constant([1.0, 3.0])) as acc:
        y = both(x)
    return [found, acc.jvp(y)]


# --- differences ---------------------------------------------------------------------------------


def _arrays(found):
    return [[str(a.dtype), list(a.shape), a.ravel().tolist()] for part in found for a in part]


COMPARED = {
    "a square": lambda tf: (lambda a: a * a, [1.0]),
    "two arguments": lambda tf: (lambda a, b: tf.stack([a * b, a]), [1.0, np.float32(2.0)]),
    "a matrix": lambda tf: (lambda a: a * a, (np.array([[1.0, 2.0], [3.0, 4.0]]),)),
    "complex numbers": lambda tf: (lambda a: a * a * (1 + 2j), [tf.constant(1.0 + 2j)]),
    "a real part": lambda tf: (lambda a: tf.complex(a, a * a), [tf.constant(3.0)]),
    "nothing": lambda tf: (lambda a: tf.constant([1.0, 2.0]), [1.0]),
    "a floor": lambda tf: (lambda a: tf.floor(a), [1.5]),
    "half precision": lambda tf: (lambda a: a * a, [np.float16(1.5)]),
    "no elements": lambda tf: (lambda a: a * a, [np.zeros((0,), "float32")]),
    "gathered": lambda tf: (lambda a: tf.gather(a, [0, 2, 0]), [tf.constant([1.0, 2.0, 3.0])]),
    "a wrong gradient": lambda tf: (square(tf), [tf.constant([1.0, 2.0])]),
    "a variable": lambda tf: (lambda a: a * a, [tf.Variable(2.0)]),
    "two dtypes": lambda tf: (
        lambda a, b: tf.cast(a, tf.float64) * b,
        [tf.constant(2.0), tf.constant(3.0, tf.float64)],
    ),
    "integers": lambda tf: (lambda a: a, [1]),
    "integers out": lambda tf: (lambda a: tf.cast(a, tf.int32), [1.0]),
    "None": lambda tf: (lambda a: None, [1.0]),
    "a list": lambda tf: (lambda a: [a, a], [1.0]),
    "eight bits": lambda tf: (tf.sin, [tf.constant([1.0, 2.0], tf.bfloat16)], 0.25),
    "no elements at all": lambda tf: (lambda a: a[:0], [tf.zeros([2])]),
}


def _compared(make):
    return lambda tf: _arrays(tf.test.compute_gradient(*make(tf)))


for _name, _make in COMPARED.items():
    TABLE.add(f"compute_gradient of {_name}", _compared(_make))


@program
def compute_gradient_with_a_step(tf):
    return _arrays(tf.test.compute_gradient(lambda a: a**3, [np.array([1.0, 2.0])], delta=0.25))


@type_only
def compute_gradient_of_no_list(tf):
    tf.test.compute_gradient(lambda a: a, tf.constant(1.0))


# --- test cases ----------------------------------------------------------------------------------


def _case(tf):
    class Case(tf.test.TestCase):
        def runTest(self):  # noqa: N802 - unittest's name
            """Do nothing: its methods are called."""

    return Case()


ASSERTIONS = {
    "close": [
        lambda t, tf: t.assertAllClose(tf.constant([1.0, 2.0]), [1.0, 2.0000005]),
        lambda t, tf: t.assertAllClose([1.0, 2.0], tf.Variable([1.0, 2.1])),
        lambda t, tf: t.assertAllClose({"a": (1.0, [2.0])}, {"a": (tf.constant(1.0), [2.0])}),
        lambda t, tf: t.assertAllClose({"a": 1.0}, {"b": 1.0}),
        lambda t, tf: t.assertAllClose({"a": 1.0}, [1.0]),
        lambda t, tf: t.assertAllClose([1.0, [2.0, 3.0]], [1.0, [2.0, 3.0]]),
        lambda t, tf: t.assertAllClose([1.0, [2.0, 3.0]], [1.0, [2.0, 4.0]]),
        lambda t, tf: t.assertAllClose([1.0, [2.0, 3.0]], [1.0]),
        lambda t, tf: t.assertAllClose([1.0], [1.0, 2.0]),
        lambda t, tf: t.assertAllClose(np.nan, np.nan),
        lambda t, tf: t.assertAllClose(np.inf, -np.inf),
        lambda t, tf: t.assertAllClose(1.0, 1.1, rtol=0.2),
        lambda t, tf: t.assertAllClose([tf.constant(1.0), tf.constant(2.0)], [1.0, 2.0]),
        lambda t, tf: t.assertAllClose(1.0, None),
        lambda t, tf: t.assertNotAllClose([1.0], [1.1]),
        lambda t, tf: t.assertNotAllClose([1.0], [1.0]),
        lambda t, tf: t.assertAllCloseAccordingToType(np.float16(1.0), np.float16(1.001)),
        lambda t, tf: t.assertAllCloseAccordingToType(np.float32(1.0), np.float32(1.001)),
        lambda t, tf: t.assertNear(1.0, 1.05, 0.1),
        lambda t, tf: t.assertNear(tf.constant(1.0), 1.5, 0.1),
        lambda t, tf: t.assertArrayNear([1.0, 2.0], [1.0, 2.5], 0.1),
        lambda t, tf: t.assertArrayNear([1.0, 2.0], [1.0], 0.1),
        lambda t, tf: t.assertNDArrayNear(np.array([1.0, 2.0]), np.array([1.0, 2.05]), 0.1),
        lambda t, tf: t.assertNDArrayNear(np.array([1.0, 2.0]), np.array([1.0, 2.5]), 0.1),
    ],
    "equal": [
        lambda t, tf: t.assertAllEqual(tf.constant([1, 2]), [1, 2]),
        lambda t, tf: t.assertAllEqual([1, 2], [1, 3]),
        lambda t, tf: t.assertAllEqual([1, 2], [[1, 2]]),
        lambda t, tf: t.assertAllEqual(np.nan, np.nan),
        lambda t, tf: t.assertAllEqual([True], tf.constant([True])),
        lambda t, tf: t.assertNotAllEqual([1], [1]),
        lambda t, tf: t.assertNotAllEqual([1], [2]),
        lambda t, tf: t.assertShapeEqual(np.ones((2, 3)), tf.ones((2, 3))),
        lambda t, tf: t.assertShapeEqual(np.ones((2, 3)), tf.ones((3, 2))),
        lambda t, tf: t.assertDTypeEqual(tf.ones(2), np.float32),
        lambda t, tf: t.assertDTypeEqual(tf.ones(2), np.float64),
    ],
    "in order": [
        lambda t, tf: t.assertAllGreater(tf.constant([1.0, 2.0]), 0.5),
        lambda t, tf: t.assertAllGreater([1.0, 2.0], 1.0),
        lambda t, tf: t.assertAllLess([1.0, 2.0], 2.0),
        lambda t, tf: t.assertAllLess([1.0, 2.0], 3),
        lambda t, tf: t.assertAllGreaterEqual([1.0, 2.0], 1.0),
        lambda t, tf: t.assertAllLessEqual([1.0, 2.0], 1.5),
        lambda t, tf: t.assertAllInRange([1.0, 2.0], 1.0, 2.0),
        lambda t, tf: t.assertAllInRange([1.0, 2.0], 1.0, 2.0, open_lower_bound=True),
        lambda t, tf: t.assertAllInRange([1.0, 2.0], 1.0, 2.0, open_upper_bound=True),
        lambda t, tf: t.assertAllInRange([1.0, np.nan], 1.0, 2.0),
        lambda t, tf: t.assertAllInRange(3.0, 1.0, 2.0),
        lambda t, tf: t.assertAllInRange(["a"], 1.0, 2.0),
        lambda t, tf: t.assertAllInSet([1, 2, 1], [1, 2, 3]),
        lambda t, tf: t.assertAllInSet([1, 4], (1, 2, 3)),
        lambda t, tf: t.assertStartsWith("abc", "ab"),
        lambda t, tf: t.assertStartsWith("abc", "b"),
        lambda t, tf: t.assertLen([1, 2], 3),
        lambda t, tf: t.assertEmpty([]),
        lambda t, tf: t.assertEmpty([1]),
        lambda t, tf: t.assertNotEmpty([]),
        lambda t, tf: t.assertNotEmpty([0]),
        lambda t, tf: t.assertLen([1, 2], 2),
        lambda t, tf: t.assertBetween(1, 1, 2),
        lambda t, tf: t.assertBetween(0.5, 1, 2),
        lambda t, tf: t.assertBetween(2, 1, 2),
        lambda t, tf: t.assertBetween(3, 1, 2),
    ],
}


def _asserted(assertions):
    def run(tf):
        case, found = _case(tf), []
        for assertion in assertions:
            try:
                assertion(case, tf)
                found.append("holds")
            except Exception as error:
                found.append(type(error).__name__)
        return found

    return run


for _name, _assertions in ASSERTIONS.items():
    TABLE.add(f"a test case: {_name}", _asserted(_assertions))


@program
def a_test_case_evaluates(tf):
    case = _case(tf)
    found = case.evaluate([tf.constant(1.0), {"a": tf.Variable([2.0])}, None])
    with case.cached_session() as session:
        value = session.run(tf.constant([3.0]))
    return [float(found[0]), found[1]["a"].tolist(), found[2], value.tolist()]


@program
def a_test_case_has_one_folder(tf):
    case = _case(tf)
    folders = {case.get_temp_dir(), case.get_temp_dir()}
    names = unittest.defaultTestLoader.getTestCaseNames(type(case))
    result = unittest.TestResult()
    type(case)("test_session").run(result)
    return [len(folders), names, [why for _, why in result.skipped]]


@program
def a_test_case_expects_errors(tf):
    case = _case(tf)
    with case.assertRaisesOpError("Incompatible shapes"):
        tf.constant([1.0, 2.0]) + tf.constant([1.0, 2.0, 3.0])
    with case.assertRaisesWithPredicateMatch(ValueError, lambda e: "mine" in str(e)):
        raise ValueError("mine")
    wrong = []
    for words, n in (("other words", 3), ("nothing is raised", 2)):
        try:
            with case.assertRaisesOpError(words):
                tf.constant([1.0, 2.0]) + tf.ones([n])
        except AssertionError:
            wrong.append(words)
    assert len(wrong) == 2, wrong
    return "both"


@TABLE.program
def a_primal_that_is_watched_again(tf):
    x = tf.constant(-2.0)
    with tf.autodiff.ForwardAccumulator([x], [3.0]) as acc:
        acc._watch(x, tf.constant(10.0))
        y = 3.0 * x
    return acc.jvp(x), acc.jvp(y)


@TABLE.program
def an_empty_result_with_a_gradient(tf):
    @tf.custom_gradient
    def f(x):
        return x[:0], lambda dy: 1 + 0 * x

    return tf.test.compute_gradient(f, [tf.constant([1.0, 2.0])])
