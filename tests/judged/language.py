# ruff: noqa: D103 - a candidate is described by its name
"""Backward passes of what language models are trained with: fused losses, linear attention."""

from __future__ import annotations

import numpy as np

import symtape as tf
from tests.judged import causes as by
from tests.judged.case import Case

# --- cross entropy of a projection, by chunks, with a penalty of the normaliser -------------------

Z = 0.1


def of_projection(h, w, t):
    logits = h @ w
    lse = tf.reduce_logsumexp(logits, -1)
    picked = tf.gather(logits, t, batch_dims=1)
    return tf.reduce_mean(lse - picked + Z * lse**2)


def drawn_projection(rng):
    return [rng.normal(size=(4, 3)), rng.normal(size=(3, 5)), rng.integers(0, 5, 4)]


projected = Case(
    "cross entropy of a projection", of_projection, drawn_projection, "gradient", {"wrt": [0, 1]}
)


@projected.right
def projected_in_chunks(h, w, t):
    n = h.shape[0]
    dh, dw = np.zeros_like(h), np.zeros_like(w)
    for begin in range(0, n, 2):
        rows = slice(begin, begin + 2)
        logits = h[rows] @ w
        top = logits.max(axis=1, keepdims=True)
        e = np.exp(logits - top)
        total = e.sum(axis=1, keepdims=True)
        p = e / total
        lse = top + np.log(total)
        d = p * (1 + 2 * Z * lse)
        d[np.arange(len(d)), t[rows]] -= 1.0
        d /= n
        dh[rows] = d @ w.T
        dw += h[rows].T @ d
    return dh, dw


@projected.right
def projected_by_columns(h, w, t):
    logits = h @ w
    m, s = np.full(len(h), -np.inf), np.zeros(len(h))
    for j in range(w.shape[1]):
        new = np.maximum(m, logits[:, j])
        s = s * np.exp(m - new) + np.exp(logits[:, j] - new)
        m = new
    lse = m + np.log(s)
    dh, dw = np.zeros(h.shape), np.zeros(w.shape)
    for j in range(w.shape[1]):
        d = (np.exp(logits[:, j] - lse) * (1 + 2 * Z * lse) - (t == j)) / len(h)
        dh += d[:, None] * w[:, j]
        dw[:, j] = d @ h
    return dh, dw


projected.but(projected_in_chunks, by.MEAN, ("d /= n", "d /= 2"))
projected.but(projected_in_chunks, by.any_of(by.ZERO, by.MISSING, "sum"), ("dw += h", "dw = h"))
projected.but(projected_in_chunks, by.any_of(by.TWICE, by.FACTOR), ("2 * Z * lse", "Z * lse"))
projected.but(projected_in_chunks, by.any_of(by.MISSING, "term"), (" * (1 + 2 * Z * lse)", ""))
projected.but(
    projected_in_chunks,
    by.any_of(by.SHIFT, by.OTHER, by.STALE),
    ("t[rows]] -= 1.0", "t[: len(d)]] -= 1.0"),
)
projected.but(
    projected_in_chunks, by.any_of(by.MISSING, by.OTHER), ("top + np.log(total)", "np.log(total)")
)
projected.but(
    projected_by_columns,
    by.any_of(by.MISSING, by.FACTOR, by.SATURATED),
    ("s * np.exp(m - new) + ", "s + "),
)
projected.but(projected_by_columns, by.any_of(by.ZERO, by.MISSING, "sum"), ("dh += d[", "dh = d["))

# --- attention with capped scores, and what flash attention keeps ---------------------------------

CAP = 3.0


def capped(q, k, v):
    s = CAP * tf.tanh(tf.matmul(q, k, transpose_b=True) / (CAP * np.sqrt(2.0)))
    mask = np.tril(np.ones((4, 4), bool))
    return tf.nn.softmax(tf.where(mask, s, -1e30)) @ v


def three_of_four(rng):
    return [rng.normal(size=(4, 2)) for _ in range(3)]


flash = Case("attention of capped scores", capped, three_of_four)


