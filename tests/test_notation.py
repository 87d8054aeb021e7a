"""Formulas from text: what they mean, what their derivatives are, and what is refused."""

from __future__ import annotations

import cProfile
import itertools
import json
import math
import pickle
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
import pytest
import scipy.special
from hypothesis import given, settings
from hypothesis import strategies as st

import symtape as tf
from symtape.cli import main
from symtape.notation.evaluation import choices
from symtape.notation.grammars import LONGEST, MOST_NODES
from tests.sampling import ALL, some

SIZES = {"m": 3, "n": 2, "p": 4, "q": 5, "r": 2, "s": 3}


class Example(NamedTuple):
    """A text in the notation of matrixcalculus.org, its derivative, and what it is in NumPy."""

    text: str
    wrt: str
    formula: str
    numpy: Callable[..., Any]


def norm(x: Any) -> Any:
    """Give the length of all entries."""
    return np.sqrt(np.sum(x * x))


# The documented examples of matrixcalculus.org, then each of its operators.
MATRIX = [
    Example("0.5*x'*A*x", "x", "(A + Aᵀ) x / 2", lambda x, A: 0.5 * x @ A @ x),
    Example("A*exp(x)", "x", "A diag(exp(x))", lambda A, x: A @ np.exp(x)),
    Example("(y.*v)'*x", "x", "y ⊙ v", lambda y, v, x: (y * v) @ x),
    Example("a^b", "a", "b a^(b - 1)", lambda a, b: a**b),
    Example("pi*r^2", "r", "2 π r", lambda r: np.pi * r**2),
    Example("sum(pi.*log(pi))", "pi", "𝟏 + log(pi)", lambda pi: np.sum(pi * np.log(pi))),
    Example("pi'*A*x", "x", "Aᵀ pi", lambda pi, A, x: pi @ A @ x),
    Example("norm1(A*x-y)", "x", "Aᵀ sign(A x - y)", lambda A, x, y: np.abs(A @ x - y).sum()),
    Example("norm2(A*x-y)^2", "x", "2 Aᵀ (A x - y)", lambda A, x, y: norm(A @ x - y) ** 2),
    Example(
        "sum(log(exp(-y.*(X*w)) + vector(1)))",
        "w",
        "-Xᵀ (y ⊙ σ(-y ⊙ (X w)))",
        lambda y, X, w: np.log(np.exp(-y * (X @ w)) + 1).sum(),
    ),
    Example(
        "tr(A*X'*B*X*C)",
        "X",
        "Bᵀ X Aᵀ Cᵀ + B X C A",
        lambda A, X, B, C: np.trace(A @ X.T @ B @ X @ C),
    ),
    Example("log(det(inv(X)))", "X", "-X⁻ᵀ", lambda X: -np.log(np.linalg.det(X))),
    Example("sin(x)'*y", "x", "y ⊙ cos(x)", lambda x, y: np.sin(x) @ y),
    Example("sum(cos(x))", "x", "-sin(x)", lambda x: np.cos(x).sum()),
    Example("sum(abs(x))", "x", "sign(x)", lambda x: np.abs(x).sum()),
    Example("x'*sign(y)", "x", "sign(y)", lambda x, y: x @ np.sign(y)),
    Example("sum(x./y)", "y", "-x ⊘ y^⊙2", lambda x, y: (x / y).sum()),
    Example("sum(x.^3)", "x", "3 x^⊙2", lambda x: (x**3).sum()),
    Example("sum(x.^y)", "x", "y ⊙ x^⊙(y - 𝟏)", lambda x, y: (x**y).sum()),
    Example("x'*x/a", "a", "-‖x‖²/a²", lambda x, a: x @ x / a),
    Example("a*x - x/b", "x", "(a - 1/b) I", lambda a, x, b: a * x - x / b),
    Example("norm1(X)", "X", "sign(X)", lambda X: np.abs(X).sum()),
    Example("norm2(X)", "X", "X / ‖X‖_F", norm),
    Example("det(X)", "X", "det(X) X⁻ᵀ", np.linalg.det),
    Example("logdet(X)", "X", "X⁻ᵀ", lambda X: np.log(np.linalg.det(X))),
    Example("inv(X)", "X", "-X⁻ᵀ ⊗ X⁻¹", np.linalg.inv),
    Example("adj(X)*x", "x", "det(X) X⁻¹", lambda X, x: np.linalg.det(X) * np.linalg.inv(X) @ x),
    Example("X^2*x", "x", "X²", lambda X, x: X @ X @ x),
    Example("x'*X^-1*x", "x", "(X⁻¹ + X⁻ᵀ) x", lambda x, X: x @ np.linalg.inv(X) @ x),
    Example("A*matrix(2)*y", "y", "2 A 𝟏 𝟏ᵀ", lambda A, y: 2 * A.sum(1) * y.sum()),
    Example("diag(x)*y", "x", "diag(y)", lambda x, y: x * y),
    Example("x*y'*h", "h", "x yᵀ", lambda x, y, h: x * (y @ h)),
    Example("tr(x*y')", "x", "y", lambda x, y: x @ y),
    Example("mean(x)", "x", "𝟏 / n", np.mean),
    Example("(A*x)'", "x", "A", lambda A, x: A @ x),
    Example("-x'*x + +a", "x", "-2 x", lambda x, a: a - x @ x),
    Example("x.^2'*y", "x", "2 (y ⊙ x)", lambda x, y: x**2 @ y),
    Example("2.*x'*y", "y", "2 x", lambda x, y: 2 * x @ y),
    Example("softmax(x)'*y", "y", "softmax(x)", lambda x, y: np.exp(x) @ y / np.exp(x).sum()),
    Example("range(5)'*x", "x", "range(5)", lambda x: np.arange(5) @ x),
    Example(
        "sum(x.*exp(-t*range(6)/5))",
        "t",
        "-xᵀ (range(6) ⊙ exp(-t range(6) / 5)) / 5",
        lambda x, t: np.sum(x * np.exp(-t * np.arange(6) / 5)),
    ),
    Example("v'*x", "x", "v", lambda v, x: v @ x),
    Example("A*x", "x", "A", lambda A, x: A @ x),
    Example("tr(A*X)", "X", "Aᵀ", lambda A, X: np.trace(A @ X)),
    Example("tan(x)'*y", "x", "y ⊘ cos(x)^⊙2", lambda x, y: np.tan(x) @ y),
    Example(
        "arcsin(tanh(x))'*y", "x", "y ⊙ √(𝟏 - tanh(x)^⊙2)", lambda x, y: np.arcsin(np.tanh(x)) @ y
    ),
    Example("y'*arccos(x/3)", "y", "acos(x / 3)", lambda y, x: y @ np.arccos(x / 3)),
    Example("arctan(x)'*y", "x", "y ⊘ (𝟏 + x^⊙2)", lambda x, y: np.arctan(x) @ y),
    Example("tanh(x)'*y", "x", "y ⊙ (𝟏 - tanh(x)^⊙2)", lambda x, y: np.tanh(x) @ y),
    Example("relu(x - y)'*y", "x", "y ⊙ [y < x]", lambda x, y: np.maximum(x - y, 0) @ y),
    Example("norm2((A - eye)*x)^2", "x", "2 (I - A)ᵀ (I - A) x", lambda A, x: norm(A @ x - x) ** 2),
    Example("x'*eye*x", "x", "2 x", lambda x: x @ x),
    Example("tr(X + c*eye)", "X", "I", lambda X, c: np.trace(X) + c * len(X)),
]


