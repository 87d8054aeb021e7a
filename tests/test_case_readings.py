"""Every operation read another way: the formula to 25 digits against the number."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
import sympy as sp

import symtape as tf
from tests.cases import CASES, Case
from tests.compiled import arguments, derived, is_smooth, recorded
from tests.sampling import some


def numbers(found: Any) -> Any:
    """Turn SymPy numbers into an array of complex numbers."""
    if not isinstance(found, sp.NDimArray):
        return np.array(complex(found))
    flat = [complex(v) for v in sp.flatten(found.tolist())]
    return np.array(flat).reshape(found.shape)


def is_regular(tensor: Any) -> bool:
    """Say whether a tensor is finite, not empty and of the precision of the inputs."""
    value = np.asarray(tensor.numpy())
    return (
        value.dtype in (np.float64, np.complex128)
        and value.size > 0
        and bool(np.all(np.isfinite(value)))
    )


def agree(tensor: Any, what: str) -> None:
    """Assert that a number and its formula, computed to 25 digits, are the same."""
    expected = tensor.numpy()
    scale = np.max(np.abs(expected), initial=1)
    np.testing.assert_allclose(
        numbers(tensor.evalf(25)), expected, rtol=1e-12, atol=1e-13 * scale, err_msg=what
    )


# The slope of x**y in y is x**y log(x), but 0 where x is not positive, as in TensorFlow. What comes
# next to a number is a matter of floats.
CONVENTIONS = {"pow at its edges", "math.nextafter"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "case",
    some([c for c in CASES if c.inputs and c.name not in CONVENTIONS], 24, 1),
    ids=lambda c: c.name,
)
def test_formula_to_many_digits_is_the_number(case: Case) -> None:
    """The results and gradients of an operation are what their formulas give at the same point."""
    run = recorded(case)
    for k, y in enumerate(run.smooth):
        if is_regular(y):
            agree(y, f"result {k}")
    for k, g in enumerate(run.gradients):
        if g is not None and is_regular(g):
            agree(g, f"gradient {k}")


@pytest.mark.parametrize(
    "case",
    some([c for c in CASES if c.inputs and c.order], 24, 1),
    ids=lambda c: c.name,
)
def test_rows_of_the_jacobian_are_gradients(case: Case) -> None:
    """The Jacobian, derived in one go, has the gradient of each element of the result as a row."""
    xs, tape, ys, _, _ = recorded(case)
    for y in [y for y in ys if y.dtype.is_floating]:
        for x, whole in zip(xs, tape.jacobian(y, xs), strict=True):
            if whole is None:
                assert tape.gradient(y, x) is None
                continue
            assert whole.shape == y.shape + x.shape
            for place in np.ndindex(*y.shape):
                seed = np.zeros(y.shape, y.numpy().dtype)
                seed[place] = 1
                row = tape.gradient(y, x, output_gradients=tf.constant(seed))
                if is_regular(row):
                    np.testing.assert_allclose(
                        whole.numpy()[place], row.numpy(), rtol=1e-12, atol=1e-12
                    )


@pytest.mark.parametrize("case", [c for c in CASES if c.inputs and c.order], ids=lambda c: c.name)
def test_compiled_gradient_gives_the_number(case: Case) -> None:
    """`lambdify` of a result or gradient, called at the recorded point, gives its number."""
    results, _held = derived(case)
    for found in results:
        compiled = found.lambdify()
        given = arguments(found, compiled)
        np.testing.assert_allclose(compiled(*given), found.numpy(), rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize(
    "case",
    some([c for c in CASES if c.inputs and c.order and c.name != "stack of a tensor"], 16),
    ids=lambda c: c.name,
)
def test_variables_are_taken_like_tensors(case: Case) -> None:
    """An operation reads variables, watched by themselves, and gives the same gradient."""
    arrays = case.arrays("float64")
    found = []
    for make in (tf.constant, tf.Variable):
        xs = [make(a) for a in arrays]
        with tf.GradientTape() as tape:
            if make is tf.constant:
                tape.watch(xs)
            ys = tf.nest.flatten(case.run(tf, *xs))
        smooth = list(filter(is_smooth, ys))
        found.append(tape.gradient(smooth, xs) if smooth else [])
    for a, b in zip(*found, strict=True):
        assert (a is None) == (b is None)
        if a is not None:  # LAPACK's last digit may be that of where in memory a matrix lies
            np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-13, atol=1e-14)


def results(case: Case) -> list[Any]:
    """Give what a case computes in its widest dtype, and the gradients of that."""
    run = recorded(case, case.dtypes[-1])
    return [*run.ys, *[g for g in run.gradients if g is not None]]


COMMANDS = frozenset(
    """
    Gamma Phi Pi arg arccos arcsin arctan begin bmod cdot cos cosh dagger delta det dots end exp
    frac gamma ge geq infty lVert lambda land lceil le left leq lfloor lnot log lor lvert mathbf
    mathrm max middle min ne neg neq odot operatorname oslash overline phantom pi prod psi quad
    rVert rceil rfloor right rvert sigma sin sinh sqrt sum tan tanh text tilde times top varphi
    vee veebar wedge zeta
    """.split()
)
"""What LaTeX has with the packages of the American Mathematical Society, of what is written."""


@pytest.mark.parametrize("case", some([c for c in CASES if c.inputs], 80, 2), ids=lambda c: c.name)
def test_latex_has_commands_of_latex_alone(case: Case) -> None:
    """No name of a function here is a command: each form compiles with a stock LaTeX."""
    for tensor in results(case):
        for form in ("auto", "steps"):
            try:
                text = tensor.latex(form)
            except tf.SymtapeError:  # what is refused, other tests tell
                continue
            of_lines = text.replace(r"\\", " ")
            assert {*re.findall(r"\\([A-Za-z]+)", of_lines)} <= COMMANDS
