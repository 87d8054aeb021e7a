"""What datasets keep in files: `save`, `load`, and `cache` with a name."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tests.answers.answer import Table

TABLE = Table("kept")
Run = Callable[[Any, Any], Any]


def within(run: Run) -> Callable[[Any], Any]:
    """Run in a new folder."""

    def program(tf: Any) -> Any:
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            return run(tf, tf.data.Dataset)

    return program


def L(dataset: Any) -> list[Any]:  # noqa: N802 - stands in every line
    """List the elements, dicts as pairs in the order of their keys."""
    return [sorted(e.items()) if isinstance(e, dict) else e for e in dataset]


def again(tf: Any, dataset: Any, **how: Any) -> Any:
    """Save a dataset, and load it."""
    dataset.save("a", **how)
    return tf.data.Dataset.load("a", **how)


def _loaded(tf: Any, dataset: Any) -> Any:
    found = again(tf, dataset)
    return [*L(found), found.element_spec, len(found), str(found)]


def _written_over(tf: Any, D: Any) -> Any:
    D.range(5).save("a")
    D.range(7, 9).save("a")
    return L(D.load("a"))


def _of_two_lengths(tf: Any, D: Any) -> Any:
    spec = tf.TensorSpec([None], "int32")
    rows = D.from_generator(lambda: iter([[1], [2, 3]]), output_signature=spec)
    found = again(tf, rows)
    return [*L(found), found.element_spec]


def _cached_by_another(tf: Any, D: Any) -> Any:
    first = L(D.range(3).cache("c"))
    return [first, L(D.range(10, 12).cache("c")), sorted(p.name for p in Path().iterdir())]


def _cached_in_part(tf: Any, D: Any) -> Any:
    dataset = D.range(3).cache("c")
    next(iter(dataset))
    return L(dataset)


def _cached_for_all_epochs(tf: Any, D: Any) -> Any:
    dataset = D.range(9).shuffle(9).cache("c").map(lambda n: n + 1)
    return bool(tf.reduce_all(tf.stack(L(dataset)) == tf.stack(L(dataset))))


def _damaged(tf: Any, D: Any) -> Any:
    D.range(3).save("a", compression="GZIP")
    return L(D.load("a"))


TREE = {"a": [1, 2], "b": (["x", "y"], [[1.5], [2.0]])}
RUNS: list[Run] = [
    lambda tf, D: _loaded(tf, D.range(4)),
    lambda tf, D: _loaded(tf, D.range(0)),
    lambda tf, D: _loaded(tf, D.from_tensor_slices(([1, 2], ["a", "é"]))),
    lambda tf, D: _loaded(tf, D.from_tensors([[True, False]])),
    lambda tf, D: _loaded(tf, D.from_tensors(np.zeros((0, 3), np.complex64))),
    lambda tf, D: _loaded(tf, D.from_tensor_slices(np.arange(6, dtype=np.float16)).batch(4)),
    lambda tf, D: L(again(tf, D.from_tensor_slices(TREE))),
    lambda tf, D: sorted(again(tf, D.from_tensor_slices(TREE)).element_spec.items()),
    lambda tf, D: L(again(tf, D.range(3), compression="GZIP")),
    lambda tf, D: L(again(tf, D.range(3), compression="NONE")),
    lambda tf, D: L(again(tf, D.range(6).shuffle(6, seed=1)).batch(4)),
    lambda tf, D: [D.range(2).save("deep/er"), L(D.load("deep/er", tf.TensorSpec([], tf.int64)))],
    lambda tf, D: [D.range(2).save("a"), L(D.load("a", tf.TensorSpec(None, tf.int64)))],
    lambda tf, D: [D.range(2).save("a"), L(D.load("a", tf.TensorSpec([], tf.int32)))],
    lambda tf, D: [D.range(2).save("a"), L(D.load("a", tf.TensorSpec([2], tf.int64)))],
    lambda tf, D: [
        tf.data.experimental.save(D.range(2), "a"), L(tf.data.experimental.load("a"))
    ],
    lambda tf, D: [L(D.range(2).cache("c")), L(D.from_tensor_slices([1.5]).cache("c"))],
    lambda tf, D: L(D.range(3).cache("")),
    _written_over, _of_two_lengths, _cached_by_another, _cached_in_part, _cached_for_all_epochs,
    _damaged,
]  # fmt: skip
TABLE.rows("runs", [within(run) for run in RUNS])
TABLE.rows(
    "nothing there",
    [
        within(lambda tf, D: D.load("a")),
        within(lambda tf, D: D.load("a", tf.TensorSpec([], tf.int64))),
        within(lambda tf, D: L(D.range(2).cache("no/c"))),
    ],
    says="type",
)
