"""Functions of what is moved around an axis: finite differences whose ends are neighbours."""

from __future__ import annotations

import symtape as tf
from tests.references.room import Reference, dot, exp, sin, total

AROUND: dict[str, Reference] = {
    "spins on a ring (Ising 1925)": Reference(
        lambda q: -dot(q.x, tf.roll(q.x, 1, 0)), "x", "-(Π + Πᵀ) x"
    ),
    "spins on a ring, twice": Reference(
        lambda q: -dot(q.x, tf.roll(q.x, 1, 0)), "x", "-(Π + Πᵀ)", order=2
    ),
    "a lattice with exponential forces (Toda 1967)": Reference(
        lambda q: total(exp(q.x - tf.roll(q.x, -1, 0))), "x", "(I - Π) exp(x - Πᵀ x)"
    ),
    "a lattice with exponential forces, twice": Reference(
        lambda q: total(exp(q.x - tf.roll(q.x, -1, 0))),
        "x",
        "(I - Π) diag(exp(x - Πᵀ x)) (I - Π)ᵀ",
        order=2,
    ),
    "reaction and diffusion (Gray and Scott 1983)": Reference(
        lambda q: (
            q.s * (tf.roll(q.x, 1, 0) - 2 * q.x + tf.roll(q.x, -1, 0))
            - q.x * q.a**2
            + q.t * (1 - q.x)
        ),
        "x",
        "s (Π + Πᵀ) - (2 s + t) I - diag(a^⊙2)",
    ),
    "phases on a lattice": Reference(
        lambda q: (
            -total(tf.cos(q.X - tf.roll(q.X, 1, 0))) - total(tf.cos(q.X - tf.roll(q.X, 1, 1)))
        ),
        "X",
        "(I - Πᵀ) sin(X - Π X) + sin(X - X Πᵀ) (I - Π)",
    ),
    "area within a polygon (Meister 1769)": Reference(
        lambda q: dot(q.x, tf.roll(q.a, -1, 0)) / 2 - dot(q.a, tf.roll(q.x, -1, 0)) / 2,
        "x",
        "(Πᵀ - Π) a / 2",
    ),
    "a wave that is moved": Reference(
        lambda q: total(sin(q.x) * tf.roll(q.x, 1, 0)), "x", "(Π x) ⊙ cos(x) + Πᵀ sin(x)"
    ),
}