def values(shapes: dict[str, tuple[Any, ...]]) -> dict[str, Any]:
    """Draw values; square matrices have an inverse with a positive determinant."""
    rng = np.random.default_rng(7)
    found = {}
    for name, shape in shapes.items():
        own = tuple(eval(str(n), {}, SIZES) for n in shape)  # noqa: S307 - as "n - 1"
        found[name] = rng.uniform(0.5, 1.5, own)
        if len(own) == 2 and own[0] == own[1]:
            found[name] += 2 * np.eye(own[0])
    return found


def slope(f: Callable[[Any], Any], x: Any) -> Any:
    """Compute a derivative by differences of fourth order."""
    x = np.asarray(x, float)
    h = 1e-3
    columns = []
    for place in np.ndindex(x.shape):
        step = np.zeros_like(x)
        step[place] = h
        near, far = (np.asarray(f(x + k * step)) - f(x - k * step) for k in (1, 2))
        columns.append((8 * near - far) / (12 * h))
    return np.stack(columns, -1).reshape(np.shape(f(x)) + x.shape)


def assert_true(text: str, wrt: str, notation: str | None, f: Callable[..., Any]) -> Any:
    """Assert that a derivative is what differences of an independent function are."""
    shapes = tf.differentiate(text, wrt, notation=notation).shapes
    at = values(shapes)
    found = tf.differentiate(text, wrt, notation=notation, at=at)
    expected = slope(lambda x: f(**{**at, wrt: x}), at[wrt])
    np.testing.assert_allclose(found.value, expected, rtol=1e-7, atol=1e-8)
    return found


@pytest.mark.parametrize("example", MATRIX, ids=lambda e: e.text)
def test_the_notation_of_matrixcalculus(example: Example) -> None:
    """Documented examples and operators mean what they mean there, for any size."""
    text, wrt, formula, f = example
    names = list(tf.differentiate(text, wrt, notation="matrix").shapes)
    plain = (lambda **v: f(*[v[n] for n in names])) if f in (norm, np.mean) else None
    arguments = f.__code__.co_varnames if hasattr(f, "__code__") else ()
    by_name = set(arguments) >= set(names)
    called = (lambda **v: f(**v)) if by_name else plain or (lambda **v: f(*[v[n] for n in names]))
    found = assert_true(text, wrt, "matrix", called)
    assert found.text() == formula
    assert found.sizes == {}


