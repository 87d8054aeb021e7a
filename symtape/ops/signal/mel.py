"""Frequencies as they are heard: bands of the mel scale, and what they say of a sound."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.arguments import is_tensor, tensor
from symtape.ops.elementwise.arithmetic import multiply
from symtape.ops.signal.cosine import dct
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided
from symtape.tensor.dispatch import invalid
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of

_BREAK, _SCALE = 700.0, 1127.0


def linear_to_mel_weight_matrix(
    num_mel_bins: int = 20,
    num_spectrogram_bins: Any = 129,
    sample_rate: Any = 8000,
    lower_edge_hertz: float = 125.0,
    upper_edge_hertz: float = 3800.0,
    dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """The matrix [num_spectrogram_bins, num_mel_bins] that makes mel bands of a spectrum.

    Each band is a triangle over the mel scale, 1127 log(1 + f/700), of height one; neighbours
    overlap by half. Raises `ValueError` for counts and rates that are not positive, and for edges
    that are not in order from 0 to half of the rate.

    >>> linear_to_mel_weight_matrix(2, 4).numpy().round(4)
    array([[0.    , 0.    ],
           [0.4048, 0.5952],
           [0.    , 0.5131],
           [0.    , 0.    ]], dtype=float32)
    """
    rate = decided(convert(sample_rate))[()] if is_tensor(sample_rate) else sample_rate
    _check(num_mel_bins, rate, lower_edge_hertz, upper_edge_hertz, dtype)
    kind = dtypes.as_dtype(dtype).numpy.type
    bins = int(decided(convert(num_spectrogram_bins)))
    if bins < 0:
        raise invalid("LinSpace", f"Requires num > 0: {bins}")
    linear = np.linspace(0, float(rate) / 2, max(bins, 1))[1:].astype(kind)
    first, last = (float(_mel(kind(edge))) for edge in (lower_edge_hertz, upper_edge_hertz))
    edges = np.linspace(first, last, num_mel_bins + 2).astype(kind)
    places = _mel(linear)[:, None]
    rising = (places - edges[:-2]) / (edges[1:-1] - edges[:-2])
    falling = (edges[2:] - places) / (edges[2:] - edges[1:-1])
    bands = np.maximum(kind(0), np.minimum(rising, falling))
    return Tensor(np.concatenate([np.zeros((1, num_mel_bins), kind), bands]))


def _mel(hertz: Any) -> Any:
    kind = hertz.dtype.type
    return kind(_SCALE) * np.log(kind(1) + hertz / kind(_BREAK))


def _check(bins: int, rate: Any, lower: float, upper: float, dtype: Any) -> None:
    if bins <= 0:
        raise ValueError(f"num_mel_bins must be positive. Got: {bins}")
    if lower < 0.0:
        raise ValueError(f"lower_edge_hertz must be non-negative. Got: {lower}")
    if lower >= upper:
        raise ValueError(f"lower_edge_hertz {lower:.1f} >= upper_edge_hertz {upper:.1f}")
    if rate <= 0.0:
        raise ValueError(f"sample_rate must be positive. Got: {rate}")
    if upper > rate / 2:
        raise ValueError(
            "upper_edge_hertz must not be larger than the Nyquist frequency (sample_rate / 2). "
            f"Got {upper} for sample_rate: {rate}"
        )
    if not dtype.is_floating:
        raise ValueError(f"dtype must be a floating point type. Got: {dtype}")


def mfccs_from_log_mel_spectrograms(log_mel_spectrograms: Any, name: str | None = None) -> Tensor:
    """The cosine transforms of logarithms of mel bands [..., bands], times 1/√(2 bands).

    Raises `ValueError` where there are no bands.

    >>> mfccs_from_log_mel_spectrograms([[1.0, 1.0]]).numpy()
    array([[2., 0.]], dtype=float32)
    """
    x = tensor(log_mel_spectrograms)
    if not x.ndim:
        raise invalid("StridedSlice", "slice index -1 of dimension 0 out of bounds.")
    bands = shape_of(x)[-1]
    if bands == 0:
        raise ValueError(f"num_mel_bins must be positive. Got: {x!s}")
    found = dct(x, type=2)
    return multiply(found, dtype_of(found).type((2.0 * bands) ** -0.5))
