"""Contractions of several operands give what NumPy's einsum gives, in few calls."""

from __future__ import annotations

import random
import sys

import numpy as np
import pytest

import symtape as tf
from symtape.kernels.products import contract
from symtape.program.contractions import pairs


def drawn(seed: int) -> tuple[str, list[np.ndarray]]:
    """Draw subscripts of three to six operands, and arrays of integers for them."""
    choose, rng = random.Random(seed), np.random.default_rng(seed)
    letters = "abcdefg"[: choose.randint(2, 7)]
    terms = ["".join(choose.sample(letters, choose.randint(0, min(4, len(letters)))))
             for _ in range(choose.randint(3, 6))]  # fmt: skip
    every = sorted(set("".join(terms)))
    alone = [i for i in every if sum(i in term for term in terms) == 1]
    output = [i for i in every if i in alone or choose.random() < 0.4]
    choose.shuffle(output)
    sizes = {i: choose.randint(0 if seed % 9 == 0 else 1, 4) for i in letters}
    arrays = [rng.integers(-3, 4, [sizes[i] for i in term]) for term in terms]
    return f"{','.join(terms)}->{''.join(output)}", arrays


@pytest.mark.parametrize("first", range(0, 400, 50))
def test_products_of_several_operands_are_those_of_numpy(first: int) -> None:
    """Whatever indices are shared, summed over, or of no elements."""
    for seed in range(first, first + 50):
        text, arrays = drawn(seed)
        found, wanted = contract(text, *arrays), np.einsum(text, *arrays)
        np.testing.assert_array_equal(found, wanted, strict=True, err_msg=text)


def test_the_order_does_not_depend_on_how_large_an_array_can_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without opt_einsum NumPy is asked, which has no arrays of a million rows in each axis."""
    monkeypatch.setitem(sys.modules, "opt_einsum", None)
    terms, output = [(0, 1, 2, 3), (2, 3, 4), (4, 5), (5,)], (0, 1)
    small = {0: 2, 1: 3, 2: 4, 3: 5, 4: 6, 5: 7}
    large = {i: 1_000_003 * n for i, n in small.items()}
    assert pairs(terms, output, large) == pairs(terms, output, small) == ((2, 3), (1, 2), (0, 1))


def test_the_order_is_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A contraction that is computed again does not ask NumPy for its order."""
    a, b, c = (np.random.default_rng(k).normal(size=(2, 3, 3)) for k in range(3))
    slope = tf.grad(lambda a, b, c: np.sum(np.einsum("bij,bjk,bki->b", a, b, c) ** 2))
    expected = slope(a, b, c)
    monkeypatch.setattr(np, "einsum_path", None)
    np.testing.assert_array_equal(slope(a, b, c), expected)
