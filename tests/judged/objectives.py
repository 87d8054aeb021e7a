# ruff: noqa: D103 - a candidate is described by its name
"""Backward passes of losses that compare sets, sequences, ranks and angles."""

from __future__ import annotations

import numpy as np

import symtape as tf
from tests.judged import causes as by
from tests.judged.case import Case

# --- overlap of a mask ----------------------------------------------------------------------------


def dice_of(z, y):
    p = tf.sigmoid(z)
    both = tf.reduce_sum(p * y, (1, 2))
    total = tf.reduce_sum(p, (1, 2)) + tf.reduce_sum(y, (1, 2))
    return tf.reduce_mean(1 - (2 * both + 1) / (total + 1))


dice = Case(
    "dice loss",
    dice_of,
    lambda rng: [rng.normal(size=(2, 3, 3)), (rng.random((2, 3, 3)) < 0.5) * 1.0],
    "gradient",
    {"wrt": [0]},
)


@dice.right
def dice_by_quotient(z, y):
    p = 1 / (1 + np.exp(-z))
    top = 2 * np.einsum("nij,nij->n", p, y) + 1
    low = p.sum((1, 2)) + y.sum((1, 2)) + 1
    dp = (top / low**2)[:, None, None] - 2 * y / low[:, None, None]
    return dp * p * (1 - p) / len(z)


dice.but(dice_by_quotient, by.any_of(by.MEAN), (" / len(z)", ""))
dice.but(dice_by_quotient, by.any_of(by.MISSING, by.OTHER), (" * p * (1 - p)", ""))
dice.but(dice_by_quotient, by.any_of(by.TWICE, by.FACTOR, by.HALF), ("- 2 * y", "- y"))
dice.but(
    dice_by_quotient, by.any_of("1|constant", by.OTHER), ("y.sum((1, 2)) + 1", "y.sum((1, 2))")
)
dice.but(dice_by_quotient, by.any_of("power", by.FACTOR, by.MISSING), ("low**2", "low"))
dice.but(
    dice_by_quotient,
    by.any_of("sum|batch|axes", by.OTHER),
    ("p.sum((1, 2)) + y.sum((1, 2)) + 1", "np.full(2, p.sum() + y.sum() + 1)"),
)

# --- a margin of angles ---------------------------------------------------------------------------

MARGIN, SCALE = 0.3, 8.0


def angular(c, y):
    """Take cosines, and put the margin to the angle of the class where it is not too large."""
    s = tf.sqrt(1 - c**2)
    moved = tf.where(
        c > -np.cos(MARGIN), c * np.cos(MARGIN) - s * np.sin(MARGIN), c - MARGIN * np.sin(MARGIN)
    )
    z = SCALE * (y * moved + (1 - y) * c)
    return -tf.reduce_mean(tf.reduce_sum(y * tf.nn.log_softmax(z), -1))


arc = Case(
    "margin of an angle",
    angular,
    lambda rng: [rng.uniform(-0.9, 0.9, size=(4, 3)), np.eye(3)[[0, 2, 1, 1]]],
    "gradient",
    {"wrt": [0], "domain": {"c": "unit"}},
)


@arc.right
def arc_by_angle(c, y):
    theta = np.arccos(c)
    easy = c <= -np.cos(MARGIN)
    z = np.where(y > 0, np.where(easy, c - MARGIN * np.sin(MARGIN), np.cos(theta + MARGIN)), c)
    e = np.exp(SCALE * (z - z.max(-1, keepdims=True)))
    dz = SCALE * (e / e.sum(-1, keepdims=True) - y) / len(c)
    slope = np.where(easy, 1.0, np.sin(theta + MARGIN) / np.sin(theta))
    return dz * np.where(y > 0, slope, 1)


arc.but(
    arc_by_angle, by.any_of(by.MISSING, by.OTHER, by.FACTOR), (" * np.where(y > 0, slope, 1)", "")
)
arc.but(
    arc_by_angle, by.any_of(by.MASK, by.MISSING, by.OTHER), ("np.where(y > 0, slope, 1)", "slope")
)
arc.but(arc_by_angle, by.any_of(by.FACTOR, by.MISSING), ("dz = SCALE * (e", "dz = (e"))
arc.but(
    arc_by_angle,
    by.any_of(by.SIGN, by.FACTOR),
    ("np.sin(theta + MARGIN) /", "np.sin(theta - MARGIN) /"),
)
arc.but(arc_by_angle, by.any_of(by.MISSING, "/|divi"), (" / np.sin(theta)", ""))
arc.but(arc_by_angle, by.MEAN, (" / len(c)", ""))

# --- triplets -------------------------------------------------------------------------------------


def triplets(a, p, n):
    near, far = tf.reduce_sum((a - p) ** 2, -1), tf.reduce_sum((a - n) ** 2, -1)
    return tf.reduce_sum(tf.nn.relu(near - far + 0.5))


triplet = Case(
    "triplet loss", triplets, lambda rng: [rng.normal(size=(5, 2)) for _ in range(3)], "gradient"
)


