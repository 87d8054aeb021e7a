"""What travels: formulas, programs and functions to other processes, formulas to modules."""

from __future__ import annotations

import ast
import builtins
import concurrent.futures
import copy
import multiprocessing
import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
import sympy as sp

import symtape as tf
from symtape.compiled import bundle
from symtape.compiled.bundle import replaced_at
from symtape.kernels.special.functions import NAMESPACE as SPECIAL
from symtape.program.excerpt import Excerpt
from symtape.program.functions import scalar, special
from symtape.program.operations import Map, elementwise
from symtape.program.program import Program
from symtape.tensor.dispatch import apply1
from tests.cases import CASES, Case
from tests.compiled import arguments, derived
from tests.documents import (
    FUNCTIONS,
    WAYS,
    assert_same,
    assert_travels,
    by_cloudpickle,
    by_pickle,
    cubic_slope,
    formula,
    loss,
    row_loss,
    traces_of,
)
from tests.programs import random_program
from tests.sampling import some


@pytest.fixture(scope="module")
def pool():
    """Give a process that was started afresh and has imported nothing of ours."""
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as made:
        yield made


# --- formulas and programs ------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("k", range(len(FUNCTIONS)))
def test_formulas_travel(way, k, rng):
    """A formula has the same source, signature and numbers, its recorded values among them."""
    f = formula(k)
    found = WAYS[way](f)
    assert (found.source, str(found.signature)) == (f.source, str(f.signature))
    x, w = np.abs(rng.normal(size=(2, 3))), rng.normal(size=(3, 2))
    np.testing.assert_array_equal(found(x), f(x))
    np.testing.assert_array_equal(found(x, w=w), f(x, w=w))


@pytest.mark.slow
@pytest.mark.parametrize("k", range(len(FUNCTIONS)))
def test_formulas_travel_to_another_process(k, pool, rng):
    """A formula that was sent to a new process gives the same numbers there."""
    f, x = formula(k), np.abs(rng.normal(size=(2, 3)))
    np.testing.assert_allclose(pool.submit(f, x).result(), f(x), rtol=1e-14)


@pytest.mark.slow
def test_a_pool_of_multiprocessing_takes_formulas(rng):
    """`multiprocessing.Pool.map` of a formula gives what a loop gives."""
    f, rows = formula(0), [rng.normal(size=(2, 3)) for _ in range(3)]
    with multiprocessing.get_context("spawn").Pool(1) as made:
        found = made.map(f, rows)
        made.close()
        made.join()
    np.testing.assert_allclose(found, [f(x) for x in rows], rtol=1e-14)


@pytest.mark.slow
def test_errors_travel_back(pool):
    """Outside of the recorded path a formula raises in another process as it does here."""
    with pytest.raises(tf.PathConditionError):
        pool.submit(formula(1), np.full((2, 3), -20.0)).result()


@pytest.mark.parametrize("backend", ["numpy", "math", "scipy"])
def test_every_backend_travels(backend):
    """A formula is compiled for its backend again where it arrives."""
    assert_travels(backend)


def test_only_the_steps_that_are_needed_travel():
    """A formula of a long tape is small."""
    x = tf.constant(np.ones(3))
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x
        for _ in range(2000):
            y = tf.sin(y)
        z = tf.reduce_sum(x * x)
    assert len(pickle.dumps(tape.gradient(z, x).lambdify())) < 2000


def test_a_formula_whose_values_are_gone_says_so():
    """A recorded value that nobody holds cannot travel: `ReleasedError`, and never a wrong one."""
    x = tf.constant(np.ones(3))
    with tf.GradientTape() as tape:
        tape.watch(x)
        other = tf.constant(np.arange(3.0))
        y = tf.reduce_sum(x * x * other)
    f = tape.gradient(y, x).lambdify()
    del other, y, tape
    try:
        expected = f(np.ones(3))
    except tf.ReleasedError:
        with pytest.raises(tf.ReleasedError):
            pickle.dumps(f)
    else:
        np.testing.assert_array_equal(by_pickle(f)(np.ones(3)), expected)


