"""`tf.sparse` and the sums of rows that a sparse tensor names: results, and what is refused."""

from __future__ import annotations

import operator
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from tests.answers.answer import Table

TABLE = Table("sparse")

Run = Callable[[Any], Any]


def insides(tf: Any) -> Any:
    """Give the functions; of symtape those that answer after `tf.stand_in.for_tensorflow()`."""
    if hasattr(tf, "sparse"):
        from tensorflow.python.ops.linalg.sparse import sparse_csr_matrix_ops as csr  # noqa: PLC0415 - where it is there

        own = {"tensor": tf.SparseTensor, "sets": tf.sets}
        rows = {
            "rows": tf.nn.embedding_lookup_sparse,
            "safe": tf.nn.safe_embedding_lookup_sparse,
        }
    else:
        from symtape.stand_in.sparse import functions  # noqa: PLC0415 - likewise
        from symtape.stand_in.sparse.rows import lookups, sets  # noqa: PLC0415 - likewise

        csr = lookups
        own = {"tensor": functions.SparseTensor, "sets": sets}
        rows = {
            "rows": lookups.embedding_lookup_sparse,
            "safe": lookups.safe_embedding_lookup_sparse,
        }
    functions = tf.sparse if hasattr(tf, "sparse") else functions
    return SimpleNamespace(
        **own,
        **rows,
        csr=csr,
        f=functions,
        constant=tf.constant,
        nn=tf.nn,
        GradientTape=tf.GradientTape,
    )


def parts(found: Any) -> Any:
    """List what a result has; of a sparse tensor its places, elements and sizes."""
    if isinstance(found, tuple):
        return [parts(x) for x in found]
    if hasattr(found, "dense_shape"):
        return [found.indices, found.values, found.dense_shape]
    return found


def rows(name: str, runs: list[Run]) -> None:
    """Add programs of the functions that give sparse tensors."""
    TABLE.rows(name, [lambda tf, run=run: parts(run(insides(tf))) for run in runs])


def a(s: Any) -> Any:
    """Two elements of a square."""
    return s.tensor([[0, 1], [1, 0]], [1.0, 2.0], (2, 2))


def b(s: Any) -> Any:
    """Two elements of a square, of which one stands where one of `a` does."""
    return s.tensor([[0, 1], [1, 1]], [-1.0, 3.0], (2, 2))


def c(s: Any) -> Any:
    """One element of three columns."""
    return s.tensor([[0, 1]], [5.0], (2, 3))


def line(s: Any) -> Any:
    """One element of a vector."""
    return s.tensor([[1]], [1.0], (2,))


def none(s: Any) -> Any:
    """No element."""
    return s.tensor(np.zeros((0, 2), np.int64), np.zeros(0, np.float32), (2, 3))


def mixed(s: Any) -> Any:
    """Elements in no order."""
    return s.tensor([[2, 0], [0, 1]], [1.0, 2.0], (3, 2))


