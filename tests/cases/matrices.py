"""Linear algebra: equations, factorizations, spectra, functions of matrices.

Vectors that have a free sign or phase stand within functions that do not see it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.cases.case import Case, Input, complexes, points, reals


def regular(tf: Any, x: Any) -> Any:
    """Make a matrix that is far from singular."""
    return x + 6 * tf.eye(x.shape[-1], dtype=x.dtype)


def positive(tf: Any, x: Any) -> Any:
    """Make a positive definite matrix."""
    return tf.matmul(x, x, adjoint_b=True) + 3 * tf.eye(x.shape[-2], dtype=x.dtype)


def symmetric(tf: Any, x: Any) -> Any:
    """Make a self-adjoint matrix whose eigenvalues are far apart."""
    rows = x.shape[-1]
    spread = tf.linalg.diag(tf.cast(tf.range(rows), x.dtype))
    return x + tf.linalg.adjoint(x) + 8 * spread


def squares(tf: Any, x: Any) -> Any:
    """Forget signs and phases."""
    return tf.math.real(x * tf.math.conj(x))


def _shapes(kind: Any = reals) -> dict[str, Input]:
    return {
        "": kind(3, 3),
        " of a batch": kind(2, 3, 3),
        " of one number": kind(1, 1),
        " of nothing": kind(0, 0),
        " of an empty batch": kind(0, 2, 2),
    }


def square_cases() -> list[Case]:
    """Functions of one square matrix."""
    functions: dict[str, Any] = {
        "inv": lambda tf, x: tf.linalg.inv(regular(tf, x)),
        "det": lambda tf, x: tf.linalg.det(x),
        "slogdet": lambda tf, x: tf.linalg.slogdet(regular(tf, x)),
        "logdet": lambda tf, x: tf.linalg.logdet(positive(tf, x)),
        "cholesky": lambda tf, x: tf.linalg.cholesky(positive(tf, x)),
        "eigvalsh": lambda tf, x: tf.linalg.eigvalsh(symmetric(tf, x)),
        "expm": lambda tf, x: tf.linalg.expm(x),
        "sqrtm": lambda tf, x: tf.linalg.sqrtm(regular(tf, x)),
    }
    found = []
    for name, run in functions.items():
        for what, x in _shapes().items():
            case = Case(name + what, run, (x,), half=name == "inv")
            if name == "expm" and what in {" of nothing", " of an empty batch"}:
                case = replace(case, tensorflow=0, because="it cuts the tape where nothing is")
            found.append(case)
        if name != "slogdet":
            for what in ("", " of a batch"):
                case = Case(f"{name} of complex numbers{what}", run, (_shapes(complexes)[what],))
                found.append(replace(case, **UNCONJUGATED) if name in {"det", "sqrtm"} else case)
    return found


UNCONJUGATED: dict[str, Any] = {"tensorflow": 0, "because": "its gradient is not conjugated"}
TWICE: dict[str, Any] = {"tensorflow": 1, "because": "its second derivative is not that of limits"}


SINGULAR = points([1, 2], [2, 4])

CASES: list[Case] = [
    *square_cases(),
    Case(
        "inv of adjoints",
        lambda tf, x: tf.linalg.inv(regular(tf, x), adjoint=True),
        (complexes(3, 3),),
    ),
    Case("det of a singular matrix", lambda tf, x: tf.linalg.det(x), (SINGULAR,), 0, half=False),
    Case(
        "slogdet of complex numbers",
        lambda tf, x: tf.linalg.slogdet(regular(tf, x)),
        (complexes(2, 3, 3),),
        tensorflow=0,
        because="the sign has no derivative there",
    ),
    Case(
        "slogdet of complex numbers, its size",
        lambda tf, x: tf.linalg.slogdet(regular(tf, x))[1],
        (complexes(3, 3),),
    ),
    Case(
        "slogdet of a singular matrix",
        lambda tf, x: tf.math.abs(tf.linalg.slogdet(x)[0]),
        (SINGULAR,),
        0,
        half=False,
    ),
    # --- triangular factors, and matrices that are given by their diagonals ---
    *[
        Case(
            f"lu{what}",
            lambda tf, x: tf.linalg.lu(x).lu,
            (x,),
            half=False,
            tensorflow=0,
            because="it has no gradient there",
        )
        for what, x in {
            "": reals(3, 3),
            " of a batch": reals(2, 3, 3),
            " of one number": reals(1, 1),
            " of complex numbers": complexes(2, 2),
            " of an empty batch": reals(0, 2, 2),
        }.items()
    ],
    Case(
        "lu_solve",
        lambda tf, a, b: tf.linalg.lu_solve(regular(tf, a), [2, 0, 1], b),
        (reals(3, 3), reals(3, 2)),
        half=False,
    ),
    Case(
        "lu_solve of a batch for one right-hand side",
        lambda tf, a, b: tf.linalg.lu_solve(regular(tf, a), [[1, 0], [0, 1]], b),
        (reals(2, 2, 2), reals(2, 1)),
        half=False,
    ),
    Case("lu_reconstruct", lambda tf, x: tf.linalg.lu_reconstruct(x, [2, 0, 1]), (reals(3, 3),)),
    Case(
        "lu_matrix_inverse",
        lambda tf, x: tf.linalg.lu_matrix_inverse(regular(tf, x), [2, 0, 1]),
        (reals(3, 3),),
        half=False,
    ),
    *[
        Case(
            f"tridiagonal_solve{what}",
            lambda tf, d, b: tf.linalg.tridiagonal_solve(
                d + tf.constant([[0.0], [6.0], [0.0]], d.dtype), b
            ),
            inputs,
            half=False,
        )
        for what, inputs in {
            "": (reals(3, 4), reals(4, 2)),
            " for a vector": (reals(3, 3), reals(3)),
            " of a batch": (reals(2, 3, 3), reals(2, 3, 1)),
            " of numbers": (reals(3, 1), reals(1, 2)),
        }.items()
    ],
    Case(
        "tridiagonal_solve of complex numbers",
        lambda tf, d, b: tf.linalg.tridiagonal_solve(d, b, conjugate_rhs=True),
        (complexes(3, 4), complexes(4, 2)),
        tensorflow=0,
        because="tridiagonal_solve_conjugates",
    ),
    Case(
        "tridiagonal_solve with interchanged rows",
        lambda tf, d, b: tf.linalg.tridiagonal_solve(
            d * tf.constant([[1.0], [0.0], [1.0]], d.dtype), b
        ),
        (reals(3, 4), reals(4, 2)),
        half=False,
    ),
    Case(
        "tridiagonal_solve of a matrix",
        lambda tf, a, b: tf.linalg.tridiagonal_solve(
            a + 6.0 * tf.eye(3, dtype=a.dtype), b, "matrix", transpose_rhs=True
        ),
        (reals(3, 3), reals(2, 3)),
        half=False,
    ),
    Case(
        "tridiagonal_solve of three lines",
        lambda tf, a, d, b: tf.linalg.tridiagonal_solve((a, d + 6.0, a), b, "sequence"),
        (reals(2), reals(3), reals(3, 2)),
        half=False,
    ),
    *[
        Case(
            f"tridiagonal_matmul{what}",
            lambda tf, d, b: tf.linalg.tridiagonal_matmul(d, b),
            inputs,
            half=False,
        )
        for what, inputs in {
            "": (reals(3, 4), reals(4, 2)),
            " of one number": (reals(3, 1), reals(1, 2)),
            " of a batch": (reals(2, 3, 3), reals(2, 3, 1)),
            " of numbers": (reals(3, 1), reals(1, 2)),
        }.items()
    ],
    *[
        Case(
            f"banded_triangular_solve, {'lower' if lower else 'upper'}{', adjoint' * adjoint}",
            lambda tf, d, b, lower=lower, adjoint=adjoint: tf.linalg.banded_triangular_solve(
                d + 4.0, b, lower, adjoint
            ),
            (reals(2, 3), reals(3, 2)),
            half=False,
        )
        for lower in (True, False)
        for adjoint in (False, True)
    ],
    Case(
        "eigh_tridiagonal",
        lambda tf, a, b: tf.linalg.eigh_tridiagonal(a + tf.range(0.0, 9.0, 3.0, a.dtype), b),
        (reals(3), reals(2)),
        half=False,
        tensorflow=0,
        because="it bisects there, which has no derivative",
    ),
    # --- equations ---
    *[
        Case(
            f"solve{' of adjoints' if adjoint else ''}{what}",
            lambda tf, a, b, adjoint=adjoint: tf.linalg.solve(regular(tf, a), b, adjoint=adjoint),
            inputs,
            half=False,
        )
        for adjoint in (False, True)
        for what, inputs in {
            "": (reals(3, 3), reals(3, 2)),
            " of a batch": (reals(2, 3, 3), reals(2, 3, 1)),
            " of complex numbers": (complexes(3, 3), complexes(3, 2)),
            " of no columns": (reals(2, 2), reals(2, 0)),
            " of nothing": (reals(0, 0), reals(0, 2)),
        }.items()
    ],
    *[
        Case(
            f"triangular_solve, {'lower' if lower else 'upper'}{', adjoint' * adjoint}{what}",
            lambda tf, a, b, lower=lower, adjoint=adjoint: tf.linalg.triangular_solve(
                regular(tf, a), b, lower, adjoint
            ),
            inputs,
            half=False,
        )
        for lower in (True, False)
        for adjoint in (False, True)
        for what, inputs in {
            "": (reals(3, 3), reals(3, 2)),
            ", complex": (complexes(2, 3, 3), complexes(2, 3, 2)),
        }.items()
    ],
    Case(
        "triangular_solve of one matrix for a batch",
        lambda tf, a, b: tf.linalg.triangular_solve(regular(tf, a), b),
        (reals(3, 3), reals(4, 3, 2)),
        half=False,
    ),
    Case(
        "triangular_solve of a batch for one right-hand side",
        lambda tf, a, b: tf.linalg.triangular_solve(regular(tf, a), b),
        (reals(2, 1, 3, 3), reals(4, 3, 2)),
        half=False,
    ),
    Case(
        "cholesky_solve",
        lambda tf, a, b: tf.linalg.cholesky_solve(tf.linalg.cholesky(positive(tf, a)), b),
        (reals(2, 3, 3), reals(2, 3, 2)),
        half=False,
    ),
    Case(
        "cholesky_solve of complex numbers",
        lambda tf, a, b: tf.linalg.cholesky_solve(regular(tf, a), b),
        (complexes(3, 3), complexes(3, 2)),
    ),
    *[
        Case(
            f"lstsq of {what}",
            lambda tf, a, b, how=how: tf.linalg.lstsq(a, b, **how),
            inputs,
            dtypes=("float64",),
            half=False,
        )
        for what, inputs, how in [
            ("a tall matrix", (reals(4, 2), reals(4, 3)), {}),
            ("a wide matrix", (reals(2, 4), reals(2, 3)), {}),
            ("a batch", (reals(2, 4, 2), reals(2, 4, 1)), {}),
            ("one matrix for a batch", (reals(4, 2), reals(3, 4, 1)), {}),
            ("complex numbers", (complexes(4, 2), complexes(4, 1)), {}),
            ("a tall matrix, ridge", (reals(4, 2), reals(4, 3)), {"l2_regularizer": 0.5}),
            ("a wide matrix, ridge", (reals(2, 4), reals(2, 3)), {"l2_regularizer": 0.5}),
        ]
    ],
    *[
        Case(
            f"lstsq, not fast, of {what}",
            lambda tf, a, b: tf.linalg.lstsq(a, b, fast=False),
            inputs,
            dtypes=("float64",),
            tensorflow=0,
            because="no gradient is registered",
            half=False,
        )
        for what, inputs in {
            "a tall matrix": (reals(4, 2), reals(4, 3)),
            "a wide matrix": (reals(2, 2, 4), reals(2, 2, 3)),
        }.items()
    ],
    Case(
        "lstsq, not fast, of a lower rank",
        lambda tf, a, b: tf.linalg.lstsq(a, b, fast=False),
        (
            points([[1.0, 2.0], [2.0, 4.0], [0.0, 0.0]], [[1.0, 2.0], [2.0, 5.0], [0.0, 1.0]]),
            reals(2, 3, 1),
        ),
        0,
        dtypes=("float64",),
        half=False,
    ),
    *[
        Case(
            f"pinv of {what}",
            lambda tf, a: tf.linalg.pinv(a),
            (x,),
            dtypes=("float64",),
            half=False,
        )
        for what, x in {
            "a tall matrix": reals(4, 2),
            "a wide matrix": reals(2, 4),
            "a batch": reals(2, 3, 3),
            "an empty batch": reals(0, 2, 3),
        }.items()
    ],
    Case(
        "pinv with a bound",
        lambda tf, a: tf.linalg.pinv(a, rcond=0.25),
        (points([1.0, 0.0], [0.0, 0.1]),),
        dtypes=("float64",),
        half=False,
    ),
    *[
        Case(
            f"pinv that cuts values of {what}",
            lambda tf, a: tf.linalg.pinv(a, rcond=0.5),
            (x,),
            dtypes=("float64",),
            half=False,
        )
        for what, x in {
            "a tall matrix": points([1.0, 0.2], [0.3, 0.3], [0.5, -0.1]),
            "a wide matrix": points(
                [1.0, 0.3, 0.5, 0.1], [0.9, -0.2, 0.4, 0.3], [0.1, 0.1, 0.3, 2.0]
            ),
            "a batch": points([[2.0, 0.3], [0.1, 0.4]], [[0.3, 1.0], [0.2, 0.1]]),
        }.items()
    ],
    Case(
        "pinv with a bound for each",
        lambda tf, a: tf.linalg.pinv(a, rcond=[0.25, 0.01]),
        (points([[1.0, 0.0], [0.0, 0.1]], [[1.0, 0.0], [0.0, 0.1]]),),
        dtypes=("float64",),
        half=False,
    ),
    Case("matrix_rank", lambda tf, a: tf.linalg.matrix_rank(a), (SINGULAR,), 0, half=False),
    Case(
        "matrix_rank of a batch",
        lambda tf, a: tf.linalg.matrix_rank(a, tol=0.5),
        (reals(3, 2, 4),),
        0,
        half=False,
    ),
    # --- factorizations ---
    *[
        Case(f"qr of {what}", lambda tf, x, f=f: tf.linalg.qr(x, f), (x,), dtypes=("float64",))
        for what, x, f in [
            ("a square matrix", reals(3, 3), False),
            ("a deep matrix", reals(4, 2), False),
            ("a wide matrix", reals(2, 4), False),
            ("a wide matrix, full", reals(2, 4), True),
            ("a batch", reals(2, 3, 2), False),
            ("complex numbers", complexes(3, 3), False),
            ("deep complex numbers", complexes(2, 4, 2), False),
            ("one number", reals(1, 1), False),
            ("no columns", reals(3, 0), False),
            ("no rows", reals(0, 3), False),
            ("an empty batch", reals(0, 2, 2), False),
        ]
    ],
    Case(
        "qr, full, of a deep matrix",
        lambda tf, x: squares(tf, tf.linalg.qr(x, full_matrices=True)[0]),
        (reals(4, 3),),
        0,
    ),
    *[
        Case(
            f"singular values of {what}",
            lambda tf, x: tf.linalg.svd(x, compute_uv=False),
            (x,),
            dtypes=("float64",),
            half=False,
        )
        for what, x in {
            "a square matrix": reals(3, 3),
            "a tall matrix": reals(4, 2),
            "a batch": reals(2, 2, 3),
            "complex numbers": complexes(3, 2),
            "one number": reals(1, 1),
            "no rows": reals(0, 3),
        }.items()
    ],
    *[
        Case(
            f"svd of {what}",
            lambda tf, x, f=full: [squares(tf, part) for part in tf.linalg.svd(x, f)],
            (x,),
            dtypes=("float64",),
            half=False,
            **(TWICE if x.kind == "complex" else {}),
        )
        for what, x, full in [
            ("a square matrix", reals(3, 3), False),
            ("a tall matrix", reals(4, 2), False),
            ("a wide matrix", reals(2, 4), False),
            ("a batch", reals(2, 2, 3), False),
            ("complex numbers", complexes(3, 3), False),
            ("tall complex numbers", complexes(4, 2), False),
            ("wide complex numbers", complexes(2, 3), False),
            ("a square matrix, full", reals(2, 2), True),
            ("no columns", reals(3, 0), False),
        ]
    ],
    *[
        Case(
            f"svd, full, {what}",
            lambda tf, x: [squares(tf, part) for part in tf.linalg.svd(x, True)],
            (x,),
            dtypes=("float64",),
            half=False,
            **(TWICE if x.kind == "complex" else {}),
        )
        for what, x in {
            "with one column beyond": reals(3, 2),
            "with one row beyond": complexes(2, 3),
        }.items()
    ],
    *[
        Case(
            f"eigh of {what}",
            lambda tf, x: [
                part if k == 0 else squares(tf, part)
                for k, part in enumerate(tf.linalg.eigh(symmetric(tf, x)))
            ],
            (x,),
            dtypes=("float64",),
            half=False,
        )
        for what, x in {
            "a matrix": reals(3, 3),
            "a batch": reals(2, 2, 2),
            "complex numbers": complexes(3, 3),
            "one number": reals(1, 1),
            "nothing": reals(0, 0),
        }.items()
    ],
    Case(
        "eigh of equal values",
        lambda tf, x: tf.linalg.eigh(x)[0],
        (points([2.0, 0.0], [0.0, 2.0]),),
        half=False,
    ),
    Case(
        "eigh looks at the lower triangle",
        lambda tf, x: tf.linalg.eigvalsh(x),
        (points([2.0, 70.0], [1.0, 5.0]),),
        half=False,
    ),
    *[
        Case(
            f"eig of {what}",
            lambda tf, x: _seen_from_outside(tf, *tf.linalg.eig(regular(tf, x))),
            (x,),
            dtypes=("float64",),
            half=False,
        )
        for what, x in {
            "a matrix": reals(3, 3),
            "a batch": reals(2, 2, 2),
            "complex numbers": complexes(3, 3),
        }.items()
    ],
    Case(
        "eigvals",
        lambda tf, x: tf.reduce_sum(tf.linalg.eigvals(regular(tf, x)) ** 3, -1),
        (reals(2, 3, 3),),
        dtypes=("float64",),
        half=False,
    ),
    Case(
        "logm",
        lambda tf, x: tf.linalg.logm(regular(tf, x)),
        (complexes(2, 2, 2),),
        tensorflow=0,
        because="no gradient is registered",
    ),
    Case(
        "expm of large numbers", lambda tf, x: tf.linalg.expm(9 * x), (reals(2, 3, 3),), half=False
    ),
    Case(
        "expm of one number",
        lambda tf, x: tf.linalg.expm(4.2 + x / 100),
        (reals(1, 1),),
        half=False,
    ),
]


def _seen_from_outside(tf: Any, e: Any, v: Any) -> list[Any]:
    """Weigh vectors with their values, so that no order is seen."""
    weights = tf.expand_dims(e, -2)
    return [
        tf.reduce_sum(e**2, -1),
        tf.reduce_sum(weights * tf.cast(squares(tf, v), v.dtype), -1),
    ]