@pytest.mark.parametrize("seed", range(20))
def test_programs_travel(seed):
    """A program arrives equal: its operations and dtypes are the objects that are there."""
    program = random_program(seed)[0]
    assert_same(program, by_pickle(program))


@pytest.mark.slow
def test_programs_travel_to_another_process_and_back(pool):
    """Operations are interned again on each side."""
    program = tf.trace(loss, np.ones((3, 2)), np.ones((4, 3)), np.ones((4, 2)))
    found = pool.submit(copy.copy, program).result()
    assert_same(program, found)
    assert (found.arguments, found.results) == (program.arguments, program.results)


def test_bodies_travel():
    """Scalar functions come back as themselves, and equal bodies as one operation."""
    a = sp.Symbol("a0", real=True)
    body = special.gaussian(-1, a) + scalar.sigmoid_slope(a)
    assert by_pickle(body) == body
    assert by_pickle(scalar.tanh) is scalar.tanh
    assert by_pickle(Map(body, 1, "same")) is Map(body, 1, "same")


@pytest.mark.slow
def test_an_operation_of_a_user_travels_to_a_process_that_lacks_it(pool):
    """The body goes with the name."""
    quartic = elementwise("quartic_of_a_user", lambda x: x**4)
    x = tf.constant(np.array([1.0, 2.0]))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = apply1(quartic, x)
    f = y.lambdify()
    np.testing.assert_array_equal(pool.submit(f, np.array([1.0, 3.0])).result(), [1.0, 81.0])
    assert by_pickle(quartic) is quartic


def test_a_scalar_function_that_two_things_are_called_cannot_travel():
    """A name that would be read as another function is refused."""
    mine = scalar.scalar("tanh", sp.atan, lambda x: 1 / (1 + x**2))
    with pytest.raises(TypeError, match="another function has that name"):
        pickle.dumps(mine)


# --- tensors --------------------------------------------------------------------------------------


def scalar_gradient() -> Any:
    """Differentiate a function of a scalar."""
    x = tf.constant(0.3)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.sin(x) * x
    return tape.gradient(y, x)


def after_a_branch() -> Any:
    """Compute a value by a branch, and by what nobody watches."""
    x, a = tf.constant(0.3), tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        b = tf.exp(a) * 0.5
        y = x * b if a > 1.0 and x < 1.0 else x
    return y


def through_what_nobody_watches() -> Any:
    """Differentiate by way of numbers that nobody watches."""
    x, a = tf.constant(0.3), tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.sin(x * tf.exp(a))
    return tape.gradient(y, x)


def unwatched() -> Any:
    """Compute what nobody watches while a tape is open."""
    a = tf.constant(2.0)
    with tf.GradientTape():
        b = tf.exp(a) * 0.5
    return b


def of_a_variable() -> Any:
    """Differentiate by a variable, which lives no longer than this."""
    w = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(w * w)
    return tape.gradient(y, w)


def second_order() -> Any:
    """Differentiate twice, with nested tapes."""
    x = tf.constant(0.3)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.sin(x) * x
        slope = inner.gradient(y, x)
    return outer.gradient(slope, x)


def of_a_function() -> Any:
    """Ask a function for its gradient at a tensor."""
    return tf.grad(lambda x: tf.reduce_sum(tf.sin(x) * x))(tf.constant([0.1, 0.2]))


def jacobian_of_rows() -> Any:
    """Take a Jacobian that is no diagonal, with a batch of constants."""
    v, a = tf.constant([0.1, 0.2]), tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    with tf.GradientTape() as tape:
        tape.watch(v)
        y = tf.tanh(tf.linalg.matvec(a, v))
    return tape.jacobian(y, v)


def hessian_with_structure() -> Any:
    """Take a Hessian whose structure names a constant and has a letter."""
    v, a = tf.constant([0.1, 0.2]), tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    with tf.GradientTape() as tape:
        tape.watch(v)
        y = tf.reduce_sum(tf.exp(tf.linalg.matvec(a, v)))
    return tape.hessian(y, v)


