"""The structure of Jacobians and Hessians: what it is called, its cores, pattern and products."""

from __future__ import annotations

import sys
import tracemalloc
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse.linalg import LinearOperator

import symtape as tf
from symtape.calculus.terms import structure as terms
from symtape.calculus.terms.jacobian import jacobian
from symtape.errors import ExtraNotInstalledError
from symtape.kernels.interpret import QUIET, interpret
from tests.programs import random_program
from tests.sampling import ALL
from tests.structure_cases import hessian_of, jacobian_of

RNG = np.random.default_rng(5)
N, M, K = 6, 8, 2
X, Y = RNG.normal(size=(M, N)), np.sign(RNG.normal(size=M))
A, V = RNG.normal(size=(N, N)), RNG.normal(size=(N, K))


def rosenbrock(x):
    """Compute the Rosenbrock function as SciPy writes it."""
    return tf.reduce_sum(100.0 * (x[1:] - x[:-1] ** 2.0) ** 2.0 + (1.0 - x[:-1]) ** 2.0)


def factorisation(u):
    """Compute the squared error of a product of factors, of which the other is V."""
    V_ = tf.constant(V, name="V")
    return tf.reduce_sum(tf.square(tf.matmul(u, V_, transpose_b=True)))


def logistic(x):
    """Compute the loss of logistic regression with labels in the data."""
    data = tf.constant(X * Y[:, None], name="X")
    return tf.reduce_sum(tf.nn.softplus(-tf.linalg.matvec(data, x)))


def quadratic(x):
    """Compute half of x A x."""
    return 0.5 * tf.reduce_sum(x * tf.linalg.matvec(tf.constant(A, name="A"), x))


VECTOR, MATRIX = RNG.normal(size=N), RNG.normal(size=(N, K))

CASES = {
    "softmax": (jacobian_of, tf.nn.softmax, VECTOR, "diag(p) - p pᵀ"),
    "logsumexp": (hessian_of, tf.reduce_logsumexp, VECTOR, "diag(p) - p pᵀ"),
    "Rosenbrock": (hessian_of, rosenbrock, VECTOR, "tridiagonal"),
    "logistic regression": (hessian_of, logistic, VECTOR, "Xᵀ diag(p) X"),
    "quadratic": (hessian_of, quadratic, VECTOR, "(A + Aᵀ) / 2"),
    "matrix factorisation": (hessian_of, factorisation, MATRIX, "2 (Vᵀ V) ⊗ I"),
    "elementwise": (jacobian_of, lambda x: tf.sin(x) * x, VECTOR, "diagonal"),
    "elementwise, a matrix": (jacobian_of, tf.tanh, MATRIX, "diagonal"),
    "a multiple": (jacobian_of, lambda x: 3.0 * x, VECTOR, "3 I"),
    "minus": (jacobian_of, lambda x: -x, MATRIX, "-I"),
    "differences": (jacobian_of, lambda x: x[1:] - x[:-1], VECTOR, "bidiagonal"),
    "reversed": (jacobian_of, lambda x: x[::-1], VECTOR, "I[::-1]"),
    "rows of softmax": (jacobian_of, tf.nn.softmax, MATRIX, "block diagonal"),
    "linear": (jacobian_of, lambda x: tf.linalg.matvec(tf.constant(A), x), VECTOR, "constant"),
    "running sums": (jacobian_of, tf.cumsum, VECTOR, "tril(𝟏 𝟏ᵀ)"),
    "a product from the left": (
        jacobian_of,
        lambda u: tf.constant(A, name="A") @ u,
        MATRIX,
        "I ⊗ A",
    ),
    "a product from the right": (
        jacobian_of,
        lambda u: u @ tf.constant(V.T, name="B"),
        MATRIX,
        "Bᵀ ⊗ I",
    ),
    "transposed": (jacobian_of, tf.transpose, MATRIX, "K"),
    "less its mean": (jacobian_of, lambda x: x - tf.reduce_mean(x), VECTOR, "I - 𝟏 𝟏ᵀ / 6"),
    "least squares": (
        hessian_of,
        lambda x: tf.reduce_sum((tf.linalg.matvec(tf.constant(A, name="A"), x) - 1.0) ** 2.0),
        VECTOR,
        "2 Aᵀ A",
    ),
    "second differences": (
        hessian_of,
        lambda x: tf.reduce_sum((x[2:] - 2.0 * x[1:-1] + x[:-2]) ** 2.0),
        VECTOR,
        "banded, diagonals -2 to 2",
    ),
    "zero": (hessian_of, lambda x: tf.reduce_sum(x * x) - tf.reduce_sum(x * x), VECTOR, "zero"),
    "a product of all": (hessian_of, tf.reduce_prod, VECTOR, "dense"),
    "a padded part": (
        jacobian_of,
        lambda x: tf.pad(x[1:3], [[2, 1]]) ** 2.0,
        VECTOR,
        "2 I[2:4]ᵀ diag(x[1:3]) I[1:3]",
    ),
    "parameters in one vector": (
        hessian_of,
        lambda x: tf.reduce_sum(tf.tanh(tf.reshape(x[:4], (2, 2)) @ x[4:, None])),
        VECTOR,
        "dense",
    ),
}


