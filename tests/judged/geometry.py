# ruff: noqa: D103 - a candidate is described by its name
"""Backward passes of splatting, rays, rotations and distances."""

from __future__ import annotations

import numpy as np

import symtape as tf
from tests.judged import causes as by
from tests.judged.case import Case

# --- Gaussian splatting ---------------------------------------------------------------------------


def splat_of(mean, conic, opacity, pixel):
    d = mean - pixel
    power = -0.5 * (conic[0] * d[0] ** 2 + conic[2] * d[1] ** 2) - conic[1] * d[0] * d[1]
    return opacity * tf.exp(power)


def splats(rng):
    return [
        rng.normal(size=2),
        np.array([1.2, 0.3, 0.9]) + 0.1 * rng.normal(size=3),
        rng.uniform(0.2, 0.9),
        rng.normal(size=2),
    ]


splat = Case("gaussian splat", splat_of, splats, options={"wrt": [0, 1, 2]})


@splat.right
def splat_kernel(mean, conic, opacity, pixel, g):
    dx, dy = mean[0] - pixel[0], mean[1] - pixel[1]
    G = np.exp(-0.5 * (conic[0] * dx * dx + conic[2] * dy * dy) - conic[1] * dx * dy)
    dL_dG = opacity * g
    gdx, gdy = G * dx, G * dy
    dmean = np.zeros(2)
    dmean[0] = dL_dG * (-gdx * conic[0] - gdy * conic[1])
    dmean[1] = dL_dG * (-gdy * conic[2] - gdx * conic[1])
    dconic = np.zeros(3)
    dconic[0] = -0.5 * gdx * dx * dL_dG
    dconic[1] = -gdx * dy * dL_dG
    dconic[2] = -0.5 * gdy * dy * dL_dG
    return dmean, dconic, G * g


splat.but(
    splat_kernel,
    by.any_of(by.HALF, by.CONVENTION, by.ENTRIES, by.FACTOR),
    ("dconic[1] = -gdx", "dconic[1] = -0.5 * gdx"),
)
splat.but(splat_kernel, by.MISSING, ("(-gdx * conic[0] - gdy * conic[1])", "(-gdx * conic[0])"))
splat.but(
    splat_kernel,
    by.any_of(by.SIGN),
    ("dmean[0] = dL", "dmean[0] = -dL"),
    ("dmean[1] = dL", "dmean[1] = -dL"),
)
splat.but(
    splat_kernel,
    by.any_of(by.SWAPPED, by.ENTRIES, by.SHIFT),
    ("gdy * conic[2] - gdx", "gdy * conic[0] - gdx"),
)
splat.but(
    splat_kernel, by.any_of(by.TWICE, by.ENTRIES), ("dconic[2] = -0.5 * gdy", "dconic[2] = -gdy")
)
splat.but(
    splat_kernel, by.any_of(by.MISSING, by.FACTOR, "opacity"), ("dL_dG = opacity * g", "dL_dG = g")
)


def composite(alpha, color):
    out, T = 0.0, 1.0
    for k in range(3):
        out = out + T * alpha[k] * color[k]
        T = T * (1 - alpha[k])
    return out + T * 0.5


blend = Case(
    "alpha compositing",
    composite,
    lambda rng: [rng.uniform(0.1, 0.9, size=3), rng.uniform(size=(3, 2))],
    options={"domain": {"alpha": "unit", "color": "real"}},
)


@blend.right
def blend_back_to_front(alpha, color, g):
    T = np.prod(1 - alpha)
    behind = np.full(2, 0.5) * T
    da, dc = np.zeros(3), np.zeros((3, 2))
    for k in range(2, -1, -1):
        T = T / (1 - alpha[k])
        dc[k] = T * alpha[k] * g
        da[k] = g @ (T * color[k] - behind / (1 - alpha[k]))
        behind = behind + T * alpha[k] * color[k]
    return da, dc


