# ruff: noqa: D103 - a candidate is described by its name
"""Backwards of layers in NumPy, with loops, windows and caches, as courses teach them."""

from __future__ import annotations

import numpy as np

from tests.judged import causes as by
from tests.judged.case import Case


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


# --- conv naive
def conv_forward(x, w, b, stride=1, pad=1):
    N, _C, H, W = x.shape
    F, _, HH, WW = w.shape
    xp = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)), mode="constant")
    Ho, Wo = 1 + (H + 2 * pad - HH) // stride, 1 + (W + 2 * pad - WW) // stride
    out = np.zeros((N, F, Ho, Wo))
    for n in range(N):
        for f in range(F):
            for i in range(Ho):
                for j in range(Wo):
                    out[n, f, i, j] = (
                        np.sum(
                            xp[n, :, i * stride : i * stride + HH, j * stride : j * stride + WW]
                            * w[f]
                        )
                        + b[f]
                    )
    return out


def conv_data(r):
    return [r.normal(size=(2, 2, 4, 3)), r.normal(size=(2, 2, 3, 3)), r.normal(size=2)]


c = Case("cs231n conv", conv_forward, conv_data)


@c.right
def conv_backward(x, w, b, dout, stride=1, pad=1):
    N, _C, H, W = x.shape
    F, _, HH, WW = w.shape
    xp = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)), mode="constant")
    dxp = np.zeros_like(xp)
    dw = np.zeros_like(w)
    db = np.zeros_like(b)
    for n in range(N):
        for f in range(F):
            db[f] += dout[n, f].sum()
            for i in range(dout.shape[2]):
                for j in range(dout.shape[3]):
                    si, sj = i * stride, j * stride
                    dw[f] += xp[n, :, si : si + HH, sj : sj + WW] * dout[n, f, i, j]
                    dxp[n, :, si : si + HH, sj : sj + WW] += w[f] * dout[n, f, i, j]
    return dxp[:, :, pad : pad + H, pad : pad + W], dw, db


c.but(conv_backward, by.any_of(by.MISSING, "overwritten"), ("dw[f] +=", "dw[f] ="))
c.but(
    conv_backward,
    by.any_of(by.ORDER, "places", by.OTHER),
    ("+= w[f] * dout", "+= w[f, :, ::-1, ::-1] * dout"),
)
c.but(
    conv_backward,
    by.any_of(by.SHIFT, "places", by.OTHER),
    ("dxp[:, :, pad : pad + H, pad : pad + W]", "dxp[:, :, :H, :W]"),
)
c.but(
    conv_backward, by.any_of(by.MEAN), ("db[f] += dout[n, f].sum()", "db[f] += dout[n, f].mean()")
)
c.but(
    conv_backward,
    by.any_of(by.MISSING, "overwritten"),
    ("db[f] += dout[n, f].sum()", "db[f] = dout[n, f].sum()"),
)


# --- im2col conv
def get_indices(shape, HH, WW, pad, stride):
    _N, C, H, W = shape
    oh, ow = (H + 2 * pad - HH) // stride + 1, (W + 2 * pad - WW) // stride + 1
    i0 = np.tile(np.repeat(np.arange(HH), WW), C)
    i1 = stride * np.repeat(np.arange(oh), ow)
    j0 = np.tile(np.arange(WW), HH * C)
    j1 = stride * np.tile(np.arange(ow), oh)
    k = np.repeat(np.arange(C), HH * WW).reshape(-1, 1)
    return k, i0.reshape(-1, 1) + i1.reshape(1, -1), j0.reshape(-1, 1) + j1.reshape(1, -1)


c = Case("conv by im2col", lambda x, w: conv_forward(x, w, np.zeros(2)), lambda r: conv_data(r)[:2])


