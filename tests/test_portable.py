"""Code for PyTorch, JAX and Dask, on stand-ins that have their words and NumPy's numbers."""

from __future__ import annotations

import sys
from functools import cache
from itertools import product
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
import sympy as sp
from scipy import special

import symtape as tf
from symtape.codegen.backends import BACKENDS
from symtape.codegen.libraries import backend as libraries
from symtape.codegen.libraries.adapters.dask_library import Dask
from symtape.codegen.libraries.adapters.jax_library import Jax
from symtape.codegen.libraries.adapters.torch_library import Torch
from symtape.codegen.libraries.adapters.torch_words import TorchWords
from symtape.codegen.libraries.library import Library
from symtape.errors import PathConditionError, UnsupportedError
from symtape.program.operations import Map, parameter
from symtape.tensor.dispatch import apply1
from tests.cases import CASES, Case
from tests.compiled import arguments, derived
from tests.gaps import GAPS, gap
from tests.sampling import ALL, some
from tests.stand_ins import dask as dask_like
from tests.stand_ins import jax as jax_like
from tests.stand_ins import torch as torch_like
from tests.stand_ins.dask import DaskArray
from tests.stand_ins.torch import Tensor

NO_NUMBERS = "math.polygamma at poles and of no order"
"""Where libraries differ in what is no number and what is infinite."""
JUDGED = [c for c in CASES if c.inputs and c.order and c.name != NO_NUMBERS]


@cache
def torch() -> Torch:
    """Make the library of the stand-in for PyTorch."""
    return Torch(torch_like.module())


@cache
def jax() -> Jax:
    """Make the library of the stand-in for JAX, whose modules are imported by their names."""
    with pytest.MonkeyPatch.context() as patch:
        for name, module in jax_like.modules().items():
            patch.setitem(sys.modules, name, module)
        return Jax(sys.modules["jax"])


@cache
def dask() -> Dask:
    """Make the library of the stand-in for Dask."""
    return Dask(dask_like.module())


LIBRARIES: dict[str, tuple[Any, Any, Any]] = {
    "torch": (torch, lambda a: Tensor(a, "device"), lambda x: x.cpu().numpy()),
    "jax": (jax, lambda a: jax().xp.asarray(a), np.asarray),
    "dask": (dask, lambda a: np.asarray(a).view(DaskArray), np.asarray),
}
"""For each: how it is found, how an array becomes one of its own, and that becomes NumPy's."""

