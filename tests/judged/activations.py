# ruff: noqa: D103 - a candidate is described by its name
"""Backward passes of activations."""

from __future__ import annotations

import math

import numpy as np

import symtape as tf
from tests.judged import causes as by
from tests.judged.case import Case


def some(rng):
    return [rng.normal(size=(2, 3)) * 1.5]


def far(rng):
    return [np.array([[40.0, -40.0, 1.0], [-60.0, 0.5, 55.0]])]


erf = np.vectorize(math.erf, otypes=[float])

# --- sigmoid --------------------------------------------------------------------------------------

sigmoid = Case("sigmoid", tf.sigmoid, some)


@sigmoid.right
def sigmoid_by_tanh(x, g):
    t = np.tanh(0.5 * x)
    return 0.25 * g * (1 - t) * (1 + t)


@sigmoid.right
def sigmoid_stable(x, g):
    e = np.exp(-np.abs(x))
    y = np.where(x >= 0, 1 / (1 + e), e / (1 + e))
    return g * y * (1 - y)


@sigmoid.right
def sigmoid_in_place(x, g):
    out = np.negative(x)
    np.exp(out, out=out)
    out += 1.0
    np.reciprocal(out, out=out)
    out *= 1.0 - out
    out *= g
    return out


sigmoid.but(sigmoid_by_tanh, by.FACTOR, ("0.25", "0.5"))
sigmoid.but(sigmoid_by_tanh, by.any_of(by.FACTOR, by.OTHER, "argument|slope"), ("0.5 * x", "x"))
sigmoid.but(sigmoid_stable, by.UPSTREAM, ("g * y", "y"))
sigmoid.but(sigmoid_stable, by.any_of(by.SIGN), ("(1 - y)", "(y - 1)"))
sigmoid.but(sigmoid_stable, by.any_of(by.MISSING, by.OTHER), ("y * (1 - y)", "(1 - y * y)"))


@sigmoid.wrong(by.ZERO)
def sigmoid_zero(x, g):
    return np.zeros_like(x)


@sigmoid.wrong(by.any_of(by.STALE, by.OTHER))
def sigmoid_of_the_output(x, g):
    y = 1 / (1 + np.exp(-x))
    s = 1 / (1 + np.exp(-y))
    return g * s * (1 - s)


@sigmoid.wrong(
    by.any_of(by.SATURATED, by.ZERO, by.ENTRIES), witness=lambda rng: [rng.normal(size=(2, 3)) * 9]
)
def sigmoid_clipped(x, g):
    y = np.clip(1 / (1 + np.exp(-x)), 1e-3, 1 - 1e-3)
    return g * y * (1 - y)


# --- gelu -----------------------------------------------------------------------------------------

gelu = Case("gelu", tf.nn.gelu, some)
gelu_fast = Case("gelu by tanh", lambda x: tf.nn.gelu(x, approximate=True), some)


@gelu.right
def gelu_by_erf(x, g):
    cdf = 0.5 * (1.0 + tf.math.erf(x / np.sqrt(2.0)))
    return g * (cdf + x * np.exp(-0.5 * x**2) * 0.3989422804014327)


@gelu.right
def gelu_rounded(x, g):
    cdf = 0.5 * (1.0 + erf(x * 0.70710678))
    return g * (cdf + x * np.exp(-0.5 * x * x) * 0.39894228)


@gelu_fast.right
def gelu_kernel(x, g):
    inner = 0.79788456 * (x + 0.044715 * x**3)
    t = np.tanh(inner)
    left = 0.5 * (1 + t)
    right = 0.5 * x * (1 - t * t) * 0.79788456 * (1 + 3 * 0.044715 * x * x)
    return g * (left + right)


@gelu_fast.right
def gelu_by_sigmoid(x, g):
    c = np.sqrt(2 / np.pi)
    s = 1 / (1 + np.exp(-2 * c * (x + 0.044715 * x**3)))
    return g * (s + x * s * (1 - s) * 2 * c * (1 + 0.134145 * x**2))


gelu.wrong(by.any_of("tanh", by.OTHER, "approx"))(gelu_kernel)
gelu.but(gelu_by_erf, by.MISSING, (" + x * np.exp(-0.5 * x**2) * 0.3989422804014327", ""))
gelu.but(gelu_by_erf, by.any_of(by.FACTOR, by.OTHER), ("-0.5 * x**2", "-(x**2)"))
gelu.but(gelu_by_erf, by.any_of(by.SIGN, by.MISSING), ("cdf + x", "cdf - x"))
gelu.but(gelu_by_erf, by.any_of(by.MISSING, by.OTHER, by.FACTOR), ("+ x * np", "+ np"))


