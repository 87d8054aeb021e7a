"""Structures of programs of linear algebra by each argument: what is said is read, and is true."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtape as tf
from tests.sampling import some
from tests.structure_language import flat, means

RNG = np.random.default_rng(5)
T = tf.transpose
matvec, inv = tf.linalg.matvec, tf.linalg.inv


def of(*shape: int) -> Any:
    """Draw an array."""
    return RNG.normal(size=shape)


def positive(n: int) -> Any:
    """Draw a positive matrix that is no diagonal."""
    a = RNG.normal(size=(n, n))
    return a @ a.T + n * np.eye(n)


def innovation(P: Any, H: Any, R: Any) -> Any:
    """Give the covariance of what is measured."""
    return H @ P @ T(H) + R


def kalman(P: Any, H: Any, R: Any, x: Any, z: Any) -> Any:
    """Correct a state by a measurement."""
    K = P @ T(H) @ inv(innovation(P, H, R))
    return x + matvec(K, z - matvec(H, x))


def kalman_solve(P: Any, H: Any, R: Any, x: Any, z: Any) -> Any:
    """Correct with a gain that solves an equation."""
    K = T(tf.linalg.solve(innovation(P, H, R), H @ P))
    return x + matvec(K, z - matvec(H, x))


def kalman_cholesky(P: Any, H: Any, R: Any, x: Any, z: Any) -> Any:
    """Correct by the factor of the innovation's covariance."""
    L = tf.linalg.cholesky(innovation(P, H, R))
    r = (z - matvec(H, x))[:, None]
    return x + matvec(P @ T(H), tf.linalg.cholesky_solve(L, r)[:, 0])


def kalman_einsum(P: Any, H: Any, R: Any, x: Any, z: Any) -> Any:
    """Correct, written with indices."""
    S = tf.einsum("ij,jk,lk->il", H, P, H) + R
    K = tf.einsum("ij,kj,kl->il", P, H, inv(S))
    return x + tf.einsum("ij,j->i", K, z - tf.einsum("ij,j->i", H, x))


def kalman_columns(P: Any, H: Any, R: Any, x: Any, z: Any) -> Any:
    """Correct columns."""
    x, z = x[:, None], z[:, None]
    K = P @ T(H) @ inv(innovation(P, H, R))
    return x + K @ (z - H @ x)


def covariance(P: Any, H: Any, R: Any) -> Any:
    """Correct the covariance."""
    K = P @ T(H) @ inv(innovation(P, H, R))
    return (tf.eye(3, dtype=tf.float64) - K @ H) @ P


def attention(q: Any, k: Any, v: Any) -> Any:
    """Attend."""
    return tf.nn.softmax(tf.matmul(q, k, transpose_b=True) / 1.7) @ v


def attention_einsum(q: Any, k: Any, v: Any) -> Any:
    """Attend, written with indices."""
    return tf.einsum("ij,jk->ik", tf.nn.softmax(tf.einsum("ia,ja->ij", q, k)), v)


def attention_quotient(q: Any, k: Any, v: Any) -> Any:
    """Attend, with a softmax of a person's own."""
    s = tf.exp(q @ T(k))
    return (s / tf.reduce_sum(s, 1, keepdims=True)) @ v


def attention_of_one(q: Any, k: Any, v: Any) -> Any:
    """Attend for the first row alone."""
    return matvec(v, tf.nn.softmax(matvec(k, q[0])), transpose_a=True)


STATE = {"P": positive(3), "H": of(2, 3), "R": positive(2), "x": of(3), "z": of(2)}
SHORT = {"P": positive(3), "H": of(1, 3), "R": positive(1), "x": of(3), "z": of(1)}
SCALAR = {"P": positive(1), "H": of(1, 1), "R": positive(1), "x": of(1), "z": of(1)}
ROWS = {"q": of(4, 3), "k": of(5, 3), "v": of(5, 2)}
NUMBER = np.array(0.5)

