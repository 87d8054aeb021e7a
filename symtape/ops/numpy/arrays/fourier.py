"""NumPy's Fourier transforms: of any axes, cut or filled to any sizes, in each of its norms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from symtape.ops.arguments import integers
from symtape.ops.elementwise.conversion import cast
from symtape.ops.elementwise.functions import conj
from symtape.ops.numpy.arrays.axes import axes_among
from symtape.ops.signal.fourier import half, mirrored, resized, transformed
from symtape.ops.signal.shifts import fftshift, ifftshift
from symtape.tensor.convert import convert
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of

_POWERS = {
    None: (0.0, -1.0),
    "backward": (0.0, -1.0),
    "ortho": (-0.5, -0.5),
    "forward": (-1.0, 0.0),
}
"""By the norm: to which power of the size a transform and its inverse are multiplied."""


def _complex(x: Any) -> Tensor:
    """Take an array as NumPy does: floats of fewer digits stay so."""
    z = convert(x)
    return cast(z, np.complex64 if dtype_of(z).char in "fF" else np.complex128)


def _power(norm: Any, n: int, *, is_inverse: bool) -> float:
    """Say to which power of the size a transform is multiplied."""
    if norm not in _POWERS:
        raise ValueError(f'Invalid norm value {norm}; should be "backward", "ortho" or "forward".')
    if n < 1:
        raise ValueError(f"Invalid number of FFT data points ({n}) specified.")
    power: float = _POWERS[norm][is_inverse]
    return power


def _line(z: Tensor, n: Any, axis: int, norm: Any, sign: int) -> Tensor:
    """Transform one axis."""
    (axis,) = axes_among(z.ndim, axis)
    size = shape_of(z)[axis] if n is None else int(n)
    power = _power(norm, size, is_inverse=sign > 0)
    return transformed(resized(z, axis, size), axis, sign, power)


def _half(x: Any, n: Any, axis: int, norm: Any) -> Tensor:
    """Transform one axis of real numbers, of which the first half says all."""
    if dtype_of(convert(x)).kind == "c":
        raise UnsupportedError("np.fft.rfft takes real numbers: use np.fft.fft, or the real part")
    z = _complex(x)
    (axis,) = axes_among(z.ndim, axis)
    size = shape_of(z)[axis] if n is None else int(n)
    return half(resized(z, axis, size), size, _power(norm, size, is_inverse=False), axis)


def _whole(z: Tensor, n: Any, axis: int, norm: Any) -> Tensor:
    """Make real numbers of the first half of an axis."""
    (axis,) = axes_among(z.ndim, axis)
    size = 2 * (shape_of(z)[axis] - 1) if n is None else int(n)
    power = _power(norm, size, is_inverse=True)
    return mirrored(resized(z, axis, size // 2 + 1), size, power, axis)


def _axes(x: Any, s: Any, axes: Any) -> list[tuple[Any, int]]:
    """Pair the sizes that are asked for with the axes, the last one first."""
    rank = convert(x).ndim
    if axes is None:
        axes = range(rank) if s is None else range(rank - len(s), rank)
    places = [axes_among(rank, n)[0] for n in integers(axes)]  # an axis may be named twice
    sizes = [None] * len(places) if s is None else [None if n == -1 else n for n in s]
    return [*zip(sizes, places, strict=True)][::-1]


def _of_one(sign: int) -> Callable[..., Tensor]:
    def apply(a: Any, n: Any = None, axis: int = -1, norm: Any = None) -> Tensor:
        return _line(_complex(a), n, axis, norm, sign)

    return apply


def _of_many(sign: int, own: Any) -> Callable[..., Tensor]:
    def apply(a: Any, s: Any = None, axes: Any = own, norm: Any = None) -> Tensor:
        return _lines(_complex(a), _axes(a, s, axes), norm, sign)

    return apply


def _lines(z: Tensor, along: Sequence[tuple[Any, int]], norm: Any, sign: int) -> Tensor:
    for n, axis in along:
        z = _line(z, n, axis, norm, sign)
    return z


_TURNED = {None: "forward", "backward": "forward", "ortho": "ortho", "forward": None}
"""The norm of the transform the other way."""


def _hfft(a: Any, n: Any = None, axis: int = -1, norm: Any = None) -> Tensor:
    """Transform a line that is real, of which the first half is given."""
    _power(norm, 1, is_inverse=False)
    return _whole(conj(_complex(a)), n, axis, _TURNED[norm])


def _ihfft(a: Any, n: Any = None, axis: int = -1, norm: Any = None) -> Tensor:
    """Give the first half of the line that `hfft` makes real numbers of."""
    _power(norm, 1, is_inverse=False)
    return conj(_half(a, n, axis, _TURNED[norm]))


def _rfftn(own: Any) -> Callable[..., Tensor]:
    def apply(a: Any, s: Any = None, axes: Any = own, norm: Any = None) -> Tensor:
        (n, last), *others = _axes(a, s, axes)
        return _lines(_half(a, n, last, norm), others, norm, -1)

    return apply


def _irfftn(own: Any) -> Callable[..., Tensor]:
    def apply(a: Any, s: Any = None, axes: Any = own, norm: Any = None) -> Tensor:
        (n, last), *others = _axes(a, s, axes)
        return _whole(_lines(_complex(a), others, norm, 1), n, last, norm)

    return apply


FUNCTIONS: dict[Any, Callable[..., Any]] = {
    np.fft.fft: _of_one(-1),
    np.fft.ifft: _of_one(1),
    np.fft.fft2: _of_many(-1, (-2, -1)),
    np.fft.ifft2: _of_many(1, (-2, -1)),
    np.fft.fftn: _of_many(-1, None),
    np.fft.ifftn: _of_many(1, None),
    np.fft.rfft: lambda a, n=None, axis=-1, norm=None: _half(a, n, axis, norm),
    np.fft.irfft: lambda a, n=None, axis=-1, norm=None: _whole(_complex(a), n, axis, norm),
    np.fft.hfft: _hfft,
    np.fft.ihfft: _ihfft,
    np.fft.rfft2: _rfftn((-2, -1)),
    np.fft.irfft2: _irfftn((-2, -1)),
    np.fft.rfftn: _rfftn(None),
    np.fft.irfftn: _irfftn(None),
    np.fft.fftshift: lambda x, axes=None: fftshift(x, axes),
    np.fft.ifftshift: lambda x, axes=None: ifftshift(x, axes),
}