@c.right
def im2col_backward(x, w, dout):
    F, _, HH, WW = w.shape
    k, i, j = get_indices(x.shape, HH, WW, 1, 1)
    xp = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    cols = xp[:, k, i, j].transpose(1, 2, 0).reshape(x.shape[1] * HH * WW, -1)
    dr = dout.transpose(1, 2, 3, 0).reshape(F, -1)
    dw = (dr @ cols.T).reshape(w.shape)
    dcols = (
        (w.reshape(F, -1).T @ dr).reshape(x.shape[1] * HH * WW, -1, x.shape[0]).transpose(2, 0, 1)
    )
    dxp = np.zeros_like(xp)
    np.add.at(dxp, (slice(None), k, i, j), dcols)
    return dxp[:, :, 1:-1, 1:-1], dw


c.but(
    im2col_backward,
    by.any_of(by.ORDER, by.OTHER, "wrong"),
    ("dout.transpose(1, 2, 3, 0)", "dout.transpose(1, 0, 2, 3)"),
)
c.but(
    im2col_backward,
    by.any_of(by.MISSING, "sum"),
    ("np.add.at(dxp, (slice(None), k, i, j), dcols)", "dxp[:, k, i, j] += dcols"),
)
c.but(im2col_backward, by.any_of(by.FACTOR), ("    dw = (dr", "    dw = x.shape[0] * (dr"))
c.but(
    im2col_backward,
    by.any_of(by.ORDER, "sign"),
    ("w.reshape(F, -1).T @ dr", "w[::-1].reshape(F, -1).T @ dr"),
)


# --- lstm step with in-place cotangent
def lstm_step(x, h, cprev, Wx, Wh, b):
    H = h.shape[1]
    a = x @ Wx + h @ Wh + b
    i, f, o, g = (
        sigmoid(a[:, :H]),
        sigmoid(a[:, H : 2 * H]),
        sigmoid(a[:, 2 * H : 3 * H]),
        np.tanh(a[:, 3 * H :]),
    )
    cn = f * cprev + i * g
    return o * np.tanh(cn), cn


def lstm_data(r):
    return [r.normal(size=s) for s in ((2, 3), (2, 2), (2, 2), (3, 8), (2, 8), (8,))]


c = Case("cs231n lstm step", lstm_step, lstm_data)


@c.right
def lstm_step_backward(x, h, cprev, Wx, Wh, b, dh, dc):
    a = x.dot(Wx) + h.dot(Wh) + b
    ai, af, ao, ag = np.split(a, 4, axis=1)
    i, f, o, g = sigmoid(ai), sigmoid(af), sigmoid(ao), np.tanh(ag)
    cn = f * cprev + i * g
    t = np.tanh(cn)
    dcn = dc + dh * o * (1 - t**2)
    da = np.hstack(
        (
            dcn * g * i * (1 - i),
            dcn * cprev * f * (1 - f),
            dh * t * o * (1 - o),
            dcn * i * (1 - g**2),
        )
    )
    return da.dot(Wx.T), da.dot(Wh.T), dcn * f, x.T.dot(da), h.T.dot(da), da.sum(axis=0)


c.but(
    lstm_step_backward,
    by.CHANGES,
    ("dcn = dc + dh * o * (1 - t**2)", "dc += dh * o * (1 - t ** 2)\n    dcn = dc"),
)
c.but(lstm_step_backward, by.MISSING, ("dcn = dc + dh", "dcn = dh"))
c.but(lstm_step_backward, by.any_of("axis", by.SHAPE), ("da.sum(axis=0)", "da.sum(axis=1)"))
c.but(
    lstm_step_backward,
    by.ORDER,
    (
        "(\n            dcn * g * i * (1 - i),\n            dcn * cprev * f * (1 - f),",
        "(dcn * cprev * f * (1 - f), dcn * g * i * (1 - i),",
    ),
)
c.but(lstm_step_backward, by.any_of("power", by.MISSING), ("(1 - g**2)", "(1 - g)"))
c.but(lstm_step_backward, by.any_of(by.FACTOR, by.MEAN), ("x.T.dot(da)", "x.T.dot(da) / len(x)"))


