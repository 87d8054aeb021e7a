"""Formulas on every array library give the numbers that NumPy gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import symtape as tf
from symtape.calculus.derive import gradient
from symtape.calculus.terms.jacobian import jacobian
from symtape.codegen.backends import backend_named
from symtape.codegen.libraries import backend as libraries
from symtape.codegen.task import Task
from symtape.errors import PathConditionError, UnsupportedError
from tests.cases import CASES, Case
from tests.compiled import arguments, derived
from tests.documents import assert_travels
from tests.gaps import GAPS, gap
from tests.given import (
    REFUSED,
    TAKEN,
    WORDS,
    assert_refused,
    assert_taken,
    assert_word_is_free,
    wave,
)
from tests.programs import random_program
from tests.sampling import some
from tests.test_requirements import WHOLE, whole_slope


class Place(NamedTuple):
    """A library, and how an array of NumPy's becomes one of its own."""

    backend: Any
    make: Callable[[Any], Any]


@pytest.fixture(params=["torch", "array_api", "dask", "jax"])
def name(request: pytest.FixtureRequest) -> str:
    """Name each library."""
    return request.param


@pytest.fixture
def place(name: str, request: pytest.FixtureRequest) -> Place:
    """Give a library, if it is installed."""
    if name == "array_api":
        strict = request.getfixturevalue("array_api_strict")
        return Place(strict, strict.asarray)
    if name == "dask":
        da = request.getfixturevalue("dask_array")
        return Place("dask", lambda a: da.from_array(np.asarray(a), chunks=2 if np.ndim(a) else ()))
    module = request.getfixturevalue(name)
    return Place(name, module.tensor if name == "torch" else module.numpy.asarray)


def assert_same(found: Any, expected: Any, what: str = "") -> None:
    """Assert equal shapes, dtypes and numbers, up to what the dtype can hold."""
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape, what
    assert found.dtype == expected.dtype, what
    wide = expected.dtype in (np.float64, np.complex128)
    scale = np.max(np.abs(expected[np.isfinite(expected)]), initial=1)
    relative, absolute = (1e-11, 1e-13) if wide else (2e-4, 2e-5)
    np.testing.assert_allclose(found, expected, rtol=relative, atol=absolute * scale, err_msg=what)


JUDGED = [c for c in CASES if c.inputs and c.order]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # Dask computes x/0 as NumPy does
@pytest.mark.parametrize("case", some(JUDGED, 12), ids=lambda c: c.name)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_cases(case: Case, dtype: str, name: str, place: Place) -> None:
    """Results and gradients of an operation are NumPy's, or the gap is listed."""
    if dtype == "float32" and (name in {"jax", "dask"} or dtype not in case.dtypes):
        return
    missing: set[str] = set()
    tensors, _kept = derived(case, dtype)
    for k, tensor in enumerate(tensors):
        reference = tensor.lambdify()
        given = arguments(tensor, reference)
        try:
            compiled = tensor.lambdify(backend=place.backend)
        except UnsupportedError as error:
            missing.add(gap(error))
            continue
        found = compiled(*[place.make(a) for a in given])
        assert_same(found, reference(*given), f"{k}: {compiled.source}")
    assert missing <= GAPS[name]


@pytest.mark.parametrize("seed", some(range(24), 2))
@pytest.mark.parametrize("sizes", [(1, 2, 3), (0, 1, 2)], ids=str)
def test_random_programs(seed: int, sizes: tuple[int, ...], name: str, place: Place) -> None:
    """Value, gradient and Jacobian of a random program, computed by one function."""
    if name == "jax" and seed % 4:
        return
    program, last, _, values = random_program(seed, 3 + seed % 4, sizes)
    sources = [(p,) for p in values if program.dtypes[p].kind == "f"]
    for made in (gradient(program, [last], sources), jacobian(program, last, sources)):
        outputs = [last, *[p for p in made.outputs if p is not None]]
        task = Task(made.program, list(values), outputs, [f"x{p}" for p in values])
        expected = backend_named("numpy").write(task).run(*values.values())
        row = (
            libraries.of_namespace(place.backend)
            if name == "array_api"
            else backend_named(place.backend)
        )
        found = row.write(task).run(*[place.make(a) for a in values.values()])
        for a, b in zip(found, expected, strict=True):
            np.testing.assert_allclose(np.asarray(a), b, rtol=1e-9, atol=1e-10)