@pytest.fixture(params=CASES.values(), ids=CASES.keys(), scope="module")
def found(request):
    """Give a derivative, its dense matrix, and how it is called."""
    derive, f, at, text = request.param
    tensor = derive(f, tf.constant(at, name="x"))
    structure = tensor.structure
    dense = tensor.numpy().reshape(structure.shape)
    return SimpleNamespace(tensor=tensor, structure=structure, dense=dense, text=text)


def test_description(found):
    """The text says what a person would say."""
    assert found.structure == found.text


def test_products(found):
    """The operator multiplies as the dense matrix does, from both sides."""
    operator = found.structure.as_linear_operator()
    assert isinstance(operator, LinearOperator)
    assert operator.shape == found.dense.shape
    right, left = (
        np.random.default_rng(k).normal(size=n) for k, n in enumerate(operator.shape[::-1])
    )
    np.testing.assert_allclose(operator @ right, found.dense @ right, rtol=1e-10, atol=1e-11)
    np.testing.assert_allclose(operator.T @ left, found.dense.T @ left, rtol=1e-10, atol=1e-11)
    both = np.stack([right, 2 * right], axis=1)
    np.testing.assert_allclose(operator @ both, found.dense @ both, rtol=1e-10, atol=1e-11)


def test_sparsity(found):
    """No entry outside of the pattern differs from zero."""
    pattern = found.structure.sparsity().toarray()
    assert pattern.dtype == bool
    assert pattern.shape == found.dense.shape
    assert not np.any(found.dense[~pattern])


def test_dense(found):
    """`to_dense` is the whole array."""
    np.testing.assert_array_equal(found.structure.to_dense().numpy(), found.tensor.numpy())


def test_cores_are_formulas(found):
    """Each core is a tensor with a formula, and no core is larger than the whole."""
    for core in found.structure.cores:
        assert core.numpy().size <= max(found.dense.size, 1)
        if core.numpy().size:
            value = np.array(core.evalf(20).tolist() if core.ndim else core.evalf(20), float)
            np.testing.assert_allclose(
                value.reshape(core.shape), core.numpy(), rtol=1e-9, atol=1e-12
            )


TIGHT = {"Rosenbrock": 3 * N - 2, "elementwise": N, "differences": 2 * (N - 1), "a multiple": N}


@pytest.mark.parametrize(("name", "entries"), TIGHT.items())
def test_pattern_is_tight(name, entries):
    """The pattern of what is sparse is no larger than it has to be."""
    derive, f, at, _ = CASES[name]
    assert derive(f, tf.constant(at)).structure.sparsity().nnz == entries


CHOSEN = {
    "gather": lambda x: tf.gather(x[1:] * x[:-1], [0, 2, 2]) ** 2,
    "segment_sum": lambda x: tf.math.segment_sum(x[1:] * x[:-1], [0, 0, 1, 1]) ** 2,
}


@pytest.mark.parametrize("name", CHOSEN)
def test_pattern_of_elements_that_are_chosen(name):
    """Elements that data chooses keep the zeros that they have."""
    x = tf.constant(np.linspace(0.5, 1.5, 5))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = CHOSEN[name](x)
    found = tape.jacobian(y, x)
    assert found.structure.sparsity().nnz == np.count_nonzero(found.numpy()) == 6