PYTHON = {
    "np.sum((A @ x - b)**2)": ("x", "2 Aᵀ (A x - b)"),
    "np.mean((X @ w - y)**2)": ("w", "2 Xᵀ (X w - y) / m"),
    "x @ A @ x": ("x", "(A + Aᵀ) x"),
    "x.T @ A.T @ x": ("x", "(A + Aᵀ) x"),
    "np.exp(-x**2 / 2).sum()": ("x", "-x ⊙ exp(-x^⊙2 / 2)"),
    "np.linalg.inv(A) @ x": ("x", "A⁻¹"),
    "np.linalg.det(A)": ("A", "det(A) A⁻ᵀ"),
    "np.trace(A @ B)": ("A", "Bᵀ"),
    "np.outer(x, y) @ y": ("x", "‖y‖² I"),
    "np.sum(A, axis=0) @ x": ("x", "Aᵀ 𝟏"),
    "np.mean(A, axis=1).dot(x)": ("x", "A 𝟏 / n"),
    "np.sum(A * B)": ("A", "B"),
    "np.linalg.norm(x)": ("x", "x / ‖x‖"),
    "np.sqrt(np.sum(x**2))": ("x", "x / ‖x‖"),
    "x[0]**2": ("x", "2 x[0] I[0]ᵀ"),
    "np.sum(A[1] * A[:, 0])": ("A", None),
    "2**-a": ("a", None),
    "-a**2": ("a", "-2 a"),
    "a**b**2": ("a", None),
    "np.pi * a**2": ("a", "2 π a"),
    "np.maximum(x, y) @ x": ("x", None),
    "np.diag(x) @ y": ("x", "diag(y)"),
    "np.diag(A) @ x": ("x", "diag(A)"),
    "x - np.mean(x)": ("x", "I - 𝟏 𝟏ᵀ / n"),
    "np.prod(x)": ("x", None),
    "np.tanh(A @ x + b) @ y": ("b", None),
    "np.arctan(a)": ("a", "1 / (1 + a²)"),
    "A - np.mean(A, axis=0, keepdims=True)": ("A", None),
    "np.sum(np.exp(A), axis=(0, 1))": ("A", "exp(A)"),
    "np.max(x) * a": ("a", None),
    "(A * B).sum()": ("A", "B"),
    "np.sum(x * (A @ y) > 1)": ("x", "0"),
    "((x > 1) * x**2).sum()": ("x", "2 (x ⊙ [x > 1])"),
    "np.where(x > 1, x, 0.1 * x).sum()": ("x", "[x > 1] + 0.1 [x ≤ 1]"),
    "np.where(x <= y, x**2, 2 * y) @ y": ("x", None),
    "np.linalg.slogdet(A)[1]": ("A", "A⁻ᵀ"),
    "np.linalg.slogdet(A.T @ A).logabsdet": ("A", None),
    "np.linalg.solve(A, x) @ y": ("A", "-A⁻ᵀ y xᵀ A⁻ᵀ"),
    "np.linalg.solve(A, B)": ("B", None),
    "np.linalg.matrix_power(A, 3) @ x": ("x", "A³"),
    "np.linalg.matrix_power(A, -2) @ x": ("x", "A⁻²"),
    "np.einsum('ij,j->i', A, x).sum()": ("A", "𝟏 xᵀ"),
    "np.einsum('ij, kj -> ik', A, B) @ x": ("x", "A Bᵀ"),
    "np.einsum('ii->', A)": ("A", "I"),
    "np.linalg.norm(x, 1)": ("x", "sign(x)"),
    "np.linalg.norm(x - y, np.inf)": ("x", None),
    "np.linalg.norm(A, ord=np.inf, axis=1) @ x": ("A", None),
    "np.linalg.norm(A, ord='fro')": ("A", "A / ‖A‖_F"),
    "np.linalg.norm(A, 'nuc')": ("A", "U(A) V(A)ᵀ"),
    "np.linalg.norm(A, 2)": ("A", None),
    "np.linalg.norm(A, axis=1).sum()": ("A", "diag(𝟏 ⊘ √(A^⊙2 𝟏)) A"),
    "(A / np.linalg.norm(A, axis=0, keepdims=True)) @ x": ("x", None),
    "np.linalg.norm(A, 1, axis=0) @ x": ("A", None),
    "np.sum((x[1:] - x[:-1])**2)": ("x", "2 (I[1:n] - I[0:n - 1])ᵀ (x[1:n] - x[0:n - 1])"),
    "x[1:] @ y": ("x", "I[1:n]ᵀ y"),
    "x[1:-1].sum() + x[:2] @ x[-2:]": ("x", None),
    "np.mean(x[1:] - x[:-1])": ("x", "(I[1:n] - I[0:n - 1])ᵀ 𝟏 / (n - 1)"),
    "np.sum((x[1:] - a * x[:-1])**2) / (len(x) - 1)": ("a", None),
    "np.abs(A[1:] - A[:-1]).sum() + np.abs(A[:, 1:] - A[:, :-1]).sum()": ("A", None),
    "A[1:, 0] @ x + A[0, -1]": ("A", None),
    "np.sum((x - np.mean(x))**2)": ("x", "2 (x - (𝟏ᵀ x) 𝟏 / n)"),
    "np.sum((A - np.mean(A, axis=0))**2)": ("A", "2 (I - 𝟏 𝟏ᵀ / m) A"),
    "np.cumsum(x) @ y": ("x", "triu(𝟏 𝟏ᵀ) y"),
    "np.cumsum(A, axis=1).sum()": ("A", None),
    "np.var(x)": ("x", "2 (x - (𝟏ᵀ x) 𝟏 / n) / n"),
    "A.std()": ("A", None),
    "np.var(A, axis=0) @ x": ("A", None),
    "x.std() * a": ("x", None),
    "np.sum((A @ x - b)**2) / len(b)": ("x", "2 Aᵀ (A x - b) / m"),
    "np.sum(A @ x) / A.shape[1]": ("x", "Aᵀ 𝟏 / n"),
    "np.sum((A @ x)**2) / (A @ x).size": ("x", "2 Aᵀ A x / m"),
    "np.sum((A - B)**2) / A.size": ("A", "2 (A - B) / (m n)"),
    "np.clip(x, 0.6, 1.4) @ y": ("x", None),
    "x.clip(0.6, 1.4).sum()": ("x", None),
    "np.log2(x) @ y": ("x", None),
    "np.log10(x).sum() + np.exp2(x).sum()": ("x", None),
    "np.logaddexp(x, y).sum()": ("x", "σ(x - y)"),
    "np.hypot(x, y).sum()": ("x", "x ⊘ √(x^⊙2 + y^⊙2)"),
    "np.arctan2(x, y).sum()": ("x", None),
    "np.tril(A) @ x": ("x", "tril(A)"),
    "np.triu(A) @ x": ("x", "triu(A)"),
    "np.vdot(x, y) + np.inner(x, x)": ("x", "2 x + y"),
    "np.exp(-(x[:, None] - y[None, :])**2).sum()": ("x", None),
    "np.sum(x[:, np.newaxis] * A)": ("x", "A 𝟏"),
    "scipy.special.xlogy(x, y).sum()": ("y", None),
    "scipy.special.ndtr(x) @ y": ("x", "y ⊙ φ(x)"),
    "scipy.special.softmax(A, axis=1) @ x": ("x", "softmax(A)"),
    "scipy.special.log_softmax(x) @ y": ("x", "y - (𝟏ᵀ y) softmax(x)"),
    "scipy.special.gammaln(x).sum()": ("x", "ψ(x)"),
    "np.arange(5) @ x": ("x", "range(5)"),
    "np.sum(x * k ** np.arange(len(x)))": ("x", None),
    "np.arange(A.shape[0]) @ A @ x": ("x", "Aᵀ range(m)"),
    "scipy.linalg.expm(A) @ x": ("x", "expm(A)"),
    "np.trace(scipy.linalg.expm(A))": ("A", "expm(Aᵀ)"),
    "np.einsum('i,ij,j', x, A, y)": ("x", "A y"),
    "np.einsum('ji', A) @ x": ("x", "Aᵀ"),
    "np.sum(np.diff(x)**2)": ("x", "2 (I[1:n] - I[0:n - 1])ᵀ (x[1:n] - x[0:n - 1])"),
}


@pytest.mark.parametrize("text", PYTHON)
def test_the_notation_of_python(text: str) -> None:
    """A text means what NumPy computes."""
    wrt, formula = PYTHON[text]
    code = compile(text, text, "eval")
    room = {"np": np, "scipy": scipy}
    found = assert_true(text, wrt, "python", lambda **v: eval(code, room, v))  # noqa: S307
    if formula is not None:
        assert found.text() == formula


ERF = np.vectorize(math.erf)
ENTRYWISE_OF: dict[str, Callable[[Any], Any]] = {
    **{w: getattr(np, w) for w in "abs cos cosh exp expm1 log log1p sign sin sinh sqrt".split()},
    **{w: getattr(np, w) for w in "square tan tanh reciprocal arctan arcsinh arccos".split()},
    **{w: getattr(np, f"arc{w[1:]}") for w in "acos asin asinh atan atanh".split()},
    "acosh": np.arccosh, "arccosh": np.arccosh, "absolute": np.abs,
    "digamma": scipy.special.digamma, "lgamma": scipy.special.gammaln,
    "erf": ERF, "erfc": lambda x: 1 - ERF(x), "rsqrt": lambda x: x**-0.5,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)), "expit": lambda x: 1 / (1 + np.exp(-x)),
    "softplus": lambda x: np.log1p(np.exp(x)), "softsign": lambda x: x / (1 + np.abs(x)),
    "elu": lambda x: np.where(x > 0, x, np.expm1(x)), "relu": lambda x: np.maximum(x, 0),
    "gelu": lambda x: x * (1 + ERF(x / np.sqrt(2))) / 2, "silu": lambda x: x / (1 + np.exp(-x)),
    "swish": lambda x: x / (1 + np.exp(-x)), "ln": np.log,
    "sec": lambda x: 1 / np.cos(x), "csc": lambda x: 1 / np.sin(x), "cot": lambda x: 1 / np.tan(x),
    "sech": lambda x: 1 / np.cosh(x), "csch": lambda x: 1 / np.sinh(x),
    "coth": lambda x: 1 / np.tanh(x), "normal_cdf": scipy.special.ndtr,
    **{w: getattr(scipy.special, w) for w in "erfcx erfi erfcinv log_ndtr exprel exp1".split()},
    **{w: getattr(scipy.special, w) for w in "expi spence dawsn entr cbrt gamma loggamma".split()},
    **{w: getattr(scipy.special, w) for w in "i0e i1e j0 j1 k0 k1 k0e k1e y0 y1".split()},
    **{w: getattr(scipy.special, w) for w in "ellipk ellipe ellipkm1 wrightomega".split()},
}  # fmt: skip
"""What each function of entries is, by NumPy and SciPy."""


