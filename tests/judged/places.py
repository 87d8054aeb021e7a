# ruff: noqa: D103 - a candidate is described by its name
"""Backward passes of indexing, masks, ties and sorting."""

from __future__ import annotations

import numpy as np

import symtape as tf
from tests.judged import causes as by
from tests.judged.case import Case

# --- gathering and scattering ---------------------------------------------------------------------

embedding = Case(
    "embedding",
    lambda table, ids: tf.gather(table, ids),
    lambda rng: [rng.normal(size=(5, 2)), np.array([3, 1, 3, 0])],
)


@embedding.right
def embedding_added(table, ids, g):
    out = np.zeros_like(table)
    np.add.at(out, ids, g)
    return out


@embedding.right
def embedding_one_hot(table, ids, g):
    return (np.arange(5)[:, None] == ids[None, :]).astype(float) @ g


@embedding.right
def embedding_loop(table, ids, g):
    out = np.zeros((5, 2))
    for k, row in enumerate(ids):
        out[row, :] += g[k]
    return out


embedding.but(
    embedding_added,
    by.any_of("repeat|duplicat|twice|same|accumulat|last|sum", by.TIES),
    ("np.add.at(out, ids, g)", "out[ids] += g"),
)
embedding.but(
    embedding_loop,
    by.any_of("repeat|duplicat|twice|same|accumulat|last|sum", by.TIES),
    ("out[row, :] += g", "out[row, :] = g"),
)
embedding.but(embedding_loop, by.any_of(by.SHIFT), ("out[row, :]", "out[row - 1, :]"))
embedding.but(
    embedding_added,
    by.any_of("padding|row|mask", by.MASK, by.ENTRIES, by.ZERO),
    ("    return out", "    out[0] = 0\n    return out"),
)

scatter = Case(
    "segment sum",
    lambda x, s: tf.math.segment_sum(x, s),
    lambda rng: [rng.normal(size=(5, 2)), np.array([0, 0, 1, 2, 2])],
)


@scatter.right
def scatter_taken(x, s, g):
    return np.take(g, s, axis=0)


scatter.but(
    scatter_taken,
    by.MEAN,
    ("np.take(g, s, axis=0)", "np.take(g, s, axis=0) / np.bincount(s)[s][:, None]"),
)
scatter.but(
    scatter_taken,
    by.any_of(by.SHIFT, by.ORDER),
    ("np.take(g, s, axis=0)", "np.take(g, s[::-1], axis=0)"),
)

mean_by_segment = Case(
    "segment mean",
    lambda x, s: tf.math.segment_mean(x, s),
    lambda rng: [rng.normal(size=(6,)), np.array([0, 0, 0, 1, 1, 2])],
)


@mean_by_segment.right
def mean_counted(x, s, g):
    counts = np.bincount(s)
    return (g / counts)[s]


mean_by_segment.but(mean_counted, by.MEAN, ("(g / counts)[s]", "g[s]"))
mean_by_segment.but(mean_counted, by.MEAN, ("g / counts", "g / len(x)"))

pads = Case(
    "pad and slice",
    lambda x: tf.pad(x, [[1, 2], [0, 1]])[:, 1:],
    lambda rng: [rng.normal(size=(3, 3))],
)


@pads.right
def pads_cut(x, g):
    dx = np.zeros(x.shape)
    dx[:, 1:] = g[1:4, :2]
    return dx


pads.but(pads_cut, by.SHIFT, ("g[1:4, :2]", "g[2:5, :2]"))
pads.but(pads_cut, by.SHIFT, ("dx[:, 1:] =", "dx[:, :2] ="))
pads.but(pads_cut, by.any_of(by.SHIFT, by.ENTRIES), ("g[1:4, :2]", "g[1:4, 1:]"))

rolled = Case("roll", lambda x: tf.roll(x, 2, axis=0), lambda rng: [rng.normal(size=5)])


