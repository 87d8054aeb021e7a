"""ATen operations that are discrete Fourier transforms, along some axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from symtape.frontends.torch_functions.rules.rules import Step, rule
from symtape.ops.elementwise import functions as maps
from symtape.ops.elementwise.conversion import cast
from symtape.ops.signal.fourier import LARGEST, along, roots_of_unity
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of

_SCALES = (0.0, -0.5, -1.0)
"""The power of the count of elements that torch multiplies by: none, by its root, by all."""


def _scaled(matrix: Any, scaling: int) -> Any:
    """Multiply the matrix of one axis, whose columns are elements, by the power of their count."""
    n = matrix.shape[0]
    if n > LARGEST:
        raise UnsupportedError(
            f"a transform of {n} elements is a product with a matrix here, of at most {LARGEST} "
            "rows: transform fewer elements"
        )
    return (matrix * float(n) ** _SCALES[scaling]).astype(matrix.dtype)


def _complex(x: Tensor) -> Tensor:
    dtype = dtype_of(x)
    narrow = dtype.itemsize <= (8 if dtype.kind == "c" else 4)
    return cast(x, np.complex64 if narrow else np.complex128)


@rule("_fft_c2c")
def of_complex(step: Step, x: Tensor, dims: Sequence[int], scaling: int, forward: bool) -> Tensor:
    """Σⱼ exp(∓2πi·jk/n) xⱼ along each axis."""
    for d in dims:
        axis = d % x.ndim
        matrix = roots_of_unity(shape_of(x)[axis], -1 if forward else 1, dtype_of(x))
        x = along(x, _scaled(matrix, scaling), axis)
    return x


@rule("_fft_r2c")
def of_real(step: Step, x: Tensor, dims: Sequence[int], scaling: int, onesided: bool) -> Tensor:
    """The transform of real numbers: of the last axis the first half, where the rest mirrors it."""
    found = of_complex(step, _complex(x), dims, scaling, True)
    if not onesided:
        return found
    last = dims[-1] % x.ndim
    half = shape_of(x)[last] // 2 + 1
    return found[(slice(None),) * last + (slice(half),)]


@rule("_fft_c2r")
def to_real(step: Step, z: Tensor, dims: Sequence[int], scaling: int, count: int) -> Tensor:
    """Re Σₖ wₖ exp(2πi·jk/n) zₖ of half a spectrum; w is 2 where element -k is another one."""
    last = dims[-1] % z.ndim
    z = of_complex(step, z, dims[:-1], scaling, False)
    half = count // 2 + 1
    weights = np.where(np.arange(half) % count * 2 % count == 0, 1, 2)
    matrix = _scaled(roots_of_unity(count, 1, dtype_of(z)), scaling)[:, :half] * weights
    z = z[(slice(None),) * last + (slice(half),)]
    return maps.real(along(z, matrix.astype(dtype_of(z)), last))


__all__: list[str] = []