def late_hessian() -> Any:
    """Take a Hessian that is computed when it is read."""
    v = tf.constant(np.linspace(0.1, 1.0, 120))
    with tf.GradientTape() as tape:
        tape.watch(v)
        y = tf.reduce_sum(v * v * v)
    return tape.hessian(y, v)


TENSORS = (
    scalar_gradient, after_a_branch, through_what_nobody_watches, unwatched, of_a_variable,
    second_order, of_a_function, jacobian_of_rows, hessian_with_structure, late_hessian,
)  # fmt: skip


def read_in_all_ways(t: Any) -> dict[str, Any]:
    """Read a formula in every form; what cannot be read is told by the error."""
    small = t.formula.shape in {(), (2,)}
    ways = {
        "index": lambda: t.index_expr(),
        "latex": t.latex,
        "steps": lambda: t.latex("steps"),
        "conditions": lambda: t.conditions,
        "names": lambda: [str(symbol) for symbol in t.leaves],
        "expr": lambda: t.expr if small else None,
        "entries": lambda: t.entries if small else None,
        "exact": lambda: t.exact() if small else None,
        "digits": lambda: t.evalf(30) if small else None,
        "structure": lambda: str(t.structure) if len(t.formula.shape) == 2 else None,
        "program": lambda: str(t.formula.program),
    }
    found = {}
    for name, way in ways.items():
        try:
            found[name] = way()
        except (tf.ReleasedError, tf.NoMatrixFormError) as error:
            found[name] = str(error)
    return found


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("make", TENSORS)
def test_tensors_travel_with_their_formulas(way, make):
    """A tensor is read as before: in every form, with its value, and its leaves with theirs."""
    t = make()
    assert t.origin is not None
    found = WAYS[way](t)
    assert read_in_all_ways(found) == read_in_all_ways(t)
    np.testing.assert_array_equal(found.numpy(), t.numpy(), strict=True)
    assert read_in_all_ways(by_pickle(found)) == read_in_all_ways(t)


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_tensors_travel_by_every_protocol(protocol):
    """Each protocol from the second on takes the formula along."""
    t = scalar_gradient()
    found = pickle.loads(pickle.dumps(t, protocol))
    assert read_in_all_ways(found) == read_in_all_ways(t)


@pytest.mark.slow
@pytest.mark.parametrize("make", TENSORS)
def test_tensors_travel_to_another_process(make, pool):
    """A process that was started afresh reads the same formula."""
    t = make()
    assert pool.submit(read_in_all_ways, t).result() == read_in_all_ways(t)


def test_a_tensor_travels_out_of_an_open_block():
    """What was recorded so far goes along; what arrives carries no derivative."""
    x = tf.constant(0.3)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.sin(x) * x
        sent = by_pickle(y)
        z = sent * 2.0
    assert sent.expr == y.expr
    assert tape.gradient(z, x) is None


def test_a_copy_of_a_tensor_is_the_tensor():
    """As in TensorFlow, where nobody changes a tensor: it carries the derivative."""
    x = tf.constant(0.3)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.sin(copy.deepcopy(x)) * copy.deepcopy({"x": x})["x"]
    assert copy.copy(y) is y
    assert copy.deepcopy([y])[0] is y
    np.testing.assert_allclose(tape.gradient(y, x), np.sin(0.3) + 0.3 * np.cos(0.3), rtol=1e-6)


