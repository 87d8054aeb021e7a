# ruff: noqa: D103 - a candidate is described by its name
"""Backward passes of what is computed on images: samples, windows, norms, differences."""

from __future__ import annotations

import numpy as np

import symtape as tf
from tests.judged import causes as by
from tests.judged.case import Case

# --- samples between pixels -----------------------------------------------------------------------


def sampled(image, at):
    low = tf.floor(at)
    f = at - low
    i, j = tf.cast(low[:, 0], tf.int32), tf.cast(low[:, 1], tf.int32)

    def pixel(di, dj):
        return tf.gather_nd(image, tf.stack([i + di, j + dj], -1))

    a, b = f[:, 0], f[:, 1]
    top = (1 - b) * pixel(0, 0) + b * pixel(0, 1)
    bottom = (1 - b) * pixel(1, 0) + b * pixel(1, 1)
    return (1 - a) * top + a * bottom


def drawn_samples(rng):
    return [rng.normal(size=(4, 4)), rng.integers(0, 3, (5, 2)) + rng.uniform(0.1, 0.9, (5, 2))]


bilinear = Case("samples between pixels", sampled, drawn_samples, options={"wrt": [0, 1]})


@bilinear.right
def bilinear_by_points(image, at, g):
    dimage, dat = np.zeros_like(image), np.zeros_like(at)
    for n, (y, x) in enumerate(at):
        i, j = int(np.floor(y)), int(np.floor(x))
        a, b = y - i, x - j
        dimage[i, j] += g[n] * (1 - a) * (1 - b)
        dimage[i, j + 1] += g[n] * (1 - a) * b
        dimage[i + 1, j] += g[n] * a * (1 - b)
        dimage[i + 1, j + 1] += g[n] * a * b
        down = image[i + 1, j : j + 2] - image[i, j : j + 2]
        along = image[i : i + 2, j + 1] - image[i : i + 2, j]
        dat[n, 0] = g[n] * (down @ [1 - b, b])
        dat[n, 1] = g[n] * (along @ [1 - a, a])
    return dimage, dat


bilinear.but(
    bilinear_by_points,
    by.any_of(by.SWAPPED, by.OTHER, by.ORDER),
    ("along @ [1 - a, a]", "along @ [1 - b, b]"),
)
bilinear.but(
    bilinear_by_points, by.any_of(by.ORDER, by.SWAPPED), ("down @ [1 - b, b]", "down @ [b, 1 - b]")
)
bilinear.but(
    bilinear_by_points,
    by.any_of(by.MISSING, "sum", by.ENTRIES),
    ("dimage[i, j] += g", "dimage[i, j] = g"),
)
bilinear.but(bilinear_by_points, by.any_of(by.FACTOR, by.MISSING), ("g[n] * a * b\n", "g[n] * a\n"))
bilinear.but(bilinear_by_points, by.any_of(by.FACTOR, by.MISSING), ("g[n] * (down", "(down"))

# --- convolutions of each channel, with gaps ------------------------------------------------------


def depthwise(x, w):
    return tf.nn.depthwise_conv2d(x, w, (1, 1, 1, 1), "VALID", dilations=(2, 2))


gaps = Case(
    "convolution of each channel",
    depthwise,
    lambda rng: [rng.normal(size=(1, 5, 5, 2)), rng.normal(size=(2, 2, 2, 1))],
)


@gaps.right
def gaps_by_shifts(x, w, g):
    dx, dw = np.zeros_like(x), np.zeros_like(w)
    for i in range(2):
        for j in range(2):
            rows, columns = slice(2 * i, 2 * i + 3), slice(2 * j, 2 * j + 3)
            dx[:, rows, columns] += g * w[i, j, :, 0]
            dw[i, j, :, 0] = (x[:, rows, columns] * g).sum((0, 1, 2))
    return dx, dw


