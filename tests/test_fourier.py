"""Fourier transforms are steps: F in formulas, `np.fft` in code, exact roots of unity."""

from __future__ import annotations

from typing import Any

import mpmath as mp
import numpy as np
import pytest

import symtape as tf
from symtape.kernels.pattern import RULES
from symtape.program.kinds.structural import Fourier

TURNS = {
    "fft": (tf.signal.fft, np.fft.fft),
    "ifft": (tf.signal.ifft, np.fft.ifft),
    "fft2d": (tf.signal.fft2d, np.fft.fft2),
    "ifft2d": (tf.signal.ifft2d, np.fft.ifft2),
}


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("shape", [(1, 1), (2, 7), (3, 257), (2, 512), (5, 1009)], ids=str)
@pytest.mark.parametrize("name", TURNS)
def test_a_transform_of_any_size_has_numpys_numbers(
    name: str, shape: tuple[int, ...], dtype: str, rng: np.random.Generator
) -> None:
    """Primes and powers of two are transformed by the same step, and so are cotangents."""
    ours, theirs = TURNS[name]
    z = (rng.normal(size=shape) + 1j * rng.normal(size=shape)).astype(dtype)
    x = tf.constant(z)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = ours(x)
        size = tf.reduce_sum(tf.math.real(y * tf.math.conj(y)))
    gradient = tape.gradient(size, x)
    scale = {"fft": shape[-1], "ifft": 1 / shape[-1]}
    scale |= {"fft2d": z.size, "ifft2d": 1 / z.size}
    digits = 1e-5 if dtype == "complex64" else 1e-13
    assert y.dtype.name == gradient.dtype.name == dtype
    for found, expected in ((y, theirs(z)), (gradient, 2 * scale[name] * z)):
        largest = np.max(np.abs(expected))
        np.testing.assert_allclose(found.numpy(), expected, rtol=0, atol=digits * largest)


def transformed(x: Any) -> Any:
    """Transform real numbers, and record it."""
    with tf.GradientTape():
        return tf.signal.fft(tf.cast(x, tf.complex128))


def test_an_entry_is_exact(rng: np.random.Generator) -> None:
    """Its roots of unity have as many digits as are asked for, and SymPy's are exact."""
    values = rng.normal(size=6)
    x = tf.Variable(values, name="x")
    z = transformed(x)
    with mp.workdps(40):
        exact = mp.fsum(
            mp.mpf(v) * mp.expjpi(mp.mpf(-k) / 3) for k, v in enumerate(values.tolist())
        )
        assert abs(mp.mpmathify(z.evalf(35)[1]) - exact) < mp.mpf(10) ** -33
    assert str(z.entries[3]) == "x[0] - x[1] + x[2] - x[3] + x[4] - x[5]"
    assert "exp(-I*pi/3)*x[1]" in str(z.entries[1])


def test_a_formula_has_the_matrix_and_its_inverse() -> None:
    """A leaf called F has another letter beside it; an entry is upright where i is an index."""
    x = tf.Variable([0.5, -1.0, 2.0, 0.25], dtype=tf.float64, name="x")
    kernel = tf.Variable([1.0 + 0j, 2j, 1.0, -2j], dtype=tf.complex128, name="F")
    with tf.GradientTape() as tape:
        y = tf.math.real(tf.signal.ifft(kernel * transformed(x)))
        loss = tf.reduce_sum(y**2) / 2
    gradient = tape.gradient(loss, x)
    double = "\N{MATHEMATICAL DOUBLE-STRUCK CAPITAL F}"
    assert y.text() == f"re({double}⁻¹ (F ⊙ ({double} x)))"
    assert y.latex("matrix") == r"\operatorname{re}(\mathbb{F}^{-1} (F \odot (\mathbb{F} x)))"
    assert gradient.text() == f"re({double}⁻¹ (({double} {y.text()}) ⊙ conjugate(F)))"
    z = transformed(x)
    assert str(z.index_expr()) == "Sum(exp(-I*pi*i*j/2)*x[j], (j, 0, 3))"
    assert r"\mathrm{i} \pi i j" in z.latex("index")
    assert str(z.matrix_expr) == "(2*DFT(4))*x"


def test_code_calls_numpy() -> None:
    """Nothing is multiplied by a matrix of roots."""
    x = tf.Variable(np.ones((3, 600)), dtype=tf.float64)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.abs(tf.signal.fft2d(tf.cast(x, tf.complex128))) ** 2)
    source = tape.gradient(loss, x).lambdify().source
    assert source.count("np.fft.") == 4
    assert "@" not in source
    assert "einsum" not in source


def test_elements_that_cancel_are_no_zeros() -> None:
    """The transform of ones is zero but for one element, and that of what is not zero is not."""
    x = tf.Variable([1.0, 1.0, 1.0, 1.0], dtype=tf.float64)
    with tf.GradientTape() as tape:
        z = tf.math.real(transformed(x))
    jacobian = tape.jacobian(z, x)
    np.testing.assert_allclose(jacobian.numpy(), np.fft.fft(np.eye(4)).real, atol=1e-15)
    assert "diagonal" not in str(jacobian.structure)
    rows = np.array([[True, True, True], [False, True, False], [False, False, False]])
    mask = RULES[Fourier](Fourier(-1, -1), [rows], [None], [0], rows.shape)
    np.testing.assert_array_equal(mask, [[True] * 3, [True] * 3, [False] * 3])


def test_an_axis_without_elements_stays() -> None:
    """Nothing is transformed; what is keeps its shape and dtype."""
    assert tf.signal.fft(tf.zeros((2, 0), tf.complex64)).shape == (2, 0)
    assert Fourier(-1, -1).infer([(3,)], [np.dtype("c16")]) == ((3,), np.dtype("c16"))