def test_leaves_that_travel_together_stay_together():
    """Tensors and variables that entered are, on arrival, those that were sent beside."""
    x, w = tf.constant([1.0, 2.0]), tf.Variable([3.0, 4.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(x * x * w * w)
    sent = [x, w, *tape.gradient(y, [x, w]), y]
    a, b, by_x, by_w, z = by_pickle(sent)
    for t in (by_x, by_w, z):
        assert [str(symbol) for symbol in t.leaves] in (["w", "x"], ["x", "w"])
        assert {id(leaf) for leaf in t.leaves.values()} == {id(a), id(b.handle.tensor)}
    np.testing.assert_array_equal(by_x.lambdify([a, b])([1.0, 1.0], [2.0, 3.0]), [8.0, 18.0])


@pytest.mark.slow
def test_tensors_of_one_recording_share_it_in_a_pickle():
    """Three results of a long tape take hardly more room than one."""
    xs = [tf.constant(0.3), tf.constant(0.2), tf.constant(0.1)]
    with tf.GradientTape() as tape:
        tape.watch(xs)
        y = xs[0]
        for _ in range(1000):
            y = tf.sin(y * xs[1]) + xs[2]
    slopes = tape.gradient(y, xs)
    assert len(pickle.dumps(slopes)) < 1.02 * len(pickle.dumps(slopes[0]))


@pytest.mark.slow
def test_long_programs_travel():
    """Thousands of steps, recorded or not, are no depth for a pickle, and a cost in line."""
    x, a = tf.constant(0.3), tf.constant(0.2)
    with tf.GradientTape() as tape:
        tape.watch(x)
        for _ in range(10_000):
            a = tf.sin(a)
        y = x * a
        for _ in range(10_000):
            y = tf.sin(y)
    for t in (y, a, tape.gradient(y, x)):
        sent = pickle.dumps(t)
        program = t.formula.program
        assert len(sent) < 40 * len(program)
        assert pickle.loads(sent).formula.program.steps == program.steps


@pytest.mark.slow
def test_long_chains_of_tapes_travel():
    """Each result was watched by the next tape: the pickle of the last one is no deep one."""
    points = [tf.constant(0.5)]
    for _ in range(1000):
        with tf.GradientTape() as tape:
            p = points[-1]
            tape.watch(p)
            y = p * p
        points.append(tape.gradient(y, p))
    found = by_pickle(points[-1])
    for _ in range(1000):
        assert found.expr == 2 * sp.Symbol("p")
        (found,) = found.leaves.values()
    assert found.origin is None
    assert len(pickle.dumps(points[::-1])) < 3 * len(pickle.dumps(points))


def test_what_is_gone_when_it_is_pickled_is_gone_on_arrival():
    """A released leaf that nobody holds: the formula is there, its numbers raise."""
    t = of_a_variable()  # the gradient holds what it needs
    assert by_pickle(t).exact()[1] == 4
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(x * x)
    tape.gradient(y, x)
    expected = y.index_expr()
    del x
    sent = by_pickle(y)
    assert sent.index_expr() == expected
    with pytest.raises(tf.ReleasedError):
        sent.evalf(5)


def test_structures_and_their_cores_travel():
    """A structure multiplies on arrival, and the formula of its core is the same."""
    t = hessian_with_structure()
    found = by_pickle(t.structure)
    assert (found, found.shape) == (t.structure, t.structure.shape)
    assert by_pickle(t.structure.core).index_expr() == found.core.index_expr()
    v = np.array([1.0, 2.0])
    np.testing.assert_allclose(found.as_linear_operator() @ v, t.numpy() @ v, rtol=1e-6)
    np.testing.assert_allclose(by_pickle(t).as_linear_operator() @ v, t.numpy() @ v, rtol=1e-6)


def test_a_copy_of_a_late_tensor_stays_late():
    """Nothing is computed for a copy, which is the tensor."""
    t = late_hessian()
    assert copy.deepcopy(t) is t
    assert t.is_late


# --- functions ------------------------------------------------------------------------------------

POINT = (np.full((3, 2), 0.1), np.ones((4, 3)), np.ones((4, 2)))

DERIVATIVES = {
    "grad": (tf.grad(loss), POINT),
    "value_and_grad": (tf.value_and_grad(loss, argnums=(0, 1)), POINT),
    "jacobian": (tf.jacobian(loss, argnums=1), POINT),
    "hessian": (tf.hessian(loss), POINT),
    "rows": (
        tf.grad(row_loss, vectorize=(1, 2)),
        (np.full(3, 0.1), np.ones((4, 3)), np.zeros(4)),
    ),
    "derivative": (tf.derivative(np.sin, 2), (0.5,)),
    "jvp": (tf.jvp(loss), (POINT, POINT)),
    "hvp": (tf.hvp(loss), (POINT, POINT)),
    "decorated": (cubic_slope, (2.0,)),
}


def assert_equal(a: Any, b: Any) -> None:
    """Assert that two structures of arrays are equal."""
    for x, y in zip(tf.nest.flatten(a), tf.nest.flatten(b), strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-14)


@pytest.mark.slow
@pytest.mark.parametrize("name", DERIVATIVES)
def test_functions_travel_to_another_process(name, pool):
    """A derivative of a function gives there what it gives here, called twice."""
    function, arguments = DERIVATIVES[name]
    expected = function(*arguments)
    for _ in range(2):
        assert_equal(pool.submit(function, *arguments).result(), expected)


@pytest.mark.parametrize("name", DERIVATIVES)
@pytest.mark.parametrize("way", WAYS)
def test_functions_travel(name, way):
    """A derivative of a function survives each way, and keeps its name and documentation."""
    function, arguments = DERIVATIVES[name]
    found = WAYS[way](function)
    assert_equal(found(*arguments), function(*arguments))
    assert (found.__name__, found.__doc__) == (function.__name__, function.__doc__)


@pytest.mark.slow
def test_a_worker_traces_a_function_once(pool):
    """A function that arrives again is the one that arrived before, with what was traced."""
    slope = tf.grad(loss)
    for count, rows in enumerate((4, 4, 5, 4), start=1):
        arguments = POINT[0], np.ones((rows, 3)), np.ones((rows, 2))
        found, traces = pool.submit(traces_of, slope, *arguments).result()
        assert traces == (1 if count < 3 else 2)
        np.testing.assert_allclose(found, slope(*arguments), rtol=1e-14)


def test_two_questions_about_one_function_stay_apart():
    """What arrived for one question does not answer another."""
    first, second = by_pickle(tf.grad(loss)), by_pickle(tf.grad(loss, argnums=1))
    assert first(*POINT).shape == (3, 2)
    assert second(*POINT).shape == (4, 3)
    assert by_pickle(tf.hessian(loss))(*POINT).shape == (3, 2, 3, 2)


def test_lambdas_travel_with_cloudpickle():
    """What has no name cannot be pickled, but cloudpickle takes it along, with what it reads."""
    factor = 3.0
    slope = tf.grad(lambda x: factor * x * x)
    assert by_cloudpickle(slope)(2.0) == 12.0
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(slope)


# --- modules that stand alone ---------------------------------------------------------------------


def imported_alone(path: Any) -> dict[str, Any]:
    """Run a module where symtape and SymPy cannot be imported, and give its names."""

    def guarded(name, *rest):
        if name.partition(".")[0] in {"symtape", "sympy", "mpmath"}:
            raise ImportError(f"{name} is not to be imported")
        return builtins.__import__(name, *rest)

    scope = {
        "__builtins__": {**vars(builtins), "__import__": guarded},
        "__name__": path.stem,
        "__file__": str(path),
    }
    exec(compile(path.read_text("utf-8"), str(path), "exec"), scope)  # noqa: S102 - what we wrote
    return scope


def exported(case: Case, dtype: str, path: Any) -> None:
    """Export the results and gradients of a case, and compare what they compute."""
    results, _held = derived(case, dtype)
    for t in results:
        f = t.lambdify()
        f.export(path)
        given = arguments(t, f)
        expected = f(*given)
        found = imported_alone(path)[path.stem](*given)
        assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
        wide = expected.dtype in (np.float64, np.complex128)
        np.testing.assert_allclose(found, expected, rtol=3e-15 if wide else 3e-7)


@pytest.mark.parametrize("case", some([c for c in CASES if c.inputs], 48, 2), ids=lambda c: c.name)
def test_every_operation_is_exported(case: Case, tmp_path) -> None:
    """An exported module computes what the formula computes, without symtape and SymPy."""
    if case.name.partition(".")[2].rpartition(" ")[2] in vars(SPECIAL):
        pytest.importorskip("scipy")
    exported(case, "float64", tmp_path / "gradient.py")


ALONE = """
import sys
class Refuse:
    def find_spec(self, name, *rest):
        if name.partition(".")[0] in {"symtape", "sympy", "mpmath", "scipy"}:
            raise ImportError(name)
sys.meta_path.insert(0, Refuse())
import numpy as np
import gradient
print(gradient.gradient(np.load("x.npy")).tolist())
"""


@pytest.mark.parametrize("k", [0, 1, 2])
def test_an_exported_module_runs_in_a_process_with_numpy_alone(k, tmp_path, rng):
    """A process that cannot import symtape, SymPy or SciPy computes the same numbers."""
    f, x = formula(k), np.abs(rng.normal(size=(2, 3)))
    f.export(tmp_path / "gradient.py")
    np.save(tmp_path / "x.npy", x)
    command = [sys.executable, "-c", ALONE]
    ran = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True)  # noqa: S603
    np.testing.assert_array_equal(ast.literal_eval(ran.stdout), f(x))


def test_large_recorded_values_lie_beside_the_module(tmp_path, rng):
    """Values of more than 256 numbers are in an `.npz` file, which the module finds."""
    w, x = tf.constant(rng.normal(size=(30, 30))), tf.constant(rng.normal(size=30))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.tanh(tf.linalg.matvec(w, x)))
    f = tape.gradient(y, x).lambdify()
    f.export(tmp_path / "slope.py", doc="Give the slope of a layer.")
    text = (tmp_path / "slope.py").read_text("utf-8")
    assert "slope.npz" in text
    assert len(text) < 5000
    module = imported_alone(tmp_path / "slope.py")
    np.testing.assert_array_equal(module["slope"](x.numpy()), f(x.numpy()))
    other = rng.normal(size=(30, 30))
    np.testing.assert_array_equal(module["slope"](x.numpy(), w=other), f(x.numpy(), w=other))


