"""`tf.signal`: Fourier and cosine transforms, windows, frames, spectra of sound."""

from symtape.namespace import show
from symtape.ops.signal.cosine import dct, idct
from symtape.ops.signal.frames import frame, overlap_and_add
from symtape.ops.signal.mel import linear_to_mel_weight_matrix, mfccs_from_log_mel_spectrograms
from symtape.ops.signal.shifts import fftshift, ifftshift
from symtape.ops.signal.spectra import (
    inverse_mdct,
    inverse_stft,
    inverse_stft_window_fn,
    mdct,
    stft,
)
from symtape.ops.signal.transforms import (
    fft,
    fft2d,
    fft3d,
    ifft,
    ifft2d,
    ifft3d,
    irfft,
    irfft2d,
    irfft3d,
    rfft,
    rfft2d,
    rfft3d,
)
from symtape.ops.signal.windows import (
    hamming_window,
    hann_window,
    kaiser_bessel_derived_window,
    kaiser_window,
    vorbis_window,
)

__all__ = [
    "dct",
    "fft",
    "fft2d",
    "fft3d",
    "fftshift",
    "frame",
    "hamming_window",
    "hann_window",
    "idct",
    "ifft",
    "ifft2d",
    "ifft3d",
    "ifftshift",
    "inverse_mdct",
    "inverse_stft",
    "inverse_stft_window_fn",
    "irfft",
    "irfft2d",
    "irfft3d",
    "kaiser_bessel_derived_window",
    "kaiser_window",
    "linear_to_mel_weight_matrix",
    "mdct",
    "mfccs_from_log_mel_spectrograms",
    "overlap_and_add",
    "rfft",
    "rfft2d",
    "rfft3d",
    "stft",
    "vorbis_window",
]

show(__name__, __all__)
