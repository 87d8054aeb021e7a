"""Functions of square matrices: exponential, square root, logarithm."""

from __future__ import annotations

from typing import Any

from symtape.ops.arguments import allowed, listed, tensor
from symtape.ops.linalg.solving import LAPACK, square
from symtape.program.kinds.matrices import MatrixFunction
from symtape.tensor.dispatch import apply1, invalid
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of

_LOGARITHMS = allowed("complex64, complex128")


def expm(input: Any, name: str | None = None) -> Tensor:
    """The exponential of each square matrix, Σ Aᵏ/k!.

    Shape [..., n, n]. The derivative is a block of the exponential of a matrix of twice the size
    (Higham 2008, theorem 3.6), so that it has derivatives itself.

    >>> expm([[0.0, 1.0], [0.0, 0.0]]).numpy()
    array([[1., 1.],
           [0., 1.]], dtype=float32)
    """
    x = tensor(input)
    if dtype_of(x).char not in LAPACK.letters:
        raise ValueError(f"tf.linalg.expm does not support matrices of type {x.dtype}")
    if x.ndim < 2:
        raise invalid("Max", f"Input tensor 0 must have rank >= 2, got {x.ndim}")
    *batch, rows, columns = shape_of(x)
    if rows != columns:
        count = 1
        for n in batch:
            count *= n
        shape = listed((count, rows, columns))
        raise invalid("BatchMatMulV2", f"Matrix size-incompatible: In[0]: {shape}, In[1]: {shape}")
    return apply1(MatrixFunction("exp"), x)


def sqrtm(input: Any, name: str | None = None) -> Tensor:
    """The square root of each square matrix of which no eigenvalue has a negative real part.

    Shape [..., n, n]. It is nan where there is none, or none of real numbers for a real matrix.

    >>> sqrtm([[5.0, 4.0], [4.0, 5.0]]).numpy().round(5)
    array([[2., 1.],
           [1., 2.]], dtype=float32)
    """
    return apply1(MatrixFunction("sqrt"), square("MatrixSquareRoot", input))


def logm(input: Any, name: str | None = None) -> Tensor:
    """The logarithm of each square matrix of complex numbers, the inverse of the exponential.

    Shape [..., n, n]. It is nan where there is none, and for a matrix that has a negative
    eigenvalue twice with one vector. TensorFlow has no derivative of it.

    >>> logm([[1.0 + 0j, 0j], [0j, 1.0 + 0j]]).numpy()
    array([[0.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]])
    """
    return apply1(MatrixFunction("log"), square("MatrixLogarithm", input, _LOGARITHMS))
