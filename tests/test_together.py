"""Formulas that are compiled together give the numbers that each gives alone."""

from __future__ import annotations

import importlib.util
import pickle
import sys
from typing import Any

import numpy as np
import pytest

import symtape as tf
from symtape.errors import FormatError, PathConditionError, UnsupportedError
from tests.cases import CASES, Case
from tests.compiled import arguments, derived
from tests.sampling import some

JUDGED = [case for case in CASES if case.order]


def assert_alike(found: Any, expected: Any) -> None:
    """Assert dtype, shape and numbers, up to the roundings of sums in another order."""
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    scale = np.max(np.abs(expected[np.isfinite(expected)]), initial=1)
    np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-12 * scale)


@pytest.mark.parametrize("case", some(JUDGED, 300), ids=lambda c: c.name)
def test_results_and_gradients_of_a_case_are_one_function(case: Case) -> None:
    """All of them together, by names of leaves, and after a journey as JSON."""
    tensors, _kept = derived(case)
    if not tensors:
        return
    together = tf.lambdify(tensors)
    values = {}
    expected = []
    for tensor in tensors:
        alone = tensor.lambdify()
        own = arguments(tensor, alone)
        values |= dict(zip(alone.signature.parameters, own, strict=False))
        expected.append(alone(*own))
    needed = [n for n, p in together.signature.parameters.items() if p.default is p.empty]
    given = [values.get(name, 0.0) for name in needed]
    for found, alone in zip(together(*given), expected, strict=True):
        assert_alike(found, alone)
    again = tf.from_json(together.to_json())
    for found, alone in zip(again(*given), together(*given), strict=True):
        np.testing.assert_array_equal(found, alone)


def newton() -> tuple[Any, Any, Any, Any]:
    """Give a variable, a loss, its gradient and its Hessian."""
    x = tf.Variable(np.array([0.5, -1.0, 2.0]), name="x")
    d = tf.constant(np.array([1.0, 2.0, 3.0]), name="d")
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            loss = tf.reduce_sum(tf.tanh(x * d) * x * x)
        slope = inner.gradient(loss, x)
    return x, loss, slope, outer.jacobian(slope, x)


def test_what_they_have_in_common_is_computed_once() -> None:
    """The function of two tapes has the hyperbolic tangent once."""
    _x, loss, slope, hessian = newton()
    assert tf.lambdify([loss, slope, hessian]).source.count("np.tanh(") == 1
    assert tf.lambdify([slope, slope]).source.count("return v") == 1


def test_steps_that_formulas_begin_with_are_copied_once() -> None:
    """A derivative goes on where its target ends, and is the same if it is asked for again."""
    x = tf.constant(0.1)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.tanh(tf.tanh(x) * x) * x
        first = inner.gradient(y, x)
    second = outer.gradient(first, x)
    both, again = (tf.lambdify([first, second] * n).formula.program for n in (1, 2))
    assert len(both) == len(again) == 28


def test_equal_steps_of_other_leaves_are_others() -> None:
    """Two tapes have the same steps, and each its own argument."""
    found = []
    for name in ("p", "q"):
        x = tf.constant(2.0, name=name)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.sin(x) * x
        found += [y, tape.gradient(y, x)]
    compiled = tf.lambdify(found)
    values = [f.lambdify()(x) for f, x in zip(found, [0.5, 0.5, 3.0, 3.0], strict=True)]
    np.testing.assert_allclose(compiled(0.5, 3.0), values, rtol=1e-6)


STRUCTURES = {
    "a list": lambda a, b, c: [a, b, c],
    "a tuple": lambda a, b, c: (a, b, c),
    "a tuple of one": lambda a, b, c: (a, [b], [c]),
    "a dict": lambda a, b, c: {"value": a, "slope": b, "hessian": c},
    "nested": lambda a, b, c: {"value": a, "more": [(b,), {"h": c}], "none": None},
    "twice": lambda a, b, c: [a, b, (c, b)],
}


