"""`tf.linalg.LinearOperator`: what each kind of operator answers, and its gradients."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.answers.answer import Table

TABLE = Table("linear_operators")

A = np.array([[2.0, 1.0, 0.5], [0.3, 3.0, -1.0], [1.0, 0.2, 4.0]])
S = A @ A.T
B = np.stack([A, A.T + np.eye(3), S])
D = np.array([[1.0, -2.0, 0.5], [3.0, 4.0, 2.0]])
X = np.array([[1.0, -1.0], [0.5, 2.0], [3.0, 0.25]])
C = A + 1j * B[1]

MADE: dict[str, Callable[[Any], Any]] = {
    "full": lambda tf: tf.linalg.LinearOperatorFullMatrix(A),
    "full batch": lambda tf: tf.linalg.LinearOperatorFullMatrix(B, is_non_singular=True),
    "full wide": lambda tf: tf.linalg.LinearOperatorFullMatrix(A[:2]),
    "full definite": lambda tf: tf.linalg.LinearOperatorFullMatrix(
        S, is_self_adjoint=True, is_positive_definite=True
    ),
    "full complex": lambda tf: tf.linalg.LinearOperatorFullMatrix(C),
    "lower": lambda tf: tf.linalg.LinearOperatorLowerTriangular(B),
    "diag": lambda tf: tf.linalg.LinearOperatorDiag(D),
    "diag definite": lambda tf: tf.linalg.LinearOperatorDiag(D[1], is_positive_definite=True),
    "diag complex": lambda tf: tf.linalg.LinearOperatorDiag(C[0]),
    "identity": lambda tf: tf.linalg.LinearOperatorIdentity(3, dtype=tf.float64),
    "identity batch": lambda tf: tf.linalg.LinearOperatorIdentity(3, [2], dtype=tf.float64),
    "scaled": lambda tf: tf.linalg.LinearOperatorScaledIdentity(3, D[:, 0]),
    "zeros": lambda tf: tf.linalg.LinearOperatorZeros(3, dtype=tf.float64),
    "toeplitz": lambda tf: tf.linalg.LinearOperatorToeplitz(A[:, 0], np.r_[2.0, A[0, 1:]]),
    "circulant": lambda tf: tf.linalg.LinearOperatorCirculant(
        np.array([3.0, 1.0 + 0.5j, 1.0 - 0.5j]), input_output_dtype=tf.float64
    ),
    "householder": lambda tf: tf.linalg.LinearOperatorHouseholder(D[0]),
    "permutation": lambda tf: tf.linalg.LinearOperatorPermutation([2, 0, 1], dtype=tf.float64),
    "tridiag": lambda tf: tf.linalg.LinearOperatorTridiag(A + 2),
    "tridiag sequence": lambda tf: tf.linalg.LinearOperatorTridiag(
        [A[0], A[1] + 5, A[2]], diagonals_format="sequence"
    ),
    "update": lambda tf: tf.linalg.LinearOperatorLowRankUpdate(
        tf.linalg.LinearOperatorDiag(D[1], is_positive_definite=True),
        X,
        diag_update=np.array([1.0, 2.0]),
        is_diag_update_positive=True,
    ),
    "update by two": lambda tf: tf.linalg.LinearOperatorLowRankUpdate(
        tf.linalg.LinearOperatorFullMatrix(A), X, v=X[::-1].copy()
    ),
    "product": lambda tf: tf.linalg.LinearOperatorComposition(
        [tf.linalg.LinearOperatorFullMatrix(A), tf.linalg.LinearOperatorDiag(D)]
    ),
    "kronecker": lambda tf: tf.linalg.LinearOperatorKronecker(
        [tf.linalg.LinearOperatorFullMatrix(A[:1, :1]), tf.linalg.LinearOperatorFullMatrix(A)]
    ),
    "blocks": lambda tf: tf.linalg.LinearOperatorBlockDiag(
        [tf.linalg.LinearOperatorFullMatrix(A[:2, :2]), tf.linalg.LinearOperatorDiag(A[0, :1])]
    ),
    "circulant of two": lambda tf: tf.linalg.LinearOperatorCirculant2D(
        np.array([[3.0, 1.0 + 0.5j, 1.0 - 0.5j]]), input_output_dtype=tf.float64
    ),
    "circulant of three": lambda tf: tf.linalg.LinearOperatorCirculant3D(
        np.array([3.0, 1.0 + 0.5j, 1.0 - 0.5j]).reshape(1, 3, 1), input_output_dtype=tf.float64
    ),
    "triangular blocks": lambda tf: tf.linalg.LinearOperatorBlockLowerTriangular(
        [
            [tf.linalg.LinearOperatorFullMatrix(A[:2, :2])],
            [
                tf.linalg.LinearOperatorFullMatrix(A[2:, :2]),
                tf.linalg.LinearOperatorDiag(A[0, :1]),
            ],
        ]
    ),
    "adjoint": lambda tf: tf.linalg.LinearOperatorAdjoint(tf.linalg.LinearOperatorFullMatrix(A)),
    "inversion": lambda tf: tf.linalg.LinearOperatorInversion(
        tf.linalg.LinearOperatorFullMatrix(A)
    ),
}

METHODS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "what it is": lambda tf, op, x: [
        *(list(op.shape), list(op.batch_shape), op.tensor_rank, op.dtype.name, op.name),
        *(int(op.domain_dimension), int(op.range_dimension), op.is_square),
        *(op.is_non_singular, op.is_self_adjoint, op.is_positive_definite),
        *(op.shape_tensor(), op.batch_shape_tensor()),
    ],
    "dense": lambda tf, op, x: [op.to_dense(), op.diag_part(), op.trace()],
    "times": lambda tf, op, x: [op.matmul(x), op @ x, op.matvec(x[..., 0])],
    "adjoint times": lambda tf, op, x: [
        op.matmul(x, adjoint=True),
        op.matvec(x[..., 1], adjoint=True),
        op.matmul(tf.linalg.adjoint(x), adjoint_arg=True),
        op.H.to_dense(),
    ],
    "solved": lambda tf, op, x: [
        op.solve(x),
        op.solvevec(x[..., 0]),
        op.solve(x, adjoint=True),
        op.solve(tf.linalg.adjoint(x), adjoint_arg=True),
        op.inverse().to_dense(),
        op.inverse().matmul(x),
    ],
    "determinants": lambda tf, op, x: [op.determinant(), op.log_abs_determinant()],
    "added": lambda tf, op, x: op.add_to_tensor(tf.cast(tf.eye(3), op.dtype)),
    "eigenvalues": lambda tf, op, x: tf.sort(tf.math.real(op.eigvals())),
    "condition": lambda tf, op, x: op.cond(),
    "factor": lambda tf, op, x: [op.cholesky().to_dense(), op.cholesky().matmul(x)],
    "operators": lambda tf, op, x: [
        (op @ op).to_dense(),
        op.matmul(tf.linalg.LinearOperatorIdentity(3, dtype=op.dtype)).to_dense(),
        tf.linalg.LinearOperatorIdentity(3, dtype=op.dtype).matmul(op).to_dense(),
        op.solve(op).matmul(x),
    ],
    "another dtype": lambda tf, op, x: op.matmul(tf.ones([3, 1], tf.float16)),
    "another size": lambda tf, op, x: op.matmul(tf.ones([5, 1], op.dtype)),
    "checks": lambda tf, op, x: [op.assert_non_singular(), op.assert_self_adjoint()],
}


def _row(name: str, method: str) -> Callable[[Any], Any]:
    def run(tf: Any) -> Any:
        op = MADE[name](tf)
        return METHODS[method](tf, op, tf.cast(tf.constant(X), op.dtype))

    return run


ACCIDENTS = {
    *(("diag", "added"), ("scaled", "added"), ("identity batch", "added")),
    *(("update", "checks"), ("update by two", "checks")),
    *(("circulant", "adjoint times"), ("circulant", "operators")),
    *(("circulant of two", "adjoint times"), ("circulant of two", "operators")),
    *(("circulant of three", "adjoint times"), ("circulant of three", "operators")),
}
"""What TensorFlow does not give a batch, in another dtype, or at all, by mistake."""

for _name, _method in itertools.product(MADE, METHODS):
    if (_name, _method) not in ACCIDENTS:
        says = "type" if _method == "checks" else "start"
        TABLE.add(f"{_name}: {_method}", _row(_name, _method), says=says)


SLOPES: dict[str, Callable[[Any, Any, Any], Any]] = {
    "full": lambda tf, p, x: tf.linalg.LinearOperatorFullMatrix(p),
    "lower": lambda tf, p, x: tf.linalg.LinearOperatorLowerTriangular(p),
    "diag": lambda tf, p, x: tf.linalg.LinearOperatorDiag(p[0]),
    "scaled": lambda tf, p, x: tf.linalg.LinearOperatorScaledIdentity(3, p[1, 1]),
    "toeplitz": lambda tf, p, x: tf.linalg.LinearOperatorToeplitz(p[0], p[0] * [1.0, 2.0, 0.5]),
    "householder": lambda tf, p, x: tf.linalg.LinearOperatorHouseholder(p[1]),
    "tridiag": lambda tf, p, x: tf.linalg.LinearOperatorTridiag(p + 2),
    "update": lambda tf, p, x: tf.linalg.LinearOperatorLowRankUpdate(
        tf.linalg.LinearOperatorDiag(p[1] ** 2, is_positive_definite=True), p[:, :1]
    ),
    "product": lambda tf, p, x: tf.linalg.LinearOperatorComposition(
        [tf.linalg.LinearOperatorFullMatrix(p), tf.linalg.LinearOperatorDiag(p[0])]
    ),
    "blocks": lambda tf, p, x: tf.linalg.LinearOperatorBlockDiag(
        [tf.linalg.LinearOperatorFullMatrix(p[:2, :2]), tf.linalg.LinearOperatorDiag(p[2, 2:])]
    ),
    "kronecker": lambda tf, p, x: tf.linalg.LinearOperatorKronecker(
        [tf.linalg.LinearOperatorFullMatrix(p), tf.linalg.LinearOperatorDiag(p[0, :1])]
    ),
    "adjoint": lambda tf, p, x: tf.linalg.LinearOperatorFullMatrix(p).adjoint(),
    "inversion": lambda tf, p, x: tf.linalg.LinearOperatorFullMatrix(p).inverse(),
}


def _slope(name: str) -> Callable[[Any], Any]:
    def run(tf: Any) -> Any:
        p, x = tf.Variable(A), tf.constant(X)
        with tf.GradientTape() as tape:
            tape.watch(x)
            op = SLOPES[name](tf, p, x)
            y = tf.reduce_sum(op.matmul(x) ** 2) + tf.reduce_sum(op.solve(x) * x)
            y += op.log_abs_determinant() + tf.reduce_sum(op.matvec(x[:, 0], adjoint=True))
        return y, tape.gradient(y, [p, x])

    return run


for _name in SLOPES:
    TABLE.add(f"gradient of {_name}", _slope(_name))


KINDS: dict[str, Callable[..., Any]] = {
    "full": lambda tf, **how: tf.linalg.LinearOperatorFullMatrix(S, **how),
    "full wide": lambda tf, **how: tf.linalg.LinearOperatorFullMatrix(A[:2], **how),
    "lower": lambda tf, **how: tf.linalg.LinearOperatorLowerTriangular(S, **how),
    "diag": lambda tf, **how: tf.linalg.LinearOperatorDiag(D[1], **how),
    "diag complex": lambda tf, **how: tf.linalg.LinearOperatorDiag(C[0], **how),
    "identity": lambda tf, **how: tf.linalg.LinearOperatorIdentity(3, dtype=tf.float64, **how),
    "scaled": lambda tf, **how: tf.linalg.LinearOperatorScaledIdentity(3, D[1, 0], **how),
    "scaled complex": lambda tf, **how: tf.linalg.LinearOperatorScaledIdentity(3, C[0, 0], **how),
    "zeros": lambda tf, **how: tf.linalg.LinearOperatorZeros(3, dtype=tf.float64, **how),
    "toeplitz": lambda tf, **how: tf.linalg.LinearOperatorToeplitz(S[0], S[0], **how),
    "circulant": lambda tf, **how: tf.linalg.LinearOperatorCirculant(D[1], tf.float64, **how),
    "circulant complex": lambda tf, **how: tf.linalg.LinearOperatorCirculant(
        np.array([3.0, 1.0 + 0.5j, 1.0 - 0.5j]), input_output_dtype=tf.float64, **how
    ),
    "householder": lambda tf, **how: tf.linalg.LinearOperatorHouseholder(D[0], **how),
    "permutation": lambda tf, **how: tf.linalg.LinearOperatorPermutation(
        [2, 0, 1], dtype=tf.float64, **how
    ),
    "tridiag": lambda tf, **how: tf.linalg.LinearOperatorTridiag(A + 2, **how),
    "update": lambda tf, **how: tf.linalg.LinearOperatorLowRankUpdate(
        tf.linalg.LinearOperatorDiag(D[1], is_positive_definite=True), X, **how
    ),
    "product": lambda tf, **how: tf.linalg.LinearOperatorComposition(_pair(tf), **how),
    "kronecker": lambda tf, **how: tf.linalg.LinearOperatorKronecker(_pair(tf), **how),
    "blocks": lambda tf, **how: tf.linalg.LinearOperatorBlockDiag(_pair(tf), **how),
    "adjoint": lambda tf, **how: tf.linalg.LinearOperatorAdjoint(_pair(tf)[0], **how),
    "inversion": lambda tf, **how: tf.linalg.LinearOperatorInversion(_pair(tf)[1], **how),
}


def _pair(tf: Any) -> list[Any]:
    definite = {"is_self_adjoint": True, "is_positive_definite": True}
    return [
        tf.linalg.LinearOperatorFullMatrix(S, **definite),
        tf.linalg.LinearOperatorDiag(D[1], is_positive_definite=True),
    ]


HINTS = [
    {f"is_{hint}": given}
    for hint in ("square", "non_singular", "self_adjoint", "positive_definite")
    for given in (False, True)
]
HINTS += [
    {"is_positive_definite": True, "is_self_adjoint": False},
    {"is_positive_definite": True, "is_non_singular": False},
    {"is_non_singular": True, "is_square": False},
]


def _hinted(name: str, hints: dict[str, bool]) -> Callable[[Any], Any]:
    def run(tf: Any) -> Any:
        op = KINDS[name](tf, **hints)
        return [
            op.is_square,
            op.is_non_singular,
            op.is_self_adjoint,
            op.is_positive_definite,
        ]

    return run


for _name in KINDS:
    for _k, _given in enumerate(HINTS):
        TABLE.add(f"hints of {_name} {_k}", _hinted(_name, _given), says="start")

JOINED = ("full", "lower", "diag", "identity", "scaled", "circulant")
"""Operators of which products are tried: of two of a kind some are made at once."""


def _joined(first: str, second: str) -> Callable[[Any], Any]:
    def run(tf: Any) -> Any:
        found = []
        for own, other in itertools.product(({}, {"is_non_singular": True}), repeat=2):
            a, b = KINDS[first](tf, **own), KINDS[second](tf, **other)
            found.append([(a @ b).is_non_singular, (a @ b).is_square])
        return found

    return run


for _first, _second in itertools.product(JOINED, repeat=2):
    TABLE.add(f"hints of {_first} and {_second}", _joined(_first, _second), says="start")

GIVEN = (
    "matrix tril diag multiplier col row spectrum reflection_axis perm diagonals diagonals_format "
    "u v diag_update is_diag_update_positive"
).split()
OPERATORS = "operators operator base_operator diag_operator".split()


def _parts(name: str) -> Callable[[Any], Any]:
    def run(tf: Any) -> Any:
        op = MADE[name](tf)
        found = {word: getattr(op, word) for word in GIVEN if hasattr(op, word)}
        found = {
            k: tf.convert_to_tensor(v) if isinstance(v, np.ndarray) else v for k, v in found.items()
        }
        found["diagonals"] = [*found["diagonals"]] if "diagonals" in found else []
        for word in OPERATORS:
            if hasattr(op, word):
                own = getattr(op, word)
                own = own if isinstance(own, (list, tuple)) else [own]
                found[word] = [[type(o).__name__, o.to_dense()] for o in own]
        return [found, op.tensor_rank_tensor(), op.domain_dimension_tensor()]

    return run


for _name in [name for name in MADE if name != "triangular blocks"]:  # whose parts are lists
    TABLE.add(f"parts of {_name}", _parts(_name), says="start")

TABLE.rows(
    "mistakes",
    [
        lambda tf: tf.linalg.LinearOperatorComposition([]),
        lambda tf: tf.linalg.LinearOperatorKronecker([]),
        lambda tf: tf.linalg.LinearOperatorComposition(
            [tf.linalg.LinearOperatorFullMatrix(A), tf.linalg.LinearOperatorFullMatrix(C)]
        ),
        lambda tf: tf.linalg.LinearOperatorBlockDiag(
            [tf.linalg.LinearOperatorFullMatrix(A), tf.linalg.LinearOperatorFullMatrix(C)]
        ),
        lambda tf: tf.linalg.LinearOperatorFullMatrix(A[0]),
        lambda tf: tf.linalg.LinearOperatorIdentity(-1),
        lambda tf: tf.linalg.LinearOperatorZeros(2, 3),
        lambda tf: tf.linalg.LinearOperatorZeros(2, 3, is_square=False).to_dense(),
        lambda tf: tf.linalg.LinearOperatorPermutation([0.0, 1.0]),
        lambda tf: tf.linalg.LinearOperatorTridiag(A, diagonals_format="lines"),
        lambda tf: tf.linalg.LinearOperatorTridiag(A, diagonals_format="matrix").to_dense(),
        lambda tf: tf.linalg.LinearOperatorLowRankUpdate(
            tf.linalg.LinearOperatorFullMatrix(A), X, is_diag_update_positive=False
        ),
        lambda tf: tf.linalg.LinearOperatorFullMatrix(A[:2]).determinant(),
        lambda tf: tf.linalg.LinearOperatorFullMatrix(A[:2]).inverse(),
        lambda tf: tf.linalg.LinearOperatorFullMatrix(A[:2]).solve(X),
        lambda tf: tf.linalg.LinearOperatorFullMatrix(A[:2]).log_abs_determinant(),
        lambda tf: tf.linalg.LinearOperatorFullMatrix(A[:2]).eigvals(),
        lambda tf: tf.linalg.LinearOperatorFullMatrix(A[:2]).cholesky(),
        lambda tf: tf.linalg.LinearOperatorZeros(3).inverse(),
        lambda tf: tf.linalg.LinearOperatorZeros(3).solve(np.float32(X)),
        lambda tf: tf.linalg.LinearOperatorFullMatrix(A).cholesky(),
    ],
    says="start",
)
TABLE.rows(
    "definite",
    [
        lambda tf: KINDS["full"](tf, is_self_adjoint=True).assert_positive_definite(),
        lambda tf: KINDS["diag"](tf).assert_positive_definite(),
        lambda tf: MADE["diag"](tf).assert_positive_definite(),
        lambda tf: KINDS["full"](tf).assert_positive_definite(),
        lambda tf: tf.linalg.LinearOperatorFullMatrix(
            A - 3 * np.eye(3) + (A - 3 * np.eye(3)).T, is_self_adjoint=True
        ).assert_positive_definite(),
    ],
    says="type",
)
DEFINITE = [
    lambda tf: KINDS["kronecker"](tf),
    lambda tf: KINDS["blocks"](tf),
    lambda tf: KINDS["scaled"](tf, is_positive_definite=True),
    lambda tf: KINDS["update"](tf),
]


def _factored(make: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda tf: [make(tf).cholesky().to_dense(), tf.sort(tf.math.real(make(tf).eigvals()))]


TABLE.rows("factors", [_factored(make) for make in DEFINITE], says="start")


def _definite(tf: Any, m: Any, **how: Any) -> Any:
    return tf.linalg.LinearOperatorFullMatrix(
        m, is_self_adjoint=True, is_positive_definite=True, **how
    )


def _iterated(tf: Any, **how: Any) -> Any:
    """Solve by conjugate gradients, and differentiate the steps."""
    m, b = tf.constant(S), tf.constant(X[:, 0])
    with tf.GradientTape() as tape:
        tape.watch([m, b])
        found = tf.linalg.experimental.conjugate_gradient(_definite(tf, m), b, **how)
        y = tf.reduce_sum(found.x * D[0])
    parts = found if "max_iter" in how else found[:2]  # else the rest is what rounding leaves
    return [*parts, *tape.gradient(y, [m, b])]


TABLE.rows(
    "conjugate gradients",
    [
        _iterated,
        lambda tf: _iterated(tf, max_iter=2),
        lambda tf: _iterated(tf, tol=0.5),
        lambda tf: _iterated(tf, x=tf.constant([0.1, 0.2, 0.3], tf.float64)),
        lambda tf: _iterated(
            tf, preconditioner=tf.linalg.LinearOperatorDiag(1 / np.diag(S)), max_iter=2
        ),
        lambda tf: tf.linalg.experimental.conjugate_gradient(
            _definite(tf, np.stack([S, S + np.eye(3)])), tf.constant(X[:, 1]), max_iter=2
        ),
        lambda tf: tf.linalg.experimental.conjugate_gradient(
            tf.linalg.LinearOperatorFullMatrix(S), tf.constant(X[:, 1])
        ),
        lambda tf: tf.linalg.experimental.conjugate_gradient(
            _definite(tf, S), tf.constant([1.0, 2.0], tf.float64)
        ),
    ],
)


def _wide(depth: int, spectrum: Any, **how: Any) -> Callable[[Any], Any]:
    """Tell of a circulant along several axes, and what it does with a vector, with slopes."""

    def run(tf: Any) -> Any:
        kind = getattr(tf.linalg, f"LinearOperatorCirculant{depth}D")
        given = tf.constant(spectrum)
        count = int(np.prod(spectrum.shape[-depth:]))
        x = tf.cast(tf.range(1, count + 1), how.get("input_output_dtype", tf.complex64))
        with tf.GradientTape() as tape:
            tape.watch([given, x])
            op = kind(given, **how)
            made = op.matvec(x)
            total = tf.reduce_sum(tf.abs(made) ** 2)
        found = [op.to_dense(), op.convolution_kernel(), made, op.solvevec(x), op.determinant()]
        shown = [list(op.block_shape), op.block_depth, list(op.shape), op.name, op.is_self_adjoint]
        return [*found, *shown, tape.gradient(total, [given, x])]

    return run


_R = np.random.RandomState(3)
TABLE.rows(
    "circulants along several axes",
    [
        _wide(2, _R.rand(2, 3).astype(np.float32)),
        _wide(2, _R.rand(2, 2, 3) + 1j * _R.rand(2, 2, 3), input_output_dtype="complex128"),
        _wide(3, _R.rand(2, 3, 2) + 0j, input_output_dtype="complex128"),
        _wide(3, _R.rand(2, 1, 2), is_self_adjoint=False, input_output_dtype="float64"),
        _wide(2, _R.rand(2, 2), is_square=False, input_output_dtype="float64"),
        _wide(3, _R.rand(2, 2), input_output_dtype="float64"),
    ],
    says="start",
)


def _lower(*rows: Any, **how: Any) -> Callable[[Any], Any]:
    """Make operators of matrices, and put them in rows."""

    def run(tf: Any) -> Any:
        made = [[tf.linalg.LinearOperatorFullMatrix(m) for m in row] for row in rows]
        op = tf.linalg.LinearOperatorBlockLowerTriangular(made, **how)
        return [op.to_dense(), op.is_non_singular, op.name, [len(row) for row in op.operators]]

    return run


TABLE.rows(
    "triangular blocks",
    [
        _lower([A[:1, :1]], [A[1:, :1], A[1:, 1:]]),
        _lower([B[:, :1, :1]], [A[1:, :1], A[1:, 1:]]),
        _lower([A[:1, :1]], [A[1:2, :1], A[:1, :1]], [A[:2, :1], A[:2, 1:2], A[:2, :2]]),
        _lower(),
        _lower([A[:1, :1], A]),
        _lower([A[:1, :1]], [A[1:, :2], A[1:, 1:]]),
        _lower([A[:1, :1]], [A[:1, :1], A[1:, 1:]]),
        _lower([A[:1, :2]]),
        _lower([A], is_square=False),
        _lower([A], is_non_singular=False),
    ],
    says="start",
)
TABLE.add("blocks of unlike dtypes", _lower([A], [A, C]), says="type")
