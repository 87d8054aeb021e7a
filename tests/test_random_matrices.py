"""Formulas of random functions of vectors and matrices have the numbers that programs compute."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np
import pytest
import sympy as sp

import symtape as tf
from symtape.calculus.terms.canonical import canonical
from symtape.errors import (
    ExpansionError,
    NoExactFormError,
    NoMatrixFormError,
    SymtapeError,
    UnsupportedError,
)
from symtape.forms.index.entry import LETTERS
from symtape.forms.tex.latex import Style
from symtape.kernels.interpret import QUIET, interpret
from symtape.tensor.readings.any_size import AnySize
from tests.index_numbers import number
from tests.matrix_numbers import assert_form_holds, assert_holds
from tests.random_matrices import RandomDerivative, RandomNested
from tests.sampling import ALL, all_hold, batches

SEEDS = [*range(3000 if ALL else 16)]


def derivatives(
    seeds: Iterable[int], make: Callable[[int], Any] = RandomDerivative
) -> Iterator[tuple[Any, Any]]:
    """Give what is derived, where it has numbers, and what holds the leaves."""
    for seed in seeds:
        with suppress(tf.errors.InvalidArgumentError):  # of a matrix without an inverse
            own = make(seed)
            if own.has_numbers:
                yield own.tensor, own


def assert_matrices_hold(tensor: Any) -> None:
    """What is printed in matrix notation has the value of the program at another point."""
    try:
        tensor.text()
    except (NoMatrixFormError, ExpansionError):
        return
    assert_holds(tensor, np.random.default_rng(1))


def assert_indices_hold(tensor: Any) -> None:
    """An entry in index notation has the value that the program computes."""
    try:
        entry = tensor.index_expr()
    except (ExpansionError, UnsupportedError):
        return
    leaves = {str(symbol): np.asarray(leaf) for symbol, leaf in tensor.leaves.items()}
    found = tensor.numpy()
    indices = [sp.Symbol(c, integer=True) for c in LETTERS if c not in leaves]
    scale = np.abs(found).max(initial=1.0)
    for place in np.ndindex(found.shape):
        at = dict(zip(indices, place, strict=False))
        is_near = abs(float(number(entry, leaves, at)) - found[place]) < 1e-9 * scale
        assert is_near or not is_defined(tensor), place


def is_defined(tensor: Any) -> bool:
    """Say whether what the program computes has digits: rounding can hide a division by zero."""
    try:
        tensor.evalf(20)
    except NoExactFormError:
        return False
    return True


def assert_canonical_holds(tensor: Any) -> None:
    """The canonical form, by which formulas are read and proofs made, has the program's value."""
    formula = tensor.formula
    try:
        made, (position,) = canonical(formula.program, [formula.position], 3000)
    except ExpansionError:
        return
    values, shapes = formula.values(), formula.program.shapes
    own = [values.get(p, np.zeros(shapes[p])) for p in formula.program.inputs()]
    known = dict(zip(made.inputs(), own, strict=True))
    (found,) = QUIET.run(interpret, made, known, [position])
    scale = np.abs(tensor.numpy()).max(initial=1.0)
    np.testing.assert_allclose(found, tensor.numpy(), rtol=1e-8, atol=1e-9 * scale)


def assert_sizes_hold(seed: int, make: Callable[..., Any] = RandomDerivative) -> None:
    """A formula for any size that was read at one has the value that the program has at others."""
    try:
        first, other = make(seed), make(seed, 4, 5)
    except tf.errors.InvalidArgumentError:  # of a matrix without an inverse
        return
    if first.tensor is None or first.tensor.formula.is_scalar:
        return
    if not other.has_numbers:
        return
    values, formula = other.tensor.formula.values(), other.tensor.formula
    try:
        form = AnySize(first.tensor.formula).form(Style(), (), formula._rows)
    except SymtapeError:
        return
    shapes = {formula.names[p]: np.shape(x) for p, x in values.items()}
    shapes |= {name: tuple(leaf.shape) for name, leaf in other.leaves.items()}
    letters: dict[str, int] = {}
    for name, own in first.tensor.sizes.items():
        letters |= dict(zip(own, shapes.get(name, ()), strict=False))  # a matrix of ones has none
    with suppress(NoMatrixFormError):  # code has to say how many ones there are
        assert_form_holds(form, formula.program, formula.position, formula.names, values, letters)


