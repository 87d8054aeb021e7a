"""`tf.linalg`: products, diagonals, norms, equations, factorizations, functions of matrices."""

from symtape.linalg import experimental
from symtape.namespace import show
from symtape.ops.elementwise.activation import l2_normalize
from symtape.ops.linalg.banded import (
    banded_triangular_solve,
    eigh_tridiagonal,
    tridiagonal_matmul,
    tridiagonal_solve,
)
from symtape.ops.linalg.contraction import einsum
from symtape.ops.linalg.diagonals import (
    band_part,
    diag,
    diag_part,
    set_diag,
    tensor_diag,
    tensor_diag_part,
    trace,
)
from symtape.ops.linalg.least_squares import lstsq, pinv
from symtape.ops.linalg.lower_upper import lu, lu_matrix_inverse, lu_reconstruct, lu_solve
from symtape.ops.linalg.matrix_functions import expm, logm, sqrtm
from symtape.ops.linalg.operators.base import LinearOperator
from symtape.ops.linalg.operators.blocks import (
    LinearOperatorBlockDiag,
    LinearOperatorBlockLowerTriangular,
)
from symtape.ops.linalg.operators.circulants import (
    LinearOperatorCirculant,
    LinearOperatorCirculant2D,
    LinearOperatorCirculant3D,
)
from symtape.ops.linalg.operators.derived import (
    LinearOperatorAdjoint,
    LinearOperatorInversion,
    LinearOperatorLowRankUpdate,
)
from symtape.ops.linalg.operators.diagonal import LinearOperatorDiag, LinearOperatorScaledIdentity
from symtape.ops.linalg.operators.identities import LinearOperatorIdentity, LinearOperatorZeros
from symtape.ops.linalg.operators.matrices import (
    LinearOperatorFullMatrix,
    LinearOperatorLowerTriangular,
)
from symtape.ops.linalg.operators.patterned import (
    LinearOperatorHouseholder,
    LinearOperatorPermutation,
    LinearOperatorToeplitz,
    LinearOperatorTridiag,
)
from symtape.ops.linalg.operators.products import (
    LinearOperatorComposition,
    LinearOperatorKronecker,
)
from symtape.ops.linalg.products import adjoint, cross, matmul, matrix_transpose, matvec, tensordot
from symtape.ops.linalg.solving import (
    cholesky,
    cholesky_solve,
    det,
    inv,
    logdet,
    slogdet,
    solve,
    triangular_solve,
)
from symtape.ops.linalg.spectra import eig, eigh, eigvals, eigvalsh, matrix_rank, qr, svd
from symtape.ops.reductions.norms import global_norm, norm, normalize
from symtape.ops.shapes.creation import eye

__all__ = [
    "LinearOperator",
    "LinearOperatorAdjoint",
    "LinearOperatorBlockDiag",
    "LinearOperatorBlockLowerTriangular",
    "LinearOperatorCirculant",
    "LinearOperatorCirculant2D",
    "LinearOperatorCirculant3D",
    "LinearOperatorComposition",
    "LinearOperatorDiag",
    "LinearOperatorFullMatrix",
    "LinearOperatorHouseholder",
    "LinearOperatorIdentity",
    "LinearOperatorInversion",
    "LinearOperatorKronecker",
    "LinearOperatorLowRankUpdate",
    "LinearOperatorLowerTriangular",
    "LinearOperatorPermutation",
    "LinearOperatorScaledIdentity",
    "LinearOperatorToeplitz",
    "LinearOperatorTridiag",
    "LinearOperatorZeros",
    "adjoint",
    "band_part",
    "banded_triangular_solve",
    "cholesky",
    "cholesky_solve",
    "cross",
    "det",
    "diag",
    "diag_part",
    "eig",
    "eigh",
    "eigh_tridiagonal",
    "eigvals",
    "eigvalsh",
    "einsum",
    "experimental",
    "expm",
    "eye",
    "global_norm",
    "inv",
    "l2_normalize",
    "logdet",
    "logm",
    "lstsq",
    "lu",
    "lu_matrix_inverse",
    "lu_reconstruct",
    "lu_solve",
    "matmul",
    "matrix_rank",
    "matrix_transpose",
    "matvec",
    "norm",
    "normalize",
    "pinv",
    "qr",
    "set_diag",
    "slogdet",
    "solve",
    "sqrtm",
    "svd",
    "tensor_diag",
    "tensor_diag_part",
    "tensordot",
    "trace",
    "triangular_solve",
    "tridiagonal_matmul",
    "tridiagonal_solve",
]

show(__name__, __all__)
