"""ATen operations that are discrete Fourier transforms, along some axes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from symtape.frontends.torch_functions.rules.rules import Step, rule
from symtape.ops.arguments import like
from symtape.ops.elementwise import functions as maps
from symtape.ops.elementwise.arithmetic import multiply
from symtape.ops.elementwise.conversion import cast
from symtape.ops.signal.fourier import resized, transformed
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of

_SCALES = (0.0, -0.5, -1.0)
"""The power of the count of elements that torch multiplies by: none, by its root, by all."""


def _along(x: Tensor, axis: int, sign: int, scaling: int) -> Tensor:
    """Transform an axis, and multiply by the power of its size."""
    factor = float(max(shape_of(x)[axis], 1)) ** _SCALES[scaling]
    found = transformed(x, axis, sign)
    return found if factor == 1 else multiply(found, like(factor, found))


def _complex(x: Tensor) -> Tensor:
    dtype = dtype_of(x)
    narrow = dtype.itemsize <= (8 if dtype.kind == "c" else 4)
    return cast(x, np.complex64 if narrow else np.complex128)


@rule("_fft_c2c")
def of_complex(step: Step, x: Tensor, dims: Sequence[int], scaling: int, forward: bool) -> Tensor:
    """Σⱼ exp(∓2πi·jk/n) xⱼ along each axis."""
    for d in dims:
        x = _along(x, d % x.ndim, -1 if forward else 1, scaling)
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
    weights = np.where(np.arange(half) % count * 2 % count == 0, 1, 2).astype(dtype_of(z))
    z = z[(slice(None),) * last + (slice(half),)]
    after = [1] * (z.ndim - last - 1)
    wide = resized(multiply(z, Tensor(weights.reshape(-1, *after))), last, count)
    return maps.real(_along(wide, last, 1, scaling))