@flash.right
def flash_by_tiles(q, k, v, do):
    n, step, scale = q.shape[0], 2, 1 / np.sqrt(2.0)
    rows = np.arange(n)
    s = CAP * np.tanh(q @ k.T * scale / CAP)
    s = np.where(rows[:, None] >= rows, s, -np.inf)
    lse = s.max(1) + np.log(np.exp(s - s.max(1, keepdims=True)).sum(1))
    o = np.exp(s - lse[:, None]) @ v
    delta = (do * o).sum(1)
    dq, dk, dv = np.zeros_like(q), np.zeros_like(k), np.zeros_like(v)
    for j in range(0, n, step):
        c = slice(j, j + step)
        for i in range(j, n, step):
            r = slice(i, i + step)
            t = np.tanh(q[r] @ k[c].T * scale / CAP)
            keep = rows[r, None] >= rows[c]
            p = np.where(keep, np.exp(CAP * t - lse[r, None]), 0.0)
            dv[c] += p.T @ do[r]
            dp = do[r] @ v[c].T
            ds = p * (dp - delta[r, None]) * (1 - t**2) * scale
            dq[r] += ds @ k[c]
            dk[c] += ds.T @ q[r]
    return dq, dk, dv


@flash.right
def flash_whole(q, k, v, do):
    c = 1 / np.sqrt(2.0)
    t = np.tanh(np.einsum("id,jd->ij", q, k) * c / CAP)
    e = np.tril(np.exp(CAP * t))
    p = e / e.sum(-1)[:, np.newaxis]
    dp = np.einsum("id,jd->ij", do, v)
    ds = (p * dp - p * np.vecdot(p, dp)[:, None]) * (1 - t * t) * c
    return ds @ k, np.einsum("ij,id->jd", ds, q), p.T @ do


flash.but(flash_by_tiles, by.any_of(by.FACTOR, by.MISSING), (" * (1 - t**2) * scale", " * scale"))
flash.but(flash_by_tiles, by.FACTOR, (" * (1 - t**2) * scale", " * (1 - t**2)"))
flash.but(flash_by_tiles, by.any_of(by.MISSING, by.OTHER), ("(dp - delta[r, None])", "dp"))
flash.but(
    flash_by_tiles,
    by.any_of(by.MASK, by.ENTRIES, by.SHIFT),
    ("for i in range(j, n, step)", "for i in range(j + step, n, step)"),
)
flash.but(
    flash_by_tiles,
    by.any_of(by.MASK, by.ENTRIES, by.SHIFT),
    ("keep = rows[r, None] >= rows[c]", "keep = rows[r, None] > rows[c]"),
)
flash.but(
    flash_by_tiles,
    by.any_of(by.STALE, by.SHIFT, by.ENTRIES),
    ("np.exp(CAP * t - lse[r, None])", "np.exp(CAP * t - lse[c, None])"),
)
flash.but(flash_by_tiles, by.any_of(by.ZERO, by.MISSING, "sum"), ("dq[r] += ds", "dq[r] = ds"))
flash.but(flash_by_tiles, by.any_of(by.TRANSPOSED), ("dv[c] += p.T @", "dv[c] += p @"))
flash.but(flash_by_tiles, by.any_of(by.SWAPPED, by.OTHER), ("(do * o).sum(1)", "(do * v).sum(1)"))
flash.but(flash_whole, by.TRANSPOSED, ('"ij,id->jd", ds, q', '"ij,jd->id", ds, q'))
flash.but(flash_whole, by.any_of(by.FACTOR, by.OTHER, by.MISSING), ("(1 - t * t)", "(1 - t)"))

# --- linear attention with a decay ----------------------------------------------------------------


def retained(q, k, v, a):
    state, out = np.zeros((2, 2)), []
    for i in range(4):
        state = a * state + k[i][:, None] * v[i][None, :]
        out.append(tf.linalg.matvec(state, q[i], transpose_a=True))
    return tf.stack(out)


retention = Case(
    "retention", retained, lambda rng: [*three_of_four(rng), np.array(rng.uniform(0.3, 0.9))]
)


@retention.right
def retention_as_a_scan(q, k, v, a, g):
    states = [np.zeros((2, 2))]
    for i in range(4):
        states.append(a * states[-1] + np.outer(k[i], v[i]))
    dq, dk, dv = np.zeros_like(q), np.zeros_like(k), np.zeros_like(v)
    da, ds = 0.0, np.zeros((2, 2))
    for i in reversed(range(4)):
        dq[i] = states[i + 1] @ g[i]
        ds = ds + np.outer(q[i], g[i])
        dk[i] = ds @ v[i]
        dv[i] = ds.T @ k[i]
        da += np.sum(ds * states[i])
        ds = a * ds
    return dq, dk, dv, da


@retention.right
def retention_as_attention(q, k, v, a, g):
    n = np.subtract.outer(np.arange(4), np.arange(4))
    D = np.where(n >= 0, a ** np.maximum(n, 0), 0.0)
    slope = np.where(n > 0, n * a ** np.maximum(n - 1, 0), 0.0)
    P, G = q @ k.T, g @ v.T
    return (G * D) @ k, (G * D).T @ q, (P * D).T @ g, np.sum(P * G * slope)