@gelu.wrong(by.any_of("sigmoid|1.702", by.OTHER, "approx"))
def gelu_quick(x, g):
    s = 1 / (1 + np.exp(-1.702 * x))
    return g * (s + 1.702 * x * s * (1 - s))


gelu_fast.wrong(by.any_of("erf", by.OTHER, "exact"))(gelu_by_erf)
gelu_fast.but(
    gelu_kernel, by.any_of(by.FACTOR, by.CONSTANT, by.MISSING), ("3 * 0.044715", "0.044715")
)
gelu_fast.but(gelu_kernel, by.any_of(by.MISSING, by.FACTOR), (" * (1 + 3 * 0.044715 * x * x)", ""))
gelu_fast.but(gelu_kernel, by.any_of(by.CONSTANT, by.OTHER), ("0.044715 * x**3", "0.044175 * x**3"))
gelu_fast.but(
    gelu_kernel, by.any_of(by.MISSING, by.FACTOR), ("(1 - t * t) * 0.79788456", "(1 - t * t)")
)

# --- silu, mish, leaky relu, elu, relu6, softplus, swiglu, prelu ----------------------------------

silu = Case("silu", tf.nn.silu, some)


@silu.right
def silu_with_output(x, g):
    s = 1 / (1 + np.exp(-x))
    y = x * s
    return g * (y + s * (1 - y))


silu.but(silu_with_output, by.any_of(by.MISSING, by.OTHER), ("y + s * (1 - y)", "s * (1 - y)"))
silu.but(silu_with_output, by.any_of(by.MISSING, by.OTHER), ("(y + s * (1 - y))", "s"))
silu.but(silu_with_output, by.any_of(by.MISSING, by.OTHER), ("(y + s * (1 - y))", "s * (1 - s)"))
silu.but(silu_with_output, by.any_of(by.SIGN, by.MISSING), ("(1 - y)", "(1 + y)"))


@silu.wrong(by.any_of(by.FLOAT32))
def silu_float32(x, g):
    z = x.astype(np.float32)
    s = 1 / (1 + np.exp(-z))
    return (g * (s + z * s * (1 - s))).astype(np.float64)


mish = Case("mish", lambda x: x * tf.tanh(tf.nn.softplus(x)), some)


@mish.right
def mish_rational(x, g):
    w = np.exp(x)
    omega = 4 * (x + 1) + 4 * w**2 + w**3 + w * (4 * x + 6)
    delta = 2 * w + w * w + 2
    return g * w * omega / delta**2


@mish.right
def mish_by_chain(x, g):
    t = np.tanh(np.logaddexp(0.0, x))
    s = 0.5 * (1 + np.tanh(x / 2))
    return g * (t + x * (1 - t * t) * s)


mish.but(mish_rational, by.any_of(by.FACTOR, by.CONSTANT, by.MISSING), ("4 * x + 6", "4 * x + 4"))
mish.but(mish_rational, by.any_of(by.FACTOR, by.MISSING), ("delta**2", "delta"))
mish.but(mish_by_chain, by.any_of(by.MISSING, by.FACTOR), (" * s)", ")"))
mish.but(mish_by_chain, by.MISSING, (" + x * (1 - t * t) * s", ""))

leaky = Case("leaky relu", lambda x: tf.nn.leaky_relu(x, alpha=0.1), some)


@leaky.right
def leaky_by_loop(x, g):
    out = np.empty(x.shape)
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            out[i, j] = g[i, j] if x[i, j] > 0 else 0.1 * g[i, j]
    return out


@leaky.right
def leaky_by_mask(x, g):
    dx = np.array(g)
    dx[x < 0] *= 0.1
    return dx


leaky.but(leaky_by_loop, by.any_of(by.POSITIVE, by.SIGN), ("x[i, j] > 0", "x[i, j] < 0"))
leaky.but(leaky_by_loop, by.any_of(by.POSITIVE, by.ENTRIES), ("else 0.1 * g[i, j]", "else 0.0"))
leaky.but(leaky_by_loop, by.any_of(by.POSITIVE, by.ENTRIES, by.CONSTANT), ("0.1 *", "0.01 *"))
leaky.but(
    leaky_by_mask, by.any_of(by.POSITIVE, by.ENTRIES, by.FACTOR), ("dx[x < 0] *= 0.1", "dx *= 0.1")
)
leaky.but(leaky_by_mask, by.any_of(by.UPSTREAM, by.MISSING), ("x < 0", "g < 0"))

elu = Case("elu", tf.nn.elu, some)


@elu.right
def elu_from_output(x, g):
    y = np.where(x > 0, x, np.expm1(np.minimum(x, 0)))
    return g * np.where(y > 0, 1.0, y + 1.0)


