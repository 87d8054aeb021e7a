"""Problems that several tables time, each in TensorFlow's words and in hand-written NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

import symtape as st

Arrays = list[np.ndarray[Any, Any]]


# --- Rosenbrock -----------------------------------------------------------------------------------


def rosenbrock(x: Any) -> Any:
    """Give Rosenbrock's function of a vector."""
    return st.reduce_sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def rosenbrock_slope(x: Any) -> Any:
    """Give its gradient as `scipy.optimize.rosen_der` writes it."""
    inner, before, after = x[1:-1], x[:-2], x[2:]
    out = np.zeros_like(x)
    out[1:-1] = 200 * (inner - before**2) - 400 * (after - inner**2) * inner - 2 * (1 - inner)
    out[0] = -400 * x[0] * (x[1] - x[0] ** 2) - 2 * (1 - x[0])
    out[-1] = 200 * (x[-1] - x[-2] ** 2)
    return out


# --- Black and Scholes ----------------------------------------------------------------------------


def options(count: int) -> Arrays:
    """Draw prices, strikes, volatilities, rates and times to maturity."""
    rng = np.random.default_rng(0)
    bounds = ((80, 120), (80, 120), (0.1, 0.5), (0.01, 0.05), (0.2, 2.0))
    return [rng.uniform(low, high, count) for low, high in bounds]


def call_price(s: Any, k: Any, v: Any, r: Any, t: Any) -> Any:
    """Give the price of a European call."""
    d1 = (st.math.log(s / k) + (r + v * v / 2.0) * t) / (v * st.sqrt(t))
    d2 = d1 - v * st.sqrt(t)

    def normal(z: Any) -> Any:
        return 0.5 * (1.0 + st.math.erf(z / np.sqrt(2.0)))

    return s * normal(d1) - k * st.exp(-r * t) * normal(d2)


def curvature(s: Any, k: Any, v: Any, r: Any, t: Any) -> Any:
    """Derive the price twice by the price of the share."""
    with st.GradientTape() as second:
        second.watch(s)
        with st.GradientTape() as first:
            first.watch(s)
            price = call_price(s, k, v, r, t)
        delta = first.gradient(price, s)
    return second.gradient(delta, s)


def greeks(s: Any, k: Any, v: Any, r: Any, t: Any) -> list[Any]:
    """Give delta, vega, rho and theta by the textbook's closed forms."""
    from scipy.special import erf  # noqa: PLC0415 - a peer

    root = np.sqrt(t)
    d1 = (np.log(s / k) + (r + v * v / 2) * t) / (v * root)
    d2 = d1 - v * root
    discount = np.exp(-r * t)
    below, far = 0.5 * (1 + erf(d1 / np.sqrt(2))), 0.5 * (1 + erf(d2 / np.sqrt(2)))
    density = np.exp(-d1 * d1 / 2) / np.sqrt(2 * np.pi)
    return [
        below,
        s * root * density,
        k * t * discount * far,
        s * density * v / (2 * root) + r * k * discount * far,
    ]


def gamma(s: Any, k: Any, v: Any, r: Any, t: Any) -> Any:
    """Give gamma by its closed form."""
    wide = v * np.sqrt(t)
    d1 = (np.log(s / k) + (r + 0.5 * v * v) * t) / wide
    return np.exp(-0.5 * d1 * d1) / np.sqrt(2 * np.pi) / (s * wide)


# --- Lennard and Jones ----------------------------------------------------------------------------


def atoms(count: int) -> np.ndarray[Any, Any]:
    """Put atoms on a lattice, each a little off its place."""
    side = int(np.ceil(count ** (1 / 3)))
    grid = np.stack(np.meshgrid(*[np.arange(side)] * 3), -1).reshape(-1, 3)[:count]
    return 1.2 * grid + np.random.default_rng(0).normal(0, 0.05, (count, 3))


def energy(x: Any) -> Any:
    """Give the energy of atoms by the 12-6 potential of every pair."""
    count = x.shape[0]
    apart = x[:, None, :] - x[None, :, :]
    square = st.reduce_sum(apart * apart, axis=-1) + st.eye(count, dtype=x.dtype)
    inverse = 1.0 / square**3
    pairs = 4.0 * (inverse * inverse - inverse)
    return 0.5 * st.reduce_sum(pairs * (1.0 - st.eye(count, dtype=x.dtype)))


def slopes_of_energy(x: Any) -> Any:
    """Give the gradient of the energy: forces with their signs changed."""
    apart = x[:, None, :] - x[None, :, :]
    square = (apart**2).sum(-1)
    np.fill_diagonal(square, 1.0)
    inverse = 1 / square**3
    pull = -24 * (2 * inverse**2 - inverse) / square
    np.fill_diagonal(pull, 0.0)
    return (pull[:, :, None] * apart).sum(1)


# --- a network ------------------------------------------------------------------------------------


def network(rows: int) -> tuple[Arrays, np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Draw the parameters of a 10-32-32-1 network, and data of some rows."""
    rng = np.random.default_rng(0)
    shapes = ((10, 32), (32,), (32, 32), (32,), (32, 1), (1,))
    parameters = [rng.normal(0, 0.3, shape).astype(np.float32) for shape in shapes]
    x, y = rng.normal(size=(rows, 10)), rng.normal(size=(rows, 1))
    return parameters, x.astype(np.float32), y.astype(np.float32)


def network_loss(tf: Any, p: Any, x: Any, y: Any) -> Any:
    """Give the mean square of what the network is off by, in TensorFlow's words."""
    hidden = tf.tanh(x @ p[0] + p[1])
    hidden = tf.tanh(hidden @ p[2] + p[3])
    return tf.reduce_mean((hidden @ p[4] + p[5] - y) ** 2)


def network_slopes(p: Arrays, x: Any, y: Any) -> list[Any]:
    """Give the loss and its gradients as they are written by hand."""
    w1, b1, w2, b2, w3, b3 = p
    h1 = np.tanh(x @ w1 + b1)
    h2 = np.tanh(h1 @ w2 + b2)
    off = h2 @ w3 + b3 - y
    loss = (off * off).mean()
    g3 = np.float32(2 / len(x)) * off
    g2 = (g3 @ w3.T) * (1 - h2 * h2)
    g1 = (g2 @ w2.T) * (1 - h1 * h1)
    return [loss, x.T @ g1, g1.sum(0), h1.T @ g2, g2.sum(0), h2.T @ g3, g3.sum(0)]
