"""What the losses of `tf.compat.v1.losses` answer: values, slopes, reductions, and refusals."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.answers.answer import Table
from tests.answers.numpy_names import outcome
from tests.answers.stand_ins import wide

TABLE = Table("older_losses")

Y = np.array([[0.0, 1.0], [1.0, 0.0]], np.float32)
X = np.array([[0.25, 0.75], [0.5, 0.125]], np.float32)
WEIGHTS: list[Any] = [1.0, 2.0, [[1.0], [0.0]], [[0.5, 2.0], [0.0, 1.0]], 0.0]
WAYS = ("none", "weighted_sum", "weighted_mean", "weighted_sum_over_batch_size")


def _asked(name: str, labels: Any, given: Any, **how: Any) -> Any:
    """Call a loss, and give the gradient in what is predicted."""

    def run(tf: Any) -> Any:
        x = tf.constant(given) if isinstance(given, np.ndarray) else given
        with tf.GradientTape() as tape:
            tape.watch(x)
            made = getattr(tf.compat.v1.losses, name)(labels, x, **how)
            total = tf.reduce_sum(made)
        return [made, tape.gradient(total, x)]

    return run


def _row(name: str, runs: list[Any]) -> None:
    TABLE.add(name, lambda tf: [outcome(run, wide(tf)) for run in runs])


_LOSSES: dict[str, Any] = {
    **dict.fromkeys(("absolute_difference", "mean_squared_error", "hinge_loss", "log_loss"), Y),
    **dict.fromkeys(("huber_loss", "sigmoid_cross_entropy"), Y),
}
for _name, _labels in _LOSSES.items():
    _runs = [_asked(_name, _labels, X, weights=w) for w in WEIGHTS]
    _runs += [_asked(_name, _labels, X, weights=WEIGHTS[2], reduction=way) for way in WAYS]
    if _name not in {"log_loss", "sigmoid_cross_entropy"}:  # whose last digits are in the text
        _wrong = [1.0, 2.0, 3.0]
        _runs += [_asked(_name, _labels, X, weights=w) for w in (_wrong, [_wrong])]
    _row(_name, [*_runs, _asked(_name, None, X), _asked(_name, Y[:1], X)])
_row("huber of another width", [_asked("huber_loss", Y, X, delta=0.25)])
_row(
    "cosine distance",
    [
        *[_asked("cosine_distance", Y, X, axis=n) for n in (0, 1, -1)],
        _asked("cosine_distance", Y, X, dim=1),
        _asked("cosine_distance", Y, X),
    ],
)
_row("smoothed truths", [_asked("sigmoid_cross_entropy", Y, X, label_smoothing=0.1)])
_row(
    "softmax cross entropy",
    [
        *[_asked("softmax_cross_entropy", Y, X, label_smoothing=s) for s in (0, 0.1)],
        *[_asked("softmax_cross_entropy", Y, X, weights=w) for w in (2.0, [1.0, 0.0], [[1.0]])],
        _asked("softmax_cross_entropy", None, X),
        _asked("softmax_cross_entropy", Y[:1], X),
    ],
)
_row(
    "sparse softmax cross entropy",
    [
        *[_asked("sparse_softmax_cross_entropy", y, X) for y in ([0, 1], [[0], [1]], None)],
        *[
            _asked("sparse_softmax_cross_entropy", [0, 1], X, weights=w)
            for w in ([1.0, 0.0], [[1.0], [0.0]], 2.0)
        ],
    ],
)
_row(
    "what is collected",
    [
        lambda tf: tf.compat.v1.losses.get_losses(),
        lambda tf: tf.compat.v1.losses.get_regularization_losses(),
        lambda tf: tf.compat.v1.losses.add_loss(1.0),
        lambda tf: tf.compat.v1.losses.Reduction.all(),
        lambda tf: tf.compat.v1.losses.Reduction.validate("mean"),
        lambda tf: tf.compat.v1.losses.compute_weighted_loss([1, 3], 2.0),
    ],
)
