"""Numbers that were whole numbers of few bits, and what is passed back to them and to ends."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.answers.answer import Table

TABLE = Table("requantized")
X = np.array([[-1.5, -0.3, 0.0], [0.2, 0.77, 2.0]], np.float32)


def _made(name: str, x: Any, low: Any, high: Any, **how: Any) -> Any:
    def ask(tf: Any) -> Any:
        given = (
            [tf.constant(v) for v in (x, low, high)] if isinstance(low, float) else [x, low, high]
        )
        with tf.GradientTape() as tape:
            if isinstance(low, float):
                tape.watch(given)
            made = getattr(tf.quantization, name)(*given, **how)
            total = tf.reduce_sum(made * [1.0, 2.0, 4.0])
        return [made, tape.gradient(total, given)] if isinstance(low, float) else made

    return ask


_V2, _V1 = "quantize_and_dequantize_v2", "quantize_and_dequantize"
_WAYS: tuple[dict[str, Any], ...] = (
    *({}, {"signed_input": False}, {"num_bits": 4}, {"round_mode": "HALF_UP"}, {"num_bits": 2}),
    *({"narrow_range": True}, {"num_bits": 3, "narrow_range": True}),
)
TABLE.rows(
    "rounded",
    [
        *[
            _made(name, X, *ends, range_given=given, **how)
            for name in (_V2, _V1)
            for how in _WAYS
            for given, ends in (
                (False, (-1.0, 1.0)),
                *((True, ends) for ends in ((-1.0, 1.0), (-2.0, 0.5), (0.0, 0.0), (1.0, 2.0))),
            )
        ],
        *[_made(name, X, [-1.0], [1.0], axis=k) for name in (_V2, _V1) for k in (0, 1)],
        _made(_V2, X, -1.0, 1.0, axis=2),
        _made(_V2, X, [-1.0, -2.0], [1.0, 2.0], axis=0, range_given=True),
        _made(_V2, X, -1.0, 1.0, axis=0, range_given=True),
        _made(_V1, X, [-1.0], [1.0], range_given=True),
        *[_made(name, X, 1.0, -1.0, range_given=True) for name in (_V2, _V1)],
        *[_made(_V2, X, -1.0, 1.0, num_bits=n) for n in (0, 1, 16, 62, 64)],
        *[_made(_V2, X, -1.0, 1.0, num_bits=n, signed_input=False) for n in (0, 1, 63, 64)],
        _made(_V2, X, -1.0, 1.0, round_mode="X"),
        _made(_V2, np.zeros((0, 3), np.float32), -1.0, 1.0, range_given=True),
        _made(_V2, np.zeros((1, 3), np.float32), -1.0, 1.0),
        lambda tf: tf.quantization.quantize_and_dequantize_v2(X.astype(int), -1.0, 1.0),
        lambda tf: tf.quantization.quantize_and_dequantize_v2(X.astype("f8"), -1.0, 1.0),
    ],
)
TABLE.rows(
    "rounded halves",
    [lambda tf: tf.quantization.quantize_and_dequantize_v2(X.astype("f2"), -1.0, 1.0)],
    says="type",  # the text lists the kernels that there are
)
G = np.arange(6.0, dtype=np.float32).reshape(2, 3) + 1
L, H = -np.ones(3, np.float32), np.array([1.0, 0.5, 3.0], np.float32)


def _passed(name: str, *given: Any, **how: Any) -> Any:
    def ask(tf: Any) -> Any:
        made = getattr(tf.quantization, f"fake_quant_with_min_max_{name}_gradient")(*given, **how)
        return [type(made).__name__, *made] if isinstance(made, tuple) else made

    return ask


TABLE.rows(
    "passed back",
    [
        *[
            _passed(name, *given, **how)
            for name, given in (
                *(("args", (G, X, -1.0, 1.0)), ("args", (G, X)), ("args", (G, X, 1.0, 3.0))),
                *(
                    ("vars", (G, X, -1.0, 1.0)),
                    ("vars", (G, X, 0.0, 0.0)),
                    ("vars", (G, X, 0.5, 3.0)),
                ),
                *(("vars_per_channel", (G, X, L, H)), ("vars_per_channel", (G, X, L * 0, H * 0))),
                ("vars_per_channel", (G[0], X[0], L, H)),
            )
            for how in ({}, {"num_bits": 3, "narrow_range": True})
        ],
        _passed("args", G[:1], X, -1.0, 1.0),
        _passed("args", G, X, 1.0, -1.0),
        _passed("args", G, X, num_bits=1),
        _passed("vars", G[:1], X, -1.0, 1.0),
        _passed("vars", G, X, [-1.0], 1.0),
        _passed("vars_per_channel", G, X, -1.0, 1.0),
        _passed("vars_per_channel", G, X, L[:2], H),
        _passed("vars_per_channel", G[:1], X, L, H),
    ],
)