PROGRAMS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    **{
        f"{f.__name__}, {size}": (f, arguments)
        for f in (kalman, kalman_solve, kalman_cholesky, kalman_einsum, kalman_columns)
        for size, arguments in (("two", STATE), ("one", SHORT), ("scalar", SCALAR))
    },
    "covariance": (covariance, {n: STATE[n] for n in "PHR"}),
    "covariance by one": (covariance, {n: SHORT[n] for n in "PHR"}),
    **{
        f.__name__: (f, ROWS)
        for f in (attention, attention_einsum, attention_quotient, attention_of_one)
    },
    "attention of a row": (attention, {"q": of(1, 3), "k": of(5, 3), "v": of(5, 2)}),
    "attention to a row": (attention, {"q": of(4, 3), "k": of(1, 3), "v": of(1, 2)}),
    "attention of numbers": (attention, {"q": of(4, 1), "k": of(5, 1), "v": of(5, 1)}),
    "attention of a batch": (attention, {"q": of(2, 3, 2), "k": of(2, 4, 2), "v": of(2, 4, 2)}),
    "attention of one batch": (attention, {"q": of(1, 3, 2), "k": of(1, 4, 2), "v": of(1, 4, 2)}),
    "ridge": (
        lambda X, y, c: tf.linalg.solve(T(X) @ X + c * tf.eye(3, dtype=tf.float64), T(X) @ y),
        {"X": of(4, 3), "y": of(4, 1), "c": NUMBER},
    ),
    "quadratic": (
        lambda A, x: tf.tensordot(x, matvec(A, x), 1) * x,
        {"A": of(3, 3), "x": of(3)},
    ),
    "quadratic of an inverse": (
        lambda S, r, x: tf.tensordot(r, matvec(inv(S), r), 1) * x,
        {"S": positive(2), "r": of(2), "x": of(3)},
    ),
    "layer": (
        lambda W, x, b: tf.tanh(matvec(W, x) + b) * x,
        {"W": of(3, 3), "x": of(3), "b": of(3)},
    ),
    "two layers": (
        lambda V, W, x: matvec(V, tf.tanh(matvec(W, x))),
        {"V": of(2, 4), "W": of(4, 3), "x": of(3)},
    ),
    "normalized": (
        lambda x, g: (x - tf.reduce_mean(x, -1, keepdims=True)) * g,
        {"x": of(4, 3), "g": of(3)},
    ),
    "outer product": (
        lambda a, b: a[:, None] * b[None, :] * tf.reduce_sum(a),
        {"a": of(3), "b": of(2)},
    ),
    "factor": (lambda A, x: matvec(tf.linalg.cholesky(A), x), {"A": positive(3), "x": of(3)}),
    "logdet": (
        lambda A, x: tf.linalg.logdet(A) * matvec(inv(A), x),
        {"A": positive(3), "x": of(3)},
    ),
    "chain": (lambda A, B, C: A @ B @ C, {"A": of(2, 3), "B": of(3, 4), "C": of(4, 2)}),
    "chain of one": (lambda A, B, C: A @ B @ C, {"A": of(1, 3), "B": of(3, 1), "C": of(1, 2)}),
}


def is_said_truly(jacobian: Any, rows: int, given: dict[str, Any]) -> None:
    """Read all that a structure says, and compare it with the numbers."""
    structure = jacobian.structure_of(rows)
    assert str(structure) == structure
    assert repr(structure) == repr(str(structure))
    names = {letter: part.numpy() for letter, part in structure.where.items()}
    for letter, part in names.items():
        assert np.any(part), f"{structure}: {letter} is zero"
    matrix = flat(jacobian.numpy(), rows)
    assert means(structure, matrix, {**given, **names}), f"{structure} is not so"
    parts = [part for part in structure.where.values() if part.origin is not None]
    for part in parts:
        assert part.formula.shape == part.shape


ASKED = [(program, alone) for program in PROGRAMS for alone in (False, True)]


@pytest.mark.slow
@pytest.mark.parametrize(("program", "alone"), some(ASKED, 6))
def test_structure_by_each_argument(program: str, alone: bool) -> None:
    """The text of each Jacobian is true with what its letters stand for."""
    f, arrays = PROGRAMS[program]
    for name in arrays:
        given = {n: tf.constant(a, name=n) for n, a in arrays.items()}
        with tf.GradientTape() as tape:
            tape.watch(given[name] if alone else list(given.values()))
            result = f(**given)
        jacobian = tape.jacobian(result, given[name])
        if jacobian is not None:
            is_said_truly(jacobian, len(result.shape), arrays)


@pytest.mark.slow
def test_names_are_those_of_when_the_derivative_was_taken() -> None:
    """A variable that is called otherwise afterwards, or is gone, changes no text."""
    x = tf.constant(of(3))
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        shares = tf.nn.softmax(x)
        total = tf.reduce_sum(shares * shares)
    jacobian, hessian = tape.jacobian(shares, x), tape.hessian(total, x)
    before = str(jacobian.structure), str(hessian.structure)
    assert before[0] == "diag(shares) - shares sharesᵀ"
    kept, other = shares, jacobian
    del shares, jacobian
    total = kept
    assert (str(other.structure), str(hessian.structure)) == before
    np.testing.assert_array_equal(other.structure.where["shares"], kept)


