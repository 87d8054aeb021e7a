# ruff: noqa: D103 - a candidate is described by its name
"""Backward passes of normalisations and of softmax."""

from __future__ import annotations

import numpy as np

import symtape as tf
from tests.judged import causes as by
from tests.judged.case import Case

# --- layer norm -----------------------------------------------------------------------------------


def layer_norm_of(x, w, b):
    mean = tf.reduce_mean(x, axis=-1, keepdims=True)
    var = tf.reduce_mean((x - mean) ** 2, axis=-1, keepdims=True)
    return (x - mean) / tf.sqrt(var + 1e-5) * w + b


def rows(rng):
    return [rng.normal(size=(3, 4)), rng.normal(size=4), rng.normal(size=4)]


layer = Case("layer norm", layer_norm_of, rows)


@layer.right
def layer_textbook(x, w, b, g):
    n = x.shape[-1]
    mu = x.mean(-1, keepdims=True)
    rstd = 1 / np.sqrt(x.var(-1, keepdims=True) + 1e-5)
    xhat = (x - mu) * rstd
    wg = w * g
    c1 = (xhat * wg).sum(-1, keepdims=True) / n
    c2 = wg.sum(-1, keepdims=True) / n
    dx = (wg - (xhat * c1 + c2)) * rstd
    return dx, (g * xhat).sum(0), g.sum(0)


@layer.right
def layer_by_graph(x, w, b, g):
    n = x.shape[1]
    centred = x - x.sum(1)[:, None] / n
    var = np.einsum("ij,ij->i", centred, centred) / n + 1e-5
    dxhat = g * w
    dvar = np.einsum("ij,ij->i", dxhat, centred) * -0.5 * var**-1.5
    dcentred = dxhat / np.sqrt(var)[:, None] + 2 / n * dvar[:, None] * centred
    dx = dcentred - dcentred.mean(axis=1, keepdims=True)
    dw = np.zeros(n)
    db = np.zeros(n)
    for row in range(len(x)):
        dw += g[row] * centred[row] / np.sqrt(var[row])
        db += g[row]
    return dx, dw, db


layer.but(layer_textbook, by.MISSING, ("xhat * c1 + c2", "xhat * c1"))
layer.but(layer_textbook, by.MISSING, ("xhat * c1 + c2", "c2"))
layer.but(layer_textbook, by.MISSING, ("(wg - (xhat * c1 + c2))", "wg"))
layer.but(
    layer_textbook,
    by.any_of(by.MISSING, by.FACTOR),
    ("(xhat * c1 + c2)) * rstd", "(xhat * c1 + c2))"),
)
layer.but(layer_textbook, by.any_of(by.MISSING, by.OTHER), ("wg = w * g", "wg = g"))
layer.but(layer_textbook, by.any_of(by.MISSING, by.OTHER), ("(g * xhat).sum(0)", "(g * x).sum(0)"))
layer.but(layer_textbook, by.any_of(by.BROADCAST, by.SHAPE), ("(g * xhat).sum(0)", "g * xhat"))
layer.but(
    layer_textbook,
    by.any_of(by.MEAN, "ddof|n - 1|unbiased"),
    ("x.var(-1, keepdims=True)", "x.var(-1, keepdims=True, ddof=1)"),
)
layer.but(
    layer_textbook,
    by.any_of("epsilon|1e-5|constant", by.MISSING, by.ENTRIES, by.SATURATED),
    (" + 1e-5", ""),
)
layer.but(
    layer_textbook,
    by.MEAN,
    ("(xhat * wg).sum(-1, keepdims=True) / n", "(xhat * wg).sum(-1, keepdims=True)"),
)
layer.but(
    layer_textbook, by.SWAPPED, ("(g * xhat).sum(0), g.sum(0)", "g.sum(0), (g * xhat).sum(0)")
)
layer.but(layer_textbook, by.MEAN, ("g.sum(0)", "g.mean(0)"))
layer.but(
    layer_by_graph, by.any_of("last|accumulat|sum", by.BROADCAST), ("db += g[row]", "db = g[row]")
)
layer.but(layer_by_graph, by.any_of(by.FACTOR, by.MISSING), ("2 / n", "1 / n"))
layer.but(layer_by_graph, by.any_of(by.SIGN), ("* -0.5 *", "* 0.5 *"))
layer.but(
    layer_by_graph,
    by.any_of(by.FLOAT32),
    (
        "centred = x - x.sum(1)[:, None] / n",
        "centred = (x - x.sum(1)[:, None] / n).astype(np.float32)",
    ),
)

# --- RMS norm, batch norm, l2 normalisation, weight norm ------------------------------------------

rms = Case(
    "rms norm",
    lambda x, w: x * tf.math.rsqrt(tf.reduce_mean(x * x, axis=-1, keepdims=True) + 1e-6) * w,
    lambda rng: [rng.normal(size=(2, 4)), rng.normal(size=4)],
)


