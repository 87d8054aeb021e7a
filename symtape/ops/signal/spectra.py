"""Spectra of frames: the short-time Fourier transform, the modified cosine transform, inverses."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, log2, sqrt
from typing import Any

from symtape.ops.arguments import like, tensor
from symtape.ops.elementwise.arithmetic import divide, multiply, where
from symtape.ops.elementwise.arithmetic import subtract as minus
from symtape.ops.elementwise.comparison import equal
from symtape.ops.elementwise.functions import negative, square
from symtape.ops.reductions.reduction import reduce_sum
from symtape.ops.shapes.creation import zeros_like
from symtape.ops.shapes.joining import concat, pad, split
from symtape.ops.shapes.repetition import flipped, part_of, tile
from symtape.ops.shapes.shaping import reshape
from symtape.ops.signal.arguments import at_least, count, number
from symtape.ops.signal.cosine import dct
from symtape.ops.signal.fourier import resized
from symtape.ops.signal.frames import frame, overlap_and_add
from symtape.ops.signal.transforms import irfft, rfft
from symtape.ops.signal.windows import hann_window, vorbis_window
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of

WindowFunction = Callable[..., Any] | None


def stft(
    signals: Any,
    frame_length: Any,
    frame_step: Any,
    fft_length: Any = None,
    window_fn: WindowFunction = hann_window,
    pad_end: bool = False,
    name: str | None = None,
) -> Tensor:
    """The Fourier transforms `rfft` of frames of signals [..., samples]: [..., frames, bins].

    The frames are those of `frame`, each times the window that `window_fn(length, dtype=…)` gives;
    None is no window. `fft_length` is the size of the transforms, by default the next power of
    two. Raises what these functions raise.

    >>> stft([1.0, 2.0, 3.0, 4.0], 2, 2, window_fn=None).numpy()
    array([[ 3.+0.j, -1.+0.j],
           [ 7.+0.j, -1.+0.j]], dtype=complex64)
    """
    x = at_least(tensor(signals), 1)
    length, step = count(frame_length), count(frame_step)
    size = _power_of_two(length) if fft_length is None else _size(fft_length)
    frames = frame(x, length, step, pad_end=pad_end)
    if window_fn is not None:
        frames = multiply(frames, window_fn(length, dtype=frames.dtype))
    return rfft(frames, [size])


def inverse_stft_window_fn(
    frame_step: Any,
    forward_window_fn: Callable[..., Any] = hann_window,
    name: str | None = None,
) -> Callable[..., Tensor]:
    """Make the `window_fn` with which `inverse_stft` gives back what `stft` was taken of.

    It is the window of `stft`, divided by the sum of the squares of all windows over a place.

    >>> inverse_stft_window_fn(2)(4, dtype=hann_window(4).dtype).numpy()
    array([0., 1., 1., 1.], dtype=float32)
    """

    def window(frame_length: Any, dtype: Any) -> Tensor:
        """Compute the window of a length, of a dtype."""
        step, length = count(frame_step), count(frame_length)
        forward = tensor(forward_window_fn(length, dtype=dtype))
        overlaps = -(-length // step)
        squares = pad(square(forward), [(0, overlaps * step - length)])
        sums = reduce_sum(reshape(squares, [overlaps, step]), 0, keepdims=True)
        whole = part_of(reshape(tile(sums, [overlaps, 1]), [overlaps * step]), 0, 0, length)
        return where(equal(whole, 0.0), zeros_like(forward), divide(forward, whole))

    return window


def inverse_stft(
    stfts: Any,
    frame_length: Any,
    frame_step: Any,
    fft_length: Any = None,
    window_fn: WindowFunction = hann_window,
    name: str | None = None,
) -> Tensor:
    """Add up frames whose spectra are [..., frames, bins], each times a window: [..., samples].

    With the window that `inverse_stft_window_fn` makes it is the inverse of `stft`, whose arguments
    the others are. Raises `ValueError` for spectra of fewer than two axes, or that are not complex.

    >>> inverse_stft([[3.0 + 0j, -1.0], [7.0, -1.0]], 2, 2, window_fn=None).numpy()
    array([1., 2., 3., 4.])
    """
    z = at_least(tensor(stfts), 2)
    length, step = count(frame_length), count(frame_step)
    size = _power_of_two(length) if fft_length is None else int(number(fft_length))
    frames = irfft(z, [size])
    frames = resized(frames, frames.ndim - 1, length)
    if window_fn is not None:
        frames = multiply(frames, window_fn(length, dtype=frames.dtype))
    return overlap_and_add(frames, step)


def _size(value: Any) -> int:
    found = tensor(value)
    if found.ndim:
        raise TypeError("only integer scalar arrays can be converted to a scalar index")
    return int(number(found))


def _power_of_two(length: int) -> int:
    return int(2 ** ceil(log2(length))) if length > 0 else 0


def mdct(
    signals: Any,
    frame_length: Any,
    window_fn: WindowFunction = vorbis_window,
    pad_end: bool = False,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The modified cosine transforms of frames of signals [..., samples], which overlap by half.

    The result is [..., frames, frame_length/2]. `window_fn` makes the window, as in `stft`; None
    is one of 1/√2. `norm` is that of `dct`. Raises `ValueError` unless the length is a multiple
    of four.

    >>> mdct([1.0, 2.0, 3.0, 4.0], 4, window_fn=None).shape
    TensorShape([1, 2])
    """
    x = at_least(tensor(signals), 1)
    length = count(frame_length)
    if length % 4:
        raise ValueError("The frame length must be a multiple of 4.")
    a, b, c, d = split(_windowed(frame(x, length, length // 2, pad_end), window_fn, length), 4, -1)
    folded = [minus(negative(_reversed(c)), d), minus(a, _reversed(b))]
    return dct(concat(folded, -1), type=4, norm=norm)


def inverse_mdct(
    mdcts: Any,
    window_fn: WindowFunction = vorbis_window,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """Add up the frames whose modified cosine transforms are [..., frames, frame_length/2].

    With the `window_fn` and the `norm` of `mdct` it is the inverse, but for half a frame at both
    ends. Raises `ValueError` for fewer than two axes and for another `norm` than None and "ortho".

    >>> inverse_mdct([[1.0, 0.0], [0.0, 1.0]], window_fn=None).shape
    TensorShape([6])
    """
    x = at_least(tensor(mdcts), 2)
    half = shape_of(x)[-1]
    if norm not in {None, "ortho"}:
        raise ValueError(f"Unknown normalization. Expected None or 'ortho', got: {norm}")
    scale = like(0.5, x) if norm is None else None
    plain = dct(x, type=4, norm=norm)
    first, second = split(plain if scale is None else multiply(plain, divide(scale, half)), 2, -1)
    unfolded = [second, *[negative(part) for part in (_reversed(second), _reversed(first), first)]]
    return overlap_and_add(_windowed(concat(unfolded, -1), window_fn, 2 * half), half)


def _windowed(frames: Tensor, window_fn: WindowFunction, length: int) -> Tensor:
    """Multiply frames by a window; without one, by 1/√2."""
    if window_fn is None:
        return multiply(frames, dtype_of(frames).type(1 / sqrt(2)))
    return multiply(frames, window_fn(length, dtype=frames.dtype))


def _reversed(x: Tensor) -> Tensor:
    return flipped(x, [x.ndim - 1])
