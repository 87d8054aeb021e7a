"""Classes: drawn as candidates, counted in bins and matrices, and told apart by losses."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.answers.answer import Table

TABLE = Table("classes")
program = TABLE.program


def _drawn(tf: Any, name: str, *args: Any, **how: Any) -> Any:
    found = getattr(tf.random, name)(*args, **how)
    return [type(found).__name__, *found._fields, *found]


def _words(tf: Any) -> Any:
    return tf.constant([[3, 0], [7, 19]], tf.int64)


for _name in ("uniform_candidate_sampler", "log_uniform_candidate_sampler"):
    TABLE.rows(
        _name,
        [
            lambda tf, n=_name: _drawn(tf, n, _words(tf), 2, 6, True, 20, seed=5),
            lambda tf, n=_name: _drawn(tf, n, _words(tf), 2, 40, False, 20, seed=5),
            lambda tf, n=_name: _drawn(tf, n, _words(tf), 2, 20, True, 20, seed=1),
            lambda tf, n=_name: _drawn(tf, n, _words(tf), 2, 16, True, 32, seed=3),
            lambda tf, n=_name: [
                _drawn(tf, n, [[1]], 1, 3, True, 100000, seed=8)[4] for _ in range(3)
            ],
            lambda tf, n=_name: [
                tf.random.set_seed(4),
                *(_drawn(tf, n, [[1]], 1, 3, True, 50)[4] for _ in range(2)),
            ],
            lambda tf, n=_name: _drawn(tf, n, [[1]], 1, 30, True, 20, seed=5),
            lambda tf, n=_name: _drawn(tf, n, [[20]], 1, 3, True, 20, seed=5),
            lambda tf, n=_name: _drawn(tf, n, [[1]], 2, 3, True, 20, seed=5),
            lambda tf, n=_name: _drawn(tf, n, [1], 1, 3, True, 20, seed=5),
            lambda tf, n=_name: _drawn(tf, n, tf.constant([[1]]), 1, 3, True, 20, seed=5),
        ],
    )


@program
def all_candidates(tf):
    return [
        _drawn(tf, "all_candidate_sampler", _words(tf) % 5, 2, 5, True),
        _drawn(tf, "all_candidate_sampler", _words(tf), 2, 5, True),
    ]


@program
def accidental_hits(tf):
    found = tf.nn.compute_accidental_hits(_words(tf), tf.constant([7, 3, 0, 5], tf.int64), 2)
    return [type(found).__name__, *found._fields, *found]


def _loss(name, **how):
    def run(tf):
        rng = np.random.RandomState(0)
        weights, biases = (tf.Variable(rng.randn(*s).astype("float32")) for s in ((8, 3), (8,)))
        inputs = tf.Variable(rng.randn(2, 3).astype("float32"))
        with tf.GradientTape() as tape:
            loss = getattr(tf.nn, name)(
                weights=weights, biases=biases, inputs=inputs, num_classes=8, **how
            )
        slopes = tape.gradient(loss, [weights, biases, inputs])
        return [loss, *(tf.convert_to_tensor(s) for s in slopes)]

    return run


def _given(tf: Any, name: str, **how: Any) -> Any:
    drawn = tf.random.log_uniform_candidate_sampler([[1], [2]], 1, 4, True, 8, seed=2)
    return _loss(name, labels=tf.constant([[1], [2]]), num_sampled=4, sampled_values=drawn, **how)(
        tf
    )


TABLE.rows(
    "losses",
    [
        lambda tf: _given(tf, "nce_loss"),
        lambda tf: _given(tf, "nce_loss", remove_accidental_hits=True),
        lambda tf: _given(tf, "sampled_softmax_loss"),
        lambda tf: _given(tf, "sampled_softmax_loss", remove_accidental_hits=False),
        lambda tf: [
            tf.random.set_seed(1),
            *_loss("nce_loss", labels=tf.constant([[1], [2]]), num_sampled=4)(tf),
        ],
        lambda tf: _loss(
            *("sampled_softmax_loss",),
            labels=tf.constant([[1, 4], [2, 0]]),
            num_sampled=5,
            num_true=2,
            seed=3,
        )(tf),
    ],
)

_PAIRS = ([1, 2, 4, 1], [2, 2, 4, 1])
TABLE.rows(
    "confusion matrix",
    [
        lambda tf: tf.math.confusion_matrix(*_PAIRS),
        lambda tf: tf.math.confusion_matrix(*_PAIRS, num_classes=6, dtype=tf.float32),
        lambda tf: tf.math.confusion_matrix(*_PAIRS, weights=[1.5, 2.5, 3.0, 0.5]),
        lambda tf: tf.math.confusion_matrix(
            *_PAIRS, weights=[1.5, 2.5, 3.0, 0.5], dtype=tf.float64
        ),
        lambda tf: tf.math.confusion_matrix(*_PAIRS, num_classes=3),
        lambda tf: tf.math.confusion_matrix([1, -1], [0, 0]),
        lambda tf: tf.math.confusion_matrix([1, 0], [0, -2]),
        lambda tf: tf.math.confusion_matrix([[1], [0]], [0, 2]),
        lambda tf: tf.math.confusion_matrix([1, 0], [[0], [2]]),
        lambda tf: tf.math.confusion_matrix(np.array([1, 0]), tf.constant([0, 1], tf.uint8)),
        lambda tf: tf.math.confusion_matrix([1, 0], [0, 1], weights=[1.0]),
    ],
)
_NUMBERS = [-1.0, 0.0, 1.5, 2.0, 5.0, 15.0]
TABLE.rows(
    "histogram",
    [
        lambda tf: tf.histogram_fixed_width(_NUMBERS, [0.0, 5.0], nbins=5),
        lambda tf: tf.histogram_fixed_width(_NUMBERS, [0.0, 5.0], 4, dtype=tf.int64),
        lambda tf: tf.histogram_fixed_width([[1, 2], [3, 4]], [0, 5], 3),
        lambda tf: tf.histogram_fixed_width(_NUMBERS, [5.0, 5.0]),
        lambda tf: tf.histogram_fixed_width(_NUMBERS, [0.0, 5.0], 0),
        lambda tf: tf.histogram_fixed_width(tf.constant(1, tf.uint8), [0.0, 5.0]),
        lambda tf: tf.reduce_sum(tf.histogram_fixed_width(_NUMBERS, [0.0, 5.0])),
        lambda tf: tf.histogram_fixed_width([1.0, np.nan], [0.0, 5.0]),
        lambda tf: tf.histogram_fixed_width(np.linspace(0, 1, 40), [0.1, 0.7], 13),
        lambda tf: tf.histogram_fixed_width([np.inf, -np.inf], [0.0, 5.0], 3),
        lambda tf: tf.histogram_fixed_width_bins(_NUMBERS, [0.0, 5.0], nbins=5),
        lambda tf: tf.histogram_fixed_width_bins([[1, 2], [3, 4]], [0, 5], 3),
        lambda tf: tf.histogram_fixed_width_bins(_NUMBERS, [0.0, 5.0], 0),
        lambda tf: tf.histogram_fixed_width_bins(np.linspace(0, 1, 40), [0.1, 0.7], 13),
    ],
)
TABLE.rows(
    "moments",
    [
        lambda tf: list(tf.nn.sufficient_statistics([[1.0, 2.0], [3.0, 5.0]], [0])),
        lambda tf: list(tf.nn.sufficient_statistics([[1.0, 2.0], [3.0, 5.0]], [0, 1], 1.0, True)),
        lambda tf: list(tf.nn.normalize_moments(2.0, [3.0, 4.0], [20.0, 30.0], None)),
        lambda tf: list(tf.nn.normalize_moments(2.0, [3.0, 4.0], [20.0, 30.0], 1.0)),
        lambda tf: list(tf.nn.weighted_moments([[1.0, 2.0], [3.0, 5.0]], [0], [[1.0], [2.0]])),
        lambda tf: list(tf.nn.weighted_moments([[1.0, 2.0]], [1], [[0.0, 0.0]], keepdims=True)),
        lambda tf: list(tf.nn.weighted_moments(tf.constant([1, 2], tf.float16), 0, [1, 2])),
    ],
)


def _response(tf: Any) -> Any:
    x = tf.Variable(tf.reshape(tf.range(12.0) - 5.0, [1, 2, 1, 6]))
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.nn.lrn(x, 2, 1.5, 0.3, 0.75) * tf.range(6.0))
    return [y, tape.gradient(y, x)]


TABLE.rows(
    "local response normalization",
    [
        _response,
        lambda tf: tf.nn.local_response_normalization(tf.reshape(tf.range(12.0), [1, 2, 1, 6]), 2),
        lambda tf: tf.nn.lrn(tf.reshape(tf.range(6.0), [1, 1, 1, 6]), 1, 2.0, 0.3, 0.75),
        lambda tf: tf.nn.lrn(tf.ones([2, 2])),
        lambda tf: tf.nn.lrn(tf.ones([1, 1, 1, 2], tf.float64)),
    ],
)