@pytest.mark.parametrize("name", STRUCTURES)
@pytest.mark.parametrize("sizes", ["recorded", "any"])
def test_results_come_in_the_structure_that_was_given(name: str, sizes: Any) -> None:
    """Lists, tuples, dicts, and None where there is None."""
    x, *tensors = newton()
    together = tf.lambdify(STRUCTURES[name](*tensors), sizes=sizes)
    expected = STRUCTURES[name](*[tensor.lambdify()(x.numpy()) for tensor in tensors])
    found = together(x.numpy())
    tf.nest.assert_same_structure(found, expected)
    for one, other in zip(tf.nest.flatten(found), tf.nest.flatten(expected), strict=True):
        if one is None:
            assert other is None
        else:
            assert_alike(one, other)


def test_results_share_no_memory() -> None:
    """A result that is written into changes no other one, and no argument."""
    x, _loss, slope, _ = newton()
    with tf.GradientTape():
        y = tf.identity(x)
    one, other, argument = tf.lambdify([slope, slope, y])(point := np.ones(3))
    one[:] = 7.0
    argument[:] = 8.0
    assert 7.0 not in other
    assert point.tolist() == [1.0, 1.0, 1.0]


def test_scalars_are_computed_with_pythons_own_numbers() -> None:
    """Backend `math` gives floats."""
    x = tf.Variable(0.5, name="x")
    with tf.GradientTape() as tape:
        y = tf.sin(x) * x
    f = tf.lambdify((y, tape.gradient(y, x)), backend="math")
    assert f(0.0) == (0.0, 0.0)
    assert [type(v) for v in f(1.0)] == [float, float]


def test_any_sizes() -> None:
    """Value, gradient and Hessian are made anew for other sizes, which have to be equal."""
    _x, *tensors = newton()
    f = tf.lambdify(tensors, sizes="any")
    for n in (1, 2, 5, 2):
        given = np.linspace(0.1, 1.0, n), np.linspace(1.0, 2.0, n)
        for one, tensor in zip(f(given[0], d=given[1]), tensors, strict=True):
            assert_alike(one, tensor.lambdify(sizes="any")(given[0], d=given[1]))
    with pytest.raises(PathConditionError, match="axis 0 of d is 3 long and axis 0 of x is 2 long"):
        f(np.ones(2))
    again = pickle.loads(pickle.dumps(f))
    assert_alike(again(np.ones(2), d=np.ones(2))[2], f(np.ones(2), d=np.ones(2))[2])


def test_conditions_of_all_formulas_hold() -> None:
    """A path that one of them took is asked for, unless nobody wants to know."""
    x = tf.Variable(2.0, name="x")
    with tf.GradientTape(persistent=True) as tape:
        y = x * x
        z = x * 3.0 if x > 1.0 else -x
    pair = [tape.gradient(y, x), tape.gradient(z, x)]
    assert tf.lambdify(pair)(3.0) == [6.0, 3.0]
    with pytest.raises(PathConditionError):
        tf.lambdify(pair)(0.5)
    assert tf.lambdify(pair, check=False)(0.5) == [1.0, 3.0]


def test_a_truth_and_the_integer_one_are_two_conditions() -> None:
    """`bool(n)` and `int(n)` of one count are not the same condition."""
    n = tf.constant(1, name="n")
    x = tf.Variable(2.0, name="x")
    with tf.GradientTape() as tape:
        y = x * x if n else x
    with tf.GradientTape() as other:
        z = x ** float(int(n))
    f = tf.lambdify([tape.gradient(y, x), other.gradient(z, x)])
    assert f(3.0) == [6.0, 1.0]
    with pytest.raises(PathConditionError):
        f(3.0, n=2)


