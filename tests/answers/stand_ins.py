"""What answers for TensorFlow's names beyond the public face, sparse tensors among them."""

from __future__ import annotations

from pkgutil import resolve_name
from types import ModuleType
from typing import Any

import numpy as np

from tests.answers.answer import Table

TABLE = Table("stand_ins", lambda tf: tf.random.set_seed(None))


class Wide:
    """The names that answer `import tensorflow`, in a process that may have TensorFlow, too."""

    def __init__(self, path: str, holder: Any) -> None:
        self._path, self._holder = path, holder
        self._answer = resolve_name("symtape.stand_in.finder:Answer")(path, holder)

    def __getattr__(self, name: str) -> Any:
        within = self._path.partition(".")[2]
        found = resolve_name("symtape.stand_in.finder:_part")(within, self._holder, name)
        if isinstance(found, ModuleType):
            return Wide(f"{self._path}.{name}", found)
        return getattr(self._answer, name)


def wide(tf: Any) -> Any:
    """Give TensorFlow's own names, or those that answer for them."""
    return Wide("tensorflow", tf) if tf.__name__ == "symtape" else tf


def told(value: Any) -> Any:
    """Tell a sparse tensor by its parts."""
    if isinstance(value, (list, tuple)):
        return [told(v) for v in value]
    if hasattr(value, "dense_shape") and hasattr(value, "indices"):
        return [value.indices, value.values, value.dense_shape]
    return value


def _rows(name: str, runs: Any, **how: Any) -> None:
    TABLE.rows(name, [lambda tf, run=run: told(run(wide(tf))) for run in runs], **how)


P = np.arange(12.0, dtype=np.float32).reshape(4, 3)


def _ids(tf: Any) -> Any:
    return tf.SparseTensor([[0, 0], [0, 1], [2, 0], [2, 2]], np.array([1, 3, 0, 0]), [4, 3])


def _weights(tf: Any) -> Any:
    return tf.SparseTensor(_ids(tf).indices, np.array([0.5, 2, -1, 1], np.float32), [4, 3])


def _looked_up(tf: Any, combiner: Any, weighed: bool, **how: Any) -> Any:
    """Look rows up, and give the slopes of their squares."""
    x = tf.constant(P)
    with tf.GradientTape() as tape:
        tape.watch(x)
        weights = _weights(tf) if weighed else None
        y = tf.nn.embedding_lookup_sparse(x, _ids(tf), weights, combiner=combiner, **how)
        loss = tf.reduce_sum(y * y)
    return y, tf.convert_to_tensor(tape.gradient(loss, x))


def _safely(tf: Any, combiner: str, weighed: bool, **how: Any) -> Any:
    ids = tf.SparseTensor([[0, 0, 0], [0, 0, 1], [1, 1, 0]], np.array([1, 3, -1]), [2, 2, 3])
    weights = ids.with_values(np.array([2, -1, 1], np.float32)) if weighed else None
    return tf.nn.safe_embedding_lookup_sparse(
        tf.constant(P), ids, weights, combiner=combiner, **how
    )


_COMBINERS = [(c, w) for c in ("sum", "mean", "sqrtn") for w in (False, True)]
_rows(
    "embedding_lookup_sparse",
    [
        *(lambda tf, c=c, w=w: _looked_up(tf, c, w) for c, w in _COMBINERS),
        *(lambda tf, c=c, w=w: _looked_up(tf, c, w, max_norm=4.0) for c, w in _COMBINERS[:3]),
        lambda tf: _looked_up(tf, None, False),
        lambda tf: _looked_up(tf, "max", False),
        lambda tf: tf.nn.embedding_lookup_sparse([P[:2], P[2:]], _ids(tf), None, combiner="sum"),
        lambda tf: tf.nn.embedding_lookup_sparse(
            tf.constant(P[:, :1], tf.float64), _ids(tf), _weights(tf)
        ),
        *(lambda tf, c=c, w=w: _safely(tf, c, w) for c, w in _COMBINERS),
        *(lambda tf, c=c, w=w: _safely(tf, c, w, default_id=2) for c, w in _COMBINERS),
        lambda tf: _safely(tf, "mean", True, max_norm=3.0),
    ],
)