elu.but(elu_from_output, by.any_of(by.POSITIVE, by.ENTRIES), ("y + 1.0", "y"))
elu.but(elu_from_output, by.any_of(by.POSITIVE, by.ENTRIES), ("1.0, y + 1.0", "y, y + 1.0"))
elu.but(
    elu_from_output,
    by.any_of(by.POSITIVE, by.ENTRIES),
    ("(y > 0, 1.0, y + 1.0)", "(x > 0, 1.0, x + 1.0)"),
)

relu6 = Case("relu6", tf.nn.relu6, lambda rng: [rng.normal(size=(2, 4)) * 5])


@relu6.right
def relu6_by_mask(x, g):
    return g * ((x > 0) & (x < 6))


relu6.but(relu6_by_mask, by.any_of(by.MASK, by.POSITIVE, by.SATURATED, "6"), (" & (x < 6)", ""))
relu6.but(relu6_by_mask, by.any_of(by.MASK, by.POSITIVE, by.ENTRIES), ("(x > 0) & ", ""))
relu6.but(relu6_by_mask, by.any_of(by.MASK, by.POSITIVE, by.ENTRIES), (" & ", " | "))

softplus = Case("softplus with beta", lambda x: tf.nn.softplus(3.0 * x) / 3.0, some)


@softplus.right
def softplus_threshold(x, g):
    return g * np.where(3.0 * x > 30.0, 1.0, 1 / (1 + np.exp(-3.0 * np.minimum(x, 10.0))))


softplus.but(softplus_threshold, by.any_of(by.POSITIVE, by.SATURATED, by.MASK), ("> 30.0", "> 2.0"))
softplus.but(softplus_threshold, by.any_of(by.FACTOR), ("g * np", "3.0 * g * np"))
softplus.but(
    softplus_threshold, by.any_of(by.OTHER, by.FACTOR, "argument"), ("np.exp(-3.0 *", "np.exp(-")
)
softplus.but(
    softplus_threshold,
    by.any_of(by.SATURATED, by.POSITIVE, by.ZERO, by.ENTRIES),
    ("30.0, 1.0,", "30.0, 0.0,"),
    witness=lambda rng: [rng.normal(size=(2, 3)) + 12],
)

glu = Case(
    "swiglu",
    lambda a, b: tf.nn.silu(a) * b,
    lambda rng: [rng.normal(size=(2, 3)), rng.normal(size=(2, 3))],
)


@glu.right
def swiglu_both(a, b, g):
    s = 0.5 * np.tanh(0.5 * a) + 0.5
    silu = a * s
    db = g * silu
    da = g * b * s * (1 + a * (1 - s))
    return da, db


glu.but(swiglu_both, by.SWAPPED, ("return da, db", "return db, da"))
glu.but(swiglu_both, by.any_of(by.MISSING, by.FACTOR), ("g * b * s", "g * s"))
glu.but(swiglu_both, by.any_of(by.MISSING, by.SIGN), ("a * (1 - s)", "s * (1 - a)"))
glu.but(swiglu_both, by.any_of(by.MISSING, by.FACTOR, by.STALE), ("db = g * silu", "db = g * s"))

prelu = Case(
    "prelu",
    lambda x, a: tf.where(x > 0, x, a * x),
    lambda rng: [rng.normal(size=(4, 3)), rng.uniform(0.1, 0.4, size=(3,))],
)


@prelu.right
def prelu_masked(x, a, g):
    negative = x <= 0
    dx = np.where(negative, a * g, g)
    da = np.einsum("ij,ij,ij->j", negative.astype(x.dtype), x, g)
    return dx, da


@prelu.right
def prelu_looped(x, a, g):
    dx = np.zeros_like(x)
    da = np.zeros_like(a)
    for n in range(len(x)):
        for k in range(len(a)):
            if x[n, k] > 0:
                dx[n, k] = g[n, k]
            else:
                dx[n, k] = a[k] * g[n, k]
                da[k] += x[n, k] * g[n, k]
    return dx, da


prelu.but(prelu_masked, by.any_of(by.SHAPE, by.BROADCAST), ("ij,ij,ij->j", "ij,ij,ij->ij"))
prelu.but(
    prelu_masked,
    by.any_of(by.MASK, by.MISSING, by.POSITIVE),
    ("negative.astype(x.dtype)", "np.ones(x.shape)"),
)
prelu.but(prelu_looped, by.any_of(by.BROADCAST, "sum|accumulat|last"), ("da[k] += x", "da[k] = x"))
prelu.but(prelu_looped, by.any_of(by.MEAN), ("return dx, da", "return dx, da / len(x)"))
prelu.but(prelu_masked, by.any_of(by.MISSING, by.POSITIVE, by.ENTRIES), ("a * g, g", "a, g"))
