"""Jacobians of code that takes elements one by one, as simulations and tests of optimizers do."""

from __future__ import annotations

import symtape as tf
from tests.references.room import Reference, dot, log, mv, sin, total

cos = tf.cos

ELEMENTS: dict[str, Reference] = {
    "two of three": Reference(lambda q: q.x[0] * q.x[1], "x", "[x[1]; x[0]; 0]"),
    "Rosenbrock": Reference(
        lambda q: (1 - q.y[0]) ** 2 + 100 * (q.y[1] - q.y[0] ** 2) ** 2,
        "y",
        "[y[0] (2 - 400 y[1]) + 400 y[0]³ - 2; 200 (y[1] - y[0]²)]",
        book="[-2 (1 - y[0]) - 400 y[0] (y[1] - y[0]²); 200 (y[1] - y[0]²)]",
    ),
    "Rosenbrock's Hessian": Reference(
        lambda q: (1 - q.y[0]) ** 2 + 100 * (q.y[1] - q.y[0] ** 2) ** 2,
        "y",
        "[2 + 1200 y[0]² - 400 y[1], -400 y[0]; -400 y[0], 200]",
        2,
        book="[1200 y[0]² - 400 y[1] + 2, -400 y[0]; -400 y[0], 200]",
    ),
    "double well": Reference(
        lambda q: (q.y[0] ** 2 - 1) ** 2 + q.y[1] ** 2 / 2, "y", "[4 y[0] (y[0]² - 1); y[1]]"
    ),
    "a length by elements": Reference(
        lambda q: tf.sqrt(q.y[0] ** 2 + q.y[1] ** 2),
        "y",
        "[y[1]², -y[0] y[1]; -y[0] y[1], y[0]²] / (y[0]² + y[1]²)^(3/2)",
        2,
    ),
    "a product of an entry and a logarithm": Reference(
        lambda q: q.y[0] * log(q.y[1]),
        "y",
        "[0, 1; 1, -y[0]/y[1]] / y[1]",
        2,
        book="[0, 1/y[1]; 1/y[1], -y[0]/y[1]²]",
    ),
    "Lorenz": Reference(
        lambda q: tf.stack(
            [
                q.s * (q.x[1] - q.x[0]),
                q.x[0] * (q.r - q.x[2]) - q.x[1],
                q.x[0] * q.x[1] - q.t * q.x[2],
            ]
        ),
        "x",
        "[-s, s, 0; r - x[2], -1, -x[0]; x[1], x[0], -t]",
    ),
    "Lotka and Volterra": Reference(
        lambda q: tf.stack([q.y[0] * (q.s - q.t * q.y[1]), q.y[1] * (q.g * q.y[0] - q.k)]),
        "y",
        "[s - t y[1], -t y[0]; y[1] g, y[0] g - k]",
    ),
    "flow of a pendulum": Reference(
        lambda q: tf.stack([q.y[1], -q.g * sin(q.y[0])]), "y", "[0, 1; -g cos(y[0]), 0]"
    ),
    "van der Pol": Reference(
        lambda q: tf.stack([q.y[1], q.s * (1 - q.y[0] ** 2) * q.y[1] - q.y[0]]),
        "y",
        "[0, 1; -(1 + 2 s y[0] y[1]), s (1 - y[0]²)]",
    ),
    "susceptible, infected, recovered": Reference(
        lambda q: tf.stack(
            [-q.s * q.x[0] * q.x[1], q.s * q.x[0] * q.x[1] - q.g * q.x[1], q.g * q.x[1]]
        ),
        "x",
        "[-s x[1], -s x[0], 0; s x[1], s x[0] - g, 0; 0, g, 0]",
    ),
    "polar coordinates": Reference(
        lambda q: tf.stack([q.y[0] * cos(q.y[1]), q.y[0] * sin(q.y[1])]),
        "y",
        "[cos(y[1]), -y[0] sin(y[1]); sin(y[1]), y[0] cos(y[1])]",
    ),
    "spherical coordinates": Reference(
        lambda q: tf.stack(
            [
                q.x[0] * sin(q.x[1]) * cos(q.x[2]),
                q.x[0] * sin(q.x[1]) * sin(q.x[2]),
                q.x[0] * cos(q.x[1]),
            ]
        ),
        "x",
        "[sin(x[1]) cos(x[2]), x[0] cos(x[1]) cos(x[2]), -x[0] sin(x[1]) sin(x[2]); "
        "sin(x[1]) sin(x[2]), x[0] cos(x[1]) sin(x[2]), x[0] sin(x[1]) cos(x[2]); "
        "cos(x[1]), -x[0] sin(x[1]), 0]",
    ),
    "range and bearing": Reference(
        lambda q: tf.stack([tf.sqrt(q.y[0] ** 2 + q.y[1] ** 2), tf.atan2(q.y[1], q.y[0])]),
        "y",
        "[[y[0], y[1]] / √(y[0]² + y[1]²); [-y[1], y[0]] / (y[0]² + y[1]²)]",
    ),
    "a rotation": Reference(
        lambda q: tf.stack(
            [
                cos(q.t) * q.y[0] - sin(q.t) * q.y[1],
                sin(q.t) * q.y[0] + cos(q.t) * q.y[1],
            ]
        ),
        "y",
        "[cos(t), -sin(t); sin(t), cos(t)]",
    ),
    "a cross product": Reference(
        lambda q: tf.linalg.cross(q.a, q.x),
        "x",
        "[a]×",
    ),
    "arm of two links (Siciliano 3.2)": Reference(
        lambda q: tf.stack(
            [
                q.z[0] * cos(q.y[0]) + q.z[1] * cos(q.y[0] + q.y[1]),
                q.z[0] * sin(q.y[0]) + q.z[1] * sin(q.y[0] + q.y[1]),
            ]
        ),
        "y",
        "[-(z[0] sin(y[0]) + z[1] sin(y[0] + y[1])), -z[1] sin(y[0] + y[1]); "
        "z[0] cos(y[0]) + z[1] cos(y[0] + y[1]), z[1] cos(y[0] + y[1])]",
    ),
    "Euler's equations (Goldstein 5.39)": Reference(
        lambda q: tf.linalg.cross(q.a * q.x, q.x) / q.a,
        "x",
        "diag(𝟏 ⊘ a) ([a ⊙ x]× - [x]× diag(a))",
    ),
    "a reaction and its reverse": Reference(
        lambda q: tf.stack([-(r := q.s * q.x[0] * q.x[1] - q.t * q.x[2]), -r, r]),
        "x",
        "[-s x[1], -s x[0], t; -s x[1], -s x[0], t; s x[1], s x[0], -t]",
    ),
    "two cross products": Reference(
        lambda q: tf.linalg.cross(q.a, tf.linalg.cross(q.x, q.c)),
        "x",
        "-[a]× [c]×",
        book="(cᵀ a) I - c aᵀ",
    ),
    "in order": Reference(lambda q: total(q.a * tf.sort(q.x)), "x", "I[argsort(x)]ᵀ a"),
    "squares in order": Reference(
        lambda q: total(q.a * tf.sort(q.x) ** 2),
        "x",
        "2 I[argsort(x)]ᵀ diag(a) I[argsort(x)]",
        2,
    ),
    "a median": Reference(lambda q: tf.sort(q.x)[1], "x", "I[argsort(x)[1]]ᵀ"),
    "the entry that is largest": Reference(
        lambda q: tf.gather(q.x**2, tf.argmax(q.x)), "x", "2 (x ⊙ I[argmax(x)]ᵀ)"
    ),
    "largest entries of rows": Reference(
        lambda q: total(q.y * tf.reduce_max(q.M, 1)),
        "M",
        "diag(y ⊘ ([M = rowmax(M) 𝟏ᵀ] 𝟏)) [M = rowmax(M) 𝟏ᵀ]",
    ),
    "weights packed in a vector": Reference(
        lambda q: total((mv(tf.reshape(tf.concat([q.x, q.a], 0), (2, 3)), q.b) - q.y) ** 2),
        "x",
        "2 vec(b (bᵀ [x, a] - yᵀ))[0:3]",
    ),
    "volume of three edges": Reference(lambda q: dot(q.a, tf.linalg.cross(q.u, q.v)), "u", "v × a"),
    "Lorentz force by the velocity (Jackson 6.1)": Reference(
        lambda q: q.s * (q.a + tf.linalg.cross(q.v, q.b)), "v", "-s [b]×"
    ),
    "a turn by its axis (Rodrigues 1840)": Reference(
        lambda q: (
            tf.cos(q.t) * q.x
            + sin(q.t) * tf.linalg.cross(q.u, q.x)
            + (1 - tf.cos(q.t)) * dot(q.u, q.x) * q.u
        ),
        "u",
        "(1 - cos(t)) (u xᵀ + (xᵀ u) I) - sin(t) [x]×",
    ),
    "a turn by its angle": Reference(
        lambda q: (
            tf.cos(q.t) * q.x
            + sin(q.t) * tf.linalg.cross(q.u, q.x)
            + (1 - tf.cos(q.t)) * dot(q.u, q.x) * q.u
        ),
        "t",
        "sin(t) ((uᵀ x) u - x) + cos(t) u × x",
    ),
    "moment of inertia, twice": Reference(
        lambda q: q.r * total(tf.linalg.cross(q.w, q.x) ** 2) / 2,
        "w",
        "-r [x]×²",
        book="r (‖x‖² I - x xᵀ)",
        order=2,
    ),
    "area of a triangle by a corner": Reference(
        lambda q: tf.norm(tf.linalg.cross(q.x - q.a, q.x - q.b)) / 2,
        "x",
        "(a - b) × ((x - a) × (x - b)) / (2 ‖(x - a) × (x - b)‖)",
    ),
    "distance from a line": Reference(
        lambda q: tf.norm(tf.linalg.cross(q.u, q.x - q.a)) / tf.norm(q.u),
        "x",
        "(u × (x - a)) × u / (‖u‖ ‖u × (x - a)‖)",
    ),
    "field of a current by the place (Jackson 5.4)": Reference(
        lambda q: tf.linalg.cross(q.u, q.x - q.a) / tf.norm(q.x - q.a) ** 3,
        "x",
        "([u]× - 3 (u × (x - a)) (x - a)ᵀ / ‖x - a‖²) / ‖x - a‖³",
    ),
    "area of a triangle by a corner, twice": Reference(
        lambda q: tf.norm(tf.linalg.cross(q.x - q.a, q.x - q.b)) / 2,
        "x",
        "(((b - a) × ((x - a) × (x - b))) ((x - a) × (x - b))ᵀ / ‖(x - a) × (x - b)‖² - [b - a]×)"
        " [b - a]× / (2 ‖(x - a) × (x - b)‖)",
        order=2,
    ),
    "forces between two rows (Lennard-Jones 1924)": Reference(
        lambda q: 4 * ((1 / tf.norm(q.X[0] - q.X[1])) ** 12 - (1 / tf.norm(q.X[0] - q.X[1])) ** 6),
        "X",
        "24 (1 / ‖X[1] - X[0]‖⁸ - 2 / ‖X[1] - X[0]‖¹⁴) [-1; 1; 0] (X[1] - X[0])",
    ),
    "a turn by a quaternion": Reference(
        lambda q: (
            q.v
            + 2 * q.x[0] * tf.linalg.cross(q.u, q.v)
            + 2 * tf.linalg.cross(q.u, tf.linalg.cross(q.u, q.v))
        ),
        "u",
        "-2 ([u]× [v]× + [x[0] v + u × v]×)",
    ),
    "a unit normal": Reference(
        lambda q: tf.linalg.cross(q.x, q.u) / tf.norm(tf.linalg.cross(q.x, q.u)),
        "x",
        "-((x × u) (u × (x × u))ᵀ / ‖x × u‖² + [u]×) / ‖x × u‖",
    ),
    "area of a parallelogram of rows": Reference(
        lambda q: tf.norm(tf.linalg.cross(q.X[0], q.X[1])),
        "X",
        "[X[1] × (X[0] × X[1]); (X[0] × X[1]) × X[0]; 0] / ‖X[0] × X[1]‖",
    ),
    "volume of three rows": Reference(
        lambda q: dot(q.X[0], tf.linalg.cross(q.X[1], q.X[2])),
        "X",
        "[X[1] × X[2]; X[2] × X[0]; X[0] × X[1]]",
    ),
    "fictitious forces by the place (Goldstein 4.91)": Reference(
        lambda q: (
            -q.s * tf.linalg.cross(q.w, tf.linalg.cross(q.w, q.x))
            - 2 * q.s * tf.linalg.cross(q.w, q.v)
        ),
        "x",
        "-s [w]×²",
        book="s (‖w‖² I - w wᵀ)",
    ),
    "energy of two dipoles by the first (Jackson 4.26)": Reference(
        lambda q: (
            dot(q.u, q.v) / tf.norm(q.x) ** 3
            - 3 * dot(q.u, q.x) * dot(q.v, q.x) / tf.norm(q.x) ** 5
        ),
        "u",
        "(v - 3 (xᵀ v) x / ‖x‖²) / ‖x‖³",
    ),
    "torque on a dipole (Jackson 5.71)": Reference(
        lambda q: tf.linalg.cross(q.u, q.s * tf.linalg.cross(q.w, q.x)),
        "x",
        "s [u]× [w]×",
        book="s (w uᵀ - (uᵀ w) I)",
    ),
    "areal velocity by the place (Goldstein 3.8)": Reference(
        lambda q: total(tf.linalg.cross(q.x, q.v) ** 2) / 2, "x", "v × (x × v)"
    ),
}
ELEMENTS = {name: r._replace(is_of_any_size=False) for name, r in ELEMENTS.items()}
"""How many elements there are, the code says."""
