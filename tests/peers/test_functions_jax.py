"""Functions on functions against JAX's: values, structures, dtypes, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest

import symtape as tf


class Case(NamedTuple):
    """A function written with NumPy's names, `np` being ours or JAX's, and its arguments."""

    run: Callable[..., Any]
    args: tuple[Any, ...]
    argnums: int | tuple[int, ...] = 0


def _arrays(*shapes: tuple[int, ...], seed: int = 0) -> list[Any]:
    rng = np.random.default_rng(seed)
    return [rng.normal(size=shape) for shape in shapes]


def _network(np: Any, params: Any, x: Any) -> Any:
    for layer in params["hidden"]:
        x = np.tanh(np.matmul(x, layer["w"]) + layer["b"])
    return np.sum(np.square(np.matmul(x, params["out"])))


def _logistic(np: Any, w: Any, x: Any, y: Any) -> Any:
    return np.sum(np.log(1 + np.exp(-y * np.matmul(x, w))))


_W, _X = _arrays((3,), (5, 3))
_LABELS = np.sign(_X[:, 0])
_PARAMS = {
    "hidden": [dict(zip("wb", _arrays((3, 4), (4,), seed=k), strict=True)) for k in (1,)],
    "out": _arrays((4, 2), seed=3)[0],
}

SCALAR = {
    "power": Case(lambda np, x: x**3, (2.0,)),
    "sum of squares": Case(lambda np, x: np.sum(x * x), tuple(_arrays((2, 3)))),
    "two arguments": Case(
        lambda np, x, y: np.sum(np.sin(x) * y), tuple(_arrays((3,), (2, 3))), (0, 1)
    ),
    "second argument": Case(lambda np, x, y: np.sum(x * y**2), tuple(_arrays((3,), (3,))), 1),
    "mixed blocks": Case(
        lambda np, x, y: np.sum(np.exp(np.outer(x, y))), tuple(_arrays((2,), (3,))), (1, 0)
    ),
    "logistic": Case(_logistic, (_W, _X, _LABELS)),
    "logistic, data": Case(_logistic, (_W, _X, _LABELS), (0, 1)),
    "network": Case(_network, (_PARAMS, _X), (0, 1)),
    "tuple": Case(lambda np, p: p[0] * p[1][0] ** 2 * np.sum(p[1][1]), ((2.0, [3.0, np.ones(2)]),)),
    "unconnected": Case(lambda np, x, y: np.sum(x * x), tuple(_arrays((3,), (2,))), (0, 1)),
    "linear": Case(lambda np, x: np.sum(3.0 * x), tuple(_arrays((3,)))),
    "zero size": Case(lambda np, x: np.sum(x * x), (np.ones((0, 2)),)),
    "float32": Case(lambda np, x: np.sum(np.cos(x)), (np.float32([0.5, 1.5]),)),
    "complex": Case(lambda np, z: np.sum(np.real(z * np.conj(z) * z)), (np.array([1 + 2j, 0.5j]),)),
}

ARRAY = {
    "identity": Case(lambda np, x: x, tuple(_arrays((2, 2)))),
    "elementwise": Case(lambda np, x: np.sin(x), tuple(_arrays((2, 3)))),
    "matrix": Case(lambda np, a, x: np.matmul(a, x), tuple(_arrays((2, 3), (3, 2))), (0, 1)),
    "softmax": Case(lambda np, x: np.exp(x) / np.sum(np.exp(x)), tuple(_arrays((4,)))),
    "structure": Case(
        lambda np, p, x: {"y": [np.tanh(np.matmul(x, p["w"])), p["b"]], "z": np.sum(x)},
        ({"w": _arrays((3, 2))[0], "b": 2.0}, _X), (0, 1),
    ),
    "scalar to vector": Case(lambda np, t: np.stack([np.cos(t), np.sin(t)]), (0.5,)),
}  # fmt: skip


def ours(case: Case) -> Callable[..., Any]:
    """Write the function with our names."""
    return lambda *args: case.run(np, *args)


def theirs(case: Case, jax: ModuleType) -> Callable[..., Any]:
    """Write the function with JAX's names."""
    return lambda *args: case.run(jax.numpy, *args)