# --- softmax loss naive with loops
def softmax_loss(W, X, y):
    s = X @ W
    s = s - s.max(axis=1, keepdims=True)
    p = np.exp(s) / np.exp(s).sum(axis=1, keepdims=True)
    return -np.mean(np.log(p[np.arange(len(y)), y])) + 0.1 * np.sum(W * W)


c = Case(
    "softmax loss naive",
    softmax_loss,
    lambda r: [r.normal(size=(3, 4)), r.normal(size=(5, 3)), np.array([0, 3, 1, 2, 3])],
    "gradient",
    {"wrt": [0]},
    has_numbers=False,
)


@c.right
def softmax_naive(W, X, y):
    dW = np.zeros(W.shape)
    N, C = X.shape[0], W.shape[1]
    for i in range(N):
        s = X[i].dot(W)
        s -= np.max(s)
        p = np.exp(s) / np.sum(np.exp(s))
        for j in range(C):
            dW[:, j] += (p[j] - (j == y[i])) * X[i]
    dW /= N
    dW += 2 * 0.1 * W
    return dW


c.but(softmax_naive, by.any_of(by.MEAN, by.FACTOR), ("    dW /= N\n", ""))
c.but(softmax_naive, by.any_of(by.HALF, by.FACTOR), ("2 * 0.1 * W", "0.1 * W"))
c.but(
    softmax_naive,
    by.any_of(by.FACTOR, "term"),
    ("    dW /= N\n    dW += 2 * 0.1 * W\n", "    dW += 2 * 0.1 * W\n    dW /= N\n"),
)
c.but(softmax_naive, by.any_of(by.MISSING, by.OTHER), ("(p[j] - (j == y[i]))", "p[j]"))
c.but(
    softmax_naive,
    by.any_of(by.OTHER),
    ("(p[j] - (j == y[i])) * X[i]", "(p[j] - (j == y[i])) * X[0]"),
)


# --- svm loss
def svm_loss(W, X, y):
    s = X @ W
    m = np.maximum(0, s - s[np.arange(len(y)), y][:, None] + 1)
    m = m * (np.arange(W.shape[1]) != y[:, None])
    return m.sum() / len(y) + 0.5 * np.sum(W * W)


c = Case(
    "svm loss vectorized",
    svm_loss,
    lambda r: [r.normal(size=(3, 4)), r.normal(size=(5, 3)), np.array([0, 3, 1, 2, 3])],
    "gradient",
    {"wrt": [0]},
    has_numbers=False,
)


@c.right
def svm_vectorized(W, X, y):
    N = len(y)
    s = X.dot(W)
    margins = np.maximum(0, s - s[np.arange(N), y][:, None] + 1)
    margins[np.arange(N), y] = 0
    binary = (margins > 0).astype(float)
    binary[np.arange(N), y] = -binary.sum(axis=1)
    return X.T.dot(binary) / N + W


c.but(
    svm_vectorized,
    by.any_of(by.MISSING, by.OTHER),
    ("    binary[np.arange(N), y] = -binary.sum(axis=1)\n", ""),
)
c.but(svm_vectorized, by.any_of(by.MISSING, by.MASK), ("    margins[np.arange(N), y] = 0\n", ""))
c.but(svm_vectorized, by.any_of(by.OTHER, by.MISSING), ("-binary.sum(axis=1)", "-1"))
c.but(svm_vectorized, by.any_of(by.MISSING, "term"), (" / N + W", " / N"))
c.but(svm_vectorized, by.any_of(by.MEAN, by.MISSING), (" / N + W", " + W"))


# --- rnn karpathy (column vectors, list of inputs, hprev)
def rnn_loss(Wxh, Whh, Why, xs, h0):
    h, loss = h0, 0.0
    for t in range(xs.shape[0]):
        h = np.tanh(Wxh @ xs[t] + Whh @ h)
        y = Why @ h
        loss = loss + np.log(np.sum(np.exp(y))) - y[t % 3]
    return loss