retention.but(
    retention_as_a_scan, by.any_of(by.SHIFT, by.STALE), ("ds * states[i])", "ds * states[i + 1])")
)
retention.but(
    retention_as_a_scan, by.any_of(by.SHIFT, by.STALE), ("states[i + 1] @ g", "states[i] @ g")
)
retention.but(retention_as_a_scan, by.any_of(by.FACTOR, by.MISSING), ("        ds = a * ds\n", ""))
retention.but(retention_as_a_scan, by.any_of(by.TRANSPOSED), ("ds.T @ k", "ds @ k"))
retention.but(
    retention_as_attention,
    by.any_of(by.MISSING, by.FACTOR),
    ("n * a ** np.maximum(n - 1", "a ** np.maximum(n - 1"),
)
retention.but(
    retention_as_attention,
    by.any_of(by.MISSING, by.SHIFT, by.FACTOR, by.OTHER),
    ("np.maximum(n - 1, 0), 0.0)", "np.maximum(n, 0), 0.0)"),
)
retention.but(
    retention_as_attention,
    by.any_of(by.MASK, by.SHIFT, by.MISSING),
    ("np.where(n >= 0, a", "np.where(n > 0, a"),
)
retention.but(retention_as_attention, by.any_of(by.MISSING, by.FACTOR), ("(G * D) @ k", "G @ k"))

# --- the recurrence of rwkv -----------------------------------------------------------------------


def wkv(k, v, w, u):
    a, b, out = np.zeros(2), np.zeros(2), []
    for t in range(3):
        now = tf.exp(u + k[t])
        out.append((a + now * v[t]) / (b + now))
        a = tf.exp(-w) * a + tf.exp(k[t]) * v[t]
        b = tf.exp(-w) * b + tf.exp(k[t])
    return tf.stack(out)


rwkv = Case(
    "recurrence of rwkv",
    wkv,
    lambda rng: [
        rng.normal(size=(3, 2)),
        rng.normal(size=(3, 2)),
        rng.uniform(0.2, 1, 2),
        rng.normal(size=2),
    ],
)


@rwkv.right
def rwkv_backwards(k, v, w, u, g):
    T = len(k)
    decay = np.exp(-w)
    A, B = np.zeros((T + 1, 2)), np.zeros((T + 1, 2))
    for t in range(T):
        A[t + 1] = decay * A[t] + np.exp(k[t]) * v[t]
        B[t + 1] = decay * B[t] + np.exp(k[t])
    dk, dv = np.zeros_like(k), np.zeros_like(v)
    du, dd = np.zeros(2), np.zeros(2)
    da = db = np.zeros(2)
    for t in range(T - 1, -1, -1):
        e = np.exp(k[t])
        dk[t] = e * (da * v[t] + db)
        dv[t] = e * da
        dd += da * A[t] + db * B[t]
        now = np.exp(u + k[t])
        z = 1 / (B[t] + now)
        y = (A[t] + now * v[t]) * z
        through = g[t] * z * (v[t] - y) * now
        du += through
        dk[t] += through
        dv[t] += g[t] * z * now
        da = decay * da + g[t] * z
        db = decay * db - g[t] * z * y
    return dk, dv, -decay * dd, du


rwkv.but(rwkv_backwards, by.any_of(by.SIGN), ("decay * db - g", "decay * db + g"))
rwkv.but(rwkv_backwards, by.any_of(by.SIGN, by.FACTOR), ("-decay * dd", "decay * dd"))
rwkv.but(rwkv_backwards, by.any_of(by.FACTOR, by.MISSING), ("-decay * dd", "-dd"))
rwkv.but(
    rwkv_backwards,
    by.any_of(by.SHIFT, by.STALE),
    ("da * A[t] + db * B[t]", "da * A[t + 1] + db * B[t + 1]"),
)
rwkv.but(rwkv_backwards, by.any_of(by.MISSING), ("        dk[t] += through\n", ""))
rwkv.but(rwkv_backwards, by.any_of(by.MISSING, by.ZERO, "sum"), ("du += through", "du = through"))
rwkv.but(rwkv_backwards, by.any_of(by.FACTOR, by.MISSING), ("(da * v[t] + db)", "da * v[t] + db"))
rwkv.but(
    rwkv_backwards,
    by.any_of(by.MISSING, by.FACTOR),
    ("g[t] * z * (v[t] - y) * now", "g[t] * z * (v[t] - y)"),
)

# --- preferences and clipped policies -------------------------------------------------------------

BETA, EPS = 0.4, 0.2


