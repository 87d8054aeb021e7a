"""What several contractions of three factors multiply is multiplied once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtape as tf

SHARED: dict[str, tuple[Any, tuple[tuple[int, ...], ...], int]] = {
    "bilinear forms of a batch": (
        lambda x, a, y: tf.reduce_sum(tf.einsum("bi,bij,bj->b", x, a, y) ** 2),
        ((5, 3), (5, 3, 4), (5, 4)),
        1,
    ),
    "squared distances of Mahalanobis": (
        lambda x, p: tf.reduce_sum(tf.einsum("bi,ij,bj->b", x, p, x) ** 2),
        ((6, 3), (3, 3)),
        2,
    ),
    "a bilinear form": (
        lambda x, a, y: tf.einsum("i,ij,j->", x, a, y) ** 2,
        ((3,), (3, 4), (4,)),
        2,  # one of them is a product of vectors
    ),
}
"""Functions, the shapes of their arguments, and how many products their slopes have."""


def words(source: str) -> int:
    """Count the products with a matrix in code."""
    return sum(source.count(word) for word in (" @ ", "matvec(", "contract(", "vecmat("))


@pytest.mark.parametrize("name", SHARED)
def test_a_product_is_computed_once(name: str, rng: np.random.Generator) -> None:
    """The gradient by the first argument reads what the value does."""
    function, shapes, count = SHARED[name]
    leaves = [tf.Variable(rng.normal(size=shape), name=f"u{k}") for k, shape in enumerate(shapes)]
    with tf.GradientTape() as tape:
        y = function(*leaves)
    gradient = tape.gradient(y, leaves[0])
    compiled = gradient.lambdify([x.name.partition(":")[0] for x in leaves])
    np.testing.assert_allclose(
        compiled(*[x.numpy() for x in leaves]), gradient.numpy(), rtol=1e-12, atol=1e-12
    )
    assert words(compiled.source) == count
    assert "contract(" not in compiled.source


def test_what_would_be_more_work_stays(rng: np.random.Generator) -> None:
    """An outer product that two contractions have in common is larger than what they make of it."""
    shapes = {"u": (50,), "v": (50,), "m": (50, 50), "n": (50, 50)}
    leaves = {k: tf.Variable(rng.normal(size=s), name=k) for k, s in shapes.items()}
    with tf.GradientTape():
        y = tf.einsum("i,ij,j->i", leaves["u"], leaves["m"], leaves["v"]) + tf.einsum(
            "i,ij,j->i", leaves["u"], leaves["n"], leaves["v"]
        )
    compiled = y.lambdify([*shapes])
    values = [leaves[k].numpy() for k in shapes]
    u, v, m, n = values
    np.testing.assert_allclose(compiled(*values), u * (m @ v) + u * (n @ v), rtol=1e-12)


@pytest.mark.parametrize("seed", range(40))
def test_random_contractions_have_numpys_numbers(seed: int) -> None:
    """Three factors, some of which occur again, in contractions with letters in any order."""
    rng = np.random.default_rng(seed)
    sizes = dict(zip("abcd", rng.integers(1, 4, 4), strict=True))
    terms = ["".join(rng.permutation(list("abcd"))[: rng.integers(1, 4)]) for _ in range(4)]
    arrays = [rng.normal(size=[sizes[i] for i in term]) for term in terms]
    leaves = [tf.Variable(x, name=f"u{k}") for k, x in enumerate(arrays)]
    expected: Any = 0.0
    with tf.GradientTape():
        total: Any = 0.0
        for _ in range(4):
            chosen = rng.permutation(4)[:3]
            letters = sorted(set("".join(terms[k] for k in chosen)))
            text = (
                ",".join(terms[k] for k in chosen)
                + "->"
                + "".join(rng.permutation(letters)[: rng.integers(0, len(letters) + 1)])
            )
            total = total + tf.reduce_sum(tf.sin(tf.einsum(text, *[leaves[k] for k in chosen])))
            expected += np.sin(np.einsum(text, *[arrays[k] for k in chosen])).sum()
    compiled = total.lambdify([f"u{k}" for k in range(4)], check=False)
    np.testing.assert_allclose(compiled(*arrays), expected, rtol=1e-11)