rows(
    "made",
    [
        lambda s: s.f.from_dense([[0.0, 2.0], [3.0, 0.0]]),
        lambda s: s.f.from_dense(["", "a"]),
        lambda s: s.f.to_dense(a(s)),
        lambda s: s.f.to_dense(a(s), -1.0),
        lambda s: s.f.to_dense(s.f.from_dense(["", "a"])),
        lambda s: s.f.to_dense(s.f.from_dense(["", "a"]), "?"),
        lambda s: s.f.to_dense(s.tensor([[0, 1], [0, 1]], [1.0, 2.0], (2, 2))),
        lambda s: s.f.to_dense(mixed(s)),
        lambda s: s.f.to_dense(mixed(s), validate_indices=False),
        lambda s: s.f.to_dense(none(s)),
        lambda s: s.f.reorder(mixed(s)),
        lambda s: a(s).with_values([7.0, 8.0]),
        lambda s: s.f.retain(a(s), [False, True]),
        lambda s: s.f.retain(a(s), [True]),
        lambda s: s.f.fill_empty_rows(c(s), 7.0),
        lambda s: s.f.fill_empty_rows(a(s), 1),
        lambda s: s.f.fill_empty_rows(mixed(s), 9.0),
    ],
)
rows(
    "nothing to make it of",
    [
        lambda s: s.f.from_dense(3.0),
        lambda s: s.f.to_dense(s.tensor([[0, 1], [1, 2]], [1.0, 2.0], (2, 2))),
        lambda s: s.f.to_dense(s.tensor([[0, 1], [-1, 0]], [1.0, 2.0], (2, 2))),
        lambda s: s.f.softmax(line(s)),
        lambda s: s.f.expand_dims(a(s), -4),
        lambda s: s.f.to_indicator(s.tensor([[0, 0]], [4], (1, 1)), 3),
        lambda s: s.f.to_indicator(s.tensor([[0, 0]], [-1], (1, 1)), 3),
        lambda s: s.f.segment_sum(s.constant(1.0), [0], [0]),
        lambda s: s.f.mask(a(s), [0]),
    ],
)
rows(
    "by element",
    [
        lambda s: s.f.add(a(s), b(s)),
        lambda s: s.f.add(a(s), b(s), threshold=0.5),
        lambda s: s.f.add(a(s), b(s), threshold=2.5),
        lambda s: s.f.add(a(s), a(s), threshold=3.0),
        lambda s: s.f.add(np.ones((2, 2), np.float32), b(s)),
        lambda s: s.f.add(b(s), np.ones((2, 2), np.float32)),
        lambda s: s.f.add(np.ones((2, 2)), np.ones((2, 2))),
        lambda s: s.f.add(a(s), c(s)),
        lambda s: s.f.add(a(s), line(s)),
        lambda s: s.f.add(a(s), np.ones((2, 3), np.float32)),
        lambda s: s.f.add(a(s), np.ones(2, np.float32)),
        lambda s: s.f.maximum(a(s), b(s)),
        lambda s: s.f.minimum(a(s), b(s)),
        lambda s: s.f.maximum(a(s), c(s)),
        lambda s: s.f.minimum(a(s), line(s)),
        lambda s: s.f.map_values(lambda x, y: x * y, a(s), 3.0),
        lambda s: s.f.map_values(lambda x, y: x - y, a(s), a(s)),
        lambda s: s.f.map_values(abs, np.ones(2)),
    ],
)
rows(
    "by axes",
    [
        lambda s: s.f.reshape(a(s), [4]),
        lambda s: s.f.reshape(c(s), [3, -1]),
        lambda s: s.f.reshape(a(s), [3, -1]),
        lambda s: s.f.reshape(a(s), [3, 2]),
        lambda s: s.f.reshape(a(s), [-1, -1]),
        lambda s: s.f.reshape(none(s), [3, 2]),
        lambda s: s.f.transpose(c(s)),
        lambda s: s.f.transpose(a(s), [1, 0]),
        lambda s: s.f.expand_dims(c(s)),
        lambda s: s.f.expand_dims(c(s), 0),
        lambda s: s.f.expand_dims(c(s), 1),
        lambda s: s.f.expand_dims(c(s), -2),
        lambda s: s.f.concat(0, [a(s), b(s)]),
        lambda s: s.f.concat(-1, [a(s), c(s)]),
        lambda s: s.f.concat(1, [a(s), b(s), c(s)]),
        lambda s: s.f.concat(0, [a(s)]),
        lambda s: s.f.concat(0, [a(s), c(s)]),
        lambda s: s.f.concat(0, [a(s), c(s)], expand_nonconcat_dims=True),
        lambda s: s.f.concat(0, [a(s), line(s)]),
        lambda s: s.f.concat(2, [a(s), a(s)]),
        lambda s: s.f.concat(-3, [a(s), a(s)]),
    ],
)
rows(
    "reduced",
    [
        lambda s: s.f.reduce_sum(a(s)),
        lambda s: s.f.reduce_sum(c(s), 0),
        lambda s: s.f.reduce_sum(c(s), -1),
        lambda s: s.f.reduce_sum(c(s), keepdims=True),
        lambda s: s.f.reduce_sum(c(s), 1, True),
        lambda s: s.f.reduce_sum(c(s), 0, output_is_sparse=True),
        lambda s: s.f.reduce_sum(c(s), 1, True, True),
        lambda s: s.f.reduce_sum(c(s), output_is_sparse=True),
        lambda s: s.f.reduce_sum(none(s)),
        lambda s: s.f.reduce_sum(c(s), 4),
        lambda s: s.f.reduce_sum(c(s), -3),
        lambda s: s.f.reduce_max(s.tensor([[0, 0], [0, 1]], [-5, -7], (2, 3)), [1]),
        lambda s: s.f.reduce_max(s.tensor([[0, 0], [0, 1]], [-5, -7], (2, 3)), 1, True),
        lambda s: s.f.reduce_max(none(s), 1),
        lambda s: s.f.reduce_max(none(s)),
        lambda s: s.f.reduce_max(c(s), 2),
        lambda s: s.f.sparse_dense_matmul(c(s), np.ones((3, 2), np.float32)),
        lambda s: s.f.sparse_dense_matmul(c(s), np.ones((2, 3), np.float32), adjoint_b=True),
        lambda s: s.f.sparse_dense_matmul(c(s), np.ones((2, 3), np.float32), adjoint_a=True),
        lambda s: s.f.sparse_dense_matmul(np.ones((3, 2), np.float32), c(s)),
    ],
)
FULL = np.array([[np.inf, 1.0], [2.0, np.nan], [-np.inf, 4.0]], np.float32)
TURNED = FULL.T.copy()
rows(
    "products beside what is not finite",
    [
        lambda s: s.f.sparse_dense_matmul(c(s), FULL),
        lambda s: s.f.sparse_dense_matmul(c(s), TURNED, adjoint_b=True),
        lambda s: s.f.sparse_dense_matmul(mixed(s), FULL, adjoint_a=True),
        lambda s: s.f.sparse_dense_matmul(mixed(s), TURNED, adjoint_a=True, adjoint_b=True),
        lambda s: s.f.sparse_dense_matmul(FULL, c(s)),
        lambda s: s.f.sparse_dense_matmul(FULL, c(s), adjoint_a=True, adjoint_b=True),
        lambda s: s.f.sparse_dense_matmul(TURNED, c(s), adjoint_a=True),
        lambda s: s.f.sparse_dense_matmul(none(s), FULL),
        lambda s: s.f.sparse_dense_matmul(
            s.tensor([[0, 1]], np.array([1 + 2j], np.complex64), (2, 3)), FULL[:2] + 1j, True
        ),
        lambda s: s.f.sparse_dense_matmul(c(s), FULL.astype(np.float64)),
        lambda s: s.f.fill_empty_rows(
            s.tensor([[0, 1], [1, 1], [1, 0]], [1.0, 2.0, 3.0], (3, 2)), 9.0
        ),
        lambda s: s.f.fill_empty_rows(
            s.tensor([[2, 1], [0, 1], [2, 0]], [1.0, 2.0, 3.0], (3, 2)), 9.0
        ),
    ],
)