def at_values(text: str, notation: str | None, **values: Any) -> Any:
    """Give the value of a function, by its derivative with a factor that is a number."""
    written = tf.differentiate(f"c*({text})", "c", notation=notation, at={"c": 2.0, **values})
    return written.value


@pytest.mark.parametrize("word", ENTRYWISE_OF)
def test_functions_of_entries_are_those_of_numpy(word: str) -> None:
    """By the same name in both notations, wherever the function is defined."""
    x = np.array([1.25, 1.75]) if "cosh" in word and word[0] == "a" else np.array([0.25, 0.75])
    for notation in ("matrix", "python"):
        found = at_values(f"sum({word}(x))", notation, x=x)
        np.testing.assert_allclose(found, np.sum(ENTRYWISE_OF[word](x)), rtol=1e-12)


PAIRS_OF_SCIPY = (
    "beta betaln binom poch gammainc gammaincc rel_entr kl_div huber pseudo_huber boxcox boxcox1p "
    "inv_boxcox inv_boxcox1p"
)


@pytest.mark.parametrize("word", PAIRS_OF_SCIPY.split())
def test_functions_of_pairs_are_those_of_scipy(word: str) -> None:
    """By the same name in Python's notation."""
    x, y = np.array([0.25, 0.75]), np.array([1.5, 0.5])
    found = at_values(f"sum({word}(x, y))", "python", x=x, y=y)
    np.testing.assert_allclose(found, np.sum(getattr(scipy.special, word)(x, y)), rtol=1e-12)


SQUARE = np.array([[2.0, 0.5], [0.25, 3.0]])
MEANINGS: dict[str, Callable[..., Any]] = {
    "np.dot(c, x) @ y": lambda x, y: x @ y,
    "np.dot(x, y) * c": lambda x, y: x @ y,
    "np.divide(x, y) @ y * c": lambda x, y: x.sum(),
    "np.subtract(x, y) @ y * c": lambda x, y: (x - y) @ y,
    "np.add(x, y) @ y * c": lambda x, y: (x + y) @ y,
    "np.multiply(x, y) @ y * c": lambda x, y: (x * y) @ y,
    "np.power(x, 3) @ y * c": lambda x, y: x**3 @ y,
    "np.negative(x) @ y * c": lambda x, y: -x @ y,
    "np.minimum(x, y) @ y * c": lambda x, y: np.minimum(x, y) @ y,
    "np.maximum(x, y) @ y * c": lambda x, y: np.maximum(x, y) @ y,
    "x @ np.transpose(A) @ y * c": lambda x, y, A: x @ A.T @ y,
    "x @ np.matmul(A, y) * c": lambda x, y, A: x @ A @ y,
    "np.sum(np.diagonal(A)) * c": lambda A: np.trace(A),
    "np.amax(x) * c": lambda x: np.max(x),
    "np.amin(x) * c": lambda x: np.min(x),
    "np.prod(x) * c": lambda x: np.prod(x),
    "tf.reduce_logsumexp(x) * c": lambda x: np.log(np.exp(x).sum()),
    "tf.linalg.logdet(A + A.T) * c": lambda A: np.log(np.linalg.det(A + A.T)),
    "tf.nn.softmax(x) @ y * c": lambda x, y: np.exp(x) @ y / np.exp(x).sum(),
    "adj(A)*x*c": lambda x, A: np.linalg.det(A) * np.linalg.inv(A) @ x,
    "c*x'*A^3*y": lambda x, y, A: x @ A @ A @ A @ y,
    "c*x'*A^-2*y": lambda x, y, A: x @ np.linalg.inv(A @ A) @ y,
    "c*norm1(A)": lambda A: np.abs(A).sum(),
    "c*norm2(A)^3": lambda A: np.sqrt((A * A).sum()) ** 3,
    "c*norm2(x)^0": lambda x: 1.0,
    "c*mean(x)": lambda x: x.mean(),
    "c*x'*diag(A)": lambda x, A: x @ np.diag(A),
    "c*x'*diag(x)*y": lambda x, y: x @ (x * y),
    "c*tr(x*y')": lambda x, y: x @ y,
}


@pytest.mark.parametrize("text", MEANINGS)
def test_words_mean_what_numpy_computes(text: str) -> None:
    """A factor c has what stands beside it for its derivative."""
    function = MEANINGS[text]
    values = {"x": np.array([0.5, 1.5]), "y": np.array([2.0, -0.75]), "A": SQUARE, "c": 2.0}
    shapes = tf.differentiate(text, "c").shapes
    found = tf.differentiate(text, "c", at={n: values[n] for n in shapes})
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    np.testing.assert_allclose(found.value, function(*[values[n] for n in names]), rtol=1e-12)


@pytest.mark.parametrize("space", ["", " ", "\u00a0", "\u2009"])
def test_blanks_of_pages_are_read(space: str) -> None:
    """Blanks that browsers and editors write are those of a keyboard."""
    assert tf.differentiate(f"x'*x{space}-{space}x'*y", "x").text() == "2 x - y"


TENSORFLOW = {
    "tf.reduce_sum(tf.linalg.matvec(A, x)**2)": ("x", "2 Aᵀ A x"),
    "tf.reduce_logsumexp(W @ x)": ("x", "Wᵀ softmax(W x)"),
    "tf.linalg.trace(tf.linalg.inv(X))": ("X", "-(X⁻²)ᵀ"),
    "tf.nn.softplus(a)": ("a", "σ(a)"),
    "tf.linalg.logdet(X)": ("X", "chol(X)⁻ᵀ chol(X)⁻¹"),
    "tf.math.sigmoid(a)": ("a", "σ(a) (1 - σ(a))"),
    "tf.norm(x)**2": ("x", "2 x"),
    "tf.norm(X, ord=1)": ("X", "sign(X)"),
    "tf.linalg.slogdet(X).log_abs_determinant": ("X", "X⁻ᵀ"),
    "tf.math.reduce_variance(x)": ("x", "2 (x - (𝟏ᵀ x) 𝟏 / n) / n"),
    "tf.nn.log_softmax(x) @ y": ("x", "y - (𝟏ᵀ y) softmax(x)"),
    "tf.reduce_sum(tf.nn.log_softmax(X, axis=-1) * Y)": ("X", "Y - diag(Y 𝟏) softmax(X)"),
    "tf.where(x > 0, x, 0) @ y": ("x", "y ⊙ [x > 0]"),
    "tf.clip_by_value(x, -1, 1) @ y": ("x", None),
    "tf.reduce_sum(tf.math.squared_difference(x, y))": ("x", "2 (x - y)"),
    "tf.linalg.trace(tf.linalg.cholesky(X))": ("X", None),
    "tf.reduce_sum(tf.linalg.eigvalsh(X))": ("X", "I"),
    "tf.einsum('i,i->', x, y)": ("x", "y"),
    "tf.reduce_mean(tf.square(X @ w - y))": ("w", "2 Xᵀ (X w - y) / m"),
}