def test_pattern_of_windows():
    """Windows of what is zero are zero: those of a diagonal matrix that lie off it."""
    x = tf.constant(np.arange(1.0, 6.0))
    with tf.GradientTape() as tape:
        tape.watch(x)
        image = tf.reshape(tf.linalg.diag(x), (1, 5, 5, 1))
        y = tf.nn.conv2d(image, np.ones((2, 2, 1, 1)), 1, "VALID") ** 2
    found = tape.jacobian(y, x)
    assert found.structure.sparsity().nnz == np.count_nonzero(found.numpy()) == 14


def _jacobian_by_versions(f, at):
    """Read a variable before and after it is assigned; all its versions are one source."""
    variable = tf.Variable(at)
    with tf.GradientTape() as tape:
        before = variable * variable
        variable.assign(at * 2)
        y = f(before + variable)
    return tape.jacobian(y, variable)


def test_core_of_a_factorisation_is_small():
    """A Hessian with 400 million entries is its core of 2 by 2."""
    C = tf.constant(RNG.normal(size=(K, K)))
    whole = hessian_of(lambda u: tf.reduce_sum((u @ C) * u), tf.constant(np.ones((10_000, K))))
    assert whole.shape == (10_000, K, 10_000, K)
    assert whole.structure in {"(C + Cᵀ) ⊗ I", "(Cᵀ + C) ⊗ I"}
    core = whole.structure.core.numpy()
    np.testing.assert_allclose(core, C.numpy() + C.numpy().T, rtol=1e-12)
    vector = RNG.normal(size=10_000 * K)
    product = whole.structure.as_linear_operator() @ vector
    np.testing.assert_allclose(product, (vector.reshape(10_000, K) @ core).ravel(), rtol=1e-9)


SWEPT = {
    "cumsum": (jacobian_of, lambda x: tf.cumsum(x * x)),
    "sort": (jacobian_of, lambda x: tf.sort(x) ** 2),
    "conv1d": (
        jacobian_of,
        lambda x: tf.nn.conv1d(tf.reshape(x, [1, -1, 1]), np.ones((3, 1, 1)), 1, "SAME"),
    ),
    "cumprod": (jacobian_of, lambda x: tf.math.cumprod(x)),
    "Hessian of cumprod": (hessian_of, lambda x: tf.reduce_sum(tf.math.cumprod(x))),
    "Hessian of sort": (hessian_of, lambda x: tf.reduce_sum(tf.sort(x) ** 3)),
    "versions of a variable": (_jacobian_by_versions, lambda x: tf.sort(x) ** 2),
}
"""Derivatives with a factor as large as the whole."""


