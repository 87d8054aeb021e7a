"""Loops for numba and in C, against numba and JAX as a person writes them; one thread each.

Contenders compute the same results in float64, are compiled before they are timed, and keep their
results in arrays of their own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import symtape as st
from tests.benchmarks import problems
from tests.benchmarks.harness import Work, compare, peer

MILLION = 10**6
LIMITS = {"numba by hand": 1.1, "jax.jit": 1.1}


def backends() -> None:
    """Time a gradient of a million, greeks of a million options, and forces on 500 atoms."""
    _rosenbrock()
    _greeks()
    _forces()


def _side_by_side(
    title: str,
    derivative: Any,
    by_hand: tuple[Callable[..., Any], tuple[Any, ...]],
    jax: Callable[[Any], Callable[..., Any]],
    arrays: Mapping[str, Any],
    tolerance: float,
) -> None:
    """Compare the backends of one formula with what is written by hand."""
    numba = peer("numba")
    values = list(arrays.values())
    own = {name: derivative.lambdify(args=list(arrays), backend=name) for name in ("numba", "c")}
    hand, given = by_hand
    compare(
        title,
        {
            "symtape, numba": numba and (lambda: own["numba"](*values)),
            "numba by hand": numba and _numba(numba, hand, given),
            "jax.jit": _jax(jax, given),
            "symtape, c": peer("cffi") and (lambda: own["c"](*values)),
        },
        limits=LIMITS,
        tolerance=tolerance,
    )


def _numba(numba: Any, function: Callable[..., Any], given: tuple[Any, ...]) -> Work:
    compiled = numba.njit(function, error_model="numpy")
    return lambda: compiled(*given)


def _jax(function: Callable[[Any], Callable[..., Any]], given: tuple[Any, ...]) -> Work | None:
    jax = peer("jax")
    if jax is None:
        return None
    jax.config.update("jax_enable_x64", True)
    compiled = jax.jit(function(jax))
    own = [jax.numpy.asarray(a) for a in given]
    return lambda: jax.block_until_ready(compiled(*own))


# --- Rosenbrock -----------------------------------------------------------------------------------


def _rosenbrock() -> None:
    x = st.constant(np.random.default_rng(0).uniform(-1, 1, MILLION))
    with st.GradientTape() as tape:
        tape.watch(x)
        y = problems.rosenbrock(x)

    def by_jax(jax: Any) -> Any:
        def f(x: Any) -> Any:
            return (100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2).sum()

        return jax.grad(f)

    value = x.numpy()
    _side_by_side(
        f"gradient of Rosenbrock's function, n = {MILLION}",
        tape.gradient(y, x),
        (_rosenbrock_loop, (value,)),
        by_jax,
        {"x": value},
        1e-10,
    )


def _rosenbrock_loop(x: Any) -> Any:
    n = len(x)
    out = np.empty(n)
    out[0] = -400 * x[0] * (x[1] - x[0] * x[0]) - 2 * (1 - x[0])
    for i in range(1, n - 1):
        inner = x[i]
        out[i] = (
            200 * (inner - x[i - 1] * x[i - 1])
            - 400 * inner * (x[i + 1] - inner * inner)
            - 2 * (1 - inner)
        )
    out[n - 1] = 200 * (x[n - 1] - x[n - 2] * x[n - 2])
    return out


# --- Black and Scholes ----------------------------------------------------------------------------


def _greeks() -> None:
    values = problems.options(MILLION)
    s, k, v, r, t = (st.constant(a) for a in values)
    with st.GradientTape(persistent=True) as outer:
        outer.watch([s, k, v, r, t])
        with st.GradientTape(persistent=True) as inner:
            inner.watch([s, v, t])
            price = problems.call_price(s, k, v, r, t)
        delta, vega, theta = inner.gradient(price, [s, v, t])
        found = st.stack([delta, problems.curvature(s, k, v, r, t), vega, theta])

    def by_jax(jax: Any) -> Any:
        def price(s: Any, k: Any, v: Any, r: Any, t: Any) -> Any:
            np = jax.numpy
            d1 = (np.log(s / k) + (r + v * v / 2) * t) / (v * np.sqrt(t))
            d2 = d1 - v * np.sqrt(t)
            below, far = (0.5 * (1 + jax.scipy.special.erf(z / 2**0.5)) for z in (d1, d2))
            return s * below - k * np.exp(-r * t) * far

        def total(*a: Any) -> Any:
            return price(*a).sum()

        def all_four(*a: Any) -> Any:
            delta, vega, theta = jax.grad(total, argnums=(0, 2, 4))(*a)
            gamma = jax.grad(lambda *b: jax.grad(total)(*b).sum())(*a)
            return jax.numpy.stack([delta, gamma, vega, theta])

        return all_four

    _side_by_side(
        f"delta, gamma, vega and theta of {MILLION} options",
        found,
        (_greeks_loop, tuple(values)),
        by_jax,
        dict(zip("skvrt", values, strict=True)),
        1e-9,
    )


def _greeks_loop(s: Any, k: Any, v: Any, r: Any, t: Any) -> Any:
    out = np.empty((4, len(s)))
    for i in range(len(s)):
        root = math.sqrt(t[i])
        wide = v[i] * root
        d1 = (math.log(s[i] / k[i]) + (r[i] + 0.5 * v[i] * v[i]) * t[i]) / wide
        d2 = d1 - wide
        density = math.exp(-0.5 * d1 * d1) * 0.3989422804014327
        far = 0.5 * (1.0 + math.erf(d2 * 0.7071067811865476))
        out[0, i] = 0.5 * (1.0 + math.erf(d1 * 0.7071067811865476))
        out[1, i] = density / (s[i] * wide)
        out[2, i] = s[i] * density * root
        out[3, i] = (
            s[i] * density * v[i] / (2.0 * root) + r[i] * k[i] * math.exp(-r[i] * t[i]) * far
        )
    return out


# --- Lennard and Jones ----------------------------------------------------------------------------


def _forces() -> None:
    value = problems.atoms(500)
    x = st.constant(value)
    with st.GradientTape() as tape:
        tape.watch(x)
        y = problems.energy(x)

    def by_jax(jax: Any) -> Any:
        def energy(x: Any) -> Any:
            unit = jax.numpy.eye(len(x))
            apart = x[:, None, :] - x[None, :, :]
            inverse = 1.0 / ((apart * apart).sum(-1) + unit) ** 3
            return 0.5 * (4.0 * (inverse * inverse - inverse) * (1.0 - unit)).sum()

        return jax.grad(energy)

    _side_by_side(
        "Lennard-Jones forces on 500 atoms",
        tape.gradient(y, x),
        (_forces_loop, (value,)),
        by_jax,
        {"x": value},
        1e-8,
    )


def _forces_loop(x: Any) -> Any:
    n = len(x)
    out = np.zeros((n, 3))
    for i in range(n):
        for j in range(i + 1, n):
            a, b, c = x[i, 0] - x[j, 0], x[i, 1] - x[j, 1], x[i, 2] - x[j, 2]
            inverse = 1.0 / (a * a + b * b + c * c)
            sixth = inverse * inverse * inverse
            pull = (24.0 * sixth - 48.0 * sixth * sixth) * inverse
            out[i, 0] += pull * a
            out[i, 1] += pull * b
            out[i, 2] += pull * c
            out[j, 0] -= pull * a
            out[j, 1] -= pull * b
            out[j, 2] -= pull * c
    return out


TABLES = (backends,)