@triplet.right
def triplet_masked(a, p, n):
    loss = np.sum((a - p) ** 2 - (a - n) ** 2, axis=1, keepdims=True) + 0.5
    on = 2.0 * (loss > 0)
    return on * (n - p), on * (p - a), on * (a - n)


triplet.but(
    triplet_masked, by.any_of(by.MASK, by.POSITIVE), ("2.0 * (loss > 0)", "2.0 * (loss > 0.5)")
)
triplet.but(triplet_masked, by.any_of(by.SIGN), ("on * (p - a)", "on * (a - p)"))
triplet.but(
    triplet_masked, by.any_of(by.MASK, by.POSITIVE, by.MISSING), ("2.0 * (loss > 0)", "2.0")
)
triplet.but(triplet_masked, by.any_of(by.MISSING, by.ZERO), ("on * (n - p)", "on * (a - p)"))
triplet.but(triplet_masked, by.any_of(by.TWICE, by.HALF, by.FACTOR), ("2.0 * (loss", "1.0 * (loss"))
triplet.but(
    triplet_masked,
    by.any_of(by.MASK, by.MISSING, by.POSITIVE),
    ("- (a - n) ** 2", "- (a + n) ** 2"),
)

# --- a label sequence that is aligned -------------------------------------------------------------


def aligned(z):
    """Give minus the log probability of blank, a, blank in four frames, by all alignments."""
    lp = tf.nn.log_softmax(z)
    path, skip = [0, 1, 0], [False, False, False]
    alpha = [lp[0, 0], lp[0, 1], tf.constant(-1e9, tf.float64)]
    for t in range(1, 4):
        before = alpha
        alpha = []
        for s in range(3):
            terms = (
                [before[s]] + ([before[s - 1]] if s else []) + ([before[s - 2]] if skip[s] else [])
            )
            alpha.append(tf.reduce_logsumexp(tf.stack(terms)) + lp[t, path[s]])
    return -tf.reduce_logsumexp(tf.stack(alpha[1:]))


ctc = Case("loss of all alignments", aligned, lambda rng: [rng.normal(size=(4, 3))], "gradient")


@ctc.right
def ctc_forward_backward(z):
    y = np.exp(z - z.max(1, keepdims=True))
    y = y / y.sum(1, keepdims=True)
    path = [0, 1, 0]
    forth, back = np.zeros((4, 3)), np.zeros((4, 3))
    forth[0, :2] = y[0, path[:2]]
    back[3, 1:] = 1.0
    for t in range(1, 4):
        for s in range(3):
            forth[t, s] = (forth[t - 1, s] + (forth[t - 1, s - 1] if s else 0)) * y[t, path[s]]
    for t in range(2, -1, -1):
        for s in range(3):
            back[t, s] = back[t + 1, s] * y[t + 1, path[s]]
            if s < 2:
                back[t, s] += back[t + 1, s + 1] * y[t + 1, path[s + 1]]
    both = forth * back
    total = both[3].sum()
    dz = y.copy()
    for s in range(3):
        dz[:, path[s]] -= both[:, s] / total
    return dz


ctc.but(
    ctc_forward_backward,
    by.any_of(by.MISSING, "overwritten"),
    ("dz[:, path[s]] -= both[:, s] / total", "dz[:, path[s]] = y[:, path[s]] - both[:, s] / total"),
)
ctc.but(
    ctc_forward_backward,
    by.any_of(by.SHIFT, by.STALE, by.OTHER),
    ("* y[t + 1, path[s]]", "* y[t, path[s]]"),
)
ctc.but(
    ctc_forward_backward, by.any_of(by.MISSING, by.FACTOR), ("both[:, s] / total", "both[:, s]")
)
ctc.but(
    ctc_forward_backward,
    by.any_of(by.MISSING, by.FACTOR, "y"),
    (
        "+ (forth[t - 1, s - 1] if s else 0)) * y[t, path[s]]",
        "+ (forth[t - 1, s - 1] if s else 0))",
    ),
)
ctc.but(
    ctc_forward_backward,
    by.any_of(by.MISSING, by.ENTRIES, by.SHIFT),
    ("back[3, 1:] = 1.0", "back[3, 2:] = 1.0"),
)
ctc.but(
    ctc_forward_backward,
    by.any_of(by.MISSING, by.OTHER, by.FACTOR),
    ("dz = y.copy()", "dz = np.zeros_like(y)"),
)

# --- transport ------------------------------------------------------------------------------------


def transported(c):
    """Balance a kernel three times; the cost of the plan that this gives."""
    kernel = tf.exp(-c)
    v = tf.ones(3, tf.float64)
    for _ in range(3):
        u = 0.25 / tf.linalg.matvec(kernel, v)
        v = (1 / 3) / tf.linalg.matvec(kernel, u, transpose_a=True)
    return tf.reduce_sum(u[:, None] * kernel * v * c)