gaps.but(
    gaps_by_shifts,
    by.any_of(by.SHIFT, by.SWAPPED, by.TRANSPOSED, by.OTHER),
    ("g * w[i, j, :, 0]", "g * w[j, i, :, 0]"),
)
gaps.but(
    gaps_by_shifts,
    by.any_of(by.SHIFT, by.FACTOR, by.CONSTANT, by.ENTRIES),
    ("slice(2 * j, 2 * j + 3)", "slice(j, j + 3)"),
)
gaps.but(gaps_by_shifts, by.any_of(by.MEAN), (".sum((0, 1, 2))", ".mean((0, 1, 2))"))
gaps.but(gaps_by_shifts, by.any_of(by.MISSING, by.ENTRIES), ("columns] += g", "columns] = g"))

# --- a transposed convolution ---------------------------------------------------------------------


def upsampled(x, w):
    return tf.nn.conv2d_transpose(x, w, (1, 5, 5, 1), 2, "VALID")


up = Case(
    "transposed convolution",
    upsampled,
    lambda rng: [rng.normal(size=(1, 2, 2, 2)), rng.normal(size=(3, 3, 1, 2))],
)


@up.right
def up_by_pixels(x, w, g):
    dx, dw = np.zeros(x.shape), np.zeros(w.shape)
    for i in range(2):
        for j in range(2):
            patch = g[0, 2 * i : 2 * i + 3, 2 * j : 2 * j + 3, 0]
            dx[0, i, j] = np.einsum("ab,abc->c", patch, w[:, :, 0])
            dw[:, :, 0] += patch[..., None] * x[0, i, j]
    return dx, dw


up.but(up_by_pixels, by.any_of(by.TRANSPOSED, by.ORDER), ('"ab,abc->c"', '"ba,abc->c"'))
up.but(up_by_pixels, by.any_of(by.MISSING, "sum"), ("0] += patch", "0] = patch"))
up.but(
    up_by_pixels,
    by.any_of(by.SWAPPED, by.TRANSPOSED, by.OTHER, by.ORDER),
    ("x[0, i, j]\n", "x[0, j, i]\n"),
)

# --- norms of each image --------------------------------------------------------------------------


def instances(x, w):
    mean = tf.reduce_mean(x, (1, 2), keepdims=True)
    var = tf.reduce_mean((x - mean) ** 2, (1, 2), keepdims=True)
    return (x - mean) * tf.math.rsqrt(var + 1e-5) * w


instance = Case(
    "instance norm", instances, lambda rng: [rng.normal(size=(2, 2, 3, 2)), rng.normal(size=2)]
)


@instance.right
def instance_by_sums(x, w, g):
    n = x.shape[1] * x.shape[2]
    s1 = np.einsum("bijc->bc", x) / n
    s2 = np.einsum("bijc,bijc->bc", x, x) / n
    r = 1 / np.sqrt(s2 - s1**2 + 1e-5)
    g1 = np.einsum("bijc->bc", g)
    gx = np.einsum("bijc,bijc->bc", g, x)
    b = (g1 * s1 - gx) * w * r**3 / n
    c = -b * s1 - g1 * w * r / n
    dx = g * (w * r)[:, None, None] + x * b[:, None, None] + c[:, None, None]
    return dx, np.sum((gx - g1 * s1) * r, axis=0)


instance.but(instance_by_sums, by.any_of(by.SIGN, by.MISSING), ("-b * s1 - g1", "-b * s1 + g1"))
instance.but(instance_by_sums, by.any_of(by.FACTOR, by.OTHER, "power"), ("r**3 / n", "r**2 / n"))
instance.but(instance_by_sums, by.any_of(by.MISSING), ("(gx - g1 * s1) * r", "gx * r"))
instance.but(instance_by_sums, by.any_of(by.MEAN), ("g1 * w * r / n", "g1 * w * r"))
instance.but(instance_by_sums, by.any_of(by.MEAN, by.BROADCAST), ("np.sum((gx", "np.mean((gx"))

