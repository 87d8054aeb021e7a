"""Formulas for any size: which axes are one, and what holds for all of them."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
import pytest

import symtape as tf
from symtape.errors import UnsupportedError
from symtape.forms.latex import Style
from symtape.numeric.interpret import QUIET, interpret
from symtape.program.operations import Input
from symtape.program.sizes import Sizes
from symtape.program.structural import Recurrence
from symtape.tensor.any_size import AnySize
from tests.matrix_numbers import assert_form_holds, point
from tests.programs import random_program
from tests.references import REFERENCES, Leaves, derived
from tests.sampling import ALL, all_hold, batches, some

Q = Leaves(3, 4)
mean, total, matvec = tf.reduce_mean, tf.reduce_sum, tf.linalg.matvec

FORMULAS: dict[str, Any] = {
    "mean squared error": (
        lambda: mean((matvec(Q.M, Q.x) - Q.y) ** 2),
        "2 Mᵀ (M x - y) / m",
        {"M": ("m", "n"), "x": ("n",), "y": ("m",)},
    ),
    "mean": (lambda: mean(Q.x * Q.a), "a / n", {"x": ("n",), "a": ("n",)}),
    "mean of a matrix": (
        lambda: mean(Q.M * Q.x),
        "Mᵀ 𝟏 / (m n)",
        {"M": ("m", "n"), "x": ("n",)},
    ),
    "centered": (lambda: total((Q.x - mean(Q.x)) ** 2), "2 (x - (𝟏ᵀ x) 𝟏 / n)", {"x": ("n",)}),
    "columns": (
        lambda: total((Q.M @ Q.x[:, None] - Q.y[:, None]) ** 2),
        "2 Mᵀ (M x - y)",
        {"M": ("m", "n"), "x": ("n",), "y": ("m",)},
    ),
    "inverse": (
        lambda: tf.tensordot(Q.a, matvec(tf.linalg.inv(Q.A), Q.x), 1),
        "A⁻ᵀ a",
        {"A": ("n", "n"), "a": ("n",)},
    ),
    "softmax": (
        lambda: tf.tensordot(tf.nn.softmax(matvec(Q.M, Q.x)), Q.y, 1),
        None,
        {"M": ("m", "n"), "x": ("n",), "y": ("m",)},
    ),
    "two of one size": (lambda: total(Q.x * Q.a * Q.b), "b ⊙ a", {"b": ("n",), "a": ("n",)}),
    "largest": (lambda: total(tf.reduce_max(Q.x) * Q.y), None, {"y": ("m",), "x": ("n",)}),
}


def gradient(f: Any) -> Any:
    """Derive by x."""
    with tf.GradientTape() as tape:
        y = f()
    return tape.gradient(y, Q.x)


@pytest.mark.parametrize("name", FORMULAS)
def test_sizes_are_letters(name: str) -> None:
    """Axes that must agree have one letter, and what counts elements is written by it."""
    f, text, sizes = FORMULAS[name]
    found = gradient(f)
    assert found.sizes == sizes
    if text is not None:
        assert found.text(sizes="symbolic") == text


def test_rectangles_are_not_taken_for_squares() -> None:
    """What is true of square matrices alone is not written for any size."""
    with tf.GradientTape() as tape:
        y = tf.linalg.logdet(Q.A @ tf.transpose(Q.A))
    found = tape.gradient(y, Q.A)
    assert found.text() == "2 A⁻ᵀ"
    assert found.text(sizes="symbolic") == "2 (A Aᵀ)⁻¹ A"
    assert found.sizes == {"A": ("m", "n")}


def test_latex_has_letters() -> None:
    """LaTeX is of the same formula, with left sides and environments."""
    found = gradient(FORMULAS["mean squared error"][0])
    text = r"\frac{2}{m} M^\top \left(M x - y\right)"
    assert found.latex(sizes="symbolic") == text
    equation = found.latex(sizes="symbolic", environment="equation", lhs="L")
    assert equation.splitlines()[1] == rf"\nabla_{{x}} L = {text}"


REFUSED = {
    "a slice": (lambda: total(Q.x[1:] * Q.x[:-1]), "axis 0 of x is 3 long, since slice has it"),
    "an element": (lambda: Q.x[0] * total(Q.x), "axis 0 of x is 3 long"),
    "what is joined": (lambda: total(tf.concat([Q.x, Q.a], 0) ** 2), "since concat has it"),
    "what is taken apart": (lambda: total(tf.reshape(Q.M, [-1]) ** 2) * Q.x[0], "since"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_known_is_refused_by_axis(name: str) -> None:
    """An axis whose size the program tells is named, with the reason."""
    f, why = REFUSED[name]
    with pytest.raises(tf.NoMatrixFormError, match=why):
        gradient(f).text(sizes="symbolic")


def test_options() -> None:
    """Options that there are not, or that exclude each other, are refused."""
    found = gradient(FORMULAS["mean"][0])
    with pytest.raises(
        ValueError, match="unknown sizes 'any': it is one of 'recorded', 'symbolic'"
    ):
        found.text(sizes="any")
    with pytest.raises(ValueError, match="without named parts"):
        found.text(sizes="symbolic", parts="auto")
    with pytest.raises(ValueError, match="is for the form 'matrix'"):
        found.latex("index", sizes="symbolic")


@pytest.mark.parametrize("names", batches(some([*REFERENCES], 4), 8), ids=lambda names: names[0])
def test_references_hold_for_any_size(names: list[str]) -> None:
    """Recorded at two sizes, a formula for any size is one, and has the value of the program."""

    def judge(name: str) -> None:
        reference = REFERENCES[name]
        rng = np.random.default_rng(len(name))
        texts = []
        for n, m in ((3, 2), (4, 3)) if reference.is_of_any_size else ((3, 2),):
            leaves = Leaves(n, m, reference.symmetric)
            tensor = derived(reference, leaves)
            try:
                texts.append(tensor.text(sizes="symbolic", symmetric=[*reference.symmetric]))
            except tf.NoMatrixFormError as error:
                texts.append(str(error).partition(" is ")[0])
                continue
            if n == 3 and not reference.symmetric:
                assert_any_size_holds(tensor, rng)
        assert len(set(texts)) == 1, texts

    all_hold(judge, names)


def assert_any_size_holds(tensor: Any, rng: Any) -> None:
    """Assert that a formula for any size has the value of the program at the recorded ones."""
    formula = tensor.formula
    sized = AnySize(formula)
    form = sized.form(Style(), (), formula._rows)
    values = point(formula, rng)
    letters = {letter: sized.found.number(root) for root, letter in sized.letters.items()}
    assert_form_holds(form, formula.program, formula.position, formula.names, values, letters)


@pytest.mark.parametrize(
    "seeds", batches(range(10_000 if ALL else 300), 100), ids=lambda s: str(s[0])
)
def test_no_axes_are_one_that_need_not_be(seeds: list[int]) -> None:
    """NumPy computes a program at other sizes, and fails where one of the merged axes differs."""

    def judge(seed: int) -> None:
        program, last, _, values = random_program(seed, 4, (2, 3))
        kinds = {type(program.steps[p][0]) for p in program.ancestors([last])}
        is_whole = any(v.dtype.kind in "iu" for v in values.values())  # places of a fixed number
        if is_whole or Recurrence in kinds:  # a recurrence reads as many places as the first has
            return
        with contextlib.suppress(UnsupportedError):
            assert_merges(program, last, values, np.random.default_rng(seed))

    all_hold(judge, seeds)


def assert_merges(program: Any, last: int, values: dict[int, Any], rng: Any) -> None:
    """Assert that free sizes can be other numbers, each at once on all axes that have it."""
    sizes = Sizes(program, last)
    free = sizes.free()
    numbers = {root: 4 + k for k, root in enumerate(free)}
    made, position, leaves, _ = sizes.at(numbers)
    given = {
        leaves[p]: rng.uniform(0.3, 1.3, made.shapes[leaves[p]]) for p in leaves if p in values
    }
    (found,) = QUIET.run(interpret, made, given, [position])
    assert np.shape(found) == made.shapes[position]
    inputs = [p for p in leaves if type(program.steps[p][0]) is Input]
    for root in free:
        own = [(p, k) for p in inputs for k, size in enumerate(sizes.sizes(p)) if size == root]
        if len(own) < 2:
            continue
        for p, k in own:
            shape = list(np.shape(given[leaves[p]]))
            shape[k] += 1
            changed = {**given, leaves[p]: rng.uniform(0.3, 1.3, shape)}
            with pytest.raises((ValueError, IndexError, np.linalg.LinAlgError)):
                QUIET.run(interpret, made, changed, [position])