sinkhorn = Case(
    "cost of a balanced plan",
    transported,
    lambda rng: [rng.uniform(0.1, 1.0, size=(4, 3))],
    "gradient",
)


@sinkhorn.right
def sinkhorn_unrolled(c):
    K = np.exp(-c)
    us, vs = [], [np.ones(3)]
    for _ in range(3):
        us.append(0.25 / (K @ vs[-1]))
        vs.append(1 / 3 / (us[-1] @ K))
    u, v = us[-1], vs[-1]
    plan = np.outer(u, v) * K
    dK = np.outer(u, v) * c
    du, dv = (K * c) @ v, u @ (K * c)
    for k in (2, 1, 0):
        back = -dv * vs[k + 1] ** 2 * 3
        dK += np.outer(us[k], back)
        du = du + K @ back
        back = -du * us[k] ** 2 * 4
        dK += np.outer(back, vs[k])
        du, dv = np.zeros(4), back @ K
    return plan - dK * K


sinkhorn.but(sinkhorn_unrolled, by.any_of(by.MISSING), ("plan - dK * K", "-dK * K"))
sinkhorn.but(
    sinkhorn_unrolled,
    by.any_of(by.MISSING, by.STALE, by.ZERO, by.OTHER, "constant"),
    ("(2, 1, 0)", "()"),
)
sinkhorn.but(sinkhorn_unrolled, by.any_of(by.MISSING, by.STALE, by.SHIFT), ("(2, 1, 0)", "(2,)"))
sinkhorn.but(sinkhorn_unrolled, by.any_of(by.SHIFT, by.STALE), ("vs[k + 1] ** 2", "vs[k] ** 2"))
sinkhorn.but(
    sinkhorn_unrolled,
    by.any_of(by.MISSING, by.ZERO),
    ("du, dv = np.zeros(4), back @ K", "dv = back @ K"),
)
sinkhorn.but(sinkhorn_unrolled, by.any_of(by.FACTOR), ("us[k] ** 2 * 4", "us[k] ** 2 * 3"))

# --- quantiles and ranks --------------------------------------------------------------------------


def pinball_of(q, y):
    e = y[:, None] - q
    taus = np.array([0.1, 0.5, 0.9])
    return tf.reduce_mean(tf.maximum(taus * e, (taus - 1) * e))


pinball = Case(
    "quantile loss",
    pinball_of,
    lambda rng: [rng.normal(size=(4, 3)), rng.normal(size=4)],
    "gradient",
)


@pinball.right
def pinball_by_sides(q, y):
    taus = np.array([0.1, 0.5, 0.9])
    dq = ((y[:, None] < q) - taus) / q.size
    return dq, -dq.sum(1)


pinball.but(pinball_by_sides, by.any_of(by.MEAN), ("/ q.size", "/ len(q)"))
pinball.but(pinball_by_sides, by.any_of(by.SIGN), ("-dq.sum(1)", "dq.sum(1)"))
pinball.but(
    pinball_by_sides,
    by.any_of(by.MASK, by.POSITIVE, by.OTHER),
    ("(y[:, None] < q)", "(y[:, None] > q)"),
)
pinball.but(
    pinball_by_sides,
    by.any_of(by.ORDER, by.FACTOR, "0\\.[19]"),
    ("[0.1, 0.5, 0.9]", "[0.9, 0.5, 0.1]"),
)
pinball.but(
    pinball_by_sides,
    by.any_of(by.MASK, by.POSITIVE, by.MISSING),
    ("((y[:, None] < q) - taus)", "((y[:, None] < q) - 1 + 0 * taus)"),
)


def listwise(s):
    """Give minus the log probability of the given order of places."""
    return tf.reduce_sum(tf.math.cumulative_logsumexp(s, reverse=True) - s)


ranks = Case("likelihood of an order", listwise, lambda rng: [rng.normal(size=5)], "gradient")


@ranks.right
def ranks_by_suffixes(s):
    e = np.exp(s)
    rest = np.cumsum(e[::-1])[::-1]
    return e * np.cumsum(1 / rest) - 1


ranks.but(
    ranks_by_suffixes,
    by.any_of(by.ORDER, by.SHIFT, "running|cumul"),
    ("np.cumsum(e[::-1])[::-1]", "np.cumsum(e)"),
)
ranks.but(ranks_by_suffixes, by.any_of(by.MISSING, "1"), (" - 1", ""))
ranks.but(
    ranks_by_suffixes,
    by.any_of(by.MISSING, "running|cumul", by.OTHER),
    ("np.cumsum(1 / rest)", "(1 / rest)"),
)
ranks.but(
    ranks_by_suffixes,
    by.any_of(by.SHIFT, by.MISSING, by.STALE),
    ("1 / rest)", "1 / np.append(rest[1:], 1))"),
)
ranks.but(
    ranks_by_suffixes,
    by.any_of("mean|sum|number", by.FACTOR, by.OTHER),
    ("np.cumsum(1 / rest)", "np.sum(1 / rest)"),
)