TAKEN = [
    (case, name)
    for k, name in enumerate(LIBRARIES)
    for case in (JUDGED if ALL else some(JUDGED, 36, 12 * k + 5))
]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("case", "name"), TAKEN, ids=lambda x: getattr(x, "name", x))
def test_cases(case: Case, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Results and gradients of a case are NumPy's and stay on a device, or a function is missing.

    What is missing are the functions that the library itself has not.
    """
    library, make, read = LIBRARIES[name]
    monkeypatch.setitem(BACKENDS, name, lambda: libraries.on_library(library))
    tensors, _kept = derived(case)
    for tensor in tensors:
        reference = tensor.lambdify()
        given = arguments(tensor, reference)
        try:
            compiled = tensor.lambdify(backend=name)
        except UnsupportedError as error:
            assert gap(error) in GAPS[name]  # noqa: PT017
            continue
        found, expected = compiled(*map(make, given)), reference(*given)
        assert library().is_own(found)
        found = read(found)
        assert found.dtype == expected.dtype
        assert found.shape == expected.shape
        scale = np.max(np.abs(expected[np.isfinite(expected)]), initial=1)
        np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-13 * scale)


def test_a_word_that_torch_lacks_is_told() -> None:
    """The error has PyTorch's name for the function."""
    with pytest.raises(AttributeError, match="torch has no 'remainder'"):
        _ = TorchWords(ModuleType("torch")).mod


@pytest.mark.parametrize("axis", [None, (), 0, (0, 2), -1])
@pytest.mark.parametrize("keepdims", [False, True])
def test_torch_adds_up_over_axes(axis: Any, keepdims: bool) -> None:
    """All axes, none, one, or some; a bool is added up as what it is."""
    x = np.arange(24.0).reshape(2, 3, 4)
    found = torch().xp.sum(Tensor(x, "device"), axis=axis, keepdims=keepdims)
    np.testing.assert_array_equal(found.array, x.sum(axis=axis, keepdims=keepdims))


@pytest.mark.parametrize("order", range(4))
def test_torch_has_polygamma_of_every_order(order: int) -> None:
    """The first is digamma; all others are zeta functions, which have all digits."""
    x = np.array([0.3, 1.0, 7.5])
    found = torch().special.polygamma(order, Tensor(x, "device"))
    np.testing.assert_allclose(found.array, special.polygamma(order, x), rtol=1e-14)


def test_constants_are_where_the_arguments_are() -> None:
    """Numbers, places and arrays that code brings along go to the device of an argument."""
    like = Tensor(np.ones(2, np.float32), "device")
    library = torch()
    found = [
        library._fixed(np.arange(3), like),
        library.constant(np.arange(3.0), like),
        library.number(2, "float64", like),
        library._full((2,), 1, like),
        library._arange(3, like),
    ]
    assert [x.device for x in found] == ["device"] * len(found)
    assert [str(x.dtype).partition(".")[2] for x in found] == [
        "int64", "float32", "float64", "float32", "int64",
    ]  # fmt: skip
    assert library.number(2, "float64").device == "cpu"


@pytest.mark.parametrize(
    ("ranges", "size"),
    [((1, 2, 3), 7), ((5, -2, 3), 7), ((5, -1, 4), 6), ((0, 3, 1), 2), ((4, 2, 0), 5)],
)
@pytest.mark.parametrize("name", LIBRARIES)
def test_rows_are_placed_among_zeros(name: str, ranges: tuple[int, int, int], size: int) -> None:
    """Forwards, backwards, apart, one alone, none: for two axes at once."""
    library, make, read = LIBRARIES[name]
    start, step, count = ranges
    x = np.arange(1.0, 1 + count * count).reshape(count, count)
    at = start + step * np.arange(count)
    expected = np.zeros((size, size))
    expected[np.ix_(at, at)] = x
    found = library().placed(make(x), (ranges, ranges), (size, size))
    np.testing.assert_array_equal(read(found), expected)


def test_dask_tells_which_axes_are_whole() -> None:
    """What NumPy does by blocks names the axes of each operand and of the result."""
    calls: list[tuple[str, dict[str, int]]] = []

    def kept(function: Any, signature: str, *xs: Any, output_sizes: Any, **_: Any) -> Any:
        calls.append((signature, output_sizes))
        return xs[0]

    library = Dask(SimpleNamespace(apply_gufunc=kept))
    x, places = np.ones((5, 3, 2)).view(DaskArray), np.zeros(4, int).view(DaskArray)
    library.on_blocks(np.take, [2, 1], (4, 2), "float64", x, places)
    library.on_blocks(np.sum, [3], (), "float64", x)
    assert calls == [
        ("(0_0,0_1),(1_0)->(out0,out1)", {"out0": 4, "out1": 2}),
        ("(0_0,0_1,0_2)->()", {}),
    ]


AXES = list(product(range(2), range(2), range(3), range(2), range(2)))
"""How many axes lead, are a batch, are the indices' own, lie between, and come after."""


def plain(make: Any) -> tuple[Any, Any, Any]:
    """Give a library whose arrays are NumPy's."""
    return make, np.asarray, np.asarray


WITH_ROWS = {
    **{name: LIBRARIES[name] for name in ("torch", "jax")},  # NumPy does it to blocks of Dask's
    "NumPy": plain(libraries.numpy_namespace),
    "any": plain(lambda: Library(np)),
}


@pytest.mark.parametrize("name", WITH_ROWS)
def test_rows_are_read_and_added_between_any_axes(name: str) -> None:
    """Element by element, as [… B P n R] and [B I] make [… B P I R], and back."""
    library, make, read = WITH_ROWS[name]
    rng = np.random.default_rng(0)
    for lead, batch, own, between, after in AXES:
        lot, size, places = [3][:lead], 4, [2, 3][:own]
        stack, inner, rest = [2][:batch], [3][:between], [2][:after]
        x = rng.random((*lot, *stack, *inner, size, *rest))
        at = rng.integers(0, size, (*stack, *places))
        found = np.zeros((*lot, *stack, *inner, *places, *rest))
        back = np.zeros(x.shape)
        for i in np.ndindex(*lot, *stack, *inner):
            for j in np.ndindex(*places):
                k = at[(*i[lead : lead + batch], *j)]
                found[(*i, *j)] = x[(*i, k)]
                back[(*i, k)] += found[(*i, *j)]
        indices = make(at)
        taken = library().gather(make(x), indices, after, between, batch)
        np.testing.assert_array_equal(read(taken), found)
        added = library().scatter(make(found), indices, after, between, batch, size)
        np.testing.assert_allclose(read(added), back, rtol=1e-14)


X, Y = np.array([-2.0, 0.0, 0.5, 30.0]), np.array([1.5, -0.25, np.inf, 2.0])
OWN_WORDS = {
    "pivot": (lambda x: np.where(np.isfinite(x), x, 0), [Y]),
    "step": (lambda x: (x > 0).astype(float), [X]),
    "sigmoid_slope": (lambda x: special.expit(x) * special.expit(-x), [X]),
    "asinh_slope": (lambda x: 1 / np.sqrt(1 + x * x), [X]),
    "to_complex": (lambda x, y: x + 1j * y, [X, X[::-1].copy()]),
    "masked_product": (lambda g, s: np.where(g == 0, 0, g * s), [np.array([0.0, 2, 0, 1]), Y]),
}
"""What a library writes itself, beside what NumPy gives."""


@pytest.mark.parametrize("word", OWN_WORDS)
@pytest.mark.parametrize("name", LIBRARIES)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_own_words_are_what_they_say(name: str, word: str) -> None:
    """Slopes, steps and products that are no functions of the library's."""
    library, make, read = LIBRARIES[name]
    function, given = OWN_WORDS[word]
    found = read(getattr(library(), word)(*map(make, given)))
    np.testing.assert_allclose(found, function(*given), rtol=1e-12)


@pytest.mark.parametrize("name", LIBRARIES)
def test_a_path_is_checked_where_its_numbers_are(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What decided is looked at on the host, or as the result is computed."""
    library, make, read = LIBRARIES[name]
    monkeypatch.setitem(BACKENDS, name, lambda: libraries.on_library(library))
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x**2 if x[0] > 0 else -x
        y = y * x[int(tf.reduce_max(x)) - 2]
    for tensor in (y, tape.gradient(y, x)):
        compiled = tensor.lambdify([x], backend=name)
        np.testing.assert_allclose(read(compiled(make(x.numpy()))), tensor.numpy(), rtol=1e-6)
        for other in ([-1.0, 2.0, 3.0], [1.0, 2.0, 2.0]):
            with pytest.raises(PathConditionError):
                compiled(make(np.array(other, np.float32)))


LEFT_OVER = {
    "running recurrence": lambda x: tf.math.cumulative_logsumexp(x, 1),
    "largest of all": lambda x: tf.reduce_max(x) * x,
    "smallest of rows": lambda x: tf.reduce_min(x, 1) + tf.cast(tf.argmin(x, 1), x.dtype),
    "running product": lambda x: tf.math.cumprod(x, 0),
    "running sum": lambda x: tf.cumsum(x, 1, reverse=True),
    "product": lambda x: tf.reduce_prod(x, 1),
    "determinant": lambda x: tf.linalg.det(x[:, :2]),
    "factors": lambda x: tf.linalg.qr(x)[1],
    "all factors": lambda x: tf.linalg.qr(x, full_matrices=True)[0],
    "angle": lambda x: tf.math.angle(tf.complex(x, x[::-1])),
    "whole numbers": lambda x: tf.cast(x * 7.0, "int32") // 2 % 3,
    "truths": lambda x: tf.reduce_any(x > 1.5, 1) | tf.reduce_all(x > 1.0, 1),
    "solution of two": lambda x: tf.linalg.solve(x[:, :2], x),
}


@pytest.mark.parametrize("function", LEFT_OVER)
@pytest.mark.parametrize("name", LIBRARIES)
def test_what_cases_take_in_turns_is_numpys(
    name: str, function: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Kinds of operations that a library has words for, each once."""
    library, make, read = LIBRARIES[name]
    monkeypatch.setitem(BACKENDS, name, lambda: libraries.on_library(library))
    x = tf.constant([[1.25, 0.5, 2.0], [-0.75, 3.0, 1.0]], tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = LEFT_OVER[function](x)
    gradient = tape.gradient(y, x) if y.dtype.is_floating else None
    for tensor in [t for t in (y, gradient) if t is not None]:
        try:
            compiled = tensor.lambdify([x], backend=name)
        except UnsupportedError as error:
            assert gap(error) in GAPS[name]  # noqa: PT017
            continue
        np.testing.assert_allclose(read(compiled(make(x.numpy()))), tensor.numpy(), rtol=1e-11)


TWO_OR_HALF = Map.of(sp.Piecewise((2, parameter(0) > 1), (sp.Rational(1, 2), True)), 1)
"""A body such as files may have."""

CHOICES = {
    "one or the other": lambda x: tf.where(x > 0, x, 1.0),
    "a slope": tf.nn.leaky_relu,
    "clipped": lambda x: tf.clip_by_value(x, -1.0, 1.0),
    "the larger": lambda x: tf.maximum(0.5, x),
    "of two numbers": lambda x: apply1(TWO_OR_HALF, x),
}


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", LIBRARIES)
def test_a_choice_between_numbers_has_the_dtype_of_the_step(
    name: str, dtype: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Numbers alone would be of the library's own dtype."""
    library, make, read = LIBRARIES[name]
    monkeypatch.setitem(BACKENDS, name, lambda: libraries.on_library(library))
    x = tf.constant([-2.0, 0.25, 3.0], dtype=dtype)
    for f in CHOICES.values():
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        for tensor in [t for t in (y, tape.gradient(y, x)) if t is not None]:
            found = read(tensor.lambdify([x], backend=name)(make(x.numpy())))
            assert found.dtype == dtype
            np.testing.assert_array_equal(found, tensor.numpy())


SHAPED = {
    "gather": lambda x, axis: tf.gather(x, [1, 0, 1, 1], axis=axis),
    "gather in batches": lambda x, axis: tf.gather(
        x, np.array([[1, 0], [1, 1]]), axis=max(axis, 1), batch_dims=1
    ),
    "segment": lambda x, axis: tf.math.segment_max(x * (1.0 + axis), [0, 1]),
    "position": lambda x, axis: tf.sort(x, axis=axis),
    "contraction of two axes": lambda x, axis: tf.einsum("bij,bij->b", x, tf.exp(x)) + axis,
    "pseudo inverse": lambda x, axis: tf.linalg.pinv(x[..., : axis + 1]),
    "pseudo inverse of nothing": lambda x, axis: tf.linalg.pinv(x[..., :0]) + 0.0 * axis,
}
"""Functions of an array of shape (2, 3, 2) whose axes a library moves or looks at."""


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("function", SHAPED)
@pytest.mark.parametrize("name", LIBRARIES)
def test_axes_are_those_of_numpy(
    name: str, function: str, axis: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The function and its gradient, through every axis that it can be along."""
    library, make, read = LIBRARIES[name]
    monkeypatch.setitem(BACKENDS, name, lambda: libraries.on_library(library))
    if function.startswith("pseudo") and axis == 2:
        axis = 1
    x = tf.constant(np.linspace(1.0, 2.0, 12).reshape(2, 3, 2) ** 2)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = SHAPED[function](x, axis)
        total = tf.reduce_sum(y**3)
    for tensor in (y, tape.gradient(total, x)):
        found = tensor.lambdify([x], backend=name)(make(x.numpy()))
        np.testing.assert_allclose(np.asarray(read(found)), tensor.numpy(), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("case", ["expm", "sqrtm", "logm"])  # the last is of complex numbers
def test_dask_has_functions_of_matrices(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """NumPy computes them, block by block."""
    monkeypatch.setitem(BACKENDS, "dask", lambda: libraries.on_library(dask))
    matrix = np.array([[2.0, 0.5], [0.1, 3.0]])
    x = tf.constant(matrix + 0j if case == "logm" else matrix)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = getattr(tf.linalg, case)(x)
    found = y.lambdify([x], backend="dask")(x.numpy().view(DaskArray))
    np.testing.assert_allclose(np.asarray(found), y.numpy(), rtol=1e-12)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128"])
@pytest.mark.parametrize("shape", [(2, 2), (3, 2, 2), (2, 3, 2, 2), (0, 0), (0, 2, 2), (2, 0, 0)])
def test_jax_takes_roots_of_matrices_one_by_one(shape: tuple[int, ...], dtype: str) -> None:
    """Of each of a batch, and of none; what is real stays real."""
    a = np.random.default_rng(0).random(shape).astype(dtype) + 2 * np.eye(shape[-1], dtype=dtype)
    found = np.asarray(jax().sqrtm(jax().xp.asarray(a)))
    assert (found.shape, found.dtype) == (shape, dtype)
    np.testing.assert_allclose(found @ found, a, rtol=1e-5, atol=1e-5)
    assert not a.size or np.linalg.eigvals(found).real.min() > 0


def test_jax_refuses_integers_that_do_not_fit() -> None:
    """Without 64 bits a large place would wrap around; small ones lose nothing."""
    library = jax()
    wide = library.jax.config.jax_enable_x64
    library.jax.config.jax_enable_x64 = False
    try:
        assert np.asarray(library.taken(np.array([3, -7]), None)).tolist() == [3, -7]
        with pytest.raises(UnsupportedError, match="int64"):
            library.taken(np.array([2**40]), None)
    finally:
        library.jax.config.jax_enable_x64 = wide