def same(jax: ModuleType, found: Any, expected: Any, rtol: float = 1e-12) -> None:
    """Assert equal structures, shapes, dtypes and numbers; a complex gradient is the conjugate."""
    assert jax.tree.structure(found) == jax.tree.structure(expected)
    for a, b in zip(jax.tree.leaves(found), jax.tree.leaves(expected), strict=True):
        assert isinstance(a, (np.ndarray, np.generic))
        assert (a.shape, a.dtype) == (b.shape, b.dtype)
        loose = 1e-5 if a.dtype == np.float32 else rtol
        np.testing.assert_allclose(a, b, rtol=loose, atol=1e-13 if loose < 1e-6 else 1e-6)


@pytest.mark.parametrize("name", SCALAR)
def test_gradients_are_those_of_jax(name: str, jax: ModuleType) -> None:
    """grad and value_and_grad, interpreted and compiled, give JAX's numbers and structures."""
    case = SCALAR[name]
    expected = jax.grad(theirs(case, jax), case.argnums)(*case.args)
    expected = jax.tree.map(np.conj, expected)
    slope = tf.grad(ours(case), case.argnums)
    both = tf.value_and_grad(ours(case), case.argnums)
    for _ in range(3):
        same(jax, slope(*case.args), jax.tree.map(np.asarray, expected))
        value, gradient = both(*case.args)
        np.testing.assert_allclose(value, theirs(case, jax)(*case.args), rtol=1e-6)
        same(jax, gradient, jax.tree.map(np.asarray, expected))


@pytest.mark.parametrize("name", [n for n in SCALAR if n != "complex"])
def test_hessians_are_those_of_jax(name: str, jax: ModuleType) -> None:
    """hessian gives JAX's blocks, for several arguments and structures too."""
    case = SCALAR[name]
    expected = jax.hessian(theirs(case, jax), case.argnums)(*case.args)
    second = tf.hessian(ours(case), case.argnums)
    for _ in range(3):
        same(jax, second(*case.args), expected)


@pytest.mark.parametrize("name", [*ARRAY, *(n for n in SCALAR if n != "complex")])
def test_jacobians_are_those_of_jax(name: str, jax: ModuleType) -> None:
    """jacobian gives JAX's blocks, results outside and arguments inside."""
    case = (ARRAY | SCALAR)[name]
    expected = jax.jacrev(theirs(case, jax), case.argnums)(*case.args)
    first = tf.jacobian(ours(case), case.argnums)
    for _ in range(3):
        same(jax, first(*case.args), expected)


@pytest.mark.parametrize("name", ["elementwise", "matrix", "softmax"])
def test_hessians_of_arrays_are_those_of_jax(name: str, jax: ModuleType) -> None:
    """The Hessian of an array has the axes of the result in front."""
    case = ARRAY[name]
    same(jax, tf.hessian(ours(case), case.argnums)(*case.args),
         jax.hessian(theirs(case, jax), case.argnums)(*case.args))  # fmt: skip


@pytest.mark.parametrize("name", [n for n in ARRAY | SCALAR if n != "complex"])
def test_products_are_those_of_jax(name: str, jax: ModuleType) -> None:
    """jvp and vjp give JAX's values, tangents and cotangents; hvp is that of grad."""
    case = (ARRAY | SCALAR)[name]
    f, g = ours(case), theirs(case, jax)
    tangents = jax.tree.map(lambda x: np.cos(np.asarray(x)).astype(np.asarray(x).dtype), case.args)
    for _ in range(3):
        value, along = tf.jvp(f, case.args, tangents)
        expected, expected_along = jax.jvp(g, case.args, tangents)
        same(jax, value, jax.tree.map(np.asarray, expected))
        same(jax, along, jax.tree.map(np.asarray, expected_along))
        value, pull = tf.vjp(f, *case.args)
        _, expected_pull = jax.vjp(g, *case.args)
        same(jax, value, jax.tree.map(np.asarray, expected))
        cotangent = jax.tree.map(np.sin, value)
        same(jax, pull(cotangent), jax.tree.map(np.asarray, expected_pull(cotangent)))
        if name in SCALAR:
            product = tf.hvp(f, case.args, tangents)
            every = tuple(range(len(case.args)))
            _, curved = jax.jvp(jax.grad(g, every), case.args, tangents)
            same(jax, product, curved if len(every) > 1 else curved[0])