def test_leaves_of_one_name_stay_two() -> None:
    """What is called the same and is not the same has two arguments; what is the same has one."""

    def square(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        return tape.gradient(y, x)

    one, other = tf.constant(2.0), tf.constant(3.0)
    slopes = square(one), square(other)
    assert str(tf.lambdify(slopes).signature) == "(x, x_1)"
    assert tf.lambdify(slopes)(1.0, 5.0) == (2.0, 10.0)
    assert tf.lambdify(slopes, ["x_1", "x"])(1.0, 5.0) == (10.0, 2.0)
    assert tf.lambdify(slopes, [other, one])(1.0, 5.0) == (10.0, 2.0)
    assert str(tf.lambdify([slopes[0], square(one)]).signature) == "(x)"


def test_arguments_may_be_leaves_of_some_of_them_alone() -> None:
    """Each formula takes what it needs."""
    x, d = tf.Variable([1.0, 2.0], name="x"), tf.constant([3.0, 4.0], name="d")
    with tf.GradientTape(persistent=True) as tape:
        y, z = tf.reduce_sum(x * x), tf.reduce_sum(x * x * d)
    f = tf.lambdify([tape.gradient(y, x), tape.gradient(z, x)], ["d"])
    assert str(f.signature) == "(d, *, x=Ellipsis)"
    assert [v.tolist() for v in f([1.0, 1.0])] == [[2.0, 4.0], [2.0, 4.0]]
    assert [v.tolist() for v in f([1.0, 1.0], x=[1.0, 1.0])] == [[2.0, 2.0], [2.0, 2.0]]


def test_a_module_gives_the_structure(tmp_path: Any) -> None:
    """What is exported needs NumPy alone and gives arrays of its own."""
    x, *tensors = newton()
    f = tf.lambdify({"value": tensors[0], "more": (tensors[1], [tensors[2]])})
    f.export(tmp_path / "step.py")
    spec = importlib.util.spec_from_file_location("step", tmp_path / "step.py")
    module = importlib.util.module_from_spec(spec)  # type: ignore[arg-type]  # the file is there
    spec.loader.exec_module(module)  # type: ignore[union-attr]  # likewise
    assert "step" not in sys.modules
    found, expected = module.step(x.numpy()), f(x.numpy())
    tf.nest.assert_same_structure(found, expected)
    for one, other in zip(tf.nest.flatten(found), tf.nest.flatten(expected), strict=True):
        np.testing.assert_array_equal(one, other)
    assert "['more'][1][0]: float64, shape (3, 3)" in module.step.__doc__


def test_files_have_lists_and_dicts() -> None:
    """A tuple arrives as a list; keys that are no texts are refused, also by a module."""
    _x, loss, slope, _ = newton()
    arrived = tf.from_json(tf.lambdify((loss, {"s": slope}, None)).to_json())(np.ones(3))
    assert [type(v) for v in arrived] == [np.float64, dict, type(None)]
    odd = tf.lambdify({1: loss})
    assert odd(np.zeros(3)) == {1: 0.0}
    with pytest.raises(UnsupportedError, match="texts for keys"):
        odd.to_json()
    with pytest.raises(UnsupportedError, match="texts for keys"):
        odd.export("odd.py")
    assert pickle.loads(pickle.dumps(odd))(np.zeros(3)) == {1: 0.0}


BROKEN = {
    '"output": [7, 1]': r"output\[0\]: there is no step at 7",
    '"output": []': "output: a formula has a result",
    '"output": null': "output: a formula has a result",
    '"output": {"a": [true]}': r"output\['a'\]\[0\]: expected an integer, not True",
    '"output": "x"': "output: expected an integer",
}


@pytest.mark.parametrize("text", BROKEN)
def test_structures_of_files_are_checked(text: str) -> None:
    """A file says where it is wrong."""
    x = tf.Variable(2.0, name="x")
    with tf.GradientTape() as tape:
        y = x * x
    good = tf.lambdify([y, y]).to_json()
    del tape
    assert '"output": [1, 1]' in good
    with pytest.raises(FormatError, match=BROKEN[text]):
        tf.from_json(good.replace('"output": [1, 1]', text))


def test_what_is_no_formula_is_refused() -> None:
    """With its place in the structure."""
    _x, loss, slope, _ = newton()
    with pytest.raises(TypeError, match=r"formulas\['a'\]\[1\] is no tensor with a formula, but 2"):
        tf.lambdify({"a": [loss, 2.0]})
    with pytest.raises(ValueError, match=r"there is no formula in \[None\]"):
        tf.lambdify([None])
    with pytest.raises(ValueError, match="'z' is no leaf of the formulas; their leaves are x, d"):
        tf.lambdify([loss, slope], ["z"])
    with pytest.raises(ValueError, match="unknown sizes 'all'"):
        tf.lambdify([loss, slope], sizes="all")  # type: ignore[call-overload]
    with pytest.raises(UnsupportedError, match="there is no backend 'fortran'"):
        tf.lambdify([loss, slope], backend="fortran")


def test_one_tensor_gets_what_it_gives_itself() -> None:
    """No structure, no list."""
    _x, loss, *_ = newton()
    assert tf.lambdify(loss).source == loss.lambdify().source
