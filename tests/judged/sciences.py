# ruff: noqa: D103 - a candidate is described by its name
"""Derivatives from physics and finance; functions in NumPy."""

from __future__ import annotations

import math

import numpy as np

import symtape as tf
from tests.judged import causes as by
from tests.judged.case import Case

# --- Black and Scholes ----------------------------------------------------------------------------


def phi(x):
    return 0.5 * (1 + tf.math.erf(x / math.sqrt(2)))


def call_price(S, K, T, r, v):
    d1 = (tf.math.log(S / K) + (r + 0.5 * v**2) * T) / (v * tf.sqrt(T))
    return S * phi(d1) - K * tf.exp(-r * T) * phi(d1 - v * tf.sqrt(T))


market = {"domain": dict.fromkeys("SKTrv", "positive")}


def quotes(rng):
    return [np.array(v) * rng.uniform(0.9, 1.1) for v in (1.1, 1.0, 0.8, 0.05, 0.3)]


greeks = Case("greeks", call_price, quotes, "gradient", market)


def cumulative(x):
    return 0.5 * math.erfc(-float(x) / math.sqrt(2))


@greeks.right
def greeks_by_formula(S, K, T, r, v):
    root = np.sqrt(T)
    d1 = (np.log(S / K) + (r + v * v / 2) * T) / (v * root)
    d2 = d1 - v * root
    density = np.exp(-d1 * d1 / 2) / 2.5066282746310002
    delta = cumulative(d1)
    discount = np.exp(-r * T)
    theta = S * density * v / (2 * root) + r * K * discount * cumulative(d2)
    bond = discount * cumulative(d2)
    return delta, -bond, theta, K * T * bond, S * density * root


greeks.but(greeks_by_formula, by.MISSING, (" + r * K * discount * cumulative(d2)", ""))
greeks.but(greeks_by_formula, by.SIGN, ("return delta, -bond", "return delta, bond"))
greeks.but(
    greeks_by_formula,
    by.SIGN,
    ("theta = S * density * v / (2 * root) + r", "theta = -S * density * v / (2 * root) - r"),
)
greeks.but(
    greeks_by_formula,
    by.any_of(by.FACTOR, "100|percent"),
    ("S * density * root", "S * density * root / 100"),
)
greeks.but(
    greeks_by_formula,
    by.any_of("d1|d2|instead", by.OTHER, by.SWAPPED),
    ("delta = cumulative(d1)", "delta = cumulative(d2)"),
)
greeks.but(
    greeks_by_formula,
    by.any_of(by.MISSING, by.FACTOR, "T\\b"),
    ("K * T * bond", "K * bond"),
)

gamma = Case(
    "second derivative of a call",
    lambda S, v: call_price(S, *np.array([1.0, 0.5, 0.02]), v),
    lambda rng: [np.array(1.05), np.array(0.25)],
    "hessian",
    {"wrt": [0], "domain": {"S": "positive", "v": "positive"}},
)


@gamma.right
def gamma_of_call(S, v):
    d1 = (np.log(S) + (0.02 + v * v / 2) * 0.5) / (v * math.sqrt(0.5))
    return np.exp(-0.5 * d1**2) / np.sqrt(2 * np.pi) / (S * v * math.sqrt(0.5))


gamma.but(gamma_of_call, by.any_of(by.MISSING, "S\\b", by.FACTOR), ("(S * v * math", "(v * math"))
gamma.but(
    gamma_of_call,
    by.any_of(by.FACTOR, by.OTHER, by.MISSING, by.CONSTANT),
    ("-0.5 * d1**2", "-(d1**2)"),
)
gamma.but(
    gamma_of_call, by.any_of(by.FACTOR, by.TWICE), (" / np.sqrt(2 * np.pi)", " / np.sqrt(np.pi)")
)

# --- particles, oscillators, fields ---------------------------------------------------------------


def lennard_jones(x):
    energy = 0.0
    for i in range(3):
        for j in range(i):
            r2 = np.sum((x[i] - x[j]) ** 2)
            energy = energy + 4 * (r2**-6 - r2**-3)
    return energy


particles = Case(
    "lennard-jones forces",
    lennard_jones,
    lambda rng: [np.array([[0.0, 0], [1.1, 0.2], [0.3, 1.2]]) + 0.05 * rng.normal(size=(3, 2))],
    "gradient",
)


@particles.right
def particles_by_pairs(x):
    F = np.zeros_like(x)
    for i in range(3):
        for j in range(i + 1, 3):
            d = x[i] - x[j]
            s = 1 / (d @ d)
            f = 24 * s * (2 * s**6 - s**3) * d
            F[i] -= f
            F[j] += f
    return F


particles.but(
    particles_by_pairs,
    by.any_of(by.MISSING, by.ENTRIES, "symmetric|pair"),
    ("            F[j] += f\n", ""),
)
particles.but(particles_by_pairs, by.SIGN, ("F[i] -= f", "F[i] += f"), ("F[j] += f", "F[j] -= f"))
particles.but(particles_by_pairs, by.any_of(by.FACTOR, by.MISSING), ("2 * s**6", "s**6"))
particles.but(particles_by_pairs, by.any_of(by.HALF, by.FACTOR), ("24 * s", "12 * s"))
particles.but(particles_by_pairs, by.any_of(by.MISSING, by.FACTOR), ("24 * s * (2", "24 * (2"))