@pytest.mark.parametrize("name", SWEPT)
def test_products_without_the_matrix(name):
    """Where a factor is as large as the whole, an operator multiplies by sweeps, as the matrix."""
    derive, f = SWEPT[name]
    whole = derive(f, tf.constant(RNG.uniform(0.9, 1.1, size=120)))
    operator = whole.structure.as_linear_operator()
    dense = whole.numpy().reshape(operator.shape)
    v, w = RNG.normal(size=(120, 2)), RNG.normal(size=operator.shape[0])
    np.testing.assert_allclose(operator @ v, dense @ v, rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(operator.H @ w, dense.T @ w, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("f", [tf.cumsum, tf.sort, tf.math.cumprod])
def test_operators_of_large_jacobians_need_little_memory(f):
    """A product with a matrix of 10^10 entries takes a few vectors."""
    n = 100_000
    x = RNG.uniform(0.9, 1.1, size=n)
    tracemalloc.start()
    found = jacobian_of(f, tf.constant(x)).structure.as_linear_operator() @ np.ones(n)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.shape == (n,)
    assert peak < 40 * 8 * n


BY_TERMS = {
    "a diagonal": (jacobian_of, lambda x: tf.exp(x)),
    "a band": (hessian_of, rosenbrock),
    "a turned matrix": (
        jacobian_of,
        lambda x: tf.reshape(tf.transpose(tf.reshape(x, [20, -1])), [-1]),
    ),
    "a product": (hessian_of, lambda x: tf.reduce_sum(x) ** 2 + tf.reduce_sum(x**3)),
}
"""Derivatives that are terms of small factors."""


@pytest.mark.parametrize("name", BY_TERMS)
def test_products_by_terms_need_little_memory(name):
    """Each term meets the vector first, and the matrix of 4 million entries is never made."""
    derive, f = BY_TERMS[name]
    whole = derive(f, tf.constant(RNG.uniform(0.9, 1.1, 2000)))
    tracemalloc.start()
    operator = whole.structure.as_linear_operator()
    found = operator @ np.ones(2000), operator.H @ np.ones(2000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [v.shape for v in found] == [(2000,), (2000,)]
    assert peak < 8 * 2000 * 2000 / 4


@pytest.mark.parametrize("name", BY_TERMS)
def test_products_of_terms_whose_places_interlock(name, monkeypatch):
    """Where a vector cannot be taken apart as a term asks, the term is multiplied out."""
    monkeypatch.setattr(terms, "taken", lambda *_: None)
    derive, f = BY_TERMS[name]
    whole = derive(f, tf.constant(RNG.uniform(0.9, 1.1, 60)))
    operator, dense = whole.structure.as_linear_operator(), whole.numpy()
    v = RNG.normal(size=60)
    np.testing.assert_allclose(operator @ v, dense @ v, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(operator.H @ v, dense.T @ v, rtol=1e-12, atol=1e-12)


def test_names_come_from_the_code():
    """A vector of the formula is called as the person who computed it calls it."""
    x = tf.constant(VECTOR)
    with tf.GradientTape() as tape:
        tape.watch(x)
        probabilities = tf.nn.softmax(x)
    whole = tape.jacobian(probabilities, x)
    assert whole.structure == "diag(probabilities) - probabilities probabilitiesᵀ"


def test_complex_products():
    """The operator of a complex Jacobian multiplies, and so does its adjoint."""
    z = tf.constant(VECTOR + 1j * VECTOR[::-1])
    whole = jacobian_of(lambda z: z[1:] * z[:-1], z)
    dense, operator = whole.numpy(), whole.structure.as_linear_operator()
    v, w = np.exp(1j * np.arange(N)), np.exp(2j * np.arange(N - 1))
    np.testing.assert_allclose(operator @ v, dense @ v, rtol=1e-12)
    np.testing.assert_allclose(operator.H @ w, dense.conj().T @ w, rtol=1e-12)


def test_rows_and_columns_must_be_known():
    """What is no Jacobian says so, and takes the number of its rows."""
    x = tf.constant(VECTOR)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(x * x)
    gradient = tape.gradient(y, x)
    with pytest.raises(ValueError, match="structure_of"):
        gradient.structure  # noqa: B018 - the question is what is tried
    assert gradient.structure_of(rows=0).shape == (1, N)


@given(st.integers(0, 10**6))
@settings(max_examples=120 if ALL else 60, deadline=None)
@pytest.mark.slow
def test_structure_of_random_programs(seed):
    """Products and patterns of random Jacobians are those of the dense array."""
    program, last, inputs, values = random_program(
        seed, 2 + seed % 6, [(1, 2, 3), (2, 4, 6)][seed % 2]
    )
    if np.prod(program.shapes[last]) > 300:
        return
    derived = jacobian(program, last, [(p,) for p in inputs])
    rng = np.random.default_rng(seed)
    for p, o in zip(inputs, derived.outputs, strict=True):
        if o is None or np.prod(derived.program.shapes[o]) > 10_000:
            continue
        (dense,) = QUIET.run(interpret, derived.program, values, [o])
        found = terms.structured(derived.program, o, len(program.shapes[last]))
        for transposed in (False, True):
            rows, columns = found.shape[:: -1 if transposed else 1]
            vector = rng.normal(size=columns)
            longer, v, out = terms.product(found, transposed=transposed)
            (product,) = QUIET.run(interpret, longer, {**values, v: vector}, [out])
            flat = np.reshape(dense, [np.prod(n, dtype=int) for n in found.shape])
            flat = flat.T if transposed else flat
            expected = (flat @ vector.ravel()).reshape(rows)
            np.testing.assert_allclose(product, expected, rtol=1e-7, atol=1e-8, err_msg=str(p))


def test_sparsity_without_scipy_names_the_extra(monkeypatch):
    """What SciPy's matrices are missing for is installed by its name."""
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    structure = tape.jacobian(y, x).structure
    monkeypatch.setitem(sys.modules, "scipy.sparse", None)
    with pytest.raises(ExtraNotInstalledError, match=r"symtape\[scipy\]"):
        structure.sparsity()