@pytest.mark.parametrize("text", TENSORFLOW)
def test_the_names_of_tensorflow(text: str) -> None:
    """TensorFlow's names are those of this library."""
    wrt, formula = TENSORFLOW[text]
    found = tf.differentiate(text, wrt)
    assert formula in (None, found.text())


def test_orders_and_symmetry() -> None:
    """Hessians are derivatives again, and a declared symmetry is used."""
    hessian = tf.differentiate("x'*A*x", "x", order=2)
    assert hessian.text() == "A + Aᵀ"
    assert hessian.shape == ("n", "n")
    assert tf.differentiate("x'*S*x", "x", symmetric=["S"]).text() == "2 S x"
    assert tf.differentiate("a^3", "a", order=3, notation="matrix").text() == "6"


def test_sizes_are_told() -> None:
    """Letters and numbers of a person are used; what holds for one size only says so."""
    found = tf.differentiate("A*x", "x", notation="matrix", shapes={"A": ["k", 7]})
    assert found.shapes == {"A": ("k", 7), "x": (7,)}
    counted = tf.differentiate("sum(c*vector(1))", "c", notation="matrix")
    assert (counted.text(), counted.sizes) == ("3", {"n": 3})
    assert str(counted).splitlines()[-1] == "for n = 3"


def test_parts_of_axes_have_sizes_of_their_own() -> None:
    """What is less by a number is told so, and sizes that are numbers are numbers."""
    found = tf.differentiate("np.sum((x[1:] - y)**2) + z @ x[:2]", "y", notation="python")
    assert found.shapes == {"x": ("n",), "y": ("n - 1",), "z": (2,)}
    assert found.sizes == {}
    assert found.text() == "2 (y - x[1:n])"
    assert found.latex() == "2 (y - x[1:n])"
    at = {"x": [1.0, 2.0, 3.0, 5.0], "y": [1.0, 1.0, 1.0], "z": [1.0, 2.0]}
    known = tf.differentiate("np.sum((x[1:] - y)**2) + z @ x[:2]", "y", notation="python", at=at)
    np.testing.assert_array_equal(known.value, [-2, -4, -8])
    with pytest.raises(tf.errors.NotationError, match="has size 2, and not 3"):
        tf.differentiate("x[1:] @ y", "x", notation="python", at={"x": [1, 2, 3, 4], "y": [1, 2]})
    given = tf.differentiate("x[1:] @ y", "y", notation="python", shapes={"x": [5]})
    assert given.shapes == {"x": (5,), "y": (4,)}
    letters = tf.differentiate("x[1:] @ y", "x", notation="python", shapes={"y": ["k"]})
    assert letters.shapes == {"x": ("k + 1",), "y": ("k",)}


def test_a_number_without_matrix_notation_is_no_entry() -> None:
    """An entry of a vector is told with its index, and a number has none."""
    assert str(tf.differentiate("prod(x)", "x")).startswith("entry [i]: Product(")
    found = tf.differentiate("prod(y + s*norm2(y)*vector(1))", "s")
    assert str(found).startswith("Sum(Product(")


def test_eye_is_a_variable_where_it_has_a_shape() -> None:
    """Else it is the unit matrix, and no derivative is taken by it."""
    found = tf.differentiate("x'*eye*x", "x", notation="matrix", shapes={"eye": ["n", "n"]})
    assert found.text() == "(eye + eyeᵀ) x"
    with pytest.raises(tf.errors.NotationError, match="eye does not occur in the formula"):
        tf.differentiate("X*eye", "eye", notation="matrix")


def test_what_is_transposed_is_no_scalar() -> None:
    """c'*x has a vector c, whatever its letter is, and x'*A*x no scalar x."""
    assert tf.differentiate("c'*x", "x").shapes == {"c": ("n",), "x": ("n",)}
    assert tf.differentiate("θ'*X*w", "w").text() == "Xᵀ θ"
    assert tf.differentiate("a'*a*x + y", "a", notation="matrix").shapes["a"] == ("m",)


def test_nobody_takes_the_norm_of_a_number() -> None:
    """Where a sum or a norm decides what variables are, they are vectors."""
    text = "exp(-norm2(x-mu)^2/(2*s^2))"
    found = tf.differentiate(text, "x", notation="matrix")
    assert found.shapes == {"x": ("n",), "mu": ("n",), "s": ()}
    assert tf.differentiate("sum(a.*b)", "a").shapes == {"a": ("n",), "b": ("n",)}
    assert tf.differentiate("norm2(c)", "c").text() == "c / ‖c‖"
    assert tf.differentiate("mean((x - mean(x))**2)", "x").text() == "2 (x - (𝟏ᵀ x) 𝟏 / n) / n"
    assert tf.differentiate("sum(x^2)", "x", shapes={"x": ()}).text() == "2 x"


@pytest.mark.parametrize(
    ("text", "wrt", "form"),
    [
        ("a'*inv(X)*b", "X", "-X⁻ᵀ a bᵀ X⁻ᵀ"),
        ("b'*X'*d*X*c", "X", "d X (c bᵀ + b cᵀ)"),
        ("x'*c", "x", "c"),
        ("a'*X", "a", "Xᵀ"),
        ("x'*2", "x", "2 I"),
    ],
)
def test_a_row_becomes_a_number_where_it_can(text: str, wrt: str, form: str) -> None:
    """A letter that is a scalar elsewhere is the column that a row is multiplied by."""
    assert tf.differentiate(text, wrt, notation="matrix").text() == form


@pytest.mark.parametrize(
    ("text", "order", "form"),
    [
        ("norm2(x)^2", 2, "2 I"),
        ("norm2(x)**4", 1, "4 ‖x‖² x"),
        ("log(1 + norm2(x)^2)", 1, "2 x / (1 + ‖x‖²)"),
        ("exp(-norm2(x)^2/2)", 2, "exp(-‖x‖²/2) (x xᵀ - I)"),
    ],
)
def test_squares_of_norms_have_derivatives_at_zero(text: str, order: int, form: str) -> None:
    """As a sum of squares has them, and a root has not."""
    at = {"x": [0.0, 0.0]}
    notation = "python" if "**" in text else "matrix"
    found = tf.differentiate(text, "x", notation=notation, order=order, at=at)
    assert found.text() == form
    assert np.all(np.isfinite(found.value))