@blend.right
def blend_recursive(alpha, color, g):
    rest = np.full(2, 0.5)
    da, dc = [], []
    T = np.concatenate([[1.0], np.cumprod(1 - alpha)])
    for k in (2, 1, 0):
        da.insert(0, T[k] * np.dot(g, color[k] - rest))
        dc.insert(0, T[k] * alpha[k] * g)
        rest = alpha[k] * color[k] + (1 - alpha[k]) * rest
    return np.stack(da), np.stack(dc)


blend.but(
    blend_back_to_front,
    by.any_of("background|constant|0\\.5", by.MISSING),
    ("np.full(2, 0.5) * T", "np.zeros(2)"),
)
blend.but(blend_back_to_front, by.MISSING, (" - behind / (1 - alpha[k])", ""))
blend.but(
    blend_back_to_front, by.any_of(by.MISSING, by.FACTOR), ("behind / (1 - alpha[k])", "behind")
)
blend.but(
    blend_back_to_front,
    by.any_of(by.SHIFT, by.STALE, by.ORDER),
    ("        T = T / (1 - alpha[k])\n", ""),
    ("        behind = behind", "        T = T / (1 - alpha[k])\n        behind = behind"),
)
blend.but(blend_recursive, by.any_of(by.SHIFT, by.STALE), ("T[k] * np.dot", "T[k + 1] * np.dot"))
blend.but(blend_recursive, by.any_of(by.ORDER, by.TRANSPOSED), ("da.insert(0, ", "da.append("))
blend.but(
    blend_back_to_front, by.any_of(by.MISSING, by.FACTOR), ("T * alpha[k] * g\n", "alpha[k] * g\n")
)

covariance = Case(
    "covariance of a splat",
    lambda L, M: M @ (L @ tf.transpose(L)) @ tf.transpose(M),
    lambda rng: [rng.normal(size=(3, 3)), rng.normal(size=(2, 3))],
)


@covariance.right
def covariance_factored(L, M, g):
    T = M @ L
    dT = (g + g.T) @ T
    return M.T @ dT, dT @ L.T


covariance.but(
    covariance_factored, by.any_of("symmetric", by.TRANSPOSED, by.MISSING), ("(g + g.T)", "2 * g")
)
covariance.but(
    covariance_factored, by.any_of("symmetric", by.TRANSPOSED, by.MISSING), ("(g + g.T)", "g")
)
covariance.but(covariance_factored, by.TRANSPOSED, ("dT @ L.T", "dT @ L"))

# --- rotations, projections, distances ------------------------------------------------------------


def rotation(q):
    w, x, y, z = q[0], q[1], q[2], q[3]
    return tf.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)])


quaternion = Case("first row of a rotation", rotation, lambda rng: [rng.normal(size=4)])


@quaternion.right
def quaternion_by_parts(q, g):
    w, x, y, z = q
    dq = np.zeros(4)
    dq[0] = 2 * (y * g[2] - z * g[1])
    dq[1] = 2 * (y * g[1] + z * g[2])
    dq[2] = -4 * y * g[0] + 2 * x * g[1] + 2 * w * g[2]
    dq[3] = -4 * z * g[0] - 2 * w * g[1] + 2 * x * g[2]
    return dq


quaternion.but(
    quaternion_by_parts,
    by.any_of(by.SIGN, by.ENTRIES),
    ("y * g[2] - z * g[1]", "y * g[2] + z * g[1]"),
)
quaternion.but(
    quaternion_by_parts, by.any_of(by.FACTOR, by.HALF, by.MISSING, by.ENTRIES), ("-4 * y", "-2 * y")
)
quaternion.but(quaternion_by_parts, by.any_of(by.MISSING, by.ENTRIES), (" + 2 * x * g[2]", ""))

project = Case(
    "pinhole projection",
    lambda p, f: f * p[:2] / p[2],
    lambda rng: [np.array([0.3, -0.5, 2.0]) + 0.1 * rng.normal(size=3), np.array(1.5)],
    options={"domain": {"p": "positive"}},
)


@project.right
def project_by_jacobian(p, f, g):
    x, y, z = p
    J = np.array([[f / z, 0, -f * x / z**2], [0, f / z, -f * y / z**2]])
    return J.T @ g, g @ p[:2] / z


