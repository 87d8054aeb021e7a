"""Backends that need no other array library: math, scipy, a stand-in for CuPy; what is missing."""

from __future__ import annotations

import inspect
import sys
from functools import cache
from itertools import product
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
import sympy as sp

import symtape as tf
from symtape.calculus.derive import gradient
from symtape.calculus.terms.jacobian import jacobian
from symtape.codegen.backends import BACKENDS, backend_named
from symtape.codegen.libraries import backend as libraries
from symtape.codegen.libraries.adapters.cupy_library import SCIPY, scipy_words
from symtape.codegen.libraries.adapters.words import RENAMED, Words
from symtape.codegen.libraries.library import Library
from symtape.codegen.libraries.source import wide_dtypes
from symtape.codegen.libraries.special import Special
from symtape.codegen.python_math import NAMESPACE
from symtape.codegen.task import Task
from symtape.errors import ExtraNotInstalledError, PathConditionError, UnsupportedError
from symtape.kernels import kernels
from symtape.kernels.nodes import Word, slots, walk
from symtape.kernels.scalar_code import FUNCTIONS
from symtape.kernels.special import functions as special
from symtape.program.kinds.placement import Assemble, Form, Placement
from symtape.program.kinds.structural import Extremum, Product, Reshape
from symtape.program.operations import Einsum, Input, elementwise, multiply
from symtape.program.program import Builder
from symtape.tensor.dispatch import apply1
from tests.cases import CASES, Case
from tests.compiled import arguments, derived
from tests.given import (
    REFUSED,
    TAKEN,
    WORDS,
    assert_refused,
    assert_taken,
    assert_word_is_free,
    wave,
)
from tests.programs import Writer, random_program
from tests.sampling import some

JUDGED = [c for c in CASES if c.inputs and c.order]


def along(point: float, f: Any) -> tuple[Any, Any, Any]:
    """Record f at a number; give its value, first and second derivative."""
    x = tf.constant(point, dtype="float64", name="x")
    with tf.GradientTape(persistent=True) as outer:
        outer.watch(x)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = f(x)
        g = tape.gradient(y, x)
    KEPT.append((x, tape, outer))
    return y, g, outer.gradient(g, x)


KEPT: list[Any] = []
"""Who holds the leaves of formulas of values."""

# --- math -------------------------------------------------------------------------------------

SCALARS = {
    "powers": lambda x: x**3.0 / (1.0 + x * x) + x**2.5,
    "sigmoid": lambda x: tf.sigmoid(x) * tf.math.softplus(-x) + tf.tanh(x),
    "kinks": lambda x: tf.maximum(x, 0.5) * tf.abs(x - 1.0) + tf.nn.relu(x),
    "cases": lambda x: tf.where(x > 0.0, tf.math.log(x), x * x) + tf.nn.elu(x),
    "special": lambda x: tf.math.erf(x) + tf.math.erfc(x) * x,
    "trigonometry": lambda x: tf.sin(x) * tf.atan(x) + tf.asinh(x) + tf.atan2(x, 2.0),
    "inverse functions": lambda x: tf.asin(x / 2.0) * tf.acos(x / 3.0) + tf.atanh(x / 2.0),
    "hyperbolic": lambda x: tf.sinh(x) * tf.cosh(x) + tf.acosh(x * x + 1.5) * tf.tan(x),
    "logarithms": lambda x: tf.math.log1p(x * x) * tf.math.expm1(x),
    "roots": lambda x: tf.sqrt(x + 2.0) + tf.math.rsqrt(x * x + 1.0),
    "steps": lambda x: x * tf.floor(x) + tf.math.mod(x, 0.7) + tf.round(x) * x,
}