def _slopes_beside_infinity(tf: Any) -> Any:
    """Derive a product by the elements that are there, and by the whole matrix."""
    s, v, whole = insides(tf), tf.constant([2.0, 3.0]), tf.constant(FULL)
    with tf.GradientTape() as tape:
        tape.watch([v, whole])
        y = s.f.sparse_dense_matmul(s.tensor([[0, 1], [1, 1]], v, (2, 3)), whole)
    return tape.gradient(y, [v, whole])


TABLE.add("slopes beside infinity", _slopes_beside_infinity)
rows(
    "counted",
    [
        lambda s: s.f.bincount([1, 1, 2]),
        lambda s: s.f.bincount([1, 1, 2], minlength=5),
        lambda s: s.f.bincount([1, 1, 2], maxlength=2),
        lambda s: s.f.bincount([1, 1, 2], minlength=5, maxlength=4),
        lambda s: s.f.bincount([1, 1, 2], weights=[1.0, 2.0, 3.0]),
        lambda s: s.f.bincount([1, 1, 2], weights=[1.0, 2.0, 3.0], maxlength=2),
        lambda s: s.f.bincount([1, 1, 2], binary_output=True),
        lambda s: s.f.bincount([1, 1, 2], weights=[1.0, 2.0, 3.0], binary_output=True),
        lambda s: s.f.bincount(np.array([7, 1])),
        lambda s: s.f.bincount(np.zeros(0, np.int64)),
        lambda s: s.f.bincount([[1, 1], [0, 2]], axis=0),
        lambda s: s.f.bincount([[1, 1], [0, 2]], axis=-1),
        lambda s: s.f.bincount([[1, 1], [0, 2]], axis=-1, binary_output=True),
        lambda s: s.f.bincount([1, 1], axis=-1),
        lambda s: s.f.bincount([[[1, 1]]], axis=-1),
        lambda s: s.f.bincount([1, 1], axis=1),
        lambda s: s.f.bincount([-1, 1]),
        lambda s: s.f.bincount(s.tensor([[0, 1], [1, 0]], [1, 2], (2, 2)), axis=-1),
        lambda s: s.f.bincount(
            s.tensor([[0, 1], [1, 0]], [1, 2], (2, 2)),
            weights=s.tensor([[0, 1], [1, 0]], [0.5, 2.0], (2, 2)),
            axis=-1,
        ),
    ],
)


