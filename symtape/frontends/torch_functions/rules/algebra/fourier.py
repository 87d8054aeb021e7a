"""ATen operations that are discrete Fourier transforms, along some axes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from symtape.frontends.torch_functions.rules.rules import Step, rule
from symtape.ops.elementwise.conversion import cast
from symtape.ops.signal.fourier import mirrored, resized, transformed
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of

_POWERS = (0.0, -0.5, -1.0)
"""The power of the count of elements that torch multiplies by: none, by its root, by all."""


def _complex(x: Tensor) -> Tensor:
    dtype = dtype_of(x)
    narrow = dtype.itemsize <= (8 if dtype.kind == "c" else 4)
    return cast(x, np.complex64 if narrow else np.complex128)


@rule("_fft_c2c")
def of_complex(step: Step, x: Tensor, dims: Sequence[int], scaling: int, forward: bool) -> Tensor:
    """Σⱼ exp(∓2πi·jk/n) xⱼ along each axis."""
    for d in dims:
        x = transformed(x, d % x.ndim, -1 if forward else 1, _POWERS[scaling])
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
    """The real numbers of which half a spectrum is given."""
    last = dims[-1] % z.ndim
    z = of_complex(step, z, dims[:-1], scaling, False)
    return mirrored(resized(z, last, count // 2 + 1), count, _POWERS[scaling], last)