def test_names_of_what_nobody_watched() -> None:
    """What was computed beside the watched tensors has its name, too, and a value."""
    H, z = tf.constant(of(2, 3), name="H"), tf.constant(of(2), name="z")
    with tf.GradientTape() as tape:
        tape.watch(z)
        gain = tf.exp(T(H))
        y = matvec(gain, z * z)
    structure = tape.jacobian(y, z).structure
    gain, kept = None, gain
    assert structure == "2 gain diag(z)"
    np.testing.assert_array_equal(structure.where["gain"], kept)


def test_what_is_zero_by_its_formula_is_no_part() -> None:
    """A softmax of one number is 1, and does not depend on it."""
    x = tf.constant(of(4, 1), name="x")
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.nn.softmax(x)
        z = y + x
    assert tape.jacobian(y, x).structure == "zero"
    assert tape.jacobian(z, x).structure == "I"


def test_a_part_that_is_zero_at_a_point_stays() -> None:
    """Where a factor is zero by chance, the text is that of every other point."""
    texts = []
    for a in (np.zeros(3), of(3)):
        x = tf.constant(a, name="x")
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.tensordot(x, x, 1) * x
        texts.append(str(tape.jacobian(y, x).structure))
    assert texts[0] == texts[1] == "2 x xᵀ + ‖x‖² I"


def test_letters_are_no_names_of_the_caller() -> None:
    """A letter stands for its own part, also where a variable of that name holds something else."""
    x = tf.constant(of(3), name="x")
    with tf.GradientTape() as tape:
        tape.watch(x)
        p = tf.sin(x)
        y = tf.nn.softmax(x) + 0.0 * p
    jacobian = tape.jacobian(y, x)
    structure = jacobian.structure
    names = {name: part.numpy() for name, part in structure.where.items()}
    assert means(structure, jacobian.numpy(), {"x": x.numpy(), **names})
    assert "p" not in structure.where


def cdf(x: Any) -> Any:
    """Give the distribution function of a standard normal variable."""
    return (1 + tf.math.erf(x / math.sqrt(2))) / 2


@np.vectorize
def tail(x: float) -> float:
    """Give one minus it, with all digits."""
    return math.erfc(x / math.sqrt(2)) / 2


LETTERED: dict[str, tuple[Callable[[Any], Any], str, Callable[[Any], Any]]] = {
    "sigmoid": (
        lambda x: matvec(MATRIX, tf.sigmoid(x)),
        "A diag(p)",
        lambda x: np.exp(-x) / (1 + np.exp(-x)) ** 2,
    ),
    "tanh": (lambda x: matvec(MATRIX, tf.tanh(x)), "A diag(p)", lambda x: 1 / np.cosh(x) ** 2),
    "distribution function": (
        lambda x: matvec(MATRIX, tf.sin(x - x * cdf(x) - tf.exp(-x * x / 2) / np.sqrt(2 * np.pi))),
        "A diag(p)",
        lambda x: tail(x) * np.cos(x * tail(x) - np.exp(-x * x / 2) / np.sqrt(2 * np.pi)),
    ),
    "softmax": (
        tf.nn.softmax,
        "diag(p) - p pᵀ",
        lambda x: np.exp(x - x.max()) / np.exp(x - x.max()).sum(),
    ),
    "brackets": (
        lambda x: matvec(MATRIX, tf.nn.relu(x)),
        "A diag(p)",
        lambda x: (x > 0).astype(float),
    ),
    "inverse": (
        lambda x: tf.linalg.inv(MATRIX) @ (x * x * tf.sin(x))[:, None],
        "A⁻¹ diag(p)",
        lambda x: 2 * x * np.sin(x) + x**2 * np.cos(x),
    ),
}
MATRIX = tf.constant(positive(4), name="A")


@pytest.mark.parametrize("name", LETTERED)
def test_letters_keep_their_digits(name: str) -> None:
    """What a letter stands for is computed as exactly as the derivative, far out, too."""
    f, text, wanted = LETTERED[name]
    at = np.array([-30.0, -0.5, 0.25, 25.0])
    x = tf.constant(at, name="x")
    with tf.GradientTape() as tape:
        tape.watch(x)
        made = [f(x)]
    structure = tape.jacobian(made[0], x).structure_of(len(made[0].shape))
    assert structure == text
    np.testing.assert_allclose(structure.where["p"].numpy(), wanted(at), rtol=1e-12)
    assert structure.where["p"].formula.shape == (4,)


def test_what_cancels_is_zero() -> None:
    """An inverse times its matrix is constant, which the formula knows and the terms do not."""
    x = tf.constant(of(3), name="x")
    with tf.GradientTape() as tape:
        tape.watch(MATRIX)
        y = matvec(inv(MATRIX), matvec(MATRIX, tf.concat([x, x[:1]], 0)))
    assert tape.jacobian(y, MATRIX).structure == "zero"