def test_names_stay_as_they_are_typed() -> None:
    """A word of Python's is a name of mathematics; the sign of micro is the letter."""
    found = tf.differentiate("norm2(X*w - y)^2 + lambda*norm2(w)^2", "w")
    assert found.text() == "2 (Xᵀ (X w - y) + lambda w)"
    assert found.text("python") == "2 * (X.T @ (X @ w - y) + lambda_ * w)"
    assert found.latex() == r"2 (X^\top (X w - y) + \lambda w)"
    assert list(tf.differentiate("µ*x", "x", notation="matrix").shapes) == ["μ", "x"]


def test_sizes_that_are_one() -> None:
    """A matrix of one row and column is the number that it has."""
    at = {"x": [1.0, 2.0], "A": [[3.0]]}
    found = tf.differentiate("x'*A*x", "x", shapes={"A": [1, 1]}, at=at)
    np.testing.assert_array_equal(found.value, [6, 12])


def test_exponents_of_entries_stand_in_brackets() -> None:
    """⊙ in an exponent is that of the power, and no product with what follows."""
    power = r"y \odot x^{\odot (y - \mathbf{1})}"
    assert tf.differentiate("sum(x.^y)", "x").latex() == power


def test_matrices_that_have_an_inverse_at_some_sizes_only() -> None:
    """A'A has an inverse where A has more rows, A A' where it has fewer: both are derived."""
    tall = tf.differentiate("logdet(A'*A)", "A", notation="matrix")
    wide = tf.differentiate("logdet(A*A')", "A", notation="matrix")
    assert (tall.text(), tall.sizes) == ("2 A (Aᵀ A)⁻¹", {})
    assert (wide.text(), wide.sizes) == ("2 (A Aᵀ)⁻¹ A", {})
    with pytest.raises(tf.UnsupportedError, match="no value at sizes that were tried"):
        tf.differentiate("inv(A - A)*x", "A", notation="matrix")


@pytest.mark.slow
def test_no_two_of_many_sizes_are_equal() -> None:
    """What is square only by the choice of sizes is not taken for square."""
    names = "ABCDEFGHJKL"
    product = "*".join(names)
    found = tf.differentiate(f"logdet({product}*({product})')", "A", notation="matrix")
    assert found.text().startswith(f"2 ({' '.join(names)} ")
    for numbers in choices(found.meaning):
        assert len(set(numbers.values())) == len(numbers)
    for first, second in itertools.combinations(choices(found.meaning), 2):
        assert all(first[size] != second[size] for size in first)


REFUSED = {
    "A*x": (None, "say in which notation", "matrix: A x, where", "python: A diag(x), where"),
    "mean((x - mean(x))^2)": (None, "would be one number, and x a scalar", ".^", "--shape x="),
    "norm2(A*x - )": (None, "is missing", "  norm2(A*x - )\n              ^"),
    "x^y^z": ("matrix", "an operator is missing", "  x^y^z\n     ^"),
    "2 x": ("matrix", "an operator is missing"),
    "(x + y": ("matrix", "an operator or ) is missing"),
    "x[0": ("python", "] is missing"),
    "x ? y": ("matrix", "what is '?' here"),
    "x²": ("matrix", "a power is ^ or **", "  x²\n   ^"),
    "Aᵀ*x": (None, "neighbours are multiplied", "  Aᵀ*x\n    ^"),
    "Aᵀ x": ("python", "a transpose is ' or .T", "  Aᵀ x\n   ^"),
    "x − y": (None, "minus is -", "  x − y\n    ^"),
    "2·x": (None, "a product is *", "  2·x\n   ^"),
    "ﬁ*x": (None, "what is 'ﬁ' here? fi is read", "  ﬁ*x\n  ^"),
    "torch.sum(x)": (None, "torch.sum() is not among the functions"),
    "softmx(x)": (None, "there is softmax"),
    "os.system(x)": ("python", "os.system() is not among the functions"),
    "np.load(x)": ("python", "np.load() is not among the functions"),
    "__import__(x)": (None, "is not among the functions"),
    "np.sum(x, dtype=3)": ("python", "takes an array, axis= and keepdims="),
    "np.sum(x, axis=1)": ("python", "there is no axis 1"),
    "np.exp(x, axis=0)": ("python", "takes no axis"),
    "x + x.shape": ("python", ".shape is several numbers", "  x + x.shape\n      ^"),
    "x.shape[1] * x": ("python", "there is no axis 1 of a vector"),
    "np.linalg.slogdet(X) * x": ("python", "[1] is the logarithm"),
    "np.linalg.slogdet(X)[0] * x": ("python", "[1] is the logarithm"),
    "'x' * x": ("python", "is missing"),
    "np.sum('x') * x": ("python", "a text in quotes is no array"),
    "np.einsum('i1,1k', X, x)": ("python", "subscripts are letters, as in"),
    "np.diff(X)": ("python", "does not take a matrix"),
    "2x": ("matrix", "a product is *"),
    "x y": ("python", "a product is *"),
    "|x|": ("matrix", "|x| is abs(x)"),
    "A\\x": ("matrix", "inv(A)*b"),
    "y = x": ("matrix", "give the right side"),
    "y == x = z": ("python", "give the right side"),
    "lambda x: x": ("python", "a product is *"),
    "x if x > 0 else 0": ("python", "np.where(test, a, b)"),
    "x^2": ("python", "a power is **"),
    "x**2": ("matrix", "a power is ^"),
    "A^T*x": ("matrix", "a transpose is written A'"),
    "e^x": ("matrix", "is e a variable"),
    "e**(2*x)": ("python", "is e a variable"),
    "x'*x/x'*x": ("matrix", "parentheses if it is a product"),
    "dot(x, y)": ("matrix", "it is written x'*y"),
    "ones(n)'*x": ("matrix", "ones are vector(1)"),
    "kron(x, y)": ("matrix", "kron() is not among the functions"),
    "np.einsum('ij,j->i', x, x)": ("python", "does not have a letter for each axis"),
    "np.einsum('i,j->ijk', x, x)": ("python", "'ijk' is no result of 'i,j'"),
    "np.linalg.norm(x, 3)": ("python", "ord= of a vector is one of 2, 1, inf"),
    "np.linalg.norm(x, ord=np.pi)": ("python", "np.pi is no option"),
    "x * np.inf": ("python", "infinity is no number of a formula", "  x * np.inf\n      ^"),
    "np.linalg.norm(X, 1) * x": ("python", "ord= of a matrix is one of 'fro'"),
    "np.linalg.norm(x, dtype=1)": ("python", "a norm takes an array, ord="),
    "np.where(x, x, 0)": ("python", "where() does not take a vector and a vector"),
    "np.clip(x, 0)": ("python", "takes 3 arguments"),
    "np.cumsum(X) @ x": ("python", "of a matrix takes axis="),
    "x[1:] @ x": ("python", "@ does not take a vector and a vector"),
    "x[3:1] @ x": ("python", "has no such place"),
    "x[1:] + x[2:]": ("python", "+ does not take"),
    "x[y]": ("python", "a place is a whole number, :, or None"),
    "np.linalg.matrix_power(X, x) @ x": ("python", "does not take"),
    "(x + x).exp()": ("python", ".exp() is not among the functions"),
    "(x + x).real": ("python", ".real is not known"),
    "x < x < x": ("python", "is missing"),
    "eye(3)*x": ("matrix", "eye alone is the unit matrix"),
    "X + eye": (None, "matrix: X + I, where", "python: 𝟏 eyeᵀ + X, where"),
    "exp(x, y)": ("matrix", "takes one argument"),
    "A / B": ("matrix", "/ divides by a scalar"),
    "A^x": ("matrix", "^ raises scalars, and matrices to whole powers"),
    "A^100": ("matrix", "at most 20"),
    "tf.linalg.diag(A) @ x": ("python", "tf.linalg.diag() of a matrix is not written so"),
    "tf.linalg.diag_part(x)": ("python", "does not take a vector"),
    "x.diagonal()": ("python", "does not take what it is called on"),
    "scipy.special.softmax(A) @ x": ("python", "of a matrix is not written so"),
    "sum(A) @ x": ("python", "sum() of a matrix is not written so"),
    "x[1.5]": ("python", "a whole number is wanted here"),
    "x[0][0]": ("python", "has no such place"),
    "np.sum(x, axis=None, axis=0)": ("python", "is given twice"),
    "1e999*x": ("matrix", "larger than any float"),
    "9" * 400 + "*x": ("matrix", "99999999999999999999… is larger than any float"),
    "9" * 5000 + "*x": ("python", "larger than any float"),
    "x + 1e-400*y": ("matrix", "1e-400 is smaller than any float", "1e-400*y\n      ^"),
    "a^9007199254740993": (None, "9007199254740993 is no float; 9007199254740992.0 is the"),
    "x[99999999999]": ("python", "a whole number is wanted here"),
    "2": (None, "no variables"),
    "norm2()": ("python", "a norm takes an array", "  norm2()\n  ^"),
    "x(1)": ("matrix", "x() is not among the functions of formulas", "  x(1)\n  ^"),
    "np.sum(axis=0)": ("python", "takes an array", "  np.sum(axis=0)\n  ^"),
    "x.__class__": ("python", "x.__class__ is not known", "  x.__class__\n  ^"),
    "½*x": (None, "1/2 is read", "  ½*x\n  ^"),
    "x₁": (None, "it is _1", "  x₁\n   ^"),
    "max(x, 0)": (None, "np.maximum(a, b)", "  max(x, 0)\n  ^"),
    "max(x, y)": ("python", "np.maximum(a, b)", "np.max(a, axis=0)"),
    "min(x, 1)": ("matrix", "np.minimum(a, b)"),
    "True*x": ("python", "True is no variable", "  True*x\n  ^"),
    "": (None, "is missing"),
    "x" * (LONGEST + 1): (None, "at most"),
    "+".join(["x"] * MOST_NODES): (None, "at most"),
}