# --- total variation ------------------------------------------------------------------------------


def variation(x):
    d0, d1 = x[1:, :-1] - x[:-1, :-1], x[:-1, 1:] - x[:-1, :-1]
    return tf.reduce_sum(tf.sqrt(d0**2 + d1**2 + 1e-3))


total = Case("total variation", variation, lambda rng: [rng.normal(size=(4, 4))], "gradient")


@total.right
def total_by_divergence(x):
    d0 = np.diff(x, axis=0)[:, :-1]
    d1 = np.diff(x, axis=1)[:-1]
    size = np.sqrt(d0**2 + d1**2 + 1e-3)
    out = np.zeros_like(x)
    out[1:, :-1] += d0 / size
    out[:-1, 1:] += d1 / size
    out[:-1, :-1] -= (d0 + d1) / size
    return out


total.but(total_by_divergence, by.SIGN, ("-= (d0 + d1)", "+= (d0 + d1)"))
total.but(total_by_divergence, by.any_of(by.MISSING), ("(d0 + d1) / size", "d0 / size"))
total.but(
    total_by_divergence,
    by.any_of(by.SHIFT, "place", by.ENTRIES),
    ("out[1:, :-1] +=", "out[1:, 1:] +="),
)
total.but(
    total_by_divergence,
    by.any_of(by.FACTOR, by.MISSING),
    ("out[:-1, 1:] += d1 / size", "out[:-1, 1:] += d1"),
)
total.but(
    total_by_divergence, by.any_of(by.MISSING, by.CONSTANT, "term"), ("d1**2 + 1e-3", "d1**2")
)

# --- features that should not be alike ------------------------------------------------------------


def redundancy(a, b):
    def normal(z):
        z = z - tf.reduce_mean(z, 0)
        return z / tf.sqrt(tf.reduce_mean(z**2, 0))

    c = tf.matmul(normal(a), normal(b), transpose_a=True) / 5.0
    on = tf.linalg.diag_part(c)
    return tf.reduce_sum((on - 1) ** 2) + 0.05 * (tf.reduce_sum(c**2) - tf.reduce_sum(on**2))


twins = Case(
    "redundancy of features",
    redundancy,
    lambda rng: [rng.normal(size=(5, 3)), rng.normal(size=(5, 3))],
    "gradient",
)


@twins.right
def twins_by_hand(a, b):
    n = len(a)
    sa, sb = a.std(0), b.std(0)
    za, zb = (a - a.mean(0)) / sa, (b - b.mean(0)) / sb
    c = za.T @ zb / n
    dc = 0.1 * c
    np.fill_diagonal(dc, 2 * (np.diag(c) - 1))
    ga, gb = zb @ dc.T / n, za @ dc / n
    da = (ga - ga.mean(0) - za * (ga * za).mean(0)) / sa
    db = (gb - gb.mean(0) - zb * (gb * zb).mean(0)) / sb
    return da, db


twins.but(twins_by_hand, by.any_of(by.TRANSPOSED), ("zb @ dc.T / n", "zb @ dc / n"))
twins.but(
    twins_by_hand,
    by.any_of(by.TWICE, by.FACTOR, by.HALF),
    ("2 * (np.diag(c) - 1)", "np.diag(c) - 1"),
)
twins.but(twins_by_hand, by.any_of(by.MISSING), (" - za * (ga * za).mean(0)", ""))
twins.but(twins_by_hand, by.any_of(by.SWAPPED, by.OTHER), ("zb * (gb * zb)", "zb * (gb * za)"))
twins.but(
    twins_by_hand,
    by.any_of(by.FACTOR, by.MISSING),
    ("(gb * zb).mean(0)) / sb", "(gb * zb).mean(0))"),
)
twins.but(
    twins_by_hand,
    by.any_of(by.DIAGONAL, by.MISSING, by.ENTRIES),
    ("    np.fill_diagonal(dc, 2 * (np.diag(c) - 1))\n", ""),
)
