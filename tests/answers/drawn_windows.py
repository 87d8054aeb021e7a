"""Windows, boxes and classes that are drawn, the same for the same seed, and the largest few."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.answers.answer import Table

TABLE = Table("drawn_windows")
R = np.random.RandomState(7)
IMAGE = R.randn(2, 7, 9, 3).astype(np.float32)
SMALL = np.arange(36.0, dtype=np.float32).reshape(1, 6, 6, 1)


def _pooled(name: str, x: Any, *given: Any, **how: Any) -> Any:
    return lambda tf: list(getattr(tf.nn, f"fractional_{name}_pool")(x, *given, **how))


def _slope(name: str, x: Any, *given: Any, **how: Any) -> Any:
    def ask(tf: Any) -> Any:
        at = tf.constant(x)
        with tf.GradientTape() as tape:
            tape.watch(at)
            made = getattr(tf.nn, f"fractional_{name}_pool")(at, *given, **how).output
            total = tf.reduce_sum(made * made)
        return tape.gradient(total, at)

    return ask


_WAYS = [{}, {"pseudo_random": True}, {"overlapping": True}]
_WAYS.append(_WAYS[1] | _WAYS[2])
_RATIO = [1.0, 1.44, 1.73, 1.0]
TABLE.rows(
    "fractional pools",
    [
        *[
            ask(name, x, _RATIO, seed=seed, **how)
            for name in ("max", "avg")
            for x in (IMAGE, SMALL.astype(int), np.round(IMAGE))
            for how in _WAYS
            for seed in (1, 5)
            for ask in (_pooled, *((_slope,) if x.dtype == np.float32 and seed == 1 else ()))
        ],
        *[
            _pooled("max", *given, seed=3)
            for given in (
                *((SMALL, 1.5), (SMALL, [1.5, 2.0]), (SMALL, [1, 1, 2.0, 1]), (SMALL, 1.0)),
                *((SMALL, [1.0, 0.5, 1.0, 1.0]), (SMALL, [2.0, 1.5, 1.5, 1.0]), (SMALL, 0.5)),
                *((SMALL[0], 1.5), (SMALL.astype(np.float16), 1.5), (SMALL, 7.0), (SMALL, 2.5)),
            )
        ],
        _pooled("avg", SMALL, 1.5, seed=3),
        _pooled("avg", SMALL[0], _RATIO, seed=3),
        _pooled("avg", SMALL.astype(np.float16), _RATIO, seed=3),
        _pooled("avg", SMALL.astype(np.float64), _RATIO, seed=2**31 + 5),
        lambda tf: type(tf.nn.fractional_avg_pool(SMALL, _RATIO, seed=3)).__name__,
        lambda tf: [tf.random.set_seed(5), _pooled("max", SMALL, 1.5, seed=2)(tf)],
    ],
)


def _normalized(x: Any, *given: Any) -> Any:
    return lambda tf: tf.nn.batch_norm_with_global_normalization(x, *given)


Y, V = np.arange(8.0, dtype=np.float32).reshape(1, 2, 2, 2), np.array([1.0, 2.0], np.float32)
TABLE.rows(
    "global normalization",
    [
        *[_normalized(y, V, V, V, V, 1e-3, scaled) for y in (Y, Y[0]) for scaled in (True, False)],
        _normalized(Y, V, V, V, None, 1e-3, True),
        _normalized(Y, V, V[:1], V, V, 1e-3, True),
    ],
)
A = np.array([[3.0, 1.0, 2.0, 5.0], [0.0, 9.0, 4.0, 4.0]], np.float32)
TABLE.rows(
    "approximate order",
    [
        lambda tf, given=given, how=how, module=module: list(
            getattr(tf, module).approx_max_k(*given, **how)
        )
        for module in ("math", "nn")
        for given, how in (
            *(((A, 2), {}), ((A, 5), {}), ((A, 0), {}), ((A, -1), {}), ((3.0, 1), {})),
            *(((A, 2), {"recall_target": 0.5}), ((A, 2), {"aggregate_to_topk": False})),
            *(((A.astype(np.float16), 2), {}), ((A.astype(int), 2), {}), ((A.astype("f8"), 2), {})),
        )
    ],
)
TABLE.rows(
    "approximate order along another axis",
    [lambda tf: tf.math.approx_max_k(A, 1, reduction_dimension=0)],
    says="type",  # the text lists the kernels that there are
)
BOXES = np.array([[[0.1, 0.2, 0.8, 0.9], [0.0, 0.0, 0.5, 0.5]]], np.float32)


def _box(size: Any = (20, 30, 3), boxes: Any = BOXES, seed: Any = (1, 2), **how: Any) -> Any:
    given = list(size) if isinstance(size, tuple) else size
    return lambda tf: list(
        tf.image.stateless_sample_distorted_bounding_box(given, boxes, seed=seed, **how)
    )


def _boxes(count: int, seed: Any, **how: Any) -> Any:
    """Draw several boxes one after the other."""
    return lambda tf: [
        list(tf.image.sample_distorted_bounding_box([20, 30, 3], BOXES, seed=seed, **how))
        for _ in range(count)
    ]


TABLE.rows(
    "boxes",
    [
        *[_box(seed=(k, 7 * k)) for k in range(12)],
        *[_box((300, 201, 3), seed=(k, -k), area_range=[0.01, 0.5]) for k in range(8)],
        *[_box((64, 64, 1), seed=(5, k), aspect_ratio_range=[0.2, 5.0]) for k in range(8)],
        *[
            _box((20, 30, 3), BOXES, (k, 1), min_object_covered=0.9, area_range=[0.3, 0.9])
            for k in range(6)
        ],
        *[_box(max_attempts=1, min_object_covered=0.99, seed=(k, 3)) for k in range(4)],
        _box(boxes=BOXES[:, :0]),
        _box(boxes=BOXES[:, :0], use_image_if_no_bounding_boxes=True),
        _box((20, 30)),
        _box([[20, 30, 3]]),
        _box(boxes=BOXES[0]),
        _box(boxes=BOXES * 2),
        _box(boxes=BOXES[..., :3]),
        _box(min_object_covered=-1.0),
        _box(min_object_covered=[0.1]),
        *[_box(aspect_ratio_range=ends) for ends in ([-1.0, 2.0], [0.1], [2.0, 0.5])],
        *[_box(area_range=ends) for ends in ([0.1, 2.0], [0.0, 0.5], [0.1], [0.9, 0.1])],
        _box(max_attempts=0),
        _box(seed=(1, 2, 3)),
        *[_box(np.array([20, 30, 3], kind)) for kind in ("i8", "u1", "i2")],
        _box([20.0, 30.0, 3.0]),
        _boxes(4, 1),
        _boxes(2, 9, max_attempts=3, aspect_ratio_range=[0.5, 2.0]),
        lambda tf: [tf.random.set_seed(3), _boxes(2, 4)(tf)],
        lambda tf: type(tf.image.sample_distorted_bounding_box([9, 9, 3], BOXES)).__name__,
    ],
)
TRUE = np.array([[1, 2]], np.int64)
W = [1.0, 2.0, 3.0, 4.0, 5.0]


def _drawn(*given: Any, times: int = 1, **how: Any) -> Any:
    return lambda tf: [
        list(tf.random.fixed_unigram_candidate_sampler(*given, **how)) for _ in range(times)
    ]


TABLE.rows(
    "classes by weights",
    [
        *[_drawn(TRUE, 2, 3, True, 5, unigrams=W, seed=k) for k in range(1, 6)],
        *[_drawn(TRUE, 2, 9, False, 5, unigrams=W, distortion=0.5, seed=k) for k in (1, 2)],
        _drawn(TRUE, 2, 3, True, 5, unigrams=W, seed=1, times=3),
        _drawn(TRUE, 2, 3, True, 5, unigrams=W[:3], num_reserved_ids=2, seed=1),
        _drawn(TRUE, 2, 2, True, 3, unigrams=W, num_shards=2, shard=0, seed=1),
        _drawn(TRUE, 2, 40, False, 5, unigrams=[9, 1, 1, 1, 1], seed=4),
        _drawn(TRUE, 2, 3, True, 5, unigrams=W[:2], seed=1),
        _drawn(TRUE, 2, 3, True, 5, seed=1),
        _drawn(TRUE, 2, 6, True, 5, unigrams=W, seed=1),
        _drawn(TRUE, 3, 3, True, 5, unigrams=W, seed=1),
        _drawn(TRUE + 9, 2, 3, True, 5, unigrams=W, seed=1),
        _drawn(TRUE, 2, 3, True, 5, vocab_file="/no/such/file", seed=1),
        _drawn(TRUE, 2, 3, True, 5, vocab_file="/no/such/file", unigrams=W, seed=1),
        lambda tf: list(
            tf.nn.fixed_unigram_candidate_sampler(TRUE, 2, 3, True, 5, unigrams=W, seed=1)
        ),
    ],
)


TABLE.rows(
    "points in a cube",
    [
        *[
            lambda tf, given=given: tf.math.sobol_sample(*given)
            for given in (
                *((3, 5), (2, 3, 5, "float64"), (40, 6, 17), (7, 30, 100, "float64"), (1, 1)),
                *((21, 4, 2**20), (1111, 2, 3), (0, 3), (2, -1), (2, 0), (2, 3, -1), ([2], 3)),
                *((2, [3]), (2, 3, 0, "float16"), (21201, 1), (3, 10, 2**31 - 5), (21200, 1)),
            )
        ]
    ],
)


def _learned(times: int, *given: Any, set_seed: Any = None, **how: Any) -> Any:
    """Draw again and again, from a state that nobody has used."""

    def ask(tf: Any) -> Any:
        tf.random.set_seed(set_seed)
        return [
            list(tf.random.learned_unigram_candidate_sampler(*given, **how)) for _ in range(times)
        ]

    return ask


TABLE.rows(
    "classes that are learned",
    [
        *[_learned(5, TRUE, 2, 3, True, 5, seed=k, set_seed=3) for k in (1, 2)],
        _learned(6, TRUE, 2, 8, False, 5, seed=4, set_seed=3),
        _learned(3, TRUE, 2, 3, True, 5, set_seed=3),
        _learned(1, TRUE, 2, 6, True, 5, seed=1, set_seed=3),
        _learned(1, TRUE + 9, 2, 3, True, 5, seed=1, set_seed=3),
        _learned(1, TRUE, 3, 3, True, 5, seed=1, set_seed=3),
    ],
)