@pytest.mark.parametrize("text", REFUSED, ids=lambda t: t[:20])
def test_refusals_show_the_place(text: str) -> None:
    """What cannot be read raises an error that says what and shows where."""
    notation, *parts = REFUSED[text]
    with pytest.raises(tf.errors.NotationError) as error:
        tf.differentiate(text, "x", notation=notation)
    for part in parts:
        assert part in str(error.value)


def test_refusals_of_arguments() -> None:
    """Names that do not occur, shapes and values that do not fit are named."""
    refused = pytest.raises(tf.errors.NotationError, match="z does not occur")
    with refused:
        tf.differentiate("sum(x)", "z")
    with pytest.raises(tf.errors.NotationError, match="wrt is one of x, y"):
        tf.differentiate("x'*y")
    with pytest.raises(tf.errors.NotationError, match="z, of which something is said"):
        tf.differentiate("sum(x)", shapes={"z": ["n"]})
    sizes = r"\* does not take a matrix of 2 × 3 and a column of 4"
    with pytest.raises(tf.errors.NotationError, match=sizes):
        tf.differentiate("A*x", "x", notation="matrix", shapes={"A": [2, 3], "x": [4]})
    with pytest.raises(tf.errors.NotationError, match="a row of n and a column of m"):
        tf.differentiate("x'*A*x", "x", shapes={"A": ["m", "n"]})
    with pytest.raises(tf.errors.NotationError, match="x is a variable, and no letter"):
        tf.differentiate("A*x", "x", notation="matrix", shapes={"A": ["x", "n"]})
    with pytest.raises(tf.errors.NotationError, match="positive numbers"):
        tf.differentiate("sum(x)", shapes={"x": [0]})
    with pytest.raises(tf.errors.NotationError, match="no square matrix"):
        tf.differentiate("sum(x)", shapes={"x": [3]}, symmetric=["x"])
    with pytest.raises(tf.errors.NotationError, match="no value for y"):
        tf.differentiate("x'*y", "x", at={"x": [1.0]})
    with pytest.raises(tf.errors.NotationError, match="an axis of y has size 2, and not 1"):
        tf.differentiate("x'*y", "x", at={"x": [1.0], "y": [1.0, 2.0]})
    for value, why in (
        ([[1.0], [2.0, 3.0]], "rows of other lengths"),
        ([None], "no number and no lists of numbers"),
        ({}, "no number and no lists of numbers"),
        ([1j], "no number and no lists of numbers"),
        ([10**400], "larger than any float"),
    ):
        with pytest.raises(tf.errors.NotationError, match=f"at: the value of x .*{why}"):
            tf.differentiate("sum(x)", at={"x": value})
    with pytest.raises(tf.errors.NotationError, match="x is a vector"):
        tf.differentiate("sum(x)", at={"x": 1.0})
    with pytest.raises(tf.errors.NotationError, match="not symmetric"):
        tf.differentiate("tr(S)", symmetric=["S"], at={"S": [[1.0, 2.0], [3.0, 4.0]]})
    with pytest.raises(ValueError, match="order is a number from 1 to 4"):
        tf.differentiate("sum(x)", order=0)
    with pytest.raises(ValueError, match="unknown notation 'tex'"):
        tf.differentiate("sum(x)", notation="tex")
    with pytest.raises(tf.ExpansionError, match="too large"):
        tf.differentiate("sum(x)", shapes={"x": [10**9]})
    with pytest.raises(tf.errors.NotationError, match="is x a scalar, or y a scalar"):
        tf.differentiate("x*y", "x", notation="matrix")