def test_an_exported_function_checks_its_arguments_and_its_path(tmp_path):
    """Another shape, another kind of dtype, and another branch raise."""
    formula(1).export(tmp_path / "module.py", name="slope")
    slope = imported_alone(tmp_path / "module.py")["slope"]
    with pytest.raises(ValueError, match=r"x has shape \(3, 2\), the formula is for \(2, 3\)"):
        slope(np.ones((3, 2)))
    with pytest.raises(TypeError, match="x has dtype complex128"):
        slope(np.ones((2, 3), complex))
    with pytest.raises(ValueError, match="another branch"):
        slope(np.full((2, 3), -20.0))
    assert "float64, shape (2, 3)" in slope.__doc__


def test_an_exported_module_says_what_it_is(tmp_path):
    """The docstring has the sentence that was given, the signature and the version."""
    formula(3).export(tmp_path / "slope.py", doc="Give a slope.")
    text = ast.get_docstring(ast.parse((tmp_path / "slope.py").read_text("utf-8")))
    assert text.startswith("Give a slope.\n")
    assert "slope(x, *, w=None)" in text
    assert f"symtape {tf.__version__}" in text
    assert "NumPy and SciPy" in text


def test_an_exported_module_tells_dtypes_and_shapes(tmp_path):
    """Each argument and the result have a dtype, and a shape if they are arrays."""
    x, v = tf.constant(2.0, name="x"), tf.constant([1.0, 2.0], tf.float64, name="v")
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x * tf.cast(tf.reduce_sum(v), tf.float32)
    tape.gradient(y, x).lambdify(["x", "v"]).export(tmp_path / "slope.py")
    tree = ast.parse((tmp_path / "slope.py").read_text("utf-8"))
    (slope,) = [x for x in tree.body if isinstance(x, ast.FunctionDef) and x.name == "slope"]
    lines = [line.strip() for line in ast.get_docstring(slope).splitlines()]
    assert {"x: float32.", "v: float64, shape (2,)."} <= set(lines)
    assert lines[lines.index("Returns:") + 1] == "float32"


