# ruff: noqa: D103 - a candidate is described by its name
"""Backward passes in styles that whoever reads their source has to know."""

from __future__ import annotations

import itertools

import numpy as np

import symtape as tf
from tests.judged import causes as by
from tests.judged.case import Case
from tests.judged.draws import normal, together


# --- GroupNorm, NCHW flat
def group_norm(x, w, b):
    n, ch, s = 2, 4, 3
    z = tf.reshape(x, (n, 2, 2 * s))
    m = tf.reduce_mean(z, -1, keepdims=True)
    v = tf.reduce_mean((z - m) ** 2, -1, keepdims=True)
    z = tf.reshape((z - m) / tf.sqrt(v + 1e-5), (n, ch, s))
    return z * w[:, None] + b[:, None]


group_norms = Case("group norm NCL", group_norm, together(normal(2, 4, 3), normal(4), normal(4)))


@group_norms.right
def gn_welford(x, w, b, g):
    """Statistics by Welford's running update."""
    dx = np.zeros_like(x)
    dw = np.zeros_like(w)
    db = np.zeros_like(b)
    for n, k in itertools.product(range(2), range(2)):
        block = x[n, 2 * k : 2 * k + 2].ravel()
        mean, m2 = 0.0, 0.0
        for i, value in enumerate(block, 1):
            delta = value - mean
            mean = mean + delta / i
            m2 = m2 + delta * (value - mean)
        r = 1 / np.sqrt(m2 / len(block) + 1e-5)
        xh = (x[n, 2 * k : 2 * k + 2] - mean) * r
        gg = g[n, 2 * k : 2 * k + 2]
        wg = gg * w[2 * k : 2 * k + 2, None]
        dx[n, 2 * k : 2 * k + 2] = r * (wg - wg.mean() - xh * (wg * xh).mean())
        dw[2 * k : 2 * k + 2] += (gg * xh).sum(1)
        db[2 * k : 2 * k + 2] += gg.sum(1)
    return dx, dw, db


group_norms.but(gn_welford, by.MISSING, ("wg - wg.mean() - xh", "wg - xh"))
group_norms.but(
    gn_welford,
    by.any_of(by.MEAN, "axis|mean"),
    ("(wg * xh).mean())", "(wg * xh).mean(1, keepdims=True))"),
)
group_norms.but(
    gn_welford,
    by.any_of(by.FACTOR, "unbiased|- 1|instead"),
    ("m2 / len(block)", "m2 / (len(block) - 1)"),
)
group_norms.but(
    gn_welford,
    by.any_of(by.STALE, by.MISSING, "delta|mean"),
    ("delta * (value - mean)", "delta * delta"),
)
group_norms.but(gn_welford, by.any_of(by.MISSING, "last|overwr"), ("+= gg.sum(1)", "= gg.sum(1)"))


# --- cross entropy: z-loss, smoothing, ignore
def zce(logits):
    y = np.array([0, 2, -100, 1])
    keep = y != -100
    lse = tf.reduce_logsumexp(logits, 1)
    lp = logits - lse[:, None]
    pick = tf.gather(lp, np.where(keep, y, 0), batch_dims=1)
    ce = -(0.9 * pick + 0.1 * tf.reduce_mean(lp, 1)) + 1e-2 * lse**2
    return tf.reduce_sum(tf.where(keep, ce, tf.zeros_like(ce))) / 3.0


z_loss = Case("cross entropy with z loss", zce, together(normal(4, 3)), kind="gradient")


@z_loss.right
def zce_bwd(logits):
    y = np.array([0, 2, -100, 1])
    d = np.zeros_like(logits)
    for i, label in enumerate(y):
        match int(label):
            case -100:
                continue
            case label:
                row = logits[i]
                top = row.max()
                e = np.exp(row - top)
                lse = top + np.log(e.sum())
                p = e / e.sum()
                d[i] = p * (1 + 2e-2 * lse) - 0.1 / 3
                d[i, label] -= 0.9
    d /= np.count_nonzero(y != -100)
    return d


z_loss.but(zce_bwd, by.MISSING, ("p * (1 + 2e-2 * lse)", "p"))
z_loss.but(zce_bwd, by.any_of(by.FACTOR, by.HALF), ("2e-2 * lse", "1e-2 * lse"))
z_loss.but(zce_bwd, by.MEAN, ("np.count_nonzero(y != -100)", "len(y)"))
z_loss.but(zce_bwd, by.any_of(by.MISSING, by.CONSTANT), ("0.1 / 3", "0.1 / 2"))
z_loss.but(zce_bwd, by.any_of(by.MASK, by.SHIFT), ("case -100:", "case -1:"))
z_loss.but(
    zce_bwd,
    by.any_of(by.STALE, by.MISSING),
    ("lse = top + np.log(e.sum())", "lse = np.log(e.sum())"),
)


# --- conv2d stride 2 padding 1 by im2col
def conv(x, w):
    return tf.nn.conv2d(
        tf.pad(x[None, :, :, None], [[0, 0], [1, 1], [1, 1], [0, 0]]),
        w[:, :, None, None],
        2,
        "VALID",
    )[0, :, :, 0]


strided = Case("strided convolution", conv, together(normal(5, 5), normal(3, 3)))


@strided.right
def conv_im2col(x, w, g):
    xp = np.pad(x, 1)
    win = np.lib.stride_tricks.sliding_window_view(xp, (3, 3))[::2, ::2]
    dw = np.tensordot(g, win, ([0, 1], [0, 1]))
    dxp = np.zeros_like(xp)
    for (i, j), value in np.ndenumerate(g):
        dxp[2 * i : 2 * i + 3, 2 * j : 2 * j + 3] += value * w
    return dxp[1:-1, 1:-1], dw