@pytest.mark.parametrize("name", SCALARS)
@pytest.mark.parametrize("point", [0.3, 1.7, -1.2])
def test_math_gives_the_numbers_of_numpy(name: str, point: float) -> None:
    """Value and two derivatives on Python floats, with no NumPy in the code."""
    for tensor in along(abs(point), SCALARS[name]):
        if tensor is None or tensor.origin is None:
            continue
        compiled, reference = tensor.lambdify(backend="math"), tensor.lambdify()
        assert "np." not in compiled.source
        found = compiled(point)
        assert type(found) is float
        np.testing.assert_allclose(found, float(reference(point)), rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("case", some(JUDGED, 24, 1), ids=lambda c: c.name)
def test_math_computes_the_scalars_among_the_cases(case: Case) -> None:
    """Every case of scalars is NumPy's number, or is refused with shapes or a function's name."""
    tensors, _kept = derived(case)
    for tensor in tensors:
        reference = tensor.lambdify()
        given = arguments(tensor, reference)
        try:
            compiled = tensor.lambdify(backend="math")
        except UnsupportedError as error:
            assert "has arrays: " in str(error) or "has no function" in str(error)  # noqa: PT017
            continue
        found = compiled(*given)
        np.testing.assert_allclose(found, reference(*given), rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("point", [0.0, -1.0, 800.0, -800.0, float("inf"), float("nan")])
def test_math_gives_infinities_where_python_raises(point: float) -> None:
    """Overflow, division by zero and what is outside of a domain give what NumPy gives."""
    for f in (lambda x: tf.sigmoid(x), lambda x: 1.0 / x, lambda x: tf.math.log(x) * tf.exp(x)):
        for tensor in along(1.5, f):
            compiled, reference = tensor.lambdify(backend="math"), tensor.lambdify()
            np.testing.assert_array_equal(compiled(point), float(reference(point)))


ENDS = [
    *(-np.inf, -1e308, -1e154, -710.3, -65.0, -28.5, -0.75, -1e-300, -0.0, 0.0, 1e-300),
    *(0.5, 0.75, 28.5, 63.5, 710.3, 711.0, 1e154, 1e308, np.inf, np.nan),
]


@pytest.mark.parametrize("name", [f for f in NAMESPACE if f not in {"math", "cmath"}])
def test_words_of_math_are_those_of_numpy_at_both_ends(name: str) -> None:
    """Where floats end, too: what `math` raises for is an infinity."""
    function = NAMESPACE[name]
    expected = getattr(kernels, name, None) or getattr(special.NAMESPACE, name, None)
    expected = expected or getattr(np, name)
    count = len(inspect.signature(function).parameters)
    orders = [0.0, 1.0, 2.0, 5.0]
    first = {"gaussian": [-0.5, -1.0], "sine_quotient": orders}.get(name, ENDS)
    with np.errstate(all="ignore"):
        for xs in product(*[first, ENDS][2 - count :]):
            given = [np.float64(x) for x in xs]
            np.testing.assert_allclose(
                function(*xs), expected(*given), rtol=4e-16, atol=0, err_msg=f"{name}{xs}"
            )


def test_math_refuses_arrays_with_their_shapes() -> None:
    """A formula with an array anywhere names it."""
    x = tf.constant([1.0, 2.0], name="x")
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(x * x)
    with pytest.raises(UnsupportedError, match=r"has arrays: float32 \(2,\)"):
        tape.gradient(y, x).lambdify(backend="math")


def test_math_of_complex_numbers() -> None:
    """Complex formulas call `cmath`."""
    z = tf.constant(0.3 + 0.4j, name="z")
    with tf.GradientTape() as tape:
        tape.watch(z)
        y = tf.sin(z) * tf.sqrt(z)
    g = tape.gradient(y, z)
    f = g.lambdify(backend="math")
    assert "cmath.cos" in f.source
    np.testing.assert_allclose(f(0.3 + 0.4j), g.numpy(), rtol=1e-13)


def test_math_takes_steps_that_do_nothing_to_a_scalar() -> None:
    """Shapes, sums and extrema of one number are the number."""
    w = Writer(0, (1,))
    x = w.input(())
    steps = [Reshape((), ()), Product(()), Extremum("max", ()), Einsum((((),)), (), ())]
    found = [w.b.append(step, x) for step in steps]
    task = Task(w.b.finish(), [x], found, ["x"])
    assert backend_named("math").write(task).run(2.5) == (2.5,) * len(steps)


@pytest.mark.parametrize("dtype", ["int32", "int64", "float16"])
def test_math_gives_powers_of_a_dtype_in_that_dtype(dtype: str) -> None:
    """A power that nobody folds is a product all the same: Python's integers stay integers."""
    x = tf.constant(3, dtype)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.pow(x, 2) * x
    f = y.lambdify(backend="math")
    assert "pow" not in f.source
    assert f(x.numpy().item()) == 27
    assert type(f(x.numpy().item())) is type(x.numpy().item())


def test_math_knows_the_constants_of_a_body() -> None:
    """A body of a user's own may have π, which Python's `math` has too."""
    turns = elementwise("turns_of_a_user", lambda x: sp.sin(sp.pi * x) + sp.pi)
    f = along(0.5, lambda x: apply1(turns, x))[0].lambdify(backend="math")
    assert "math.pi" in f.source
    assert f(0.5) == 1.0 + np.pi


def test_math_checks_the_path() -> None:
    """A number on another branch raises."""
    _, g, _ = along(2.0, lambda x: x * x * x if x > 0 else -x)
    assert g.lambdify(backend="math")(1.0) == 3.0
    with pytest.raises(PathConditionError):
        g.lambdify(backend="math")(-1.0)


# --- scipy ------------------------------------------------------------------------------------

CONVENTIONS = {
    "math.polygamma at poles and of no order",
    "math.zeta at poles and out of its domain",
}
"""At poles SciPy gives an infinity, TensorFlow no number."""


@pytest.mark.parametrize(
    "case",
    some(
        [c for c in JUDGED if ("math." in c.name or "nn." in c.name) and c.name not in CONVENTIONS],
        2,
    ),
    ids=lambda c: c.name,
)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_scipy_gives_the_numbers_of_numpy(case: Case, dtype: str) -> None:
    """Special functions by SciPy's own names, in the dtype of the formula."""
    pytest.importorskip("scipy")
    tensors, _kept = derived(case, dtype)
    for tensor in tensors:
        reference, compiled = tensor.lambdify(), tensor.lambdify(backend="scipy")
        given = arguments(tensor, reference)
        found, expected = compiled(*given), reference(*given)
        assert found.dtype == expected.dtype
        rtol = 1e-11 if expected.dtype.itemsize >= 8 else 2e-4
        scale = np.max(np.abs(expected[np.isfinite(expected)]), initial=1)
        np.testing.assert_allclose(found, expected, rtol=rtol, atol=rtol * 1e-2 * scale)


def test_scipy_names_are_those_of_scipy() -> None:
    """The code calls `scipy.special` by its own names; it can be read without symtape."""
    pytest.importorskip("scipy")
    x = tf.constant([0.2, 0.4], dtype="float64", name="x")
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.math.igamma(2.0, x) + tf.math.ndtri(x) + tf.math.lgamma(x)
    KEPT.append(x)
    source = y.lambdify(backend="scipy").source
    for word in ("special.gammainc(", "special.ndtri(", "special.gammaln("):
        assert word in source


def test_every_special_function_has_a_name_of_scipys() -> None:
    """A name that SciPy does not have would leave its function out without a word."""
    special = pytest.importorskip("scipy.special")
    assert [name for name in SCIPY.values() if not hasattr(special, name)] == []
    assert scipy_words(special).keys() == SCIPY.keys() | {
        "polygamma", "fresnel_sin", "fresnel_cos",
    }  # fmt: skip


# --- the functions of the array API standard --------------------------------------------------


class OfTheStandard(Library):
    """NumPy, of which no more is used than what the standard has, and some special functions."""

    no_steps = frozenset()

    def __init__(self, fuses: bool) -> None:
        special = scipy_words(pytest.importorskip("scipy.special"))
        del special["bessel_i0e"]  # which is made of others
        super().__init__(Words(np), special)
        self.fuses = fuses  # type: ignore[misc]  # a trait of a library

    def is_own(self, value: Any) -> bool:
        """Take NumPy's arrays for the library's own."""
        return isinstance(value, (np.ndarray, np.generic))


def assert_like_numpy(case: Case, backend: str) -> None:
    """Assert that results and gradients of a case are NumPy's, or that a function is missing."""
    tensors, _kept = derived(case)
    for tensor in tensors:
        reference = tensor.lambdify()
        given = arguments(tensor, reference)
        try:
            compiled = tensor.lambdify(backend=backend)
        except UnsupportedError as error:
            assert "backend has no function" in str(error)  # noqa: PT017
            continue
        found, expected = np.asarray(compiled(*given)), reference(*given)
        assert found.dtype == expected.dtype
        assert found.shape == expected.shape
        scale = np.max(np.abs(expected[np.isfinite(expected)]), initial=1)
        np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-13 * scale)


RARE = """
einsum of three|expm|conv2d to no rows|pad SYMMETRIC [[2, 2], [0, 3], [4, 1]]|asinh
asinh of complex numbers|math.erfinv|math.polygamma|matrix norm of order 2 of nothing
pinv of an empty batch|lu|lu of a batch|expm of one number|math.special.fresnel_cos
math.special.fresnel_sin
""".replace("\n", "|")
"""Cases of which few are alike: code for libraries has words that they alone ask for."""

STANDARD = [
    (c, k % 2 == 1)
    for k, c in enumerate(JUDGED)
    if c in some(JUDGED, 24, 1) or f"|{c.name}|" in RARE
    if c.name not in CONVENTIONS
]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("case", "fuses"), STANDARD, ids=lambda x: getattr(x, "name", ""))
def test_the_code_for_a_library_of_the_standard(
    case: Case, fuses: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is written for any library of the standard gives NumPy's numbers, on NumPy."""
    row = libraries.on_library(cache(lambda: OfTheStandard(fuses)))
    monkeypatch.setitem(BACKENDS, "of_the_standard", lambda: row)
    assert_like_numpy(case, "of_the_standard")


NUMBERED = [
    *("arctan2", "logaddexp", "maximum", "minimum", "hypot", "power", "floor_divide", "mod"),
    "nextafter",
]


@pytest.mark.parametrize("name", NUMBERED)
def test_functions_of_two_arrays_take_a_number_for_one(name: str) -> None:
    """The standard wants arrays: a number becomes one of the other's dtype."""

    def strict(f: Any) -> Any:
        def run(x: np.ndarray[Any, Any], y: np.ndarray[Any, Any]) -> Any:
            assert x.dtype == y.dtype
            return f(x, y)

        return run

    own = RENAMED.get(name, name)
    xp = SimpleNamespace(asarray=np.asarray, **{own: strict(getattr(np, own))})
    x = np.array([0.5, 2.0], np.float32)
    for args in [(x, 3.0), (3.0, x), (x, x)]:
        found, expected = getattr(Words(xp), name)(*args), getattr(np, name)(*args)
        np.testing.assert_array_equal(found, expected)
        assert found.dtype == np.float32


def test_words_of_the_standard_are_those_of_numpy() -> None:
    """NumPy has every function by the name that the standard gives it."""
    assert [word for word in RENAMED.values() if not hasattr(np, word)] == []


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("seed", some(range(32), 2))
def test_random_programs_for_a_library_of_the_standard(seed: int) -> None:
    """Value, gradient and Jacobian of a random program are NumPy's, computed by one function."""
    program, last, _, values = random_program(seed, 3 + seed % 4, (seed % 3 % 2, 2, 3))
    sources = [(p,) for p in values if program.dtypes[p].kind == "f"]
    library = OfTheStandard(seed % 2 == 1)
    for made in (gradient(program, [last], sources), jacobian(program, last, sources)):
        outputs = [last, *[p for p in made.outputs if p is not None]]
        task = Task(made.program, list(values), outputs, [f"x{p}" for p in values])
        expected = backend_named("numpy").write(task).run(*values.values())
        found = libraries.on_library(lambda: library).write(task).run(*values.values())
        for a, b in zip(found, expected, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("text", ["i,j,k->ijk", "ij,ij,ij,ij->ij", "ij,jk,kl,lm->im", "i,i,j,j->"])
@pytest.mark.parametrize("fuses", [False, True])
def test_a_library_contracts_many_operands_two_at_a_time(text: str, fuses: bool) -> None:
    """Products of more than two operands, of which NumPy may say that they are done at once."""
    terms, output = text.split("->")
    w, rng, values = Writer(0, (1,)), np.random.default_rng(1), {}
    for term in terms.split(","):
        shape = tuple(["ijklm".index(i) + 2 for i in term])
        values[w.input(shape)] = rng.normal(size=shape)
    last = w.b.append(Einsum.of(terms.split(","), output), *values)
    task = Task(w.b.finish(), list(values), [last], [f"x{p}" for p in values])
    library = OfTheStandard(fuses)
    (found,) = libraries.on_library(lambda: library).write(task).run(*values.values())
    np.testing.assert_allclose(found, np.einsum(text, *values.values()), rtol=1e-12)


def placements(rng: np.random.Generator) -> Assemble:
    """Put two blocks where no two of their elements meet: backwards, apart, or in between."""
    made = []
    for _ in range(2):
        counts = [int(n) for n in rng.integers(0, 4, 2)]
        steps = [int(s) for s in rng.choice([-3, -2, -1, 1, 2, 3], 2)]
        if rng.random() < 0.6:  # along one axis, one of them beyond the other or between it
            if rng.random() < 0.5:
                counts, steps = [3, 2], [2, -3]
            else:
                steps[1] *= 9
            forms = [((steps[0], 0), (steps[1], 1)), ()]
        else:
            forms = [((steps[0], 0),), ((steps[1], 1),)]
        firsts = [-sum(min(s * max(counts[k] - 1, 0), 0) for s, k in form) for form in forms]
        made.append(Placement(tuple(counts), tuple(map(Form, firsts, forms))))
    return Assemble((70, 10), tuple(made))


@pytest.mark.parametrize("seed", range(24))
def test_a_library_puts_blocks_at_their_places(seed: int) -> None:
    """Blocks of which rows run backwards, are apart, or lie in one line of the result."""
    rng = np.random.default_rng(seed)
    operation = placements(rng)
    blocks = [rng.normal(size=placed.counts) for placed in operation.placements]
    expected = np.zeros(operation.shape)
    for placed, block in zip(operation.placements, blocks, strict=True):
        for place in np.ndindex(placed.counts):
            at = [form.offset + sum(s * place[k] for s, k in form.parts) for form in placed.forms]
            expected[tuple(at)] += block[place]
    plain = [
        (placed.counts, [(form.offset, form.parts) for form in placed.forms])
        for placed in operation.placements
    ]
    np.testing.assert_allclose(
        OfTheStandard(False).assemble(operation.shape, plain, *blocks), expected
    )


def test_code_for_a_library_calls_it_xp(monkeypatch: pytest.MonkeyPatch) -> None:
    """The text that a person reads names the library as the standard does."""
    row = libraries.on_library(lambda: OfTheStandard(False))
    monkeypatch.setitem(BACKENDS, "of_the_standard", lambda: row)
    assert "xp.sin(x)" in wave().lambdify(backend="of_the_standard").source


def test_arrays_of_the_standard_are_told_from_those_of_numpy() -> None:
    """What says what its functions are is the library's, and what NumPy has is not."""

    class Array:
        def __array_namespace__(self) -> Any:
            return np

    library = Library(Words(np))
    assert library.is_own(Array())
    for other in (np.ones(2), np.float64(1.0), 1.0, [1.0], None):
        assert not library.is_own(other)


# --- a library like CuPy ----------------------------------------------------------------------


class Device(np.ndarray):
    """An array that NumPy computes with, and that is told apart from NumPy's."""


def stand_in() -> ModuleType:
    """Make a module like CuPy: NumPy's functions for arrays of its own."""
    module = ModuleType("cupy")
    words = {k: v for k, v in vars(np).items() if not k.startswith("__")}
    vars(module).update(words, ndarray=Device, asnumpy=np.asarray)
    for name in ("asarray", "zeros", "full", "arange"):
        make = getattr(np, name)
        setattr(module, name, lambda *a, make=make, **k: make(*a, **k).view(Device))
    return module


@pytest.fixture
def cupy(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Install the stand-in for a test."""
    special = pytest.importorskip("scipy.special")
    monkeypatch.setitem(sys.modules, "cupy", stand_in())
    monkeypatch.setitem(sys.modules, "cupyx", ModuleType("cupyx"))
    monkeypatch.setitem(sys.modules, "cupyx.scipy", ModuleType("cupyx.scipy"))
    monkeypatch.setitem(sys.modules, "cupyx.scipy.special", special)
    libraries.cupy.cache_clear()
    yield sys.modules["cupy"]
    libraries.cupy.cache_clear()


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("case", some(JUDGED, 14, 4), ids=lambda c: c.name)
def test_the_code_for_cupy(case: Case, cupy: Any) -> None:
    """The functions that CuPy shares with NumPy give NumPy's numbers, on a stand-in."""
    assert_like_numpy(case, "cupy")


# --- what is not there ------------------------------------------------------------------------


def square() -> Any:
    """Record the gradient of a square."""
    return along(2.0, lambda x: x * x)[1]


def test_an_unknown_backend_lists_those_there_are() -> None:
    """The error names every backend."""
    for wrong in ("fortran", "array_api:not_a_module", 3):
        with pytest.raises(UnsupportedError) as caught:
            square().lambdify(backend=wrong)
        assert all(name in str(caught.value) for name in BACKENDS)


@pytest.mark.parametrize(
    ("backend", "module", "extra"),
    [
        ("jax", "jax", "jax"),
        ("torch", "torch", "torch"),
        ("cupy", "cupy", "cupy"),
        ("dask", "dask.array", "dask"),
        ("array_api", "array_api_compat", "array-api"),
    ],
)
def test_a_backend_that_is_not_installed_names_the_extra(
    backend: str, module: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Writing code for a library that is not there says how to install it."""
    monkeypatch.setitem(sys.modules, module, None)
    caches = [libraries.jax, libraries.torch, libraries.cupy, libraries.dask, libraries.any_library]
    for find in caches:
        find.cache_clear()
    with pytest.raises(ExtraNotInstalledError, match=rf"symtape\[{extra}\]"):
        square().lambdify(backend=backend)
    for find in caches:
        find.cache_clear()


def test_code_for_any_library_names_special_functions() -> None:
    """Whether a library has them is seen when it is known; NumPy has SciPy's."""
    y = along(2.0, tf.math.special.bessel_k0e)[0]
    f = y.lambdify(backend="array_api")
    assert "special.bessel_k0e(x)" in f.source
    np.testing.assert_allclose(f(np.array(2.0)), y.numpy(), rtol=1e-14)


@pytest.mark.parametrize(
    ("own", "is_turned"),
    [
        (slice(3, 2, -1), False),
        (slice(3, 1, -1), True),
        (slice(1, 3), False),
        (slice(3, 3, -1), False),
    ],
)
def test_what_runs_backwards_is_turned_round(own: slice, is_turned: bool) -> None:
    """Of one element and of none there is nothing to turn."""
    x = tf.constant(np.arange(5.0))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x[own]
    f = y.lambdify(backend="array_api")
    assert ("flip" in f.source) == is_turned
    np.testing.assert_array_equal(f(x.numpy()), x.numpy()[own])


def test_a_stranger_is_no_leaf_of_a_namespace() -> None:
    """What has no functions of the standard is no backend."""
    with pytest.raises(UnsupportedError, match="is no backend"):
        square().lambdify(backend=sys)


def test_every_word_of_scalar_code_is_known_to_array_libraries() -> None:
    """A function that generated code calls is one of the libraries', or a special function."""
    library = libraries.standard(np)
    own = library.names()
    for function in FUNCTIONS.values():
        count = len(inspect.signature(function).parameters) if inspect.isfunction(function) else 1
        made = function(*slots(count))
        for node in walk(made):
            if isinstance(node, Word) and node.data != "np":
                assert node.data in own, made.write(str)
    assert isinstance(library.special, Special)


# --- what is given ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", TAKEN)
def test_numbers_of_any_kind_are_taken(name: str) -> None:
    """Lists, scalars of NumPy's, tensors, variables, views and fractions are numbers."""
    assert_taken(wave().lambdify(backend="numpy"), name)


@pytest.mark.parametrize("name", REFUSED)
def test_what_does_not_fit_is_refused(name: str) -> None:
    """Another shape or kind, and what is no number, is refused with the name and the signature."""
    assert_refused(wave().lambdify(backend="numpy"), name)


@pytest.mark.slow
@pytest.mark.parametrize("word", WORDS)
def test_leaves_may_have_any_name(word: str) -> None:
    """A leaf that is called like a word of the code does not hide it."""
    assert_word_is_free("numpy", word)


@pytest.mark.parametrize("given", ["2", None, 2j, [2.0], np.ones(1)])
def test_math_refuses_what_is_no_number(given: Any) -> None:
    """Python's floats are refused other kinds by name."""
    g, *_ = along(0.5, tf.sin)[1:]
    with pytest.raises((TypeError, ValueError), match=r"^x has .*signature is"):
        g.lambdify(backend="math")(given)


@pytest.mark.parametrize("backend", ["numpy", "math", "c"])
def test_the_code_gives_back_what_it_computes(backend: str) -> None:
    """The text that a person reads returns a number, not a tuple of one."""
    _, g, _ = along(0.5, lambda x: tf.sin(x) * x)
    assert not g.lambdify(backend=backend).source.rstrip().endswith(",")


@pytest.mark.parametrize(
    ("dtype", "is_wide"),
    [
        *[("float64", True), ("int64", True), ("uint64", True), ("complex128", True)],
        *[("float32", False), ("int32", False), ("float16", False), ("complex64", False)],
    ],
)
def test_steps_in_sixty_four_bits_are_found(dtype: str, is_wide: bool) -> None:
    """A library that computes in fewer bits hears of what is lost; whole numbers may be places."""
    b = Builder()
    x = b.append(Input(dtype, (2,)))
    y = b.append(multiply, x, x)
    program = b.finish()
    assert wide_dtypes(program, [y]) == [np.dtype(dtype)] * is_wide
    assert wide_dtypes(program, [x]) == [np.dtype(dtype)] * (is_wide and "int" not in dtype)


def test_the_namespace_is_that_of_the_arguments() -> None:
    """Code for any library is written for that of the arguments, when they are first seen."""
    _, g, _ = along(0.5, lambda x: tf.sin(x) * x)
    f = g.lambdify(backend="array_api")
    for x in (np.array(0.5), np.array(2.0)):
        np.testing.assert_allclose(f(x), np.cos(x) * x + np.sin(x), rtol=1e-14)


@pytest.mark.parametrize(
    "f",
    [tf.nn.relu, tf.nn.relu6, tf.nn.leaky_relu, lambda x: tf.maximum(x, 2.0), tf.nn.elu, tf.abs],
)
@pytest.mark.parametrize("point", [0.6, -0.3, 7.0])
def test_math_gives_floats_in_every_case(f: Any, point: float) -> None:
    """A case that is a whole number is a float all the same."""
    for tensor in along(0.5, f)[:2]:
        compiled = tensor.lambdify(backend="math")
        assert type(compiled(point)) is float
        assert compiled(point) == pytest.approx(float(tensor.lambdify()(point)), rel=1e-15)


def test_terms_at_one_place_of_zeros_are_added_before_they_are_put_there() -> None:
    """Code for a library puts what two slices of the same elements receive back once."""
    x = tf.constant(np.arange(1.0, 6.0), name="x")
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.sin(x[:3])) + tf.reduce_sum(tf.exp(x[:3])) + tf.reduce_sum(x[1:] ** 3)
    formula = tape.gradient(y, x).formula
    positions = [leaf.position for leaf in formula.used]
    task = Task(formula.program, positions, [formula.position], ["x"])
    made = libraries.on_library(lambda: OfTheStandard(False)).write(task)
    assert made.text.count("placed(") == 2
    expected = np.concatenate([np.cos(x.numpy()[:3]) + np.exp(x.numpy()[:3]), [0, 0]])
    expected[1:] += 3 * x.numpy()[1:] ** 2
    np.testing.assert_allclose(made.run(x.numpy())[0], expected, rtol=1e-14)
