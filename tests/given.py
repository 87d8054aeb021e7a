"""What may be given to a compiled formula, and what may not: tables for every backend."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import symtape as tf

ROWS = np.array([0.5, -0.25, 2.0])
READ_ONLY = ROWS.copy()
READ_ONLY.flags.writeable = False

TAKEN: dict[str, tuple[Any, Any]] = {
    "lists": (ROWS.tolist(), 2),
    "tuples": (tuple(ROWS.tolist()), 2.0),
    "numbers of any kind": ([Fraction(1, 2), -0.25, np.float32(2.0)], Fraction(2)),
    "an array without axes": (ROWS, np.array(2.0)),
    "NumPy's scalars": (ROWS, np.float64(2.0)),
    "narrow arrays": (ROWS.astype("float32"), np.float32(2.0)),
    "integers": (ROWS, np.int64(2)),
    "every other element": (np.repeat(ROWS, 2)[::2], 2.0),
    "backwards": (ROWS[::-1].copy()[::-1], 2.0),
    "read-only": (READ_ONLY, 2.0),
    "another order of bytes": (ROWS.astype(">f8"), 2.0),
    "tensors": (tf.constant(ROWS), tf.constant(2.0, "float64")),
    "variables": (tf.Variable(ROWS), tf.Variable(2.0, dtype="float64")),
    "a list of tensors": ([tf.constant(x, "float64") for x in ROWS], 2.0),
}
"""Each is the same rows, and the number 2."""

REFUSED: dict[str, tuple[Any, Any, type[Exception], str]] = {
    "fewer rows": (ROWS[1:], 2.0, ValueError, r"x has shape \(2,\).*\(3,\); .*\(x, s\)"),
    "one row": (1.0, 2.0, ValueError, r"x has shape \(\)"),
    "more axes": (ROWS, [2.0], ValueError, r"s has shape \(1,\)"),
    "complex": (ROWS * 1j, 2.0, TypeError, "x has dtype complex128"),
    "a complex number": (ROWS, 2j, TypeError, "s has dtype complex128"),
    "nothing": (ROWS, None, TypeError, "s has dtype object"),
    "rows of nothing": ([None] * 3, 2.0, TypeError, "x has dtype object"),
    "a text": (ROWS, "2.0", TypeError, "s has dtype <U3"),
    "texts": (["0.5", "1", "2"], 2.0, TypeError, "x has dtype <U3"),
    "a dict": (ROWS, {"s": 2.0}, TypeError, "s has dtype object"),
}

WORDS = """
np f v1 lambda math cmath xp jnp da torch special njit number cast sign placed checked pivot tanh
gaussian flat select on_blocks int double out i k range
""".split()
"""Names that code uses in some language, and a leaf may have as well."""


def wave() -> Any:
    """Record the slope of sin(x) s x by x, of three rows and a number."""
    x = tf.constant(ROWS, name="x")
    s = tf.constant(2.0, "float64", name="s")
    with tf.GradientTape() as tape:
        tape.watch([x, s])
        y = tf.reduce_sum(tf.sin(x) * s * x)
    return tape.gradient(y, x)


def assert_taken(f: Any, name: str) -> None:
    """Assert that a compiled wave takes what is given as three rows and the number 2."""
    found = np.asarray(f(*TAKEN[name]))
    expected = 2 * (np.sin(ROWS) + ROWS * np.cos(ROWS))
    np.testing.assert_allclose(found, expected, rtol=1e-14)


def assert_refused(f: Any, name: str) -> None:
    """Assert that a compiled wave refuses what is given by name, with the signature."""
    *given, error, match = REFUSED[name]
    with pytest.raises(error, match=match) as raised:
        f(*given)
    assert "signature is (x, s)" in str(raised.value)


def assert_word_is_free(backend: Any, word: str) -> None:
    """Assert that a leaf may be called like something that the code uses."""
    x = tf.constant(ROWS, name=word)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.tanh(x) * tf.exp(x) * tf.nn.softmax(tf.abs(x)) * tf.sort(x))
    slope = tape.gradient(y, x)
    found = np.asarray(slope.lambdify(backend=backend)(ROWS))
    np.testing.assert_allclose(found, slope.numpy(), rtol=1e-13)