@rolled.right
def rolled_by_places(x, g):
    out = np.empty_like(g)
    for k in range(5):
        out[k] = g[(k + 2) % 5]
    return out


rolled.but(rolled_by_places, by.any_of(by.SHIFT, by.SIGN, by.ORDER), ("k + 2", "k - 2"))
rolled.but(rolled_by_places, by.any_of(by.SHIFT), ("k + 2", "k + 1"))

# --- extrema, ties, sorting -----------------------------------------------------------------------

highest = Case(
    "maximum of each row", lambda x: tf.reduce_max(x, axis=1), lambda rng: [rng.normal(size=(3, 4))]
)


def tied(rng):
    x = rng.normal(size=(3, 4))
    x[:, 1] = x[:, 3] = 5.0
    return [x]


@highest.right
def highest_first(x, g):
    dx = np.zeros_like(x)
    dx[np.arange(3), x.argmax(1)] = g
    return dx


@highest.right
def highest_shared(x, g):
    hit = (x == np.max(x, axis=1, keepdims=True)) * 1.0
    return hit * (g / hit.sum(axis=1))[:, None]


highest.but(highest_shared, by.TIES, ("(g / hit.sum(axis=1))", "g"), witness=tied)
highest.but(
    highest_shared,
    by.any_of("axis", by.OTHER, by.MASK),
    ("np.max(x, axis=1, keepdims=True)", "np.max(x, axis=0, keepdims=True)"),
)
highest.but(
    highest_shared,
    by.any_of("axis|whole|all", by.OTHER, by.MASK, by.ENTRIES),
    ("np.max(x, axis=1, keepdims=True)", "np.max(x)"),
)
highest.but(
    highest_first,
    by.any_of("abs|sign|negative", by.OTHER, by.MASK),
    ("x.argmax(1)", "np.abs(x).argmax(1)"),
)
highest.but(
    highest_shared,
    by.any_of(by.MASK, by.MISSING, by.MEAN, by.OTHER),
    ("hit = (x == np.max(x, axis=1, keepdims=True)) * 1.0", "hit = np.ones_like(x)"),
)

larger = Case("maximum of two", tf.maximum, lambda rng: [rng.normal(size=4), rng.normal(size=4)])


@larger.right
def larger_by_where(a, b, g):
    return np.where(a >= b, g, 0), np.where(a >= b, 0, g)


larger.but(
    larger_by_where,
    by.TIES,
    ("np.where(a >= b, 0, g)", "np.where(a > b, 0, g)"),
    witness=lambda rng: [np.ones(4), np.array([1.0, 2, 0, 1])],
)
larger.but(
    larger_by_where,
    by.SWAPPED,
    (
        "return np.where(a >= b, g, 0), np.where(a >= b, 0, g)",
        "return np.where(a >= b, 0, g), np.where(a >= b, g, 0)",
    ),
)
larger.but(larger_by_where, by.any_of(by.ZERO), (", np.where(a >= b, 0, g)", ", np.zeros(4)"))

sorts = Case(
    "weighted sorted values",
    lambda x: tf.reduce_sum(tf.sort(x) * np.arange(1.0, 6.0)),
    lambda rng: [rng.normal(size=5)],
    "gradient",
)


@sorts.right
def sorts_by_ranks(x):
    out = np.empty(5)
    out[np.argsort(x)] = np.arange(1, 6)
    return out


sorts.but(
    sorts_by_ranks,
    by.any_of(by.ORDER, by.TRANSPOSED, "inverse", "argsort"),
    (
        "    out = np.empty(5)\n    out[np.argsort(x)] = np.arange(1, 6)\n",
        "    out = np.arange(1.0, 6)[np.argsort(x)]\n",
    ),
)
sorts.but(sorts_by_ranks, by.any_of(by.ORDER, "sort"), ("np.argsort(x)", "np.arange(5)"))
sorts.but(sorts_by_ranks, by.any_of(by.ORDER, by.SIGN), ("np.argsort(x)", "np.argsort(-x)"))
sorts.but(sorts_by_ranks, by.any_of(by.SHIFT, "constant|1 is"), ("np.arange(1, 6)", "np.arange(5)"))