def product(s: Any, left: Any, right: Any, **turned: bool) -> Any:
    """Multiply two sparse matrices."""
    kind = left.values.dtype
    given = [
        s.csr.sparse_tensor_to_csr_sparse_matrix(x.indices, x.values, x.dense_shape)
        for x in (left, right)
    ]
    made = s.csr.sparse_matrix_sparse_mat_mul(*given, type=kind, **turned)
    return s.csr.csr_sparse_matrix_to_sparse_tensor(made, type=kind)


rows(
    "products",
    [
        lambda s: product(s, a(s), c(s)),
        lambda s: product(s, a(s), c(s), transpose_a=True),
        lambda s: product(s, c(s), c(s), transpose_b=True),
        lambda s: product(s, c(s), a(s), adjoint_a=True),
        lambda s: product(s, a(s), c(s), transpose_a=True, adjoint_b=False),
        lambda s: product(s, c(s), a(s), adjoint_a=True, adjoint_b=True),
        lambda s: product(
            s,
            s.tensor([[0, 0], [0, 1]], [1.0, 1.0], (1, 2)),
            s.tensor([[0, 0], [1, 0]], [1.0, -1.0], (2, 1)),
        ),
        lambda s: s.sets.intersection(
            s.tensor([[0, 0], [0, 1], [1, 0]], [3, 1, 2], (2, 2)),
            s.tensor([[0, 0], [0, 1], [1, 0]], [1, 4, 5], (2, 2)),
        ),
    ],
)

PLACES = [[0, 0], [0, 1], [2, 0], [3, 0]]


def looked_up(safe: bool, weighed: bool, **how: Any) -> Run:
    """Sum rows, of which one is named by a negative number where this is safe."""

    def run(s: Any) -> Any:
        numbers = np.array([0, 1, 2, -1 if safe else 1])
        ids = s.tensor(PLACES, numbers, (5, 2))
        weights = s.tensor(PLACES, [1.0, 2.0, -1.0, 3.0], (5, 2)) if weighed else None
        table = np.array([[3.0, 4.0], [1.0, 0.0], [0.0, 2.0]], np.float32)
        return (s.safe if safe else s.rows)(table, ids, weights, **how)

    return run


for combiner in ("sum", "mean", "sqrtn"):
    for weighed in (False, True):
        for longest in (None, 1.0):
            how = {"combiner": combiner, "max_norm": longest}
            named = [looked_up(safe=False, weighed=weighed, **how)]
            named += [looked_up(True, weighed, **how, default_id=d) for d in (None, 1)]
            rows(f"rows {combiner} {weighed} {longest}", named)
rows(
    "rows",
    [
        looked_up(safe=False, weighed=False),
        looked_up(safe=False, weighed=False, combiner="max"),
        looked_up(safe=True, weighed=False, combiner="max"),
        lambda s: s.rows(np.eye(2), a(s).with_values([0, 1]), line(s)),
        lambda s: s.safe(
            np.eye(3, dtype=np.float32), s.tensor([[0, 0, 1], [1, 1, 0]], [2, 1], (2, 2, 2))
        ),
    ],
)


def integers(s: Any, places: Any = ((0, 0), (0, 1), (1, 0), (1, 2)), **how: Any) -> Any:
    """Some whole numbers, three of which are different in each row."""
    values = np.array(how.get("values", [3, 1, 2, 2]), how.get("dtype", np.int32))
    return s.tensor(np.array(places), values[: len(places)], how.get("shape", (2, 3)))