def energy(x: Any, a: Any) -> Any:
    """Compute a number of a vector and a matrix, by a bit of everything."""
    y = tf.tanh(tf.linalg.matvec(a, x))
    near = tf.reduce_sum(tf.exp(-tf.square(x[1:] - x[:-1])))
    return near + tf.reduce_sum(y**3) / (1.0 + tf.reduce_max(x)) + tf.math.lgamma(x[0] + 3.0)


def recorded(dtype: str = "float64") -> tuple[Any, Any, Any, Any]:
    """Record the energy; give it, its gradient, its Hessian and the point."""
    rng = np.random.default_rng(3)
    x = tf.constant(rng.uniform(-1, 1, 4), dtype=dtype, name="x")
    a = tf.constant(rng.uniform(-1, 1, (3, 4)), dtype=dtype, name="a")
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = energy(x, a)
    LEAVES.append(a)
    return y, tape.gradient(y, x), tape.hessian(y, x), x.numpy()


LEAVES: list[Any] = []
"""What a formula of a value needs is kept: nobody else holds it."""


@pytest.mark.parametrize("which", [0, 1, 2])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_a_formula_of_second_order(which: int, dtype: str, name: str, place: Place) -> None:
    """Value, gradient and Hessian keep the dtype and are NumPy's; a matrix is a constant."""
    if name == "array_api":
        pytest.xfail("the standard has no lgamma")
    *formulas, x = recorded(dtype)
    found = formulas[which]
    assert_same(found.lambdify(backend=place.backend)(place.make(x)), found.numpy())


def test_arguments_are_checked(place: Place) -> None:
    """A foreign array of another shape or kind is refused with the signature."""
    _, g, _, x = recorded()
    f = g.lambdify(backend=place.backend if isinstance(place.backend, str) else "array_api")
    with pytest.raises(ValueError, match=r"x has shape \(3,\).*\(4,\)"):
        f(place.make(x[1:]))
    with pytest.raises(TypeError, match="x has dtype complex128"):
        f(place.make(x * 1j))


@pytest.mark.parametrize("given", TAKEN)
def test_numbers_of_any_kind_are_taken(given: str, place: Place) -> None:
    """What is no array of the library is made one, as NumPy makes it."""
    assert_taken(wave().lambdify(backend=place.backend), given)


@pytest.mark.parametrize("given", REFUSED)
def test_what_does_not_fit_is_refused(given: str, place: Place) -> None:
    """Every library refuses what NumPy's code refuses, in the same words."""
    assert_refused(wave().lambdify(backend=place.backend), given)


@pytest.mark.parametrize("word", WORDS)
def test_leaves_may_have_any_name(word: str, place: Place) -> None:
    """A leaf that is called like a word of the code does not hide it."""
    assert_word_is_free(place.backend, word)


def branching() -> Any:
    """Record a gradient that holds where x is positive."""
    x = tf.constant(2.0, dtype="float64", name="x")
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x if x > 0 else -x
    return tape.gradient(y, x)


def test_the_path_is_checked(place: Place) -> None:
    """Values on another path raise, with lazy arrays when they are computed."""
    f = branching().lambdify(backend=place.backend)
    assert float(np.asarray(f(place.make(np.float64(3))))) == 6
    with pytest.raises(PathConditionError):
        np.asarray(f(place.make(np.float64(-3))))
    anyway = branching().lambdify(backend=place.backend, check=False)
    assert float(np.asarray(anyway(place.make(np.float64(-3))))) == -6


# --- JAX --------------------------------------------------------------------------------------


def test_jax_transforms(jax: Any) -> None:
    """A formula can be traced by jit, vmap, grad and hessian, and gives what JAX derives."""
    y, g, h, x = recorded()
    f, df, ddf = (t.lambdify(backend="jax") for t in (y, g, h))
    np.testing.assert_allclose(jax.jit(df)(x), g.numpy(), rtol=1e-12)
    np.testing.assert_allclose(jax.grad(f)(x), df(x), rtol=1e-11)
    np.testing.assert_allclose(jax.hessian(f)(x), ddf(x), rtol=1e-10, atol=1e-12)
    many = np.random.default_rng(0).uniform(-1, 1, (5, 4))
    rows = jax.jit(jax.vmap(df))(many)
    np.testing.assert_allclose(rows, [df(row) for row in many], rtol=1e-12)


def test_jax_cannot_check_a_path_while_it_traces(jax: Any) -> None:
    """Under jit a path condition raises and names the way out, and nothing is ignored."""
    f = branching().lambdify(backend="jax")
    with pytest.raises(UnsupportedError, match="check=False"):
        jax.jit(f)(1.0)
    assert jax.jit(branching().lambdify(backend="jax", check=False))(1.0) == 2


