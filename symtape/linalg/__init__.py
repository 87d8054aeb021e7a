"""`tf.linalg`: products, diagonals, norms, equations, factorizations, functions of matrices."""

from symtape.linalg import experimental as experimental
from symtape.namespace import show
from symtape.ops.elementwise.activation import l2_normalize as l2_normalize
from symtape.ops.linalg.banded import (
    banded_triangular_solve as banded_triangular_solve,
    eigh_tridiagonal as eigh_tridiagonal,
    tridiagonal_matmul as tridiagonal_matmul,
    tridiagonal_solve as tridiagonal_solve,
)
from symtape.ops.linalg.contraction import einsum as einsum
from symtape.ops.linalg.diagonals import (
    band_part as band_part,
    diag as diag,
    diag_part as diag_part,
    set_diag as set_diag,
    tensor_diag as tensor_diag,
    tensor_diag_part as tensor_diag_part,
    trace as trace,
)
from symtape.ops.linalg.least_squares import lstsq as lstsq, pinv as pinv
from symtape.ops.linalg.lower_upper import (
    lu as lu,
    lu_matrix_inverse as lu_matrix_inverse,
    lu_reconstruct as lu_reconstruct,
    lu_solve as lu_solve,
)
from symtape.ops.linalg.matrix_functions import expm as expm, logm as logm, sqrtm as sqrtm
from symtape.ops.linalg.operators.base import LinearOperator as LinearOperator
from symtape.ops.linalg.operators.blocks import LinearOperatorBlockDiag as LinearOperatorBlockDiag
from symtape.ops.linalg.operators.triangular_blocks import (
    LinearOperatorBlockLowerTriangular as LinearOperatorBlockLowerTriangular,
)
from symtape.ops.linalg.operators.circulants import (
    LinearOperatorCirculant as LinearOperatorCirculant,
    LinearOperatorCirculant2D as LinearOperatorCirculant2D,
    LinearOperatorCirculant3D as LinearOperatorCirculant3D,
)
from symtape.ops.linalg.operators.derived import (
    LinearOperatorAdjoint as LinearOperatorAdjoint,
    LinearOperatorInversion as LinearOperatorInversion,
    LinearOperatorLowRankUpdate as LinearOperatorLowRankUpdate,
)
from symtape.ops.linalg.operators.diagonal import (
    LinearOperatorDiag as LinearOperatorDiag,
    LinearOperatorScaledIdentity as LinearOperatorScaledIdentity,
)
from symtape.ops.linalg.operators.identities import (
    LinearOperatorIdentity as LinearOperatorIdentity,
    LinearOperatorZeros as LinearOperatorZeros,
)
from symtape.ops.linalg.operators.matrices import (
    LinearOperatorFullMatrix as LinearOperatorFullMatrix,
    LinearOperatorLowerTriangular as LinearOperatorLowerTriangular,
)
from symtape.ops.linalg.operators.patterned import (
    LinearOperatorHouseholder as LinearOperatorHouseholder,
    LinearOperatorPermutation as LinearOperatorPermutation,
    LinearOperatorToeplitz as LinearOperatorToeplitz,
    LinearOperatorTridiag as LinearOperatorTridiag,
)
from symtape.ops.linalg.operators.products import (
    LinearOperatorComposition as LinearOperatorComposition,
    LinearOperatorKronecker as LinearOperatorKronecker,
)
from symtape.ops.linalg.products import (
    adjoint as adjoint,
    cross as cross,
    matmul as matmul,
    matrix_transpose as matrix_transpose,
    matvec as matvec,
    tensordot as tensordot,
)
from symtape.ops.linalg.solving import (
    cholesky as cholesky,
    cholesky_solve as cholesky_solve,
    det as det,
    inv as inv,
    logdet as logdet,
    slogdet as slogdet,
    solve as solve,
    triangular_solve as triangular_solve,
)
from symtape.ops.linalg.spectra import (
    eig as eig,
    eigh as eigh,
    eigvals as eigvals,
    eigvalsh as eigvalsh,
    matrix_rank as matrix_rank,
    qr as qr,
    svd as svd,
)
from symtape.ops.reductions.norms import (
    global_norm as global_norm,
    norm as norm,
    normalize as normalize,
)
from symtape.ops.shapes.creation import eye as eye

show(__name__, parts="experimental")