c = Case(
    "char rnn",
    rnn_loss,
    lambda r: [
        r.normal(size=(2, 3)),
        r.normal(size=(2, 2)),
        r.normal(size=(3, 2)),
        r.normal(size=(3, 3)),
        r.normal(size=2),
    ],
    "gradient",
    {"wrt": [0, 1, 2]},
    has_numbers=False,
)


@c.right
def rnn_bptt(Wxh, Whh, Why, xs, h0):
    hs, ps = {-1: np.copy(h0)}, {}
    for t in range(len(xs)):
        hs[t] = np.tanh(np.dot(Wxh, xs[t]) + np.dot(Whh, hs[t - 1]))
        y = np.dot(Why, hs[t])
        ps[t] = np.exp(y) / np.sum(np.exp(y))
    dWxh, dWhh, dWhy = np.zeros_like(Wxh), np.zeros_like(Whh), np.zeros_like(Why)
    dhnext = np.zeros_like(hs[0])
    for t in reversed(range(len(xs))):
        dy = np.copy(ps[t])
        dy[t % 3] -= 1
        dWhy += np.outer(dy, hs[t])
        dh = np.dot(Why.T, dy) + dhnext
        dhraw = (1 - hs[t] * hs[t]) * dh
        dWxh += np.outer(dhraw, xs[t])
        dWhh += np.outer(dhraw, hs[t - 1])
        dhnext = np.dot(Whh.T, dhraw)
    return dWxh, dWhh, dWhy


c.but(rnn_bptt, by.any_of(by.MISSING, "term"), (" + dhnext\n", "\n"))
c.but(rnn_bptt, by.any_of(by.TRANSPOSED, "exchang"), ("np.dot(Whh.T, dhraw)", "np.dot(Whh, dhraw)"))
c.but(rnn_bptt, by.any_of(by.OTHER, by.MISSING), ("np.dot(Whh.T, dhraw)", "np.dot(Whh.T, dh)"))
c.but(rnn_bptt, by.any_of(by.SHIFT), ("np.outer(dhraw, hs[t - 1])", "np.outer(dhraw, hs[t])"))
c.but(rnn_bptt, by.TRANSPOSED, ("np.outer(dhraw, hs[t - 1])", "np.outer(hs[t - 1], dhraw)"))


# --- attention from a blog, batch heads numpy
def attn(Q, K, V):
    s = Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1])
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ V


c = Case(
    "blog attention",
    attn,
    lambda r: [r.normal(size=(2, 3, 2)), r.normal(size=(2, 4, 2)), r.normal(size=(2, 4, 3))],
    has_numbers=False,
)


@c.right
def attn_backward(Q, K, V, dout):
    dk = Q.shape[-1]
    s = np.einsum("bqd,bkd->bqk", Q, K) / np.sqrt(dk)
    A = np.exp(s) / np.exp(s).sum(axis=-1, keepdims=True)
    dV = np.matmul(np.swapaxes(A, 1, 2), dout)
    dA = np.matmul(dout, np.swapaxes(V, 1, 2))
    dS = np.zeros_like(A)
    for b in range(A.shape[0]):
        for q in range(A.shape[1]):
            J = np.diag(A[b, q]) - np.outer(A[b, q], A[b, q])
            dS[b, q] = J @ dA[b, q]
    dS /= np.sqrt(dk)
    return dS @ K, np.swapaxes(dS, 1, 2) @ Q, dV


c.but(attn_backward, by.any_of(by.MISSING, by.FACTOR), ("    dS /= np.sqrt(dk)\n", ""))
c.but(attn_backward, by.any_of(by.MISSING, by.OTHER), (" - np.outer(A[b, q], A[b, q])", ""))
c.but(
    attn_backward,
    by.any_of(by.SHIFT, by.OTHER, "power"),
    ("np.sqrt(dk)\n    A", "np.sqrt(K.shape[1])\n    A"),
)
c.but(attn_backward, by.any_of(by.ORDER, "sign"), ("dS @ K", "dS @ K[::-1]"))
c.but(attn_backward, by.any_of("sizes", "number"), ("dk = Q.shape[-1]", "dk = V.shape[-1] - 1"))