def test_jax_without_64_bits_refuses_them(jax: Any) -> None:
    """Where JAX has 32 bits, a formula in float64 raises, and one in float32 computes."""
    wide, narrow = recorded()[1], recorded("float32")[1]
    compiled = wide.lambdify(backend="jax")
    jax.config.update("jax_enable_x64", False)
    try:
        with pytest.raises(UnsupportedError, match="jax_enable_x64"):
            compiled(recorded()[3])
        with pytest.raises(UnsupportedError, match="jax_enable_x64"):
            wide.lambdify(backend="jax")
        found = narrow.lambdify(backend="jax")(recorded("float32")[3])
        assert_same(found, narrow.numpy())
        gathered = gathering("float32")
        assert_same(gathered.lambdify(backend="jax")(np.ones(3, "float32")), gathered.numpy())
    finally:
        jax.config.update("jax_enable_x64", True)


def gathering(dtype: str) -> Any:
    """Record the gradient of a sum of chosen elements."""
    x = tf.constant(np.ones(3), dtype=dtype, name="x")
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.gather(x, tf.constant([2, 0, 2], dtype=tf.int64)) ** 2)
    return tape.gradient(y, x)


# --- PyTorch ----------------------------------------------------------------------------------


def test_torch_autograd(torch: Any) -> None:
    """Autograd goes through a formula, twice, and finds its gradient and Hessian."""
    y, g, h, x = recorded()
    f = y.lambdify(backend="torch")
    at = torch.tensor(x, requires_grad=True)
    assert torch.autograd.gradcheck(f, (at,))
    assert torch.autograd.gradgradcheck(f, (at,))
    np.testing.assert_allclose(torch.autograd.grad(f(at), at)[0], g.numpy(), rtol=1e-11)
    found = torch.func.jacrev(torch.func.jacrev(f))(torch.tensor(x))
    np.testing.assert_allclose(found, h.numpy(), rtol=1e-8)  # torch's own trigamma has nine digits


def test_torch_vmap(torch: Any) -> None:
    """`torch.func.vmap` maps a formula over rows."""
    df = recorded()[1].lambdify(backend="torch")
    many = torch.tensor(np.random.default_rng(0).uniform(-1, 1, (5, 4)))
    torch.testing.assert_close(torch.func.vmap(df)(many), torch.stack([df(r) for r in many]))


@pytest.mark.parametrize("which", [0, 1, 2])
def test_torch_stays_on_the_device(which: int, torch: Any) -> None:
    """All that is computed, constants too, is on the device of the argument."""
    f = recorded()[which].lambdify(backend="torch")
    assert f(torch.empty(4, dtype=torch.float64, device="meta")).device.type == "meta"


# --- Dask -------------------------------------------------------------------------------------


def batch(rows: int = 6) -> tuple[Any, Any]:
    """Record the gradients of a loss in each row and in the weights."""
    rng = np.random.default_rng(1)
    x = tf.constant(rng.uniform(-1, 1, (rows, 3)), name="x")
    w = tf.constant(rng.uniform(-1, 1, 3), name="w")
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([x, w])
        y = tf.reduce_sum(tf.math.softplus(tf.linalg.matvec(x, w)))
    return tape.gradient(y, x), tape.gradient(y, w)


def test_dask_keeps_chunks_and_is_lazy(dask_array: Any) -> None:
    """Rows in chunks give rows in chunks, and a sum over them is the sum of the whole."""
    by_row, by_weight = batch()
    x, w = (leaf.numpy() for leaf in by_row.leaves.values())
    rows = dask_array.from_array(x, chunks=(2, 3))
    found = by_row.lambdify(args=["x", "w"], backend="dask")(rows, w)
    assert found.chunks == ((2, 2, 2), (3,))
    np.testing.assert_allclose(found.compute(), by_row.numpy(), rtol=1e-12)
    total = by_weight.lambdify(args=["x", "w"], backend="dask")(rows, w)
    assert isinstance(total, dask_array.Array)
    np.testing.assert_allclose(total.compute(), by_weight.numpy(), rtol=1e-12)