@pytest.mark.parametrize(
    ("options", "message"),
    [({"name": "x y"}, "no name of a function"), ({"doc": '"""'}, "docstring")],
)
def test_what_cannot_be_a_module_is_refused(options, message, tmp_path):
    """A name that is none, or a text that would end the docstring, raises `ValueError`."""
    with pytest.raises(ValueError, match=message):
        formula(0).export(tmp_path / "slope.py", **options)


def test_bfloat16_cannot_be_exported(tmp_path):
    """What needs ml_dtypes is refused, and nothing is written."""
    ml_dtypes = pytest.importorskip("ml_dtypes")
    x = tf.constant(np.ones(2, ml_dtypes.bfloat16))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    with pytest.raises(tf.UnsupportedError, match="bfloat16"):
        tape.gradient(y, x).lambdify().export(tmp_path / "slope.py")
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
@pytest.mark.parametrize("module", sorted({m for m, _ in [*bundle.REPLACED, *bundle.TABLES]}))
def test_what_is_replaced_in_exported_modules_exists(module):
    """The tables of what is replaced name functions that are there."""
    names = [name for own, name in [*bundle.REPLACED, *bundle.TABLES] if own == module]
    found = __import__(module, fromlist=names)
    assert all(hasattr(found, name) for name in names)


