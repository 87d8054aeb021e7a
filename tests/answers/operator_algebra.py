"""`tf.linalg.LinearOperator`: products of kinds, variables, batches, blocks, own classes."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.answers.answer import Table
from tests.answers.linear_operators import KINDS, A, B, D, S, X

TABLE = Table("operator_algebra")

Run = Callable[[Any], Any]


def _attempt(run: Callable[[], Any]) -> Any:
    try:
        return run()
    except (ValueError, NotImplementedError) as error:
        return type(error).__name__


# --- what follows for products --------------------------------------------------------------------

SAID: list[dict[str, Any]] = [
    {},
    {"is_self_adjoint": True},
    {"is_self_adjoint": True, "is_positive_definite": True},
    {"is_non_singular": True},
]
COMPLEX = {"diag complex", "scaled complex"}


def _told(op: Any) -> list[Any]:
    hints = [op.is_non_singular, op.is_self_adjoint, op.is_positive_definite, op.is_square]
    return [type(op).__name__, op.name, *hints]


def _pair(first: str, second: str) -> Run:
    def run(tf: Any) -> Any:
        found: list[Any] = []
        for how in SAID:
            made = [_attempt(lambda k=kind, h=how: KINDS[k](tf, **h)) for kind in (first, second)]
            if str not in {type(x) for x in made}:
                a, b = made
                found.append(_attempt(lambda a=a, b=b: _told(a.matmul(b))))
                found.append(_attempt(lambda a=a, b=b: _told(a.solve(b))))
        return found

    return run


for _first, _second in itertools.product(KINDS, repeat=2):
    if "wide" not in _first + _second and (_first in COMPLEX) == (_second in COMPLEX):
        TABLE.add(f"{_first} and {_second}", _pair(_first, _second))


def _turned(tf: Any) -> Any:
    """The left factor is the adjoint, of whatever kind that is."""
    a = tf.linalg.LinearOperatorDiag(np.array([1.0 + 2j, 3.0 - 1j]))
    b = tf.linalg.LinearOperatorScaledIdentity(2, np.complex128(2.0 + 1j))
    found = [op.matmul(other, adjoint=True).to_dense() for op in (a, b) for other in (a, b)]
    found += [op.solve(other, adjoint=True).to_dense() for op in (a, b) for other in (a, b)]
    return found


TABLE.add("adjoint to the left", _turned)


# --- variables ------------------------------------------------------------------------------------


def _full(tf: Any, v: Any, m: Any = S, **how: Any) -> Any:
    return tf.linalg.LinearOperatorFullMatrix(v(m), **how)


HELD: dict[str, Callable[[Any, Any], Any]] = {
    "full": _full,
    "lower": lambda tf, v: tf.linalg.LinearOperatorLowerTriangular(v(S)),
    "diag": lambda tf, v: tf.linalg.LinearOperatorDiag(v(D[1])),
    "scaled": lambda tf, v: tf.linalg.LinearOperatorScaledIdentity(3, v(2.0)),
    "toeplitz": lambda tf, v: tf.linalg.LinearOperatorToeplitz(v([4.0, 1, 0.5]), v([4.0, 2, 1])),
    "tridiag": lambda tf, v: tf.linalg.LinearOperatorTridiag(v(A + 2)),
    "tridiag sequence": lambda tf, v: tf.linalg.LinearOperatorTridiag(
        [v(A[0]), v(A[1] + 5), v(A[2])], diagonals_format="sequence"
    ),
    "tridiag matrix": lambda tf, v: tf.linalg.LinearOperatorTridiag(
        v(S), diagonals_format="matrix"
    ),
    "circulant": lambda tf, v: tf.linalg.LinearOperatorCirculant(
        v([3.0, 1.0, 1.0]), input_output_dtype=tf.float64
    ),
    "update": lambda tf, v: tf.linalg.LinearOperatorLowRankUpdate(
        tf.linalg.LinearOperatorDiag(v(D[1]), is_positive_definite=True),
        v(X),
        v([1.0, 2.0]),
        is_diag_update_positive=True,
    ),
    "update by two": lambda tf, v: tf.linalg.LinearOperatorLowRankUpdate(
        _full(tf, v), v(X), v=v(X[::-1])
    ),
    "kronecker": lambda tf, v: tf.linalg.LinearOperatorKronecker(
        [tf.linalg.LinearOperatorFullMatrix(v([[2.0]])), _full(tf, v)]
    ),
    "blocks": lambda tf, v: tf.linalg.LinearOperatorBlockDiag(
        [tf.linalg.LinearOperatorFullMatrix(v([[2.0]])), _full(tf, v, S[1:, 1:])]
    ),
    "triangular blocks": lambda tf, v: tf.linalg.LinearOperatorBlockLowerTriangular(
        [[_full(tf, v, S[:1, :1])], [_full(tf, v, A[1:, :1]), _full(tf, v, S[1:, 1:])]]
    ),
    "product": lambda tf, v: tf.linalg.LinearOperatorComposition(
        [_full(tf, v), tf.linalg.LinearOperatorDiag(v(D[1]))]
    ),
    "adjoint": lambda tf, v: tf.linalg.LinearOperatorFullMatrix(v(A)).H,
    "inverse": lambda tf, v: _full(tf, v, is_non_singular=True).inverse(),
}

ASKED: dict[str, Callable[[Any, Any], Any]] = {
    "times": lambda op, x: op.matmul(x),
    "solved": lambda op, x: op.solve(x),
    "adjoint times": lambda op, x: op.matmul(x, adjoint=True),
    "adjoint solved": lambda op, x: op.solve(x, adjoint=True),
    "determinant": lambda op, x: [op.log_abs_determinant(), op.determinant()],
    "entries": lambda op, x: [op.to_dense(), op.diag_part(), op.trace()],
    "vectors": lambda op, x: [op.matvec(x[:, 0]), op.solvevec(x[:, 1])],
}


def _varied(name: str, method: str) -> Run:
    def run(tf: Any) -> Any:
        op = HELD[name](tf, lambda m: tf.Variable(np.asarray(m, np.float64)))
        variables, x = op.trainable_variables, tf.constant(X)
        found = [list(variables)]
        for _ in range(2):
            with tf.GradientTape() as tape:
                parts = tf.nest.flatten(ASKED[method](op, x))
                y = tf.add_n([tf.reduce_sum(part**2) for part in parts])
            found += [y, tape.gradient(y, variables)]
            variables[0].assign(variables[0] * 1.5)
        return found

    return run


for _name, _method in itertools.product(HELD, ASKED):
    TABLE.add(f"variables: {_name} {_method}", _varied(_name, _method))


def _rebuilt(name: str) -> Run:
    """Take an operator apart, make it again, and give it to a function."""

    def run(tf: Any) -> Any:
        op = HELD[name](tf, lambda m: tf.Variable(np.asarray(m, np.float64)))
        parts = tf.nest.flatten(op, expand_composites=True)
        again = tf.nest.pack_sequence_as(op, parts, expand_composites=True)
        product = tf.function(lambda op, x: op.matmul(x))
        return [len(parts), again.to_dense(), sorted(op.parameters), product(op, X)]

    return run


for _name in HELD:
    TABLE.add(f"taken apart: {_name}", _rebuilt(_name))


# --- batches --------------------------------------------------------------------------------------

_R = np.random.RandomState(5)
P = _R.randn(4, 2, 3, 3)
BATCHES: dict[str, Run] = {
    "full": lambda tf: tf.linalg.LinearOperatorFullMatrix(P),
    "diag": lambda tf: tf.linalg.LinearOperatorDiag(P[..., 0]),
    "lower": lambda tf: tf.linalg.LinearOperatorLowerTriangular(P),
    "scaled": lambda tf: tf.linalg.LinearOperatorScaledIdentity(3, P[..., 0, 0]),
    "toeplitz": lambda tf: tf.linalg.LinearOperatorToeplitz(P[..., 0], P[0, :, 0]),
    "circulant": lambda tf: tf.linalg.LinearOperatorCirculant(P[..., 0], tf.float64),
    "tridiag": lambda tf: tf.linalg.LinearOperatorTridiag(P),
    "householder": lambda tf: tf.linalg.LinearOperatorHouseholder(P[..., 0]),
    "product": lambda tf: tf.linalg.LinearOperatorComposition(
        [tf.linalg.LinearOperatorFullMatrix(P[:, :1]), tf.linalg.LinearOperatorDiag(P[0, :, 0])]
    ),
    "blocks": lambda tf: tf.linalg.LinearOperatorBlockDiag(
        [
            tf.linalg.LinearOperatorFullMatrix(P[:, :1, :1, :1]),
            tf.linalg.LinearOperatorDiag(P[0, :, 0]),
        ]
    ),
    "adjoint": lambda tf: tf.linalg.LinearOperatorFullMatrix(P).H,
    "update": lambda tf: tf.linalg.LinearOperatorLowRankUpdate(
        tf.linalg.LinearOperatorDiag(P[:, :1, 0]), P[0, :, :, :2]
    ),
}
PLACES = [0, -1, slice(1, 3), (0, 1), (..., 1), ..., (None, 0), (slice(None), 0), (slice(None, 2),)]


def _sliced(name: str) -> Run:
    return lambda tf: [BATCHES[name](tf)[at].to_dense() for at in PLACES]


for _name in BATCHES:
    TABLE.add(f"some of a batch: {_name}", _sliced(_name))


# --- operands in blocks ---------------------------------------------------------------------------

WHOLE = _R.randn(6, 4)
PARTS = [WHOLE[:2], WHOLE[2:3], WHOLE[3:]]


def _diagonal(tf: Any) -> Any:
    full = tf.linalg.LinearOperatorFullMatrix
    return tf.linalg.LinearOperatorBlockDiag(
        [full(S[:2, :2]), full(S[2:, 2:]), tf.linalg.LinearOperatorDiag(D[1])]
    )


def _triangle(tf: Any) -> Any:
    full = tf.linalg.LinearOperatorFullMatrix
    return tf.linalg.LinearOperatorBlockLowerTriangular(
        [
            [full(S[:2, :2])],
            [full(A[:1, :2]), full(S[2:, 2:])],
            [full(A[:, :2]), full(A[:, 2:]), tf.linalg.LinearOperatorDiag(D[1])],
        ]
    )


OPERANDS: dict[str, Callable[[Any, Any], Any]] = {
    "times": lambda op, method: [
        getattr(op, method)(list(PARTS)),
        getattr(op, method)(list(PARTS), adjoint=True),
        getattr(op, method)([part.T for part in PARTS], adjoint_arg=True),
        getattr(op, method)([part.tolist() for part in PARTS]),
        getattr(op, method)(WHOLE),
        getattr(op, method)(WHOLE, adjoint=True),
        getattr(op, method)(WHOLE.T, adjoint_arg=True),
    ],
    "an unlike size": lambda op, method: getattr(op, method)([PARTS[1], PARTS[1], PARTS[2]]),
    "an unlike dtype": lambda op, method: getattr(op, method)([np.float32(p) for p in PARTS]),
}
for _name, _make in {"blocks": _diagonal, "triangular blocks": _triangle}.items():
    for _method, (_word, _ask) in itertools.product(("matmul", "solve"), OPERANDS.items()):
        TABLE.add(
            f"{_name} {_method}: {_word}",
            lambda tf, make=_make, ask=_ask, method=_method: ask(make(tf), method),
            says="start",
        )
    for _method in ("matvec", "solvevec"):
        TABLE.add(
            f"{_name} {_method}",
            lambda tf, make=_make, method=_method: [
                getattr(make(tf), method)([part[:, 0] for part in PARTS]),
                getattr(make(tf), method)([part[:, 0] for part in PARTS], adjoint=True),
                getattr(make(tf), method)(WHOLE[:, 0]),
            ],
        )
TABLE.add("inverse of triangular blocks", lambda tf: _triangle(tf).inverse().to_dense())


# --- extended classes -----------------------------------------------------------------------------


def _own(tf: Any, **hints: Any) -> Any:
    """An operator as somebody writes it: a shape, and a product."""

    class Own(tf.linalg.LinearOperator):  # type: ignore[misc]  # of whatever module
        def __init__(
            self,
            m: Any,
            is_non_singular: Any = None,
            is_self_adjoint: Any = None,
            is_positive_definite: Any = None,
            is_square: Any = None,
            name: str = "Own",
        ) -> None:
            own = {
                "is_non_singular": is_non_singular,
                "is_self_adjoint": is_self_adjoint,
                "is_positive_definite": is_positive_definite,
                "is_square": is_square,
                "name": name,
            }
            self._m = tf.convert_to_tensor(m)
            super().__init__(dtype=self._m.dtype, parameters={"m": m, **own}, **own)

        def _shape(self) -> Any:
            return self._m.shape

        def _shape_tensor(self) -> Any:
            return tf.shape(self._m)

        def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
            return tf.matmul(self._m, x, adjoint_a=adjoint, adjoint_b=adjoint_arg)

    return Own(S, **hints)


OWN: dict[str, Callable[[Any, Any], Any]] = {
    "what it is": lambda tf, op: [
        *_told(op),
        *(op.shape_tensor(), op.batch_shape_tensor(), op.tensor_rank_tensor()),
        *(op.domain_dimension_tensor(), op.range_dimension_tensor(), str(op.domain_dimension)),
        sorted(op.parameters),
    ],
    "numbers": lambda tf, op: [
        *(op.to_dense(), op.determinant(), op.log_abs_determinant(), op.trace(), op.diag_part()),
        *(op.cond(), op.add_to_tensor(A)),
    ],
    "products": lambda tf, op: [
        *(op.matmul(X), op.matvec(X[:, 0]), op.matmul(X.T, adjoint_arg=True)),
        *(op.solve(X), op.solvevec(X[:, 0]), op.solve(X.T, adjoint_arg=True)),
    ],
    "operators": lambda tf, op: [
        *(_told(op.inverse()), op.inverse().to_dense(), _told(op.H), op.H.to_dense()),
        *(_told(op.matmul(op)), op.matmul(op).to_dense(), _told(op.solve(op))),
    ],
    "factor": lambda tf, op: [_told(op.cholesky()), op.cholesky().to_dense(), op.eigvals()],
    "checks": lambda tf, op: [
        *(op.assert_non_singular(), op.assert_self_adjoint(), op.assert_positive_definite()),
    ],
}
for _word, _ask in OWN.items():
    for _k, _how in enumerate(SAID):
        TABLE.add(
            f"extended {_word} {_k}",
            lambda tf, ask=_ask, how=_how: ask(tf, _own(tf, **how)),
            says="start",
        )
TABLE.rows(
    "extended with mistakes",
    [
        lambda tf: _own(tf, is_self_adjoint=True, is_square=False),
        lambda tf: _own(tf, is_positive_definite=True, is_non_singular=False),
        lambda tf: _own(tf).matmul(X[:2]),
        lambda tf: _own(tf).matmul(np.float32(X)),
        lambda tf: _own(tf, is_non_singular=False).solve(X),
    ],
    says="start",
)
TABLE.rows(
    "products of a matrix and its adjoint",
    [
        lambda tf: _told(_full(tf, tf.constant, A).matmul(_full(tf, tf.constant, A))),
        lambda tf: [_told(op.matmul(op.H)) for op in [_full(tf, tf.constant, A)]],
        lambda tf: [_told(op.matmul(op.H)) for op in [_full(tf, tf.constant, A[:2])]],
        lambda tf: [
            [*_told(op.matmul(op, adjoint_arg=True)), op.matmul(op.H).cholesky().to_dense()]
            for op in [tf.linalg.LinearOperatorLowerTriangular(-B[0], is_non_singular=True)]
        ],
        lambda tf: [
            tf.linalg.LinearOperatorComposition([op, op.H], is_self_adjoint=False)
            for op in [_full(tf, tf.constant, A)]
        ],
    ],
    says="start",
)


def _without_numbers(tf: Any) -> list[Any]:
    """Make operators over a batch, of which one part has no numbers."""
    of = tf.linalg
    one, none = [
        kind(2, batch_shape=[3, 2]) for kind in (of.LinearOperatorIdentity, of.LinearOperatorZeros)
    ]
    wide = of.LinearOperatorZeros(2, 3, [3], is_square=False, is_self_adjoint=False)
    return [one, none, wide]


TABLE.rows(
    "some of a batch without numbers",
    [
        lambda tf, k=k, place=place: _without_numbers(tf)[k][place].to_dense()
        for k in range(3)
        for place in (0, slice(1, 3), (..., 0), (None, 1), 7)
    ],
    says="type",
)


def _inverse_of_a_factor(tf: Any) -> Any:
    """Differentiate an inverse that is found by a factor of Cholesky, which looks at one half."""
    x = tf.constant([[4.0, 1.0], [1.0, 3.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        own = tf.linalg.LinearOperatorFullMatrix(x, None, True, True)
        y = own.inverse().to_dense() * [[1.0, 2.0], [4.0, 8.0]]
    return [y, tape.gradient(y, x)]


TABLE.add("inverse of what is positive definite", _inverse_of_a_factor)
