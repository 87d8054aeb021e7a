"""Fourier transforms of the last axes: `fft`, `rfft` and their inverses, of one to three axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.ops.arguments import allowed, check, is_tensor, listed, whole
from symtape.ops.elementwise.conversion import cast
from symtape.ops.signal.arguments import at_least
from symtape.ops.signal.fourier import half, mirrored, resized, transformed
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.dispatch import invalid
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of

_COMPLEX = allowed("complex64, complex128")
_REAL = {"f": np.dtype(np.complex64), "d": np.dtype(np.complex128)}
"""The complex dtype of each real one that is transformed."""

Transform = Callable[..., Tensor]


def _of_complex(name: str, axes: int, sign: int, summary: str, example: str) -> Transform:
    kernel = name.upper()

    def function(input: Any, name: str | None = None) -> Tensor:
        z = _of_complex_numbers(input)
        check(kernel, z, _COMPLEX, "input:Tcomplex -> output:Tcomplex", "Tcomplex")
        _check_rank(kernel, z, axes)
        for axis in range(z.ndim - axes, z.ndim):
            z = transformed(z, axis, sign, -1 if sign > 0 else 0)
        return z

    return _named(function, name, f"{summary}.\n\n    {_COMPLEX_RAISES}\n\n    {example}")


def _of_real(name: str, axes: int, summary: str, example: str) -> Transform:
    kernel = name.upper()

    def function(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Tensor:
        x = _given(input_tensor, dtypes.float32, axes)
        if dtype_of(x).char not in _REAL:
            raise ValueError(f"RFFT requires tf.float32 or tf.float64 inputs, got: {x!s}")
        sizes = _lengths(kernel, fft_length, shape_of(x)[x.ndim - axes :], axes)
        x = _fitted(kernel, x, sizes)
        last = x.ndim - 1
        z = half(cast(x, _REAL[dtype_of(x).char]), sizes[-1])
        for axis in range(last + 1 - axes, last):
            z = transformed(z, axis, -1)
        return z

    return _named(function, name, f"{summary}.\n\n    {_REAL_RAISES}\n\n    {example}")


def _to_real(name: str, axes: int, summary: str, example: str) -> Transform:
    kernel = name.upper()

    def function(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Tensor:
        z = _given(input_tensor, dtypes.complex64, axes)
        if dtype_of(z).char not in _COMPLEX.letters:
            raise ValueError(f"IRFFT requires tf.complex64 or tf.complex128 inputs, got: {z!s}")
        own = shape_of(z)[z.ndim - axes :]
        sizes = _lengths(kernel, fft_length, (*own[:-1], max(0, 2 * (own[-1] - 1))), axes)
        z = _fitted(kernel, z, [*sizes[:-1], sizes[-1] // 2 + 1 if sizes[-1] else 0])
        for axis in range(z.ndim - axes, z.ndim - 1):
            z = transformed(z, axis, 1, -1)
        return mirrored(z, sizes[-1])

    return _named(function, name, f"{summary}.\n\n    {_HALF_RAISES}\n\n    {example}")


# --- arguments ------------------------------------------------------------------------------------


def _of_complex_numbers(value: Any) -> Tensor:
    """Convert to complex64; tensors, and complex numbers that Python writes, stay what they are."""
    if is_tensor(value):
        return convert(value)
    if not isinstance(value, (np.ndarray, np.generic)):
        written = convert(value)
        if written.dtype.is_complex:
            return written
    return convert(value, dtypes.complex64)


def _given(value: Any, hint: Any, axes: int) -> Tensor:
    x = convert(value) if is_tensor(value) else convert(value, hint=hint)
    return at_least(x, axes)


def _check_rank(kernel: str, x: Tensor, axes: int) -> None:
    if x.ndim < axes:
        raise invalid(
            kernel, f"Input must have rank of at least {axes} but got: {listed(shape_of(x))}"
        )


def _lengths(kernel: str, given: Any, own: tuple[int, ...], axes: int) -> list[int]:
    """Read how many elements are transformed along each axis."""
    if given is None:
        return list(own)
    found = whole(kernel, convert(given, dtypes.int32), "Tindices")
    if np.ndim(found) == 0:
        raise TypeError("'numpy.int32' object is not iterable")
    sizes: list[int] = found.tolist()
    if np.shape(found) != (axes,):
        raise invalid(kernel, f"fft_length must have shape [{axes}]")
    for k, n in enumerate(sizes):
        if n < 0:
            raise invalid(kernel, f"fft_length[{k}] must >= 0, but got: {n}")
    return sizes


def _fitted(kernel: str, x: Tensor, sizes: list[int]) -> Tensor:
    """Cut and widen the last axes; TensorFlow widens nothing where there are no elements at all."""
    lead = x.ndim - len(sizes)
    own = shape_of(x)
    for axis, n in enumerate(sizes, lead):
        if 0 not in sizes and 0 in own and 0 < own[axis] < n:
            raise invalid(
                kernel,
                f"Input dimension {axis} must have length of at least {n} but got: {own[axis]}",
            )
        if n == 0 < own[axis]:
            raise invalid(
                kernel,
                f"fft_length {listed(sizes)} leaves nothing of an input of shape {listed(own)}; "
                "give the number of elements of the result",
            )
        x = resized(x, axis, n)
    return x


# --- the functions --------------------------------------------------------------------------------

_COMPLEX_RAISES = "Raises `InvalidArgumentError` for what is not complex64 or complex128."
_REAL_RAISES = (
    "`fft_length` is how many elements are transformed along each axis: the others are left out,\n"
    "    or zeros are put behind them. Raises `ValueError` for what is not float32 or float64."
)
_HALF_RAISES = (
    "The last axis has the first half of a spectrum; `fft_length` is the shape of the result, by\n"
    "    default an even one. Raises `ValueError` for what is not complex64 or complex128."
)


def _named(function: Transform, name: str, text: str) -> Transform:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = text + "\n    "
    return function


fft = _of_complex(
    "fft", 1, -1, "Σⱼ exp(-2πi·jk/n) xⱼ along the last axis",
    ">>> fft([1.0, 2.0, 3.0, 4.0]).numpy()\n"
    "    array([10.+0.j, -2.+2.j, -2.+0.j, -2.-2.j], dtype=complex64)",
)  # fmt: skip
ifft = _of_complex(
    "ifft", 1, 1, "Σₖ exp(2πi·jk/n) xₖ/n along the last axis, the inverse of `fft`",
    ">>> ifft([4.0, 0.0, 0.0, 0.0]).numpy()\n"
    "    array([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j], dtype=complex64)",
)  # fmt: skip
fft2d = _of_complex(
    "fft2d", 2, -1, "The transform `fft` of the last two axes",
    ">>> fft2d([[1.0, 2.0], [3.0, 4.0]]).numpy()\n"
    "    array([[10.+0.j, -2.+0.j],\n"
    "           [-4.+0.j,  0.+0.j]], dtype=complex64)",
)  # fmt: skip
ifft2d = _of_complex(
    "ifft2d", 2, 1, "The inverse of `fft2d`",
    ">>> ifft2d([[4.0, 0.0], [0.0, 0.0]]).numpy()\n"
    "    array([[1.+0.j, 1.+0.j],\n"
    "           [1.+0.j, 1.+0.j]], dtype=complex64)",
)  # fmt: skip
fft3d = _of_complex(
    "fft3d", 3, -1, "The transform `fft` of the last three axes",
    ">>> fft3d([[[1.0, 2.0]]]).numpy()\n"
    "    array([[[ 3.+0.j, -1.+0.j]]], dtype=complex64)",
)  # fmt: skip
ifft3d = _of_complex(
    "ifft3d", 3, 1, "The inverse of `fft3d`",
    ">>> ifft3d([[[2.0, 0.0]]]).numpy()\n"
    "    array([[[1.+0.j, 1.+0.j]]], dtype=complex64)",
)  # fmt: skip
rfft = _of_real(
    "rfft", 1, "The first half of the transform `fft` of real numbers, n/2 + 1 elements",
    ">>> rfft([1.0, 2.0, 3.0, 4.0]).numpy()\n"
    "    array([10.+0.j, -2.+2.j, -2.+0.j], dtype=complex64)",
)  # fmt: skip
irfft = _to_real(
    "irfft", 1, "The inverse of `rfft`",
    ">>> irfft([10.0 + 0.0j, -2.0 + 2.0j, -2.0]).numpy()\n"
    "    array([1., 2., 3., 4.], dtype=float32)",
)  # fmt: skip
rfft2d = _of_real(
    "rfft2d", 2, "The transform `fft2d` of real numbers, of which the last axis has the first half",
    ">>> rfft2d([[1.0, 2.0], [3.0, 4.0]]).numpy()\n"
    "    array([[10.+0.j, -2.+0.j],\n"
    "           [-4.+0.j,  0.+0.j]], dtype=complex64)",
)  # fmt: skip
irfft2d = _to_real(
    "irfft2d", 2, "The inverse of `rfft2d`",
    ">>> irfft2d([[10.0, -2.0], [-4.0, 0.0]]).numpy()\n"
    "    array([[1., 2.],\n"
    "           [3., 4.]], dtype=float32)",
)  # fmt: skip
rfft3d = _of_real(
    "rfft3d", 3, "The transform `fft3d` of real numbers, of which the last axis has the first half",
    ">>> rfft3d([[[1.0, 2.0]]]).numpy()\n"
    "    array([[[ 3.+0.j, -1.+0.j]]], dtype=complex64)",
)  # fmt: skip
irfft3d = _to_real(
    "irfft3d", 3, "The inverse of `rfft3d`",
    ">>> irfft3d([[[3.0, -1.0]]]).numpy()\n"
    "    array([[[1., 2.]]], dtype=float32)",
)  # fmt: skip
