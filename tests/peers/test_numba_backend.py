"""Numba compiles what `tests/test_loops.py` runs as Python; of programs and cases, a sample."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sympy as sp

import symtape as tf
from symtape.codegen.expressions import PYTHON
from symtape.codegen.loops.numba_code import NumbaSource, _numba, _numba_erf
from symtape.codegen.loops.numba_words import NUMBA
from symtape.codegen.loops.scalars import FORMS, Form
from symtape.errors import UnsupportedError
from symtape.kernels.nodes import Variable
from symtape.program.functions import scalar
from tests.cases import CASES
from tests.given import REFUSED, TAKEN, assert_refused, assert_taken, wave
from tests.loop_tasks import OPEN, PLAIN, difference, of_case, of_program, run_plainly
from tests.test_together import newton

pytestmark = [
    pytest.mark.usefixtures("numba"),
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
]

TRUTHS = {scalar.both, scalar.either, scalar.one_of, scalar.negation}


def every_form(dtype: str) -> tuple[str, list[str]]:
    """Write one function that has every form; give its text, and what each line computes."""
    lines: list[str] = []
    kinds: list[str] = []
    extra: list[str] = []

    def let(node, _dtype):
        name = f"t{len(lines)}_{len(extra)}"
        extra.append(f"    {name} = {node.write(PYTHON)}")
        return Variable(name)

    for kind, form in FORMS.items():
        definition = getattr(kind, "definition", None)
        arity = definition.__code__.co_argcount if definition else 1 + (kind is sp.atan2)
        own = np.dtype(bool if kind in TRUTHS else dtype)
        names = ["a", "b"] if kind in TRUTHS else ["x", "y", "z"]
        extra.clear()
        try:
            text = form(Form(NUMBA, own, let, kind), *map(Variable, names[:arity])).write(PYTHON)
        except UnsupportedError:
            continue
        lines += [*extra, f"    out[{len(kinds)}] = {text}"]
        kinds.append(str(kind))
    taken = [f"    {name} = np.{dtype}({name})" for name in "xyz"]
    head = "\n".join(["def f(x, y, z, a, b, out):", *taken, ""])
    return head + "\n".join(lines), kinds


@pytest.mark.parametrize(
    ("dtype", "tolerance"), [("float64", 1e-15), ("float32", 1e-6), ("complex128", 1e-14)]
)
def test_every_form_compiles_and_gives_what_python_gives(numba, dtype, tolerance):
    """The words that numba has for functions are compiled, and mean what Python's mean."""
    text, kinds = every_form(dtype)
    compiled = {**_numba(), "table_erf": _numba_erf()}
    plain = {"np": np, **{k: getattr(v, "py_func", v) for k, v in compiled.items()}}
    made = []
    for namespace in ({**plain, "math": PLAIN["math"]}, {"np": np, "math": math, **compiled}):
        exec(text, namespace)  # noqa: S102 - our own text
        made.append(namespace["f"])
    outs = [np.zeros(len(kinds), np.complex128) for _ in range(2)]
    point = (0.3 + 0.2j, 0.7 - 0.1j, 0.9j) if dtype == "complex128" else (0.3, 0.7, 0.9)
    with np.errstate(all="ignore"):
        made[0](*point, True, False, outs[0])
    numba.njit(made[1], error_model="numpy")(*point, True, False, outs[1])
    for kind, a, b in zip(kinds, *outs, strict=True):
        np.testing.assert_allclose(b, a, rtol=tolerance, atol=tolerance, err_msg=kind)


@pytest.mark.parametrize("seed", range(24))
def test_random_programs(seed):
    """Compiled nests give what the same text gives when Python runs it."""
    limits = OPEN if seed % 2 else None
    work = of_program(1000 + seed, 6, ((1, 2, 3), (2, 3, 4, 5), (0, 1, 2))[seed % 3])
    found = NumbaSource(work.task, limits=limits).compile()(*work.values)
    assert difference(work, found) == ""