def test_dask_graphs_travel(dask_array: Any, cloudpickle: Any) -> None:
    """What Dask sends to a worker pickles, for operations that NumPy does by blocks too."""
    a = tf.constant(np.eye(3)[None] * np.arange(1.0, 5)[:, None, None], name="a")
    with tf.GradientTape() as tape:
        tape.watch(a)
        y = tf.reduce_sum(tf.math.lgamma(tf.linalg.inv(a) + 1.0))
    g = tape.gradient(y, a)
    found = g.lambdify(backend="dask")(dask_array.from_array(a.numpy(), chunks=(2, 3, 3)))
    assert found.chunks == ((2, 2), (3,), (3,))
    again = cloudpickle.loads(cloudpickle.dumps(found))
    np.testing.assert_allclose(again.compute(scheduler="synchronous"), g.numpy(), rtol=1e-12)


# --- any namespace ----------------------------------------------------------------------------


def test_the_namespace_is_that_of_the_arguments(
    torch: Any, jax: Any, array_api_strict: Any, dask_array: Any
) -> None:
    """One function of `array_api` takes arrays of any library, and gives arrays of it."""
    _, by_weight = batch()
    f = by_weight.lambdify(args=["x", "w"], backend="array_api")
    x, w = (leaf.numpy() for leaf in by_weight.leaves.values())
    for make in (torch.tensor, jax.numpy.asarray, array_api_strict.asarray, np.asarray):
        found = f(make(x), make(w))
        assert type(found) is type(make(w))
        assert_same(found, by_weight.numpy())
    assert isinstance(f(dask_array.from_array(x), w), dask_array.Array)


def test_a_namespace_is_a_backend(array_api_strict: Any) -> None:
    """A module with the functions of the standard can be given in place of a name."""
    by_row, _ = batch()
    f = by_row.lambdify(backend=array_api_strict)
    assert "xp." in f.source
    found = f(*[leaf.numpy() for leaf in by_row.leaves.values()])
    assert isinstance(found, type(array_api_strict.zeros(1)))


@pytest.mark.parametrize(
    ("library", "missing"), [(n, f) for n, fs in GAPS.items() for f in sorted(fs)]
)
def test_listed_gaps_are_gaps(library: str, missing: str, request: Any) -> None:
    """A function that is listed as missing is missing, or is there for some orders alone."""
    if library == "array_api":
        made = libraries.standard(request.getfixturevalue("array_api_strict"))
    else:
        request.getfixturevalue(library)
        made = getattr(libraries, library)()
    limited = missing in made.orders or missing in made.static
    has = missing in made.special or missing in made.matrix_functions
    assert limited or missing in made.no_steps or not has


@pytest.mark.parametrize(
    "other", ["jax", "torch", "dask_array", "array_api_strict", "numba", "cffi"]
)
def test_every_backend_travels(other: str, request: pytest.FixtureRequest) -> None:
    """A formula is compiled for its backend again where it arrives."""
    request.getfixturevalue(other)
    names = {"dask_array": "dask", "array_api_strict": "array_api", "cffi": "c"}
    assert_travels(names.get(other, other))


@pytest.mark.parametrize(
    ("module", "backend"),
    [("torch", "torch"), ("dask_array", "dask"), ("array_api_strict", "array_api")],
)
def test_a_result_of_a_library_is_an_array_of_its_own(
    module: str, backend: str, request: pytest.FixtureRequest
) -> None:
    """Whoever writes into a result of an array library changes nothing that was recorded."""
    request.getfixturevalue(module)
    x, c = tf.constant(np.ones(2)), tf.constant(np.array([1.0, 2.0]))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(x * c)
    slope = tape.gradient(y, x)
    compiled = slope.lambdify(backend=backend)
    compiled(np.ones(2))[0] = 99.0
    np.testing.assert_array_equal(np.asarray(compiled(np.ones(2))), [1.0, 2.0])
    assert c.numpy().tolist() == [1.0, 2.0]


CHOICES: dict[str, tuple[Callable[[Any, Any], Any], list[int], float]] = {
    "gather": (lambda x, i: tf.reduce_sum(tf.gather(x, i) ** 2), [0, 3, 1], 4),
    "of each row": (
        lambda x, i: tf.reduce_sum(tf.gather(x, i, batch_dims=1) ** 2),
        [0, 2, 1, 1],
        3,
    ),
    "cross entropy": (
        lambda x, i: tf.reduce_sum(tf.nn.sparse_softmax_cross_entropy_with_logits(i, x)),
        [0, 2, 1, 1],
        3,
    ),
}


def chosen_slope(choice: str, *, beyond: bool) -> tuple[Any, ...]:
    """Give a formula with indices and its slope, the arguments, and others of which one is none."""
    f, chosen, size = CHOICES[choice]
    x = tf.constant(np.random.default_rng(3).normal(size=(4, 3)))
    places = tf.constant(chosen)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x, places)
    wrong = np.array(chosen, np.int32)
    wrong[0] = size if beyond else -1
    return (y, tape.gradient(y, x)), x, places, wrong