@pytest.mark.parametrize("n", range(5))
def test_derivatives_are_those_of_jax(n: int, jax: ModuleType) -> None:
    """The n-th derivative is that of n nested grads, at numbers and at arrays."""
    f, g = (lambda x: np.exp(np.sin(x)) * x), (lambda x: jax.numpy.exp(jax.numpy.sin(x)) * x)
    for _ in range(n):
        g = jax.grad(g)
    points = np.linspace(-2.0, 2.0, 7)
    d = tf.derivative(f, n)
    np.testing.assert_allclose(d(points), jax.vmap(g)(points), rtol=1e-12)
    np.testing.assert_allclose([d(x) for x in points], jax.vmap(g)(points), rtol=1e-12)


@pytest.mark.parametrize(
    "call",
    [
        lambda m, np: m.grad(lambda x: x * x)(3),
        lambda m, np: m.grad(lambda x: x * x)(np.array([1, 2])),
        lambda m, np: m.grad(lambda x: x)(np.ones(2)),
        lambda m, np: m.grad(lambda x: (x, x))(1.0),
        lambda m, np: m.grad(lambda x: x > 0)(1.0),
        lambda m, np: m.grad(lambda x: "y")(1.0),
        lambda m, np: m.grad(lambda x: x)("a"),
        lambda m, np: m.grad(lambda x: x * 1j)(1.0 + 0j),
        lambda m, np: m.hessian(lambda x: x * x)(3),
        lambda m, np: m.jvp(lambda x: x, 1.0, 1.0),
        lambda m, np: m.jvp(lambda x: x, (1.0,), (1.0, 2.0)),
        lambda m, np: m.jvp(lambda x: x, ((1.0,),), ([1.0],)),
    ],
)
def test_what_jax_refuses_is_refused(call: Callable[..., Any], jax: ModuleType) -> None:
    """What raises TypeError in JAX raises TypeError here."""
    with pytest.raises(TypeError):
        call(jax, jax.numpy)
    with pytest.raises(TypeError):
        call(tf, np)


_ROWS = (_W, _X[:, None, :], _LABELS[:, None])

VECTORIZED = {
    "gradient of each row": ("grad", Case(lambda np, x: np.sum(np.sin(x) * x[0]), (_X,)), (0,)),
    "gradient by shared weights": ("grad", Case(_logistic, _ROWS), (1, 2)),
    "gradient by both": ("grad", Case(_logistic, _ROWS, (0, 1)), (1, 2)),
    "network": ("grad", Case(_network, (_PARAMS, _X)), (1,)),
    "Hessian of each row": ("hessian", Case(lambda np, x: np.prod(x) + np.sum(x**3), (_X,)), (0,)),
    "Hessian by shared weights": ("hessian", Case(_logistic, _ROWS), (1, 2)),
    "Hessian of numbers": ("hessian", Case(lambda np, t: np.exp(t * t), (_X[:, 0],)), (0,)),
    "Jacobian of each row": ("jacobian", Case(lambda np, x: np.tanh(x) * np.sum(x), (_X,)), (0,)),
    "Jacobian of a structure": (
        "jacobian", Case(lambda np, x: {"a": np.outer(x, x), "b": [np.sum(x)]}, (_X,)), (0,)),
    "what no row changes": ("grad", Case(lambda np, x, y: np.sum(x * x), (_W, _X)), (1,)),
    "one row": ("hessian", Case(lambda np, x: np.sum(x**4), (_X[:1],)), (0,)),
    "no rows": ("hessian", Case(lambda np, x: np.sum(x**4), (_X[:0],)), (0,)),
}  # fmt: skip


@pytest.mark.parametrize("name", VECTORIZED)
def test_vectorized_functions_are_vmap(name: str, jax: ModuleType) -> None:
    """vectorize gives what jax.vmap gives, by arguments of rows and by those that rows share."""
    kind, case, over = VECTORIZED[name]
    transform = {"grad": jax.grad, "hessian": jax.hessian, "jacobian": jax.jacrev}[kind]
    axes = tuple(0 if k in over else None for k in range(len(case.args)))
    expected = jax.vmap(transform(theirs(case, jax), case.argnums), axes)(*case.args)
    function = getattr(tf, kind)(ours(case), case.argnums, vectorize=over)
    for _ in range(3):
        same(jax, function(*case.args), jax.tree.map(np.asarray, expected))
