"""Several diagonals at once, bands, and norms of matrices."""

from __future__ import annotations

import numpy as np

from tests.cases.case import Case, complexes, reals

ALIGNMENTS = ("RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT", "RIGHT_RIGHT")

CASES: list[Case] = [
    *[
        Case(
            f"diag_part from {k[0]} to {k[1]}, {align}",
            lambda tf, x, k=k, align=align: tf.linalg.diag_part(x, k=k, align=align),
            (reals(2, 3, 4),),
        )
        for align in ALIGNMENTS
        for k in ((-1, 2), (-2, -1))
    ],
    Case(
        "diag_part, padded",
        lambda tf, x: tf.linalg.diag_part(x, k=(-1, 1), padding_value=7),
        (reals(4, 3),),
    ),
    Case(
        "diag_part of one diagonal twice",
        lambda tf, x: tf.linalg.diag_part(x, k=(1, 1)),
        (reals(3, 3),),
    ),
    Case("diag_part of no rows", lambda tf, x: tf.linalg.diag_part(x, k=(0, 1)), (reals(0, 3),)),
    *[
        Case(
            f"diag from {k[0]} to {k[1]}, {align}",
            lambda tf, x, k=k, align=align: tf.linalg.diag(x, k=k, align=align),
            (reals(2, 3, 4),),
        )
        for align in ALIGNMENTS
        for k in ((-1, 1), (1, 3))
    ],
    Case(
        "diag of several, of a size",
        lambda tf, x: tf.linalg.diag(x, k=(-1, 1), num_rows=3, num_cols=4),
        (reals(3, 3),),
    ),
    Case(
        "diag of several, of more rows",
        lambda tf, x: tf.linalg.diag(x, k=(-1, 1), num_rows=4),
        (reals(3, 3),),
    ),
    Case(
        "diag of several, padded",
        lambda tf, x: tf.linalg.diag(x, k=(-1, 0), padding_value=7),
        (reals(2, 3),),
        1,
    ),
    *[
        Case(
            f"set_diag from -1 to 1, {align}",
            lambda tf, x, y, align=align: tf.linalg.set_diag(x, y, k=(-1, 1), align=align),
            (reals(2, 3, 4), reals(2, 3, 3)),
        )
        for align in ALIGNMENTS
    ],
    *[
        Case(
            f"band_part {lower}, {upper}",
            lambda tf, x, n=(lower, upper): tf.linalg.band_part(x, *n),
            (reals(2, 4, 3),),
        )
        for lower in (-1, 0, 2)
        for upper in (-1, 0, 1)
    ],
    Case(
        "band_part of complex numbers",
        lambda tf, x: tf.linalg.band_part(x, 1, 1),
        (complexes(3, 4),),
    ),
    Case("band_part of nothing", lambda tf, x: tf.linalg.band_part(x, 0, 0), (reals(0, 3),)),
    *[
        Case(
            f"matrix norm of order 2, axes {axes}, {'kept' if keep else 'dropped'}",
            lambda tf, x, axes=axes, keep=keep: tf.norm(x, 2, axis=axes, keepdims=keep),
            (reals(2, 3, 4),),
            dtypes=("float64",),
            half=False,
        )
        for axes in ((0, 1), (0, -1), (2, 0))
        for keep in (False, True)
    ],
    Case(
        "matrix norm of order 2 of complex numbers",
        lambda tf, x: tf.norm(x, 2.0, axis=[0, 1]),
        (complexes(3, 2),),
        dtypes=("float64",),
        tensorflow=1,
        because="the second derivative of svd is not that of limits",
    ),
    Case(
        "matrix norm of order 2 of nothing",
        lambda tf, x: tf.norm(x, 2, axis=[0, 1]),
        (reals(0, 2),),
        half=False,
    ),
    Case("norm of complex numbers", lambda tf, x: tf.norm(x), (complexes(3, 2),)),
    Case(
        "norm of order 2.5 of complex numbers",
        lambda tf, x: tf.norm(x, 2.5, axis=1),
        (complexes(3, 2),),
    ),
    Case(
        "matrix norm of order 1 of a batch",
        lambda tf, x: tf.norm(x, 1, axis=(-1, 0)),
        (reals(2, 3, 4),),
    ),
    Case(
        "matrix norm of order infinity of a batch",
        lambda tf, x: tf.norm(x, np.inf, axis=(0, 2)),
        (complexes(2, 3, 4),),
    ),
]