@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("beyond", [True, False])
def test_what_is_no_place_is_told(choice: str, beyond: bool, name: str, place: Place) -> None:
    """A place that is none raises, or is nan with JAX: nothing is chosen or added in its stead."""
    formulas, x, places, wrong = chosen_slope(choice, beyond=beyond)
    for formula in formulas:
        compiled = formula.lambdify([x, places], backend=place.backend)
        given = compiled(place.make(x.numpy()), place.make(places.numpy()))
        np.testing.assert_allclose(np.asarray(given), formula.numpy(), rtol=1e-12)
        if name == "jax":
            found = np.asarray(compiled(place.make(x.numpy()), place.make(wrong)))
            assert np.isnan(found).any()
            continue
        with pytest.raises((IndexError, RuntimeError)):
            np.asarray(compiled(place.make(x.numpy()), place.make(wrong)))


@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("beyond", [True, False])
@pytest.mark.parametrize("backend", ["numba", "c"])
def test_loops_tell_what_is_no_place(choice: str, beyond: bool, backend: str, request: Any) -> None:
    """The same of loops, which would read what lies beyond an array."""
    request.getfixturevalue({"numba": "numba", "c": "cffi"}[backend])
    formulas, x, places, wrong = chosen_slope(choice, beyond=beyond)
    for formula in formulas:
        compiled = formula.lambdify([x, places], backend=backend)
        np.testing.assert_allclose(compiled(x.numpy(), places.numpy()), formula.numpy(), rtol=1e-12)
        with pytest.raises(IndexError):
            compiled(x.numpy(), wrong)


@pytest.mark.parametrize("name_of_function", WHOLE)
@pytest.mark.parametrize("backend", ["numba", "c", "torch"])
def test_loops_tell_of_integers_that_have_no_result(
    name_of_function: str, backend: str, request: Any
) -> None:
    """A division by 0 and a negative exponent of integers raise as they do with NumPy."""
    request.getfixturevalue({"c": "cffi"}.get(backend, backend))
    formulas, x, n = whole_slope(name_of_function)
    wrong = n.numpy()
    wrong[1] = WHOLE[name_of_function][1]
    if backend == "torch" and wrong[1]:
        return  # PyTorch rounds such powers to 0
    for formula in formulas:
        compiled = formula.lambdify([x, n], backend=backend)
        given = np.asarray(compiled(x.numpy(), n.numpy()))
        np.testing.assert_allclose(given, formula.numpy(), rtol=1e-12)
        with pytest.raises((WHOLE[name_of_function][2], RuntimeError)):
            compiled(x.numpy(), wrong)


def test_a_library_without_a_kernel_for_the_device_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the library refuses where its arrays are names the place, its words and a way out."""

    def sin(*_: Any) -> Any:
        raise NotImplementedError("no rule for 'sin' on this platform\nand more")

    torch = libraries.torch().xp
    monkeypatch.setattr(torch, "sin", sin)
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * tf.sin(x)
    f = tape.gradient(y, x).lambdify(backend="torch")
    with pytest.raises(UnsupportedError, match=r"torch itself says, on cpu: no rule .*\. With the"):
        f(torch.tensor(2.0))


def test_several_formulas_are_one_function(place: Place) -> None:
    """Value, gradient, Hessian and a slope with a path, each in an array of the library's own."""
    x = tf.Variable(np.array([0.5, -1.0, 2.0]), name="x")
    d = tf.constant(np.array([1.0, 2.0, 3.0]), name="d")
    with tf.GradientTape(persistent=True) as outer:
        with tf.GradientTape() as inner:
            loss = tf.reduce_sum(tf.tanh(x * d) * x * x)
        slope = inner.gradient(loss, x)
        y = x[0] * x[1] if x[0] > 0.0 else x[0]
    tensors = {"value": loss, "more": [slope, (outer.jacobian(slope, x), outer.gradient(y, x))]}
    found = tf.lambdify(tensors, backend=place.backend)(place.make(x.numpy()))
    tf.nest.assert_same_structure(found, tensors)
    pairs = zip(tf.nest.flatten(found), tf.nest.flatten(tensors), strict=True)
    for one, tensor in pairs:
        expected = tensor.lambdify()(x.numpy())
        np.testing.assert_allclose(np.asarray(one), expected, rtol=1e-6, atol=1e-12)
