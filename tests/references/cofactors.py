"""Small matrices that are stacked of scalars, and angles: what books write by no inverse."""

from __future__ import annotations

from typing import Any

import numpy as np

import symtape as tf
from tests.references.room import Reference, T, det, dot, inv, log, qf, total, tr

sqrt, cos, sin = tf.sqrt, tf.cos, tf.sin


def rows(*entries: Any) -> Any:
    """Stack rows of scalars."""
    return tf.stack([tf.stack([*row]) for row in entries])


def log_det(a: Any) -> Any:
    """Give the logarithm of a determinant; its slope is one where that is negative, too."""
    return log(det(a))


def spread(s: Any, t: Any, r: Any) -> Any:
    """Give the covariance of two variables that have deviations s and t, and the correlation r."""
    return rows((s**2, r * s * t), (r * s * t, t**2))


def arm(x: Any, s: Any, t: Any) -> Any:
    """Give the Jacobian of an arm of two links, of lengths s and t."""
    both = x[0] + x[1]
    return rows(
        (-s * sin(x[0]) - t * sin(both), -t * sin(both)),
        (s * cos(x[0]) + t * cos(both), t * cos(both)),
    )


def angle(x: Any, a: Any) -> Any:
    """Give the angle between two vectors."""
    return tf.acos(dot(x, a) / (tf.norm(x) * tf.norm(a)))