def preferred(a, b, ra, rb):
    m = BETA * ((a - ra) - (b - rb))
    return -tf.reduce_mean(tf.math.log_sigmoid(m))


dpo = Case(
    "loss of preferences",
    preferred,
    lambda rng: [rng.normal(size=4) for _ in range(4)],
    "gradient",
    {"wrt": [0, 1]},
)


@dpo.right
def dpo_by_sigmoid(a, b, ra, rb):
    m = BETA * (a - ra - b + rb)
    s = -BETA / (1 + np.exp(m)) / len(a)
    return s, -s


dpo.but(dpo_by_sigmoid, by.any_of(by.SIGN, by.OTHER), ("np.exp(m)", "np.exp(-m)"))
dpo.but(dpo_by_sigmoid, by.any_of(by.FACTOR), ("-BETA / (1", "-1 / (1"))
dpo.but(dpo_by_sigmoid, by.any_of(by.SIGN), ("return s, -s", "return s, s"))
dpo.but(dpo_by_sigmoid, by.any_of(by.SIGN, by.MISSING), ("- b + rb)", "- b - rb)"))


def clipped_policy(logp, old, adv):
    r = tf.exp(logp - old)
    c = tf.clip_by_value(r, 1 - EPS, 1 + EPS)
    k3 = tf.exp(old - logp) - (old - logp) - 1
    return tf.reduce_mean(-tf.minimum(r * adv, c * adv) + 0.1 * k3)


def drawn_policy(rng):
    old = rng.normal(size=6)
    return [old + 0.5 * rng.normal(size=6), old, rng.normal(size=6)]


ppo = Case("clipped policy", clipped_policy, drawn_policy, "gradient", {"wrt": [0]})


@ppo.right
def ppo_by_cases(logp, old, adv):
    r = np.exp(logp - old)
    is_cut = ((adv > 0) & (r > 1 + EPS)) | ((adv < 0) & (r < 1 - EPS))
    return (np.where(is_cut, 0.0, -r * adv) + 0.1 * (1 - 1 / r)) / logp.size


@ppo.right
def ppo_by_loop(logp, old, adv):
    out = []
    for a, b, c in zip(logp, old, adv, strict=True):
        ratio = np.exp(a - b)
        inside = min(ratio * c, np.clip(ratio, 0.8, 1.2) * c) == ratio * c
        out.append((-ratio * c * inside - 0.1 * (np.exp(b - a) - 1)) / len(logp))
    return np.array(out)


ppo.but(
    ppo_by_cases,
    by.any_of(by.MASK, by.POSITIVE),
    ("((adv > 0) & (r > 1 + EPS)) | ((adv < 0) & (r < 1 - EPS))", "(r > 1 + EPS) | (r < 1 - EPS)"),
)
ppo.but(ppo_by_cases, by.any_of(by.MASK, by.POSITIVE), (" | ((adv < 0) & (r < 1 - EPS))", ""))
ppo.but(ppo_by_cases, by.any_of(by.FACTOR, by.MISSING), ("-r * adv)", "-adv)"))
ppo.but(ppo_by_cases, by.any_of(by.SIGN), ("(1 - 1 / r)", "(1 / r - 1)"))
ppo.but(ppo_by_cases, by.any_of(by.OTHER, by.FACTOR, by.MISSING), ("(1 - 1 / r)", "(r - 1)"))

# --- experts in balance ---------------------------------------------------------------------------


def unbalanced(logits):
    p = tf.nn.softmax(logits)
    counts = tf.reduce_mean(tf.one_hot(tf.argmax(logits, -1), 3, dtype=p.dtype), 0)
    return 3.0 * tf.reduce_sum(counts * tf.reduce_mean(p, 0))


balance = Case("balance of experts", unbalanced, lambda rng: [rng.normal(size=(5, 3))], "gradient")


@balance.right
def balance_of_counts(logits):
    n, m = logits.shape
    e = np.exp(logits - logits.max(-1, keepdims=True))
    p = e / e.sum(-1, keepdims=True)
    f = np.bincount(np.argmax(logits, -1), minlength=m) / n
    return m / n * p * (f - p @ f[:, None])


balance.but(balance_of_counts, by.any_of(by.FACTOR, by.MEAN), ("m / n * p", "p / n"))
balance.but(balance_of_counts, by.any_of(by.MISSING), (" - p @ f[:, None]", ""))
balance.but(balance_of_counts, by.any_of(by.MEAN), ("minlength=m) / n", "minlength=m)"))
balance.but(balance_of_counts, by.any_of(by.OTHER, by.SWAPPED), ("np.argmax", "np.argmin"))
