"""Functions written for arrays: NumPy's methods inside of a traced function."""

from __future__ import annotations

import numpy as np
import pytest

import symtape as tf

X = np.array([[1.1, 2.3, 3.6], [4.2, 5.4, 6.9]])

METHODS = {
    "@ of vectors": lambda x: (x @ x[0]) @ (x[:, 0] @ x)[:2],
    "all": lambda x: (x**2).sum() if (x > 0).all() else x.sum(),
    "any": lambda x: (x**2).sum() if (x > 5).any() else x.sum(),
    "argmax": lambda x: x[0, int(x[0].argmax())] ** 2,
    "argmin": lambda x: x[0, int(x[0].argmin())] ** 2,
    "array of places": lambda x: (x[np.array([[0, 1], [1, 1]])] ** 2).sum(),
    "astype": lambda x: (x * x).astype(float).sum() * x.astype(np.float64)[0, 0],
    "clip": lambda x: (x.clip(2, 5) ** 2).sum(),
    "conj, real, imag": lambda x: (x.conj() * x).real.sum() + np.sum(x.imag),
    "copy": lambda x: (x.copy() ** 2).sum(),
    "cumprod, cumsum": lambda x: x.cumprod(0).sum() * x.cumsum(axis=1).sum(),
    "diagonal, trace": lambda x: (x**2).diagonal().sum() * x[:, :2].trace(),
    "dot": lambda x: x[0].dot(x[1]),
    "list of places": lambda x: (x[[1, -2]] * x).sum(),
    "max, min": lambda x: x.max() * (x**2).min(axis=1).sum(),
    "mean": lambda x: (x**2).mean(axis=0, keepdims=True).prod(),
    "ravel, flatten": lambda x: x.ravel()[3] * x.flatten()[2],
    "repeat": lambda x: (x.repeat(2) ** 2).sum(),
    "reshape": lambda x: (x.reshape(3, 2) * x.reshape((3, -1))).sum(),
    "round": lambda x: (x**2).sum() + x.round().sum(),
    "size": lambda x: (x**2).sum() / x.size,
    "squeeze": lambda x: (x[:1].squeeze() ** 2).sum(),
    "std, var": lambda x: x.std() * x.var(axis=0).sum(),
    "swapaxes": lambda x: (x.swapaxes(0, 1) @ x).sum(),
    "T": lambda x: (x.T @ x).sum(),
    "take": lambda x: (x.take([0, 1], axis=1) ** 2).sum(),
    "transpose": lambda x: (x.transpose() @ x.transpose(1, 0).T).sum(),
    "with a value taken out": lambda x: (x**2).sum() * float(x[0, 0] > 0),
}


@pytest.mark.parametrize("name", METHODS)
def test_methods_of_arrays_are_recorded(name):
    """A function written for arrays has its value, and the gradient that differences give."""
    f = METHODS[name]
    both = tf.value_and_grad(f)
    steps = 1e-6 * np.eye(X.size).reshape(-1, *X.shape)
    slopes = [(f(X + step) - f(X - step)) / 2e-6 for step in steps]
    for _ in range(3):
        value, slope = both(X)
        np.testing.assert_allclose(value, f(X), rtol=1e-14)
        np.testing.assert_allclose(slope.ravel(), slopes, rtol=1e-6, atol=1e-6)


def test_tensors_stay_what_tensorflow_has():
    """Outside of traced functions a tensor has TensorFlow's attributes, afterwards as well."""
    kept = []
    slope = tf.grad(lambda x: kept.append(x) or (x * x).sum())
    slope(np.ones(2))
    slope(tf.constant([1.0, 2.0]))
    for tensor in (*kept, tf.constant([1.0])):
        assert type(tensor) is tf.Tensor
        with pytest.raises(AttributeError, match="sum"):
            tensor.sum()