def test_without_the_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the extra."""
    monkeypatch.setitem(sys.modules, "lark", None)
    with pytest.raises(tf.errors.ExtraNotInstalledError, match=r"symtape\[text\]"):
        tf.differentiate("sum(x)")


WORDS = st.sampled_from(
    "x y A X a b σ x_1 2 0.5 1e3 3 + - * .* / ./ ^ .^ ' @ ** ( ) , [ 0 ] : .T ==".split()
    + "sum( tr( inv( norm2( exp( log( vector(1) np.sum( axis=0 \0".split()
    + "np.where( np.einsum( 'ij,j->i' np.linalg.norm( < .shape .size None".split()
    + [" "]
)


@pytest.mark.slow
@given(st.lists(WORDS, max_size=14).map("".join), st.sampled_from([None, "matrix", "python"]))
@settings(max_examples=3000 if ALL else 80)
def test_any_text_is_derived_or_refused(text: str, notation: str | None) -> None:
    """No text raises anything but an error of the family."""
    with suppress(tf.SymtapeError):
        found = tf.differentiate(text, "x", notation=notation)
        assert all(v in text for v in found.shapes)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    ["(" * 9000, "-" * 9000 + "x", "x" + "'" * 9000, "exp(" * 900 + "x", "[" * 9999, "x**" * 3000],
    ids=lambda t: t[:3],
)
def test_deep_texts_are_refused_at_once(text: str) -> None:
    """Depth is no matter of a stack."""
    with pytest.raises(tf.errors.NotationError):
        tf.differentiate(text, "x")
    brackets = "( " * 4000 + "x" + " )" * 4000
    assert tf.differentiate(f"sum({brackets})", "x").text() == "𝟏"


MOST_CALLS = 9_500_000
"""Of functions, until a text is answered: on today's machines about one second."""


WAYS = {
    "brackets": "sum(" + "(" * 4990 + "x" + ")" * 4990 + ")",
    "an end too much": "(" * 4999 + "x" + ")" * 5000,
    "a sum": "sum(" + "+".join(["x"] * 4990) + ")",
    "signs": "+-" * 4990 + "x",
    "transposes": "x" + "'" * 9990,
    "calls": "exp(" * 2000 + "x" + ")" * 2000,
    "a name": "x" * 9990,
    "digits": "9" * 9990,
    "unknown": "x" + "²" * 9990,
    "empty calls": "x" + "()" * 4990,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", WAYS)
def test_long_texts_are_read_with_few_calls(name: str) -> None:
    """Ten thousand characters take less than a second, counted on any machine."""
    tf.differentiate("x'*x", "x").text()  # the grammars are read once
    profile = cProfile.Profile()
    with profile, suppress(tf.errors.NotationError):
        tf.differentiate(WAYS[name]).text()
    assert sum(entry.callcount for entry in profile.getstats()) < MOST_CALLS / 5


LOGARITHMS = {
    "nested": "sum(" + "log(" * 36 + "x" + ")" * 37,
    "products": "sum(" + ".*".join(f"log(x + {k})" for k in range(1, 20)) + ")",
    "sums": "sum(" + "log(x + " * 20 + "x" + ")" * 21,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", some([*LOGARITHMS], 3, 1))
@pytest.mark.parametrize("order", [1, 2])
def test_logarithms_are_answered_with_few_calls(name: str, order: int) -> None:
    """What is long is written, sorted and found to have no form once, counted on any machine."""
    text = LOGARITHMS[name]
    tf.differentiate("x'*x", "x", notation="matrix").text()  # the grammar is read once
    profile = cProfile.Profile()
    found = tf.differentiate(text, "x", notation="matrix", shapes={"x": ()}, order=order)
    with profile, suppress(tf.errors.ExpansionError):
        found.described()
    assert sum(entry.callcount for entry in profile.getstats()) < MOST_CALLS


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    """`symtape diff` prints the formula in each format, and refuses on standard error."""
    least = ["diff", "--notation", "matrix", "--wrt", "x"]
    assert main([*least, "norm2(A*x - y)^2"]) == 0
    assert capsys.readouterr().out == "2 Aᵀ (A x - y)\nwhere A: m × n, x: n, y: m\n"
    assert main([*least, "--format", "python", "norm2(A*x - y)^2"]) == 0
    assert capsys.readouterr().out == "2 * A.T @ (A @ x - y)\n"
    assert main([*least, "--format", "latex", "norm2(A*x - y)^2"]) == 0
    assert capsys.readouterr().out == "2 A^\\top (A x - y)\n"
    at = ["--at", "x=[1,2]", "--at", "A=[[1,2],[3,4]]", "--shape", "A=k,k", "--order", "2"]
    assert main([*least, *at, "--format", "json", "x'*A*x"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["value"] == [[2, 5], [5, 8]]
    assert (found["text"], found["variables"]) == ("A + Aᵀ", {"x": ["k"], "A": ["k", "k"]})
    assert main([*least, "--symmetric", "S", "--", "-x'*S*x"]) == 0
    assert capsys.readouterr().out.startswith("-2 S x\n")
    assert main(["diff", "-h'*h", "--wrt", "h"]) == 0
    assert capsys.readouterr().out.startswith("-2 h\n")
    assert main(["diff", "--wrt", "X", "--format", "latex", "inv(X)"]) == 0
    assert capsys.readouterr().out == "-X^{-\\top} \\otimes X^{-1}\n"
    for wrong in (
        ["x ?"],
        ["--shape", "x", "x"],
        ["--at", "x=[1", "x"],
        ["--shape", "x=1.5", "x"],
        ["--shape", "x=2", "--shape", "x=3", "x"],
        ["--at", "x={}", "x"],
    ):
        assert main([*least, *wrong]) == 2
        assert capsys.readouterr().err.startswith("symtape: ")
    assert main([*least, "--shape", "x=999999", "sum(x)"]) == 1


def test_a_derivative_is_sent_and_copied():
    """With its value, and every reading."""
    at = {"x": [1, 2], "A": [[1, 0], [0, 2]]}
    found = tf.differentiate("x'*A*x", "x", symmetric=["A"], at=at)
    sent = pickle.loads(pickle.dumps(found))
    assert (str(sent), sent.latex(), sent.value.tolist()) == (str(found), "2 A x", [2.0, 8.0])


def test_a_notebook_shows_the_formula_and_its_spaces() -> None:
    """They have the letters of the text, whatever sizes were chosen to derive at."""
    found = tf.differentiate("mean((X*w - y).^2) + lambda*w'*w", "w", notation="matrix")
    assert found._repr_latex_() == (
        r"$\displaystyle 2 \left(\frac{X^\top (X w - y)}{m} + \lambda w\right) "
        r"\quad\text{where}\quad X \in \mathbb{R}^{m \times n},\quad w \in \mathbb{R}^{n},"
        r"\quad y \in \mathbb{R}^{m},\quad \lambda \in \mathbb{R}$"
    )
    assert tf.differentiate("np.prod(x)", "x")._repr_latex_() is not None