def others(s: Any) -> Any:
    """Some whole numbers, of which two are among those."""
    return s.tensor([[0, 0], [1, 0], [1, 1]], np.array([1, 5, 2], np.int32), (2, 2))


ROWS = np.array([[3, 1, 1], [2, 2, 9]], np.int32)
CUBE = [[0, 0, 0], [0, 0, 1], [1, 2, 0]]


def of_sets(name: str) -> list[Run]:
    """Make sets of sparse and dense tensors."""
    pairs: list[Any] = [
        lambda s: (integers(s), others(s)),
        lambda s: (ROWS, others(s)),
        lambda s: (integers(s), ROWS[:, ::-1]),
        lambda s: (ROWS, ROWS + 1),
        lambda s: ([["b", "a", "b"]], [["c", "b"]]),
        lambda s: (np.zeros((0, 2), np.int32), np.zeros((0, 2), np.int32)),
        lambda s: (integers(s, CUBE, shape=(2, 3, 2)), integers(s, CUBE[:2], shape=(2, 3, 2))),
        lambda s: (integers(s), others(s), True),
        lambda s: (ROWS, ROWS[:1]),
        lambda s: (ROWS[0], ROWS[0]),
        lambda s: (ROWS[None], ROWS),
        lambda s: (ROWS.astype("f"), ROWS),
        lambda s: (ROWS, ROWS.astype("i8")),
        lambda s: (integers(s, [[1, 0], [0, 0]]), others(s)),
        lambda s: (integers(s, [[0, 0], [0, 0]]), others(s)),
        lambda s: (integers(s, [[5, 0]]), others(s)),
        lambda s: (integers(s, [[0]], shape=(2,)), integers(s, [[0]], shape=(2,))),
        lambda s: (integers(s, CUBE[:1], shape=(1, 1, 2)), others(s)),
    ]
    return [lambda s, pair=pair: getattr(s.sets, name)(*pair(s)) for pair in pairs]


for _name in ("union", "difference", "intersection"):
    rows(_name, of_sets(_name))
rows(
    "sizes of sets",
    [
        lambda s: s.sets.difference(integers(s), others(s), aminusb=False),
        lambda s: s.sets.difference(integers(s), ROWS[:, :1], False),
        lambda s: s.sets.size(integers(s)),
        lambda s: s.sets.size(integers(s, CUBE, shape=(2, 3, 2), values=[1, 1, 2])),
        lambda s: s.sets.size(integers(s, np.zeros((0, 2), np.int64))),
        lambda s: s.sets.size(integers(s, [[0]], shape=(3,))),
        lambda s: s.sets.size(integers(s, [[1, 0], [0, 0]])),
        lambda s: s.sets.size(integers(s, dtype=np.float32)),
    ],
)


# --- crossed features -----------------------------------------------------------------------------


def columns(s: Any) -> dict[str, Any]:
    """Make columns of two rows: texts and numbers, sparse and whole."""
    return {
        "a": s.tensor([[0, 0], [1, 0], [1, 1]], ["a", "b", "é"], [2, 2]),
        "n": s.tensor([[0, 0], [1, 0]], np.array([7, -3]), [2, 1]),
        "f": s.constant([["f"], ["g"]]),
        "i": s.constant([[1, 2], [3, 4]]),
        "large": s.constant([[2**62], [-(2**63)]]),
        "long": s.constant([["x" * 100], ["y" * 40]]),
        "none": s.tensor(np.zeros((0, 2), np.int64), np.zeros(0, np.int64), [2, 0]),
        "float": s.constant([[1.5], [-2.5]]),
        "truth": s.constant([[True], [False]]),
        "three": s.constant([["p"], ["q"], ["r"]]),
        "line": s.constant(["a", "b"]),
        "cube": s.constant([[["a"]], [["b"]]]),
    }