top = Case(
    "sum of the two largest",
    lambda x: tf.reduce_sum(tf.sort(x)[-2:] ** 2),
    lambda rng: [rng.normal(size=5)],
    "gradient",
)


@top.right
def top_threshold(x):
    order = np.argsort(x)
    mask = np.zeros(5)
    mask[order[-2:]] = 1
    return 2 * x * mask


top.but(top_threshold, by.any_of("top|third|3", by.MASK, by.SHIFT), ("order[-2:]", "order[-3:]"))
top.but(top_threshold, by.any_of("small|order|revers", by.MASK), ("order[-2:]", "order[:2]"))
top.but(top_threshold, by.any_of(by.MASK, by.ENTRIES), (" * mask", ""))

clip = Case("clip", lambda x: tf.clip_by_value(x, -1.0, 1.0), lambda rng: [rng.normal(size=6) * 2])


@clip.right
def clip_masked(x, g):
    out = g.copy()
    out[np.abs(x) > 1] = 0
    return out


clip.but(
    clip_masked, by.any_of(by.MASK, by.SATURATED, by.ENTRIES), ("    out[np.abs(x) > 1] = 0\n", "")
)
clip.but(clip_masked, by.any_of(by.MASK, by.POSITIVE, by.ENTRIES), ("np.abs(x) > 1", "x > 1"))
clip.but(
    clip_masked, by.any_of(by.MASK, by.POSITIVE, by.ENTRIES), ("np.abs(x) > 1", "np.abs(x) < 1")
)
clip.but(
    clip_masked,
    by.any_of(by.UPSTREAM, by.OTHER, by.MASK, by.MISSING),
    ("np.abs(x) > 1", "np.abs(g) > 1"),
)
clip.but(
    clip_masked, by.any_of(by.MASK, by.POSITIVE, by.ENTRIES), ("np.abs(x) > 1", "np.abs(x) > 1.5")
)

where = Case(
    "masked mean",
    lambda x, m: tf.reduce_sum(tf.where(m, x * x, 0.0)) / tf.reduce_sum(tf.cast(m, x.dtype)),
    lambda rng: [rng.normal(size=6), np.array([True, False, True, True, False, True])],
    "gradient",
)


@where.right
def where_selected(x, m):
    out = np.zeros_like(x)
    out[m] = 2 * x[m] / np.count_nonzero(m)
    return out


where.but(where_selected, by.any_of(by.MEAN, by.MASK), ("np.count_nonzero(m)", "len(x)"))
where.but(where_selected, by.any_of(by.MASK), ("out[m] = 2 * x[m] / np", "out[:] = 2 * x / np"))
where.but(
    where_selected,
    by.any_of(by.MASK, "invert|opposite|not"),
    ("out[m] = 2 * x[m] / np.count_nonzero(m)", "out[~m] = 2 * x[~m] / np.count_nonzero(m)"),
)
where.but(where_selected, by.any_of(by.FACTOR, by.HALF), ("2 * x[m]", "x[m]"))

absolute = Case(
    "absolute values",
    lambda x: tf.reduce_sum(tf.abs(x) ** 3),
    lambda rng: [rng.normal(size=4)],
    "gradient",
)


@absolute.right
def absolute_signed(x):
    return 3 * x * np.abs(x)


absolute.but(absolute_signed, by.any_of(by.POSITIVE, by.SIGN), ("3 * x * np.abs(x)", "3 * x**2"))
absolute.but(
    absolute_signed,
    by.any_of(by.MISSING, by.FACTOR, by.OTHER),
    ("3 * x * np.abs(x)", "3 * np.sign(x)"),
)
