"""Operations on signals: Fourier and cosine transforms, frames, spectra."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.cases.case import Case, complexes, reals

_THREE = "TensorFlow has no gradient of a real transform of three axes"
_CUT = "TensorFlow's gradient of a real transform that is cut off has another shape"


def fourier() -> Iterator[Case]:
    """Transforms of complex numbers, of odd and even sizes."""
    shapes = {
        "": [(4,), (2, 5), (1,), (2, 0), (0, 3)],
        "2d": [(2, 3), (2, 2, 1)],
        "3d": [(2, 1, 3)],
    }
    for axes, sizes in shapes.items():
        for name in ("fft", "ifft"):
            for shape in sizes:
                yield Case(
                    f"{name}{axes} of {shape}",
                    lambda tf, z, name=name + axes: getattr(tf.signal, name)(z),
                    (complexes(*shape),),
                )


def fourier_of_reals() -> Iterator[Case]:
    """Half spectra of real numbers, and real numbers of half spectra."""
    for shape, length in (
        ((4,), None),
        ((2, 5), None),
        ((3,), [6]),
        ((2, 0), None),
        ((0, 3), None),
    ):
        yield Case(
            f"rfft of {shape}, {length}",
            lambda tf, x, n=length: tf.signal.rfft(x, n),
            (reals(*shape),),
            half=False,
        )
    yield Case(
        "rfft of a part",
        lambda tf, x: tf.signal.rfft(x, [3]),
        (reals(5),),
        half=False,
        tensorflow=0,
        because=_CUT,
    )
    for shape, length in (((3,), None), ((2, 3), [5]), ((2,), [7])):
        yield Case(
            f"irfft of {shape}, {length}",
            lambda tf, z, n=length: tf.signal.irfft(z, n),
            (complexes(*shape),),
        )
    yield Case(
        "irfft of a part",
        lambda tf, z: tf.signal.irfft(z, [2]),
        (complexes(4),),
        tensorflow=0,
        because=_CUT,
    )
    for shape, length in (((2, 3), None), ((2, 2, 3), [3, 4])):
        yield Case(
            f"rfft2d of {shape}, {length}",
            lambda tf, x, n=length: tf.signal.rfft2d(x, n),
            (reals(*shape),),
            half=False,
        )
    for shape, length in (((2, 3), None), ((3, 2), [3, 3])):
        yield Case(
            f"irfft2d of {shape}, {length}",
            lambda tf, z, n=length: tf.signal.irfft2d(z, n),
            (complexes(*shape),),
        )
    yield Case(
        "rfft3d",
        lambda tf, x: tf.signal.rfft3d(x),
        (reals(1, 2, 3),),
        half=False,
        tensorflow=0,
        because=_THREE,
    )
    yield Case(
        "irfft3d",
        lambda tf, z: tf.signal.irfft3d(z),
        (complexes(2, 1, 2),),
        tensorflow=0,
        because=_THREE,
    )


def shifts() -> Iterator[Case]:
    """Spectra turned round."""
    for name in ("fftshift", "ifftshift"):
        for axes in (None, [0, -1]) if name == "fftshift" else (1,):
            yield Case(
                f"{name} along {axes}",
                lambda tf, x, name=name, axes=axes: getattr(tf.signal, name)(x, axes),
                (reals(2, 3),),
            )


def cosine() -> Iterator[Case]:
    """Cosine transforms and their inverses."""
    for name in ("dct", "idct"):
        for kind in (1, 2, 3, 4) if name == "dct" else (2,):
            for norm in (None,) if kind == 1 else ("ortho",) if name == "idct" else (None, "ortho"):
                yield Case(
                    f"{name} of type {kind}, {norm}",
                    lambda tf, x, name=name, how=(kind, None, -1, norm): getattr(tf.signal, name)(
                        x, *how
                    ),
                    (reals(2, 4),),
                    half=False,
                )
    for n in (2, 5):
        yield Case(
            f"dct of {n} of three elements",
            lambda tf, x, n=n: tf.signal.dct(x, n=n),
            (reals(3),),
            half=False,
        )


def frames() -> Iterator[Case]:
    """Frames that overlap, touch, and leave gaps."""
    for length, step, more in (
        (3, 1, {}),
        (2, 2, {"pad_end": True, "pad_value": 7}),
        (2, 3, {}),
        (8, 1, {}),
        (2, 2, {"axis": -2, "pad_end": True}),
    ):
        yield Case(
            f"frame of {length}, {step}, {more}",
            lambda tf, x, how=(length, step), more=more: tf.signal.frame(x, *how, **more),
            (reals(3, 5),),
        )
    for step in (1, 3, 5):
        yield Case(
            f"overlap_and_add by {step}",
            lambda tf, x, step=step: tf.signal.overlap_and_add(x, step),
            (reals(2, 3, 3),),
        )
    yield Case(
        "overlap_and_add of no frames",
        lambda tf, x: tf.signal.overlap_and_add(x, 1),
        (reals(0, 3),),
    )


def spectra() -> Iterator[Case]:
    """Transforms of frames, and back."""
    for how in ({}, {"fft_length": 6, "window_fn": None}, {"pad_end": True}):
        yield Case(
            f"stft with {how}",
            lambda tf, x, how=how: tf.signal.stft(x, 4, 2, **how),
            (reals(7),),
            half=False,
        )

    def inverse(tf: Any, z: Any) -> Any:
        return tf.signal.inverse_stft(z, 4, 2, window_fn=tf.signal.inverse_stft_window_fn(2))

    yield Case("inverse_stft", inverse, (complexes(2, 3),))
    for length, size in ((6, 4), (3, 4)):
        yield Case(
            f"inverse_stft of frames of {length}",
            lambda tf, z, how=(length, 2, size): tf.signal.inverse_stft(z, *how),
            (complexes(2, 3),),
        )
    for how in ({}, {"norm": "ortho", "window_fn": None, "pad_end": True}):
        yield Case(
            f"mdct with {how}",
            lambda tf, x, how=how: tf.signal.mdct(x, 4, **how),
            (reals(7),),
            half=False,
        )
    for how in ({}, {"norm": "ortho", "window_fn": None}):
        yield Case(
            f"inverse_mdct with {how}",
            lambda tf, x, how=how: tf.signal.inverse_mdct(x, **how),
            (reals(2, 4),),
            half=False,
        )
    yield Case(
        "mfccs_from_log_mel_spectrograms",
        lambda tf, x: tf.signal.mfccs_from_log_mel_spectrograms(x),
        (reals(2, 3),),
        half=False,
    )


CASES: list[Case] = [
    *fourier(),
    *fourier_of_reals(),
    *shifts(),
    *cosine(),
    *frames(),
    *spectra(),
]