@rms.right
def rms_rows(x, w, g):
    dx = np.zeros_like(x)
    dw = np.zeros_like(w)
    for i in range(x.shape[0]):
        r = 1.0 / np.sqrt(x[i] @ x[i] / x.shape[1] + 1e-6)
        m = g[i] * w
        dx[i] = r * m
        dx[i] += r * (-(1.0 / x.shape[1]) * r * r * np.sum(m * x[i]) * x[i])
        dw += g[i] * x[i] * r
    return dx, dw


rms.but(
    rms_rows,
    by.MISSING,
    ("        dx[i] += r * (-(1.0 / x.shape[1]) * r * r * np.sum(m * x[i]) * x[i])\n", ""),
)
rms.but(rms_rows, by.any_of(by.FACTOR, by.MISSING, "mean"), ("-(1.0 / x.shape[1])", "-1.0"))
rms.but(rms_rows, by.any_of(by.MISSING, by.FACTOR), ("np.sum(m * x[i])", "np.sum(g[i] * x[i])"))
rms.but(rms_rows, by.any_of(by.SIGN), ("(-(1.0 /", "((1.0 /"))
rms.but(rms_rows, by.any_of("last|accumulat|sum", by.MISSING), ("dw += g[i]", "dw[:] = g[i]"))
rms.but(rms_rows, by.any_of(by.MISSING, by.FACTOR), ("dw += g[i] * x[i] * r", "dw += g[i] * x[i]"))


def batch_norm_of(x, gamma, beta):
    mean, var = tf.nn.moments(x, axes=[0])
    return tf.nn.batch_normalization(x, mean, var, beta, gamma, 1e-3)


batch = Case(
    "batch norm",
    batch_norm_of,
    lambda rng: [rng.normal(size=(5, 2)), rng.normal(size=2), rng.normal(size=2)],
)


@batch.right
def batch_compact(x, gamma, beta, g):
    N = x.shape[0]
    std = np.sqrt(x.var(axis=0) + 1e-3)
    z = (x - x.mean(axis=0)) / std
    dbeta = g.sum(axis=0)
    dgamma = np.sum(z * g, axis=0)
    dx = gamma / (N * std) * (N * g - dbeta - z * dgamma)
    return dx, dgamma, dbeta


@batch.right
def batch_stages(x, gamma, beta, g):
    N, D = x.shape
    mu = 1.0 / N * np.sum(x, axis=0)
    xmu = x - mu
    sqrtvar = np.sqrt(1.0 / N * np.sum(xmu**2, axis=0) + 1e-3)
    ivar = 1.0 / sqrtvar
    dbeta = np.sum(g, axis=0)
    dgamma = np.sum(g * xmu * ivar, axis=0)
    dxhat = g * gamma
    divar = np.sum(dxhat * xmu, axis=0)
    dxmu1 = dxhat * ivar
    dsqrtvar = -1.0 / (sqrtvar**2) * divar
    dvar = 0.5 * 1.0 / sqrtvar * dsqrtvar
    dsq = 1.0 / N * np.ones((N, D)) * dvar
    dxmu2 = 2 * xmu * dsq
    dx1 = dxmu1 + dxmu2
    dmu = -1 * np.sum(dxmu1 + dxmu2, axis=0)
    dx2 = 1.0 / N * np.ones((N, D)) * dmu
    return dx1 + dx2, dgamma, dbeta


batch.but(batch_compact, by.MISSING, (" - dbeta - z", " - z"))
batch.but(batch_compact, by.MISSING, (" - z * dgamma", ""))
batch.but(batch_compact, by.any_of(by.MISSING, by.MEAN), ("(N * g -", "(g -"))
batch.but(
    batch_compact,
    by.any_of("running|constant|statistics", by.MISSING),
    ("gamma / (N * std) * (N * g - dbeta - z * dgamma)", "gamma / std * g"),
)
batch.but(batch_compact, by.any_of("axis", by.SHAPE), ("g.sum(axis=0)", "g.sum(axis=1)"))
batch.but(batch_stages, by.any_of(by.SIGN), ("dsqrtvar = -1.0", "dsqrtvar = 1.0"))
batch.but(
    batch_stages, by.any_of(by.MISSING), ("np.sum(dxmu1 + dxmu2, axis=0)", "np.sum(dxmu2, axis=0)")
)
batch.but(batch_stages, by.any_of(by.FACTOR, by.MISSING), ("dxmu2 = 2 * xmu", "dxmu2 = xmu"))
batch.but(
    batch_stages, by.any_of(by.MEAN), ("1.0 / N * np.ones((N, D)) * dvar", "np.ones((N, D)) * dvar")
)

unit = Case(
    "l2 normalisation",
    lambda x: x / tf.norm(x, axis=-1, keepdims=True),
    lambda rng: [rng.normal(size=(2, 3))],
)