def test_extrema_of_elements_of_matrices_are_written() -> None:
    """SymPy, which compares what stands in them, raises `TypeError` for sums of matrices."""
    for tensor, _ in derivatives([903]):
        assert_indices_hold(tensor)
        assert tensor.index_expr().has(sp.Max)


@pytest.mark.slow
@pytest.mark.parametrize("seeds", batches(SEEDS), ids=lambda s: f"{s[0]} to {s[-1]}")
@pytest.mark.parametrize("make", [RandomDerivative, RandomNested])
@pytest.mark.parametrize(
    "judge", [assert_matrices_hold, assert_indices_hold, assert_canonical_holds]
)
def test_formulas_have_the_numbers_of_programs(judge: Any, make: Any, seeds: list[int]) -> None:
    """In matrix notation, in index notation, and in the canonical form."""

    def hold(seed: int) -> None:
        for tensor, _ in derivatives([seed], make):
            judge(tensor)

    all_hold(hold, seeds)


def test_a_sum_over_an_index_that_a_term_lacks_counts_it() -> None:
    """z stands in each of three columns of which the product takes the sum."""
    rng = np.random.default_rng(0)
    h, a, y, z = (
        tf.constant(rng.uniform(0.3, 1.4, n), tf.float64, name=c)
        for c, n in {"H": (2, 3), "A": (3, 3), "y": 3, "z": 3}.items()
    )
    with tf.GradientTape() as tape:
        tape.watch(y)
        total = -tf.reduce_sum(tf.matmul(h * y, a - z[:, None]))
    found = tape.gradient(total, y)
    assert found.text() == "(Hᵀ 𝟏) ⊙ (3 z - A 𝟏)"
    assert_holds(found, rng)


def test_a_term_off_the_diagonal_is_traced_alone() -> None:
    """Where one term of a sum has no form on the diagonal, the sum is one factor, and once."""
    rng = np.random.default_rng(0)
    a, v, w = (
        tf.constant(rng.uniform(0.3, 1.4, n), tf.float64, name=c)
        for c, n in {"A": (3, 3), "v": 3, "w": 3}.items()
    )
    with tf.GradientTape() as tape:
        tape.watch([a, v, w])
        turned = [tf.linalg.diag(x)[:, ::-1] for x in (v, w)]
        y = tf.linalg.trace(a + turned[0] + turned[1])
    assert str(y.index_expr()) == "v[1] + w[1] + Sum(A[i, i], (i, 0, 2))"
    assert_holds(y, rng)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::symtape.SizeWarning")
@pytest.mark.parametrize("seeds", batches(SEEDS), ids=lambda s: f"{s[0]} to {s[-1]}")
@pytest.mark.parametrize("make", [RandomDerivative, RandomNested])
def test_formulas_for_any_size_hold_at_other_sizes(make: Any, seeds: list[int]) -> None:
    """They were read at one size, and have the numbers of the program at others."""
    all_hold(partial(assert_sizes_hold, make=make), seeds)


def test_most_have_formulas() -> None:
    """What has no matrix form is the smaller part."""
    found = count = 0
    for tensor, _ in derivatives(SEEDS[:96]):
        found += 1
        with suppress(SymtapeError):
            count += bool(tensor.text())
    assert found > 0.6 * len(SEEDS[:96])
    assert count > 0.7 * found


def test_a_column_times_a_row_of_exponentials_is_no_sum():
    """A slope through a maximum with a logarithm of a sum of exponentials has 𝟏 exp(x)ᵀ in it."""
    x = tf.Variable([0.3, -0.5, 0.8], dtype=tf.float64, name="x")
    z = tf.Variable([0.5, 1.2, -0.3], dtype=tf.float64, name="z")
    with tf.GradientTape() as outer:
        with tf.GradientTape() as tape:
            y = tf.maximum(z / tf.sigmoid(x), tf.reduce_logsumexp(x))
        total = tf.reduce_sum(tf.tanh(tape.jacobian(y, x)))
    assert_matrices_hold(outer.gradient(total, x))