harmonic = Case(
    "jvp of an euler step",
    lambda q, p: (q + 0.1 * p, p - 0.1 * np.sin(q)),
    lambda rng: [rng.normal(size=3), rng.normal(size=3)],
    "jvp",
)


@harmonic.right
def harmonic_tangents(q, p, dq, dp):
    return dq + 0.1 * dp, dp - 0.1 * np.cos(q) * dq


harmonic.but(harmonic_tangents, by.SIGN, ("dp - 0.1 * np", "dp + 0.1 * np"))
harmonic.but(harmonic_tangents, by.any_of(by.OTHER, "sin|cos"), ("np.cos(q)", "np.sin(q)"))
harmonic.but(harmonic_tangents, by.MISSING, ("dq + 0.1 * dp", "dq"))
harmonic.but(
    harmonic_tangents,
    by.any_of("dp|tangent", by.SWAPPED, by.OTHER),
    ("np.cos(q) * dq", "np.cos(q) * dp"),
)

polar = Case(
    "jacobian of polar coordinates",
    lambda z: np.stack([np.hypot(z[0], z[1]), np.arctan2(z[1], z[0])]),
    lambda rng: [rng.normal(size=2)],
    "jacobian",
)


@polar.right
def polar_rows(z):
    x, y = z
    r = math.hypot(x, y)
    return np.array([[x / r, y / r], [-y / r**2, x / r**2]])


polar.but(
    polar_rows,
    by.TRANSPOSED,
    ("[[x / r, y / r], [-y / r**2, x / r**2]]", "[[x / r, -y / r**2], [y / r, x / r**2]]"),
)
polar.but(polar_rows, by.SIGN, ("[-y / r**2, x / r**2]", "[y / r**2, -x / r**2]"))
polar.but(
    polar_rows,
    by.any_of(by.MISSING, by.FACTOR, by.ENTRIES),
    ("[-y / r**2, x / r**2]", "[-y / r, x / r]"),
)

planck = Case(
    "planck's law",
    lambda nu, T: nu**3 / (np.exp(nu / T) - 1),
    lambda rng: [rng.uniform(0.5, 2, size=3), rng.uniform(0.5, 2, size=3)],
    options={"domain": {"nu": "positive", "T": "positive"}},
)


@planck.right
def planck_hyperbolic(nu, T, g):
    half = nu / T / 2
    dT = nu**4 / T**2 / (4 * np.sinh(half) ** 2)
    dnu = 3 * nu**2 / np.expm1(nu / T) - dT * T / nu
    return g * dnu, g * dT


planck.but(planck_hyperbolic, by.MISSING, (" - dT * T / nu", ""))
planck.but(
    planck_hyperbolic,
    by.any_of(by.MISSING, by.FACTOR, "power"),
    ("dT = nu**4 / T**2", "dT = nu**4 / T"),
    ("- dT * T / nu", "- dT / nu"),
)
planck.but(planck_hyperbolic, by.any_of(by.FACTOR, by.MISSING), ("3 * nu**2", "nu**2"))

wave = Case(
    "energy of a string",
    lambda u: 0.5 * np.sum(np.diff(u) ** 2) + 0.25 * np.sum(u**4),
    lambda rng: [rng.normal(size=5)],
    "gradient",
)


@wave.right
def wave_stencil(u):
    out = u**3
    out[1:-1] += 2 * u[1:-1] - u[:-2] - u[2:]
    out[0] += u[0] - u[1]
    out[-1] += u[-1] - u[-2]
    return out


wave.but(
    wave_stencil,
    by.any_of("edge|bound|first|last", by.ENTRIES),
    ("    out[0] += u[0] - u[1]\n    out[-1] += u[-1] - u[-2]\n", ""),
)
wave.but(
    wave_stencil,
    by.any_of("edge|bound|first|last", by.FACTOR, by.ENTRIES),
    ("    out[0] += u[0] - u[1]\n", "    out[0] += 2 * u[0] - u[1]\n"),
)
wave.but(wave_stencil, by.SIGN, ("2 * u[1:-1] - u[:-2] - u[2:]", "u[:-2] + u[2:] - 2 * u[1:-1]"))
wave.but(wave_stencil, by.any_of(by.MISSING), ("out = u**3", "out = np.zeros_like(u)"))
wave.but(
    wave_stencil, by.any_of(by.SHIFT, by.ENTRIES, by.SWAPPED), ("- u[:-2] - u[2:]", "- 2 * u[2:]")
)

newton = Case(
    "implicit cube root",
    lambda a: a ** (1 / 3),
    lambda rng: [rng.uniform(0.5, 3, size=3)],
    options={"domain": {"a": "positive"}},
)


@newton.right
def newton_implicit(a, g):
    x = np.ones_like(a)
    for _ in range(60):
        x = x - (x**3 - a) / (3 * x**2)
    return g / (3 * x * x)


newton.but(
    newton_implicit,
    by.any_of("converge|digits|rounded|iterat", by.FACTOR, by.SATURATED, by.FLOAT32),
    ("range(60)", "range(3)"),
)
newton.but(newton_implicit, by.any_of(by.MISSING, by.FACTOR), ("g / (3 * x * x)", "g / (x * x)"))
newton.but(
    newton_implicit,
    by.any_of(by.OTHER, by.MISSING, "power", by.FACTOR),
    ("g / (3 * x * x)", "g / (3 * x)"),
)
