"""What a structure says is true of the numbers, and its parts multiply out to them."""

from __future__ import annotations

import numpy as np
import pytest

import symtape as tf
from tests.structure_cases import STRUCTURES, hessian_of, jacobian_of, nested_hessian_of
from tests.structure_language import flat, means

RNG = np.random.default_rng(3)


@pytest.fixture(params=STRUCTURES, scope="module")
def found(request):
    """Derive a case, and give it with its structure and its dense matrix."""
    case = STRUCTURES[request.param]
    tensor = case.derive(case.f, tf.constant(case.at, name="x"))
    structure = tensor.structure
    return case, tensor, structure, tensor.numpy().reshape(structure.shape)


def test_text(found):
    """The text is the one that a person would write."""
    case, _, structure, _ = found
    assert structure == case.text


def test_text_is_true(found):
    """The matrix that the text says, with the arrays of its names, is the derivative."""
    case, tensor, structure, _ = found
    names = {letter: part.numpy() for letter, part in structure.where.items()}
    for symbol, leaf in tensor.leaves.items():
        names.setdefault(str(symbol), leaf.numpy())
    columns = np.ndim(case.at)
    assert means(structure, flat(tensor.numpy(), tensor.ndim - columns), names)


def test_pattern(found):
    """No entry outside of the pattern differs from zero; most patterns have no other entries."""
    case, _, structure, dense = found
    pattern = structure.sparsity().toarray()
    assert not dense[~pattern].any()
    assert case.loose or pattern.sum() == np.count_nonzero(dense)


def test_operator(found):
    """The operator multiplies as the dense matrix does, from both sides."""
    _, _, structure, dense = found
    operator = structure.as_linear_operator()
    right, left = (RNG.normal(size=n) for n in dense.shape[::-1])
    np.testing.assert_allclose(operator @ right, dense @ right, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(operator.T @ left, dense.T @ left, rtol=1e-8, atol=1e-10)


def test_products_of_functions(found):
    """`jvp`, `vjp` and `hvp`, which never form the matrix, agree with the operator."""
    case, _, structure, _ = found
    x = np.asarray(case.at)
    operator = structure.as_linear_operator()
    v = RNG.normal(size=x.shape)
    if case.derive in (hessian_of, nested_hessian_of):
        product = tf.hvp(case.f, (tf.constant(x),), (tf.constant(v),))
    else:
        _, product = tf.jvp(case.f, (tf.constant(x),), (tf.constant(v),))
    np.testing.assert_allclose(np.ravel(product), operator @ v.ravel(), rtol=1e-8, atol=1e-10)


def test_letters_have_formulas(found):
    """What a letter stands for is a tensor that can be read and evaluated."""
    _, _, structure, _ = found
    for part in structure.where.values():
        assert part.formula.program.shapes[part.formula.position] == part.shape


def test_names_of_the_callers_code():
    """A part is called as the code that asks calls it, by two tapes, too."""
    x = tf.constant(RNG.normal(size=4))
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.reduce_logsumexp(x)
        g = inner.gradient(y, x)
    assert outer.jacobian(g, x).structure == "diag(g) - g gᵀ"


def test_words_have_no_letters():
    """A text that is a word leaves nothing to explain."""
    x = tf.constant([1.0, 2.0])
    assert jacobian_of(tf.sin, x).structure.where == {}


@pytest.mark.parametrize(
    ("text", "matrix"),
    [
        ("diagonal", np.ones((2, 2))),
        ("2 Xᵀ X", np.eye(2)),
        ("I[[0, 2]]", np.eye(3)[[0, 1]]),
        ("diag(d) - d dᵀ", np.diag([1.0, 2.0])),
        ("K", np.eye(4)),
        ("tril(𝟏 𝟏ᵀ)", np.eye(3)),
        ("[I; 2 diag(d)]", np.vstack([np.eye(2), np.eye(2)])),
        ("I ⊗ I[0]ᵀ", np.eye(4)[:, 1::2]),
        ("diag(d) / ‖d‖", np.diag([1.0, 2.0])),
        ("X[1] d", np.array([[5.0]])),
    ],
)
def test_the_judge_convicts(text, matrix):
    """A text that is not true of a matrix does not pass."""
    names = {"X": np.array([[1.0, 2.0], [3.0, 4.0]]), "d": np.array([1.0, 2.0])}
    assert not means(text, matrix, names)