@unit.right
def unit_projected(x, g):
    out = np.zeros(x.shape)
    for n, row in enumerate(x):
        length = np.sqrt(np.dot(row, row))
        y = row / length
        out[n] = (np.eye(len(row)) - np.outer(y, y)) @ g[n] / length
    return out


unit.but(unit_projected, by.any_of(by.MISSING, by.FACTOR), ("np.outer(y, y)", "np.outer(row, row)"))
unit.but(unit_projected, by.any_of(by.MISSING), (" - np.outer(y, y)", ""))
unit.but(unit_projected, by.any_of(by.MISSING, by.FACTOR), ("@ g[n] / length", "@ g[n]"))
unit.but(unit_projected, by.any_of(by.SIGN, by.MISSING), (" - np.outer", " + np.outer"))

weight = Case(
    "weight norm",
    lambda v, s: tf.expand_dims(s, 1) * v / tf.norm(v, axis=1, keepdims=True),
    lambda rng: [rng.normal(size=(3, 2)), rng.normal(size=3)],
)


@weight.right
def weight_two_steps(v, s, g):
    n = np.linalg.norm(v, axis=1)
    ds = np.einsum("ij,ij->i", g, v) / n
    dv = (s / n)[:, None] * g - (s * ds / n**2)[:, None] * v
    return dv, ds


weight.but(weight_two_steps, by.MISSING, (" - (s * ds / n**2)[:, None] * v", ""))
weight.but(weight_two_steps, by.any_of(by.FACTOR, by.MISSING), ("n**2", "n"))
weight.but(weight_two_steps, by.any_of(by.FACTOR, by.MISSING), ("g, v) / n", "g, v)"))

# --- softmax --------------------------------------------------------------------------------------

softmax = Case("softmax", tf.nn.softmax, lambda rng: [rng.normal(size=(2, 4))])


@softmax.right
def softmax_with_jacobian(x, g):
    out = np.zeros_like(x)
    for i in range(len(x)):
        e = np.exp(x[i] - np.max(x[i]))
        p = (e / e.sum()).reshape(-1, 1)
        J = np.diagflat(p) - p @ p.T
        out[i] = J @ g[i]
    return out


@softmax.right
def softmax_in_place(x, g):
    p = np.exp(x - x.max(axis=-1, keepdims=True))
    p /= p.sum(axis=-1, keepdims=True)
    out = p * g
    out -= p * out.sum(axis=-1, keepdims=True)
    return out


softmax.but(softmax_with_jacobian, by.any_of(by.MISSING, by.DIAGONAL), (" - p @ p.T", ""))
softmax.but(
    softmax_with_jacobian,
    by.any_of(by.SIGN),
    ("np.diagflat(p) - p @ p.T", "p @ p.T - np.diagflat(p)"),
)
softmax.but(
    softmax_with_jacobian,
    by.any_of(by.SIGN, by.MISSING),
    ("np.diagflat(p) - p", "np.diagflat(p) + p"),
)
softmax.but(
    softmax_with_jacobian,
    by.any_of(by.DIAGONAL, by.MISSING, by.OTHER),
    ("np.diagflat(p) - p @ p.T", "np.diagflat(p * (1 - p))"),
)
softmax.but(
    softmax_in_place, by.any_of(by.MISSING, by.MEAN), ("out -= p * out.sum", "out -= out.mean")
)
softmax.but(
    softmax_in_place,
    by.any_of("axis", by.OTHER),
    ("out.sum(axis=-1, keepdims=True)", "out.sum(axis=0, keepdims=True)"),
)
softmax.but(softmax_in_place, by.any_of(by.MEAN), ("out.sum(", "out.mean("))

logsoftmax = Case("log softmax", tf.nn.log_softmax, lambda rng: [rng.normal(size=(2, 3))])


@logsoftmax.right
def logsoftmax_shifted(x, g):
    shifted = x - np.amax(x, axis=1, keepdims=True)
    p = np.exp(shifted)
    return g - p / np.sum(p, axis=1, keepdims=True) * np.sum(g, axis=1, keepdims=True)


logsoftmax.but(
    logsoftmax_shifted, by.any_of(by.MISSING, "sum"), (" * np.sum(g, axis=1, keepdims=True)", "")
)
logsoftmax.but(
    logsoftmax_shifted,
    by.any_of(by.MISSING, by.OTHER, "sum"),
    ("np.sum(g, axis=1, keepdims=True)", "g"),
)
logsoftmax.but(
    logsoftmax_shifted,
    by.any_of(by.MISSING, by.FACTOR, by.OTHER),
    (" / np.sum(p, axis=1, keepdims=True)", ""),
)
logsoftmax.but(
    logsoftmax_shifted, by.any_of("axis", by.OTHER), ("np.sum(g, axis=1", "np.sum(g, axis=0")
)
logsoftmax.but(logsoftmax_shifted, by.any_of(by.MISSING), ("g - p / np", "0 - p / np"))