@strided.right
def conv_dilated(x, w, g):
    up = np.zeros_like(x, shape=(9, 9))
    up[2:7:2, 2:7:2] = g
    full = np.lib.stride_tricks.sliding_window_view(up, (3, 3))
    dx = np.einsum("ijkl,kl->ij", full, w[::-1, ::-1])[1:6, 1:6]
    padded = np.pad(x, 1)
    rows = [[np.sum(padded[a : a + 5 : 2, b : b + 5 : 2] * g) for b in range(3)] for a in range(3)]
    dw = np.stack([np.stack(row) for row in rows])
    return dx, dw


strided.but(conv_dilated, by.any_of(by.ORDER, by.TRANSPOSED), ("w[::-1, ::-1]", "w"))
strided.but(conv_im2col, by.any_of(by.SHIFT, by.ENTRIES), ("dxp[1:-1, 1:-1]", "dxp[:-2, :-2]"))
strided.but(conv_im2col, by.any_of(by.MISSING, "overwr"), ("+= value * w", "= value * w"))
strided.but(conv_dilated, by.any_of(by.ORDER, by.TRANSPOSED, by.ENTRIES), ("w[::-1, ::-1]", "w.T"))

# --- triangle areas of mesh
F = np.array([[0, 1, 2], [0, 2, 3]])


def area(V):
    a, b, knots = (tf.gather(V, F[:, k]) for k in range(3))
    return 0.5 * tf.reduce_sum(tf.norm(tf.linalg.cross(b - a, knots - a), axis=1))


areas = Case("areas of triangles", area, together(normal(4, 3)), kind="gradient")


@areas.right
def area_bwd(V):
    out = np.zeros_like(V)
    for f in F:
        e = [V[f[(k + 2) % 3]] - V[f[(k + 1) % 3]] for k in range(3)]
        n = np.cross(e[2], -e[1])
        n = n / np.linalg.norm(n)
        for k in range(3):
            out[f[k]] += 0.5 * np.cross(n, e[k])
    return out


areas.but(area_bwd, by.any_of(by.ORDER, by.SIGN), ("np.cross(n, e[k])", "np.cross(e[k], n)"))
areas.but(area_bwd, by.any_of(by.MISSING, "overwr|last"), ("out[f[k]] +=", "out[f[k]] ="))
areas.but(area_bwd, by.any_of(by.FACTOR, by.TWICE), ("+= 0.5 * np.cross", "+= np.cross"))
areas.but(area_bwd, by.any_of(by.MISSING, by.FACTOR), ("        n = n / np.linalg.norm(n)\n", ""))


def sym(rng):
    a = rng.normal(size=(3, 3))
    return a + a.T


def exponential_of(A):
    w, V = tf.linalg.eigh(A)
    return tf.linalg.matmul(V * tf.exp(w), V, transpose_b=True)


exponential = Case("exponential by eigenvectors", exponential_of, together(sym), symmetric=(0,))


@exponential.right
def divided_differences(A, g):
    w, V = np.linalg.eigh(A)
    off = w[:, None] - w
    near = np.abs(off) < 1e-9
    with np.errstate(all="ignore"):
        slopes = (np.exp(w)[:, None] - np.exp(w)) / off
    K = np.where(near, np.exp(w)[:, None], slopes)
    return V @ (K * (V.T @ ((g + g.T) / 2) @ V)) @ V.T


exponential.but(
    divided_differences,
    by.any_of(by.DIAGONAL, by.ZERO, by.MISSING),
    ("np.where(near, np.exp(w)[:, None], slopes)", "np.where(near, 0.0, slopes)"),
)
exponential.but(divided_differences, by.TRANSPOSED, ("@ V)) @ V.T", "@ V)) @ V"))


def spline(knots, t):
    i = tf.cast(tf.floor(tf.stop_gradient(t)), tf.int32)
    u = t - tf.cast(i, tf.float64)
    p = [tf.gather(knots, tf.clip_by_value(i + k, 0, 4)) for k in (-1, 0, 1, 2)]
    return 0.5 * (
        2 * p[1]
        + (p[2] - p[0]) * u
        + (2 * p[0] - 5 * p[1] + 4 * p[2] - p[3]) * u**2
        + (-p[0] + 3 * p[1] - 3 * p[2] + p[3]) * u**3
    )


curve = Case("catmull rom", spline, together(normal(5), lambda r: r.uniform(0.1, 3.9, 4)))


@curve.right
def cr_bwd(knots, t, g):
    i = np.floor(t).astype(int)
    u = t - i
    M = np.array([[0, 2, 0, 0], [-1, 0, 1, 0], [2, -5, 4, -1], [-1, 3, -3, 1]]) / 2
    W = np.stack([u**0, u, u**2, u**3], 1) @ M
    dW = np.stack([0 * u, u**0, 2 * u, 3 * u**2], 1) @ M
    idx = np.clip(i[:, None] + np.arange(-1, 3), 0, 4)
    dc = np.zeros_like(knots)
    np.add.at(dc, idx, W * g[:, None])
    return dc, g * (dW * knots[idx]).sum(1)


curve.but(cr_bwd, by.any_of(by.FACTOR, by.MISSING), ("3 * u**2]", "u**2]"))
curve.but(
    cr_bwd,
    by.any_of(by.MISSING, "overwr|repeat|last|twice|add"),
    ("np.add.at(dc, idx, W * g[:, None])", "dc[idx] += W * g[:, None]"),
)
curve.but(cr_bwd, by.SHIFT, ("np.arange(-1, 3)", "np.arange(0, 4)"))
