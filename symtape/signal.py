"""`tf.signal`: Fourier and cosine transforms, windows, frames, spectra of sound."""

from symtape.namespace import show
from symtape.ops.signal.cosine import dct as dct, idct as idct
from symtape.ops.signal.frames import frame as frame, overlap_and_add as overlap_and_add
from symtape.ops.signal.mel import (
    linear_to_mel_weight_matrix as linear_to_mel_weight_matrix,
    mfccs_from_log_mel_spectrograms as mfccs_from_log_mel_spectrograms,
)
from symtape.ops.signal.shifts import fftshift as fftshift, ifftshift as ifftshift
from symtape.ops.signal.spectra import (
    inverse_mdct as inverse_mdct,
    inverse_stft as inverse_stft,
    inverse_stft_window_fn as inverse_stft_window_fn,
    mdct as mdct,
    stft as stft,
)
from symtape.ops.signal.transforms import (
    fft as fft,
    fft2d as fft2d,
    fft3d as fft3d,
    ifft as ifft,
    ifft2d as ifft2d,
    ifft3d as ifft3d,
    irfft as irfft,
    irfft2d as irfft2d,
    irfft3d as irfft3d,
    rfft as rfft,
    rfft2d as rfft2d,
    rfft3d as rfft3d,
)
from symtape.ops.signal.windows import (
    hamming_window as hamming_window,
    hann_window as hann_window,
    kaiser_bessel_derived_window as kaiser_bessel_derived_window,
    kaiser_window as kaiser_window,
    vorbis_window as vorbis_window,
)

show(__name__)