COFACTORS: dict[str, Reference] = {
    "manipulability of an arm (Yoshikawa 1985)": Reference(
        lambda q: sqrt(det(arm(q.x, q.s, q.t) @ T(arm(q.x, q.s, q.t)))),
        "x",
        "t² s² cos(x[1]) sin(x[1]) I[1]ᵀ / |t s sin(x[1])|",
    ),
    "entropy of two normals by their correlation": Reference(
        lambda q: log_det(spread(q.s, q.t, q.r)) / 2, "r", "r / (r² - 1)"
    ),
    "its Hessian 4": Reference(
        lambda q: log_det(spread(q.s, q.t, q.r)) / 2, "r", "-(1 + r²) / (r² - 1)²", order=2
    ),
    "two normals by their correlation (Anderson 4.2)": Reference(
        lambda q: (
            -(log_det(spread(q.s, q.t, q.r)) + qf(inv(spread(q.s, q.t, q.r)), tf.stack([q.g, q.k])))
            / 2
        ),
        "r",
        "(r + (t r g - s k) (s r k - t g) / (s² t² (1 - r²))) / (1 - r²)",
    ),
    "two normals by a deviation": Reference(
        lambda q: (
            -(log_det(spread(q.s, q.t, q.r)) + qf(inv(spread(q.s, q.t, q.r)), tf.stack([q.g, q.k])))
            / 2
        ),
        "s",
        "(1 + g (k r / t - g/s) / s - r²) / (s (r² - 1))",
    ),
    "three equal correlations": Reference(
        lambda q: log_det(
            rows((q.r / q.r, q.r, q.r), (q.r, q.r / q.r, q.r), (q.r, q.r, q.r / q.r))
        ),
        "r",
        "6 r / (2 r² - r - 1)",
    ),
    "a design for a line (Fedorov 1972)": Reference(
        lambda q: log(
            det(rows((total(q.a), total(q.a * q.x)), (total(q.a * q.x), total(q.a * q.x**2))))
        ),
        "a",
        "((aᵀ x^⊙2) 𝟏 + (x^⊙2 𝟏ᵀ - 2 x xᵀ) a) / (aᵀ x^⊙2 𝟏ᵀ a - (aᵀ x)²)",
    ),
    "slope of a line by what is measured": Reference(
        lambda q: tf.linalg.solve(
            rows((total(q.x**2), total(q.x)), (total(q.x), total(q.x / q.x))),
            rows((total(q.x * q.a),), (total(q.a),)),
        )[0, 0],
        "a",
        "(3 x - (𝟏ᵀ x) 𝟏) / (3 ‖x‖² - (𝟏ᵀ x)²)",
        is_of_any_size=False,
    ),
    "A-optimal, two by two": Reference(
        lambda q: tr(inv(rows((q.s, q.r), (q.r, q.t)))), "s", "-(t² + r²) / (t s - r²)²"
    ),
    "a discriminant (Sylvester 1851)": Reference(
        lambda q: det(rows((q.s, q.t, q.r), (2 * q.s, q.t, 0 * q.s), (0 * q.s, 2 * q.s, q.t))),
        "t",
        "-2 s t",
    ),
    "volume element of the plane": Reference(
        lambda q: det(rows((cos(q.t), -q.r * sin(q.t)), (sin(q.t), q.r * cos(q.t)))), "r", "1"
    ),
    "phase of two waves": Reference(
        lambda q: log((cos(q.s) + cos(q.t)) ** 2 + (sin(q.s) + sin(q.t)) ** 2),
        "s",
        "-2 sin(s - t) / ((cos(s) + cos(t))² + (sin(s) + sin(t))²)",
    ),
    "a coupled pair (Kuramoto 1975)": Reference(
        lambda q: q.k * (sin(q.s) * cos(q.t) - cos(q.s) * sin(q.t)), "s", "k cos(s - t)"
    ),
    "conductances on a line (Carpentier 1962)": Reference(
        lambda q: (
            q.g * (q.s * cos(q.t)) ** 2 - q.r * q.s * (sin(q.t) * cos(q.k) - cos(q.t) * sin(q.k))
        ),
        "t",
        "-s (2 s g cos(t) sin(t) + r cos(t - k))",
    ),
    "a turn in the plane by its angle": Reference(
        lambda q: tf.reshape(tf.stack([cos(q.t), -sin(q.t), sin(q.t), cos(q.t)]), [2, 2]),
        "t",
        "[-sin(t), -cos(t); cos(t), -sin(t)]",
    ),
    "a turn back in the plane by its angle": Reference(
        lambda q: tf.reshape(tf.stack([cos(q.t), -sin(q.t), sin(q.t), cos(q.t)])[::-1], [2, 2]),
        "t",
        "[-sin(t), cos(t); -cos(t), -sin(t)]",
    ),
    "speeds of an arm of two links by its joints": Reference(
        lambda q: tf.stack(
            [q.s * cos(q.x[0]) + cos(q.x[0] + q.x[1]), q.s * sin(q.x[0]) + sin(q.x[0] + q.x[1])]
        ),
        "x",
        "[-(s sin(x[0]) + sin(x[0] + x[1])), -sin(x[0] + x[1]), 0; "
        "s cos(x[0]) + cos(x[0] + x[1]), cos(x[0] + x[1]), 0]",
    ),
    "kernel of a wide layer (Cho and Saul 2009)": Reference(
        lambda q: (
            tf.norm(q.x)
            * tf.norm(q.a)
            * (sin(angle(q.x, q.a)) + (np.pi - angle(q.x, q.a)) * cos(angle(q.x, q.a)))
            / np.pi
        ),
        "x",
        "((π - acos(aᵀ x / (‖a‖ ‖x‖))) a + ‖a‖ √(1 - (aᵀ x)² / (‖a‖² ‖x‖²)) x / ‖x‖) / π",
    ),
    "a filter of two poles (Nise 10.1)": Reference(
        lambda q: q.s**2 / sqrt((q.s**2 - q.t**2) ** 2 + (2 * q.r * q.s * q.t) ** 2),
        "t",
        "2 t s² (s² (1 - 2 r²) - t²) / ((s² - t²)² + 4 s² t² r²)^(3/2)",
    ),
    "phase of a filter of two poles": Reference(
        lambda q: -tf.atan2(2 * q.r * q.s * q.t, q.s**2 - q.t**2),
        "t",
        "-2 r s (s² + t²) / ((s² - t²)² + 4 r² s² t²)",
    ),
    "reflected light by the index (Fresnel)": Reference(
        lambda q: (
            ((cos(q.t) - sqrt(q.s**2 - sin(q.t) ** 2)) / (cos(q.t) + sqrt(q.s**2 - sin(q.t) ** 2)))
            ** 2
        ),
        "s",
        "4 s cos(t) (√(s² - sin(t)²) - cos(t)) / ((cos(t) + √(s² - sin(t)²))³ √(s² - sin(t)²))",
    ),
    "distance on a sphere by a longitude (haversine)": Reference(
        lambda q: tf.asin(
            sqrt(sin((q.s - q.t) / 2) ** 2 + cos(q.s) * cos(q.t) * sin((q.r - q.g) / 2) ** 2)
        ),
        "r",
        "sin(r - g) cos(t) cos(s) / "
        "(4 √(1 - sin((t - s) / 2)² - sin((r - g) / 2)² cos(t) cos(s)) "
        "√(sin((t - s) / 2)² + sin((r - g) / 2)² cos(t) cos(s)))",
    ),
}