project.but(
    project_by_jacobian,
    by.any_of(by.SIGN, by.ENTRIES),
    ("-f * x / z**2", "f * x / z**2"),
    ("-f * y / z**2", "f * y / z**2"),
)
project.but(
    project_by_jacobian,
    by.any_of(by.MISSING, by.FACTOR, "power", by.ENTRIES),
    ("-f * x / z**2", "-f * x / z"),
    ("-f * y / z**2", "-f * y / z"),
)
project.but(
    project_by_jacobian,
    by.any_of(by.ZERO, by.MISSING, by.ENTRIES),
    ("-f * x / z**2", "0"),
    ("-f * y / z**2", "0"),
)

pairwise = Case(
    "pairwise distances",
    lambda x: tf.reduce_sum((tf.expand_dims(x, 0) - tf.expand_dims(x, 1)) ** 2, axis=-1),
    lambda rng: [rng.normal(size=(4, 2))],
)


@pairwise.right
def pairwise_at(x, g):
    dx = np.zeros_like(x)
    for i in range(4):
        for j in range(4):
            d = 2 * g[i, j] * (x[i] - x[j])
            np.add.at(dx, i, d)
            np.add.at(dx, j, -d)
    return dx


@pairwise.right
def pairwise_laplacian(x, g):
    s = g + g.T
    return 2 * (np.diag(s.sum(axis=0)) - s) @ x


pairwise.but(
    pairwise_at, by.any_of(by.MISSING, "symmetric"), ("            np.add.at(dx, j, -d)\n", "")
)
pairwise.but(
    pairwise_laplacian,
    by.any_of("symmetric", by.TRANSPOSED, by.FACTOR, by.MISSING),
    ("g + g.T", "2 * g"),
)
pairwise.but(pairwise_laplacian, by.any_of(by.MISSING, by.DIAGONAL), (" - s) @", ") @"))
pairwise.but(pairwise_at, by.any_of(by.SIGN), ("dx, j, -d", "dx, j, d"))


def sphere_distance(p, c):
    return tf.norm(p - c) - 1.0


sdf = Case(
    "distance to a sphere",
    sphere_distance,
    lambda rng: [rng.normal(size=3), rng.normal(size=3)],
    "gradient",
)


@sdf.right
def sdf_normal(p, c):
    n = (p - c) / np.hypot.reduce(p - c)
    return n, -n


sdf.but(sdf_normal, by.any_of(by.MISSING, "/|divi|norm"), (" / np.hypot.reduce(p - c)", ""))
sdf.but(sdf_normal, by.SIGN, ("n, -n", "n, n"))
sdf.but(
    sdf_normal,
    by.any_of(by.FACTOR, by.MISSING, "norm|power|square"),
    ("np.hypot.reduce(p - c)", "np.sum((p - c) ** 2)"),
)


# --- a rotation by a quaternion of any length -----------------------------------------------------


def turned(q, v):
    p = q / tf.norm(q)
    t = 2 * tf.linalg.cross(p[1:], v)
    return v + p[0] * t + tf.linalg.cross(p[1:], t)


turning = Case("rotation by a quaternion", turned, lambda r: [r.normal(size=4), r.normal(size=3)])


@turning.right
def turned_back(q, v, g):
    n = np.linalg.norm(q)
    p = q / n
    w, u = p[0], p[1:]
    t = 2 * np.cross(u, v)
    gt = w * g + np.cross(g, u)
    gp = np.concatenate([[g @ t], np.cross(t, g) + 2 * np.cross(v, gt)])
    return (gp - p * (p @ gp)) / n, g + 2 * np.cross(gt, u)


turning.but(turned_back, by.MISSING, ("(gp - p * (p @ gp)) / n, g", "gp, g"))
turning.but(turned_back, by.MISSING, ("(gp - p * (p @ gp)) / n, g", "gp / n, g"))
turning.but(
    turned_back, by.any_of(by.SIGN, by.ORDER), ("2 * np.cross(gt, u)", "2 * np.cross(u, gt)")
)