NAMES = """
    a, n, f, i, large, long, none, float, truth, line, cube, three, a f, f a, i f, a n f, f i a n,
    a a, n n, long f, none f, float f, truth a, i i i, f f f, f three, three f, line f, f cube
""".split(",")
for _names in NAMES:
    rows(
        f"crossed {' '.join(_names.split())}",
        [
            lambda s, n=_names: s.f.cross([columns(s)[k] for k in n.split()]),
            lambda s, n=_names: s.f.cross_hashed([columns(s)[k] for k in n.split()]),
            lambda s, n=_names: s.f.cross_hashed([columns(s)[k] for k in n.split()], 10),
        ],
    )
rows(
    "crossed otherwise",
    [
        lambda s: s.f.cross([]),
        lambda s: s.f.cross_hashed(()),
        lambda s: s.f.cross([columns(s)["a"], columns(s)["i"]], separator="-"),
        lambda s: s.f.cross((columns(s)["a"], columns(s)["i"]), separator=""),
        lambda s: s.f.cross_hashed([columns(s)["a"]], num_buckets=1),
        lambda s: s.f.cross_hashed([columns(s)["a"]], hash_key=7),
        lambda s: s.f.cross_hashed([columns(s)["a"], columns(s)["i"]], 1000, 2**40),
        lambda s: s.f.cross([["a"], columns(s)["f"]]),
        lambda s: s.f.cross_hashed([["a"], columns(s)["f"]]),
        lambda s: s.f.cross(columns(s)["f"]),
        lambda s: s.f.cross_hashed(columns(s)["f"]),
    ],
)
TABLE.add(
    "fewer than no buckets",
    lambda tf: insides(tf).f.cross_hashed([columns(insides(tf))["a"]], -1),
    says="type",
)


# --- products with whole tensors ------------------------------------------------------------------

TABLE.rows(
    "operators that there are not",
    [
        lambda tf, f=f, turned=turned: f(*[a(insides(tf)), tf.ones([2, 2])][::turned])
        for f in (
            operator.add,
            operator.sub,
            operator.matmul,
            operator.eq,
            operator.ne,
            operator.lt,
        )
        for turned in (1, -1)
    ],
    says="type",
)

rows(
    "beside whole tensors",
    [
        lambda s: a(s) * 3.5,
        lambda s: a(s) * 2,
        lambda s: a(s) / 2.0,
        lambda s: a(s) * s.constant([[1.0, 2.0]]),
        lambda s: a(s) * s.constant([[1.0], [2.0]]),
        lambda s: a(s) / s.constant([[1.0, 2.0], [4.0, 8.0]]),
        lambda s: a(s) * s.constant([2.0, 3.0]),
        lambda s: none(s) * s.constant([[2.0], [3.0]]),
        lambda s: s.tensor([[0]], [3], [2]) / 2,
        lambda s: a(s) * s.constant(np.ones((4, 2), np.float32)),
        lambda s: a(s) * s.constant(np.ones((1, 2, 2), np.float32)),
        lambda s: a(s) / s.constant([1.0, 2.0, 3.0]),
    ],
)


def _unlike(places: Any, sizes: Any) -> Run:
    """Compute with the elements of two tensors, by place and by name."""

    def run(s: Any) -> Any:
        one = s.tensor([[0, 0], [1, 1]], [1.0, 2.0], (2, 2))
        other = s.tensor(places, [3.0, 4.0], sizes)
        by_name = s.f.map_values(lambda x, y: x * y, one, y=other)
        return by_name, s.f.map_values(lambda x, y: x + y, one, other)

    return run


TABLE.rows(
    "elements of two tensors",
    [
        lambda tf, run=run: parts(run(insides(tf)))
        for run in (
            _unlike([[0, 0], [1, 1]], (2, 2)),
            _unlike([[0, 0], [1, 1]], (3, 2)),
            _unlike([[0, 0], [1, 0]], (2, 2)),
        )
    ],
    says="start",
)
TABLE.rows(
    "counts of all",
    [
        lambda tf, how=how: parts(insides(tf).f.bincount([[1, 2, 2, 0]], **how))
        for how in (
            {"minlength": 2, "maxlength": 9},
            {"minlength": 8, "maxlength": 4},
            {"axis": -1, "maxlength": 9},
            {"minlength": 8},
        )
    ],
)
TABLE.rows(
    "without a value around",
    [lambda tf, value=value: _filled(insides(tf), value) for value in (True, "a", 1.5)],
)