@pytest.mark.slow
def test_the_judges_convict():
    """Programs that differ in one operation are not the same, and a guarded import is refused."""
    a = tf.trace(lambda x: x * x, 1.0)
    b = Program([a.steps[0], (Map("add", 2, "same"), 0, 0)], a.shapes, a.dtypes)
    with pytest.raises(AssertionError):
        assert_same(a, b)


def test_names_are_replaced_where_they_stand():
    """Several in a line, longer and shorter than they were, after letters of more than one byte."""
    text = "λ = a + bb * a\na(bb, '''\n''', a)"
    new = {"a": "much_longer", "bb": "c"}
    names = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Name) and n.id in new]
    spots = [(n.lineno, n.col_offset, n.id, new[n.id]) for n in names]
    expected = "λ = much_longer + c * much_longer\nmuch_longer(c, '''\n''', much_longer)"
    assert replaced_at(text, spots * 2) == expected


def test_an_excerpt_of_nothing_is_empty():
    """And one of some steps has a number in the place of each other one before them."""
    program = tf.trace(lambda x: tf.sin(x) * tf.cos(x), 1.0)
    assert len(Excerpt.of(program, []).program) == 0
    last = program.results[0]
    whole = Excerpt.of(program, [last]).program
    assert len(whole) == last + 1
    assert whole.steps == program.steps[: last + 1]
    (cosine,) = [p for p in range(last) if "cos" in str(program.steps[p][0])]
    part = Excerpt.of(program, [cosine]).program
    assert len(part) == cosine + 1
    assert part.steps[cosine] == program.steps[cosine]


@pytest.mark.parametrize(
    ("function", "needs"), [(tf.sin, "NumPy"), (tf.math.lgamma, "NumPy and SciPy")]
)
def test_an_exported_file_says_what_it_needs(function, needs, tmp_path):
    """Its first lines are how it is called, and what made it."""
    x = tf.Variable(0.5, name="x")
    with tf.GradientTape():
        y = function(x)
    y.lambdify(["x"]).export(tmp_path / "made.py", name="made", doc="Give a number.")
    text = ast.get_docstring(ast.parse((tmp_path / "made.py").read_text("utf-8")))
    made = f"Exported by symtape {tf.__version__}; it needs {needs} alone."
    assert text == f"Give a number.\n\n    made(x)\n\n{made}"