SAMPLE = [c for c in CASES if c.inputs and c.order][::30]


@pytest.mark.parametrize("case", SAMPLE, ids=lambda c: c.name)
def test_a_sample_of_the_cases(case):
    """Every thirtieth case, with its gradient, in the precision of every other one."""
    dtype = "float32" if SAMPLE.index(case) % 2 and "float32" in case.dtypes else "float64"
    for work in list(of_case(case, dtype))[-1:]:
        assert difference(work, NumbaSource(work.task).compile()(*work.values)) == ""
        assert difference(work, run_plainly(work)) == ""


def gradient(function, *arrays):
    """Record a function and give its gradient."""
    xs = [tf.constant(a) for a in arrays]
    with tf.GradientTape() as tape:
        tape.watch(xs)
        y = function(*xs)
    return tape.gradient(y, xs[0])


def test_what_is_no_loop_is_computed_between():
    """Linear algebra, functions that numba lacks and products for BLAS stand between nests."""
    a = np.eye(40) * 3 + np.random.default_rng(0).random((40, 40))
    g = gradient(
        lambda a: tf.reduce_sum(tf.linalg.inv(a) @ tf.tanh(a)) + tf.reduce_sum(tf.math.digamma(a)),
        a,
    )
    f = g.lambdify(backend="numba")
    assert "inverse(" in f.source
    assert "@njit" in f.source
    np.testing.assert_allclose(f(a), g.numpy(), rtol=1e-10, atol=1e-10)


def test_results_are_arrays_of_their_own():
    """Two calls share no memory, a scalar is a NumPy scalar, read-only arrays are read."""
    x = np.arange(4.0)
    f = gradient(lambda x: tf.reduce_sum(x * x), x).lambdify(backend="numba")
    x.flags.writeable = False
    first, second = f(x), f(x)
    assert not np.shares_memory(first, second)
    g = gradient(lambda x: x * x, np.float32(2)).lambdify(backend="numba")
    assert type(g(3)) is np.float32


def test_an_index_out_of_range_raises():
    """Indices are looked at before memory is."""
    i = np.array([0, 2, 1])
    f = gradient(lambda x, i: tf.reduce_sum(tf.gather(x, i) ** 2), np.arange(3.0), i).lambdify(
        backend="numba"
    )
    for bad in ([0, 3, 1], [0, -1, 1]):
        with pytest.raises(IndexError):
            f(np.arange(3.0), np.array(bad))


def test_special_values_keep_their_meaning():
    """Fast code does not take nan and infinity for numbers, nor x - (x - y) for y."""
    x = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1e308, 5e-324, 1e-20])
    t = tf.constant(x)
    with tf.GradientTape() as tape:
        tape.watch(t)
        y = tf.stack([tf.nn.relu(t), tf.sigmoid(t), tf.nn.softplus(t), tf.sqrt(t), (t + 1.0) - 1.0])
    np.testing.assert_array_equal(y.lambdify(backend="numba")(x)[-1], y.numpy()[-1])
    np.testing.assert_allclose(y.lambdify(backend="numba")(x), y.numpy(), rtol=1e-15, atol=1e-323)


def test_what_is_given_is_taken_or_refused():
    """Numbers of any kind become what the compiled code takes; what does not fit is refused."""
    f = wave().lambdify(backend="numba")
    for name in TAKEN:
        assert_taken(f, name)
    for name in REFUSED:
        assert_refused(f, name)


def test_several_formulas_are_one_function():
    """A value, its gradient and its Hessian."""
    x, *tensors = newton()
    found = tf.lambdify(tensors, backend="numba")(x.numpy())
    for one, tensor in zip(found, tensors, strict=True):
        np.testing.assert_allclose(one, tensor.lambdify()(x.numpy()), rtol=1e-12, atol=1e-14)