def _filled(s: Any, value: Any) -> Any:
    return s.f.to_dense(s.tensor([[0, 1]], [value], (1, 3)))


_CHOSEN = [
    ([0, 2, 1], [0, 0, 2], None),
    ([0, 2, 1], [0, 0, 2], 5),
    ([0, 2, 1], [0, 0, 2], 2),
    ([0, 2, 1], [0, 2, 0], None),
    ([0, 2, 7], [0, 0, 1], None),
    ([0, 2], [0, 0, 1], None),
]


def _of_chosen(tf: Any, name: str, places: Any, ids: Any, count: Any) -> Any:
    x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = getattr(insides(tf).f, name)(x * x, places, ids, num_segments=count)
    return [y, tf.convert_to_tensor(tape.gradient(y, x))]


TABLE.rows(
    "segments of chosen rows",
    [
        lambda tf, name=name, given=given: _of_chosen(tf, name, *given)
        for name in ("segment_sum", "segment_mean", "segment_sqrt_n")
        for given in _CHOSEN
    ],
)
rows(
    "another shape around",
    [
        lambda s, shape=shape: s.f.reset_shape(
            s.tensor([[0, 0], [1, 2]], [1.0, 2.0], (3, 4)), shape
        )
        for shape in (None, [5, 4], [2, 4], [2, 4, 5])
    ],
)


def _masked(tf: Any, left_out: Any, shape: Any = (5, 2)) -> Any:
    rows = tf.IndexedSlices(tf.reshape(tf.range(6.0), [3, 2]), [4, 1, 1], shape)
    return _parts(insides(tf).f.mask(rows, left_out))


def _parts(rows: Any) -> Any:
    return rows.indices, rows.values, rows.dense_shape is None


def _masked_gradient(tf: Any) -> Any:
    x = tf.Variable(tf.reshape(tf.range(6.0), [3, 2]))
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.gather(x, [0, 2, 2]) ** 2)
    kept = insides(tf).f.mask(tape.gradient(y, x), [0])
    return _parts(kept), tf.convert_to_tensor(kept)


TABLE.rows(
    "mask",
    [
        *[
            lambda tf, at=at: _masked(tf, at)
            for at in ([1], [4], [9], [4, 1], np.zeros(0, np.int32), [[1]], [1.0], 1)
        ],
        lambda tf: _masked(tf, [1], None),
        _masked_gradient,
    ],
)


def _aligned(s: Any, blank: int, lengths: Any, labels: Any, times: Any = (5, 4)) -> Any:
    """The loss of sparse labels beside that of dense ones."""
    logits = np.sin(np.arange(40.0, dtype=np.float32)).reshape(5, 2, 4)
    given = s.f.from_dense(np.array(labels, np.int32))
    return s.nn.ctc_loss(given, logits, lengths, times, blank_index=blank)


rows(
    "aligned",
    [
        *[lambda s, k=k: _aligned(s, k, None, [[1, 2, 1], [2, 0, 0]]) for k in (0, -1, 2, None)],
        lambda s: _aligned(s, -1, [3, 1], [[1, 1, 2], [2, 0, 0]]),
        lambda s: _aligned(s, -1, None, [[1, 2, 1], [2, 2, 2]]),
        lambda s: _aligned(s, -1, None, [[1, 2, 1], [2, 2, 2]], [5, 2]),
        lambda s: _aligned(s, -1, None, [[1, 2, 1], [2, 2, 2]], [5, 6]),
    ],
)


def _slope_of_a_sum(s: Any, count: int, *how: Any) -> Any:
    """The gradient of a sum by the elements that there are, of which there may be none."""
    values = s.constant(np.arange(1.0, count + 1, dtype=np.float32))
    with s.GradientTape() as tape:
        tape.watch(values)
        at = np.array([[0, 1], [1, 0], [1, 2]], np.int64)[:count]
        total = 2.0 * s.f.reduce_sum(s.tensor(at, values, (2, 3)), *how)
    return total, tape.gradient(total, values)


rows(
    "the slope of a sum",
    [
        lambda s, n=n, how=how: _slope_of_a_sum(s, n, *how)
        for n in (0, 3)
        for how in ((), (0,), ([0, 1],), (None, True))
    ],
)
