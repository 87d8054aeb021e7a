"""`tf.linalg`: products, diagonals, traces and norms."""

from symtape.namespace import refuser
from symtape.ops.activation import l2_normalize
from symtape.ops.creation import eye
from symtape.ops.linalg import (
    adjoint,
    diag,
    diag_part,
    einsum,
    global_norm,
    matmul,
    matrix_transpose,
    matvec,
    norm,
    normalize,
    tensor_diag,
    tensor_diag_part,
    tensordot,
    trace,
)

__all__ = [
    "adjoint",
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
    "tensor_diag",
    "tensor_diag_part",
    "tensordot",
    "trace",
]

__getattr__ = refuser(__name__, lambda: __all__)
