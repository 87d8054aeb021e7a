"""`tf.linalg`: products, diagonals, traces and norms."""

from symtape.namespace import refuser
from symtape.ops.activation import l2_normalize
from symtape.ops.creation import eye
from symtape.ops.diagonals import (
    band_part,
    diag,
    diag_part,
    set_diag,
    tensor_diag,
    tensor_diag_part,
    trace,
)
from symtape.ops.norms import global_norm, norm, normalize
from symtape.ops.products import adjoint, cross, einsum, matmul, matrix_transpose, matvec, tensordot

__all__ = [
    "adjoint",
    "band_part",
    "cross",
    "diag",
    "diag_part",
    "einsum",
    "eye",
    "global_norm",
    "l2_normalize",
    "matmul",
    "matrix_transpose",
    "matvec",
    "norm",
    "normalize",
    "set_diag",
    "tensor_diag",
    "tensor_diag_part",
    "tensordot",
    "trace",
]

__getattr__ = refuser(__name__, lambda: __all__)
